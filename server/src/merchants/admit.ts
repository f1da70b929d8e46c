// Does an API key open anything? On every request of a merchant, so in the ordinary case nothing here waits. What must
// stay true: a key that was never given out and one that is wrong, over or of another merchant get the same answer in
// the same time; and the mode is the key's own, whatever else is sent.
import { readApiKey } from '../base/api-key.ts'
import { AppError } from '../base/errors.ts'
import type { Known } from './memory.ts'
import type { Room } from './room.ts'
import { isAllowedFrom, type Mode, readMerchantId } from './rules.ts'
import type { Uses } from './uses.ts'

export interface MerchantPrincipal {
  kind: 'merchant'
  id: string
  merchant: number
  mode: Mode
}

export interface Credential {
  apiKey: string
  /** Where the interface asks for it too: it must be the key's own. */
  merchantId?: string
  /** Where it was sent from. */
  address?: string | undefined
}

export function admit(
  room: Room,
  { credential, uses }: { credential: Credential; uses: Uses },
): MerchantPrincipal | Promise<MerchantPrincipal> {
  room.memory.requireFresh()
  const key = readApiKey(credential.apiKey)
  if (key === undefined) throw wrong()
  const known = room.memory.byPrefixNow(key.prefix)
  const good = known && admitKnown(room, { credential, prefix: key.prefix, known, uses })
  return good ?? admitSlowly(room, { credential, prefix: key.prefix, known, uses })
}

interface Admitting {
  credential: Credential
  prefix: string
  known: Known | undefined
  uses: Uses
}

const wrong = () =>
  new AppError('unauthenticated', {
    detail: 'Send a valid API key (and your own Merchant ID with it, if asked for).',
  })

/**
 * What is remembered of a merchant may be older than the key, which is good from the moment on in which it was shown: so
 * what does not open is looked up before it is refused. A wrong one always costs the same looks, and they find the same
 * nothing, so that nobody can tell from the time whether there is such a key.
 */
async function admitSlowly(room: Room, { known, ...admitting }: Admitting): Promise<MerchantPrincipal> {
  const { memory } = room
  const { prefix } = admitting
  const key = { prefix, macs: room.macs.all(admitting.credential.apiKey) }
  const found = await (known === undefined ? memory.byPrefix(prefix) : memory.readKey(key))
  const good = admitKnown(room, { ...admitting, known: found })
  if (good !== undefined) return good
  const fresh = await memory.readKey(key)
  const better = admitKnown(room, { ...admitting, known: fresh })
  if (fresh === undefined || better === undefined) throw wrong()
  memory.forget(fresh.merchant.id)
  return better
}

/** Undefined: it opens nothing. Throws `forbidden` when it would, but may not now. */
function admitKnown(
  room: Room,
  { credential, prefix, known, uses }: Admitting,
): MerchantPrincipal | undefined {
  const now = room.clock.now()
  const row = known?.keys.find((candidate) => candidate.prefix === prefix)
  const stored = row && { macKeyId: row.mac_key_id, mac: row.mac }
  const right = room.macs.isRight(credential.apiKey, stored)
  if (!right || known === undefined || row === undefined || stored === undefined) return undefined
  if (row.expires_at !== null && row.expires_at <= now) return undefined
  const { merchant, networks } = known
  const named = credential.merchantId
  if (named !== undefined && readMerchantId(named) !== merchant.id) return undefined
  if (merchant.status === 'suspended')
    throw new AppError('forbidden', { detail: 'This business is suspended. Write to support.' })
  if (row.mode === 'live' && merchant.status !== 'approved')
    throw new AppError('forbidden', { detail: 'This business is not approved yet. Use the test key.' })
  if (!isAllowedFrom(networks, credential.address))
    throw new AppError('forbidden', { detail: 'This API key may not be used from this network address.' })
  uses.note(row, {
    now,
    anew: room.macs.isCurrent(stored) ? undefined : () => room.macs.make(credential.apiKey),
  })
  return { kind: 'merchant', id: String(merchant.id), merchant: merchant.id, mode: row.mode }
}
