// A round of a rotating group, as functions of values. The rule behind all of it: what you give me at my turn, I give you
// at yours. Each cycle everybody who has a seat pays the same, and the pot goes to the first seat in the order that
// waits. Who leaves before their turn is owed what they gave by those who got it; who is not paid by somebody at their
// turn is owed that. So when a round is over, any two seats have given each other the same, or owe the rest.
// What must stay true: the pot is what was paid in the open cycle, and empty when there is none.
import { check } from '../../base/check.ts'

export interface Seat {
  /** From 1 on. */
  turn: number
  status: 'waiting' | 'received' | 'left'
  /** The cycle in which the pot went to it. */
  cycle: number | null
}

/** What was paid for a seat in a cycle. */
export interface Share {
  cycle: number
  turn: number
  /** Who paid it: the one whose seat it is, or another member. */
  payer: string
  amount: bigint
  /** Beside the amount. */
  fine: bigint
  /** `returned`: it went back to the payer. `owed`: the cycle was closed without it. */
  state: 'paid' | 'returned' | 'owed'
}

export interface Debt {
  debtor: number
  creditor: number
  amount: bigint
  /** Of it. */
  paid: bigint
}

export interface Round {
  /** What a seat pays in a cycle. */
  amount: bigint
  /** What it pays beside that when it is late. */
  fine: bigint
  /** The open one, from 1 on. */
  cycle: number
  seats: readonly Seat[]
  shares: readonly Share[]
  debts: readonly Debt[]
  ended: 'done' | 'dissolved' | null
}

/** What happens, in order. Those with money are postings; all are rows, and lines of the feed. */
export type Step =
  | { type: 'paid'; cycle: number; turn: number; payer: string; amount: bigint; fine: bigint }
  | { type: 'returned'; cycle: number; turn: number; payer: string; amount: bigint }
  /** Out of the pot of the debtor, before anything reaches the debtor. */
  | { type: 'settled'; debtor: number; creditor: number; amount: bigint }
  /** What is left of the pot for whose turn it is; it can be nothing. */
  | { type: 'pot'; cycle: number; turn: number; amount: bigint }
  | { type: 'left'; turn: number }
  | { type: 'owes'; debtor: number; creditor: number; amount: bigint; why: 'missed' | 'left' }
  | { type: 'forgiven'; debtor: number; creditor: number; amount: bigint }
  | { type: 'ended'; how: 'done' | 'dissolved' }

export interface Outcome {
  round: Round
  steps: readonly Step[]
}

export const seatsLeast = 3

export function newRound({ amount, fine, seats }: { amount: bigint; fine: bigint; seats: number }): Round {
  check(seats >= seatsLeast, `a round has at least ${seatsLeast} seats`)
  const all = Array.from(
    { length: seats },
    (_, at): Seat => ({ turn: at + 1, status: 'waiting', cycle: null }),
  )
  return { amount, fine, cycle: 1, seats: all, shares: [], debts: [], ended: null }
}

export const recipientOf = ({ seats }: Pick<Round, 'seats'>): Seat | undefined =>
  seats.find(({ status }) => status === 'waiting')

export const activeSeats = ({ seats }: Pick<Round, 'seats'>): Seat[] =>
  seats.filter(({ status }) => status !== 'left')

export const paidNow = ({ shares, cycle }: Pick<Round, 'shares' | 'cycle'>): Share[] =>
  shares.filter((share) => share.cycle === cycle && share.state === 'paid')

export const unpaidSeats = (round: Round): Seat[] => {
  const paid = new Set(paidNow(round).map(({ turn }) => turn))
  return round.ended === null ? activeSeats(round).filter(({ turn }) => !paid.has(turn)) : []
}

export const potOf = (round: Round): bigint =>
  paidNow(round).reduce((sum, { amount, fine }) => sum + amount + fine, 0n)

export const remainingOf = ({ amount, paid }: Pick<Debt, 'amount' | 'paid'>): bigint => amount - paid

/** What a seat has to pay in the open cycle. */
export const dueOf = ({ amount, fine }: Round, { late }: { late: boolean }) => ({
  amount,
  fine: late ? fine : 0n,
})

export interface Paying {
  turn: number
  payer: string
  late: boolean
}

/** When it is the last one, the pot goes out. The caller knows that the seat has not paid. */
export function pay(round: Round, { turn, payer, late }: Paying): Outcome {
  check(
    unpaidSeats(round).some((seat) => seat.turn === turn),
    'a seat pays once a cycle',
  )
  const { amount, fine } = dueOf(round, { late })
  const { cycle } = round
  const paid: Round = {
    ...round,
    shares: [...round.shares, { cycle, turn, payer, amount, fine, state: 'paid' }],
  }
  return goOn({ round: paid, steps: [{ type: 'paid', cycle, turn, payer, amount, fine }] })
}

/** The pot goes out as soon as everybody has paid; the round is over when nobody waits any more. */
function goOn({ round, steps }: Outcome): Outcome {
  if (round.ended !== null || unpaidSeats(round).length > 0) return { round, steps }
  return payOut({ round, steps })
}

