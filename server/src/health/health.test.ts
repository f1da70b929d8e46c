// Health: alive is the process alone, ready is the database too, and the reasons stay on the private port.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp, testClock, testDatabase } from '../../test/helpers.ts'
import { openSlowLine } from '../../test/slow-line.ts'
import { type Db, openDb } from '../db/db.ts'
import { readMigrations, schemaFits } from '../db/migrate.ts'
import { type HealthOptions, openHealth } from './health.ts'

const { url, adminUrl } = await testDatabase()
const { app, db, health } = await testApp({ database: { url, adminUrl } })

const opened: ReturnType<typeof openDb>[] = []
after(() => Promise.all(opened.map((db) => db.close())))
const migrations = readMigrations()

function readiness(at: string, changes: Partial<HealthOptions> = {}) {
  const probe = openDb({ url: at, connectionsMax: 1, name: 'health test' })
  opened.push(probe)
  return readinessOf(probe, changes)
}

function readinessOf(probe: Db, changes: Partial<HealthOptions> = {}) {
  const clock = testClock()
  return openHealth({
    db: probe,
    clock,
    version: '1',
    production: false,
    schemaFits: () => schemaFits(probe, migrations),
    booksReasons: async () => [],
    feedReasons: () => [],
    dataDir: undefined,
    ...changes,
  }).readiness()
}
const withSetting = (at: string, setting: string) => `${at}?options=${encodeURIComponent(`-c ${setting}`)}`

test('both answer exactly status, version and time', async () => {
  for (const path of ['/health', '/api/health']) {
    const answer = await app.inject(path)
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json(), { status: 'ok', version: '0.0.0-test', time: '2026-03-14T09:00:00.000Z' })
  }
})

test('a database that is away: alive, but not ready', async () => {
  const { ready, reasons } = await readiness('postgres://x:y@127.0.0.1:1/z')
  assert.equal(ready, false)
  assert.deepEqual(reasons, ['The database is away.'])
})

test('a database that is slow is ready, and one that hangs is not', async () => {
  const line = await openSlowLine(url)
  const slow = openDb({ url: line.url, connectionsMax: 3, name: 'health test', connectMs: 20_000 })
  opened.push(slow)
  const booksReasons = async () => {
    await slow.row('select 1')
    return []
  }
  await Promise.all([1, 2, 3].map(() => slow.row('select 1')))
  // Three questions, each of which takes longer than a third of the limit.
  line.delay(700)
  let ready = false
  // Several tries, since the machine may be slow as well.
  for (let tries = 0; tries < 20 && !ready; tries++) ({ ready } = await readinessOf(slow, { booksReasons }))
  assert.ok(ready)
  line.hang()
  assert.deepEqual(await readinessOf(slow, { booksReasons }), {
    ready: false,
    reasons: ['The database did not answer within 1500 ms.'],
  })
})

test('a schema of another release is not ready', async () => {
  const { reasons } = await readiness(url, { schemaFits: async () => false })
  assert.match(reasons.join(), /schema/)
})

test('books that were found wrong are not ready', async () => {
  const { ready, reasons } = await readiness(url, { booksReasons: async () => ['The books are wrong.'] })
  assert.deepEqual({ ready, reasons }, { ready: false, reasons: ['The books are wrong.'] })
})

test('a database that takes no writes is not ready', async () => {
  const { reasons } = await readiness(withSetting(url, 'default_transaction_read_only=on'))
  assert.match(reasons.join(), /takes no writes/)
})

test('in production a database that could lose money is not ready, and each setting is named', async () => {
  // The server of the tests usually runs without fsync and full_page_writes, but may be any other.
  const { reasons } = await readiness(withSetting(url, 'synchronous_commit=off'), { production: true })
  assert.match(reasons.join(), /synchronous_commit is off/)
  for (const name of ['fsync', 'full_page_writes']) {
    const row = await db.row<{ value: string }>('select current_setting($1) as value', [name])
    assert.equal(reasons.join().includes(`${name} is off`), row?.value === 'off')
  }
  assert.match((await readiness(adminUrl, { production: true })).reasons.join(), /superuser/)
  assert.equal((await readiness(url)).ready, true)
})

test('a folder that is gone is not ready', async () => {
  assert.match(
    (await readiness(url, { dataDir: '/nowhere/at/all' })).reasons.join(),
    /folder of the database is gone/,
  )
})

test('a process that stops is alive, but not ready', async () => {
  health.stopping()
  const answer = await app.inject('/api/health')
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.headers['retry-after'], '1')
  assert.deepEqual(answer.json(), {
    status: 'unavailable',
    version: '0.0.0-test',
    time: '2026-03-14T09:00:00.000Z',
  })
  assert.equal((await app.inject('/health')).statusCode, 200)
})
