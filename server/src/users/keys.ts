// Keys for single purposes, derived from the service's secrets: what leaks of one says nothing about another.
import { createHash, hkdfSync } from 'node:crypto'
import { type Mac, openMac } from '../base/mac.ts'
import type { Secret } from '../base/secret.ts'

export interface Key {
  /** Tells which key made something, and nothing about the key. */
  readonly id: string
  readonly bytes: Buffer
  readonly mac: Mac
}

export const deriveKey = (secret: Secret, purpose: string): Key => {
  const bytes = Buffer.from(hkdfSync('sha256', secret.reveal(), '', `mfuko users ${purpose}`, 32))
  const id = createHash('sha256').update('key id').update(bytes).digest('base64url').slice(0, 8)
  return { id, bytes, mac: openMac(bytes) }
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
  return key.mac.bytes(text)
}
