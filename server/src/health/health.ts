// Can this process do its work? `/health` only says that it is alive; `/api/health` says that it is ready: the
// database answers, takes writes, has our schema, keeps what it was told to keep, and its books are right. The reasons
// are for the private port; the public answer is one word.
import { statfs } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../db/db.ts'
import * as sql from './sql.ts'

export interface Readiness {
  ready: boolean
  /** Sentences, each a reason why it is not ready. */
  reasons: string[]
}

export interface HealthOptions {
  db: Db
  clock: Clock
  version: string
  production: boolean
  /** Does the schema of the database suit this release? */
  schemaFits: () => Promise<boolean>
  /** Sentences on what the latest check of the books found wrong. */
  booksReasons: () => Promise<string[]>
  /** Sentences on what this process has not heard of in time: who logged out elsewhere, say. */
  feedReasons: () => string[]
  /** Where the embedded database keeps its files; absent when the database is elsewhere. */
  dataDir: string | undefined
}

export interface Health {
  readonly version: string
  now(): Date
  readiness(): Promise<Readiness>
  /** Not ready any more, for good: the process is stopping. */
  stopping(): void
}

/**
 * Slow is not unready. A database under load answers late to all processes; one that is taken out for that leaves its
 * share to the others, which makes them slower still, until none is left. Beyond this, requests fail here as well.
 */
const answerTimeoutMs = 1_500
/** Together with the time above less than two seconds: by then everybody hears that the database is away. */
const keptMs = 300
const diskFreeMin = 0.05

export function openHealth(options: HealthOptions): Health {
  let stopping = false
  let kept: { until: number; answer: Promise<Readiness> } | undefined
  return {
    version: options.version,
    now: () => options.clock.now(),
    stopping: () => {
      stopping = true
    },
    readiness: () => {
      if (stopping) return Promise.resolve({ ready: false, reasons: ['The process is stopping.'] })
      // Asked often and by many: a few looks a second are enough.
      const now = performance.now()
      if (kept === undefined || now >= kept.until) kept = { until: now + keptMs, answer: look(options) }
      return kept.answer
    },
  }
}

async function look(options: HealthOptions): Promise<Readiness> {
  const found = await Promise.all([withinTime(databaseReasons(options)), diskReasons(options.dataDir)])
  const reasons = [...found.flat(), ...options.feedReasons()]
  return { ready: reasons.length === 0, reasons }
}

async function databaseReasons(options: HealthOptions): Promise<string[]> {
  const { db, production, schemaFits, booksReasons } = options
  // Asked at the same time: three slow answers in a row would look like none.
  const [state, fits, books] = await Promise.all([
    sql.databaseState(db),
    schemaFits(),
    // In another release's schema the question itself may be wrong.
    booksReasons().catch((error: unknown) => ({ error })),
  ])
  const reasons: string[] = []
  if (state === undefined || state.standby) reasons.push('The database takes no writes: it is a standby.')
  if (!fits) reasons.push('The schema of the database does not fit this release. Run the migrations.')
  else if ('error' in books) throw books.error
  else reasons.push(...books)
  if (production && state !== undefined) {
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'] as const) {
      if (state[name] === 'off')
        reasons.push(`The database could lose money in a crash: ${name} is off. Turn it on.`)
    }
    if (state.superuser) reasons.push('The database user is a superuser. Use one with fewer rights.')
  }
  return reasons
}

async function withinTime(reasons: Promise<string[]>): Promise<string[]> {
  const { promise: late, resolve } = Promise.withResolvers<string[]>()
  const timer = setTimeout(
    () => resolve([`The database did not answer within ${answerTimeoutMs} ms.`]),
    answerTimeoutMs,
  )
  try {
    return await Promise.race([reasons.catch(() => ['The database is away.']), late])
  } finally {
    clearTimeout(timer)
  }
}

async function diskReasons(dataDir: string | undefined): Promise<string[]> {
  if (dataDir === undefined) return []
  try {
    const { bavail, blocks } = await statfs(dataDir)
    return bavail / blocks < diskFreeMin
      ? ['Less than 5 % of the disk of the database is free. Make room.']
      : []
  } catch {
    return ['The folder of the database is gone.']
  }
}
