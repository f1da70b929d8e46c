// What a merchant authenticates with (API key) and is told the truth with (Client Secret): one pair a mode. An API key is
// shown when it is made, and for ten minutes again, because that answer may get lost; after that only what proves it is
// kept. A Client Secret must sign, so it is kept sealed, and can be
// shown again for the password. During the grace of a rotation two of a kind work, never more.
import { newApiKey } from '../base/api-key.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { placeIn, type SealedColumn } from '../base/seal.ts'
import type { Queries, Tx } from '../db/db.ts'
import type { RequestKey } from '../ledger/ledger.ts'
import type { Caller } from '../users/users.ts'
import { type Answer, onceOnly, type StoredAnswer, shownMs } from './answers.ts'
import { type Merchant, merchantOf } from './memory.ts'
import { ownEvent, type Room, record, requirePerson } from './room.ts'
import { type Mode, newClientSecret } from './rules.ts'
import * as sql from './sql.ts'

/** What may be told of the credentials of a mode. Values only while they are shown. */
export interface ModeCredentials {
  apiKeyPrefix: string | undefined
  apiKeyLastUsedAt: Date | undefined
  /** Until then the one before works too. */
  apiKeyPreviousUntil: Date | undefined
  clientSecretSet: boolean
  clientSecretPreviousUntil: Date | undefined
  apiKey?: string
  clientSecret?: string
}

export type Credentials = Record<Mode, ModeCredentials>

export type Made = Partial<Record<'apiKey' | 'clientSecret', string>>

export async function credentialsOf(
  db: Queries,
  { merchant, now, made = {} }: { merchant: number; now: Date; made?: Partial<Record<Mode, Made>> },
): Promise<Credentials> {
  const [keys, secrets] = await Promise.all([
    sql.keysOf(db, { merchant, now }),
    sql.secretsOf(db, { merchant, now }),
  ])
  const of = (mode: Mode): ModeCredentials => {
    const key = keys.findLast((row) => row.mode === mode)
    const previous = keys.find((row) => row.mode === mode && row !== key)
    const secret = secrets.findLast((row) => row.mode === mode)
    const secretBefore = secrets.find((row) => row.mode === mode && row !== secret)
    return {
      apiKeyPrefix: key?.prefix,
      apiKeyLastUsedAt: key?.last_used_at ?? undefined,
      apiKeyPreviousUntil: previous?.expires_at ?? undefined,
      clientSecretSet: secret !== undefined,
      clientSecretPreviousUntil: secretBefore?.expires_at ?? undefined,
      ...made[mode],
    }
  }
  return { live: of('live'), test: of('test') }
}

/** Makes what is missing of a pair, and nothing else. The merchant is locked. */
export async function makeMissing(
  room: Room,
  tx: Tx,
  { merchant, mode, now }: { merchant: number; mode: Mode; now: Date },
): Promise<Made> {
  const known = await credentialsOf(tx, { merchant, now })
  const { apiKeyPrefix, clientSecretSet } = known[mode]
  return {
    ...(apiKeyPrefix === undefined ? { apiKey: await addKey(room, tx, { merchant, mode, now }) } : {}),
    ...(clientSecretSet ? {} : { clientSecret: await addSecret(room, tx, { merchant, mode, now }) }),
  }
}

interface Adding {
  merchant: number
  mode: Mode
  now: Date
}

async function addKey({ macs }: Room, tx: Tx, { merchant, mode, now }: Adding): Promise<string> {
  const { text, prefix } = newApiKey(mode)
  await sql.addKey(tx, { id: newId('key'), merchant, mode, prefix, ...macs.make(text), now })
  return text
}

export const shownKeys: SealedColumn = { table: 'merchants.api_keys', key: 'id', column: 'sealed' }

const keyPlace = (id: string) => placeIn(shownKeys, id)

async function addSecret({ seal }: Room, tx: Tx, { merchant, mode, now }: Adding): Promise<string> {
  const id = newId('sec')
  const text = newClientSecret()
  await sql.addSecret(tx, { id, merchant, mode, sealed: seal.seal(text, placeIn(clientSecrets, id)), now })
  return text
}

export const clientSecrets: SealedColumn = {
  table: 'merchants.client_secrets',
  key: 'id',
  column: 'sealed',
}

export const openSecret = (
  { seal }: Pick<Room, 'seal'>,
  { id, sealed }: Pick<sql.SecretRow, 'id' | 'sealed'>,
) => seal.open(sealed, placeIn(clientSecrets, id))

