// What is promised under load, held against what a crowd has met. Each second is a measurement of its own, and the middle
// one of all counts: a machine that has something else to do for a moment is no fault of the service. Where the crowd itself
// was late, or others had a good part of the processors, times tell nothing: they are reported and not judged. What is lost,
// broken or kept for ever is judged always.
import type { Quantiles, SecondFigures, StepFigures } from '../../rig/crowd-figures.ts'
import type { Scene } from '../../scene.ts'
import { type Look, slopeOf } from './watch.ts'

const sendMsMax = 100
const refusalMsMax = 100
const lateMsMax = 50
const foreignMax = 0.15
const outboxSecondsMax = 5
const goodputMin = 0.8
const recoverySecondsMax = 10
const healthMsMax = 2_000
const rssMbMax = 512
/** Of what is in use when all is quiet: some of it is memory of the last few thousand requests, and that is bounded. */
const keptMbMax = 24
/** Who is let in and waits for longer should not have been. */
const insideMsMax = 2_000
/** What the rules refuse (no money, too much for a day) is no load. */
const ruledOutMax = 0.02

/** One part of the run: what the crowd has met, and what was seen of the service meanwhile. */
export interface Part {
  name: string
  step: StepFigures
  looks: readonly Look[]
}

export function judgeHalf(scene: Scene, part: Part): void {
  const { step, looks, name } = part
  report(scene, part)
  const sends = median(step.seconds.map(({ sendMs }) => sendMs.p99))
  scene.figure(`${name}: sends, slowest but one of 100 in the middle second`, ms(sends))
  const outbox = Math.max(0, ...looks.map(({ outboxAge }) => outboxAge))
  scene.figure(`${name}: oldest notification that was due`, `${outbox.toFixed(1)} s`)
  judgeAnswers(scene, part)
  if (outbox > outboxSecondsMax)
    scene.fault(`${name} a notification was ${outbox.toFixed(1)} s late, more than ${outboxSecondsMax}`)
  if (!tells(scene, part)) return
  const refused = refusalsIn(step)
  if (refused > 0) scene.fault(`${name} ${refused} of ${step.due} requests were refused with 429 or 503`)
  if (sends > sendMsMax)
    scene.fault(`${name} sends take ${ms(sends)} in the middle second, more than ${sendMsMax}`)
}

export function judgeOverload(scene: Scene, part: Part, { peak }: { peak: Part }): void {
  const { step, name } = part
  report(scene, part)
  const share = step.donePerSecond / peak.step.donePerSecond
  scene.figure(`${name}: done, of what was done at the most`, `${Math.round(share * 100)} %`)
  const wait = median(step.seconds.map(({ turnedAwayMs }) => turnedAwayMs.p50))
  scene.figure(`${name}: who is refused waits, in the middle second`, ms(wait))
  judgeAnswers(scene, part)
  if (refusalsIn(step) === 0 && step.sendMs.p99 > insideMsMax)
    scene.fault(`${name} nobody is refused, and who is let in waits ${ms(step.sendMs.p99)}`)
  if (!tells(scene, part, peak)) return
  if (share < goodputMin)
    scene.fault(`${name} only ${Math.round(share * 100)} % are done of what was done at the most`)
  if (wait > refusalMsMax)
    scene.fault(`${name} who is refused waits ${ms(wait)} in the middle second, more than ${refusalMsMax}`)
}

/** From the end of the crowd on, until sends are fast again and nobody is refused. */
export function judgeRecovery(scene: Scene, part: Part): void {
  const { step, name } = part
  report(scene, part)
  const well = ({ sendMs, turnedAway }: SecondFigures) => sendMs.p99 <= sendMsMax && turnedAway === 0
  const at = step.seconds.findIndex(well)
  scene.figure('fast again after', at < 0 ? 'never' : `${at} s`)
  judgeAnswers(scene, part)
  if (tells(scene, part) && (at < 0 || at > recoverySecondsMax))
    scene.fault(`${name} it is not as before within ${recoverySecondsMax} s`)
}

export interface Memory {
  looks: readonly Look[]
  /** In use before and after all of it, and how many requests there were. */
  used: { beforeMb: number; afterMb: number; requests: number }
}

