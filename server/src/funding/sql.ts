import type { Queries, Tx } from '../db/db.ts'
import type { Mode, ProviderId } from '../providers/providers.ts'
import type { OrderKind, OrderStatus, UnmatchedStatus, Why } from './rules.ts'

export interface OrderRow {
  number: bigint
  kind: OrderKind
  user_id: string
  provider: ProviderId
  provider_name: string
  amount: bigint
  fee: bigint
  currency: string
  phone: string | null
  account: string | null
  operation_id: string
  hold_id: bigint | null
  status: OrderStatus
  failure_code: string | null
  late: boolean
  posting_id: bigint | null
  idem_body: string | null
  answer: string | null
  created_at: Date
  ended_at: Date | null
}

const orderColumns = `number, kind, user_id, provider, provider_name, amount, fee, currency, phone, account, operation_id,
  hold_id, status, failure_code, late, posting_id, idem_body, answer, created_at, ended_at`

export const numbers = 'funding.numbers'

export type NewOrder = Pick<
  OrderRow,
  | 'number'
  | 'user_id'
  | 'provider'
  | 'provider_name'
  | 'amount'
  | 'fee'
  | 'currency'
  | 'phone'
  | 'account'
  | 'operation_id'
  | 'created_at'
>

/** Nothing, when the key was used by somebody in this very moment. */
export const insertDeposit = (tx: Tx, row: NewOrder, key: { id: string; fingerprint: string } | undefined) =>
  tx.row<{ number: bigint }>(
    `insert into funding.orders (number, kind, user_id, provider, provider_name, amount, fee, currency, phone, account,
       operation_id, created_at, idem_key, idem_body)
     values ($1, 'deposit', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (idem_key) where idem_key is not null do nothing returning number`,
    [...orderValues(row), key?.id ?? null, key?.fingerprint ?? null],
  )

export const orderValues = (row: NewOrder): unknown[] => [
  row.number,
  row.user_id,
  row.provider,
  row.provider_name,
  row.amount,
  row.fee,
  row.currency,
  row.phone,
  row.account,
  row.operation_id,
  row.created_at,
]

/** For the ledger's `also`: with the posting that holds the money. */
export const withdrawalStatement = {
  text: `insert into funding.orders (number, kind, user_id, provider, provider_name, amount, fee, currency, phone, account,
      operation_id, created_at, hold_id)
    select number, 'withdrawal', user_id, provider, provider_name, amount, fee, currency, phone, account, operation_id,
      created_at, hold_id
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
      $9::text[], $10::uuid[], $11::timestamptz[], $12::bigint[])
      as n (number, user_id, provider, provider_name, amount, fee, currency, phone, account, operation_id, created_at,
        hold_id)
    returning 1`,
} as const

export const readOrder = (db: Queries, number: bigint) =>
  db.row<OrderRow>(`select ${orderColumns} from funding.orders where number = $1`, [number])

/** That this payout paid out; of one that gave back what had come back: that the first of them paid out. */
export const readOrderOf = (db: Queries, operation: string) =>
  db.row<OrderRow>(
    `with recursive paid (id) as (
       select $1::uuid
       union
       select u.operation_id from paid join funding.unmatched u
         on u.return_operation_id = paid.id and u.why = 'came_back'
     )
     select ${orderColumns} from funding.orders where operation_id in (select id from paid)`,
    [operation],
  )

export const lockOrder = (tx: Tx, number: bigint) =>
  tx.row<OrderRow>(`select ${orderColumns} from funding.orders where number = $1 for no key update`, [number])

export const readByKey = (db: Queries, key: string) =>
  db.row<OrderRow>(`select ${orderColumns} from funding.orders where idem_key = $1`, [key])

/** A key that is older than a week is free again. */
export const forgetKey = (db: Queries, number: bigint) =>
  db.rows('update funding.orders set idem_key = null, idem_body = null where number = $1', [number])

/** The first answer that was made stays. */
export const keepAnswer = (db: Queries, { number, answer }: { number: bigint; answer: string }) =>
  db.row<{ answer: string }>(
    'update funding.orders set answer = coalesce(answer, $2) where number = $1 returning answer',
    [number, answer],
  )

export interface Completed {
  number: bigint
  posting: bigint
  late: boolean
  at: Date
}

export const completeOrder = (tx: Tx, { number, posting, late, at }: Completed) =>
  tx.row<{ number: bigint }>(
    `update funding.orders set status = 'completed', posting_id = $2, late = $3, ended_at = $4
     where number = $1 and status <> 'completed' returning number`,
    [number, posting, late, at],
  )

/** For the ledger's `also`: with the posting that credits the wallet, only what is still pending. */
export const completeStatement = {
  text: `update funding.orders o set status = 'completed', posting_id = n.posting, ended_at = n.at
    from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as n (number, posting, at)
    where o.number = n.number and o.status = 'pending' returning 1`,
} as const

export const failOrder = (tx: Tx, { number, code, at }: { number: bigint; code: string; at: Date }) =>
  tx.row<{ number: bigint }>(
    `update funding.orders set status = 'failed', failure_code = $2, ended_at = $3
     where number = $1 and status = 'pending' returning number`,
    [number, code, at],
  )

export interface OrdersPage {
  user: string
  kind: OrderKind | null
  status: OrderStatus | null
  currency: string | null
  before: bigint
  limit: number
}

