// What a business has earned: shown by currency, and moved to its owner's wallet, from where it can be sent or
// withdrawn. Refunds are paid from what is left here.
import * as audit from '../../audit/audit.ts'
import { check } from '../../base/check.ts'
import { AppError } from '../../base/errors.ts'
import { type Amount, toDecimal, toText } from '../../base/money.ts'
import { encodeReference } from '../../base/reference.ts'
import type { Secret } from '../../base/secret.ts'
import type { Db } from '../../db/db.ts'
import type * as ledgers from '../../ledger/ledger.ts'
import * as receipts from '../../receipts/receipts.ts'
import type { Origin, Person, Users } from '../../users/users.ts'
import type { Merchant } from '../memory.ts'
import type { Mode } from '../rules.ts'
import { merchantById } from '../sql.ts'

export interface EarningsOptions {
  db: Db
  ledger: ledgers.Ledger
  users: Users
  secrets: { readonly idem: Secret }
}

const ownerOf = (merchant: number) => ({ kind: 'merchant', owner: String(merchant) }) as const

export const balancesOf = (
  { db, ledger }: EarningsOptions,
  { merchant, mode }: { merchant: number; mode: Mode },
): Promise<ledgers.OwnedAccount[]> => ledger.accountsOf(db, { ...ownerOf(merchant), mode })

/** May money leave a business? The guard is what the answer rests on: whoever suspends or freezes changes it. */
export interface Leave {
  problem: AppError | undefined
  guard: { owner: string; version: bigint }
}

export async function leaveOf(
  { db, users }: Pick<EarningsOptions, 'db' | 'users'>,
  { id, owner }: Pick<Merchant, 'id' | 'owner'>,
): Promise<Leave> {
  // Whoever asks again does so because the guard has changed.
  users.forget(owner)
  const person = await users.person(owner)
  check(person !== undefined, 'a business belongs to somebody')
  const problem = person.frozen ? new AppError('account_frozen') : await suspensionOf(db, id)
  return { problem, guard: { owner, version: person.guard } }
}

/** Read behind the guard: a suspension that is not seen here comes later, and changes the guard. */
async function suspensionOf(db: Db, merchant: number): Promise<AppError | undefined> {
  const [row] = await merchantById(db, merchant)
  if (row?.status !== 'suspended') return undefined
  return new AppError('forbidden', { detail: 'The business is suspended: its money stays until that ends.' })
}

export interface Payout {
  merchant: Merchant
  pin: string
  origin: Origin
  amount: Amount
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
}

const guardTriesMax = 3

/** To the owner's wallet in that currency. Test money stays where it is. */
export async function payOut(
  options: EarningsOptions,
  { merchant, pin, origin, amount, key }: Payout,
): Promise<{ answer: ledgers.Answer; replayed: boolean }> {
  for (let tries = 0; ; tries++) {
    const { person } = await options.users.checkPin({ user: merchant.owner, pin, origin })
    const suspension = await suspensionOf(options.db, merchant.id)
    if (suspension !== undefined) return options.ledger.answeredOr(options.db, { key, problem: suspension })
    const posting = payoutPosting({ merchant, person, amount, origin })
    const answer = (posted: ledgers.Posted) => answerOf(options, { posted, amount })
    if (key !== undefined) posting.once = { key, answer }
    const outcome = await move(options, posting, { merchant, person })
    if (outcome.ok) {
      if (outcome.replayed) return { answer: outcome.answer, replayed: true }
      return { answer: outcome.answer ?? answer(outcome.posted), replayed: false }
    }
    // Somebody tried a wrong PIN, froze the account or suspended the business in this very moment: all of it is looked at
    // again.
    if (outcome.refusal !== 'guard_changed' || tries >= guardTriesMax)
      throw await refusalOf(options, { merchant, amount, refusal: outcome.refusal })
    options.users.forget(merchant.owner)
  }
}

/** With the receipt, if one is wanted, in one transaction; else the fast way. */
function move(
  options: EarningsOptions,
  posting: ledgers.Posting,
  { merchant, person }: { merchant: Merchant; person: Person },
): Promise<ledgers.Outcome> {
  if (!receipts.wanted(person)) return options.ledger.submit(posting)
  return receipts.post(options, {
    posting,
    receipts: (posted) => [
      {
        person,
        other: merchant.businessName,
        reference: referenceOf(options, posted),
        about: { kind: 'merchant', id: String(merchant.id) },
      },
    ],
  })
}

const referenceOf = ({ secrets }: Pick<EarningsOptions, 'secrets'>, { id }: ledgers.Posted): string =>
  encodeReference(secrets.idem, { kind: 'TR', id })

/** A transfer like any other in the owner's history, from the business; it costs nothing, and no limit counts it. */
function payoutPosting(made: {
  merchant: Merchant
  person: Person
  amount: Amount
  origin: Origin
}): ledgers.Posting {
  const { merchant, person, amount, origin } = made
  const { id, handle, name } = person
  return {
    kind: 'transfer',
    mode: 'live',
    currency: amount.currency,
    details: { from: { name: merchant.businessName }, to: { id, handle, name } },
    entries: [
      { ...ownerOf(merchant.id), amount: -amount.minor },
      { kind: 'user', owner: person.id, amount: amount.minor },
    ],
    guard: { owner: person.id, version: person.guard },
    also: ({ createdAt: at }) => [
      audit.row({
        ...origin,
        actor: { kind: 'user', id },
        action: 'merchant.payout',
        object: String(merchant.id),
        result: 'ok',
        details: { amount: amount.minor, currency: amount.currency },
        at,
      }),
    ],
  }
}

/** Written by hand: its amounts are exact decimal text. */
function answerOf(
  options: EarningsOptions,
  { posted, amount }: { posted: ledgers.Posted; amount: Amount },
): ledgers.Answer {
  const [left] = posted.entries
  check(left !== undefined, 'a payout leaves the account of the business')
  const { currency } = amount
  const reference = referenceOf(options, posted)
  const body =
    `{"success":true,"message":"Moved to your wallet","data":{"reference":"${reference}","amount":${toDecimal(amount)},` +
    `"currency":"${currency}","balance":${toDecimal({ minor: left.balanceAfter, currency })}}}`
  return { status: 200, body }
}

async function refusalOf(
  { db, ledger }: EarningsOptions,
  refused: { merchant: Merchant; amount: Amount; refusal: string },
): Promise<AppError> {
  const { currency } = refused.amount
  switch (refused.refusal) {
    case 'insufficient_funds': {
      const name = { ...ownerOf(refused.merchant.id), currency, mode: 'live' } as const
      const [account] = await ledger.balances(db, [name])
      const free = toText({ minor: (account?.balance ?? 0n) - (account?.held ?? 0n), currency })
      return new AppError('insufficient_funds', {
        errors: { amount: `Amount is more than the ${free} that the business has` },
      })
    }
    case 'idempotency_conflict':
      return new AppError('idempotency_conflict')
    case 'guard_changed':
      return new AppError('unavailable', { retryAfter: 1 })
    default:
      throw new Error(`broken promise: a payout is never refused with ${refused.refusal}`)
  }
}
