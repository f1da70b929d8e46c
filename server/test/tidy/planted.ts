// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the planted sources are code inside strings

/**
 * Small sources for the rules: what must trip each of them, and what looks alike and must not.
 * A row is a rule, a path and a text; a rule that compares files has a row of several.
 */

import type { Source } from './scan.ts'

export interface Row {
  rule: string
  trips: boolean
  sources: Source[]
}

type Files = Record<string, string>

const sourcesOf = (files: Files): Source[] => Object.entries(files).map(([path, text]) => ({ path, text }))
const trips = (rule: string, files: Files): Row => ({ rule, trips: true, sources: sourcesOf(files) })
const passes = (rule: string, files: Files): Row => ({ rule, trips: false, sources: sourcesOf(files) })

const door = 'server/src/transfers/transfers.ts'
const routes = 'server/src/transfers/routes.ts'
const sql = 'server/src/transfers/sql.ts'
const ownTest = 'server/src/transfers/transfers.test.ts'

const lines = (count: number): string => 'again()\n'.repeat(count)

const imports: Row[] = [
  trips('room-known', { 'server/src/lottery/lottery.ts': '' }),
  passes('room-known', { [door]: '', 'server/src/app.ts': '', 'server/test/journeys/send.test.ts': '' }),

  trips('room-order', { 'server/src/ledger/ledger.ts': `import * as users from '../users/users.ts'` }),
  trips('room-order', { 'server/src/ledger/ledger.ts': `import type { User } from '../users/users.ts'` }),
  trips('room-order', { 'server/src/http/reply.ts': `import * as db from '../db/db.ts'` }),
  trips('room-order', {
    'server/src/groups/groups.ts': `import * as campaigns from '../campaigns/campaigns.ts'`,
  }),
  trips('room-order', { 'server/src/base/ids.ts': `export { x } from '../db/db.ts'` }),
  trips('room-order', { [door]: `const late = await import('../payments/payments.ts')` }),
  trips('room-order', { [door]: `import { app } from '../app.ts'` }),
  trips('room-order', { [door]: `import { loadConfig } from '../config.ts'` }),
  passes('room-order', { [door]: `import type { Config } from '../config.ts'` }),
  passes('room-order', {
    [door]: `import * as ledger from '../ledger/ledger.ts'\nimport { x } from './rules.ts'`,
  }),
  passes('room-order', { [door]: `// import * as payments from '../payments/payments.ts'` }),
  passes('room-order', { [door]: `const text = "import * as payments from '../payments/payments.ts'"` }),
  passes('room-order', { [ownTest]: `import * as payments from '../payments/payments.ts'` }),
  passes('room-order', { 'server/src/app.ts': `import * as payments from './payments/payments.ts'` }),

  trips('door-only', { [door]: `import { lockAccounts } from '../ledger/sql.ts'` }),
  trips('door-only', { [door]: `import * as sql from '../ledger/sql.ts'` }),
  trips('door-only', { [door]: `import type { Row } from '../ledger/sql.ts'` }),
  trips('door-only', { [door]: `import {\n  post,\n} from '../ledger/ledger.ts'` }),
  trips('door-only', { [door]: `import '../ledger/ledger.ts'` }),
  trips('door-only', { [door]: `export * from '../ledger/ledger.ts'` }),
  trips('door-only', { [door]: `import { reply } from '../http/reply.ts'` }),
  trips('door-only', { [door]: `import { startEmbedded } from '../db/embedded.ts'` }),
  trips('door-only', { [routes]: `import { routes } from '../users/routes.ts'` }),
  trips('door-only', { 'server/src/migrate.ts': `import { jobs } from './ledger/jobs.ts'` }),
  trips('door-only', { 'server/src/app.ts': `import { post } from './ledger/ledger.ts'` }),
  trips('door-only', { [ownTest]: `import { lockAccounts } from '../ledger/sql.ts'` }),
  trips('door-only', { 'server/test/send.test.ts': `import { jobs } from '../src/ledger/jobs.ts'` }),
  passes('door-only', { [door]: `import * as ledger from '../ledger/ledger.ts'` }),
  trips('door-only', { 'server/src/app.ts': `import { openLedger, post } from './ledger/ledger.ts'` }),
  passes('door-only', {
    'server/src/app.ts': `import { openLedger, type Ledger } from './ledger/ledger.ts'`,
  }),
  passes('door-only', { [door]: `import { type Tx, violatedConstraint } from '../db/db.ts'` }),
  passes('door-only', { [door]: `import type { Posting } from '../ledger/ledger.ts'` }),
  passes('door-only', { [door]: `import { type Posting, type Hold } from '../ledger/ledger.ts'` }),
  passes('door-only', {
    [door]: `import { AppError } from '../base/errors.ts'\nimport { rows } from './sql.ts'`,
  }),
  passes('door-only', { [routes]: `import { reply } from '../http/reply.ts'` }),
  passes('door-only', { 'server/src/app.ts': `import { routes } from './users/routes.ts'` }),
  passes('door-only', { 'server/src/main.ts': `import { startEmbedded } from './db/embedded.ts'` }),
  passes('door-only', { 'server/test/send.test.ts': `import { testApp } from './helpers.ts'` }),

  trips('workspace-border', {
    'web/src/wallet.tsx': `import { errors } from '../../server/src/base/errors.ts'`,
  }),
  trips('workspace-border', { [door]: `import { testApp } from '../../test/helpers.ts'` }),
  passes('workspace-border', { 'web/src/wallet.tsx': `import { Money } from './money.tsx'` }),
  trips('workspace-border', { 'web/src/wallet.tsx': `import { version } from '../../server/package.json'` }),
  passes('workspace-border', { 'server/src/app.ts': `import { version } from '../package.json'` }),
  passes('workspace-border', { [ownTest]: `import { testApp } from '../../test/helpers.ts'` }),

  trips('judge-alone', {
    'proof/check/check.ts': `import { post } from '../../server/src/ledger/ledger.ts'`,
  }),
  trips('judge-alone', { 'proof/check/check.ts': `import type { Rig } from '../rig/cluster.ts'` }),
  trips('judge-alone', { 'proof/check/check.ts': `import { Webhook } from 'standardwebhooks'` }),
  trips('judge-alone', { 'proof/check/check.ts': `const late = await import('../../server/src/app.ts')` }),
  passes('judge-alone', {
    'proof/check/check.ts': `import { hash } from 'node:crypto'\nimport pg from 'pg'\nimport { rows } from './rows.ts'`,
    'proof/check/check.test.ts': `import { testApp } from '../../server/test/helpers.ts'`,
    'proof/rig/verdict.ts': `import { check } from '../check/check.ts'`,
  }),

  trips('driver-home', { [sql]: `import pg from 'pg'` }),
  trips('driver-home', { [sql]: `import type { Pool } from 'pg'` }),
  trips('driver-home', { 'server/src/users/jobs.ts': `import { run } from 'graphile-worker'` }),
  trips('driver-home', { 'server/src/users/jobs.ts': `import { createTransport } from 'nodemailer'` }),
  passes('driver-home', { 'server/src/mail/send.ts': `import { createTransport } from 'nodemailer'` }),
  passes('driver-home', { 'server/src/db/db.ts': `import pg from 'pg'` }),
  passes('driver-home', { 'server/src/background/background.ts': `import { run } from 'graphile-worker'` }),
]

