// References that people read aloud: `TR-7K3MQ-9WD2X-PB4`. A keyed permutation of the posting's number, so a reference
// needs no column, no look-up and no chance; it can't be guessed, and tells nothing about how many there are.
import { hash } from 'node:crypto'
import type { Secret } from './secret.ts'

/** Crockford's base 32: no I, L, O, U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const mask = 0xffff_ffffn

export interface Reference {
  /** Two letters: `TR` is a transfer. */
  kind: string
  id: bigint
}

export function encodeReference(secret: Secret, { kind, id }: Reference): string {
  const [high, low] = permute(secret, { kind, block: id, order: forward })
  // In numbers of 32 bits, since it is made for every transfer: 6 places of 5 bits from the low half, one from both.
  let text = ''
  for (let shift = 0; shift < 30; shift += 5) text = alphabet.charAt((low >>> shift) & 31) + text
  text = alphabet.charAt((low >>> 30) | ((high & 7) << 2)) + text
  for (let shift = 3; shift < 33; shift += 5) text = alphabet.charAt((high >>> shift) & 31) + text
  return `${kind}-${text.slice(0, 5)}-${text.slice(5, 10)}-${text.slice(10)}`
}

const form = /^([A-Z]{2})-?([0-9A-HJKMNP-TV-Z]{5})-?([0-9A-HJKMNP-TV-Z]{5})-?([0-9A-HJKMNP-TV-Z]{3})$/
const longest = 40

/** Also as somebody heard it: small letters, spaces or no dashes, O for 0, I or L for 1. */
export function decodeReference(secret: Secret, text: string): Reference | undefined {
  if (text.length > longest) return undefined
  const kindText = text.trim().slice(0, 2).toUpperCase()
  const rest = text
    .trim()
    .slice(2)
    .toUpperCase()
    .replaceAll(' ', '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const found = form.exec(kindText + rest)
  if (found === null) return undefined
  const [, kind = '', ...parts] = found
  let block = 0n
  for (const character of parts.join('')) block = (block << 5n) | BigInt(alphabet.indexOf(character))
  // 13 places hold 65 bits; an id has 63.
  if (block >> 64n !== 0n) return undefined
  const [high, low] = permute(secret, { kind, block, order: backward })
  const id = (BigInt(high) << 32n) | BigInt(low)
  return id >> 63n === 0n ? { kind, id } : undefined
}

const forward = [0, 1, 2, 3] as const
const backward = [3, 2, 1, 0] as const

interface Permutation {
  kind: string
  block: bigint
  order: readonly number[]
}

/** The secret as text, made once. */
const keys = new WeakMap<Secret, string>()

/** A Feistel network over two halves of 32 bits, the high one first. */
function permute(secret: Secret, { kind, block, order }: Permutation): [number, number] {
  const key = keys.get(secret) ?? secret.reveal().toString('base64')
  keys.set(secret, key)
  let left = Number((block >> 32n) & mask)
  let right = Number(block & mask)
  for (const step of order) {
    const mixed = hash('sha256', `reference ${key} ${kind} ${step} ${right}`, 'hex')
    const next = (left ^ Number.parseInt(mixed.slice(0, 8), 16)) >>> 0
    left = right
    right = next
  }
  // The halves change places once more, so that the same steps backwards undo it.
  return [right, left]
}