export interface Look {
  merchant: Merchant
  credentials: Credentials
}

export interface Looking {
  caller: Caller
  /** Will anybody see the answer? A HEAD request must not use up the one time that a key is shown. */
  shows: boolean
}

/**
 * The owner's look at the business. The first one after the approval makes the live pair and shows it; later ones show it
 * again for a while, unless the key has been used: then its owner has it.
 */
export async function look(room: Room, { caller, shows }: Looking): Promise<Look> {
  const { db, clock } = room
  const now = clock.now()
  const [found] = await sql.idOfOwner(db, caller.user)
  const known = found && (await room.memory.read(db, found.id))
  if (known === undefined) throw noBusiness()
  const { merchant, keys, secrets } = known
  const key = keys.findLast(({ mode }) => mode === 'live')
  const hasLive = key !== undefined && secrets.some(({ mode }) => mode === 'live')
  const isOver = hasLive && (key.last_used_at !== null || now.getTime() - key.created_at.getTime() > shownMs)
  const mayShow = merchant.status === 'approved' && !isOver && shows
  // A frozen person may look, sees no key again, and makes none.
  if (!mayShow || (await room.users.person(caller.user))?.frozen === true)
    return { merchant, credentials: await credentialsOf(db, { merchant: merchant.id, now }) }
  await requirePerson(room, caller.user)
  const shown = await db.inTransaction((tx) => showLive(room, tx, { caller, now }))
  room.memory.forget(merchant.id)
  return shown
}

export const noBusiness = () =>
  new AppError('not_found', { detail: 'You have registered no business. POST /api/merchant/register does.' })

async function showLive(room: Room, tx: Tx, { caller, now }: { caller: Caller; now: Date }): Promise<Look> {
  const merchant = await lockOwn(tx, caller)
  const live = { merchant: merchant.id, mode: 'live', now } as const
  const made: Made = merchant.status === 'approved' ? await makeMissing(room, tx, live) : {}
  if (made.apiKey !== undefined) await keepShown(room, tx, { ...live, text: made.apiKey })
  if (Object.keys(made).length > 0) await tellShown(tx, { merchant, mode: 'live', made, caller, now })
  const again = made.apiKey === undefined && merchant.status === 'approved'
  const shown = again ? { ...(await madeBefore(room, tx, live)), ...made } : made
  const credentials = await credentialsOf(tx, { merchant: merchant.id, now, made: { live: shown } })
  if (again && shown.apiKey !== undefined) {
    const details = { mode: 'live', what: namesOf(shown), made: false }
    await record(tx, {
      ...ownEvent(caller),
      action: 'credential.shown',
      merchant: merchant.id,
      details,
      at: now,
    })
  }
  return { merchant, credentials }
}

async function keepShown(
  { seal }: Room,
  tx: Tx,
  { merchant, mode, text }: Adding & { text: string },
): Promise<void> {
  const key = await sql.currentKey(tx, { merchant, mode })
  check(key !== undefined, 'a key that was made is there')
  await sql.keepShown(tx, { id: key.id, sealed: seal.seal(text, keyPlace(key.id)) })
}

/** What the first look showed, as long as it may be shown again. */
async function madeBefore(room: Room, tx: Tx, { merchant, mode, now }: Adding): Promise<Made> {
  const key = await sql.currentKey(tx, { merchant, mode })
  if (key === undefined || key.sealed === null || key.last_used_at !== null) return {}
  if (now.getTime() - key.created_at.getTime() > shownMs) return {}
  const secrets = await sql.secretsOf(tx, { merchant, now })
  const secret = secrets.findLast(
    (row) =>
      row.mode === mode && row.expires_at === null && row.created_at.getTime() === key.created_at.getTime(),
  )
  return {
    apiKey: room.seal.open(key.sealed, keyPlace(key.id)),
    ...(secret === undefined ? {} : { clientSecret: openSecret(room, secret) }),
  }
}

interface Telling {
  merchant: Merchant
  mode: Mode
  made: Made
  caller: Caller
  now: Date
}

/** The other processes hear of it, and the audit log. */
export async function tellShown(tx: Tx, { merchant, mode, made, caller, now }: Telling): Promise<void> {
  await sql.addChange(tx, merchant.id)
  const details = { mode, what: namesOf(made), made: true }
  await record(tx, {
    ...ownEvent(caller),
    action: 'credential.shown',
    merchant: merchant.id,
    details,
    at: now,
  })
}

