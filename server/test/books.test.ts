// The check of the books as the parts of the service use it: the command `npm run books` with a database of one's own,
// beside the service's own one and without it; the nightly schedule; and readiness, which follows the latest check.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildTasks } from '../src/app.ts'
import * as background from '../src/background/background.ts'
import { openDb } from '../src/db/db.ts'
import { type Embedded, startEmbedded } from '../src/db/embedded.ts'
import { openDependencies } from '../src/dependencies.ts'
import * as ledgers from '../src/ledger/ledger.ts'
import { migrateAll } from '../src/migrate.ts'
import { loadPrices } from '../src/prices-file.ts'
import { testApp, testConfig, testDatabase, testLog, testSecrets } from './helpers.ts'
import { openMoves } from './ledger-moves.ts'

const command = fileURLToPath(new URL('../src/books.ts', import.meta.url))
const database = await testDatabase()
const moves = openMoves(database)
after(moves.close)
before(() => moves.someMoves(100))

interface Ended {
  code: number | null
  said: string
}

/** Runs the command as a person would, with nothing set but this. */
function books(environment: Record<string, string>): Promise<Ended> {
  const { DATABASE_URL: _url, DATA_DIR: _dir, ...inherited } = process.env
  const child = spawn(process.execPath, [command], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

const ofAlice = `account_id = (select id from ledger.accounts where owner = 'alice')`

describe('npm run books', () => {
  test('says that the books are right, with the sums', async () => {
    const { code, said } = await books({ DATABASE_URL: database.url })
    assert.equal(code, 0, said)
    assert.match(said, /^The books are right: \d+ entries of \d+ postings on \d+ accounts, read in \d/)
    assert.match(said, /mode +currency +accounts +entries +sum\n/)
    assert.match(said, /\n {2}live +KES +\d+ +\d+ +0\n/)
    assert.doesNotMatch(said, /Checking/, 'progress is for terminals')
  })

  test('names what is wrong, and ends with 1', async () => {
    await moves.deposit('alice', 100n)
    await moves.save()
    await moves.tamper(`update ledger.entries set balance_after = 101 where ${ofAlice}`)
    const { code, said } = await books({ DATABASE_URL: database.url })
    assert.equal(code, 1, said)
    assert.match(said, /^The books are WRONG/)
    assert.match(
      said,
      /\n1 found wrong:\n {2}entry 1 of account \d+ \(user alice UGX live\): its balance after is 101, but 0 and 100/,
    )
    const { reasons } = await readinessNow()
    assert.match(reasons.join(), /found them wrong: entry 1 of account \d+ \(user alice UGX live\)/)
    await moves.restore()
    assert.equal((await books({ DATABASE_URL: database.url })).code, 0)
    assert.deepEqual((await readinessNow()).reasons, [], 'the service is ready again')
  })

  // What is set → the sentence it ends with.
  const refused: [what: string, environment: () => Promise<Record<string, string>>, says: RegExp][] = [
    [
      'a database that is not there',
      async () => ({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }),
      /^The database went away or can't be reached.*DATABASE_URL.*\n$/,
    ],
    [
      'a database without a ledger',
      async () => ({ DATABASE_URL: (await testDatabase({ empty: true })).url }),
      /^There are no books.*npm run migrate/,
    ],
    [
      'a folder without data',
      async () => ({ DATA_DIR: '/nowhere/at/all' }),
      /^There are no books.*npm start/,
    ],
  ]
  for (const [what, environment, says] of refused) {
    test(`${what}: one sentence, and 1`, async () => {
      const { code, said } = await books(await environment())
      assert.equal(code, 1)
      assert.match(said, says)
    })
  }
})

describe('npm run books with the embedded database', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-books-'))
  // As root the database runs as another user, who must be able to enter.
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  let embedded: Embedded | undefined
  before(async () => {
    embedded = await startEmbedded({ dataDir, durable: false, say: () => undefined })
    await migrateAll({ url: embedded.url, say: () => undefined })
  })
  after(async () => {
    await embedded?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('while the service runs, its database is found', async () => {
    const { code, said } = await books({ DATA_DIR: dataDir })
    assert.equal(code, 0, said)
    assert.match(said, /^The books are right: 0 entries/)
  })

  test('while it does not, the database is started for the check, and stopped again', async () => {
    await embedded?.stop()
    const { code, said } = await books({ DATA_DIR: dataDir })
    assert.equal(code, 0, said)
    assert.match(
      said,
      /^The service is not running; starting its database for the check…\n(PostgreSQL runs from .*\n)?The books are right/,
    )
    const again = await startEmbedded({ dataDir, durable: false, say: () => undefined })
    embedded = again
    assert.equal(again.adopted, false, 'nothing was left running')
  })
})

const { app, health } = await testApp({ database })

async function readinessNow() {
  // An answer is kept for a second.
  await sleep(1_100)
  return health.readiness()
}

test('a check that found something makes the service unavailable, until a later one is right', async () => {
  const statusNow = async () => {
    await readinessNow()
    return (await app.inject('/api/health')).statusCode
  }
  assert.equal(await statusNow(), 200)
  await moves.tamper(`update ledger.entries set held_after = 1 where ${ofAlice}`)
  await ledgers.checkAndKeep(moves.db, { clock: { now: () => new Date() } })
  assert.equal(await statusNow(), 503)
  await moves.tamper(`update ledger.entries set held_after = 0 where ${ofAlice}`)
  await ledgers.checkAndKeep(moves.db, { clock: { now: () => new Date() } })
  assert.equal(await statusNow(), 200)
})

test('a worker runs the check every night', async () => {
  const { log } = testLog()
  const config = testConfig()
  const opened = await openDependencies({
    config,
    clock: moves.clock,
    log,
    prices: loadPrices(config),
    secrets: testSecrets,
    baseUrl: 'http://localhost',
    databaseUrl: database.url,
  })
  const parts = buildTasks(opened.dependencies)
  const worker = await background.startWorker({ url: database.url, concurrency: 1, ...parts, log })
  try {
    const admin = openDb({ url: database.adminUrl, connectionsMax: 1, name: 'mfuko tests' })
    const isKnown = async () =>
      (
        await admin.rows(
          `select 1 from graphile_worker._private_known_crontabs where identifier = 'check_books'`,
        )
      ).length === 1
    // A worker that has started writes down soon what it will do when.
    for (let tries = 0; tries < 200 && !(await isKnown()); tries++) await sleep(50)
    assert.ok(await isKnown())
    await admin.close()
  } finally {
    await worker.stop()
    await opened.close()
  }
})
