// What is written down when a payment is completed by money from outside.
import type { AlsoRow, Posted } from '../../ledger/ledger.ts'
import * as notifications from '../../notifications/notifications.ts'
import { eventOf } from '../events.ts'
import type { Payment } from '../rules.ts'
import * as own from './sql.ts'

interface Completing {
  method: string
  customer: string | null
  fee: bigint
  posted: Posted
}

/** The payment, as it was seen just before, and what is told of it. After its time was over it is late. */
export function completedRows(
  payment: Payment,
  { method, customer, fee, posted }: Completing,
): readonly AlsoRow[] {
  const { number, events } = payment
  const at = posted.createdAt
  const late = payment.status === 'failed' || payment.expiresAt <= at
  const completed: Payment = {
    ...payment,
    status: 'completed',
    failure: null,
    late,
    completedAt: at,
    events: events + 1,
  }
  const event = eventOf({ payment: completed, event: 'completed', at }, completed.events)
  const values = [number, at, method, customer, fee, posted.id, events, late]
  return [
    { statement: own.completeStatement, values },
    ...(event === undefined ? [] : [notifications.outboxRow(event)]),
  ]
}
