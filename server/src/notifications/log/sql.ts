// What merchants look at, and what they ask for again.
import type { Queries, Tx } from '../../db/db.ts'
import type { Problem } from '../rules.ts'
import type { EventKey } from '../sql.ts'

export const statuses = ['pending', 'delivered', 'failed', 'held', 'unsent'] as const
export type Status = (typeof statuses)[number]

export interface LoggedRow extends EventKey {
  id: string
  event: string
  kind: 'gateway' | 'callback'
  subject: string
  sequence: number
  url: string | null
  status: Status
  attempts: number
  at: Date
  done_at: Date | null
  due_at: Date | null
  last_at: Date | null
  last_status: number | null
  last_problem: Problem | null
}

const columns = `e.merchant, e.mode, e.number, e.id, e.event, e.kind, e.subject, e.sequence, e.url, e.status,
  coalesce(q.attempts, e.attempts) as attempts, e.at, e.done_at, q.due_at, a.at as last_at, a.status as last_status,
  a.problem as last_problem`
const besides = `left join notifications.queue q on q.merchant = e.merchant and q.mode = e.mode and q.number = e.number
  left join lateral (
    select a.at, a.status, a.problem from notifications.attempts a where a.number = e.number
    order by a.attempt desc limit 1
  ) a on true`

export interface LogPage {
  merchant: number
  modes: readonly string[]
  /** Older than this one. */
  before: bigint | undefined
  limit: number
  status: Status | undefined
}

const newest = 2n ** 63n - 1n

/** Each status has its index: what waits is in the queue, what failed has one of its own, the rest is most of all. */
const source = (status: Status | undefined): string => {
  if (status === 'pending')
    return `select e.* from notifications.queue w
      join notifications.events e on e.merchant = w.merchant and e.mode = w.mode and e.number = w.number
      where w.merchant = $1 and w.mode = m.mode and w.number < $3 order by w.number desc limit $4`
  const condition = {
    all: '',
    delivered: `and e.status = 'delivered'`,
    failed: `and e.undelivered and e.status = 'failed'`,
    held: `and e.undelivered and e.status = 'held'`,
    unsent: `and e.status = 'unsent'`,
  }[status ?? 'all']
  return `select e.* from notifications.events e
    where e.merchant = $1 and e.mode = m.mode and e.number < $3 ${condition} order by e.number desc limit $4`
}

/** The newest first. */
export const listEvents = (db: Queries, { merchant, modes, before, limit, status }: LogPage) =>
  db.rows<LoggedRow>(
    `with page as materialized (
       select e.* from unnest($2::text[]) as m (mode) cross join lateral (${source(status)}) e
       order by e.number desc limit $4
     )
     select ${columns} from page e ${besides} order by e.number desc`,
    [merchant, modes, before ?? newest, limit],
  )

export const eventsOfSubject = (db: Queries, { merchant, subject }: { merchant: number; subject: string }) =>
  db.rows<LoggedRow>(
    `select ${columns} from notifications.events e ${besides}
     where e.subject = $1 and e.merchant = $2 order by e.number desc limit 100`,
    [subject, merchant],
  )

/** Of any merchant, when none is given. */
export const readEvent = (db: Queries, { merchant, id }: { merchant: number | undefined; id: string }) =>
  db.row<LoggedRow & { body: string | null; body_hash: string | null }>(
    `select ${columns}, e.body, encode(e.body_hash, 'hex') as body_hash from notifications.events e ${besides}
     where e.id = $1 and ($2::integer is null or e.merchant = $2)`,
    [id, merchant ?? null],
  )

export interface LoggedAttempt {
  attempt: number
  at: Date
  duration_ms: number | null
  address: string | null
  status: number | null
  problem: Problem | null
  detail: string | null
  cause: string | null
  response: Buffer | null
}

export const readAttempts = (db: Queries, number: bigint) =>
  db.rows<LoggedAttempt>(
    `select attempt, at, duration_ms, address, status, problem, detail, cause, response
     from notifications.attempts where number = $1 order by attempt desc limit 100`,
    [number],
  )

