// A storm over the whole service: networks that lose, double and delay what they tell, that lie and go away; a process
// that is killed in the middle of everything. Afterwards time passes, and then a judge who knows nothing of the server's
// code holds every operation, every account and every promise against the networks' own books.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Delays } from '../../../simulator/src/delays.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import { ledgerFaults } from '../ledger-checker.ts'
import { expire, type Step, wait } from './aftermath.ts'
import { openCalls } from './calls.ts'
import { gather } from './cast.ts'
import { type Judged, judge } from './checker.ts'
import { planOf } from './plan.ts'
import { figures } from './report.ts'
import { emptyJournal, holdPhones, type Owed, play, refund, type World } from './scenes.ts'
import { openStage } from './stage.ts'
import { blow, type Forecast } from './weather.ts'

export interface StormOptions {
  databaseUrl: string
  seed: number
  /** About so many orders to providers. */
  operations: number
  people: number
  /** Of payments. A shop in live mode has to be approved first. */
  mode: 'both' | 'test'
  /** How long people have wishes, in milliseconds. */
  ms: number
  patienceMs: number
  comesBack: World['comesBack']
  delays: Partial<Delays>
  forecast: Forecast
  /** When the clocks go ahead so far that all payments expire, for a storm that is shorter than a payment lives. */
  expiresAt?: number
  /** What time brings afterwards. */
  steps: readonly Step[]
  say(line: string): void
}

export interface Passed {
  faults: string[]
  /** In words, for people. */
  figures: string[]
}

export async function storm(options: StormOptions): Promise<Passed> {
  const { databaseUrl, seed, delays, say } = options
  const stage = await openStage({ databaseUrl, seed, delays })
  const db = openDb({ url: databaseUrl, connectionsMax: 2, name: 'storm' })
  const letGo = holdPhones(stage.simulator.phones, seed)
  const calls = openCalls(stage.url)
  try {
    await stage.start()
    const { people: count, mode } = options
    const cast = await gather({ calls, stage, databaseUrl }, { count, mode })
    say('wallets are filled; the storm begins')
    const { patienceMs, comesBack } = options
    const world: World = { stage, calls, cast, journal: emptyJournal(), patienceMs, comesBack, lost: [] }
    const began = new Date()
    const owed = await rage(world, { ...options, db })
    const ended = new Date()
    say(`the storm is over after ${Math.round((ended.getTime() - began.getTime()) / 1_000)} s`)
    await wait({ stage, db, days: daysOf(began, ended), steps: options.steps, say }, async () => {
      await Promise.all(world.lost.splice(0).map((again) => again()))
      // What was paid while the shop had stopped waiting.
      await Promise.all(owed.map((one) => refund(world, one, 0)))
    })
    const now = new Date(Date.now() + stage.aheadMs())
    const judged = await judge({ databaseUrl, simulator: stage.simulator, journal: world.journal, now })
    const faults = [
      ...judged.faults,
      ...(await ledgerFaults(databaseUrl)),
      ...calls.broken.map((answer) => `HTTP 500: ${answer}`),
      ...stage.complaints().map((line) => `the service complained: ${line.slice(0, 600)}`),
    ]
    return { faults, figures: figuresOf(judged, world) }
  } finally {
    letGo()
    await db.close()
    await stage.close()
  }
}

const figuresOf = ({ tables, links }: Judged, { journal, calls, stage }: World): string[] =>
  figures({ tables, links, journal, unanswered: calls.unanswered(), simulator: stage.simulator })

/** Everybody at once. Returns what the shop still owes. */
async function rage(world: World, options: StormOptions & { db: Db }): Promise<Owed[]> {
  const { forecast, say, db, expiresAt } = options
  const { stage } = world
  const wishes = planOf(options)
  const played = wishes.map(async (wish) => {
    await sleep(wish.at)
    return play(world, wish)
  })
  const expiring = async () => {
    if (expiresAt === undefined) return
    await sleep(expiresAt)
    await expire({ stage, db, say })
  }
  const [owed] = await Promise.all([Promise.all(played), blow(stage, forecast, say), expiring()])
  return owed.filter((one) => one !== undefined)
}

const daysOf = (...times: Date[]): string[] => [
  ...new Set(times.map((time) => time.toISOString().slice(0, 10))),
]
