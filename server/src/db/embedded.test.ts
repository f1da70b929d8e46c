// What the embedded database promises: it starts from nothing, keeps what was committed, and whatever a kill
// leaves behind (processes, locks, half-made files) does not stop the next start. What a person must mend is one
// sentence.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { also } from '../../test/thorough.ts'
import { type Embedded, type EmbeddedOptions, lockDataDir, startEmbedded } from './embedded.ts'
import { copyBinaries, findBinaries } from './embedded-binaries.ts'
import { withClient } from './embedded-postmaster.ts'
import { startOf } from './embedded-processes.ts'

const isRoot = process.getuid?.() === 0
const onlyRoot = isRoot ? {} : { skip: 'only root runs the database as another user' }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-embedded-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** With a database that was started and stopped before: where the first start is not the matter, to make one is waste. */
async function usedFolder(): Promise<string> {
  used ??= await makeUsed()
  const dataDir = newFolder()
  execFileSync('cp', ['-a', `${used}/.`, dataDir])
  return dataDir
}
let used: string | undefined
after(() => {
  if (used !== undefined) rmSync(used, { recursive: true, force: true, maxRetries: 5 })
})

async function makeUsed(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-used-'))
  await (await startEmbedded({ dataDir: folder, durable: false, say: () => undefined })).stop()
  return folder
}

async function start(
  options: Partial<EmbeddedOptions> & { dataDir: string },
): Promise<Embedded & { said: string[] }> {
  const said: string[] = []
  const embedded = await startEmbedded({ durable: false, say: (line) => said.push(line), ...options })
  cleanups.push(() => embedded.stop())
  return { ...embedded, said }
}

/** What the person reads when it doesn't start. */
async function refusal(options: Partial<EmbeddedOptions> & { dataDir: string }): Promise<string> {
  const outcome: unknown = await start(options).catch((error: unknown) => error)
  assert.ok(outcome instanceof Error && outcome.name === 'StartError', `expected a sentence, got ${outcome}`)
  return outcome.message
}

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query(sql)).rows)

const keep = (url: string, note: string) =>
  query(url, `create table if not exists notes (note text); insert into notes values ('${note}')`)

const kept = async (url: string) =>
  (await query(url, 'select note from notes order by 1')).map(({ note }) => note)

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

const hasEnded = async (pid: number) => {
  for (let waited = 0; waited < 10_000 && startOf(pid) !== undefined; waited += 50) await sleep(50)
  assert.equal(startOf(pid), undefined, `process ${pid} should have ended`)
}

/** Another Mfuko, to be killed. */
function startElsewhere(dataDir: string): ChildProcess {
  const code = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('embedded.ts', import.meta.url))})
    const options = { dataDir: ${JSON.stringify(dataDir)}, durable: false, say: () => undefined }
    const { url } = await startEmbedded(options).catch((error) => ({ url: error.message }))
    process.send(url)
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('the first start makes a server for this machine only, and the second finds its data', async () => {
  const dataDir = newFolder()
  const first = await start({ dataDir, durable: true })
  assert.equal(first.said.at(-1), 'Preparing the database (first start)…')
  assert.equal(first.dataDir, dataDir)
  const settings = `select name, setting from pg_settings where name = any('{listen_addresses,unix_socket_directories,data_checksums,fsync,server_encoding}') order by 1`
  assert.deepEqual(
    (await query(first.adminUrl, settings)).map(({ name, setting }) => `${name}=${setting}`),
    [
      'data_checksums=on',
      'fsync=on',
      'listen_addresses=127.0.0.1',
      'server_encoding=UTF8',
      'unix_socket_directories=',
    ],
  )
  const role = 'select rolsuper, rolcreatedb from pg_roles where rolname = current_user'
  assert.deepEqual(await query(first.url, role), [{ rolsuper: false, rolcreatedb: true }])
  // The files are closed to others.
  const modes = ['.', 'postgres', 'postgres-password.json', 'postgres.log'].map(
    (name) => `${name} ${(statSync(join(dataDir, name)).mode & 0o777).toString(8)}`,
  )
  const folder = isRoot ? '711' : '700'
  assert.deepEqual(modes, [`. ${folder}`, 'postgres 700', 'postgres-password.json 600', 'postgres.log 600'])
  await keep(first.url, 'first')
  await first.stop()

  const second = await start({ dataDir, durable: true })
  assert.ok(!second.said.some((line) => /Preparing/.test(line)))
  assert.equal(second.adopted, false)
  assert.deepEqual(await kept(second.url), ['first'])
  await second.stop()
  assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres-password.json', 'postgres.log'])
})

