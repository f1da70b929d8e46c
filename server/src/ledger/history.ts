// Reading the histories of one owner's accounts together, in windows of their numbers. Numbers have no gaps, so a
// window costs the same wherever it lies, and who reads knows how far he has come even when nothing in it suited.
import { check } from '../base/check.ts'
import { type Currency, isCurrency } from '../base/money.ts'
import type { Queries } from '../db/db.ts'
import * as sql from './history/sql.ts'
import type { AccountOwner, StatementLine } from './statement.ts'

export { windowMost } from './history/sql.ts'

export interface HistoryWindow {
  currency: Currency
  /** The first entry of the window, … */
  from: bigint
  /** … and the one after its last. */
  before: bigint
}

export interface WindowsRead {
  owner: AccountOwner
  windows: readonly HistoryWindow[]
  direction?: 'in' | 'out' | undefined
  /** Kinds of postings to leave out. */
  notKinds?: readonly string[]
  /**
   * Leaves out postings whose details can't hold this text of plain ASCII, in any case. Those with other letters stay:
   * what is the same to people (`é` and `e`) is for the caller to say. So is where in the details it stands.
   */
  mention?: string | undefined
}

/** One list for each window, the newest first. Entries that only held or released something are left out. */
export async function windowsOf(db: Queries, read: WindowsRead): Promise<StatementLine[][]> {
  const { windows, owner, direction, notKinds = [], mention } = read
  const lists: StatementLine[][] = windows.map(() => [])
  if (windows.length === 0) return lists
  for (const { from, before } of windows)
    check(before - from <= sql.windowMost, 'a window is no longer than what is read of it')
  const rows = await sql.readWindows(db, {
    ...owner,
    currencies: windows.map(({ currency }) => currency),
    before: windows.map(({ before }) => before),
    from: windows.map(({ from }) => from),
    sign: direction === undefined ? 0 : direction === 'in' ? 1 : -1,
    notKinds,
    // As it stands inside the JSON.
    mention: mention === undefined ? null : JSON.stringify(mention.toLowerCase()).slice(1, -1),
  })
  for (const row of rows) {
    const at = Number(row.at) - 1
    const window = windows[at]
    if (window === undefined) continue
    lists[at]?.push({
      seq: row.seq,
      amount: row.amount,
      balanceAfter: row.balance_after,
      currency: window.currency,
      postingId: row.posting_id,
      kind: row.kind,
      details: row.details,
      createdAt: row.created_at,
    })
  }
  return lists
}

export interface Moment {
  currency: Currency
  time: Date
}

export interface MomentsRead {
  owner: AccountOwner
  moments: readonly Moment[]
}

/**
 * For each moment the number of the account's first entry at or after it, or one more than the last; 1 when there is no
 * such account. Exact as long as entries are in the order of their times. Writers whose clocks differ, or who waited
 * for a lock, can put neighbours in the other order: leave some room around a moment.
 */
export async function seqsAt(db: Queries, { owner, moments }: MomentsRead): Promise<bigint[]> {
  if (moments.length === 0) return []
  const rows = await sql.readMoments(db, {
    ...owner,
    currencies: moments.map(({ currency }) => currency),
    times: moments.map(({ time }) => time),
  })
  const found = new Map(rows.map(({ at, seq }) => [Number(at) - 1, seq]))
  return moments.map((_moment, at) => found.get(at) ?? 1n)
}

export interface Moved {
  currency: Currency
  amount: bigint
  postingId: bigint
  kind: string
  details: object
  createdAt: Date
}

export interface MovesRead {
  owner: AccountOwner
  from: Date
  /** Excluded. */
  to: Date
}

const movesPage = 500
const movesPagesMax = 100_000
/** Writers' clocks differ, and some wait for a lock: neighbours may be out of order by so much. */
const disorderMs = 60_000

/**
 * All that went through an owner's accounts in a time, those of many stripes too, in no order. For comparing whole days:
 * what came since then is read over.
 */
export async function movesOf(db: Queries, { owner, from, to }: MovesRead): Promise<Moved[]> {
  const accounts = await sql.readStripes(db, owner)
  const currencies = new Map(accounts.map(({ id, currency }) => [id, currency]))
  const places = new Map(accounts.map(({ id }) => [id, seqMost]))
  const moves: Moved[] = []
  for (let pages = 0; places.size > 0; pages++) {
    check(pages < movesPagesMax, 'an account has an end')
    const rows = await sql.readMoves(db, {
      ids: [...places.keys()],
      before: [...places.values()],
      limit: movesPage,
    })
    const seen = Map.groupBy(rows, ({ account_id }) => account_id)
    for (const id of [...places.keys()]) {
      const page = seen.get(id) ?? []
      const oldest = page.at(-1)
      const isOver = oldest === undefined || page.length < movesPage || oldest.created_at < earlier(from)
      if (isOver) places.delete(id)
      else places.set(id, oldest.seq)
    }
    for (const row of rows) {
      const currency = currencies.get(row.account_id) ?? ''
      check(isCurrency(currency), 'an account has a currency of the table')
      const { amount, posting_id: postingId, kind, details, created_at: createdAt } = row
      if (amount !== 0n && createdAt >= from && createdAt < to)
        moves.push({ currency, amount, postingId, kind, details, createdAt })
    }
  }
  return moves
}

const seqMost = 9_223_372_036_854_775_807n
const earlier = (time: Date): Date => new Date(time.getTime() - disorderMs)
