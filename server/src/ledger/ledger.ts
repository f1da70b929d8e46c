// The money room. Double entry: a posting is a set of entries that sum to zero; an account holds a balance, a held
// amount and, if its owner can't owe, a floor. Money moves by `submit` (batched, the fast way), by `post` inside a
// caller's transaction, and nowhere else; `git grep -E 'ledger\.(submit|post)\('` lists every place.
// The ledger knows no user, merchant, HTTP or provider: owners are opaque, and details are the caller's.
import { randomInt } from 'node:crypto'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { conflict, type Db, openDb, openWriter, type Queries, type Tx, violatedConstraint } from '../db/db.ts'
import { type AccountBook, findOrOpen, type KnownAccount, keyOf, openAccountBook } from './accounts.ts'
import { openBatches } from './batches.ts'
import { type AccountName, type StripedName, stripes } from './chart.ts'
import {
  answerDays,
  type Batch,
  findHolds,
  namesOf,
  type Outcome,
  ordersOf,
  type Posting,
  postLocked,
} from './core.ts'
import { onceEach } from './once.ts'
import * as sql from './sql.ts'
import { type Balance, balancesOf, type StatementLine, type StatementPage, statementOf } from './statement.ts'

export { type BooksResult, booksReasons, checkAndKeep, checkBooks, hasBooks } from './books.ts'
export type { AccountKind, AccountName, Mode } from './chart.ts'
export type { Answer, Outcome, Posted, Posting } from './core.ts'
export { type RequestKey, requestKey } from './keys.ts'
export type { Balance, StatementLine, StatementPage } from './statement.ts'

export interface Ledger {
  /** Posts with whatever else is waiting. Resolves after the commit, with this posting's own outcome. */
  submit(posting: Posting): Promise<Outcome>
  /** Posts inside the caller's transaction: it counts when that commits. Lock nothing else afterwards. */
  post(tx: Tx, postings: readonly Posting[]): Promise<Outcome[]>
  balances(db: Queries, names: readonly AccountName[]): Promise<Balance[]>
  /** The newest first. */
  statement(db: Queries, page: StatementPage): Promise<StatementLine[]>
  /** Forgets answers that are older than a week, in small bites. Returns how many. */
  sweep(): Promise<number>
  waiting(): number
  close(): Promise<void>
}

export interface LedgerOptions {
  url: string
  clock: Clock
  onIdleError?: (error: Error) => void
}

const blockSize = 1_000n
const sweepMost = 1_000
const sweepBitesMax = 1_000
const dayMs = 86_400_000

export function openLedger({ url, clock, onIdleError }: LedgerOptions): Ledger {
  const told = onIdleError ? { onIdleError } : {}
  const db = openDb({ url, connectionsMax: 2, name: 'mfuko ledger', ...told })
  const writer = openWriter({ url, name: 'mfuko ledger', ...told })
  const book = openAccountBook()
  const nextIds = takeIds(db)
  const batches = openBatches({ db, writer, book, clock, nextIds })
  return {
    submit: onceEach(batches.submit, clock),
    post: async (tx, postings) => {
      const batch = await prepareJoined(tx, postings, {
        book,
        ids: await nextIds(postings.length),
        now: clock.now(),
      })
      const { result, writing } = await postLocked(tx, batch)
      // Somebody answered the same key while we waited for it: the whole transaction can be tried again, and then sees it.
      await writing.catch((error: unknown) => {
        throw violatedConstraint(error) === 'answers_pkey' ? conflict(error) : error
      })
      return result
    },
    balances: balancesOf,
    statement: statementOf,
    sweep: () => sweep(db, new Date(clock.now().getTime() - answerDays * dayMs)),
    waiting: batches.waiting,
    close: async () => {
      await batches.close()
      await writer.close()
      await db.close()
    },
  }
}

interface Joining {
  book: AccountBook
  ids: bigint[]
  now: Date
}

/**
 * With states of its own: what a transaction that may be undone decides must not be remembered. What is remembered is
 * no longer trusted, so that the next batch reads anew instead of finding out by failing.
 */
async function prepareJoined(
  tx: Tx,
  postings: readonly Posting[],
  { book, ids, now }: Joining,
): Promise<Batch> {
  const stripe = randomInt(stripes)
  const names = new Map<string, StripedName>()
  for (const posting of postings) for (const name of namesOf(posting, stripe)) names.set(keyOf(name), name)
  const own = names.size === 0 ? new Map<string, KnownAccount>() : await findOrOpen(tx, [...names.values()])
  for (const name of names.values()) {
    const remembered = book.known(name)
    if (remembered !== undefined) remembered.fresh = false
  }
  const byId = new Map([...own.values()].map((account) => [account.id, account]))
  const holds = await findHolds(tx, postings, (id) => byId.get(id))
  const accountOf = (name: StripedName) => {
    const account = own.get(keyOf(name))
    check(account !== undefined, 'every account of a posting has been found or opened')
    return account
  }
  return ordersOf(postings, { accountOf, stripe, ids, now, holds })
}

/** Ids come in blocks of a thousand from the database; what a killed process had left of one is never used. */
function takeIds(db: Db): (count: number) => Promise<bigint[]> {
  let next = 0n
  let end = 0n
  let turn: Promise<unknown> = Promise.resolve()
  const take = async (count: number): Promise<bigint[]> => {
    const ids: bigint[] = []
    while (ids.length < count) {
      if (next === end) {
        const block = await sql.nextBlock(db)
        check(block !== undefined, 'a sequence has a next value')
        next = block.start
        end = block.start + blockSize
      }
      ids.push(next)
      next += 1n
    }
    return ids
  }
  return (count) => {
    const mine = turn.then(() => take(count))
    turn = mine.catch(() => undefined)
    return mine
  }
}

async function sweep(db: Db, before: Date): Promise<number> {
  let swept = 0
  for (let bites = 0; bites < sweepBitesMax; bites++) {
    const rows = await sql.sweepAnswers(db, { before, most: sweepMost })
    swept += rows.length
    if (rows.length < sweepMost) return swept
  }
  return swept
}