test('a wrong password is refused', async () => {
  const { adminUrl } = await start({ dataDir: await usedFolder() })
  const wrong = adminUrl.replace(/postgres:[0-9a-f]+@/, 'postgres:guess@')
  await assert.rejects(query(wrong, 'select 1'), { code: '28P01' })
})

test('its log tells of errors, and nothing of what was written', async () => {
  const dataDir = await usedFolder()
  const { url } = await start({ dataDir })
  const insert = `insert into phones values ('+256771234567')`
  await query(url, `create table phones (phone text unique); ${insert}`)
  await assert.rejects(query(url, insert), { code: '23505' })
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  assert.match(log, /ERROR: {2}duplicate key value violates unique constraint "phones_phone_key"/)
  assert.doesNotMatch(log, /771234567/)
})

test('after kill -9 of the database the next start recovers', async () => {
  const dataDir = await usedFolder()
  const first = await start({ dataDir, durable: true })
  await keep(first.url, 'committed')
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await first.stop()
  const second = await start({ dataDir, durable: true })
  assert.equal(second.adopted, false)
  assert.deepEqual(await kept(second.url), ['committed'])
})

test('after kill -9 of Mfuko its database is taken over, and its sessions are ended', async () => {
  const dataDir = newFolder()
  const other = startElsewhere(dataDir)
  const [url] = (await once(other, 'message')) as [string]
  await keep(url, 'committed')
  const pid = postmasterOf(dataDir)
  await withClient(url, async (client) => {
    await client.query('begin; lock table notes')
    await kill(other)
    const embedded = await start({ dataDir })
    assert.equal(embedded.adopted, true)
    assert.equal(postmasterOf(dataDir), pid)
    assert.deepEqual(await kept(embedded.url), ['committed'])
    await embedded.stop()
    await hasEnded(pid)
  })
})

test('a server left running with other settings is started anew', async () => {
  const dataDir = await usedFolder()
  const other = startElsewhere(dataDir)
  await once(other, 'message')
  const pid = postmasterOf(dataDir)
  await kill(other)
  const embedded = await start({ dataDir, durable: true })
  assert.equal(embedded.adopted, false)
  assert.deepEqual(await query(embedded.url, 'show fsync'), [{ fsync: 'on' }])
  await hasEnded(pid)
})

test('a server left running that does not answer is replaced (slow: it gets 15 seconds)', async () => {
  const dataDir = await usedFolder()
  const other = startElsewhere(dataDir)
  const [url] = (await once(other, 'message')) as [string]
  await keep(url, 'committed')
  const pid = postmasterOf(dataDir)
  await kill(other)
  process.kill(pid, 'SIGSTOP')
  const embedded = await start({ dataDir })
  assert.equal(embedded.adopted, false)
  assert.deepEqual(await kept(embedded.url), ['committed'])
  await hasEnded(pid)
})

for (const [what, content] of [
  ['names another program', `${process.pid}\n/elsewhere\n1700000000\n5432\n\n127.0.0.1\n\nready   \n`],
  ...also([
    ['is empty', ''] as const,
    ['names nobody', '4194303\n/elsewhere\n1700000000\n5432\n\n127.0.0.1\n\nready   \n'] as const,
  ]),
] as const) {
  test(`a postmaster.pid that ${what} does not stop the start`, async () => {
    const dataDir = await usedFolder()
    const path = join(dataDir, 'postgres/postmaster.pid')
    writeFileSync(path, content)
    // As PostgreSQL would have made it: it only fears processes of its own user.
    const { uid, gid } = statSync(join(dataDir, 'postgres'))
    if (isRoot) chownSync(path, uid, gid)
    const { adopted } = await start({ dataDir })
    assert.equal(adopted, false)
  })
}

