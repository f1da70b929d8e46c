// Connections, and what is known of them. What must stay true: one that is in doubt is closed, and nobody waits for it;
// after one has gone silent, no other from before that moment is trusted; and nothing here waits without a limit.
import pg from 'pg'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import type { OpenOptions } from './db.ts'

/** Where nobody waits for an answer: a busy machine is late, and nothing is wrong. Requests have shorter limits. */
const connectTimeoutMs = 10_000
const statementTimeoutMs = 5_000
/** The client's own limit is so much later than the server's: a server that vanished can't cancel anything. */
const silenceMs = 500

export function openPool(options: OpenOptions, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(options),
    ...settings,
    max: options.connectionsMax,
    idleTimeoutMillis: 30_000,
  })
  // Without listeners a connection that breaks, idle or in use, would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) options.onIdleError?.(error)
  })
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    heardAt.set(client, performance.now())
    waitFor(client, options)
    setPlanning(client, options)
  })
  return pool
}

type Connecting = Omit<OpenOptions, 'connectionsMax'>

export const connectionSettings = (options: Connecting): pg.ClientConfig & { pipeline?: boolean } => ({
  connectionString: options.url,
  application_name: options.name,
  connectionTimeoutMillis: options.connectMs ?? connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  statement_timeout: options.statementMs ?? statementTimeoutMs,
  idle_in_transaction_session_timeout: 2 * (options.statementMs ?? statementTimeoutMs),
  types: ourTypes as pg.CustomTypesConfig,
  ...(options.pipeline ? { pipeline: true } : {}),
})

/**
 * Sent before anything else on a connection, and not with its start, where PgBouncer refuses settings of this kind. They
 * make statements fast, not right: a connection that breaks over them is noticed by whoever uses it.
 */
export function setPlanning(client: pg.ClientBase, { plannedOnce, byIndex }: Connecting): void {
  const settings = [
    ...(plannedOnce ? [['plan_cache_mode', 'force_generic_plan']] : []),
    ...(byIndex
      ? ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((way) => [`enable_${way}`, 'off'])
      : []),
  ]
  if (settings.length === 0) return
  const text = `select set_config(name, setting, false) from unnest($1::text[], $2::text[]) as s (name, setting)`
  const values = [settings.map(([name]) => name), settings.map(([, setting]) => setting)]
  ask(client, text, values).catch(() => undefined)
}

const int8Oid = 20

/** 64-bit integers arrive as bigint: money must never pass through a float. */
const ourTypes = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === int8Oid ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/**
 * For what somebody waits for. Against a server that hangs: waiting for a connection and for one statement end together
 * before six seconds are over, when the wait is two.
 */
export const limitsFor = (waitSeconds: number): Required<Pick<OpenOptions, 'connectMs' | 'statementMs'>> => ({
  connectMs: waitSeconds * 1_000,
  statementMs: (waitSeconds + 1) * 1_000,
})

/** How long to wait for what a connection is asked. */
const patience = new WeakMap<pg.ClientBase, number>()

export const patienceMs = ({ statementMs = statementTimeoutMs }: Connecting): number =>
  statementMs + silenceMs

export function waitFor(client: pg.ClientBase, options: Connecting): void {
  patience.set(client, patienceMs(options))
}

const silence = 'Query read timeout'

/**
 * Asks a connection. Not the driver's own way to wait for an answer, because that assigns a function to a property of each
 * statement (`query.callback = (…) => …`), and such a function V8 puts among the old objects at once, taking it for a
 * method that stays. From there everything of the statement was reached, its parameters and whoever waited for it, so
 * that none of it was collected before the next full collection, which then came every second.
 */
export async function ask(
  client: pg.ClientBase,
  query: string | pg.QueryConfig,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const waitMs = patience.get(client)
  check(waitMs !== undefined, 'it is known how long to wait for a connection')
  const config = typeof query === 'string' ? { text: query, values } : query
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(silence))
        // What was sent behind it waits for the same server.
        cut(client)
      }, waitMs)
      client.query(config, (error: Error | null, result) => {
        clearTimeout(timer)
        if (error) reject(error)
        else resolve(result)
      })
    })
  } catch (error) {
    // From here on it leads back to whoever asked.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** When a connection was last heard of, and when a pool last had one that went silent. */
const heardAt = new WeakMap<pg.ClientBase, number>()
const silentAt = new WeakMap<pg.Pool, number>()

/** A client whose connection is in doubt is closed, not given back. */
export async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await takeClient(pool)
  let inDoubt = false
  try {
    return await use(client)
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error
    inDoubt = isAway(cause)
    if (isSilence(cause)) silentAt.set(pool, performance.now())
    if (isAway(error)) throw new AppError('unavailable', { retryAfter: 1, cause: error })
    throw error
  } finally {
    if (!inDoubt) heardAt.set(client, performance.now())
    client.release(inDoubt)
    if (inDoubt) cut(client)
  }
}

/** Who waits for a connection of a pool, and since when: the first has waited longest. */
const waits = new WeakMap<pg.Pool, Set<{ since: number }>>()

/** How long whoever has waited longest for a connection has waited by now. */
export function waitedMs(pool: pg.Pool): number {
  for (const { since } of waits.get(pool) ?? []) return performance.now() - since
  return 0
}

async function connected(pool: pg.Pool): Promise<pg.PoolClient> {
  const line = waits.get(pool) ?? new Set()
  waits.set(pool, line)
  const place = { since: performance.now() }
  line.add(place)
  try {
    return await pool.connect()
  } finally {
    line.delete(place)
  }
}

/** What lay idle while another went silent would only cost the next caller the same wait. */
async function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  for (let taken = 0; taken <= pool.options.max; taken++) {
    let client: pg.PoolClient
    try {
      client = await connected(pool)
    } catch (cause) {
      throw new AppError('unavailable', { retryAfter: 1, cause })
    }
    if ((heardAt.get(client) ?? 0) >= (silentAt.get(pool) ?? 0)) return client
    client.release(true)
    cut(client)
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

/**
 * Closes a connection without a word. The driver's own way waits for the answers of statements that were sent, which of a
 * server that hangs never come: connections, and locks on the server, would pile up.
 */
export function cut(client: pg.ClientBase): void {
  const { connection } = client as pg.ClientBase & { connection?: { stream?: { destroy(): void } } }
  check(connection?.stream !== undefined, 'the driver has a socket to close')
  connection.stream.destroy()
}

/** SQLSTATE classes and codes that say "not now" rather than "not so". */
const awayStates = /^(08...|53...|57P0[1-5]|57014|55P03|25006|58...)$/
const awaySystemCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const awayMessages =
  /connection terminated|connection error|query read timeout|timeout exceeded when trying to connect/i

const isSilence = (error: unknown): boolean => error instanceof Error && error.message === silence

/** Is the database away, full, read-only or too slow? Then nothing is known to be wrong with the request. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false
  if (error instanceof pg.DatabaseError) return awayStates.test(error.code ?? '')
  return awaySystemCodes.test(sqlState(error)) || awayMessages.test(error.message)
}

export const sqlState = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
