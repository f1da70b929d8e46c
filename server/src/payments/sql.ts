import type { Queries, Tx } from '../db/db.ts'
import type { Source } from './rules.ts'

export interface PaymentRow {
  number: bigint
  merchant_id: number | null
  merchant_name: string
  campaign_id: string | null
  mode: 'live' | 'test'
  source: Source
  ref_trx: string | null
  amount: bigint
  currency: string
  description: string | null
  notify_url: string | null
  success_redirect: string | null
  failure_url: string | null
  cancel_redirect: string | null
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  failure_code: string | null
  failure_message: string | null
  late: boolean
  method: string | null
  customer: string | null
  fee: bigint
  refunded: bigint
  refunding: bigint
  events: number
  attempts: number
  payer_id: string | null
  idem_key: string | null
  idem_body: string | null
  created_at: Date
  expires_at: Date
  completed_at: Date | null
  failed_at: Date | null
}

const columns = `number, merchant_id, merchant_name, campaign_id, mode, source, ref_trx, amount, currency, description, notify_url,
  success_redirect, failure_url, cancel_redirect, status, failure_code, failure_message, late, method, customer, fee,
  refunded, refunding, events, attempts, payer_id, idem_key, idem_body, created_at, expires_at, completed_at, failed_at`

export const numbers = { sequence: 'payments.numbers', size: 1_000n }

export interface NewPayment {
  number: bigint
  merchant: number | null
  merchantName: string
  campaign: string | null
  mode: 'live' | 'test'
  source: Source
  refTrx: string | null
  amount: bigint
  currency: string
  description: string | null
  notifyUrl: string | null
  successRedirect: string | null
  failureUrl: string | null
  cancelRedirect: string | null
  tokenHash: Buffer
  events: number
  key: { id: string; fingerprint: string } | undefined
  createdAt: Date
  expiresAt: Date
}

/** Those whose name or key is taken are left out: what is there already is read afterwards. */
export const insertPayments = (tx: Tx, rows: readonly NewPayment[]) =>
  tx.prepared<{ number: bigint }>(
    `insert into payments.payments (number, merchant_id, merchant_name, mode, source, ref_trx, amount, currency, description,
       notify_url, success_redirect, failure_url, cancel_redirect, token_hash, events, created_at, expires_at, idem_key, idem_body,
       campaign_id)
     select number, merchant_id, merchant_name, mode, source, ref_trx, amount, currency, description, notify_url,
       success_redirect, failure_url, cancel_redirect, decode(token_hash, 'hex'), events, created_at, expires_at,
       idem_key, idem_body, campaign_id
     from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[],
       $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::int[], $16::timestamptz[], $17::timestamptz[],
       $18::uuid[], $19::uuid[], $20::text[])
       as n (number, merchant_id, merchant_name, mode, source, ref_trx, amount, currency, description, notify_url,
         success_redirect, failure_url, cancel_redirect, token_hash, events, created_at, expires_at, idem_key, idem_body,
         campaign_id)
     where not exists (select 1 from payments.repeated_keys k where k.key = n.idem_key)
     order by merchant_id, mode, ref_trx
     on conflict do nothing returning number`,
    [
      rows.map(({ number }) => number),
      rows.map(({ merchant }) => merchant),
      rows.map(({ merchantName }) => merchantName),
      rows.map(({ mode }) => mode),
      rows.map(({ source }) => source),
      rows.map(({ refTrx }) => refTrx),
      rows.map(({ amount }) => amount),
      rows.map(({ currency }) => currency),
      rows.map(({ description }) => description),
      rows.map(({ notifyUrl }) => notifyUrl),
      rows.map(({ successRedirect }) => successRedirect),
      rows.map(({ failureUrl }) => failureUrl),
      rows.map(({ cancelRedirect }) => cancelRedirect),
      rows.map((row) => row.tokenHash.toString('hex')),
      rows.map(({ events }) => events),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ expiresAt }) => expiresAt),
      rows.map(({ key }) => key?.id ?? null),
      rows.map(({ key }) => key?.fingerprint ?? null),
      rows.map(({ campaign }) => campaign),
    ],
  )

export const readByNumber = (db: Queries, number: bigint) =>
  db.prepared<PaymentRow>(`select ${columns} from payments.payments where number = $1`, [number])

/** Paid from this person's wallet. */
export const readPaidBy = (db: Queries, { number, userId }: { number: bigint; userId: string }) =>
  db.row<{ posting_id: bigint; created_at: Date; completed_at: Date }>(
    `select posting_id, created_at, completed_at from payments.payments
     where number = $1 and payer_id = $2 and mode = 'live' and posting_id is not null and completed_at is not null`,
    [number, userId],
  )

