import type { FastifyRequest } from 'fastify'
import { check } from '../../base/check.ts'
import { isCurrency, toJson } from '../../base/money.ts'
import type * as funding from '../../funding/funding.ts'
import { pageOf, timeCursor } from '../../http/cursor.ts'
import type { App } from '../../http/instance.ts'
import { listOf, ok } from '../../http/schema.ts'
import type { Operation } from '../../operations/operations.ts'
import type { Actor } from '../operators.ts'
import { AskedReply } from '../schema.ts'
import * as acts from './acts.ts'
import * as schema from './schema.ts'

export interface ProviderRoutes {
  deps: acts.ProviderDependencies
  actorOf: (request: FastifyRequest) => Actor
}

const tags = ['Operator']

export function providerRoutes(app: App, routes: ProviderRoutes): void {
  operationRoutes(app, routes)
  operationActs(app, routes)
  unmatchedRoutes(app, routes)
  matchRoutes(app, routes)
}

const operationPlace = timeCursor(/^[0-9a-f-]{36}$/)
const unmatchedPlace = timeCursor(/^unm_\w{22}$/)
const matchPlace = timeCursor(/^mat_\w{22}$/)

function operationRoutes(app: App, { deps }: ProviderRoutes): void {
  const list = {
    tags,
    summary: 'Orders to providers',
    description: 'The newest first. `stuck=true` shows those that wait for an operator.',
    operationId: 'listOperations',
    querystring: schema.OperationsQuery,
    response: { 200: schema.OperationList },
  }
  app.get(
    '/api/operator/operations',
    { schema: list, config: { readCursor: operationPlace } },
    async ({ query: { limit = 25, cursor, ...wanted } }) => {
      const place = cursor === undefined ? undefined : operationPlace(cursor)
      const before = place && { createdAt: new Date(place.at), id: place.id }
      const rows = await deps.operations.list({ ...wanted, before, limit: limit + 1 })
      const page = pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id])
      return listOf('Operations', { ...page, items: page.items.map(shownOperation) })
    },
  )

  const show = {
    tags,
    summary: 'Show an order to a provider',
    description: 'With all that was said to the provider and by it, without secrets.',
    operationId: 'getOperation',
    params: schema.OperationParams,
    response: { 200: schema.OperationReply },
  }
  app.get('/api/operator/operations/:id', { schema: show }, async ({ params: { id } }) =>
    ok('Operation', shownWhole(await acts.seeOperation(deps, id))),
  )
}

function operationActs(app: App, { deps, actorOf }: ProviderRoutes): void {
  const common = { tags, params: schema.OperationParams, response: { 200: schema.OperationReply } }
  const ask = {
    ...common,
    summary: 'Ask the provider now',
    description: 'What became of it. Some providers answer later: look again after a while.',
    operationId: 'askOperation',
  }
  app.post('/api/operator/operations/:id/ask', { schema: ask }, async (request) => {
    const asking = { id: request.params.id, actor: actorOf(request) }
    return ok('Asked', shownWhole(await acts.askNow(deps, asking)))
  })

  const resolve = {
    ...common,
    summary: 'Say what became of an order',
    description:
      'When nobody else can: its money moves, or is free again, as if the provider had said so. Only while it is `pending` or `unknown`.',
    operationId: 'resolveOperation',
    body: schema.ResolveBody,
  }
  app.post('/api/operator/operations/:id/resolve', { schema: resolve }, async (request) => {
    const { params, body } = request
    const { outcome, receipt, reason } = body
    const resolving = { id: params.id, outcome, receipt, reason, actor: actorOf(request) }
    return ok('Resolved', shownWhole(await acts.resolve(deps, resolving)))
  })

  const dismiss = {
    ...common,
    summary: 'Dismiss the trouble of an order',
    description: 'It has ended, and what did not fit has been dealt with.',
    operationId: 'dismissOperation',
    body: schema.ReasonOnly,
  }
  app.post('/api/operator/operations/:id/dismiss', { schema: dismiss }, async (request) => {
    const { params, body } = request
    const seen = { id: params.id, reason: body.reason, actor: actorOf(request) }
    return ok('Dismissed', shownWhole(await acts.dismiss(deps, seen)))
  })
}

