// Answers that show a secret, asked for again with the same Idempotency-Key because the first got lost: the same bytes
// for ten minutes, sealed meanwhile; after that only that it was done. Claimed first in the transaction, so that it
// happens once, and one that comes while the first is worked on waits for it.
import { AppError } from '../base/errors.ts'
import { placeIn, type SealedColumn } from '../base/seal.ts'
import { conflict, type Tx } from '../db/db.ts'
import type { RequestKey } from '../ledger/ledger.ts'
import type { Room } from './room.ts'
import * as sql from './sql.ts'

export interface Answer {
  status: number
  body: string
}

export interface StoredAnswer {
  answer: Answer
  replayed: boolean
}

/** How long what was shown can be shown again, because the answer may have got lost. */
export const shownMs = 10 * 60_000
const knownMs = 7 * 86_400_000

export interface OnceOnly {
  key: RequestKey | undefined
  work: () => Promise<Answer>
}

export async function onceOnly(room: Room, tx: Tx, { key, work }: OnceOnly): Promise<StoredAnswer> {
  if (key === undefined) return { answer: await work(), replayed: false }
  const now = room.clock.now()
  const claimed = (await sql.claimAnswer(tx, { ...key, now })) !== undefined
  if (!claimed) {
    const earlier = await earlierAnswer(room, tx, { key, now })
    if (earlier !== 'forgotten') return { answer: earlier, replayed: true }
    await sql.dropAnswer(tx, key.id)
    await sql.claimAnswer(tx, { ...key, now })
  }
  const answer = await work()
  const sealed = room.seal.seal(answer.body, placeOf(key))
  await sql.keepAnswer(tx, { id: key.id, status: answer.status, sealed })
  return { answer, replayed: false }
}

export const shownAnswers: SealedColumn = { table: 'merchants.answers', key: 'id', column: 'sealed' }

const placeOf = ({ id }: RequestKey) => placeIn(shownAnswers, id)

async function earlierAnswer(
  room: Room,
  tx: Tx,
  { key, now }: { key: RequestKey; now: Date },
): Promise<Answer | 'forgotten'> {
  const row = await sql.readAnswer(tx, key.id)
  // It was swept away in this very moment.
  if (row === undefined) throw conflict(new Error('an answer was there, and is gone'))
  const age = now.getTime() - row.created_at.getTime()
  if (age > knownMs) return 'forgotten'
  if (row.fingerprint !== key.fingerprint) throw new AppError('idempotency_conflict')
  if (row.sealed !== null && age <= shownMs)
    return { status: row.status, body: room.seal.open(row.sealed, placeOf(key)) }
  throw new AppError('invalid_state', {
    detail:
      'This was done already. What it showed can not be shown again; rotate the credential to get a new one.',
  })
}
