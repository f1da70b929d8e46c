// Keys for single purposes, derived from the service's secrets: what leaks of one says nothing about another.
import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Secret } from '../base/secret.ts'

export interface Key {
  /** Tells which key made something, and nothing about the key. */
  readonly id: string
  readonly bytes: Buffer
  /** The same, as it takes the least time to use. */
  readonly handle: KeyObject
}

export const deriveKey = (secret: Secret, purpose: string): Key => {
  const bytes = Buffer.from(hkdfSync('sha256', secret.reveal(), '', `mfuko users ${purpose}`, 32))
  const id = createHash('sha256').update('key id').update(bytes).digest('base64url').slice(0, 8)
  return { id, bytes, handle: createSecretKey(bytes) }
}

/** The one in use first, then those it has replaced. */
export const deriveKeys = (secret: Secret, purpose: string): [Key, ...Key[]] => [
  deriveKey(secret, purpose),
  ...secret.older.map((older) => deriveKey(older, purpose)),
]

/** Parts are told apart by their lengths, so that no two lists of parts are the same text. */
export function macOf(key: Key, parts: readonly (string | Buffer)[]): Buffer {
  let text = ''
  for (const part of parts) {
    const letters = typeof part === 'string' ? part : part.toString('latin1')
    text += `${letters.length}:${letters}`
  }
  return createHmac('sha256', key.handle).update(text).digest()
}
