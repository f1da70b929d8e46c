// Paid from a wallet: the money, the state, the attempt and the notification, written together.
import { newId } from '../base/ids.ts'
import type { Amount } from '../base/money.ts'
import type { AlsoRow, Posted, Posting } from '../ledger/ledger.ts'
import * as notifications from '../notifications/notifications.ts'
import { eventOf, fail, type PaymentOptions } from './events.ts'
import { paymentOf } from './rows.ts'
import { failureOf, type Payment, paymentFee } from './rules.ts'
import * as sql from './sql.ts'

/** Who pays from a wallet. */
export interface Payer {
  /** The account in the ledger that pays. */
  account: { kind: 'user' | 'clearing'; owner: string }
  /** Kept with the payment; absent for the customers of the sandbox. */
  id: string | null
  /** What the merchant may know. */
  shown: string
  /** What allowed it. */
  guard?: { owner: string; version: bigint }
}

export type WalletOutcome = 'paid' | 'declined' | 'guard_changed' | 'decided'

/** Those of a customer, before the payment fails. */
export const attemptsMax = 5

export async function payFromWallet(
  options: PaymentOptions,
  payment: Payment,
  payer: Payer,
): Promise<WalletOutcome> {
  if (payment.status !== 'pending' || payment.expiresAt <= options.clock.now()) return 'decided'
  const outcome = await options.ledger.submit(walletPosting(options, payment, payer))
  if (outcome.ok) return 'paid'
  switch (outcome.refusal) {
    case 'state_changed':
      return 'decided'
    case 'guard_changed':
      return 'guard_changed'
    case 'insufficient_funds':
      return declined(options, payment, payer)
    default:
      throw new Error(`broken promise: a payment is never refused with ${outcome.refusal}`)
  }
}

function walletPosting({ prices, clock }: PaymentOptions, payment: Payment, payer: Payer): Posting {
  const { amount, reference, number } = payment
  const fee = paymentFee(amount, prices)
  return {
    kind: 'payment',
    mode: payment.mode,
    currency: amount.currency,
    details: {
      reference,
      counterparty: { name: payment.merchantName },
      ...(payment.description === null ? {} : { note: payment.description }),
      amount: amount.minor.toString(),
      fee: fee.minor.toString(),
    },
    entries: [
      { ...payer.account, amount: -amount.minor },
      { kind: 'merchant', owner: String(payment.merchant), amount: amount.minor - fee.minor },
      { kind: 'fees', owner: '-', amount: fee.minor },
    ],
    ...(payer.guard === undefined ? {} : { guard: payer.guard }),
    also: (posted) => completion({ payment, payer, fee, posted, now: clock.now() }),
  }

  function completion(made: {
    payment: Payment
    payer: Payer
    fee: Amount
    posted: Posted
    now: Date
  }): AlsoRow[] {
    const at = made.posted.createdAt
    const completed: Payment = {
      ...payment,
      status: 'completed',
      completedAt: at,
      events: payment.events + 1,
    }
    const event = eventOf({ payment: completed, event: 'completed', at }, completed.events)
    const { shown, id: payerId } = made.payer
    return [
      {
        statement: sql.completeStatement,
        values: [number, at, 'wallet', shown, made.fee.minor, payerId, made.posted.id, completed.events],
      },
      { statement: sql.attemptStatement, values: [newId('att'), number, 'wallet', shown, at] },
      ...(event === undefined ? [] : [notifications.outboxRow(event)]),
    ]
  }
}

/** A try that failed leaves the payment pending, unless it was the last one. */
async function declined({ db, clock, secrets }: PaymentOptions, payment: Payment, payer: Payer) {
  const at = clock.now()
  const { code, message } = failureOf('insufficient_balance')
  return db.inTransaction(async (tx) => {
    const row = await sql.lockByNumber(tx, payment.number)
    if (row?.status !== 'pending') return 'decided'
    await sql.addFailedAttempt(tx, {
      id: newId('att'),
      number: payment.number,
      method: 'wallet',
      code,
      message,
      customer: payer.shown,
      at,
    })
    if (row.attempts + 1 >= attemptsMax)
      await fail(tx, paymentOf(row, secrets.idem), { code: 'declined', at })
    return 'declined'
  })
}
