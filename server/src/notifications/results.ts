// What came of attempts, written down: many at once, in one transaction, together with what it says of their targets and
// with what the merchant is told of that.
import * as audit from '../audit/audit.ts'
import type { Db, Tx } from '../db/db.ts'
import { isHopeless, probeSeconds, type Sent, type Step, warnFailures, warnHours } from './rules.ts'
import * as sql from './sql.ts'
import * as targetSql from './targets/sql.ts'

export interface Result {
  row: sql.LeasedRow
  /** When the attempt was begun, and when it was over. */
  at: Date
  endedAt: Date
  /** Absent: it was not begun after all. */
  sent: Sent | undefined
  step: Step
  /** There have been so many failures that the target counts as broken. */
  breaks: boolean
  /** A later event of the payment may be waiting for this one. */
  holdsBack: boolean
}

/** What a merchant should know of a target. */
export interface Trouble {
  /** `failing`: one event has failed four times. `suspended`, and every week while it is: nothing is sent any more. */
  kind: 'failing' | 'suspended' | 'still_suspended'
  merchant: number
  mode: 'live' | 'test'
  /** Scheme, host and port. */
  origin: string
  /** `gone`: it has answered 410. `failing`: nothing but failures for 120 hours. */
  reason: 'gone' | 'failing'
  /** Since when it fails, or is suspended. */
  since: Date
  at: Date
}

/** Called inside the transaction that notes the trouble, so it is told exactly once. */
export type OnTrouble = (tx: Tx, trouble: Trouble) => Promise<void>

export interface RecordOptions {
  now: Date
  onTrouble: OnTrouble
}

export async function recordResults(
  db: Db,
  results: readonly Result[],
  options: RecordOptions,
): Promise<void> {
  await db.inTransaction(async (tx) => {
    // All are sent before the first is waited for.
    const writing = [...writeSteps(tx, results, options.now), clearTargets(tx, results)]
    const failed = countFailures(tx, results)
    for (const settled of await Promise.allSettled([...writing, failed])) {
      if (settled.status === 'rejected') throw settled.reason
    }
    await tellTroubles(tx, { results, failed: await failed, ...options })
  })
}

const keyOf = ({ row, endedAt }: Result): sql.EndedRow => ({ ...row, attempt: row.attempts, at: endedAt })

function* writeSteps(tx: Tx, results: readonly Result[], now: Date): Generator<Promise<unknown>> {
  const attempts = results.flatMap((result) =>
    result.sent === undefined ? [] : [attemptOf(result, result.sent)],
  )
  if (attempts.length > 0) yield sql.addAttempts(tx, attempts)
  const delivered = results.filter(({ step }) => step.kind === 'delivered')
  if (delivered.length > 0) yield sql.deliver(tx, delivered.map(keyOf))
  const failed = results.filter(({ step }) => step.kind === 'failed')
  if (failed.length > 0) yield sql.giveUp(tx, failed.map(keyOf))
  const again = results.flatMap((result) =>
    result.step.kind === 'again' ? [{ ...keyOf(result), at: result.step.at }] : [],
  )
  if (again.length > 0) yield sql.tryAgain(tx, again, now)
  const back = results.flatMap((result) =>
    result.step.kind === 'back'
      ? [{ ...keyOf(result), at: result.step.at, unsent: result.sent === undefined }]
      : [],
  )
  if (back.length > 0) yield sql.giveBack(tx, back)
  const over = results.filter(
    ({ step, holdsBack }) => holdsBack && ['delivered', 'failed'].includes(step.kind),
  )
  if (over.length > 0)
    yield sql.wakeNext(
      tx,
      over.map(({ row }) => row.subject),
      now,
    )
}

const attemptOf = ({ row, at }: Result, sent: Sent): sql.AttemptRow => ({
  ...sent,
  number: row.number,
  attempt: row.attempts,
  at,
  detail: storable(sent.detail),
  cause: storable(sent.cause),
})

/** What receivers and systems say may hold what the database refuses to store as text. */
const storable = (text: string | undefined): string | undefined =>
  text?.slice(0, 400).toWellFormed().replaceAll('\0', '\ufffd')

/** By target, in the order in which the attempts ended. Interrupted ones say nothing of the target. */
const byTarget = (results: readonly Result[]): Result[][] => [
  ...Map.groupBy(
    results
      .filter(({ step }) => step.kind !== 'back')
      .sort((a, b) => a.endedAt.getTime() - b.endedAt.getTime()),
    ({ row }) => `${row.merchant} ${row.mode} ${row.origin}`,
  ).values(),
]

