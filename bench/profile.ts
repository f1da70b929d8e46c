// Reads a CPU profile as V8 writes it: which functions the time was spent in themselves, not in what they called.
import { readFileSync } from 'node:fs'

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
}

interface Profile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

export interface SelfTime {
  name: string
  place: string
  ms: number
  /** Of the whole profile, idle time included. */
  percent: number
}

export function selfTimes(profile: Profile, most: number): SelfTime[] {
  // The profiler's own work is nobody's.
  const nodes = profile.nodes.filter(({ callFrame }) => callFrame.url !== 'node:inspector')
  const places = new Map(nodes.map((node) => [node.id, placeOf(node)]))
  const spent = new Map<string, number>()
  let total = 0
  for (const [index, id] of profile.samples.entries()) {
    const us = profile.timeDeltas[index] ?? 0
    const place = places.get(id)
    if (place === undefined) continue
    spent.set(place, (spent.get(place) ?? 0) + us)
    total += us
  }
  return [...spent]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([key, us]) => {
      const [name = '', place = ''] = key.split('\t')
      return { name, place, ms: us / 1_000, percent: (100 * us) / total }
    })
}

function placeOf({ callFrame }: ProfileNode): string {
  const { functionName, url, lineNumber } = callFrame
  const file = url.replace(/^.*\/(?=(?:server|bench|node_modules)\/)/, '')
  return `${functionName || '(nameless)'}\t${file === '' ? '' : `${file}:${lineNumber + 1}`}`
}

export function describeProfile(file: string, most: number): string {
  // Written by ledger-process.ts a moment ago.
  const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile
  const lines = selfTimes(profile, most).map(
    ({ name, place, ms, percent }) =>
      `  ${percent.toFixed(1).padStart(5)} %  ${ms.toFixed(0).padStart(6)} ms  ${name}  ${place}`,
  )
  return [`${file}`, ...lines].join('\n')
}
