// The networks' own books: what moved on our account with each of them. The truth that a caller's books are held against.
import type { Journal } from './journal.ts'
import type { ProviderId } from './knobs.ts'
import type { Kind } from './outcomes.ts'

export interface Movement {
  /** Counts up, over all providers. */
  number: number
  provider: ProviderId
  kind: Kind
  currency: string
  /** Above zero: it came in. */
  minor: bigint
  /** The provider's name for the order. */
  id: string
  /** The caller's. */
  reference: string
  receipt: string
  msisdn: string | undefined
  /** Of a refund: the receipt of what it gives back. */
  original: string | undefined
  at: number
}

export interface Selection {
  provider: ProviderId
  currency?: string | undefined
  /** Milliseconds: from then on, and before then. */
  from?: number | undefined
  to?: number | undefined
}

export interface Books {
  book(movement: Omit<Movement, 'number'>): void
  /** In the order they happened. */
  statement(selection: Selection): Movement[]
  /** What came in less what went out. */
  net(selection: Selection): bigint
  /** What a caller is told: that, and the money that was there from the beginning. */
  balance(provider: ProviderId, currency: string): bigint
  hasReceipt(provider: ProviderId, receipt: string): boolean
}

/** Enough for every payout. */
const openingMinor = 100_000_000_000n

export function openBooks(journal: Journal): Books {
  const movements = journal.map<Movement>('movements')
  const keyOf = (provider: ProviderId, receipt: string) => `${provider} ${receipt}`
  let last = movements.values().reduce((most, { number }) => Math.max(most, number), 0)
  const statement = ({ provider, currency, from, to }: Selection) =>
    movements
      .values()
      .filter(
        (movement) =>
          movement.provider === provider &&
          (currency === undefined || movement.currency === currency) &&
          (from === undefined || movement.at >= from) &&
          (to === undefined || movement.at < to),
      )
      .sort((one, other) => one.number - other.number)
  const net = (selection: Selection) => statement(selection).reduce((sum, { minor }) => sum + minor, 0n)
  return {
    book: (movement) => {
      last += 1
      movements.set(keyOf(movement.provider, movement.receipt), { ...movement, number: last })
    },
    statement,
    net,
    balance: (provider, currency) => openingMinor + net({ provider, currency }),
    hasReceipt: (provider, receipt) => movements.get(keyOf(provider, receipt)) !== undefined,
  }
}
