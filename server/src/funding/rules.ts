// What may be brought in and taken out, what it costs, and what people read about it, as functions of values.
import {
  type Amount,
  type Currency,
  feeOf,
  isCurrency,
  type Locale,
  readMinor,
  toText,
} from '../base/money.ts'
import type { Prices } from '../base/prices.ts'

export type OrderKind = 'deposit' | 'withdrawal'
export const orderStatuses = ['pending', 'completed', 'failed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Why money could be given to nobody. */
export const whys = [
  'another_amount',
  'paid_already',
  'payment_failed',
  'paid_out_less',
  'came_back',
] as const
export type Why = (typeof whys)[number]

/** Money that was to leave, and is somebody's already; the other came in. */
export const wasToLeave = (why: Why): boolean => why === 'came_back' || why === 'paid_out_less'

export const unmatchedStatuses = ['open', 'matched', 'returning', 'returned'] as const
export type UnmatchedStatus = (typeof unmatchedStatuses)[number]

export interface Terms {
  amount: Amount
  fee: Amount
  /** What leaves the wallet. */
  total: Amount
}

export type Judged = { terms: Terms } | { problem: string; code: 'validation_failed' | 'limit_exceeded' }

/** `text` is the amount as it was sent. The problem is a whole sentence about it. */
export function judgeAmount(
  text: string,
  { kind, currency, prices }: { kind: OrderKind; currency: Currency; prices: Prices },
): Judged {
  const reading = readMinor(text, currency)
  if ('must' in reading) return { problem: `Amount must ${reading.must}`, code: 'validation_failed' }
  const { minor } = reading
  const say = (most: bigint) => toText({ minor: most, currency })
  // Limits are for what leaves; but nobody brings in more at once than could leave in a day.
  const least = kind === 'deposit' ? 1n : prices.least[currency]
  const most = kind === 'deposit' ? prices.dailyMost[currency] : prices.most[currency]
  if (minor < least) return { problem: `Amount must be at least ${say(least)}`, code: 'validation_failed' }
  if (minor > most) return { problem: `Amount must be at most ${say(most)} at once`, code: 'limit_exceeded' }
  const fee = kind === 'deposit' ? 0n : feeOf(minor, prices.withdrawalFee[currency])
  const amountOf = (part: bigint): Amount => ({ minor: part, currency })
  return { terms: { amount: amountOf(minor), fee: amountOf(fee), total: amountOf(minor + fee) } }
}

/** Only of a body whose fields were not refused already. */
export function amountProblem(
  body: unknown,
  { kind, prices, refused }: { kind: OrderKind; prices: Prices; refused: Record<string, string> },
): Extract<Judged, { problem: string }> | undefined {
  const { amount, currency } = (body ?? {}) as { amount?: unknown; currency?: unknown }
  if ('amount' in refused || 'currency' in refused) return undefined
  if (typeof amount !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return undefined
  const judged = judgeAmount(amount, { kind, currency, prices })
  return 'problem' in judged ? judged : undefined
}

export const sameAmount = (one: Amount, other: Amount): boolean =>
  one.minor === other.minor && one.currency === other.currency

/** Enough to know it by, for its owner. */
export const shortPhone = (phone: string): string => `…${phone.slice(-4)}`

/** Who the other side is, as it stands in the history: `M-Pesa …5678`. */
export const counterpartyOf = ({
  name,
  phone,
}: {
  name: string
  phone: string | null
}): { name: string } => ({
  name: phone === null ? name : `${name} ${shortPhone(phone)}`,
})

export interface Told {
  kind: OrderKind
  status: OrderStatus
  /** Of the provider. */
  name: string
  phone: string | null
  hasPage: boolean
  locale: Locale
}

/** What the person does next. */
export function instructionsOf({ kind, status, name, phone, hasPage, locale }: Told): string {
  const words = instructions[locale]
  if (status === 'failed') return words.failed(name)
  if (kind === 'withdrawal') return words.leaving(name, phone)
  if (hasPage) return words.page(name)
  return phone === null ? words.pageLater(name) : words.prompt(name, phone)
}

interface Instructions {
  prompt(name: string, phone: string): string
  page(name: string): string
  pageLater(name: string): string
  leaving(name: string, phone: string | null): string
  failed(name: string): string
}

const instructions: Record<Locale, Instructions> = {
  en: {
    prompt: (name, phone) => `Approve the request of ${name} on the phone ${phone} with its PIN.`,
    page: (name) => `Open redirect_url and pay there: it is a page of ${name}.`,
    pageLater: (name) => `${name} has not given its page yet. Try again in a moment: nothing was paid.`,
    leaving: (name, phone) =>
      `The money is on its way${phone === null ? '' : ` to ${phone}`}. ${name} tells you when it has arrived.`,
    failed: (name) => `${name} refused it. No money has moved; you may try again.`,
  },
  sw: {
    prompt: (name, phone) => `Kubali ombi la ${name} kwenye simu ${phone} kwa PIN yake.`,
    page: (name) => `Fungua redirect_url ulipe huko: ni ukurasa wa ${name}.`,
    pageLater: (name) =>
      `${name} bado haijatoa ukurasa wake. Jaribu tena baada ya muda mfupi: hakuna kilicholipwa.`,
    leaving: (name, phone) =>
      `Pesa ziko njiani${phone === null ? '' : ` kwenda ${phone}`}. ${name} itakuambia zikifika.`,
    failed: (name) => `${name} imekataa. Hakuna pesa zilizohama; unaweza kujaribu tena.`,
  },
  fr: {
    prompt: (name, phone) => `Acceptez la demande de ${name} sur le téléphone ${phone} avec son code.`,
    page: (name) => `Ouvrez redirect_url et payez-y : c'est une page de ${name}.`,
    pageLater: (name) =>
      `${name} n'a pas encore donné sa page. Réessayez dans un instant : rien n'a été payé.`,
    leaving: (name, phone) =>
      `L'argent est en route${phone === null ? '' : ` vers ${phone}`}. ${name} vous dira quand il est arrivé.`,
    failed: (name) => `${name} a refusé. L'argent n'a pas bougé ; vous pouvez réessayer.`,
  },
}

/** Why a deposit or a withdrawal failed, for the one whose it is. */
export const failureMessages: Record<string, string> = {
  insufficient_balance: 'There was not enough money in the account at the provider.',
  cancelled_by_customer: 'The request was refused on the phone.',
  phone_unreachable: 'The phone could not be reached.',
  expired: 'The request was not answered in time.',
  wrong_pin: 'The PIN was wrong.',
  payment_in_progress: 'The provider is still busy with another request of this phone.',
  payer_not_found: 'The number has no account with the provider.',
  payer_limit_reached: 'A limit at the provider was reached.',
  recipient_not_found: 'The number has no account with the provider.',
  recipient_not_allowed: 'The account at the provider can not receive money.',
  amount_out_of_bounds: 'The provider does not take this amount.',
  duplicate_transaction: 'The provider takes this for a repetition of another one.',
  provider_unavailable: 'The provider could not be reached.',
  another_amount: 'The provider confirmed another amount. That money is safe, and we look into it.',
}

export const failureMessage = (code: string): string => failureMessages[code] ?? 'The provider refused it.'
