// What merchants see of their notifications, and what they can have sent again: one, or all that failed in a time. Old
// attempts go, old bodies leave a hash. Nobody sees or repeats another merchant's.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import {
  attemptsOf,
  eventOf,
  eventually,
  openBench,
  queuedOf,
  startReceiver,
} from '../../test/notifications.ts'
import { notificationsJobs } from './jobs.ts'
import { visible } from './log.ts'
import * as notifications from './notifications.ts'

const bench = await openBench()
const { db, clock } = bench
const merchant = 10_000_001
let answer = 200
const receiver = await startReceiver(
  (_request, response) => void response.writeHead(answer).end('<b>thanks</b>'),
)
bench.start()

const ajv = new Ajv({ strict: false, validateFormats: false })
const fits = (schema: object, value: unknown) => {
  const closed = JSON.parse(JSON.stringify(schema), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && 'properties' in part
      ? { ...part, additionalProperties: false }
      : part,
  )
  assert.ok(ajv.validate(closed, value), ajv.errorsText())
}

const statusIs = (id: string, status: string) =>
  eventually(async () => assert.equal((await eventOf(db, id)).status, status))

const replay = (id: string, whose = merchant) =>
  db.inTransaction((tx) => notifications.replay(tx, { merchant: whose, id, at: clock.now() }))

describe('lists', () => {
  test('the newest first, by pages, by status, by mode, by payment', async () => {
    const delivered = []
    for (let n = 0; n < 5; n++)
      delivered.push(await bench.tell({ url: receiver.url, subject: `PY-list-${n}` }))
    for (const { id } of delivered) await statusIs(id, 'delivered')
    answer = 500
    const waiting = await bench.tell({ url: receiver.url })
    await eventually(async () => assert.equal((await queuedOf(db, waiting.id))?.failures, 1))
    answer = 410
    const failed = await bench.tell({ url: receiver.url, mode: 'test' })
    await statusIs(failed.id, 'failed')
    const held = await bench.tell({ url: receiver.url, mode: 'test' })
    await statusIs(held.id, 'held')
    answer = 200
    await bench.tell({ url: receiver.url, merchant: 10_000_002 })

    const ids = async (options: Partial<notifications.ListOptions>) => {
      const rows = await notifications.list(db, { merchant, limit: 50, ...options })
      for (const { notification } of rows) fits(notifications.Notification, notification)
      return rows.map(({ notification }) => notification.id)
    }
    const all = [held, failed, waiting, ...delivered.toReversed()].map(({ id }) => id)
    assert.deepEqual(await ids({}), all)
    assert.deepEqual(await ids({ status: 'delivered' }), all.slice(3))
    assert.deepEqual(await ids({ status: 'pending' }), [waiting.id])
    assert.deepEqual(await ids({ status: 'failed' }), [failed.id])
    assert.deepEqual(await ids({ status: 'held' }), [held.id])
    assert.deepEqual(await ids({ mode: 'test' }), [held.id, failed.id])
    assert.deepEqual(await ids({ mode: 'live', limit: 2 }), all.slice(2, 4))
    assert.deepEqual(await ids({ subject: 'PY-list-3' }), [delivered[3]?.id])
    assert.deepEqual(await ids({ subject: 'PY-list-3', merchant: 10_000_002 }), [])
    const page = await notifications.list(db, { merchant, limit: 3 })
    assert.deepEqual(await ids({ before: page[2]?.number ?? 0n, limit: 2 }), all.slice(3, 5))

    const [first] = await notifications.list(db, { merchant, status: 'pending', limit: 1 })
    assert.deepEqual(first?.notification, {
      id: waiting.id,
      event: 'payment.completed',
      kind: 'callback',
      reference: waiting.subject,
      sequence: 1,
      mode: 'live',
      url: receiver.url,
      status: 'pending',
      attempts: 1,
      next_attempt_at: (await queuedOf(db, waiting.id))?.due_at.toISOString(),
      last_attempt: { at: clock.now().toISOString(), status: 500, problem: 'status' },
      created_at: clock.now().toISOString(),
      done_at: null,
    })
  })

  test('one, with every attempt', async () => {
    answer = 500
    const event = await bench.tell({ url: receiver.url, merchant: 10_000_003 })
    await eventually(async () => assert.equal((await attemptsOf(db, event.id)).length, 1))
    answer = 200
    clock.advance(10)
    await statusIs(event.id, 'delivered')
    const shown = await notifications.show(db, { merchant: 10_000_003, id: event.id })
    assert.ok(shown)
    fits(notifications.NotificationShown, shown)
    assert.deepEqual([shown.status, shown.body, shown.attempts], ['delivered', event.body, 2])
    assert.deepEqual(
      shown.log.map(({ number, status, problem, message, response }) => [
        number,
        status,
        problem,
        message,
        response,
      ]),
      [
        [2, 200, null, null, '<b>thanks</b>'],
        [1, 500, 'status', 'The answer was not a status from 200 to 299.', '<b>thanks</b>'],
      ],
    )
    assert.equal(
      await notifications.show(db, { merchant, id: event.id }),
      undefined,
      'only for its own merchant',
    )
    const forOperator = await notifications.showToOperator(db, event.id)
    fits(notifications.NotificationForOperator, forOperator)
    assert.equal(forOperator?.log[0]?.address, '127.0.0.1')
  })

  test('what receivers say is shown as plain text', () => {
    assert.equal(
      visible('\u001b[31mred\u001b[0m\u0000\r\nnext\tcell'),
      '\\u001b[31mred\\u001b[0m\\u0000\\u000d\nnext\tcell',
    )
    assert.equal(visible('\u202egnp.exe\u2028'), '\\u202egnp.exe\\u2028')
    assert.equal(visible('Asante sana, ça va? 🎉'), 'Asante sana, ça va? 🎉')
  })
})

