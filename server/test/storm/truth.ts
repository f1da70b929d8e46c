// Both sides of the story, read side by side: the orders and books of the networks, and the tables of the service, with SQL
// of its own. Which order of a network belongs to which operation of ours is found by what the network was told: our id,
// or the callback address, of which the service keeps a hash.
import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Order } from '../../../simulator/src/orders.ts'
import type { Simulator } from '../../../simulator/src/simulator.ts'

export interface Operation {
  id: string
  provider: string
  mode: string
  kind: 'collect' | 'payout' | 'refund'
  purpose: string
  subject: string
  amount: bigint
  currency: string
  phone: string | null
  reference: string
  original: string | null
  late_of: string | null
  state: string
  failure_code: string | null
  failure_detail: string | null
  confirmed: bigint | null
  confirmed_currency: string | null
  trouble: string | null
  callback: string
  sends: number
  asks: number
}

export interface Funded {
  number: string
  kind: 'deposit' | 'withdrawal'
  user: string
  amount: bigint
  fee: bigint
  currency: string
  status: string
  hold: bigint | null
  posting: bigint | null
  operation: string
}

export interface Payment {
  number: string
  mode: string
  amount: bigint
  fee: bigint
  currency: string
  status: string
  failure: string | null
  late: boolean
  refunded: bigint
  refunding: bigint
  attempts: number
  merchant: string
}

export interface Attempt {
  id: string
  number: string
  status: string
  operation: string | null
}

export interface Refund {
  id: string
  number: string
  amount: bigint
  status: string
  operation: string | null
}

export interface Unmatched {
  id: string
  provider: string
  mode: string
  amount: bigint
  currency: string
  operation: string
  why: string
  status: string
  phone: string | null
  problem: string | null
  returns_failed: number
  due: Date | null
  return_operation: string | null
}

/** One entry of the ledger, with the posting it is of. */
export interface Entry {
  posting: bigint
  kind: string
  operation: string | null
  account: string
  owner: string
  currency: string
  mode: string
  amount: bigint
}

export interface Tables {
  operations: Map<string, Operation>
  funded: Funded[]
  payments: Map<string, Payment>
  attempts: Attempt[]
  refunds: Refund[]
  unmatched: Unmatched[]
  entries: Entry[]
  openHolds: number
  /** Ids of operations that the audit log says were lied about. */
  suspected: Set<string>
  /** Of payments of the test mode: how many events of which kind. */
  events: Map<string, number>
  deliveriesOpen: number
  /** What the service itself found when it compared its books with the networks', and could not mend. */
  differences: string[]
}

const queries = {
  operations: `select id, provider, mode, kind, purpose, subject, amount, currency, phone, reference, original_id as original,
      late_of, state, failure_code, failure_detail, confirmed_amount as confirmed, confirmed_currency, trouble,
      encode(callback_hash, 'hex') as callback, sends, asks
    from operations.operations`,
  funded: `select number::text, kind, user_id as "user", amount, fee, currency, status, hold_id as hold,
      posting_id as posting, operation_id as operation
    from funding.orders`,
  payments: `select number::text, mode, amount, fee, currency, status, failure_code as failure, late, refunded, refunding,
      attempts, merchant_id::text as merchant
    from payments.payments`,
  attempts: `select id, number::text, status, operation_id as operation from payments.attempts`,
  refunds: `select id, number::text, amount, status, operation_id as operation from payments.refunds`,
  unmatched: `select id, provider, mode, amount, currency, operation_id as operation, why, status, phone, problem, returns_failed,
      due_at as due, return_operation_id as return_operation
    from funding.unmatched`,
  entries: `select e.posting_id as posting, p.kind, p.details->>'operation' as operation, a.kind as account, a.owner,
      a.currency, a.mode, e.amount
    from ledger.entries e join ledger.accounts a on a.id = e.account_id join ledger.postings p on p.id = e.posting_id
    where e.amount <> 0`,
  holds: `select count(*)::int as count from ledger.holds where remaining > 0`,
  suspected: `select distinct object from audit.events where action = 'callback.refused'`,
  events: `select subject || ' ' || event as what, count(*)::int as count from notifications.events group by 1`,
  differences: `select m.provider || ' ' || m.mode || ' ' || m.day || ' ' || d.kind || ': ' || d.detail as what
    from funding.differences d join funding.matches m on m.id = d.match_id where not d.repaired`,
  deliveries: `select count(*)::int as count from operations.deliveries where due_at is not null`,
} as const

