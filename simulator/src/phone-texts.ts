// What the networks write on a phone: the prompt, and the message that follows. In the tone of each, in our own words.
import type { ProviderId } from './knobs.ts'
import { toDecimal } from './money.ts'
import type { Kind, Reason } from './outcomes.ts'

export interface Subject {
  provider: ProviderId
  kind: Kind
  minor: bigint
  currency: string
  reference: string
  receipt: string | undefined
  /** `payer_message`: what MTN was given to show. */
  details?: Readonly<Record<string, string>>
}

/** What a person knows it by. */
const nameOf = ({ reference, details }: Subject): string => details?.payer_message || reference

/** As the phone names the sender of a message. */
export const senders: Record<ProviderId, string> = {
  mpesa: 'M-PESA',
  mtn: 'MTN MoMo',
  airtel: 'AirtelMoney',
  paystack: 'Paystack',
}

export function promptText(subject: Subject): string {
  const { provider, kind } = subject
  const reference = nameOf(subject)
  if (kind !== 'collect') return `You are sent ${spoken(subject)}: ${reference}. Do you take it?`
  switch (provider) {
    case 'mpesa':
      return `Do you want to pay ${spoken(subject)} to account ${reference}? Enter your M-PESA PIN.`
    case 'mtn':
      return `You are asked to pay ${spoken(subject)} for ${reference}. Enter your MoMo PIN to approve.`
    case 'airtel':
      return `Payment of ${spoken(subject)}, reference ${reference}. Enter your Airtel Money PIN to confirm.`
    case 'paystack':
      return `Pay ${spoken(subject)} for ${reference}? Enter your PIN.`
    default:
      return provider satisfies never
  }
}

export function doneText(subject: Subject): string {
  const { kind, receipt = '' } = subject
  const reference = nameOf(subject)
  const words: Record<Kind, string> = {
    collect: `Confirmed. You have paid ${spoken(subject)} for ${reference}.`,
    payout: `Confirmed. You have received ${spoken(subject)}: ${reference}.`,
    refund: `Confirmed. ${spoken(subject)} has come back to you: ${reference}.`,
  }
  return `${receipt} ${words[kind]}`
}

/** Says first what happened to the money. */
export function failedText(subject: Subject, reason: Reason): string {
  return `Nothing was paid. ${because[reason]} It was about ${spoken(subject)} for ${nameOf(subject)}.`
}

const because: Record<Reason, string> = {
  payer_limit_reached: 'You have reached your limit for today.',
  payer_not_found: 'This number has no mobile-money account.',
  cancelled_by_customer: 'You cancelled the request.',
  insufficient_balance: 'You have too little money in your account.',
  wrong_pin: 'You have entered a wrong PIN.',
  provider_error: 'Something went wrong with us. Please try again later.',
  phone_unreachable: 'You did not answer in time.',
  recipient_not_found: 'There is no such recipient.',
}

/** `UGX 10,000`; a bigint and its fraction, so the amount stays exact. */
function spoken({ minor, currency }: Pick<Subject, 'minor' | 'currency'>): string {
  const [whole = '0', fraction] = toDecimal(minor, currency).split('.')
  const grouped = new Intl.NumberFormat('en').format(BigInt(whole))
  return `${currency} ${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}
