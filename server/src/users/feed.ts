// What other processes have changed: people to be read anew, sessions whose tokens are refused. It is in memory, so that
// a request costs no look at the database, and fed by the table users.changes: a poll every second is the truth, a
// notification only makes it sooner. What must stay true: a process that has not heard for five seconds lets nobody in.
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { openFeed as openChanges, type Queries } from '../db/db.ts'
import type { ChangeRow, Mark } from './sessions/sql.ts'
import * as sql from './sessions/sql.ts'

export interface Feed {
  /** Throws `unavailable` when it has not heard for too long. */
  requireFresh(): void
  /** Is the token of this number refused, because a later one was given out or the session has ended? */
  refuses(session: string, generation: number): boolean
  /** What this process itself has just changed: it need not wait to hear of it. */
  note(marks: readonly Mark[]): void
  staleReasons(): string[]
  close(): Promise<void>
}

export interface FeedOptions {
  url: string
  clock: Clock
  log: Log
  onPerson: (id: string) => void
  /** So much may have been missed that nothing that is remembered can be trusted. */
  onGap: () => void
}

const tidyMs = 60_000

export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { url, clock, log, onPerson, onGap } = options
  const marks = openMarks(clock)
  const feed = await openChanges<ChangeRow>({
    url,
    name: 'mfuko changes',
    channel: 'users_changes',
    log,
    changesSince: sql.changesSince,
    load: (db) => loadMarks(db, { marks, now: clock.now() }),
    onChange: (row) => apply(row, { marks, onPerson }),
    onGap,
  }).catch((error: unknown) => {
    marks.close()
    throw error
  })
  return {
    requireFresh: () => {
      if (feed.isStale()) throw new AppError('unavailable', { retryAfter: 1 })
    },
    refuses: marks.refuses,
    note: (list) => list.forEach(marks.set),
    staleReasons: () =>
      feed.isStale()
        ? ['It has not heard for 5 seconds which sessions have ended, so nobody is let in.']
        : [],
    close: async () => {
      marks.close()
      await feed.close()
    },
  }
}

const pageSize = 10_000

/** A day's sessions may be a million: each statement reads a few of them, since it has two seconds. */
async function loadMarks(db: Queries, { marks, now }: { marks: Marks; now: Date }): Promise<void> {
  let after = { refuses_until: now, session: '' }
  for (;;) {
    const page = await sql.refusingSessions(db, { after, limit: pageSize })
    for (const mark of page) marks.set(mark)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last
  }
}

type Marks = ReturnType<typeof openMarks>

/** The sessions of which tokens are refused, for as long as these would be good by themselves. */
function openMarks(clock: Clock) {
  const known = new Map<string, { generation: number; until: number }>()
  const tidying = setInterval(() => {
    const now = clock.now().getTime()
    for (const [session, { until }] of known) if (until < now) known.delete(session)
  }, tidyMs)
  tidying.unref()
  return {
    refuses: (session: string, generation: number) => generation < (known.get(session)?.generation ?? 0),
    set: ({ session, generation, refuses_until }: Mark) => {
      const before = known.get(session)
      known.set(session, {
        generation: Math.max(generation, before?.generation ?? 0),
        until: Math.max(refuses_until.getTime(), before?.until ?? 0),
      })
    },
    close: () => clearInterval(tidying),
  }
}

function apply(
  row: Exclude<ChangeRow, { id: null }>,
  { marks, onPerson }: { marks: Marks; onPerson: (id: string) => void },
): void {
  switch (row.kind) {
    case 'person':
      onPerson(row.subject)
      break
    case 'session':
      marks.set({ session: row.subject, generation: row.generation, refuses_until: row.refuses_until })
      break
    default:
      row satisfies never
  }
}
