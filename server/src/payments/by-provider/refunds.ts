// Refunds of payments that came by a provider: they go back the same way, and are held on the merchant's account until
// the provider says what came of it.
import { check } from '../../base/check.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { type Amount, toText } from '../../base/money.ts'
import type { AlsoRow, Outcome as LedgerOutcome, Posting } from '../../ledger/ledger.ts'
import * as merchantsRoom from '../../merchants/merchants.ts'
import * as notifications from '../../notifications/notifications.ts'
import type { Operation, Outcome } from '../../operations/operations.ts'
import type { OperationKind } from '../../providers/providers.ts'
import * as providers from '../../providers/providers.ts'
import { eventOf, type PaymentOptions } from '../events.ts'
import { givenBackRows, notGivenBackRows, payeeAccount } from '../payee.ts'
import { paymentOf } from '../rows.ts'
import { failureOf, type Payment, type Told } from '../rules.ts'
import type { RefundRow } from '../sql.ts'
import * as sql from '../sql.ts'
import * as own from './sql.ts'

/** An order to the provider that gives it back; `problem`: why it can't be given. */
export interface RefundOrder {
  operation: Operation
  problem: AppError | undefined
}

/** Nothing, when the payment came from a wallet. */
export async function orderRefund(
  { operations }: PaymentOptions,
  payment: Payment,
  { attempts, ...amount }: Amount & { attempts: readonly sql.AttemptRow[] },
): Promise<RefundOrder | undefined> {
  const paid = attempts.find(({ status }) => status === 'succeeded')?.operation_id
  if (paid === undefined || paid === null) return undefined
  const original = await operations.find(paid)
  check(original !== undefined, 'a try that succeeded has an operation')
  const { provider, mode, phone } = original
  const kind = kindOf(original, amount)
  const problems = operations.problems({ provider, mode, kind, amount, phone })
  const operation = operations.make({
    provider,
    mode,
    kind,
    purpose: 'refund',
    subject: newId('rfd'),
    amount,
    phone,
    email: original.email,
    reference: payment.reference,
    about: payment.merchantName,
    originalId: original.id,
  })
  return { operation, problem: problemOf(problems) }
}

/** A part goes back as a payout where the provider gives back the whole or nothing. */
const kindOf = (original: Operation, { minor }: Amount): OperationKind =>
  providers.adapterOf(original.provider).refundsWholeOnly && minor < original.amount.minor
    ? 'payout'
    : 'refund'

function problemOf({ amount, ...others }: Record<string, string>): AppError | undefined {
  if (amount !== undefined) return new AppError('validation_failed', { errors: { amount } })
  const [other] = Object.values(others)
  return other === undefined ? undefined : new AppError('invalid_state', { detail: `${other}.` })
}

export function heldPosting(
  { operations }: PaymentOptions,
  payment: Payment,
  { operation, reason }: { operation: Operation; reason: string | null },
): Posting {
  const { minor, currency } = operation.amount
  const { number, reference, mode, refunded, refunding } = payment
  return {
    kind: 'refund',
    mode,
    currency,
    details: { reference, counterparty: { name: payment.merchantName }, operation: operation.id },
    entries: [],
    hold: { ...payeeAccount(payment), amount: minor },
    also: ({ hold, createdAt }) => [
      { statement: own.beginRefundStatement, values: [number, minor, refunded.minor + refunding.minor] },
      {
        statement: own.refundRowStatement,
        values: [operation.subject, number, minor, reason, operation.id, hold, createdAt],
      },
      operations.row(operation),
    ],
  }
}

const racesMax = 10

