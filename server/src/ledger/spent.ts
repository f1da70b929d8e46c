// What left an account in the last 24 hours and what is set aside to leave, for limits: read from its entries and holds
// once, and kept up to date in memory after that. A limit is judged with the posting, on the same state, so it is exact
// however many ask at once.
import type { Queries } from '../db/db.ts'
import type { KnownAccount } from './accounts.ts'
import type { Batch } from './core.ts'
import { openSpent, type Spent, type SpentLately, spentMs } from './decide.ts'
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
  const pages = await sql.latestMoves(db, {
    ids: accounts.map(({ id }) => id),
    seqs: accounts.map(({ seq }) => seq),
    limit: firstPage,
  })
  const found = new Map<bigint, SpentLately>()
  for (const { id, seq } of accounts) {
    const rows = pages.filter((row) => row.account_id === id)
    if ((rows[0]?.seq ?? 0n) !== seq) return false
    found.set(id, await spentOf(db, { id, rows, sinceMs }))
  }
  for (const { account_id, kind, amount } of await readHolds(db, accounts))
    found.get(account_id)?.hold(kind, amount)
  for (const account of accounts) account.spent = found.get(account.id)
  return true
}

/**
 * Read after the entries: what the latest of them holds is there by then. If there is more (somebody else wrote
 * meanwhile), the number that the next entry would get is taken, and everything is decided anew.
 */
async function readHolds(db: Queries, accounts: readonly KnownAccount[]) {
  const ids = accounts.filter(({ held }) => held > 0n).map(({ id }) => id)
  return ids.length === 0 ? [] : sql.openHolds(db, ids)
}

interface Reading {
  id: bigint
  /** The latest ones, the newest first. */
  rows: readonly sql.MoveRow[]
  sinceMs: number
}

async function spentOf(db: Queries, { id, rows, sinceMs }: Reading): Promise<SpentLately> {
  const found: Spent[] = []
  let page = rows
  let size = firstPage
  for (let pages = 0; pages < pagesMax; pages++) {
    for (const { amount, kind, created_at } of page) {
      if (amount < 0n) found.push({ kind, amount: -amount, atMs: created_at.getTime() })
    }
    const oldest = page.at(-1)
    if (oldest === undefined || page.length < size) break
    if (oldest.created_at.getTime() < sinceMs - slackMs) break
    size = laterPage
    page = await sql.latestMoves(db, { ids: [id], seqs: [oldest.seq - 1n], limit: size })
  }
  const spent = openSpent()
  found.sort((one, other) => one.atMs - other.atMs)
  for (const one of found) if (one.atMs > sinceMs) spent.add(one)
  return spent
}