describe('sent again', () => {
  test('a delivered one: the same id and bytes, a new time and attempt', async () => {
    const event = await bench.tell({ url: receiver.url, merchant: 10_000_010 })
    await statusIs(event.id, 'delivered')
    clock.advance(3_600)
    await replay(event.id, 10_000_010)
    await eventually(() =>
      assert.equal(receiver.got.filter(({ headers }) => headers['webhook-id'] === event.id).length, 2),
    )
    await statusIs(event.id, 'delivered')
    const [once, twice] = receiver.got.filter(({ headers }) => headers['webhook-id'] === event.id)
    assert.equal(once?.body, twice?.body)
    assert.deepEqual(
      [once?.headers['svc-webhook-attempt'], twice?.headers['svc-webhook-attempt']],
      ['1', '2'],
    )
    const seconds = Number(twice?.headers['webhook-timestamp']) - Number(once?.headers['webhook-timestamp'])
    assert.equal(seconds, 3_600)
  })

  test('one that waits is sent now', async () => {
    answer = 503
    const event = await bench.tell({ url: receiver.url, merchant: 10_000_011 })
    await eventually(async () => assert.equal((await queuedOf(db, event.id))?.failures, 1))
    answer = 200
    await replay(event.id, 10_000_011)
    await statusIs(event.id, 'delivered')
  })

  test('not another merchant’s, and none that is unknown', async () => {
    const event = await bench.tell({ url: receiver.url, merchant: 10_000_012 })
    await statusIs(event.id, 'delivered')
    await assert.rejects(replay(event.id, 10_000_013), { code: 'not_found' })
    await assert.rejects(replay(notifications.newEventId()), { code: 'not_found' })
  })

  test('all that failed in a time, ten a second, and nothing else', async () => {
    const whose = 10_000_020
    answer = 500
    const events: notifications.NewEvent[] = []
    for (let n = 0; n < 25; n++) {
      events.push(await bench.tell({ url: receiver.url, merchant: whose, mode: n % 2 ? 'live' : 'test' }))
      clock.advance(60)
    }
    // As if the days had passed. Those on their way first come back: what they tell later would open the breaker again.
    const stop = `with gone as (delete from notifications.queue where merchant = $1 and leased_until is null
        returning merchant, mode, number)
      update notifications.events e set status = 'failed', undelivered = true, done_at = $2 from gone g
      where e.merchant = g.merchant and e.mode = g.mode and e.number = g.number`
    await eventually(async () => {
      await db.rows(stop, [whose, clock.now()])
      assert.deepEqual(await db.rows('select 1 from notifications.queue where merchant = $1', [whose]), [])
    })
    answer = 200
    // The breaker is open by now; that is not what is tested here.
    await db.rows('delete from notifications.targets where merchant = $1', [whose])

    const range = (from: Date, to: Date, mode?: 'live' | 'test') =>
      db.inTransaction((tx) =>
        notifications.replayRange(tx, { merchant: whose, mode, from, to, at: clock.now() }),
      )
    const [from, to] = [events[5]?.at, events[15]?.at]
    assert.ok(from && to)
    assert.deepEqual(await range(from, to, 'live'), { replayed: 5, more: false })
    assert.deepEqual(await range(from, to), { replayed: 5, more: false }, 'what waits is not asked for twice')
    const due = await db.rows<{ due_at: Date }>(
      'select due_at from notifications.queue where merchant = $1 order by due_at',
      [whose],
    )
    const now = clock.now().getTime()
    assert.ok(due.every(({ due_at: at }) => at.getTime() - now <= 400 && at.getTime() >= now))
    clock.advance(1)
    for (const { id } of events.slice(5, 15)) await statusIs(id, 'delivered')
    for (const { id } of [...events.slice(0, 5), ...events.slice(15)])
      assert.equal((await eventOf(db, id)).status, 'failed')

    const day = 86_400_000
    await assert.rejects(range(to, from), { code: 'validation_failed' })
    await assert.rejects(range(new Date(now - 31 * day), new Date(now)), { code: 'validation_failed' })
    assert.deepEqual(await range(new Date(now - 29 * day), new Date(now)), { replayed: 15, more: false })
  })
})