/** What the provider said of a refund, at last. May be told again, and by several processes at once. */
export async function endRefund(
  options: PaymentOptions,
  operation: Operation,
  outcome: Outcome,
): Promise<void> {
  const { db, ledger } = options
  for (let races = 0; races < racesMax; races++) {
    const refund = await own.readRefund(db, operation.subject)
    check(refund !== undefined, 'an operation of a refund belongs to one')
    if (refund.status !== 'pending') return
    const [row] = await sql.readByNumber(db, refund.number)
    check(row !== undefined, 'a refund belongs to a payment')
    const payment = paymentOf(row, options.secrets.idem)
    const ended = { operation, refund, payment }
    const posted =
      outcome.state === 'failed'
        ? await release(options, { ...ended, outcome })
        : await ledger.submit(settlePosting(options, { ...ended, outcome }))
    if (posted.ok) return
    // Another refund of this payment, or another process with this one, was first.
    check(['state_changed', 'hold_not_open'].includes(posted.refusal), 'what is held is there')
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

interface Ended {
  operation: Operation
  refund: RefundRow
  payment: Payment
}

const detailsOf = ({ payment, refund, operation }: Pick<Ended, 'payment' | 'refund' | 'operation'>) => ({
  reference: payment.reference,
  counterparty: { name: payment.merchantName },
  ...(refund.reason === null ? {} : { note: refund.reason }),
  operation: operation.id,
})

type Failed = Ended & { outcome: Extract<Outcome, { state: 'failed' }> }

/** No notification tells of it, and whoever asked for it has gone: the owner of the business gets a mail. */
async function release(options: PaymentOptions, failed: Failed): Promise<LedgerOutcome> {
  const { db, ledger, clock, merchants, users } = options
  const { payment, refund } = failed
  const merchant = payment.merchant === null ? undefined : await merchants.merchant(payment.merchant)
  const owner = merchant && (await users.person(merchant.owner))
  return db.inTransaction(async (tx) => {
    const [outcome] = await ledger.post(tx, [releasePosting(options, failed)])
    check(outcome !== undefined, 'each posting has an outcome')
    if (!outcome.ok || merchant === undefined || owner === undefined) return outcome
    const { reference, mode, merchantName: businessName } = payment
    const amountText = toText({ minor: refund.amount, currency: payment.amount.currency }, owner.locale)
    const data = { businessName, amountText, reference, mode, time: clock.now() }
    await merchantsRoom.tellOwner(tx, {
      owner,
      merchant: merchant.id,
      mode,
      words: { template: 'refund_failed', data },
    })
    return outcome
  })
}

function releasePosting({ operations, clock }: PaymentOptions, { outcome, ...ended }: Failed): Posting {
  const { operation, refund, payment } = ended
  const { code, message } = failureOf(outcome.code)
  check(refund.hold_id !== null, 'what waits for the provider is held')
  return {
    kind: 'refund',
    mode: payment.mode,
    currency: payment.amount.currency,
    details: detailsOf(ended),
    entries: [],
    settle: { hold: refund.hold_id, amount: 0n, rest: 'release' },
    also: () => [
      { statement: own.notRefundedStatement, values: [payment.number, refund.amount] },
      { statement: own.refundFailedStatement, values: [refund.id, code, message, clock.now()] },
      ...notGivenBackRows(payment, message),
      operations.endRow(operation, outcome),
    ],
  }
}

type Done = Ended & { outcome: Extract<Outcome, { state: 'completed' }> }

/** What surely moved; never more than was held for it. */
const movedOf = ({ outcome, refund: { amount } }: Done): bigint =>
  outcome.amount.minor < amount ? outcome.amount.minor : amount

function settlePosting({ operations }: PaymentOptions, done: Done): Posting {
  const { operation, outcome, refund, payment } = done
  const moved = movedOf(done)
  check(refund.hold_id !== null, 'what waits for the provider is held')
  return {
    kind: 'refund',
    mode: payment.mode,
    currency: payment.amount.currency,
    details: detailsOf(done),
    entries: [
      { ...payeeAccount(payment), amount: -moved },
      { kind: 'clearing', owner: operation.provider, amount: moved },
    ],
    settle: { hold: refund.hold_id, amount: moved, rest: 'release' },
    also: (posted) => [
      { statement: own.refundedStatement, values: [payment.number, refund.amount, moved, payment.events] },
      { statement: own.refundDoneStatement, values: [refund.id, moved, posted.id, posted.createdAt] },
      operations.endRow(operation, outcome),
      ...givenBackRows(payment, { moved, posted }),
      ...toldRows(payment, { moved, at: posted.createdAt }),
    ],
  }
}

function toldRows(payment: Payment, { moved, at }: { moved: bigint; at: Date }): AlsoRow[] {
  const { currency } = payment.amount
  const total = payment.refunded.minor + moved
  const refunded: Payment = {
    ...payment,
    status: total === payment.amount.minor ? 'refunded' : payment.status,
    refunded: { minor: total, currency },
    events: payment.events + 1,
  }
  const told: Told = { payment: refunded, event: 'refunded', at, refund: { minor: moved, currency } }
  const event = eventOf(told, refunded.events)
  return event === undefined ? [] : [notifications.outboxRow(event)]
}
