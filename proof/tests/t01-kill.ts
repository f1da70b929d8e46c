// The service is killed (-9) under the load of a busy hour, at any moment and at the worst ones: around the word that
// commits. What was promised to anybody stands, what nobody knows can be asked again, and nothing happens twice.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../rig/service.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { startTraffic, type Traffic, type TrafficOptions } from '../rig/traffic.ts'
import { verdict } from '../rig/verdict.ts'
import type { Moment } from '../rig/wire.ts'
import type { Proof, Scene } from '../scene.ts'

const sizes: Record<Scene['tier'], Size> = {
  gate: { rounds: 10, clients: 24, paceMs: 200, acts: 25, pauseMs: 500 },
  night: { rounds: 100, clients: 64, paceMs: 'as long as it took', acts: 60, pauseMs: 4_800 },
}

interface Size extends Required<Pick<TrafficOptions, 'clients' | 'paceMs'>> {
  rounds: number
  /** So many are done between two kills. */
  acts: number
  /** At most, before a kill at any moment. */
  pauseMs: number
}

export const proof: Proof = {
  id: 'T1',
  title: 'Kill -9 of the service under load',
  promise:
    'Whatever was acknowledged is there once, whatever nobody knows is there at most once, and a killed process is ready again within 5 seconds.',
  minutes: { gate: 8, night: 40 },
  run: async (scene) => {
    const { rounds, clients, paceMs, acts } = sizes[scene.tier]
    const stage = await openStage(scene, { processes: 1, clock: true })
    const quietMs = startMsOf(stage.services[0])
    const traffic = startTraffic(stage, { clients, paceMs })
    const figures: Figures = { readyMs: [], startMs: [], aimed: 0, others: { good: 0, all: 0 } }
    await killRounds(stage, { traffic, rounds: rounds / 2, figures })
    await stage.start()
    await killRounds(stage, { traffic, rounds: rounds / 2, figures })
    await traffic.until(acts)
    await traffic.stop()
    report(stage, { traffic, figures, quietMs })
    // A killed process may have sent the first of two, and nobody knows: then the order is another one. And a machine that
    // has too much to do says so, and is asked again.
    await verdict(stage, {
      unsure: traffic.unsure,
      check: { order: false },
      forgives: /"message":"unavailable"/,
    })
  },
}

interface Figures {
  /** Of each start after a kill. */
  readyMs: number[]
  startMs: number[]
  aimed: number
  /** Acts while a process was away and another was there, but for the first second. */
  others: { good: number; all: number }
}

interface Rounds {
  traffic: Traffic
  rounds: number
  figures: Figures
}

const moments: readonly (Moment | 'any')[] = ['any', 'sent', 'unsent', 'answered', 'sent']

async function killRounds(stage: Stage, { traffic, rounds, figures }: Rounds): Promise<void> {
  const { scene } = stage
  for (let round = 0; round < rounds; round++) {
    await traffic.until(sizes[scene.tier].acts)
    const moment = moments[round % moments.length] ?? 'any'
    await killAt(stage, { moment, figures })
    const from = performance.now() + 1_000
    const started = await stage.start()
    const readyMs = Math.round(started.readyMs)
    figures.readyMs.push(readyMs)
    figures.startMs.push(startMsOf(started))
    const processes = stage.services.length
    if (processes > 1) count(traffic, { from, to: performance.now(), figures })
    scene.say(`of ${processes}, round ${round + 1}: killed (${moment}), ready after ${readyMs} ms`)
  }
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
    await sleep(200 + scene.chance.below(sizes[scene.tier].pauseMs))
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
  for (const { sentAt, at, outcome, status } of traffic.told) {
    if (sentAt < from || at > to) continue
    figures.others.all += 1
    if (outcome !== 'unknown' || status === 503) figures.others.good += 1
  }
}

/** What is promised of a machine that has nothing else to do. A slow one is measured by a start before there was traffic. */
const startMsMost = 5_000
const slowerAtMost = 2.5

/** As it would have been without all the others who want the processor. */
const startMsOf = (service: ServiceProcess | undefined): number =>
  Math.round((service?.readyMs ?? 0) - (service?.crowdedMs ?? 0))

interface Reported {
  traffic: Traffic
  figures: Figures
  quietMs: number
}

function report({ scene, client }: Stage, { traffic, figures, quietMs }: Reported): void {
  const { good, all } = figures.others
  const done = traffic.done()
  const refused = traffic.told.filter(({ outcome }) => outcome === 'refused').length
  scene.figure('kills', figures.readyMs.length)
  scene.figure('of these around a commit', figures.aimed)
  scene.figure('acts done', done)
  scene.figure('acts refused', refused)
  scene.figure('outcomes that nobody knew, asked again', client.unknown().length + traffic.unsure.length)
  scene.figure('ready again after', `${Math.min(...figures.readyMs)} to ${Math.max(...figures.readyMs)} ms`)
  scene.figure('the same, without waiting for a processor', `${Math.max(...figures.startMs)} ms at most`)
  scene.figure('the same, before there was traffic', `${quietMs} ms`)
  scene.figure('answered by the other process, from a second after the kill on', `${good} of ${all}`)
  if (all > 0 && good / all < 0.999)
    scene.fault(`the other process answered ${good} of ${all}: less than 99.9 %`)
  const limitMs = Math.round(Math.max(startMsMost, slowerAtMost * quietMs))
  for (const ms of figures.startMs)
    if (ms > limitMs) scene.fault(`a killed process was ready again after ${ms} ms: more than ${limitMs}`)
  // A load that is refused moves nothing, and proves nothing.
  if (refused * 10 > done) scene.fault(`${refused} acts were refused, and ${done} done`)
  if (figures.aimed === 0) scene.fault('no kill met a commit')
}
