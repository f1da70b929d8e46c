// The only importer of the driver. Rooms get a Db for single statements and a Tx inside inTransaction; both
// take plain SQL with parameters. What must stay true: a transaction either commits whole or is rolled back,
// a lost connection is told as `unavailable`, and nothing here waits without a limit.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { someOf } from '../base/chance.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import {
  ask,
  connectionSettings,
  cut,
  isAway,
  openPool,
  patienceMs,
  setPlanning,
  sqlState,
  waitedMs,
  waitFor,
  withClient,
} from './pool.ts'

export { databaseClock } from './clock.ts'
export { changesStatement, type Feed, type FeedOptions, type FeedRow, openFeed } from './feed.ts'
export { type Listener, openListener } from './listen.ts'
export { openNumbers, takeNumber } from './numbers.ts'
export { isAway, limitsFor } from './pool.ts'
export { sealAnew } from './sealed.ts'
export { shareOf } from './share.ts'

export type Parameters = readonly unknown[]

export interface Queries {
  rows<Row extends object>(sql: string, parameters?: Parameters): Promise<Row[]>
  /**
   * The first row, if there is one. Parsed and planned once a connection, since who wants one row finds it by a key; so its
   * text is fixed.
   */
  row<Row extends object>(sql: string, parameters?: Parameters): Promise<Row | undefined>
  /** The same for hot statements with a fixed text that give many rows, or none. */
  prepared<Row extends object>(sql: string, parameters: Parameters): Promise<Row[]>
}

/** Statements inside one transaction. Handed on as the first argument, never kept. */
export interface Tx extends Queries {
  readonly inside: 'transaction'
}

export interface Db extends Queries {
  /**
   * Runs `work` in a transaction and commits. It may run several times (deadlock, serialisation failure), so it
   * must change nothing but the database, and await nothing but the database.
   */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same in two round trips, when statements are sent without waiting for the ones before: `begin` goes out
   * with the first of them, and `commit` with those that `work` has sent and returns as `writing`.
   */
  inTwoTrips<T>(work: (tx: Tx) => Promise<{ result: T; writing: Promise<unknown> }>): Promise<T>
  /**
   * Reads as of one moment, however long it takes, and can't write. On a connection of its own, so that minutes of
   * reading take nothing from the pool; one statement may take a minute.
   */
  inSnapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  connections(): { total: number; idle: number; waiting: number }
  /** How long whoever has waited longest for a connection has waited by now; 0 when there is one for everybody. */
  waitedMs(): number
  close(): Promise<void>
}

export interface OpenOptions {
  url: string
  connectionsMax: number
  /** Seen in pg_stat_activity. */
  name: string
  /** Statements are sent at once, in order, without waiting for the answers of earlier ones. */
  pipeline?: boolean
  /**
   * For a few statements that are sent thousands of times a second, and whose parameters are arrays of any length: left
   * to itself, PostgreSQL plans those anew each time. Wrong for statements whose best plan depends on what is asked for.
   */
  plannedOnce?: boolean
  /**
   * For tables that are empty one moment and large the next, a queue for example: a plan that reads a table whole was
   * right when it was made and is ruinous later. So rows are only fetched one by one, along an index, in its order.
   */
  byIndex?: boolean
  /** How long the server may take over one statement. */
  statementMs?: number
  /** How long opening a connection may take, and waiting for a free one. Short (`limitsFor`) where somebody waits. */
  connectMs?: number
  /** A connection broke while nobody used it. The pool opens another one; this is only to be told. */
  onIdleError?: (error: Error) => void
}

const snapshotStatementMs = 60_000
const attemptsMax = 5

export function openDb(options: OpenOptions): Db {
  const pool = openPool({ ...options, pipeline: true })
  return {
    rows: (sql, parameters) => withClient(pool, (client) => rows(client, sql, parameters)),
    row: (sql, parameters) =>
      withClient(pool, async (client) => (await prepared(client, sql, parameters))[0] as never),
    prepared: (sql, parameters) => withClient(pool, (client) => prepared(client, sql, parameters)),
    inTransaction: (work) => retried(() => withClient(pool, (client) => attemptTransaction(client, work))),
    inTwoTrips: (work) => retried(() => withClient(pool, (client) => attemptTwoTrips(client, work))),
    inSnapshot: (work) => readSnapshot(options, work),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    waitedMs: () => waitedMs(pool),
    close: () => pool.end(),
  }
}

