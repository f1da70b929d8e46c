// From what the rules say happens to postings and rows: all of it in one transaction, with the group locked.
import { check } from '../../base/check.ts'
import { encodeReference } from '../../base/reference.ts'
import type { Tx } from '../../db/db.ts'
import type { Outcome as Outcomes, Posted, Posting } from '../../ledger/ledger.ts'
import * as receipts from '../../receipts/receipts.ts'
import type { Person } from '../../users/users.ts'
import { eventOf, type Group, type GroupDependencies, known, type People, partyOf } from '../room.ts'
import * as groupSql from '../sql.ts'
import { nextDue } from './calendar.ts'
import type { Outcome, Round, Step } from './round.ts'
import * as sql from './sql.ts'

/** The open round of a group, as the rules see it and as it is stored. */
export interface OpenRound {
  row: sql.RoundRow
  seats: readonly sql.SeatRow[]
  round: Round
}

export async function loadRound(tx: Tx, group: Group): Promise<OpenRound | undefined> {
  const [row] = await sql.readCurrent(tx, [group.id])
  if (row?.status !== 'open') return undefined
  const place = { group: group.id, number: row.number }
  const [seats, shares, debts] = await Promise.all([
    sql.readSeats(tx, { groups: [group.id], number: row.number }),
    sql.readShares(tx, place),
    sql.readDebts(tx, place),
  ])
  check(row.amount !== null && row.fine !== null && row.cycle !== null, 'an open round has its terms')
  const round: Round = {
    amount: row.amount,
    fine: row.fine,
    cycle: row.cycle,
    seats: seats.map(({ turn, status, received_in: cycle }) => ({ turn, status, cycle })),
    shares: shares.map(({ payer_id: payer, cycle, turn, amount, fine, state }) => ({
      ...{ cycle, turn, payer },
      ...{ amount, fine, state },
    })),
    debts: debts.map(({ debtor, creditor, amount, paid }) => ({ debtor, creditor, amount, paid })),
    ended: null,
  }
  return { row, seats, round }
}

export const isLate = ({ row }: OpenRound, now: Date): boolean => row.due_at !== null && now > row.due_at

export interface Applying {
  group: Group
  open: OpenRound
  outcome: Outcome
  people: People
  /** Who caused it. */
  actor: string
  at: Date
  note?: string | undefined
  /** The first step is a contribution: what else its posting has. */
  paying?: (posting: Posting) => Posting
}

/** Undefined: the contribution was refused, or is a repeated one; then nothing may stay of the transaction. */
export type Applied = { ok: true; posted: Posted[] } | { ok: false; first: Outcomes }

export async function applySteps(deps: GroupDependencies, tx: Tx, applying: Applying): Promise<Applied> {
  const { outcome } = applying
  const moving = outcome.steps.filter(movesMoney)
  const postings = moving.map((step) => postingOf(applying, step))
  const outcomes = postings.length === 0 ? [] : await deps.ledger.post(tx, postings)
  const [first] = outcomes
  if (applying.paying !== undefined && first !== undefined && (!first.ok || first.replayed))
    return { ok: false, first }
  const posted = outcomes.map((one) => {
    check(one.ok && !one.replayed, 'what the rules of a group pay out is in its account')
    return one.posted
  })
  const byStep = new Map<Step, Posted | undefined>(moving.map((step, index) => [step, posted[index]]))
  const events: groupSql.NewEvent[] = []
  for (const step of outcome.steps) {
    await writeStep(tx, applying, { step, posting: byStep.get(step)?.id ?? null })
    const event = lineOf(applying, { step, posted: byStep.get(step) })
    if (event !== undefined) events.push(event)
  }
  await groupSql.insertEvents(tx, events)
  await advance(tx, applying)
  for (const [index, step] of moving.entries()) {
    const { [index]: posting } = postings
    const { [index]: moved } = posted
    check(posting !== undefined && moved !== undefined, 'each move of money has its posting')
    const person = known(applying.people, otherSide(applying, step))
    await tell(deps, tx, { group: applying.group, person, posting, posted: moved })
  }
  return { ok: true, posted }
}

type Moving = Extract<Step, { type: 'paid' | 'returned' | 'settled' | 'pot' }>

