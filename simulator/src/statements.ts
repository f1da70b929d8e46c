// Sums of the books, as they are shown.
import type { Books } from './books.ts'
import { type ProviderId, providerIds } from './knobs.ts'
import { toDecimal } from './money.ts'

export interface ShownBalance {
  provider: ProviderId
  currency: string
  /** What came in less what went out. */
  amount: string
  /** That, and what was there from the beginning. */
  balance: string
}

export const balancesOf = (books: Books): ShownBalance[] =>
  providerIds.flatMap((provider) => {
    const currencies = new Set(books.statement({ provider }).map(({ currency }) => currency))
    return [...currencies].map((currency) => ({
      provider,
      currency,
      amount: toDecimal(books.net({ provider, currency }), currency),
      balance: toDecimal(books.balance(provider, currency), currency),
    }))
  })
