// What merchants and operators see of notifications, and what they may ask for again. Given out as it goes over the wire:
// other rooms serve it as it is.
import { AppError } from '../base/errors.ts'
import type { Queries, Tx } from '../db/db.ts'
import * as sql from './log/sql.ts'
import { problemSentences } from './rules.ts'
import type { Endpoint, Notification, NotificationForOperator, NotificationShown } from './schema.ts'
import * as targetSql from './targets/sql.ts'

export interface ListOptions {
  merchant: number
  mode?: 'live' | 'test' | undefined
  /** The payment. All of its events are one page. */
  subject?: string | undefined
  status?: sql.Status | undefined
  /** The `number` of the last one of the page before. */
  before?: bigint | undefined
  limit: number
}

/** The newest first. */
export async function list(
  db: Queries,
  { merchant, mode, subject, status, before, limit }: ListOptions,
): Promise<{ number: bigint; notification: Notification }[]> {
  const modes = mode === undefined ? ['live', 'test'] : [mode]
  const rows =
    subject === undefined
      ? await sql.listEvents(db, { merchant, modes, before, limit, status })
      : (await sql.eventsOfSubject(db, { merchant, subject })).filter(
          (row) =>
            modes.includes(row.mode) &&
            (status === undefined || row.status === status) &&
            (before === undefined || row.number < before),
        )
  return rows.map((row) => ({ number: row.number, notification: notificationOf(row) }))
}

const notificationOf = (row: sql.LoggedRow): Notification => ({
  id: row.id,
  event: row.event,
  kind: row.kind,
  reference: row.subject,
  sequence: row.sequence,
  mode: row.mode,
  url: row.url,
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.due_at?.toISOString() ?? null,
  last_attempt:
    row.last_at === null
      ? null
      : { at: row.last_at.toISOString(), status: row.last_status, problem: row.last_problem },
  created_at: row.at.toISOString(),
  done_at: row.done_at?.toISOString() ?? null,
})

export async function show(
  db: Queries,
  { merchant, id }: { merchant: number; id: string },
): Promise<NotificationShown | undefined> {
  const found = await read(db, { merchant, id })
  return found && { ...found.shown, log: found.attempts.map(attemptOf) }
}

export async function showToOperator(db: Queries, id: string): Promise<NotificationForOperator | undefined> {
  const found = await read(db, { merchant: undefined, id })
  if (found === undefined) return undefined
  const log = found.attempts.map((row) => ({
    ...attemptOf(row),
    duration_ms: row.duration_ms,
    address: row.address,
    cause: row.cause,
  }))
  return { ...found.shown, merchant_id: found.merchant, log }
}

async function read(db: Queries, which: { merchant: number | undefined; id: string }) {
  const row = await sql.readEvent(db, which)
  if (row === undefined) return undefined
  const attempts = await sql.readAttempts(db, row.number)
  const shown = { ...notificationOf(row), body: row.body, body_sha256: row.body_hash }
  return { shown, attempts, merchant: row.merchant }
}

/** How long a connection took to fail would tell what is there: without an answer there is no duration. */
const attemptOf = (row: sql.LoggedAttempt) => ({
  number: row.attempt,
  at: row.at.toISOString(),
  status: row.status,
  duration_ms: row.status === null ? null : row.duration_ms,
  problem: row.problem,
  message: row.problem === null ? null : (row.detail && visible(row.detail)) || problemSentences[row.problem],
  response: row.response === null ? null : visible(new TextDecoder().decode(row.response)),
})

/** Text that changes nothing where it is shown: a receiver chose it. */
export const visible = (text: string): string =>
  text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )

const noAddress = 'The payment names no address, so there is nobody to send this notification to.'
const tooOld =
  'The body of this notification is not kept any more, so it can not be sent again. Ask for the payment itself.'

/** Sends it once more, with the same id and bytes. One that waits is sent now. */
export async function replay(
  tx: Tx,
  { merchant, id, at }: { merchant: number; id: string; at: Date },
): Promise<void> {
  const event = await sql.lockEvent(tx, { merchant, id })
  if (event === undefined) throw new AppError('not_found')
  if (!event.has_url) throw new AppError('invalid_state', { detail: noAddress })
  if (!event.has_body) throw new AppError('invalid_state', { detail: tooOld })
  await sql.replayEvent(tx, event, at)
}

const rangeDays = 30
const rangeMost = 10_000
const replaysPerSecond = 10

export interface RangeOptions {
  merchant: number
  mode?: 'live' | 'test' | undefined
  from: Date
  /** Excluded. */
  to: Date
  at: Date
}

/** All that failed or are held, ten a second. `more`: there were too many for one call. */
export async function replayRange(
  tx: Tx,
  { merchant, mode, from, to, at }: RangeOptions,
): Promise<{ replayed: number; more: boolean }> {
  const span = to.getTime() - from.getTime()
  if (span <= 0) throw new AppError('validation_failed', { errors: { to: 'To must be later than from' } })
  if (span > rangeDays * 86_400_000) {
    const errors = { to: `To must be at most ${rangeDays} days after from` }
    throw new AppError('validation_failed', { errors })
  }
  const modes = mode === undefined ? ['live', 'test'] : [mode]
  const rows = await sql.replayRange(tx, {
    merchant,
    modes,
    from,
    to,
    at,
    most: rangeMost,
    perSecond: replaysPerSecond,
  })
  return { replayed: rows.length, more: rows.length === rangeMost }
}

/** Those that have trouble. */
export async function endpoints(
  db: Queries,
  { merchant, mode }: { merchant: number; mode?: 'live' | 'test' | undefined },
): Promise<Endpoint[]> {
  return (await targetSql.targetsOf(db, { merchant, mode })).map(endpointOf)
}

/** For operators. */
export const troubledEndpoints = async (db: Queries): Promise<(Endpoint & { merchant_id: number })[]> =>
  (await targetSql.troubledTargets(db)).map((row) => ({ ...endpointOf(row), merchant_id: row.merchant }))

const endpointOf = (row: targetSql.TargetRow): Endpoint => ({
  mode: row.mode,
  origin: row.origin,
  status: row.suspended_at === null ? 'failing' : 'suspended',
  reason: row.suspension,
  since: (row.suspended_at ?? row.failing_since ?? row.warned_at)?.toISOString() ?? '',
})

/** What is held stays held until somebody asks for it. False: it was not suspended. */
export const resume = async (
  tx: Tx,
  target: { merchant: number; mode: 'live' | 'test'; origin: string },
): Promise<boolean> => (await targetSql.resume(tx, target)) !== undefined

/** For watching: how many wait, and for how long the oldest first attempt is due. */
export async function waiting(db: Queries, now: Date): Promise<{ waiting: number; oldestSeconds: number }> {
  const row = await sql.waiting(db)
  const oldest = row?.oldest ?? now
  return {
    waiting: Number(row?.waiting ?? 0n),
    oldestSeconds: Math.max(0, (now.getTime() - oldest.getTime()) / 1_000),
  }
}
