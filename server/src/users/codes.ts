// Codes that are mailed, to show that an address is somebody's own: to confirm it, and to choose a new password. 40 bits,
// five tries, one at a time: a new code takes the place of the one before. Whoever knows a name can ask for a code and try
// to guess it, so tries and requests are counted for a name and where they come from: strangers use up their own.
import { randomInt, timingSafeEqual } from 'node:crypto'
import * as audit from '../audit/audit.ts'
import * as background from '../background/background.ts'
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import * as mail from '../mail/mail.ts'
import { type LoginName, nameKeys, tidyLoginName } from './login.ts'
import { knownPerson, type Person, personIn } from './people.ts'
import { type Caller, notify, type Origin, type Room, record } from './room.ts'
import { networkOf, passwordProblem } from './rules.ts'
import { endSessions } from './sessions.ts'
import * as sql from './sql.ts'

type Purpose = 'email' | 'password'

const lifeMs: Record<Purpose, number> = { email: 24 * 3_600_000, password: 30 * 60_000 }
const attemptsMax = 5
/** Of one code in all. By then a guess was right in one of a thousand million cases, and 200 networks have guessed. */
const attemptsInAllMax: Record<Purpose, number> = { email: attemptsMax, password: 1_000 }
/** In 15 minutes: of one name from one network, and mails to one person. */
const sentMax = 5
/** In a day: asked for with one name from one network, and to confirm one address. */
const sentTodayMax = 20
/** In 15 minutes, of one name from everywhere. */
const askedMax = 100
const addressFailuresMax = 30

/** Without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 8

function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => alphabet.charAt(randomInt(alphabet.length)))
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** As people type it: small letters, without the hyphen, O for 0. */
const tidyCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[\s-]+/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

interface CodeMail {
  user: string
  purpose: Purpose
  to: mail.Recipient
  now: Date
}

async function mailCode(room: Room, tx: Tx, { user, purpose, to, now }: CodeMail): Promise<void> {
  const code = newCode()
  const mac = room.codeMac([purpose, user, to.address, tidyCode(code)])
  const expiresAt = new Date(now.getTime() + lifeMs[purpose])
  await sql.setCode(tx, { user, purpose, email: to.address, mac, expiresAt })
  const template = purpose === 'email' ? 'confirm_email' : 'reset_password'
  await mail.queue(tx, { to, template, data: { code }, seal: room.seal, about: { kind: 'user', id: user } })
}

export type Confirmation = Omit<CodeMail, 'purpose'>

/** False when the address has had too many today: it may be a stranger's, whoever says that it is theirs. */
export async function mailConfirmation(room: Room, tx: Tx, confirmation: Confirmation): Promise<boolean> {
  const key = room.today.keyOf(['mailbox', confirmation.to.address])
  if (!(await room.today.allows(tx, key, sentTodayMax))) return false
  await mailCode(room, tx, { ...confirmation, purpose: 'email' })
  return true
}

/** The same for who waits for the code. */
export async function requireConfirmation(room: Room, tx: Tx, confirmation: Confirmation): Promise<void> {
  if (!(await mailConfirmation(room, tx, confirmation)))
    throw new AppError('rate_limited', { retryAfter: retrySeconds })
}

const retrySeconds = 3_600

const wrongCode = () =>
  new AppError('validation_failed', { errors: { code: 'Code is wrong or has expired; ask for a new one' } })

interface CodeCheck {
  /** Absent: somebody unknown. The same is done, and nothing found. */
  user: string | undefined
  /** What the audit log knows somebody unknown by. */
  unknown?: Buffer
  purpose: Purpose
  code: string
  /** What five tries are counted by, where anybody may try. */
  tries?: Buffer
  origin: Origin
}

/** The address it was sent to, and what to drop it by. Throws when it is wrong. */
async function checkCode(room: Room, { user = '', unknown, purpose, code, tries, origin }: CodeCheck) {
  const now = room.clock.now()
  const key = room.attempts.keyOf(['code', networkOf(origin.address)])
  await room.attempts.require(key, addressFailuresMax)
  const most = attemptsInAllMax[purpose]
  const allowed = tries === undefined || (await room.attempts.allows(room.db, tries, attemptsMax))
  const found = allowed
    ? await room.db.inTransaction((tx) => sql.countCodeTry(tx, { user, purpose, now, attemptsMax: most }))
    : undefined
  const mac = room.codeMac([purpose, user, found?.email ?? '', tidyCode(code)])
  if (found !== undefined && timingSafeEqual(mac, found.mac)) return { email: found.email, mac }
  await room.db.inTransaction(async (tx) => {
    await room.attempts.count(tx, key, addressFailuresMax)
    await audit.record(tx, {
      ...origin,
      actor: user === '' ? { kind: 'name', id: unknown?.toString('hex') ?? '' } : { kind: 'user', id: user },
      action: 'code.failed',
      result: 'refused',
      details: { purpose },
      at: now,
    })
  })
  throw wrongCode()
}

const forgottenKey = ({ attempts }: Room, name: LoginName): Buffer =>
  attempts.keyOf(['forgot', ...nameParts(name)])