test('a first start that is killed at any moment does not spoil the next', async () => {
  for (const afterMs of [600, ...also([150, 300, 450, 750, 900])]) {
    const dataDir = newFolder()
    const other = startElsewhere(dataDir)
    await sleep(afterMs)
    await kill(other)
    const embedded = await start({ dataDir })
    await keep(embedded.url, 'fine')
    await embedded.stop()
    const left = readdirSync(dataDir).filter((name) => name.includes('new') || name.includes('lock'))
    assert.deepEqual(left, [], `killed after ${afterMs} ms`)
  }
})

test('half-made data are cleared away', async () => {
  const dataDir = newFolder()
  mkdirSync(join(dataDir, 'postgres.new-1-abc/base'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.new-1-abc/PG_VERSION'), '18\n')
  writeFileSync(join(dataDir, 'postgres-password.new-1'), '{')
  writeFileSync(join(dataDir, 'postgres-password.json'), '{"postgres":')
  await start({ dataDir })
  assert.deepEqual(readdirSync(dataDir).sort(), [
    'postgres',
    'postgres-password.json',
    'postgres.log',
    'server.lock',
  ])
})

test('a lost password is replaced', async () => {
  const dataDir = await usedFolder()
  const first = await start({ dataDir })
  await keep(first.url, 'committed')
  await first.stop()
  rmSync(join(dataDir, 'postgres-password.json'))
  const second = await start({ dataDir })
  assert.notEqual(second.url.replace(/:[0-9]+\//, '/'), first.url.replace(/:[0-9]+\//, '/'))
  assert.deepEqual(await kept(second.url), ['committed'])
})

test('a second Mfuko with the same data folder is refused, until the first has stopped', async () => {
  const dataDir = await usedFolder()
  const first = await start({ dataDir })
  const message = `Mfuko is already running (process ${process.pid}) with the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`
  assert.equal(await refusal({ dataDir }), message)
  const other = startElsewhere(dataDir)
  assert.deepEqual((await once(other, 'message'))[0], message)
  await first.stop()
  await start({ dataDir })
})

for (const [what, content] of [
  ['of a process that has ended', { pid: 4_194_303, start: 'x' }],
  ['of a process whose number another one has now', { pid: process.pid, start: 'long ago' }],
  ['that was not written whole', ''],
] as const) {
  test(`a lock ${what} is taken over`, async () => {
    const dataDir = newFolder()
    const lock = join(dataDir, 'server.lock')
    writeFileSync(lock, content === '' ? '' : JSON.stringify(content))
    const release = await lockDataDir(dataDir)
    assert.equal(JSON.parse(readFileSync(lock, 'utf8')).pid, process.pid)
    await assert.rejects(lockDataDir(dataDir), { name: 'StartError' })
    release()
    assert.deepEqual(readdirSync(dataDir), [])
  })
}

test('of many starts at once over a stale lock, one gets it', async () => {
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'server.lock'), JSON.stringify({ pid: 4_194_303, start: 'x' }))
  const code = `
    const { lockDataDir } = await import(${JSON.stringify(new URL('embedded-lock.ts', import.meta.url))})
    process.send('up')
    setInterval(() => undefined, 1000)
    process.once('message', () => lockDataDir(${JSON.stringify(dataDir)}).then(
      () => process.send('got it'), (error) => process.send(error.name)))`
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  )
  cleanups.push(() => children.map((child) => child.kill('SIGKILL')))
  await Promise.all(children.map((child) => once(child, 'message')))
  const answers = children.map((child) => once(child, 'message'))
  for (const child of children) child.send('go')
  const outcomes = (await Promise.all(answers)).map(([outcome]) => outcome)
  assert.equal(outcomes.filter((outcome) => outcome === 'got it').length, 1, outcomes.join())
  assert.equal(outcomes.filter((outcome) => outcome === 'StartError').length, 5, outcomes.join())
})

test('what a person must mend is a sentence', async (t) => {
  await t.test('a file in the place of the folder', async () => {
    const dataDir = join(newFolder(), 'data')
    writeFileSync(dataDir, '')
    assert.match(
      await refusal({ dataDir }),
      /^The data folder .*\/data can't be used: a file is in its place\. .*DATA_DIR/,
    )
  })
  await t.test('another major version', async () => {
    const dataDir = newFolder()
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '13\n')
    assert.match(
      await refusal({ dataDir }),
      /was made by PostgreSQL 13, and this Mfuko brings PostgreSQL 18\. Set DATA_DIR/,
    )
  })
  await t.test('something else in its place', async () => {
    const dataDir = newFolder()
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres/holiday.jpg'), '')
    assert.match(await refusal({ dataDir }), /postgres is not a database\. Move it away/)
  })
  await t.test('a broken database, with its last words', async () => {
    const dataDir = await usedFolder()
    appendFileSync(join(dataDir, 'postgres/postgresql.conf'), 'nonsense = 1\n')
    const message = await refusal({ dataDir })
    assert.match(
      message,
      /^The database did not start \(exit code 1\)\. Its last words:\n {2}.*unrecognized configuration parameter/,
    )
    assert.match(message, /Mend what they say and start again, or set DATABASE_URL/)
    assert.equal(existsSync(join(dataDir, 'server.lock')), false)
  })
  await t.test('a taken port', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    cleanups.push(() => holder.close())
    const address = holder.address()
    const port = typeof address === 'object' ? address?.port : undefined
    assert.match(
      await refusal({ dataDir: newFolder(), port: port ?? 0 }),
      new RegExp(`^Port ${port}, .* is taken\\.`),
    )
  })
})

test('as root, a folder that only root can enter is not used', onlyRoot, async () => {
  const closed = newFolder()
  const dataDir = join(closed, 'data')
  const fallbackDir = newFolder()
  assert.match(await refusal({ dataDir }), /who can't enter the data folder .*chmod o\+x.*DATA_DIR/)

  const first = await start({ dataDir, fallbackDir })
  assert.equal(first.dataDir, fallbackDir)
  assert.ok(first.said.some((line) => line.startsWith(`The data are in ${fallbackDir}`)))
  await keep(first.url, 'committed')
  await first.stop()

  // The folder is opened: the data in the other place are not left behind.
  chmodSync(closed, 0o711)
  const second = await start({ dataDir, fallbackDir })
  assert.deepEqual(await kept(second.url), ['committed'])
  await second.stop()

  // Data in the folder are not left behind when it is closed.
  cpSync(fallbackDir, dataDir, { recursive: true })
  chmodSync(closed, 0o700)
  assert.match(await refusal({ dataDir, fallbackDir }), /who can't enter the data folder/)

  // What root has copied is given to the user of the database.
  chmodSync(closed, 0o711)
  assert.equal(statSync(join(dataDir, 'postgres')).uid, 0)
  const third = await start({ dataDir, fallbackDir })
  assert.equal(third.dataDir, dataDir)
  assert.deepEqual(await kept(third.url), ['committed'])
})

test('the programs are copied once, whole, and a damaged copy is made again', async () => {
  const home = newFolder()
  mkdirSync(join(home, '.copying-4194303-0a0b0c0d/new/bin'), { recursive: true })
  const found = await findBinaries()
  const copies = await Promise.all([copyBinaries(found, home), copyBinaries(found, home)])
  const folder = join(home, `postgresql-${found.version}-${process.arch}`)
  assert.deepEqual(
    copies.map((copy) => copy.folder),
    [folder, folder],
  )
  assert.equal(readdirSync(home).length, 1)
  const bki = join(folder, 'share/postgresql/postgres.bki')
  const made = statSync(bki).ino
  await copyBinaries(found, home)
  assert.equal(statSync(bki).ino, made, 'a whole copy is used again')
  truncateSync(bki, 100)
  await copyBinaries(found, home)
  assert.equal(statSync(bki).size, statSync(join(found.folder, 'share/postgresql/postgres.bki')).size)
  assert.equal(statSync(bki).mode & 0o777, 0o644)
  assert.equal(statSync(join(folder, 'bin/postgres')).mode & 0o777, 0o755)
})

test('a database that is killed while the service runs is started again, on the same port', async () => {
  const dataDir = await usedFolder()
  const { url, said } = await start({ dataDir, durable: true })
  await keep(url, 'before')
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  for (let tries = 0; tries < 100; tries++) {
    const rows = await query(url, 'select note from notes').catch(() => undefined)
    if (rows !== undefined && said.some((line) => /starting it again/.test(line))) {
      assert.deepEqual(rows, [{ note: 'before' }])
      return
    }
    await sleep(100)
  }
  assert.fail(`it did not come back: ${said.join(' ')}`)
})
