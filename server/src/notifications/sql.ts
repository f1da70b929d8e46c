// What the delivery reads and writes: always many rows a statement. What merchants look at is in log/sql.ts.
import type { Queries, Tx } from '../db/db.ts'
import type { Problem } from './rules.ts'

/** See `notifications.add_events`. */
export const addEvents =
  'select notifications.add_events($1::text[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::timestamptz[])'

export interface EventKey {
  merchant: number
  mode: 'live' | 'test'
  number: bigint
}

export interface Target {
  merchant: number
  mode: 'live' | 'test'
  origin: string
}

export interface LookedRow extends EventKey, Target {
  subject: string
  sequence: number
  due_at: Date
  failures: number
  attempts: number
  replay: boolean
  parked: boolean
  /** A lease that was not given back: who held it has died. */
  lost_lease: Date | null
  suspended: boolean
  broken: boolean
  /** Earlier events of the payment that must go first: look again then. `Infinity` while such a one is parked. */
  blocked_until: Date | number | null
}

export interface Looking {
  /** Lines of parked rows, and how many may be taken from each. */
  lanes: readonly (Target & { room: number })[]
  now: Date
  /** What is due for longer was looked at before. Absent: all. */
  floor: Date | undefined
  firsts: number
  retries: number
}

const lookedColumns = `q.merchant, q.mode, q.number, q.origin, q.subject, q.sequence, q.due_at, q.failures, q.attempts,
  q.replay, q.parked, q.leased_until`
const unleased = '(q.leased_until is null or q.leased_until <= $5)'

/** A later event of a payment waits until an earlier one has arrived, or a minute after that has failed for the first time. */
const blocked = `case
  when p.failures = 0 and p.parked and p.origin = l.origin then 'infinity'
  when p.failures = 0 or p.leased_until > $5 then $5 + interval '1 second'
  when p.failed_at > $5 - interval '60 seconds' then p.failed_at + interval '60 seconds'
end`

/**
 * What could be sent now, locked, so that no other worker looks at it. Rows that were deleted long ago may still lie in
 * front of the index while somebody reads in an old snapshot: the floor keeps us from walking over them each time.
 */
export const look = (tx: Tx, { lanes, now, floor, firsts, retries }: Looking) =>
  tx.prepared<LookedRow>(
    `with lanes as materialized (
       select ${lookedColumns}
       from unnest($1::integer[], $2::text[], $3::text[], $4::integer[]) as l (merchant, mode, origin, room)
       cross join lateral (
         select * from notifications.queue q
         where q.parked and q.merchant = l.merchant and q.mode = l.mode and q.origin = l.origin and ${unleased}
         order by q.failures > 0, q.due_at limit l.room for update skip locked
       ) q
     ), firsts as materialized (
       select ${lookedColumns} from notifications.queue q
       where not q.parked and q.failures = 0 and q.due_at >= $6 and q.due_at <= $5 and ${unleased}
       order by q.due_at limit $7 for update skip locked
     ), retries as materialized (
       select ${lookedColumns} from notifications.queue q
       where not q.parked and q.failures > 0 and q.due_at >= $6 and q.due_at <= $5 and ${unleased}
       order by q.due_at limit $8 for update skip locked
     )
     select l.merchant, l.mode, l.number, l.origin, l.subject, l.sequence, l.due_at, l.failures, l.attempts, l.replay,
       l.parked, l.leased_until as lost_lease, t.suspended_at is not null as suspended, t.broken_at is not null as broken,
       b.until as blocked_until
     from (select * from lanes union all select * from firsts union all select * from retries) l
     left join notifications.targets t on t.merchant = l.merchant and t.mode = l.mode and t.origin = l.origin
     left join lateral (
       select max(${blocked}) as until
       from notifications.events e
       join notifications.queue p on p.merchant = e.merchant and p.mode = e.mode and p.number = e.number
       where l.sequence > 1 and not l.replay and not p.replay and e.subject = l.subject and e.sequence < l.sequence
     ) b on true
     order by l.failures > 0, not l.parked, l.due_at`,
    [
      lanes.map(({ merchant }) => merchant),
      lanes.map(({ mode }) => mode),
      lanes.map(({ origin }) => origin),
      lanes.map(({ room }) => room),
      now,
      floor ?? '-infinity',
      firsts,
      retries,
    ],
  )

