// Where the orders are kept, and found again: by their own name, by the receipt, by what was given back of them.
import type { Journal } from './journal.ts'
import type { ProviderId } from './knobs.ts'
import type { Order } from './orders.ts'

type Name = Pick<Order, 'provider' | 'id'>

export interface OrderStore {
  keyOf(order: Name): string
  get(key: string): Order | undefined
  find(provider: ProviderId, id: string): Order | undefined
  findByReceipt(provider: ProviderId, receipt: string): Order | undefined
  /** The newest first. */
  list(selection: { number?: string | undefined; limit: number }): Order[]
  /** In the place of what was kept under its name. */
  keep(order: Order): Order
  /** Of a collection: what refunds, done or under way, leave of it. */
  refundable(order: Order): bigint
  onChange(listener: (order: Order) => void): () => void
}

export function openOrderStore(journal: Journal): OrderStore {
  const kept = journal.map<Order>('orders')
  const byReceipt = new Map<string, string>()
  const refunds = new Map<string, Set<string>>()
  const listeners = new Set<(order: Order) => void>()
  const keyOf = ({ provider, id }: Name) => `${provider} ${id}`

  const index = (order: Order) => {
    if (order.receipt !== undefined) byReceipt.set(`${order.provider} ${order.receipt}`, keyOf(order))
    if (order.original === undefined) return
    const original = keyOf({ provider: order.provider, id: order.original })
    refunds.set(original, (refunds.get(original) ?? new Set()).add(keyOf(order)))
  }
  for (const order of kept.values()) index(order)

  return {
    keyOf,
    get: kept.get,
    find: (provider, id) => kept.get(keyOf({ provider, id })),
    findByReceipt: (provider, receipt) => kept.get(byReceipt.get(`${provider} ${receipt}`) ?? ''),
    list: ({ number, limit }) =>
      kept
        .values()
        .filter((order) => number === undefined || order.number === number)
        .sort((one, other) => other.createdAt - one.createdAt)
        .slice(0, limit),
    keep: (order) => {
      kept.set(keyOf(order), order)
      index(order)
      for (const listener of listeners) listener(order)
      return order
    },
    refundable: (order) =>
      [...(refunds.get(keyOf(order)) ?? [])]
        .flatMap((key) => kept.get(key) ?? [])
        .filter(({ state }) => state !== 'failed')
        .reduce((rest, { minor }) => rest - minor, order.minor),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