async function clearTargets(tx: Tx, results: readonly Result[]): Promise<void> {
  const worked = byTarget(results).flatMap((ofTarget) => {
    const delivered = ofTarget.filter(({ step }) => step.kind === 'delivered')
    const [first] = delivered
    return first === undefined ? [] : [{ ...first.row, resumes: delivered.some(({ row }) => row.replay) }]
  })
  if (worked.length > 0) await targetSql.clear(tx, worked)
}

/** Those after the last success. Behind `clearTargets`: statements of a transaction run in the order they were sent. */
async function countFailures(tx: Tx, results: readonly Result[]): Promise<targetSql.TargetRow[]> {
  const failed = byTarget(results).flatMap((ofTarget) => {
    const lastGood = ofTarget.findLastIndex(({ step }) => step.kind === 'delivered')
    const bad = ofTarget.slice(lastGood + 1)
    const [first] = bad
    return first === undefined ? [] : [{ ...first.row, failures: bad.length, firstAt: first.endedAt }]
  })
  return failed.length === 0 ? [] : targetSql.countFailures(tx, failed)
}

interface Telling extends RecordOptions {
  results: readonly Result[]
  failed: readonly targetSql.TargetRow[]
}

async function tellTroubles(tx: Tx, { results, failed, now, onTrouble }: Telling): Promise<void> {
  for (const target of failed) {
    const ofTarget = results.filter(
      ({ row }) =>
        row.merchant === target.merchant && row.mode === target.mode && row.origin === target.origin,
    )
    if (ofTarget.some(({ breaks }) => breaks)) {
      const probeAt = new Date(now.getTime() + probeSeconds * 1_000)
      await targetSql.breakOff(tx, [target], { now, probeAt })
    }
    await noteRefusal(tx, { target, ofTarget, now })
    const trouble = await troubleOf(tx, { target, ofTarget, now })
    if (trouble === undefined) continue
    await onTrouble(tx, trouble)
    if (trouble.kind === 'suspended') await noteSuspension(tx, trouble)
  }
}

interface Troubled {
  target: targetSql.TargetRow
  ofTarget: readonly Result[]
  now: Date
}

async function troubleOf(tx: Tx, { target, ofTarget, now }: Troubled): Promise<Trouble | undefined> {
  const { failing_since: failingSince, failures, failed_days: failedDays, merchant, mode, origin } = target
  const since = failingSince ?? now
  const gone = ofTarget.some(({ sent }) => sent?.problem === 'gone')
  const base = { merchant, mode, origin, at: now }
  if (gone || isHopeless({ failingSince: since, failures, failedDays }, now)) {
    const reason = gone ? 'gone' : 'failing'
    const suspended = await targetSql.suspend(tx, target, { now, why: reason })
    return suspended && { ...base, kind: 'suspended', reason, since: gone ? now : since }
  }
  const often = ofTarget.some(
    ({ row, step }) => step.kind !== 'delivered' && row.failures + 1 >= warnFailures,
  )
  const notSince = new Date(now.getTime() - warnHours * 3_600_000)
  if (!often || (await targetSql.warn(tx, target, { now, notSince })) === undefined) return undefined
  return { ...base, kind: 'failing', reason: 'failing', since }
}

const actor = { kind: 'system', id: 'notifications' }

/** An address that may not be reached: once, when it begins, since it may be somebody who feels along our walls. */
async function noteRefusal(tx: Tx, { target, ofTarget, now }: Troubled): Promise<void> {
  const refused = ofTarget.filter(({ sent }) => sent?.problem === 'address_not_allowed')
  const [first] = refused
  if (first === undefined || target.failures > ofTarget.length) return
  const { merchant, mode, origin } = target
  const details = { mode, origin, event: first.row.id, why: storable(first.sent?.cause) }
  await audit.record(tx, {
    actor,
    action: 'notification.refused',
    object: String(merchant),
    result: 'refused',
    details,
    at: now,
  })
}

async function noteSuspension(tx: Tx, { merchant, mode, origin, reason, at }: Trouble): Promise<void> {
  const details = { mode, origin, reason }
  await audit.record(tx, {
    actor,
    action: 'notification.target_suspended',
    object: String(merchant),
    result: 'ok',
    details,
    at,
  })
}
