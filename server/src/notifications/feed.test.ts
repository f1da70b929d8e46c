// The feed of test mode promises: who asks with the last position gets every event once and in order, whatever commits
// when; signed like one that is sent; whether or not there is an address to send it to. Live mode is not in it.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newBusiness, type TestBusiness } from '../../test/businesses.ts'
import { reconcile, testApp, testDatabase } from '../../test/helpers.ts'
import { eventually } from '../../test/notifications.ts'
import { openDb } from '../db/db.ts'
import * as notifications from './notifications.ts'

const server = await testApp()
const { db, clock } = server
const other = openDb({ url: server.url, connectionsMax: 2, name: 'mfuko other' })
after(() => other.close())
let business: TestBusiness
before(async () => {
  business = await newBusiness(server)
})

interface Fed {
  id: string
  event: string
  reference: string
  url: string | null
  headers: Record<string, string>
  body: string
}

async function feed(
  query: Record<string, string> = {},
  of = business,
): Promise<{ events: Fed[]; next: string }> {
  const reply = await of.callTest('GET', `/api/merchant/events?${new URLSearchParams(query)}`)
  assert.equal(reply.status, 200, reply.text)
  return { events: reply.body.data, next: reply.body.meta.next_after }
}

/** What is written in the background of the service is waited for too. */
async function fed(
  query: Record<string, string>,
  expected: string[],
): Promise<{ events: Fed[]; next: string }> {
  return eventually(async () => {
    const page = await feed(query)
    assert.deepEqual(names(page.events), expected)
    return page
  })
}

const pendings = (...references: string[]) => references.map((reference) => `${reference} payment.pending`)

const names = (events: Fed[]) => events.map(({ event, reference }) => `${reference} ${event}`)

async function pay(fields: object = {}): Promise<string> {
  const reply = await business.callTest('POST', '/api/pay', { amount: 5_000, currency: 'UGX', ...fields })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data.reference
}

let count = 0
const made = (subject: string): notifications.NewEvent => ({
  id: notifications.newEventId(),
  merchant: business.id,
  mode: 'test',
  subject,
  sequence: 1,
  event: 'payment.pending',
  kind: 'callback',
  url: null,
  body: `{"n":${++count}}`,
  at: clock.now(),
})

describe('what is in it', () => {
  test('an event without an address, as it would be sent', async () => {
    const { next } = await feed()
    const reference = await pay()
    const { events } = await fed({ after: next }, pendings(reference))
    const [event] = events
    assert.ok(event)
    assert.equal(event.url, null)
    const { testSecret } = business
    const signature = createHmac('sha256', testSecret).update(event.body).digest('hex')
    assert.equal(event.headers['SVC-Signature'], signature)
    assert.equal(event.headers['webhook-timestamp'], String(clock.now().getTime() / 1_000))
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signed } = event.headers
    assert.equal(id, event.id)
    const signedAt = new Date(Number(timestamp) * 1_000)
    assert.equal(new Webhook(testSecret).sign(event.id, signedAt, event.body), signed)
  })

  test('one that is sent too', async () => {
    const { next } = await feed()
    const reference = await pay({ callback_url: 'https://duka.example/cb' })
    const { events } = await fed({ after: next }, pendings(reference))
    assert.equal(events[0]?.url, 'https://duka.example/cb')
  })

  test('without a position: the latest ones, the oldest of them first', async () => {
    const references = [await pay(), await pay(), await pay()]
    const { next } = await fed({ limit: '2' }, pendings(...references.slice(1)))
    assert.deepEqual((await feed({ after: next })).events, [])
  })

  test('pages follow each other without a gap', async () => {
    const { next } = await feed()
    const references = [await pay(), await pay(), await pay(), await pay(), await pay()]
    await fed({ after: next }, pendings(...references))
    let position = next
    for (const page of [references.slice(0, 2), references.slice(2, 4), references.slice(4), []]) {
      const { events, next: following } = await feed({ after: position, limit: '2' })
      assert.deepEqual(names(events), pendings(...page))
      position = following
    }
  })

  test('nothing of live mode, and nothing of others', async () => {
    const { next } = await feed()
    const order = { amount: 5_000, currency: 'UGX', callback_url: 'https://duka.example/cb' }
    const live = await business.callLive('POST', '/api/pay', order)
    assert.equal(live.status, 200, live.text)
    const reference = await pay()
    await fed({ after: next }, pendings(reference))
    const stranger = await newBusiness(server, { approved: false })
    const { events, next: theirs } = await feed({}, stranger)
    assert.deepEqual(events, [])
    assert.deepEqual((await feed({ after: theirs }, stranger)).events, [])
    assert.deepEqual((await feed({ after: next }, stranger)).events, [], 'a position opens nothing')
  })

  test('a live key is refused, the owner sees test mode', async () => {
    const live = await business.callLive('GET', '/api/merchant/events')
    assert.deepEqual([live.status, live.body.code], [403, 'forbidden'])
    await fed({ limit: '1' }, pendings(await pay()))
    const owner = await business.owner.call('GET', '/api/merchant/events?limit=1')
    assert.deepEqual(names(owner.body.data), names((await feed({ limit: '1' })).events))
  })

  test('a payment of live mode without an address tells nobody, as before', async () => {
    const live = await business.callLive('POST', '/api/pay', { amount: 5_000, currency: 'UGX' })
    const { reference } = live.body.data
    const rows = await db.rows('select 1 from notifications.events where subject = $1', [reference])
    assert.equal(rows.length, 0)
  })
})