const keyColumns = (rows: readonly EventKey[]) => [
  rows.map(({ merchant }) => merchant),
  rows.map(({ mode }) => mode),
  rows.map(({ number }) => number),
]
const keys = 'unnest($1::integer[], $2::text[], $3::bigint[]) as k (merchant, mode, number)'
const isKeyOf = (table: string) =>
  `${table}.merchant = k.merchant and ${table}.mode = k.mode and ${table}.number = k.number`

export interface LeasedRow extends EventKey, Target {
  attempts: number
  failures: number
  replay: boolean
  subject: string
  sequence: number
  id: string
  event: string
  url: string
  body: string
}

export const lease = (tx: Tx, rows: readonly EventKey[], until: Date) =>
  tx.prepared<LeasedRow>(
    `update notifications.queue q set leased_until = $4, attempts = q.attempts + 1
     from ${keys}
     join notifications.events e on ${isKeyOf('e')}
     where ${isKeyOf('q')}
     returning q.merchant, q.mode, q.number, q.origin, q.attempts, q.failures, q.replay, q.subject, q.sequence, e.id,
       e.event, e.url, e.body`,
    [...keyColumns(rows), until],
  )

/** Into the line of its target. */
export const park = (tx: Tx, rows: readonly EventKey[]) =>
  tx.prepared(
    `update notifications.queue q set parked = true, leased_until = null from ${keys} where ${isKeyOf('q')}`,
    keyColumns(rows),
  )

export const postpone = (tx: Tx, rows: readonly (EventKey & { until: Date })[]) =>
  tx.prepared(
    `update notifications.queue q set due_at = k.until, parked = false, leased_until = null
     from unnest($1::integer[], $2::text[], $3::bigint[], $4::timestamptz[]) as k (merchant, mode, number, until)
     where ${isKeyOf('q')}`,
    [...keyColumns(rows), rows.map(({ until }) => until)],
  )

export const hold = (tx: Tx, rows: readonly EventKey[], now: Date) =>
  tx.prepared(
    `with gone as (
       delete from notifications.queue q using ${keys} where ${isKeyOf('q')}
       returning q.merchant, q.mode, q.number, q.attempts
     )
     update notifications.events e set status = 'held', undelivered = true, done_at = $4, attempts = k.attempts
     from gone k where ${isKeyOf('e')}`,
    [...keyColumns(rows), now],
  )

export interface AttemptRow {
  number: bigint
  attempt: number
  at: Date
  durationMs: number | undefined
  address: string | undefined
  status: number | undefined
  problem: Problem | undefined
  detail: string | undefined
  cause: string | undefined
  response: Buffer | undefined
}

export const addAttempts = (tx: Tx, rows: readonly AttemptRow[]) =>
  tx.prepared(
    `insert into notifications.attempts (number, attempt, at, duration_ms, address, status, problem, detail, cause,
       response)
     select * from unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::integer[], $5::text[], $6::integer[],
       $7::text[], $8::text[], $9::text[], $10::bytea[])
     on conflict do nothing`,
    [
      rows.map((row) => row.number),
      rows.map((row) => row.attempt),
      rows.map((row) => row.at),
      rows.map((row) => row.durationMs ?? null),
      rows.map((row) => row.address ?? null),
      rows.map((row) => row.status ?? null),
      rows.map((row) => row.problem ?? null),
      rows.map((row) => row.detail ?? null),
      rows.map((row) => row.cause ?? null),
      rows.map((row) => row.response ?? null),
    ],
  )

export interface EndedRow extends EventKey {
  attempt: number
  at: Date
}

const ended = `unnest($1::integer[], $2::text[], $3::bigint[], $4::integer[], $5::timestamptz[])
  as k (merchant, mode, number, attempt, at)`
const endedColumns = (rows: readonly EndedRow[]) => [
  ...keyColumns(rows),
  rows.map(({ attempt }) => attempt),
  rows.map(({ at }) => at),
]

/** What has arrived has arrived, even if the lease was over; only a replay that was asked for since still goes out. */
export const deliver = (tx: Tx, rows: readonly EndedRow[]) =>
  tx.prepared(
    `with gone as (
       delete from notifications.queue q using ${ended}
       where ${isKeyOf('q')} and (q.attempts = k.attempt or not q.replay)
       returning q.merchant, q.mode, q.number, k.attempt, k.at
     )
     update notifications.events e set status = 'delivered', done_at = k.at, attempts = k.attempt
     from gone k where ${isKeyOf('e')}`,
    endedColumns(rows),
  )

