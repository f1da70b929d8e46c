// What the owner of a business asks of its notifications: the log in its own mode, one or many once more, an example,
// an address that was given up. How they are delivered is tested where that happens.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newBusiness } from '../../test/businesses.ts'
import { testApp } from '../../test/helpers.ts'
import { type Reply, register } from '../../test/people.ts'
import * as notifications from '../notifications/notifications.ts'

const server = await testApp()
const { db, clock } = server
const business = await newBusiness(server, { fields: { callback_url: 'https://duka.example/cb' } })
const other = await newBusiness(server)
const { owner, callLive, callTest } = business

const check = (reply: Reply, [status, code]: [number, string?]) => {
  assert.equal(reply.status, status, reply.text)
  if (code !== undefined) assert.equal(reply.body.code, code, reply.text)
}

const newEvent = async (mode: 'live' | 'test', merchant = business.id): Promise<string> => {
  const id = notifications.newEventId()
  await db.inTransaction((tx) =>
    notifications.add(tx, [
      {
        id,
        merchant,
        mode,
        subject: `PY-${id.slice(-6)}`,
        sequence: 1,
        event: 'payment.completed',
        kind: 'callback',
        url: 'https://duka.example/cb',
        body: '{"event":"payment.completed"}',
        at: clock.now(),
      },
    ]),
  )
  return id
}

const live = await newEvent('live')
const tried = await newEvent('test')
const theirs = await newEvent('live', other.id)

const idsOf = ({ body }: Reply): string[] => body.data.map(({ id }: { id: string }) => id)

