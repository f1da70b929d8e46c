// A model of rotating groups: random members, payments, lateness, leaving, closing, dissolving, over several rounds. The
// promises: the pot is never negative and never stranded; nobody is paid a pot twice; who paid every cycle gets the
// whole pot exactly once; and when a round is over, any two have given each other the same or owe the rest.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  activeSeats,
  closeCycle,
  dissolve,
  leave,
  mayLeave,
  newRound,
  type Outcome,
  pay,
  potOf,
  type Round,
  recipientOf,
  remainingOf,
  type Step,
  spread,
  unpaidSeats,
} from './round.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const amount = 1_000n

interface Act {
  do: 'pay' | 'leave' | 'close' | 'dissolve' | 'settle'
  who: number
  late: boolean
  part: number
}

const act: fc.Arbitrary<Act> = fc.record({
  do: fc.oneof(
    { weight: 40, arbitrary: fc.constant('pay' as const) },
    { weight: 2, arbitrary: fc.constantFrom('leave' as const, 'close' as const, 'settle' as const) },
    { weight: 1, arbitrary: fc.constant('settle' as const) },
  ),
  who: fc.nat({ max: 1_000 }),
  late: fc.boolean(),
  part: fc.integer({ min: 1, max: 3_000 }),
})

const pick = <T>(list: readonly T[], who: number): T | undefined => list[who % Math.max(1, list.length)]

/** What came into the pot and left it, counted from the steps alone. */
function moneyOf(steps: readonly Step[]) {
  let pot = 0n
  const got = new Map<number, bigint[]>()
  for (const step of steps) {
    if (step.type === 'paid') pot += step.amount + step.fine
    if (step.type === 'returned' || step.type === 'settled' || step.type === 'pot') pot -= step.amount
    assert.ok(pot >= 0n, 'the pot is never negative')
    if (step.type === 'pot') got.set(step.turn, [...(got.get(step.turn) ?? []), step.amount])
  }
  return { pot, got }
}

function apply(round: Round, { do: what, who, late, part }: Act): Outcome {
  const nothing = { round, steps: [] }
  switch (what) {
    case 'pay': {
      const seat = pick(unpaidSeats(round), who)
      return seat === undefined ? nothing : pay(round, { turn: seat.turn, payer: `p${seat.turn}`, late })
    }
    case 'leave': {
      const seat = pick(activeSeats(round).filter(mayLeave), who)
      return seat === undefined ? nothing : leave(round, seat.turn)
    }
    case 'close':
      return closeCycle(round)
    case 'dissolve':
      return dissolve(round)
    case 'settle': {
      const debtor = pick(
        round.debts.filter((debt) => remainingOf(debt) > 0n),
        who,
      )?.debtor
      const mine = round.debts.filter((debt) => debt.debtor === debtor)
      const parts = new Map(spread(mine, BigInt(part)).map(({ debt, amount: paid }) => [debt, paid]))
      const debts = round.debts.map((debt) => ({ ...debt, paid: debt.paid + (parts.get(debt) ?? 0n) }))
      return { round: { ...round, debts }, steps: [] }
    }
    default:
      return what satisfies never
  }
}

/** What one has given or owes another for that one's turn, fines left out. */
function gives(round: Round, from: number, to: number): bigint {
  const debt = round.debts.find((one) => one.debtor === from && one.creditor === to)
  const owed = debt === undefined ? 0n : debt.amount < amount ? debt.amount : amount
  const cycle = round.seats.find(({ turn }) => turn === to)?.cycle
  const share = round.shares.find((one) => one.turn === from && one.cycle === cycle && one.state === 'paid')
  return owed + (share?.amount ?? 0n)
}

function checkOver(round: Round): void {
  for (const { turn: one } of round.seats)
    for (const { turn: other } of round.seats)
      if (one < other)
        assert.equal(gives(round, one, other), gives(round, other, one), `${one} and ${other} are even`)
}

