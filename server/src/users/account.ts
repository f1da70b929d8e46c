// What people change about themselves, and what operators change about people.
import * as audit from '../audit/audit.ts'
import { check } from '../base/check.ts'
import { AppError, fieldsOf } from '../base/errors.ts'
import { masked } from '../base/masked.ts'
import type { Db, Queries, Tx } from '../db/db.ts'
import { replacePassword, requireConfirmation } from './codes.ts'
import { checkPassword, type PasswordCheck, withPassword } from './login.ts'
import { knownPerson, type Person, personIn } from './people.ts'
import { takenBy } from './register.ts'
import { type Caller, notify, type Origin, type Room, record } from './room.ts'
import {
  emailProblem,
  nameProblem,
  passwordProblem,
  phoneProblem,
  pinProblem,
  sentences,
  tidyEmail,
  tidyHandle,
  tidyName,
} from './rules.ts'
import { endSessions } from './sessions.ts'
import * as sql from './sql.ts'

export interface ProfileChange {
  name?: string | undefined
  locale?: Person['locale'] | undefined
  wantsReceipts?: boolean | undefined
}

export async function changeProfile(
  room: Room,
  { change, caller }: { change: ProfileChange; caller: Caller },
): Promise<Person> {
  const { locale, wantsReceipts } = change
  const { user } = caller
  refuse({ name: change.name === undefined ? undefined : nameProblem(change.name) })
  const name = change.name && tidyName(change.name)
  if (name === undefined && locale === undefined && wantsReceipts === undefined) return reread(room, user)
  const now = room.clock.now()
  await room.db.inTransaction(async (tx) => {
    const before = await sql.changeProfile(tx, { id: user, name, locale, wantsReceipts })
    check(before !== undefined, 'people are never deleted')
    await sql.addChange(tx, user)
    await record(tx, {
      user,
      action: 'profile.changed',
      session: caller.session,
      details: replaced([
        ['name', before.name, name],
        ['locale', before.locale, locale],
        ['email_receipts', before.wants_receipts, wantsReceipts],
      ]),
      origin: caller,
      at: now,
    })
  })
  return reread(room, user)
}

type Replaced = readonly [field: string, before: string | boolean | null, after: string | boolean | undefined]

/** For the audit log; what was not given stays as it is, and is not told. */
function replaced(fields: readonly Replaced[]) {
  const given = fields.filter(([, , after]) => after !== undefined)
  return {
    before: Object.fromEntries(given.map(([field, before]) => [field, before])),
    after: Object.fromEntries(given.map(([field, , after]) => [field, after])),
  }
}

type FieldProblems = Record<string, string | undefined>

function refuse(problems: FieldProblems): void {
  const errors = sentences(problems)
  if (Object.keys(errors).length > 0) throw new AppError('validation_failed', { errors })
}

/** The same where the password is asked for again: it is compared and counted as ever, and told of with the rest. */
async function refuseBeside(room: Room, check: PasswordCheck, problems: FieldProblems): Promise<void> {
  const errors = sentences(problems)
  if (Object.keys(errors).length === 0) return
  const wrong = await checkPassword(room, check).then(() => ({}), fieldsOf)
  throw new AppError('validation_failed', { errors: { ...errors, ...wrong } })
}

async function reread(room: Room, user: string): Promise<Person> {
  room.people.forget(user)
  const known = await room.people.known(user)
  if (known === undefined) throw new AppError('unauthenticated')
  return known.person
}

/** A new one ends the other sessions: who has one of them may be why it is changed. */
export async function setPin(
  room: Room,
  { pin, password, caller }: { pin: string; password: string; caller: Caller },
): Promise<void> {
  const { user, session } = caller
  const known = await room.people.known(user)
  await refuseBeside(room, { caller, password }, { pin: pinProblem(pin, { phone: known?.person.phone }) })
  const now = room.clock.now()
  const marks = await withPassword(room, { caller, password }, async (tx) => {
    const changed = await room.pins.set(tx, { user, pin, now })
    await sql.addChange(tx, user)
    const ended = changed ? await endSessions(tx, { user, except: session, reason: 'pin', now }) : []
    await record(tx, { user, action: changed ? 'pin.changed' : 'pin.set', session, origin: caller, at: now })
    const data = { time: now, ...(changed ? ({ ended: 'yes' } as const) : {}) }
    await notify(tx, await personIn(tx, user), { template: 'pin_changed', data })
    return ended
  })
  room.people.forget(user)
  room.feed.note(marks)
}

export async function changePassword(
  room: Room,
  { password, newPassword, caller }: { password: string; newPassword: string; caller: Caller },
): Promise<void> {
  const { user, session } = caller
  const known = await room.people.known(user)
  if (known === undefined) throw new AppError('unauthenticated')
  const { person } = known
  const weak = passwordProblem(newPassword, { ...person, brand: room.brand })
  await refuseBeside(room, { caller, password }, { new_password: weak })
  // Before the slow part, so that who guesses is stopped here.
  await checkPassword(room, { caller, password })
  const hash = await room.passwords.hash(newPassword)
  const now = room.clock.now()
  const marks = await withPassword(room, { caller, password }, (tx) =>
    replacePassword(tx, { person, hash, except: session, action: 'password.changed', origin: caller, now }),
  )
  room.feed.note(marks)
}

/** Of one person, in 15 minutes. */
const contactChangesMax = 5

export type ContactChange = { password: string; caller: Caller } & ({ email: string } | { phone: string })

