// Jobs exist exactly when their transaction commits, run at least once, and survive the death of a worker.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { testDatabase, testLog } from '../../test/helpers.ts'
import { systemClock } from '../base/clock.ts'
import { openDb } from '../db/db.ts'
import * as background from './background.ts'

const { url } = await testDatabase()
const db = openDb({ url, connectionsMax: 4, name: 'background test' })
after(() => db.close())
const { log, seen } = testLog()

const ran: unknown[] = []
const measured: unknown[] = []
let failures = 0
const letGo = Promise.withResolvers<void>()
const tasks: Record<string, background.Task> = {
  note: async (payload) => {
    ran.push(payload)
  },
  stumble: async (_payload, { attempt }) => {
    failures += 1
    if (attempt < 2) throw new Error('not yet')
    ran.push('stumbled')
  },
  pause: async (payload) => {
    ran.push(payload)
    await sleep(500)
  },
  hold: async () => {
    ran.push('holding')
    await letGo.promise
  },
  wait: async (_payload, { signal }) => {
    ran.push('waiting')
    await sleep(60_000, undefined, { signal, ref: false }).catch(() => undefined)
  },
}
const start = (at = url) =>
  background.startWorker({
    url: at,
    concurrency: 2,
    tasks,
    log,
    onJob: (job) => measured.push({ task: job.task, ok: job.ok }),
  })

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 1_600; tries++) {
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
  assert.equal((await background.state(db))?.workers, 1)
  await worker.stop()
  assert.deepEqual(await background.state(db), { waiting: 0, failed: 0, oldestSeconds: 0, workers: 0 })
})

test('a job of the same key replaces the one that waits; a later time is kept to', async () => {
  const afterMs = 3_600_000
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 4 }, key: 'k', afterMs }))
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 5 }, key: 'k', afterMs }))
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

test('a worker that could not look for jobs when it began does so later', async () => {
  const tasksTable = 'graphile_worker._private_tasks'
  await db.rows(`alter table ${tasksTable} rename to away`)
  const worker = await start()
  ran.length = 0
  await sleep(300)
  await db.rows('alter table graphile_worker.away rename to _private_tasks')
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 6 } }))
  await until(() => ran.length === 1, 'the job')
  await worker.stop()
})

test('a living worker keeps its job, however long that takes', async () => {
  const worker = await start()
  ran.length = 0
  await db.inTransaction((tx) => background.add(tx, { task: 'hold', payload: {} }))
  await until(() => ran.includes('holding'), 'the job to begin')
  await until(async () => (await background.state(db))?.workers === 1, 'the first beat')
  await db.rows(
    `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_at is not null`,
  )
  await background.rescue(db, log)
  const held = await db.row(`select 1 from graphile_worker.jobs where locked_by is not null`)
  assert.ok(held, 'the job still belongs to the worker that runs it')
  letGo.resolve()
  await worker.stop()
})

test('a job whose claim got lost on the way is run by the one that claimed it, and counts as no try', async () => {
  const worker = await start()
  ran.length = 0
  await until(async () => (await background.state(db))?.workers === 1, 'the first beat')
  const afterMs = 3_600_000
  await db.inTransaction((tx) =>
    background.add(tx, { task: 'note', payload: { n: 10 }, attemptsMax: 1, queue: 'q', afterMs }),
  )
  // As the database has it when its answer is lost.
  await db.rows(
    `update graphile_worker._private_jobs set run_at = now(), attempts = 1, locked_at = now() - interval '1 minute',
       locked_by = (select worker from background.beats)`,
  )
  await db.rows(
    `update graphile_worker._private_job_queues set locked_at = now(), locked_by = (select worker from background.beats)`,
  )
  await until(() => ran.length === 1, 'the job')
  await worker.stop()
  assert.equal((await background.state(db))?.waiting, 0)
})

