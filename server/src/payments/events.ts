// What is told of a payment, written down in the transaction of what happened.
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Prices } from '../base/prices.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Funding } from '../funding/funding.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Merchants } from '../merchants/merchants.ts'
import * as notifications from '../notifications/notifications.ts'
import type { Operations } from '../operations/operations.ts'
import type { Users } from '../users/users.ts'
import { merchantOf } from './payee.ts'
import { failureOf, notificationBody, type Payment, type Told } from './rules.ts'
import * as sql from './sql.ts'

/** What the parts of this room work with. */
export interface PaymentOptions {
  db: Db
  ledger: Ledger
  clock: Clock
  log: Log
  prices: Prices
  secrets: { readonly idem: Secret }
  baseUrl: string
  checkoutMinutes: number
  operations: Operations
  merchants: Pick<Merchants, 'merchant'>
  users: Pick<Users, 'person'>
  /** Where money goes that no payment can take. */
  funding: Pick<Funding, 'unmatchedPosting'>
}

/** Absent: nobody is to be told. */
export function eventOf(told: Told, sequence: number): notifications.NewEvent | undefined {
  const { payment, event, at } = told
  const body = notificationBody(told)
  // In test mode it is written down all the same: a developer's computer asks for it.
  const isHeard = payment.notifyUrl !== null || payment.mode === 'test'
  if (!isHeard || body === undefined) return undefined
  return {
    id: notifications.newEventId(),
    merchant: merchantOf(payment),
    mode: payment.mode,
    subject: payment.reference,
    sequence,
    event: `payment.${event}`,
    kind: payment.source === 'gateway' ? 'gateway' : 'callback',
    url: payment.notifyUrl,
    body,
    at,
  }
}

/** A locked pending payment fails, and that is told. */
export async function fail(
  tx: Tx,
  payment: Payment,
  { code, at }: { code: string; at: Date },
): Promise<Payment> {
  const failure = failureOf(code)
  const failed: Payment = { ...payment, status: 'failed', failure, failedAt: at, events: payment.events + 1 }
  const { number, events } = failed
  const done = await sql.failPayment(tx, { number, ...failure, events, at })
  check(done !== undefined, 'a locked pending payment can fail')
  const event = eventOf({ payment: failed, event: 'failed', at }, events)
  if (event !== undefined) await notifications.add(tx, [event])
  return failed
}
