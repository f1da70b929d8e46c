import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `req_` + 22 base62 characters: 131 random bits, so ids can't be guessed and need no look-up to be unique. */
export const newId = (kind: string): string => `${kind}_${randomBase62(22)}`

/** Bytes from 248 up are dropped: 256 is no multiple of 62, and taking them would favour some characters. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < 248) text += alphabet.charAt(byte % 62)
  }
  return text
}

/** Fetched in advance: asking for a few bytes costs as much as asking for thousands. */
const supply = Buffer.alloc(4_096)
let used = supply.length

function randomByte(): number {
  if (used === supply.length) {
    randomFillSync(supply)
    used = 0
  }
  const byte = supply.readUInt8(used)
  // A byte that was given out is in one id and nowhere else.
  supply[used++] = 0
  return byte
}

/** A whole number with leading zeros, the same length for all. */
export function toBase62(number: number, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest = Math.floor(rest / 62))
    text = alphabet.charAt(rest % 62) + text
  return text
}
