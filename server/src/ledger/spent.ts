// What left an account in the last 24 hours, for limits: read from its entries once, and kept up to date in memory after
// that. A limit is judged with the posting, on the same state, so it is exact however many ask at once.
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
  for (const account of accounts) {
    const rows = pages.filter((row) => row.account_id === account.id)
    if ((rows[0]?.seq ?? 0n) !== account.seq) return false
    account.spent = await spentOf(db, { id: account.id, rows, sinceMs })
  }
  return true
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
