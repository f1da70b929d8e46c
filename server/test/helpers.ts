// What tests share: the same buildApp() as production, on a database of this file's own, with a clock that can be
// moved and a log that can be read. Every JSON answer is held against the schema that documents it.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { buildApp } from '../src/app.ts'
import type { Clock } from '../src/base/clock.ts'
import { Secret } from '../src/base/secret.ts'
import { type Config, loadConfig, secretNames } from '../src/config.ts'
import { type Db, openDb } from '../src/db/db.ts'
import { readMigrations, schemaFits } from '../src/db/migrate.ts'
import { type Dependencies, openDependencies } from '../src/dependencies.ts'
import { type Health, openHealth } from '../src/health/health.ts'
import { openEntrances } from '../src/http/entrances.ts'
import type { Http } from '../src/http/http.ts'
import type { App } from '../src/http/instance.ts'
import { openLog } from '../src/http/request-log.ts'
import * as ledgers from '../src/ledger/ledger.ts'
import type { Merchants } from '../src/merchants/merchants.ts'
import { openMetrics } from '../src/metrics/metrics.ts'
import type { Payments } from '../src/payments/payments.ts'
import { loadPrices } from '../src/prices-file.ts'
import type { Secrets } from '../src/secrets.ts'
import { type HashThreads, openHashThreads, type PasswordCost, type Users } from '../src/users/users.ts'
import { untranslated } from './error-words.ts'
import { misfit } from './reply-schemas.ts'

const needed = (name: string): string => {
  const value = process.env[name]
  assert.ok(value, `${name} is not set. Run tests with: npm test -- ${process.argv[1]}`)
  return value
}

export interface TestDatabase {
  /** As the role the service has. */
  url: string
  /** As superuser, in this database. */
  adminUrl: string
}

const inDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** A database of this file's own, cloned from the migrated template (or empty), dropped after its tests. */
export async function testDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = openDb({ url: needed('TEST_DATABASE_ADMIN_URL'), connectionsMax: 1, name: 'mfuko tests' })
  const template = empty ? 'template1' : needed('TEST_TEMPLATE')
  await server.rows(`create database ${name} template ${template} strategy file_copy owner mfuko`)
  after(async () => {
    await server.rows(`drop database ${name} with (force)`)
    await server.close()
  })
  return {
    url: inDatabase(needed('TEST_DATABASE_URL'), name),
    adminUrl: inDatabase(needed('TEST_DATABASE_ADMIN_URL'), name),
  }
}

/** How many postings were handed to the ledger meanwhile. */
export async function submittedDuring(
  { ledger }: Pick<TestApp, 'ledger'>,
  work: () => Promise<void>,
): Promise<number> {
  const { submit } = ledger
  let submitted = 0
  ledger.submit = (posting) => {
    submitted += 1
    return submit(posting)
  }
  try {
    await work()
  } finally {
    ledger.submit = submit
  }
  return submitted
}

/** To be called after every test that moved money: are the books right? */
export async function reconcile({ url }: { url: string }): Promise<ledgers.BooksResult> {
  const db = openDb({ url, connectionsMax: 1, name: 'mfuko tests' })
  try {
    const result = await ledgers.checkBooks(db)
    assert.deepEqual(result.problems, [], 'the books are right')
    return result
  } finally {
    await db.close()
  }
}

export interface TestClock extends Clock {
  set(time: string): void
  advance(seconds: number): void
}

export function testClock(start = '2026-03-14T09:00:00.000Z'): TestClock {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    set: (time) => {
      now = new Date(time)
    },
    advance: (seconds) => {
      now = new Date(now.getTime() + seconds * 1_000)
    },
  }
}

/** The defaults, less what makes tests slow or noisy. */
export const testConfig = (environment: Record<string, string> = {}): Config =>
  loadConfig({
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    LOG_FORMAT: 'json',
    DATABASE_POOL: '4',
    // A busy machine is no fault.
    DATABASE_WAIT_SECONDS: '20',
    ...environment,
  })

/** The same in every run, so that a failing one can be repeated. */
export const testSecrets: Secrets = Object.fromEntries(
  secretNames.map((name) => [name, new Secret(createHash('sha256').update(`test ${name}`).digest())]),
) as Record<(typeof secretNames)[number], Secret>

/** As after it was replaced: the one of before is still understood. */
export const replaced = (name: keyof Secrets): Partial<Secrets> => ({
  [name]: new Secret(createHash('sha256').update(`test ${name}, replaced`).digest(), [testSecrets[name]]),
})

export interface TestLog {
  lines: Record<string, unknown>[]
  text(): string
}

export function testLog() {
  const written: string[] = []
  const log = openLog({
    level: 'debug',
    format: 'json',
    destination: { write: (line: string) => void written.push(line) },
  })
  const seen = {
    get lines() {
      return written.map((line) => JSON.parse(line) as Record<string, unknown>)
    },
    text: () => written.join(''),
  }
  return { log, seen }
}

