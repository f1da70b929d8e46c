// What other processes have changed: people to be read anew, sessions whose tokens are refused. It is in memory, so that
// a request costs no look at the database, and fed by the table users.changes: a poll every second is the truth, a
// notification only makes it sooner. What must stay true: a process that has not heard for five seconds lets nobody in.
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { type Db, openDb, openListener } from '../db/db.ts'
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

const pollMs = 1_000
const freshMs = 5_000
const tidyMs = 60_000
/** Changes are kept for an hour. Who was away for longer than this reads everything again. */
const gapMs = 5 * 60_000
const channel = 'users_changes'

export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { url, log } = options
  const onIdleError = (error: Error) =>
    log.warn({ err: error }, 'an idle connection of the feed of changes broke')
  // A connection of its own: however busy the others are, this one is free.
  const db = openDb({ url, connectionsMax: 1, name: 'mfuko changes', statementMs: 2_000, onIdleError })
  const marks = openMarks(options.clock)
  const place = await load(db, { marks, clock: options.clock }).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  let freshAt = performance.now()
  const look = async () => {
    const begun = performance.now()
    await catchUp(db, { ...options, marks, place })
    freshAt = begun
  }
  const polling = keepPolling(look, log)
  const listener = openListener({
    url,
    name: 'mfuko changes',
    channel,
    onNotify: polling.now,
    onError: (error) =>
      log.warn({ err: error }, 'changes are not notified; they are still looked for every second'),
  })
  const isStale = () => performance.now() - freshAt > freshMs
  return {
    requireFresh: () => {
      if (isStale()) throw new AppError('unavailable', { retryAfter: 1 })
    },
    refuses: marks.refuses,
    note: (list) => list.forEach(marks.set),
    staleReasons: () =>
      isStale() ? ['It has not heard for 5 seconds which sessions have ended, so nobody is let in.'] : [],
    close: async () => {
      await Promise.all([listener.close(), polling.stop()])
      marks.close()
      await db.close()
    },
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

/** How far the changes were read. */
interface Place {
  xmin: string
  at: Date
  /** What was read last time may come again. */
  seen: Set<bigint>
}

/** The place first: what is committed while the rest is read comes again with the first poll. */
async function load(db: Db, { marks, clock }: { marks: Marks; clock: Clock }): Promise<Place> {
  const position = await sql.feedPosition(db)
  if (position === undefined) throw new AppError('unavailable', { retryAfter: 1 })
  for (const mark of await sql.refusingSessions(db, clock.now())) marks.set(mark)
  return { ...position, seen: new Set() }
}

interface CatchingUp extends FeedOptions {
  marks: Marks
  place: Place
}

async function catchUp(db: Db, { marks, place, clock, onPerson, onGap }: CatchingUp): Promise<void> {
  const rows = await sql.changesSince(db, place.xmin)
  const [first] = rows
  if (first === undefined) return
  const away = first.at.getTime() - place.at.getTime()
  // Numbers that run backwards are those of another server: one that was restored, say.
  if (away > gapMs || BigInt(first.xmin) < BigInt(place.xmin)) {
    Object.assign(place, await load(db, { marks, clock }))
    onGap()
    return
  }
  const seen = new Set<bigint>()
  for (const row of rows) {
    if (row.id === null) continue
    seen.add(row.id)
    if (!place.seen.has(row.id)) apply(row, { marks, onPerson })
  }
  Object.assign(place, { xmin: first.xmin, at: first.at, seen })
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

/** One look at a time, one a second; `now` makes the next one come at once. */
function keepPolling(look: () => Promise<void>, log: Log) {
  let stopped = false
  let again = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failing = false
  const poll = () => {
    clearTimeout(timer)
    if (running !== undefined || stopped) {
      again = true
      return
    }
    again = false
    const begun = performance.now()
    running = look()
      .then(
        () => {
          failing = false
        },
        (error: unknown) => {
          // Once until it works again: the state shows in the health of the process.
          if (!failing) log.warn({ err: error }, 'could not look for changes of other processes')
          failing = true
        },
      )
      .then(() => {
        running = undefined
        if (!stopped)
          timer = setTimeout(poll, again && !failing ? 0 : Math.max(0, pollMs - (performance.now() - begun)))
      })
  }
  timer = setTimeout(poll, pollMs)
  return {
    now: poll,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
