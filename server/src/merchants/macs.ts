// What is kept of an API key: its HMAC under a key of the service that is not in the database. When that key is being
// replaced, both work, and what the old one made is made anew the next time the API key is used.
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { check } from '../base/check.ts'
import type { Secret } from '../base/secret.ts'

export interface StoredMac {
  macKeyId: string
  mac: Buffer
}

export interface Macs {
  make(text: string): StoredMac
  /** As any of the service's keys would have made it. */
  all(text: string): Buffer[]
  /** Takes as long when there is nothing to compare with. */
  isRight(text: string, stored: StoredMac | undefined): boolean
  isCurrent(stored: StoredMac): boolean
}

interface Key {
  id: string
  bytes: Buffer
}

export function openMacs(secret: Secret): Macs {
  const [key, ...older] = [secret, ...secret.older].map(keyOf)
  check(key !== undefined, 'there is a key for API keys')
  const nothing: StoredMac = { macKeyId: key.id, mac: Buffer.alloc(32) }
  return {
    make: (text) => ({ macKeyId: key.id, mac: macOf(key, text) }),
    all: (text) => [key, ...older].map((each) => macOf(each, text)),
    isRight: (text, stored) => {
      const { macKeyId, mac } = stored ?? nothing
      const own = [key, ...older].find(({ id }) => id === macKeyId)
      return timingSafeEqual(macOf(own ?? key, text), mac) && own !== undefined && stored !== undefined
    },
    isCurrent: ({ macKeyId }) => macKeyId === key.id,
  }
}

function keyOf(secret: Secret): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'mfuko api keys', 32))
  return { bytes, id: hash('sha256', Buffer.concat([Buffer.from('key id'), bytes]), 'base64url').slice(0, 8) }
}

const macOf = ({ bytes }: Key, text: string): Buffer => createHmac('sha256', bytes).update(text).digest()
