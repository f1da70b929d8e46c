// One after another, for each group. Whoever decides about a group locks its row, so the database would do without this;
// but a hundred members who pay in the same minute would hold all connections of the process while they wait for one
// lock. They wait here instead, where waiting costs nothing, and others get their connections.
import { AppError } from '../base/errors.ts'

const waitingMost = 500
const waitMs = 15_000

interface Line {
  waiting: number
  last: Promise<unknown>
}

const lines = new Map<string, Line>()

export async function inTurn<T>(group: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(group) ?? { waiting: 0, last: Promise.resolve() }
  if (line.waiting >= waitingMost) throw new AppError('unavailable', { retryAfter: 5 })
  lines.set(group, line)
  line.waiting += 1
  const began = performance.now()
  const mine = line.last.then(() => {
    if (performance.now() - began > waitMs) throw new AppError('unavailable', { retryAfter: 5 })
    return work()
  })
  line.last = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    line.waiting -= 1
    if (line.waiting === 0) lines.delete(group)
  }
}
