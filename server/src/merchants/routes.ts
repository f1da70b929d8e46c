import type { FastifyRequest } from 'fastify'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import type { Secret } from '../base/secret.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { numberCursor, pageOf } from '../http/cursor.ts'
import { refuseFields, refuseTexts, requireNone } from '../http/fields.ts'
import { idempotencyHeaders, idempotencyKeyOf, sendAnswer } from '../http/idempotency.ts'
import type { App } from '../http/instance.ts'
import { loggedInOf } from '../http/origin.ts'
import type { RateLimiter } from '../http/rate-limits.ts'
import { listOf, ok } from '../http/schema.ts'
import * as ledgers from '../ledger/ledger.ts'
import * as notifications from '../notifications/notifications.ts'
import { noBusiness } from './credentials.ts'
import type { EarningsOptions } from './earnings/earnings.ts'
import { balanceRoutes, payoutRoute } from './earnings/routes.ts'
import type { Merchant, Merchants, Mode } from './merchants.ts'
import {
  categoryMax,
  graceHoursDefault,
  hostProblem,
  nameMax,
  networkProblem,
  textProblem,
  websiteProblem,
} from './rules.ts'
import * as schema from './schema.ts'
import { shown, timeOrNull } from './shown.ts'

export { gatewayCaller, keyCaller, ownerCaller } from './authenticate.ts'

export interface MerchantRoutes extends EarningsOptions {
  db: Db
  merchants: Merchants
  limits: RateLimiter
  secrets: { readonly idem: Secret }
  production: boolean
  config: Pick<Config, 'HEADER_PREFIX'>
  events: notifications.EventFeed
  /** What is wrong with an address that notifications are to be sent to, as the end of a sentence. */
  targetProblem: (url: string, mode: Mode) => string | undefined
}

const tags = ['Merchant']

export interface CallingMerchant {
  merchant: Merchant
  /** Of the key; absent when the owner is calling, who may see both. */
  mode: Mode | undefined
}

/** Of a request in one of the scopes of merchants. 404 for somebody who has no business. */
export async function callingMerchant(
  merchants: Merchants,
  request: FastifyRequest,
): Promise<CallingMerchant> {
  const { principal } = request
  check(principal !== null, 'a scope of merchants knows who is calling')
  const merchant = await (principal.merchant === undefined
    ? merchants.byOwner(principal.id)
    : merchants.merchant(principal.merchant))
  if (merchant === undefined) throw noBusiness()
  return { merchant, mode: principal.mode }
}

/** Scope: the owner's token, or the merchant's API key. */
export function merchantRoutes(app: App, deps: MerchantRoutes): void {
  const { merchants } = deps
  logRoutes(app, deps)
  feedRoute(app, deps)
  balanceRoutes(app, earningsOf(deps))
  const show = {
    tags,
    summary: 'Show the business',
    description:
      "With the owner's token or an API key. The owner's first look after the approval shows the live API key and Client Secret. If that answer gets lost, look again: for ten minutes, or until the key is used, it shows them again.",
    operationId: 'getMerchant',
    response: { 200: schema.MerchantReply },
  }
  app.get('/api/merchant', { schema: show, config: { limit: 'merchantReads' } }, async (request) => {
    if (request.principal?.kind === 'user') {
      const look = await merchants.look({ caller: loggedInOf(request), shows: request.method === 'GET' })
      return ok('Your business', shown(deps, look))
    }
    const { merchant } = await callingMerchant(merchants, request)
    return ok(
      'Your business',
      shown(deps, { merchant, credentials: await merchants.credentialsOf(merchant.id) }),
    )
  })
}

/** Scope: the owner's token. */
export function ownerRoutes(app: App, deps: MerchantRoutes): void {
  registerRoute(app, deps)
  profileRoute(app, deps)
  credentialRoutes(app, deps)
  replayRoutes(app, deps)
  exampleRoute(app, deps)
  payoutRoute(app, earningsOf(deps))
}

const earningsOf = (deps: MerchantRoutes) => ({
  ...deps,
  calling: (request: FastifyRequest) => callingMerchant(deps.merchants, request),
})

