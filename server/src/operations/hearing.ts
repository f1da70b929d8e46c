// What was heard for sure becomes what the operation is. The first who knows the end decides it, once; then its owner is
// told, again and again if need be, until it has moved the money and ended the operation in one transaction.
import { randomUUID } from 'node:crypto'
import * as audit from '../audit/audit.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import type { Heard } from '../providers/providers.ts'
import { type OperationRow, type Outcome, operationOf, outcomeIn, outcomeOf } from './model.ts'
import { inMs, leaseMs, type Room } from './room.ts'
import { answerToken, callbackToken, claimsOther, endAgainMs, nextAsk, tokenHash } from './rules.ts'
import * as sql from './sql.ts'

const suspicionMs = 60_000
/** So often its owner may fail to end it before an operator is called. */
const endingsMax = 5

export interface Hearing {
  /** It fails only if it was not sent again since: this was heard of one time that it was sent. */
  sends?: number
}

/** Keeps what the provider said for sure. `absent` is told apart by who asked. */
export async function hear(
  room: Room,
  row: OperationRow,
  heard: Heard,
  hearing: Hearing = {},
): Promise<OperationRow> {
  const { db, clock } = room
  const now = clock.now()
  const { id } = row
  switch (heard.state) {
    case 'pending': {
      const { providerReference = null, redirectUrl = null } = heard
      const due = dueOf(room, row, now)
      return (
        (await sql.keepPending(db, { id, providerReference, redirectUrl, due, now })) ??
        (await look(room, id))
      )
    }
    case 'unknown':
    case 'absent': {
      const absent = heard.state === 'absent'
      const due = dueOf(room, row, now)
      return (await sql.keepUnclear(db, { id, absent, due, now, sends: row.sends })) ?? (await look(room, id))
    }
    case 'completed':
    case 'failed': {
      const outcome = outcomeOf(heard, operationOf(row).amount)
      check(outcome !== undefined, 'what is completed or failed has an outcome')
      const providerReference = heard.state === 'completed' ? heard.providerReference : undefined
      return settle(room, row, { outcome, providerReference, ...(outcome.state === 'failed' ? hearing : {}) })
    }
  }
}

/** What the provider's records say. Returns when it has ended: who has decided the same a moment before may not be done. */
export async function learn(room: Room, id: string, heard: Heard): Promise<OperationRow> {
  const after = await hear(room, await look(room, id), heard)
  return after.decided === null ? after : conclude(room, after)
}

function dueOf({ registry }: Room, row: OperationRow, now: Date): Date | null {
  const askAfter = registry.of(row.provider, row.mode)?.adapter.askAfter ?? [3_600]
  return nextAsk(row.sent_at ?? row.created_at, now, askAfter)
}

export interface Settling extends Hearing {
  outcome: Outcome
  providerReference?: string | undefined
  /** Only if it is in one of these states; absent: once it was sent. */
  from?: readonly string[]
  /** Refused when somebody else has decided before: for people, who know nothing of each other. */
  onlyFirst?: true
  /** To be written with the decision. */
  event?: audit.AuditEvent
}

const sentStates = ['sending', 'pending', 'unknown']

/** Decides, and ends. If it was decided otherwise before, that stays, and what does not fit is dealt with. */
export async function settle(room: Room, row: OperationRow, settling: Settling): Promise<OperationRow> {
  const { db } = room
  const { outcome, event } = settling
  const decision = decisionOf(room, row, settling)
  const decided = await (event === undefined
    ? sql.decide(db, decision)
    : db.inTransaction(async (tx) => {
        await refuseUsedReceipt(tx, row, decision)
        const changed = await sql.decide(tx, decision)
        if (changed !== undefined) await audit.record(tx, event)
        return changed
      }))
  if (decided !== undefined) {
    if (decided.hint !== null && decided.hint !== decided.decided)
      await suspect(room, decided, `a callback said ${decided.hint}, and it is ${decided.decided}`)
    return conclude(room, decided)
  }
  if (settling.onlyFirst)
    throw new AppError('invalid_state', { detail: 'This operation has been decided already.' })
  const before = await look(room, row.id)
  if (before.decided === 'failed' && outcome.state === 'completed') await comeLate(room, before, outcome)
  else if (before.decided === 'completed' && outcome.state === 'failed') await failLate(room, before, outcome)
  return look(room, row.id)
}

