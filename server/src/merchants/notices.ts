// What the owner of a business asks of its notifications: one or many once more, an example to try a receiver with, an
// address that was given up to be used again.
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import * as notifications from '../notifications/notifications.ts'
import type { Caller } from '../users/users.ts'
import { lockOwn, noBusiness } from './credentials.ts'
import type { Merchant } from './memory.ts'
import { ownEvent, type Room, record, requirePerson } from './room.ts'
import type { Mode } from './rules.ts'

export async function replay(room: Room, { id, caller }: { id: string; caller: Caller }): Promise<number> {
  return byOwner(room, caller, async (tx, merchant) => {
    const at = room.clock.now()
    await notifications.replay(tx, { merchant: merchant.id, id, at })
    await noted(tx, { action: 'notification.replayed', merchant, details: { id }, caller, at })
    return merchant.id
  })
}

export interface Range {
  from: Date
  to: Date
  mode: Mode | undefined
  caller: Caller
}

export async function replayRange(room: Room, { from, to, mode, caller }: Range) {
  return byOwner(room, caller, async (tx, merchant) => {
    const at = room.clock.now()
    const done = await notifications.replayRange(tx, { merchant: merchant.id, mode, from, to, at })
    const details = { from, to, mode, replayed: done.replayed }
    await noted(tx, { action: 'notification.replayed', merchant, details, caller, at })
    return done
  })
}

export async function resume(
  room: Room,
  { mode, origin, caller }: { mode: Mode; origin: string; caller: Caller },
): Promise<void> {
  await byOwner(room, caller, async (tx, merchant) => {
    const resumed = await notifications.resume(tx, { merchant: merchant.id, mode, origin })
    if (!resumed) throw new AppError('invalid_state', { detail: 'This address is not suspended.' })
    const details = { mode, origin }
    await noted(tx, { action: 'notification.resumed', merchant, details, caller, at: room.clock.now() })
  })
}

export const exampleKinds = ['callback', 'gateway'] as const
export const exampleEvents = [
  'payment.pending',
  'payment.completed',
  'payment.failed',
  'payment.refunded',
] as const

export interface Example {
  url: string
  kind: (typeof exampleKinds)[number]
  event: (typeof exampleEvents)[number]
}

/** Signed and delivered like all others, in test mode, about a payment that does not exist. */
export async function sendExample(
  room: Room,
  { caller, ...example }: Example & { caller: Caller },
): Promise<{ id: string; merchant: number }> {
  return byOwner(room, caller, async (tx, merchant) => {
    const at = room.clock.now()
    const id = notifications.newEventId()
    const subject = `EXAMPLE-${id.slice(-10)}`
    const body = exampleBody(example, { merchant, reference: subject, at })
    await notifications.add(tx, [
      { id, merchant: merchant.id, mode: 'test', subject, sequence: 1, ...example, body, at },
    ])
    const details = { id, url: example.url }
    await noted(tx, { action: 'notification.example', merchant, details, caller, at })
    return { id, merchant: merchant.id }
  })
}

const exampleSize = 10_000

interface About {
  merchant: Merchant
  reference: string
  at: Date
}

/** As a payment would have it. */
export function exampleBody({ url, kind, event }: Example, { merchant, reference, at }: About): string {
  const timestamp = Math.floor(at.getTime() / 1_000)
  const { settlementCurrency: currency } = merchant
  if (kind === 'gateway') {
    const completed = event === 'payment.completed'
    return JSON.stringify({
      data: {
        ref_trx: reference,
        description: 'An example',
        ipn_url: url,
        cancel_redirect: null,
        success_redirect: null,
        merchant_name: merchant.businessName,
        amount: exampleSize,
        currency_code: currency,
      },
      message: completed ? 'Payment Completed' : 'Payment Failed',
      status: completed ? 'completed' : 'failed',
      timestamp,
    })
  }
  const failure = {
    code: 'cancelled_by_customer',
    message: 'The customer cancelled the payment.',
    retryable: true,
  }
  const error = event === 'payment.failed' ? { error: failure } : {}
  const refund = event === 'payment.refunded' ? { refund_amount: exampleSize } : {}
  const data = {
    reference,
    amount: exampleSize,
    currency,
    merchant_id: String(merchant.id),
    timestamp,
    ...refund,
    ...error,
  }
  return JSON.stringify({ event, data, ...error })
}

async function byOwner<T>(
  room: Room,
  caller: Caller,
  work: (tx: Tx, merchant: Merchant) => Promise<T>,
): Promise<T> {
  await requirePerson(room, caller.user)
  if ((await room.memory.byOwner(caller.user)) === undefined) throw noBusiness()
  return room.db.inTransaction(async (tx) => work(tx, await lockOwn(tx, caller)))
}

interface Noted {
  action: string
  merchant: Merchant
  details: object
  caller: Caller
  at: Date
}

const noted = (tx: Tx, { action, merchant, details, caller, at }: Noted) =>
  record(tx, { ...ownEvent(caller), action, merchant: merchant.id, details, at })
