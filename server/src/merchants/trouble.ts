// What the owner of a business is told when notifications do not arrive.
import type { Tx } from '../db/db.ts'
import type { Trouble } from '../notifications/notifications.ts'
import { type Room, tellOwner } from './room.ts'

/** In the transaction that notes the trouble, so that it is told once. */
export async function tellTrouble(room: Room, tx: Tx, trouble: Trouble): Promise<void> {
  const known = await room.memory.byId(trouble.merchant)
  if (known === undefined) return
  const { id: merchant, businessName, owner } = known.merchant
  const about = { businessName, url: trouble.origin, time: trouble.since }
  await tellOwner(tx, {
    owner: await room.users.person(owner),
    merchant,
    mode: trouble.mode,
    words: { template: templateOf(trouble), data: about },
  })
}

function templateOf({ kind, reason }: Trouble) {
  if (kind === 'failing') return 'notification_trouble'
  return reason === 'gone' ? 'notification_gone' : 'notification_suspended'
}
