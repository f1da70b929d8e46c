// The command `npm run audit:verify`, with a database of one's own and with the service's own one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as audit from '../src/audit/audit.ts'
import { type Db, openDb } from '../src/db/db.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrateAll } from '../src/migrate.ts'
import { loadSecrets } from '../src/secrets.ts'
import { testClock, testConfig, testDatabase, testSecrets } from './helpers.ts'

const command = fileURLToPath(new URL('../src/audit-verify.ts', import.meta.url))
const database = await testDatabase()
const db = openDb({ url: database.url, connectionsMax: 4, name: 'mfuko tests' })
const admin = openDb({ url: database.adminUrl, connectionsMax: 1, name: 'mfuko tests' })
const folder = mkdtempSync(join(tmpdir(), 'mfuko-audit-'))
// As root the database runs as another user, who must be able to enter.
chmodSync(folder, 0o755)
after(async () => {
  await Promise.all([db.close(), admin.close()])
  rmSync(folder, { recursive: true, force: true })
})

const keysFile = join(folder, 'keys.json')
const writeKeys = (changes: object = {}) => {
  const texts = Object.entries(testSecrets).map(([name, secret]) => [
    name,
    secret.reveal().toString('base64'),
  ])
  writeFileSync(keysFile, JSON.stringify({ ...Object.fromEntries(texts), ...changes }))
}

interface Ended {
  code: number | null
  said: string
}

/** Runs the command as a person would, with nothing set but this. */
function verify(environment: Record<string, string>, words: string[] = []): Promise<Ended> {
  const { DATABASE_URL: _url, DATA_DIR: _dir, ...inherited } = process.env
  const child = spawn(process.execPath, [command, ...words], {
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

const record = (into: Db, { count, at }: { count: number; at: Date }) =>
  into.inTransaction(async (tx) => {
    for (let n = 0; n < count; n++) {
      await audit.record(tx, { actor: { kind: 'user', id: `usr_${n}` }, action: 'login', result: 'ok', at })
    }
  })

const clock = testClock(new Date(Date.now() - 86_400_000).toISOString())

describe('npm run audit:verify', () => {
  before(async () => {
    writeKeys()
    const { audit: secret } = testSecrets
    await record(db, { count: 5, at: clock.now() })
    await audit.seal(db, { secret, clock })
    clock.advance(86_400)
    await audit.seal(db, { secret, clock })
  })
  const environment = { DATABASE_URL: database.url, SECRET_KEYS_FILE: keysFile }

  test('says that the log is whole, after it has sealed what was waiting', async () => {
    await record(db, { count: 2, at: clock.now() })
    const { code, said } = await verify(environment)
    assert.equal(code, 0, said)
    assert.match(said, /^The audit log is whole: 7 events of 2 days, read in \d/)
    assert.match(said, /\nIt ends on \d{4}-\d\d-\d\d after event 2 of that day: [0-9a-f]{64}\n$/)
    assert.doesNotMatch(said, /Checking/, 'progress is for terminals')
  })

  test('with another secret it names the head and the tip, until they are signed anew', async () => {
    writeKeys({ audit: Buffer.from('another secret of thirty-two byte').toString('base64') })
    const { code, said } = await verify(environment)
    assert.equal(code, 1)
    assert.match(said, /^The audit log is WRONG/)
    assert.match(
      said,
      /\n2 found wrong:\n {2}the head of .*another secret.*\n {2}the tip of the chain: .*another secret/,
    )
    const anew = await verify(environment, ['--new-secret'])
    assert.equal(anew.code, 0, anew.said)
    assert.match(anew.said, /\nSigned the head of \d{4}-\d\d-\d\d: [0-9a-f]{64} [0-9a-f]{64}\n/)
    assert.equal((await verify(environment)).code, 0)
  })

  test('names the first wrong row, and ends with 1', async () => {
    await admin.inTransaction(async (tx) => {
      await tx.rows('set local session_replication_role = replica')
      await tx.rows(
        `update audit.events set actor_id = 'usr_x' where id = (select min(id) from audit.events)`,
      )
    })
    const { code, said } = await verify(environment)
    assert.equal(code, 1)
    assert.match(
      said,
      /\n1 found wrong:\n {2}event \d+ \(\d{4}-\d\d-\d\d, position 1\): the event or its hash was altered\n$/,
    )
  })

  // What is set → the sentence it ends with.
  const refused: [
    what: string,
    environment: () => Promise<Record<string, string>>,
    words: string[],
    says: RegExp,
  ][] = [
    [
      'a database that is not there',
      async () => ({ ...environment, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }),
      [],
      /^The database went away or can't be reached.*DATABASE_URL.*\n$/,
    ],
    [
      'a database without an audit log',
      async () => ({ ...environment, DATABASE_URL: (await testDatabase({ empty: true })).url }),
      [],
      /^There are no audit logs.*npm run migrate/,
    ],
    [
      'a folder without data',
      async () => ({ DATA_DIR: '/nowhere/at/all' }),
      [],
      /^There are no audit logs.*npm start/,
    ],
    ['a word it does not know', async () => environment, ['--fix'], /^Use: npm run audit:verify/],
  ]
  for (const [what, given, words, says] of refused) {
    test(`${what}: one sentence, and 1`, async () => {
      const { code, said } = await verify(await given(), words)
      assert.equal(code, 1)
      assert.match(said, says)
    })
  }
})

test('with the embedded database and the generated secrets', { timeout: 240_000 }, async () => {
  const dataDir = join(folder, 'data')
  const embedded = await startEmbedded({ dataDir, durable: false, say: () => undefined })
  try {
    await migrateAll({ url: embedded.url, say: () => undefined })
    const own = openDb({ url: embedded.url, connectionsMax: 2, name: 'mfuko tests' })
    const secrets = loadSecrets(testConfig(), embedded.dataDir)
    await record(own, { count: 1, at: clock.now() })
    await audit.seal(own, { secret: secrets.audit, clock })
    await own.close()
    const { code, said } = await verify({ DATA_DIR: dataDir })
    assert.equal(code, 0, said)
    assert.match(said, /^The audit log is whole: 1 events of 1 day/)
  } finally {
    await embedded.stop()
  }
})