/** Those that moved no money, the newest first. */
export const listNotCompleted = (db: Queries, { user, kind, status, currency, before, limit }: OrdersPage) =>
  db.rows<OrderRow>(
    `select ${orderColumns} from funding.orders
     where user_id = $1 and status <> 'completed' and number < $2
       and ($3::text is null or kind = $3) and ($4::text is null or status = $4)
       and ($5::text is null or currency = $5)
     order by number desc limit $6`,
    [user, before, kind, status, currency, limit],
  )

export interface UnmatchedRow {
  id: string
  provider: ProviderId
  mode: Mode
  amount: bigint
  currency: string
  operation_id: string
  why: Why
  meant_for: string | null
  phone: string | null
  status: UnmatchedStatus
  posting_id: bigint
  due_at: Date | null
  returns_failed: number
  problem: string | null
  return_operation_id: string | null
  matched_kind: 'wallet' | 'payment' | null
  matched_to: string | null
  ended_posting_id: bigint | null
  created_at: Date
  ended_at: Date | null
}

const unmatchedColumns = `id, provider, mode, amount, currency, operation_id, why, meant_for, phone, status, posting_id,
  due_at, returns_failed, problem, return_operation_id, matched_kind, matched_to, ended_posting_id, created_at, ended_at`

/** For the ledger's `also`, and alone with lists of one. */
export const unmatchedStatement = {
  text: `insert into funding.unmatched (id, provider, mode, amount, currency, operation_id, why, meant_for, phone, posting_id,
      created_at, due_at)
    select id, provider, mode, amount, currency, operation_id, why, meant_for, phone, posting_id, created_at, due_at
    from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::uuid[], $7::text[], $8::text[],
      $9::text[], $10::bigint[], $11::timestamptz[], $12::timestamptz[])
      as n (id, provider, mode, amount, currency, operation_id, why, meant_for, phone, posting_id, created_at, due_at)
    returning 1`,
} as const

export const insertUnmatched = (tx: Tx, values: readonly unknown[]) =>
  tx.rows(
    unmatchedStatement.text,
    values.map((value) => [value]),
  )

export const hasUnmatched = async (db: Queries, { operation, why }: { operation: string; why: Why }) =>
  (await db.row('select 1 from funding.unmatched where operation_id = $1 and why = $2', [operation, why])) !==
  undefined

/** What became of the money that a payment could not take. */
export type Became = 'returns' | 'returned' | 'elsewhere'

/** The worst of it, where several came; absent: nothing came, or the payment has taken it after all. */
export const becameOf = (db: Queries, payment: string) =>
  db.row<{ became: Became }>(
    `select case when status in ('open', 'returning') then 'returns' when status = 'returned' then 'returned'
       else 'elsewhere' end as became
     from funding.unmatched where meant_for = $1 and matched_to is distinct from $1
     order by status in ('open', 'returning') desc, status = 'returned' desc limit 1`,
    [payment],
  )

export const readUnmatched = (db: Queries, id: string) =>
  db.row<UnmatchedRow>(`select ${unmatchedColumns} from funding.unmatched where id = $1`, [id])

export const lockUnmatched = (tx: Tx, id: string) =>
  tx.row<UnmatchedRow>(`select ${unmatchedColumns} from funding.unmatched where id = $1 for no key update`, [
    id,
  ])

export interface UnmatchedPage {
  status: UnmatchedStatus | null
  provider: string | null
  before: { at: Date; id: string } | undefined
  limit: number
}

export const listUnmatched = (db: Queries, { status, provider, before, limit }: UnmatchedPage) =>
  db.rows<UnmatchedRow>(
    `select ${unmatchedColumns} from funding.unmatched
     where ($1::text is null or status = $1) and ($2::text is null or provider = $2)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc limit $5`,
    [status, provider, before?.at ?? null, before?.id ?? '', limit],
  )

export const dueUnmatched = (db: Queries, { now, limit }: { now: Date; limit: number }) =>
  db.rows<{ id: string }>(
    `select id from funding.unmatched where status = 'open' and due_at <= $1 order by due_at limit $2`,
    [now, limit],
  )

export const beginReturn = (tx: Tx, { id, operation }: { id: string; operation: string }) =>
  tx.rows(
    `update funding.unmatched set status = 'returning', return_operation_id = $2, problem = null
     where id = $1 and status = 'open'`,
    [id, operation],
  )

export interface ReturnFailed {
  id: string
  /** As it was found: if it is not so any more, somebody else has decided. */
  from: 'open' | 'returning'
  problem: string
  dueAt: Date | null
}

/** It waits again: for its next turn, or for an operator. */
export const returnFailed = (tx: Queries, { id, from, problem, dueAt }: ReturnFailed) =>
  tx.row<{ id: string }>(
    `update funding.unmatched set status = 'open', returns_failed = returns_failed + 1, problem = $2, due_at = $3
     where id = $1 and status = $4 returning id`,
    [id, problem, dueAt, from],
  )

export const endReturn = (tx: Tx, { id, posting, at }: { id: string; posting: bigint; at: Date }) =>
  tx.row<{ id: string }>(
    `update funding.unmatched set status = 'returned', ended_posting_id = $2, ended_at = $3, due_at = null
     where id = $1 and status = 'returning' returning id`,
    [id, posting, at],
  )

/** For the ledger's `also`: only what is still open. */
export const matchStatement = {
  text: `update funding.unmatched u set status = 'matched', matched_kind = n.kind, matched_to = n.matched_to,
      ended_posting_id = n.posting, ended_at = n.at, due_at = null
    from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
      as n (id, kind, matched_to, posting, at)
    where u.id = n.id and u.status = 'open' returning 1`,
} as const