const addressJudges = ({ production, targetProblem }: MerchantRoutes) => ({
  website_url: (text: string) => websiteProblem(text, { production }),
  ipn_url: (text: string) => targetProblem(text, 'live'),
  callback_url: (text: string) => targetProblem(text, 'live'),
})

function registerRoute(app: App, deps: MerchantRoutes): void {
  const { merchants, limits } = deps
  const register = {
    tags,
    summary: 'Register a business',
    description:
      'One a person; a rejected one may apply again. An operator reviews it within 24 hours and tells you by e-mail. The answer shows the test API key and Client Secret: test mode works at once. With an `Idempotency-Key` the same answer can be had again for ten minutes.',
    operationId: 'registerMerchant',
    headers: idempotencyHeaders,
    body: schema.Application,
    response: { 201: schema.MerchantReply },
  }
  app.post('/api/merchant/register', { schema: register, attachValidation: true }, async (request, reply) => {
    refuseTexts(request, {
      ...addressJudges(deps),
      business_name: (text) => textProblem(text, { most: nameMax }),
      category: (text) => textProblem(text, { most: categoryMax }),
    })
    await limits.count('applications', request, reply)
    const { body } = request
    const stored = await merchants.register({
      application: {
        businessName: body.business_name,
        category: body.category,
        websiteUrl: body.website_url,
        ipnUrl: body.ipn_url,
        callbackUrl: body.callback_url,
        settlementCurrency: body.settlement_currency,
      },
      caller: loggedInOf(request),
      key: keyOf(deps, request),
      answerOf: (made) => ({
        status: 201,
        body: JSON.stringify(ok('Your business is being reviewed', shown(deps, made))),
      }),
    })
    return sendAnswer(reply, stored)
  })
}

function profileRoute(app: App, deps: MerchantRoutes): void {
  const { merchants, production } = deps
  const change = {
    tags,
    summary: 'Change the profile of the business',
    description:
      'What is left out stays as it is. Another host of the website, new hosts and other addresses need the password.',
    operationId: 'changeMerchant',
    body: schema.ProfileChange,
    response: { 200: schema.MerchantReply },
  }
  app.patch('/api/merchant', { schema: change, attachValidation: true }, async (request) => {
    refuseTexts(request, {
      ...addressJudges(deps),
      redirect_hosts: (text) => hostProblem(text, { production }),
      allowed_addresses: networkProblem,
    })
    const { body } = request
    const merchant = await merchants.changeProfile({
      change: {
        websiteUrl: body.website_url,
        ipnUrl: body.ipn_url,
        callbackUrl: body.callback_url,
        settlementCurrency: body.settlement_currency,
        redirectHosts: body.redirect_hosts,
        allowedAddresses: body.allowed_addresses,
        password: body.password,
      },
      caller: loggedInOf(request),
    })
    return ok('Changed', shown(deps, { merchant, credentials: await merchants.credentialsOf(merchant.id) }))
  })
}

function credentialRoutes(app: App, deps: MerchantRoutes): void {
  const { merchants, limits } = deps
  const reveal = {
    tags,
    summary: 'Show a Client Secret again',
    description: 'It signs the notifications. API keys can not be shown again, only rotated.',
    operationId: 'revealClientSecret',
    body: schema.RevealBody,
    response: { 200: schema.RevealReply },
  }
  app.post('/api/merchant/credentials/reveal', { schema: reveal }, async (request, reply) => {
    await limits.count('reveals', request, reply)
    const { mode, password } = request.body
    const secret = await merchants.reveal({ mode, password, caller: loggedInOf(request) })
    return ok('Keep it where nobody else can read it', { mode, client_secret: secret })
  })

  const rotate = {
    tags,
    summary: 'Rotate an API key or a Client Secret',
    description:
      'The old one works until the grace ends. During the grace of a Client Secret the signature header stays with the old one, and the headers for several signatures carry both. At most two work at a time: a third drops the oldest. With an `Idempotency-Key` the same answer can be had again for ten minutes.',
    operationId: 'rotateKey',
    headers: idempotencyHeaders,
    body: schema.RotateBody,
    response: { 200: schema.RotateReply },
  }
  app.post('/api/merchant/rotate-key', { schema: rotate }, async (request, reply) => {
    await limits.count('rotations', request, reply)
    const {
      mode = 'live',
      what = 'api_key',
      grace_hours: graceHours = graceHoursDefault,
      password,
    } = request.body
    const stored = await merchants.rotate({
      mode,
      what,
      graceHours,
      password,
      caller: loggedInOf(request),
      key: keyOf(deps, request),
      answerOf: (value, previousUntil) => {
        const data = { mode, what, value, previous_valid_until: timeOrNull(previousUntil) }
        return { status: 200, body: JSON.stringify(ok('Rotated', data)) }
      },
    })
    return sendAnswer(reply, stored)
  })
}

