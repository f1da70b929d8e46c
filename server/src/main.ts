// The process: configuration → database → migrations → service, closed in the reverse order. It stops on SIGINT,
// SIGTERM, the launcher's word, or when the launcher is gone; a second signal stops it the hard way.
import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import type { Logger } from 'pino'
import { StartError } from './base/errors.ts'
import { freePort, tryPort } from './base/free-port.ts'
import { tuneV8 } from './base/v8.ts'
import { type Closers, closeAll, closeTogether, stopMs } from './closing.ts'
import { type Config, loadConfig, settingsForFork } from './config.ts'
import { dataPlace } from './data-place.ts'
import { startEmbedded } from './db/embedded.ts'
import { demoLogin, openDemo } from './demo.ts'
import { type Forks, type FromFork, startForks, type ToFork } from './forks.ts'
import { openLog } from './http/request-log.ts'
import { updateDatabase } from './migrate.ts'
import { loadPrices } from './prices-file.ts'
import { listening, type Runtime, startRuntime, version } from './runtime.ts'
import { givenSecrets, loadSecrets } from './secrets.ts'
import { startShopProcess } from './shop-process.ts'
import { startSimulatorProcess } from './simulator-process.ts'
import { noteStart } from './started.ts'
import { type Welcome, welcome } from './welcome.ts'

tuneV8()

const repeatedSignalMs = 1_000

const say = (line: string) => process.stdout.write(`${line}\n`)

/** One process, or the first of several. */
async function runPrimary({ config, closers, log, end }: Life): Promise<void> {
  // Before the slow part of the start: what a person must mend is told at once.
  const prices = loadPrices(config)
  givenSecrets(config)
  const { host, servesApi, port, baseUrl, shopPort, shopUrl } = await claimPlace(config)
  const database = await openDatabase(config, closers)
  const secrets = loadSecrets(config, database.dataDir)
  const [simulatorUrl] = await Promise.all([
    openSimulator({ config, closers, log }, database),
    updateDatabase({ url: database.url, say }),
  ])

  const forked = servesApi && config.WEB_CONCURRENCY > 1
  const embeddedDir = database.embedded ? database.dataDir : undefined
  // What serves and what works stop at the same time.
  const parts: Closers = []
  closers.push(() => closeTogether(parts))
  const settings = {
    PORT: String(port),
    BASE_URL: baseUrl,
    SHOP_PORT: String(shopPort ?? config.SHOP_PORT),
    ...(simulatorUrl === undefined ? {} : { SIMULATOR_URL: simulatorUrl }),
  }
  const forks = forked ? await openForks({ config, log, end }, { database, settings }) : undefined
  if (forks !== undefined) parts.push(forks.stop)

  const runtime = await startRuntime({
    config,
    log,
    prices,
    secrets,
    databaseUrl: database.url,
    baseUrl,
    dataDir: embeddedDir,
    api: servesApi && !forked ? { host, port } : undefined,
    shopUrl,
    simulatorUrl,
    worker: config.ROLE !== 'api',
    metrics: {
      host: config.METRICS_HOST,
      port: config.METRICS_PORT,
      others: forks?.samples ?? (async () => []),
    },
  })
  parts.push(runtime.stop)
  await noteStart(runtime.dependencies, { version, config })

  const demo =
    shopPort === undefined
      ? {}
      : await startDemo({ log, parts }, { runtime, baseUrl, shopPort, dataDir: database.dataDir })

  const metricsUrl = `http://${config.METRICS_HOST}:${runtime.metricsPort}`
  say(
    welcome({
      brandName: config.BRAND_NAME,
      version,
      baseUrl: servesApi ? baseUrl : undefined,
      metricsUrl,
      database: database.shown,
      dataDir: embeddedDir,
      processes: forked ? config.WEB_CONCURRENCY : 1,
      ...(simulatorUrl === undefined ? {} : { simulatorUrl }),
      ...demo,
    }),
  )
  process.send?.({ type: 'ready', urls: { site: `http://127.0.0.1:${port}`, metrics: metricsUrl } })
  // By itself Node writes it down when it ends well. A process that is killed should start again as fast.
  flushCompileCache()
}

