import type { Queries } from '../db/db.ts'

export const readOpened = (db: Queries, userId: string) =>
  db.prepared<{ currency: string; created_at: Date }>(
    'select currency, created_at from wallets.opened where user_id = $1',
    [userId],
  )

/** No row back: it was open already. */
export const insertOpened = (
  db: Queries,
  { userId, currency, at }: { userId: string; currency: string; at: Date },
) =>
  db.row<{ currency: string }>(
    `insert into wallets.opened (user_id, currency, created_at) values ($1, $2, $3)
     on conflict do nothing returning currency`,
    [userId, currency, at],
  )
