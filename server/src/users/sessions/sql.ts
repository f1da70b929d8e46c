import { changesStatement, type FeedRow, type Queries, type Tx } from '../../db/db.ts'

export interface NewSession {
  id: string
  user: string
  device: string
  address: string
  now: Date
  issuedAt: Date
}

export const addSession = (tx: Tx, session: NewSession) =>
  tx.rows(
    `insert into users.sessions (id, user_id, generation, issued_at, device, address, created_at)
     values ($1, $2, 1, $3, $4, $5, $6)`,
    [session.id, session.user, session.issuedAt, session.device, session.address, session.now],
  )

export interface SessionRow {
  id: string
  user_id: string
  generation: number
  issued_at: Date
  rotated_at: Date | null
  device: string
  address: string
  created_at: Date
  ended_at: Date | null
}

/** Locked, so that of two tokens shown at the same time one is the first. */
export const lockSession = (tx: Tx, id: string) =>
  tx.row<SessionRow>(
    `select id, user_id, generation, issued_at, rotated_at, device, address, created_at, ended_at
     from users.sessions where id = $1 for update`,
    [id],
  )

export const sessionsOf = (db: Queries, { user, issuedSince, createdSince }: Living) =>
  db.rows<SessionRow>(
    `select id, user_id, generation, issued_at, rotated_at, device, address, created_at, ended_at
     from users.sessions
     where user_id = $1 and ended_at is null and issued_at > $2 and created_at > $3
     order by issued_at desc, id limit 100`,
    [user, issuedSince, createdSince],
  )

interface Living {
  user: string
  /** A session nobody has refreshed for so long can't be any more. */
  issuedSince: Date
  createdSince: Date
}

export interface Rotation {
  id: string
  generation: number
  issuedAt: Date
  now: Date
  /** When the token before would have ended by itself. */
  refusesUntil: Date
}

export const rotateSession = (tx: Tx, { id, generation, issuedAt, now, refusesUntil }: Rotation) =>
  tx.rows(
    `with rotated as (update users.sessions set generation = $2, issued_at = $3, rotated_at = $4, refuses_until = $5
       where id = $1)
     insert into users.changes (kind, subject, generation, refuses_until) values ('session', $1, $2, $5)`,
    [id, generation, issuedAt, now, refusesUntil],
  )

export interface Mark {
  session: string
  /** The least number of a token that is still good. */
  generation: number
  refuses_until: Date
}

/** No token has this number. */
export const noGeneration = 2_147_483_647

export interface Ending {
  user: string
  /** All of them when absent. */
  only?: string | undefined
  except?: string | undefined
  /** All but the so many latest ones. */
  keep?: number | undefined
  reason: string
  now: Date
  /** How long the latest token of each is good, from when it was issued. */
  tokenSeconds: number
}

export const endSessions = (tx: Tx, { user, only, except, keep = 0, reason, now, tokenSeconds }: Ending) =>
  tx.rows<Mark>(
    `with kept as (select id from users.sessions where user_id = $1 and ended_at is null
       order by issued_at desc, created_at desc, id limit $5),
     ended as (update users.sessions set ended_at = $6, end_reason = $7,
         refuses_until = greatest(refuses_until, issued_at + make_interval(secs => $8))
       where user_id = $1 and ended_at is null and ($2::text is null or id = $2) and id is distinct from $3
         and id not in (select id from kept)
       returning id, refuses_until)
     insert into users.changes (kind, subject, generation, refuses_until)
       select 'session', id, $4, refuses_until from ended
     returning subject as session, generation, refuses_until`,
    [user, only ?? null, except ?? null, noGeneration, keep, now, reason, tokenSeconds],
  )

/** Sessions with tokens that must be refused, those first whose tokens are over first. */
export const refusingSessions = (
  db: Queries,
  { after, limit }: { after: { refuses_until: Date; session: string }; limit: number },
) =>
  db.rows<Mark>(
    `select id as session, case when ended_at is null then generation else $3::int end as generation, refuses_until
     from users.sessions where refuses_until >= $1 and (refuses_until, id) > ($1, $2)
     order by refuses_until, id limit $4`,
    [after.refuses_until, after.session, noGeneration, limit],
  )

export type ChangeRow = Omit<FeedRow, 'id'> &
  (
    | { id: null }
    | { id: bigint; kind: 'person'; subject: string }
    | { id: bigint; kind: 'session'; subject: string; generation: number; refuses_until: Date }
  )

export const changesSince = (db: Queries, xmin: string) =>
  db.prepared<ChangeRow>(
    changesStatement('users.changes', 'c.kind, c.subject, c.generation, c.refuses_until'),
    [xmin],
  )

/** In bites, so that a sweep holds nothing for long. */
const sweepStatements = {
  changes: `delete from users.changes where id in
    (select id from users.changes where at < now() - interval '1 hour' and $1::timestamptz is not null limit $2)
    returning 1`,
  attempts: `delete from users.attempts where key in
    (select key from users.attempts where forgotten_at < $1 limit $2) returning 1`,
  codes: `delete from users.codes where (user_id, purpose) in
    (select user_id, purpose from users.codes where expires_at < $1 limit $2) returning 1`,
  places: `delete from users.places where (user_id, address, device) in
    (select user_id, address, device from users.places where seen_at < $1::timestamptz - interval '30 days' limit $2)
    returning 1`,
  sessions: `delete from users.sessions where id in
    (select id from users.sessions where created_at < $1::timestamptz - interval '60 days' limit $2) returning 1`,
} as const

export const swept = Object.keys(sweepStatements) as (keyof typeof sweepStatements)[]

export const sweep = (
  db: Queries,
  { what, now, most }: { what: keyof typeof sweepStatements; now: Date; most: number },
) => db.rows(sweepStatements[what], [now, most])
