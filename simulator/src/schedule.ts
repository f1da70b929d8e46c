// Everything that happens later. What must stay true: nothing of it happens once it is closed, and `settled` waits for
// all that is due and for all that is under way.

export interface Schedule {
  /** At that time, or at once when it is past. */
  at(time: number, work: () => void | Promise<void>): void
  /** Nothing is due within that many milliseconds, and nothing is under way. */
  settled(horizonMs?: number): Promise<void>
  /** Counts as under way until it ends. */
  during<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface ScheduleOptions {
  now: () => number
  /** What a piece of work threw: a bug. */
  onError: (error: unknown) => void
}

const calmLooks = 4
/** Of setTimeout: beyond, it fires at once. */
const waitMax = 2 ** 31 - 1

export function openSchedule({ now, onError }: ScheduleOptions): Schedule {
  const due = new Map<NodeJS.Timeout, number>()
  const running = new Set<Promise<unknown>>()
  let closed = false

  const during = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    const done = () => running.delete(work)
    work.then(done, done)
    return work
  }
  const run = async (work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      onError(error)
    }
  }
  return {
    at: (time, work) => {
      if (closed) return
      const timer = setTimeout(
        () => {
          due.delete(timer)
          during(run(work))
        },
        Math.min(waitMax, Math.max(0, time - now())),
      )
      due.set(timer, time)
    },
    settled: async (horizonMs = 5_000) => {
      const until = now() + horizonMs
      const busy = () => running.size > 0 || [...due.values()].some((time) => time <= until)
      // What a promise that has just been kept brings about is under way too: so it must be calm for a while.
      for (let calm = 0; calm < calmLooks && !closed; calm = busy() ? 0 : calm + 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
    },
    during,
    close: async () => {
      closed = true
      for (const timer of due.keys()) clearTimeout(timer)
      due.clear()
      await Promise.allSettled(running)
    },
  }
}
