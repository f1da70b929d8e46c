// Paying into a group. To a goal: any amount, at any time. In a rotating group: exactly what is due, once a cycle, for
// oneself or for another member; the last one of a cycle sends the pot on its way, in the same transaction. Who owes
// something from before pays that here too, and it goes on to whom it is owed at once.
import { check } from '../base/check.ts'
import { AppError, fieldsOf } from '../base/errors.ts'
import { type Amount, toDecimal, toText } from '../base/money.ts'
import type { Queries, Tx } from '../db/db.ts'
import type * as ledgers from '../ledger/ledger.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Origin, Person } from '../users/users.ts'
import {
  answeredBefore,
  eventOf,
  type Group,
  type GroupDependencies,
  known,
  lockAsMember,
  memberCalled,
  type People,
  partyOf,
  type Repeatable,
  refuse,
  requireMember,
  seen,
  withPeople,
  wrong,
} from './room.ts'
import {
  applySteps,
  contribution,
  groupEntry,
  isLate,
  loadRound,
  type OpenRound,
  payout,
  receiptOf,
  referenceOf,
  tell,
} from './rounds/apply.ts'
import { dueOf, pay, remainingOf, spread, unpaidSeats } from './rounds/round.ts'
import * as roundSql from './rounds/sql.ts'
import { judgeAmount } from './rules.ts'
import * as sql from './sql.ts'

export interface Contributing extends Repeatable {
  payerId: string
  pin: string
  origin: Origin
  note?: string | undefined
  onBehalfOf?: string | undefined
  toward?: 'cycle' | 'debts' | undefined
}

export interface Contributed {
  answer: ledgers.Answer
  replayed: boolean
}

type Done = Contributed | 'guard_changed'

/** Everything that counts against what may leave a wallet in 24 hours. */
export const limitedKinds = ['transfer', 'withdrawal', 'group_contribution', 'campaign_contribution']
const guardTriesMax = 3

export async function contribute(deps: GroupDependencies, asked: Contributing): Promise<Contributed> {
  for (let tries = 0; ; tries++) {
    const { payerId: user, pin, origin } = asked
    const { person } = await deps.users.checkPin({ user, pin, origin })
    const done = await contributeOnce(deps, { person, asked }).catch((problem: unknown) =>
      answeredBefore(deps, { ...asked, problem }),
    )
    if (done !== 'guard_changed') return done
    // Somebody tried a wrong PIN, or froze the account, in this very moment: all of it is looked at again.
    if (tries >= guardTriesMax) throw new AppError('unavailable', { retryAfter: 1 })
    deps.users.forget(person.id)
  }
}

async function contributeOnce(deps: GroupDependencies, giving: Omit<Giving, 'group'>): Promise<Done> {
  const { person, asked } = giving
  const { group } = requireMember(await seen(deps.db, { id: asked.groupId, user: person.id }))
  return group.kind === 'goal' ? give(deps, { ...giving, group }) : payDue(deps, { ...giving, group })
}

interface Giving {
  group: Group
  person: Person
  asked: Contributing
}

/** What every contribution's posting has: a limit, a guard, an answer that is kept. */
function secured({ prices }: GroupDependencies, person: Person, once: ledgers.Posting['once'] | undefined) {
  return (posting: ledgers.Posting): ledgers.Posting => ({
    ...posting,
    limit: { kind: 'user', owner: person.id, most: prices.dailyMost[posting.currency], kinds: limitedKinds },
    guard: { owner: person.id, version: person.guard },
    ...(once === undefined ? {} : { once }),
  })
}

async function give(deps: GroupDependencies, { group, person, asked }: Giving): Promise<Done> {
  const { prices, db, ledger } = deps
  const amount = judgeGift(prices, { group, asked })
  const { note } = asked
  const key = asked.keyOf(amount.minor)
  const answer = (posted: ledgers.Posted) =>
    answerOf(deps, { group, amount, fine: 0n, posted, member: person })
  const posting: ledgers.Posting = {
    ...secured(
      deps,
      person,
      key && { key, answer },
    )(contribution({ group, person, amount: amount.minor, note })),
    also: (posted) => {
      const { seq } = groupEntry(posted, 'in')
      const values = [group.id, person.id, amount.minor, note || null, posted.id, seq, posted.createdAt]
      return [{ statement: sql.givenStatement, values }]
    },
  }
  const outcome = receipts.wanted(person)
    ? await receipts.post(deps, {
        posting,
        receipts: (posted) => [receiptOf(deps, { group, person, posting, posted })],
      })
    : await ledger.submit(posting)
  if (outcome.ok)
    return outcome.replayed ? replay(outcome.answer) : first(outcome.answer ?? answer(outcome.posted))
  if (outcome.refusal === 'guard_changed') return 'guard_changed'
  if (outcome.refusal === 'state_changed')
    throw refuse('You have left this group. No money left your wallet.')
  throw await refusalOf(deps, db, { outcome, person, currency: group.currency })
}

