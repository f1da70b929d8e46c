// Person to person. A transfer is one posting: the amount leaves the sender, the fee is taken from it, the recipient gets
// the rest. What must stay true: nothing about the recipient or the balance is told before the PIN was right; the PIN,
// the limits and the balance that allowed a transfer are still so when it is written.
import type { Clock } from '../base/clock.ts'
import { AppError, fieldsOf } from '../base/errors.ts'
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
  const { senderId, terms, note, key } = sending
  for (let tries = 0; ; tries++) {
    const atOnce = partiesNow(deps, sending)
    const { sender, recipient, problem } = atOnce ?? (await partiesOf(deps, sending))
    // Who repeats a request with its key hears what came of it, whatever the recipient is by now.
    if (problem !== undefined) return deps.ledger.answeredOr(deps.db, { key, problem })
    const posting = postingOf(deps, { sender, recipient, terms, note })
    const answer = (posted: ledgers.Posted) => answerOf(deps, { posted, terms })
    if (key !== undefined) posting.once = { key, answer }
    const outcome = await move(deps, { posting, parties: { sender, recipient, terms } })
    // Where the key decides, the ledger has not looked at the guard.
    if (atOnce !== undefined && isOfKey(outcome)) await checkedPin(deps, sending)
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

const isOfKey = (outcome: ledgers.Outcome): boolean =>
  outcome.ok ? outcome.replayed : outcome.refusal === 'idempotency_conflict'

interface SendingParties {
  sender: Person
  recipient: Person
  /** Why they can not receive money just now. */
  problem: AppError | undefined
}

/** Without waiting, when both are remembered and there is nothing to tell but what the ledger will. */
function partiesNow({ users }: TransferDependencies, sending: Sending): SendingParties | undefined {
  const { senderId, pin, origin } = sending
  const recipient = users.byHandleNow(sending.recipient)
  if (recipient === undefined || recipient.id === senderId || recipient.frozen) return undefined
  const checked = users.checkPinNow({ user: senderId, pin, origin })
  return checked && { sender: checked.person, recipient, problem: undefined }
}

async function partiesOf(deps: TransferDependencies, sending: Sending): Promise<SendingParties> {
  const sender = await checkedPin(deps, sending)
  const named = { senderId: sender.id, handle: sending.recipient }
  const { person: recipient, problem } = await namedPerson(deps, named)
  return { sender, recipient, problem }
}

async function checkedPin({ users }: TransferDependencies, sending: Sending): Promise<Person> {
  const { senderId, pin, origin } = sending
  const { person } = await users.checkPin({ user: senderId, pin, origin })
  return person
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

/** What is wrong with whom somebody names, beside other things that are wrong. */
export const personProblems = (
  deps: Pick<TransferDependencies, 'users'>,
  named: Named,
): Promise<Record<string, string>> => recipientOf(deps, named).then(() => ({}), fieldsOf)

/** `problem`: there is such a person, who can not receive money just now. */
export async function namedPerson(
  { users }: Pick<TransferDependencies, 'users'>,
  { senderId, handle, field = 'recipient' }: Named,
): Promise<{ person: Person; problem: AppError | undefined }> {
  const refuse = (problem: string) => new AppError('validation_failed', { errors: { [field]: problem } })
  const person = await users.byHandle(handle)
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
  { posting, parties }: { posting: ledgers.Posting; parties: Parties },
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
