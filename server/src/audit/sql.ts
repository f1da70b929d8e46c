import type { Queries, Tx } from '../db/db.ts'
import type { EventFacts } from './chain.ts'

/** `values`: as the parameters of audit.add_event. */
export const addEvent = (tx: Tx, values: readonly unknown[]) =>
  tx.prepared('select audit.add_event($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', [...values])

/** For the ledger's `also`: with the posting of what it tells. */
export const eventStatement = {
  text: `select audit.add_event(at, actor_kind, actor_id, action, object, result, address, user_agent_hash, session,
      request_id, details)
    from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[],
      $9::text[], $10::text[], $11::json[])
      as n (at, actor_kind, actor_id, action, object, result, address, user_agent_hash, session, request_id, details)`,
} as const

export interface SearchRow {
  id: bigint
  at: Date
  actor_kind: string
  actor_id: string
  action: string
  object: string | null
  result: 'ok' | 'refused'
  address: string | null
  session: string | null
  request_id: string | null
  details: object
  sealed: boolean
}

export interface Search {
  actor: string | undefined
  action: string | undefined
  object: string | undefined
  from: Date | undefined
  to: Date | undefined
  before: { at: Date; id: bigint } | undefined
  limit: number
}

/** The newest first. Only what is asked for is in the statement, so that each kind of search gets its index. */
export function searchEvents(db: Queries, search: Search): Promise<SearchRow[]> {
  const parameters: unknown[] = []
  const given = (value: unknown) => `$${parameters.push(value)}`
  const { actor, action, object, from, to, before, limit } = search
  const conditions = [
    ...(actor === undefined ? [] : [`e.actor_id = ${given(actor)}`]),
    ...(action === undefined ? [] : [`e.action = ${given(action)}`]),
    ...(object === undefined ? [] : [`e.object = ${given(object)}`]),
    ...(from === undefined ? [] : [`e.at >= ${given(from)}`]),
    ...(to === undefined ? [] : [`e.at < ${given(to)}`]),
    ...(before === undefined
      ? []
      : [`(e.at, e.id) < (${given(before.at)}::timestamptz, ${given(before.id)}::bigint)`]),
  ]
  return db.rows<SearchRow>(
    `select e.id, e.at, e.actor_kind, e.actor_id, e.action, e.object, e.result, e.address, e.session, e.request_id,
       e.details, exists (select 1 from audit.chain c where c.event_id = e.id) as sealed
     from audit.events e ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
     order by e.at desc, e.id desc limit ${given(limit)}`,
    parameters,
  )
}

/** Where a day ended, or where today stands. Hashes and signatures in hex. */
export interface Head {
  day: string
  signer: string
  events: bigint
  hash: string
  signature: string
}

/** A day that is none of this age is empty text. */
const headColumns = `case when day between '2000-01-01' and '2999-12-31' then to_char(day, 'YYYY-MM-DD') else '' end as day,
  signer, events, encode(hash, 'hex') as hash,
  encode(signature, 'hex') as signature`

/** The writers take turns on it. */
export const lockTip = (tx: Tx) => tx.row<Head>(`select ${headColumns} from audit.tip for update`)

export const readTip = (db: Queries) => db.row<Head>(`select ${headColumns} from audit.tip`)

export const addTip = (tx: Tx, tip: Head) =>
  tx.rows(
    `insert into audit.tip (day, signer, events, hash, signature)
     values ($1, $2, $3, decode($4, 'hex'), decode($5, 'hex')) on conflict do nothing`,
    [tip.day, tip.signer, tip.events, tip.hash, tip.signature],
  )

export const moveTip = (tx: Tx, tip: Head) =>
  tx.rows(
    `update audit.tip
     set day = $1, signer = $2, events = $3, hash = decode($4, 'hex'), signature = decode($5, 'hex')`,
    [tip.day, tip.signer, tip.events, tip.hash, tip.signature],
  )

export const addHeads = (tx: Tx, heads: readonly Head[]) =>
  tx.rows(
    `insert into audit.heads (day, signer, events, hash, signature)
     select day, signer, events, decode(hash, 'hex'), decode(signature, 'hex')
     from unnest($1::date[], $2::text[], $3::bigint[], $4::text[], $5::text[])
       as h (day, signer, events, hash, signature)`,
    [
      heads.map(({ day }) => day),
      heads.map(({ signer }) => signer),
      heads.map(({ events }) => events),
      heads.map(({ hash }) => hash),
      heads.map(({ signature }) => signature),
    ],
  )

/** The fields of an event as they are hashed. A time that is none is null, and fits no hash. */
const facts = `e.id::text as id,
  case when e.at between '0001-01-01' and '9999-12-31' then (extract(epoch from e.at) * 1000000)::bigint::text end as at_us,
  e.actor_kind, e.actor_id, e.action, e.object, e.result, e.address, encode(e.user_agent_hash, 'hex') as user_agent_hash,
  e.session, e.request_id, e.details::text as details`

