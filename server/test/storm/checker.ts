// The judge: what the networks say has happened is the truth, and everything of ours is held against it, with arithmetic
// of its own and nothing of the server's code. Each fault is a sentence that names its row.
import type { Order } from '../../../simulator/src/orders.ts'
import type { Reason } from '../../../simulator/src/outcomes.ts'
import type { Simulator } from '../../../simulator/src/simulator.ts'
import { moneyFaults } from './checker-money.ts'
import type { Journal } from './scenes.ts'
import { type Links, link, type Operation, readTables, type Tables } from './truth.ts'

export interface Judged {
  faults: string[]
  tables: Tables
  links: Links
}

export async function judge(story: {
  databaseUrl: string
  simulator: Pick<Simulator, 'orders' | 'statements'>
  journal: Journal
  /** By the clocks of the storm. */
  now: Date
}): Promise<Judged> {
  const tables = await readTables(story.databaseUrl)
  const links = link(story.simulator, tables)
  const told = { ...story, tables, links }
  const faults = [
    ...orderFaults(told),
    ...promiseFaults(told),
    ...subjectFaults(told),
    ...unmatchedFaults(told),
    ...forgeryFaults(told),
    ...moneyFaults(told),
    ...tables.differences.map((what) => `the service’s own report has a difference: ${what}`),
  ]
  return { faults, tables, links }
}

export interface Story {
  tables: Tables
  links: Links
  journal: Journal
  simulator: Pick<Simulator, 'orders' | 'statements'>
  now: Date
}

const nameOf = ({ id, provider, kind, purpose, state }: Operation): string =>
  `${purpose} ${id} (${provider} ${kind}, ${state})`

/** Late money is an operation of its own, which the network knows by the name of the first. */
export function lateOf({ operations }: Tables, id: string): Operation | undefined {
  return [...operations.values()].find(({ late_of: first }) => first === id)
}

/** Each operation ended in the one state that is right, and each order of a network has its operation. */
function orderFaults({ tables, links }: Story): string[] {
  const lates = new Map(
    [...tables.operations.values()].flatMap((row) => (row.late_of ? [[row.late_of, row]] : [])),
  )
  const strangers = links.strangers.map(
    (order) => `${order.provider} has ${order.kind} ${order.id}, and nobody ordered it`,
  )
  const ours = [...tables.operations.values()].flatMap((operation) => {
    const name = nameOf(operation)
    if (operation.state !== 'completed' && operation.state !== 'failed') return [`${name} has not ended`]
    const found = operation.late_of === null ? (links.orders.get(operation.id) ?? []) : []
    const [order, ...more] = found
    if (more.length > 0) return [`${name} was made ${found.length} times`]
    const late = lates.get(operation.id)
    return [
      ...stateFaults(operation, { order, late }),
      ...(order === undefined ? [] : sameFaults(operation, order)),
      ...(operation.trouble === null ? [] : [`${name} is in trouble: ${operation.trouble}`]),
    ]
  })
  return [...strangers, ...ours]
}

function stateFaults(
  operation: Operation,
  { order, late }: { order: Order | undefined; late: Operation | undefined },
): string[] {
  const name = nameOf(operation)
  if (operation.late_of !== null)
    return operation.state === 'completed' ? [] : [`${name} came late and failed`]
  if (order?.state === 'paid') {
    const once = operation.state === 'completed' ? late === undefined : late?.state === 'completed'
    return once ? [] : [`${name}: the network has paid it, and it must be completed, once`]
  }
  if (operation.state === 'completed' || late !== undefined)
    return [`${name}: the network says ${order?.state ?? 'that it has no such order'}`]
  if (order?.state === 'waiting' && order.details.type !== 'card') return [`${name}: the network still waits`]
  if (order?.reason === undefined) return []
  const right = codeOf(operation, { reason: order.reason, order })
  const isMatch = operation.failure_detail === "The provider's records do not have it."
  return operation.failure_code === right || isMatch
    ? []
    : [`${name} failed with ${operation.failure_code}, and the reason was ${order.reason}`]
}

/** The outcome table; a network may lack the words. */
function codeOf({ provider }: Operation, { reason, order }: { reason: Reason; order: Order }): string {
  if (provider === 'mtn' && reason === 'wrong_pin') return 'provider_error'
  if (provider === 'mtn' && reason === 'phone_unreachable') return 'expired'
  // In a payout the PIN is ours.
  if (provider === 'mpesa' && reason === 'wrong_pin' && order.kind !== 'collect') return 'provider_config'
  return reason
}

function sameFaults(operation: Operation, order: Order): string[] {
  const isIn = (kind: string) => kind === 'collect'
  const same =
    order.provider === operation.provider &&
    order.minor === operation.amount &&
    order.currency === operation.currency &&
    isIn(order.kind) === isIn(operation.kind)
  const exact =
    operation.state !== 'completed' ||
    (operation.confirmed === operation.amount && operation.confirmed_currency === operation.currency)
  const has = `${order.kind} of ${order.minor} ${order.currency}`
  return same && exact ? [] : [`${nameOf(operation)} of ${operation.amount}: the network has a ${has}`]
}

