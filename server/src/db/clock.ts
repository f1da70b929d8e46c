// One time for all processes: that of the database which they share. The clock of a machine may be wrong, and may be put
// right while the service runs; what is planned or judged by it would be hours too early or too late. So a process looks
// at the clock of the database once a second, and between two looks time passes by its steady clock, which nobody can set.
import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../base/check.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Queries } from './db.ts'

export interface DatabaseClock extends Clock {
  /** Sets it by the clock of the database. */
  set(db: Queries): Promise<void>
  /** The same once a second. A database that is away is no trouble: time goes on. */
  follow(db: Queries, log: Log): { stop(): Promise<void> }
}

const lookMs = 1_000
/** From then on somebody should look after the machine. */
const wrongMs = 5_000

export function openDatabaseClock(): DatabaseClock {
  let seen = { atMs: systemClock.now().getTime(), sinceMs: performance.now() }
  const timeAt = (steadyMs: number): number => seen.atMs + steadyMs - seen.sinceMs
  const now = () => new Date(timeAt(performance.now()))
  const set = async (db: Queries) => {
    const askedMs = performance.now()
    const row = await db.row<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    )
    const heardMs = performance.now()
    check(row !== undefined, 'the database knows what time it is')
    const there = { atMs: row.ms, sinceMs: (askedMs + heardMs) / 2 }
    // It was that time at some moment in between. What fits is kept, so that time makes no small steps back and forth.
    const unsureMs = (heardMs - askedMs) / 2 + 1
    if (Math.abs(there.atMs - timeAt(there.sinceMs)) > unsureMs) seen = there
  }
  const follow: DatabaseClock['follow'] = (db, log) => {
    const over = new AbortController()
    const { signal } = over
    const tell = openTelling(log)
    const looking = async () => {
      while (!signal.aborted) {
        tell(systemClock.now().getTime() - clock.now().getTime())
        await sleep(lookMs, undefined, { signal }).catch(() => undefined)
        if (!signal.aborted) await set(db).catch(() => undefined)
      }
    }
    const followed = looking()
    return {
      stop: async () => {
        over.abort()
        await followed
      },
    }
  }
  const clock = { now, set, follow }
  return clock
}

/** Of this process. */
export const databaseClock = openDatabaseClock()

/** Once each time that the clock of the machine becomes wrong or right. */
function openTelling(log: Log): (aheadMs: number) => void {
  let wrong = false
  return (aheadMs) => {
    const seconds = Math.round(aheadMs / 1_000)
    if (Math.abs(aheadMs) >= wrongMs && !wrong)
      log.warn(
        { seconds },
        'the clock of this machine is not that of the database, which counts: set one of them',
      )
    if (Math.abs(aheadMs) < wrongMs && wrong)
      log.warn({ seconds }, 'the clock of this machine is right again')
    wrong = Math.abs(aheadMs) >= wrongMs
  }
}