const movesMoney = (step: Step): step is Moving =>
  step.type === 'paid' ||
  step.type === 'returned' ||
  step.type === 'settled' ||
  (step.type === 'pot' && step.amount > 0n)

const ownerOf = ({ open }: Applying, turn: number): string => {
  const seat = open.seats.find((one) => one.turn === turn)
  check(seat !== undefined, 'a turn belongs to a seat')
  return seat.user_id
}

/** Whose wallet it leaves or reaches. */
function otherSide(applying: Applying, step: Moving): string {
  if (step.type === 'paid' || step.type === 'returned') return step.payer
  return ownerOf(applying, step.type === 'settled' ? step.creditor : step.turn)
}

const totalOf = (step: Moving): bigint => (step.type === 'paid' ? step.amount + step.fine : step.amount)

function postingOf(applying: Applying, step: Moving): Posting {
  const { group, people, open, paying, note } = applying
  const person = known(people, otherSide(applying, step))
  const amount = totalOf(step)
  if (step.type === 'paid') {
    const seated = ownerOf(applying, step.turn)
    const member = seated === person.id ? undefined : known(people, seated)
    const facts = { round: open.row.number, cycle: step.cycle, ...(member && { for: partyOf(member) }) }
    const posting = contribution({ group, person, amount, note, facts })
    return paying === undefined ? posting : paying(posting)
  }
  const facts = { round: open.row.number, ...('cycle' in step ? { cycle: step.cycle } : {}) }
  return payout({ group, person, amount, note: words[step.type], facts })
}

const words = {
  pot: 'Your turn: the pot',
  settled: 'What was owed to you',
  returned: 'Your contribution, returned',
}

export interface MoneyMove {
  group: Group
  person: Person
  amount: bigint
  note?: string | undefined
  facts?: object | undefined
}

export const contribution = ({ group, person, amount, note, facts }: MoneyMove): Posting => ({
  kind: 'group_contribution',
  mode: 'live',
  currency: group.currency,
  details: detailsOf({ group, person, note, facts, amount }),
  entries: [
    { kind: 'user', owner: person.id, amount: -amount },
    { kind: 'group', owner: group.id, amount },
  ],
})

export const payout = ({ group, person, amount, note, facts }: MoneyMove): Posting => ({
  kind: 'group_payout',
  mode: 'live',
  currency: group.currency,
  details: detailsOf({ group, person, note, facts, amount }),
  entries: [
    { kind: 'group', owner: group.id, amount: -amount },
    { kind: 'user', owner: person.id, amount },
  ],
})

/** Seen in the history of the person as the group's, in a receipt of the group as the person's. */
const detailsOf = ({ group, person, note, facts, amount }: MoneyMove): object => ({
  group: group.id,
  counterparty: { name: group.name },
  member: partyOf(person),
  amount: amount.toString(),
  ...(note === undefined || note === '' ? {} : { note }),
  ...facts,
})

/** The group's own side of a posting. */
export const groupEntry = ({ entries }: Posted, kind: 'in' | 'out') => {
  const entry = entries[kind === 'in' ? 1 : 0]
  check(entry !== undefined, 'a posting of a group has two sides')
  return entry
}

export const referenceOf = (
  { secrets }: Pick<GroupDependencies, 'secrets'>,
  { kind, id }: { kind: 'GC' | 'GP'; id: bigint },
): string => encodeReference(secrets.idem, { kind, id })

async function writeStep(
  tx: Tx,
  { group, open, at }: Applying,
  { step, posting }: { step: Step; posting: bigint | null },
): Promise<void> {
  const place = { group: group.id, number: open.row.number }
  switch (step.type) {
    case 'paid': {
      const { cycle, turn, payer, amount, fine } = step
      const late = isLate(open, at)
      const share = { ...place, cycle, turn, payer_id: payer, amount, fine, late, posting, at }
      await sql.insertShare(tx, { ...share, state: 'paid' })
      return
    }
    case 'returned':
      await sql.returnShare(tx, { ...place, cycle: step.cycle, turn: step.turn })
      return
    case 'settled':
      await sql.payDebt(tx, { ...place, ...step })
      return
    case 'pot':
      await sql.markReceived(tx, { ...place, turn: step.turn, cycle: step.cycle })
      return
    case 'left':
      await sql.markLeft(tx, { ...place, turn: step.turn })
      return
    case 'owes':
      await sql.insertDebt(tx, { ...place, ...step, at })
      return
    case 'forgiven':
      await sql.forgiveDebt(tx, { ...place, ...step })
      return
    case 'ended':
      return
    default:
      return step satisfies never
  }
}

