// A worker that is killed while it sends loses nothing: when its leases are over others send what it had begun, with the
// same id and the same bytes. KILL_ROUNDS=200 makes it long.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testClock } from '../../test/helpers.ts'
import {
  attemptsOf,
  eventOf,
  eventually,
  newSecret,
  openBench,
  startReceiver,
} from '../../test/notifications.ts'
import { systemClock } from '../base/clock.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 3)
const program = fileURLToPath(new URL('../../test/notify-worker.ts', import.meta.url))
const secret = newSecret()

/** Our clock is as far ahead as a lease is long: what the dead worker held is free at once. */
let aheadMs = 0
const clock = { ...testClock(), now: () => new Date(systemClock.now().getTime() + aheadMs) }
const bench = await openBench({ clock })
const { db } = bench

const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function startWorker(): Promise<ChildProcess> {
  const child = fork(program, [bench.database.url, secret], { stdio: 'inherit' })
  children.add(child)
  await new Promise((resolve) => child.once('message', resolve))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
  children.delete(child)
}

/** While time goes on: the one that holds it may be the first to see that its lease is over. */
async function arrives({ db: where, clock: time }: typeof bench, id: string): Promise<void> {
  const timer = setInterval(() => time.advance(1), 200)
  await eventually(async () => assert.equal((await eventOf(where, id)).status, 'delivered'), 14_000).finally(
    () => clearInterval(timer),
  )
}

describe('workers', { concurrency: true }, () => {
  describe('that are killed', { concurrency: 1 }, () => {
    test('killed again and again in the middle of sending', async () => {
      let patient = true
      const receiver = await startReceiver((_request, response) => {
        // Some have been answered when the worker dies, some have not.
        if (patient && Math.random() < 0.6) return
        response.end('ok')
      })
      const events: Awaited<ReturnType<typeof bench.tell>>[] = []
      for (let round = 0; round < rounds; round++) {
        for (let n = 0; n < 15; n++)
          events.push(
            await bench.tell({ url: receiver.url, merchant: 10_000_000 + n, at: systemClock.now() }),
          )
        const calls = receiver.got.length
        const child = await startWorker()
        await eventually(() => assert.ok(receiver.got.length >= calls + 8))
        await sleep(Math.random() * 150)
        await kill(child)
        // Killed while sending: some are leased by nobody who lives.
        aheadMs += 46_000
      }
      patient = false
      const begun = performance.now()
      bench.start({ keysOf: async () => ({ current: secret, all: [secret] }) })
      await eventually(async () => {
        for (const { id } of events) assert.equal((await eventOf(db, id)).status, 'delivered')
      }, 60_000)
      assert.ok(performance.now() - begun < 60_000)
      for (const event of events) {
        const got = receiver.got.filter(({ headers }) => headers['webhook-id'] === event.id)
        assert.ok(got.length >= 1)
        assert.ok(
          got.every(({ body }) => body === event.body),
          'the same bytes every time',
        )
        const log = await attemptsOf(db, event.id)
        const { attempts } = await eventOf(db, event.id)
        // The one that was answered just before the kill may not have been written down, so it was sent once more.
        assert.deepEqual(
          log.map(({ attempt }) => attempt),
          Array.from({ length: attempts }, (_, n) => n + 1),
          'every attempt is in the log',
        )
        assert.ok(log.slice(0, -1).every(({ problem }) => problem === 'interrupted'))
        assert.equal(log.at(-1)?.problem, null)
      }
      const interrupted = await db.rows(`select 1 from notifications.attempts where problem = 'interrupted'`)
      assert.ok(interrupted.length > 0, 'some were interrupted')
      assert.deepEqual(await db.rows('select 1 from notifications.queue'), [])
    })

    test('a lease is not taken before it is over, and then within 60 seconds', async () => {
      const receiver = await startReceiver()
      const event = await bench.tell({ url: receiver.url, at: new Date(clock.now().getTime() + 3_600_000) })
      const leased = new Date(clock.now().getTime() + 45_000)
      await db.rows(
        `update notifications.queue set leased_until = $1, attempts = 1, due_at = $1::timestamptz - interval '45 seconds'`,
        [leased],
      )
      await sleep(600)
      assert.equal(receiver.got.length, 0)
      aheadMs += 45_500
      // The search for everything that is due comes every ten seconds.
      await eventually(() => assert.equal(receiver.got.length, 1), 14_500)
      assert.equal(receiver.got[0]?.headers['svc-webhook-attempt'], '2')
      assert.equal(receiver.got[0]?.headers['webhook-id'], event.id)
    })
  })

  test('a worker that stops gives back what it could not finish', async () => {
    const stopping = await openBench({ clock: { ...testClock(), now: systemClock.now } })
    const asked = Promise.withResolvers<void>()
    let answers = false
    const receiver = await startReceiver((_request, response) => {
      if (answers) response.end()
      asked.resolve()
    })
    const delivery = stopping.start()
    const event = await stopping.tell({ url: receiver.url })
    // At once: on a machine with much else to do the attempt would end by itself, as one that nobody answers.
    await asked.promise
    const begun = performance.now()
    await delivery.stop()
    assert.ok(performance.now() - begun < 14_000)
    answers = true
    stopping.start()
    // Long before its lease would have been over.
    await eventually(
      async () => assert.equal((await eventOf(stopping.db, event.id)).status, 'delivered'),
      20_000,
    )
    const log = await attemptsOf(stopping.db, event.id)
    assert.deepEqual(
      log.map(({ problem }) => problem),
      ['interrupted', null],
    )
  })

  test('what a worker learns after its lease was over changes nothing', async () => {
    const late = await openBench()
    let held: ServerResponse | undefined
    const receiver = await startReceiver((_request, response) => {
      if (held === undefined) held = response
      else response.end()
    })
    late.start()
    const event = await late.tell({ url: receiver.url })
    await eventually(() => assert.ok(held))
    late.clock.advance(46)
    late.start()
    await arrives(late, event.id)
    held?.destroy()
    await eventually(async () => {
      const log = await attemptsOf(late.db, event.id)
      assert.deepEqual(
        log.map(({ problem }) => problem),
        // That it was lost was noted first, by who took it over.
        ['interrupted', null],
      )
    })
    await sleep(300)
    assert.equal((await eventOf(late.db, event.id)).status, 'delivered')
    assert.deepEqual(await late.db.rows('select 1 from notifications.queue'), [])
    assert.equal(receiver.got.length, 2)
  })

  test('a worker that was stopped for a while does not send what it took before', async () => {
    const paused = await openBench()
    const receiver = await startReceiver()
    let wakeUp: () => void = () => undefined
    const asleep = new Promise<void>((resolve) => {
      wakeUp = resolve
    })
    let taken = false
    paused.start({
      keysOf: async () => {
        taken = true
        await asleep
        return { current: secret, all: [secret] }
      },
    })
    const event = await paused.tell({ url: receiver.url })
    await eventually(() => assert.ok(taken))
    const begun = performance.now()
    paused.clock.advance(46)
    paused.start()
    await arrives(paused, event.id)
    await sleep(15_500 - (performance.now() - begun))
    wakeUp()
    await sleep(500)
    assert.equal(receiver.got.length, 1)
    assert.equal((await eventOf(paused.db, event.id)).status, 'delivered')
  })
})
