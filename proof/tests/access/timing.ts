// Does the time of an answer tell what the answer itself does not? Two kinds of requests that must look alike are sent in
// turn, by chance the one or the other first, and their times compared by rank (Mann–Whitney): how often is one of the
// first kind slower than one of the second? One half: nobody can tell them apart. A few slow ones change nothing.
import type { Client, Heard, Request } from '../../rig/client.ts'
import { eachOf } from '../../rig/world.ts'
import type { Scene } from '../../scene.ts'

export interface Pair {
  name: string
  /** The n-th of each kind. */
  known: (n: number) => Omit<Request, 'act' | 'who'>
  unknown: (n: number) => Omit<Request, 'act' | 'who'>
  status: number
  /** The texts differ by what was asked for. */
  textsDiffer?: true
  times: number
  /** Only how far the medians are apart counts, and they may be so far. */
  medianMs?: number
  /** How many at once. */
  width?: number
  /** Before every so many. */
  pause?: { every: number; act: () => void }
}

export async function compare(scene: Scene, client: Client, pair: Pair): Promise<void> {
  const { times, width = 1, pause } = pair
  const [known, unknown]: [Heard[], Heard[]] = [[], []]
  const ask = async (kind: 'known' | 'unknown', n: number) => {
    const heard = await client.look(pair[kind](n))
    ;(kind === 'known' ? known : unknown).push(heard)
  }
  // The first ones open connections and fill memories.
  for (let n = 0; n < 3; n++) for (const kind of ['known', 'unknown'] as const) await ask(kind, n)
  for (const list of [known, unknown]) list.length = 0
  const every = pause?.every ?? times
  for (let from = 0; from < times; from += every) {
    pause?.act()
    const turns = Array.from({ length: Math.min(every, times - from) }, (_, at) => from + at)
    await eachOf(turns, width, async (n) => {
      const first = scene.chance.happens(0.5)
      await ask(first ? 'known' : 'unknown', n)
      await ask(first ? 'unknown' : 'known', n)
    })
  }
  judgeTexts(scene, pair, [...known, ...unknown])
  judgeTimes(scene, pair, { known: known.map(({ ms }) => ms), unknown: unknown.map(({ ms }) => ms) })
}

const withoutId = (text: string): string => text.replace(/"request_id":"\w+"/, '')

function judgeTexts(scene: Scene, { name, status, textsDiffer }: Pair, heard: readonly Heard[]): void {
  const odd = heard.find((one) => one.status !== status)
  if (odd !== undefined) scene.fault(`${name}: ${odd.status} ${odd.text.slice(0, 200)}, not ${status}`)
  const texts = new Set(heard.map(({ text }) => withoutId(text)))
  if (textsDiffer !== true && texts.size > 1)
    scene.fault(`${name}: the answers tell them apart: ${[...texts].slice(0, 2).join(' | ').slice(0, 400)}`)
}

interface Times {
  known: number[]
  unknown: number[]
}

/** What is called indistinguishable, where so many were measured that it can be known. */
const areaOff = 0.05
const medianMsMost = 3
/** Chance alone is beyond this once in two thousand runs. */
const deviations = 3.5

function judgeTimes(scene: Scene, { name, medianMs }: Pair, { known, unknown }: Times): void {
  const area = areaOf(known, unknown)
  const [n, m] = [known.length, unknown.length]
  const limit = Math.max(areaOff, deviations * Math.sqrt((n + m + 1) / (12 * n * m)))
  const apart = Math.abs(median(known) - median(unknown))
  const apartMost = Math.max(
    medianMs ?? medianMsMost,
    deviations * Math.hypot(medianError(known), medianError(unknown)),
  )
  const told = `${area.toFixed(3)} (0.5 ± ${limit.toFixed(3)}), medians ${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms`
  scene.figure(`${name}: slower in`, `${told}, ${n} each`)
  const isOrdered = medianMs === undefined && Math.abs(area - 0.5) > limit
  if (isOrdered || apart > apartMost) scene.fault(`${name}: the time tells them apart: ${told}`)
}

/** How often one of the first is more than one of the second; equal ones count half. */
export function areaOf(first: readonly number[], second: readonly number[]): number {
  const all = [...first.map((ms) => ({ ms, mine: true })), ...second.map((ms) => ({ ms, mine: false }))]
  all.sort((one, other) => one.ms - other.ms)
  let sum = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.ms === all[from]?.ms) to += 1
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at++) if (all[at]?.mine) sum += rank
    from = to
  }
  const n = first.length
  return (sum - (n * (n + 1)) / 2) / (n * second.length)
}

const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
}

const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Of the median, by how far the middle half is spread. */
const medianError = (values: readonly number[]): number =>
  (1.25 * (quantile(values, 0.75) - quantile(values, 0.25))) / 1.35 / Math.sqrt(values.length)
