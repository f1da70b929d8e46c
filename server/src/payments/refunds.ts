// Refunds, whole or in part: never more than was paid, however many come at once.
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Amount } from '../base/money.ts'
import type { Posting, RequestKey } from '../ledger/ledger.ts'
import * as notifications from '../notifications/notifications.ts'
import { heldPosting, orderRefund } from './by-provider/refunds.ts'
import { eventOf, type PaymentOptions } from './events.ts'
import { givenBackRows, payeeAccount } from './payee.ts'
import type { Payment, Told } from './rules.ts'
import * as sql from './sql.ts'

export interface Refund {
  /** Absent: all that is left. */
  amount: Amount | undefined
  reason: string | null
  /** Of a request that may be repeated. */
  key: RequestKey | undefined
}

export interface RefundMade {
  /** `look again`: somebody else refunded meanwhile. */
  done: 'done' | 'repeated' | 'look again'
  /** To be sent to the provider now. */
  operation?: string | undefined
}

export async function refundOnce(
  options: PaymentOptions,
  payment: Payment,
  refund: Refund,
): Promise<RefundMade> {
  const { currency } = payment.amount
  const left = payment.amount.minor - payment.refunded.minor - payment.refunding.minor
  const asked = refund.amount?.minor ?? left
  const minor = asked > 0n ? asked : 1n
  const order = await orderRefund(options, payment, { minor, currency })
  const problem = refundProblem(payment, { minor: asked, left }) ?? order?.problem
  // Who repeats a request with its key hears what came of it, whatever the payment is by now.
  if (problem !== undefined && refund.key === undefined) throw problem
  const { reason } = refund
  const posting =
    order === undefined
      ? refundPosting(payment, { minor, currency, reason })
      : heldPosting(options, payment, { operation: order.operation, reason })
  const done = await submitRefund(options, { posting, key: refund.key, problem })
  return { done, operation: done === 'done' ? order?.operation.id : undefined }
}

interface Submitted {
  posting: Posting
  key: RequestKey | undefined
  problem: AppError | undefined
}

async function submitRefund(
  options: PaymentOptions,
  { posting, key, problem }: Submitted,
): Promise<RefundMade['done']> {
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
  if (minor > 0n && minor <= left) return undefined
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
    entries: [{ ...payeeAccount(payment), amount: -minor }, back],
    also: (posted) => {
      const { id, createdAt } = posted
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
        ...givenBackRows(payment, { moved: minor, posted }),
        ...(event === undefined ? [] : [notifications.outboxRow(event)]),
      ]
    },
  }
}
