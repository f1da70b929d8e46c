// The fast way in. A batch leaves at once when none is on its way, so an idle service makes batches of one with no added
// wait. Postings that arrive meanwhile wait for the next one: until one has landed, or until they are as many as are in the
// air. Never on a timer.
//
// A batch is decided from what the process remembers of the accounts and sent as one statement: one round trip, one
// commit, one write to a hot account however many postings touch it. The next batch is decided on the states that this
// one will leave, and sent behind it on the same connection before it is done. If somebody else wrote to one of the
// accounts meanwhile, the next number there is taken, nothing of the batch is kept, and it goes the careful way: lock,
// read, decide, write.
//
// What must stay true: each posting gets its own outcome; one that breaks something nobody foresaw fails alone; the
// queue is bounded; nobody is told `ok` before the commit; and what may have been committed is never sent again.

import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { type Db, isAway, isConflict, violatedConstraint, type Writer } from '../db/db.ts'
import { type AccountBook, type KnownAccount, keyOf, refresh } from './accounts.ts'
import { type StripedName, stripes } from './chart.ts'
import {
  type Batch,
  decideAll,
  findHolds,
  lostRace,
  namesOf,
  type Outcome,
  ordersOf,
  type Posting,
  postLocked,
} from './core.ts'
import { knowSpent } from './spent.ts'
import { readAccounts } from './sql.ts'
import { type Ground, stillSo, writeFast } from './write/sql.ts'
import { collectAlso, collectLooked, collectWrites } from './write.ts'

export interface BatchOptions {
  /** For reading, and for the careful way. */
  db: Db
  writer: Writer
  book: AccountBook
  clock: Clock
  nextIds: (count: number) => Promise<bigint[]>
  /** Who has waited for longer is turned away. */
  waitMs: number
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
  /** How long the first in the line has waited by now. */
  waitedMs(): number
}