/** Nothing that was promised is lost, and nothing is there twice. */
function promiseFaults({ tables, journal }: Story): string[] {
  const { operations, funded, payments, refunds } = tables
  const rows = new Map(funded.map((row) => [operations.get(row.operation)?.reference ?? '', row]))
  const faults = journal.moved.flatMap(({ reference, kind, user, amount, currency }) => {
    const row = rows.get(reference)
    const fits = row?.kind === kind && row.user === user && row.currency === currency
    return fits && row.amount === minorOf(amount, currency)
      ? []
      : [`the ${kind} ${reference} was promised, and is not there`]
  })
  const seen = new Set(journal.moved.map(({ reference }) => reference))
  if (seen.size !== journal.moved.length) faults.push('two requests were given the same reference')
  // Those that filled the wallets before the storm are not in the journal.
  const more = funded.filter((row) => !seen.has(operations.get(row.operation)?.reference ?? ''))
  const fillings = more.filter(({ kind, status }) => kind === 'deposit' && status === 'completed')
  if (more.length !== fillings.length || fillings.length % 5 !== 0)
    faults.push(`${more.length} deposits and withdrawals that nobody was told of`)
  if (payments.size !== journal.payments.length)
    faults.push(`${payments.size} payments, and ${journal.payments.length} were asked for`)
  if (refunds.length !== journal.refunds.length)
    faults.push(`${refunds.length} refunds, and ${journal.refunds.length} were accepted`)
  return faults
}

const digits: Record<string, number> = { UGX: 0, RWF: 0, KES: 2, TZS: 2, NGN: 2, ZAR: 2, USD: 2 }

export function minorOf(amount: string, currency: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(digits[currency] ?? 0, '0'))
}

/** Deposits, withdrawals, tries and refunds say what their operations say; a payment takes one success. */
function subjectFaults({ tables }: Story): string[] {
  const { operations, funded, payments, attempts, refunds } = tables
  const faults: string[] = []
  const ended = (id: string | null) => {
    const first = operations.get(id ?? '')
    return first?.state === 'completed' || lateOf(tables, id ?? '')?.state === 'completed'
      ? 'completed'
      : first?.state
  }
  for (const row of funded)
    if (row.status !== ended(row.operation))
      faults.push(`${row.kind} ${row.number} is ${row.status}, and its operation is not`)
  for (const row of refunds)
    if (row.status !== ended(row.operation))
      faults.push(`refund ${row.id} is ${row.status}, and its operation is not`)
  const taken = Map.groupBy(
    attempts.filter(({ status }) => status === 'succeeded'),
    ({ number }) => number,
  )
  for (const { id, operation, status } of attempts) {
    const state = operations.get(operation ?? '')?.state
    if (status === 'pending') faults.push(`the try ${id} still waits`)
    if (status === 'succeeded' && state !== 'completed')
      faults.push(`the try ${id} succeeded, and its operation is ${state}`)
  }
  for (const payment of payments.values()) {
    const { number, status, refunded, refunding, amount } = payment
    const isPaid = status === 'completed' || status === 'refunded'
    const successes = taken.get(number)?.length ?? 0
    const back = refunds.filter((row) => row.number === number && row.status === 'completed')
    const sum = back.reduce((total, row) => total + row.amount, 0n)
    if (status === 'pending') faults.push(`payment ${number} is still pending`)
    if (successes !== (isPaid ? 1 : 0))
      faults.push(`payment ${number} is ${status} and has ${successes} successes`)
    if (sum !== refunded || refunding !== 0n || (status === 'refunded') !== (refunded === amount))
      faults.push(
        `payment ${number} of ${amount}: ${sum} went back, and it says ${refunded} and ${refunding} (${status})`,
      )
  }
  return faults
}

/** Unmatched money is there for a reason, and went back, or it is known why not. */
function unmatchedFaults({ tables, now }: Story): string[] {
  const { unmatched, operations, attempts, payments } = tables
  return unmatched.flatMap((row) => {
    const name = `unmatched ${row.id}`
    const operation = operations.get(row.operation)
    const number = attempts.find(({ id }) => id === operation?.subject)?.number
    const payment = payments.get(number ?? '')
    const isPaid = payment?.status === 'completed' || payment?.status === 'refunded'
    const isExplained =
      operation?.purpose === 'payment' &&
      ((row.why === 'paid_already' && isPaid) ||
        (row.why === 'payment_failed' && payment?.status === 'failed'))
    const faults = isExplained
      ? []
      : [`${name} (${row.why}) is not explained by the payment, which is ${payment?.status}`]
    const back = operations.get(row.return_operation ?? '')
    const isBack =
      back?.state === 'completed' &&
      back.amount === row.amount &&
      back.currency === row.currency &&
      back.phone === row.phone
    if (row.status === 'returned' && !isBack)
      faults.push(`${name} was returned, and its operation says otherwise`)
    const isStuck = row.status === 'open' && row.problem !== null && row.returns_failed > 0
    const isYoung = row.status === 'open' && row.due !== null && row.due > now
    if (row.status !== 'returned' && !isStuck && !isYoung)
      faults.push(`${name} is ${row.status}, at the end: ${row.problem}`)
    return faults
  })
}

/** Whoever lied to us is in the audit log. A network that has one address a mode tells both; one of them is ours. */
function forgeryFaults({ links, tables }: Story): string[] {
  return [...links.orders].flatMap(([id, orders]) => {
    const operation = tables.operations.get(id)
    // A lie about a refund may name the payment only.
    const objects = [id, operation?.original ?? '']
    if (operation === undefined || objects.some((object) => tables.suspected.has(object))) return []
    const ours = new RegExp(`/hooks/(?:p/[\\w-]+|\\w+/${operation.mode})$`)
    const lies = orders
      .flatMap(({ told }) => told)
      .filter(
        ({ fate, status = 0, url }) => fate === 'forged' && status > 0 && status < 500 && ours.test(url),
      )
    const [lie] = lies
    return lie === undefined
      ? []
      : [
          `${nameOf(operation)}: a forged callback was answered with ${lie.status}, and is not in the audit log`,
        ]
  })
}
