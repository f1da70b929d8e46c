// The process of a crowd: does what `load.ts` tells it. On a busy machine it goes before all others, because a clock that
// waits for its turn tells nothing.
import { setPriority } from 'node:os'
import { type Crowd, type CrowdOptions, openCrowd, type Step } from './crowd.ts'
import type { Mix } from './traffic.ts'

export type Told =
  | { type: 'options'; options: CrowdOptions }
  | { type: 'closed'; clients: number; ms: number; mix?: Mix }
  | { type: 'open'; steps: Step[] }
  | { type: 'end' }

if (process.getuid?.() === 0) setPriority(-10)

let crowd: Crowd | undefined

const obey = async (told: Told): Promise<unknown> => {
  if (told.type === 'options') {
    crowd = await openCrowd(told.options)
    return true
  }
  if (told.type === 'closed') return crowd?.closed(told)
  return told.type === 'open' ? crowd?.open(told.steps) : crowd?.end()
}

process.on('message', async (told: Told) => {
  process.send?.({ type: told.type, answer: await obey(told) })
})
process.on('disconnect', () => process.exit())
