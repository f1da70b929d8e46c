// Secrets that must be read again (a Client Secret signs notifications) are stored sealed: AES-256-GCM under a key that
// is not in the database. What is sealed says which key made it, and opens only at its own place: a value that was moved
// to another row, column or table opens nothing. The form, in bytes: version 1, key id 8, nonce 12, contents, tag 16.
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { check } from './check.ts'
import type { Secret } from './secret.ts'

/** Where a sealed value is stored. */
export interface Place {
  table: string
  row: string
  column: string
}

/** A column of the database that holds sealed values. Each is in the list of `sealing.ts`, or is never sealed anew. */
export interface SealedColumn {
  table: string
  /** The column that names a row; as a text it is the row of the place. */
  key: string
  column: string
}

export const placeIn = ({ table, column }: SealedColumn, row: string): Place => ({ table, row, column })

export interface Seal {
  seal(text: string, place: Place): Buffer
  open(sealed: Buffer, place: Place): string
  /** What does not begin with this was sealed with a key that has been replaced, and is to be sealed anew. */
  readonly head: Buffer
}

interface Key {
  bytes: Buffer
  head: Buffer
}

const version = 1
const idBytes = 8
const headBytes = 1 + idBytes
const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/** Seals with the secret; opens also what those sealed that it has replaced. */
export function openSeal(secret: Secret): Seal {
  const [key, ...older] = [secret, ...secret.older].map(keyOf)
  check(key !== undefined, 'there is a key to seal with')
  return {
    head: key.head,
    seal: (text, place) => {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key.bytes, nonce).setAAD(boundTo(key, place))
      const contents = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
      return Buffer.concat([key.head, nonce, contents, sealing.getAuthTag()])
    },
    open: (sealed, place) => {
      const head = sealed.subarray(0, headBytes)
      const own = [key, ...older].find((candidate) => candidate.head.equals(head))
      check(own !== undefined, 'what is sealed was sealed with a key that is still known')
      check(sealed.length >= headBytes + nonceBytes + tagBytes, 'what is sealed is whole')
      const nonce = sealed.subarray(headBytes, headBytes + nonceBytes)
      const opening = createDecipheriv(cipher, own.bytes, nonce, { authTagLength: tagBytes })
        .setAAD(boundTo(own, place))
        .setAuthTag(sealed.subarray(-tagBytes))
      const contents = sealed.subarray(headBytes + nonceBytes, -tagBytes)
      return Buffer.concat([opening.update(contents), opening.final()]).toString('utf8')
    },
  }
}

function keyOf(secret: Secret): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'mfuko seal', 32))
  const id = hash('sha256', Buffer.concat([Buffer.from('key id'), bytes]), 'buffer').subarray(0, idBytes)
  return { bytes, head: Buffer.concat([Buffer.of(version), id]) }
}

const boundTo = ({ head }: Key, { table, row, column }: Place): Buffer =>
  Buffer.from(JSON.stringify([head.toString('hex'), table, row, column]))