const boundaries: Row[] = [
  trips('sql-home', { [routes]: 'const q = `select id from users.people where id = $1`' }),
  trips('sql-home', { [door]: "tx.rows('SELECT 1')" }),
  trips('sql-home', { [door]: "tx.rows('insert into a.b values ($1)')" }),
  trips('sql-home', { [door]: 'tx.rows(`\n  -- why\n  update ${table} set x = 1`)' }),
  trips('sql-home', { [door]: 'tx.rows(`/* why */ delete from a.b`)' }),
  trips('sql-home', { [door]: 'tx.rows(`with due as (select 1) select id from due`)' }),
  trips('sql-home', { [door]: "tx.rows('create table a.b (id text)')" }),
  trips('sql-home', { [door]: 'tx.rows(`${one(`select a from b where c`)}`)' }),
  trips('sql-home', { 'server/src/health/health.ts': "db.rows('select pg_is_in_recovery()')" }),
  passes('sql-home', { [sql]: 'tx.rows(`select id from users.people`)' }),
  passes('sql-home', { 'server/src/db/migrate.ts': 'tx.rows(`select id from users.people`)' }),
  passes('sql-home', { [ownTest]: 'db.rows(`select id from users.people`)' }),
  passes('sql-home', { [door]: "// select id from users.people\nsay('Select a wallet from the list')" }),
  passes('sql-home', {
    [door]: "say('update your PIN', 'with love', 'delete this wallet', 'create an account')",
  }),

  trips('ledger-tables', { [sql]: 'tx.rows(`select id from ledger.accounts`)' }),
  trips('ledger-tables', { [sql]: 'const join = ` join "ledger"."entries" e on e.id = p.id`' }),
  passes('ledger-tables', { [sql]: 'tx.rows(`select id from ledger.public_statement`)' }),
  passes('ledger-tables', { [door]: "ledger.post(tx, posting)\ncheck(done, 'ledger.post answers')" }),
  passes('ledger-tables', { 'server/src/ledger/sql.ts': 'tx.rows(`select id from ledger.accounts`)' }),

  trips('outgoing-http', { [door]: "await fetch('https://example.org')" }),
  trips('outgoing-http', { [door]: 'const call = globalThis.fetch' }),
  trips('outgoing-http', { [door]: 'say(`${await fetch(url)}`)' }),
  trips('outgoing-http', { [door]: "import { request } from 'undici'" }),
  trips('outgoing-http', { [door]: "const axios = await import('axios')" }),
  trips('outgoing-http', { 'server/src/providers/mtn/mtn.ts': "import { request } from 'node:https'" }),
  trips('outgoing-http', { 'server/src/http/serve.ts': "import { createServer, get } from 'node:http'" }),
  trips('outgoing-http', { 'server/src/http/serve.ts': "import http from 'node:http'\nhttp.get(url)" }),
  trips('outgoing-http', { 'server/src/site/site.ts': "import { createServer } from 'node:http'" }),
  passes('outgoing-http', { 'server/src/providers/call.ts': 'await fetch(url)' }),
  passes('outgoing-http', { 'server/src/notifications/send.ts': "import { request } from 'undici'" }),
  passes('outgoing-http', { 'server/src/metrics/metrics.ts': "import { createServer } from 'node:http'" }),
  passes('outgoing-http', {
    [door]: "import type { IncomingMessage } from 'node:http'\nprefetch(1); cache.fetch(2)",
  }),
  passes('outgoing-http', { [ownTest]: 'await fetch(url)' }),

  trips('quiet-transaction', {
    'server/src/notifications/send.ts': 'db.inTransaction(async (tx) => {\n  await fetch(url)\n})',
  }),
  trips('quiet-transaction', {
    [door]: 'inTransaction<Done>(db, async (tx) => { await providers.charge(x) })',
  }),
  passes('quiet-transaction', {
    [door]: 'await db.inTransaction((tx) => post(tx))\nawait providers.charge(x)',
  }),

  trips('url-test', { 'server/src/http/who.ts': "if (request.url.startsWith('/api')) allow()" }),
  trips('url-test', { 'server/src/http/who.ts': "if (req.raw.url === '/health') allow()" }),
  trips('url-test', { 'server/src/http/who.ts': 'if (/^.api/.test(request.raw.url ?? path)) allow()' }),
  trips('url-test', { 'server/src/http/who.ts': 'if (request.originalUrl.includes(path)) allow()' }),
  trips('url-test', { 'server/src/http/who.ts': 'const { url } = request' }),
  passes('url-test', { 'server/src/http/who.ts': 'log.info({ url: request.url })' }),
  passes('url-test', { 'server/src/http/who.ts': "if (request.originalUrl.includes('%00')) refuse()" }),
]

