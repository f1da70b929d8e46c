import type { Tx } from '../../db/db.ts'

/** No row: somebody had this key before. One that is being worked on is waited for. */
export const claim = (tx: Tx, { id, fingerprint, now }: { id: string; fingerprint: string; now: Date }) =>
  tx.row<{ key: string }>(
    `insert into ledger.answers (key, fingerprint, status, body, created_at) values ($1, $2, 0, '', $3)
     on conflict do nothing returning key`,
    [id, fingerprint, now],
  )

export const keep = (tx: Tx, { id, status, body }: { id: string; status: number; body: string }) =>
  tx.rows('update ledger.answers set status = $2, body = $3 where key = $1', [id, status, body])
