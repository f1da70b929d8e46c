// A business applies, changes what it said of itself, or applies again after it was rejected. One a person.
import { AppError } from '../base/errors.ts'
import { conflict, type Tx } from '../db/db.ts'
import type { RequestKey } from '../ledger/ledger.ts'
import * as users from '../users/users.ts'
import { type Answer, onceOnly, type StoredAnswer } from './answers.ts'
import { credentialsOf, type Look, lockOwn, makeMissing, tellShown } from './credentials.ts'
import { type Merchant, merchantOf } from './memory.ts'
import { ownEvent, type Room, record, requirePerson } from './room.ts'
import { newMerchantId, tidyHost, tidyText, websiteHost } from './rules.ts'
import * as sql from './sql.ts'

export interface Application {
  businessName: string
  category: string
  websiteUrl: string
  ipnUrl?: string | undefined
  callbackUrl?: string | undefined
  settlementCurrency?: sql.Application['settlementCurrency'] | undefined
}

export interface Registering {
  application: Application
  caller: users.Caller
  key: RequestKey | undefined
  /** The answer to be kept: it is repeated byte for byte. */
  answerOf: (made: Look) => Answer
}

export async function register(room: Room, registering: Registering): Promise<StoredAnswer> {
  const { application, caller, key, answerOf } = registering
  const person = await requirePerson(room, caller.user)
  if (person.email === undefined) {
    throw new AppError('invalid_state', {
      detail:
        'A business is told by e-mail what becomes of its application. Add an e-mail address to your account first.',
    })
  }
  const now = room.clock.now()
  const given: sql.Application = {
    businessName: tidyText(application.businessName),
    category: tidyText(application.category),
    websiteUrl: application.websiteUrl,
    ipnUrl: application.ipnUrl,
    callbackUrl: application.callbackUrl,
    settlementCurrency: application.settlementCurrency ?? users.defaultCurrency(person.country),
  }
  const { merchant, stored } = await room.db.inTransaction(async (tx) => {
    let applied: number | undefined
    const work = async () => {
      const made = await apply(room, tx, { given, caller, now })
      applied = made.merchant.id
      return answerOf(made)
    }
    const answer = await onceOnly(room, tx, { key, work })
    return { merchant: applied, stored: answer }
  })
  if (merchant !== undefined) room.memory.forget(merchant)
  return stored
}

interface Applying {
  given: sql.Application
  caller: users.Caller
  now: Date
}

async function apply(room: Room, tx: Tx, { given, caller, now }: Applying): Promise<Look> {
  const earlier = await sql.lockMerchantOf(tx, caller.user)
  if (earlier !== undefined && earlier.status !== 'rejected')
    throw new AppError('invalid_state', { detail: 'You have registered a business already.' })
  const row = earlier
    ? await sql.applyAgain(tx, { id: earlier.id, now, ...given })
    : await sql.addMerchant(tx, { id: newMerchantId(), owner: caller.user, now, ...given })
  // The number was taken, or the same person applied in this very moment: it is decided anew.
  if (row === undefined) throw conflict(new Error('a new merchant met another'))
  const merchant = merchantOf(row)
  await record(tx, {
    ...ownEvent(caller),
    action: 'merchant.applied',
    merchant: merchant.id,
    details: { business_name: merchant.businessName, again: earlier !== undefined },
    at: now,
  })
  const made = await makeMissing(room, tx, { merchant: merchant.id, mode: 'test', now })
  await tellShown(tx, { merchant, mode: 'test', made, caller, now })
  return {
    merchant,
    credentials: await credentialsOf(tx, { merchant: merchant.id, now, made: { test: made } }),
  }
}

export interface ProfileChange {
  websiteUrl?: string | undefined
  /** Null: none any more. */
  ipnUrl?: string | null | undefined
  callbackUrl?: string | null | undefined
  settlementCurrency?: string | undefined
  redirectHosts?: readonly string[] | undefined
  allowedAddresses?: readonly string[] | undefined
  /** Needed for the last two and for another host of the website: where money's messengers may come from and go to. */
  password?: string | undefined
}

export async function changeProfile(
  room: Room,
  { change, caller }: { change: ProfileChange; caller: users.Caller },
): Promise<Merchant> {
  await requirePerson(room, caller.user)
  const known = await room.memory.byOwner(caller.user)
  if (known !== undefined && needsPassword(change, known.merchant)) await stepUp(room, { change, caller })
  const now = room.clock.now()
  const merchant = await room.db.inTransaction(async (tx) => {
    const before = await lockOwn(tx, caller)
    const after = { ...profileOf(before), ...wanted(change) }
    const row = await sql.changeProfile(tx, { id: before.id, ...after })
    if (row === undefined) throw conflict(new Error('a locked merchant is gone'))
    await sql.addChange(tx, before.id)
    const details = {
      before: differing(profileOf(before), after),
      after: differing(after, profileOf(before)),
    }
    await record(tx, {
      ...ownEvent(caller),
      action: 'merchant.changed',
      merchant: before.id,
      details,
      at: now,
    })
    return merchantOf(row)
  })
  room.memory.forget(merchant.id)
  return merchant
}

/** Taking a host away is harmless; one more, or other networks, may be what a thief of the session is after. */
function needsPassword(change: ProfileChange, { hosts, websiteUrl: before }: Merchant): boolean {
  const { websiteUrl = before, redirectHosts = [], allowedAddresses } = change
  return (
    allowedAddresses !== undefined ||
    websiteHost(websiteUrl) !== websiteHost(before) ||
    redirectHosts.some((host) => !hosts.includes(tidyHost(host)))
  )
}

async function stepUp(
  { users: people }: Room,
  { change, caller }: { change: ProfileChange; caller: users.Caller },
): Promise<void> {
  if (change.password === undefined) {
    const errors = {
      password: 'Password is required to move the website, to add hosts or to change the allowed addresses',
    }
    throw new AppError('validation_failed', { errors })
  }
  await people.checkPassword({ caller, password: change.password })
}

type Profile = Omit<sql.ProfileRow, 'id'>

const profileOf = (merchant: Merchant): Profile => ({
  websiteUrl: merchant.websiteUrl,
  ipnUrl: merchant.ipnUrl ?? null,
  callbackUrl: merchant.callbackUrl ?? null,
  settlementCurrency: merchant.settlementCurrency,
  redirectHosts: merchant.hosts,
  allowedAddresses: merchant.addresses,
})

/** What was sent, and nothing else. */
function wanted({ password: _password, redirectHosts, ...change }: ProfileChange): Partial<Profile> {
  const hosts = redirectHosts && [...new Set(redirectHosts.map(tidyHost))]
  const all = { ...change, redirectHosts: hosts }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const differing = (one: Profile, other: Profile): Partial<Profile> =>
  Object.fromEntries(
    Object.entries(one).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name as keyof Profile]),
    ),
  )
