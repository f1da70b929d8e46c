// What was not paid in time fails, and is told.
import * as notifications from '../notifications/notifications.ts'
import { eventOf, type PaymentOptions } from './events.ts'
import { paymentOf } from './rows.ts'
import { failureOf, type Payment } from './rules.ts'
import * as sql from './sql.ts'

const dueMax = 200
const dueRoundsMax = 100

export async function expireDue({ db, clock, secrets }: PaymentOptions): Promise<number> {
  let expired = 0
  for (let rounds = 0; rounds < dueRoundsMax; rounds++) {
    const at = clock.now()
    const count = await db.inTransaction(async (tx) => {
      const due = (await sql.lockDue(tx, { now: at, limit: dueMax })).map((row) =>
        paymentOf(row, secrets.idem),
      )
      if (due.length === 0) return 0
      const failure = failureOf('expired')
      const failed = due.map(
        (payment): Payment => ({
          ...payment,
          status: 'failed',
          failure,
          failedAt: at,
          events: payment.events + 1,
        }),
      )
      await sql.expirePayments(
        tx,
        failed.map(({ number, events }) => ({ number, events, at, message: failure.message })),
      )
      const events = failed.flatMap(
        (payment) => eventOf({ payment, event: 'failed', at }, payment.events) ?? [],
      )
      if (events.length > 0) await notifications.add(tx, events)
      return due.length
    })
    expired += count
    if (count < dueMax) return expired
  }
  return expired
}
