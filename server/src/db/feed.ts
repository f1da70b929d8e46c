// How a process hears what others have changed. The one that changes something writes a row into its room's table of
// changes, in the same transaction; every process reads that table once a second, which is the truth, and a notification
// only makes it sooner. Such a table has the columns id, xid (pg_current_xact_id()) and at: the transaction's number
// tells what may not have been seen yet, since ids become visible out of order. Rows are kept for an hour, and all of
// them are read when the connection is a new one: after a crash PostgreSQL gives the numbers of transactions that were
// lost out again, so what happened then may have numbers from before the position.
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { type Db, openDb, type Queries } from './db.ts'
import { openListener } from './listen.ts'

/** One row a change; one with a null id when there is none, since the position must be told in any case. */
export interface FeedRow {
  xmin: string
  at: Date
  /** The connection that was asked. No other has the same, also after a restart. */
  session: string
  id: bigint | null
}

export interface FeedOptions<Row extends FeedRow> {
  url: string
  /** Seen in pg_stat_activity. */
  name: string
  channel: string
  log: Log
  /** With `changesStatement`. */
  changesSince: (db: Queries, xmin: string) => Promise<Row[]>
  onChange: (row: Row & { id: bigint }) => void
  /** Reads what must be known before the first change: at the start, and again after `onGap`. */
  load?: (db: Queries) => Promise<void>
  /** So much may have been missed that nothing that is remembered can be trusted. */
  onGap: () => void
}

export interface Feed {
  /** It has not heard for so long that what it knows may be wrong. */
  isStale(): boolean
  close(): Promise<void>
}

const pollMs = 1_000
const freshMs = 5_000
/** Short: when the database is back, nobody should still be waiting for a connection from before. */
const connectMs = 2_000
/** At the start, when everything starts at once, it may take longer. */
const loadTriesMax = 5
/** Changes are kept for an hour. Who was away for longer than this reads everything again. */
const gapMs = 5 * 60_000

/**
 * The statement for `changesSince`: everything that was committed since the position, and perhaps more. A transaction that
 * was still open then has a number from there on, so nothing is missed, in whatever order they commit. The table and its
 * own columns are constants of the room.
 */
export const changesStatement = (table: string, columns: string): string =>
  `select s.xmin, s.at, s.session, c.id, ${columns}
   from (${positionStatement}) s
   left join ${table} c on c.xid >= $1::xid8`

const positionStatement = `select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, now() as at,
  concat(pg_postmaster_start_time(), ' ', pg_backend_pid()) as session`
/** A number that comes before those of all rows. */
const beforeAll = '0'

/** Resolves when what must be known is loaded. */
export async function openFeed<Row extends FeedRow>(options: FeedOptions<Row>): Promise<Feed> {
  const { url, name, channel, log } = options
  const onIdleError = (error: Error) =>
    log.warn({ err: error }, 'an idle connection of a feed of changes broke')
  // A connection of its own: however busy the others are, this one is free.
  const db = openDb({ url, connectionsMax: 1, name, connectMs, statementMs: 2_000, onIdleError })
  const place = await loadFirst(db, options).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  let freshAt = performance.now()
  const look = async () => {
    const begun = performance.now()
    await catchUp(db, options, place)
    freshAt = begun
  }
  const polling = keepPolling(look, log)
  const onError = (error: Error) =>
    log.warn({ err: error }, 'changes are not notified; they are still looked for every second')
  const listener = openListener({ url, name, channel, onNotify: polling.now, onError })
  return {
    isStale: () => performance.now() - freshAt > freshMs,
    close: async () => {
      await Promise.all([listener.close(), polling.stop()])
      await db.close()
    },
  }
}

/** How far the changes were read. */
interface Position extends Pick<FeedRow, 'xmin' | 'at' | 'session'> {
  /** What was read last time may come again. */
  seen: Set<bigint>
}

async function loadFirst<Row extends FeedRow>(db: Db, options: FeedOptions<Row>): Promise<Position> {
  for (let tries = 1; ; tries++) {
    try {
      return await load(db, options)
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable'
      if (!isAway || tries >= loadTriesMax) throw error
    }
  }
}

/** The position first: what is committed while the rest is read comes again with the first poll. */
async function load<Row extends FeedRow>(db: Db, options: FeedOptions<Row>): Promise<Position> {
  const position = await db.row<Pick<FeedRow, 'xmin' | 'at' | 'session'>>(positionStatement)
  if (position === undefined) throw new AppError('unavailable', { retryAfter: 1 })
  await options.load?.(db)
  return { ...position, seen: new Set() }
}

async function catchUp<Row extends FeedRow>(
  db: Db,
  options: FeedOptions<Row>,
  place: Position,
): Promise<void> {
  const known = await options.changesSince(db, place.xmin)
  const isSame = known[0]?.session === place.session
  const rows = isSame ? known : await options.changesSince(db, beforeAll)
  const [first] = rows
  if (first === undefined) return
  const away = first.at.getTime() - place.at.getTime()
  // Numbers that run backwards are those of another server: one that was restored, say.
  if (away > gapMs || BigInt(first.xmin) < BigInt(place.xmin)) {
    Object.assign(place, await load(db, options))
    options.onGap()
    return
  }
  const seen = new Set<bigint>()
  for (const row of rows) {
    if (!isChange(row)) continue
    seen.add(row.id)
    if (!place.seen.has(row.id)) options.onChange(row)
  }
  Object.assign(place, { xmin: first.xmin, at: first.at, session: first.session, seen })
}

const isChange = <Row extends FeedRow>(row: Row): row is Row & { id: bigint } => row.id !== null

/** One look at a time, one a second; `now` makes the next one come at once. */
function keepPolling(look: () => Promise<void>, log: Log) {
  let stopped = false
  let again = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failing = false
  const onFailure = (error: unknown) => {
    // Once until it works again: the state shows in the health of the process.
    if (!failing) log.warn({ err: error }, 'could not look for changes of other processes')
    failing = true
  }
  const poll = () => {
    clearTimeout(timer)
    if (running !== undefined || stopped) {
      again = true
      return
    }
    again = false
    const begun = performance.now()
    running = look()
      .then(() => {
        failing = false
      }, onFailure)
      .then(() => {
        running = undefined
        const waitMs = again && !failing ? 0 : Math.max(0, pollMs - (performance.now() - begun))
        if (!stopped) timer = setTimeout(poll, waitMs)
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
