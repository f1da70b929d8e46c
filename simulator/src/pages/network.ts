// What the pages show of the network, and what they let a person do to it. Whoever serves the pages provides it.

export type ProviderId = 'mpesa' | 'mtn' | 'airtel' | 'paystack'

/** One thing that a provider was asked to do. */
export interface ShownOperation {
  /** The simulator's own, stable. */
  id: string
  provider: ProviderId
  kind: 'collect' | 'payout' | 'refund'
  /** Without the plus; absent for cards. */
  msisdn: string | undefined
  /** As people write it: `1250.50`. */
  amount: string
  currency: string
  /** What the caller calls it. */
  reference: string
  receipt: string | undefined
  state: 'waiting' | 'paid' | 'failed'
  /** Of a failed one, in the provider's own words: `1032 Request cancelled by user`. */
  reason: string | undefined
  /** Milliseconds. */
  startedAt: number
  endedAt: number | undefined
  callbacks: ShownCallback[]
}

export interface ShownCallback {
  at: number
  url: string
  /** What the simulator did with it: a lost one never left. */
  fate: 'sent' | 'lost' | 'late' | 'doubled' | 'forged'
  /** What the receiver answered: a status, or nothing when it could not be reached or has not answered yet. */
  status: number | undefined
}

/** A payment on the hosted page of the card provider. */
export interface CardPayment {
  accessCode: string
  reference: string
  email: string
  amount: string
  currency: string
  state: 'waiting' | 'paid' | 'failed'
  reason: string | undefined
  /** Where the browser goes afterwards, with the reference in its query. */
  returnUrl: string | undefined
}

/** What a person can let happen on the card page. */
export const cardOutcomes = [
  ...(['paid', 'declined', 'insufficient_funds', 'wrong_pin', 'limit_reached', 'cancelled'] as const),
  ...(['silent', 'twice', 'late', 'forged', 'abandoned'] as const),
] as const
export type CardOutcome = (typeof cardOutcomes)[number]

export interface Network {
  /** The newest first. */
  operations(selection: { msisdn?: string | undefined; limit: number }): ShownOperation[]
  card(accessCode: string): CardPayment | undefined
  /** Nothing happens to one that is not waiting any more. */
  decideCard(accessCode: string, outcome: CardOutcome): void
  /** Calls whenever an operation or a callback changes, with the number it concerns, if any. */
  onOperation(listener: (msisdn: string | undefined) => void): () => void
}
