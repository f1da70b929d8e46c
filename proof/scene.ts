// What a proof is, and what it is given. A proof sets the service under something that could break a promise, looks with
// the checker, and says each broken one with `scene.fault`: one fault, and the proof does not hold. Use:
//
//   export const proof: Proof = {
//     id: 'T2', title: 'Double spend', promise: 'Money can be spent once, however many try at once.',
//     run: async (scene) => {
//       const stage = await openStage(scene, { processes: 2 })
//       …
//       scene.figure('rounds', 100)
//     },
//   }
import { type Chance, openChance } from '../simulator/src/chance.ts'

export interface Scene {
  tier: 'gate' | 'night'
  seed: number
  /** Of the seed. What depends on time differs all the same. */
  chance: Chance
  /** Progress, for a person. */
  say(line: string): void
  /** For the report. */
  figure(name: string, value: string | number): void
  /** A broken promise. */
  fault(sentence: string): void
  faults(): readonly string[]
  /** The folder `server` of the tree under test. */
  server: string
  /** Closed in reverse order, also when the proof throws. */
  defer(close: () => Promise<void>): void
  /** Ends when a person stops the run, or the proof has had its time. */
  signal: AbortSignal
}

export interface Proof {
  /** `T1`: the number in the name of its file. */
  id: string
  title: string
  /** One sentence. */
  promise: string
  /** How long it may take, with a world that is made already. */
  minutes?: { gate: number; night: number }
  run(scene: Scene): Promise<void>
}

/** A planted bug. With it the proof must not hold, and one of its faults must be about `expect`. */
export interface Control {
  proof: string
  name: string
  /** From the root of the tree. */
  file: string
  /** In the file exactly once. */
  find: string
  put: string
  expect?: RegExp
  /** More that must change for the bug to be one. */
  also?: readonly { file: string; find: string; put: string }[]
}

export interface Figure {
  name: string
  value: string | number
}

/** What came of one proof. */
export interface Result {
  id: string
  title: string
  promise: string
  held: boolean
  faults: string[]
  figures: Figure[]
  seconds: number
}

export interface SceneOptions {
  tier: Scene['tier']
  seed: number
  server: string
  say(line: string): void
  signal: AbortSignal
}

const minutesUsually = { gate: 5, night: 45 }

/** Runs it to its end. A proof that throws does not hold either: nobody knows what it would have found. */
export async function perform(proof: Proof, options: SceneOptions): Promise<Result> {
  const faults: string[] = []
  const figures: Figure[] = []
  const closers: (() => Promise<void>)[] = []
  const began = performance.now()
  const minutes = (proof.minutes ?? minutesUsually)[options.tier]
  const late = AbortSignal.timeout(minutes * 60_000)
  const scene: Scene = {
    ...options,
    chance: openChance(options.seed),
    figure: (name, value) => void figures.push({ name, value }),
    fault: (sentence) => {
      faults.push(sentence)
      options.say(`FAULT ${sentence.slice(0, 600)}`)
    },
    faults: () => faults,
    defer: (close) => void closers.push(close),
    signal: AbortSignal.any([options.signal, late]),
  }
  try {
    await Promise.race([proof.run(scene), ended(scene.signal)])
  } catch (error) {
    const why = late.aborted ? `it took longer than ${minutes} min` : told(error)
    scene.fault(`the proof could not be brought to its end: ${why}`)
  }
  for (const close of closers.toReversed())
    await close().catch((error: unknown) => scene.fault(`could not be closed: ${told(error)}`))
  const { id, title, promise } = proof
  const seconds = Math.round((performance.now() - began) / 1_000)
  return { id, title, promise, held: faults.length === 0, faults, figures, seconds }
}

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const told = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
