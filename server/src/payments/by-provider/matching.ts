// An operator says which payment unmatched money was meant for.
import * as audit from '../../audit/audit.ts'
import { check } from '../../base/check.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { masked } from '../../base/masked.ts'
import { violatedConstraint } from '../../db/db.ts'
import * as funding from '../../funding/funding.ts'
import type { Posted, Posting } from '../../ledger/ledger.ts'
import type { PaymentOptions } from '../events.ts'
import { payeeEntries, payeeFee, payeePosting, takenRows } from '../payee.ts'
import { paymentOf } from '../rows.ts'
import type { Payment } from '../rules.ts'
import * as sql from '../sql.ts'
import { completedRows } from './completing.ts'
import * as own from './sql.ts'

export interface Match {
  /** The id of the unmatched money. */
  id: string
  /** The reference of the payment. */
  payment: Payment
  decider: funding.Decider
}

/** Pending, or not paid in time: the payment is completed by it. Returns the payment as it is then. */
export async function matchUnmatched(
  options: PaymentOptions,
  { id, payment: { number }, decider }: Match,
): Promise<Payment> {
  const { db, clock, secrets } = options
  try {
    return await db.inTransaction(async (tx) => {
      const row = await sql.lockByNumber(tx, number)
      check(row !== undefined, 'a payment that was seen is there')
      const payment = paymentOf(row, secrets.idem)
      const money = await funding.lockOpen(tx, id)
      refuseMisfit(payment, money)
      const [posted] = await options.ledger.post(tx, [matchPosting(options, payment, money)])
      check(posted?.ok === true, 'unmatched money that is open is there')
      await audit.record(tx, {
        actor: decider.by,
        action: 'unmatched.matched',
        object: id,
        result: 'ok',
        ...decider.origin,
        details: { payment: payment.reference, reason: decider.reason },
        at: clock.now(),
      })
      const [after] = await sql.readByNumber(tx, number)
      check(after !== undefined, 'a payment that was completed is there')
      return paymentOf(after, secrets.idem)
    })
  } catch (error) {
    const lost = ['posting_also', 'payment_ref_once'].includes(violatedConstraint(error) ?? '')
    if (!lost) throw error
    const detail = 'This money, or this payment, has been decided about already.'
    throw new AppError('invalid_state', { detail, cause: error })
  }
}

function refuseMisfit({ status, failure, mode, amount }: Payment, money: funding.UnmatchedRow): void {
  if (funding.wasToLeave(money.why))
    throw new AppError('invalid_state', {
      detail:
        'This money was to be paid out, and is somebody’s already. Send it again, or put it into a wallet.',
    })
  const isOpen = status === 'pending' || (status === 'failed' && failure?.code === 'expired')
  const fits = mode === money.mode && amount.minor === money.amount && amount.currency === money.currency
  if (isOpen && fits) return
  const payment = isOpen
    ? 'The payment must be of the same mode, amount and currency as the money'
    : 'The payment must be pending or expired'
  throw new AppError('validation_failed', { errors: { payment } })
}

function matchPosting(options: PaymentOptions, payment: Payment, money: funding.UnmatchedRow): Posting {
  const { amount, reference } = payment
  const fee = payeeFee(payment, options.prices)
  const { kind, details } = payeePosting(payment, fee)
  const customer = money.phone === null ? null : masked(money.phone)
  const rows = (posted: Posted) => {
    const at = posted.createdAt
    const values = [newId('att'), payment.number, money.provider, money.operation_id, customer, at]
    return [
      ...completedRows(payment, { method: money.provider, customer, fee: fee.minor, posted }),
      ...takenRows(payment, { posted }),
      { statement: own.lateStatement, values },
      funding.matchedRow(money.id, { kind: 'payment', to: reference, posted }),
    ]
  }
  return {
    kind,
    mode: payment.mode,
    currency: amount.currency,
    details: { ...details, unmatched: money.id },
    entries: [
      { kind: 'unmatched', owner: money.provider, amount: -amount.minor },
      ...payeeEntries(payment, fee),
    ],
    also: rows,
  }
}
