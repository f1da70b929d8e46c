// What the parts of this room work with, and what they all do.
import * as audit from '../audit/audit.ts'
import type { Clock } from '../base/clock.ts'
import type { Seal } from '../base/seal.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import * as mail from '../mail/mail.ts'
import type { Attempts } from './attempts.ts'
import type { Feed } from './feed.ts'
import type { Passwords } from './passwords.ts'
import type { People, Person } from './people.ts'
import type { Pins } from './pins.ts'
import type { Tokens } from './tokens.ts'

export interface Room {
  db: Db
  ledger: Ledger
  clock: Clock
  brand: string
  people: People
  feed: Feed
  passwords: Passwords
  tokens: Tokens
  attempts: Attempts
  /** The same, remembered for a day. */
  today: Attempts
  pins: Pins
  /** For codes on their way by mail. */
  seal: Seal
  /** Makes what is kept of a mailed code. */
  codeMac: (parts: readonly string[]) => Buffer
}

/** Where a request came from. */
export interface Origin {
  address?: string | undefined
  userAgent?: string | undefined
  requestId?: string | undefined
  /** Of who is logged in. */
  session?: string | undefined
}

/** Somebody who is logged in, and where from. */
export interface Caller extends Origin {
  user: string
  session: string
}

export interface SecurityEvent {
  user: string
  action: string
  result?: 'ok' | 'refused'
  object?: string | undefined
  /** Absent: that of the origin. */
  session?: string | undefined
  details?: object
  origin: Origin
  at: Date
}

export const record = (tx: Tx, { user, result = 'ok', origin, ...event }: SecurityEvent) =>
  audit.record(tx, {
    ...event,
    actor: { kind: 'user', id: user },
    result,
    session: event.session ?? origin.session,
    address: origin.address,
    userAgent: origin.userAgent,
    requestId: origin.requestId,
  })

/** What somebody who is logged in got wrong: who has only their token may be guessing. */
export const noteRefused = (
  { db, clock }: Pick<Room, 'db' | 'clock'>,
  { caller, action }: { caller: Caller; action: string },
): Promise<void> =>
  db.inTransaction((tx) =>
    record(tx, {
      user: caller.user,
      action,
      result: 'refused',
      session: caller.session,
      origin: caller,
      at: clock.now(),
    }),
  )

type Notice =
  | 'new_device'
  | 'pin_changed'
  | 'pin_locked'
  | 'password_changed'
  | 'email_changed'
  | 'login_locked'
  | 'session_revoked'
  | 'session_ended'
type NoticeMail = Extract<mail.NewMail, { template: Notice | 'account_frozen' | 'account_unfrozen' }>
type NoticeWords = NoticeMail extends infer One
  ? One extends { template: infer Name; data: infer Data }
    ? { template: Name; data: Data }
    : never
  : never

/** Only to an address that is known to be theirs: whoever has a mistyped one must not read about it. */
export async function notify(tx: Tx, person: Person, words: NoticeWords): Promise<void> {
  if (person.email === undefined || !person.emailConfirmed) return
  const to = { address: person.email, name: person.name, locale: person.locale }
  await mail.queue(tx, { to, ...words, about: { kind: 'user', id: person.id } } as NoticeMail)
}
