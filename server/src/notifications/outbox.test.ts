// An event exists exactly when what it tells of does: it is written with the money, in one transaction, and refused with
// it. And nothing of it waits for anybody: payments that tell of themselves commit side by side.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { reconcile, testClock } from '../../test/helpers.ts'
import { eventually, openBench, startReceiver } from '../../test/notifications.ts'
import * as ledgers from '../ledger/ledger.ts'
import * as notifications from './notifications.ts'

const bench = await openBench()
const { db, clock } = bench
const ledger = ledgers.openLedger({ url: bench.database.url, clock: testClock() })
after(() => ledger.close())
afterEach(() => reconcile(bench.database))
const receiver = await startReceiver()

const eventOf = (subject: string, changes: Partial<notifications.NewEvent> = {}): notifications.NewEvent => ({
  id: notifications.newEventId(),
  merchant: 10_000_001,
  mode: 'live',
  subject,
  sequence: 1,
  event: 'payment.completed',
  kind: 'gateway',
  url: `${receiver.url}/ipn`,
  body: JSON.stringify({ status: 'completed', note: 'Ça "va", {fine}, \\ / 🎉' }),
  at: clock.now(),
  ...changes,
})

const pay = (event: notifications.NewEvent) =>
  ledger.submit({
    kind: 'payment',
    mode: 'live',
    currency: 'UGX',
    details: {},
    entries: [
      { kind: 'clearing', owner: 'mpesa', amount: -5n },
      { kind: 'merchant', owner: 'shop', amount: 5n },
    ],
    also: () => [notifications.outboxRow(event)],
  })

const count = async () => {
  const row = await db.row<{ events: bigint; queued: bigint }>(
    'select (select count(*) from notifications.events) as events, (select count(*) from notifications.queue) as queued',
  )
  return [Number(row?.events), Number(row?.queued)]
}

test('with the money, many at once', async () => {
  const outcomes = await Promise.all(Array.from({ length: 300 }, (_, n) => pay(eventOf(`PY-${n}`))))
  assert.ok(outcomes.every(({ ok }) => ok))
  assert.deepEqual(await count(), [300, 300])
})

test('a change that was told already is refused, and the money with it', async () => {
  const account = { kind: 'merchant', owner: 'shop', currency: 'UGX', mode: 'live' } as const
  const balance = async () => (await ledger.balances(db, [account]))[0]?.balance
  const before = await balance()
  await assert.rejects(pay(eventOf('PY-7')))
  assert.equal(await balance(), before)
  assert.deepEqual(await count(), [300, 300])
})

test('in a transaction that is rolled back there is nothing', async () => {
  const failing = db.inTransaction(async (tx) => {
    await notifications.add(tx, [eventOf('PY-a'), eventOf('PY-b')])
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual(await count(), [300, 300])
  await db.inTransaction((tx) => notifications.add(tx, []))
})

test('what was written is what arrives', async () => {
  bench.start()
  await eventually(() => assert.equal(receiver.got.length, 300), 30_000)
  const bodies = new Set(receiver.got.map(({ body }) => body))
  assert.deepEqual([...bodies], [eventOf('x').body])
  await eventually(async () => assert.deepEqual(await count(), [300, 0]))
})
