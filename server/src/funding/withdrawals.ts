// Money that leaves. Amount and fee are held at once, together with the order and before the provider hears of it; they
// leave when the provider has confirmed, and are free again when it has refused.
import * as audit from '../audit/audit.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { toDecimal, toJson, toText } from '../base/money.ts'
import { limitedKinds } from '../base/prices.ts'
import { type Tx, takeNumber } from '../db/db.ts'
import type { Answer, Posting, Outcome as PostingOutcome, RequestKey } from '../ledger/ledger.ts'
import type { Operation, Outcome } from '../operations/operations.ts'
import type { Origin, Person } from '../users/users.ts'
import { tellWithdrawal, tellWithdrawalFailed } from './receipts.ts'
import {
  type Answered,
  amountsOf,
  detailsOf,
  type FundingOptions,
  makeOrder,
  methodFor,
  type OrderAsked,
  postSurely,
  referenceOf,
  termsOf,
} from './room.ts'
import { counterpartyOf, instructionsOf, type Terms } from './rules.ts'
import * as sql from './sql.ts'
import { keepRest } from './unmatched.ts'

export interface WithdrawalAsked {
  userId: string
  pin: string
  origin: Origin
  asked: OrderAsked
  /** Present when the request may be repeated. */
  key: RequestKey | undefined
}

/** What it would cost; the method is asked whether it can do it. Moves nothing. */
export async function previewWithdrawal(
  options: FundingOptions,
  { userId, asked }: Pick<WithdrawalAsked, 'userId' | 'asked'>,
) {
  const terms = termsOf(options, { ...asked, kind: 'withdrawal' })
  await methodFor(options, { kind: 'withdrawal', asked, terms })
  const { currency } = asked
  const name = { kind: 'user', owner: userId, currency, mode: 'live' } as const
  const [wallet] = await options.ledger.balances(options.db, [name])
  const left = (wallet?.balance ?? 0n) - (wallet?.held ?? 0n) - terms.total.minor
  return {
    amount: toJson(terms.amount),
    fee: toJson(terms.fee),
    total: toJson(terms.total),
    currency,
    balance_after: toJson({ minor: left, currency }),
    sufficient: left >= 0n,
  }
}

const guardTriesMax = 3

/** `startSoon` is given the operation when everything is written. */
export async function withdraw(
  options: FundingOptions,
  { userId, pin, origin, asked, key }: WithdrawalAsked,
  startSoon: (operationId: string) => void,
): Promise<Answered> {
  const terms = termsOf(options, { ...asked, kind: 'withdrawal' })
  for (let tries = 0; ; tries++) {
    const { person } = await options.users.checkPin({ user: userId, pin, origin })
    const method = await methodFor(options, { kind: 'withdrawal', asked, terms })
    const problem = pinProblem(person, options.clock.now())
    // Who repeats a request with its key hears what came of it, whatever the PIN is by now.
    if (problem !== undefined) return options.ledger.answeredOr(options.db, { key, problem })
    const number = await takeNumber(options.db, sql.numbers)
    const { operation, row } = makeOrder(options, {
      kind: 'withdrawal',
      number,
      userId,
      asked,
      terms,
      method,
    })
    const answer = answerOf(options, { row, terms, person })
    const posting = holdPosting(options, { row, terms, person, operation, origin })
    const once = key && { key, answer: () => answer }
    const outcome = await options.ledger.submit(once === undefined ? posting : { ...posting, once })
    if (outcome.ok) {
      if (outcome.replayed) return { answer: outcome.answer, replayed: true }
      startSoon(operation.id)
      return { answer, replayed: false }
    }
    // Somebody tried a wrong PIN, or froze the account, in this very moment: all of it is looked at again.
    if (outcome.refusal !== 'guard_changed' || tries >= guardTriesMax)
      throw await refusalOf(options, { outcome, posting })
    options.users.forget(userId)
  }
}

const newPinMs = 24 * 3_600_000

/** Who has changed the PIN may be somebody who reads the owner's mail: the owner has a day to notice. */
function pinProblem({ pinChangedAt }: Person, now: Date): AppError | undefined {
  if (pinChangedAt === undefined || now.getTime() - pinChangedAt.getTime() >= newPinMs) return undefined
  return new AppError('invalid_state', {
    detail:
      'Your PIN was changed less than 24 hours ago. To protect you, nothing can be withdrawn before that time has passed.',
  })
}

interface Made {
  row: sql.NewOrder
  terms: Terms
  person: Person
}

function holdPosting(
  { prices, operations }: FundingOptions,
  { row, terms, person, operation, origin }: Made & { operation: Operation; origin: Origin },
): Posting {
  const { currency } = terms.amount
  const wallet = { kind: 'user', owner: person.id } as const
  return {
    kind: 'withdrawal',
    mode: 'live',
    currency,
    details: { operation: operation.id, reference: operation.reference, step: 'held' },
    entries: [],
    hold: { ...wallet, amount: terms.total.minor },
    limit: { ...wallet, most: prices.dailyMost[currency], kinds: limitedKinds },
    guard: { owner: person.id, version: person.guard },
    also: ({ hold, createdAt: at }) => [
      operations.row(operation),
      { statement: sql.withdrawalStatement, values: [...sql.orderValues(row), hold] },
      audit.row({
        ...origin,
        actor: { kind: 'user', id: person.id },
        action: 'withdrawal',
        object: operation.reference,
        result: 'ok',
        details: { amount: terms.amount.minor, fee: terms.fee.minor, currency },
        at,
      }),
    ],
  }
}

