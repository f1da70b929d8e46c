import type { Queries } from '../../db/db.ts'

export interface VolumeRow {
  kind: 'accepted' | 'failed' | 'refunded'
  /** From 1 on. */
  period: number
  count: number
  /** In minor units; a sum may be larger than a bigint of the database. */
  amount: string
}

export interface VolumeFilter {
  merchant: number
  mode: 'live' | 'test'
  currency: string
  /** Where each period begins, and where the last one ends. */
  edges: readonly Date[]
}

/** Each part from its own index, which has all that is asked for. */
export const readVolume = (db: Queries, { merchant, mode, currency, edges }: VolumeFilter) =>
  db.rows<VolumeRow>(
    `select 'accepted' as kind, width_bucket(completed_at, $4::timestamptz[]) as period, count(*)::int as count,
       sum(amount)::text as amount
     from payments.payments
     where merchant_id = $1 and mode = $2 and currency = $3 and completed_at >= $5 and completed_at < $6
     group by 2
     union all
     select 'failed', width_bucket(failed_at, $4::timestamptz[]), count(*)::int, sum(amount)::text
     from payments.payments
     where merchant_id = $1 and mode = $2 and currency = $3 and status = 'failed' and failed_at >= $5 and failed_at < $6
     group by 2
     union all
     select 'refunded', width_bucket(ended_at, $4::timestamptz[]), count(*)::int, sum(amount)::text
     from payments.refunds
     where merchant_id = $1 and mode = $2 and currency = $3 and status = 'completed' and ended_at >= $5 and ended_at < $6
     group by 2`,
    [merchant, mode, currency, edges, edges[0], edges.at(-1)],
  )