const values: Row[] = [
  trips('money-number', { [door]: 'const x = parseFloat(text)' }),
  trips('money-number', { [door]: 'const x = Number(row.amount_minor)' }),
  trips('money-number', { [door]: 'const x = Number(BigInt(posted.balance))' }),
  trips('money-number', { [door]: 'const x = +body.fee' }),
  trips('money-number', { [door]: 'interface Line {\n  amount: number\n}' }),
  trips('money-number', { [door]: 'const f = (feeMinor?: bigint | number) => feeMinor' }),
  passes('money-number', {
    'server/src/base/money.ts': 'const x = Number(amount)\nconst y: { fee: number } = z',
  }),
  passes('money-number', { 'server/src/transfers/schema.ts': 'export interface Body { amount: number }' }),
  passes('money-number', {
    [door]: 'const x = Number(port)\nconst total = held + amount\nlet feedback: number',
  }),
  passes('money-number', {
    [door]: 'interface Rate { feeBps: number; minorDigits: number; amount: bigint }',
  }),

  trips('environment-home', { [door]: 'const x = process.env.PORT' }),
  trips('environment-home', { [door]: "import { env } from 'node:process'" }),
  passes('environment-home', { 'server/src/config.ts': 'const x = process.env.PORT' }),
  passes('environment-home', { [door]: 'process.exit(1)', [ownTest]: 'process.env.TEST_TEMPLATE' }),

  trips('clock-injected', { [door]: 'const now = Date.now()' }),
  trips('clock-injected', { [door]: 'const now = new Date()' }),
  trips('clock-injected', { [door]: 'const now = new Date' }),
  passes('clock-injected', { 'server/src/base/clock.ts': 'export const clock = () => new Date()' }),
  passes('clock-injected', { [door]: 'const then = new Date(clock.now() + 5)\nconst t = performance.now()' }),

  trips('chance-home', { [door]: 'const x = Math.random()' }),
  passes('chance-home', { 'server/src/base/ids.ts': 'Math.random()', [door]: 'Math.round(1)' }),
]

