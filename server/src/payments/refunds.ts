// Refunds, whole or in part: never more than was paid, however many come at once.
import * as audit from '../audit/audit.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Amount } from '../base/money.ts'
import { encodeReference } from '../base/reference.ts'
import type { Answer, Outcome, Posted, Posting, RequestKey } from '../ledger/ledger.ts'
import type { Leave } from '../merchants/merchants.ts'
import * as notifications from '../notifications/notifications.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Person } from '../users/users.ts'
import { heldPosting, orderRefund } from './by-provider/refunds.ts'
import { eventOf, type PaymentOptions } from './events.ts'
import { givenBackRows, payeeAccount } from './payee.ts'
import type { Payment, Told } from './rules.ts'
import * as sql from './sql.ts'

/** Who asks for a refund, and where from, as the audit log keeps it. */
export type RefundedBy = Pick<audit.AuditEvent, 'actor' | 'session' | 'address' | 'userAgent' | 'requestId'>

export interface Refund {
  /** Absent: all that is left. */
  amount: Amount | undefined
  reason: string | null
  /** Of a request that may be repeated. */
  key: RequestKey | undefined
  /** Absent: what it belongs to is written down elsewhere. */
  by?: RefundedBy | undefined
  /** Asked before each try. Absent: what it belongs to has decided. */
  leave?: (() => Promise<Leave>) | undefined
  /** What whoever asks is told, now and whenever the request is repeated. */
  answer?: (after: Refunded) => Answer
}

/** A payment as it is when a refund of it has been written down. */
export interface Refunded {
  payment: Payment
  attempts: sql.AttemptRow[]
  refunds: Omit<sql.RefundRow, 'number' | 'operation_id' | 'hold_id'>[]
}

export interface RefundMade {
  answer: Answer
  replayed: boolean
  /** To be sent to the provider now. */
  operation?: string | undefined
}

/** Undefined: somebody refunded, or took the leave away, meanwhile, and it is to be looked at again. */
export async function refundOnce(
  options: PaymentOptions,
  payment: Payment,
  refund: Refund,
): Promise<RefundMade | undefined> {
  const { db, ledger } = options
  const { currency } = payment.amount
  const left = payment.amount.minor - payment.refunded.minor - payment.refunding.minor
  const minor = refund.amount?.minor ?? left
  const { key } = refund
  const leave = await refund.leave?.()
  const refused = leave?.problem ?? refundProblem(payment, { minor, left })
  // Who repeats a request with its key hears what came of it, whatever the payment is by now.
  if (refused !== undefined) return ledger.answeredOr(db, { key, problem: refused })
  const [attempts, refunds] = await Promise.all([
    sql.readAttempts(db, payment.number),
    sql.readRefunds(db, payment.number),
  ])
  const order = await orderRefund(options, payment, { minor, currency, attempts })
  if (order?.problem !== undefined) return ledger.answeredOr(db, { key, problem: order.problem })
  const { reason } = refund
  const id = order?.operation.subject ?? newId('rfd')
  const made =
    order === undefined
      ? refundPosting(payment, { id, minor, currency, reason })
      : heldPosting(options, payment, { operation: order.operation, reason })
  const posting = refund.by === undefined ? made : noted(made, { payment, by: refund.by, id, minor })
  const answer = (posted: Posted): Answer => {
    const isHeld = order !== undefined
    const row = madeRefund({ id, amount: minor, reason }, { posted, isHeld })
    const after = isHeld
      ? { ...payment, refunding: plus(payment.refunding, minor) }
      : refundedOf(payment, minor)
    return (
      refund.answer?.({ payment: after, attempts, refunds: [...refunds, row] }) ?? { status: 200, body: '' }
    )
  }
  const guarded = leave === undefined ? posting : { ...posting, guard: leave.guard }
  const isToWallet = order === undefined && payment.mode === 'live' && payment.payerId !== null
  const payer = isToWallet ? await options.users.person(payment.payerId ?? '') : undefined
  const done = await submitRefund(options, { posting: guarded, key, answer, payment, payer })
  return done && { ...done, operation: done.replayed ? undefined : order?.operation.id }
}

interface Noting {
  payment: Payment
  by: RefundedBy
  id: string
  minor: bigint
}

/** With its row in the audit log. */
const noted = (posting: Posting, { payment, by, id, minor }: Noting): Posting => ({
  ...posting,
  also: (posted) => [
    ...(posting.also?.(posted) ?? []),
    audit.row({
      ...by,
      action: 'payment.refund',
      object: payment.reference,
      result: 'ok',
      details: { refund: id, amount: minor, currency: payment.amount.currency, mode: payment.mode },
      at: posted.createdAt,
    }),
  ],
})

