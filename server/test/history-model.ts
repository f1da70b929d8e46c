// A made-up life with money, and what its history must show: kept apart from the service's own way of reading it.
import type { Currency } from '../src/base/money.ts'
import type { Posting } from '../src/ledger/ledger.ts'
import { seededChance } from './ledger-orders.ts'
import type { Probe } from './probe-scope.ts'

export interface Person {
  id: string
  handle: string
  name: string
}

/** What a line must say, in the words of the API. `at` and `id` put the lines in order. */
export interface ModelLine {
  type: string
  direction: 'in' | 'out'
  currency: Currency
  amount: bigint
  fee: bigint
  counterparty: { handle?: string; name: string }
  note: string | null
  at: Date
  id: bigint
}

export const amina: Person = { id: 'usr_amina', handle: 'amina', name: 'Amina Nakato' }
export const others: Person[] = [
  { id: 'usr_juma', handle: 'juma', name: 'Juma Okello' },
  { id: 'usr_zoe', handle: 'zoe_k', name: 'Zoë Kéïta' },
  { id: 'usr_tom', handle: 'tom99', name: '=cmd|" /C calc"!A0' },
]

const notes = [
  'Rent for March',
  'café, "two"',
  'school fees',
  '+256 770 000 001',
  'karo ya shule\nmuhula wa 2',
  'AMINA',
]
const coins: Currency[] = ['UGX', 'KES', 'USD']

type Part = Omit<ModelLine, 'at' | 'id'>

/** A posting that touches amina's wallet, and her line of it. */
export function someMove(chance: ReturnType<typeof seededChance>): { posting: Posting; line: Part } {
  const pick = <T>(items: readonly T[]): T => items[chance.below(items.length)] as T
  const currency = pick(coins)
  const note = chance.below(3) === 0 ? undefined : pick(notes)
  const amount = BigInt(100 + chance.below(5_000))
  const fee = amount / 100n + 1n
  const other = pick(others)
  const scope = { mode: 'live', currency } as const
  const said = note === undefined ? {} : { note }
  const shown = { currency, note: note ?? null }
  const { id: _id, ...party } = other
  switch (chance.below(5)) {
    case 0: {
      const details = { from: amina, to: other, amount: `${amount}`, fee: `${fee}`, ...said }
      const entries = moved({ from: amina.id, to: other.id, amount, fee })
      const line = { type: 'transfer', direction: 'out', amount, fee, counterparty: party, ...shown } as const
      return { posting: { ...scope, kind: 'transfer', details, entries }, line }
    }
    case 1:
    case 2: {
      const details = { from: other, to: amina, amount: `${amount}`, fee: `${fee}`, ...said }
      const entries = moved({ from: other.id, to: amina.id, amount, fee })
      const counterparty = party
      const line = {
        type: 'transfer',
        direction: 'in',
        amount: amount - fee,
        fee: 0n,
        counterparty,
        ...shown,
      } as const
      return { posting: { ...scope, kind: 'transfer', details, entries }, line }
    }
    case 3: {
      const counterparty = { name: 'MTN Mobile Money' }
      const entries = [
        { kind: 'clearing', owner: 'mtn', amount: -amount },
        { kind: 'user', owner: amina.id, amount },
      ] as const
      const line = { type: 'deposit', direction: 'in', amount, fee: 0n, counterparty, ...shown } as const
      return { posting: { ...scope, kind: 'deposit', details: { counterparty, ...said }, entries }, line }
    }
    default: {
      const entries = [
        { kind: 'user', owner: amina.id, amount: -amount },
        { kind: 'group', owner: 'grp_1', amount },
      ] as const
      const counterparty = { name: 'Chama cha Upendo' }
      const line = {
        type: 'group_contribution',
        direction: 'out',
        amount,
        fee: 0n,
        counterparty,
        ...shown,
      } as const
      return {
        posting: { ...scope, kind: 'group_contribution', details: { counterparty, ...said }, entries },
        line,
      }
    }
  }
}

interface Moved {
  from: string
  to: string
  amount: bigint
  fee: bigint
}

const moved = ({ from, to, amount, fee }: Moved) =>
  [
    { kind: 'user', owner: from, amount: -amount },
    { kind: 'user', owner: to, amount: amount - fee },
    { kind: 'fees', owner: '-', amount: fee },
  ] as const

/** Money for everybody, in an older time; amina has one line of it a currency. */
export async function fundAll({ ledger, clock }: Probe): Promise<ModelLine[]> {
  const lines: ModelLine[] = []
  for (const currency of coins) {
    for (const { id } of [amina, ...others]) {
      const outcome = await ledger.submit({
        kind: 'deposit',
        mode: 'live',
        currency,
        details: {},
        entries: [
          { kind: 'clearing', owner: 'mtn', amount: -100_000_000n },
          { kind: 'user', owner: id, amount: 100_000_000n },
        ],
      })
      if (!outcome.ok || outcome.replayed) throw new Error('funding was refused')
      if (id !== amina.id) continue
      const counterparty = { name: 'Mfuko' }
      const part = { type: 'deposit', direction: 'in', currency, amount: 100_000_000n, fee: 0n } as const
      lines.push({ ...part, counterparty, note: null, at: clock.now(), id: outcome.posted.id })
    }
  }
  return lines
}

/** So many moves, some at the same moment, some hours apart, with holds in between, which are no lines. */
export async function live(
  probe: Probe,
  { moves, salt = 1 }: { moves: number; salt?: number },
): Promise<ModelLine[]> {
  const chance = seededChance(salt)
  const lines: ModelLine[] = []
  while (lines.length < moves) {
    const batch = Array.from({ length: Math.min(1 + chance.below(60), moves - lines.length) }, () =>
      someMove(chance),
    )
    const hold = { kind: 'user', owner: amina.id, amount: 1n } as const
    const aside: Posting = { kind: 'aside', mode: 'live', currency: 'UGX', details: {}, entries: [], hold }
    const outcomes = await probe.db.inTransaction((tx) =>
      probe.ledger.post(tx, [...batch.map(({ posting }) => posting), aside]),
    )
    for (const [index, { line }] of batch.entries()) {
      const outcome = outcomes[index]
      if (!outcome?.ok || outcome.replayed) throw new Error('a move was refused')
      lines.push({ ...line, at: probe.clock.now(), id: outcome.posted.id })
    }
    probe.clock.advance(chance.below(3) === 0 ? 7_200 : chance.below(40))
  }
  return lines
}
