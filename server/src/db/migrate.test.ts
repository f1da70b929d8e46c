// Migrations: once each, whole or not at all, one process at a time, and never changed afterwards.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../../test/helpers.ts'
import { StartError } from '../base/errors.ts'
import { openDb } from './db.ts'
import { migrate, readMigrations, schemaFits } from './migrate.ts'

const { url } = await testDatabase({ empty: true })
const db = openDb({ url, connectionsMax: 2, name: 'migrate test' })
const directory = mkdtempSync(join(tmpdir(), 'mfuko-migrations-'))
after(async () => {
  await db.close()
  rmSync(directory, { recursive: true })
})

const write = (name: string, sql: string) => writeFileSync(join(directory, name), sql)
const run = (say: (line: string) => void = () => undefined) => migrate({ url, directory, say })
const values = async () =>
  (await db.rows<{ n: number }>('select n from probe.numbers order by n')).map((row) => row.n)

test('applies what is pending, in order, and says so', async () => {
  write('0001-one.sql', '-- A table.\ncreate schema probe; create table probe.numbers (n int primary key);')
  write('0002-two.sql', '-- A row.\ninsert into probe.numbers values (2);')
  const said: string[] = []
  assert.deepEqual(await run((line) => said.push(line)), ['0001-one.sql', '0002-two.sql'])
  assert.match(said.join('\n'), /1 of 2.*0001-one\.sql\n.*2 of 2.*0002-two\.sql/)
  assert.deepEqual(await run(), [])
  assert.deepEqual(await values(), [2])
})

test('a file that fails leaves nothing behind, and the next run can go on', async () => {
  write('0003-three.sql', '-- Fails half way.\ninsert into probe.numbers values (3); select 1/0;')
  await assert.rejects(
    run(),
    (error) => error instanceof StartError && /0003-three\.sql.*division by zero/.test(error.message),
  )
  assert.deepEqual(await values(), [2])
  write('0003-three.sql', '-- Mended.\ninsert into probe.numbers values (3);')
  assert.deepEqual(await run(), ['0003-three.sql'])
})

test('a file that was applied must not change; line ends of another system are no change', async () => {
  write('0002-two.sql', '-- A row.\r\ninsert into probe.numbers values (2);')
  assert.deepEqual(await run(), [])
  write('0002-two.sql', '-- A row.\ninsert into probe.numbers values (22);')
  await assert.rejects(
    run(),
    (error) => error instanceof StartError && /0002-two\.sql was changed/.test(error.message),
  )
  write('0002-two.sql', '-- A row.\ninsert into probe.numbers values (2);')
})

test('of several processes at once one works and the others wait', async () => {
  write('0004-four.sql', '-- Slow.\nselect pg_sleep(0.3); insert into probe.numbers values (4);')
  const said: string[] = []
  const done = await Promise.all([1, 2, 3].map(() => run((line) => said.push(line))))
  assert.deepEqual(done.flat(), ['0004-four.sql'])
  assert.match(said.join('\n'), /Another process is updating the database/)
})

test('a busy table is waited for with patience, and users of it go first', async () => {
  write('0005-five.sql', '-- Needs the table alone.\nalter table probe.numbers add column note text;')
  const busy = db.inTransaction(async (tx) => {
    await tx.rows('lock table probe.numbers in access share mode')
    await tx.rows('select pg_sleep(2)')
  })
  const migrating = run()
  await sleep(1_200)
  // The migration has let go by now: a reader is not queued behind it.
  const begun = performance.now()
  await values()
  assert.ok(performance.now() - begun < 1_500)
  await busy
  assert.deepEqual(await migrating, ['0005-five.sql'])
})

test('killed in the middle: a rerun converges', async () => {
  write(
    '0006-six.sql',
    '-- Killed while it sleeps.\ninsert into probe.numbers values (6); select pg_sleep(1);',
  )
  const code = `import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
    await migrate({ url: ${JSON.stringify(url)}, directory: ${JSON.stringify(directory)}, say: (line) => console.log(line) })`
  for (let round = 1; round <= 3; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await sleep(round * 50)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    assert.ok(!(await values()).includes(6))
  }
  assert.deepEqual(await run(), ['0006-six.sql'])
  assert.ok((await values()).includes(6))
})

test('a release fits a schema that is ahead, unless something in between was breaking', async () => {
  const all = readMigrations(directory)
  assert.equal(await schemaFits(db, all), true)
  assert.equal(await schemaFits(db, all.slice(0, -1)), true)
  const [first] = all
  assert.ok(first)
  assert.equal(await schemaFits(db, [...all, { ...first, name: '9999-next.sql' }]), false)
  write('0007-seven.sql', '-- Gone.\n--! breaking\nalter table probe.numbers drop column note;')
  await run()
  assert.equal(await schemaFits(db, all), false)
  assert.equal(await schemaFits(db, readMigrations(directory)), true)
})

test('a database that is not there is a sentence', async () => {
  const nowhere = migrate({ url: 'postgres://x:y@127.0.0.1:1/z', directory, say: () => undefined })
  await assert.rejects(
    nowhere,
    (error) => error instanceof StartError && /can't be reached/.test(error.message),
  )
})
