// What the parts of this room work with, and what they all do.
import * as audit from '../audit/audit.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Seal } from '../base/seal.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import * as mail from '../mail/mail.ts'
import type { Caller, Origin, Person, Users } from '../users/users.ts'
import type { Macs } from './macs.ts'
import type { Memory } from './memory.ts'
import type { Mode } from './rules.ts'

export interface Room {
  db: Db
  clock: Clock
  log: Log
  ledger: Ledger
  users: Users
  memory: Memory
  macs: Macs
  seal: Seal
  production: boolean
}

export interface MerchantEvent {
  actor: { kind: string; id: string }
  action: string
  merchant: number
  details?: object
  origin: Origin & { session?: string }
  at: Date
}

export const record = (tx: Tx, { actor, action, merchant, details, origin, at }: MerchantEvent) =>
  audit.record(tx, {
    actor,
    action,
    object: String(merchant),
    result: 'ok',
    address: origin.address,
    userAgent: origin.userAgent,
    requestId: origin.requestId,
    session: origin.session,
    details,
    at,
  })

/** Of somebody who is logged in. */
export const ownEvent = ({ user, ...origin }: Caller) => ({ actor: { kind: 'user', id: user }, origin })

/** A frozen person looks, and changes nothing. */
export async function requirePerson({ users }: Room, user: string): Promise<Person> {
  const person = await users.person(user)
  if (person === undefined) throw new AppError('unauthenticated')
  if (person.frozen) throw new AppError('account_frozen')
  return person
}

type MerchantTemplate =
  | 'merchant_approved'
  | 'merchant_rejected'
  | 'merchant_suspended'
  | 'merchant_reinstated'
  | 'refund_failed'
  | 'notification_trouble'
  | 'notification_suspended'
  | 'notification_gone'
type MerchantMail = Extract<mail.NewMail, { template: MerchantTemplate }>
export type MerchantWords = MerchantMail extends infer One
  ? One extends { template: infer Name; data: infer Data }
    ? { template: Name; data: Data }
    : never
  : never

/**
 * Of each kind, about what programs bring about as often as they like. In test mode anybody can, at once and with any
 * address; live ones belong to a business that somebody has looked at. The others are seen in the dashboard.
 */
const mailsADay: Record<Mode, number> = { test: 5, live: 100 }

export interface Telling {
  owner: Person | undefined
  merchant: number
  words: MerchantWords
  /** Present when it is about what a program did, in that mode. */
  mode?: Mode | undefined
}

/** Confirmed or not, it is the address that the business was registered with. */
export async function tellOwner(tx: Tx, { owner, merchant, words, mode }: Telling): Promise<void> {
  if (owner?.email === undefined) return
  const about = { kind: 'merchant', id: String(merchant) }
  const { template } = words
  if (mode !== undefined && (await mail.countLately(tx, { template, about })) >= mailsADay[mode]) return
  const to = { address: owner.email, name: owner.name, locale: owner.locale }
  await mail.queue(tx, { to, ...words, about } as MerchantMail)
}
