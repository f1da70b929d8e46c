// Composition: makes what the rooms need, opens the scopes and registers the rooms in them. Contains no rule.
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Cron, Task } from './background/background.ts'
import type { Clock } from './base/clock.ts'
import type { Prices } from './base/prices.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Health } from './health/health.ts'
import { healthRoutes } from './health/routes.ts'
import { type Http, openHttp } from './http/http.ts'
import type { App } from './http/instance.ts'
import { openScope } from './http/scope.ts'
import { ledgerJobs } from './ledger/jobs.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Metrics } from './metrics/metrics.ts'
import { readNotFoundPage } from './site/pages.ts'
import { siteRoutes } from './site/routes.ts'

/** What the rooms work with. */
export interface Dependencies {
  config: Config
  db: Db
  ledger: Ledger
  clock: Clock
  log: Logger
  prices: Prices
}

export interface AppParts extends Dependencies {
  baseUrl: string
  health: Health
  metrics: Metrics
  /** Where the built pages are. */
  webDir?: string
  /** For tests: to watch every answer, and to add probes to the service's own rooms. */
  beforeRooms?: (http: Http) => void
  more?: (http: Http) => Promise<void>
}

const builtPages = fileURLToPath(new URL('../../web/dist', import.meta.url))

export async function buildApp(parts: AppParts): Promise<App> {
  const { config, log, health, metrics, webDir = builtPages } = parts
  const http = await openHttp({
    brandName: config.BRAND_NAME,
    baseUrl: parts.baseUrl,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    rateLimits: { enabled: config.RATE_LIMITS === 'on', redisUrl: config.REDIS_URL },
    onServed: metrics.served,
    notFoundPage: readNotFoundPage(webDir),
  })
  const { app } = http
  parts.beforeRooms?.(http)

  await openScope(http, {
    limit: 'anonymous',
    routes: (scope) => {
      healthRoutes(scope, { health })
      scope.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
    },
  })
  await openScope(http, { limit: 'pages', routes: (scope) => siteRoutes(scope, { webDir }) })
  await parts.more?.(http)
  await app.ready()
  return app
}

/** The background tasks of all rooms, by name, and when those run that nobody asks for. */
export function buildTasks(dependencies: Dependencies): { tasks: Record<string, Task>; crons: Cron[] } {
  const rooms = [ledgerJobs(dependencies)]
  return {
    tasks: Object.assign({}, ...rooms.map(({ tasks }) => tasks)),
    crons: rooms.flatMap(({ crons }) => crons),
  }
}
