// References and idempotency keys lead to rows only for who knows the service's secret. Made again here from their
// description: a reference is a Feistel network of four rounds over the number's two halves, written in Crockford's base
// 32; a stored key is an HMAC over who asked, in which mode, on which route, with which key.
import { createHash, createHmac } from 'node:crypto'

export interface Reference {
  /** Two letters. */
  kind: string
  id: bigint
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const half = 0xffff_ffffn

/** `idem`: the secret as the service is given it, in base64. */
export function readReference(idem: string, text: string): Reference | undefined {
  const found = /^([A-Z]{2})-([0-9A-Z]{5})-([0-9A-Z]{5})-([0-9A-Z]{3})$/.exec(text)
  if (found === null) return undefined
  const [, kind = '', ...parts] = found
  let number = 0n
  for (const letter of parts.join('')) {
    const value = alphabet.indexOf(letter)
    if (value < 0) return undefined
    number = number * 32n + BigInt(value)
  }
  if (number >> 64n !== 0n) return undefined
  const id = mixed(idem, { kind, number, rounds: [3, 2, 1, 0] })
  return id >> 63n === 0n ? { kind, id } : undefined
}

export function writeReference(idem: string, { kind, id }: Reference): string {
  let number = mixed(idem, { kind, number: id, rounds: [0, 1, 2, 3] })
  let text = ''
  for (let place = 0; place < 13; place++) {
    text = alphabet.charAt(Number(number % 32n)) + text
    number /= 32n
  }
  return `${kind}-${text.slice(0, 5)}-${text.slice(5, 10)}-${text.slice(10)}`
}

interface Mixing {
  kind: string
  number: bigint
  rounds: readonly number[]
}

/** The halves change places once more at the end, so that the rounds backwards undo it. */
function mixed(idem: string, { kind, number, rounds }: Mixing): bigint {
  let left = number >> 32n
  let right = number & half
  for (const round of rounds) {
    const hash = createHash('sha256').update(`reference ${idem} ${kind} ${round} ${right}`).digest()
    const next = left ^ BigInt(hash.readUInt32BE(0))
    left = right
    right = next
  }
  return (right << 32n) | left
}

export interface Asked {
  principal: readonly [kind: string, id: string]
  mode: string
  route: string
  key: string
}

/** What the row of a repeated request is found by: a uuid. */
export function storedKey(idem: string, { principal, mode, route, key }: Asked): string {
  const text = JSON.stringify(['key', ...principal, mode, route, key])
  const hex = createHmac('sha256', Buffer.from(idem, 'base64')).update(text).digest('hex')
  return [8, 12, 16, 20, 32].map((end, at) => hex.slice([0, 8, 12, 16, 20][at], end)).join('-')
}
