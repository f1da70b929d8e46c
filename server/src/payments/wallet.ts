// Paid from a wallet: the money, the state, the attempt and the notification, written together.
import { newId } from '../base/ids.ts'
import type { Amount } from '../base/money.ts'
import type { AlsoRow, Outcome, Posted, Posting } from '../ledger/ledger.ts'
import * as notifications from '../notifications/notifications.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Person } from '../users/users.ts'
import { failAfterLast } from './by-provider/attempts.ts'
import { eventOf, type PaymentOptions } from './events.ts'
import { payeeEntries, payeeFee, payeePosting, payerLimit, takenRows, toldOf } from './payee.ts'
import { attemptsMax, failureOf, type Payment } from './rules.ts'
import * as sql from './sql.ts'

/** Who pays from a wallet. */
export interface Payer {
  /** The account in the ledger that pays. */
  account: { kind: 'user' | 'clearing'; owner: string }
  /** Kept with the payment; absent for the customers of the sandbox. */
  id: string | null
  /** What the merchant may know. */
  shown: string
  /** Who gets a receipt. Absent: nobody does. */
  person?: Person
  /** What allowed it. */
  guard?: { owner: string; version: bigint }
}

/** `limited`: more would leave the wallet in a day than may. */
export type WalletOutcome = 'paid' | 'declined' | 'limited' | 'guard_changed' | 'decided'

export async function payFromWallet(
  options: PaymentOptions,
  payment: Payment,
  payer: Payer,
): Promise<WalletOutcome> {
  if (payment.status !== 'pending' || payment.expiresAt <= options.clock.now()) return 'decided'
  const outcome = await move(options, payment, payer)
  if (outcome.ok) return 'paid'
  switch (outcome.refusal) {
    case 'state_changed':
      return 'decided'
    case 'guard_changed':
      return 'guard_changed'
    case 'insufficient_funds':
      return declined(options, payment, { payer, why: 'insufficient_balance' })
    case 'limit_exceeded':
      return declined(options, payment, { payer, why: 'payer_limit_reached' })
    default:
      throw new Error(`broken promise: a payment is never refused with ${outcome.refusal}`)
  }
}

/** With the receipt, if one is wanted, in one transaction; else the fast way. */
function move(options: PaymentOptions, payment: Payment, payer: Payer): Promise<Outcome> {
  const posting = walletPosting(options, payment, payer)
  const { person } = payer
  if (person === undefined || !receipts.wanted(person)) return options.ledger.submit(posting)
  return receipts.post(options, {
    posting,
    receipts: (posted) => [{ person, ...toldOf(options, payment, posted) }],
  })
}

function walletPosting({ prices, clock }: PaymentOptions, payment: Payment, payer: Payer): Posting {
  const { amount, number } = payment
  const fee = payeeFee(payment, prices)
  return {
    ...payeePosting(payment, fee),
    mode: payment.mode,
    currency: amount.currency,
    entries: [{ ...payer.account, amount: -amount.minor }, ...payeeEntries(payment, fee)],
    ...payerLimit(payment, { owner: payer.id, prices }),
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
        values: [
          number,
          at,
          'wallet',
          shown,
          made.fee.minor,
          payerId,
          made.posted.id,
          completed.events,
          attemptsMax,
        ],
      },
      { statement: sql.attemptStatement, values: [newId('att'), number, 'wallet', shown, at] },
      ...takenRows(payment, { posted: made.posted, payer: made.payer.id ?? undefined }),
      ...(event === undefined ? [] : [notifications.outboxRow(event)]),
    ]
  }
}

/** A try that failed leaves the payment pending, unless it was the last one. */
async function declined(
  options: PaymentOptions,
  payment: Payment,
  { payer, why }: { payer: Payer; why: 'insufficient_balance' | 'payer_limit_reached' },
) {
  const { db, clock } = options
  const at = clock.now()
  const { code, message } = failureOf(why)
  return db.inTransaction(async (tx) => {
    const row = await sql.lockByNumber(tx, payment.number)
    if (row?.status !== 'pending' || row.attempts >= attemptsMax) return 'decided'
    await sql.addFailedAttempt(tx, {
      id: newId('att'),
      number: payment.number,
      method: 'wallet',
      code,
      message,
      customer: payer.shown,
      at,
    })
    await failAfterLast(options, tx, payment.number)
    return why === 'payer_limit_reached' ? 'limited' : 'declined'
  })
}
