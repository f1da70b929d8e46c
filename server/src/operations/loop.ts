// The worker: every second it looks for operations that are due and for deliveries that nobody has finished. A provider
// that hangs has only so many of its operations under way, so that it does not slow another.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import type { Operation, Operations } from './operations.ts'

export interface Work {
  /** Takes nothing new, and lets what runs end. */
  stop(): Promise<void>
}

const pollMs = 1_000
const troubleMsMax = 10_000
const runningMax = 200
const runningEach = 40
const deliveriesAtOnce = 20
/** The simulator may have been started anew, and forget. */
const tellMs = 30_000

export function startOperationsWork({ operations, log }: { operations: Operations; log: Log }): Work {
  const over = new AbortController()
  const running = new Map<string, Set<Promise<void>>>()
  const looping = keepLooking({ operations, log, running, signal: over.signal })
  return {
    stop: async () => {
      over.abort()
      await looping
      await Promise.all([...running.values()].flatMap((set) => [...set]))
    },
  }
}

interface Looking {
  operations: Operations
  log: Log
  /** By provider and mode. */
  running: Map<string, Set<Promise<void>>>
  signal: AbortSignal
}

async function keepLooking(looking: Looking): Promise<void> {
  const { operations, log, signal } = looking
  let pauseMs = pollMs
  let toldAtMs = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    try {
      if (performance.now() - toldAtMs > tellMs) {
        toldAtMs = performance.now()
        operations.tellSimulator().catch((error: unknown) => log.debug({ err: error }, 'no simulator'))
      }
      const [taken, worked] = await Promise.all([
        take(looking),
        operations.deliveries.workDue(deliveriesAtOnce),
      ])
      // There may be more.
      pauseMs = taken || worked === deliveriesAtOnce ? 10 : pollMs
    } catch (error) {
      log.warn({ err: error }, 'could not look for operations that are due')
      pauseMs = Math.min(2 * Math.max(pauseMs, pollMs), troubleMsMax)
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Begins what is due, as far as there is room. True: there may be more that could begin at once. */
async function take({ operations, log, running }: Looking): Promise<boolean> {
  const all = [...running.values()].reduce((sum, set) => sum + set.size, 0)
  const limit = Math.min(runningMax - all, runningEach)
  if (limit <= 0) return false
  const except = [...running].filter(([, set]) => set.size >= runningEach).map(([key]) => key)
  const due = await operations.takeDue({ limit, except })
  for (const operation of due) {
    const set = running.get(keyOf(operation)) ?? new Set()
    running.set(keyOf(operation), set)
    const done: Promise<void> = operations.lookAfter(operation.id).then(
      () => void set.delete(done),
      (error: unknown) => {
        set.delete(done)
        log.warn({ err: error, operation: operation.id }, 'an operation has to wait')
      },
    )
    set.add(done)
  }
  return due.length === limit
}

const keyOf = ({ provider, mode }: Operation): string => `${provider} ${mode}`
