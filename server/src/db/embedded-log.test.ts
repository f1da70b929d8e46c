// The log of the embedded database does not grow without an end, however long it runs, and goes on after it was emptied.
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/notifications.ts'
import { startEmbedded } from './embedded.ts'
import { withClient } from './embedded-postmaster.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-log-'))
after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))

test('a log that has grown too long is turned over while the server runs', async () => {
  const embedded = await startEmbedded({ dataDir, durable: false, say: () => undefined })
  const path = join(dataDir, 'postgres.log')
  const provoke = () =>
    withClient(embedded.adminUrl, (client) => assert.rejects(client.query('select 1 / 0'), { code: '22012' }))
  try {
    await provoke()
    appendFileSync(path, `${'x'.repeat(1023)}\n`.repeat(11 * 1024))
    await eventually(() => assert.ok(statSync(path).size < 10_000), 30_000)
    const before = statSync(`${path}.1`)
    assert.ok(before.size > 11 * 1024 * 1024)
    assert.equal(before.mode & 0o777, 0o600)
    assert.match(readFileSync(`${path}.1`, 'utf8').slice(0, 10_000), /division by zero/)
    await provoke()
    await eventually(() => assert.match(readFileSync(path, 'utf8'), /^[^\0]*division by zero/))
    assert.ok(statSync(path).size < 10_000, 'it begins anew, and not where it was')
  } finally {
    await embedded.stop()
  }
})
