// Money that comes in. The order is written down before the provider hears of it; the wallet is credited when the provider
// has confirmed, once, however often it confirms, in the transaction that ends the operation.
import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { toJson } from '../base/money.ts'
import { takeNumber } from '../db/db.ts'
import type { Posting, RequestKey } from '../ledger/ledger.ts'
import type { Operation, Outcome } from '../operations/operations.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Person } from '../users/users.ts'
import {
  type Answered,
  amountsOf,
  detailsOf,
  type FundingOptions,
  makeOrder,
  methodFor,
  methodProblems,
  type OrderAsked,
  postSurely,
  referenceOf,
  termsOf,
} from './room.ts'
import { counterpartyOf, failureMessage, instructionsOf, sameAmount } from './rules.ts'
import * as sql from './sql.ts'
import { keepUnmatched } from './unmatched.ts'

export interface DepositAsked {
  userId: string
  asked: OrderAsked
  /** Present when the request may be repeated. */
  key: RequestKey | undefined
}

const keyMs = 7 * 86_400_000

export async function initiate(
  options: FundingOptions,
  { userId, asked, key }: DepositAsked,
): Promise<Answered> {
  const terms = termsOf(options, { ...asked, kind: 'deposit' })
  const person = await options.users.person(userId)
  check(person !== undefined, 'a token belongs to somebody')
  if (person.frozen) throw new AppError('account_frozen')
  const earlier = await madeBefore(options, key)
  if (earlier !== undefined) return answerAgain(options, { row: earlier, person })
  const whole = withOwn(asked, person)
  const method = await methodFor(options, { kind: 'deposit', asked: whole, terms })
  const number = await takeNumber(options.db, sql.numbers)
  const { operation, row } = makeOrder(options, {
    kind: 'deposit',
    number,
    userId,
    asked: whole,
    terms,
    method,
  })
  const written = await options.db.inTransaction(async (tx) => {
    if ((await sql.insertDeposit(tx, row, key)) === undefined) return false
    await options.operations.add(tx, operation)
    return true
  })
  if (!written) {
    // Somebody used the same key in this very moment.
    const other = await madeBefore(options, key)
    check(other !== undefined, 'a key that is taken belongs to an order')
    return answerAgain(options, { row: other, person })
  }
  return { answer: await answerFirst(options, { row, person, operation, key }), replayed: false }
}

/** What is left out is taken from the account. */
const withOwn = <T extends Pick<OrderAsked, 'phone' | 'email'>>(asked: T, person: Person | undefined): T => ({
  ...asked,
  phone: asked.phone ?? person?.phone,
  email: asked.email ?? person?.email,
})

/** What else is wrong with a deposit whose amount can't be read. */
export async function depositProblems(
  options: FundingOptions,
  { userId, asked }: { userId: string; asked: Omit<OrderAsked, 'amount'> },
): Promise<Record<string, string>> {
  const person = await options.users.person(userId)
  return methodProblems(options, { kind: 'deposit', asked: withOwn(asked, person) })
}

interface Written {
  row: sql.NewOrder
  person: Person
  operation: Operation
  key: RequestKey | undefined
}

/**
 * The order is written, and if it can not be sent now a worker does it later: whoever heard of a failure and has no key
 * would ask once more, and pay twice. With a key the same request gets the answer that is made then.
 */
async function answerFirst(options: FundingOptions, { row, person, operation, key }: Written) {
  const { log, operations } = options
  const { number } = row
  const started = await operations.start(operation.id).catch((error: unknown) => {
    log.warn({ err: error, operation: operation.id }, 'an operation could not be started yet')
    return operation
  })
  try {
    return await answer(options, { number, person, operation: started })
  } catch (error) {
    if (key !== undefined) throw error
    log.warn({ err: error, operation: operation.id }, 'a deposit was answered from memory')
    const asWritten = { ...row, kind: 'deposit', status: 'pending', failure_code: null } as const
    return { status: 200, body: bodyOf(options, { row: asWritten, person, operation: started }) }
  }
}

/** What the key was used for, within the last week. */
async function madeBefore(
  { db, clock }: FundingOptions,
  key: RequestKey | undefined,
): Promise<sql.OrderRow | undefined> {
  const row = key && (await sql.readByKey(db, key.id))
  if (row === undefined) return undefined
  if (clock.now().getTime() - row.created_at.getTime() >= keyMs) {
    await sql.forgetKey(db, row.number)
    return undefined
  }
  if (row.idem_body !== key?.fingerprint) throw new AppError('idempotency_conflict')
  return row
}

const waitMs = 100
const waitsMax = 200
/** After so many whoever wrote it down could not send it, or has died. */
const startWaits = 10

/** The first answer; if it is still being made, the one who makes it is waited for, unless it has died. */
async function answerAgain(
  options: FundingOptions,
  { row, person }: { row: sql.OrderRow; person: Person },
): Promise<Answered> {
  let operation: Operation | undefined
  for (let waits = 0; waits < waitsMax; waits++) {
    const kept = (await sql.readOrder(options.db, row.number))?.answer
    if (typeof kept === 'string') return { answer: { status: 200, body: kept }, replayed: true }
    operation = await options.operations.find(row.operation_id)
    if (operation?.state === 'new' && waits >= startWaits)
      operation = await options.operations.start(operation.id)
    if (operation !== undefined && operation.state !== 'new' && operation.state !== 'sending') break
    // Also after a try: what was decided without having been sent is new until it has ended.
    await sleep(waitMs)
  }
  check(operation !== undefined, 'an order has its operation')
  return { answer: await answer(options, { number: row.number, person, operation }), replayed: true }
}

