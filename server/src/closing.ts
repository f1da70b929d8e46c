// How a process closes what it has opened. What must stay true: one part that fails to close keeps no other from
// closing, and all of them together are done before `stopMs` is over.
import { setTimeout as sleep } from 'node:timers/promises'

/** From the word to stop until the process ends, whatever is still open. */
export const stopMs = 30_000
/** Of that, what requests and jobs may take to end. The rest is for connections and the database. */
export const finishMs = 22_000
/** What closing the connections of one part may take. */
export const closeMs = 2_000

/** In the order in which the parts were opened. */
export type Closers = (() => Promise<void>)[]

/** The last one first, each of them, whatever becomes of the others. */
export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).reverse()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  throwIfAny(failures)
}

/** All at the same time. */
export async function closeTogether(closers: Closers): Promise<void> {
  const ends = await Promise.allSettled(closers.splice(0).map(async (close) => close()))
  throwIfAny(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])))
}

function throwIfAny(failures: unknown[]): void {
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, 'several parts failed to close')
}

/** Waits no longer than that. What is not finished by then ends with the process. */
export const within = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, sleep(ms, undefined, { ref: false })])