/** In three statements by key: left to join them, the planner has scanned both tables when their statistics were old. */
export const waitingIds = (tx: Tx, limit: number) =>
  tx.rows<{ event_id: bigint }>('select event_id from audit.waiting order by event_id limit $1', [limit])

export const readEvents = (tx: Tx, ids: readonly bigint[]) =>
  tx.rows<EventFacts>(`select ${facts} from audit.events e where e.id = any($1::bigint[]) order by e.id`, [
    ids,
  ])

export const endWaiting = (tx: Tx, ids: readonly string[]) =>
  tx.rows('delete from audit.waiting where event_id = any($1::bigint[])', [ids])

export interface NewLink {
  day: string
  position: bigint
  eventId: string
  before: string
  hash: string
}

export const addLinks = (tx: Tx, links: readonly NewLink[]) =>
  tx.rows(
    `insert into audit.chain (day, position, event_id, prev_hash, hash)
     select day, position, event_id, decode(before, 'hex'), decode(hash, 'hex')
     from unnest($1::date[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
       as l (day, position, event_id, before, hash)`,
    [
      links.map(({ day }) => day),
      links.map(({ position }) => position),
      links.map(({ eventId }) => eventId),
      links.map(({ before }) => before),
      links.map(({ hash }) => hash),
    ],
  )

/** Every page is a few thousand look-ups by key; a plan that reads a whole table would read it again for each page. */
export const lookUpByKey = (tx: Tx) =>
  tx.rows(
    `select set_config(name, 'off', true) from unnest(array['enable_hashjoin', 'enable_mergejoin', 'enable_memoize', 'jit']) as name`,
  )

/** One a day and secret: some thousand after many years. */
export const readHeads = (db: Queries) =>
  db.rows<Head>(`select ${headColumns} from audit.heads order by audit.heads.day`)

export interface LinkKey {
  raw_day: string
  position: bigint
}

/** A link and its event; the fields of the event are null when there is none. */
export interface LinkRow extends LinkKey, Omit<EventFacts, 'id'> {
  /** Null when it is no day of this age. */
  day: string | null
  event_id: bigint
  prev_hash: string
  hash: string
  id: string | null
}

export const linksAfter = (tx: Tx, { after, limit }: { after: LinkKey | undefined; limit: number }) =>
  tx.rows<LinkRow>(
    `select c.day::text as raw_day,
       case when c.day between '2000-01-01' and '2999-12-31' then to_char(c.day, 'YYYY-MM-DD') end as day,
       c.position, c.event_id, encode(c.prev_hash, 'hex') as prev_hash, encode(c.hash, 'hex') as hash, ${facts}
     from (
       select day, position, event_id, prev_hash, hash from audit.chain
       where $1::date is null or (day, position) > ($1::date, $2::bigint)
       order by day, position limit $3
     ) c
     left join audit.events e on e.id = c.event_id
     order by c.day, c.position`,
    [after?.raw_day ?? null, after?.position ?? null, limit],
  )

export interface OddWaiting {
  event_id: bigint
  since: Date
  gone: boolean
  sealed: boolean
}

/** What waits and should not: for a minute already, for nothing, or for what it has. */
export const oddWaiting = (tx: Tx, limit: number) =>
  tx.rows<OddWaiting>(
    `select w.event_id, w.since, e.id is null as gone, c.event_id is not null as sealed
     from audit.waiting w left join audit.events e on e.id = w.event_id left join audit.chain c on c.event_id = w.event_id
     where w.since < now() - interval '1 minute' or e.id is null or c.event_id is not null
     order by w.event_id limit $1`,
    [limit],
  )

/** `fresh`: those that are there and have no place yet. */
export const countWaiting = (tx: Tx) =>
  tx.row<{ waiting: number; fresh: number }>(
    `select count(*)::int as waiting, (count(e.id) filter (where c.event_id is null))::int as fresh
     from audit.waiting w left join audit.events e on e.id = w.event_id left join audit.chain c on c.event_id = w.event_id`,
  )

export interface EventsAfter {
  after: bigint
  limit: number
}

export const countEventsAfter = (tx: Tx, { after, limit }: EventsAfter) =>
  tx.row<{ last: bigint | null; events: number }>(
    `select max(id) as last, count(*)::int as events
     from (select id from audit.events where id > $1 order by id limit $2) e`,
    [after, limit],
  )

/** Events without a place that don't wait for one, among the next so many. */
export const leftOutAfter = (tx: Tx, { after, limit }: EventsAfter) =>
  tx.row<{ last: bigint | null; left_out: bigint[] | null }>(
    `select max(e.id) as last, (array_agg(e.id order by e.id) filter (where c.event_id is null and w.event_id is null))[1:20]
       as left_out
     from (select id from audit.events where id > $1 order by id limit $2) e
     left join audit.chain c on c.event_id = e.id left join audit.waiting w on w.event_id = e.id`,
    [after, limit],
  )

export const hasLog = (db: Queries) =>
  db.row<{ there: boolean }>(`select to_regclass('audit.tip') is not null as there`)

export const takesWrites = (db: Queries) =>
  db.row<{ yes: boolean }>(`select current_setting('transaction_read_only') = 'off' as yes`)