/** One connection for statements that must reach the database in the order they were sent. */
export interface Writer {
  /** Sent at once, behind what was sent before, without waiting for it. Each is a transaction of its own. */
  write(sql: string, parameters: Parameters): Promise<void>
  /** Several in one transaction, all sent at once. */
  writeAll(statements: readonly { text: string; parameters: Parameters }[]): Promise<void>
  /** The first row, read behind everything that was sent before. */
  read<Row extends object>(sql: string, parameters: Parameters): Promise<Row | undefined>
  close(): Promise<void>
}

export function openWriter(options: Omit<OpenOptions, 'connectionsMax'>): Writer {
  let connection: Promise<pg.Client> | undefined
  /** Several statements may break with one connection; the next one that was opened meanwhile must stay. */
  const forget = (broken: Promise<pg.Client>, client: pg.Client) => {
    if (connection === broken) connection = undefined
    cut(client)
  }
  const connect = () => {
    const client = new pg.Client(connectionSettings({ ...options, pipeline: true }))
    waitFor(client, options)
    const opening = client.connect().then(() => {
      setPlanning(client, options)
      return client
    })
    // One that breaks while nobody uses it is not used again.
    const lost = () => {
      if (connection === opening) connection = undefined
    }
    client.on('end', lost)
    client.on('error', (error) => {
      lost()
      options.onIdleError?.(error)
    })
    return opening
  }
  const withConnection = async <T>(use: (client: pg.Client) => Promise<T>): Promise<T> => {
    connection ??= connect()
    const mine = connection
    const client = await mine.catch((cause: unknown) => {
      if (connection === mine) connection = undefined
      throw new AppError('unavailable', { retryAfter: 1, cause })
    })
    try {
      return await use(client)
    } catch (cause) {
      if (!isAway(cause)) throw cause
      forget(mine, client)
      throw new AppError('unavailable', { detail: unknownOutcome, retryAfter: 1, cause })
    }
  }
  return {
    write: async (sql, parameters) => {
      await withConnection((client) => prepared(client, sql, parameters))
    },
    writeAll: (statements) => withConnection((client) => sendTransaction(client, statements)),
    read: async <Row extends object>(sql: string, parameters: Parameters) =>
      (await withConnection((client) => prepared<Row>(client, sql, parameters)))[0],
    close: async () => {
      const client = await connection?.catch(() => undefined)
      await client?.end()
    },
  }
}

/** After a statement that failed PostgreSQL takes `commit` as `rollback`: nothing can be committed in part. */
async function sendTransaction(
  client: pg.Client,
  statements: readonly { text: string; parameters: Parameters }[],
): Promise<void> {
  const sent = [
    ask(client, 'begin'),
    ...statements.map(({ text, parameters }) => prepared(client, text, parameters)),
    ask(client, 'commit'),
  ]
  // The one that failed first says why; those after it only say that something failed.
  for (const settled of await Promise.allSettled<unknown>(sent)) {
    if (settled.status === 'rejected') throw settled.reason
  }
}

const unknownOutcome =
  'The database went away while it was saving. Repeat the request with the same Idempotency-Key.'

type Release = (error?: Error | boolean) => void
type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void

/**
 * A bare pool with the driver's own types, for the one library that brings its own queries: the worker's. When a connection
 * breaks at a bad moment it gives it back twice, which the driver takes for a bug that must end the process: here the
 * second time means nothing.
 */
