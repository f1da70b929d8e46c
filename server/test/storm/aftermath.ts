// What time brings, with nobody doing anything: silent providers are asked, payments expire, days are compared with the
// providers' records, and what belongs to nobody goes back. The service lives through it with a clock that is ahead.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/db/db.ts'
import type { Stage } from './stage.ts'
import { fair } from './weather.ts'

export interface Later {
  stage: Stage
  db: Db
  /** UTC days that the storm touched. */
  days: string[]
  steps: readonly Step[]
  say(line: string): void
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export interface Step {
  aheadMs: number
  /** From here on the networks behave. */
  clears?: true
  /** What the worker would do at its hour: before anything else comes in, and when all is quiet. */
  first?: Job[]
  last?: Job[]
}

type Job = 'expire_payments' | 'match_providers' | 'return_unmatched'

const daily: Job[] = ['match_providers', 'return_unmatched']

/** Which the worker does every minute: what somebody is at in that moment is left for the next one. */
const everyMinute: Pick<Step, 'first' | 'last'> = { first: ['expire_payments'], last: ['expire_payments'] }

/** Three days. Unmatched money goes back after one, and when that fails it is tried again on the next two. */
export const threeDays: readonly Step[] = [
  { aheadMs: 3 * minuteMs, first: ['expire_payments'] },
  { aheadMs: 15 * minuteMs, ...everyMinute },
  { aheadMs: 3 * hourMs, last: ['match_providers'] },
  { aheadMs: 27 * hourMs, clears: true, last: daily },
  { aheadMs: 55 * hourMs, last: daily },
  { aheadMs: 83 * hourMs, last: daily },
]

/** Only what must be. */
export const oneDay: readonly Step[] = [
  { aheadMs: 15 * minuteMs, ...everyMinute },
  { aheadMs: 27 * hourMs, clears: true, last: daily },
  { aheadMs: 27 * hourMs + 20 * minuteMs },
]

/** `meanwhile`: what people do when the first minutes have passed. */
export async function wait(later: Later, meanwhile: () => Promise<void>): Promise<void> {
  const { stage, say } = later
  for (const [at, step] of later.steps.entries()) {
    const open = await openOnes(later)
    await pass(later, step, at === 0 ? meanwhile : undefined)
    say(`${shown(stage.aheadMs())} later: ${open} were open, ${await openOnes(later)} are`)
  }
}

async function pass(later: Later, step: Step, meanwhile?: () => Promise<void>): Promise<void> {
  const { stage } = later
  const { aheadMs, clears = false, first = [], last = [] } = step
  // First of all: who is asked in the moment of the jump is asked in fair weather.
  if (clears) stage.simulator.knobs(fair)
  stage.advance(aheadMs)
  for (const job of first) await run(later, job)
  await quiet(later)
  if (meanwhile !== undefined) {
    await meanwhile()
    await quiet(later)
  }
  for (const job of last) {
    await run(later, job)
    await quiet(later)
  }
}

/** The time of all payments is over, in the middle of everything. */
export async function expire(later: Pick<Later, 'stage' | 'db' | 'say'>): Promise<void> {
  later.say('the clocks go ahead by 3 minutes')
  later.stage.advance(3 * minuteMs)
  await run({ ...later, days: [], steps: [] }, 'expire_payments')
}

const shown = (ms: number): string => (ms < hourMs ? `${ms / minuteMs} min` : `${Math.floor(ms / hourMs)} h`)

async function openOnes({ db }: Pick<Later, 'db'>): Promise<number> {
  const row = await db.row<{ open: bigint }>(
    `select count(*) as open from operations.operations where ended_at is null`,
  )
  return Number(row?.open ?? 0)
}

const quietMs = 120_000
const pollMs = 100

/** Nothing is due, nothing is on its way. */
async function quiet({ stage, db }: Pick<Later, 'stage' | 'db'>): Promise<void> {
  const until = performance.now() + quietMs
  for (let calm = 0; calm < 3; await sleep(pollMs)) {
    if (performance.now() > until)
      throw new Error(`it never becomes quiet: ${await whatIsDue({ stage, db })}`)
    await stage.simulator.settled(2_000)
    calm = (await whatIsDue({ stage, db })) === undefined ? calm + 1 : 0
  }
}

/** What will be due in a second, by the clock of the service; undefined: nothing. */
async function whatIsDue({ stage, db }: Pick<Later, 'stage' | 'db'>): Promise<string | undefined> {
  // Whoever has taken something has put its time ahead by a minute, and takes seconds.
  const soon = new Date(Date.now() + stage.aheadMs() + 1_000)
  const due = await db.row<{ what: string }>(
    `select 'operation ' || id || ' ' || state as what from operations.operations
     where due_at <= $1 or decided is not null and ended_at is null
     union all
     select 'delivery ' || id from operations.deliveries where due_at <= $1
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