function logRoutes(app: App, { db, merchants }: MerchantRoutes): void {
  const config = { limit: 'merchantReads' } as const
  const list = {
    tags,
    summary: 'List notifications',
    description:
      'What your servers were told or will be, the newest first. An API key sees those of its own mode.',
    operationId: 'listNotifications',
    querystring: schema.NotificationQuery,
    response: { 200: schema.NotificationList },
  }
  const listing = { schema: list, config: { ...config, readCursor: numberCursor } } as const
  app.get('/api/merchant/notifications', listing, async (request) => {
    const { limit = 25, cursor, status, mode: wanted, reference: subject } = request.query
    const { merchant, mode = wanted } = await callingMerchant(merchants, request)
    const before = cursor === undefined ? undefined : numberCursor(cursor)
    const page = { merchant: merchant.id, mode, subject, status, before, limit: limit + 1 }
    const rows = await notifications.list(db, page)
    const { items, nextCursor } = pageOf(rows, limit, (row) => [String(row.number)])
    return listOf('Notifications', { items: items.map(({ notification }) => notification), nextCursor })
  })

  const show = {
    tags,
    summary: 'Show a notification with every attempt',
    operationId: 'getNotification',
    params: schema.NotificationParams,
    response: { 200: schema.NotificationReply },
  }
  app.get('/api/merchant/notifications/:id', { schema: show, config }, async (request) => {
    const { merchant, mode } = await callingMerchant(merchants, request)
    const found = await notifications.show(db, { merchant: merchant.id, id: request.params.id })
    if (found === undefined || (mode !== undefined && found.mode !== mode)) throw noNotification()
    return ok('Notification', found)
  })

  const endpoints = {
    tags,
    summary: 'List addresses that have trouble',
    description: 'Those that fail, and those that nothing is sent to any more.',
    operationId: 'listEndpoints',
    response: { 200: schema.EndpointList },
  }
  app.get('/api/merchant/endpoints', { schema: endpoints, config }, async (request) => {
    const { merchant, mode } = await callingMerchant(merchants, request)
    const items = await notifications.endpoints(db, { merchant: merchant.id, mode })
    return listOf('Addresses that have trouble', { items, nextCursor: null })
  })
}

function feedRoute(app: App, { merchants, events }: MerchantRoutes): void {
  const feed = {
    tags,
    summary: 'Ask for the events of test mode',
    description:
      'For a computer that has no public address: what would be sent to it, signed, each event once and in order. Ask again with `after` every second or so. Test mode only: a live key is refused, an owner sees what is of test mode.',
    operationId: 'listEvents',
    querystring: schema.FedQuery,
    response: { 200: schema.EventFeed },
  }
  const options = { schema: feed, attachValidation: true, config: { limit: 'merchantReads' } } as const
  app.get('/api/merchant/events', options, async (request) => {
    const { after, limit = 25 } = request.query
    refuseFields(request, () => (typeof after === 'string' ? notifications.positionProblems(after) : {}))
    const { merchant, mode } = await callingMerchant(merchants, request)
    if (mode === 'live') throw new AppError('forbidden', { detail: 'Ask with the API key of test mode.' })
    const page = await events({ merchant: merchant.id, after, limit })
    return { ...ok('Events', page.events), meta: { next_after: page.position } }
  })
}

const noNotification = () => new AppError('not_found', { detail: 'You have no such notification.' })