/** The processes that answer requests, when there are several. */
const openForks = (
  { config, log, end }: Pick<Life, 'config' | 'log' | 'end'>,
  { database, settings }: { database: OpenDatabase; settings: Parameters<typeof settingsForFork>[0] },
): Promise<Forks> =>
  startForks({
    count: config.WEB_CONCURRENCY,
    settings: settingsForFork(
      { ...settings, DATABASE_URL: database.url, DATA_DIR: database.dataDir, ROLE: 'api' },
      { embeddedDir: database.embedded ? database.dataDir : undefined },
    ),
    log,
    onHopeless: () => end(1),
  })

/** Where it will be, known before the slow part of the start. */
async function claimPlace(config: Config) {
  const host = config.HOST
  const servesApi = config.ROLE !== 'worker'
  const port = servesApi ? await claimPort(host, config.PORT) : config.PORT
  const baseUrl = config.BASE_URL ?? `http://localhost:${port}`
  // The shop is only there to try: it takes another port rather than stop the start.
  const shopPort =
    servesApi && config.DEMO === 'on'
      ? await claimPort('127.0.0.1', config.SHOP_PORT).catch(() => claimPort('127.0.0.1', 0))
      : undefined
  const shopUrl = shopPort === undefined ? undefined : `http://localhost:${shopPort}`
  return { host, servesApi, port, baseUrl, shopPort, shopUrl }
}

/** Where the networks are that test mode talks to: elsewhere, or started here; a mere worker looks where the API has it. */
async function openSimulator(
  { config, closers, log }: Pick<Life, 'config' | 'closers' | 'log'>,
  { dataDir }: Pick<OpenDatabase, 'dataDir'>,
): Promise<string | undefined> {
  if (config.SIMULATOR_URL !== undefined || config.production) return config.SIMULATOR_URL
  const port = config.SIMULATOR_PORT
  if (config.ROLE === 'worker') return port === 0 ? undefined : `http://localhost:${port}`
  const simulator = await startSimulatorProcess({ port, dataDir, log })
  closers.push(simulator.stop)
  return simulator.url
}

interface DemoPlace {
  runtime: Runtime
  baseUrl: string
  shopPort: number
  dataDir: string
}

/** People and a shop to try things with, unless this is somebody's own database. */
async function startDemo(
  { log, parts }: Pick<Life, 'log'> & { parts: Closers },
  { runtime, baseUrl, shopPort, dataDir }: DemoPlace,
): Promise<Pick<Welcome, 'logins' | 'shopUrl'>> {
  const shopUrl = `http://localhost:${shopPort}`
  const demo = await openDemo(runtime.dependencies, { dataDir, shopUrl })
  if (demo === undefined) return {}
  const logins = { people: [...demo.people, demo.operator], ...demoLogin }
  if (demo.shop === undefined) return { logins }
  const service = { apiUrl: baseUrl, headerPrefix: runtime.dependencies.config.HEADER_PREFIX }
  const shop = startShopProcess({ ...service, shop: demo.shop, port: shopPort, dataDir, log })
  parts.push(shop.stop)
  return { logins, shopUrl }
}

/** One of several that answer on the port. The first process has prepared everything. */
async function runFork({ config, closers, log }: Life): Promise<void> {
  const tell = (message: FromFork) => process.send?.(message)
  try {
    const runtime = await startRuntime({
      config,
      log,
      prices: loadPrices(config),
      secrets: loadSecrets(config, dataPlace(config).dataDir),
      databaseUrl: config.DATABASE_URL ?? '',
      baseUrl: config.BASE_URL ?? '',
      dataDir: config.embeddedDir,
      api: { host: config.HOST, port: config.PORT },
      shopUrl: config.DEMO === 'on' ? `http://localhost:${config.SHOP_PORT}` : undefined,
      worker: false,
      metrics: undefined,
    })
    closers.push(runtime.stop)
    process.on('message', async (message: ToFork) => {
      if (message.type === 'samples') tell({ ...message, samples: await runtime.metrics.samples() })
    })
    tell({ type: 'listening' })
  } catch (error) {
    if (error instanceof StartError) tell({ type: 'failed', sentence: error.message })
    throw error
  }
}

