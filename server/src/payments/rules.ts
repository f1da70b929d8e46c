// What a payment is worth, what it may become, and what is told of it, as functions of values.
import { hash } from 'node:crypto'
import { type Amount, feeOf, toJson } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import { encodeReference } from '../base/reference.ts'
import type { Secret } from '../base/secret.ts'

export const statuses = ['pending', 'completed', 'failed', 'refunded'] as const
export type Status = (typeof statuses)[number]
export type Mode = 'live' | 'test'
/** Which interface asked for it. */
export type Source = 'gateway' | 'pay' | 'campaign'

export interface Failure {
  code: string
  message: string
}

/** A payment, as every part of the service sees it. */
export interface Payment {
  number: bigint
  reference: string
  /** Absent when it is for a campaign. */
  merchant: number | null
  /** Or the title of the campaign. */
  merchantName: string
  /** The id of the campaign that it is for. */
  campaign: string | null
  mode: Mode
  source: Source
  refTrx: string | null
  amount: Amount
  fee: Amount
  refunded: Amount
  /** On its way back to who paid, and not there yet. */
  refunding: Amount
  description: string | null
  notifyUrl: string | null
  successRedirect: string | null
  failureUrl: string | null
  cancelRedirect: string | null
  status: Status
  failure: Failure | null
  late: boolean
  method: string | null
  customer: string | null
  payerId: string | null
  events: number
  attempts: number
  createdAt: Date
  expiresAt: Date
  completedAt: Date | null
  failedAt: Date | null
}

/** The tries of a customer, before the payment fails. */
export const attemptsMax = 5

/** Why a payment failed, in words for people, and whether trying again may help. */
export const failures: Record<string, { message: string; retryable: boolean }> = {
  cancelled_by_customer: { message: 'The customer cancelled the payment.', retryable: true },
  expired: { message: 'The payment was not made in time.', retryable: true },
  declined: { message: 'The payment was declined.', retryable: true },
  insufficient_balance: { message: 'There was not enough money.', retryable: true },
  phone_unreachable: { message: 'The phone could not be reached.', retryable: true },
  wrong_pin: { message: 'The PIN was wrong.', retryable: true },
  payment_in_progress: { message: 'Another payment was under way on the phone.', retryable: true },
  payer_not_found: { message: 'The number has no account with the provider.', retryable: false },
  payer_limit_reached: { message: "The payer's limit was reached.", retryable: false },
  recipient_not_found: { message: 'The number has no account with the provider.', retryable: false },
  recipient_not_allowed: { message: 'The account can not take this money.', retryable: false },
  amount_out_of_bounds: { message: 'The provider does not take this amount.', retryable: false },
  provider_unavailable: { message: 'The provider could not be reached.', retryable: true },
  provider_config: { message: 'The provider is not set up for this payment.', retryable: false },
  duplicate_transaction: { message: 'The provider has seen the same payment just before.', retryable: true },
  provider_timeout: { message: 'The provider did not answer in time.', retryable: false },
  provider_error: { message: 'The provider refused the payment.', retryable: false },
  not_taken: {
    message: 'The money came when the payment could not take it any more. It goes back to who paid.',
    retryable: false,
  },
}

export const failureOf = (code: string): Failure => ({
  code,
  message: failures[code]?.message ?? failures.provider_error?.message ?? '',
})

/** What the merchant pays for it, taken from the amount. */
export const paymentFee = ({ minor, currency }: Amount, prices: Prices): Amount => ({
  minor: feeOf(minor, prices.paymentFee[currency]),
  currency,
})

export const referenceOf = (secret: Secret, number: bigint): string =>
  encodeReference(secret, { kind: 'PY', id: number })

/**
 * 256 bits that nobody can guess without the key, made from the number: so the address of a checkout can be told again,
 * though only its hash is stored.
 */
export const tokenOf = (secret: Secret, number: bigint): string =>
  hash('sha256', `checkout ${secret.reveal().toString('base64')} ${number}`, 'base64url')

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

export const tokenForm = /^[A-Za-z0-9_-]{43}$/

export const checkoutUrl = (baseUrl: string, token: string): string => `${baseUrl}/checkout?token=${token}`

const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000)

export interface Told {
  payment: Payment
  event: 'pending' | 'completed' | 'failed' | 'refunded'
  at: Date
  /** Of a refund. */
  refund?: Amount
}

/**
 * The exact bytes of a notification; nothing, when this kind of payment tells nothing of it. JSON.stringify of what a
 * receiver parsed gives the same bytes again, so amounts are numbers in their shortest form.
 */
export function notificationBody(told: Told): string | undefined {
  switch (told.payment.source) {
    case 'gateway':
      return gatewayBody(told)
    case 'pay':
      return callbackBody(told)
    case 'campaign':
      return undefined
    default:
      return told.payment.source satisfies never
  }
}

function gatewayBody({ payment, event, at }: Told): string | undefined {
  if (event !== 'completed' && event !== 'failed') return undefined
  return JSON.stringify({
    data: {
      ref_trx: payment.refTrx,
      description: payment.description,
      ipn_url: payment.notifyUrl,
      cancel_redirect: payment.cancelRedirect,
      success_redirect: payment.successRedirect,
      merchant_name: payment.merchantName,
      amount: shortest(payment.amount),
      currency_code: payment.amount.currency,
    },
    message: event === 'completed' ? 'Payment Completed' : 'Payment Failed',
    status: event,
    timestamp: unixSeconds(at),
  })
}

function callbackBody({ payment, event, at, refund }: Told): string {
  const { failure } = payment
  const error =
    event === 'failed' && failure !== null
      ? { error: { ...failure, retryable: failures[failure.code]?.retryable ?? false } }
      : {}
  return JSON.stringify({
    event: `payment.${event}`,
    data: {
      reference: payment.reference,
      amount: shortest(payment.amount),
      currency: payment.amount.currency,
      merchant_id: String(payment.merchant),
      timestamp: unixSeconds(at),
      ...(refund === undefined ? {} : { refund_amount: shortest(refund) }),
      ...error,
    },
    ...error,
  })
}

/** Amounts up to 15 digits are the same number in every language; larger ones are refused when a payment is made. */
const shortest = (amount: Amount) => toJson(amount)
