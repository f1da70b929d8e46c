// The example shop promises: an order turns paid by a signed notification about the whole of its price and by nothing
// else, once, however often that comes; and what can't be verified is not looked at.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startShop } from '../../examples/shop/shop.ts'
import type { Order } from '../../examples/shop/store.ts'

const clientSecret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgc2hvcA=='
const asked: Record<string, unknown>[] = []
const askedWith: IncomingHttpHeaders[] = []
let refuses = false
/** Stands for the payment service; web/test/shop.browser.test.ts has the real one. */
const gateway = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    askedWith.push(request.headers)
    asked.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.statusCode = refuses ? 503 : 200
    response.end(JSON.stringify(refuses ? { message: 'away' } : { payment_url: 'http://127.0.0.1/pay-here' }))
  })
})
await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
after(() => gateway.close())
const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-shop-'))
const logged: string[] = []
const options = {
  port: 0,
  apiUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
  merchantId: '12345678',
  apiKey: 'svc_test_key',
  clientSecret,
  dataDir,
  log: (line: string) => void logged.push(line),
}
let shop = await startShop(options)
after(() => shop.close())

const at = (path: string) => shop.url.replace('localhost', '127.0.0.1') + path

/** As a browser does it: the page of the product, then its form. */
async function order(product = 'coffee', quantity = 2): Promise<string> {
  const page = await (await fetch(at(`/products/${product}`))).text()
  const id = /name="order" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const body = new URLSearchParams({ order: id, product, quantity: String(quantity) })
  const reply = await fetch(at('/orders'), { method: 'POST', body, redirect: 'manual' })
  assert.equal(reply.status, 303)
  assert.equal(reply.headers.get('location'), 'http://127.0.0.1/pay-here')
  return id
}

const stateOf = async (id: string): Promise<string> =>
  ((await (await fetch(at(`/orders/${id}/state`))).json()) as { state: string }).state

interface Told {
  id: string
  amount?: number
  currency?: string
  status?: string
  webhookId?: string
  secret?: string
  signature?: string
  prefix?: string
}

function tell({
  id,
  amount = 56_000,
  currency = 'UGX',
  status = 'completed',
  webhookId = `msg_${id}`,
  secret = clientSecret,
  signature,
  prefix = 'svc',
}: Told) {
  const data = { ref_trx: id, amount, currency_code: currency }
  const body = JSON.stringify({ data, message: 'Payment Completed', status, timestamp: 1 })
  const right = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { [`${prefix}-signature`]: signature ?? right, [`${prefix}-webhook-id`]: webhookId }
  return fetch(at('/notifications'), { method: 'POST', headers, body })
}

test('a payment is asked for with what the order is', async () => {
  const id = await order('tea', 3)
  const { ipn_url, ...rest } = asked.at(-1) ?? {}
  assert.match(String(ipn_url), /^http:\/\/127\.0\.0\.1:\d+\/notifications$/)
  assert.deepEqual(rest, {
    payment_amount: 28_500,
    currency_code: 'UGX',
    ref_trx: id,
    description: '3 × Ginger tea, 250 g',
    success_redirect: `${shop.url}/orders/${id}/success`,
    failure_url: `${shop.url}/orders/${id}/failure`,
    cancel_redirect: `${shop.url}/orders/${id}/cancelled`,
  })
  assert.equal(await stateOf(id), 'waiting')
})

describe('notifications', () => {
  test('a signed one pays the order, once, however often it comes', async () => {
    const id = await order()
    for (let time = 0; time < 3; time++) assert.equal((await tell({ id })).status, 200)
    assert.equal(await stateOf(id), 'paid')
    const kept = JSON.parse(readFileSync(join(dataDir, 'orders.json'), 'utf8')) as Order[]
    assert.equal(kept.find((one) => one.id === id)?.notifications.length, 1)
    // One that comes late changes nothing.
    await tell({ id, status: 'failed', webhookId: 'msg_other' })
    assert.equal(await stateOf(id), 'paid')
  })

  const refused: [what: string, told: Partial<Told>, status: number][] = [
    ['another secret', { secret: 'whsec_x' }, 403],
    ['no signature', { signature: '' }, 403],
    ['half a signature', { signature: 'abcd' }, 403],
    ['another amount', { amount: 1 }, 422],
    ['another currency', { currency: 'USD' }, 422],
    ['another status', { status: 'refunded' }, 422],
  ]
  for (const [what, told, status] of refused) {
    test(`${what}: ${status}, and the order is not paid`, async () => {
      const id = await order()
      assert.equal((await tell({ id, ...told })).status, status)
      assert.equal(await stateOf(id), 'waiting')
    })
  }

  test('an unknown order and a body that is no JSON are refused', async () => {
    assert.equal((await tell({ id: 'DA-0000000000' })).status, 404)
    const body = '{'
    const signature = createHmac('sha256', clientSecret).update(body).digest('hex')
    const headers = { 'svc-signature': signature }
    assert.equal((await fetch(at('/notifications'), { method: 'POST', headers, body })).status, 422)
    const large = 'x'.repeat(70_000)
    assert.equal((await fetch(at('/notifications'), { method: 'POST', body: large })).status, 413)
  })
})