function unmatchedRoutes(app: App, { deps, actorOf }: ProviderRoutes): void {
  const list = {
    tags,
    summary: 'Unmatched money',
    description:
      'What providers confirmed and nothing could take, the newest first. It goes back to who paid after 24 hours, unless it is matched.',
    operationId: 'listUnmatched',
    querystring: schema.UnmatchedQuery,
    response: { 200: schema.UnmatchedList },
  }
  const listing = { schema: list, config: { readCursor: unmatchedPlace } } as const
  app.get('/api/operator/unmatched', listing, async ({ query }) => {
    const { limit = 25, cursor, status = null, provider = null } = query
    const place = cursor === undefined ? undefined : unmatchedPlace(cursor)
    const before = place && { at: new Date(place.at), id: place.id }
    const rows = await deps.funding.listUnmatched({ status, provider, before, limit: limit + 1 })
    const page = pageOf(rows, limit, ({ created_at, id }) => [created_at.toISOString(), id])
    return listOf('Unmatched money', { ...page, items: page.items.map(shownUnmatched) })
  })

  const common = { tags, params: schema.UnmatchedParams, response: { 200: schema.UnmatchedReply } }
  const show = { ...common, summary: 'Show unmatched money', operationId: 'getUnmatched' }
  app.get('/api/operator/unmatched/:id', { schema: show }, async ({ params: { id } }) =>
    ok('Unmatched money', shownUnmatched(await acts.seeUnmatched(deps, id))),
  )

  const match = {
    ...common,
    summary: 'Match unmatched money',
    description: "Into somebody's wallet, or to a payment that it pays.",
    operationId: 'matchUnmatched',
    body: schema.MatchBody,
  }
  app.post('/api/operator/unmatched/:id/match', { schema: match }, async (request) => {
    const { user_id: user, payment, reason } = request.body
    const matched = { id: request.params.id, user, payment, reason, actor: actorOf(request) }
    return ok('Matched', shownUnmatched(await acts.matchUnmatched(deps, matched)))
  })

  const giveBack = {
    ...common,
    summary: 'Return unmatched money now',
    description: 'To the phone, or the card, that it came from.',
    operationId: 'returnUnmatched',
    body: schema.ReasonOnly,
  }
  app.post('/api/operator/unmatched/:id/return', { schema: giveBack }, async (request) => {
    const returned = { id: request.params.id, reason: request.body.reason, actor: actorOf(request) }
    return ok('Goes back', shownUnmatched(await acts.giveBack(deps, returned)))
  })
}

function matchRoutes(app: App, { deps, actorOf }: ProviderRoutes): void {
  const list = {
    tags,
    summary: "Our books and the providers'",
    description:
      'Each day of each provider, compared: our orders, our ledger and what the provider says. The latest first.',
    operationId: 'listMatches',
    querystring: schema.MatchesQuery,
    response: { 200: schema.MatchList },
  }
  const listing = { schema: list, config: { readCursor: matchPlace } } as const
  app.get('/api/operator/matches', listing, async ({ query }) => {
    const { limit = 25, cursor, provider = null, mode = null, differing = false } = query
    const place = cursor === undefined ? undefined : matchPlace(cursor)
    const before = place && { at: new Date(place.at), id: place.id }
    const rows = await deps.funding.listMatches({ provider, mode, differing, before, limit: limit + 1 })
    const page = pageOf(rows, limit, ({ compared_at, id }) => [compared_at.toISOString(), id])
    return listOf('Matches', { ...page, items: page.items.map(shownMatch) })
  })

  const show = {
    tags,
    summary: "Show a day of a provider's books",
    description: 'With everything that differs.',
    operationId: 'getMatch',
    params: schema.MatchParams,
    response: { 200: schema.MatchReply },
  }
  app.get('/api/operator/matches/:id', { schema: show }, async ({ params: { id } }) => {
    const { match, differences } = await acts.seeMatch(deps, id)
    return ok('Match', { ...shownMatch(match), found: differences.map(shownDifference) })
  })

  const run = {
    tags,
    summary: 'Compare a day now',
    description: 'All providers, in the background; look at the list again after a while.',
    operationId: 'runMatch',
    body: schema.DayBody,
    response: { 200: AskedReply },
  }
  app.post('/api/operator/matches', { schema: run }, async (request) => {
    await acts.askForMatch(deps, { day: request.body.day, actor: actorOf(request) })
    return ok('The day is being compared', { queued: true as const })
  })
}

const timeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null

const shownOperation = (operation: Operation) => ({
  id: operation.id,
  provider: operation.provider,
  mode: operation.mode,
  kind: operation.kind,
  purpose: operation.purpose,
  reference: operation.reference,
  amount: toJson(operation.amount),
  currency: operation.amount.currency,
  phone: operation.phone,
  account: operation.account,
  state: operation.state,
  failure: operation.failure,
  provider_reference: operation.providerReference,
  receipt: operation.receipt,
  confirmed_amount: operation.confirmed === null ? null : toJson(operation.confirmed),
  late_of: operation.lateOf,
  trouble: operation.trouble,
  asks: operation.asks,
  stuck_since: timeOrNull(operation.stuckSince),
  created_at: operation.createdAt.toISOString(),
  sent_at: timeOrNull(operation.sentAt),
  ended_at: timeOrNull(operation.endedAt),
})

const shownWhole = ({ operation, exchanges, deliveries }: acts.OperationSeen) => ({
  ...shownOperation(operation),
  exchanges: exchanges.map(({ what, method, path, request, status, answer, problem, durationMs, at }) => ({
    ...{ what, method, path, request, status, answer, problem },
    duration_ms: durationMs,
    at: at.toISOString(),
  })),
  deliveries: deliveries.map(({ what, body, result, at }) => ({ what, body, result, at: at.toISOString() })),
})

function shownUnmatched(row: funding.UnmatchedRow) {
  const { currency, matched_kind: kind, matched_to: to } = row
  check(isCurrency(currency), 'unmatched money has a currency of the table')
  return {
    id: row.id,
    provider: row.provider,
    mode: row.mode,
    amount: toJson({ minor: row.amount, currency }),
    currency,
    why: row.why,
    meant_for: row.meant_for,
    phone: row.phone,
    status: row.status,
    operation_id: row.operation_id,
    return_due_at: timeOrNull(row.due_at),
    returns_failed: row.returns_failed,
    problem: row.problem,
    return_operation_id: row.return_operation_id,
    matched_to: kind === null || to === null ? null : { kind, id: to },
    created_at: row.created_at.toISOString(),
    ended_at: timeOrNull(row.ended_at),
  }
}

function shownMatch(row: funding.MatchRow) {
  return {
    id: row.id,
    provider: row.provider,
    mode: row.mode,
    day: row.day,
    has_records: row.has_records,
    operations: row.operations,
    postings: row.postings,
    records: row.records,
    repaired: row.repaired,
    differences: row.differences,
    totals: Object.entries(row.totals).map(([currency, { operations, ledger, provider }]) => {
      check(isCurrency(currency), 'totals are in a currency of the table')
      const sums = ({ in: came, out }: { in: string; out: string }) => ({
        in: toJson({ minor: BigInt(came), currency }),
        out: toJson({ minor: BigInt(out), currency }),
      })
      return { currency, operations: sums(operations), ledger: sums(ledger), provider: sums(provider) }
    }),
    compared_at: row.compared_at.toISOString(),
  }
}

function shownDifference(row: funding.DifferenceRow) {
  const { amount, currency } = row
  const known = currency !== null && isCurrency(currency) ? currency : null
  return {
    kind: row.kind,
    detail: row.detail,
    repaired: row.repaired,
    operation_id: row.operation_id,
    posting: row.posting_id === null ? null : String(row.posting_id),
    provider_reference: row.provider_reference,
    amount: amount === null || known === null ? null : toJson({ minor: amount, currency: known }),
    currency: known,
  }
}
