// The orders as the pages show them.
import type { Cards } from './cards.ts'
import { toDecimal } from './money.ts'
import type { Order, Orders } from './orders.ts'
import type { CardPayment, Network, ShownOperation } from './pages/network.ts'

export function networkView({ orders, cards }: { orders: Orders; cards: Cards }): Network {
  const reasonOf = (order: Order) =>
    order.state === 'failed' ? orders.protocolOf(order.provider).reasonText(order) : undefined
  const shown = (order: Order): ShownOperation => ({
    id: orders.keyOf(order).replace(' ', '-'),
    provider: order.provider,
    kind: order.kind,
    msisdn: order.details.account_type === undefined ? order.number : undefined,
    amount: toDecimal(order.minor, order.currency),
    currency: order.currency,
    // What MTN was given for people to read; the other is an id.
    reference: order.details.payee_note || order.reference,
    receipt: order.receipt,
    state: order.state,
    reason: reasonOf(order),
    startedAt: order.createdAt,
    endedAt: order.endedAt,
    callbacks: order.told.map((told) => ({ ...told, fate: told.fate === 'reordered' ? 'late' : told.fate })),
  })
  const shownCard = (accessCode: string, order: Order): CardPayment => ({
    accessCode,
    reference: order.reference,
    email: order.details.email ?? '',
    amount: toDecimal(order.minor, order.currency),
    currency: order.currency,
    state: order.state,
    reason: reasonOf(order),
    returnUrl: cards.returnUrl(order),
  })
  return {
    operations: ({ msisdn, limit }) => orders.list({ number: msisdn, limit }).map(shown),
    card: (accessCode) => {
      const order = cards.find(accessCode)
      return order === undefined ? undefined : shownCard(accessCode, order)
    },
    decideCard: cards.decide,
    onOperation: (listener) => orders.onChange(({ number }) => listener(number)),
  }
}
