// The chart of accounts. People, merchants, groups and campaigns own what is in theirs, and can't owe. Accounts of the
// system are the other side: what came in from providers (clearing, negative as long as we hold the money), what we
// earned (fees), and money that nobody could be matched with. Each exists for live and for test, a currency each.
import type { Currency } from '../base/money.ts'

interface ChartRow {
  /** Its balance may be negative. Such accounts have negative ids, by which the database knows them. */
  mayOwe: boolean
  /** Touched by nearly every posting: kept in several rows, so that writers don't wait for each other. */
  striped: boolean
}

export const chart = {
  user: { mayOwe: false, striped: false },
  merchant: { mayOwe: false, striped: false },
  group: { mayOwe: false, striped: false },
  campaign: { mayOwe: false, striped: false },
  fees: { mayOwe: true, striped: true },
  clearing: { mayOwe: true, striped: true },
  unmatched: { mayOwe: false, striped: false },
} as const satisfies Record<string, ChartRow>

export type AccountKind = keyof typeof chart
export type Mode = 'live' | 'test'

export const stripes = 64

/** Whose account it is. Owners of system accounts are providers (`mpesa`) or nobody (`-`). */
export interface AccountName {
  kind: AccountKind
  owner: string
  currency: Currency
  mode: Mode
}

export interface StripedName extends AccountName {
  stripe: number
}