/** The amount, or everything that is wrong with what is given. */
function judgeGift(
  prices: GroupDependencies['prices'],
  { group, asked }: Pick<Giving, 'group' | 'asked'>,
): Amount {
  const judged = judgeAmount(asked.amount, {
    currency: group.currency,
    prices,
    least: group.contribution_amount,
  })
  const errors: Record<string, string> = 'problem' in judged ? { amount: judged.problem } : {}
  for (const field of ['onBehalfOf', 'toward'] as const)
    if (asked[field] !== undefined)
      errors[fieldNames[field]] =
        'This is for rotating groups; in a goal group everybody gives for themselves.'
  const count = Object.keys(errors).length
  if ('problem' in judged) throw new AppError(count === 1 ? judged.code : 'validation_failed', { errors })
  if (count > 0) throw wrong(errors)
  return judged.amount
}

const fieldNames = { onBehalfOf: 'on_behalf_of', toward: 'toward' }
const first = (answer: ledgers.Answer): Contributed => ({ answer, replayed: false })
const replay = (answer: ledgers.Answer): Contributed => ({ answer, replayed: true })

async function payDue(deps: GroupDependencies, giving: Giving): Promise<Done> {
  const { group, person, asked } = giving
  const { onBehalfOf: handle } = asked
  const judged = judgeAmount(asked.amount, { currency: group.currency, prices: anyAmount })
  const member =
    handle === undefined
      ? person
      : await memberCalled(deps, deps.db, { group, handle, field: 'on_behalf_of' }).catch(
          (error: unknown) => {
            throw wrong({ ...fieldsOf(error), ...('problem' in judged ? { amount: judged.problem } : {}) })
          },
        )
  const more = [person.id, member.id]
  return withPeople<Done>(deps, { group: group.id, more }, async (tx, people, undo) => {
    const locked = await lockAsMember(tx, { id: group.id, user: person.id })
    const open = await loadRound(tx, locked.group)
    const paying = { ...giving, group: locked.group, member, open, people }
    const isDue = open !== undefined && seatDue(open, member.id) !== undefined
    const toward = asked.toward ?? (isDue ? 'cycle' : 'debts')
    const done = toward === 'cycle' ? await payCycle(deps, tx, paying) : await payDebts(deps, tx, paying)
    if (done.keep) return done.result
    throw undo(done.result)
  })
}

interface Paying extends Giving {
  /** For whom. */
  member: Person
  open: OpenRound | undefined
  people: People
}

/** Whether what was written may stay. */
interface Result {
  keep: boolean
  result: Done
}

function seatDue({ round, seats }: OpenRound, user: string) {
  const turn = seats.find((seat) => seat.user_id === user)?.turn
  return unpaidSeats(round).find((seat) => seat.turn === turn)
}

async function payCycle(deps: GroupDependencies, tx: Tx, paying: Paying): Promise<Result> {
  const { group, person, member, open, people, asked } = paying
  const { currency } = group
  const at = deps.clock.now()
  const seat = open && seatDue(open, member.id)
  if (open === undefined || seat === undefined) throw whyNothingDue(paying)
  const late = isLate(open, at)
  const { amount, fine } = dueOf(open.round, { late })
  const due = { minor: amount + fine, currency }
  if (!isExactly(asked.amount, due)) throw wrongDue(due, { minor: fine, currency })
  const key = asked.keyOf(due.minor)
  const outcome = pay(open.round, { turn: seat.turn, payer: person.id, late })
  const pot = outcome.steps.find((step) => step.type === 'pot')
  const to = pot && known(people, open.seats.find(({ turn }) => turn === pot.turn)?.user_id ?? '')
  const paidOut = pot && to && { to, amount: { minor: pot.amount, currency } }
  const answer = (posted: ledgers.Posted) =>
    answerOf(deps, { group, amount: due, fine, posted, member, cycle: open.round.cycle, paidOut })
  const applied = await applySteps(deps, tx, {
    ...{ group, open, outcome, people, at, actor: person.id, note: asked.note },
    paying: secured(deps, person, key && { key, answer }),
  })
  if (!applied.ok) return refusedOr(deps, tx, { outcome: applied.first, person, currency })
  const [posted] = applied.posted
  check(posted !== undefined, 'a contribution was posted')
  return { keep: true, result: first(answer(posted)) }
}