describe('whatever commits when', () => {
  test('what a slow transaction wrote first is not skipped, and what came later waits for it', async () => {
    const { next } = await feed()
    let commit = () => {}
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    let begun = () => {}
    const isOpen = new Promise<void>((resolve) => {
      begun = resolve
    })
    const slow = other.inTransaction(async (tx) => {
      await notifications.add(tx, [made('PY-SLOW')])
      begun()
      await held
    })
    await isOpen
    await db.inTransaction((tx) => notifications.add(tx, [made('PY-FAST')]))
    const early = await feed({ after: next })
    assert.deepEqual(early.events, [], 'who read PY-FAST now would never see PY-SLOW')
    commit()
    await slow
    await fed({ after: early.next }, pendings('PY-SLOW', 'PY-FAST'))
  })

  test('nor what took its number late', async () => {
    const { next } = await feed()
    let go = () => {}
    const waits = new Promise<void>((resolve) => {
      go = resolve
    })
    let begun = () => {}
    const isOpen = new Promise<void>((resolve) => {
      begun = resolve
    })
    // Its transaction is the older one, its event the later.
    const older = other.inTransaction(async (tx) => {
      await tx.rows('select pg_current_xact_id()')
      begun()
      await waits
      await notifications.add(tx, [made('PY-OLDER')])
    })
    await isOpen
    await db.inTransaction((tx) => notifications.add(tx, [made('PY-YOUNGER')]))
    const seen = await feed({ after: next })
    go()
    await older
    await fed({ after: seen.next }, pendings('PY-OLDER', 'PY-YOUNGER').slice(seen.events.length))
  })
})

test('who writes in another database of the server is not waited for', async () => {
  const { next } = await feed()
  // Somebody else, of whom the service may see only where they work.
  const { adminUrl } = await testDatabase({ empty: true })
  const neighbour = openDb({ url: adminUrl, connectionsMax: 1, name: 'mfuko neighbour' })
  try {
    await neighbour.inTransaction(async (tx) => {
      await tx.rows('select pg_current_xact_id()')
      await db.inTransaction((tx) => notifications.add(tx, [made('PY-BESIDE')]))
      await fed({ after: next }, pendings('PY-BESIDE'))
    })
  } finally {
    await neighbour.close()
  }
})

describe('positions', () => {
  for (const after of ['x', '1', '1-', '-1', '1-2-3', '1-2 ', '99999999999999999-1', '9'.repeat(40)])
    test(`${after} is refused`, async () => {
      const reply = await business.callTest('GET', `/api/merchant/events?after=${encodeURIComponent(after)}`)
      assert.deepEqual([reply.status, Object.keys(reply.body.errors)], [422, ['after']])
    })

  test('what is none is refused beside what else is wrong', async () => {
    const { status, body } = await business.callTest('GET', '/api/merchant/events?limit=0&after=x')
    assert.deepEqual([status, Object.keys(body.errors).sort()], [422, ['after', 'limit']])
  })
})

describe('one without an address', () => {
  test('is in the log as unsent, and waits for nobody', async () => {
    const reference = await pay()
    const list = await business.callTest('GET', `/api/merchant/notifications?reference=${reference}`)
    const [{ status, url, id, attempts, next_attempt_at }] = list.body.data
    assert.deepEqual([status, url, attempts, next_attempt_at], ['unsent', null, 0, null])
    const filtered = await business.callTest('GET', '/api/merchant/notifications?status=unsent&limit=1')
    assert.equal(filtered.body.data[0].id, id)
    const waiting = await db.rows('select 1 from notifications.queue where subject = $1', [reference])
    assert.equal(waiting.length, 0)
  })

  test('can not be sent again', async () => {
    const reference = await pay()
    const list = await business.callTest('GET', `/api/merchant/notifications?reference=${reference}`)
    const replay = await business.owner.call(
      'POST',
      `/api/merchant/notifications/${list.body.data[0].id}/replay`,
    )
    assert.deepEqual([replay.status, replay.body.code], [422, 'invalid_state'])
  })

  test('the books are right', async () => {
    await reconcile(server)
  })
})
