// Anything is sent to every route that the service says it has, by everybody whom it takes: good requests, requests with one
// thing wrong, things that are no request at all, and bytes that are not even HTTP. The service answers each as it says it
// does, in time, and goes on.
import { readFileSync } from 'node:fs'
import type { Input } from '../../server/test/fuzz/inputs.ts'
import { bodies, byteBodies } from '../../server/test/fuzz/nasties.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { judge } from '../rig/verdict.ts'
import type { Proof, Scene } from '../scene.ts'
import { debuggable, usedHeapMb } from './load/heap.ts'
import { type Counts, judgeStep, newCounts } from './walk/answers.ts'
import { brokenMessages, unendedMessages } from './walk/lines.ts'
import { openWalk, type Walk, walkSettings } from './walk/walk.ts'

/** For each route, or as many as fit into the minutes; messages in all. Memory: how much more there may be at the end than in the middle. */
const sizes = {
  gate: { inputs: 16, minutes: 5, messages: 500, memory: 1.4 },
  night: { inputs: 20_000, minutes: 5, messages: 20_000, memory: 1.1 },
}

/** The rules that need no journal: here nobody writes down what was sent. */
const rules = [3, 4, 5, 6, 8, 10]

export const proof: Proof = {
  id: 'T5',
  title: 'Anything to every route',
  promise:
    'Whatever is sent, the answer is one of those that are documented, comes within 2 s, and breaks nothing.',
  minutes: { gate: 8, night: 40 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const stage = await openStage(scene, {
      ...{ processes: 1, wire: false },
      env: { ...walkSettings, ...debuggable },
    })
    const walk = await openWalk(stage)
    for (const name of walk.surface.silent)
      scene.fault(`${name} does not say what it takes or what it answers`)
    const unended = unendedMessages(stage)
    const counts = newCounts()
    await everyBody(scene, { walk, counts })
    // Twice, so that what is left of the second time can be held against what is left of the first.
    const half = { inputs: Math.ceil(size.inputs / 2), minutes: size.minutes / 2 }
    await walkOver(scene, { walk, counts, size: half })
    if (scene.faults().length > 0) return
    const middle = await memoryOf(stage)
    scene.say('every route')
    await walkOver(scene, { walk, counts, size: half })
    if (scene.faults().length > 0) return
    scene.say('every route, once more')
    const answered = await brokenMessages(stage, walk, size.messages)
    scene.say('broken messages')
    const lines = await unended.judge()
    await judgeProcess(stage)
    const end = await memoryOf(stage)
    for (const what of ['inUse', 'resident'] as const)
      if (end[what] > middle[what] * size.memory)
        scene.fault(
          `the process has ${inWords(end)} when all is over, and had ${inWords(middle)} in the middle`,
        )
    await judge(stage, { check: { rules } })
    report(scene, { walk, counts })
    scene.figure('messages that are no good HTTP', size.messages)
    scene.figure('of these answered, not only closed', answered)
    scene.figure('messages that never end', lines)
    scene.figure('memory of the process in the middle, all collected', inWords(middle))
    scene.figure('the same at the end', inWords(end))
  },
}

interface Walking {
  walk: Walk
  counts: Counts
  size: { inputs: number; minutes: number }
}

/** Each route meets some of the worst bodies, by chance; a route that takes any body from anybody meets all of them. */
async function everyBody(scene: Scene, { walk, counts }: Pick<Walking, 'walk' | 'counts'>): Promise<void> {
  const route = walk.surface.routeOf('POST', '/api/auth/login')
  if (route === undefined) return scene.fault('nobody can log in')
  const headers = { 'content-type': 'application/json' }
  for (const body of [...bodies, ...byteBodies]) {
    const { method, path: url } = route
    const given = { kind: 'another body', method, url, headers, body }
    const input: Input = { ...given, as: 'nobody', scheme: 0, address: '10.8.0.1', spoilt: [] }
    const told = await walk.send(input, headers)
    const problem = await judgeStep(walk, { route, input, headers, told }, counts)
    if (problem !== undefined) return scene.fault(`${method} ${url}: ${problem}`)
  }
}

/** What a machine that is busy may refuse. */
const busyShareMax = 0.02

async function walkOver(scene: Scene, { walk, counts, size }: Walking): Promise<void> {
  await walk.go({
    inputs: size.inputs,
    minutesMax: size.minutes,
    judge: (step) => judgeStep(walk, step, counts),
    found: (sentence) => scene.fault(sentence),
  })
  if (counts.busy > counts.answers * busyShareMax)
    scene.fault(`${counts.busy} of ${counts.answers} answers were 503`)
}

/** Alive, and as ready as before. */
async function judgeProcess({ scene, services: [service] }: Stage): Promise<void> {
  if (service === undefined || !service.isAlive())
    return scene.fault(`the process has ended: ${service?.lines.slice(-5).join(' | ')}`)
  const health = await fetch(`${service.url}/api/health`)
  if (health.status !== 200) scene.fault(`afterwards the service is not ready: ${health.status}`)
}

/** In megabytes, once everything is collected that nobody needs any more. */
interface Memory {
  inUse: number
  resident: number
}

async function memoryOf({ services: [service] }: Stage): Promise<Memory> {
  if (service === undefined) throw new Error('there is no service')
  const inUse = Math.round(await usedHeapMb(service))
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  return { inUse, resident: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024) }
}

const inWords = ({ inUse, resident }: Memory): string => `${inUse} MB in use, ${resident} MB in all`

function report(scene: Scene, { walk, counts }: Pick<Walking, 'walk' | 'counts'>): void {
  const most = [...counts.byStatus].toSorted(([, one], [, other]) => other - one)
  scene.figure('routes', walk.surface.routes.length)
  const each = Math.round(counts.answers / walk.surface.routes.length)
  scene.figure('answers', `${counts.answers}, ${each} of each route`)
  scene.figure('by status', most.map(([status, count]) => `${count} × ${status}`).join(', '))
  scene.figure('slowest answer, on this machine', `${counts.slowestMs} ms`)
  scene.figure('answers 503, asked again (0 on a quiet machine)', counts.busy)
}
