// Whole histories on their way to files: one at a time for each person, and no more in memory than the reader takes.
import { Readable } from 'node:stream'
import { AppError } from '../base/errors.ts'
import { csvHeader, csvRows } from './csv.ts'
import { everything, type ListAsked, type TransactionDeps } from './transactions.ts'

export interface Exports {
  /** Throws when this person's last one is still running. What goes wrong later breaks the stream off. */
  begin(asked: ListAsked): Promise<Readable>
}

export function openExports(deps: TransactionDeps): Exports {
  const running = new Map<string, AsyncGenerator>()
  return {
    begin: async (asked) => {
      const { userId } = asked
      if (running.has(userId)) {
        const detail = 'Another export of yours is still running. Wait until it has ended.'
        throw new AppError('rate_limited', { detail, retryAfter: 10 })
      }
      const rows = everything(deps, asked)
      // Only its own place: the next one may have begun when the stream of this one closes.
      const release = () => {
        if (running.get(userId) === rows) running.delete(userId)
      }
      running.set(userId, rows)
      try {
        // Read before the answer begins: what is wrong now can still be told.
        const first = await rows.next()
        const stream = Readable.from(tableOf({ first, rows, release }), { objectMode: false })
        // Also when nobody has read of it.
        return stream.once('close', release)
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

type Rows = ReturnType<typeof everything>

interface Table {
  first: Awaited<ReturnType<Rows['next']>>
  rows: Rows
  release: () => void
}

/** Makes room before it ends, so that who has the last line may begin again. */
async function* tableOf({ first, rows, release }: Table): AsyncGenerator<string> {
  try {
    yield first.done ? csvHeader : csvHeader + csvRows(first.value)
    for await (const batch of rows) yield csvRows(batch)
  } finally {
    release()
  }
}