interface Waiting {
  posting: Posting
  sinceMs: number
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

interface Flight {
  waiting: readonly Waiting[]
  accounts: Batch['accounts']
  /** A posting that is there if the flight landed. Whatever is decided on its states must not be written without it. */
  mark: bigint | undefined
  /** With those whose refusal was decided on what is no longer so. */
  landed: Promise<readonly Waiting[]>
  /** When that is known to everybody. Never fails. */
  done: Promise<void>
}

/** To be decided again, the careful way, when nothing is in the air that might be built on it. */
interface Undone {
  waiting: readonly Waiting[]
  /** Why nothing came of them; undefined when they were refused. */
  error: unknown
}

const flightsMax = 4
/** What is worth a flight of its own while others are in the air. */
const batchLeast = 16
const batchMax = 128
const waitingMax = 20_000
const racesMax = 8
const careMinMs = 20
const careMaxMs = 1_000
const turnAwayMs = 250

export function openBatches(options: BatchOptions): Batches {
  const queue: Waiting[] = []
  const company: Company = { stripe: randomInt(stripes), carefulUntil: 0, carefulMs: 0 }
  // Not a Set, which keeps alive what has passed through it: see once.ts.
  const flights: Flight[] = []
  let running: Promise<void> | undefined
  let closed = false
  let grown = Promise.withResolvers<void>()

  const run = async () => {
    const undone: Undone[] = []
    while (queue.length > 0 || flights.length > 0 || undone.length > 0) {
      if (flights.length > 0 && (undone.length > 0 || !isWorthwhile(queue.length, flights))) {
        const inAir = flights.length
        grown = Promise.withResolvers<void>()
        await Promise.race([...flights.map(({ done }) => done), grown.promise])
        // Those who just got their answer may have more to post; let them, so that the next batch is full.
        if (flights.length < inAir) await nextTurn()
        continue
      }
      const again = undone.shift()
      if (again !== undefined) {
        if (isConflict(again.error) || lostRace(again.error)) takeCare(company)
        await decideAgain({ ...options, company }, again)
        continue
      }
      const batch = queue.splice(0, batchMax)
      const flight = await depart({ ...options, company }, { waiting: batch, flights })
      if (flight === 'refused') continue
      if (flight === undefined) {
        for (const landed of [...flights]) await landed.done
        if (undone.length === 0) await runCarefully({ ...options, company }, batch)
        else queue.unshift(...batch)
        continue
      }
      follow(flight, { flights, undone, company })
    }
  }
  const start = () => {
    if (running !== undefined) return
    const turningAway = setInterval(() => turnAway(queue, options.waitMs), turnAwayMs)
    running = run().finally(() => {
      clearInterval(turningAway)
      running = undefined
      if (queue.length > 0) start()
    })
  }
  return {
    submit: (posting) => {
      if (closed || queue.length >= waitingMax)
        return Promise.reject(new AppError('unavailable', { retryAfter: 1 }))
      return new Promise((resolve, reject) => {
        queue.push({ posting, sinceMs: performance.now(), resolve, reject })
        if (isWorthwhile(queue.length, flights)) grown.resolve()
        start()
      })
    },
    close: async () => {
      closed = true
      while (running !== undefined) await running
    },
    waiting: () => queue.length,
    waitedMs: () => (queue[0] === undefined ? 0 : performance.now() - queue[0].sinceMs),
  }
}

/**
 * Is a line as long as that worth a flight now? Who has the processor for a while (many requests that came together)
 * would see a landing only afterwards, and the database would wait meanwhile; small batches would cost it more than they
 * gain. So about one half is in the air while the other half comes together.
 */
function isWorthwhile(waiting: number, flights: readonly Flight[]): boolean {
  let inAir = 0
  for (const flight of flights) inAir += flight.waiting.length
  return flights.length < flightsMax && waiting >= Math.min(batchMax, Math.max(batchLeast, inAir))
}

interface Air {
  flights: Flight[]
  undone: Undone[]
  company: Company
}

function follow(flight: Flight, { flights, undone, company }: Air): void {
  flights.push(flight)
  flight.done = flight.landed.then(
    (refused) => {
      flights.splice(flights.indexOf(flight), 1)
      company.carefulMs = 0
      if (refused.length > 0) undone.push({ waiting: refused, error: undefined })
    },
    (error: unknown) => {
      // At once: nothing more may be decided on states that never were.
      distrust(flight.accounts)
      flights.splice(flights.indexOf(flight), 1)
      undone.push({ waiting: flight.waiting, error })
    },
  )
}

/** They were not sent yet, so nothing is in doubt. A database that hangs would else keep them for as long as it likes. */
function turnAway(queue: Waiting[], waitMs: number): void {
  const before = performance.now() - waitMs
  const stays = queue.findIndex(({ sinceMs }) => sinceMs >= before)
  for (const one of queue.splice(0, stays === -1 ? queue.length : stays))
    one.reject(new AppError('unavailable', { retryAfter: 1 }))
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
  for (const account of accounts) account.fresh = false
}

/** Decides and sends a batch without waiting for it. Undefined: it must go the careful way. */
async function depart(
  options: Sending,
  { waiting, flights }: { waiting: readonly Waiting[]; flights: readonly Flight[] },
): Promise<Flight | 'refused' | undefined> {
  const begunMs = performance.now()
  if (performance.now() < options.company.carefulUntil) return undefined
  // A hold is only known in the database.
  if (waiting.some(({ posting }) => posting.settle !== undefined)) return undefined
  try {
    const batch = await prepare(options, waiting)
    const stale = staleOf(batch)
    if (stale.length > 0)
      refresh(
        stale,
        await readAccounts(
          options.db,
          stale.map(({ id }) => id),
        ),
      )
    // Some of what left an account lately may still be on its way: then only the careful way can tell.
    if (!(await knowSpent(options.db, batch))) return undefined
    // While we read, a flight may have failed.
    if (staleOf(batch).length > 0) return undefined
    return send(options, { waiting, batch, after: flights.at(-1)?.mark })
  } catch (error) {
    // Whatever it was, the careful way finds out for whom; unless it would only wait for the database once more.
    if (!isUnknown(error) || performance.now() - begunMs < options.waitMs / 2) return undefined
    for (const one of waiting) one.reject(error)
    return 'refused'
  }
}

function staleOf({ accounts }: Batch): KnownAccount[] {
  const stale: KnownAccount[] = []
  for (const account of accounts) if (!account.fresh) stale.push(account)
  return stale
}

async function prepare(
  { db, book, company, clock, nextIds }: Sending,
  waiting: readonly Waiting[],
): Promise<Batch> {
  const postings = waiting.map(({ posting }) => posting)
  const names = namesOf(postings, company.stripe)
  const accounts = await accountsOf({ db, book }, names)
  const byId = (id: bigint) => accounts.find((account) => account.id === id)
  const holds = await findHolds(db, postings, byId)
  const ids = await nextIds(postings.length)
  return ordersOf(postings, { accounts, ids, now: clock.now(), holds })
}

/** One for each name, in their order. */
async function accountsOf(
  { db, book }: { db: Db; book: AccountBook },
  names: readonly StripedName[],
): Promise<KnownAccount[]> {
  const known = names.map(book.known)
  const missing = names.filter((_, index) => known[index] === undefined)
  if (missing.length === 0) return known as KnownAccount[]
  const learned = await book.learn(db, missing)
  return known.map((account, index) => {
    const found = account ?? learned.get(keyOf(names[index] as StripedName))
    check(found !== undefined, 'every account of a posting has been found or opened')
    return found
  })
}

interface Departure {
  waiting: readonly Waiting[]
  batch: Batch
  /** The mark of the flight that it builds on. */
  after: bigint | undefined
}

function send(options: Sending, { waiting, batch, after }: Departure): Flight {
  const guards = guardsOn(batch.postings)
  let decided: ReturnType<typeof decideAll>
  let written: Promise<void> | undefined
  try {
    // Equal keys never meet in a batch (see once.ts), and one that was answered long ago breaks a unique index.
    decided = decideAll(batch, undefined)
    if (decided.accepted.length > 0)
      written = writeFast(options.writer, collectWrites(decided.accepted), {
        ground: { after, guards },
        also: collectAlso(decided.accepted),
      })
  } catch (error) {
    // Nothing was sent.
    distrust(batch.accounts)
    throw error
  }
  const { outcomes, accepted, refused } = decided
  const mark = accepted[0]?.order.id ?? after
  const asked =
    refused.length === 0
      ? undefined
      : stillSo(options.writer, collectLooked(refused), { after: mark, guards })
  // When nobody can tell, it is in doubt as well; what was written beside it must not be tried again for that.
  const so = asked?.then(
    (answer) => answer?.so === true,
    () => false,
  )
  const land = async () => {
    await written
    const doubtful = (await so) === false
    if (doubtful) distrust(batch.accounts)
    const again: Waiting[] = []
    for (const [index, one] of waiting.entries()) {
      const outcome = outcomes[index] as Outcome
      if (outcome.ok || !doubtful) one.resolve(outcome)
      else again.push(one)
    }
    return again
  }
  return { waiting, accounts: batch.accounts, mark, landed: land(), done: Promise.resolve() }
}

function guardsOn(postings: readonly Posting[]): Ground['guards'] {
  const guards: Ground['guards'] = { owners: [], versions: [] }
  for (const { guard } of postings) {
    if (guard === undefined) continue
    guards.owners.push(guard.owner)
    guards.versions.push(guard.version)
  }
  return guards
}

/** Nothing of them was kept, unless nobody can know: then they must not be tried again. */
async function decideAgain(options: Sending, { waiting, error }: Undone) {
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
    const [only] = waiting
    if (waiting.length === 1 && violatedConstraint(error) === 'posting_also') {
      only?.resolve({ ok: false, refusal: 'state_changed' })
      return
    }
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
      return await options.db.inTwoTrips((tx) => postLocked(tx, batch, { closeGate: races > 0 }))
    } catch (error) {
      distrust(batch.accounts)
      // Another process wrote to an account, or answered the same key, in this very moment. Now it can be read.
      if (!lostRace(error) || races >= racesMax) throw error
    }
  }
}