/** By hand, so that its amounts are exact decimal text; made before the posting, and kept with it. */
function answerOf(options: FundingOptions, { row, terms, person }: Made): Answer {
  const { amount, fee } = terms
  const { provider, provider_name: name, phone } = row
  const told = { kind: 'withdrawal', status: 'pending', name, phone, hasPage: false } as const
  const instructions = JSON.stringify(instructionsOf({ ...told, locale: person.locale }))
  const reference = referenceOf(options, { kind: 'withdrawal', number: row.number })
  const body =
    `{"success":true,"message":"Withdrawal started","data":{"reference":"${reference}","status":"pending",` +
    `"method":"${provider}","amount":${toDecimal(amount)},"fee":${toDecimal(fee)},"currency":"${amount.currency}",` +
    `"instructions":${instructions}}}`
  return { status: 200, body }
}

/** In the owner's words, with what would have been possible. */
async function refusalOf(
  { db, ledger, prices }: FundingOptions,
  { outcome, posting }: { outcome: Extract<PostingOutcome, { ok: false }>; posting: Posting },
): Promise<AppError> {
  const { currency } = posting
  switch (outcome.refusal) {
    case 'insufficient_funds': {
      const owner = posting.hold?.owner ?? ''
      const [wallet] = await ledger.balances(db, [{ kind: 'user', owner, currency, mode: 'live' }])
      const free = toText({ minor: (wallet?.balance ?? 0n) - (wallet?.held ?? 0n), currency })
      const errors = { amount: `Amount with its fee is more than the ${free} you can spend` }
      return new AppError('insufficient_funds', { errors })
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
      throw new Error(`broken promise: a withdrawal is never refused with ${outcome.refusal}`)
    default:
      return outcome.refusal satisfies never
  }
}

/** Repeatable: whoever ends the operation first counts. */
export async function endWithdrawal(
  options: FundingOptions,
  operation: Operation,
  outcome: Outcome,
): Promise<void> {
  const number = BigInt(operation.subject)
  const order = await sql.readOrder(options.db, number)
  check(order !== undefined, 'a withdrawal has its row')
  const person = await options.users.person(order.user_id)
  await options.db.inTransaction(async (tx) => {
    if (!(await options.operations.end(tx, operation, outcome))) return
    const row = await sql.lockOrder(tx, number)
    check(row !== undefined, 'a withdrawal has its row')
    const ending = { operation, row, person }
    if (outcome.state === 'failed') await release(options, tx, { ...ending, code: outcome.code })
    else await settle(options, tx, { ...ending, outcome })
  })
}

interface Ending {
  operation: Operation
  row: sql.OrderRow
  person: Person | undefined
}

async function release(
  options: FundingOptions,
  tx: Tx,
  { operation, row, person, code }: Ending & { code: string },
): Promise<void> {
  const { amount } = amountsOf(row)
  const at = options.clock.now()
  await postSurely(options, tx, {
    kind: 'withdrawal_released',
    mode: 'live',
    currency: amount.currency,
    details: { operation: operation.id, reference: operation.reference },
    entries: [],
    settle: { hold: heldBy(row), amount: 0n, rest: 'release' },
  })
  await sql.failOrder(tx, { number: row.number, code, at })
  const { name: other } = counterpartyOf({ name: row.provider_name, phone: row.phone })
  await tellWithdrawalFailed(tx, { person, amount, other, reference: operation.reference, at })
}

/** A provider that refused a payout and made it all the same is a matter for operators, and ends nothing again. */
function heldBy({ status, hold_id: hold }: sql.OrderRow): bigint {
  check(status === 'pending' && hold !== null, 'a withdrawal ends once')
  return hold
}

async function settle(
  options: FundingOptions,
  tx: Tx,
  { operation, row, person, outcome }: Ending & { outcome: Extract<Outcome, { state: 'completed' }> },
): Promise<void> {
  const { amount, fee, total } = amountsOf(row)
  const { currency } = amount
  const posted = await postSurely(options, tx, {
    kind: 'withdrawal',
    mode: 'live',
    currency,
    details: detailsOf(options, row),
    entries: [
      { kind: 'user', owner: row.user_id, amount: -total.minor },
      { kind: 'clearing', owner: row.provider, amount: amount.minor },
      ...(fee.minor === 0n ? [] : [{ kind: 'fees', owner: '-', amount: fee.minor } as const]),
    ],
    settle: { hold: heldBy(row), amount: total.minor, rest: 'release' },
  })
  await sql.completeOrder(tx, { number: row.number, posting: posted.id, late: false, at: posted.createdAt })
  await tellWithdrawal(tx, {
    person,
    amount,
    fee,
    other: counterpartyOf({ name: row.provider_name, phone: row.phone }).name,
    reference: operation.reference,
    balance: posted.entries[0]?.balanceAfter ?? 0n,
    at: posted.createdAt,
  })
  await keepRest(options, tx, { operation, outcome })
}
