// Person to person. A transfer is one posting: the amount leaves the sender, the fee is taken from it, the recipient gets
// the rest. What must stay true: nothing about the recipient or the balance is told before the PIN was right; the PIN,
// the limits and the balance that allowed a transfer are still so when it is written.
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { type Currency, toDecimal, toJson, toText } from '../base/money.ts'
import { limitedKinds, type Prices } from '../base/prices.ts'
import { encodeReference } from '../base/reference.ts'
import type { Secret } from '../base/secret.ts'
import type { Db } from '../db/db.ts'
import type * as ledgers from '../ledger/ledger.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Origin, Person, Users } from '../users/users.ts'
import { receiptsOf } from './receipts.ts'
import { judgeAmount, type Terms } from './rules.ts'

export interface TransferDependencies {
  db: Db
  ledger: ledgers.Ledger
  users: Users
  prices: Prices
  secrets: { readonly idem: Secret }
  clock: Clock
}

export interface Order {
  recipient: string
  /** As it was sent. */
  amount: string
  currency: Currency
  note?: string | undefined
}

const guardTriesMax = 3

export async function preview(deps: TransferDependencies, senderId: string, order: Order) {
  const { amount, fee, rest } = termsOf(deps, order)
  const recipient = await recipientOf(deps, { senderId, handle: order.recipient })
  const name = { kind: 'user', owner: senderId, currency: order.currency, mode: 'live' } as const
  const [wallet] = await deps.ledger.balances(deps.db, [name])
  const left = (wallet?.balance ?? 0n) - (wallet?.held ?? 0n) - amount.minor
  return {
    amount: toJson(amount),
    currency: order.currency,
    fee: toJson(fee),
    recipient_gets: toJson(rest),
    recipient: { handle: recipient.handle, name: recipient.name },
    balance_after: toJson({ minor: left, currency: order.currency }),
    sufficient: left >= 0n,
  }
}

export interface Sending {
  senderId: string
  pin: string
  origin: Origin
  /** The handle. */
  recipient: string
  terms: Terms
  note?: string | undefined
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
}

export interface Sent {
  answer: ledgers.Answer
  replayed: boolean
}

/** Sends, or throws why not. */
export async function send(deps: TransferDependencies, sending: Sending): Promise<Sent> {
  const { senderId, pin, origin, terms, note, key } = sending
  for (let tries = 0; ; tries++) {
    const given = { user: senderId, pin, origin }
    const { person: sender } = deps.users.checkPinNow(given) ?? (await deps.users.checkPin(given))
    const named = { senderId, handle: sending.recipient }
    const { person: recipient, problem } = namedNow(deps, named) ?? (await namedPerson(deps, named))
    // Who repeats a request with its key hears what came of it, whatever the recipient is by now.
    if (problem !== undefined) return deps.ledger.answeredOr(deps.db, { key, problem })
    const posting = postingOf(deps, { sender, recipient, terms, note })
    const answer = (posted: ledgers.Posted) => answerOf(deps, { posted, terms })
    if (key !== undefined) posting.once = { key, answer }
    const outcome = await move(deps, posting, { sender, recipient, terms })
    if (outcome.ok) {
      const told = outcome.replayed ? outcome.answer : (outcome.answer ?? answer(outcome.posted))
      return { answer: told, replayed: outcome.replayed }
    }
    // Somebody tried a wrong PIN, or froze the account, in this very moment: all of it is looked at again.
    if (outcome.refusal !== 'guard_changed' || tries >= guardTriesMax)
      throw await refusalOf(deps, { outcome, posting })
    deps.users.forget(senderId)
  }
}

/** The amount, judged again on the way in: routes have told the caller in words of their own. */
export function termsOf(
  { prices }: Pick<TransferDependencies, 'prices'>,
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
): Terms {
  const judged = judgeAmount(amount, { currency, prices })
  if ('terms' in judged) return judged.terms
  throw new AppError(judged.code, { errors: { amount: judged.problem } })
}

interface Named {
  senderId: string
  handle: string
  /** Where the handle was sent. */
  field?: 'recipient' | 'from'
}

export async function recipientOf(deps: Pick<TransferDependencies, 'users'>, named: Named): Promise<Person> {
  const { person, problem } = await namedPerson(deps, named)
  if (problem !== undefined) throw problem
  return person
}

interface Found {
  person: Person
  /** There is such a person, who can not receive money just now. */
  problem: AppError | undefined
}

export async function namedPerson(
  { users }: Pick<TransferDependencies, 'users'>,
  named: Named,
): Promise<Found> {
  return judgePerson(await users.byHandle(named.handle), named)
}

/** Without waiting, if they are remembered. */
function namedNow({ users }: Pick<TransferDependencies, 'users'>, named: Named): Found | undefined {
  const person = users.byHandleNow(named.handle)
  return person && judgePerson(person, named)
}

