// Sessions: a login, and the tokens it was given since. Each refresh gives out the next token and refuses the one
// before. A token that was exchanged already and comes again is either an answer that got lost (the same successor
// again, for ten seconds) or somebody who has stolen it: then nobody keeps the session.
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Tx } from '../db/db.ts'
import { type Person, personIn } from './people.ts'
import { type Caller, notify, type Origin, type Room, record } from './room.ts'
import { deviceOf } from './rules.ts'
import type { Mark, SessionRow } from './sessions/sql.ts'
import * as sql from './sessions/sql.ts'
import { type Claims, tokenSeconds } from './tokens.ts'

export interface SignedIn {
  token: string
  expiresIn: number
  person: Person
}

export interface Session {
  id: string
  device: string
  address: string
  createdAt: Date
  lastUsedAt: Date
}

const daySeconds = 86_400
/** From when its latest token was issued: who stays away for longer logs in again. */
export const idleSeconds = 7 * daySeconds
/** Of pages: until then they all share the session's latest token, which a new one would take away from the others. */
const youngSeconds = daySeconds / 2
const sessionSeconds = 30 * daySeconds
const retrySeconds = 10
const sessionsMax = 20
/** Clocks of machines differ a little. */
export const skewSeconds = 30

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1_000)
const timeOf = (seconds: number) => new Date(seconds * 1_000)

/** In the transaction of the login. What it returns is for the feed, after the commit. */
export async function beginSession(
  tx: Tx,
  { user, origin, now }: { user: string; origin: Origin; now: Date },
): Promise<{ claims: Claims; marks: Mark[] }> {
  const id = newId('ses')
  const issuedAt = secondsOf(now)
  const address = (origin.address ?? '').slice(0, 64)
  const device = deviceOf(origin.userAgent)
  await sql.addSession(tx, { id, user, device, address, now, issuedAt: timeOf(issuedAt) })
  const marks = await endSessions(tx, { user, keep: sessionsMax, reason: 'replaced', now })
  const claims = { user, session: id, generation: 1, issuedAt, expiresAt: issuedAt + tokenSeconds }
  return { claims, marks }
}

export const endSessions = (tx: Tx, ending: Omit<sql.Ending, 'tokenSeconds'>): Promise<Mark[]> =>
  sql.endSessions(tx, { ...ending, tokenSeconds: tokenSeconds + skewSeconds })

/** `now`: when it was asked for, if not when it was issued: what was just issued lasts whole, however long it took. */
export const signedIn = (
  room: Room,
  { claims, person, now = timeOf(claims.issuedAt) }: { claims: Claims; person: Person; now?: Date },
): SignedIn => ({
  token: room.tokens.sign(claims),
  expiresIn: claims.expiresAt - secondsOf(now),
  person,
})

/** What a token to be exchanged says. It may have expired, but not have been issued a week ago. */
export function readForRefresh(room: Room, token: string): Claims {
  const claims = room.tokens.read(token)
  const now = secondsOf(room.clock.now())
  if (claims === undefined || claims.issuedAt > now + skewSeconds || claims.issuedAt <= now - idleSeconds)
    throw refused()
  return claims
}

const refused = () => new AppError('unauthenticated', { detail: 'This session has ended. Log in again.' })

export interface Refreshing {
  claims: Claims
  origin: Origin
  /** A token that is not half as old as it may get is given out again instead of a new one. */
  keepsYoung: boolean
}