const code: Row[] = [
  trips('default-export', { [door]: 'export default function send() {}' }),
  trips('default-export', { 'web/src/page.tsx': 'export { Page as default }' }),
  passes('default-export', {
    'web/vite.config.ts': 'export default {}',
    [door]: "const text = 'export default'",
  }),

  trips('class', { [door]: 'export class Transfers {}' }),
  trips('class', { [door]: 'const make = () => class {}' }),
  passes('class', { [door]: 'export class AppError extends Error {}\nconst html = `<p class = "x">`' }),

  trips('any-type', { [door]: 'const f = (x: any) => x' }),
  trips('any-type', { [door]: 'const x = y as any' }),
  trips('any-type', { [door]: 'const x: Map<string, any> = y' }),
  passes('any-type', {
    [door]: "// any\nconst any = Promise.any(['any'])\nconst x: unknown = one\nuse(any)",
  }),

  trips('type-silencer', { [door]: '// @ts-ignore\nf()' }),
  trips('type-silencer', { [door]: '// @ts-expect-error\nf()' }),
  passes('type-silencer', { [ownTest]: '// @ts-expect-error the caller may be JavaScript\nf()' }),

  trips('lint-silencer', { [door]: '// biome-ignore lint/style/useConst\nlet x = 1' }),
  trips('lint-silencer', { [door]: '// biome-ignore lint/style/useConst: <explanation>\nlet x = 1' }),
  trips('lint-silencer', { [door]: '/* eslint-disable */' }),
  passes('lint-silencer', {
    [door]: '// biome-ignore lint/style/useConst: the driver writes to it\nlet x = 1',
  }),

  trips('console', { [door]: "console.log('sent')" }),
  trips('console', { [door]: "process.stderr.write('sent')" }),
  passes('console', {
    'server/src/main.ts': "console.log('up')",
    'server/src/migrate.ts': "console.log('done')",
  }),
  passes('console', { [ownTest]: "console.log('seed')" }),

  trips('open-work', { [door]: '// TODO: fees' }),
  trips('open-work', { [door]: '/** FIXME */' }),
  trips('open-work', { 'server/migrations/0001-a.sql': '-- XXX later' }),
  passes('open-work', { [door]: "// TODO(#12) fees\nconst todo = 'TODO'" }),

  trips('test-left-out', { [ownTest]: "test.only('a', f)" }),
  trips('test-left-out', { [ownTest]: "test.skip('a', f)" }),
  trips('test-left-out', { [ownTest]: "test('a', { skip: true }, f)" }),
  trips('test-left-out', { [ownTest]: "test('a', (t) => t.skip())" }),
  passes('test-left-out', {
    [ownTest]: "test('a', { skip: browser ? false : 'no browser' }, (t) => t.skip('why'))",
  }),

  trips('erasable-syntax', { [door]: 'export enum State { Open }' }),
  trips('erasable-syntax', { [door]: 'export namespace Rules {}' }),
  trips('erasable-syntax', {
    'server/src/base/secret.ts': 'class Secret {\n  constructor(\n    private value: string,\n  ) {}\n}',
  }),
  passes('erasable-syntax', {
    [door]: "import * as namespace from './x.ts'\nconst enumeration = { enum: [1] }",
  }),

  trips('empty-name', { [door]: 'export const transferService = {}' }),
  trips('empty-name', { [door]: 'export interface ITransfer {}' }),
  trips('empty-name', { [door]: 'export async function sendHelper() {}' }),
  passes('empty-name', {
    [door]: 'export const helperless = 1\nexport interface IdRow {}\nexport type IBAN = string',
  }),

  trips('file-length', { [door]: lines(451) }),
  passes('file-length', { [door]: lines(450) }),

  trips('function-length', { [door]: `export const send = async () => {\n${lines(69)}}` }),
  trips('function-length', { [door]: `function send(a: string): { b: string } {\n${lines(69)}}` }),
  trips('function-length', {
    [door]: `const x = {\n  async send(a: string): Promise<void> {\n${lines(69)}}\n}`,
  }),
  trips('function-length', { [ownTest]: `test('a', async () => {\n${lines(69)}})` }),
  passes('function-length', { [door]: `const send = () => {\n${lines(68)}}` }),
  passes('function-length', { [door]: `const rows = [\n${lines(100)}]\nif (rows) {\n${lines(100)}}` }),
  passes('function-length', { [ownTest]: `describe('a', () => {\n${lines(100)}})` }),
]

