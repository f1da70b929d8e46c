// New people.

import { randomInt } from 'node:crypto'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { labelOf } from '../base/labels.ts'
import { violatedConstraint } from '../db/db.ts'
import { mailConfirmation } from './codes.ts'
import { deviceMark } from './login.ts'
import type { Person } from './people.ts'
import { type Origin, type Room, record } from './room.ts'
import {
  countryOf,
  countryProblem,
  emailProblem,
  handleBase,
  handleProblem,
  nameProblem,
  networkOf,
  type OwnWords,
  passwordProblem,
  phoneProblem,
  pinProblem,
  tidyEmail,
  tidyHandle,
  tidyName,
} from './rules.ts'
import { beginSession, type SignedIn, signedIn } from './sessions.ts'
import * as sql from './sql.ts'

export interface Registration {
  name: string
  password: string
  email?: string | undefined
  phone?: string | undefined
  handle?: string | undefined
  country?: string | undefined
  locale?: Person['locale'] | undefined
  pin?: string | undefined
}

const handleTriesMax = 5

/**
 * What is wrong with it, by field. `errors` has what is known to be wrong already: of those fields nothing is said, so
 * that every wrong field has one sentence, and all come at once.
 */
export async function registrationProblems(
  room: Room,
  { given, errors }: { given: Partial<Registration>; errors: Record<string, string> },
): Promise<Record<string, string>> {
  const found: Record<string, string> = { ...errors }
  const say = (field: keyof Registration, problem: string | undefined) => {
    if (problem !== undefined && found[field] === undefined) found[field] = `${labelOf(field)} ${problem}`
  }
  const { name, password, email, phone, handle, country, pin } = given
  if (name !== undefined) say('name', nameProblem(name))
  if (email !== undefined) say('email', emailProblem(email))
  if (phone !== undefined) say('phone', phoneProblem(phone))
  if (handle !== undefined) say('handle', handleProblem(handle, room))
  if (country !== undefined) say('country', countryProblem(country))
  if (password !== undefined) say('password', passwordProblem(password, ownWords(room, given)))
  if (pin !== undefined) say('pin', pinProblem(pin, { phone }))
  if (email === undefined && phone === undefined) say('email', 'or phone is required')
  const good = (field: 'email' | 'phone' | 'handle', tidied: string | undefined) =>
    found[field] === undefined ? tidied : undefined
  const taken = await sql.takenNames(room.db, {
    email: good('email', email && tidyEmail(email)),
    phone: good('phone', phone),
    handle: good('handle', handle && tidyHandle(handle)),
  })
  for (const field of ['email', 'phone', 'handle'] as const) if (taken?.[field]) say(field, takenProblem)
  return found
}

const takenProblem = 'is taken'

const ownWords = (room: Room, given: Partial<Registration>): OwnWords => {
  const { name, email, phone } = given
  return { brand: room.brand, name, email, phone, handle: given.handle ?? comingHandle(room, given) }
}

/** Who chooses none gets one that is made when all else is good: the password itself, if that may be it. */
function comingHandle(room: Room, { name, password = '' }: Partial<Registration>): string | undefined {
  if (name === undefined) return undefined
  const base = handleBase(name, room)
  const written = tidyHandle(password.normalize('NFKC'))
  return written.startsWith(base) && handleNumber.test(written.slice(base.length)) ? written : base
}

export async function register(
  room: Room,
  { given, origin }: { given: Registration; origin: Origin },
): Promise<SignedIn> {
  const password = await room.passwords.hash(given.password)
  for (let tries = 1; ; tries++) {
    const handle = given.handle === undefined ? await freeHandle(room, given.name) : tidyHandle(given.handle)
    try {
      return await addPerson(room, { given: { ...given, handle, password }, origin })
    } catch (error) {
      const field = takenFields[violatedConstraint(error) ?? '']
      if (field === undefined) throw error
      // Somebody was faster. A handle that we chose is chosen again.
      if (field === 'handle' && given.handle === undefined && tries < handleTriesMax) continue
      throw new AppError('validation_failed', {
        errors: { [field]: `${labelOf(field)} ${takenProblem}` },
        cause: error,
      })
    }
  }
}

/** The constraints of users.people, by name. */
const takenFields: Record<string, 'handle' | 'email' | 'phone'> = {
  people_handle: 'handle',
  people_email: 'email',
  people_phone: 'phone',
}

export const takenBy = (error: unknown): Record<string, string> | undefined => {
  const field = takenFields[violatedConstraint(error) ?? '']
  return field && { [field]: `${labelOf(field)} ${takenProblem}` }
}

/** What is behind the base of a handle that we make: see `freeHandle`. */
const handleNumber = /^[0-9]{0,6}$/

/** From the name alone if that is free, else with a number. */
async function freeHandle(room: Room, name: string): Promise<string> {
  const base = handleBase(name, room)
  const numbered = [100, 1_000, 10_000, 1_000_000].map((most) => `${base}${randomInt(most)}`)
  const candidates = [...(base === 'user' ? [] : [base]), ...numbered]
  const taken = new Set((await sql.takenHandles(room.db, candidates)).map(({ handle }) => handle))
  return (
    candidates.find((candidate) => !taken.has(candidate)) ??
    `${base.slice(0, 8)}${randomInt(281_474_976_710_655)}`.slice(0, 20)
  )
}

interface Adding {
  given: Registration & { handle: string }
  origin: Origin
}

async function addPerson(room: Room, { given, origin }: Adding): Promise<SignedIn> {
  const now = room.clock.now()
  const id = newId('usr')
  const email = given.email && tidyEmail(given.email)
  const name = tidyName(given.name)
  const locale = given.locale ?? 'en'
  const { claims } = await room.db.inTransaction(async (tx) => {
    await sql.addPerson(tx, {
      id,
      handle: given.handle,
      name,
      email,
      phone: given.phone,
      country: countryOf(given),
      locale,
      password: given.password,
      createdAt: now,
    })
    if (given.pin !== undefined) await room.pins.set(tx, { user: id, pin: given.pin, now })
    const session = await beginSession(tx, { user: id, origin, now })
    const address = networkOf(origin.address)
    await sql.notePlace(tx, { user: id, address, device: deviceMark(origin), now, since: now })
    if (email !== undefined)
      await mailConfirmation(room, tx, { user: id, to: { address: email, name, locale }, now })
    await record(tx, { user: id, action: 'register', session: session.claims.session, origin, at: now })
    return session
  })
  const person = await room.people.known(id)
  if (person === undefined) throw new AppError('unavailable', { retryAfter: 1 })
  return signedIn(room, { claims, person: person.person })
}