/** Mails a code to whoever has this name and a confirmed address. The answer is the same when nobody has. */
export async function forgotPassword(
  room: Room,
  { name: typed, origin }: { name: LoginName; origin: Origin },
): Promise<void> {
  const name = tidyLoginName(typed)
  const key = forgottenKey(room, name)
  await room.attempts.begin(nameKey(room, 'forgot', { name, origin }), sentMax)
  await room.attempts.begin(key, askedMax)
  await room.today.begin(nameKey(room, 'forgot today', { name, origin }), sentTodayMax)
  // Looked up by a job, so that the time says nothing either.
  await room.db.inTransaction(async (tx) => {
    await room.attempts.forget(tx, [nameKey(room, 'reset', { name, origin })])
    await background.add(tx, { task: resetCodeTask, payload: name })
    await audit.record(tx, {
      actor: { kind: 'name', id: key.toString('hex') },
      action: 'password.forgot',
      result: 'ok',
      address: origin.address,
      userAgent: origin.userAgent,
      requestId: origin.requestId,
      at: room.clock.now(),
    })
  })
}

const nameParts = ({ email, phone, handle }: LoginName): string[] => [email ?? '', phone ?? '', handle ?? '']

/** What somebody does with a name, from one network. */
const nameKey = (
  room: Room,
  what: 'forgot' | 'forgot today' | 'reset',
  { name, origin }: { name: LoginName; origin: Origin },
): Buffer => room.attempts.keyOf([what, ...nameParts(name), networkOf(origin.address)])

export const resetCodeTask = 'mail_reset_code'

export async function mailResetCode(room: Room, name: LoginName): Promise<void> {
  const row = await sql.personByName(room.db, name)
  if (row === undefined) return
  const { person } = knownPerson(row, 0n)
  const { email, emailConfirmed, id } = person
  if (email === undefined || !emailConfirmed) return
  const to = { address: email, name: person.name, locale: person.locale }
  await room.db.inTransaction(async (tx) => {
    // Strangers may have asked for them all: then the last one is good for as long as no other is sent.
    if (await room.attempts.allows(tx, room.attempts.keyOf(['reset mail', id]), sentMax))
      await mailCode(room, tx, { user: id, purpose: 'password', to, now: room.clock.now() })
  })
}

export interface PasswordReset {
  name: LoginName
  code: string
  password: string
  origin: Origin
}

/** Who can read the mail chooses a new password. Every session ends: the old one may have been somebody else's too. */
export async function resetPassword(
  room: Room,
  { name: typed, code, password, origin }: PasswordReset,
): Promise<void> {
  const name = tidyLoginName(typed)
  refuseWeak(password, { ...name, brand: room.brand })
  const row = await sql.personByName(room.db, name)
  const tries = nameKey(room, 'reset', { name, origin })
  const unknown = forgottenKey(room, name)
  const { mac } = await checkCode(room, { user: row?.id, unknown, purpose: 'password', code, tries, origin })
  const person = row === undefined ? undefined : knownPerson(row, 0n).person
  if (person === undefined) throw wrongCode()
  refuseWeak(password, { ...person, brand: room.brand })
  const hash = await room.passwords.hash(password)
  const now = room.clock.now()
  const marks = await room.db.inTransaction(async (tx) => {
    const dropped = await sql.useCode(tx, { user: person.id, purpose: 'password', mac })
    if (dropped === undefined) throw wrongCode()
    await room.attempts.forget(tx, [tries, ...nameKeys(room, person, origin)])
    return replacePassword(tx, { person, hash, except: undefined, action: 'password.reset', origin, now })
  })
  room.feed.note(marks)
}

function refuseWeak(password: string, own: Parameters<typeof passwordProblem>[1]): void {
  const problem = passwordProblem(password, own)
  if (problem !== undefined)
    throw new AppError('validation_failed', { errors: { password: `Password ${problem}` } })
}

interface Replacing {
  person: Person
  hash: string
  /** The session that stays. */
  except: string | undefined
  action: 'password.reset' | 'password.changed'
  origin: Origin
  now: Date
}

export async function replacePassword(tx: Tx, { person, hash, except, action, origin, now }: Replacing) {
  await sql.changePassword(tx, { id: person.id, password: hash })
  const marks = await endSessions(tx, { user: person.id, except, reason: 'password', now })
  await record(tx, { user: person.id, action, session: except, origin, at: now })
  await notify(tx, person, { template: 'password_changed', data: { time: now } })
  return marks
}

export async function confirmEmail(
  room: Room,
  { code, caller }: { code: string; caller: Caller },
): Promise<void> {
  const { user } = caller
  const { email, mac } = await checkCode(room, { user, purpose: 'email', code, origin: caller })
  const now = room.clock.now()
  await room.db.inTransaction(async (tx) => {
    const used = await sql.useCode(tx, { user, purpose: 'email', mac })
    const confirmed = used && (await sql.confirmEmail(tx, { id: user, email, now }))
    if (confirmed === undefined) throw wrongCode()
    await sql.addChange(tx, user)
    await record(tx, { user, action: 'email.confirmed', session: caller.session, origin: caller, at: now })
  })
  room.people.forget(user)
}

export async function resendConfirmation(room: Room, { user }: Caller): Promise<void> {
  const now = room.clock.now()
  await room.attempts.begin(room.attempts.keyOf(['resend', user]), sentMax)
  await room.db.inTransaction(async (tx) => {
    const { email, emailConfirmed, name, locale } = await personIn(tx, user)
    if (email === undefined || emailConfirmed) {
      const detail =
        email === undefined
          ? 'The account has no e-mail address.'
          : 'The e-mail address is confirmed already.'
      throw new AppError('invalid_state', { detail })
    }
    await requireConfirmation(room, tx, { user, to: { address: email, name, locale }, now })
  })
}
