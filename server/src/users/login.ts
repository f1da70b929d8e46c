// Who has this name and this password? What must stay true: a wrong password and an unknown name can't be told apart, by
// the answer or by its time; guesses are few, whoever guesses and from however many processes; and somebody who guesses
// elsewhere can't lock the owner out where they use to log in.
import { hash } from 'node:crypto'
import * as audit from '../audit/audit.ts'
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import { type Person, personIn } from './people.ts'
import { type Caller, noteRefused, notify, type Origin, type Room, record } from './room.ts'
import { deviceOf, networkOf, tidyEmail, tidyHandle, tidyPhone } from './rules.ts'
import { beginSession, type SignedIn, signedIn } from './sessions.ts'
import * as sql from './sql.ts'

export type LoginName = sql.LoginName

/**
 * Of one name: where nobody has logged in lately, and the same number again at each place where somebody has. Handle, e-mail
 * address and phone number are counted apart, also those of one person: handles are public, and with one count ten wrong
 * passwords for a handle would tell whether a guessed address belongs to it, by its 429.
 */
const nameFailuresMax = 10
const addressFailuresMax = 30
/** In a row, of one person, whatever the names. Who guesses is answered as before when it is reached. */
const failuresMax = 100
const knownMs = 30 * 86_400_000

export const tidyLoginName = ({ email, phone, handle }: LoginName): LoginName => ({
  email: email && tidyEmail(email),
  phone: phone && tidyPhone(phone),
  handle: handle && tidyHandle(handle),
})

/** One text for all kinds of names. */
const nameText = ({ email, phone, handle }: LoginName) => `${email ?? ''}|${phone ?? ''}|${handle ?? ''}`

export interface Login {
  name: LoginName
  password: string
  origin: Origin
}

export async function login(room: Room, tried: Login): Promise<SignedIn> {
  const { good, result: begun } = await entered(
    room,
    tried,
    async (tx, { found: { id: user }, origin, now }) => {
      const session = await beginSession(tx, { user, origin, now })
      await record(tx, { user, action: 'login', session: session.claims.session, origin, at: now })
      return session
    },
  )
  room.feed.note(begun.marks)
  const person = await personOf(room, good)
  return signedIn(room, { claims: begun.claims, person })
}

/** The same, of somebody who gets no session: who pays in the checkout is known to that page only. */
export async function identify(room: Room, tried: Login): Promise<Person> {
  const { good } = await entered(room, tried, (tx, { found: { id: user }, origin, now }) =>
    record(tx, { user, action: 'login.checkout', origin, at: now }),
  )
  return personOf(room, good)
}

/** What is kept of the password may be made anew by another login so many times while it is compared. */
const comparesMax = 3