export function judgeMemory(scene: Scene, { looks, used }: Memory): void {
  const most = Math.max(...looks.map(({ rssMb }) => rssMb))
  const { beforeMb, afterMb, requests } = used
  scene.figure('memory at the most', `${Math.round(most)} MB`)
  scene.figure('memory, in use and collected, before and after', `${mb(beforeMb)}, ${mb(afterMb)}`)
  scene.figure('requests meanwhile', requests)
  if (most > rssMbMax) scene.fault(`it has ${Math.round(most)} MB of memory, more than ${rssMbMax}`)
  if (afterMb - beforeMb > keptMbMax)
    scene.fault(`its memory grows: ${mb(afterMb - beforeMb)} are kept of ${requests} requests`)
}

/** Always: an answer comes to everybody, and it is none that tells of a bug. */
function judgeAnswers(scene: Scene, { name, step, looks }: Part): void {
  const { statuses, due } = step
  for (const [status, count] of Object.entries(statuses)) {
    const isBroken = status === '0' || (Number(status) >= 500 && status !== '503')
    if (isBroken) scene.fault(`${name} ${count} of ${due} requests got ${status}`)
  }
  const ruledOut = Object.entries(statuses).filter(([status]) => status.startsWith('4') && status !== '429')
  const count = ruledOut.reduce((sum, [, each]) => sum + each, 0)
  if (count > ruledOutMax * due)
    scene.fault(`${name} ${count} of ${due} requests were refused by a rule: ${counted(statuses)}`)
  const dead = looks.filter(({ healthy }) => !healthy).length
  if (dead > 0) scene.fault(`${name} it did not say that it is alive, ${dead} of ${looks.length} times`)
}

/** Are the times worth anything? */
function tells(scene: Scene, ...parts: readonly Part[]): boolean {
  for (const { name, step, looks } of parts) {
    const foreign = median(looks.map((look) => look.foreign))
    const late = median(step.seconds.map(({ lateMs }) => lateMs))
    const slow = median(looks.map(({ healthMs }) => healthMs))
    const why =
      foreign > foreignMax
        ? `others had ${Math.round(foreign * 100)} % of the processors`
        : late > lateMsMax
          ? `the crowd itself was ${ms(late)} late`
          : undefined
    if (why !== undefined) {
      scene.figure(`${name}: times are not judged`, why)
      return false
    }
    if (slow > healthMsMax) scene.fault(`${name} it takes ${ms(slow)} to say that it is alive`)
  }
  return true
}

export function report(scene: Scene, { name, step, looks }: Part): void {
  const spread = ({ p50, p99, most }: Quantiles) => `${ms(p50)}, ${ms(p99)}, ${ms(most)}`
  scene.figure(`${name}: done a second`, Math.round(step.donePerSecond))
  scene.figure(`${name}: answers`, counted(step.statuses))
  scene.figure(`${name}: sends, middle, slowest but one of 100, slowest`, spread(step.sendMs))
  if (refusalsIn(step) > 0)
    scene.figure(`${name}: refusals, middle, slowest but one of 100, slowest`, spread(step.turnedAwayMs))
  scene.figure(`${name}: the crowd itself was late by`, spread(step.lateMs))
  const kinds = Object.entries(step.p99OfKinds).map(([kind, p99]) => `${kind} ${ms(p99)}`)
  scene.say(`${name}, slowest but one of 100: ${kinds.join(', ')}`)
  const seconds = step.seconds.map(({ sendMs, turnedAwayMs, lateMs }) =>
    [sendMs.p99, turnedAwayMs.p50, lateMs].map(Math.round).join('/'),
  )
  scene.say(`${name}, second by second (sends/refusals/late): ${seconds.join(' ')}`)
  reportLooks(scene, name, looks)
}

function reportLooks(scene: Scene, name: string, looks: readonly Look[]): void {
  const [first, last] = [looks[0], looks.at(-1)]
  if (first === undefined || last === undefined || first === last) return
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const health = looks.map(({ healthMs }) => healthMs)
  scene.figure(`${name}: processors that others had`, percent(median(looks.map((look) => look.foreign))))
  scene.figure(
    `${name}: of one processor, the service`,
    percent((last.cpuMs - first.cpuMs) / (last.at - first.at)),
  )
  scene.figure(
    `${name}: health check, middle and slowest`,
    `${ms(median(health))}, ${ms(Math.max(...health))}`,
  )
  scene.figure(`${name}: memory`, `${slopeOf(looks).toFixed(1)} MB a minute`)
}

const refusalsIn = ({ seconds }: StepFigures) => seconds.reduce((sum, { turnedAway }) => sum + turnedAway, 0)
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const mb = (value: number) => `${value.toFixed(1)} MB`
const counted = (statuses: Record<string, number>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
