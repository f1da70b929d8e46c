// The service as processes: roles, several processes on one port, graceful stops, and starts that must be refused.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { secretNames, secretVariable } from '../src/config.ts'
import { openDb } from '../src/db/db.ts'
import { testDatabase } from './helpers.ts'
import { also, longTest } from './thorough.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const { url } = await testDatabase()
const db = openDb({ url, connectionsMax: 2, name: 'processes test' })
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await db.close()
})

interface Started {
  child: ChildProcess
  output: () => string
  /** Settles when it is ready, or has ended. */
  ready: Promise<{ site: string; metrics: string } | undefined>
  ended: Promise<number | null>
}

function start(environment: Record<string, string> = {}): Started {
  const env = {
    ...process.env,
    PORT: '0',
    DEMO: 'off',
    METRICS_PORT: '0',
    // Nobody is there: these processes have nothing to do with providers.
    SIMULATOR_URL: 'http://127.0.0.1:9',
    DATABASE_URL: url,
    LOG_FORMAT: 'json',
    ...environment,
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const ready = new Promise<{ site: string; metrics: string } | undefined>((resolve) => {
    child.on('message', (message: { type: string; urls: { site: string; metrics: string } }) => {
      if (message.type === 'ready') resolve(message.urls)
    })
    ended.then(() => resolve(undefined))
  })
  return { child, output: () => output, ready, ended }
}

const urlsOf = async (started: Started) => {
  const urls = await started.ready
  assert.ok(urls, started.output())
  return urls
}
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await condition()) return
    await sleep(50)
  }
  assert.fail('waited in vain')
}
const status = async (address: string) => (await fetch(address)).status

