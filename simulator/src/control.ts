// What is under /simulator: knobs, the portal where callers set their addresses, books, orders, cards. For people and
// tests on the same machine, so without credentials.
import type { Books, Movement } from './books.ts'
import { type CardDecision, type Cards, cardDecisions } from './cards.ts'
import { readObject, textAt } from './json.ts'
import { type KnobChanges, type Knobs, type ProviderId, providerIds, readKnobs } from './knobs.ts'
import { toDecimal } from './money.ts'
import type { Order, Orders } from './orders.ts'
import type { Portal } from './portal.ts'
import { type Answer, json, type Request, type Route } from './server.ts'
import { balancesOf } from './statements.ts'

export interface ControlOptions {
  orders: Orders
  books: Books
  cards: Cards
  portal: Portal
  knobs: (changes?: KnobChanges) => Knobs
}

export function controlRoutes(options: ControlOptions): Route[] {
  const { knobs, portal, orders } = options
  return [
    { method: 'GET', path: '/simulator/knobs', handle: () => json(200, knobs()) },
    {
      method: 'PUT',
      path: '/simulator/knobs',
      handle: ({ body }) => {
        const changes = readKnobs(readObject(body) ?? {})
        return typeof changes === 'string' ? problem(changes) : json(200, knobs(changes))
      },
    },
    { method: 'GET', path: '/simulator/portal', handle: () => json(200, portal.all()) },
    { method: 'PUT', path: '/simulator/portal', handle: (request) => register(portal, request) },
    { method: 'GET', path: '/simulator/balances', handle: () => json(200, balancesOf(options.books)) },
    {
      method: 'GET',
      path: '/simulator/statements/:provider',
      handle: (request) => statement(options, request),
    },
    {
      method: 'GET',
      path: '/simulator/orders',
      handle: ({ query }) => {
        const limit = Math.min(1000, Number(query.get('limit') ?? 100) || 100)
        return json(200, orders.list({ number: query.get('number') ?? undefined, limit }).map(shownOrder))
      },
    },
    {
      method: 'POST',
      path: '/simulator/cards/:access_code',
      handle: (request) => decideCard(options, request),
    },
  ]
}

const problem = (message: string, status = 400): Answer => json(status, { error: message })

const providerOf = (text: string | undefined): ProviderId | undefined => providerIds.find((id) => id === text)

function register(portal: Portal, { body }: Request): Answer {
  const given = readObject(body)
  const provider = providerOf(textAt(given, 'provider'))
  const url = textAt(given, 'callback_url') ?? ''
  if (provider === undefined) return problem(`provider must be one of ${providerIds.join(', ')}`)
  if (!/^https?:\/\/\S{1,2000}$/.test(url)) return problem('callback_url must be an address of the web')
  portal.add(provider, url)
  return json(200, portal.all())
}

/** Milliseconds from ISO 8601; NaN: that is none. */
const timeOf = (text: string | null): number | undefined => (text === null ? undefined : Date.parse(text))

/** A line of JSON for each movement, or with `format=array` one array. A long one is read in pages: `limit`, `after`. */
function statement({ books }: ControlOptions, { params, query }: Request): Answer {
  const provider = providerOf(params.provider)
  const [from, to] = [timeOf(query.get('from')), timeOf(query.get('to'))]
  if (provider === undefined) return problem('There is no such provider', 404)
  if (Number.isNaN(from) || Number.isNaN(to))
    return problem('from and to must be times, like 2026-01-31T12:00:00Z')
  const currency = query.get('currency') ?? undefined
  const [after, limit] = [
    Number(query.get('after') ?? 0),
    Number(query.get('limit') ?? Number.MAX_SAFE_INTEGER),
  ]
  if (!(after >= 0) || !(limit >= 1)) return problem('after and limit must be numbers')
  const rows = books
    .statement({ provider, currency, from, to })
    .filter(({ number }) => number > after)
    .slice(0, limit)
    .map(shownMovement)
  if (query.get('format') === 'array') return json(200, rows)
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  return { status: 200, headers: { 'content-type': 'application/jsonl' }, body: lines }
}

/** Amounts are decimal text: above zero came in, below went out. */
export const shownMovement = (movement: Movement) => ({
  number: movement.number,
  at: new Date(movement.at).toISOString(),
  kind: movement.kind,
  amount: toDecimal(movement.minor, movement.currency),
  currency: movement.currency,
  id: movement.id,
  reference: movement.reference,
  receipt: movement.receipt,
  phone: movement.msisdn ?? null,
  original_receipt: movement.original ?? null,
})

export const shownOrder = (order: Order) => ({
  provider: order.provider,
  id: order.id,
  kind: order.kind,
  reference: order.reference,
  number: order.number ?? null,
  amount: toDecimal(order.minor, order.currency),
  currency: order.currency,
  state: order.state,
  reason: order.reason ?? null,
  receipt: order.receipt ?? null,
  created_at: new Date(order.createdAt).toISOString(),
  ended_at: order.endedAt === undefined ? null : new Date(order.endedAt).toISOString(),
  callbacks: order.told.map(({ at, url, fate, status }) => ({
    at: new Date(at).toISOString(),
    url,
    fate,
    status: status ?? null,
  })),
})

function decideCard({ cards }: ControlOptions, { params, body }: Request): Answer {
  const accessCode = params.access_code ?? ''
  const wanted = textAt(readObject(body), 'outcome')
  const decision: CardDecision | undefined = cardDecisions.find((known) => known === wanted)
  if (cards.find(accessCode) === undefined) return problem('There is no such payment', 404)
  if (decision === undefined) return problem(`outcome must be one of ${cardDecisions.join(', ')}`)
  cards.decide(accessCode, decision)
  const order = cards.find(accessCode)
  return json(200, {
    state: order?.state,
    return_url: order === undefined ? null : (cards.returnUrl(order) ?? null),
  })
}
