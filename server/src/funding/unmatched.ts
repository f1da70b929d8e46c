// Money that a provider confirmed and nothing could take. It is never lost and never kept silently: it lies in an account
// of its own, operators see it, and after 24 hours it goes back to who paid, unless an operator has matched it.
import * as audit from '../audit/audit.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { type Amount, isCurrency } from '../base/money.ts'
import { encodeReference } from '../base/reference.ts'
import { type Tx, violatedConstraint } from '../db/db.ts'
import type { AlsoRow, Posted, Posting } from '../ledger/ledger.ts'
import type { NewOperation, Operation, Outcome } from '../operations/operations.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Origin, Person } from '../users/users.ts'
import { amountsOf, type FundingOptions, postSurely } from './room.ts'
import type { Why } from './rules.ts'
import * as sql from './sql.ts'

export interface Found {
  operation: Operation
  amount: Amount
  why: Why
  /** The reference of what it was meant for. */
  meantFor: string | null
}

const returnAfterMs = 24 * 3_600_000

const postingOf = ({ operation, amount, why, meantFor }: Found): Posting => ({
  kind: 'unmatched',
  mode: operation.mode,
  currency: amount.currency,
  details: { operation: operation.id, why, ...(meantFor === null ? {} : { reference: meantFor }) },
  entries: [
    { kind: 'clearing', owner: operation.provider, amount: -amount.minor },
    { kind: 'unmatched', owner: operation.provider, amount: amount.minor },
  ],
})

/** In the order of `unmatchedStatement`. */
const valuesOf = ({ operation, amount, why, meantFor }: Found, posted: Posted): unknown[] => [
  newId('unm'),
  operation.provider,
  operation.mode,
  amount.minor,
  amount.currency,
  operation.id,
  why,
  meantFor,
  operation.phone,
  posted.id,
  posted.createdAt,
  dueOf(why, posted.createdAt),
]

/** Nobody wants a payout that came back to be made once more: an operator gives it to whose it is. */
const dueOf = (why: Why, at: Date): Date | null =>
  why === 'came_back' ? null : new Date(at.getTime() + returnAfterMs)

/** With the row that shows it to operators; the caller ends the operation in the same transaction. */
export async function keepUnmatched(
  options: Pick<FundingOptions, 'ledger'>,
  tx: Tx,
  found: Found,
): Promise<void> {
  const posted = await postSurely(options, tx, postingOf(found))
  await sql.insertUnmatched(tx, valuesOf(found, posted))
}

/** The money of a payout that was completed is with the provider again. Once, however often that is told. */
export async function keepCameBack(options: FundingOptions, operation: Operation): Promise<void> {
  const { confirmed, reference: meantFor } = operation
  check(confirmed !== null, 'a payout that was completed says how much moved')
  const why = 'came_back'
  if (await sql.hasUnmatched(options.db, { operation: operation.id, why })) return
  try {
    await options.db.inTransaction((tx) =>
      keepUnmatched(options, tx, { operation, amount: confirmed, why, meantFor }),
    )
  } catch (error) {
    // Somebody else was told in the same moment.
    if (violatedConstraint(error) !== 'unmatched_of_operation') throw error
  }
}

export interface NotTaken {
  operation: Operation
  outcome: Extract<Outcome, { state: 'completed' }>
  why: Why
  /** The reference of the payment that it was meant for. */
  payment: string
}

/** For rooms that submit it themselves: it ends the operation too. */
export function unmatchedPosting(
  { operations }: Pick<FundingOptions, 'operations'>,
  { operation, outcome, why, payment }: NotTaken,
): Posting {
  const found = { operation, amount: outcome.amount, why, meantFor: payment }
  return {
    ...postingOf(found),
    also: (posted) => [
      operations.endRow(operation, outcome),
      { statement: sql.unmatchedStatement, values: valuesOf(found, posted) },
    ],
  }
}

/** Who decides about it; absent: nobody did, its time had come. */
export interface Decider {
  by: { kind: string; id: string }
  reason: string
  origin: Origin
}

export const noSuchMoney = () => new AppError('not_found', { detail: 'There is no such unmatched money.' })

async function openOne({ db }: FundingOptions, id: string): Promise<sql.UnmatchedRow & Amounted> {
  const row = await sql.readUnmatched(db, id)
  if (row === undefined) throw noSuchMoney()
  if (row.status !== 'open') throw decided(row)
  const { currency } = row
  check(isCurrency(currency), 'unmatched money has a currency of the table')
  return { ...row, money: { minor: row.amount, currency } }
}

interface Amounted {
  money: Amount
}

