import type { Queries, Tx } from '../db/db.ts'
import type { OperationRow } from './model.ts'

const columns = `id, provider, mode, kind, purpose, subject, amount, currency, phone, email, account, reference, about,
  return_url, original_id, original_receipt, late_of, state, provider_reference, receipt, redirect_url, failure_code, failure_detail,
  confirmed_amount, confirmed_currency, decided, decided_at, hint, hint_receipt, stuck_since, trouble, sends, asks,
  absences, endings, due_at, asked_at, created_at, first_sent_at, sent_at, ended_at`

/** For the ledger's `also`, and alone. */
export const insertStatement = {
  text: `insert into operations.operations (id, provider, mode, kind, purpose, subject, amount, currency, phone, email, account,
      reference, about, return_url, original_id, callback_hash, answer_hash, created_at, due_at)
    select id, provider, mode, kind, purpose, subject, amount, currency, phone, email, account, reference, about, return_url,
      original_id, decode(callback_hash, 'hex'), decode(answer_hash, 'hex'), created_at, due_at
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[],
      $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::uuid[], $16::text[], $17::text[],
      $18::timestamptz[], $19::timestamptz[])
      as n (id, provider, mode, kind, purpose, subject, amount, currency, phone, email, account, reference, about, return_url,
        original_id, callback_hash, answer_hash, created_at, due_at)
    returning 1`,
} as const

/** A row for a statement that writes many, written alone. Returns whether it was. */
export const writeOne = async (
  tx: Tx,
  { statement, values }: { statement: { readonly text: string }; values: readonly unknown[] },
): Promise<boolean> =>
  (
    await tx.prepared(
      statement.text,
      values.map((value) => [value]),
    )
  ).length === 1

const unendable = `'it is ' || o.decided || ', but could not be ended'`

/**
 * For the ledger's `also`, and alone: only what has not ended, and only as it was decided. That it could not be ended is
 * over then; another trouble, a contradiction that came before the end, stays in sight.
 */
export const endStatement = {
  text: `update operations.operations o set state = n.state, decided = n.state, decided_at = coalesce(o.decided_at, n.at),
      ended_at = n.at, due_at = null, stuck_since = case when o.trouble <> ${unendable} then o.stuck_since end,
      receipt = coalesce(n.receipt, o.receipt),
      failure_code = n.code, failure_detail = n.detail, confirmed_amount = n.confirmed, confirmed_currency = n.currency
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
      as n (id, state, at, receipt, code, detail, confirmed, currency)
    where o.id = n.id and o.ended_at is null and (o.decided is null or o.decided = n.state) returning 1`,
} as const

export const readById = (db: Queries, id: string) =>
  db.row<OperationRow>(`select ${columns} from operations.operations where id = $1`, [id])