interface OpenDatabase {
  url: string
  dataDir: string
  embedded: boolean
  shown: string
}

async function openDatabase(config: Config, closers: Closers): Promise<OpenDatabase> {
  const place = dataPlace(config)
  if (config.DATABASE_URL !== undefined) {
    const { host, pathname } = new URL(config.DATABASE_URL)
    return { url: config.DATABASE_URL, dataDir: place.dataDir, embedded: false, shown: `${host}${pathname}` }
  }
  const embedded = await startEmbedded({ ...place, say })
  closers.push(embedded.stop)
  return {
    url: embedded.url,
    dataDir: embedded.dataDir,
    embedded: true,
    shown: 'PostgreSQL, started with the service',
  }
}

/** Which port it will be, known before the slow part of the start: for 0 a free one is looked up. */
const claimPort = (host: string, port: number): Promise<number> =>
  listening({ host, port, setting: 'PORT' }, async () => {
    if (port === 0) return freePort(host)
    await tryPort(host, port)
    return port
  })

interface Life {
  config: Config
  /** What must be closed, in the order in which it was opened. */
  closers: Closers
  log: Logger
  end(code: number): void
}

/** Starts, and sees to it that whatever was started is stopped again, once. */
async function live(): Promise<void> {
  const config = loadConfig()
  const log = openLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT })
  const closers: Closers = []
  let starting: Promise<void> = Promise.resolve()
  let endedAt: number | undefined

  const end = (code: number) => {
    if (endedAt !== undefined) return
    endedAt = performance.now()
    setTimeout(() => exit(log, 1), stopMs).unref()
    const close = async () => {
      await starting.catch(() => undefined)
      await closeAll(closers)
    }
    close().then(
      () => exit(log, code),
      (error: unknown) => {
        log.fatal({ err: error }, 'stopping failed')
        exit(log, 1)
      },
    )
  }
  watchForTheEnd({ log, end, endedAt: () => endedAt })

  const life = { config, closers, log, end }
  starting = cluster.isPrimary ? runPrimary(life) : runFork(life)
  try {
    await starting
  } catch (error) {
    if (endedAt === undefined) complain(error)
    end(1)
  }
}

interface Ending {
  log: Logger
  end(code: number): void
  endedAt(): number | undefined
}

function watchForTheEnd({ log, end, endedAt }: Ending): void {
  // A closed terminal takes no more words; that is no reason to fall over.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  // Ctrl-C reaches every process of the terminal, and npm and the launcher hand it on as well.
  const onSignal = () => {
    const since = endedAt()
    if (since !== undefined && performance.now() - since > repeatedSignalMs) exit(log, 1)
    if (since === undefined && cluster.isPrimary) {
      say('\nStopping…')
      end(0)
    }
  }
  // A fork waits for the first process to tell it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('message', (message: { type?: string }) => {
    if (message.type === 'stop') cluster.isPrimary ? onSignal() : end(0)
  })
  process.on('disconnect', () => end(0))
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      end(1)
    })
  }
}

function complain(error: unknown): void {
  const known = error instanceof StartError
  process.stderr.write(
    `\n${known ? error.message : `Mfuko could not start.\n${error instanceof Error ? error.stack : error}`}\n`,
  )
}

/** The last lines of the log must not be lost. */
function exit(log: Logger, code: number): void {
  log.flush(() => process.exit(code))
  setTimeout(() => process.exit(code), 500)
}

live().catch((error: unknown) => {
  complain(error)
  process.exit(1)
})
