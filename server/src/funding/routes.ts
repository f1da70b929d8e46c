import type { FastifyRequest } from 'fastify'
import type { Prices } from '../base/prices.ts'
import type { Secret } from '../base/secret.ts'
import { refusalOf, wrongFields } from '../http/fields.ts'
import { idempotencyHeaders, idempotencyKeyOf, sendAnswer } from '../http/idempotency.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import { listOf, ok } from '../http/schema.ts'
import { callerOf } from '../http/scope.ts'
import * as ledger from '../ledger/ledger.ts'
import type { Operations } from '../operations/operations.ts'
import type { Funding, OrderAsked } from './funding.ts'
import { termsOf } from './room.ts'
import { amountProblem, type OrderKind } from './rules.ts'
import * as schema from './schema.ts'

export interface FundingRoutes {
  funding: Funding
  operations: Operations
  prices: Prices
  secrets: { readonly idem: Secret }
  config: { readonly BRAND_NAME: string }
}

const tags = ['Deposit and withdraw']

/** Scope: people with a token. */
export function fundingRoutes(app: App, deps: FundingRoutes): void {
  methodsRoute(app, deps)
  depositRoute(app, deps)
  withdrawPreviewRoute(app, deps)
  withdrawRoute(app, deps)
}

function methodsRoute(app: App, { operations, config }: FundingRoutes): void {
  const own = {
    id: 'wallet',
    name: config.BRAND_NAME,
    kind: 'wallet',
    fields: [],
    health: 'up',
    prefixes: [],
  } as const
  app.get(
    '/api/methods',
    {
      schema: {
        tags,
        summary: 'Ways to bring money in or out',
        description:
          'The providers that serve a currency, the healthy ones first; for payments the wallet comes before them. There are a few at most, so `next_cursor` is always null.',
        operationId: 'listMethods',
        querystring: schema.MethodsQuery,
        response: { 200: schema.MethodsReply },
      },
    },
    async ({ query: { currency, purpose } }) => {
      const methods = await operations.methods({ currency, purpose, mode: 'live' })
      const shown = methods.map(({ id, name, kind, fields, health, prefixes }) => ({
        id,
        name,
        kind,
        fields: [...fields],
        health,
        prefixes: [...prefixes],
      }))
      const wallet = { ...own, fields: [...own.fields], prefixes: [...own.prefixes] }
      const items = purpose === 'payment' ? [wallet, ...shown] : shown
      return listOf('Methods', { items, nextCursor: null })
    },
  )
}

function depositRoute(app: App, deps: FundingRoutes): void {
  app.post(
    '/api/deposit/initiate',
    {
      schema: {
        tags,
        summary: 'Start a deposit',
        description:
          'The provider asks you for the money: on the phone, or on a page of its own. Your wallet is credited when it has confirmed, once, however often it confirms. Send an `Idempotency-Key` and repeat the request when the answer was lost: you are asked once. A phone that was asked six times within 15 minutes without paying, by whomever, is left in peace until they have passed: 429.',
        operationId: 'initiateDeposit',
        headers: idempotencyHeaders,
        body: schema.DepositBody,
        response: { 200: schema.DepositReply },
      },
      attachValidation: true,
      config: { limit: 'deposits' },
    },
    async (request, reply) => {
      await checkOrder(deps, request, 'deposit')
      const asked = request.body
      const key = keyOf(deps, request, { ...asked, amount: minorOf(deps, asked, 'deposit') })
      return sendAnswer(reply, await deps.funding.deposit({ userId: callerOf(request), asked, key }))
    },
  )
}

function withdrawPreviewRoute(app: App, deps: FundingRoutes): void {
  app.post(
    '/api/withdraw/preview',
    {
      schema: {
        tags,
        summary: 'Preview a withdrawal',
        description: 'What a withdrawal would cost, and whether the method can do it. Moves nothing.',
        operationId: 'previewWithdrawal',
        body: schema.WithdrawPreviewBody,
        response: { 200: schema.WithdrawPreviewReply },
      },
      attachValidation: true,
    },
    async (request) => {
      await checkOrder(deps, request, 'withdrawal')
      const userId = callerOf(request)
      return ok('Preview', await deps.funding.previewWithdrawal({ userId, asked: request.body }))
    },
  )
}

function withdrawRoute(app: App, deps: FundingRoutes): void {
  app.post(
    '/api/withdraw',
    {
      schema: {
        tags,
        summary: 'Withdraw money',
        description:
          'To a phone or a bank account. Amount and fee are held in your wallet at once, leave it when the provider has confirmed, and come back whole when it refuses. Send an `Idempotency-Key` and repeat the request when the answer was lost: the money leaves once.',
        operationId: 'withdraw',
        headers: idempotencyHeaders,
        body: schema.WithdrawBody,
        response: { 200: schema.WithdrawReply },
      },
      attachValidation: true,
      config: { limit: 'pin' },
    },
    async (request, reply) => {
      checkFields(deps, request, 'withdrawal')
      const { pin, ...asked } = request.body
      const key = keyOf(deps, request, { ...asked, amount: minorOf(deps, asked, 'withdrawal') })
      const origin = originOf(request)
      const userId = callerOf(request)
      return sendAnswer(reply, await deps.funding.withdraw({ userId, pin, origin, asked, key }))
    },
  )
}

const wrongIn = ({ prices }: FundingRoutes, request: FastifyRequest, kind: OrderKind) =>
  wrongFields(request, (refused) => amountProblem(request.body, { kind, prices, refused }))

/** Every wrong field at once: those of the schema, and the amount, whose rules depend on its currency. */
function checkFields(deps: FundingRoutes, request: FastifyRequest, kind: OrderKind): void {
  const wrong = wrongIn(deps, request, kind)
  if (wrong !== undefined) throw refusalOf(wrong)
}

/** The same where no PIN comes first, with what the method needs and does not serve. */
async function checkOrder(deps: FundingRoutes, request: FastifyRequest, kind: OrderKind): Promise<void> {
  const wrong = wrongIn(deps, request, kind)
  if (wrong === undefined) return
  const { errors } = wrong
  if ('currency' in errors || 'method' in errors) throw refusalOf(wrong)
  const good = Object.entries(request.body as object).filter(([field]) => !(field in errors))
  const asked = Object.fromEntries(good) as unknown as OrderAsked
  const others = await deps.funding.problems({ kind, userId: callerOf(request), asked })
  throw refusalOf({ ...wrong, errors: { ...others, ...errors } })
}

/** By value: 1 and 1.0 are the same amount, and so the same request. */
const minorOf = (deps: FundingRoutes, asked: OrderAsked, kind: OrderKind): string =>
  String(termsOf(deps, { ...asked, kind }).amount.minor)

function keyOf(
  { secrets }: FundingRoutes,
  request: FastifyRequest,
  body: object,
): ledger.RequestKey | undefined {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return undefined
  const principal = { kind: 'user', id: callerOf(request) }
  const route = `${request.method} ${request.routeOptions.url}`
  return ledger.requestKey(secrets.idem, { principal, mode: 'live', route, key, body })
}