const namesOf = (made: Made) =>
  Object.keys(made).map((name) => (name === 'apiKey' ? 'api_key' : 'client_secret'))

export async function lockOwn(tx: Tx, { user }: Caller): Promise<Merchant> {
  const row = await sql.lockMerchantOf(tx, user)
  if (row === undefined) throw noBusiness()
  return merchantOf(row)
}

export interface Reveal {
  mode: Mode
  password: string
  caller: Caller
}

/** The Client Secret that is there to stay; during a grace that is the new one. */
export async function reveal(room: Room, { mode, password, caller }: Reveal): Promise<string> {
  await requirePerson(room, caller.user)
  await room.users.checkPassword({ caller, password })
  const now = room.clock.now()
  const { merchant, text } = await room.db.inTransaction(async (tx) => {
    const own = await lockOwn(tx, caller)
    requireMode(own, mode)
    const rows = await sql.secretsOf(tx, { merchant: own.id, now })
    const row = rows.findLast((candidate) => candidate.mode === mode)
    const value = row ? openSecret(room, row) : await addSecret(room, tx, { merchant: own.id, mode, now })
    await sql.addChange(tx, own.id)
    const details = { mode, what: ['client_secret'], made: row === undefined }
    await record(tx, { ...ownEvent(caller), action: 'credential.shown', merchant: own.id, details, at: now })
    return { merchant: own.id, text: value }
  })
  room.memory.forget(merchant)
  return text
}

function requireMode(merchant: Merchant, mode: Mode): void {
  if (mode === 'test' || merchant.status === 'approved' || merchant.status === 'suspended') return
  throw new AppError('forbidden', { detail: 'Live credentials exist from the approval of the business on.' })
}

export const rotated = ['api_key', 'client_secret'] as const

export interface Rotation {
  mode: Mode
  what: (typeof rotated)[number]
  graceHours: number
  password: string
  caller: Caller
  key: RequestKey | undefined
  /** The answer to be kept: it is repeated byte for byte. */
  answerOf: (value: string, previousUntil: Date | undefined) => Answer
}

export async function rotate(room: Room, rotation: Rotation): Promise<StoredAnswer> {
  const { caller, password, key } = rotation
  await requirePerson(room, caller.user)
  await room.users.checkPassword({ caller, password })
  const now = room.clock.now()
  const { merchant, stored } = await room.db.inTransaction(async (tx) => {
    const own = await lockOwn(tx, caller)
    const work = () => rotateLocked(room, tx, { ...rotation, merchant: own, now })
    return { merchant: own, stored: await onceOnly(room, tx, { key, work }) }
  })
  room.memory.forget(merchant.id)
  return stored
}

async function rotateLocked(
  room: Room,
  tx: Tx,
  {
    merchant: own,
    mode,
    what,
    graceHours,
    caller,
    answerOf,
    now,
  }: Rotation & { merchant: Merchant; now: Date },
): Promise<Answer> {
  requireMode(own, mode)
  const merchant = own.id
  const until = new Date(now.getTime() + graceHours * 3_600_000)
  const retire = what === 'api_key' ? sql.retireKeys : sql.retireSecrets
  const add = what === 'api_key' ? addKey : addSecret
  const retired = await retire(tx, { merchant, mode, now, until })
  const value = await add(room, tx, { merchant, mode, now })
  // A live key may be replaced before a first look has made the pair: without a Client Secret no notification could leave.
  // It can be revealed later. A key that nobody has seen could not, so that one is left to the first look.
  if (what === 'api_key') await makeMissing(room, tx, { merchant, mode, now })
  await sql.addChange(tx, merchant)
  const details = { mode, what, grace_hours: graceHours }
  await record(tx, { ...ownEvent(caller), action: 'credential.rotated', merchant, details, at: now })
  return answerOf(value, retired.length > 0 ? until : undefined)
}

export interface SigningKeys {
  /** For the signature that has room for one: during a grace the older, so that no running receiver breaks. */
  current: string
  /** All that a receiver may know, `current` first. */
  all: readonly string[]
}

export async function signingKeys(
  room: Room,
  { merchant, mode }: { merchant: number; mode: Mode },
): Promise<SigningKeys | undefined> {
  const known = await room.memory.byId(merchant)
  const now = room.clock.now()
  const rows = (known?.secrets ?? []).filter(
    (row) => row.mode === mode && (row.expires_at === null || row.expires_at > now),
  )
  const all = rows.map((row) => openSecret(room, row))
  const [current] = all
  return current === undefined ? undefined : { current, all }
}