test('a database that goes away in the middle of a job ends nothing, and the job is done afterwards', async () => {
  const door = await openDoor(new URL(url))
  const worker = await start(door.url)
  ran.length = 0
  for (const n of [7, 8])
    await db.inTransaction((tx) => background.add(tx, { task: 'pause', payload: { n }, attemptsMax: 5 }))
  await until(() => ran.length === 2, 'both jobs to begin')
  door.shut()
  await until(() => seen.text().includes('the worker ended by itself'), 'the end of the worker')
  assert.equal((await background.state(db))?.waiting, 2)
  await sleep(700)
  await door.open()
  await until(async () => (await background.state(db))?.waiting === 0, 'the jobs to be done')
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 9 } }))
  await until(() => JSON.stringify(ran.at(-1)) === '{"n":9}', 'a job that was added later')
  await worker.stop()
  assert.equal((await background.state(db))?.workers, 0)
  door.shut()
})

test('a worker can be stopped while the database is away', async () => {
  const door = await openDoor(new URL(url))
  const worker = await start(door.url)
  door.shut()
  await worker.stop()
})

test('a clock that was hours ahead and is put right stops no schedule', async () => {
  const hours = "interval '2 hours'"
  await db.rows(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('wrong', now(), now() + ${hours}), ('right', now(), now() - ${hours})`,
  )
  await background.rescue(db, log)
  const known = await db.rows<{ identifier: string; past: boolean; kept: boolean }>(
    `select identifier, last_execution <= now() as past, last_execution < now() - interval '1 hour' as kept
     from graphile_worker._private_known_crontabs where identifier in ('right', 'wrong') order by 1`,
  )
  assert.deepEqual(known, [
    { identifier: 'right', past: true, kept: true },
    { identifier: 'wrong', past: true, kept: false },
  ])
})

test('what nobody ran at its minute is made up for, with that minute', async () => {
  const due = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3 * 3_600_000)
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`
  await db.rows(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('note', now() - interval '3 days', now() - interval '1 day')`,
  )
  const worker = await background.startWorker({
    ...{ url, concurrency: 1, tasks, log },
    crons: [{ task: 'note', cron, fillHours: 20 }],
  })
  const made = { _cron: { ts: due.toISOString(), backfilled: true } }
  await until(() => ran.some((payload) => isDeepStrictEqual(payload, made)), 'the job of three hours ago')
  await worker.stop()
})

test('who is patient comes after those who are not', async () => {
  await db.inTransaction(async (tx) => {
    await background.add(tx, { task: 'note', payload: { patient: true }, patient: true })
    await background.add(tx, { task: 'note', payload: { patient: false } })
  })
  const worker = await background.startWorker({ url, concurrency: 1, tasks, log })
  const heard = () =>
    ran.filter((payload) => typeof payload === 'object' && payload !== null && 'patient' in payload)
  await until(() => heard().length === 2, 'both')
  await worker.stop()
  assert.deepEqual(heard(), [{ patient: false }, { patient: true }])
})

test('when the clock of the machine is set back, the worker begins anew with its time', async () => {
  const begunAnew = () => seen.lines.filter(({ msg }) => msg === 'the worker starts again').length
  const right = systemClock.now
  const set = (hours: number) =>
    mock.method(systemClock, 'now', () => new Date(right().getTime() + hours * 3_600_000))
  const worker = await start()
  const ahead = set(2)
  await sleep(1_500)
  assert.equal(begunAnew(), 0, 'ahead it catches up by itself')
  ahead.mock.restore()
  await until(() => begunAnew() === 1, 'the new run')
  ran.length = 0
  await db.inTransaction((tx) => background.add(tx, { task: 'note', payload: { n: 7 } }))
  await until(() => ran.length === 1, 'a job of the new run')
  await worker.stop()
})

/** A way to the database that can be shut. */
async function openDoor(to: URL) {
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    const through = openSocket({ host: to.hostname, port: Number(to.port) })
    for (const [one, other] of [
      [from, through],
      [through, from],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  const open = (port: number) =>
    new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port }, resolve))
  await open(0)
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const { port } = address
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    open: () => open(port),
    shut: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
  }
}

test('what a killed worker held is given back', { timeout: 240_000 }, async () => {
  const code = `import * as background from ${JSON.stringify(new URL('./background.ts', import.meta.url).href)}
    const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
    const wait = () => { console.log('holding'); return new Promise(() => {}) }
    await background.startWorker({ url: ${JSON.stringify(url)}, concurrency: 1, tasks: { note: wait }, log })`
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
  // Another one notices by itself.
  const worker = await start()
  await until(() => ran.length === 1, 'the rescued job')
  assert.deepEqual(ran, [{ n: 6 }])
  await worker.stop()
})
