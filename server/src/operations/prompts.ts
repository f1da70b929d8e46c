// Whoever knows a phone number can have it asked for money. So of all who ask one phone together, over deposits and
// payments, a few in a short time go unpaid, and then nobody asks it for a while. What was paid was wanted, and counts
// for nothing; the time is short, since nobody may keep a stranger's phone from paying for long. The simulator asks nobody.
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import type { Operation } from './model.ts'
import type { Room } from './room.ts'
import * as sql from './sql.ts'

const windowMs = 15 * 60_000
/** One more than a payment has tries: who fails with all of them begins anew. */
const unpaidMax = 6

/** Before it is written. Throws `rate_limited` when its phone has been asked too often. */
export async function refusePrompt(
  { clock, registry }: Pick<Room, 'clock' | 'registry'>,
  tx: Tx,
  { kind, mode, provider, phone }: Operation,
): Promise<void> {
  if (kind !== 'collect' || phone === null || registry.of(provider, mode)?.simulated !== false) return
  // All who ask one phone take turns, so that many at once are counted too.
  await sql.lockPhone(tx, phone)
  const now = clock.now().getTime()
  const since = new Date(now - windowMs)
  const unpaid = await sql.readUnpaid(tx, { phone, mode, since, limit: unpaidMax })
  const oldest = unpaid[unpaidMax - 1]
  if (oldest === undefined) return
  const retryAfter = Math.max(1, Math.ceil((oldest.created_at.getTime() + windowMs - now) / 1_000))
  throw new AppError('rate_limited', { detail: askedOften, retryAfter })
}

const askedOften =
  'This phone was asked for money several times of late, and nothing was paid. Wait some minutes, then try again.'
