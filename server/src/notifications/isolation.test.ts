// A receiver that hangs, fails or gets too much takes nothing from the others: they hear in time whatever it does.
// STORM_SECONDS=600 makes the storm long.
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testClock } from '../../test/helpers.ts'
import {
  eventOf,
  eventually,
  listenOn,
  openBench,
  queuedOf,
  startReceiver,
} from '../../test/notifications.ts'
import { shortOrLong } from '../../test/thorough.ts'
import { systemClock } from '../base/clock.ts'
import * as notifications from './notifications.ts'

type Bench = Awaited<ReturnType<typeof openBench>>

const stormSeconds = Number(process.env.STORM_SECONDS ?? 6)

/** The bounds are the goals of a quiet machine. Beside other tests it is enough that nobody waits for one that hangs (15 s). */
const slack = shortOrLong(3, 1)

const realClock = { ...testClock(), now: systemClock.now }

/** Many events in one transaction. */
async function tellMany(
  bench: Bench,
  events: readonly (Partial<notifications.NewEvent> & { url: string })[],
) {
  const at = bench.clock.now()
  const whole = events.map((event, n) => ({
    id: notifications.newEventId(),
    merchant: 10_000_001,
    mode: 'live' as const,
    subject: `PY-${n}-${performance.now()}`,
    sequence: 1,
    event: 'payment.completed',
    kind: 'gateway' as const,
    body: '{"status":"completed"}',
    at,
    ...event,
  }))
  await bench.db.inTransaction((tx) => notifications.add(tx, whole))
  return whole
}

const percentile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

test('a hundred events a second to 200 endpoints, of which a fifth hang and more fail', async () => {
  const bench = await openBench({ clock: realClock })
  const healthy = await startReceiver()
  const failing = await startReceiver((_request, response) => void response.writeHead(500).end())
  const silent = createServer(() => undefined)
  const hanging = `http://127.0.0.1:${await listenOn(silent)}`
  const cut = createServer((socket: Socket) => void socket.once('data', () => socket.resetAndDestroy()))
  const resetting = `http://127.0.0.1:${await listenOn(cut)}`
  const urlOf = (n: number) => [hanging, hanging, resetting, failing.url][n % 10] ?? healthy.url
  const delivery = bench.start()
  const sentAt = new Map<string, number>()
  let socketsMost = 0
  for (let tick = 0; tick < 10 * stormSeconds; tick++) {
    const events = await tellMany(
      bench,
      Array.from({ length: 10 }, (_, n) => {
        const merchant = (tick * 10 + n) % 200
        return { url: urlOf(merchant), merchant: 10_000_000 + merchant }
      }),
    )
    const now = performance.now()
    for (const { id, url } of events) if (url === healthy.url) sentAt.set(id, now)
    socketsMost = Math.max(socketsMost, delivery.state().sockets)
    await sleep(100)
  }
  await eventually(() => assert.equal(healthy.got.length, sentAt.size))
  const delays = healthy.got.map(
    ({ headers, atMs }) => atMs - (sentAt.get(String(headers['webhook-id'])) ?? 0),
  )
  assert.ok(percentile(delays, 0.99) <= 2_000 * slack, `p99 ${percentile(delays, 0.99)} ms`)
  assert.ok(percentile(delays, 0.5) <= 300 * slack, `p50 ${percentile(delays, 0.5)} ms`)
  const ids = new Set(healthy.got.map(({ headers }) => headers['webhook-id']))
  assert.equal(ids.size, healthy.got.length, 'each exactly once')
  assert.ok(socketsMost <= 250, `${socketsMost} sockets`)
})

test('an endpoint that gets too much is served at its own pace, and the others are not delayed', async () => {
  const bench = await openBench({ clock: realClock })
  let under = 0
  let most = 0
  const crowded = await startReceiver(async (_request, response) => {
    most = Math.max(most, ++under)
    await sleep(30)
    under--
    response.end()
  })
  const others = await startReceiver()
  await tellMany(
    bench,
    Array.from({ length: 3_000 }, () => ({ url: crowded.url })),
  )
  bench.start()
  await eventually(() => assert.ok(crowded.got.length > 0))
  const begun = performance.now()
  await tellMany(
    bench,
    Array.from({ length: 100 }, (_, n) => ({ url: others.url, merchant: 10_000_100 + n })),
  )
  await eventually(() => assert.equal(others.got.length, 100))
  // The crowded one needs a minute for what it got.
  assert.ok(performance.now() - begun < 4_000 * slack, 'the others hear soon')
  await sleep(2_000)
  assert.ok(most <= 5, `${most} at the same time`)
  const seconds = (performance.now() - (crowded.got[0]?.atMs ?? 0)) / 1_000
  const rate = crowded.got.length / seconds
  assert.ok(crowded.got.length <= 50 + 50 * seconds + 5, `${rate} a second`)
  assert.ok(crowded.got.length >= (25 / slack) * (seconds - 1), `${rate} a second`)
})

