// Sequences of whatever people and shops may do, drawn by chance, are played on the service and on a model of it that is
// nothing but arithmetic: every answer and every balance must be the same. Many teams of six play at once, each alone with
// its money. A sequence that ends otherwise is shortened to the fewest steps that still do.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { openStage, type Stage } from '../rig/stage.ts'
import { verdict } from '../rig/verdict.ts'
import type { Proof, Scene } from '../scene.ts'
import { feesTaken, unbalanced } from './model/books.ts'
import { feeProperties, previews } from './model/fees.ts'
import type { Model } from './model/model.ts'
import { peopleCommands, takeBack } from './model/people.ts'
import { shopCommands } from './model/shops.ts'
import { type Command, checkBooks, compare, type Real, type Tally } from './model/steps.ts'
import { all, type Ground, openGround, openTeams, readModel, refreshTokens, type Team } from './model/team.ts'

/** A day is 24 hours of the service's clock, after which limits begin anew. */
const sizes = {
  gate: { teams: 10, days: 2, sequences: 80, commands: 60, dayMs: 90_000, amounts: 50_000, previews: 150 },
  night: {
    ...{ teams: 10, days: 6, sequences: 20_000, commands: 200 },
    ...{ dayMs: 45_000, amounts: 1_000_000, previews: 3_000 },
  },
}
type Size = (typeof sizes)['gate']

export const proof: Proof = {
  id: 'T3',
  title: 'A model of it all',
  promise: 'Whatever people do, in whatever order, they are answered and have what plain arithmetic says.',
  minutes: { gate: 6, night: 30 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    feeProperties(scene, size.amounts)
    if (scene.faults().length > 0) return
    const stage = await openStage(scene, { processes: 1, wire: false, clock: true, connections: 64 })
    await previews(stage, size.previews)
    if (scene.faults().length > 0) return
    await playAll(stage, size)
    if (scene.faults().length === 0) await verdict(stage)
  },
}

interface Playing {
  ground: Ground
  size: Size
  tally: Tally
  /** The team whose sequence is being shortened: the others wait for it. */
  failing: Team | undefined
}

const hoursMs = 25 * 3_600_000

async function playAll(stage: Stage, size: Size): Promise<void> {
  const { scene } = stage
  const tally = { sequences: 0, commands: 0, refused: 0, longest: 0, compared: 0, books: 0 }
  const playing: Playing = { ground: openGround(stage), size, tally, failing: undefined }
  const before = await feesTaken(playing.ground)
  const teams = await openTeams(stage, size.teams)
  scene.say(`${teams.length} teams are ready`)
  const began = performance.now()
  for (let day = 0; day < size.days && scene.faults().length === 0; day++) {
    if (day > 0) {
      stage.advance(day * hoursMs)
      await sleep(200)
      for (const team of teams) await refreshTokens(playing.ground, team)
    }
    await Promise.all(teams.map((team) => playTeam(scene, playing, { team, day })))
    scene.say(`day ${day + 1}: ${tally.sequences} sequences, ${tally.commands} commands`)
  }
  const seconds = (performance.now() - began) / 1_000
  if (scene.faults().length > 0) return
  await judgeTotals(scene, playing, { teams, before })
  report(scene, { tally, seconds, size })
}

const shrinkMs = 60_000

/** So many sequences as one team has to play in a day, or has time for. */
async function playTeam(
  scene: Scene,
  playing: Playing,
  { team, day }: { team: Team; day: number },
): Promise<void> {
  const { size } = playing
  const until = performance.now() + size.dayMs
  team.known = undefined
  const commands = fc.commands([...peopleCommands, ...shopCommands], {
    maxCommands: size.commands,
    size: 'max',
  })
  const property = fc.asyncProperty(commands, async (steps) => {
    if (playing.failing === undefined && performance.now() > until) return
    if (playing.failing !== undefined && playing.failing !== team) return
    await playOne(playing, { team, steps }).catch((error: unknown) => {
      playing.failing ??= team
      if (playing.failing === team) throw error
    })
  })
  const seed = (scene.seed + 1_000 * day + team.number) % 2 ** 31
  const result = await fc.check(property, {
    seed,
    numRuns: Math.ceil(size.sequences / size.teams / size.days),
    unbiased: true,
    interruptAfterTimeLimit: size.dayMs + shrinkMs,
  })
  if (!result.failed || result.counterexample === null) return
  const why =
    result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance)
  const shortest = [...result.counterexample[0]].map(String).join(', then ')
  scene.fault(
    `${why}; the shortest sequence that shows it (team ${team.number}, day ${day}, seed ${result.seed}, path ${result.counterexamplePath}, ${result.numShrinks} times shortened): ${shortest}`,
  )
}

async function playOne(
  { ground, tally }: Playing,
  { team, steps }: { team: Team; steps: Iterable<Command> },
): Promise<void> {
  const start = team.known ?? (await readModel(ground, team))
  team.known = undefined
  const model: Model = { ...start, payments: [], wanted: [], fees: new Map(), repeatable: 0 }
  const real: Real = { ground, team, checkouts: [], wantedIds: [], kept: [], steps: 0, tally }
  try {
    await fc.asyncModelRun(() => ({ model, real }), steps)
    await compare(model, real, all)
    await checkBooks(real)
  } finally {
    await takeBack(model, real)
  }
  for (const [currency, fee] of model.fees) team.fees.set(currency, (team.fees.get(currency) ?? 0n) + fee)
  team.known = model
  tally.sequences += 1
  tally.longest = Math.max(tally.longest, real.steps)
}

/** What the service has taken is what the models have counted, and all of it together is zero. */
async function judgeTotals(
  scene: Scene,
  { ground }: Playing,
  { teams, before }: { teams: readonly Team[]; before: ReadonlyMap<string, bigint> },
): Promise<void> {
  for (const [currency, taken] of await feesTaken(ground)) {
    const came = taken - (before.get(currency) ?? 0n)
    const meant = teams.reduce((sum, { fees }) => sum + (fees.get(currency as never) ?? 0n), 0n)
    if (came !== meant) scene.fault(`the service took ${came} ${currency} in fees, and the models ${meant}`)
  }
  for (const what of await unbalanced(ground)) scene.fault(`all entries together are not zero: ${what}`)
}

function report(scene: Scene, { tally, seconds, size }: { tally: Tally; seconds: number; size: Size }): void {
  const { sequences, commands, refused, longest, compared, books } = tally
  scene.figure('sequences', sequences)
  scene.figure(
    'commands',
    `${commands}, ${Math.round(commands / sequences)} a sequence, the longest ${longest}`,
  )
  scene.figure('commands a second', Math.round(commands / seconds))
  scene.figure('requests refused as they should be', refused)
  scene.figure('balances compared', compared)
  scene.figure('looks into the ledger', books)
  scene.figure('teams of six, at once', size.teams)
  // Refusals alone would prove little.
  if (refused > commands) scene.fault(`${refused} refusals in ${commands} commands`)
  if (scene.tier === 'gate' && sequences < size.sequences)
    scene.fault(`there was time for ${sequences} of ${size.sequences} sequences`)
}
