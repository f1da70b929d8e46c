// What a provider is to this service: functions of values, without I/O. They build requests and read answers and
// callbacks; `call.ts` is the only one that talks. A provider is a folder, a line in the registry, and its settings.
import type { Amount, Currency } from '../base/money.ts'

export const providerIds = ['mpesa', 'mtn', 'airtel', 'paystack'] as const
export type ProviderId = (typeof providerIds)[number]
export type Mode = 'live' | 'test'

/** Money comes in, goes out, or goes back the way it came. */
export type OperationKind = 'collect' | 'payout' | 'refund'

/** One thing that a provider is asked to do. */
export interface WireOperation {
  /** A UUID of ours: the provider's idempotency key wherever it has one. */
  id: string
  kind: OperationKind
  amount: Amount
  /** International, with the plus; absent for cards. */
  phone: string | undefined
  /** Of who pays by card: their page wants one. */
  email: string | undefined
  /** Of a bank account that gets a payout: what `account` in the request of a withdrawal says. */
  account: string | undefined
  /** Read by people, on the phone and in statements: `DP-7K3MQ-9WD2X-PB4`. */
  reference: string
  /** What it is for, in a few words. */
  about: string
  /** Where the provider tells what came of it. Nobody else knows this address. */
  callbackUrl: string
  /** Now: M-Pesa seals the time into each request. */
  at: Date
  /** Where the person's browser returns to from the provider's own page. */
  returnUrl: string | undefined
  /** The provider's name for it, once known. */
  providerReference: string | undefined
  /** The provider's receipt, once known. */
  receipt: string | undefined
  /** Of a refund: what it gives back. */
  original: { id: string; providerReference: string | undefined; receipt: string | undefined } | undefined
}

/** How an operation can fail; each provider's own codes are mapped to these. */
export const failureCodes = [
  'insufficient_balance',
  'cancelled_by_customer',
  'phone_unreachable',
  'expired',
  'wrong_pin',
  'payment_in_progress',
  'payer_not_found',
  'payer_limit_reached',
  'recipient_not_found',
  'recipient_not_allowed',
  'amount_out_of_bounds',
  'duplicate_transaction',
  'provider_unavailable',
  'provider_config',
  'provider_error',
] as const
export type FailureCode = (typeof failureCodes)[number]

/** What we know after an answer or a callback. */
export type Heard =
  | {
      state: 'pending'
      providerReference?: string | undefined
      /** The provider's own page, where the person goes on. */
      redirectUrl?: string | undefined
    }
  | {
      state: 'completed'
      providerReference?: string | undefined
      receipt?: string | undefined
      /** Where the provider tells it; another than was asked for is never taken for it. */
      amount?: Amount | undefined
    }
  | {
      state: 'failed'
      code: FailureCode
      detail: string
      /** Of a payout: whatever was said before, its money is with the provider again. */
      cameBack?: true
    }
  /** Unclear: an answer that says neither yes nor no, or none. Asked again, never taken for a failure. */
  | { state: 'unknown'; detail: string }
  /** The provider has never heard of it. */
  | { state: 'absent'; detail: string }

export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT'
  /** Behind the provider's base address. */
  path: string
  headers?: Record<string, string>
  /** The exact bytes. */
  body?: string
  /** Which token it carries; absent: none. Providers may have one a product. */
  token?: string
}

export interface WireAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Yields requests, is given their answers, and returns what it heard. What breaks on the way (no connection, no answer in
 * time) is thrown into it by the caller as `NoAnswer`; who does not catch it lets the caller decide.
 */
export type Exchange<Result = Heard> = Generator<WireRequest, Result, WireAnswer>

export interface Token {
  value: string
  seconds: number
}

/** What came to one of our callback addresses. */
export interface Delivery {
  method: string
  /** It came to the `answerUrl` of a question of ours: it tells of that question, and through it of the operation. */
  isAnswer: boolean
  headers: Record<string, string>
  body: string
}

export type Callback =
  /** Signed by the provider, or not signed at all (`signed: false`): then it is a hint to go and ask. */
  | {
      ok: true
      signed: boolean
      /** Our id, where the provider tells it; else the address it came to says which operation it is. */
      operationId?: string | undefined
      heard: Heard
    }
  /** A wrong signature. */
  | { ok: false; reason: string }

/** What is known of an operation before there is one. */
export type Ordered = Pick<WireOperation, 'kind' | 'amount' | 'phone'> & { account?: string | undefined }

export interface Served {
  currency: Currency
  /** `UG`; absent: any. */
  country?: string
  kinds: readonly OperationKind[]
  /** What this way is called, where it is another than the adapter's own: cards are paid out to bank accounts. */
  way?: { name: string; kind: 'mobile_money' | 'bank' }
}

/** What a provider's own books say has moved. */
export interface ProviderRecord {
  kind: OperationKind
  /** Above zero, whichever way it went. */
  amount: Amount
  /** The provider's name for the order. */
  providerReference: string | undefined
  /** Ours, as far as the provider keeps it. */
  reference: string | undefined
  receipt: string | undefined
  /** Who paid or was paid, international with the plus, where the provider tells it. */
  phone?: string | undefined
  at: Date
}

/** Set by the owner of the installation; each adapter has its own on top. */
export interface ProviderSettings {
  baseUrl: string
  /** Which of what the adapter serves is set up; absent: all of it. */
  currencies?: readonly Currency[] | undefined
}

export interface Adapter<Settings extends ProviderSettings = ProviderSettings> {
  id: ProviderId
  /** As people know it. */
  name: string
  kind: 'mobile_money' | 'card'
  serves: readonly Served[]
  /** Subscriber numbers: `+25677`. A person's number is guessed to be of the provider with the longest one that fits. */
  phonePrefixes: readonly string[]
  /** Whether the same id can be sent again without doing it twice. If not, what is unclear is only asked for. */
  idempotent: Readonly<Record<OperationKind, boolean>>
  /** When a silent provider is asked, in seconds after the operation was sent; the last one repeats until 24 hours. */
  askAfter: readonly number[]
  /** How long after it was sent `absent` can still mean that it has not arrived. */
  settlesWithinSeconds: number
  /** Refunds give back the whole or nothing: a part goes back as a payout. Absent: any part can be refunded. */
  refundsWholeOnly?: true
  /** Reasons why it can not do this, by the field of our request that is wrong: amount, currency, phone, account. */
  problems(operation: Ordered): Record<string, string>
  /** Throws `NoAnswer` that was not sent when it is given none: then nothing of the operation has reached the provider. */
  token(settings: Settings, product: string): Exchange<Token>
  /** Whether an answer says that the token is not good any more. */
  tokenRefused(answer: WireAnswer): boolean
  start(operation: WireOperation, settings: Settings): Exchange
  /** `answerUrl`: where the provider tells the answer, if it does not answer at once; then this returns `pending`. */
  ask(operation: WireOperation, settings: Settings, answerUrl: string): Exchange
  readCallback(delivery: Delivery, settings: Settings): Callback
  /** All that moved in a time, complete; absent where the provider has no interface for it. */
  records?(window: { from: Date; to: Date }, settings: Settings): Exchange<ProviderRecord[]>
  /** What the provider wants to hear when it calls. */
  callbackAnswer: { status: number; body: string }
  /** Names of header and body fields that must not be kept. */
  secretFields: readonly string[]
}

export class NoAnswer extends Error {
  /** Surely nothing reached the provider: no connection was made. */
  readonly notSent: boolean
  constructor(message: string, { notSent }: { notSent: boolean }) {
    super(message)
    this.name = 'NoAnswer'
    this.notSent = notSent
  }
}