test('100 000 that wait and 5 000 in line do not slow what goes', async () => {
  const bench = await openBench({ clock: realClock })
  const { db } = bench
  const hanging = createServer(() => undefined)
  const url = `http://127.0.0.1:${await listenOn(hanging)}`
  // Those that are not due are looked at by nobody, so their place in the queue suffices.
  // In bites: on a busy machine all of them take longer than a statement may.
  for (let from = 1; from < 100_000; from += 10_000)
    await db.rows(
      `insert into notifications.queue (merchant, mode, number, origin, subject, sequence, due_at, failures)
       select 10000002, 'live', -n, $1, 'waits', 1, now() + interval '1 hour', n % 2
       from generate_series($2::int, $2::int + 9999) n`,
      [url, from],
    )
  for (let n = 0; n < 5; n++)
    await tellMany(
      bench,
      Array.from({ length: 1_000 }, () => ({ url })),
    )
  const receiver = await startReceiver()
  bench.start()
  const delays: number[] = []
  for (let n = 0; n < 20; n++) {
    const begun = performance.now()
    await tellMany(bench, [{ url: receiver.url, merchant: 10_000_100 + n }])
    await eventually(() => assert.equal(receiver.got.length, n + 1))
    delays.push(performance.now() - begun)
  }
  assert.ok(percentile(delays, 0.5) < 1_000 * slack, `p50 ${percentile(delays, 0.5)} ms`)
  const [row] = await db.rows<{ parked: bigint }>(
    'select count(*) as parked from notifications.queue where parked',
  )
  assert.ok((row?.parked ?? 0n) >= 4_990n, 'the line is in nobody’s way')
})

describe('the breaker', () => {
  test('after ten failures one attempt a minute, until one succeeds; nothing is dropped', async () => {
    const bench = await openBench()
    const { db, clock } = bench
    let up = false
    const receiver = await startReceiver(
      (_request, response) => void response.writeHead(up ? 200 : 500).end(),
    )
    bench.start()
    const events = await tellMany(
      bench,
      Array.from({ length: 30 }, () => ({ url: receiver.url })),
    )
    const isBroken = async () =>
      (await db.rows('select 1 from notifications.targets where broken_at is not null')).length === 1
    await eventually(async () => assert.ok(await isBroken()))
    await sleep(1_500)
    const calls = receiver.got.length
    // Five are on their way at a time, and five more may leave while the tenth failure is written down.
    assert.ok(calls >= 10 && calls <= 20, `${calls} attempts before it broke`)
    for (let minute = 1; minute <= 3; minute++) {
      clock.advance(60)
      await eventually(() => assert.equal(receiver.got.length, calls + minute))
      await sleep(1_300)
      assert.equal(receiver.got.length, calls + minute, 'one a minute')
    }
    up = true
    clock.advance(60)
    await eventually(async () => assert.equal(await isBroken(), false))
    clock.advance(3_600)
    await eventually(async () => {
      for (const { id } of events) assert.equal((await eventOf(db, id)).status, 'delivered')
    }, 20_000)
  })

  test('a third of failures breaks nothing', async () => {
    const bench = await openBench()
    let calls = 0
    const receiver = await startReceiver(
      (_request, response) => void response.writeHead(calls++ % 3 ? 200 : 500).end(),
    )
    bench.start()
    await tellMany(
      bench,
      Array.from({ length: 40 }, () => ({ url: receiver.url })),
    )
    await eventually(() => assert.ok(calls >= 40))
    await sleep(300)
    const broken = await bench.db.rows('select 1 from notifications.targets where broken_at is not null')
    assert.equal(broken.length, 0)
  })

  test('retries wait for first attempts, not for ever', async () => {
    const bench = await openBench()
    const receiver = await startReceiver((request, response) => {
      response.writeHead(request.headers['svc-webhook-attempt'] === '1' ? 500 : 200).end()
    })
    bench.start()
    const event = await bench.tell({ url: receiver.url })
    await eventually(() => assert.equal(receiver.got.length, 1))
    await eventually(async () => assert.equal((await queuedOf(bench.db, event.id))?.failures, 1))
    bench.clock.advance(10)
    await eventually(async () => assert.equal((await eventOf(bench.db, event.id)).status, 'delivered'))
  })
})
