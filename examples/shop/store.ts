// The shop's memory: one JSON file, written whole under another name and then moved into place. Fine for an example; a
// real shop has a database.
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Product } from './products.ts'

export interface Order {
  id: string
  productId: string
  productName: string
  quantity: number
  total: number
  currency: string
  /** `new`: not paid for yet; `waiting`: the customer was sent to pay. */
  state: 'new' | 'waiting' | 'paid' | 'failed'
  /** Notifications that were taken, by their ids: each may come several times, and counts once. */
  notifications: { id: string; status: string; at: string }[]
  createdAt: string
  paidAt?: string
}

export interface Store {
  find(id: string): Order | undefined
  /** Resolves when it is on the disk. */
  save(order: Order): Promise<Order>
  close(): Promise<void>
}

export async function openStore(path: string): Promise<Store> {
  await mkdir(dirname(path), { recursive: true })
  const orders = new Map<string, Order>(await readOrders(path))
  let written: Promise<void> = Promise.resolve()
  return {
    find: (id) => orders.get(id),
    save: async (order) => {
      orders.set(order.id, order)
      // One after another, and each writes all that is there by then.
      written = written.catch(() => undefined).then(() => writeOrders(path, [...orders.values()]))
      await written
      return order
    },
    close: () => written,
  }
}

async function readOrders(path: string): Promise<[string, Order][]> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as Order[]).map((order) => [order.id, order])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function writeOrders(path: string, orders: Order[]): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w')
  await file.writeFile(`${JSON.stringify(orders, null, 2)}\n`)
  await file.sync()
  await file.close()
  await rename(draft, path)
}

export function newOrder({
  id,
  product,
  quantity,
}: {
  id: string
  product: Product
  quantity: number
}): Order {
  return {
    id,
    productId: product.id,
    productName: product.name,
    quantity,
    total: product.price * quantity,
    currency: product.currency,
    state: 'new',
    notifications: [],
    createdAt: new Date().toISOString(),
  }
}

/** Once paid, an order stays paid: a notification that comes late or again changes nothing. */
export function withNotification(order: Order, { id, status }: { id: string; status: string }): Order {
  if (order.notifications.some((known) => known.id === id)) return order
  const at = new Date().toISOString()
  const noted = { ...order, notifications: [...order.notifications, { id, status, at }] }
  if (order.state === 'paid') return noted
  return status === 'completed' ? { ...noted, state: 'paid', paidAt: at } : { ...noted, state: 'failed' }
}
