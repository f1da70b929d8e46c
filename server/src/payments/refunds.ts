// Refunds, whole or in part: never more than was paid, however many come at once.
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Amount } from '../base/money.ts'
import type { Posting, RequestKey } from '../ledger/ledger.ts'
import * as notifications from '../notifications/notifications.ts'
import { eventOf, type PaymentOptions } from './events.ts'
import type { Payment, Told } from './rules.ts'
import * as sql from './sql.ts'

export interface Refund {
  /** Absent: all that is left. */
  amount: Amount | undefined
  reason: string | null
  /** Of a request that may be repeated. */
  key: RequestKey | undefined
}

/** `look again`: somebody else refunded meanwhile. */
export async function refundOnce(
  options: PaymentOptions,
  payment: Payment,
  { amount, reason, key }: Refund,
): Promise<'done' | 'repeated' | 'look again'> {
  const { currency } = payment.amount
  const left = payment.amount.minor - payment.refunded.minor
  const minor = amount?.minor ?? left
  const problem = refundProblem(payment, { minor, left })
  // Who repeats a request with its key hears what came of it, whatever the payment is by now.
  if (problem !== undefined && key === undefined) throw problem
  const posting = refundPosting(payment, { minor: minor > 0n ? minor : 1n, currency, reason })
  const answer = () => {
    if (problem !== undefined) throw problem
    return { status: 200, body: '' }
  }
  const outcome = await options.ledger.submit(
    key === undefined ? posting : { ...posting, once: { key, answer } },
  )
  if (outcome.ok) return outcome.replayed ? 'repeated' : 'done'
  if (problem !== undefined) throw problem
  switch (outcome.refusal) {
    case 'state_changed':
      return 'look again'
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

function refundProblem(
  payment: Payment,
  { minor, left }: { minor: bigint; left: bigint },
): AppError | undefined {
  if (payment.status !== 'completed') {
    return new AppError('invalid_state', {
      detail: `A payment that is ${payment.status} can not be refunded.`,
    })
  }
  if (minor <= left) return undefined
  const errors = { amount: 'Amount must not be more than what was paid and not yet refunded' }
  return new AppError('validation_failed', { errors })
}

function refundPosting(payment: Payment, refund: Amount & { reason: string | null }): Posting {
  const { number, reference, mode, payerId } = payment
  const { minor, currency, reason } = refund
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
    entries: [{ kind: 'merchant', owner: String(payment.merchant), amount: -minor }, back],
    also: ({ id, createdAt }) => {
      const total = payment.refunded.minor + minor
      const status = total === payment.amount.minor ? 'refunded' : payment.status
      const refunded: Payment = {
        ...payment,
        status,
        refunded: { minor: total, currency },
        events: payment.events + 1,
      }
      const told: Told = { payment: refunded, event: 'refunded', at: createdAt, refund: { minor, currency } }
      const event = eventOf(told, refunded.events)
      return [
        { statement: sql.refundStatement, values: [number, minor, payment.refunded.minor] },
        { statement: sql.refundRowStatement, values: [newId('rfd'), number, minor, reason, id, createdAt] },
        ...(event === undefined ? [] : [notifications.outboxRow(event)]),
      ]
    },
  }
}
