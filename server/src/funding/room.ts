// What the parts of this room work with, and what they share.
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { type Amount, type Currency, isCurrency } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import { encodeReference } from '../base/reference.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger, Posted, Posting } from '../ledger/ledger.ts'
import type { Method, Operation, Operations } from '../operations/operations.ts'
import type { ProviderId } from '../providers/providers.ts'
import type { Users } from '../users/users.ts'
import { counterpartyOf, judgeAmount, type OrderKind, type Terms } from './rules.ts'
import type * as sql from './sql.ts'

export interface FundingOptions {
  db: Db
  ledger: Ledger
  users: Users
  operations: Operations
  prices: Prices
  clock: Clock
  log: Log
  secrets: { readonly idem: Secret }
  /** Where people reach the service: a provider's page sends them back there. */
  baseUrl: string
}

/** A deposit or a withdrawal, as it is asked for. */
export interface OrderAsked {
  /** As it was sent. */
  amount: string
  currency: Currency
  method: ProviderId
  phone?: string | undefined
  email?: string | undefined
  account?: string | undefined
}

/** The same thing in the eyes of who asks: an answer that is kept, or the same as before. */
export interface Answered {
  answer: { status: number; body: string }
  replayed: boolean
}

const codes = { deposit: 'DP', withdrawal: 'WD' } as const

export const referenceOf = (
  { secrets }: Pick<FundingOptions, 'secrets'>,
  { kind, number }: { kind: OrderKind; number: bigint },
): string => encodeReference(secrets.idem, { kind: codes[kind], id: number })

/** The amount, judged again on the way in: routes have told the caller in words of their own. */
export function termsOf(
  { prices }: Pick<FundingOptions, 'prices'>,
  { kind, amount, currency }: OrderAsked & { kind: OrderKind },
): Terms {
  const judged = judgeAmount(amount, { kind, currency, prices })
  if ('terms' in judged) return judged.terms
  throw new AppError(judged.code, { errors: { amount: judged.problem } })
}

const operationKinds = { deposit: 'collect', withdrawal: 'payout' } as const

/** The method, if it can do what is asked for; else every reason at once, by field. */
export async function methodFor(
  options: FundingOptions,
  { kind, asked, terms }: { kind: OrderKind; asked: OrderAsked; terms: Terms },
): Promise<Method> {
  const { method, errors } = await judgeMethod(options, { kind, asked, amount: terms.amount })
  if (method === undefined || Object.keys(errors).length > 0)
    throw new AppError('validation_failed', { errors })
  return method
}

/** An amount that no method has anything against. */
const usualMinor = 100_000n

/** What the method has against the rest of what is asked for, where the amount can't be read. */
export async function methodProblems(
  options: FundingOptions,
  { kind, asked }: { kind: OrderKind; asked: Omit<OrderAsked, 'amount'> },
): Promise<Record<string, string>> {
  const amount = { minor: usualMinor, currency: asked.currency }
  const { amount: _made, ...errors } = (await judgeMethod(options, { kind, asked, amount })).errors
  return errors
}

interface MethodJudging {
  kind: OrderKind
  asked: Omit<OrderAsked, 'amount'>
  amount: Amount
}

async function judgeMethod(
  { operations }: FundingOptions,
  { kind, asked, amount }: MethodJudging,
): Promise<{ method?: Method; errors: Record<string, string> }> {
  const { currency, method: provider } = asked
  const offered = await operations.methods({ currency, purpose: kind, mode: 'live' })
  const method = offered.find(({ id }) => id === provider)
  if (method === undefined) {
    const others = offered.map(({ id }) => id).join(', ')
    const advice =
      others === '' ? `there is none for a ${kind} in ${currency} yet` : `choose one of ${others}`
    return { errors: { method: `Method does not serve a ${kind} in ${currency}; ${advice}` } }
  }
  const { phone, account } = asked
  const wire = {
    provider,
    mode: 'live',
    kind: operationKinds[kind],
    amount,
    phone,
    account,
  } as const
  const errors = operations.problems(wire)
  for (const field of method.fields)
    if (asked[field] === undefined)
      errors[field] = `${field.charAt(0).toUpperCase()}${field.slice(1)} is needed for ${method.name}`
  return { method, errors }
}

export interface OrderMade {
  kind: OrderKind
  number: bigint
  userId: string
  asked: OrderAsked
  terms: Terms
  method: Method
}

/** The order to the provider, and the row that it belongs to. */
export function makeOrder(
  options: FundingOptions,
  made: OrderMade,
): { operation: Operation; row: sql.NewOrder } {
  const { kind, number, userId, asked, terms, method } = made
  const reference = referenceOf(options, { kind, number })
  const uses = (field: 'phone' | 'account') => (method.fields.includes(field) ? (asked[field] ?? null) : null)
  const operation = options.operations.make({
    provider: method.id,
    mode: 'live',
    kind: operationKinds[kind],
    purpose: kind,
    subject: String(number),
    amount: terms.amount,
    phone: uses('phone'),
    // The page of a card provider wants one, and takes another in its place.
    email: method.kind === 'card' ? (asked.email ?? null) : null,
    account: uses('account'),
    reference,
    about: kind === 'deposit' ? 'Deposit' : 'Withdrawal',
    returnUrl: kind === 'deposit' ? `${options.baseUrl}/app/transactions/${reference}` : null,
  })
  const row = {
    number,
    user_id: userId,
    provider: method.id,
    provider_name: method.name,
    amount: terms.amount.minor,
    fee: terms.fee.minor,
    currency: terms.amount.currency,
    phone: uses('phone'),
    account: uses('account'),
    operation_id: operation.id,
    created_at: options.clock.now(),
  }
  return { operation, row }
}

export function amountsOf({
  amount,
  fee,
  currency,
}: Pick<sql.OrderRow, 'amount' | 'fee' | 'currency'>): Terms {
  check(isCurrency(currency), 'an order has a currency of the table')
  const of = (minor: bigint): Amount => ({ minor, currency })
  return { amount: of(amount), fee: of(fee), total: of(amount + fee) }
}

/** What a posting of an order says of it, for ever. */
export const detailsOf = (options: FundingOptions, row: sql.OrderRow): object => ({
  reference: referenceOf(options, row),
  counterparty: counterpartyOf({ name: row.provider_name, phone: row.phone }),
  operation: row.operation_id,
  amount: row.amount.toString(),
  fee: row.fee.toString(),
})

/** A posting that nothing can refuse. */
export async function postSurely(
  { ledger }: Pick<FundingOptions, 'ledger'>,
  tx: Tx,
  posting: Posting,
): Promise<Posted> {
  const [outcome] = await ledger.post(tx, [posting])
  check(outcome?.ok === true && !outcome.replayed, `a posting of ${posting.kind} is not refused`)
  return outcome.posted
}
