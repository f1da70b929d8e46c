// Many small writes as few large ones. What arrives while a run is on its way waits for the next; a run leaves as soon as
// there is room, never on a timer, so a single one waits for nothing. One that can't be done fails alone.
import { AppError } from './errors.ts'

export interface CoalesceOptions<Item, Result> {
  /** Does them all, in order, or throws and has done none. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>
  /** In one run. */
  most: number
  /** At the same time. */
  runsMax: number
  /** In the queue. More are refused at once. */
  waitingMax: number
  /** May parts of a failed run be tried again? Not when nobody knows whether it was done. */
  mayRepeat: (error: unknown) => boolean
}

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export function coalesce<Item, Result>(
  options: CoalesceOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const queue: Waiting<Item, Result>[] = []
  let runs = 0

  const attempt = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await options.run(batch.map(({ item }) => item))
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Result)
    } catch (error) {
      if (batch.length === 1 || !options.mayRepeat(error)) {
        for (const one of batch) one.reject(error)
        return
      }
      const middle = Math.ceil(batch.length / 2)
      await attempt(batch.slice(0, middle))
      await attempt(batch.slice(middle))
    }
  }
  const start = () => {
    if (runs >= options.runsMax || queue.length === 0) return
    runs += 1
    void attempt(queue.splice(0, options.most)).finally(() => {
      runs -= 1
      start()
    })
  }
  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.length >= options.waitingMax) {
        reject(new AppError('unavailable', { retryAfter: 1 }))
        return
      }
      queue.push({ item, resolve, reject })
      // Those of the same turn go together.
      setImmediate(start)
    })
}