function judgePerson(person: Person | undefined, { senderId, field = 'recipient' }: Named): Found {
  const refuse = (problem: string) => new AppError('validation_failed', { errors: { [field]: problem } })
  if (person === undefined) throw refuse(nobodyText)
  if (person.id === senderId) throw refuse('This is your own handle.')
  const problem = person.frozen ? refuse('This person can not receive money just now.') : undefined
  return { person, problem }
}

const nobodyText = 'Nobody has this handle. Check its spelling.'

/** Who asks for many of them is listing people, not paying them. */
export const isUnknownHandle = (error: unknown): boolean =>
  error instanceof AppError && Object.values(error.errors ?? {}).includes(nobodyText)

export interface Parties {
  sender: Person
  recipient: Person
  terms: Terms
}

const partyOf = ({ id, handle, name }: Person) => ({ id, handle, name })

export function postingOf(
  { prices }: Pick<TransferDependencies, 'prices'>,
  { sender, recipient, terms, note, request }: Parties & { note?: string | undefined; request?: string },
): ledgers.Posting {
  const { amount, fee, rest } = terms
  const { currency } = amount
  // Field by field, since it is made for every transfer: V8 is slow at spreading objects.
  const details: TransferDetails = {
    from: partyOf(sender),
    to: partyOf(recipient),
    amount: amount.minor.toString(),
    fee: fee.minor.toString(),
  }
  if (note !== undefined && note !== '') details.note = note
  if (request !== undefined) details.request = request
  const entries: { kind: 'user' | 'fees'; owner: string; amount: bigint }[] = [
    { kind: 'user', owner: sender.id, amount: -amount.minor },
    { kind: 'user', owner: recipient.id, amount: rest.minor },
  ]
  if (fee.minor !== 0n) entries.push({ kind: 'fees', owner: '-', amount: fee.minor })
  return {
    kind: 'transfer',
    mode: 'live',
    currency,
    details,
    entries,
    limit: { kind: 'user', owner: sender.id, most: prices.dailyMost[currency], kinds: limitedKinds },
    guard: { owner: sender.id, version: sender.guard },
  }
}

interface TransferDetails {
  from: ReturnType<typeof partyOf>
  to: ReturnType<typeof partyOf>
  amount: string
  fee: string
  note?: string
  request?: string
}

/** With the receipts that people want by mail, in one transaction; else the fast way. */
function move(
  deps: TransferDependencies,
  posting: ledgers.Posting,
  parties: Parties,
): Promise<ledgers.Outcome> {
  if (!receipts.wanted(parties.sender, parties.recipient)) return deps.ledger.submit(posting)
  return receipts.post(deps, {
    posting,
    receipts: (posted) => receiptsOf(deps, { ...parties, posted }),
  })
}

/** Written by hand: it is made for every transfer, and its amounts are exact decimal text. */
function answerOf(
  deps: TransferDependencies,
  { posted, terms }: { posted: ledgers.Posted; terms: Terms },
): ledgers.Answer {
  const { amount, fee, rest } = terms
  const body =
    `{"success":true,"message":"Money sent","data":{"reference":"${encodeReference(deps.secrets.idem, { kind: 'TR', id: posted.id })}",` +
    `"amount":${toDecimal(amount)},"currency":"${amount.currency}","fee":${toDecimal(fee)},` +
    `"recipient_gets":${toDecimal(rest)}}}`
  return { status: 200, body }
}

type Refused = Extract<ledgers.Outcome, { ok: false }>

/** In the sender's words, with what would have been possible. */
export async function refusalOf(
  { db, ledger, prices }: TransferDependencies,
  { outcome, posting }: { outcome: Refused; posting: ledgers.Posting },
): Promise<AppError> {
  const { currency } = posting
  switch (outcome.refusal) {
    case 'insufficient_funds': {
      const owner = posting.entries[0]?.owner ?? ''
      const [wallet] = await ledger.balances(db, [{ kind: 'user', owner, currency, mode: 'live' }])
      const free = toText({ minor: (wallet?.balance ?? 0n) - (wallet?.held ?? 0n), currency })
      return new AppError('insufficient_funds', {
        errors: { amount: `Amount is more than the ${free} you can spend` },
      })
    }
    case 'limit_exceeded': {
      const most = toText({ minor: prices.dailyMost[currency], currency })
      const errors = { amount: `With this amount more than ${most} would leave your wallet within 24 hours` }
      return new AppError('limit_exceeded', { errors })
    }
    case 'idempotency_conflict':
      return new AppError('idempotency_conflict')
    case 'guard_changed':
      return new AppError('unavailable', { retryAfter: 1 })
    case 'hold_not_open':
    case 'hold_exceeded':
    case 'state_changed':
      throw new Error(`broken promise: a transfer is never refused with ${outcome.refusal}`)
    default:
      return outcome.refusal satisfies never
  }
}