function payOut({ round, steps }: Outcome): Outcome {
  const to = recipientOf(round)
  check(to !== undefined, 'in an open round somebody waits')
  let rest = potOf(round)
  const added: Step[] = []
  const debts = round.debts.map((debt): Debt => {
    const part = debt.debtor === to.turn ? least(remainingOf(debt), rest) : 0n
    if (part === 0n) return debt
    rest -= part
    added.push({ type: 'settled', debtor: debt.debtor, creditor: debt.creditor, amount: part })
    return { ...debt, paid: debt.paid + part }
  })
  const { cycle } = round
  added.push({ type: 'pot', cycle, turn: to.turn, amount: rest })
  const seats = round.seats.map(
    (seat): Seat => (seat.turn === to.turn ? { ...seat, status: 'received', cycle } : seat),
  )
  const next: Round = { ...round, seats, debts, cycle: cycle + 1 }
  if (recipientOf(next) !== undefined) return { round: next, steps: [...steps, ...added] }
  added.push({ type: 'ended', how: 'done' })
  return { round: { ...next, ended: 'done' }, steps: [...steps, ...added] }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Of a late cycle: the pot goes out as it is, and who has not paid owes it to whose turn it was. */
export function closeCycle(round: Round): Outcome {
  const to = recipientOf(round)
  check(round.ended === null && to !== undefined, 'only an open cycle is closed')
  const { cycle } = round
  const { amount, fine } = dueOf(round, { late: true })
  // Nobody owes anything to themselves.
  const missing = unpaidSeats(round)
  const debtors = missing.filter(({ turn }) => turn !== to.turn)
  const steps = debtors.map(
    ({ turn }): Step => ({
      type: 'owes',
      debtor: turn,
      creditor: to.turn,
      amount: amount + fine,
      why: 'missed',
    }),
  )
  const shares = missing.map(({ turn }): Share => ({ cycle, turn, payer: '', amount, fine, state: 'owed' }))
  const debts = debtors.map(
    ({ turn }): Debt => ({ debtor: turn, creditor: to.turn, amount: amount + fine, paid: 0n }),
  )
  return payOut({
    round: { ...round, shares: [...round.shares, ...shares], debts: [...round.debts, ...debts] },
    steps,
  })
}

export const mayLeave = ({ status }: Seat): boolean => status === 'waiting'

/** A seat that has received still owes its share of every other turn, so it can't leave; it can be taken over. */
export function leave(round: Round, turn: number): Outcome {
  const seat = round.seats.find((one) => one.turn === turn)
  check(round.ended === null && seat !== undefined && mayLeave(seat), 'only a seat that waits can leave')
  // One alone can't go round.
  if (activeSeats(round).length <= 2) return dissolve(round)
  const gone = withdraw({ round, steps: [] }, turn)
  if (recipientOf(gone.round) === undefined) return finish(gone, 'done')
  return goOn(gone)
}

/** Nobody has to wait for a pot that does not fill: all who wait leave at once. */
export function dissolve(round: Round): Outcome {
  check(round.ended === null, 'only an open round is dissolved')
  const waiting = round.seats.filter(({ status }) => status === 'waiting')
  const gone = waiting.reduce((outcome, { turn }) => withdraw(outcome, turn), { round, steps: [] } as Outcome)
  return finish(gone, 'dissolved')
}

/** What is still in the pot goes back to who paid it. */
function finish(outcome: Outcome, how: 'done' | 'dissolved'): Outcome {
  const { round, steps } = paidNow(outcome.round).reduce(
    (before, { turn }) => giveBack(before, turn),
    outcome,
  )
  return { round: { ...round, ended: how }, steps: [...steps, { type: 'ended', how }] }
}

function giveBack({ round, steps }: Outcome, turn: number): Outcome {
  const share = paidNow(round).find((one) => one.turn === turn)
  if (share === undefined) return { round, steps }
  const { cycle, payer, amount, fine } = share
  return {
    round: {
      ...round,
      shares: round.shares.map((one) => (one === share ? { ...one, state: 'returned' } : one)),
    },
    steps: [...steps, { type: 'returned', cycle, turn, payer, amount: amount + fine }],
  }
}

/**
 * The seat pays no more and gets no pot: what it paid in the open cycle goes back, what it gave to those who have
 * received they owe to it, and what it still owes them is forgiven.
 */
function withdraw(outcome: Outcome, turn: number): Outcome {
  const { round, steps } = giveBack(outcome, turn)
  const added: Step[] = [{ type: 'left', turn }]
  const debts = round.debts.map((debt): Debt => {
    const rest = debt.debtor === turn ? remainingOf(debt) : 0n
    if (rest === 0n) return debt
    added.push({ type: 'forgiven', debtor: turn, creditor: debt.creditor, amount: rest })
    return { ...debt, amount: debt.paid }
  })
  for (const { turn: debtor, status } of round.seats) {
    const amount = status === 'received' ? givenTo(round, { from: turn, to: debtor }) : 0n
    if (amount === 0n) continue
    debts.push({ debtor, creditor: turn, amount, paid: 0n })
    added.push({ type: 'owes', debtor, creditor: turn, amount, why: 'left' })
  }
  const seats = round.seats.map((seat): Seat => (seat.turn === turn ? { ...seat, status: 'left' } : seat))
  return { round: { ...round, seats, debts }, steps: [...steps, ...added] }
}

/** What a seat has given to another at that one's turn. Fines are not among it: they are nobody's to give back. */
export function givenTo(round: Round, { from, to }: { from: number; to: number }): bigint {
  const cycle = round.seats.find(({ turn }) => turn === to)?.cycle
  const share = round.shares.find((one) => one.turn === from && one.cycle === cycle)
  if (share?.state === 'paid') return share.amount
  // What was missed may have been paid since, in whole or in part.
  const debt = round.debts.find(({ debtor, creditor }) => debtor === from && creditor === to)
  return least(debt?.paid ?? 0n, round.amount)
}

export interface Part<T> {
  debt: T
  amount: bigint
}

/** Which debts an amount pays: the oldest first, as far as it goes. */
export function spread<T extends Pick<Debt, 'amount' | 'paid'>>(
  debts: readonly T[],
  amount: bigint,
): Part<T>[] {
  let rest = amount
  return debts.flatMap((debt) => {
    const part = least(remainingOf(debt), rest)
    rest -= part
    return part === 0n ? [] : [{ debt, amount: part }]
  })
}
