// A number that was handed out never comes again: not to two who ask at once, and not after a kill -9 of PostgreSQL, even
// when nothing else was committed between.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { killDatabase } from '../../test/kill-database.ts'
import { openDb, openNumbers, takeNumber } from './db.ts'
import { startEmbedded } from './embedded.ts'

const rounds = 3
const folder = mkdtempSync(join(tmpdir(), 'mfuko-numbers-'))
// As root the database runs as another user, who must get in.
chmodSync(folder, 0o711)
const start = (port = 0) =>
  startEmbedded({ dataDir: join(folder, 'database'), port, durable: true, say: () => undefined })
let server = await start()
const { url } = server
const db = openDb({ url, connectionsMax: 4, name: 'numbers test' })
after(async () => {
  await db.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
for (const sequence of ['blocks increment by 10', 'killed_blocks increment by 10', 'killed_numbers'])
  await db.rows(`create sequence ${sequence}`)

/** The first after a crash logs the sequence ahead; left unflushed here, so that what follows rests on nothing but memory. */
async function logAhead(sequence: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query('select nextval($1::text::regclass)', [sequence])
}

test('numbers of blocks come once each, however many ask', async () => {
  const processes = [1, 2, 3].map(() => openNumbers(db, { sequence: 'blocks', size: 10n }))
  const asked = Array.from({ length: 40 }, (_, index) => processes[index % 3]?.(1 + (index % 17)) ?? [])
  const numbers = (await Promise.all(asked)).flat()
  assert.equal(new Set(numbers).size, numbers.length)
})

test(`a number comes once, though the database is killed ${rounds} times`, async () => {
  const survivor = openNumbers(db, { sequence: 'killed_blocks', size: 10n })
  const numbers: bigint[] = []
  const blocks: bigint[] = []
  const take = async () => {
    numbers.push(await takeNumber(db, 'killed_numbers'))
    // More than one block: the survivor takes what is left of it after the crash, beside one that has just started.
    blocks.push(...(await survivor(15)))
    blocks.push(...(await openNumbers(db, { sequence: 'killed_blocks', size: 10n })(10)))
  }
  for (let round = 0; round < rounds; round++) {
    for (const sequence of ['killed_numbers', 'killed_blocks']) await logAhead(sequence)
    await take()
    killDatabase(server)
    await server.stop()
    server = await start(Number(new URL(url).port))
  }
  await take()
  assert.equal(new Set(numbers).size, numbers.length, `numbers ${numbers}`)
  assert.equal(new Set(blocks).size, blocks.length, `numbers of blocks ${blocks}`)
})