test('roles: an API process has no worker, a worker process has no API', async () => {
  const [api, worker] = [start({ ROLE: 'api' }), start({ ROLE: 'worker' })]
  const [apiUrls, workerUrls] = [await urlsOf(api), await urlsOf(worker)]
  assert.equal(await status(`${apiUrls.site}/api/health`), 200)
  const names = (
    await db.rows<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity where datname = current_database() and application_name like 'mfuko w%'`,
    )
  ).map((row) => row.name)
  assert.deepEqual(names, ['mfuko worker'])
  const started = await db.rows<{ role: string; named: boolean }>(
    `select details ->> 'role' as role, object is not null as named from audit.events where action = 'service.started' order by 1`,
  )
  assert.deepEqual(started, [
    { role: 'api', named: true },
    { role: 'worker', named: true },
  ])
  assert.match(await (await fetch(`${workerUrls.metrics}/metrics`)).text(), /workers_seen [1-9]/)
  assert.doesNotMatch(worker.output(), /Start page/)
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 0)
  const none = await db.row<{ count: bigint }>(
    `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'mfuko worker'`,
  )
  assert.equal(none?.count, 0n, 'the API process alone has no worker')
  api.child.kill('SIGTERM')
  assert.equal(await api.ended, 0)
})

test('several processes share the port, one that dies is replaced, numbers are added up, all stop together', async () => {
  const started = start({ WEB_CONCURRENCY: '2', RATE_LIMITS: 'off' })
  const { site, metrics } = await urlsOf(started)
  const ask = async () => (await fetch(`${site}/health`, { headers: { connection: 'close' } })).status
  const pids = () =>
    new Set(
      [...started.output().matchAll(/"pid":(\d+)[^\n]*"msg":"request"/g)].map((match) => Number(match[1])),
    )
  for (let n = 0; n < 20; n++) assert.equal(await ask(), 200)
  await until(async () => pids().size === 2)
  const text = await (await fetch(`${metrics}/metrics`)).text()
  assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/health",status="200"\} 20/)

  const [victim] = pids()
  assert.ok(victim)
  process.kill(victim, 'SIGKILL')
  await until(async () => started.output().includes('an API process died'))
  // The one that is left serves until there are two again.
  await until(async () => {
    assert.equal(await ask(), 200)
    return pids().size === 3
  })
  assert.match(started.output(), /an API process died; starting another/)
  started.child.kill('SIGTERM')
  assert.equal(await started.ended, 0, started.output())
  await assert.rejects(fetch(`${site}/health`))
  for (const pid of pids()) assert.throws(() => process.kill(pid, 0))
})

longTest('a first process that is killed takes the others with it', async () => {
  const started = start({ WEB_CONCURRENCY: '2' })
  const { site } = await urlsOf(started)
  started.child.kill('SIGKILL')
  await started.ended
  await until(() =>
    fetch(`${site}/health`).then(
      () => false,
      () => true,
    ),
  )
})

longTest('while it drains it is unready but serves, each connection once more; then it closes', async () => {
  const started = start({ DRAIN_SECONDS: '3' })
  const { site } = await urlsOf(started)
  const before = await fetch(`${site}/health`)
  assert.equal(before.headers.get('connection'), 'keep-alive')
  started.child.kill('SIGTERM')
  await until(async () => (await status(`${site}/api/health`)) === 503)
  const after = await fetch(`${site}/health`)
  assert.equal(after.status, 200)
  assert.equal(after.headers.get('connection'), 'close')
  assert.equal(await started.ended, 0)
})

longTest('several processes turn unready at once, while a job is still running', async () => {
  const started = start({ WEB_CONCURRENCY: '2', DRAIN_SECONDS: '3' })
  const { site } = await urlsOf(started)
  // The job waits for a table that is locked here.
  await db.inTransaction(async (tx) => {
    await tx.rows('lock table ledger.entries in access exclusive mode')
    await db.rows(`select graphile_worker.add_job('check_books')`)
    await until(async () => {
      const waiting = `select 1 from pg_locks where relation = 'ledger.entries'::regclass and not granted`
      return (await db.row(waiting)) !== undefined
    })
    started.child.kill('SIGTERM')
    await until(async () => (await status(`${site}/api/health`)) === 503)
    assert.equal(await status(`${site}/health`), 200)
  })
  assert.equal(await started.ended, 0, started.output())
})

longTest('repeated signals at once are one; a later one ends it the hard way', async () => {
  const started = start({ DRAIN_SECONDS: '5' })
  await urlsOf(started)
  started.child.kill('SIGINT')
  started.child.kill('SIGINT')
  started.child.kill('SIGTERM')
  await sleep(1_300)
  assert.equal(started.child.exitCode, null)
  started.child.kill('SIGINT')
  assert.equal(await started.ended, 1)
})

longTest('when the one who started it is gone, it stops by itself', async () => {
  const started = start()
  await urlsOf(started)
  started.child.disconnect()
  assert.equal(await started.ended, 0)
})

/** Nothing may be made there. */
const nowhere = join(tmpdir(), `mfuko-nowhere-${randomBytes(6).toString('hex')}`)

// What is set → the sentence it must refuse with.
type Row = [what: string, environment: Record<string, string>, says: RegExp]
const refused: Row[] = [
  [
    'production without secrets, before it starts a database of its own',
    { NODE_ENV: 'production', BASE_URL: 'https://x.example', DATABASE_URL: 'embedded', DATA_DIR: nowhere },
    /^\s*The secret "jwt" is missing/,
  ],
  [
    'a database that is not there',
    { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
    /The database can't be reached.*DATABASE_URL/,
  ],
  ...also<Row>([
    [
      'production without secrets',
      { NODE_ENV: 'production', BASE_URL: 'https://x.example' },
      /The secret "jwt" is missing/,
    ],
    ['an address of another machine', { HOST: '192.0.2.1' }, /no network address 192\.0\.2\.1.*HOST/],
    ['a wrong setting', { PORT: 'eighty' }, /PORT must be a whole number/],
    [
      'production without a database',
      { NODE_ENV: 'production', BASE_URL: 'https://x.example', DATABASE_URL: '' },
      /DATABASE_URL must be set in production.*`embedded`/,
    ],
    ['a data folder that is a file', { DATA_DIR: main }, /secrets can't be kept in .* Set DATA_DIR/],
    ['proxies that are no addresses', { TRUSTED_PROXIES: '10.0.0.1,x' }, /^\s*TRUSTED_PROXIES must be/],
  ]),
]
for (const [what, environment, says] of refused) {
  test(`refuses ${what} with a sentence and exit code 1`, async () => {
    const started = start(environment)
    assert.equal(await started.ended, 1)
    assert.match(started.output(), says)
    assert.doesNotMatch(started.output(), /\bat .*\.ts:\d+/)
  })
}

test('a refused start leaves nothing behind', () => assert.equal(existsSync(nowhere), false))

test('one process does everything; its ports are taken for others, which is a sentence; it stops cleanly on SIGTERM', async () => {
  const first = start()
  const { site, metrics } = await urlsOf(first)
  assert.equal(await status(`${site}/api/health`), 200)
  assert.equal(await status(`${metrics}/status`), 200)
  for (const [setting, taken] of [['PORT', site], ...also([['METRICS_PORT', metrics] as const])] as const) {
    const second = start({ [setting]: new URL(taken).port })
    assert.equal(await second.ended, 1)
    assert.match(second.output(), new RegExp(`Port ${new URL(taken).port} is taken.*${setting}=`))
  }
  first.child.kill('SIGTERM')
  assert.equal(await first.ended, 0, first.output())
})

test('production: with secrets it starts, and a database that could lose money is not ready', async () => {
  const secrets = Object.fromEntries(
    secretNames.map((name) => [secretVariable(name), randomBytes(32).toString('base64')]),
  )
  const started = start({
    NODE_ENV: 'production',
    BASE_URL: 'https://x.example',
    HOST: '127.0.0.1',
    DATABASE_URL: `${url}?options=-c%20synchronous_commit%3Doff`,
    DRAIN_SECONDS: '0',
    ...secrets,
  })
  const { site, metrics } = await urlsOf(started)
  assert.equal(await status(`${site}/api/health`), 503)
  assert.equal(await status(`${site}/health`), 200)
  const { reasons } = (await (await fetch(`${metrics}/status`)).json()) as { reasons: string[] }
  assert.match(reasons.join(), /synchronous_commit is off/)
  started.child.kill('SIGTERM')
  assert.equal(await started.ended, 0)
  for (const value of Object.values(secrets)) assert.ok(!started.output().includes(value))
})
