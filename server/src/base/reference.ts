// References that people read aloud: `TR-7K3MQ-9WD2X-PB4`. A keyed permutation of the posting's number, so a reference
// needs no column, no look-up and no chance; it can't be guessed, and tells nothing about how many there are.
import { hash } from 'node:crypto'
import type { Secret } from './secret.ts'

/** Crockford's base 32: no I, L, O, U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Two places at once. */
const pairs = Array.from(
  { length: 1_024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
)
const mask = 0xffff_ffffn

export interface Reference {
  /** Two letters: `TR` is a transfer. */
  kind: string
  id: bigint
}

export function encodeReference(secret: Secret, { kind, id }: Reference): string {
  const [high, low] = permute(secret, { kind, block: id, order: forward })
  // 13 places of 5 bits, in numbers of 32 bits, since it is made for every transfer. The seventh is from both halves.
  const start = `${pairs[(high >>> 23) & 1023]}${pairs[(high >>> 13) & 1023]}${place(high >>> 8)}`
  const middle = `${place(high >>> 3)}${place(((high & 7) << 2) | (low >>> 30))}${pairs[(low >>> 20) & 1023]}`
  return `${kind}-${start}-${middle}${place(low >>> 15)}-${place(low >>> 10)}${pairs[low & 1023]}`
}

const place = (bits: number): string => alphabet.charAt(bits & 31)

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

/** A Feistel network over two halves of 32 bits, the high one first. */
function permute(secret: Secret, { kind, block, order }: Permutation): [number, number] {
  const rooms = roomsFor(secret, kind)
  let left = Number((block >> 32n) & mask)
  let right = Number(block & mask)
  for (const step of order) {
    const mixed = hash('sha256', filled(rooms[step] as Room, right), 'binary')
    const next = (left ^ firstBits(mixed)) >>> 0
    left = right
    right = next
  }
  // The halves change places once more, so that the same steps backwards undo it.
  return [right, left]
}

const firstBits = (bytes: string): number =>
  (bytes.charCodeAt(0) << 24) | (bytes.charCodeAt(1) << 16) | (bytes.charCodeAt(2) << 8) | bytes.charCodeAt(3)

/** What is hashed in a step, as bytes by the number of digits: a text would be copied twice before it is hashed. */
interface Room {
  digitsAt: number
  bytes: readonly Buffer[]
}

function filled({ digitsAt, bytes }: Room, number: number): Buffer {
  let digits = 1
  for (let next = 10; number >= next; next *= 10) digits += 1
  const room = bytes[digits] as Buffer
  let rest = number
  for (let at = digitsAt + digits - 1; at >= digitsAt; at--) {
    const tens = Math.floor(rest / 10)
    room[at] = zero + rest - 10 * tens
    rest = tens
  }
  return room
}

const digitsMost = 10
const zero = 0x30
const roomsMade = new WeakMap<Secret, Map<string, Room[]>>()

/** One for each step. Made once for each kind: two letters, so they are few. */
function roomsFor(secret: Secret, kind: string): readonly Room[] {
  const ofSecret = roomsMade.get(secret) ?? new Map<string, Room[]>()
  if (ofSecret.size === 0) roomsMade.set(secret, ofSecret)
  const known = ofSecret.get(kind)
  if (known !== undefined) return known
  const key = secret.reveal().toString('base64')
  const rooms = forward.map((step) => {
    const start = `reference ${key} ${kind} ${step} `
    const bytes = Array.from({ length: digitsMost + 1 }, (_, digits) =>
      Buffer.from(start + '0'.repeat(digits)),
    )
    return { digitsAt: start.length, bytes }
  })
  ofSecret.set(kind, rooms)
  return rooms
}
