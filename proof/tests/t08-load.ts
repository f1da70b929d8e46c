// Everybody comes: as many as the service can serve, half of that for a while, three times of that, and half again. Half is
// served as if nobody else were there; of too many, those who are let in are served, and the others are told so at once.
// What the service can serve is what it has done when nothing is left to do: what it takes in and works off later counts
// with the time that takes.
import { setTimeout as sleep } from 'node:timers/promises'
import { openLoad } from '../rig/load.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { judge, settle } from '../rig/verdict.ts'
import type { Proof } from '../scene.ts'
import { debuggable, usedHeapMb } from './load/heap.ts'
import { judgeHalf, judgeMemory, judgeOverload, judgeRecovery, type Part, report } from './load/judge.ts'
import { startWatch } from './load/watch.ts'

const sizes = {
  gate: { warmMs: 8_000, peakMs: 5_000, halfMs: 12_000, overMs: 8_000, afterMs: 12_000 },
  night: { warmMs: 10_000, peakMs: 10_000, halfMs: 600_000, overMs: 45_000, afterMs: 30_000 },
}
/** Enough that the service is never idle while one of them waits for a provider. */
const clients = 192

export const proof: Proof = {
  id: 'T8',
  title: 'Load',
  promise:
    'Half of the most that it can do is done fast and evenly; of three times the most it still does most, refuses the rest at once, and is soon as before. Nothing is lost, and its memory does not grow.',
  minutes: { gate: 8, night: 45 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const stage = await openStage(scene, { processes: 1, wire: false, forced: false, env: debuggable })
    const load = await openLoad(stage)
    const watch = await startWatch(stage, load)
    /** The looks from then on, for so long. */
    const looksAt = (from: number, forMs: number) =>
      watch.looks.filter(({ at }) => at >= from && at < from + forMs)

    await load.closed({ clients, ms: size.warmMs })
    await workedOff(stage)
    const peakAt = performance.now()
    const most = await load.closed({ clients, ms: size.peakMs })
    const peak: Part = { name: 'at the most', step: most, looks: looksAt(peakAt, size.peakMs) }
    report(scene, peak)
    const perSecond = (most.donePerSecond * size.peakMs) / ((await workedOff(stage)) - peakAt)
    scene.figure('the most that it can do, with what follows', `${Math.round(perSecond)} a second`)
    const beforeMb = await quietHeapMb(stage)

    const half = { perSecond: perSecond / 2, ms: size.halfMs }
    const halfAt = performance.now()
    const [evenly] = await load.open([half])
    if (evenly === undefined) throw new Error('the crowd tells nothing')
    judgeHalf(scene, { name: 'at half', step: evenly, looks: looksAt(halfAt, size.halfMs) })

    const over = { perSecond: 3 * perSecond, ms: size.overMs }
    const overAt = performance.now()
    const [crowded, after] = await load.open([over, { ...half, ms: size.afterMs }])
    if (crowded === undefined || after === undefined) throw new Error('the crowd tells nothing')
    const tooMany = { name: 'at three times', step: crowded, looks: looksAt(overAt, size.overMs) }
    judgeOverload(scene, tooMany, { peak })
    const afterLooks = looksAt(overAt + size.overMs, size.afterMs)
    judgeRecovery(scene, { name: 'afterwards', step: after, looks: afterLooks })

    const unsure = await load.end()
    await watch.stop()
    await settle(stage, { unsure })
    const used = {
      beforeMb,
      afterMb: await quietHeapMb(stage),
      requests: evenly.due + crowded.due + after.due,
    }
    judgeMemory(scene, { looks: watch.looks, used })
    await judge(stage)
  },
}

const lookMs = 100

/** When the service has worked off what providers told it, and what shops are to be told. */
async function workedOff({ cluster, database, scene }: Stage): Promise<number> {
  for (;;) {
    scene.signal.throwIfAborted()
    const [row] = await cluster.query<{ open: boolean }>(
      database,
      `select exists (select from operations.deliveries where due_at is not null)
         or exists (select from notifications.queue where due_at <= clock_timestamp()) as open`,
    )
    if (row?.open === false) return performance.now()
    await sleep(lookMs)
  }
}

/** When nothing is on its way. */
async function quietHeapMb(stage: Stage): Promise<number> {
  await settle(stage)
  const [service] = stage.services
  if (service === undefined) throw new Error('there is no service')
  return usedHeapMb(service)
}
