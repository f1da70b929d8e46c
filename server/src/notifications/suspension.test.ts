// An endpoint that does nothing but fail for five days is suspended, once, with one mail; what is meant for it is kept. One
// that works now and then never is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf, eventually, openBench, startReceiver } from '../../test/notifications.ts'
import { notificationsJobs } from './jobs.ts'
import * as notifications from './notifications.ts'

type Bench = Awaited<ReturnType<typeof openBench>>

/** Until nothing is due that a worker would send. */
const settled = (bench: Bench) =>
  eventually(async () => {
    const rows = await bench.db.rows(
      `select 1 from notifications.queue q
       left join notifications.targets t using (merchant, mode, origin)
       where q.leased_until is not null
         or (q.due_at <= $1 and (t.broken_at is null or t.probe_at <= $1 or not q.parked))`,
      [bench.clock.now()],
    )
    assert.equal(rows.length, 0)
  }, 20_000)

const targetOf = async (bench: Bench) =>
  bench.db.row<{
    suspended_at: Date | null
    failures: number
    broken_at: Date | null
    suspension: string | null
  }>('select suspended_at, failures, broken_at, suspension from notifications.targets')

test('nothing but failures for 120 hours', async () => {
  const bench = await openBench()
  const { db, clock } = bench
  let answer = 500
  const receiver = await startReceiver((_request, response) => void response.writeHead(answer).end())
  bench.start()
  const began = clock.now().getTime()
  let hours = 0
  for (; hours < 160; hours += 12) {
    await bench.tell({ url: receiver.url })
    await bench.tell({ url: receiver.url })
    await settled(bench)
    if ((await targetOf(bench))?.suspended_at != null) break
    assert.ok(hours < 130, `after ${hours} hours`)
    clock.advance(12 * 3_600)
  }
  const suspendedAfter = (clock.now().getTime() - began) / 3_600_000
  assert.ok(suspendedAfter >= 120, `after ${suspendedAfter} hours`)
  assert.deepEqual(
    bench.troubles.map(({ kind, reason, merchant, mode, origin }) => [kind, reason, merchant, mode, origin]),
    [
      ['failing', 'failing', 10_000_001, 'live', receiver.url],
      ['suspended', 'failing', 10_000_001, 'live', receiver.url],
    ],
  )
  const calls = receiver.got.length
  clock.advance(8 * 3_600)
  const later = await bench.tell({ url: receiver.url })
  await eventually(async () => assert.equal((await eventOf(db, later.id)).status, 'held'))
  clock.advance(48 * 3_600)
  await settled(bench)
  assert.equal(receiver.got.length, calls, 'nothing was sent')
  assert.equal((await db.rows('select 1 from notifications.queue')).length, 0, 'all are held')
  // Another mode and another merchant are not touched.
  const other = await bench.tell({ url: receiver.url, mode: 'test' })
  await eventually(() => assert.equal(receiver.got.length, calls + 1))
  assert.notEqual((await eventOf(db, other.id)).status, 'held')

  await remindsWeekly(bench)

  // It works again: one that is asked for goes out, and that ends the suspension.
  answer = 200
  await db.inTransaction((tx) =>
    notifications.replay(tx, { merchant: later.merchant, id: later.id, at: clock.now() }),
  )
  await eventually(async () => assert.equal((await eventOf(db, later.id)).status, 'delivered'))
  assert.deepEqual(await notifications.endpoints(db, { merchant: 10_000_001, mode: 'live' }), [])
  const fresh = await bench.tell({ url: receiver.url })
  await eventually(async () => assert.equal((await eventOf(db, fresh.id)).status, 'delivered'))
})

async function remindsWeekly(bench: Bench): Promise<void> {
  const { db, clock, troubles } = bench
  const jobs = notificationsJobs({ ...bench.deliveryOptions, db, onTrouble: bench.deliveryOptions.onTrouble })
  const remind = async () => jobs.tasks.remind_of_endpoints?.({}, { signal: undefined, attempt: 1 })
  const reminders = () => troubles.filter(({ kind }) => kind === 'still_suspended').length
  await remind()
  assert.equal(reminders(), 0, 'it was told two days ago')
  clock.advance(6 * 86_400)
  await remind()
  await remind()
  assert.equal(reminders(), 1)
  clock.advance(7.5 * 86_400)
  await remind()
  assert.equal(reminders(), 2)
  clock.advance(60 * 86_400)
  await remind()
  assert.equal(reminders(), 2, 'nothing that is held is young enough to be sent')
}