const int8 = 20

export async function readTables(databaseUrl: string): Promise<Tables> {
  const types = {
    getTypeParser: (id: number, format: 'text' | 'binary' = 'text') =>
      id === int8 ? BigInt : pg.types.getTypeParser(id, format as 'text'),
  }
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'storm checker', types })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const rows = async <Row>(name: keyof typeof queries) => (await client.query(queries[name])).rows as Row[]
    const count = async (name: 'holds' | 'deliveries') =>
      (await rows<{ count: number }>(name))[0]?.count ?? -1
    const operations = await rows<Operation>('operations')
    const payments = await rows<Payment>('payments')
    const events = await rows<{ what: string; count: number }>('events')
    return {
      operations: new Map(operations.map((row) => [row.id, row])),
      funded: await rows('funded'),
      payments: new Map(payments.map((row) => [row.number, row])),
      attempts: await rows('attempts'),
      refunds: await rows('refunds'),
      unmatched: await rows('unmatched'),
      entries: await rows('entries'),
      openHolds: await count('holds'),
      suspected: new Set((await rows<{ object: string }>('suspected')).map(({ object }) => object)),
      events: new Map(events.map(({ what, count: times }) => [what, times])),
      deliveriesOpen: await count('deliveries'),
      differences: (await rows<{ what: string }>('differences')).map(({ what }) => what),
    }
  } finally {
    await client.end()
  }
}

export interface Links {
  /** Of each operation that was sent: what the network has of it. */
  orders: Map<string, Order[]>
  /** Orders that nobody of us gave. */
  strangers: Order[]
}

export function link(simulator: Pick<Simulator, 'orders'>, { operations }: Tables): Links {
  const byCallback = new Map([...operations.values()].map((row) => [row.callback, row.id]))
  const orders = new Map<string, Order[]>()
  const strangers: Order[] = []
  const nameless: Order[] = []
  for (const order of simulator.orders()) {
    if (order.provider === 'airtel' && order.kind === 'refund') {
      nameless.push(order)
      continue
    }
    const id = idIn(order, byCallback)
    if (id === undefined || !operations.has(id)) strangers.push(order)
    else orders.set(id, [...(orders.get(id) ?? []), order])
  }
  strangers.push(...linkNameless(nameless, { orders, operations }))
  return { orders, strangers }
}

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/

function idIn({ provider, kind, id, details, callbackUrl }: Order, byCallback: Map<string, string>) {
  const token = /\/hooks\/p\/([\w-]{43})$/.exec(callbackUrl ?? '')?.[1]
  if (token !== undefined) return byCallback.get(createHash('sha256').update(token).digest('hex'))
  if (provider === 'airtel') return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return uuid.exec(kind === 'refund' ? (details.merchant_note ?? '') : id)?.[0]
}

/** Airtel knows a refund by what it gives back, and by nothing of ours. It gives back the whole, so there is one that counts. */
function linkNameless(
  nameless: readonly Order[],
  { orders, operations }: { orders: Links['orders']; operations: Tables['operations'] },
): Order[] {
  const refunds = [...operations.values()].filter(
    ({ provider, kind }) => provider === 'airtel' && kind === 'refund',
  )
  return nameless.filter((order) => {
    const waiting = refunds.filter(({ id, original }) => {
      const collected = operations.get(original ?? '')
      const name = (collected?.late_of ?? collected?.id ?? '').replaceAll('-', '')
      return name === order.original && !orders.has(id)
    })
    // A failed one may have been tried again: those that ended the same way belong together.
    const fitting =
      waiting.find(({ state }) => (state === 'completed') === (order.state === 'paid')) ?? waiting[0]
    if (fitting !== undefined) orders.set(fitting.id, [order])
    return fitting === undefined
  })
}
