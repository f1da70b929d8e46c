// The service is killed (-9) under the load of a busy hour, at any moment and at the worst ones: around the word that
// commits. What was promised to anybody stands, what nobody knows can be asked again, and nothing happens twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { openStage, type Stage } from '../rig/stage.ts'
import { startTraffic, type Traffic } from '../rig/traffic.ts'
import { verdict } from '../rig/verdict.ts'
import type { Moment } from '../rig/wire.ts'
import type { Proof, Scene } from '../scene.ts'

export const proof: Proof = {
  id: 'T1',
  title: 'Kill -9 of the service under load',
  promise: 'Whatever was acknowledged is there once, and whatever nobody knows is there at most once.',
  minutes: { gate: 8, night: 40 },
  run: async (scene) => {
    const rounds = scene.tier === 'gate' ? 10 : 100
    const figures: Figures = {
      readyMs: [],
      unknown: 0,
      done: 0,
      refused: 0,
      aimed: 0,
      others: { good: 0, all: 0 },
    }
    await killRounds(scene, { processes: 2, rounds: rounds / 2, figures })
    await killRounds(scene, { processes: 1, rounds: rounds / 2, figures })
    report(scene, figures, rounds)
  },
}

interface Figures {
  /** Of each start after a kill. */
  readyMs: number[]
  unknown: number
  done: number
  refused: number
  aimed: number
  /** Acts while a process was away and another was there, but for the first second. */
  others: { good: number; all: number }
}

interface Rounds {
  processes: number
  rounds: number
  figures: Figures
}

const moments: readonly (Moment | 'any')[] = ['any', 'sent', 'unsent', 'answered']

async function killRounds(scene: Scene, { processes, rounds, figures }: Rounds): Promise<void> {
  const stage = await openStage(scene, { processes, clock: true })
  const traffic = startTraffic(stage, { clients: 64 })
  for (let round = 0; round < rounds; round++) {
    await traffic.until(60)
    const moment = moments[round % moments.length] ?? 'any'
    await killAt(stage, { moment, figures })
    const from = performance.now() + 1_000
    const { readyMs } = await stage.start()
    figures.readyMs.push(Math.round(readyMs))
    if (processes > 1) count(traffic, { from, to: performance.now(), figures })
    scene.say(
      `of ${processes}, round ${round + 1}: killed (${moment}), ready after ${Math.round(readyMs)} ms`,
    )
  }
  await traffic.until(60)
  await traffic.stop()
  figures.unknown += stage.client.unknown().length + traffic.unsure.length
  figures.done += traffic.done()
  figures.refused += traffic.told.filter(({ outcome }) => outcome === 'refused').length
  // A killed process may have sent the first of two, and nobody knows: then the order is another one.
  await verdict(stage, { unsure: traffic.unsure, check: { order: false } })
}

const aimMs = 5_000

/** Any of the processes; aimed, whichever commits next. */
async function killAt(
  stage: Stage,
  { moment, figures }: { moment: Moment | 'any'; figures: Figures },
): Promise<void> {
  const { scene, wire } = stage
  const any = async () => stage.services[scene.chance.below(stage.services.length)]?.kill()
  if (moment === 'any') {
    await sleep(200 + scene.chance.below(scene.tier === 'gate' ? 1_500 : 4_800))
    return any()
  }
  const done = Promise.withResolvers<void>()
  wire.atCommit(moment, {
    act: (entrance) => {
      figures.aimed += 1
      done.resolve(stage.byEntrance(entrance)?.kill())
    },
  })
  const timer = setTimeout(() => done.resolve(any()), aimMs)
  await done.promise
  clearTimeout(timer)
}

function count(
  traffic: Traffic,
  { from, to, figures }: { from: number; to: number; figures: Figures },
): void {
  for (const { sentAt, at, outcome } of traffic.told) {
    if (sentAt < from || at > to) continue
    figures.others.all += 1
    if (outcome !== 'unknown') figures.others.good += 1
  }
}

function report(scene: Scene, figures: Figures, rounds: number): void {
  const { good, all } = figures.others
  scene.figure('kills', rounds)
  scene.figure('of these around a commit', figures.aimed)
  scene.figure('acts done', figures.done)
  scene.figure('acts refused', figures.refused)
  scene.figure('outcomes that nobody knew, asked again', figures.unknown)
  scene.figure('ready again after', `${Math.min(...figures.readyMs)} to ${Math.max(...figures.readyMs)} ms`)
  scene.figure('answered by the other process, from a second after the kill on', `${good} of ${all}`)
  if (all > 0 && good / all < 0.999)
    scene.fault(`the other process answered ${good} of ${all}: less than 99.9 %`)
  // A load that is refused moves nothing, and proves nothing.
  if (figures.refused * 10 > figures.done)
    scene.fault(`${figures.refused} acts were refused, and ${figures.done} done`)
  if (figures.aimed === 0) scene.fault('no kill met a commit')
}
