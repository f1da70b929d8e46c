// What left an account in the last 24 hours and what is set aside to leave, for limits: read from its entries and holds
// once, and kept up to date in memory after that. A limit is judged with the posting, on the same state, so it is exact
// however many ask at once.
import type { Queries } from '../db/db.ts'
import type { KnownAccount } from './accounts.ts'
import type { Batch } from './core.ts'
import { spentMs } from './decide.ts'
import { openSpent, type SpentLately } from './lately.ts'
import * as sql from './sql.ts'

const firstPage = 50
const laterPage = 1_000
const pagesMax = 1_000
/** Clocks of several processes differ a little, so entries are not exactly in the order of their times. */
const slackMs = 60_000

/** False: some entries that the states count on are not in the database yet, so nobody can say. */
export async function knowSpent(db: Queries, { orders }: Batch): Promise<boolean> {
  const unknown = new Set<KnownAccount>()
  for (const { limit } of orders) {
    if (limit !== undefined && limit.account.spent === undefined) unknown.add(limit.account as KnownAccount)
  }
  if (unknown.size === 0) return true
  const sinceMs = (orders[0]?.createdAtMs ?? 0) - spentMs
  const accounts = [...unknown]
  const pages = await firstRows(db, accounts)
  const found = new Map<bigint, SpentLately>()
  for (const account of accounts) {
    const rows = pages.filter((row) => row.account_id === account.id)
    if ((rows[0]?.seq ?? 0n) !== account.seq) return false
    found.set(account.id, await readLately(db, account, { rows, sinceMs }))
  }
  for (const { account_id, kind, amount } of await readHolds(db, accounts))
    found.get(account_id)?.hold(kind, amount)
  for (const account of accounts) account.spent = found.get(account.id)
  return true
}

const firstRows = (db: Queries, accounts: readonly KnownAccount[]) =>
  sql.latestMoves(db, {
    ids: accounts.map(({ id }) => id),
    tops: accounts.map(({ seq }) => seq),
    bottoms: accounts.map(bottomOf),
    limit: firstPage,
  })

/** Where reading may stop: at what was read before. */
const bottomOf = ({ read, seq }: KnownAccount): bigint =>
  read === undefined || read.through.seq > seq ? 0n : read.through.seq

/**
 * Read after the entries: what the latest of them holds is there by then. If there is more (somebody else wrote
 * meanwhile), the number that the next entry would get is taken, and everything is decided anew.
 */
async function readHolds(db: Queries, accounts: readonly KnownAccount[]) {
  const ids = accounts.filter(({ held }) => held > 0n).map(({ id }) => id)
  return ids.length === 0 ? [] : sql.openHolds(db, ids)
}

interface Reading {
  /** The latest ones, the newest first. */
  rows: readonly sql.MoveRow[]
  sinceMs: number
}

/** Several processes that write to an account read it again and again: each time what is new, or a busy day would be slow. */
async function readLately(db: Queries, account: KnownAccount, reading: Reading): Promise<SpentLately> {
  const { read } = account
  const moves = await readBack(db, account, reading)
  const [newest, oldest] = [moves[0], moves.at(-1)]
  if (newest === undefined) return openSpent()
  const goesOn = read !== undefined && oldest?.seq === read.through.seq
  if (goesOn && oldest.posting_id !== read.through.posting) {
    // Another history than the one that was read: that of a standby which had not heard of all.
    account.read = undefined
    return readLately(db, account, { ...reading, rows: await firstRows(db, [account]) })
  }
  // One page is soon read again, and most accounts have no more: to keep it for all of them would take much memory.
  const isMuch = goesOn || moves.length > firstPage
  if (goesOn) moves.pop()
  const spent = goesOn ? read.spent.copy() : openSpent()
  moves.sort((one, other) => one.created_at.getTime() - other.created_at.getTime())
  for (const { amount, kind, created_at } of moves)
    if (amount < 0n) spent.add({ kind, amount: -amount, atMs: created_at.getTime() })
  spent.forget(reading.sinceMs)
  if (!isMuch) return spent
  account.read = { through: { seq: newest.seq, posting: newest.posting_id }, spent }
  return spent.copy()
}

/** Until 24 hours have been read, or what was read before is reached. */
async function readBack(db: Queries, account: KnownAccount, { rows, sinceMs }: Reading) {
  const moves = [...rows]
  let page = rows
  let size = firstPage
  for (let pages = 0; pages < pagesMax; pages++) {
    const oldest = page.at(-1)
    if (oldest === undefined || page.length < size) break
    if (oldest.created_at.getTime() < sinceMs - slackMs) break
    size = laterPage
    page = await sql.latestMoves(db, {
      ids: [account.id],
      tops: [oldest.seq - 1n],
      bottoms: [bottomOf(account)],
      limit: size,
    })
    moves.push(...page)
  }
  return moves
}
