// The events of test mode in the order of the transactions that wrote them. What a transaction wrote that is still open
// is not seen yet, and so are all later ones: else somebody who asks for what came after would miss it.
import type { Queries } from '../../db/db.ts'

/** One row an event; a single one with a null id when there is none, since the position is told in any case. */
export interface FedRow {
  /** The number of the next transaction that begins. */
  next: string
  id: string | null
  event: string
  kind: 'gateway' | 'callback'
  subject: string
  sequence: number
  url: string | null
  body: string
  at: Date
  written_by: string
  number: bigint
}

const columns = 'e.id, e.event, e.kind, e.subject, e.sequence, e.url, e.body, e.at, e.written_by, e.number'
/**
 * The numbers are the whole server's: who is known to work in another database can write nothing here, and is not waited
 * for. Its lock on its own number tells who that is; it has the number's last 32 bits.
 */
const elsewhere = `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
    and l.transactionid::text::bigint = open::text::bigint & 4294967295
    and a.datid <> (select oid from pg_database where datname = current_database())`
const horizon = `select pg_snapshot_xmax(s.now) as next,
  coalesce((select min(open) from pg_snapshot_xip(s.now) open where not exists (${elsewhere})),
    pg_snapshot_xmax(s.now)) as oldest_open
  from (select pg_current_snapshot() as now) s`
const settled = `select ${columns} from notifications.events e
  where e.merchant = $1 and e.written_by is not null and e.written_by < h.oldest_open and e.body is not null`
const shown = 'h.next::text, f.*, f.written_by::text as written_by'

export const eventsAfter = (
  db: Queries,
  {
    merchant,
    after,
    limit,
  }: { merchant: number; after: { transaction: string; number: string }; limit: number },
) =>
  db.rows<FedRow>(
    `select ${shown} from (${horizon}) h left join lateral (
       ${settled} and (e.written_by, e.number) > ($2::xid8, $3::bigint) order by e.written_by, e.number limit $4
     ) f on true order by f.written_by, f.number`,
    [merchant, after.transaction, after.number, limit],
  )

export const latestEvents = (db: Queries, { merchant, limit }: { merchant: number; limit: number }) =>
  db.rows<FedRow>(
    `select ${shown} from (${horizon}) h left join lateral (
       ${settled} order by e.written_by desc, e.number desc limit $2
     ) f on true order by f.written_by, f.number`,
    [merchant, limit],
  )