/** Until the transaction ends nobody else asks this phone. */
export const lockPhone = (tx: Tx, phone: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('prompts to ' || $1, 0))`, [phone])

/** When a phone was asked of late without having paid, the newest first. Nobody asked it while the provider was away. */
export const readUnpaid = (
  tx: Tx,
  { phone, mode, since, limit }: { phone: string; mode: string; since: Date; limit: number },
) =>
  tx.rows<{ created_at: Date }>(
    `select created_at from operations.operations
     where phone = $1 and created_at > $3 and kind = 'collect' and mode = $2 and state <> 'completed'
       and failure_code is distinct from 'provider_unavailable'
     order by created_at desc limit $4`,
    [phone, mode, since, limit],
  )

export const readOf = (db: Queries, { purpose, subject }: { purpose: string; subject: string }) =>
  db.rows<OperationRow>(
    `select ${columns} from operations.operations where purpose = $1 and subject = $2 order by created_at, id limit 100`,
    [purpose, subject],
  )

interface Moved {
  id: string
  now: Date
  /** When a worker looks after it, if nobody was heard of until then. */
  due: Date
}

/** Whoever gets the row back sends it, and nobody else does. The database writes down with it what a refund goes by. */
export const claimNew = (db: Queries, { id, now, due }: Moved) =>
  db.row<OperationRow>(
    `update operations.operations set state = 'sending', sends = 1, first_sent_at = $2, sent_at = $2, due_at = $3
     where id = $1 and state = 'new' and decided is null returning ${columns}`,
    [id, now, due],
  )

/** Again, if nobody has done it since it was looked at. */
export const claimAgain = (db: Queries, { id, now, due, sends }: Moved & { sends: number }) =>
  db.row<OperationRow>(
    `update operations.operations set state = 'sending', sends = sends + 1, sent_at = $2, due_at = $3, absences = 0
     where id = $1 and state = 'unknown' and decided is null and sends = $4 returning ${columns}`,
    [id, now, due, sends],
  )

export interface Claim {
  now: Date
  due: Date
  limit: number
  /** `provider mode` of those that are busy already. */
  except: readonly string[]
}

export const claimDue = (db: Queries, { now, due, limit, except }: Claim) =>
  db.rows<OperationRow>(
    `update operations.operations set due_at = $2 where id in (
       select id from operations.operations
       where due_at <= $1 and (provider || ' ' || mode) <> all($4::text[])
       order by due_at limit $3 for update skip locked
     ) returning ${columns}`,
    [now, due, limit, except],
  )

export const claimAsk = (db: Queries, { id, now, due }: Moved) =>
  db.row<OperationRow>(
    `update operations.operations set asks = asks + 1, asked_at = $2, due_at = $3
     where id = $1 and decided is null and sends > 0 returning ${columns}`,
    [id, now, due],
  )

export interface KeptPending {
  id: string
  providerReference: string | null
  redirectUrl: string | null
  due: Date | null
  now: Date
}

export const keepPending = (db: Queries, heard: KeptPending) =>
  db.row<OperationRow>(
    `update operations.operations set state = 'pending', provider_reference = coalesce(provider_reference, $2),
       redirect_url = coalesce($3, redirect_url), due_at = $4, absences = 0,
       stuck_since = case when $4::timestamptz is null then coalesce(stuck_since, $5) end
     where id = $1 and decided is null returning ${columns}`,
    [heard.id, heard.providerReference, heard.redirectUrl, heard.due, heard.now],
  )

export interface KeptUnclear {
  id: string
  absent: boolean
  due: Date | null
  now: Date
  /** If it was sent again since, this tells nothing of it. */
  sends: number
}

/** What was accepted stays so, whatever the provider does not say afterwards. */
export const keepUnclear = (db: Queries, { id, absent, due, now, sends }: KeptUnclear) =>
  db.row<OperationRow>(
    `update operations.operations set state = case state when 'sending' then 'unknown' else state end, due_at = $2,
       absences = case when $3 then absences + 1 else absences end,
       stuck_since = case when $2::timestamptz is null then coalesce(stuck_since, $4) end
     where id = $1 and decided is null and sends = $5 returning ${columns}`,
    [id, due, absent, now, sends],
  )

/** Looked after soon, if nobody does before. */
export const hurry = (db: Queries, { id, due }: { id: string; due: Date }) =>
  db.rows('update operations.operations set due_at = least(due_at, $2) where id = $1 and decided is null', [
    id,
    due,
  ])

/** The same for one that the provider has, and that was not asked about just now. */
export const hurryAsk = (db: Queries, { id, now, againMs }: { id: string; now: Date; againMs: number }) =>
  db.rows(
    `update operations.operations
     set due_at = least(due_at, greatest($2::timestamptz, asked_at + $3::float8 * interval '1 millisecond'))
     where id = $1 and decided is null and state = 'pending'`,
    [id, now, againMs],
  )

export interface Decided {
  id: string
  state: 'completed' | 'failed'
  receipt: string | null
  providerReference: string | null
  code: string | null
  detail: string | null
  confirmed: bigint | null
  currency: string | null
  now: Date
  due: Date
  /** Only if it is in one of these states. */
  from: readonly string[]
  /** And only if it was sent so often. */
  sends: number | null
}

/** The first who knows for sure decides. */
export const decide = (db: Queries, decided: Decided) =>
  db.row<OperationRow>(
    `update operations.operations set decided = $2, decided_at = $9, due_at = $10,
       receipt = coalesce($3, receipt), provider_reference = coalesce(provider_reference, $4),
       failure_code = $5, failure_detail = $6, confirmed_amount = $7, confirmed_currency = $8
     where id = $1 and decided is null and state = any($11::text[]) and ($12::int is null or sends = $12)
     returning ${columns}`,
    [
      decided.id,
      decided.state,
      decided.receipt,
      decided.providerReference,
      decided.code,
      decided.detail,
      decided.confirmed,
      decided.currency,
      decided.now,
      decided.due,
      decided.from,
      decided.sends,
    ],
  )

export interface Receipted extends Pick<OperationRow, 'id' | 'provider' | 'mode'> {
  receipt: string
}

/** Until the end of the transaction nobody else completes anything with it. */
export const lockReceipt = (tx: Tx, { provider, mode, receipt }: Receipted) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('receipt ' || $1 || ' ' || $2 || ' ' || $3, 0))`, [
    provider,
    mode,
    receipt,
  ])

/** The other collection that was completed with it. */
export const collectedWith = (tx: Tx, { id, provider, mode, receipt }: Receipted) =>
  tx.row<{ reference: string }>(
    `select reference from operations.operations
     where receipt = $4 and provider = $2 and mode = $3 and kind = 'collect' and decided = 'completed' and id <> $1
     limit 1`,
    [id, provider, mode, receipt],
  )

