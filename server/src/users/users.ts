// People: who they are, what they log in with, their sessions and their PIN. Others ask three things of this room, and
// none of them costs a look at the database in the ordinary case: who does a token belong to (`authenticate`), who is
// that (`person`, `byHandle`), and may they move money (`checkPin`).
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { openSeal } from '../base/seal.ts'
import type { Secret } from '../base/secret.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import * as account from './account.ts'
import { openAttempts, windows } from './attempts.ts'
import * as codes from './codes.ts'
import { openFeed } from './feed.ts'
import type { HashThreads } from './hash-threads.ts'
import { deriveKey, macOf } from './keys.ts'
import * as logins from './login.ts'
import { type Cost, costsUpTo, openPasswords } from './passwords.ts'
import { openPeople, type Person } from './people.ts'
import { openPins, type PinCheck } from './pins.ts'
import * as registering from './register.ts'
import type { Caller, Origin, Room } from './room.ts'
import * as sessions from './sessions.ts'
import { openTokens } from './tokens.ts'

export {
  changeRole,
  findPerson,
  hasAccounts,
  isEmpty,
  type Named,
  namesOf,
  type Role,
  withRole,
} from './account.ts'
export { type HashThreads, openHashThreads } from './hash-threads.ts'
export type { LoginName } from './login.ts'
export type { Cost as PasswordCost } from './passwords.ts'
export { mailboxOf, type Person, personIn, reachable, wantsMail } from './people.ts'
export { isPinDisabled } from './pins.ts'
export type { Registration } from './register.ts'
export type { Caller, Origin } from './room.ts'
export { defaultCurrency, handleForm, tidyHandle, unknownCountry } from './rules.ts'
export type { Session, SignedIn } from './sessions.ts'

export interface UserPrincipal {
  kind: 'user'
  id: string
  session: string
}

type Operation<Options, Result> = (options: Options) => Promise<Result>

export interface Users {
  /** Who a bearer token belongs to. Throws `unauthenticated`. No database. */
  authenticate(token: string): UserPrincipal
  /** From memory if known, else from the database. */
  person(id: string): Promise<Person | undefined>
  /** Leading @ ignored, any case. */
  byHandle(handle: string): Promise<Person | undefined>
  /** The same without waiting, if they are remembered. */
  byHandleNow(handle: string): Person | undefined
  /** Throws account_frozen, pin_not_set, pin_locked, pin_incorrect. The guard is what the permission rests on. */
  checkPin(check: PinCheck): Promise<{ person: Person }>
  /**
   * Without waiting, as far as is known here. It must be posted with its guard, and nothing told that was found before.
   * Undefined: `checkPin` must tell.
   */
  checkPinNow(check: PinCheck): { person: Person } | undefined
  /** The password asked for again. Throws on the field it was sent in. */
  checkPassword(check: logins.PasswordCheck): Promise<void>
  /** Forget what is remembered of a person: the next look reads the database. */
  forget(id: string): void
  /** Reasons why the feed of changes is not fresh (for readiness). */
  staleReasons(): string[]
  /** False when it was so already. */
  freeze(tx: Tx, options: Omit<account.Freezing, 'frozen'>): Promise<boolean>
  unfreeze(tx: Tx, options: Omit<account.Freezing, 'frozen'>): Promise<boolean>
  close(): Promise<void>

  /** What is wrong with a registration, beyond what is known to be: field → sentence. */
  registrationProblems: Operation<
    { given: Partial<registering.Registration>; errors: Record<string, string> },
    Record<string, string>
  >
  register: Operation<{ given: registering.Registration; origin: Origin }, sessions.SignedIn>
  login: Operation<logins.Login, sessions.SignedIn>
  /** Whose name and password it is, counted and written down like a login; no session begins. */
  identify: Operation<logins.Login, Person>
  /** Whose token it is, if it may still be exchanged as far as it says itself. */
  readForRefresh(token: string): UserPrincipal
  /** `keepsYoung`: for pages, which share one token: see sessions.ts. */
  refresh: Operation<{ token: string; origin: Origin; keepsYoung?: boolean }, sessions.SignedIn>
  sessions: Operation<string, sessions.Session[]>
  /** False when there is no such session of theirs. */
  endSession: Operation<{ id: string; caller: Caller }, boolean>
  /** From the database, not from memory. */
  read(id: string): Promise<Person>
  changeProfile: Operation<{ change: account.ProfileChange; caller: Caller }, Person>
  changeContact: Operation<account.ContactChange, Person>
  setPin: Operation<{ pin: string; password: string; caller: Caller }, void>
  changePassword: Operation<{ password: string; newPassword: string; caller: Caller }, void>
  forgotPassword: Operation<{ name: logins.LoginName; origin: Origin }, void>
  mailResetCode: Operation<logins.LoginName, void>
  resetPassword: Operation<codes.PasswordReset, void>
  confirmEmail: Operation<{ code: string; caller: Caller }, void>
  resendConfirmation: Operation<Caller, void>
  /** How many password hashes were made so far. */
  hashesMade(): number
}

