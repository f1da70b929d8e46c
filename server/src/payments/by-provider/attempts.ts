// Paying by a provider: the customer's phone or bank is asked, and what comes of it is known later. What must stay true:
//  - A try and its order to the provider are written together, before anything is sent; five tries in all.
//  - Of all the successes that providers tell of, a payment takes one. The rest is money that nobody could be matched
//    with: it is not lost, and goes back to who paid.
//  - A payment that was not made in time takes a success that comes late. One that was cancelled does not.
import { check } from '../../base/check.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { masked } from '../../base/masked.ts'
import { type Tx, violatedConstraint } from '../../db/db.ts'
import type { Why } from '../../funding/funding.ts'
import type { AlsoRow, Posted, Posting } from '../../ledger/ledger.ts'
import type { Operation, Outcome } from '../../operations/operations.ts'
import type { ProviderId } from '../../providers/providers.ts'
import { fail, type PaymentOptions } from '../events.ts'
import { payeeEntries, payeeFee, payeePosting, takenRows } from '../payee.ts'
import { paymentOf } from '../rows.ts'
import { attemptsMax, failureOf, type Payment } from '../rules.ts'
import type { AttemptRow } from '../sql.ts'
import * as sql from '../sql.ts'
import { completedRows } from './completing.ts'
import { startSoon } from './soon.ts'
import * as own from './sql.ts'

export interface NewAttempt {
  method: ProviderId
  /** International, with the plus. */
  phone?: string | undefined
  /** Of who pays by card. */
  email?: string | undefined
  /** Where the browser comes back to from the provider's own page. */
  returnUrl?: string | undefined
}

export type Started =
  | { outcome: 'started'; operation: Operation }
  /** By field: `phone`, `amount`, `method`. Nothing was written. */
  | { outcome: 'refused'; problems: Record<string, string> }
  /** The payment is not pending any more, or has had its five tries. */
  | { outcome: 'decided' }
  /** The phone has been asked too often of late, by whomever. Nothing was written. */
  | { outcome: 'phone_busy' }

export async function startAttempt(
  options: PaymentOptions,
  payment: Payment,
  wanted: NewAttempt,
): Promise<Started> {
  const { db, operations } = options
  const { method: provider, phone, email, returnUrl } = wanted
  const { mode, amount, reference } = payment
  const problems = operations.problems({ provider, mode, kind: 'collect', amount, phone })
  if (Object.keys(problems).length > 0) return { outcome: 'refused', problems }
  const id = newId('att')
  const operation = operations.make({
    provider,
    mode,
    kind: 'collect',
    purpose: 'payment',
    subject: id,
    amount,
    phone,
    email,
    reference,
    about: payment.merchantName,
    returnUrl,
  })
  const begun = await db
    .inTransaction((tx) => begin(options, tx, { payment, id, operation }))
    .catch(phoneBusy)
  if (begun === undefined) return { outcome: 'decided' }
  if (typeof begun === 'object') return begun
  if (begun !== operation.id) {
    const running = await operations.find(begun)
    check(running !== undefined, 'a try that waits has an operation')
    return { outcome: 'started', operation: running }
  }
  return { outcome: 'started', operation: (await startSoon(options, operation.id)) ?? operation }
}

function phoneBusy(error: unknown): { outcome: 'phone_busy' } {
  if (error instanceof AppError && error.code === 'rate_limited') return { outcome: 'phone_busy' }
  throw error
}

interface Beginning {
  payment: Payment
  id: string
  operation: Operation
}

/**
 * The id of the operation to wait for: a second click, or a second tab, must not ask the same phone again while it is
 * being asked. Nothing, when there is nothing more to try.
 */
async function begin(
  { operations, clock }: PaymentOptions,
  tx: Tx,
  { payment: { number }, id, operation }: Beginning,
): Promise<string | undefined> {
  const at = clock.now()
  const row = await sql.lockByNumber(tx, number)
  if (row?.status !== 'pending' || row.expires_at <= at) return undefined
  const { provider: method, phone, email } = operation
  const contact = phone ?? email
  const waiting = await own.readPending(tx, number)
  const same = waiting.find((one) => one.method === method && one.contact === contact)
  if (same !== undefined) return same.operation_id ?? undefined
  if (row.attempts >= attemptsMax) return undefined
  const customer = contact === null ? null : masked(contact)
  await own.addAttempt(tx, { id, number, method, operation: operation.id, customer, contact, at })
  await operations.add(tx, operation)
  return operation.id
}

const racesMax = 10
const campaignRacesMax = 3