function replayRoutes(app: App, { db, merchants }: MerchantRoutes): void {
  const config = { limit: 'replays' } as const
  const one = {
    tags,
    summary: 'Send a notification once more',
    description: 'With the same id and the same bytes, signed with the present Client Secret.',
    operationId: 'replayNotification',
    params: schema.NotificationParams,
    response: { 200: schema.NotificationReply },
  }
  app.post('/api/merchant/notifications/:id/replay', { schema: one, config }, async (request) => {
    const { id } = request.params
    const merchant = await merchants.replay({ id, caller: loggedInOf(request) })
    const found = await notifications.show(db, { merchant, id })
    if (found === undefined) throw noNotification()
    return ok('It is on its way', found)
  })

  const range = {
    tags,
    summary: 'Send all that did not arrive once more',
    description: 'Those of a time range that failed or are held.',
    operationId: 'replayNotifications',
    body: schema.RangeBody,
    response: { 200: schema.RangeReply },
  }
  app.post('/api/merchant/notifications/replay', { schema: range, config }, async (request) => {
    const { from, to, mode } = request.body
    const caller = loggedInOf(request)
    return ok(
      'On their way',
      await merchants.replayRange({ from: new Date(from), to: new Date(to), mode, caller }),
    )
  })

  const resume = {
    tags,
    summary: 'Use an address again that was given up',
    description: 'New notifications are sent to it. What is held stays held until you have it sent.',
    operationId: 'resumeEndpoint',
    body: schema.ResumeBody,
    response: { 200: schema.ResumeReply },
  }
  app.post('/api/merchant/endpoints/resume', { schema: resume, config }, async (request) => {
    await merchants.resume({ ...request.body, caller: loggedInOf(request) })
    return ok('Notifications are sent there again', null)
  })
}

function exampleRoute(app: App, { db, merchants, targetProblem }: MerchantRoutes): void {
  const send = {
    tags,
    summary: 'Try a receiver',
    description:
      'Sends an example, signed with the Client Secret of test mode and delivered like all others.',
    operationId: 'sendTestNotification',
    body: schema.ExampleBody,
    response: { 200: schema.NotificationReply },
  }
  const config = { limit: 'examples' } as const
  app.post(
    '/api/merchant/test-notification',
    { schema: send, config, attachValidation: true },
    async (request) => {
      const { body } = request
      const { kind = 'callback', event = 'payment.completed' } = body ?? {}
      // The schema may have refused it for being no text.
      const isText = typeof event === 'string'
      const wrongEvent: Record<string, string> =
        kind === 'gateway' && isText && !/completed|failed/.test(event)
          ? { event: 'Event must be payment.completed or payment.failed for the gateway' }
          : {}
      refuseFields(request, (refused) => {
        const problem = typeof body?.url === 'string' ? targetProblem(body.url, 'test') : undefined
        const wrong = problem === undefined ? {} : { url: `Url ${problem}` }
        // Alone the event is told later, with an address that is missing.
        return Object.keys({ ...refused, ...wrong }).length === 0 ? {} : { ...wrongEvent, ...wrong }
      })
      const { merchant } = await callingMerchant(merchants, request)
      const url = body.url ?? (kind === 'gateway' ? merchant.ipnUrl : merchant.callbackUrl)
      requireNone({
        ...(url === undefined
          ? { url: 'Url is required, since the business has no address of its own' }
          : {}),
        ...wrongEvent,
      })
      const sent = await merchants.sendExample({ url: url ?? '', kind, event, caller: loggedInOf(request) })
      const found = await notifications.show(db, sent)
      if (found === undefined) throw noNotification()
      return ok('It is on its way', found)
    },
  )
}

/** The password is not part of what makes two requests the same. */
function keyOf({ secrets }: MerchantRoutes, request: FastifyRequest) {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return undefined
  const { user } = loggedInOf(request)
  const route = `${request.method} ${request.routeOptions.url}`
  const principal = { kind: 'user', id: user }
  return ledgers.requestKey(secrets.idem, {
    principal,
    mode: 'live',
    route,
    key,
    body: request.body as object,
  })
}
