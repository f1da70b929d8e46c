// What operators decide about a business. Each decision is told to its owner by mail and kept in the audit log, in the
// transaction that makes it.
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import type { Origin } from '../users/users.ts'
import { type Merchant, merchantOf } from './memory.ts'
import * as decisions from './review/sql.ts'
import { type MerchantWords, type Room, record, tellOwner } from './room.ts'
import type { Status } from './rules.ts'
import * as sql from './sql.ts'

export interface Decider {
  merchant: number
  by: { kind: string; id: string }
  origin: Origin & { session?: string }
}

export const approve = (room: Room, decider: Decider): Promise<Merchant> =>
  decide(room, decider, {
    from: 'pending',
    action: 'merchant.approved',
    change: (tx, now) =>
      decisions.decide(tx, {
        id: decider.merchant,
        status: 'approved',
        reason: undefined,
        by: decider.by.id,
        now,
      }),
    words: ({ businessName }) => ({ template: 'merchant_approved', data: { businessName } }),
  })

export const reject = (room: Room, { reason, ...decider }: Decider & { reason: string }): Promise<Merchant> =>
  decide(room, decider, {
    from: 'pending',
    action: 'merchant.rejected',
    reason,
    change: (tx, now) =>
      decisions.decide(tx, { id: decider.merchant, status: 'rejected', reason, by: decider.by.id, now }),
    words: ({ businessName }) => ({ template: 'merchant_rejected', data: { businessName, reason } }),
  })

/** Its keys open nothing any more, on every process within two seconds. From now on no money leaves it. */
export const suspend = (
  room: Room,
  { reason, ...decider }: Decider & { reason: string },
): Promise<Merchant> =>
  decide(room, decider, {
    from: 'approved',
    action: 'merchant.suspended',
    reason,
    change: async (tx, now) => {
      const row = await decisions.suspend(tx, { id: decider.merchant, reason, now })
      if (row !== undefined) await room.ledger.changeGuard(tx, row.owner_id)
      return row
    },
    words: ({ businessName }) => ({ template: 'merchant_suspended', data: { businessName, reason } }),
  })

export const reinstate = (room: Room, decider: Decider): Promise<Merchant> =>
  decide(room, decider, {
    from: 'suspended',
    action: 'merchant.reinstated',
    change: (tx) => decisions.reinstate(tx, decider.merchant),
    words: ({ businessName }) => ({ template: 'merchant_reinstated', data: { businessName } }),
  })

interface Decision {
  from: Status
  action: string
  reason?: string
  change: (tx: Tx, now: Date) => Promise<sql.MerchantRow | undefined>
  words: (merchant: Merchant) => MerchantWords
}

export const noSuchMerchant = () => new AppError('not_found', { detail: 'There is no such business.' })

async function decide(
  room: Room,
  { merchant: id, by, origin }: Decider,
  { from, action, reason, change, words }: Decision,
): Promise<Merchant> {
  const known = await room.memory.byId(id)
  if (known === undefined) throw noSuchMerchant()
  const owner = await room.users.person(known.merchant.owner)
  const now = room.clock.now()
  const merchant = await room.db.inTransaction(async (tx) => {
    const before = await sql.lockMerchant(tx, id)
    if (before?.status !== from)
      throw new AppError('invalid_state', { detail: `This business is ${before?.status}, not ${from}.` })
    const row = await change(tx, now)
    if (row === undefined) throw new AppError('not_found')
    const after = merchantOf(row)
    await sql.addChange(tx, id)
    const details = { before: from, after: after.status, ...(reason === undefined ? {} : { reason }) }
    await record(tx, { actor: by, action, merchant: id, details, origin, at: now })
    await tellOwner(tx, { owner, merchant: id, words: words(after) })
    return after
  })
  room.memory.forget(id)
  return merchant
}
