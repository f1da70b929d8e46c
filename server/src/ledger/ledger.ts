// The money room. Double entry: a posting is a set of entries that sum to zero; an account holds a balance, a held
// amount and, if its owner can't owe, a floor. Money moves by `submit` (batched, the fast way), by `post` inside a
// caller's transaction, and nowhere else; `git grep -E 'ledger\.(submit|post)\('` lists every place.
// The ledger knows no user, merchant, HTTP or provider: owners are opaque, and details are the caller's.
import { randomInt } from 'node:crypto'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { type Db, limitsFor, openDb, openNumbers, openWriter, type Queries, type Tx } from '../db/db.ts'
import { type AccountBook, findOrOpen, type KnownAccount, keyOf, openAccountBook } from './accounts.ts'
import { type Answered, answeredOr, type Refused } from './answered.ts'
import { openBatches } from './batches.ts'
import { type AccountName, stripes } from './chart.ts'
import {
  answerDays,
  type Batch,
  findHolds,
  guardsOf,
  lostRace,
  namesOf,
  type Outcome,
  ordersOf,
  type Posting,
  postLocked,
} from './core.ts'
import { openFreeze } from './freeze.ts'
import {
  type MomentsRead,
  type Moved,
  type MovesRead,
  movesOf,
  seqsAt,
  type WindowsRead,
  windowsOf,
} from './history.ts'
import { onceEach } from './once.ts'
import * as sql from './sql.ts'
import {
  type AccountOwner,
  accountsOf,
  type Balance,
  balancesOf,
  type ChainLink,
  type ChainRead,
  chainOf,
  type OwnedAccount,
  type PostedBefore,
  postingOf,
  type StatementLine,
  type StatementPage,
  statementOf,
} from './statement.ts'

export { type Answered, answerOnce } from './answered.ts'
export {
  type BooksResult,
  booksReasons,
  checkAndKeep,
  checkBooks,
  hasBooks,
  type KeptCheck,
  latestCheck,
  type TrialLine,
} from './books.ts'
export type { AccountKind, AccountName, Mode } from './chart.ts'
export type { AlsoRow, Answer, Outcome, Posted, Posting } from './core.ts'
export { type HistoryWindow, type Moment, type Moved, type MovesRead, windowMost } from './history.ts'
export { type RequestKey, requestKey } from './keys.ts'
export type {
  AccountOwner,
  Balance,
  ChainLink,
  OwnedAccount,
  PostedBefore,
  StatementLine,
  StatementPage,
} from './statement.ts'

export interface Ledger {
  /** Posts with whatever else is waiting. Resolves after the commit, with this posting's own outcome. */
  submit(posting: Posting): Promise<Outcome>
  /** Posts inside the caller's transaction: it counts when that commits. Lock nothing else afterwards. */
  post(tx: Tx, postings: readonly Posting[]): Promise<Outcome[]>
  /**
   * For a request that is refused whatever the ledger says: the answer that its key got before, `idempotency_conflict`, or
   * else the problem. A posting that can't be written would break up the batch of strangers.
   */
  answeredOr(db: Db, refused: Refused): Promise<Answered>
  balances(db: Queries, names: readonly AccountName[]): Promise<Balance[]>
  /** The accounts of an owner that were opened, one a currency. */
  accountsOf(db: Queries, owner: AccountOwner): Promise<OwnedAccount[]>
  posting(db: Queries, id: bigint): Promise<PostedBefore | undefined>
  /** The newest first. */
  statement(db: Queries, page: StatementPage): Promise<StatementLine[]>
  /** Entries of one account with their hashes: what others can check its history with. */
  chain(db: Queries, read: ChainRead): Promise<ChainLink[]>
  /** Parts of the histories of an owner's accounts, in one look: a list for each window, the newest first. */
  windows(db: Queries, read: WindowsRead): Promise<StatementLine[][]>
  /** The number of the first entry at or after each moment. */
  seqsAt(db: Queries, read: MomentsRead): Promise<bigint[]>
  /** All that went through an owner's accounts in a time, in no order. Reads from the newest entry down to it. */
  moves(db: Queries, read: MovesRead): Promise<Moved[]>
  /** What allowed postings of this owner is not so any more: those on their way that name an older version are refused. */
  changeGuard(tx: Tx, owner: string): Promise<bigint>
  /** The versions; an owner whose guard was never changed is not in it, and has 0. */
  guards(db: Queries, owners: readonly string[]): Promise<Map<string, bigint>>
  /** Forgets answers that are older than a week, in small bites. Returns how many. */
  sweep(): Promise<number>
  waiting(): number
  /** How long the posting that waits for its turn longest has waited by now. */
  waitedMs(): number
  close(): Promise<void>
}

