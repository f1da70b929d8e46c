// What a checkout shows and where it leads, as functions of values.
import type { Currency } from '../base/money.ts'
import type { Payment, Status } from '../payments/payments.ts'
import type { LoginName } from '../users/users.ts'
import type { Method } from './view.ts'

export const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** Looked for in the place of what can't be a token, so that it takes as long. */
export const noToken = 'A'.repeat(43)

const shownMs = 24 * 3_600_000

/** How long the page of a payment that has ended says what became of it. */
export function isShown({ completedAt, failedAt, expiresAt }: Payment, now: Date): boolean {
  const ended = completedAt ?? failedAt ?? expiresAt
  return now.getTime() < ended.getTime() + shownMs
}

/** A payment whose time is over has failed, whether or not somebody has written that down yet. */
export const statusOf = ({ status, expiresAt }: Payment, now: Date): Status =>
  status === 'pending' && expiresAt <= now ? 'failed' : status

export const secondsLeft = ({ expiresAt }: Payment, now: Date): number =>
  Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000))

export const wrongLoginsMax = 5

/** The ways to pay that work for this payment, the usual one first. */
export const methodsOf = ({ wrongLogins }: { wrongLogins: number }): Method[] =>
  wrongLogins < wrongLoginsMax ? [{ id: 'wallet', kind: 'wallet' }] : []

const callingCodes: Partial<Record<Currency, string>> = {
  UGX: '+256',
  KES: '+254',
  TZS: '+255',
  RWF: '+250',
  NGN: '+234',
  ZAR: '+27',
}

/** One field for three kinds of names. A number as it is dialled at home belongs to the country of the currency. */
export function loginName(text: string, currency: Currency): LoginName {
  const tidied = text.trim()
  if (/^@?[a-z]\w*$/i.test(tidied)) return { handle: tidied }
  if (tidied.includes('@')) return { email: tidied }
  const phone = tidied.replace(/[\s().-]+/g, '')
  const home = /^0[1-9][0-9]{6,12}$/.test(phone) ? callingCodes[currency] : undefined
  return { phone: home === undefined ? phone : home + phone.slice(1) }
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
