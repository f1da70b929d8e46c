// What an operation is to the rest of the service, and how its row is read.
import { check } from '../base/check.ts'
import { type Amount, isCurrency } from '../base/money.ts'
import type { FailureCode, Heard, Mode, OperationKind, ProviderId } from '../providers/providers.ts'

/** Whose it is: the room that registered an ending for it. */
export const purposes = ['deposit', 'withdrawal', 'payment', 'refund', 'return'] as const
export type Purpose = (typeof purposes)[number]

/**
 * new: written, and nothing was sent. sending: handed to the provider, no answer yet. pending: the provider has it.
 * unknown: it may have arrived or not. completed and failed are ends.
 */
export const states = ['new', 'sending', 'pending', 'unknown', 'completed', 'failed'] as const
export type State = (typeof states)[number]

export interface Failure {
  code: FailureCode
  /** In the provider's words: for operators, not for customers. */
  detail: string
}

/** One order to a provider. */
export interface Operation {
  /** A UUID, which the provider knows it by. */
  id: string
  provider: ProviderId
  mode: Mode
  kind: OperationKind
  purpose: Purpose
  /** What it belongs to, in the words of its owner: the number of a deposit, the id of an attempt. */
  subject: string
  amount: Amount
  phone: string | null
  email: string | null
  account: string | null
  /** Read by people, on the phone and in statements. */
  reference: string
  about: string
  returnUrl: string | null
  /** Of a refund: the operation that it gives back. */
  originalId: string | null
  /** This money came although the provider had said that it would not: the operation that had failed. */
  lateOf: string | null
  state: State
  providerReference: string | null
  receipt: string | null
  /** The provider's own page, where the person goes on. */
  redirectUrl: string | null
  failure: Failure | null
  /** What the provider says has moved, once that is known. */
  confirmed: Amount | null
  /** Since when only an operator can help. */
  stuckSince: Date | null
  /** What does not fit together, for operators. */
  trouble: string | null
  /** How often the provider was asked. */
  asks: number
  createdAt: Date
  sentAt: Date | null
  endedAt: Date | null
}

export interface NewOperation {
  provider: ProviderId
  mode: Mode
  kind: OperationKind
  purpose: Purpose
  subject: string
  amount: Amount
  /** International, with the plus. */
  phone?: string | null | undefined
  /** Of who pays by card. */
  email?: string | null | undefined
  account?: string | null | undefined
  reference: string
  about: string
  returnUrl?: string | null | undefined
  /** Of a refund: the id of the operation that it gives back. */
  originalId?: string | null | undefined
}

/** How it ended, for sure. `amount` is what moved: its owner compares it with what was asked for. */
export type Outcome =
  | { state: 'completed'; receipt: string | undefined; amount: Amount }
  | ({ state: 'failed' /** Of a payout: its money is with the provider again. */; cameBack?: true } & Failure)

/** Where something was heard. Only `callback` (signed), `answer` and `operator` are the truth; a `hint` makes us ask. */
export type Source = 'answer' | 'callback' | 'hint' | 'operator'

export interface OperationRow {
  id: string
  provider: ProviderId
  mode: Mode
  kind: OperationKind
  purpose: Purpose
  subject: string
  amount: bigint
  currency: string
  phone: string | null
  email: string | null
  account: string | null
  reference: string
  about: string
  return_url: string | null
  original_id: string | null
  /** Of a refund: the receipt of what it gives back, as it was known when the refund was first sent; empty: not yet. */
  original_receipt: string | null
  late_of: string | null
  state: State
  provider_reference: string | null
  receipt: string | null
  redirect_url: string | null
  failure_code: FailureCode | null
  failure_detail: string | null
  confirmed_amount: bigint | null
  confirmed_currency: string | null
  decided: 'completed' | 'failed' | null
  decided_at: Date | null
  hint: 'completed' | 'failed' | null
  hint_receipt: string | null
  stuck_since: Date | null
  trouble: string | null
  sends: number
  asks: number
  absences: number
  endings: number
  due_at: Date | null
  asked_at: Date | null
  created_at: Date
  first_sent_at: Date | null
  sent_at: Date | null
  ended_at: Date | null
}

export function operationOf(row: OperationRow): Operation {
  const { currency } = row
  check(isCurrency(currency), 'an operation has a currency of the table')
  return {
    id: row.id,
    provider: row.provider,
    mode: row.mode,
    kind: row.kind,
    purpose: row.purpose,
    subject: row.subject,
    amount: { minor: row.amount, currency },
    phone: row.phone,
    email: row.email,
    account: row.account,
    reference: row.reference,
    about: row.about,
    returnUrl: row.return_url,
    originalId: row.original_id,
    lateOf: row.late_of,
    state: row.state,
    providerReference: row.provider_reference,
    receipt: row.receipt,
    redirectUrl: row.redirect_url,
    failure: failureIn(row),
    confirmed: confirmedIn(row),
    stuckSince: row.stuck_since,
    trouble: row.trouble,
    asks: row.asks,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    endedAt: row.ended_at,
  }
}

/** What was decided, if anything was: from then on it stays so, whoever ends it. */
export function outcomeIn(row: OperationRow): Outcome | undefined {
  switch (row.decided) {
    case null:
      return undefined
    case 'failed': {
      const failure = failureIn(row)
      check(failure !== null, 'an operation that failed says how')
      return { state: 'failed', ...failure }
    }
    case 'completed': {
      const amount = confirmedIn(row)
      check(amount !== null, 'an operation that was completed says how much moved')
      return { state: 'completed', receipt: row.receipt ?? undefined, amount }
    }
  }
}

const failureIn = ({ failure_code: code, failure_detail: detail }: OperationRow): Failure | null =>
  code === null ? null : { code, detail: detail ?? '' }

function confirmedIn({ confirmed_amount: minor, confirmed_currency: currency }: OperationRow): Amount | null {
  if (minor === null || currency === null) return null
  check(isCurrency(currency), 'an amount has a currency of the table')
  return { minor, currency }
}

/** What was heard is an end: as an outcome. */
export function outcomeOf(heard: Heard, asked: Amount): Outcome | undefined {
  switch (heard.state) {
    case 'completed':
      return { state: 'completed', receipt: heard.receipt, amount: heard.amount ?? asked }
    case 'failed':
      return {
        ...{ state: 'failed', code: heard.code, detail: heard.detail },
        ...(heard.cameBack ? { cameBack: true } : {}),
      }
    default:
      return undefined
  }
}