const files: Row[] = [
  trips('file-name', { 'server/src/transfers/sendMoney.ts': '' }),
  trips('file-name', { 'web/src/Wallet.tsx': '' }),
  trips('file-name', { 'server/src/mobile_money/rules.ts': '' }),
  passes('file-name', {
    [ownTest]: '',
    'README.md': '',
    LICENSE: '',
    '.ci/run': '',
    'web/vite.config.ts': '',
    'sdk/python/mfuko/__init__.py': '',
    'sdk/php/src/Merchant.php': '',
  }),
  trips('file-name', { 'sdk/js/src/Merchant.ts': '' }),

  trips('index-file', { 'server/src/transfers/index.ts': '' }),
  passes('index-file', { 'web/index.html': '', 'server/src/search/index-rows.ts': '' }),

  trips('folder-name', { 'server/src/utils/dates.ts': '' }),
  trips('folder-name', { 'server/src/providers/common/x.ts': '' }),
  passes('folder-name', { 'server/src/providers/mtn/types.ts': '', 'server/test/helpers.ts': '' }),

  trips('workplace-word', { 'README.md': `see ${['/wo', 'rk/'].join('')}notes` }),
  trips('workplace-word', { [door]: `// written by ${['Cla', 'ude'].join('')}` }),
  trips('workplace-word', { [door]: `// by a ${['sub', 'agent'].join('')}` }),
  passes('workplace-word', {
    'README.md': 'https://example.org/network/ and work/ and ../sharedness and CEOs',
  }),
]

const first = '-- People sign in with a number, so numbers are kept.\n'

const migrations: Row[] = [
  trips('migration-name', { 'server/migrations/1_users.sql': first }),
  passes('migration-name', { 'server/migrations/0001-users.sql': first }),
  trips('migration-number', { 'server/migrations/0001-a.sql': first, 'server/migrations/0003-c.sql': first }),
  trips('migration-number', { 'server/migrations/0001-a.sql': first, 'server/migrations/0001-b.sql': first }),
  passes('migration-number', {
    'server/migrations/0002-b.sql': first,
    'server/migrations/0001-a.sql': first,
  }),
  trips('migration-reason', { 'server/migrations/0001-a.sql': 'create schema users;' }),
  trips('migration-reason', { 'server/migrations/0001-a.sql': '--! breaking\n' }),
  passes('migration-reason', { 'server/migrations/0001-a.sql': first }),
  trips('migration-case', { 'server/migrations/0001-a.sql': `${first}CREATE SCHEMA users;` }),
  passes('migration-case', {
    'server/migrations/0001-a.sql': "-- WHERE and FROM\ncreate type a.b as enum ('SET');",
  }),
  trips('migration-time', { 'server/migrations/0001-a.sql': 'create table a.b (at timestamp not null);' }),
  passes('migration-time', { 'server/migrations/0001-a.sql': 'at timestamptz, b timestamp with time zone' }),
  trips('migration-schema', {
    'server/migrations/0001-a.sql': 'create table if not exists people (id text);',
  }),
  passes('migration-schema', {
    'server/migrations/0001-a.sql': 'create table if not exists users.people (id text);',
  }),
]