/** `stuckSince`: its owner will not do it any more without help. */
export const postponeEnding = (
  db: Queries,
  { id, due, stuckSince }: { id: string; due: Date; stuckSince: Date | null },
) =>
  db.row<OperationRow>(
    `update operations.operations o set endings = endings + 1, due_at = $2, stuck_since = coalesce(stuck_since, $3),
       trouble = case when $3::timestamptz is null then trouble else coalesce(trouble, ${unendable}) end
     where id = $1 and ended_at is null returning ${columns}`,
    [id, due, stuckSince],
  )

export interface Hinted {
  id: string
  state: 'completed' | 'failed' | null
  receipt: string | null
}

export const keepHint = (db: Queries, { id, state, receipt }: Hinted) =>
  db.row<OperationRow>(
    `update operations.operations set hint = $2, hint_receipt = $3 where id = $1 returning ${columns}`,
    [id, state, receipt],
  )

/** The provider's name for it, told by a callback: only if it has none, and no other operation has it. */
export const adoptReference = (
  db: Queries,
  { id, providerReference }: { id: string; providerReference: string },
) =>
  db.row<OperationRow>(
    `update operations.operations o set provider_reference = $2
     where id = $1 and provider_reference is null and decided is null and not exists (
       select from operations.operations other where other.provider_reference = $2 and other.provider = o.provider)
     returning ${columns}`,
    [id, providerReference],
  )

/** It may become known after the end. */
export const keepReceipt = (db: Queries, { id, receipt }: { id: string; receipt: string }) =>
  db.row<OperationRow>(
    `update operations.operations set receipt = $2 where id = $1 and receipt is null returning ${columns}`,
    [id, receipt],
  )

/** Nothing, if that was found less than a minute ago. */
export const suspect = (tx: Tx, { id, now, before }: { id: string; now: Date; before: Date }) =>
  tx.row<{ id: string }>(
    `update operations.operations set suspected_at = $2
     where id = $1 and (suspected_at is null or suspected_at <= $3) returning id`,
    [id, now, before],
  )

export const markTrouble = (tx: Tx, { id, now, trouble }: { id: string; now: Date; trouble: string }) =>
  tx.row<OperationRow>(
    `update operations.operations set trouble = $3, stuck_since = coalesce(stuck_since, $2)
     where id = $1 returning ${columns}`,
    [id, now, trouble],
  )

export const clearTrouble = (tx: Tx, id: string) =>
  tx.row<OperationRow>(
    `update operations.operations set stuck_since = null
     where id = $1 and stuck_since is not null and ended_at is not null returning ${columns}`,
    [id],
  )

export interface Late {
  id: string
  of: string
  callbackHash: Buffer
  answerHash: Buffer
  receipt: string | null
  confirmed: bigint
  currency: string
  now: Date
  due: Date
}

/** Money that came after the provider had said no: an operation of its own, decided from its first moment on. */
export const addLate = (tx: Tx, late: Late) =>
  tx.row<OperationRow>(
    `insert into operations.operations (id, provider, mode, kind, purpose, subject, amount, currency, phone, email, account,
       reference, about, return_url, original_id, late_of, callback_hash, answer_hash, state, provider_reference, receipt,
       decided, decided_at, confirmed_amount, confirmed_currency, sends, created_at, first_sent_at, sent_at, due_at)
     select $1, provider, mode, kind, purpose, subject, amount, currency, phone, email, account, reference, about, return_url,
       original_id, id, $3, $4, 'pending', provider_reference, coalesce($5, receipt), 'completed', $8, $6, $7, 1, $8, $8, $8, $9
     from operations.operations where id = $2 and decided = 'failed' and kind = 'collect'
     on conflict (late_of) do nothing returning ${columns}`,
    [
      late.id,
      late.of,
      late.callbackHash,
      late.answerHash,
      late.receipt,
      late.confirmed,
      late.currency,
      late.now,
      late.due,
    ],
  )

export interface ListFilter {
  state: string | null
  provider: string | null
  mode: string | null
  stuck: boolean
  q: string | null
  /** What `q` is, if it is an id. */
  id: string | null
  since: Date | null
  before: { createdAt: Date; id: string } | undefined
  limit: number
}

export const list = (db: Queries, filter: ListFilter) =>
  db.rows<OperationRow>(
    `select ${columns} from operations.operations
     where ($1::text is null or state = $1) and ($2::text is null or provider = $2) and ($3::text is null or mode = $3)
       ${filter.stuck ? 'and stuck_since is not null' : ''}
       and ($4::text is null or id = $8::uuid or reference = $4 or receipt = $4 or provider_reference = $4 or phone = $4)
       and ($5::timestamptz is null or (created_at, id) < ($5, $6::uuid))
       and ($9::timestamptz is null or created_at >= $9)
     order by created_at desc, id desc limit $7`,
    [
      filter.state,
      filter.provider,
      filter.mode,
      filter.q,
      filter.before?.createdAt ?? null,
      filter.before?.id ?? null,
      filter.limit,
      filter.id,
      filter.since,
    ],
  )