/** What members see of it. */
function lineOf(
  applying: Applying,
  { step, posted }: { step: Step; posted: Posted | undefined },
): groupSql.NewEvent | undefined {
  const { group, open, actor, at, note } = applying
  const of = (turn: number) => ownerOf(applying, turn)
  const seq = posted && groupEntry(posted, step.type === 'paid' ? 'in' : 'out').seq
  const money = posted === undefined ? {} : { posting_id: posted.id, seq: seq ?? null }
  const line = (event: Partial<groupSql.NewEvent> & { type: string }) =>
    eventOf(group, { number: open.row.number, created_at: at, ...money, ...event })
  switch (step.type) {
    case 'paid': {
      const { cycle, amount, fine } = step
      const paid = { type: 'contributed', cycle, amount: amount + fine, fine, note: note || null }
      return line({ ...paid, actor_id: step.payer, member_id: of(step.turn) })
    }
    case 'returned':
      return line({ type: 'returned', member_id: step.payer, amount: step.amount, cycle: step.cycle })
    case 'settled':
      return line({
        ...{ type: 'settled', amount: step.amount },
        ...{ actor_id: of(step.debtor), member_id: of(step.creditor) },
      })
    case 'pot':
      return line({ type: 'pot', member_id: of(step.turn), amount: step.amount, cycle: step.cycle })
    case 'owes':
      return line({
        ...{ type: 'owes', amount: step.amount, note: step.why },
        ...{ actor_id: of(step.debtor), member_id: of(step.creditor) },
      })
    case 'forgiven':
      return line({
        ...{ type: 'forgiven', amount: step.amount },
        ...{ actor_id: of(step.debtor), member_id: of(step.creditor) },
      })
    case 'left':
      return line({ type: 'seat_given_up', actor_id: actor, member_id: of(step.turn) })
    case 'ended':
      return line({ type: step.how === 'done' ? 'round_done' : 'round_dissolved', actor_id: actor })
    default:
      return step satisfies never
  }
}

/** The next cycle, or the end. */
async function advance(tx: Tx, { group, open, outcome, at }: Applying): Promise<void> {
  const { row } = open
  const { cycle, ended } = outcome.round
  if (ended === null && cycle === row.cycle) return
  const place = { group: group.id, number: row.number }
  if (ended !== null) {
    const over = { status: ended, endedAt: at, dueAt: null, periods: null }
    await sql.advanceRound(tx, { ...place, cycle: row.cycle ?? 0, ...over })
    return
  }
  const { frequency, time_zone: timeZone } = group
  check(frequency !== null && row.started_at !== null, 'a round has a rhythm')
  const rhythm = { startedAt: row.started_at, timeZone, frequency }
  const { count: periods, dueAt } = nextDue(rhythm, { after: row.periods ?? 0, now: at })
  await sql.advanceRound(tx, { ...place, cycle, periods, dueAt, status: 'open', endedAt: null })
}

interface Telling {
  group: Group
  /** Whose wallet it left or reached. */
  person: Person
  posting: Posting
  posted: Posted
}

/** By mail, to who wants it. */
export const tell = (
  deps: Pick<GroupDependencies, 'secrets'>,
  tx: Tx,
  { group, person, posting, posted }: Telling,
): Promise<void> =>
  receipts.queue(tx, { posting, posted, receipts: [receiptOf(deps, { group, person, posting, posted })] })

export const receiptOf = (
  deps: Pick<GroupDependencies, 'secrets'>,
  { group, person, posting, posted: { id } }: Telling,
): receipts.Receipt => ({
  person,
  other: group.name,
  reference: referenceOf(deps, { kind: posting.kind === 'group_contribution' ? 'GC' : 'GP', id }),
  about: { kind: 'group', id: group.id },
})
