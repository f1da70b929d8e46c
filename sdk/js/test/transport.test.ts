// A request promises: the key that makes it happen once is made before the first try and is the same in all of them; what
// may have happened is not asked for again without one; a credential goes to the host that was named and nowhere else; and
// whatever happens is a MfukoError that says so.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { createMerchantClient, createPlatformClient, each, newIdempotencyKey } from '../src/mfuko.ts'
import { patienceMs, waitMs } from '../src/retry.ts'
import { type Act, away, failure, fine, hangUp, json, openScripted, silence } from './scripted.ts'

const { baseUrl, got, plays } = await openScripted()
const shop = createMerchantClient({ baseUrl, apiKey: 'svc_test_key', merchantId: 12345678, timeoutMs: 2_000 })

/** As the service answers a key that it knows. */
const replayed = json(200, { success: true, data: { reference: 'PY-1' } }, { 'idempotency-replayed': 'true' })

const order = { amount: 5_000, currency: 'UGX' } as const
const keys = () => got.map(({ headers }) => headers['idempotency-key'])

describe('tries', () => {
  test('a payment is asked for with one key, however often', async () => {
    plays(hangUp, away, fine)
    assert.equal((await shop.pay(order)).reference, 'PY-1')
    const [first] = keys()
    assert.match(first as string, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(keys(), [first, first, first])
    assert.deepEqual([...new Set(got.map(({ body }) => body))], [JSON.stringify(order)])
  })

  test("the caller's own key is used, and each call has another one without", async () => {
    plays(fine)
    await shop.pay(order, { idempotencyKey: 'order-1001' })
    await shop.pay(order)
    await shop.pay(order)
    assert.equal(keys()[0], 'order-1001')
    assert.equal(new Set(keys()).size, 3)
    await assert.rejects(shop.pay(order, { idempotencyKey: '' }), TypeError)
    assert.equal(got.length, 3)
  })

  test('an answer that the key got before is told from a new one', async () => {
    let times = 0
    const onReplayed = () => {
      times += 1
    }
    plays(fine, replayed)
    await shop.pay(order, { idempotencyKey: 'order-7', onReplayed })
    assert.equal(times, 0)
    assert.equal((await shop.pay(order, { idempotencyKey: 'order-7', onReplayed })).reference, 'PY-1')
    assert.equal(times, 1)
  })

  test('after three tries it gives up, and says with which key to go on', async () => {
    plays(hangUp)
    const error = await failure(shop.pay(order))
    assert.deepEqual([error.code, error.status, got.length], ['connection_failed', 0, 3])
    assert.equal(error.idempotencyKey, keys()[0])
    assert.ok(error.cause)
  })

  test('as often as it was told to', async () => {
    plays(away)
    const error = await failure(shop.pay(order, { retries: 0 }))
    assert.deepEqual(
      [error.code, error.status, error.requestId, got.length],
      ['unavailable', 503, 'req_1', 1],
    )
  })

  test('what takes no key and changes something is tried once', async () => {
    plays(hangUp)
    await failure(shop.request('POST /api/merchant/notifications/:id/replay', { params: { id: 'msg_1' } }))
    assert.deepEqual(keys(), [undefined])
  })

  test('a look is repeated, without a key', async () => {
    plays(away, fine)
    await shop.payment('PY-1')
    assert.deepEqual(keys(), [undefined, undefined])
  })

  test('a refusal is not', async () => {
    const body = { success: false, message: 'No', code: 'validation_failed', request_id: 'r' }
    plays(json(422, { ...body, errors: { amount: 'Amount must be greater than 0' } }))
    const error = await failure(shop.pay({ ...order, amount: 0 }))
    assert.deepEqual(
      [error.code, error.errors, got.length],
      ['validation_failed', { amount: 'Amount must be greater than 0' }, 1],
    )
  })

  test('who is told to wait a second does so; who is told to wait an hour says so', async () => {
    const limited = { success: false, message: 'Slow', code: 'rate_limited', request_id: 'r' }
    plays(json(429, limited, { 'retry-after': '1' }), fine)
    const begun = performance.now()
    await shop.request('POST /api/merchant/notifications/:id/replay', { params: { id: 'msg_1' } })
    assert.ok(performance.now() - begun >= 990)
    plays(json(429, limited, { 'retry-after': '3600' }))
    got.length = 0
    const error = await failure(shop.pay(order))
    assert.deepEqual([error.code, error.retryAfterSeconds, got.length], ['rate_limited', 3_600, 1])
  })

  test('the waits grow, and are never the same for all', () => {
    const waits = [1, 2, 3].map((tries) => [
      waitMs({ tries, retryAfterSeconds: undefined, random: 0 }),
      waitMs({ tries, retryAfterSeconds: undefined, random: 1 }),
    ])
    assert.deepEqual(waits, [
      [250, 500],
      [500, 1_000],
      [1_000, 2_000],
    ])
    assert.equal(waitMs({ tries: 99, retryAfterSeconds: undefined, random: 1 }), patienceMs)
    assert.equal(waitMs({ tries: 1, retryAfterSeconds: 10, random: 0 }), 10_000)
    assert.equal(waitMs({ tries: 1, retryAfterSeconds: 11, random: 0 }), undefined)
  })
})

test('a key that was copied with its dots is told as that, and sent nowhere', async () => {
  const copied = createMerchantClient({ baseUrl, apiKey: 'svc_test_…' })
  await assert.rejects(copied.profile(), TypeError)
  await assert.rejects(shop.pay(order, { idempotencyKey: 'order №5' }), TypeError)
  assert.equal(got.length, 0)
})

describe('time', () => {
  test('a service that says nothing has timed out', async () => {
    plays(silence)
    const error = await failure(shop.pay(order, { timeoutMs: 50, retries: 0 }))
    assert.deepEqual([error.code, error.status], ['timed_out', 0])
  })

  test('and so has one that stops in the middle of its answer', async () => {
    plays((response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"succ'))
    assert.equal((await failure(shop.payment('PY-1', { timeoutMs: 50, retries: 0 }))).code, 'timed_out')
  })

  test('the caller can stop it, also between two tries', async () => {
    plays(silence)
    const reason = new Error('the customer has left')
    const inTry = new AbortController()
    const call = shop.pay(order, { signal: inTry.signal })
    setTimeout(() => inTry.abort(reason), 20)
    await assert.rejects(call, reason)
    plays(away)
    const between = new AbortController()
    const second = shop.pay(order, { signal: between.signal })
    setTimeout(() => between.abort(reason), 100)
    await assert.rejects(second, reason)
    await assert.rejects(shop.pay(order, { signal: AbortSignal.abort(reason) }), reason)
  })
})

describe('answers', () => {
  const page: Act = (response) =>
    void response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>')
  test('of somebody else on the way', async () => {
    plays(page)
    const error = await failure(shop.pay(order))
    assert.deepEqual([error.code, error.status], ['unreadable_answer', 500])
  })

  const says =
    (type: string, text: string): Act =>
    (response) =>
      void response.writeHead(200, { 'content-type': type }).end(text)
  const strange: [type: string, text: string][] = [
    ['text/html', '<h1>We are back soon</h1>'],
    ['text/html', ''],
    ['application/json', '{"succ'],
    ['application/json', '[]'],
    ['application/json', 'null'],
    ['application/json', '"ok"'],
    ['application/json', ''],
  ]
  const start = { payment_amount: 5_000, currency_code: 'UGX', ref_trx: 'ORDER-1' } as const
  for (const [type, text] of [...strange, ['application/json', '{"success":true}'] as const])
    test(`a success that is not the service's own is told with the key, and not repeated: ${type} ${text}`, async () => {
      plays(says(type, text))
      const gateway = () => shop.initiatePayment(start)
      // The gateway has no envelope: an object may be its answer.
      for (const call of [() => shop.pay(order), ...(text.endsWith('}') ? [] : [gateway])]) {
        got.length = 0
        const error = await failure(call())
        assert.deepEqual([error.code, error.status], ['unreadable_answer', 200])
        assert.deepEqual(keys(), [error.idempotencyKey])
      }
      assert.equal((await failure(shop.payments.list())).code, 'unreadable_answer')
    })

  test('text where text is asked for, whatever it looks like', async () => {
    const me = createPlatformClient({ baseUrl, token: 'a' })
    for (const [type, text] of [['text/csv', 'a,b\n'] as const, ['application/json', '{"a":1}'] as const]) {
      plays(says(type, text))
      assert.deepEqual([await me.transactions.csv(), await me.transactions.receipt('TX-1')], [text, text])
    }
  })

  test('redirects are not followed: the key stays with the host that was named', async () => {
    const elsewhere: string[] = []
    const other = createServer((request, response) => {
      elsewhere.push(String(request.headers['x-svc-key']))
      response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    after(() => other.close())
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    plays((response) => void response.writeHead(307, { location }).end())
    assert.equal((await failure(shop.pay(order, { retries: 0 }))).code, 'connection_failed')
    assert.deepEqual(elsewhere, [])
  })

  test('pages of a list, one item after the other', async () => {
    const list = (items: number[], next: string | null) =>
      json(200, { success: true, message: '', data: items, meta: { next_cursor: next } })
    plays(list([1, 2], 'b'), list([], 'c'), list([3], null))
    const seen: unknown[] = []
    for await (const item of each((cursor) => shop.payments.list({ limit: 2, ...(cursor && { cursor }) })))
      seen.push(item)
    assert.deepEqual(seen, [1, 2, 3])
    assert.deepEqual(
      got.map(({ url }) => url.split('?')[1]),
      ['limit=2', 'limit=2&cursor=b', 'limit=2&cursor=c'],
    )
  })

  test('a list has as many pages as it has; one that leads in circles is told, and not walked for ever', async () => {
    let page = 0
    const long = async () => ({ items: [page], nextCursor: ++page < 10_002 ? String(page) : null })
    assert.equal((await Array.fromAsync(each(long))).length, 10_002)
    const seen: number[] = []
    const walk = async () => {
      for await (const item of each(async (cursor) => ({
        items: [1],
        nextCursor: cursor === 'b' ? 'c' : 'b',
      })))
        seen.push(item)
    }
    assert.equal((await failure(walk())).code, 'unreadable_answer')
    assert.equal(seen.length, 3)
  })
})

describe('requests', () => {
  test('show who is calling, each interface in its own headers', async () => {
    plays(json(200, { data: {} }))
    await shop.verifyPayment('ORDER 1/2?')
    await shop.payment('PY-1')
    const [gateway, pay] = got
    assert.equal(gateway?.url, '/api/v1/verify-payment/ORDER%201%2F2%3F')
    assert.deepEqual(
      [gateway?.headers['svc-merchant-key'], gateway?.headers['svc-api-key'], gateway?.headers['x-svc-key']],
      ['12345678', 'svc_test_key', undefined],
    )
    assert.deepEqual([pay?.headers['x-svc-key'], pay?.headers['svc-api-key']], ['svc_test_key', undefined])
  })

  test('what can not be part of a path is no name', async () => {
    for (const name of ['', '.', '..']) await assert.rejects(shop.payment(name), TypeError)
    assert.equal(got.length, 0)
  })

  test('wrong settings are told at once', () => {
    const make = (more: object) => () => createMerchantClient({ baseUrl, apiKey: 'svc_test_x', ...more })
    assert.throws(make({ apiKey: '' }), /apiKey is missing/)
    assert.throws(make({ baseUrl: 'pay.example' }), /not an address/)
    assert.throws(make({ baseUrl: 'https://user@pay.example' }), /baseUrl is/)
    assert.throws(make({ baseUrl: 'http://pay.example', apiKey: 'svc_live_x' }), /https only/)
    assert.doesNotThrow(make({ baseUrl: 'http://localhost:8080', apiKey: 'svc_live_x' }))
    assert.doesNotThrow(make({ baseUrl: 'https://pay.example/', apiKey: 'svc_live_x' }))
    Object.assign(globalThis, { window: {}, document: {} })
    try {
      assert.throws(make({}), /must not be in a browser/)
    } finally {
      Reflect.deleteProperty(globalThis, 'window')
      Reflect.deleteProperty(globalThis, 'document')
    }
  })

  test('the gateway needs the Merchant ID', async () => {
    const nameless = createMerchantClient({ baseUrl, apiKey: 'svc_test_x' })
    await assert.rejects(nameless.verifyPayment('x'), /merchantId/)
  })

  test('keys are never the same', () => {
    assert.equal(new Set(Array.from({ length: 1_000 }, newIdempotencyKey)).size, 1_000)
  })
})
