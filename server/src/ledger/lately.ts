// What left an account in the last 24 hours, as sums that are kept, not counted: somebody may send thousands of times a
// day. What was spent is in columns of plain numbers, 16 bytes each: as objects they would be a great part of what a
// busy service keeps, and of what V8 looks through again in each full collection.
import { check } from '../base/check.ts'

/** What a posting of some kind took out of an account. */
export interface Spent {
  kind: string
  amount: bigint
  atMs: number
}

export interface SpentLately {
  add(spent: Spent): void
  /** What is set aside counts as long as it is, however old it is: it may leave at any moment. */
  hold(kind: string, by: bigint): void
  /** What is not after that time counts no more. */
  forget(untilMs: number): void
  /** Of kinds that differ. */
  total(kinds: readonly string[]): bigint
  /** The same, to go its own way. */
  copy(): SpentLately
}

/** Those of the program, by their numbers: as few as there are kinds of postings. */
const kindNames: string[] = []
const kindNumbers = new Map<string, bigint>()
const kindBits = 8n

function numberOf(kind: string): bigint {
  const known = kindNumbers.get(kind)
  if (known !== undefined) return known
  const number = BigInt(kindNames.length)
  check(number >> kindBits === 0n, 'kinds of postings are few')
  kindNames.push(kind)
  kindNumbers.set(kind, number)
  return number
}

const firstRoom = 4

interface Kept {
  cells: BigInt64Array
  sums: ReadonlyMap<string, bigint>
}

export function openSpent(before?: Kept): SpentLately {
  // Of each, the oldest first: the time and the number of the kind in one, the amount.
  let cells = before?.cells ?? new BigInt64Array(2 * firstRoom)
  let from = 0
  let to = before?.cells.length ?? 0
  let oldestMs = to === 0 ? Number.POSITIVE_INFINITY : msAt(cells, 0)
  const totals = new Map(before?.sums)
  const change = (kind: string, by: bigint) => totals.set(kind, (totals.get(kind) ?? 0n) + by)
  const makeRoom = () => {
    const live = cells.subarray(from, to)
    // The room of those that are forgotten is enough when they were half of it.
    const larger = new BigInt64Array(Math.max(2 * firstRoom, 2 * live.length))
    larger.set(live)
    cells = larger
    to = live.length
    from = 0
  }
  return {
    add: ({ kind, amount, atMs }) => {
      check(BigInt.asIntN(64, amount) === amount, 'what leaves an account fits into 64 bits')
      if (to === cells.length) makeRoom()
      if (from === to) oldestMs = atMs
      cells[to] = (BigInt(atMs) << kindBits) | numberOf(kind)
      cells[to + 1] = amount
      to += 2
      change(kind, amount)
    },
    hold: change,
    forget: (untilMs) => {
      while (oldestMs <= untilMs) {
        change(kindAt(cells, from), -amountAt(cells, from))
        from += 2
        oldestMs = from === to ? Number.POSITIVE_INFINITY : msAt(cells, from)
      }
    },
    total: (kinds) => {
      let total = 0n
      for (const kind of kinds) total += totals.get(kind) ?? 0n
      return total
    },
    copy: () => openSpent({ cells: cells.slice(from, to), sums: totals }),
  }
}

const msAt = (cells: BigInt64Array, at: number): number => Number((cells[at] ?? 0n) >> kindBits)
const kindAt = (cells: BigInt64Array, at: number): string =>
  kindNames[Number(BigInt.asUintN(Number(kindBits), cells[at] ?? 0n))] ?? ''
const amountAt = (cells: BigInt64Array, at: number): bigint => cells[at + 1] ?? 0n