/** No more attempts. Of no effect if somebody else holds the lease by now. */
export const giveUp = (tx: Tx, rows: readonly EndedRow[]) =>
  tx.prepared(
    `with gone as (
       delete from notifications.queue q using ${ended} where ${isKeyOf('q')} and q.attempts = k.attempt
       returning q.merchant, q.mode, q.number, k.attempt, k.at
     )
     update notifications.events e set status = 'failed', undelivered = true, done_at = k.at, attempts = k.attempt
     from gone k where ${isKeyOf('e')}`,
    endedColumns(rows),
  )

/** `at` is the next time. */
export const tryAgain = (tx: Tx, rows: readonly EndedRow[], now: Date) =>
  tx.prepared(
    `update notifications.queue q set due_at = k.at, failures = q.failures + 1, failed_at = coalesce(q.failed_at, $6),
       leased_until = null, parked = false, replay = false
     from ${ended} where ${isKeyOf('q')} and q.attempts = k.attempt`,
    [...endedColumns(rows), now],
  )

/** As if it had not been taken. `unsent`: the attempt was not even begun, so its number is free. */
export const giveBack = (tx: Tx, rows: readonly (EndedRow & { unsent: boolean })[]) =>
  tx.prepared(
    `update notifications.queue q set due_at = k.at, leased_until = null, parked = false,
       attempts = q.attempts - (case when k.unsent then 1 else 0 end)
     from unnest($1::integer[], $2::text[], $3::bigint[], $4::integer[], $5::timestamptz[], $6::boolean[])
       as k (merchant, mode, number, attempt, at, unsent)
     where ${isKeyOf('q')} and q.attempts = k.attempt`,
    [...endedColumns(rows), rows.map(({ unsent }) => unsent)],
  )

/**
 * Later events of these payments that only waited for an earlier one. In steps, by keys alone: conditions on the queue
 * itself would tempt the planner to walk along everything that waits.
 */
export const wakeNext = (tx: Tx, subjects: readonly string[], now: Date) =>
  tx.prepared(
    `with later as materialized (
       select e.merchant, e.mode, e.number from unnest($1::text[]) as s (subject)
       join notifications.events e on e.subject = s.subject and e.sequence > 1
     ), waiting as materialized (
       select q.merchant, q.mode, q.number, q.failures, q.due_at, q.parked, q.leased_until
       from later k join notifications.queue q on ${isKeyOf('q')}
     )
     update notifications.queue q set due_at = $2 from waiting k
     where ${isKeyOf('q')} and k.failures = 0 and k.due_at > $2 and not k.parked and k.leased_until is null`,
    [subjects, now],
  )

export interface LaneRow extends Target {
  suspended: boolean
  /** Only one may be taken, and its time has come. */
  probe: boolean
}

/**
 * The targets that have parked rows: from one to the next along the index, however long their lines are. Those that are
 * broken are left out, but for one that may be probed: who reads it here has taken the turn.
 */
export const lanes = (db: Queries, { now, next, most }: { now: Date; next: Date; most: number }) =>
  db.prepared<LaneRow>(
    `with recursive lanes as (
       (select q.merchant, q.mode, q.origin, 1 as place from notifications.queue q where q.parked
        order by q.merchant, q.mode, q.origin limit 1)
       union all
       select n.merchant, n.mode, n.origin, l.place + 1
       from lanes l
       cross join lateral (
         select q.merchant, q.mode, q.origin from notifications.queue q
         where q.parked and (q.merchant, q.mode, q.origin) > (l.merchant, l.mode, l.origin)
         order by q.merchant, q.mode, q.origin limit 1
       ) n
       where l.place < $3
     ), probed as (
       update notifications.targets t set probe_at = $2
       from lanes l
       where t.merchant = l.merchant and t.mode = l.mode and t.origin = l.origin and t.probe_at <= $1
         and t.suspended_at is null
       returning t.merchant, t.mode, t.origin
     )
     select l.merchant, l.mode, l.origin, t.suspended_at is not null as suspended, false as probe
     from lanes l
     left join notifications.targets t on t.merchant = l.merchant and t.mode = l.mode and t.origin = l.origin
     where t.broken_at is null or t.suspended_at is not null
     union all
     select p.merchant, p.mode, p.origin, false, true from probed p`,
    [now, next, most],
  )