function isExactly(text: string, due: Amount): boolean {
  const judged = judgeAmount(text, { currency: due.currency, prices: anyAmount })
  if ('problem' in judged) throw wrong({ amount: judged.problem })
  return judged.amount.minor === due.minor
}

const every = (minor: bigint) => ({
  UGX: minor,
  KES: minor,
  TZS: minor,
  RWF: minor,
  NGN: minor,
  ZAR: minor,
  USD: minor,
})
const anyAmount = { least: every(1n), most: every(9_007_199_254_740_991n) }

function wrongDue(due: Amount, fine: Amount): AppError {
  const late = fine.minor === 0n ? '' : `, ${toText(fine)} of it for being late`
  return wrong({ amount: `Amount must be ${toText(due)}${late}` })
}

function whyNothingDue({ open, member, person, asked }: Paying): AppError {
  const who = member.id === person.id ? 'You have' : `${member.name} has`
  if (asked.toward === 'debts') return refuse(`${who} nothing to pay back. No money left your wallet.`)
  if (open === undefined) return refuse('No round is open in this group: the chair starts the next one.')
  const seat = open.seats.find(({ user_id: user }) => user === member.id)
  if (seat === undefined || seat.status === 'left') return refuse(`${who} no seat in this round.`)
  return refuse(`${who} paid for this cycle already. No money left your wallet.`)
}

async function refusedOr(
  deps: GroupDependencies,
  tx: Tx,
  { outcome, person, currency }: { outcome: ledgers.Outcome; person: Person; currency: Group['currency'] },
): Promise<Result> {
  if (outcome.ok) {
    check(outcome.replayed, 'only a repeated contribution is undone')
    return { keep: false, result: replay(outcome.answer) }
  }
  if (outcome.refusal === 'guard_changed') return { keep: false, result: 'guard_changed' }
  throw await refusalOf(deps, tx, { outcome, person, currency })
}

/** What is owed goes through the pot to whom it is owed, in one transaction. */
async function payDebts(deps: GroupDependencies, tx: Tx, paying: Paying): Promise<Result> {
  const { group, person, member, people, asked } = paying
  const { currency } = group
  const at = deps.clock.now()
  const debts = (await roundSql.readOpenDebts(tx, group.id)).filter(({ debtor_id: id }) => id === member.id)
  const total = debts.reduce((sum, debt) => sum + remainingOf(debt), 0n)
  if (total === 0n) throw whyNothingDue(paying)
  const amount = judgeDebt(deps, { text: asked.amount, total: { minor: total, currency } })
  const parts = spread(debts, amount.minor)
  const key = asked.keyOf(amount.minor)
  const answer = (posted: ledgers.Posted) =>
    answerOf(deps, { group, amount, fine: 0n, posted, member, repaid: true })
  const facts = member.id === person.id ? {} : { for: partyOf(member) }
  const paid = contribution({ group, person, amount: amount.minor, note: asked.note, facts })
  const payment = secured(deps, person, key && { key, answer })(paid)
  const owed = parts.map(({ debt, amount: part }) => {
    const to = known(people, debt.creditor_id)
    const facts = { from: partyOf(member) }
    const posting = payout({ group, person: to, amount: part, note: 'What was owed to you', facts })
    return { to, debt, part, posting }
  })
  const outcomes = await deps.ledger.post(tx, [payment, ...owed.map(({ posting }) => posting)])
  const [taken, ...given] = outcomes
  check(taken !== undefined, 'a contribution has an outcome')
  if (!taken.ok || taken.replayed) return refusedOr(deps, tx, { outcome: taken, person, currency })
  const events = [
    eventOf(group, {
      ...{
        type: 'repaid',
        actor_id: person.id,
        member_id: member.id,
        amount: amount.minor,
        note: asked.note || null,
      },
      ...{ posting_id: taken.posted.id, seq: groupEntry(taken.posted, 'in').seq, created_at: at },
    }),
  ]
  await tell(deps, tx, { group, person, posting: payment, posted: taken.posted })
  for (const [index, { to, debt, part, posting }] of owed.entries()) {
    const outcome = given[index]
    check(outcome?.ok === true && !outcome.replayed, 'what was just paid in can be paid out')
    const { number, debtor, creditor } = debt
    await roundSql.payDebt(tx, { group: group.id, number, debtor, creditor, amount: part })
    events.push(
      eventOf(group, {
        ...{ type: 'settled', actor_id: member.id, member_id: debt.creditor_id, amount: part, number },
        ...{ posting_id: outcome.posted.id, seq: groupEntry(outcome.posted, 'out').seq, created_at: at },
      }),
    )
    await tell(deps, tx, { group, person: to, posting, posted: outcome.posted })
  }
  await sql.insertEvents(tx, events)
  return { keep: true, result: first(answer(taken.posted)) }
}

