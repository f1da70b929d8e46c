// The fast way in. Postings that arrive while batches are on their way wait for the next one; a batch leaves as soon as
// there is room, never on a timer, so an idle service makes batches of one with no added wait.
//
// A batch is decided from what the process remembers of the accounts and sent as one statement: one round trip, one
// commit, one write to a hot account however many postings touch it. The next batch is decided on the states that this
// one will leave, and sent behind it on the same connection before it is done. The statement checks the version of
// every account; if somebody else was faster, nothing of the batch is kept, and it goes the careful way: lock, read,
// decide, write.
//
// What must stay true: each posting gets its own outcome; one that breaks something nobody foresaw fails alone; the
// queue is bounded; nobody is told `ok` before the commit; and what may have been committed is never sent again.

import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { type Db, isAway, isConflict, violatedConstraint, type Writer } from '../db/db.ts'
import { type AccountBook, type KnownAccount, refresh } from './accounts.ts'
import { type StripedName, stripes } from './chart.ts'
import {
  type Batch,
  decideAll,
  findHolds,
  namesOf,
  type Outcome,
  ordersOf,
  type Posting,
  postLocked,
} from './core.ts'
import { readAccounts, writeBatchParameters, writeBatchText } from './sql.ts'
import { collectWrites } from './write.ts'

export interface BatchOptions {
  /** For reading, and for the careful way. */
  db: Db
  writer: Writer
  book: AccountBook
  clock: Clock
  nextIds: (count: number) => Promise<bigint[]>
}

/** How this process gets on with others that write to the same accounts. */
interface Company {
  /** Which of the many rows of each system account it uses. */
  stripe: number
  /** Until then batches go the careful way from the start: guesses were wrong lately. */
  carefulUntil: number
  carefulMs: number
}

export interface Batches {
  submit(posting: Posting): Promise<Outcome>
  /** Waits until everything that was submitted has its outcome. Nothing new is taken. */
  close(): Promise<void>
  waiting(): number
}

