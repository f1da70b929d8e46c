// Postings as plain values, which can be sent to another process, and what became of them in one word. All of it goes
// through the ledger's door.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../src/base/errors.ts'
import type { Db } from '../src/db/db.ts'
import type { AccountName, Ledger, Posted, Posting, RequestKey } from '../src/ledger/ledger.ts'

export interface Order {
  posting: Omit<Posting, 'once'>
  key?: RequestKey
  /** In a transaction of its own instead of a batch. */
  joined?: boolean
  /** Stops the whole process for so long, between the decision and the writing. */
  stallMs?: number
}

/** `ok`, `replayed`, the refusal, or `error: …` when it was rejected. */
export interface Told {
  word: string
  body?: string
  posted?: Posted
  /** What was behind an error, for whoever looks for it. */
  cause?: string
}

export interface Desk {
  ledger: Ledger
  /** For transactions of its own; it has `joinedMax` connections. */
  db: Db
}

export const joinedMax = 8

/** All at once, or by so many workers, each of whom waits for one before the next. */
export async function runOrders(
  desk: Desk,
  orders: readonly Order[],
  { workers = orders.length } = {},
): Promise<Told[]> {
  const told: Told[] = []
  const waiting = orders.entries()
  const connections = openGate(joinedMax)
  const work = async () => {
    for (const [index, order] of waiting) {
      // Who joins waits for a free connection here, where it may take as long as it takes.
      const run = () => runOrder(desk, order)
      told[index] = order.joined ? await connections(run) : await run()
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return told
}

/** Lets so many in at a time. */
function openGate(places: number) {
  const queue: (() => void)[] = []
  let free = places
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** The same, asking again those who are told `unavailable`, until there are none: a database may take a while. */
export async function runUntilTold(desk: Desk, orders: readonly Order[]): Promise<Told[]> {
  const told: Told[] = []
  let waiting = [...orders.keys()]
  for (let tries = 0; tries < 50 && waiting.length > 0; tries++) {
    if (tries > 0) await sleep(100)
    const answers = await runOrders(
      desk,
      waiting.map((index) => orders[index] as Order),
    )
    for (const [at, answer] of answers.entries()) told[waiting[at] ?? 0] = answer
    waiting = waiting.filter((index) => told[index]?.word === 'error: unavailable')
  }
  return told
}

async function runOrder({ ledger, db }: Desk, order: Order): Promise<Told> {
  const posting = postingOf(order)
  try {
    const outcome = order.joined
      ? (await db.inTransaction((tx) => ledger.post(tx, [posting])))[0]
      : await ledger.submit(posting)
    if (outcome === undefined) return { word: 'error: no outcome' }
    if (!outcome.ok) return { word: outcome.refusal }
    const body = outcome.answer === undefined ? {} : { body: outcome.answer.body }
    return outcome.replayed ? { word: 'replayed', ...body } : { word: 'ok', posted: outcome.posted, ...body }
  } catch (error) {
    if (!(error instanceof AppError)) return { word: `error: ${error}` }
    return { word: `error: ${error.code}`, cause: String(error.cause) }
  }
}

function postingOf({ posting, key, stallMs }: Order): Posting {
  if (key === undefined) return posting
  return {
    ...posting,
    once: {
      key,
      // Never the same twice: equal answers are one answer.
      answer: ({ id, entries }) => {
        if (stallMs !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
        const after = entries.map(({ balanceAfter }) => balanceAfter.toString())
        return { status: 201, body: JSON.stringify({ id: id.toString(), after, made: randomUUID() }) }
      },
    },
  }
}

/** How often each word was told. */
export function tally(told: readonly Told[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { word } of told) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** What was behind the errors, each once: for the message of an assertion. */
export const causes = (told: readonly Told[]): string =>
  [...new Set(told.flatMap(({ word, cause }) => (cause === undefined ? [] : `${word}: ${cause}`)))].join('; ')

const scope = { mode: 'live', currency: 'UGX' } as const

export const userName = (owner: string): AccountName => ({ ...scope, kind: 'user', owner })

export const send = (from: string, to: string, amount: bigint): Order['posting'] => ({
  ...scope,
  kind: 'transfer',
  details: { from, to },
  entries: [
    { kind: 'user', owner: from, amount: -amount },
    { kind: 'user', owner: to, amount },
  ],
})

export const fund = (owner: string, amount: bigint): Order['posting'] => ({
  ...scope,
  kind: 'deposit',
  details: { to: owner },
  entries: [
    { kind: 'clearing', owner: 'mpesa', amount: -amount },
    { kind: 'user', owner, amount },
  ],
})

export const holdOf = (owner: string, amount: bigint): Order['posting'] => ({
  ...scope,
  kind: 'reserve',
  details: {},
  entries: [],
  hold: { kind: 'user', owner, amount },
})

export const seed = Number(process.env.SEED ?? 1)

/** Chance that can be repeated: the same seed and salt give the same numbers (mulberry32). */
export function seededChance(salt: number) {
  let state = (seed + Math.imul(salt, 0x9e3779b9)) | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const shuffled = <T>(items: readonly T[]): T[] => {
    const mixed = [...items]
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = below(last + 1)
      ;[mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T]
    }
    return mixed
  }
  return { next, below, shuffled }
}
