// Businesses that take payments: their application and its review, their profile, and what they authenticate and sign
// with. Others ask three things of this room, and none of them costs a look at the database in the ordinary case: who
// does an API key belong to (`authenticate`), who is that (`merchant`), and what are its notifications signed with
// (`keysOf`). What must stay true: no secret is in the database in a form that opens anything, and test never becomes
// live.
import * as audit from '../audit/audit.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { openSeal } from '../base/seal.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Queries } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OnTrouble } from '../notifications/notifications.ts'
import type { Caller, Users } from '../users/users.ts'
import { admit, type Credential, type MerchantPrincipal } from './admit.ts'
import type { StoredAnswer } from './answers.ts'
import * as credentials from './credentials.ts'
import { type Leave, leaveOf } from './earnings/earnings.ts'
import { openMacs } from './macs.ts'
import { type Merchant, merchantOf, openMemory } from './memory.ts'
import * as notices from './notices.ts'
import * as registering from './register.ts'
import * as reviewed from './review/sql.ts'
import * as reviewing from './review.ts'
import type { Room } from './room.ts'
import type { Mode } from './rules.ts'
import { tellTrouble } from './trouble.ts'
import { openUses } from './uses.ts'

export type { Credential, MerchantPrincipal } from './admit.ts'
export type { Answer, StoredAnswer } from './answers.ts'
export { shownAnswers } from './answers.ts'
export type { Credentials, Look, ModeCredentials, SigningKeys } from './credentials.ts'
export { clientSecrets, shownKeys } from './credentials.ts'
export type { Leave } from './earnings/earnings.ts'
export type { Merchant } from './memory.ts'
export type { Application, ProfileChange } from './register.ts'
export { type Decider, noSuchMerchant } from './review.ts'
export { tellOwner } from './room.ts'
export { type Mode, redirectProblem, reviewDueAt, type Status, statuses } from './rules.ts'

/** An API key was found where it must not be. */
export interface Leak {
  prefix: string
  place: 'address' | 'body'
  address?: string | undefined
  requestId?: string | undefined
}

export interface Merchants {
  /** Whose API key it is. From memory after the first time. Throws `unauthenticated`, or `forbidden` (suspended). */
  authenticate(credential: Credential): MerchantPrincipal | Promise<MerchantPrincipal>
  merchant(id: number): Promise<Merchant | undefined>
  byOwner(user: string): Promise<Merchant | undefined>
  /** Whether money may leave it now, from the database. */
  leave(merchant: Pick<Merchant, 'id' | 'owner'>): Promise<Leave>
  /** What notifications of a mode are signed with. */
  keysOf(merchant: number, mode: Mode): Promise<credentials.SigningKeys | undefined>
  /** Reasons why the feed of changes is not fresh (for readiness). */
  staleReasons(): string[]
  close(): Promise<void>

  register(registering: registering.Registering): Promise<StoredAnswer>
  /** The owner's look. The first one after the approval makes the live pair, and shows it; for ten minutes again. */
  look(looking: credentials.Looking): Promise<credentials.Look>
  /** What may be told of the credentials, without their values. */
  credentialsOf(merchant: number): Promise<credentials.Credentials>
  changeProfile(change: { change: registering.ProfileChange; caller: Caller }): Promise<Merchant>
  reveal(reveal: credentials.Reveal): Promise<string>
  rotate(rotation: credentials.Rotation): Promise<StoredAnswer>

  /** Sends a notification of theirs once more. Resolves with the merchant. */
  replay(replay: { id: string; caller: Caller }): Promise<number>
  replayRange(range: notices.Range): Promise<{ replayed: number; more: boolean }>
  /** An address that was given up is used again. */
  resume(endpoint: { mode: Mode; origin: string; caller: Caller }): Promise<void>
  sendExample(example: notices.Example & { caller: Caller }): Promise<{ id: string; merchant: number }>