const manifest = (rest: object): Files => ({ 'package.json': JSON.stringify(rest) })
const lock = (packages: object): Files => ({ 'package-lock.json': JSON.stringify({ packages }, null, 1) })
const native = (cpu: string) => ({ integrity: 'sha512-x', os: ['linux'], cpu: [cpu] })

const packages: Row[] = [
  trips('dependency-justified', {
    ...manifest({ dependencies: { 'left-pad': '1.0.0' } }),
    'ARCHITECTURE.md': '`pad`',
  }),
  passes('dependency-justified', {
    ...manifest({
      dependencies: { '@fastify/static': '1.0.0' },
      optionalDependencies: { '@big/linux-x64': '1.0.0' },
    }),
    'ARCHITECTURE.md': 'Uses `@fastify/{swagger, static}` and `@big/*`.',
  }),
  trips('dependency-pinned', manifest({ dependencies: { fastify: '^5.0.0' } })),
  trips('dependency-pinned', manifest({ dependencies: { fastify: '5.*' } })),
  passes(
    'dependency-pinned',
    manifest({ devDependencies: { fastify: '5.0.0-beta.1', '@types/node': '24.*' } }),
  ),
  trips('lock-integrity', lock({ 'node_modules/pg': { version: '1.0.0' } })),
  trips(
    'lock-integrity',
    lock({ 'node_modules/pg': { integrity: 'sha512-x', resolved: 'http://localhost/pg.tgz' } }),
  ),
  passes('lock-integrity', lock({ '': {}, server: {}, 'node_modules/@mfuko/server': { link: true } })),
  passes('lock-integrity', lock({ 'node_modules/pg': { integrity: 'sha512-x' } })),
  trips('lock-scripts', lock({ 'node_modules/a': { integrity: 'sha512-x', hasInstallScript: true } })),
  passes('lock-scripts', {
    ...manifest({ allowScripts: { a: false } }),
    ...lock({
      'node_modules/a': { hasInstallScript: true },
      'node_modules/fsevents': { hasInstallScript: true },
    }),
  }),
  trips('lock-platforms', lock({ 'node_modules/@a/b-linux-x64-gnu': native('x64') })),
  trips('lock-platforms', lock({ 'node_modules/a-darwin-arm64': { os: 'darwin', cpu: 'arm64' } })),
  passes(
    'lock-platforms',
    lock({ 'node_modules/a-linux-x64': native('x64'), 'node_modules/a-linux-arm64': native('arm64') }),
  ),
]

const documents: Row[] = [
  trips('room-described', { [door]: '', 'ARCHITECTURE.md': 'funding/ deposits; server/transfers/x' }),
  passes('room-described', { [door]: '', 'ARCHITECTURE.md': '`transfers/` person to person' }),
  trips('link-resolves', { 'docs/guides/start.md': 'see [style](../STYLE.md)', 'STYLE.md': '' }),
  passes('link-resolves', {
    'docs/start.md': '[style](../STYLE.md#naming), [web](https://a.org), [here](#x)',
    'STYLE.md': '',
  }),
  trips('path-exists', { 'README.md': 'run `scripts/go.ts`' }),
  passes('path-exists', {
    'README.md': '`scripts/` and `server/src/<room>/sql.ts`\n```\n`docs/x.md`\n```',
    'scripts/a.ts': '',
  }),
]

export const planted: Row[] = [
  ...imports,
  ...boundaries,
  ...values,
  ...code,
  ...files,
  ...migrations,
  ...packages,
  ...documents,
]
