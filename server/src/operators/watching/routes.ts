// What operators watch: how the service is, and what shops did not hear.
import type { FastifyRequest } from 'fastify'
import * as background from '../../background/background.ts'
import { AppError } from '../../base/errors.ts'
import { numberCursor, pageOf } from '../../http/cursor.ts'
import type { App } from '../../http/instance.ts'
import { listOf, ok } from '../../http/schema.ts'
import * as ledgers from '../../ledger/ledger.ts'
import * as mail from '../../mail/mail.ts'
import * as merchants from '../../merchants/merchants.ts'
import * as notifications from '../../notifications/notifications.ts'
import { type Actor, record } from '../operators.ts'
import type { ProviderDependencies } from '../providers/acts.ts'
import { MerchantParams } from '../schema.ts'
import * as schema from './schema.ts'

export interface WatchingDependencies extends ProviderDependencies {
  health: {
    readonly version: string
    readiness(): Promise<{ ready: boolean; reasons: string[] }>
  }
}

interface Watching {
  deps: WatchingDependencies
  actorOf: (request: FastifyRequest) => Actor
}

const tags = ['Operator']

export function watchingRoutes(app: App, watching: Watching): void {
  systemRoute(app, watching)
  notificationRoutes(app, watching)
}

function systemRoute(app: App, { deps }: Watching): void {
  const show = {
    tags,
    summary: 'How the service is',
    description: 'As the process that answers sees it. The metrics of the private port say more.',
    operationId: 'getSystem',
    response: { 200: schema.SystemReply },
  }
  app.get('/api/operator/system', { schema: show }, async () => ok('System', await systemOf(deps)))
}

async function systemOf(deps: WatchingDependencies) {
  const { db, clock, health, operations } = deps
  const now = clock.now()
  const [{ ready, reasons }, jobs, outbox, check, live, test, mails, troubled] = await Promise.all([
    health.readiness(),
    background.state(db),
    notifications.waiting(db, now),
    ledgers.latestCheck(db),
    operations.health('live'),
    operations.health('test'),
    mail.countWaiting(db),
    notifications.troubledEndpoints(db),
  ])
  const graded = (mode: 'live' | 'test', states: typeof live) =>
    [...states].map(([provider, state]) => ({ provider, mode, health: state }))
  return {
    version: health.version,
    time: now.toISOString(),
    ready,
    reasons,
    jobs: {
      waiting: jobs?.waiting ?? 0,
      failed: jobs?.failed ?? 0,
      oldest_seconds: Math.round(jobs?.oldestSeconds ?? 0),
      workers: jobs?.workers ?? 0,
    },
    notifications: {
      waiting: outbox.waiting,
      oldest_seconds: Math.round(outbox.oldestSeconds),
      endpoints_in_trouble: troubled.length,
    },
    mails,
    providers: [...graded('live', live), ...graded('test', test)],
    books: check === undefined ? null : { ok: check.ok, checked_at: check.startedAt.toISOString() },
  }
}

function notificationRoutes(app: App, { deps, actorOf }: Watching): void {
  const { db } = deps
  const endpoints = {
    tags,
    summary: 'Addresses that have trouble',
    description: 'Of all businesses: those that fail, and those that were given up. The longest first.',
    operationId: 'listTroubledEndpoints',
    response: { 200: schema.EndpointList },
  }
  app.get('/api/operator/endpoints', { schema: endpoints }, async () =>
    listOf('Addresses', { items: await notifications.troubledEndpoints(db), nextCursor: null }),
  )

  const list = {
    tags,
    summary: 'Notifications of a business',
    description: 'The newest first.',
    operationId: 'listNotificationsOfMerchant',
    params: MerchantParams,
    querystring: notifications.NotificationQuery,
    response: { 200: schema.NotificationList },
  }
  const listing = { schema: list, config: { readCursor: numberCursor } } as const
  app.get('/api/operator/merchants/:merchant_id/notifications', listing, async (request) => {
    const { limit = 25, cursor, mode, status, reference: subject } = request.query
    const before = cursor === undefined ? undefined : numberCursor(cursor)
    const merchant = Number(request.params.merchant_id)
    if ((await deps.merchants.merchant(merchant)) === undefined) throw merchants.noSuchMerchant()
    const rows = await notifications.list(db, { merchant, mode, status, subject, before, limit: limit + 1 })
    const { items, nextCursor } = pageOf(rows, limit, ({ number }) => [String(number)])
    return listOf('Notifications', { items: items.map(({ notification }) => notification), nextCursor })
  })

  const show = {
    tags,
    summary: 'Show a notification with every attempt',
    description: 'With the address that was connected to, and what the system said.',
    operationId: 'getNotificationAsOperator',
    params: notifications.NotificationParams,
    response: { 200: schema.NotificationReply },
  }
  app.get('/api/operator/notifications/:id', { schema: show }, async ({ params: { id } }) =>
    ok('Notification', await seen(deps, id)),
  )

  const replay = {
    tags,
    summary: 'Send a notification of a business once more',
    description: 'With the same id and the same bytes.',
    operationId: 'replayNotificationAsOperator',
    params: notifications.NotificationParams,
    response: { 200: schema.NotificationReply },
  }
  app.post('/api/operator/notifications/:id/replay', { schema: replay }, async (request) => {
    const { id } = request.params
    const { merchant_id: merchant } = await seen(deps, id)
    await db.inTransaction(async (tx) => {
      await notifications.replay(tx, { merchant, id, at: deps.clock.now() })
      await record(deps, tx, { action: 'notification.replayed', object: id, actor: actorOf(request) })
    })
    return ok('It is on its way', await seen(deps, id))
  })
}

async function seen({ db }: WatchingDependencies, id: string) {
  const found = await notifications.showToOperator(db, id)
  if (found === undefined) throw new AppError('not_found', { detail: 'There is no such notification.' })
  return found
}