export const lockByNumber = (tx: Tx, number: bigint) =>
  tx.row<PaymentRow>(`select ${columns} from payments.payments where number = $1 for no key update`, [number])

/** What ended before is not even read, so that it takes as long as what never was. */
export const readByToken = (
  db: Queries,
  { tokenHash, endedSince }: { tokenHash: Buffer; endedSince: Date | undefined },
) =>
  db.prepared<PaymentRow>(
    `select ${columns} from payments.payments where token_hash = $1
     and ($2::timestamptz is null or coalesce(completed_at, failed_at, expires_at) > $2)`,
    [tokenHash, endedSince ?? null],
  )

export interface Named {
  merchant: number
  mode: 'live' | 'test'
  refTrx: string
}

/** The one that counts under a merchant's name: the one that did not fail, else the latest. */
export const readByName = (db: Queries, { merchant, mode, refTrx }: Named) =>
  db.row<PaymentRow>(
    `select ${columns} from payments.payments where merchant_id = $1 and mode = $2 and ref_trx = $3 and status <> 'failed'`,
    [merchant, mode, refTrx],
  )

/** Rare, and bounded: the failed ones of that name are found through the merchant's list. */
export const readLatestFailed = (db: Queries, { merchant, mode, refTrx }: Named) =>
  db.row<PaymentRow>(
    `select ${columns} from payments.payments where merchant_id = $1 and mode = $2 and ref_trx = $3
     order by created_at desc, number desc limit 1`,
    [merchant, mode, refTrx],
  )

/** What a request with this key was answered with, whether it made the payment or found it. */
export const readByKey = (db: Queries, key: string) =>
  db.row<PaymentRow & { key_body: string; key_since: Date }>(
    `with used as (
       select number, idem_body as body, created_at as since from payments.payments where idem_key = $1
       union all
       select number, body, created_at from payments.repeated_keys where key = $1
       limit 1
     )
     select ${columns}, used.body as key_body, used.since as key_since from payments.payments join used using (number)`,
    [key],
  )

export interface RepeatedKey {
  key: { id: string; fingerprint: string }
  number: bigint
  at: Date
}

/** Nothing, when the key was used by somebody in this very moment. */
export const keepRepeatedKey = (db: Queries, { key, number, at }: RepeatedKey) =>
  db.row<{ key: string }>(
    `insert into payments.repeated_keys (key, body, number, created_at)
     select $1, $2, $3, $4 where not exists (select 1 from payments.payments where idem_key = $1)
     on conflict do nothing returning key`,
    [key.id, key.fingerprint, number, at],
  )

/** A key that is older than a week is free again. */
export const forgetKey = (db: Queries, { key, before }: { key: string; before: Date }) =>
  db.rows(
    `with gone as (delete from payments.repeated_keys where key = $1 and created_at <= $2)
     update payments.payments set idem_key = null, idem_body = null where idem_key = $1 and created_at <= $2`,
    [key, before],
  )

/** A bounded bite, so that sweeping never holds anybody up. */
export const sweepRepeatedKeys = (db: Queries, { before, most }: { before: Date; most: number }) =>
  db.rows<{ key: string }>(
    `delete from payments.repeated_keys where key in
       (select key from payments.repeated_keys where created_at <= $1 limit $2)
     returning key`,
    [before, most],
  )

export interface ListFilter {
  merchant: number
  mode: 'live' | 'test' | null
  status: string | null
  from: Date | null
  to: Date | null
  q: string | null
  /** The payment whose reference `q` is. */
  number: bigint | null
  before: { createdAt: string; number: string } | undefined
  limit: number
}

export const listPayments = (db: Queries, filter: ListFilter) =>
  db.rows<PaymentRow>(
    `select ${columns} from payments.payments
     where merchant_id = $1 and mode = any($2::text[])
       and ($3::text is null or status = $3)
       and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)
       and ($6::text is null or ref_trx ilike $6 or description ilike $6 or customer ilike $6 or number = $7::bigint)
       and ($8::timestamptz is null or (created_at, number) < ($8, $9::bigint))
     order by created_at desc, number desc limit $10`,
    [
      filter.merchant,
      filter.mode === null ? ['live', 'test'] : [filter.mode],
      filter.status,
      filter.from,
      filter.to,
      filter.q === null ? null : `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`,
      filter.number,
      filter.before?.createdAt ?? null,
      filter.before?.number ?? null,
      filter.limit,
    ],
  )

