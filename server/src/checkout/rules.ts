// What a checkout shows and where it leads, as functions of values.
import type { Currency } from '../base/money.ts'
import type { Payment, Status } from '../payments/payments.ts'
import type { LoginName } from '../users/users.ts'

export const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** Looked for in the place of what can't be a token, so that it takes as long. */
export const noToken = 'A'.repeat(43)

const shownMs = 24 * 3_600_000

/** The page of a payment that has ended says for a day what became of it: of those that ended since then. */
export const shownSince = (now: Date): Date => new Date(now.getTime() - shownMs)

/** A payment whose time is over has failed, whether or not somebody has written that down yet. */
export const statusOf = ({ status, expiresAt }: Payment, now: Date): Status =>
  status === 'pending' && expiresAt <= now ? 'failed' : status

/** What a page was written from: it is asked for anew when that has changed. */
export const stateOf = (status: Status, attempts: readonly { status: string; page: boolean }[]): string =>
  [status, ...attempts.map((one) => one.status.charAt(0) + (one.page ? '+' : ''))].join('-')

export const secondsLeft = ({ expiresAt }: Payment, now: Date): number =>
  Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000))

export const wrongLoginsMax = 5

interface Dialling {
  code: string
  /** As it is dialled at home. */
  example: string
}

const dialling: Partial<Record<Currency, Dialling>> = {
  UGX: { code: '+256', example: '0770 123 456' },
  KES: { code: '+254', example: '0712 345 678' },
  TZS: { code: '+255', example: '0754 123 456' },
  RWF: { code: '+250', example: '0788 123 456' },
  NGN: { code: '+234', example: '0803 123 4567' },
  ZAR: { code: '+27', example: '082 123 4567' },
}

/** Of the country where the currency is spent. */
export const diallingOf = (currency: Currency): Dialling =>
  dialling[currency] ?? { code: '', example: '+256 770 123 456' }

/** Without what people put between the digits, and international if it was dialled at home or without the plus. */
export function dialled(text: string, currency: Currency): string {
  const digits = text
    .trim()
    .replace(/^00(?=[1-9])/, '+')
    .replace(/[\s().-]+/g, '')
  const { code } = diallingOf(currency)
  if (code === '') return digits
  if (/^0[1-9][0-9]{6,12}$/.test(digits)) return code + digits.slice(1)
  return digits.startsWith(code.slice(1)) ? `+${digits}` : digits
}

export const phoneForm = /^\+[1-9][0-9]{7,14}$/

/** Good enough to be sent to: the provider looks closer. */
export const emailForm = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,180}\.[^\s@<>".]{2,}$/

/** As its owner knows it: `0770 •••001`. */
export function contactText(contact: string, currency: Currency): string {
  if (contact.includes('@')) return contact.replace(/^(.).*@/, '$1•••@')
  const { code } = diallingOf(currency)
  const home = code !== '' && contact.startsWith(code) ? `0${contact.slice(code.length)}` : contact
  return `${home.slice(0, -6)}\u00a0•••${home.slice(-3)}`
}

/** One field for three kinds of names. A number as it is dialled at home belongs to the country of the currency. */
export function loginName(text: string, currency: Currency): LoginName {
  const tidied = text.trim()
  if (/^@?[a-z]\w*$/i.test(tidied)) return { handle: tidied }
  if (tidied.includes('@')) return { email: tidied }
  return { phone: dialled(tidied, currency) }
}

export const pinForm = /^[0-9]{4,6}$/

/** Where the merchant wants the customer to go on, by what became of the payment. */
export function returnAddress(payment: Payment, status: Status): string | null {
  switch (status) {
    case 'completed':
    case 'refunded':
      return payment.successRedirect
    case 'failed':
      return payment.failure?.code === 'cancelled_by_customer' ? payment.cancelRedirect : payment.failureUrl
    case 'pending':
      return null
    default:
      return status satisfies never
  }
}

/** What the merchant's page may show at once. Only a hint: what counts is the notification. */
export function withOutcome(address: string, payment: Payment, status: Status): string {
  const url = new URL(address)
  if (payment.refTrx !== null) url.searchParams.set('ref_trx', payment.refTrx)
  url.searchParams.set('reference', payment.reference)
  url.searchParams.set('status', status)
  return url.href
}
