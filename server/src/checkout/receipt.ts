// What a receipt says of a payment, for the page after it.
import { currencyZones, momentText } from '../base/dates.ts'
import { html, type Markup } from '../base/html.ts'
import type { Locale } from '../base/money.ts'
import type { Payment } from '../payments/payments.ts'
import { facts, money } from './layout.ts'
import type { PaidBy, Try, Wallet } from './view.ts'
import type { Words } from './words/words.ts'

interface Paid {
  payment: Payment
  /** Of the one who looks, when it was this one that paid. */
  wallet: Wallet | undefined
  paid: PaidBy | undefined
  say: Words
  locale: Locale
}

export function receiptFacts({ payment, wallet, paid, say, locale }: Paid): Markup {
  const { merchantName, description, refTrx, completedAt } = payment
  const spendable = wallet?.spendable
  return facts([
    [say.payTo, html`<span class="text">${merchantName}</span>`],
    [say.forWhat, description === null ? undefined : html`<span class="text">${description}</span>`],
    [say.orderNumber, refTrx === null ? undefined : html`<span class="text">${refTrx}</span>`],
    [
      say.from,
      wallet === undefined
        ? undefined
        : html`${say.walletIn(wallet.currency)} <span class="soft">@${wallet.handle}</span>`,
    ],
    [
      say.paidWith,
      paid === undefined ? undefined : html`${nameOf(paid, say)} <span class="soft">${paid.contact}</span>`,
    ],
    [
      paid === undefined ? '' : say.receiptOf(nameOf(paid, say)),
      paid?.receipt === undefined ? undefined : html`<span class="code-text">${paid.receipt}</span>`,
    ],
    [say.time, completedAt === null ? undefined : timeText(completedAt, payment, locale)],
    [
      say.balanceNow,
      spendable === undefined || spendable === 'endless' ? undefined : money(spendable, locale),
    ],
  ])
}

/** Networks have names of their own; a card is called what the reader calls it. */
export const nameOf = ({ kind, name }: Try, say: Words): string => (kind === 'card' ? say.card : name)

/** Where the currency is spent, the clock says so. */
export function timeText(time: Date, { amount: { currency } }: Payment, locale: Locale): Markup {
  const text = momentText(time, { locale, timeZone: currencyZones[currency], month: 'short' })
  return html`<time datetime="${time.toISOString()}">${text}</time>`
}