export const lockEvent = (tx: Tx, { merchant, id }: { merchant: number; id: string }) =>
  tx.row<EventKey & { has_body: boolean; has_url: boolean }>(
    `select merchant, mode, number, body is not null as has_body, url is not null as has_url from notifications.events
     where id = $1 and merchant = $2 for update`,
    [id, merchant],
  )

/** One that waits is brought forward; one that is being sent right now stays as it is. */
const enqueue = `insert into notifications.queue as q
    (merchant, mode, number, origin, subject, sequence, due_at, attempts, replay)
  select e.merchant, e.mode, e.number, e.origin, e.subject, e.sequence, e.due_at, e.attempts, true from asked e
  on conflict (merchant, mode, number) do update set due_at = excluded.due_at, replay = true, parked = false
    where q.leased_until is null or q.leased_until <= excluded.due_at`

const reopen = `update notifications.events e set status = 'pending', undelivered = false, done_at = null from asked k
  where e.merchant = k.merchant and e.mode = k.mode and e.number = k.number`

export const replayEvent = (tx: Tx, { merchant, mode, number }: EventKey, at: Date) =>
  tx.rows(
    `with asked as materialized (
       select e.*, $4::timestamptz as due_at from notifications.events e
       where e.merchant = $1 and e.mode = $2 and e.number = $3
     ), reopened as (${reopen})
     ${enqueue}`,
    [merchant, mode, number, at],
  )

export interface ReplayRange {
  merchant: number
  modes: readonly string[]
  from: Date
  to: Date
  at: Date
  most: number
  perSecond: number
}

/** The oldest first, and not all at once: the receiver has just come back. */
export const replayRange = (tx: Tx, { merchant, modes, from, to, at, most, perSecond }: ReplayRange) =>
  tx.rows<{ number: bigint }>(
    `with found as materialized (
       select e.merchant, e.mode, e.number from notifications.events e
       where e.undelivered and e.merchant = $1 and e.mode = any($2::text[]) and e.at >= $3 and e.at < $4
         and e.body is not null
       order by e.number limit $6 for update skip locked
     ), asked as materialized (
       select e.merchant, e.mode, e.number, e.origin, e.subject, e.sequence, e.attempts,
         $5::timestamptz + interval '1 second' * ((row_number() over (order by e.number) - 1) / $7::numeric) as due_at
       from notifications.events e
       join found f on f.merchant = e.merchant and f.mode = e.mode and f.number = e.number
     ), reopened as (${reopen})
     ${enqueue} returning q.number`,
    [merchant, modes, from, to, at, most, perSecond],
  )

/** How many wait, counted up to a hundred thousand, and the oldest that should have been sent for the first time. */
export const waiting = (db: Queries) =>
  db.row<{ waiting: bigint; oldest: Date | null }>(
    `select (select count(*) from (select 1 from notifications.queue limit 100000) q) as waiting,
       (select min(due_at) from notifications.queue where not parked and failures = 0) as oldest`,
  )

export const pruneAttempts = (db: Queries, { before, most }: { before: Date; most: number }) =>
  db.rows<{ number: bigint }>(
    `delete from notifications.attempts where (number, attempt) in (
       select number, attempt from notifications.attempts where at < $1 order by at limit $2
     ) returning number`,
    [before, most],
  )

/** Of what is not waiting any more: what may still be sent needs its body, also what somebody asks for in this moment. */
export const pruneBodies = (db: Queries, { before, most }: { before: Date; most: number }) =>
  db.rows<{ number: bigint }>(
    `update notifications.events e set body = null, body_hash = sha256(convert_to(e.body, 'UTF8'))
     where (e.merchant, e.mode, e.number) in (
       select merchant, mode, number from notifications.events
       where at < $1 and body is not null and status <> 'pending' order by at limit $2
     ) and e.body is not null and e.status <> 'pending' returning e.number`,
    [before, most],
  )
