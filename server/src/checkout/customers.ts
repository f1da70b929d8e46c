// Who pays from a wallet: people in live mode, the two customers of the sandbox in test mode. A test payment never asks
// for, and never checks, the password of a person.
import { AppError } from '../base/errors.ts'
import type { Amount } from '../base/money.ts'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Payer, Payment } from '../payments/payments.ts'
import type { Origin, Users } from '../users/users.ts'
import { loginName } from './rules.ts'
import { isSandboxPin, sandboxCustomer, sandboxPassword } from './sandbox.ts'
import type { ProblemCode } from './words/words.ts'

export interface CustomerDeps {
  db: Db
  ledger: Ledger
  users: Pick<Users, 'identify' | 'person' | 'checkPin' | 'forget'>
}

/** `id`: of a person; or the name of a customer of the sandbox. */
export interface Customer {
  id: string
  name: string
  handle: string
  /** Why this one can't pay at all. */
  problem: ProblemCode | undefined
  spendable: Amount | 'endless'
}

export interface Credentials {
  name: string
  password: string
  origin: Origin
}

const passwordMax = 128

/** The id of who has logged in. Throws `unauthenticated`, or `rate_limited` after too many wrong ones. */
export async function identify(
  { users }: CustomerDeps,
  { mode, amount }: Payment,
  { name, password, origin }: Credentials,
): Promise<string> {
  if (mode === 'test') {
    const customer = sandboxCustomer(name.trim().replace(/^@/, '').toLowerCase())
    if (customer === undefined || password !== sandboxPassword) throw new AppError('unauthenticated')
    return customer.handle
  }
  if ([...password].length > passwordMax) throw new AppError('unauthenticated')
  const person = await users.identify({ name: loginName(name, amount.currency), password, origin })
  return person.id
}

export async function findCustomer(
  deps: CustomerDeps,
  { mode, amount: { currency } }: Payment,
  id: string,
): Promise<Customer | undefined> {
  if (mode === 'test') {
    const found = sandboxCustomer(id)
    const spendable = found?.poor ? { minor: 0n, currency } : ('endless' as const)
    return found && { id, name: found.name, handle: found.handle, problem: undefined, spendable }
  }
  const person = await deps.users.person(id)
  if (person === undefined) return undefined
  const { name, handle } = person
  const [wallet] = await deps.ledger.balances(deps.db, [{ kind: 'user', owner: id, currency, mode }])
  return {
    id,
    name,
    handle,
    problem: person.frozen ? 'frozen' : person.hasPin ? undefined : 'pin_not_set',
    spendable: { minor: (wallet?.balance ?? 0n) - (wallet?.held ?? 0n), currency },
  }
}

const shown = ({ name, handle }: { name: string; handle: string }) => `${name} (@${handle})`

export const hasPaid = (
  { id, ...customer }: Customer,
  { mode, payerId, customer: paidBy }: Payment,
): boolean => (mode === 'test' ? paidBy === shown(customer) : payerId === id)

/** Throws what `checkPin` of users throws. */
export async function allowPayment(
  { users }: CustomerDeps,
  { mode }: Payment,
  { id, pin, origin }: { id: string; pin: string; origin: Origin },
): Promise<Payer> {
  if (mode === 'live') {
    const { person } = await users.checkPin({ user: id, pin, origin })
    return {
      account: { kind: 'user', owner: person.id },
      id: person.id,
      shown: shown(person),
      person,
      guard: { owner: person.id, version: person.guard },
    }
  }
  const customer = sandboxCustomer(id)
  if (customer === undefined) throw new AppError('unauthenticated')
  if (!isSandboxPin(pin)) throw new AppError('pin_incorrect')
  // The one who has enough pays from where test money comes from, so nobody has to fill a wallet first. The other one's
  // wallet is a real one that nothing ever comes into.
  const account = customer.poor
    ? ({ kind: 'user', owner: customer.handle } as const)
    : ({ kind: 'clearing', owner: 'sandbox' } as const)
  return { account, id: null, shown: shown(customer) }
}