export function openForeignPool(options: OpenOptions): pg.Pool {
  const pool = openPool(options, { types: pg.types, query_timeout: patienceMs(options) })
  const connect = pool.connect.bind(pool) as (done: Connected) => void
  const connectOnce = (done: Connected) =>
    connect((error, client, release) => {
      if (client === undefined) return done(error, client, release)
      let given = false
      client.release = (problem) => {
        if (!given) release(problem)
        given = true
      }
      done(error, client, client.release)
    })
  const promised = () =>
    new Promise<pg.PoolClient>((resolve, reject) =>
      connectOnce((error, client) => (client === undefined ? reject(error) : resolve(client))),
    )
  return Object.assign(pool, {
    connect: ((done?: Connected) =>
      done === undefined ? promised() : connectOnce(done)) as typeof pool.connect,
  })
}

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= attemptsMax || !isConflict(error)) throw error
      await sleep(someOf(20 * tries))
    }
  }
}

async function readSnapshot<T>(options: OpenOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
  const pool = openPool({
    ...options,
    connectionsMax: 1,
    name: `${options.name} snapshot`,
    pipeline: false,
    statementMs: snapshotStatementMs,
  })
  const begin = 'begin isolation level repeatable read, read only'
  try {
    return await withClient(pool, (client) => attemptTransaction(client, work, begin))
  } finally {
    await pool.end()
  }
}

async function attemptTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Tx) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await ask(client, begin)
  let result: T
  try {
    result = await work(txOf(client))
  } catch (error) {
    // A connection in doubt is closed by withClient, and that rolls back too.
    if (!isAway(error)) await ask(client, 'rollback')
    throw error
  }
  const { command } = await commit(client)
  // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, and no error.
  check(command === 'COMMIT', 'a transaction whose work succeeded commits')
  return result
}

async function attemptTwoTrips<T>(
  client: pg.PoolClient,
  work: (tx: Tx) => Promise<{ result: T; writing: Promise<unknown> }>,
): Promise<T> {
  const beginning = ask(client, 'begin')
  let sent: { result: T; writing: Promise<unknown> }
  try {
    ;[sent] = await Promise.all([work(txOf(client)), beginning])
  } catch (error) {
    if (!isAway(error)) await ask(client, 'rollback')
    throw error
  }
  // After a statement that failed PostgreSQL takes `commit` as `rollback`: nothing can be committed in part.
  const [writing, committing] = await Promise.allSettled([sent.writing, commit(client)])
  if (writing.status === 'rejected') throw writing.reason
  if (committing.status === 'rejected') throw committing.reason
  check(committing.value.command === 'COMMIT', 'a transaction whose work succeeded commits')
  return sent.result
}

const txOf = (client: pg.PoolClient): Tx => ({
  inside: 'transaction',
  rows: (sql, parameters) => rows(client, sql, parameters),
  row: async (sql, parameters) => (await prepared(client, sql, parameters))[0] as never,
  prepared: (sql, parameters) => prepared(client, sql, parameters),
})

const statementNames = new Map<string, string>()

/** The texts are constants of the program, so there are only a few. */
function nameOf(sql: string): string {
  const known = statementNames.get(sql)
  if (known !== undefined) return known
  const name = `mfuko_${statementNames.size}`
  statementNames.set(sql, name)
  return name
}

async function commit(client: pg.PoolClient): Promise<{ command: string }> {
  try {
    return await ask(client, 'commit')
  } catch (cause) {
    if (!isAway(cause)) throw cause
    const detail =
      'The database went away while it was saving. Repeat the request with the same Idempotency-Key.'
    throw new AppError('unavailable', { detail, retryAfter: 1, cause })
  }
}

async function rows<Row extends object>(client: pg.PoolClient, sql: string, parameters: Parameters = []) {
  const result = await ask(client, sql, [...parameters])
  return result.rows as Row[]
}

async function prepared<Row extends object>(client: pg.ClientBase, sql: string, parameters: Parameters = []) {
  const statement = { name: nameOf(sql), text: sql, values: [...parameters] }
  return (await ask(client, statement)).rows as Row[]
}

/** Deadlock and serialisation failure: nothing happened, and trying again is the cure. */
export const isConflict = (error: unknown) => ['40001', '40P01'].includes(sqlState(error))

/** For a room that knows of another reason to try the whole transaction again. */
export const conflict = (cause: unknown): Error =>
  Object.assign(new Error('the transaction must be tried again', { cause }), { code: '40001' })

/** The name of the constraint that refused a row, to be mapped to a sentence by the room that owns it. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined
