// Composition: makes what the rooms need, opens the scopes and registers the rooms in them. Contains no rule.
import { fileURLToPath } from 'node:url'
import type { FastifyRequest } from 'fastify'
import * as audit from './audit/audit.ts'
import { auditJobs } from './audit/jobs.ts'
import type { Cron, Task } from './background/background.ts'
import { check } from './base/check.ts'
import { AppError } from './base/errors.ts'
import { campaignJobs } from './campaigns/jobs.ts'
import { campaignFiles, campaignPages } from './campaigns/pages.ts'
import { campaignOversightRoutes, campaignRoutes } from './campaigns/routes.ts'
import { openCheckout } from './checkout/checkout.ts'
import { checkoutJobs } from './checkout/jobs.ts'
import { checkoutFiles, checkoutPages, checkoutVisitor } from './checkout/pages.ts'
import type { Dependencies } from './dependencies.ts'
import { fundingJobs } from './funding/jobs.ts'
import { fundingRoutes } from './funding/routes.ts'
import { groupJobs } from './groups/jobs.ts'
import { groupPages } from './groups/pages.ts'
import { groupOversightRoutes, groupRoutes } from './groups/routes.ts'
import type { Health } from './health/health.ts'
import { healthRoutes } from './health/routes.ts'
import { bearerOf } from './http/bearer.ts'
import { crowdSeen } from './http/crowd.ts'
import { type Http, openHttp } from './http/http.ts'
import type { App } from './http/instance.ts'
import { documentRoute } from './http/openapi.ts'
import { openScope } from './http/scope.ts'
import { type Checked, ledgerJobs } from './ledger/jobs.ts'
import { mailJobs } from './mail/jobs.ts'
import { merchantJobs } from './merchants/jobs.ts'
import * as merchantsRoom from './merchants/merchants.ts'
import {
  callingMerchant,
  gatewayCaller,
  keyCaller,
  merchantRoutes,
  ownerCaller,
  ownerRoutes,
} from './merchants/routes.ts'
import type { Metrics } from './metrics/metrics.ts'
import { notificationsJobs } from './notifications/jobs.ts'
import * as notifications from './notifications/notifications.ts'
import { operationCallbacks } from './operations/callbacks.ts'
import { operationsJobs } from './operations/jobs.ts'
import { operatorAdmission, operatorRoutes, secondFactorRoutes } from './operators/routes.ts'
import { paymentJobs } from './payments/jobs.ts'
import * as paymentsRoom from './payments/payments.ts'
import {
  gatewayRoutes,
  merchantPaymentRoutes,
  type PaymentRoutes,
  paymentOversightRoutes,
  payRoutes,
} from './payments/routes.ts'
import { sealingJobs } from './sealing.ts'
import { readNotFoundPage } from './site/pages.ts'
import { siteRoutes } from './site/routes.ts'
import { receiptPages } from './transactions/pages.ts'
import { personHistoryRoutes, transactionRoutes } from './transactions/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import { usersJobs } from './users/jobs.ts'
import { authRoutes, meRoutes } from './users/routes.ts'
import * as usersRoom from './users/users.ts'
import { walletRoutes } from './wallets/routes.ts'

export interface AppParts extends Dependencies {
  health: Health
  metrics: Metrics
  /** Where the built pages are. */
  webDir?: string
  /** Where the example shop is, if there is one. */
  shopUrl?: string | undefined
  /** For tests: to watch every answer, and to add probes to the service's own rooms. */
  beforeRooms?: (http: Http) => void
  more?: (http: Http) => Promise<void>
}

const builtPages = fileURLToPath(new URL('../../web/dist', import.meta.url))

export async function buildApp(parts: AppParts): Promise<App> {
  const { config, log, health, metrics, webDir = builtPages } = parts
  const refusals = audit.openRefusals(parts)
  const http = await openHttp({
    brandName: config.BRAND_NAME,
    baseUrl: parts.baseUrl,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    rateLimits: { enabled: config.RATE_LIMITS === 'on', redisUrl: config.REDIS_URL },
    requestsMax: config.REQUESTS_MAX,
    isBusy: busySigns(parts),
    onServed: (served) => {
      metrics.served(served)
      if (served.refused !== undefined) refusals.note({ ...served, ...served.refused })
    },
    notFoundPage: readNotFoundPage(webDir),
    headerPrefix: config.HEADER_PREFIX,
    webhooks: paymentsRoom.paymentWebhooks(config.HEADER_PREFIX),
    onLeakedKey: parts.merchants.noteLeak,
  })
  const { app } = http
  app.addHook('onClose', refusals.idle)
  parts.beforeRooms?.(http)

  await openScope(http, {
    limit: 'anonymous',
    routes: (scope) => {
      healthRoutes(scope, { health })
      documentRoute(scope)
    },
  })
  await openPeopleScopes(http, parts)
  await openMerchantScopes(http, parts)
  await openScope(http, {
    limit: 'credential',
    recognise: (request) => parts.users.authenticate(bearerOf(request)),
    admit: operatorAdmission(parts),
    security: 'operator',
    routes: (scope) => {
      operatorRoutes(scope, parts)
      campaignOversightRoutes(scope, parts)
      paymentOversightRoutes(scope, parts)
      groupOversightRoutes(scope, parts)
      const historySources = historySourcesOf(parts)
      personHistoryRoutes(scope, { ...parts, personOf: parts.users.person, historySources })
    },
  })
  await openCheckoutScope(http, parts)
  await openScope(http, { limit: 'pages', routes: (scope) => campaignPages(scope, parts) })
  await openScope(http, { limit: 'hooks', routes: (scope) => operationCallbacks(scope, parts) })
  await openScope(http, {
    limit: 'pages',
    routes: async (scope) => {
      receiptPages(scope)
      groupPages(scope, { brandName: config.BRAND_NAME })
      checkoutFiles(scope)
      campaignFiles(scope)
      await siteRoutes(scope, { webDir, shopUrl: parts.shopUrl })
    },
  })
  await parts.more?.(http)
  await app.ready()
  return app
}

/** Who waits for the database waits so long and no longer: when others have waited for half of that, it is too long. */
function busySigns({ config, db, ledger }: AppParts) {
  const longMs = config.DATABASE_WAIT_SECONDS * 500
  return {
    database: crowdSeen({ waitedMs: () => Math.max(db.waitedMs(), ledger.waitedMs()), longMs }),
    ledger: crowdSeen({ waitedMs: ledger.waitedMs, longMs }),
  }
}

const historySourcesOf = ({ funding, payments }: AppParts) => [funding.history, payments.history]

/** What people do: without a credential to get one, then with the token that they got. */
async function openPeopleScopes(http: Http, parts: AppParts): Promise<void> {
  const { users } = parts
  const person = async (id: string) => {
    const found = await users.person(id)
    check(found !== undefined, 'a token belongs to somebody')
    return found
  }
  const defaultWalletOf = async (id: string) => {
    const { country, createdAt } = await person(id)
    return { currency: usersRoom.defaultCurrency(country), openedAt: createdAt }
  }
  await openScope(http, {
    limit: 'anonymous',
    routes: (scope) => authRoutes(scope, { ...parts, limits: http.limits }),
  })
  await openScope(http, {
    limit: 'credential',
    recognise: (request) => users.authenticate(bearerOf(request)),
    security: 'user',
    routes: (scope) => {
      meRoutes(scope, parts)
      walletRoutes(scope, { ...parts, defaultWalletOf })
      transactionRoutes(scope, {
        ...parts,
        personOf: users.person,
        historySources: historySourcesOf(parts),
      })
      fundingRoutes(scope, parts)
      campaignRoutes(scope, parts)
      transferRoutes(scope, { ...parts, limits: http.limits })
      secondFactorRoutes(scope, { ...parts, limits: http.limits })
      groupRoutes(scope, parts)
    },
  })
}

/** What businesses do: their owners with the token of their login, their servers with an API key. */
async function openMerchantScopes(http: Http, parts: AppParts): Promise<void> {
  const { config, users } = parts
  const user = (request: FastifyRequest) => users.authenticate(bearerOf(request))
  const dependencies = {
    ...parts,
    limits: http.limits,
    production: config.production,
    events: notifications.openEventFeed({ ...parts, keysOf: parts.merchants.keysOf }),
    targetProblem: (url: string, mode: 'live' | 'test') =>
      notifications.checkTarget(url, { mode, config })[0],
  }
  await openScope(http, {
    limit: 'credential',
    recognise: user,
    security: 'user',
    refusals: { 404: 'You have registered no business.' },
    routes: (scope) => ownerRoutes(scope, dependencies),
  })
  const payments = paymentParts(parts)
  await openScope(http, {
    limit: 'merchantReads',
    recognise: ownerCaller({ config, user }),
    authenticate: keyCaller(parts),
    security: ['user', 'merchantKey'],
    refusals: { 404: 'You have registered no business.' },
    routes: (scope) => {
      merchantRoutes(scope, dependencies)
      merchantPaymentRoutes(scope, payments)
    },
  })
  await openScope(http, {
    limit: 'payments',
    authenticate: gatewayCaller(parts),
    security: 'merchantId + apiKey',
    routes: (scope) => gatewayRoutes(scope, payments),
  })
  await openScope(http, {
    limit: 'payments',
    authenticate: keyCaller(parts),
    security: 'merchantKey',
    routes: (scope) => payRoutes(scope, payments),
  })
}

/** What the routes of payments ask of merchants. */
function paymentParts(parts: AppParts): PaymentRoutes {
  const { config, merchants, users } = parts
  const { production } = config
  return {
    ...parts,
    callerOf: async (request) => {
      const { merchant, mode } = await callingMerchant(merchants, request)
      const { id, businessName, ipnUrl = null, callbackUrl = null } = merchant
      return { merchant: id, name: businessName, mode, ipnUrl, callbackUrl }
    },
    leaveOf: async (id) => {
      const merchant = await merchants.merchant(id)
      check(merchant !== undefined, 'a merchant who is calling exists')
      return merchants.leave(merchant)
    },
    requireActive: async ({ principal }) => {
      const person = principal?.kind === 'user' ? await users.person(principal.id) : undefined
      if (person?.frozen) throw new AppError('account_frozen')
    },
    urlProblem: async (url, { use, merchant, mode }) => {
      if (use === 'notify') return notifications.checkTarget(url, { mode, config })[0]
      const found = await merchants.merchant(merchant)
      check(found !== undefined, 'a merchant who is calling exists')
      return merchantsRoom.redirectProblem(url, { ...found, mode, production })
    },
  }
}

/** What customers of businesses do: whoever has the link of a payment may look at it, and pay it. */
async function openCheckoutScope(http: Http, parts: AppParts): Promise<void> {
  const checkout = openCheckout({ ...parts, production: parts.config.production })
  await openScope(http, {
    limit: 'checkout',
    recognise: checkoutVisitor,
    routes: (scope) => checkoutPages(scope, { ...parts, checkout, limits: http.limits }),
  })
}

/** The background tasks of all rooms, by name, and when those run that nobody asks for. */
export function buildTasks(dependencies: Dependencies): { tasks: Record<string, Task>; crons: Cron[] } {
  const rooms = [
    auditJobs(dependencies),
    campaignJobs(dependencies),
    checkoutJobs(dependencies),
    fundingJobs(dependencies),
    groupJobs(dependencies),
    ledgerJobs({ ...dependencies, onChecked: (checked) => noteCheck(dependencies, checked) }),
    mailJobs(dependencies),
    merchantJobs(dependencies),
    notificationsJobs({ ...dependencies, onTrouble: dependencies.merchants.tellTrouble }),
    operationsJobs(dependencies),
    paymentJobs(dependencies),
    sealingJobs(dependencies),
    usersJobs(dependencies),
  ]
  return {
    tasks: Object.assign({}, ...rooms.map(({ tasks }) => tasks)),
    crons: rooms.flatMap(({ crons }) => crons),
  }
}

/** What a check of the books found, each night and when it was asked for. */
const noteCheck = ({ db, clock }: Dependencies, { ok, ...details }: Checked): Promise<void> =>
  db.inTransaction((tx) =>
    audit.record(tx, {
      actor: { kind: 'system', id: 'ledger' },
      action: 'ledger.checked',
      result: ok ? 'ok' : 'refused',
      details,
      at: clock.now(),
    }),
  )
