// What those who run the service see and decide. Reviews and freezes are decided by the rooms they belong to; this one
// knows who asks, puts together what is shown, and sees to it that every act of an operator is in the audit log.
// Operators are made by a command, never by an endpoint, and what they are is read anew at every request.
import * as audit from '../audit/audit.ts'
import * as background from '../background/background.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { openSeal } from '../base/seal.ts'
import type { Secret } from '../base/secret.ts'
import type { Db } from '../db/db.ts'
import type * as ledgers from '../ledger/ledger.ts'
import * as mail from '../mail/mail.ts'
import type { Merchant, Merchants } from '../merchants/merchants.ts'
import * as users from '../users/users.ts'
import { requirePass } from './second-factor/second-factor.ts'

export { enrol, factorSeeds } from './second-factor/second-factor.ts'
export { enrolmentUri, toBase32 } from './second-factor/totp.ts'

export interface OperatorDependencies {
  db: Db
  ledger: ledgers.Ledger
  clock: Clock
  users: users.Users
  merchants: Merchants
  config: { readonly production: boolean }
  secrets: { readonly enc: Secret }
}

/** Who acts, and where from. */
export interface Actor extends users.Origin {
  operator: string
  session: string
}

/** Throws for everybody else, and for an operator whose login has shown no second factor. */
export async function requireOperator(
  deps: Pick<OperatorDependencies, 'users' | 'db' | 'clock' | 'config'>,
  principal: users.UserPrincipal,
): Promise<{ kind: 'operator'; id: string; session: string }> {
  await requireRole(deps, principal)
  await requirePass(deps, principal)
  return { kind: 'operator', id: principal.id, session: principal.session }
}

/** From memory, where a role that was taken is gone within a second. */
export async function requireRole(
  { users: people }: Pick<OperatorDependencies, 'users'>,
  principal: users.UserPrincipal,
): Promise<void> {
  const person = await people.person(principal.id)
  if (person === undefined) throw new AppError('unauthenticated')
  if (person.frozen) throw new AppError('account_frozen')
  if (!person.roles.includes('operator')) throw new AppError('forbidden')
}

export interface ReviewedMerchant {
  merchant: Merchant
  owner: users.Person | undefined
}

export const withOwner = async (
  { users: people }: Pick<OperatorDependencies, 'users'>,
  merchant: Merchant,
): Promise<ReviewedMerchant> => ({ merchant, owner: await people.person(merchant.owner) })

export const withOwners = (
  deps: OperatorDependencies,
  merchants: readonly Merchant[],
): Promise<ReviewedMerchant[]> => Promise.all(merchants.map((merchant) => withOwner(deps, merchant)))

export type Decision = { verb: 'approve' | 'unsuspend' } | { verb: 'reject' | 'suspend'; reason: string }

/** Whoever could decide about what is theirs would need nobody else to steal. */
export function refuseOwn({ operator }: Actor, owned: { owner: string | undefined; what: string }): void {
  if (owned.owner === operator)
    throw new AppError('invalid_state', {
      detail: `Somebody else has to decide about your own ${owned.what}.`,
    })
}

export async function decide(
  deps: OperatorDependencies,
  { merchant, actor, ...decision }: Decision & { merchant: number; actor: Actor },
): Promise<ReviewedMerchant> {
  const { operator, ...origin } = actor
  refuseOwn(actor, { owner: (await deps.merchants.merchant(merchant))?.owner, what: 'business' })
  const decider = { merchant, by: { kind: 'operator', id: operator }, origin }
  return withOwner(deps, await decided(deps, decider, decision))
}

function decided(
  { merchants }: OperatorDependencies,
  decider: Parameters<Merchants['approve']>[0],
  decision: Decision,
): Promise<Merchant> {
  switch (decision.verb) {
    case 'approve':
      return merchants.approve(decider)
    case 'unsuspend':
      return merchants.reinstate(decider)
    case 'reject':
      return merchants.reject({ ...decider, reason: decision.reason })
    case 'suspend':
      return merchants.suspend({ ...decider, reason: decision.reason })
    default:
      return decision satisfies never
  }
}

export interface PersonSeen {
  person: users.Person
  wallets: ledgers.OwnedAccount[]
  merchant: Merchant | undefined
}

/** By id, handle, e-mail address or phone number: whole, not a part of it. */
export async function findPeople(deps: OperatorDependencies, text: string): Promise<users.Person[]> {
  const found = /^usr_\w+$/.test(text)
    ? await deps.users.person(text)
    : await users.findPerson(deps.db, text.trim())
  return found === undefined ? [] : [found]
}

export async function seePerson(deps: OperatorDependencies, id: string): Promise<PersonSeen> {
  // What operators act on is not what was remembered.
  deps.users.forget(id)
  const person = await deps.users.person(id)
  if (person === undefined) throw new AppError('not_found', { detail: 'There is no such person.' })
  const [wallets, merchant] = await Promise.all([
    deps.ledger.accountsOf(deps.db, { kind: 'user', owner: id, mode: 'live' }),
    deps.merchants.byOwner(id),
  ])
  return { person, wallets, merchant }
}

export interface Freezing {
  user: string
  frozen: boolean
  reason: string | undefined
  actor: Actor
}

export async function changeFrozen(
  deps: OperatorDependencies,
  { user, frozen, reason, actor }: Freezing,
): Promise<PersonSeen> {
  await seePerson(deps, user)
  refuseOwn(actor, { owner: user, what: 'account' })
  const change = frozen ? deps.users.freeze : deps.users.unfreeze
  const by = { kind: 'operator', id: actor.operator }
  const changed = await deps.db.inTransaction((tx) => change(tx, { user, by, reason, origin: actor }))
  deps.users.forget(user)
  if (!changed)
    throw new AppError('invalid_state', {
      detail: `This account is ${frozen ? 'frozen already' : 'not frozen'}.`,
    })
  return seePerson(deps, user)
}

/** A mail may hold a code that opens an account: who reads it is written down. */
export async function readMail(deps: OperatorDependencies, { id, actor }: { id: string; actor: Actor }) {
  const found = await mail.read({ db: deps.db, seal: openSeal(deps.secrets.enc) }, id)
  if (found === undefined) throw new AppError('not_found', { detail: 'There is no such mail.' })
  await deps.db.inTransaction((tx) =>
    record(deps, tx, { action: 'mail.read', object: id, details: { template: found.template }, actor }),
  )
  return found
}

/** In the background: it reads every entry that there is. */
export async function askForCheck(deps: OperatorDependencies, actor: Actor): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    // One that still waits is not asked for twice.
    await background.add(tx, { task: 'check_books', payload: {}, key: 'check_books', queue: 'check_books' })
    await record(deps, tx, { action: 'ledger.check_asked', actor })
  })
}

interface Act {
  action: string
  object?: string
  details?: object
  actor: Actor
}

export const record = (
  { clock }: OperatorDependencies,
  tx: Parameters<typeof audit.record>[0],
  { actor: { operator, ...origin }, ...act }: Act,
) =>
  audit.record(tx, {
    ...act,
    actor: { kind: 'operator', id: operator },
    result: 'ok',
    ...origin,
    at: clock.now(),
  })