/** What the provider said of a try, at last. May be told again, and by several processes at once. */
export async function endAttempt(
  options: PaymentOptions,
  operation: Operation,
  outcome: Outcome,
): Promise<void> {
  for (let races = 0; races < racesMax; races++) {
    const attempt = await own.readAttempt(options.db, operation.subject)
    check(attempt !== undefined, 'an operation of a payment belongs to a try')
    if (await endOnce(options, { operation, outcome, attempt, races })) return
    if ((await options.operations.find(operation.id))?.endedAt) return
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

interface Ended {
  operation: Operation
  attempt: AttemptRow
  races: number
  outcome: Outcome
}

/** False: something changed meanwhile, so all of it is looked at again. */
async function endOnce(options: PaymentOptions, { outcome, ...ended }: Ended): Promise<boolean> {
  if (outcome.state === 'failed') return failed(options, { outcome, ...ended })
  const [row] = await sql.readByNumber(options.db, ended.attempt.number)
  check(row !== undefined, 'a try belongs to a payment')
  const payment = paymentOf(row, options.secrets.idem)
  const refused = await refusalOf(options, payment, { operation: ended.operation, amount: outcome.amount })
  // Nothing else changes so often: the campaign does not take money just now.
  const unwilling = payment.campaign !== null && ended.races >= campaignRacesMax
  const why = refused ?? (unwilling ? 'payment_failed' : undefined)
  const money = { ...ended, payment, outcome }
  return why === undefined ? taken(options, money) : notTaken(options, { ...money, why })
}

interface Money extends Omit<Ended, 'outcome'> {
  payment: Payment
  outcome: Extract<Outcome, { state: 'completed' }>
}

/** Why a payment can't take this money, for operators. */
async function refusalOf(
  { db }: PaymentOptions,
  payment: Payment,
  { operation, amount }: { operation: Operation; amount: Payment['amount'] },
): Promise<Why | undefined> {
  const { minor, currency } = operation.amount
  if (amount.minor !== minor || amount.currency !== currency) return 'another_amount'
  switch (payment.status) {
    case 'pending':
      return undefined
    case 'completed':
    case 'refunded':
      return 'paid_already'
    case 'failed': {
      if (payment.failure?.code !== 'expired') return 'payment_failed'
      // The merchant has asked anew under the same name: that one counts.
      const taken = payment.refTrx !== null && (await own.isNameTaken(db, payment.number))?.taken
      return taken ? 'payment_failed' : undefined
    }
    default:
      return payment.status satisfies never
  }
}

async function taken(options: PaymentOptions, money: Money): Promise<boolean> {
  try {
    return wasPosted(await options.ledger.submit(takenPosting(options, money)))
  } catch (error) {
    // The merchant asked anew under the same name in this very moment; or another try has succeeded.
    const lost = ['payment_ref_once', 'attempt_succeeded_once'].includes(violatedConstraint(error) ?? '')
    if (!lost) throw error
    return false
  }
}

type LedgerOutcome = Awaited<ReturnType<PaymentOptions['ledger']['submit']>>

function wasPosted(outcome: LedgerOutcome): boolean {
  if (outcome.ok) return true
  check(outcome.refusal === 'state_changed', `money that has come is not refused with ${outcome.refusal}`)
  return false
}

function takenPosting(options: PaymentOptions, money: Money): Posting {
  const { payment, operation } = money
  const fee = payeeFee(payment, options.prices)
  const { kind, details } = payeePosting(payment, fee)
  return {
    kind,
    mode: payment.mode,
    currency: payment.amount.currency,
    details: { ...details, operation: operation.id },
    entries: [
      { kind: 'clearing', owner: operation.provider, amount: -payment.amount.minor },
      ...payeeEntries(payment, fee),
    ],
    also: (posted) => completion(options, { ...money, fee: fee.minor, posted }),
  }
}

function completion(
  { operations }: PaymentOptions,
  { payment, attempt, operation, outcome, fee, posted }: Money & { fee: bigint; posted: Posted },
): AlsoRow[] {
  const { number } = payment
  const { method, customer } = attempt
  const at = posted.createdAt
  return [
    ...completedRows(payment, { method, customer, fee, posted }),
    attempt.status === 'pending'
      ? { statement: own.succeedStatement, values: [attempt.id, at] }
      : { statement: own.lateStatement, values: [newId('att'), number, method, operation.id, customer, at] },
    ...takenRows(payment, { posted }),
    operations.endRow(operation, outcome),
  ]
}

/** Nobody has lost it: it waits to be matched, or goes back to who paid. */
async function notTaken(
  options: PaymentOptions,
  { operation, attempt, outcome, payment, why }: Money & { why: Why },
): Promise<boolean> {
  const { funding, ledger, clock } = options
  const posting = funding.unmatchedPosting({ operation, outcome, why, payment: payment.reference })
  const { code, message } = failureOf('not_taken')
  // One that had failed before says now that its money came.
  const ended = (): AlsoRow[] =>
    attempt.status !== 'succeeded'
      ? [{ statement: own.notTakenStatement, values: [attempt.id, code, message, clock.now()] }]
      : []
  const posted = await ledger.submit({
    ...posting,
    also: (made) => [...ended(), ...(posting.also?.(made) ?? [])],
  })
  if (!wasPosted(posted)) return false
  await options.db.inTransaction((tx) => failAfterLast(options, tx, payment.number))
  return true
}

/** A try that failed leaves the payment pending, unless it was the last one. */
async function failed(
  options: PaymentOptions,
  { operation, attempt, outcome }: Ended & { outcome: Extract<Outcome, { state: 'failed' }> },
): Promise<boolean> {
  const { db, operations, clock } = options
  const { code, message } = failureOf(outcome.code)
  return db.inTransaction(async (tx) => {
    await sql.lockByNumber(tx, attempt.number)
    if (!(await operations.end(tx, operation, outcome))) return true
    await own.failAttempt(tx, { id: attempt.id, code, message, at: clock.now() })
    await failAfterLast(options, tx, attempt.number)
    return true
  })
}

/** All tries were made and none is left to wait for. */
export async function failAfterLast(
  { clock, secrets }: PaymentOptions,
  tx: Tx,
  number: bigint,
): Promise<void> {
  const row = await sql.lockByNumber(tx, number)
  if (row?.status !== 'pending' || row.attempts < attemptsMax) return
  if ((await own.readPending(tx, number)).length > 0) return
  await fail(tx, paymentOf(row, secrets.idem), { code: 'declined', at: clock.now() })
}