/** Proves it, and does in the transaction that notes the login what it is for. */
async function entered<T>(
  room: Room,
  tried: Login,
  then: (tx: Tx, good: GoodLogin) => Promise<T>,
): Promise<{ good: GoodLogin; result: T }> {
  for (let compares = 0; compares < comparesMax; compares++) {
    const good = await proven(room, tried)
    const done = await admitted(room, good, then)
    if (done !== 'changed') return { good, ...done }
    // If it is another password by now, the next comparison says so; if it is the same one, made anew, it is right.
    await room.attempts.takeBack(good.nameKey)
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

/** Throws `unauthenticated`, or `rate_limited` when there were too many wrong ones. */
async function proven(room: Room, { name: typed, password, origin }: Login): Promise<GoodLogin> {
  const { attempts } = room
  const now = room.clock.now()
  const name = tidyLoginName(typed)
  const address = networkOf(origin.address)
  const addressKey = attempts.keyOf(['address', address])
  await attempts.require(addressKey, addressFailuresMax)
  const since = new Date(now.getTime() - knownMs)
  const found = await sql.findLogin(room.db, { name, address, since, failuresMax })
  const place = found?.known_address === true ? [address] : []
  const nameKey = attempts.keyOf(['login', nameText(name), ...place])
  const failures = await attempts.begin(nameKey, nameFailuresMax)
  const better = await checked(room, { password, stored: found?.password }).catch(async (error: unknown) => {
    // It was not compared, so it says nothing.
    await attempts.takeBack(nameKey)
    throw error
  })
  const attempt = { found, failures, nameKey, addressKey, address, origin, now, since }
  if (found === undefined || better === 'wrong' || found.disabled) return refuse(room, attempt)
  return { ...attempt, found, better }
}

/** A better hash of the password, if the one that is kept has been outgrown. */
async function checked(room: Room, { password, stored }: { password: string; stored: string | undefined }) {
  const { right, outdated, better } = await room.passwords.verify(password, stored)
  if (!right) return 'wrong'
  return outdated ? { hash: better ?? (await room.passwords.hash(password)) } : {}
}

interface LoginAttempt {
  found: sql.LoginRow | undefined
  failures: number
  nameKey: Buffer
  addressKey: Buffer
  address: string
  origin: Origin
  now: Date
  since: Date
}

const wrong = () => new AppError('unauthenticated', { detail: 'The name or the password is wrong.' })

/** The same statements whether or not there is such a person. */
async function refuse(
  room: Room,
  { found, failures, nameKey, addressKey, origin, now }: LoginAttempt,
): Promise<never> {
  await room.db.inTransaction(async (tx) => {
    await room.attempts.count(tx, addressKey, addressFailuresMax)
    const counted = await sql.noteBadLogin(tx, found?.id)
    const disables = counted?.login_failures === failuresMax
    const locked = failures >= nameFailuresMax || disables
    if (found !== undefined && disables)
      await notify(tx, await personIn(tx, found.id), { template: 'login_locked', data: { time: now } })
    await audit.record(tx, {
      // What a stranger typed may be anything, a password for one: so it is not kept.
      actor:
        found === undefined ? { kind: 'name', id: nameKey.toString('hex') } : { kind: 'user', id: found.id },
      action: locked ? 'login.locked' : 'login.failed',
      result: 'refused',
      address: origin.address,
      userAgent: origin.userAgent,
      requestId: origin.requestId,
      details: { failures, ...(counted === undefined ? {} : { in_a_row: counted.login_failures }) },
      at: now,
    })
  })
  throw wrong()
}

interface GoodLogin extends LoginAttempt {
  found: sql.LoginRow
  better: { hash?: string }
}

/** `changed`: what is kept of the password is not what it was compared with any more. */
async function admitted<T>(
  room: Room,
  login: GoodLogin,
  then: (tx: Tx, good: GoodLogin) => Promise<T>,
): Promise<{ result: T } | 'changed'> {
  const { found, better, nameKey } = login
  const user = found.id
  return room.db.inTransaction(async (tx) => {
    const noted = await sql.noteGoodLogin(tx, {
      id: user,
      password: found.password,
      ...(better.hash === undefined ? {} : { better: better.hash }),
    })
    if (noted === undefined) return 'changed'
    await room.attempts.forget(tx, [nameKey])
    const result = await then(tx, login)
    await notePlace(tx, { ...login, user })
    return { result }
  })
}

async function personOf({ people }: Room, { found }: GoodLogin): Promise<Person> {
  const known = await people.known(found.id)
  if (known === undefined) throw wrong()
  return known.person
}

export const deviceMark = (origin: Origin): Buffer => hash('sha256', deviceOf(origin.userAgent), 'buffer')

/** Somebody who sees a mail about a login that was not theirs can act. */
async function notePlace(
  tx: Tx,
  {
    user,
    address,
    origin,
    now,
    since,
  }: Pick<LoginAttempt, 'address' | 'origin' | 'now' | 'since'> & { user: string },
): Promise<void> {
  const place = await sql.notePlace(tx, { user, address, device: deviceMark(origin), now, since })
  if (place?.known === true) return
  const data = { device: deviceOf(origin.userAgent), address: origin.address ?? 'unknown', time: now }
  await notify(tx, await personIn(tx, user), { template: 'new_device', data })
}

/**
 * Does something that needs the password again, in a transaction in which it is still the same. It took a while to check:
 * if it was changed meanwhile, it was changed for a reason; if it was only made anew, it is compared again.
 */
export async function withPassword<T>(
  room: Room,
  check: PasswordCheck,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let compares = 0; compares < comparesMax; compares++) {
    const stored = await checkPassword(room, check)
    const done = await room.db.inTransaction(async (tx) => {
      const row = await sql.lockPerson(tx, check.caller.user)
      return row?.password === stored ? { result: await work(tx) } : undefined
    })
    if (done !== undefined) return done.result
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

/** The password asked for again, of somebody who is logged in: who has only the token must not guess it. */
export async function checkPassword(
  room: Room,
  { caller, password, field = 'password' }: PasswordCheck,
): Promise<string> {
  const { user } = caller
  const key = room.attempts.keyOf(['confirm', user])
  await room.attempts.begin(key, nameFailuresMax)
  const stored = (await sql.passwordOf(room.db, user))?.password
  const { right } = await room.passwords.verify(password, stored).catch(async (error: unknown) => {
    await room.attempts.takeBack(key)
    throw error
  })
  if (!right || stored === undefined) {
    await noteRefused(room, { caller, action: 'password.failed' })
    throw new AppError('validation_failed', { errors: { [field]: 'Password is wrong' } })
  }
  await room.attempts.forget(room.db, [key])
  return stored
}

export interface PasswordCheck {
  caller: Caller
  password: string
  /** The field it was sent in. */
  field?: string
}

/** After a reset everything that was counted against the names of this person is forgotten, here and where nobody is known. */
export const nameKeys = (room: Room, { email, phone, handle }: LoginName, { address }: Origin): Buffer[] =>
  [{ email }, { phone }, { handle }]
    .filter((name) => Object.values(name)[0] !== undefined)
    .flatMap((name) => [
      room.attempts.keyOf(['login', nameText(name)]),
      room.attempts.keyOf(['login', nameText(name), networkOf(address)]),
    ])
