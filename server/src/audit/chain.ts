// What is hashed and what is signed. Plain text, so that anybody can verify a chain with a few lines in any language:
// the exact form is in docs/guides/audit.md.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../base/secret.ts'

/** A stored event, every field as the text it is hashed as. */
export interface EventFacts {
  id: string
  /** Microseconds since 1970, so that a change too small for the program's milliseconds is seen too. */
  at_us: string | null
  actor_kind: string
  actor_id: string
  action: string
  object: string | null
  result: string
  address: string | null
  /** In hex. */
  user_agent_hash: string | null
  session: string | null
  request_id: string | null
  details: string
}

export interface Link {
  /** The hash of the link before it. */
  before: string
  /** `2026-03-14` */
  day: string
  position: bigint
  event: EventFacts
}

/** Before the very first link. Hashes are lower-case hex. */
export const emptyHash = '0'.repeat(64)

/** SHA-256 of `<hash before> <day> <position> <event as a JSON array>`. */
export const linkHash = ({ before, day, position, event }: Link): string =>
  hash('sha256', `${before} ${day} ${position} ${eventText(event)}`, 'hex')

const eventText = (event: EventFacts): string =>
  JSON.stringify([
    event.id,
    event.at_us,
    event.actor_kind,
    event.actor_id,
    event.action,
    event.object,
    event.result,
    event.address,
    event.user_agent_hash,
    event.session,
    event.request_id,
    event.details,
  ])

/** Where a chain stands: after how many events of that day, with which hash. */
export interface Standing {
  day: string
  events: bigint
  hash: string
}

/** `head`: where a day ended. `tip`: where today stands. One can't be shown for the other. */
export type Signed = 'head' | 'tip'

export interface Signer {
  /** Tells secrets apart, and nothing else about them. */
  name: string
  sign(what: Signed, standing: Standing): string
  fits(what: Signed, standing: Standing & { signature: string }): boolean
}

/** HMAC-SHA256 of `<head or tip> <day> <events> <hash>`. */
export function openSigner(secret: Secret): Signer {
  const mac = (text: string) => createHmac('sha256', secret.key()).update(text).digest()
  const macOf = (what: Signed, { day, events, hash: head }: Standing) =>
    mac(`${what} ${day} ${events} ${head}`)
  return {
    name: mac('signer').toString('hex').slice(0, 16),
    sign: (what, standing) => macOf(what, standing).toString('hex'),
    fits: (what, { signature, ...standing }) => {
      const shown = Buffer.from(signature, 'hex')
      const due = macOf(what, standing)
      return shown.length === due.length && timingSafeEqual(shown, due)
    },
  }
}

const dayMs = 86_400_000

/** The day in UTC. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

export const dayAfter = (day: string): string => dayOf(new Date(Date.parse(day) + dayMs))

/** How many days lie between them; negative when the second is the earlier one. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs
