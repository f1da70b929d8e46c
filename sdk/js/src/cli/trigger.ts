// Makes an event happen in test mode by doing what leads to it: a payment is asked for, and paid, cancelled or refunded.
// Nothing is made up, so the receiver sees what it will see.
import type { Currency } from '../amounts.ts'
import { currencies } from '../amounts.ts'
import { MfukoError } from '../errors.ts'
import { openVisit } from './checkout.ts'
import { oneOf, openShop, readTold, type Shop, type Terminal, type Told, UsageError } from './terminal.ts'

const events = ['payment.pending', 'payment.completed', 'payment.failed', 'payment.refunded'] as const
type Event = (typeof events)[number]

/** What of it the merchant hears, for each way of asking. */
const untold: readonly Event[] = ['payment.pending', 'payment.refunded']

interface Pending {
  reference: string
  paymentUrl: string
}

export async function trigger(args: string[], terminal: Terminal): Promise<number> {
  const told = readTold(args, ['payment', 'kind', 'amount', 'currency', 'ref', 'notify'])
  const event = oneOf(told.words[0], { words: events, what: 'The event' })
  const kind = oneOf(told.values.kind ?? 'callback', { words: ['gateway', 'callback'], what: '--kind' })
  if (kind === 'gateway' && untold.includes(event))
    throw new UsageError('The gateway tells of payment.completed and payment.failed only')
  const shop = openShop(told, terminal)
  const payment = await pendingPayment(shop, { told, kind, event })
  const visit = openVisit(shop.baseUrl, payment.paymentUrl)
  if (event === 'payment.completed' || event === 'payment.refunded') await visit.pay()
  if (event === 'payment.failed') await visit.cancel()
  if (event === 'payment.refunded') await refund(shop, payment.reference)
  const { status } = await shop.payment(payment.reference)
  if (`payment.${status}` !== event) {
    terminal.err(`The payment ${payment.reference} is ${status}. Look at it: ${payment.paymentUrl}`)
    return 1
  }
  terminal.out(`${event}  ${payment.reference}`)
  return 0
}

/** The fee is not given back, so a shop that has sold nothing else has too little: then it sells something else. */
async function refund(shop: Shop, reference: string): Promise<void> {
  try {
    await shop.payments.refund(reference)
  } catch (error) {
    if (!(error instanceof MfukoError && error.code === 'insufficient_funds')) throw error
    const { amount, currency } = await shop.payment(reference)
    const other = await shop.pay({ amount, currency, description: 'By mfuko trigger, to cover the fee' })
    await openVisit(shop.baseUrl, other.payment_url).pay()
    await shop.payments.refund(reference)
  }
}

interface Asked {
  told: Told
  kind: 'gateway' | 'callback'
  event: Event
}

async function pendingPayment(shop: Shop, { told, kind, event }: Asked): Promise<Pending> {
  const { payment: reference, amount = '1000', ref, notify } = told.values
  if (reference !== undefined) {
    const found = await shop.payment(reference)
    if (found.status !== 'pending' && event !== 'payment.pending')
      throw new UsageError(
        `The payment ${found.reference} is ${found.status}: there is nothing left to happen.`,
      )
    return { reference: found.reference, paymentUrl: found.payment_url }
  }
  const currency = oneOf(told.values.currency ?? 'UGX', {
    words: Object.keys(currencies) as Currency[],
    what: '--currency',
  })
  const description = 'By mfuko trigger'
  if (kind === 'callback') {
    const given = { ...(ref && { reference: ref }), ...(notify && { callback_url: notify }) }
    const { reference: made, payment_url: paymentUrl } = await shop.pay({
      amount,
      currency,
      description,
      ...given,
    })
    return { reference: made, paymentUrl }
  }
  return viaGateway(shop, { amount, currency, description, ref, notify })
}

interface Order {
  amount: string
  currency: Currency
  description: string
  ref: string | undefined
  notify: string | undefined
}

async function viaGateway(shop: Shop, order: Order): Promise<Pending> {
  const { amount, currency, description, ref = `TRIGGER-${Date.now()}`, notify } = order
  const { merchant_id: merchantId } = await shop.profile()
  const body = {
    payment_amount: amount,
    currency_code: currency,
    ref_trx: ref,
    description,
    ...(notify && { ipn_url: notify }),
  }
  const { payment_url: paymentUrl } = await shop.as(merchantId).initiatePayment(body)
  const { reference } = await shop.payments.get(ref)
  return { reference, paymentUrl }
}