describe('with time', () => {
  const jobs = notificationsJobs({ ...bench.deliveryOptions, db })
  const prune = async () => jobs.tasks.prune_notifications?.({}, { signal: undefined, attempt: 1 })

  test('attempts go after 30 days, bodies after 90, and then nothing can be sent again', async () => {
    const whose = 10_000_030
    const event = await bench.tell({ url: receiver.url, merchant: whose })
    await statusIs(event.id, 'delivered')
    const days = (count: number) => clock.advance(count * 86_400)
    days(29)
    await prune()
    assert.equal((await attemptsOf(db, event.id)).length, 1)
    days(2)
    await prune()
    assert.equal((await attemptsOf(db, event.id)).length, 0)
    const kept = await notifications.show(db, { merchant: whose, id: event.id })
    assert.deepEqual([kept?.status, kept?.attempts, kept?.body], ['delivered', 1, event.body])
    days(58)
    await prune()
    assert.equal((await notifications.show(db, { merchant: whose, id: event.id }))?.body, event.body)
    days(2)
    await prune()
    await prune()
    const pruned = await notifications.show(db, { merchant: whose, id: event.id })
    assert.ok(pruned)
    fits(notifications.NotificationShown, pruned)
    const hash = createHash('sha256').update(event.body).digest('hex')
    assert.deepEqual([pruned.body, pruned.body_sha256, pruned.status], [null, hash, 'delivered'])
    await assert.rejects(replay(event.id, whose), { code: 'invalid_state' })
    // Much later those that were looked at are not looked at again, and new ones are.
    days(200)
    const later = await bench.tell({ url: receiver.url, merchant: whose })
    await statusIs(later.id, 'delivered')
    await prune()
    days(91)
    await prune()
    assert.equal((await notifications.show(db, { merchant: whose, id: later.id }))?.body, null)
  })

  test('what is asked for in the very moment when its body would go keeps it, and is sent', async () => {
    const whose = 10_000_031
    const event = await bench.tell({ url: receiver.url, merchant: whose })
    await statusIs(event.id, 'delivered')
    clock.advance(91 * 86_400)
    const before = receiver.got.length
    const pruning = await db.inTransaction(async (tx) => {
      await notifications.replay(tx, { merchant: whose, id: event.id, at: clock.now() })
      const begun = prune()
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'update notifications.events%'`
      await eventually(async () => assert.equal((await db.rows(waiting)).length, 1))
      return { begun }
    })
    await pruning.begun
    await eventually(() => assert.equal(receiver.got.length, before + 1))
    await statusIs(event.id, 'delivered')
    assert.equal((await notifications.show(db, { merchant: whose, id: event.id }))?.body, event.body)
  })

  test('the body of what is still to be sent stays, however old it is', async () => {
    const whose = 10_000_032
    answer = 500
    const event = await bench.tell({ url: receiver.url, merchant: whose })
    await eventually(async () => assert.equal((await queuedOf(db, event.id))?.failures, 1))
    await db.rows(`update notifications.events set at = at - interval '91 days' where id = $1`, [event.id])
    const body = async () => (await notifications.show(db, { merchant: whose, id: event.id }))?.body
    await prune()
    assert.equal(await body(), event.body)
    answer = 200
    clock.advance(60)
    await statusIs(event.id, 'delivered')
    assert.equal(receiver.got.at(-1)?.body, event.body)
    await prune()
    assert.equal(await body(), null)
  })

  test('how many wait, and for how long', async () => {
    const before = await notifications.waiting(db, clock.now())
    await bench.tell({ url: receiver.url, at: new Date(clock.now().getTime() + 60_000) })
    const after = await notifications.waiting(db, clock.now())
    assert.equal(after.waiting, before.waiting + 1)
    assert.equal(after.oldestSeconds, 0)
  })
})