export interface TestApp {
  app: App
  db: Db
  ledger: ledgers.Ledger
  users: Users
  merchants: Merchants
  payments: Payments
  /** All that the rooms work with. */
  dependencies: Dependencies
  url: string
  adminUrl: string
  clock: TestClock
  health: Health
  log: TestLog
  /** Starts to listen on a free port of this machine and returns the address. */
  listen(): Promise<string>
}

/** Real hashes are slow on purpose; who tests that asks for them by PASSWORD_COST. */
export const cheapHashes = { memory: 1_024, passes: 1, parallelism: 1 }

export interface TestAppOptions {
  /** Where people reach it, for tests that follow an address it tells. */
  baseUrl?: string
  environment?: Record<string, string>
  /** Before the rooms are registered: to see their routes and their answers. */
  watch?: (http: Http) => void
  more?: (http: Http) => Promise<void>
  webDir?: string
  database?: TestDatabase
  /** Others than the usual ones, as after one was replaced. */
  secrets?: Partial<Secrets>
  /** Another than the cheap one. */
  passwordCost?: PasswordCost
  /** Another than one that begins in March. */
  clock?: TestClock
}

/** Every JSON answer is held against the schema that documents it; every error is there in all languages. */
function watchAnswers({ app }: Http, complaints: string[]): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const schemas = request.routeOptions.schema?.response as Record<string, object> | undefined
    const type = String(reply.getHeader('content-type'))
    if (type.startsWith('application/json') && typeof payload === 'string') {
      const { statusCode: status } = reply
      const problem = misfit({ status, schemas, payload })
      const route = `${request.method} ${request.routeOptions.url}`
      if (problem !== undefined) complaints.push(`${route} ${status}: ${problem}: ${payload}`)
      const isEnglish = reply.getHeader('content-language') === undefined
      const words =
        status >= 400 && isEnglish ? untranslated(request.routeOptions.url ?? '', payload) : undefined
      if (words !== undefined) complaints.push(`${route} ${status}: not in every language: ${words}`)
    }
    return payload
  })
}

/** To start one takes a tenth of a second of a core; they do not keep the process alive. */
const hashThreads: HashThreads = { ...openHashThreads(), close: async () => undefined }

/** To be called once, at the top of a test file (or of a test): it closes itself when that has ended. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { server, close } = await openTestApp({
    ...options,
    database: options.database ?? (await testDatabase()),
  })
  after(close)
  return server
}

/** Also for programs that are no tests. */
export async function openTestApp(
  options: TestAppOptions & { database: TestDatabase },
): Promise<{ server: TestApp; close(): Promise<void> }> {
  const { clock = testClock() } = options
  const { url, adminUrl } = options.database
  const config = testConfig(options.environment)
  const { log, seen } = testLog()
  const opened = await openDependencies({
    config,
    clock,
    log,
    prices: loadPrices(config),
    secrets: { ...testSecrets, ...options.secrets },
    baseUrl: options.baseUrl ?? 'http://localhost:8080',
    databaseUrl: url,
    passwordCost:
      options.passwordCost ?? (options.environment?.PASSWORD_COST === undefined ? cheapHashes : undefined),
    hashThreads,
  })
  const { dependencies } = opened
  const { db, ledger, users, merchants, payments } = dependencies
  const metrics = openMetrics({})
  const migrations = readMigrations()
  const health = openHealth({
    db,
    clock,
    version: '0.0.0-test',
    production: config.production,
    schemaFits: () => schemaFits(db, migrations),
    booksReasons: () => ledgers.booksReasons(db),
    feedReasons: opened.feedReasons,
    dataDir: undefined,
  })
  const complaints: string[] = []
  const app = await buildApp({
    ...dependencies,
    health,
    metrics,
    ...pagesOf(options.webDir ?? process.env.WEB_DIR),
    beforeRooms: (http) => {
      options.watch?.(http)
      watchAnswers(http, complaints)
    },
    ...(options.more === undefined ? {} : { more: options.more }),
  }).catch(async (error: unknown) => {
    await opened.close()
    throw error
  })
  let closeApp: () => Promise<unknown> = () => app.close()
  const listen = async () => {
    closeApp = await openEntrances(app, { host: '127.0.0.1', port: 0 })
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }
  const close = async () => {
    await closeApp()
    await opened.close()
    assert.deepEqual(complaints, [], 'every answer fits the schema that documents it')
  }
  const rooms = { db, ledger, users, merchants, payments, dependencies }
  return { server: { app, ...rooms, url, adminUrl, clock, health, log: seen, listen }, close }
}

/** Without one: what the build made last. `WEB_DIR` looks at a build elsewhere. */
const pagesOf = (webDir: string | undefined) => (webDir === undefined ? {} : { webDir })