/** In the transaction that decides about it: what was seen before it may be of yesterday. */
export async function lockOpen(tx: Tx, id: string): Promise<sql.UnmatchedRow> {
  const row = await sql.lockUnmatched(tx, id)
  if (row === undefined) throw noSuchMoney()
  if (row.status !== 'open') throw decided(row)
  return row
}

const decided = ({ status }: sql.UnmatchedRow) =>
  new AppError('invalid_state', { detail: `This money is ${status} already.` })

/** The rows that belong to a posting that takes the money away from here. */
export const matchedRow = (
  id: string,
  { kind, to, posted }: { kind: 'wallet' | 'payment'; to: string; posted: Posted },
): AlsoRow => ({ statement: sql.matchStatement, values: [id, kind, to, posted.id, posted.createdAt] })

/** Into somebody's wallet. */
export async function matchToWallet(
  options: FundingOptions,
  { id, user, decider }: { id: string; user: string; decider: Decider },
): Promise<void> {
  const row = await openOne(options, id)
  if (row.mode !== 'live')
    throw new AppError('invalid_state', { detail: 'Money of the sandbox belongs into no wallet.' })
  const person = await options.users.person(user)
  if (person === undefined)
    throw new AppError('validation_failed', { errors: { user_id: 'Nobody has this id.' } })
  await options.db.inTransaction(async (tx) => {
    await lockOpen(tx, id)
    const from = { kind: 'unmatched', owner: row.provider } as const
    const posted = await credit(options, tx, { row, person, from, amount: row.money })
    await giveFeeBack(options, tx, { row, person })
    const { statement, values } = matchedRow(id, { kind: 'wallet', to: user, posted })
    await tx.rows(
      statement.text,
      values.map((value) => [value]),
    )
    await record(options, tx, {
      action: 'unmatched.matched',
      id,
      decider,
      details: { user, posting: posted.id },
    })
  })
}

interface Crediting {
  row: sql.UnmatchedRow
  person: Person
  from: { kind: 'unmatched' | 'fees'; owner: string }
  amount: Amount
}

/** With the receipt, if one is wanted. */
async function credit(
  options: FundingOptions,
  tx: Tx,
  { row, person, from, amount: { minor, currency } }: Crediting,
): Promise<Posted> {
  const other = decidedName(row)
  const posting: Posting = {
    kind: 'deposit',
    mode: 'live',
    currency,
    details: { operation: row.operation_id, unmatched: row.id, counterparty: { name: other } },
    entries: [
      { ...from, amount: -minor },
      { kind: 'user', owner: person.id, amount: minor },
    ],
  }
  const posted = await postSurely(options, tx, posting)
  const reference = encodeReference(options.secrets.idem, { kind: 'DP', id: posted.id })
  const about = { kind: 'deposit', id: reference }
  await receipts.queue(tx, { posting, posted, receipts: [{ person, other, reference, about }] })
  return posted
}

/** Of a withdrawal that came back, to whose it was: they have got nothing for it. */
async function giveFeeBack(
  options: FundingOptions,
  tx: Tx,
  { row, person }: { row: sql.UnmatchedRow; person: Person },
): Promise<void> {
  const order = row.why === 'came_back' ? await sql.readOrderOf(tx, row.operation_id) : undefined
  if (order === undefined || order.user_id !== person.id || order.fee === 0n) return
  const { fee } = amountsOf(order)
  await credit(options, tx, { row, person, from: { kind: 'fees', owner: '-' }, amount: fee })
}

const decidedName = ({ phone, provider }: sql.UnmatchedRow) =>
  phone === null ? provider : `${provider} …${phone.slice(-4)}`

/** Back to who paid. Returns the operation that does it. */
export async function giveBack(
  options: FundingOptions,
  { id, decider }: { id: string; decider?: Decider | undefined },
): Promise<Operation> {
  const row = await openOne(options, id)
  if (decider === undefined) await refuseDoubtful(options, id)
  const original = await options.operations.find(row.operation_id)
  check(original !== undefined, 'unmatched money was brought by an operation')
  const order = returnOrder(options, { row, original })
  const operation = options.operations.make(order)
  await options.db.inTransaction(async (tx) => {
    await lockOpen(tx, id)
    await sql.beginReturn(tx, { id, operation: operation.id })
    await options.operations.add(tx, operation)
    if (decider !== undefined)
      await record(options, tx, {
        action: 'unmatched.return',
        id,
        decider,
        details: { operation: operation.id },
      })
  })
  // It is written: a worker sends what could not be sent now. Who heard of a failure would decide once more.
  return options.operations.start(operation.id).catch((error: unknown) => {
    options.log.warn({ err: error, operation: operation.id }, 'an operation could not be started yet')
    return operation
  })
}

