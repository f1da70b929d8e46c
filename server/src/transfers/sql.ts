import type { Queries, Tx } from '../db/db.ts'

export interface RequestRow {
  id: string
  payer_id: string
  payee_id: string
  amount: bigint
  currency: string
  note: string | null
  status: 'pending' | 'paid' | 'declined' | 'cancelled'
  posting_id: bigint | null
  created_at: Date
  expires_at: Date
  decided_at: Date | null
}

const columns =
  'id, payer_id, payee_id, amount, currency, note, status, posting_id, created_at, expires_at, decided_at'

export const insertRequest = (tx: Tx, row: Omit<RequestRow, 'status' | 'posting_id' | 'decided_at'>) =>
  tx.row<RequestRow>(
    `insert into transfers.requests (id, payer_id, payee_id, amount, currency, note, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    [row.id, row.payer_id, row.payee_id, row.amount, row.currency, row.note, row.created_at, row.expires_at],
  )

/** Until the transaction ends nobody else makes a request of this person. */
export const lockRequestsOf = (tx: Tx, payee: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('money requests of ' || $1, 0))`, [payee])

/** How many a person has asked for that still wait: of one other, and in all. */
export const countPending = (
  db: Queries,
  { payee, payer, now }: { payee: string; payer: string; now: Date },
) =>
  db.row<{ to_one: number; in_all: number }>(
    `select count(*) filter (where payer_id = $2)::int as to_one, count(*)::int as in_all from transfers.requests
     where payee_id = $1 and status = 'pending' and expires_at > $3`,
    [payee, payer, now],
  )

/** How many a person has made lately, whatever became of them: of one other, and in all, of so many at the most. */
export const countMade = (
  db: Queries,
  { payee, payer, since, limit }: { payee: string; payer: string; since: Date; limit: number },
) =>
  db.row<{ to_one: number; in_all: number }>(
    `select count(*) filter (where payer_id = $2)::int as to_one, count(*)::int as in_all
     from (select payer_id from transfers.requests where payee_id = $1 and created_at > $3
       order by created_at desc limit $4) made`,
    [payee, payer, since, limit],
  )

export const readRequest = (db: Queries, id: string) =>
  db.row<RequestRow>(`select ${columns} from transfers.requests where id = $1`, [id])

/** Nobody else can decide it until the transaction ends. */
export const lockRequest = (tx: Tx, id: string) =>
  tx.row<RequestRow>(`select ${columns} from transfers.requests where id = $1 for update`, [id])

export interface Decision {
  id: string
  status: 'paid' | 'declined' | 'cancelled'
  posting: bigint | null
  at: Date
}

export const decideRequest = (tx: Tx, { id, status, posting, at }: Decision) =>
  tx.row<RequestRow>(
    `update transfers.requests set status = $2, posting_id = $3, decided_at = $4 where id = $1 returning ${columns}`,
    [id, status, posting, at],
  )

export interface RequestsPage {
  user: string
  side: 'payer_id' | 'payee_id'
  status: string | null
  now: Date
  before: { createdAt: string; id: string } | undefined
  limit: number
}

/** Pending ones whose time is over are expired, though nobody wrote that down. */
export const listRequests = (db: Queries, { user, side, status, now, before, limit }: RequestsPage) =>
  db.rows<RequestRow>(
    `select ${columns} from transfers.requests
     where ${side} = $1
       and ($2::text is null or $2 = case when status = 'pending' and expires_at <= $3 then 'expired' else status end)
       and ($4::timestamptz is null or (created_at, id) < ($4, $5))
     order by created_at desc, id desc limit $6`,
    [user, status, now, before?.createdAt ?? null, before?.id ?? '', limit],
  )