function play(seats: number, fine: bigint, acts: readonly Act[]): void {
  let round = newRound({ amount, fine, seats })
  const steps: Step[] = []
  for (const one of acts) {
    if (round.ended !== null) break
    const before = round
    const outcome = apply(round, one)
    round = outcome.round
    steps.push(...outcome.steps)
    const { pot } = moneyOf(steps)
    assert.equal(pot, potOf(round), 'the pot is what was paid in the open cycle')
    assert.ok(round.ended === null || pot === 0n, 'nothing is left when the round is over')
    assert.ok(round.debts.every((debt) => debt.paid >= 0n && debt.paid <= debt.amount))
    if (round.cycle > before.cycle) {
      const received = round.seats.filter(({ cycle }) => cycle === before.cycle)
      assert.equal(received.length, 1, 'each cycle has one who receives')
    }
  }
  // Everybody pays in the end: it must come to an end, too.
  for (let left = 1_000; round.ended === null; left--) {
    assert.ok(left > 0, 'a round where everybody pays ends')
    const [seat] = unpaidSeats(round)
    assert.ok(seat, 'somebody can pay')
    const outcome = pay(round, { turn: seat.turn, payer: `p${seat.turn}`, late: false })
    round = outcome.round
    steps.push(...outcome.steps)
  }
  const { pot, got } = moneyOf(steps)
  assert.equal(pot, 0n)
  checkOver(round)
  for (const { turn, status } of round.seats) {
    assert.equal(got.get(turn)?.length ?? 0, status === 'received' ? 1 : 0, 'a pot once a round, or none')
    const missed = round.shares.some((share) => share.turn === turn && share.state === 'owed')
    if (status === 'received' && !missed) checkWhole(round, { turn, steps, got: got.get(turn)?.[0] ?? 0n })
  }
}

/** Who paid every cycle gets all that was paid in the cycle of their turn. */
function checkWhole(round: Round, { turn, steps, got }: { turn: number; steps: Step[]; got: bigint }): void {
  const cycle = round.seats.find((seat) => seat.turn === turn)?.cycle
  const paid = round.shares.filter((share) => share.cycle === cycle && share.state === 'paid')
  const whole = paid.reduce((sum, share) => sum + share.amount + share.fine, 0n)
  assert.equal(got, whole)
  const settled = steps.filter((step) => step.type === 'settled' && step.debtor === turn)
  assert.deepEqual(settled, [], 'nothing is kept back from who owes nothing')
}

describe(`rounds, SEED=${seed}`, () => {
  test('whatever people do', () => {
    const run = fc.property(
      fc.integer({ min: 3, max: 9 }),
      fc.constantFrom(0n, 100n),
      fc.array(act, { maxLength: 90 }),
      fc.boolean(),
      (seats, fine, acts, dissolves) =>
        play(seats, fine, dissolves ? [...acts, { do: 'dissolve', who: 0, late: false, part: 1 }] : acts),
    )
    fc.assert(run, { seed, numRuns: 3_000 })
  })

  test('everybody pays: everybody gets the whole pot once, in the order', () => {
    let round = newRound({ amount, fine: 0n, seats: 4 })
    const pots: [turn: number, amount: bigint][] = []
    for (let paid = 0; paid < 16; paid++) {
      const outcome = pay(round, { turn: (paid % 4) + 1, payer: 'p', late: false })
      for (const step of outcome.steps) if (step.type === 'pot') pots.push([step.turn, step.amount])
      round = outcome.round
    }
    assert.deepEqual(pots, [
      [1, 4_000n],
      [2, 4_000n],
      [3, 4_000n],
      [4, 4_000n],
    ])
    assert.equal(round.ended, 'done')
    assert.deepEqual(round.debts, [])
  })

  test('who leaves before their turn is owed what they gave, and the pot of a late one is short', () => {
    let round = newRound({ amount, fine: 50n, seats: 3 })
    for (const turn of [1, 2, 3]) round = pay(round, { turn, payer: 'p', late: false }).round
    round = pay(round, { turn: 2, payer: 'p', late: false }).round
    const left = leave(round, 2)
    assert.deepEqual(left.steps, [
      { type: 'returned', cycle: 2, turn: 2, payer: 'p', amount },
      { type: 'left', turn: 2 },
      { type: 'owes', debtor: 1, creditor: 2, amount, why: 'left' },
    ])
    assert.equal(recipientOf(left.round)?.turn, 3)
    round = pay(left.round, { turn: 3, payer: 'p', late: true }).round
    const closed = closeCycle(round)
    assert.deepEqual(closed.steps, [
      { type: 'owes', debtor: 1, creditor: 3, amount: amount + 50n, why: 'missed' },
      { type: 'pot', cycle: 2, turn: 3, amount: amount + 50n },
      { type: 'ended', how: 'done' },
    ])
  })
})