describe('the log', () => {
  test('shows what is theirs; a key sees its own mode only', async () => {
    assert.deepEqual(idsOf(await owner.call('GET', '/api/merchant/notifications')), [tried, live])
    assert.deepEqual(idsOf(await owner.call('GET', '/api/merchant/notifications?mode=live')), [live])
    assert.deepEqual(idsOf(await callLive('GET', '/api/merchant/notifications')), [live])
    assert.deepEqual(idsOf(await callTest('GET', '/api/merchant/notifications')), [tried])
    assert.deepEqual(idsOf(await callTest('GET', '/api/merchant/notifications?mode=live')), [tried])
    assert.deepEqual(idsOf(await other.callLive('GET', '/api/merchant/notifications')), [theirs])
    assert.deepEqual(idsOf(await owner.call('GET', '/api/merchant/notifications?status=failed')), [])
    const reference = `PY-${live.slice(-6)}`
    assert.deepEqual(idsOf(await owner.call('GET', `/api/merchant/notifications?reference=${reference}`)), [
      live,
    ])
  })

  test('page by page', async () => {
    const first = await owner.call('GET', '/api/merchant/notifications?limit=1')
    assert.deepEqual(idsOf(first), [tried])
    const { next_cursor: cursor } = first.body.meta
    const second = await owner.call('GET', `/api/merchant/notifications?limit=1&cursor=${cursor}`)
    assert.deepEqual([idsOf(second), second.body.meta.next_cursor], [[live], null])
    for (const bad of ['x', 'WyJ4Il0', 'WyI5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTkiXQ'])
      check(await owner.call('GET', `/api/merchant/notifications?cursor=${bad}`), [422, 'validation_failed'])
  })

  test('one is shown with its body; of another mode or merchant it is not there', async () => {
    const shown = await callLive('GET', `/api/merchant/notifications/${live}`)
    check(shown, [200])
    assert.equal(shown.body.data.body, '{"event":"payment.completed"}')
    assert.deepEqual(shown.body.data.log, [])
    const missing = 'msg_0000000000000000000000'
    const replies = await Promise.all([
      callTest('GET', `/api/merchant/notifications/${live}`),
      callLive('GET', `/api/merchant/notifications/${theirs}`),
      callLive('GET', `/api/merchant/notifications/${missing}`),
    ])
    for (const reply of replies) check(reply, [404, 'not_found'])
    assert.equal(new Set(replies.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size, 1)
  })

  test('who has no business sees none', async () => {
    const person = await register(server)
    check(await person.call('GET', '/api/merchant/notifications'), [404, 'not_found'])
    check(await person.call('GET', '/api/merchant/endpoints'), [404, 'not_found'])
  })
})

const audited = () =>
  db.rows<{ action: string; actor_id: string }>(
    `select action, actor_id from audit.events where action like 'notification.%' and object = $1 order by id`,
    [String(business.id)],
  )

describe('once more', () => {
  test('one, by its owner only, and it is written down', async () => {
    const replayed = await owner.call('POST', `/api/merchant/notifications/${live}/replay`)
    check(replayed, [200])
    assert.equal(replayed.body.data.id, live)
    for (const id of [theirs, 'msg_0000000000000000000000'])
      check(await owner.call('POST', `/api/merchant/notifications/${id}/replay`), [404, 'not_found'])
    check(await callLive('POST', `/api/merchant/notifications/${live}/replay`), [401])
    assert.deepEqual((await audited()).at(-1), { action: 'notification.replayed', actor_id: owner.id })
  })

  const day = 86_400_000
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const rows: [what: string, body: object, status: number, field?: string][] = [
    ['a day', { from: at(-day), to: at(1_000) }, 200],
    ['thirty days', { from: at(-30 * day), to: at(0), mode: 'live' }, 200],
    ['more than thirty', { from: at(-30 * day - 1), to: at(0) }, 422, 'to'],
    ['backwards', { from: at(0), to: at(-day) }, 422, 'to'],
    ['no times', { from: 'yesterday', to: 'today' }, 422, 'from'],
    ['nothing', {}, 422, 'from'],
  ]
  for (const [what, body, status, field] of rows)
    test(`all of a range: ${what}`, async () => {
      const reply = await owner.call('POST', '/api/merchant/notifications/replay', body)
      assert.equal(reply.status, status, reply.text)
      if (field !== undefined) assert.ok(field in reply.body.errors)
      else assert.deepEqual(reply.body.data, { replayed: 0, more: false }, 'none has failed')
    })
})

describe('an example', () => {
  const send = (body: object) => owner.call('POST', '/api/merchant/test-notification', body)

  test('goes out like all others, in test mode', async () => {
    for (const event of ['payment.pending', 'payment.completed', 'payment.failed', 'payment.refunded']) {
      const reply = await send({ event })
      check(reply, [200])
      const { mode, url, status, kind, body, reference } = reply.body.data
      assert.deepEqual([mode, url, status, kind], ['test', 'https://duka.example/cb', 'pending', 'callback'])
      assert.equal(
        JSON.stringify(JSON.parse(body)),
        body,
        'a receiver that writes it again gets the same bytes',
      )
      const { data, ...top } = JSON.parse(body)
      assert.equal(top.event, event)
      assert.deepEqual(
        [data.reference, data.merchant_id, data.currency],
        [reference, String(business.id), 'UGX'],
      )
      assert.equal('error' in top, event === 'payment.failed')
      assert.equal('refund_amount' in data, event === 'payment.refunded')
    }
    const ipn = await send({ kind: 'gateway', url: 'http://localhost:3000/ipn' })
    check(ipn, [200])
    const { message, data } = JSON.parse(ipn.body.data.body)
    assert.deepEqual([message, data.ipn_url], ['Payment Completed', 'http://localhost:3000/ipn'])
    assert.deepEqual((await audited()).at(-1)?.action, 'notification.example')
  })

  const rows: [what: string, body: object, ...fields: string[]][] = [
    ['an address that is none', { url: 'x' }, 'url'],
    ['an address that must not be reached', { url: 'http://169.254.169.254/' }, 'url'],
    ['an event that is none', { event: 'payment.lost' }, 'event'],
    ['no address of the gateway', { kind: 'gateway' }, 'url'],
    [
      'an event that the gateway has not',
      { kind: 'gateway', url: 'https://a.example', event: 'payment.pending' },
      'event',
    ],
    ['such an event, to no address', { kind: 'gateway', event: 'payment.pending' }, 'event', 'url'],
    [
      'such an event, to an address that is none',
      { kind: 'gateway', url: 'x', event: 'payment.pending' },
      'event',
      'url',
    ],
    ['an event that is no text', { kind: 'gateway', url: 'https://a.example', event: {} }, 'event'],
    ['a kind and an address that are none', { kind: 'page', url: 'x' }, 'kind', 'url'],
  ]
  for (const [what, body, ...fields] of rows)
    test(`${what} is refused`, async () => {
      const reply = await send(body)
      check(reply, [422, 'validation_failed'])
      assert.deepEqual(Object.keys(reply.body.errors).sort(), fields)
    })
})

describe('addresses that have trouble', () => {
  test('one that was given up is used again', async () => {
    const origin = 'https://duka.example'
    const mode = 'live'
    check(await owner.call('POST', '/api/merchant/endpoints/resume', { mode, origin }), [
      422,
      'invalid_state',
    ])
    await db.rows(
      `insert into notifications.targets (merchant, mode, origin, failing_since, failures, failed_days, suspended_at, suspension, told_at)
       values ($1, 'live', $2, $3, 20, 3, $3, 'failing', $3)`,
      [business.id, origin, clock.now()],
    )
    const { body } = await callLive('GET', '/api/merchant/endpoints')
    assert.deepEqual(
      body.data.map((row: { origin: string; status: string }) => [row.origin, row.status]),
      [[origin, 'suspended']],
    )
    assert.deepEqual((await callTest('GET', '/api/merchant/endpoints')).body.data, [])
    check(await owner.call('POST', '/api/merchant/endpoints/resume', { mode, origin }), [200])
    check(await owner.call('POST', '/api/merchant/endpoints/resume', { mode, origin }), [
      422,
      'invalid_state',
    ])
    assert.equal((await audited()).at(-1)?.action, 'notification.resumed')
  })

  test('trouble is told to the owner by mail', async () => {
    const trouble = {
      merchant: business.id,
      mode: 'live',
      origin: 'https://duka.example',
      since: clock.now(),
      at: clock.now(),
    } as const
    const { tellTrouble } = server.merchants
    await db.inTransaction(async (tx) => {
      await tellTrouble(tx, { ...trouble, kind: 'failing', reason: 'failing' })
      await tellTrouble(tx, { ...trouble, kind: 'suspended', reason: 'failing' })
      await tellTrouble(tx, { ...trouble, kind: 'suspended', reason: 'gone' })
      await tellTrouble(tx, { ...trouble, merchant: 12_345_678, kind: 'failing', reason: 'failing' })
    })
    const mails = await db.rows<{ template: string }>(
      `select template from mail.messages where about_id = $1 and template like 'notification%' order by number`,
      [String(business.id)],
    )
    assert.deepEqual(
      mails.map(({ template }) => template),
      ['notification_trouble', 'notification_suspended', 'notification_gone'],
    )
  })

  test('in the sandbox five of a kind a day, however many addresses a program makes up', async () => {
    const { id } = await newBusiness(server)
    const gone = (mode: 'live' | 'test', host: string) => {
      const at = clock.now()
      const about = { merchant: id, mode, origin: `https://${host}.duka.example`, since: at, at }
      const trouble = { ...about, kind: 'suspended', reason: 'gone' } as const
      return db.inTransaction((tx) => server.merchants.tellTrouble(tx, trouble))
    }
    const count = async () =>
      (
        await db.rows('select from mail.messages where about_id = $1 and template = $2', [
          String(id),
          'notification_gone',
        ])
      ).length
    for (let n = 0; n < 7; n++) await gone('test', `h${n}`)
    assert.equal(await count(), 5)
    await gone('live', 'shop')
    assert.equal(await count(), 6)
  })
})
