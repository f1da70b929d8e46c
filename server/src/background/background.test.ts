// Jobs exist exactly when their transaction commits, run at least once, and survive the death of a worker.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase, testLog } from '../../test/helpers.ts'
import { openDb } from '../db/db.ts'
import * as background from './background.ts'

const { url } = await testDatabase()
const db = openDb({ url, connectionsMax: 4, name: 'background test' })
after(() => db.close())
const { log, seen } = testLog()

const ran: unknown[] = []
const measured: unknown[] = []
let failures = 0
const tasks: Record<string, background.Task> = {
  note: async (payload) => {
    ran.push(payload)
  },
  stumble: async (_payload, { attempt }) => {
    failures += 1
    if (attempt < 2) throw new Error('not yet')
    ran.push('stumbled')
  },
  wait: async (_payload, { signal }) => {
    ran.push('waiting')
    await sleep(60_000, undefined, { signal, ref: false }).catch(() => undefined)
  },
}
const start = () =>
  background.startWorker({
    db,
    url,
    concurrency: 2,
    tasks,
    log,
    onJob: (job) => measured.push({ task: job.task, ok: job.ok }),
  })

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await condition()) return
    await sleep(50)
  }
  assert.fail(`waited in vain for ${what}`)
}

test('a job added in a transaction runs after its commit, and never without it', async () => {
  const worker = await start()
  await db.inTransaction(async (tx) => {
    await background.add(tx, { task: 'note', payload: { n: 1 } })
    await sleep(200)
    assert.deepEqual(ran, [])
  })
  await db
    .inTransaction(async (tx) => {
      await background.add(tx, { task: 'note', payload: { n: 2 } })
      throw new Error('changed my mind')
    })
    .catch(() => undefined)
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 3 } }))
  await until(() => ran.length === 2, 'two jobs')
  assert.deepEqual(new Set(ran.map((payload) => JSON.stringify(payload))), new Set(['{"n":1}', '{"n":3}']))
  assert.deepEqual(measured[0], { task: 'note', ok: true })
  assert.equal((await background.state(db))?.workers, 2)
  await worker.stop()
  assert.deepEqual(await background.state(db), { waiting: 0, failed: 0, oldestSeconds: 0, workers: 0 })
})

test('a job of the same key replaces the one that waits; a later time is kept to', async () => {
  const runAt = new Date(Date.now() + 3_600_000)
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 4 }, key: 'k', runAt }))
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 5 }, key: 'k', runAt }))
  assert.equal((await background.state(db))?.waiting, 1)
  await db.rows(`select graphile_worker.remove_job('k')`)
})

test('a job that fails is tried again', async () => {
  const worker = await start()
  ran.length = 0
  await db.inTransaction((tx) => background.add(tx, { task: 'stumble', payload: {} }))
  await until(() => ran.includes('stumbled'), 'the second attempt')
  assert.equal(failures, 2)
  assert.ok(
    seen.lines.some((line) => line.level === 'error' && /stumble, .*attempt 1/.test(String(line.msg))),
  )
  await worker.stop()
})

test('stopping tells running jobs, and waits for them', async () => {
  const worker = await start()
  ran.length = 0
  await db.inTransaction((tx) => background.add(tx, { task: 'wait', payload: {}, attemptsMax: 1 }))
  await until(() => ran.includes('waiting'), 'the job to begin')
  await worker.stop()
  assert.equal((await background.state(db))?.waiting, 0)
})

test('what a killed worker held is given back', { timeout: 60_000 }, async () => {
  const code = `import * as background from ${JSON.stringify(new URL('./background.ts', import.meta.url).href)}
    import { openDb } from ${JSON.stringify(new URL('../db/db.ts', import.meta.url).href)}
    const db = openDb({ url: ${JSON.stringify(url)}, connectionsMax: 2, name: 'victim' })
    const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
    const wait = () => { console.log('holding'); return new Promise(() => {}) }
    await background.startWorker({ db, url: ${JSON.stringify(url)}, concurrency: 1, tasks: { note: wait }, log })`
  const victim = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 6 } }))
  await new Promise((resolve) => victim.stdout.once('data', resolve))
  victim.kill('SIGKILL')

  ran.length = 0
  await background.rescue(db, log)
  assert.equal(
    (await background.state(db))?.waiting,
    1,
    'a worker that was silent for a moment only is left alone',
  )
  // As if its silence had lasted: thirty seconds are too long for a test.
  await db.rows(`update background.beats set last_seen_at = now() - interval '1 hour'`)
  await db.rows(
    `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_at is not null`,
  )
  await background.rescue(db, log)
  const worker = await start()
  await until(() => ran.length === 1, 'the rescued job')
  assert.deepEqual(ran, [{ n: 6 }])
  await worker.stop()
})