test('coming back proves nothing', async () => {
  const id = await order()
  for (const place of ['success?status=completed', 'failure', 'cancelled']) {
    assert.equal((await fetch(at(`/orders/${id}/${place}`))).status, 200)
    assert.equal(await stateOf(id), 'waiting')
  }
})

test('a double click is one order; a paid one is not paid again', async () => {
  const id = await order()
  const body = new URLSearchParams({ order: id, product: 'basket', quantity: '1' })
  await fetch(at('/orders'), { method: 'POST', body, redirect: 'manual' })
  assert.equal(asked.at(-1)?.payment_amount, 56_000)
  await tell({ id })
  const again = await fetch(at(`/orders/${id}/pay`), { method: 'POST', redirect: 'manual' })
  assert.equal(again.headers.get('location'), `/orders/${id}`)
})

test('a failed payment can be tried again', async () => {
  const id = await order()
  await tell({ id, status: 'failed', webhookId: 'msg_1' })
  assert.equal(await stateOf(id), 'failed')
  const again = await fetch(at(`/orders/${id}/pay`), { method: 'POST', redirect: 'manual' })
  assert.equal(again.status, 303)
  await tell({ id, webhookId: 'msg_2' })
  assert.equal(await stateOf(id), 'paid')
})

test('when the payment service is away, the order stays and says so', async () => {
  refuses = true
  const page = await (await fetch(at('/products/tea'))).text()
  const id = /name="order" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const body = new URLSearchParams({ order: id, product: 'tea', quantity: '1' })
  const reply = await fetch(at('/orders'), { method: 'POST', body, redirect: 'manual' })
  refuses = false
  assert.equal(reply.status, 502)
  assert.match(await reply.text(), /Nothing was paid/)
  assert.equal(await stateOf(id), 'new')
})

test('odd requests get a page', async () => {
  for (const path of [
    '/nothing',
    '/orders/DA-0000000000',
    '/orders/..%2f',
    '/products/none',
    '/%ff',
    '//evil.example',
  ]) {
    assert.equal((await fetch(at(path))).status, 404, path)
  }
  const body = new URLSearchParams({ order: '<script>', product: 'tea', quantity: '1' })
  assert.equal((await fetch(at('/orders'), { method: 'POST', body })).status, 422)
  for (const quantity of ['0', '-1', '1.5', '99', 'x', '']) {
    const odd = new URLSearchParams({ order: 'DA-ABCDEFGHJK', product: 'tea', quantity })
    assert.equal((await fetch(at('/orders'), { method: 'POST', body: odd })).status, 422, quantity)
  }
})

test('a service whose header names begin with another word is asked, and believed, with that', async () => {
  await shop.close()
  shop = await startShop({ ...options, headerPrefix: 'Pesa' })
  const id = await order()
  const sent = askedWith.at(-1) ?? {}
  assert.deepEqual([sent['pesa-merchant-key'], sent['pesa-api-key']], ['12345678', 'svc_test_key'])
  assert.equal((await tell({ id })).status, 403)
  assert.equal((await tell({ id, prefix: 'pesa' })).status, 200)
  assert.equal(await stateOf(id), 'paid')
  await shop.close()
  shop = await startShop(options)
})

test('orders survive a restart', async () => {
  const id = await order()
  await tell({ id })
  await shop.close()
  shop = await startShop(options)
  assert.equal(await stateOf(id), 'paid')
})
