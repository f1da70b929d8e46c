// Access tokens. They say themselves what they are for and until when, so a restart forgets none.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/** Nothing here is worth protecting: the seal only tells our tokens from made-up ones. */
const sealKey = 'tokens of a simulator'

const sealOf = (text: string): string =>
  createHmac('sha256', sealKey).update(text).digest('base64url').slice(0, 27)

export interface TokenPurpose {
  /** `mpesa`, `mtn collection`. */
  purpose: string
  now: number
}

export function issueToken({ purpose, now }: TokenPurpose, seconds: number): string {
  const text = Buffer.from(`${purpose}|${now + seconds * 1000}|${randomUUID()}`).toString('base64url')
  return `${text}.${sealOf(text)}`
}

export function judgeToken(
  { purpose, now }: TokenPurpose,
  header: string | undefined,
): 'good' | 'expired' | 'unknown' {
  const [text = '', seal = ''] = (/^bearer (\S+)$/i.exec(header ?? '')?.[1] ?? '').split('.')
  if (!sameText(seal, sealOf(text))) return 'unknown'
  const [given, until] = Buffer.from(text, 'base64url').toString('utf8').split('|')
  if (given !== purpose) return 'unknown'
  return Number(until) > now ? 'good' : 'expired'
}

/** `Authorization: Basic …` with exactly these two. */
export const isBasic = (
  header: string | undefined,
  { name, password }: { name: string; password: string },
): boolean => sameText(header ?? '', `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`)

export function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
