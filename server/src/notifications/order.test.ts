// Events of one payment: one at a time, first attempts in order, and an early one that keeps failing holds the later ones
// back for a minute at most.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventOf, eventually, openBench, queuedOf, startReceiver } from '../../test/notifications.ts'

/** Tells `count` events of one payment, in order. */
const tellAll = async (
  bench: Awaited<ReturnType<typeof openBench>>,
  {
    url,
    subject,
    count,
    merchant = 10_000_001,
  }: { url: string; subject: string; count: number; merchant?: number },
) => {
  const events = []
  for (let sequence = 1; sequence <= count; sequence++)
    events.push(
      await bench.tell({ url, merchant, subject, sequence, body: JSON.stringify({ subject, sequence }) }),
    )
  return events
}

const sequences = (got: { headers: Record<string, unknown> }[]) =>
  got.map(({ headers }) => Number(headers['svc-event-sequence']))

test('one after another, the next as soon as the one before has arrived', async () => {
  const bench = await openBench()
  let under = 0
  const receiver = await startReceiver(async (_request, response) => {
    assert.equal(++under, 1, 'one at a time')
    await sleep(150)
    under--
    response.end()
  })
  await tellAll(bench, { url: receiver.url, subject: 'PY-order', count: 3 })
  bench.start()
  const begun = performance.now()
  await eventually(() => assert.deepEqual(sequences(receiver.got), [1, 2, 3]))
  assert.ok(performance.now() - begun < 20_000)
})

test('the next waits while the one before fails, and for no longer than a minute', async () => {
  const bench = await openBench()
  const { db, clock } = bench
  const receiver = await startReceiver((request, response) => {
    response.writeHead(request.headers['svc-event-sequence'] === '1' ? 500 : 200).end()
  })
  const [first, second] = await tellAll(bench, { url: receiver.url, subject: 'PY-fails', count: 2 })
  assert.ok(first && second)
  bench.start()
  // The time of the next attempt counts from when the failure of the one before is known.
  const failed = (times: number) =>
    eventually(async () => assert.equal((await queuedOf(db, first.id))?.failures, times))
  await failed(1)
  clock.advance(7)
  await failed(2)
  assert.deepEqual(sequences(receiver.got), [1, 1], 'the first is tried again')
  clock.advance(40)
  await eventually(() => assert.deepEqual(sequences(receiver.got), [1, 1, 1]))
  await sleep(500)
  assert.deepEqual(sequences(receiver.got), [1, 1, 1], 'the second still waits')
  clock.advance(14)
  await eventually(() => assert.deepEqual(sequences(receiver.got), [1, 1, 1, 2]))
  await eventually(async () => assert.equal((await eventOf(db, second.id)).status, 'delivered'))
  assert.equal((await eventOf(db, first.id)).status, 'pending')
})

test('a retry that succeeds lets the next go at once', async () => {
  const bench = await openBench()
  let failures = 1
  const receiver = await startReceiver((_request, response) => {
    response.writeHead(failures-- > 0 ? 500 : 200).end()
  })
  await tellAll(bench, { url: receiver.url, subject: 'PY-recovers', count: 2 })
  bench.start()
  await eventually(() => assert.equal(receiver.got.length, 1))
  await sleep(300)
  bench.clock.advance(7)
  await eventually(() => assert.deepEqual(sequences(receiver.got), [1, 1, 2]))
})

test('many payments, two workers: in order a payment, all once', async () => {
  const bench = await openBench()
  const receiver = await startReceiver(async (request, response) => {
    await sleep(Number(request.headers['content-length']) % 7)
    response.end()
  })
  const payments = 60
  for (let n = 0; n < payments; n++)
    await tellAll(bench, { url: receiver.url, subject: `PY-${n}`, count: 3, merchant: 10_000_100 + (n % 15) })
  bench.start()
  bench.start()
  // What waits for an earlier one looks again after a second; that second must pass.
  const timer = setInterval(() => bench.clock.advance(0.5), 250)
  try {
    await eventually(() => assert.equal(receiver.got.length, 3 * payments), 30_000)
  } finally {
    clearInterval(timer)
  }
  const bySubject = Map.groupBy(receiver.got, ({ body }) => (JSON.parse(body) as { subject: string }).subject)
  assert.equal(bySubject.size, payments)
  for (const [subject, got] of bySubject) assert.deepEqual(sequences(got), [1, 2, 3], subject)
})
