// One process of a crew (ledger-crew.ts): it opens a ledger, gets its orders, waits for `go`, and tells what became
// of them. It ends when nobody listens any more.
import { type FromMember, openDesk, type ToMember } from './ledger-crew.ts'
import { type Order, runOrders } from './ledger-orders.ts'

let desk: ReturnType<typeof openDesk> | undefined
let orders: readonly Order[] = []
let options: { workers?: number } = {}

const tell = (message: FromMember) => process.send?.(message)

process.on('message', async (message: ToMember) => {
  if (message.type === 'open') {
    desk = openDesk(message.url)
    tell({ type: 'ready' })
  } else if (message.type === 'orders') {
    orders = message.orders
    options = message.workers === undefined ? {} : { workers: message.workers }
    tell({ type: 'ready' })
  } else if (desk !== undefined) tell({ type: 'told', told: await runOrders(desk, orders, options) })
})

process.on('disconnect', () => desk?.close())