interface Answering {
  number: bigint
  person: Person
  operation: Operation
}

async function answer(options: FundingOptions, { number, person, operation }: Answering) {
  const row = await sql.readOrder(options.db, number)
  check(row !== undefined, 'an order that was written is there')
  const body = bodyOf(options, { row, person, operation })
  const kept = lacksPage(row, operation)
    ? undefined
    : await sql.keepAnswer(options.db, { number, answer: body })
  return { status: 200, body: kept?.answer ?? body }
}

/** Who pays by card can do nothing without the page: the same request gets it as soon as there is one. */
const lacksPage = ({ status, phone }: Pick<sql.OrderRow, 'status' | 'phone'>, { redirectUrl }: Operation) =>
  status === 'pending' && phone === null && redirectUrl === null

interface Told extends Pick<Answering, 'person' | 'operation'> {
  row: sql.NewOrder & Pick<sql.OrderRow, 'kind' | 'status' | 'failure_code'>
}

function bodyOf(options: FundingOptions, { row, person, operation }: Told): string {
  const { amount } = amountsOf(row)
  const { status, provider, provider_name: name, phone, failure_code: code } = row
  const page = status === 'pending' ? operation.redirectUrl : null
  const told = { kind: row.kind, status, name, phone, hasPage: page !== null, locale: person.locale }
  const data = {
    reference: referenceOf(options, row),
    status,
    method: provider,
    amount: toJson(amount),
    currency: amount.currency,
    instructions: instructionsOf(told),
    ...(page === null ? {} : { redirect_url: page }),
    ...(code === null ? {} : { failure: { code, message: failureMessage(code) } }),
  }
  const message = status === 'failed' ? 'Deposit refused' : 'Deposit started'
  return JSON.stringify({ success: true, message, data })
}

/** Repeatable: whoever ends the operation first counts. */
export async function endDeposit(
  options: FundingOptions,
  operation: Operation,
  outcome: Outcome,
): Promise<void> {
  const number = BigInt(operation.subject)
  const order = await sql.readOrder(options.db, number)
  check(order !== undefined, 'a deposit has its row')
  const person = await options.users.person(order.user_id)
  if (!receipts.wanted(person) && (await endSimply(options, { operation, order, outcome }))) return
  await options.db.inTransaction(async (tx) => {
    if (!(await options.operations.end(tx, operation, outcome))) return
    const row = await sql.lockOrder(tx, number)
    check(row !== undefined, 'a deposit has its row')
    const at = options.clock.now()
    if (outcome.state === 'failed') {
      if (row.status === 'pending') await sql.failOrder(tx, { number, code: outcome.code, at })
      return
    }
    const { amount } = amountsOf(row)
    const fits = sameAmount(outcome.amount, amount)
    if (!fits || row.status === 'completed') {
      if (row.status === 'pending') await sql.failOrder(tx, { number, code: 'another_amount', at })
      const why = fits ? 'paid_already' : 'another_amount'
      await keepUnmatched(options, tx, {
        operation,
        amount: outcome.amount,
        why,
        meantFor: operation.reference,
      })
      return
    }
    const posting = postingOf(options, { operation, row })
    const posted = await postSurely(options, tx, posting)
    const late = row.status === 'failed'
    await sql.completeOrder(tx, { number, posting: posted.id, late, at: posted.createdAt })
    const { reference } = operation
    const { name: other } = counterpartyOf({ name: row.provider_name, phone: row.phone })
    const about = { kind: 'deposit', id: reference }
    const told = person === undefined ? [] : [{ person, other, reference, about }]
    await receipts.queue(tx, { posting, posted, receipts: told })
  })
}

function postingOf(
  options: FundingOptions,
  { operation, row }: { operation: Operation; row: sql.OrderRow },
): Posting {
  const { amount } = amountsOf(row)
  return {
    kind: 'deposit',
    mode: 'live',
    currency: amount.currency,
    details: { ...detailsOf(options, row), operation: operation.id },
    entries: [
      { kind: 'clearing', owner: row.provider, amount: -amount.minor },
      { kind: 'user', owner: row.user_id, amount: amount.minor },
    ],
  }
}

interface Ending {
  operation: Operation
  order: sql.OrderRow
  outcome: Outcome
}

/** The usual end, with whatever else the ledger writes: no lock is held between two trips. False: it is no such end. */
async function endSimply(options: FundingOptions, { operation, order, outcome }: Ending): Promise<boolean> {
  const { ledger, operations } = options
  if (outcome.state === 'failed' || order.status !== 'pending') return false
  if (!sameAmount(outcome.amount, amountsOf(order).amount)) return false
  const posted = await ledger.submit({
    ...postingOf(options, { operation, row: order }),
    also: ({ id, createdAt }) => [
      { statement: sql.completeStatement, values: [order.number, id, createdAt] },
      operations.endRow(operation, outcome),
    ],
  })
  // Somebody else was first: what is left to do is seen under locks.
  check(posted.ok || posted.refusal === 'state_changed', 'a deposit is not refused')
  return posted.ok
}
