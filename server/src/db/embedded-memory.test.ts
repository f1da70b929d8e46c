// The embedded server takes an eighth of the memory there is for it, never less than it has always started with.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbedded } from './embedded.ts'
import { memoryOf, sharedBuffers } from './embedded-memory.ts'
import { withClient } from './embedded-postmaster.ts'

const gigabyte = 1024 ** 3

test('an eighth of the memory, within bounds', () => {
  const rows: [memoryBytes: number, buffers: string][] = [
    [0, '128MB'],
    [gigabyte / 2, '128MB'],
    [gigabyte, '128MB'],
    [2 * gigabyte, '256MB'],
    [24 * gigabyte, '3072MB'],
    [32 * gigabyte, '4096MB'],
    [1024 * gigabyte, '4096MB'],
  ]
  for (const [memoryBytes, buffers] of rows) assert.equal(sharedBuffers(memoryBytes), buffers)
})

test('a limit counts where there is one', () => {
  assert.equal(memoryOf(0, 8 * gigabyte), 8 * gigabyte)
  assert.equal(memoryOf(2 ** 64, 8 * gigabyte), 8 * gigabyte)
  assert.equal(memoryOf(2 * gigabyte, 8 * gigabyte), 2 * gigabyte)
})

test('the server that keeps money starts with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-memory-'))
  // As root the database runs as another user, who must get in.
  chmodSync(folder, 0o711)
  const { adminUrl, stop } = await startEmbedded({ dataDir: join(folder, 'data'), say: () => undefined })
  try {
    const { rows } = await withClient(adminUrl, (client) =>
      client.query(`select pg_size_bytes(current_setting('shared_buffers'))::float8 as bytes`),
    )
    const wanted = sharedBuffers(memoryOf(process.constrainedMemory()))
    assert.equal(rows[0]?.bytes, Number.parseInt(wanted, 10) * 1024 ** 2)
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