/** Any part of what is owed; the last part may be smaller than what may usually leave a wallet. */
function judgeDebt({ prices }: GroupDependencies, { text, total }: { text: string; total: Amount }): Amount {
  const { currency } = total
  const judged = judgeAmount(text, { currency, prices: anyAmount })
  if ('problem' in judged) throw wrong({ amount: judged.problem })
  const { amount } = judged
  if (amount.minor > total.minor)
    throw wrong({ amount: `Amount must be at most ${toText(total)}: that is all that is owed` })
  const usual = judgeAmount(text, { currency, prices })
  if ('problem' in usual && (usual.code === 'limit_exceeded' || amount.minor < total.minor))
    throw new AppError(usual.code, { errors: { amount: usual.problem } })
  return amount
}

interface Answering {
  group: Group
  amount: Amount
  fine: bigint
  posted: ledgers.Posted
  member: Person
  cycle?: number
  paidOut?: { to: Person; amount: Amount } | undefined
  repaid?: boolean
}

/** By hand, so that its amounts are exact decimal text; kept with the posting. */
function answerOf(deps: GroupDependencies, answering: Answering): ledgers.Answer {
  const { group, amount, fine, posted, member, cycle, paidOut, repaid = false } = answering
  const { currency } = group
  // What a pot leaves behind is nothing: everything that was in it has gone out in the same moment.
  const emptied = paidOut !== undefined || repaid
  const balance = emptied ? before(posted, { amount, repaid }) : groupEntry(posted, 'in').balanceAfter
  const out = paidOut && {
    json: `{"to":${JSON.stringify(partyOf(paidOut.to))},"amount":${toDecimal(paidOut.amount)}}`,
  }
  const body =
    `{"success":true,"message":"Contribution paid","data":{"reference":"${referenceOf(deps, { kind: 'GC', id: posted.id })}",` +
    `"amount":${toDecimal(amount)},"fine":${toDecimal({ minor: fine, currency })},"currency":"${currency}",` +
    `"group":${JSON.stringify({ id: group.id, name: group.name })},"member":${JSON.stringify(partyOf(member))},` +
    `"toward":"${repaid ? 'debts' : cycle === undefined ? 'goal' : 'cycle'}","cycle":${cycle ?? null},` +
    `"balance":${toDecimal({ minor: balance, currency })},"payout":${out?.json ?? null}}}`
  return { status: 200, body }
}

const before = (posted: ledgers.Posted, { amount, repaid }: { amount: Amount; repaid: boolean }): bigint =>
  repaid ? groupEntry(posted, 'in').balanceAfter - amount.minor : 0n

type Refused = Extract<ledgers.Outcome, { ok: false }>

/** In the payer's words, with what would have been possible. */
async function refusalOf(
  { ledger, prices }: GroupDependencies,
  db: Queries,
  { outcome, person, currency }: { outcome: Refused; person: Person; currency: Group['currency'] },
): Promise<AppError> {
  switch (outcome.refusal) {
    case 'insufficient_funds': {
      const [wallet] = await ledger.balances(db, [{ kind: 'user', owner: person.id, currency, mode: 'live' }])
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
    default:
      throw new Error(`broken promise: a contribution is never refused with ${outcome.refusal}`)
  }
}
