// What the pages say about things: amounts, times, the outcomes that the last digits of a number stand for.
import { html, type Markup } from './html.ts'
import type { ProviderId, ShownOperation } from './network.ts'

export const providerNames: Record<ProviderId, string> = {
  mpesa: 'M-Pesa',
  mtn: 'MTN MoMo',
  airtel: 'Airtel Money',
  paystack: 'Paystack',
}

/** The amount is decimal text and stays exact: Intl takes it as it is. */
export function money(amount: string, currency: string): Markup {
  return html`<span class="amount"><span class="code">${currency}</span> ${plainAmount(amount)}</span>`
}

export function plainAmount(amount: string): string {
  const digits = amount.includes('.') ? 2 : 0
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(amount as Intl.StringNumericLiteral)
}

export const clock = (at: number): Markup => moment(at, { hour: '2-digit', minute: '2-digit' })
export const clockExact = (at: number): Markup =>
  moment(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

function moment(at: number, options: Intl.DateTimeFormatOptions): Markup {
  const date = new Date(at)
  const text = new Intl.DateTimeFormat('en-GB', options).format(date)
  return html`<time datetime="${date.toISOString()}">${text}</time>`
}

export const dayOf = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }).format(at)

export interface Outcome {
  digits: string
  title: string
  /** What the network does. */
  what: string
  /** What the caller of the network is told in the end. */
  code: string
  kind: 'paid' | 'failed' | 'trouble' | 'person'
}

export const outcomes: readonly Outcome[] = [
  {
    digits: '019',
    title: 'Over the limit',
    what: 'Refused: the account has reached its limit for today.',
    code: 'payer_limit_reached',
    kind: 'failed',
  },
  {
    digits: '029',
    title: 'No such account',
    what: 'Refused: the number has no mobile-money account.',
    code: 'payer_not_found',
    kind: 'failed',
  },
  {
    digits: '039',
    title: 'Refused by the customer',
    what: 'The person presses Cancel.',
    code: 'cancelled_by_customer',
    kind: 'failed',
  },
  {
    digits: '049',
    title: 'Too little money',
    what: 'Refused: the account has less than the amount.',
    code: 'insufficient_balance',
    kind: 'failed',
  },
  {
    digits: '059',
    title: 'Wrong PIN',
    what: 'The person types a wrong PIN.',
    code: 'wrong_pin',
    kind: 'failed',
  },
  {
    digits: '069',
    title: 'The network fails',
    what: 'Refused: something went wrong inside the network.',
    code: 'provider_error',
    kind: 'failed',
  },
  {
    digits: '079',
    title: 'No reaction',
    what: 'The phone is off, or nobody looks at it. The network gives up.',
    code: 'phone_unreachable',
    kind: 'failed',
  },
  {
    digits: '089',
    title: 'Nobody to pay out to',
    what: 'A payout is refused: there is no such recipient. A collection is paid.',
    code: 'recipient_not_found',
    kind: 'failed',
  },
  {
    digits: '129',
    title: 'Paid, then silence',
    what: 'Accepted and paid, but no callback ever comes. Who asks for the status hears the truth.',
    code: 'paid, by asking',
    kind: 'trouble',
  },
  {
    digits: '139',
    title: 'Paid, told twice',
    what: 'Paid, and the callback comes two times.',
    code: 'paid, once',
    kind: 'trouble',
  },
  {
    digits: '149',
    title: 'Paid, very late',
    what: 'Times out. The success comes when the payment has expired long since.',
    code: 'paid, late',
    kind: 'trouble',
  },
  {
    digits: '159',
    title: 'Broken answer',
    what: 'The network answers HTTP 500 and has done nothing.',
    code: 'unclear, then failed',
    kind: 'trouble',
  },
  {
    digits: '169',
    title: 'A forged callback first',
    what: 'Paid. Before the true callback somebody else sends a forged one with another amount.',
    code: 'paid, the true amount',
    kind: 'trouble',
  },
  {
    digits: '999',
    title: 'Waits for you',
    what: 'Nothing happens until a person answers at the virtual phone.',
    code: 'as you decide',
    kind: 'person',
  },
]

export const anyOther: Outcome = {
  digits: 'any other',
  title: 'Paid',
  what: 'Paid after a second.',
  code: 'paid',
  kind: 'paid',
}

export const outcomeOf = (msisdn: string): Outcome =>
  outcomes.find(({ digits }) => msisdn.endsWith(digits)) ?? anyOther

export const stateWords: Record<ShownOperation['state'], string> = {
  waiting: 'Waiting',
  paid: 'Paid',
  failed: 'Failed',
}

export function kindWords({ kind, provider }: Pick<ShownOperation, 'kind' | 'provider'>): string {
  switch (kind) {
    case 'collect':
      return provider === 'paystack' ? 'Card payment' : 'Collection from'
    case 'payout':
      return 'Payout to'
    case 'refund':
      return 'Refund to'
    default:
      return kind satisfies never
  }
}

/** Without the one it concerns. */
export const kindName = (operation: Pick<ShownOperation, 'kind' | 'provider'>): string =>
  kindWords(operation).replace(/ (from|to)$/, '')
