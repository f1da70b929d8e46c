// The whole life of notifications that fail, with a clock that is moved: twelve attempts in live mode and five in test
// mode, each at its time and not before, byte for byte the same; and a receiver that is away for days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import {
  attemptsOf,
  eventOf,
  eventually,
  openBench,
  queuedOf,
  startReceiver,
} from '../../test/notifications.ts'
import * as notifications from './notifications.ts'

const planned = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Long enough for a worker to look several times. */
const quietMs = 700

test('all attempts of many events, at their times', async () => {
  const bench = await openBench()
  const { db, clock } = bench
  const receiver = await startReceiver((_request, response) => void response.writeHead(500).end())
  const events = []
  for (let n = 0; n < 24; n++) {
    const mode = n % 4 === 3 ? ('test' as const) : ('live' as const)
    events.push(await bench.tell({ url: receiver.url, merchant: 10_001_000 + n, mode }))
  }
  bench.start()
  for (let round = 1; round <= 12; round++) {
    const running = events.filter(({ mode }) => mode === 'live' || round <= 5)
    await eventually(async () => {
      for (const { id } of running) assert.equal((await attemptsOf(db, id)).length, round)
    }, 20_000)
    const due = []
    for (const { id } of running) {
      const queued = await queuedOf(db, id)
      if (queued === undefined) continue
      const seconds = (queued.due_at.getTime() - clock.now().getTime()) / 1_000
      const delay = planned[round - 1] ?? 0
      assert.ok(seconds >= 0.8 * delay - 1 && seconds <= 1.2 * delay + 1, `${seconds} s, planned ${delay} s`)
      due.push(queued.due_at.getTime())
    }
    if (due.length === 0) break
    if (round <= 2) {
      const before = receiver.got.length
      clock.set(new Date(Math.min(...due) - 10).toISOString())
      await sleep(quietMs)
      assert.equal(receiver.got.length, before, 'none is early')
    }
    clock.set(new Date(Math.max(...due)).toISOString())
  }
  for (const { id, mode, body, merchant } of events) {
    const { status, attempts } = await eventOf(db, id)
    assert.deepEqual([status, attempts], ['failed', mode === 'live' ? 12 : 5])
    const got = receiver.got.filter(({ headers }) => headers['webhook-id'] === id)
    assert.deepEqual(
      got.map(({ headers }) => headers['svc-webhook-attempt']),
      Array.from({ length: attempts }, (_, n) => String(n + 1)),
    )
    assert.ok(got.every((one) => one.body === body && one.headers['svc-webhook-id'] === id))
    const signatures = new Set(got.map(({ headers }) => headers['svc-signature']))
    assert.equal(signatures.size, 1, 'the signature of the body does not change')
    const times = got.map(({ headers }) => Number(headers['webhook-timestamp']))
    assert.ok(
      times.every((time, n) => n === 0 || time > (times[n - 1] ?? 0)),
      'the time of the attempt does',
    )
    const secret = bench.keys.get(`${merchant} ${mode}`)?.current ?? ''
    const last = got.at(-1)
    const standard = String(last?.headers['webhook-signature'])
    assert.equal(new Webhook(secret).sign(id, new Date((times.at(-1) ?? 0) * 1_000), body), standard)
  }
})

test('up, then away for 80 hours, then up: one is exhausted, later ones arrive, and it can be sent again', async () => {
  const bench = await openBench()
  const { db, clock } = bench
  let up = true
  const receiver = await startReceiver((_request, response) => void response.writeHead(up ? 200 : 503).end())
  bench.start()
  const arrives = async (id: string) =>
    eventually(async () => assert.equal((await eventOf(db, id)).status, 'delivered'))
  for (let n = 0; n < 3; n++) await arrives((await bench.tell({ url: receiver.url })).id)
  up = false
  const lost = await bench.tell({ url: receiver.url })
  const began = clock.now().getTime()
  for (let attempt = 1; attempt <= 12; attempt++) {
    await eventually(async () => assert.equal((await attemptsOf(db, lost.id)).length, attempt))
    const queued = await queuedOf(db, lost.id)
    if (queued !== undefined) clock.set(queued.due_at.toISOString())
  }
  assert.equal((await eventOf(db, lost.id)).status, 'failed')
  assert.ok(clock.now().getTime() - began > 60 * 3_600_000, 'it took days')
  assert.deepEqual(
    bench.troubles.map(({ kind }) => kind),
    ['failing'],
    'the merchant was warned once, and the endpoint is not suspended',
  )
  up = true
  clock.advance(5 * 3_600)
  await arrives((await bench.tell({ url: receiver.url })).id)
  await db.inTransaction((tx) =>
    notifications.replay(tx, { merchant: lost.merchant, id: lost.id, at: clock.now() }),
  )
  await arrives(lost.id)
  const got = receiver.got.filter(({ headers }) => headers['webhook-id'] === lost.id)
  assert.equal(got.length, 13)
  assert.ok(got.every(({ body }) => body === lost.body))
  assert.equal((await eventOf(db, lost.id)).attempts, 13)
})
