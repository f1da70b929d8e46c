// Postings that come together are written together. That is for speed only: one that can't be written fails alone, what
// nobody can know is told as that, several processes get on with each other, and there is an end to the queue.
import { burst } from '../rig/burst.ts'
import type { Heard } from '../rig/client.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { verdict } from '../rig/verdict.ts'
import type { Person } from '../rig/world.ts'
import type { Proof } from '../scene.ts'
import { cutCommit } from './batches/cut.ts'
import { full, smallRoom } from './batches/full.ts'
import { allowed, forbidden, type Round, refusals, rivals, round } from './batches/poison.ts'
import { sendOf } from './races/purse.ts'

const sizes = {
  gate: { poisoned: 1, cuts: 1, hot: 600 },
  night: { poisoned: 12, cuts: 20, hot: 20_000 },
}

export const proof: Proof = {
  id: 'T22',
  title: 'Batches of the ledger',
  promise: 'A posting shares its batch with others, and never their fate.',
  minutes: { gate: 6, night: 20 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    // Good ones are never turned away here for a machine that has much else to do.
    const stage = await openStage(scene, {
      processes: 1,
      connections: 520,
      env: { DATABASE_WAIT_SECONDS: '20' },
    })
    const parts = {
      poison: () => poison(stage, size.poisoned),
      'commits that are cut': () => cuts(stage, size.cuts),
      'no room': () => noRoom(stage),
      'four processes': () => hot(stage, size.hot),
    }
    for (const [name, part] of Object.entries(parts)) {
      if (scene.faults().length > 0) return
      await part()
      scene.say(name)
    }
    if (scene.faults().length === 0) await verdict(stage, { forgives })
  },
}

/** The constraint that was made to be broken, and those whom nobody had room for while the database hung. */
const forgives = /proof_poison|"code":"unavailable"/

/** With and without it in turn, so that whatever else the machine does meets both. */
async function poison(stage: Stage, times: number): Promise<void> {
  const [clean, poisoned]: [Round[], Round[]] = [[], []]
  const refused = await refusals(stage)
  const pairs = await rivals(stage)
  await round(stage, { what: 'to warm up' })
  const both = async (what: string, poisons: typeof refused) => {
    clean.push(await round(stage, { what: 'nothing else' }))
    poisoned.push(await round(stage, { what, poisons }))
  }
  for (let at = 0; at < times; at++) await both('refused ones', refused)
  await both('ones that find another state', pairs.poisons)
  await pairs.judge()
  const broken = await forbidden(stage)
  for (let at = 0; at < times; at++) await both('one that breaks a constraint', [broken])
  await allowed(stage, broken)
  judgeLatency(stage, clean, poisoned)
}

const slowerMost = 2

function judgeLatency({ scene }: Stage, clean: readonly Round[], poisoned: readonly Round[]): void {
  const medianOf = (rounds: readonly Round[]): number =>
    rounds.map(({ median }) => median).toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)] ??
    0
  const [without, beside] = [medianOf(clean), medianOf(poisoned)]
  scene.figure('rounds of 500 good ones, with and without poison', clean.length)
  scene.figure('answered after (median), without poison', `${Math.round(without)} ms`)
  scene.figure('answered after (median), beside poison', `${Math.round(beside)} ms`)
  if (beside > slowerMost * without)
    scene.fault(
      `the good ones wait ${Math.round(beside)} ms beside poison, and ${Math.round(without)} ms without`,
    )
}

async function cuts(stage: Stage, times: number): Promise<void> {
  let [unknown, there] = [0, 0]
  for (let at = 0; at < times; at++)
    for (const moment of ['answered', 'unsent'] as const) {
      const cut = await cutCommit(stage, moment)
      unknown += cut.unknown
      there += cut.there
    }
  stage.scene.figure('commits that were cut', 2 * times)
  stage.scene.figure('who heard then that nobody knows', `${unknown}; of these had happened: ${there}`)
}

async function noRoom(stage: Stage): Promise<void> {
  const { median, slowest, insideMs } = await full(stage, await stage.start(smallRoom))
  const { scene } = stage
  scene.figure(
    'no room: refused within',
    `${Math.round(median)} ms (median), ${Math.round(slowest)} ms (slowest)`,
  )
  scene.figure('the database hangs: those inside are told after', `${Math.round(insideMs)} ms`)
}

const atOnce = 200

/** Everybody sends to one person, by four processes that know nothing of each other. */
async function hot(stage: Stage, transfers: number): Promise<void> {
  const { scene, world } = stage
  await Promise.all(Array.from({ length: 4 - stage.services.length }, () => stage.start()))
  const to = world.people[62] as Person
  const plan = Array.from({ length: transfers }, (_, at) =>
    sendOf(world.people[at % 48] as Person, { to, amount: 500, currency: 'UGX' }),
  )
  // By connections of their own, to each process in turn.
  const heard: Heard[] = []
  for (let at = 0; at < transfers; at += atOnce)
    heard.push(...(await burst(stage, plan.slice(at, at + atOnce))))
  const refused = heard.filter(({ outcome }) => outcome !== 'done')
  if (refused.length > 0) scene.fault(`to one account: ${refused.length} failed: ${refused[0]?.text}`)
  scene.figure('transfers to one account by four processes', transfers)
}