export interface UsersOptions {
  db: Db
  url: string
  ledger: Ledger
  clock: Clock
  log: Log
  secrets: { readonly jwt: Secret; readonly pin: Secret; readonly password: Secret; readonly enc: Secret }
  baseUrl: string
  config: Pick<Config, 'BRAND_NAME' | 'PASSWORD_COST'>
  /** For tests that make many accounts: another than the configured one. */
  passwordCost?: Cost | undefined
  /** Others than its own, likewise. */
  hashThreads?: HashThreads | undefined
}

/** Resolves when it knows which sessions have ended. */
export async function openUsers(options: UsersOptions): Promise<Users> {
  const { db, ledger, clock, secrets } = options
  const people = openPeople({ db, ledger })
  const passwords = openPasswords(secrets.password, {
    ...(options.passwordCost === undefined
      ? costsUpTo(options.config.PASSWORD_COST)
      : { cost: options.passwordCost }),
    threads: options.hashThreads,
  })
  const codeKey = deriveKey(secrets.password, 'codes')
  const feed = await openFeed({
    url: options.url,
    clock,
    log: options.log,
    onPerson: people.forget,
    onGap: people.forgetAll,
  })
  const room: Room = {
    db,
    ledger,
    clock,
    brand: options.config.BRAND_NAME,
    people,
    feed,
    passwords,
    tokens: openTokens(secrets.jwt, { issuer: options.baseUrl }),
    attempts: openAttempts({ db, clock, secret: secrets.password, windowMs: windows.quarter }),
    today: openAttempts({ db, clock, secret: secrets.password, windowMs: windows.day }),
    pins: openPins({ db, ledger, clock, people, secret: secrets.pin }),
    seal: openSeal(secrets.enc),
    codeMac: (parts) => macOf(codeKey, parts),
  }
  return {
    ...looks(room),
    ...operations(room),
    close: async () => {
      await Promise.all([feed.close(), passwords.close()])
    },
  }
}

function looks(room: Room) {
  const { people, feed } = room
  const person = async (id: string) => (await people.known(id))?.person
  const byHandle = async (handle: string) => {
    const id = await people.idOf(handle)
    return id === undefined ? undefined : person(id)
  }
  return {
    authenticate: (token: string) => authenticate(room, token),
    person,
    byHandle,
    byHandleNow: (handle: string) => {
      const id = people.idNow(handle)
      return id === undefined ? undefined : people.now(id)?.person
    },
    read: async (id: string) => {
      const known = await people.read(id)
      if (known === undefined) throw new AppError('unauthenticated')
      return known.person
    },
    forget: people.forget,
    staleReasons: feed.staleReasons,
    hashesMade: room.passwords.made,
  }
}

interface Shown {
  token: string
  origin: Origin
  keepsYoung?: boolean
}

function operations(room: Room) {
  return {
    checkPin: room.pins.check,
    checkPinNow: room.pins.checkNow,
    checkPassword: async (check: logins.PasswordCheck) => {
      await logins.checkPassword(room, check)
    },
    freeze: (tx: Tx, freezing: Omit<account.Freezing, 'frozen'>) =>
      account.changeFrozen(room, tx, { ...freezing, frozen: true }),
    unfreeze: (tx: Tx, freezing: Omit<account.Freezing, 'frozen'>) =>
      account.changeFrozen(room, tx, { ...freezing, frozen: false }),
    registrationProblems: bound(room, registering.registrationProblems),
    register: bound(room, registering.register),
    login: bound(room, logins.login),
    identify: bound(room, logins.identify),
    readForRefresh: (token: string): UserPrincipal => {
      const { user, session } = sessions.readForRefresh(room, token)
      return { kind: 'user', id: user, session }
    },
    refresh: async ({ token, origin, keepsYoung = false }: Shown) =>
      sessions.refresh(room, { claims: sessions.readForRefresh(room, token), origin, keepsYoung }),
    sessions: bound(room, sessions.listSessions),
    endSession: bound(room, sessions.endSession),
    changeProfile: bound(room, account.changeProfile),
    changeContact: bound(room, account.changeContact),
    setPin: bound(room, account.setPin),
    changePassword: bound(room, account.changePassword),
    forgotPassword: bound(room, codes.forgotPassword),
    mailResetCode: bound(room, codes.mailResetCode),
    resetPassword: bound(room, codes.resetPassword),
    confirmEmail: bound(room, codes.confirmEmail),
    resendConfirmation: bound(room, codes.resendConfirmation),
  }
}

const bound =
  <Options, Result>(room: Room, operation: (room: Room, options: Options) => Promise<Result>) =>
  (options: Options) =>
    operation(room, options)

/** On every request, so nothing here waits: the signature is remembered, the rest is in memory. */
function authenticate({ tokens, feed, clock }: Room, token: string): UserPrincipal {
  feed.requireFresh()
  const claims = tokens.read(token)
  const now = Math.floor(clock.now().getTime() / 1_000)
  const good =
    claims !== undefined &&
    claims.issuedAt <= now + sessions.skewSeconds &&
    claims.expiresAt > now - sessions.skewSeconds &&
    !feed.refuses(claims.session, claims.generation)
  if (!good) throw new AppError('unauthenticated')
  return { kind: 'user', id: claims.user, session: claims.session }
}