interface Waiting {
  posting: Posting
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

interface Flight {
  waiting: readonly Waiting[]
  accounts: Batch['accounts']
  done: Promise<void>
}

const flightsMax = 2
const batchMax = 128
const waitingMax = 20_000
const keyRacesMax = 5
const careMinMs = 20
const careMaxMs = 1_000

export function openBatches(options: BatchOptions): Batches {
  const queue: Waiting[] = []
  const company: Company = { stripe: randomInt(stripes), carefulUntil: 0, carefulMs: 0 }
  let running: Promise<void> | undefined
  let closed = false

  const run = async () => {
    const flights = new Set<Flight>()
    const failed: { flight: Flight; error: unknown }[] = []
    while (queue.length > 0 || flights.size > 0 || failed.length > 0) {
      const mustWait = flights.size >= flightsMax || queue.length === 0 || failed.length > 0
      if (mustWait && flights.size > 0) {
        await Promise.race([...flights].map(({ done }) => done))
        // Those who just got their answer may have more to post; let them, so that the next batch is full.
        await nextTurn()
        continue
      }
      const failure = failed.shift()
      if (failure !== undefined) {
        distrust(failure.flight.accounts)
        if (isConflict(failure.error)) takeCare(company)
        await afterFailure({ ...options, company }, { waiting: failure.flight.waiting, error: failure.error })
        continue
      }
      const batch = queue.splice(0, batchMax)
      const flight = await depart({ ...options, company }, batch)
      if (flight === undefined) {
        for (const landed of flights) await landed.done
        if (failed.length === 0) await runCarefully({ ...options, company }, batch)
        else queue.unshift(...batch)
        continue
      }
      flights.add(flight)
      flight.done = flight.done.then(
        () => {
          flights.delete(flight)
          company.carefulMs = 0
        },
        (error: unknown) => {
          flights.delete(flight)
          failed.push({ flight, error })
        },
      )
    }
  }
  const start = () => {
    running ??= run().finally(() => {
      running = undefined
      if (queue.length > 0) start()
    })
  }
  return {
    submit: (posting) => {
      if (closed || queue.length >= waitingMax)
        return Promise.reject(new AppError('unavailable', { retryAfter: 1 }))
      return new Promise((resolve, reject) => {
        queue.push({ posting, resolve, reject })
        start()
      })
    },
    close: async () => {
      closed = true
      while (running !== undefined) await running
    },
    waiting: () => queue.length,
  }
}

interface Sending extends BatchOptions {
  company: Company
}

/** Others write to the same rows. Another stripe may be free; and guessing on would fail again and again. */
function takeCare(company: Company): void {
  company.stripe = randomInt(stripes)
  company.carefulMs = Math.min(careMaxMs, Math.max(careMinMs, 2 * company.carefulMs))
  company.carefulUntil = performance.now() + company.carefulMs
}

/** Nothing of what is remembered of them is trusted any more. */
const distrust = (accounts: Batch['accounts']) => {
  for (const account of accounts.values()) account.fresh = false
}

/** Decides and sends a batch without waiting for it. Undefined: it must go the careful way. */
async function depart(options: Sending, waiting: readonly Waiting[]): Promise<Flight | undefined> {
  if (performance.now() < options.company.carefulUntil) return undefined
  // A hold is only known in the database.
  if (waiting.some(({ posting }) => posting.settle !== undefined)) return undefined
  try {
    const batch = await prepare(options, waiting)
    const stale = new Map([...batch.accounts].filter(([, account]) => !account.fresh))
    if (stale.size > 0) refresh(stale, await readAccounts(options.db, [...stale.keys()]))
    return send(options, { waiting, batch })
  } catch {
    // Whatever it was, the careful way finds out for whom.
    return undefined
  }
}

async function prepare(
  { db, book, company, clock, nextIds }: Sending,
  waiting: readonly Waiting[],
): Promise<Batch> {
  const postings = waiting.map(({ posting }) => posting)
  const { stripe } = company
  const missing: StripedName[] = []
  const byId = new Map<bigint, KnownAccount>()
  const look = (name: StripedName) => {
    const account = book.known(name)
    if (account === undefined) missing.push(name)
    else byId.set(account.id, account)
  }
  const accountOf = (name: StripedName): KnownAccount => {
    const account = book.known(name)
    check(account !== undefined, 'every account of a posting has been found or opened')
    return account
  }
  for (const posting of postings) for (const name of namesOf(posting, stripe)) look(name)
  if (missing.length > 0) {
    await book.learn(db, missing)
    for (const name of missing) byId.set(accountOf(name).id, accountOf(name))
  }
  const holds = await findHolds(db, postings, (id) => byId.get(id))
  const ids = await nextIds(postings.length)
  return ordersOf(postings, { accountOf, stripe, ids, now: clock.now(), holds })
}

function send(
  { writer }: Sending,
  { waiting, batch }: { waiting: readonly Waiting[]; batch: Batch },
): Flight {
  let decided: ReturnType<typeof decideAll>
  try {
    // Equal keys never meet in a batch (see once.ts), and one that was answered long ago breaks a unique index.
    decided = decideAll(batch, undefined)
  } catch (error) {
    distrust(batch.accounts)
    throw error
  }
  const { outcomes, accepted, refused } = decided
  const written = writer.write(writeBatchText, writeBatchParameters(collectWrites(accepted, refused)))
  const done = written.then(() => {
    for (const [index, one] of waiting.entries()) one.resolve(outcomes[index] as Outcome)
  })
  return { waiting, accounts: batch.accounts, done }
}

/** Nothing of the batch was kept, unless nobody can know: then it must not be tried again. */
async function afterFailure(
  options: Sending,
  { waiting, error }: { waiting: readonly Waiting[]; error: unknown },
) {
  if (isUnknown(error)) for (const one of waiting) one.reject(error)
  else await runCarefully(options, waiting)
}

const isUnknown = (error: unknown) =>
  isAway(error) || (error instanceof AppError && error.code === 'unavailable')

async function runCarefully(options: Sending, waiting: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await postCarefully(options, waiting)
    for (const [index, one] of waiting.entries()) one.resolve(outcomes[index] as Outcome)
  } catch (error) {
    if (isUnknown(error) || waiting.length === 1) {
      for (const one of waiting) one.reject(error)
      return
    }
    // Halves, until the one that can't be posted stands alone.
    const middle = Math.ceil(waiting.length / 2)
    await runCarefully(options, waiting.slice(0, middle))
    await runCarefully(options, waiting.slice(middle))
  }
}

async function postCarefully(options: Sending, waiting: readonly Waiting[]): Promise<Outcome[]> {
  for (let races = 0; ; races++) {
    const batch = await prepare(options, waiting)
    try {
      return await options.db.inTwoTrips((tx) => postLocked(tx, batch))
    } catch (error) {
      distrust(batch.accounts)
      // Another process answered the same key in this very moment. Now it can be read.
      if (violatedConstraint(error) !== 'answers_pkey' || races >= keyRacesMax) throw error
    }
  }
}
