import type { Queries } from '../../db/db.ts'

/** In bites, so that a sweep holds nothing for long. */
const statements = {
  /** The time is the database's own, as in the feed that reads them. */
  changes: `delete from merchants.changes where id in
    (select id from merchants.changes where at < now() - interval '1 hour' and $1::timestamptz is not null limit $2)
    returning 1`,
  answersShown: `update merchants.answers set sealed = null where id in
    (select id from merchants.answers where sealed is not null
       and created_at < $1::timestamptz - interval '10 minutes' limit $2)
    returning 1`,
  keysShown: `update merchants.api_keys set sealed = null where id in
    (select id from merchants.api_keys where sealed is not null
       and created_at < $1::timestamptz - interval '10 minutes' limit $2)
    returning 1`,
  answers: `delete from merchants.answers where id in
    (select id from merchants.answers where created_at < $1::timestamptz - interval '7 days' limit $2) returning 1`,
  /** A key that is over is known for a while yet, so that who still uses it can be told apart from a guess. */
  keys: `delete from merchants.api_keys where id in
    (select id from merchants.api_keys where expires_at < $1::timestamptz - interval '90 days' limit $2) returning 1`,
  secrets: `delete from merchants.client_secrets where id in
    (select id from merchants.client_secrets where expires_at < $1 limit $2) returning 1`,
} as const

export type Swept = keyof typeof statements
export const swept = Object.keys(statements) as Swept[]

export const sweep = (db: Queries, { what, now, most }: { what: Swept; now: Date; most: number }) =>
  db.rows(statements[what], [now, most])