/** For the ledger's `also`: pending, in time, with a try left, and paid with this posting. */
export const completeStatement = {
  text: `update payments.payments p set status = 'completed', completed_at = n.at, method = n.method, customer = n.customer,
      fee = n.fee, payer_id = n.payer, posting_id = n.posting, events = n.events, attempts = p.attempts + 1
    from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::int[],
        $9::int[])
      as n (number, at, method, customer, fee, payer, posting, events, tries)
    where p.number = n.number and p.status = 'pending' and p.expires_at > n.at and p.attempts < n.tries returning 1`,
} as const

export const attemptStatement = {
  text: `insert into payments.attempts (id, number, method, status, customer, created_at, ended_at)
    select id, number, method, 'succeeded', customer, at, at
    from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::timestamptz[]) as n (id, number, method, customer, at)
    returning 1`,
} as const

/** Only on what was refunded before: two at once can't be more than was paid, and each notification has its own number. */
export const refundStatement = {
  text: `update payments.payments p set refunded = p.refunded + n.amount, events = p.events + 1,
      status = case when p.refunded + n.amount = p.amount then 'refunded' else p.status end
    from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as n (number, amount, before)
    where p.number = n.number and p.status = 'completed' and p.refunded = n.before and p.refunding = 0 returning 1`,
} as const

export const refundRowStatement = {
  text: `insert into payments.refunds (id, number, amount, reason, posting_id, status, created_at, ended_at)
    select id, number, amount, reason, posting, 'completed', at, at
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::timestamptz[])
      as n (id, number, amount, reason, posting, at)
    returning 1`,
} as const

export interface RefundRow {
  id: string
  number: bigint
  amount: bigint
  reason: string | null
  status: 'pending' | 'completed' | 'failed'
  operation_id: string | null
  hold_id: bigint | null
  failure_code: string | null
  failure_message: string | null
  created_at: Date
  ended_at: Date | null
}

export const refundColumns =
  'id, number, amount, reason, status, operation_id, hold_id, failure_code, failure_message, created_at, ended_at'

export const readRefunds = (db: Queries, number: bigint) =>
  db.rows<RefundRow>(`select ${refundColumns} from payments.refunds where number = $1 order by seq`, [number])

export interface AttemptRow {
  id: string
  number: bigint
  method: string
  status: 'pending' | 'succeeded' | 'failed'
  operation_id: string | null
  failure_code: string | null
  failure_message: string | null
  /** As much as the merchant may know. */
  customer: string | null
  contact: string | null
  created_at: Date
  ended_at: Date | null
}

export const attemptColumns =
  'id, number, method, status, operation_id, failure_code, failure_message, customer, contact, created_at, ended_at'

export const readAttempts = (db: Queries, number: bigint) =>
  db.rows<AttemptRow>(`select ${attemptColumns} from payments.attempts where number = $1 order by seq`, [
    number,
  ])

export interface FailedAttempt {
  id: string
  number: bigint
  method: string
  code: string
  message: string
  customer: string | null
  at: Date
}

export const addFailedAttempt = (tx: Tx, attempt: FailedAttempt) =>
  tx.rows(
    `with a as (
       insert into payments.attempts (id, number, method, status, failure_code, failure_message, customer, created_at, ended_at)
       values ($1, $2, $3, 'failed', $4, $5, $6, $7, $7)
     ) update payments.payments set attempts = attempts + 1 where number = $2`,
    [attempt.id, attempt.number, attempt.method, attempt.code, attempt.message, attempt.customer, attempt.at],
  )

export interface Failing {
  number: bigint
  code: string
  message: string
  events: number
  at: Date
}

export const failPayment = (tx: Tx, { number, code, message, events, at }: Failing) =>
  tx.row<{ number: bigint }>(
    `update payments.payments set status = 'failed', failure_code = $2, failure_message = $3, events = $4, failed_at = $5
     where number = $1 and status = 'pending' returning number`,
    [number, code, message, events, at],
  )

/** Locked, so that nobody else decides them meanwhile; those that somebody is deciding now are left for the next time. */
export const lockDue = (tx: Tx, { now, limit }: { now: Date; limit: number }) =>
  tx.rows<PaymentRow>(
    `select ${columns} from payments.payments where status = 'pending' and expires_at <= $1
     order by expires_at limit $2 for no key update skip locked`,
    [now, limit],
  )

export const expirePayments = (
  tx: Tx,
  rows: readonly { number: bigint; events: number; at: Date; message: string }[],
) =>
  tx.rows(
    `update payments.payments p set status = 'failed', failure_code = 'expired', failure_message = n.message,
       events = n.events, failed_at = n.at
     from unnest($1::bigint[], $2::int[], $3::timestamptz[], $4::text[]) as n (number, events, at, message)
     where p.number = n.number and p.status = 'pending'`,
    [
      rows.map(({ number }) => number),
      rows.map(({ events }) => events),
      rows.map(({ at }) => at),
      rows.map(({ message }) => message),
    ],
  )
