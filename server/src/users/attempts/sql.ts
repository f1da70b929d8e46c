import type { Queries } from '../../db/db.ts'

export interface Counting {
  key: Buffer
  now: Date
  /** How many failures are let through. */
  most: number
  /** When they are forgotten. */
  forgottenAt: Date
}

/**
 * Counts one. No row: there were too many already. The last one that is let through starts the time anew, so that who
 * is refused is refused for the whole of it.
 */
export const countAttempt = (db: Queries, { key, now, most, forgottenAt }: Counting) =>
  db.row<{ failures: number }>(
    `insert into users.attempts as a (key, failures, forgotten_at) values ($1, 1, $4)
     on conflict (key) do update set
       failures = case when a.forgotten_at <= $2 then 1 else a.failures + 1 end,
       forgotten_at = case when a.forgotten_at <= $2 or a.failures + 1 >= $3 then excluded.forgotten_at
                      else a.forgotten_at end
     where a.forgotten_at <= $2 or a.failures < $3
     returning failures`,
    [key, now, most, forgottenAt],
  )

export const attemptsOf = (db: Queries, key: Buffer) =>
  db.row<{ failures: number; forgotten_at: Date }>(
    'select failures, forgotten_at from users.attempts where key = $1',
    [key],
  )

export const forgetAttempts = (db: Queries, keys: readonly Buffer[]) =>
  db.rows('delete from users.attempts where key = any($1::bytea[])', [keys])

export const uncountAttempt = (db: Queries, key: Buffer) =>
  db.rows('update users.attempts set failures = failures - 1 where key = $1 and failures > 0', [key])
