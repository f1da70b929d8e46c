// The parts of one process: database pool, ledger, metrics, background worker, API. They start in that order and stop in
// the reverse one, requests and jobs at the same time, each with a limit of time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { buildApp, buildTasks } from './app.ts'
import * as background from './background/background.ts'
import { StartError } from './base/errors.ts'
import type { Prices } from './base/prices.ts'
import { type Closers, closeAll, closeTogether, finishMs, within } from './closing.ts'
import type { Config } from './config.ts'
import { databaseClock, openDb } from './db/db.ts'
import { readMigrations, schemaFits } from './db/migrate.ts'
import { type Dependencies, openDependencies } from './dependencies.ts'
import { openHealth } from './health/health.ts'
import { openEntrances } from './http/entrances.ts'
import type { App } from './http/instance.ts'
import * as ledgers from './ledger/ledger.ts'
import { type Metrics, openMetrics, type Samples, serveMetrics } from './metrics/metrics.ts'
import * as notifications from './notifications/notifications.ts'
import * as operations from './operations/operations.ts'
import type { Secrets } from './secrets.ts'

export const version = manifest.version

export interface RuntimeOptions {
  config: Config
  log: Logger
  prices: Prices
  secrets: Secrets
  databaseUrl: string
  baseUrl: string
  /** Of the embedded database, if that is used. */
  dataDir: string | undefined
  api: { host: string; port: number } | undefined
  /** Where the example shop is, if there is one. */
  shopUrl: string | undefined
  /** Where the simulator is, if it was started with this process. */
  simulatorUrl?: string | undefined
  worker: boolean
  /** Absent in a process that is one of several on the port: the first one serves the metrics of all. */
  metrics: { host: string; port: number; others: () => Promise<Samples[]> } | undefined
}

export interface Runtime {
  dependencies: Dependencies
  metrics: Metrics
  /** The port that was taken, if it serves any. */
  metricsPort: number | undefined
  stop(): Promise<void>
}

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { config, log } = options
  const closers: Closers = []
  try {
    await setClock(options.databaseUrl)
    const opened = await openDependencies({ ...options, clock: databaseClock })
    closers.push(opened.close)
    const { dependencies } = opened
    const { db, ledger } = dependencies
    closers.push(databaseClock.follow(db, log).stop)
    const metrics = openMetrics({
      connections: db.connections,
      ledgerWaiting: ledger.waiting,
      // Only the process that serves the metrics asks the queue, once for all.
      ...(options.metrics === undefined ? {} : { queue: () => background.state(db) }),
    })
    const migrations = readMigrations()
    const health = openHealth({
      db,
      clock: databaseClock,
      version,
      production: config.production,
      schemaFits: () => schemaFits(db, migrations),
      booksReasons: () => ledgers.booksReasons(db),
      feedReasons: opened.feedReasons,
      dataDir: options.dataDir,
    })
    const metricsPort = await startMetrics({ options, metrics, readiness: health.readiness, closers })
    const busy: Closers = []
    closers.push(() => closeTogether(busy))
    if (options.worker) await startWorker({ options, dependencies, metrics, closers: busy })
    if (options.api !== undefined) {
      const app = await buildApp({ ...dependencies, health, metrics, shopUrl: options.shopUrl })
      let close = (): Promise<void> => app.close()
      busy.push(() => closeApp(app, { close: () => close(), log, drainMs: config.DRAIN_SECONDS * 1_000 }))
      const { api } = options
      close = await listening({ ...api, setting: 'PORT' }, () => openEntrances(app, api))
    }
    closers.push(async () => health.stopping())
    return { dependencies, metrics, metricsPort, stop: () => closeAll(closers) }
  } catch (error) {
    await closeAll(closers).catch((failure: unknown) => log.error({ err: failure }, 'closing failed'))
    throw error
  }
}

/** Before anything is opened: rooms look at the time when they open. */
async function setClock(url: string): Promise<void> {
  const db = openDb({ url, connectionsMax: 1, name: 'mfuko clock' })
  await databaseClock.set(db).finally(db.close)
}

interface Starting {
  options: RuntimeOptions
  metrics: Metrics
  closers: Closers
}

async function startMetrics({
  options,
  metrics,
  readiness,
  closers,
}: Starting & { readiness: () => Promise<{ ready: boolean; reasons: string[] }> }) {
  const wanted = options.metrics
  if (wanted === undefined) return undefined
  const server = await listening({ ...wanted, setting: 'METRICS_PORT' }, () =>
    serveMetrics({ ...wanted, metrics, readiness }),
  )
  closers.push(() => server.close())
  return server.port
}

async function startWorker({
  options,
  dependencies,
  metrics,
  closers,
}: Starting & { dependencies: Dependencies }) {
  const worker = await background.startWorker({
    url: options.databaseUrl,
    concurrency: options.config.WORKER_CONCURRENCY,
    ...buildTasks(dependencies),
    log: options.log,
    onJob: metrics.jobDone,
  })
  closers.push(() => within(finishMs, worker.stop()))
  const delivery = notifications.startDelivery({
    ...dependencies,
    url: options.databaseUrl,
    keysOf: dependencies.merchants.keysOf,
    onTrouble: dependencies.merchants.tellTrouble,
    onAttempt: metrics.notified,
  })
  closers.push(() => within(finishMs, delivery.stop()))
  const work = operations.startOperationsWork(dependencies)
  closers.push(() => within(finishMs, work.stop()))
}

interface Closing {
  close: () => Promise<void>
  log: Logger
  drainMs: number
}

/** It is unready by now. The load balancer gets time to notice, then the requests that run get time to end. */
async function closeApp(app: App, { close, log, drainMs }: Closing): Promise<void> {
  // Each answer is the last of its connection from now on: when those are closed on which nothing moves, nobody is about to
  // send something there.
  app.server.maxRequestsPerSocket = 1
  if (app.server.listening) await sleep(drainMs)
  const cut = setTimeout(() => {
    log.warn({}, 'some requests were still running and are cut')
    app.server.closeAllConnections()
  }, finishMs - drainMs)
  await close()
  clearTimeout(cut)
}

interface Place {
  host: string
  port: number
  /** The setting that chooses the port. */
  setting: 'PORT' | 'METRICS_PORT'
}

/** Turns the system's words for a port that can't be had into a sentence. */
export async function listening<T>(place: Place, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (cause) {
    const { host, port, setting } = place
    switch ((cause as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new StartError(
          `Port ${port} is taken by another program. Stop that program, or choose another port: ${setting}=${port === 65535 ? port - 1 : port + 1} npm start`,
          { cause },
        )
      case 'EACCES':
        throw new StartError(`Port ${port} needs more rights. Choose one above 1023 with ${setting}.`, {
          cause,
        })
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new StartError(
          `This machine has no network address ${host}. Check ${setting === 'PORT' ? 'HOST' : 'METRICS_HOST'}.`,
          { cause },
        )
      default:
        throw cause
    }
  }
}
