// What time brings, with nobody doing anything: silent providers are asked, payments expire, days are compared with the
// providers' records, and what belongs to nobody goes back. The service lives through it with a clock that is ahead.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/db/db.ts'
import type { Stage } from './stage.ts'

export interface Later {
  stage: Stage
  db: Db
  /** UTC days that the storm touched. */
  days: string[]
  say(line: string): void
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface Step {
  aheadMs: number
  jobs: ('expire_payments' | 'match_providers' | 'return_unmatched')[]
}

/** Three days. Unmatched money goes back after one, and when that fails it is tried again on the next two. */
const steps: readonly Step[] = [
  { aheadMs: 3 * minuteMs, jobs: ['expire_payments'] },
  { aheadMs: 15 * minuteMs, jobs: ['expire_payments'] },
  { aheadMs: 3 * hourMs, jobs: ['match_providers'] },
  { aheadMs: 27 * hourMs, jobs: ['match_providers', 'return_unmatched'] },
  { aheadMs: 55 * hourMs, jobs: ['match_providers', 'return_unmatched'] },
  { aheadMs: 83 * hourMs, jobs: ['match_providers', 'return_unmatched'] },
]

export async function wait(later: Later): Promise<void> {
  const { stage, say } = later
  for (const { aheadMs, jobs } of steps) {
    const open = await openOnes(later)
    await stage.stop()
    await stage.start(aheadMs)
    await quiet(later)
    for (const job of jobs) {
      await run(later, job)
      await quiet(later)
    }
    say(`${shown(aheadMs)} later: ${open} were open, ${await openOnes(later)} are`)
  }
}

const shown = (ms: number): string => (ms < hourMs ? `${ms / minuteMs} min` : `${ms / hourMs} h`)

async function openOnes({ db }: Pick<Later, 'db'>): Promise<number> {
  const row = await db.row<{ open: bigint }>(
    `select count(*) as open from operations.operations where ended_at is null`,
  )
  return Number(row?.open ?? 0)
}

const quietMs = 120_000
const pollMs = 100

/** Nothing is due, nothing is on its way. */
export async function quiet({ stage, db }: Pick<Later, 'stage' | 'db'>): Promise<void> {
  const until = performance.now() + quietMs
  for (let calm = 0; calm < 3; await sleep(pollMs)) {
    if (performance.now() > until) throw new Error(`it never becomes quiet: ${await whatIsDue({ stage, db })}`)
    await stage.simulator.settled(2_000)
    calm = (await whatIsDue({ stage, db })) === undefined ? calm + 1 : 0
  }
}

/** What will be due in a second, by the clock of the service; undefined: nothing. */
async function whatIsDue({ stage, db }: Pick<Later, 'stage' | 'db'>): Promise<string | undefined> {
  // Whoever has taken something has put its time ahead by a minute, and takes seconds.
  const soon = new Date(Date.now() + stage.aheadMs() + 1_000)
  const due = await db.row<{ what: string }>(
    `select 'operation ' || id || ' ' || state as what from operations.operations where due_at <= $1
     union all
     select 'delivery ' || id from operations.deliveries where due_at is not null
     limit 1`,
    [soon],
  )
  return due?.what
}

/** As the worker would by itself, at its hour. */
async function run({ db, days, say }: Later, job: string): Promise<void> {
  const payloads = job === 'match_providers' ? days.map((day) => ({ day })) : [{}]
  for (const payload of payloads) {
    const added = await db.row<{ id: bigint }>(
      `select (graphile_worker.add_job($1, payload := $2::json)).id as id`,
      [job, JSON.stringify(payload)],
    )
    for (const until = performance.now() + quietMs; ; await sleep(pollMs)) {
      const left = await db.row<{ error: string | null }>(
        `select last_error as error from graphile_worker.jobs where id = $1`,
        [added?.id],
      )
      if (left === undefined) break
      if (left.error !== null || performance.now() > until) {
        say(`${job} failed: ${left.error ?? 'too slow'}`)
        throw new Error(`${job} failed: ${left.error ?? 'too slow'}`)
      }
    }
  }
}