/** A receipt is of one payment: a person who gives it to a second one has taken it from the wrong line. */
async function refuseUsedReceipt(tx: Tx, row: OperationRow, { state, receipt }: sql.Decided): Promise<void> {
  if (row.kind !== 'collect' || state !== 'completed' || receipt === null) return
  const receipted = { id: row.id, provider: row.provider, mode: row.mode, receipt }
  await sql.lockReceipt(tx, receipted)
  const other = await sql.collectedWith(tx, receipted)
  if (other === undefined) return
  const detail = `The receipt ${receipt} belongs to ${other.reference}, which is completed. Look for this one's own.`
  throw new AppError('invalid_state', { detail })
}

function decisionOf(
  { clock }: Room,
  { id, hint, hint_receipt }: OperationRow,
  { outcome, providerReference = undefined, from = sentStates, sends }: Settling,
): sql.Decided {
  const common = {
    id,
    providerReference: providerReference ?? null,
    now: clock.now(),
    due: inMs(clock, leaseMs),
    from,
    sends: sends ?? null,
  }
  if (outcome.state === 'failed') {
    const { state, code, detail } = outcome
    return { ...common, state, code, detail, receipt: null, confirmed: null, currency: null }
  }
  // Some providers tell the receipt in their callback only, which we believe once they have confirmed the rest.
  const hinted = hint === 'completed' ? hint_receipt : null
  const { minor, currency } = outcome.amount
  const receipt = outcome.receipt ?? hinted
  return { ...common, state: 'completed', receipt, confirmed: minor, currency, code: null, detail: null }
}

/** Its owner moves the money and ends it. What fails is tried again by a worker, in a while. */
export async function conclude(room: Room, row: OperationRow): Promise<OperationRow> {
  const { db, clock, log, endings } = room
  if (row.ended_at !== null) return row
  const outcome = outcomeIn(row)
  check(outcome !== undefined, 'only what is decided is concluded')
  const ending = endings.get(row.purpose)
  check(ending !== undefined, `somebody ends operations of the purpose ${row.purpose}`)
  try {
    await ending(operationOf(row), outcome, db)
  } catch (error) {
    log.error({ err: error, operation: row.id, purpose: row.purpose }, 'an operation could not be ended yet')
  }
  const after = await look(room, row.id)
  if (after.ended_at !== null) return after
  const hopeless = after.endings + 1 >= endingsMax
  const postponed = await sql.postponeEnding(db, {
    id: row.id,
    due: inMs(clock, endAgainMs(after.endings)),
    stuckSince: hopeless ? clock.now() : null,
  })
  return postponed ?? look(room, row.id)
}

type Completed = Extract<Outcome, { state: 'completed' }>

/** The provider had said no, and now it says that the money has come. It is there, so somebody must have it. */
async function comeLate(room: Room, row: OperationRow, { amount, receipt }: Completed): Promise<void> {
  const { db, clock, secrets } = room
  const now = clock.now()
  if (row.kind !== 'collect') {
    await complain(room, row, { trouble: 'failed, and afterwards it was said to be completed', now })
    return
  }
  const id = randomUUID()
  const late = await db.inTransaction((tx) =>
    sql.addLate(tx, {
      id,
      of: row.id,
      callbackHash: tokenHash(callbackToken(secrets.idem, id)),
      answerHash: tokenHash(answerToken(secrets.idem, id)),
      receipt: receipt ?? (row.hint === 'completed' ? row.hint_receipt : null),
      confirmed: amount.minor,
      currency: amount.currency,
      now,
      due: inMs(clock, leaseMs),
    }),
  )
  if (late !== undefined) await conclude(room, late)
}

