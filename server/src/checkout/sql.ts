import type { Queries } from '../db/db.ts'

/** Counts one that is about to be tried. No row: there were too many already. */
export const beginLogin = (db: Queries, { number, most, now }: { number: bigint; most: number; now: Date }) =>
  db.row<{ failures: number }>(
    `insert into checkout.wrong_logins as w (payment_number, failures, since) values ($1, 1, $3)
     on conflict (payment_number) do update set failures = w.failures + 1 where w.failures < $2
     returning failures`,
    [number, most, now],
  )

/** It was right after all, or nobody could say. */
export const takeBackLogin = (db: Queries, number: bigint) =>
  db.rows(
    'update checkout.wrong_logins set failures = failures - 1 where payment_number = $1 and failures > 0',
    [number],
  )

export const wrongLogins = (db: Queries, number: bigint) =>
  db.row<{ failures: number }>('select failures from checkout.wrong_logins where payment_number = $1', [
    number,
  ])

/** Of payments that nobody can look at any more. */
export const sweepLogins = (db: Queries, { before, most }: { before: Date; most: number }) =>
  db.rows(
    `delete from checkout.wrong_logins where payment_number in
       (select payment_number from checkout.wrong_logins where since < $1 order by since limit $2)
     returning payment_number`,
    [before, most],
  )