const plus = ({ minor, currency }: Amount, more: bigint): Amount => ({ minor: minor + more, currency })

function refundedOf(payment: Payment, minor: bigint): Payment {
  const refunded = plus(payment.refunded, minor)
  const status = refunded.minor === payment.amount.minor ? 'refunded' : payment.status
  return { ...payment, status, refunded, events: payment.events + 1 }
}

/** As the row that is being written. */
const madeRefund = (
  refund: Pick<sql.RefundRow, 'id' | 'amount' | 'reason'>,
  { posted, isHeld }: { posted: Posted; isHeld: boolean },
): Refunded['refunds'][number] => ({
  ...refund,
  status: isHeld ? 'pending' : 'completed',
  failure_code: null,
  failure_message: null,
  created_at: posted.createdAt,
  ended_at: isHeld ? null : posted.createdAt,
})

interface Submitted {
  posting: Posting
  key: RequestKey | undefined
  answer: (posted: Posted) => Answer
  payment: Payment
  /** Whose wallet it goes into. */
  payer: Person | undefined
}

async function submitRefund(
  options: PaymentOptions,
  { posting, key, answer, payment, payer }: Submitted,
): Promise<Omit<RefundMade, 'operation'> | undefined> {
  const once = key === undefined ? posting : { ...posting, once: { key, answer } }
  const outcome = await move(options, once, { payment, payer })
  if (outcome.ok && outcome.replayed) return { answer: outcome.answer, replayed: true }
  if (outcome.ok) return { answer: outcome.answer ?? answer(outcome.posted), replayed: false }
  switch (outcome.refusal) {
    case 'state_changed':
    case 'guard_changed':
      return undefined
    case 'insufficient_funds': {
      const errors = { amount: 'Amount must not be more than what is in the merchant account' }
      throw new AppError('insufficient_funds', { errors })
    }
    case 'idempotency_conflict':
      throw new AppError('idempotency_conflict')
    default:
      throw new Error(`broken promise: a refund is never refused with ${outcome.refusal}`)
  }
}

/** With the receipt, if one is wanted, in one transaction; else the fast way. */
function move(
  options: PaymentOptions,
  posting: Posting,
  { payment, payer }: Pick<Submitted, 'payment' | 'payer'>,
): Promise<Outcome> {
  if (payer === undefined || !receipts.wanted(payer)) return options.ledger.submit(posting)
  return receipts.post(options, {
    posting,
    receipts: ({ id }) => [
      {
        person: payer,
        other: payment.merchantName,
        reference: encodeReference(options.secrets.idem, { kind: 'RF', id }),
        about: { kind: 'payment', id: payment.reference },
      },
    ],
  })
}

function refundProblem(
  payment: Payment,
  { minor, left }: { minor: bigint; left: bigint },
): AppError | undefined {
  if (payment.status !== 'completed') {
    return new AppError('invalid_state', {
      detail: `A payment that is ${payment.status} can not be refunded.`,
    })
  }
  if (minor > 0n && minor <= left) return undefined
  const errors = { amount: 'Amount must not be more than what was paid and not yet refunded' }
  return new AppError('validation_failed', { errors })
}

function refundPosting(payment: Payment, refund: Amount & { id: string; reason: string | null }): Posting {
  const { number, reference, mode, payerId } = payment
  const { id, minor, currency, reason } = refund
  const back =
    payerId === null
      ? ({ kind: 'clearing', owner: 'sandbox', amount: minor } as const)
      : ({ kind: 'user', owner: payerId, amount: minor } as const)
  return {
    kind: 'refund',
    mode,
    currency,
    details: {
      reference,
      counterparty: { name: payment.merchantName },
      ...(reason === null ? {} : { note: reason }),
    },
    entries: [{ ...payeeAccount(payment), amount: -minor }, back],
    also: (posted) => {
      const { createdAt } = posted
      const refunded = refundedOf(payment, minor)
      const told: Told = { payment: refunded, event: 'refunded', at: createdAt, refund: { minor, currency } }
      const event = eventOf(told, refunded.events)
      return [
        { statement: sql.refundStatement, values: [number, minor, payment.refunded.minor] },
        { statement: sql.refundRowStatement, values: [id, number, minor, reason, posted.id, createdAt] },
        ...givenBackRows(payment, { moved: minor, posted }),
        ...(event === undefined ? [] : [notifications.outboxRow(event)]),
      ]
    },
  }
}
