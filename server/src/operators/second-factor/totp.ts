// Codes of an authenticator app (RFC 6238): six digits that change every 30 seconds.
import { createHmac } from 'node:crypto'

const stepSeconds = 30
const digits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1_000 / stepSeconds)

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** As authenticator apps take it. */
export function toBase32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

/** What an authenticator app reads from a QR code or a link. */
export function enrolmentUri(named: { brand: string; handle: string; secret: Buffer }): string {
  const label = `${encodeURIComponent(named.brand)}:${encodeURIComponent(named.handle)}`
  const query = new URLSearchParams({ secret: toBase32(named.secret), issuer: named.brand })
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}
