import type { Queries, Tx } from '../../db/db.ts'
import type { MerchantRow } from '../sql.ts'

const columns = `id, owner_id, business_name, category, website_url, ipn_url, callback_url, settlement_currency,
  redirect_hosts, allowed_addresses, status, created_at, applied_at, reviewed_at, rejection_reason, suspension_reason`

export interface Decision {
  id: number
  status: 'approved' | 'rejected'
  reason: string | undefined
  by: string
  now: Date
}

export const decide = (tx: Tx, { id, status, reason, by, now }: Decision) =>
  tx.row<MerchantRow>(
    `update merchants.merchants set status = $2, rejection_reason = $3, reviewed_by = $4, reviewed_at = $5
     where id = $1 returning ${columns}`,
    [id, status, reason ?? null, by, now],
  )

export const suspend = (tx: Tx, { id, reason, now }: { id: number; reason: string; now: Date }) =>
  tx.row<MerchantRow>(
    `update merchants.merchants set status = 'suspended', suspension_reason = $2, suspended_at = $3
     where id = $1 returning ${columns}`,
    [id, reason, now],
  )

export const reinstate = (tx: Tx, id: number) =>
  tx.row<MerchantRow>(
    `update merchants.merchants set status = 'approved', suspension_reason = null, suspended_at = null
     where id = $1 returning ${columns}`,
    [id],
  )

export interface ApplicationsPage {
  /** The last one of the page before. */
  after: { appliedAt: Date; id: number } | undefined
  limit: number
}

/** The oldest first: that is the order they are reviewed in. */
export const applications = (db: Queries, { after, limit }: ApplicationsPage) =>
  db.rows<MerchantRow>(
    `select ${columns} from merchants.merchants
     where status = 'pending' and ($1::timestamptz is null or (applied_at, id) > ($1, $2::int))
     order by applied_at, id limit $3`,
    [after?.appliedAt ?? null, after?.id ?? null, limit],
  )

export interface MerchantsPage {
  status: MerchantRow['status'] | undefined
  /** A part of the name or the website, or the whole number. */
  q: string | undefined
  before: { createdAt: Date; id: number } | undefined
  limit: number
}

export const search = (db: Queries, { status, q, before, limit }: MerchantsPage) =>
  db.rows<MerchantRow>(
    `select ${columns} from merchants.merchants
     where ($1::text is null or status = $1)
       and ($2::text is null or business_name ilike $2 or website_url ilike $2 or id::text = $3)
       and ($4::timestamptz is null or (created_at, id) < ($4, $5::int))
     order by created_at desc, id desc limit $6`,
    [
      status ?? null,
      q === undefined ? null : `%${q.replace(/[\\%_]/g, '\\$&')}%`,
      q ?? null,
      before?.createdAt ?? null,
      before?.id ?? null,
      limit,
    ],
  )
