// Paystack's records of payments, transfers and refunds, and the signed events that tell of them.
import { createHmac, randomInt } from 'node:crypto'
import type { Parcel } from './callbacks.ts'
import { exactly } from './json.ts'
import { toSubunits } from './money.ts'
import type { Order, Protocol } from './orders.ts'
import type { Reason } from './outcomes.ts'

export const paystackAccount = { secretKey: 'sk_test_simulator' } as const

/** What the bank or the network says; Paystack hands it on. */
const gatewayWords: Record<Reason, string> = {
  payer_limit_reached: 'Exceeds withdrawal limit',
  payer_not_found: 'Invalid account',
  cancelled_by_customer: 'Transaction cancelled by customer',
  insufficient_balance: 'Insufficient Funds',
  wrong_pin: 'Incorrect PIN',
  provider_error: 'Declined',
  phone_unreachable: 'No response from customer',
  recipient_not_found: 'Account not found',
}

const subunits = ({ minor, currency }: Order): object => exactly(toSubunits(minor, currency))
const timeOf = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString()

/** Until the customer has tried to pay, a payment counts as abandoned. */
function chargeStatus({ state, details, dueAt }: Order): string {
  if (state === 'paid') return 'success'
  if (state === 'failed') return 'failed'
  return details.type === 'card' && dueAt === undefined ? 'abandoned' : 'ongoing'
}

export function chargeData(order: Order): Record<string, unknown> {
  const { details, reason } = order
  const channel = details.channel ?? 'card'
  return {
    id: exactly(details.number ?? '0'),
    domain: 'test',
    status: chargeStatus(order),
    reference: order.reference,
    receipt_number: order.receipt ?? null,
    amount: subunits(order),
    message: null,
    gateway_response: gatewayResponse(order, reason),
    paid_at: order.state === 'paid' ? timeOf(order.endedAt) : null,
    created_at: timeOf(order.createdAt),
    channel,
    currency: order.currency,
    ip_address: '127.0.0.1',
    metadata: '',
    fees: 0,
    log: { attempts: order.state === 'waiting' ? 0 : 1, errors: reason === undefined ? 0 : 1, history: [] },
    authorization: order.state === 'paid' && channel === 'card' ? cardData : {},
    customer: {
      id: 1,
      email: details.email ?? '',
      first_name: null,
      last_name: null,
      customer_code: 'CUS_simulator',
    },
  }
}

function gatewayResponse({ state }: Order, reason: Reason | undefined): string {
  if (reason !== undefined) return gatewayWords[reason]
  return state === 'paid' ? 'Successful' : 'The transaction was not completed'
}

const cardData = {
  authorization_code: 'AUTH_simulator',
  bin: '408408',
  last4: '4081',
  exp_month: '12',
  exp_year: '2035',
  channel: 'card',
  card_type: 'visa',
  bank: 'Simulated Bank',
  country_code: 'NG',
  brand: 'visa',
  reusable: false,
  signature: 'SIG_simulator',
}

const transferStatuses = { waiting: 'pending', paid: 'success', failed: 'failed' } as const

export const transferData = (order: Order): Record<string, unknown> => ({
  id: exactly(order.details.number ?? '0'),
  domain: 'test',
  amount: subunits(order),
  currency: order.currency,
  reference: order.reference,
  source: 'balance',
  reason: order.details.reason,
  status: transferStatuses[order.state],
  transfer_code: order.details.transfer_code,
  recipient: { recipient_code: order.details.recipient },
  gateway_response: order.reason === undefined ? null : gatewayWords[order.reason],
  failures: null,
  transferred_at: timeOf(order.endedAt),
  createdAt: timeOf(order.createdAt),
})

const refundStatuses = { waiting: 'pending', paid: 'processed', failed: 'failed' } as const

export const refundData = (order: Order): Record<string, unknown> => ({
  id: exactly(order.details.number ?? '0'),
  domain: 'test',
  transaction: exactly(order.details.transaction_number || '0'),
  transaction_reference: order.reference,
  refund_reference: order.receipt ?? null,
  amount: subunits(order),
  deducted_amount: subunits(order),
  currency: order.currency,
  channel: 'card',
  status: refundStatuses[order.state],
  merchant_note: order.details.merchant_note,
  customer_note: order.details.customer_note,
  refunded_at: timeOf(order.endedAt),
  createdAt: timeOf(order.createdAt),
})

export const paystack: Protocol = {
  newReceipt: () => String(randomInt(100_000_000_000, 281_474_976_710_655)),
  told: (order, portal) => parcelsOf(order, { portal, key: paystackAccount.secretKey }),
  forged: (order, portal) => {
    const lie: Order = { ...order, state: 'paid', reason: undefined, receipt: '1', minor: order.minor * 10n }
    return parcelsOf(lie, { portal, key: 'sk_of_somebody_else' })
  },
  reasonText: ({ reason }) => (reason === undefined ? '' : gatewayWords[reason]),
}

/** There is no event for a payment that failed. */
function eventOf(order: Order): { event: string; data: unknown } | undefined {
  const end = order.state === 'paid' ? 'success' : 'failed'
  switch (order.kind) {
    case 'collect':
      return order.state === 'paid' ? { event: 'charge.success', data: chargeData(order) } : undefined
    case 'payout':
      return { event: `transfer.${end}`, data: transferData(order) }
    case 'refund':
      return { event: `refund.${refundStatuses[order.state]}`, data: refundData(order) }
    default:
      return order.kind satisfies never
  }
}

function parcelsOf(order: Order, { portal, key }: { portal: readonly string[]; key: string }): Parcel[] {
  const event = eventOf(order)
  if (event === undefined) return []
  const body = JSON.stringify(event)
  const signature = createHmac('sha512', key).update(body).digest('hex')
  return portal.map((url) => ({
    url,
    method: 'POST',
    headers: { 'x-paystack-signature': signature },
    body,
    repeats: true,
  }))
}
