import type { Queries, Tx } from '../../db/db.ts'

export interface FactorRow {
  sealed: Buffer
  last_step: bigint
}

export const putFactor = (tx: Tx, { user, sealed, at }: { user: string; sealed: Buffer; at: Date }) =>
  tx.rows(
    `insert into operators.factors (user_id, sealed, created_at) values ($1, $2, $3)
     on conflict (user_id) do update set sealed = $2, created_at = $3, last_step = 0`,
    [user, sealed, at],
  )

/** Whoever was let in with the one before shows the new one first. */
export const endPasses = (tx: Tx, user: string) =>
  tx.rows('delete from operators.passes where user_id = $1', [user])

export const lockFactor = (tx: Tx, user: string) =>
  tx.row<FactorRow>('select sealed, last_step from operators.factors where user_id = $1 for update', [user])

export const useStep = (tx: Tx, { user, step, sealed }: { user: string; step: number; sealed: Buffer }) =>
  tx.rows('update operators.factors set last_step = $2, sealed = $3 where user_id = $1', [user, step, sealed])

export const addPass = (tx: Tx, { session, user, until }: { session: string; user: string; until: Date }) =>
  tx.rows(
    `insert into operators.passes (session_id, user_id, until) values ($1, $2, $3)
     on conflict (session_id) do update set until = excluded.until`,
    [session, user, until],
  )

export const sweepPasses = (tx: Tx, now: Date) =>
  tx.rows('delete from operators.passes where until < $1', [now])

export const readState = (
  db: Queries,
  { session, user, now }: { session: string; user: string; now: Date },
) =>
  db.row<{ enrolled: boolean; passed: boolean }>(
    `select exists (select from operators.factors where user_id = $2) as enrolled,
       exists (select from operators.passes where session_id = $1 and user_id = $2 and until > $3) as passed`,
    [session, user, now],
  )
