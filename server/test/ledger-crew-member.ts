// One process of a crew (ledger-crew.ts): it opens a ledger, gets its orders, waits for `go`, and tells what became
// of them. It ends when nobody listens any more.
import { systemClock } from '../src/base/clock.ts'
import { openDb } from '../src/db/db.ts'
import { openLedger } from '../src/ledger/ledger.ts'
import type { FromMember, ToMember } from './ledger-crew.ts'
import { type Desk, joinedMax, type Order, runOrders } from './ledger-orders.ts'

let desk: Desk | undefined
let orders: readonly Order[] = []
let options: { workers?: number } = {}

const tell = (message: FromMember) => process.send?.(message)

process.on('message', async (message: ToMember) => {
  if (message.type === 'open') {
    const { url, at } = message
    const clock = at === undefined ? systemClock : { now: () => at }
    desk = {
      ledger: openLedger({ url, clock }),
      db: openDb({ url, connectionsMax: joinedMax, name: 'ledger tests' }),
    }
    tell({ type: 'ready' })
  } else if (message.type === 'orders') {
    orders = message.orders
    options = message.workers === undefined ? {} : { workers: message.workers }
    tell({ type: 'ready' })
  } else if (desk !== undefined) tell({ type: 'told', told: await runOrders(desk, orders, options) })
})

process.on('disconnect', async () => {
  await desk?.ledger.close()
  await desk?.db.close()
})
