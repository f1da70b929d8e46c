// To the minor unit: what each network has of ours is what our ledger says that it has, and everybody has what is theirs.
import type { Simulator } from '../../../simulator/src/simulator.ts'
import type { Entry, Tables } from './truth.ts'

interface Told {
  tables: Tables
  simulator: Pick<Simulator, 'statements'>
}

type Sums = Map<string, bigint>

const add = (sums: Sums, key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount)

function sumsOf(entries: readonly Entry[], keyOf: (entry: Entry) => string): Sums {
  const sums: Sums = new Map()
  for (const entry of entries) add(sums, keyOf(entry), entry.amount)
  return sums
}

export function moneyFaults(told: Told): string[] {
  const { tables } = told
  return [
    ...clearingFaults(told),
    ...operationFaults(tables),
    ...accountFaults(tables),
    ...(tables.openHolds === 0 ? [] : [`${tables.openHolds} holds are still open`]),
    ...(tables.deliveriesOpen === 0 ? [] : [`${tables.deliveriesOpen} callbacks were not worked on`]),
  ]
}

const providers = ['mpesa', 'mtn', 'airtel', 'paystack'] as const
const currencies = ['UGX', 'KES', 'TZS', 'RWF', 'NGN', 'ZAR', 'USD']

/** A network has one book for both modes. */
function clearingFaults({ tables, simulator }: Told): string[] {
  const clearing = tables.entries.filter(({ account }) => account === 'clearing')
  const ours = sumsOf(clearing, ({ owner, currency }) => `${owner} ${currency}`)
  return providers.flatMap((provider) =>
    currencies.flatMap((currency) => {
      const theirs = simulator.statements.net({ provider, currency })
      const booked = -(ours.get(`${provider} ${currency}`) ?? 0n)
      return theirs === booked
        ? []
        : [`${provider} has ${theirs} minor ${currency} of ours, and our ledger says ${booked}`]
    }),
  )
}

/** Each operation that was completed is in its provider's account once; one that failed is not in it at all. */
function operationFaults({ entries, operations }: Tables): string[] {
  const clearing = entries.filter(({ account, operation }) => account === 'clearing' && operation !== null)
  const sums = sumsOf(
    clearing,
    ({ operation, owner, currency, mode }) => `${operation} ${owner} ${currency} ${mode}`,
  )
  const faults = [...operations.values()].flatMap(({ id, provider, mode, kind, state, amount, currency }) => {
    const key = `${id} ${provider} ${currency} ${mode}`
    const booked = sums.get(key) ?? 0n
    sums.delete(key)
    const right = state !== 'completed' ? 0n : kind === 'collect' ? -amount : amount
    return booked === right
      ? []
      : [`${kind} ${id} is ${state}: ${right} belongs into its account, and there is ${booked}`]
  })
  const strange = [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([key, sum]) => `the ledger has ${sum} for ${key}`)
  return [...faults, ...strange]
}

/** A percentage, a half up, at least one minor unit. */
const shareOf = (amount: bigint, percent: bigint): bigint => {
  const share = (amount * percent + 50n) / 100n
  return share < 1n ? 1n : share
}

/** What everybody must have, from what has happened and the price list alone. */
function accountFaults(tables: Tables): string[] {
  const { entries, funded, payments, refunds, unmatched, operations } = tables
  const right: Sums = new Map()
  for (const { kind, user, amount, currency, status } of funded) {
    if (status !== 'completed') continue
    const fee = kind === 'withdrawal' ? shareOf(amount, 1n) : 0n
    add(right, `user ${user} ${currency} live`, kind === 'deposit' ? amount : -(amount + fee))
    add(right, `fees - ${currency} live`, fee)
  }
  for (const { merchant, amount, currency, mode, status } of payments.values()) {
    if (status !== 'completed' && status !== 'refunded') continue
    const fee = shareOf(amount, 2n)
    add(right, `merchant ${merchant} ${currency} ${mode}`, amount - fee)
    add(right, `fees - ${currency} ${mode}`, fee)
  }
  for (const { number, amount, status, operation } of refunds) {
    const payment = payments.get(number)
    if (status !== 'completed' || payment === undefined || !operations.has(operation ?? '')) continue
    add(right, `merchant ${payment.merchant} ${payment.currency} ${payment.mode}`, -amount)
  }
  for (const { provider, currency, mode, amount, status } of unmatched)
    add(
      right,
      `unmatched ${provider} ${currency} ${mode}`,
      status === 'open' || status === 'returning' ? amount : 0n,
    )
  const others = entries.filter(({ account }) => account !== 'clearing')
  const have = sumsOf(
    others,
    ({ account, owner, currency, mode }) => `${account} ${owner} ${currency} ${mode}`,
  )
  return [...new Set([...right.keys(), ...have.keys()])].flatMap((key) => {
    const [wanted, there] = [right.get(key) ?? 0n, have.get(key) ?? 0n]
    return wanted === there ? [] : [`${key} must have ${wanted}, and has ${there}`]
  })
}