export async function refresh(room: Room, { claims, origin, keepsYoung }: Refreshing): Promise<SignedIn> {
  const now = room.clock.now()
  // A refusal is a result, not an exception: what is written because of it must be committed.
  const { next, marks } = await room.db.inTransaction(async (tx) => {
    const session = await sql.lockSession(tx, claims.session)
    if (session === undefined || session.user_id !== claims.user || hasEnded(session, now)) return nobody
    const isYoung = secondsOf(now) - secondsOf(session.issued_at) < youngSeconds
    if (claims.generation === session.generation)
      return keepsYoung && isYoung ? { next: latestOf(session), marks: [] } : rotate(tx, { session, now })
    const lately = now.getTime() - (session.rotated_at?.getTime() ?? 0) <= retrySeconds * 1_000
    if (claims.generation === session.generation - 1 && lately) return { next: latestOf(session), marks: [] }
    return revokeReused(tx, { session, origin, now })
  })
  room.feed.note(marks)
  if (next === undefined) throw refused()
  const person = await room.people.known(claims.user)
  if (person === undefined) throw refused()
  return signedIn(room, { claims: next, person: person.person, now })
}

interface Exchange {
  next: Claims | undefined
  marks: Mark[]
}

const nobody: Exchange = { next: undefined, marks: [] }

const hasEnded = ({ created_at, issued_at, ended_at }: SessionRow, now: Date) =>
  ended_at !== null ||
  secondsOf(created_at) + sessionSeconds <= secondsOf(now) ||
  secondsOf(issued_at) + idleSeconds <= secondsOf(now)

/** Of the session's latest token. It ends with the session, if that is sooner. */
function latestOf({ id, user_id, generation, issued_at, created_at }: SessionRow): Claims {
  const issuedAt = secondsOf(issued_at)
  const expiresAt = Math.min(issuedAt + tokenSeconds, secondsOf(created_at) + sessionSeconds)
  return { user: user_id, session: id, generation, issuedAt, expiresAt }
}

async function rotate(tx: Tx, { session, now }: { session: SessionRow; now: Date }): Promise<Exchange> {
  const before = latestOf(session)
  const generation = session.generation + 1
  const issuedAt = timeOf(secondsOf(now))
  const refusesUntil = timeOf(before.expiresAt + skewSeconds)
  await sql.rotateSession(tx, { id: session.id, generation, issuedAt, now, refusesUntil })
  return {
    next: latestOf({ ...session, generation, issued_at: issuedAt }),
    marks: [{ session: session.id, generation, refuses_until: refusesUntil }],
  }
}

async function revokeReused(
  tx: Tx,
  { session, origin, now }: { session: SessionRow; origin: Origin; now: Date },
): Promise<Exchange> {
  const user = session.user_id
  const marks = await endSessions(tx, { user, only: session.id, reason: 'reuse', now })
  const event = { user, action: 'session.reuse', result: 'refused', session: session.id } as const
  await record(tx, { ...event, object: session.id, origin, at: now })
  await notify(tx, await personIn(tx, user), { template: 'session_revoked', data: { time: now } })
  return { next: undefined, marks }
}

export async function listSessions(room: Room, user: string): Promise<Session[]> {
  const now = secondsOf(room.clock.now())
  const rows = await sql.sessionsOf(room.db, {
    user,
    issuedSince: timeOf(now - idleSeconds),
    createdSince: timeOf(now - sessionSeconds),
  })
  return rows.map(({ id, device, address, created_at, issued_at }) => ({
    id,
    device,
    address,
    createdAt: created_at,
    lastUsedAt: issued_at,
  }))
}

/** False when there is no such session of theirs. Of another one than their own they get a mail: it may not have been them. */
export async function endSession(
  room: Room,
  { id, caller }: { id: string; caller: Caller },
): Promise<boolean> {
  const now = room.clock.now()
  const { user, session } = caller
  const marks = await room.db.inTransaction(async (tx) => {
    const ended = await endSessions(tx, { user, only: id, reason: id === session ? 'logout' : 'ended', now })
    const action = id === session ? 'logout' : 'session.ended'
    if (ended.length === 0) return ended
    await record(tx, { user, action, object: id, session, origin: caller, at: now })
    const other = id === session ? undefined : await sql.lockSession(tx, id)
    if (other !== undefined)
      await notify(tx, await personIn(tx, user), {
        template: 'session_ended',
        data: { device: other.device, time: now },
      })
    return ended
  })
  room.feed.note(marks)
  return marks.length > 0
}