  approve(decider: reviewing.Decider): Promise<Merchant>
  reject(decider: reviewing.Decider & { reason: string }): Promise<Merchant>
  suspend(decider: reviewing.Decider & { reason: string }): Promise<Merchant>
  reinstate(decider: reviewing.Decider): Promise<Merchant>
  /** Those that wait for a review, the oldest first. */
  applications(page: reviewed.ApplicationsPage): Promise<Merchant[]>
  /** The newest first. */
  search(page: reviewed.MerchantsPage): Promise<Merchant[]>

  /** Mails the owner, in the transaction that notes it. For the delivery of notifications. */
  tellTrouble: OnTrouble

  /** It may be in somebody's log by now: the merchant's operators should know. */
  noteLeak(leak: Leak): Promise<void>
  /** Writes down which keys were used. It happens once a minute by itself. */
  flushUses(): Promise<void>
}

export interface MerchantsOptions {
  db: Db
  url: string
  clock: Clock
  log: Log
  ledger: Ledger
  users: Users
  secrets: { readonly apikey: Secret; readonly enc: Secret }
  production: boolean
}

export async function openMerchants(options: MerchantsOptions): Promise<Merchants> {
  const { db, clock, log, ledger, users, secrets, production } = options
  const memory = await openMemory(options)
  const uses = openUses({ db, log })
  const room: Room = {
    db,
    clock,
    log,
    ledger,
    users,
    memory,
    macs: openMacs(secrets.apikey),
    seal: openSeal(secrets.enc),
    production,
  }
  return {
    authenticate: (credential) => admit(room, { credential, uses }),
    merchant: async (id) => (await memory.byId(id))?.merchant,
    byOwner: async (user) => (await memory.byOwner(user))?.merchant,
    leave: (merchant) => leaveOf(room, merchant),
    keysOf: (merchant, mode) => credentials.signingKeys(room, { merchant, mode }),
    staleReasons: memory.staleReasons,
    close: async () => {
      await uses.close()
      await memory.close()
    },
    register: (registration) => registering.register(room, registration),
    look: (looking) => credentials.look(room, looking),
    credentialsOf: (merchant) => credentials.credentialsOf(db, { merchant, now: clock.now() }),
    changeProfile: (change) => registering.changeProfile(room, change),
    reveal: (reveal) => credentials.reveal(room, reveal),
    rotate: (rotation) => credentials.rotate(room, rotation),
    replay: (replay) => notices.replay(room, replay),
    replayRange: (range) => notices.replayRange(room, range),
    resume: (endpoint) => notices.resume(room, endpoint),
    sendExample: (example) => notices.sendExample(room, example),
    approve: (decider) => reviewing.approve(room, decider),
    reject: (decider) => reviewing.reject(room, decider),
    suspend: (decider) => reviewing.suspend(room, decider),
    reinstate: (decider) => reviewing.reinstate(room, decider),
    ...lists(db),
    tellTrouble: (tx, trouble) => tellTrouble(room, tx, trouble),
    noteLeak: (leak) => noteLeak(room, leak),
    flushUses: uses.flush,
  }
}

const lists = (db: Queries) => ({
  applications: async (page: reviewed.ApplicationsPage) =>
    (await reviewed.applications(db, page)).map(merchantOf),
  search: async (page: reviewed.MerchantsPage) => (await reviewed.search(db, page)).map(merchantOf),
})

async function noteLeak(
  { db, memory, clock }: Room,
  { prefix, place, address, requestId }: Leak,
): Promise<void> {
  const known = await memory.byPrefix(prefix)
  const owner = known?.keys.some((row) => row.prefix === prefix) ? known.merchant : undefined
  await db.inTransaction((tx) =>
    audit.record(tx, {
      actor:
        owner === undefined
          ? { kind: 'address', id: address ?? '' }
          : { kind: 'merchant', id: String(owner.id) },
      action: 'credential.in_url',
      object: prefix,
      result: 'refused',
      address,
      requestId,
      details: { place },
      at: clock.now(),
    }),
  )
}
