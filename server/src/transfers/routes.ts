import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { pageOf, timeCursor } from '../http/cursor.ts'
import { refusalOf, wrongFields } from '../http/fields.ts'
import { idempotencyHeaders, idempotencyKeyOf, sendAnswer } from '../http/idempotency.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import type { RateLimiter } from '../http/rate-limits.ts'
import { listOf, ok } from '../http/schema.ts'
import { callerOf } from '../http/scope.ts'
import * as ledger from '../ledger/ledger.ts'
import * as recipients from './recipients.ts'
import * as requests from './requests.ts'
import { amountProblem } from './rules.ts'
import * as schema from './schema.ts'
import {
  isUnknownHandle,
  personProblems,
  preview,
  send,
  type TransferDependencies,
  termsOf,
} from './transfers.ts'

export interface TransferRoutes extends TransferDependencies {
  limits: RateLimiter
}

const sending = { tags: ['Send money'] }
const asking = { tags: ['Money requests'] }

export function transferRoutes(app: App, deps: TransferRoutes): void {
  const tools = openTools(deps)
  previewRoute(app, tools)
  sendRoute(app, tools)
  peopleRoutes(app, deps)
  askRoute(app, tools)
  listRoutes(app, deps)
  payRoute(app, tools)
  decideRoutes(app, deps)
}

interface Tools {
  deps: TransferRoutes
  /** Every wrong field at once: those of the schema, and the amount, whose rules depend on its currency. */
  checkFields: (request: FastifyRequest) => void
  /** `route` is its method and template. */
  keyOf: (request: FastifyRequest, route: string, body: object) => ledger.RequestKey | undefined
  /** Something for which the caller has named somebody: handles that nobody has are counted. */
  named: <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>) => T | Promise<T>
  /** The same where no PIN comes first: what is wrong with whom `field` names is told with all other fields. */
  judged: <T>(request: FastifyRequest, reply: FastifyReply, judging: Judging<T>) => T | Promise<T>
}

interface Judging<T> {
  field: 'recipient' | 'from'
  /** Of a request without a wrong field, but perhaps that one. */
  work: () => Promise<T>
}

function openTools(deps: TransferRoutes): Tools {
  const { prices, secrets } = deps
  const wrongIn = (request: FastifyRequest) =>
    wrongFields(request, (refused) => amountProblem(request.body, { prices, refused }))
  const checkFields = (request: FastifyRequest) => {
    // Then the amount is all that can be wrong, and whoever asks for its terms is told.
    const wrong = request.validationError === undefined ? undefined : wrongIn(request)
    if (wrong !== undefined) throw refusalOf(wrong)
  }
  const keyOf = (request: FastifyRequest, route: string, body: object) => {
    const key = idempotencyKeyOf(request)
    if (key === undefined) return undefined
    const id = callerOf(request)
    return ledger.requestKey(secrets.idem, {
      principal: { kind: 'user', id },
      mode: 'live',
      route,
      key,
      body,
    })
  }
  const named: Tools['named'] = (request, reply, work) =>
    deps.limits.attempt('unknownHandles', { request, reply, work, isFailure: isUnknownHandle })
  const judged: Tools['judged'] = (request, reply, { field, work }) => {
    const wrong = wrongIn(request)
    if (wrong === undefined) return named(request, reply, work)
    const { [field]: handle } = request.body as Record<string, unknown>
    if (typeof handle !== 'string' || field in wrong.errors) throw refusalOf(wrong)
    return named(request, reply, async () => {
      const about = await personProblems(deps, { senderId: callerOf(request), handle, field })
      throw refusalOf({ ...wrong, errors: { ...wrong.errors, ...about } })
    })
  }
  return { deps, checkFields, keyOf, named, judged }
}

function previewRoute(app: App, { deps, judged }: Tools): void {
  app.post(
    '/api/send/preview',
    {
      schema: {
        ...sending,
        summary: 'Preview a transfer',
        description: 'What a transfer would cost and who would get it. Moves nothing.',
        operationId: 'previewTransfer',
        body: schema.PreviewBody,
        response: { 200: schema.PreviewReply },
      },
      attachValidation: true,
      config: { limit: 'lookups' },
    },
    async (request, reply) => {
      const work = () => preview(deps, callerOf(request), request.body)
      return ok('Preview', await judged(request, reply, { field: 'recipient', work }))
    },
  )
}

function sendRoute(app: App, { deps, checkFields, keyOf, named }: Tools): void {
  app.post(
    '/api/send',
    {
      schema: {
        ...sending,
        summary: 'Send money',
        description:
          "To another person's wallet, at once. The fee is taken from the amount. Send an `Idempotency-Key` and repeat the request when the answer was lost: the money moves once.",
        operationId: 'sendMoney',
        headers: idempotencyHeaders,
        body: schema.SendBody,
        response: { 200: schema.SendReply },
      },
      attachValidation: true,
      config: { limit: 'pin', waitsFor: 'ledger' },
    },
    async (request, reply) => {
      checkFields(request)
      const { recipient, amount, currency, note, pin } = request.body
      const terms = termsOf(deps, { amount, currency })
      // By value: 1 and 1.0 are the same amount, and so the same request.
      const what = { amount: terms.amount.minor.toString(), currency, note, recipient }
      const key = keyOf(request, 'POST /api/send', what)
      const senderId = callerOf(request)
      const origin = originOf(request)
      const work = () => send(deps, { senderId, pin, origin, recipient, terms, note, key })
      return sendAnswer(reply, await named(request, reply, work))
    },
  )
}