type Failed = Extract<Outcome, { state: 'failed' }>

/**
 * The provider had said that it is done, and now it says that it is not. Operators see that. Of a payout that came back it
 * is also known where the money is, and that is written down as soon as the payout itself is.
 */
async function failLate(room: Room, row: OperationRow, { cameBack }: Failed): Promise<void> {
  const isBack = cameBack === true && row.kind === 'payout'
  const news = isBack ? 'the money came back' : 'it was said to have failed'
  await complain(room, row, { trouble: `completed, and afterwards ${news}`, now: room.clock.now() })
  if (!isBack) return
  const ended = await conclude(room, row)
  // Whoever told it is heard again in a while.
  if (ended.ended_at === null) throw new Error(`${row.id} came back before it could be ended`)
  for (const cameBack of room.cameBack) await cameBack(operationOf(ended), room.db)
}

/** Shown to operators, once. */
async function complain(
  { db, log }: Room,
  row: OperationRow,
  { trouble, now }: { trouble: string; now: Date },
): Promise<void> {
  if (row.trouble === trouble) return
  log.error({ operation: row.id, trouble }, 'a provider contradicts itself')
  await db.inTransaction(async (tx) => {
    await sql.markTrouble(tx, { id: row.id, now, trouble })
    await audit.record(tx, {
      actor: { kind: 'provider', id: row.provider },
      action: 'operation.contradicted',
      object: row.id,
      result: 'refused',
      details: { trouble },
      at: now,
    })
  })
}

/** Somebody has told us what is not so. At most one event a minute and operation: nobody can fill the log. */
export async function suspect({ db, clock }: Room, row: OperationRow, why: string): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - suspicionMs)
  await db.inTransaction(async (tx) => {
    if ((await sql.suspect(tx, { id: row.id, now, before })) === undefined) return
    await audit.record(tx, {
      actor: { kind: 'provider', id: row.provider },
      action: 'callback.refused',
      object: row.id,
      result: 'refused',
      details: { why },
      at: now,
    })
  })
}

/** A callback without a signature. Nothing of it counts; it is remembered until the provider was asked. */
export async function takeHint(room: Room, row: OperationRow, heard: Heard): Promise<OperationRow> {
  const { db } = room
  const { id } = row
  if (claimsOther(heard, operationOf(row).amount)) {
    await suspect(room, row, 'a callback told of another amount')
    return row
  }
  const state = heard.state === 'completed' || heard.state === 'failed' ? heard.state : null
  const receipt = heard.state === 'completed' ? (heard.receipt ?? null) : null
  if (row.decided === 'completed')
    return (receipt === null ? undefined : await sql.keepReceipt(db, { id, receipt })) ?? row
  const providerReference = 'providerReference' in heard ? heard.providerReference : undefined
  if (row.provider_reference === null && providerReference !== undefined)
    await sql.adoptReference(db, { id, providerReference })
  // What says nothing of the end takes back nothing that was said of it.
  if (state === null) return row
  return (await sql.keepHint(db, { id, state, receipt })) ?? row
}

/**
 * What an answer says of the hint before it. Only another end contradicts it: the provider's records may be behind its
 * callbacks, and a receipt that only the callback told would be lost.
 */
export async function judgeHint(room: Room, row: OperationRow, heard: Heard): Promise<void> {
  const isEnd = heard.state === 'completed' || heard.state === 'failed'
  if (row.hint === null || !isEnd || heard.state === row.hint) return
  await suspect(room, row, `a callback said ${row.hint}, and the provider says ${heard.state}`)
  await sql.keepHint(room.db, { id: row.id, state: null, receipt: null })
}

export async function look({ db }: Room, id: string): Promise<OperationRow> {
  const row = await sql.readById(db, id)
  check(row !== undefined, 'an operation that was seen is there')
  return row
}