/** A new address is not known to be theirs until the code that is sent to it comes back. */
export async function changeContact(room: Room, { password, caller, ...to }: ContactChange): Promise<Person> {
  const { user, session } = caller
  const problems = 'email' in to ? { email: emailProblem(to.email) } : { phone: phoneProblem(to.phone) }
  await refuseBeside(room, { caller, password }, problems)
  // Each tells whether somebody has this address, or mails a code to it: so there are few, whatever comes of them.
  await room.attempts.begin(room.attempts.keyOf(['contact', user]), contactChangesMax)
  const now = room.clock.now()
  const change = async (tx: Tx) => {
    const isEmail = 'email' in to
    const after = isEmail ? tidyEmail(to.email) : to.phone
    const changed = isEmail
      ? await changeEmail(room, tx, { user, email: after, now })
      : await sql.changePhone(tx, { id: user, phone: after })
    check(changed !== undefined, 'people are never deleted')
    await sql.addChange(tx, user)
    const field = isEmail ? 'email' : 'phone'
    const details = replaced([[field, changed.before && masked(changed.before), masked(after)]])
    await record(tx, { user, action: `${field}.changed`, session, details, origin: caller, at: now })
  }
  await withPassword(room, { caller, password }, change).catch((cause: unknown) => {
    const errors = takenBy(cause)
    throw errors === undefined ? cause : new AppError('validation_failed', { errors, cause })
  })
  return reread(room, user)
}

async function changeEmail(
  room: Room,
  tx: Tx,
  { user, email, now }: { user: string; email: string; now: Date },
) {
  const person = await personIn(tx, user)
  const { name, locale } = person
  // Nothing changes, and who gives it again must not lose what the address is good for: a reset of the password.
  if (email === person.email && person.emailConfirmed)
    throw new AppError('invalid_state', { detail: 'The e-mail address is confirmed already.' })
  await notify(tx, person, { template: 'email_changed', data: { time: now } })
  const changed = await sql.changeEmail(tx, { id: user, email })
  // What was sent to the old address opens nothing any more.
  await sql.dropCodes(tx, user)
  await requireConfirmation(room, tx, { user, to: { address: email, name, locale }, now })
  return changed
}

export interface Freezing {
  user: string
  frozen: boolean
  /** Who does it. */
  by: { kind: string; id: string }
  /** Where from. */
  origin: Origin
  reason?: string | undefined
}

/** Nothing of a frozen person's money moves, and every session ends. False when it was so already. */
export async function changeFrozen(
  room: Pick<Room, 'ledger' | 'clock'>,
  tx: Tx,
  freezing: Freezing,
): Promise<boolean> {
  const { user, frozen, by, origin, reason } = freezing
  const now = room.clock.now()
  const changed = await sql.changeFrozen(tx, { id: user, frozenAt: frozen ? now : undefined })
  if (changed === undefined) return false
  if (frozen) await endSessions(tx, { user, reason: 'frozen', now })
  await room.ledger.changeGuard(tx, user)
  await sql.addChange(tx, user)
  await audit.record(tx, {
    ...origin,
    actor: by,
    action: frozen ? 'user.frozen' : 'user.unfrozen',
    object: user,
    result: 'ok',
    details: reason === undefined ? {} : { reason },
    at: now,
  })
  await notify(tx, await personIn(tx, user), {
    template: frozen ? 'account_frozen' : 'account_unfrozen',
    data: {},
  })
  return true
}

export type Role = 'operator'

export interface RoleChange {
  user: string
  role: Role
  given: boolean
  by: { kind: string; id: string }
  at: Date
}

/** False when it was so already. */
export async function changeRole(db: Db, { user, role, given, by, at }: RoleChange): Promise<boolean> {
  return db.inTransaction(async (tx) => {
    const changed = await sql.changeRole(tx, { id: user, role, given })
    if (changed === undefined) return false
    // Who has sessions has them as what they were: they log in anew as what they are.
    await endSessions(tx, { user, reason: 'role', now: at })
    await sql.addChange(tx, user)
    const action = given ? 'role.given' : 'role.taken'
    await audit.record(tx, { actor: by, action, object: user, result: 'ok', details: { role }, at })
    return true
  })
}

/** False in a database that was never migrated. */
export const hasAccounts = async (db: Queries): Promise<boolean> => (await sql.hasPeople(db))?.there === true

const listMax = 1_000

export const withRole = async (db: Queries, role: Role): Promise<Person[]> =>
  (await sql.peopleWithRole(db, { role, most: listMax })).map((row) => knownPerson(row, 0n).person)

/** By what a person at a terminal types: a handle, an e-mail address or a phone number. */
export async function findPerson(db: Queries, text: string): Promise<Person | undefined> {
  const name = text.startsWith('+')
    ? { phone: text }
    : text.includes('@', 1)
      ? { email: tidyEmail(text) }
      : { handle: tidyHandle(text) }
  const row = await sql.personByName(db, name)
  return row && knownPerson(row, 0n).person
}

/** What many people are called, in one look: for lists. */
export async function namesOf(db: Queries, ids: readonly string[]): Promise<Map<string, Named>> {
  const rows = await sql.namesById(db, [...new Set(ids)])
  return new Map(rows.map(({ id, handle, name }) => [id, { handle, name }]))
}

export interface Named {
  handle: string
  name: string
}

/** Has nobody ever registered? */
export const isEmpty = async (db: Queries): Promise<boolean> => (await sql.anybody(db))?.there !== true
