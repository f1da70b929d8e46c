// What was said and what came: exchanges, deliveries, and what they tell of a provider's health.
import type { Queries } from '../../db/db.ts'

export interface NewExchange {
  operationId: string
  provider: string
  mode: string
  what: string
  method: string
  path: string
  request: string
  status: number | null
  answer: string | null
  problem: string | null
  technical: boolean
  durationMs: number
  at: Date
}

/** A text of PostgreSQL holds no NUL. */
const clean = (text: string | null) => text?.replaceAll('\0', '\ufffd').toWellFormed() ?? null

export const addExchanges = (db: Queries, rows: readonly NewExchange[]) =>
  db.prepared(
    `insert into operations.exchanges (operation_id, provider, mode, what, method, path, request, status, answer, problem,
       technical, duration_ms, at)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[],
       $9::text[], $10::text[], $11::boolean[], $12::int[], $13::timestamptz[])`,
    [
      rows.map((row) => row.operationId),
      rows.map((row) => row.provider),
      rows.map((row) => row.mode),
      rows.map((row) => row.what),
      rows.map((row) => row.method),
      rows.map((row) => clean(row.path)),
      rows.map((row) => clean(row.request)),
      rows.map((row) => row.status),
      rows.map((row) => clean(row.answer)),
      rows.map((row) => clean(row.problem)),
      rows.map((row) => row.technical),
      rows.map((row) => row.durationMs),
      rows.map((row) => row.at),
    ],
  )

export interface ExchangeRow {
  id: bigint
  what: 'start' | 'ask' | 'token'
  method: string
  path: string
  request: string
  status: number | null
  answer: string | null
  problem: string | null
  duration_ms: number
  at: Date
}

export const readExchanges = (db: Queries, { operationId, limit }: { operationId: string; limit: number }) =>
  db.rows<ExchangeRow>(
    `select id, what, method, path, request, status, answer, problem, duration_ms, at
     from operations.exchanges where operation_id = $1 order by id desc limit $2`,
    [operationId, limit],
  )

export interface DeliveryRow {
  id: bigint
  operation_id: string | null
  provider: string
  mode: 'live' | 'test'
  what: 'callback' | 'answer'
  method: string
  headers: Record<string, string>
  body: Buffer
  attempts: number
  result: string | null
  at: Date
}

const deliveryColumns = 'id, operation_id, provider, mode, what, method, headers, body, attempts, result, at'

export interface NewDelivery {
  method: string
  headers: Record<string, string>
  body: Buffer
  now: Date
  due: Date
}

/** To an address of one operation. Nothing, if nobody has this address, or too much came to it. */
export const addAddressed = (
  db: Queries,
  { tokenHash, most, ...delivery }: NewDelivery & { tokenHash: Buffer; most: number },
) =>
  db.row<DeliveryRow>(
    `with found as (
       update operations.operations set deliveries = deliveries + 1
       where (callback_hash = $1 or answer_hash = $1) and deliveries < $2
       returning id, provider, mode, case when answer_hash = $1 then 'answer' else 'callback' end as what
     )
     insert into operations.deliveries (operation_id, provider, mode, what, method, headers, body, at, due_at)
     select id, provider, mode, what, $3, $4, $5, $6, $7 from found returning ${deliveryColumns}`,
    [
      tokenHash,
      most,
      delivery.method,
      JSON.stringify(delivery.headers),
      delivery.body,
      delivery.now,
      delivery.due,
    ],
  )

/** To the one address of a provider: of an operation of ours. */
export const addShared = (
  db: Queries,
  { id, provider, mode, most, ...delivery }: NewDelivery & Shared & { most: number },
) =>
  db.row<DeliveryRow>(
    `with found as (
       update operations.operations set deliveries = deliveries + 1
       where id = $1 and provider = $2 and mode = $3 and deliveries < $4 returning id
     )
     insert into operations.deliveries (operation_id, provider, mode, what, method, headers, body, at, due_at)
     select id, $2, $3, 'callback', $5, $6, $7, $8, $9 from found returning ${deliveryColumns}`,
    [
      id,
      provider,
      mode,
      most,
      delivery.method,
      JSON.stringify(delivery.headers),
      delivery.body,
      delivery.now,
      delivery.due,
    ],
  )

interface Shared {
  id: string
  provider: string
  mode: string
}

export interface DeliveryClaim {
  now: Date
  /** Until the next try: for so many of them, then doubling with each, and at the most. */
  againMs: number
  quickTries: number
  againMsMax: number
  limit: number
}

export const claimDeliveries = (
  db: Queries,
  { now, againMs, quickTries, againMsMax, limit }: DeliveryClaim,
) =>
  db.rows<DeliveryRow>(
    `update operations.deliveries set attempts = attempts + 1,
       due_at = $1::timestamptz + least($2::float8 * 2 ^ greatest(attempts - $5::int, 0), $3::float8)
         * interval '1 millisecond'
     where id in (
       select id from operations.deliveries where due_at <= $1 order by due_at limit $4 for update skip locked
     ) returning ${deliveryColumns}`,
    [now, againMs, againMsMax, limit, quickTries],
  )

export const deliveryDone = (db: Queries, { id, result }: { id: bigint; result: string }) =>
  db.rows('update operations.deliveries set due_at = null, result = $2 where id = $1', [id, result])

export const readDeliveries = (db: Queries, { operationId, limit }: { operationId: string; limit: number }) =>
  db.rows<DeliveryRow>(
    `select ${deliveryColumns} from operations.deliveries where operation_id = $1 order by id desc limit $2`,
    [operationId, limit],
  )

export interface HealthRow {
  provider: string
  mode: 'live' | 'test'
  calls: bigint
  technical: bigint
}

/** Exchanges, and how operations ended. */
export const readHealth = (db: Queries, since: Date) =>
  db.rows<HealthRow>(
    `select provider, mode, count(*) as calls, count(*) filter (where technical) as technical from (
       select provider, mode, technical from operations.exchanges where at > $1
       union all
       select provider, mode, failure_code is not distinct from 'provider_unavailable'
       from operations.operations where ended_at > $1
     ) seen group by provider, mode`,
    [since],
  )

export const sweepExchanges = (db: Queries, { before, most }: { before: Date; most: number }) =>
  db.rows<{ id: bigint }>(
    `delete from operations.exchanges where id in
       (select id from operations.exchanges where at < $1 order by at limit $2) returning id`,
    [before, most],
  )

export const sweepDeliveries = (db: Queries, { before, most }: { before: Date; most: number }) =>
  db.rows<{ id: bigint }>(
    `delete from operations.deliveries where id in
       (select id from operations.deliveries where at < $1 and due_at is null order by at limit $2) returning id`,
    [before, most],
  )
