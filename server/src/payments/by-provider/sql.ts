import type { Queries, Tx } from '../../db/db.ts'
import { type AttemptRow, attemptColumns, type RefundRow, refundColumns } from '../sql.ts'

export interface NewAttempt {
  id: string
  number: bigint
  method: string
  operation: string
  customer: string | null
  contact: string | null
  at: Date
}

/** Of a payment that is locked. */
export const addAttempt = (tx: Tx, attempt: NewAttempt) =>
  tx.rows(
    `with a as (
       insert into payments.attempts (id, number, method, status, operation_id, customer, contact, created_at)
       values ($1, $2, $3, 'pending', $4, $5, $6, $7)
     ) update payments.payments set attempts = attempts + 1 where number = $2`,
    [
      attempt.id,
      attempt.number,
      attempt.method,
      attempt.operation,
      attempt.customer,
      attempt.contact,
      attempt.at,
    ],
  )

export const readAttempt = (db: Queries, id: string) =>
  db.row<AttemptRow>(`select ${attemptColumns} from payments.attempts where id = $1`, [id])

/** Of a payment that is locked. */
export const readPending = (tx: Tx, number: bigint) =>
  tx.rows<AttemptRow>(
    `select ${attemptColumns} from payments.attempts where number = $1 and status = 'pending' order by seq`,
    [number],
  )

/** Nothing, when it has ended already. */
export const failAttempt = (
  tx: Tx,
  { id, code, message, at }: { id: string; code: string; message: string; at: Date },
) =>
  tx.row<{ number: bigint }>(
    `update payments.attempts set status = 'failed', failure_code = $2, failure_message = $3, ended_at = $4
     where id = $1 and status = 'pending' returning number`,
    [id, code, message, at],
  )

/** Does another payment that has not failed have the merchant's name for this one? Then this one can't be paid any more. */
export const isNameTaken = (db: Queries, number: bigint) =>
  db.row<{ taken: boolean }>(
    `select exists (
       select from payments.payments p join payments.payments o using (merchant_id, mode, ref_trx)
       where p.number = $1 and o.number <> p.number and o.status <> 'failed'
     ) as taken`,
    [number],
  )

/** For the ledger's `also`. Pending, or not paid in time: then it is late. A change meanwhile has changed `events`. */
export const completeStatement = {
  text: `update payments.payments p set status = 'completed', completed_at = n.at, method = n.method, customer = n.customer,
      fee = n.fee, posting_id = n.posting, events = n.events + 1, failure_code = null, failure_message = null, late = n.late
    from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::int[], $8::bool[])
      as n (number, at, method, customer, fee, posting, events, late)
    where p.number = n.number and p.events = n.events
      and (p.status = 'pending' or (p.status = 'failed' and p.failure_code = 'expired' and n.late)) returning 1`,
} as const

export const succeedStatement = {
  text: `update payments.attempts a set status = 'succeeded', ended_at = n.at
    from unnest($1::text[], $2::timestamptz[]) as n (id, at) where a.id = n.id and a.status = 'pending' returning 1`,
} as const

/** The try had failed, and its money came after all: a try of its own. */
export const lateStatement = {
  text: `insert into payments.attempts (id, number, method, status, operation_id, customer, created_at, ended_at)
    select id, number, method, 'succeeded', operation, customer, at, at
    from unnest($1::text[], $2::bigint[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[])
      as n (id, number, method, operation, customer, at)
    returning 1`,
} as const

/** The money came, and the payment could not take it. */
export const notTakenStatement = {
  text: `update payments.attempts a set status = 'failed', failure_code = n.code, failure_message = n.message, ended_at = n.at
    from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as n (id, code, message, at)
    where a.id = n.id and a.status <> 'succeeded' returning 1`,
} as const

/** Only on what was refunded, or on its way, before. */
export const beginRefundStatement = {
  text: `update payments.payments p set refunding = p.refunding + n.amount
    from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as n (number, amount, before)
    where p.number = n.number and p.status = 'completed' and p.refunded + p.refunding = n.before returning 1`,
} as const

export const refundRowStatement = {
  text: `insert into payments.refunds (id, number, amount, reason, status, operation_id, hold_id, created_at)
    select id, number, amount, reason, 'pending', operation, hold, at
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::uuid[], $6::bigint[], $7::timestamptz[])
      as n (id, number, amount, reason, operation, hold, at)
    returning 1`,
} as const

export const readRefund = (db: Queries, id: string) =>
  db.row<RefundRow>(`select ${refundColumns} from payments.refunds where id = $1`, [id])

/** `held` is not on its way any more; `moved` of it has arrived. Each notification has its own number. */
export const refundedStatement = {
  text: `update payments.payments p set refunded = p.refunded + n.moved, refunding = p.refunding - n.held,
      events = p.events + 1,
      status = case when p.refunded + n.moved = p.amount then 'refunded' else p.status end
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[]) as n (number, held, moved, events)
    where p.number = n.number and p.status = 'completed' and p.events = n.events returning 1`,
} as const

export const refundDoneStatement = {
  text: `update payments.refunds r set status = 'completed', amount = n.moved, posting_id = n.posting, ended_at = n.at
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[]) as n (id, moved, posting, at)
    where r.id = n.id and r.status = 'pending' returning 1`,
} as const

export const notRefundedStatement = {
  text: `update payments.payments p set refunding = p.refunding - n.held
    from unnest($1::bigint[], $2::bigint[]) as n (number, held) where p.number = n.number returning 1`,
} as const

export const refundFailedStatement = {
  text: `update payments.refunds r set status = 'failed', failure_code = n.code, failure_message = n.message, ended_at = n.at
    from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as n (id, code, message, at)
    where r.id = n.id and r.status = 'pending' returning 1`,
} as const