export interface LedgerOptions {
  url: string
  clock: Clock
  /** How long a posting waits for its turn, and for a connection. */
  waitSeconds?: number
  onIdleError?: (error: Error) => void
}

const waitSecondsMax = 20
const racesMax = 8
/** Two megabytes. */
const sweepPages = 256
const dayMs = 86_400_000

export function openLedger({ url, clock, waitSeconds = waitSecondsMax, onIdleError }: LedgerOptions): Ledger {
  const told = onIdleError ? { onIdleError } : {}
  const limits = limitsFor(waitSeconds)
  const opening = { url, name: 'mfuko ledger', plannedOnce: true, byIndex: true, ...limits, ...told }
  const db = openDb({ ...opening, connectionsMax: 2 })
  const writer = openWriter(opening)
  const book = openAccountBook()
  const nextIds = openNumbers(db, sql.postingIds)
  const batches = openBatches({ db, writer, book, clock, nextIds, waitMs: waitSeconds * 1_000 })
  const freeze = openFreeze(db)
  const once = onceEach(batches.submit, clock)
  return {
    submit: (posting) => {
      const refusal = freeze.refusal()
      return refusal === undefined ? once.submit(posting) : Promise.reject(refusal)
    },
    post: async (tx, postings) => {
      const refusal = freeze.refusal()
      if (refusal !== undefined) throw refusal
      const batch = await prepareJoined(tx, postings, {
        book,
        ids: await nextIds(postings.length),
        now: clock.now(),
      })
      return postJoined(tx, batch)
    },
    answeredOr: async (caller, refused) => {
      if (refused.key !== undefined) await once.settled(refused.key)
      return answeredOr(caller, { ...refused, now: clock.now() })
    },
    balances: balancesOf,
    accountsOf,
    posting: postingOf,
    changeGuard: async (tx, owner) => {
      const row = await sql.changeGuard(tx, owner)
      check(row !== undefined, 'a guard that was changed has a version')
      return row.version
    },
    guards: guardsOf,
    statement: statementOf,
    chain: chainOf,
    windows: windowsOf,
    seqsAt,
    moves: movesOf,
    sweep: () => sweep(db, new Date(clock.now().getTime() - answerDays * dayMs)),
    waiting: batches.waiting,
    waitedMs: batches.waitedMs,
    close: async () => {
      await batches.close()
      await writer.close()
      await db.close()
    },
  }
}

/**
 * A batch that went the fast way, or somebody with the same key, may come between our look and our write. Then only
 * that is undone, and tried again, with the gate closed; the caller's transaction goes on.
 */
async function postJoined(tx: Tx, batch: Batch): Promise<Outcome[]> {
  for (let races = 0; ; races++) {
    // Sent first, and waited for together.
    const [, { result, writing }] = await Promise.all([
      sql.mayUndo(tx),
      postLocked(tx, batch, { closeGate: races > 0 }),
    ])
    try {
      await writing
      await sql.keepDone(tx)
      return result
    } catch (error) {
      if (!lostRace(error) || races >= racesMax) throw error
      await sql.undo(tx)
    }
  }
}

interface Joining {
  book: AccountBook
  ids: bigint[]
  now: Date
}

/**
 * With states of its own: what a transaction that may be undone decides must not be remembered. What is remembered is
 * no longer trusted, so that the next batch reads anew instead of finding out by failing; only what was read stays so.
 */
async function prepareJoined(
  tx: Tx,
  postings: readonly Posting[],
  { book, ids, now }: Joining,
): Promise<Batch> {
  const names = namesOf(postings, randomInt(stripes))
  const own = names.length === 0 ? new Map<string, KnownAccount>() : await findOrOpen(tx, names)
  const accounts = names.map((name) => {
    const remembered = book.known(name)
    if (remembered !== undefined) remembered.fresh = false
    const account = own.get(keyOf(name))
    check(account !== undefined, 'every account of a posting has been found or opened')
    account.read = remembered?.read
    return account
  })
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const holds = await findHolds(tx, postings, (id) => byId.get(id))
  return ordersOf(postings, { accounts, ids, now, holds })
}

async function sweep(db: Db, before: Date): Promise<number> {
  const pages = (await sql.answerPages(db))?.pages ?? 0
  let swept = 0
  for (let from = 0; from < pages; from += sweepPages) {
    const rows = await sql.sweepAnswers(db, { before, from, to: from + sweepPages })
    swept += rows.length
  }
  return swept
}