/** One that the provider denied and then confirmed may have arrived. Nobody pays twice without having looked. */
async function refuseDoubtful({ operations }: FundingOptions, id: string): Promise<void> {
  const earlier = await operations.of('return', id)
  if (earlier.every(({ trouble }) => trouble === null)) return
  throw new AppError('invalid_state', {
    detail: 'An earlier return may have arrived: an operator has to look.',
  })
}

/** To the phone it came from, or the account it was meant for; by card only the way it came. */
function returnOrder(
  { operations }: FundingOptions,
  { row, original }: { row: sql.UnmatchedRow & Amounted; original: Operation },
): NewOperation {
  const order = {
    provider: row.provider,
    mode: row.mode,
    purpose: 'return' as const,
    subject: row.id,
    amount: row.money,
    phone: row.phone,
    account: original.account,
    reference: original.reference,
    about: 'Returned',
  }
  const payout = { ...order, kind: 'payout' as const }
  const refund = { ...order, kind: 'refund' as const, originalId: original.id }
  const ways = original.kind === 'payout' ? [payout] : row.phone === null ? [refund] : [payout, refund]
  const way = ways.find((candidate) => Object.keys(operations.problems(candidate)).length === 0)
  if (way !== undefined) return way
  const [problem = ''] = Object.values(operations.problems(ways[0] ?? payout))
  throw new AppError('invalid_state', { detail: `The provider can not give it back: ${problem}` })
}

const returnsMax = 3
const dueMost = 100
const roundsMax = 100

/** Begins to give back what has waited long enough. Returns how many. */
export async function returnDue(options: FundingOptions): Promise<number> {
  let begun = 0
  for (let rounds = 0; rounds < roundsMax; rounds++) {
    const due = await sql.dueUnmatched(options.db, { now: options.clock.now(), limit: dueMost })
    for (const { id } of due) {
      try {
        await giveBack(options, { id })
        begun += 1
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_state') throw error
        // Somebody else has decided meanwhile, or it can't be given back by itself: then an operator has to.
        await sql.returnFailed(options.db, {
          id,
          from: 'open',
          problem: error.detail ?? error.code,
          dueAt: null,
        })
      }
    }
    if (due.length < dueMost) break
  }
  return begun
}

/** Repeatable: whoever ends the operation first counts. */
export async function endReturn(
  options: FundingOptions,
  operation: Operation,
  outcome: Outcome,
): Promise<void> {
  const id = operation.subject
  await options.db.inTransaction(async (tx) => {
    if (!(await options.operations.end(tx, operation, outcome))) return
    const row = await sql.lockUnmatched(tx, id)
    check(row?.status === 'returning', 'what is given back waits for that, and nobody else can take it')
    const at = options.clock.now()
    if (outcome.state === 'failed') {
      const isLast = row.returns_failed + 1 >= returnsMax
      const dueAt = isLast ? null : dueOf(row.why, at)
      await sql.returnFailed(tx, {
        id,
        from: 'returning',
        problem: `${outcome.code}: ${outcome.detail}`.slice(0, 500),
        dueAt,
      })
      return
    }
    const posted = await postSurely(options, tx, {
      kind: 'unmatched_return',
      mode: row.mode,
      currency: operation.amount.currency,
      details: { operation: operation.id, unmatched: id, reference: operation.reference },
      entries: [
        { kind: 'unmatched', owner: row.provider, amount: -row.amount },
        { kind: 'clearing', owner: row.provider, amount: row.amount },
      ],
    })
    await sql.endReturn(tx, { id, posting: posted.id, at: posted.createdAt })
    await keepRest(options, tx, { operation, outcome })
  })
}

type Completed = Extract<Outcome, { state: 'completed' }>

/** What of a payout the provider says has not been paid is still ours to give. */
export async function keepRest(
  options: Pick<FundingOptions, 'ledger'>,
  tx: Tx,
  { operation, outcome }: { operation: Operation; outcome: Completed },
): Promise<void> {
  const { minor, currency } = operation.amount
  const less = outcome.amount.currency === currency ? minor - outcome.amount.minor : 0n
  if (less <= 0n) return
  await keepUnmatched(options, tx, {
    operation,
    amount: { minor: less, currency },
    why: 'paid_out_less',
    meantFor: operation.reference,
  })
}

interface Act {
  action: string
  id: string
  decider?: Decider
  details: object
}

export const record = (
  { clock }: Pick<FundingOptions, 'clock'>,
  tx: Tx,
  { action, id, decider, details }: Act,
): Promise<void> =>
  audit.record(tx, {
    actor: decider?.by ?? { kind: 'service', id: 'funding' },
    action,
    object: id,
    result: 'ok',
    ...decider?.origin,
    details: { ...details, ...(decider === undefined ? {} : { reason: decider.reason }) },
    at: clock.now(),
  })