test('every merchant is reminded, however many endpoints are suspended', async () => {
  const bench = await openBench()
  const { db, clock } = bench
  const at = clock.now()
  await db.rows(
    `insert into notifications.targets (merchant, mode, origin, suspended_at, suspension, told_at)
     select 10000000 + n, 'live', 'https://shop.example', $1, 'failing', $1 from generate_series(1, 230) n`,
    [at],
  )
  await db.rows(
    `insert into notifications.events (merchant, mode, id, subject, sequence, event, kind, url, origin, body, at, status,
       undelivered, done_at)
     select 10000000 + n, 'live', 'held ' || n, 'payment ' || n, 1, 'payment.completed', 'gateway',
       'https://shop.example/ipn', 'https://shop.example', '{}', $1, 'held', true, $1 from generate_series(1, 230) n`,
    [at],
  )
  clock.advance(8 * 86_400)
  const jobs = notificationsJobs({ ...bench.deliveryOptions, db })
  await jobs.tasks.remind_of_endpoints?.({}, { signal: undefined, attempt: 1 })
  assert.equal(new Set(bench.troubles.map(({ merchant }) => merchant)).size, 230)
  assert.equal(bench.troubles.length, 230, 'each once')
})

test('one that works now and then is never suspended', async () => {
  const bench = await openBench()
  let calls = 0
  const receiver = await startReceiver(
    (_request, response) => void response.writeHead(calls++ % 2 ? 200 : 500).end(),
  )
  bench.start()
  for (let hours = 0; hours < 200; hours += 10) {
    await bench.tell({ url: receiver.url })
    await settled(bench)
    bench.clock.advance(10 * 3_600)
  }
  await settled(bench)
  assert.ok(calls >= 20)
  const target = await targetOf(bench)
  assert.equal(target?.suspended_at ?? null, null)
  const told = bench.troubles.map(({ kind, at }) => ({ kind, hour: at.getTime() / 3_600_000 }))
  assert.ok(told.every(({ kind }) => kind === 'failing'))
  assert.ok(
    told.every(({ hour }, n) => n === 0 || hour - (told[n - 1]?.hour ?? 0) >= 24),
    'once a day at most',
  )
})

test('a suspended endpoint can be opened again', async () => {
  const bench = await openBench()
  const { db, clock } = bench
  const receiver = await startReceiver((_request, response) => void response.writeHead(410).end())
  bench.start()
  await bench.tell({ url: receiver.url })
  await eventually(async () => assert.equal((await targetOf(bench))?.suspension, 'gone'))
  const [endpoint] = await notifications.endpoints(db, { merchant: 10_000_001 })
  assert.deepEqual(
    { ...endpoint, since: '' },
    { mode: 'live', origin: receiver.url, status: 'suspended', reason: 'gone', since: '' },
  )
  const target = { merchant: 10_000_001, mode: 'live' as const, origin: receiver.url }
  assert.equal(
    await db.inTransaction((tx) => notifications.resume(tx, { ...target, merchant: 10_000_002 })),
    false,
  )
  assert.equal(await db.inTransaction((tx) => notifications.resume(tx, target)), true)
  assert.equal(await db.inTransaction((tx) => notifications.resume(tx, target)), false)
  await bench.tell({ url: receiver.url })
  await eventually(() => assert.equal(receiver.got.length, 2))
  const events = await db.rows<{ action: string; object: string }>(
    `select action, object from audit.events where action like 'notification.%' order by id`,
  )
  await eventually(() => assert.equal(bench.troubles.length, 2))
  assert.equal(events[0]?.action, 'notification.target_suspended')
  assert.equal(events[0]?.object, '10000001')
  assert.ok(clock.now())
})