function peopleRoutes(app: App, deps: TransferRoutes): void {
  app.get(
    '/api/users/:handle',
    {
      schema: {
        ...sending,
        summary: 'Look somebody up',
        description: 'The name behind a handle, to be sure before you send.',
        operationId: 'lookUpHandle',
        params: schema.HandleParams,
        response: { 200: schema.PersonReply },
      },
      config: { limit: 'lookups' },
    },
    async (request, reply) => {
      const work = () => recipients.lookUp(deps, request.params.handle)
      const isFailure = (error: unknown) => error instanceof AppError && error.code === 'not_found'
      return ok('Found', await deps.limits.attempt('unknownHandles', { request, reply, work, isFailure }))
    },
  )

  app.get(
    '/api/recipients',
    {
      schema: {
        ...sending,
        summary: 'Recent recipients',
        description:
          'The ten people you sent money to last, the latest first, among the latest 10,000 lines of each wallet.',
        operationId: 'listRecentRecipients',
        response: { 200: schema.RecentReply },
      },
    },
    async (request) => {
      const items = await recipients.recent(deps, callerOf(request))
      return listOf('Recent recipients', { items, nextCursor: null })
    },
  )
}

function askRoute(app: App, { deps, keyOf, judged }: Tools): void {
  app.post(
    '/api/requests',
    {
      schema: {
        ...asking,
        summary: 'Ask for money',
        description:
          'The other person sees the request and may pay it with a PIN, for 30 days. You may have 10 open requests to one person, and 100 in all. They get a mail about the first 5 a day. Send an `Idempotency-Key` and repeat the request when the answer was lost: they are asked once.',
        operationId: 'createMoneyRequest',
        headers: idempotencyHeaders,
        body: schema.RequestBody,
        response: { 201: schema.RequestReply },
      },
      attachValidation: true,
      config: { limit: 'lookups' },
    },
    async (request, reply) => {
      const work = async () => {
        const { from, amount, currency, note } = request.body
        const terms = termsOf(deps, { amount, currency })
        const what = { from, amount: terms.amount.minor.toString(), currency, note }
        const key = keyOf(request, 'POST /api/requests', what)
        return requests.ask(deps, { payeeId: callerOf(request), from, terms, note, key })
      }
      return sendAnswer(reply, await judged(request, reply, { field: 'from', work }))
    },
  )
}

const readPlace = timeCursor(/^mrq_\w{1,30}$/)

function listRoutes(app: App, deps: TransferRoutes): void {
  app.get(
    '/api/requests',
    {
      schema: {
        ...asking,
        summary: 'List money requests',
        description: 'Those you made and those you are asked for, the newest first.',
        operationId: 'listMoneyRequests',
        querystring: schema.RequestsQuery,
        response: { 200: schema.RequestsReply },
      },
      config: { readCursor: readPlace },
    },
    async (request) => {
      const { limit = 25, cursor, direction, status } = request.query
      const place = cursor === undefined ? undefined : readPlace(cursor)
      const before = place && { createdAt: place.at, id: place.id }
      const rows = await requests.list(deps, callerOf(request), { direction, status, before, limit })
      return listOf(
        'Money requests',
        pageOf(rows, limit, (row) => [row.created_at, row.id]),
      )
    },
  )

  app.get(
    '/api/requests/:id',
    {
      schema: {
        ...asking,
        summary: 'Show a money request',
        operationId: 'getMoneyRequest',
        params: schema.RequestParams,
        response: { 200: schema.RequestReply },
      },
    },
    async (request) =>
      ok('Money request', await requests.show(deps, { id: request.params.id, viewer: callerOf(request) })),
  )
}

function payRoute(app: App, { deps, keyOf }: Tools): void {
  app.post(
    '/api/requests/:id/pay',
    {
      schema: {
        ...asking,
        summary: 'Pay a money request',
        description: 'A transfer to the one who asked. The fee is taken from the amount.',
        operationId: 'payMoneyRequest',
        headers: idempotencyHeaders,
        params: schema.RequestParams,
        body: schema.PayBody,
        response: { 200: schema.RequestReply },
      },
      config: { limit: 'pin' },
    },
    async (request, reply) => {
      const { id } = request.params
      const key = keyOf(request, 'POST /api/requests/:id/pay', { id })
      const from = { payer: callerOf(request), pin: request.body.pin, origin: originOf(request) }
      return sendAnswer(reply, await requests.pay(deps, { ...from, id, key }))
    },
  )
}

function decideRoutes(app: App, deps: TransferRoutes): void {
  for (const [path, status, summary] of [
    ['decline', 'declined', 'Decline a money request'],
    ['cancel', 'cancelled', 'Take a money request back'],
  ] as const) {
    app.post(
      `/api/requests/:id/${path}`,
      {
        schema: {
          ...asking,
          summary,
          operationId: `${path}MoneyRequest`,
          params: schema.RequestParams,
          response: { 200: schema.RequestReply },
        },
      },
      async (request) =>
        ok(
          `Request ${status}`,
          await requests.decide(deps, { id: request.params.id, user: callerOf(request), status }),
        ),
    )
  }
}
