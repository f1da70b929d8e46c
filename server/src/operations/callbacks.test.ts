// The addresses that providers call, over HTTP: what is taken, what is refused, and that bytes count, not what they mean.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { reconcile } from '../../test/helpers.ts'
import { register } from '../../test/people.ts'
import { simulatedApp } from '../../test/simulated-app.ts'
import * as audit from '../audit/audit.ts'

const server = await simulatedApp({ delays: { pay: 60_000, prompt: 60_000 } })
const { app, dependencies } = server
const { operations } = dependencies

interface Sent {
  method?: 'POST' | 'PUT' | 'GET'
  url: string
  body?: string | Buffer
  headers?: Record<string, string>
}

async function send({ method = 'POST', url, body = '{}', headers = {} }: Sent) {
  const type = { 'content-type': 'application/json' }
  const reply = await app.inject({ method, url, payload: body, headers: { ...type, ...headers } })
  await operations.deliveries.idle()
  return { status: reply.statusCode, text: reply.body, type: reply.headers['content-type'] }
}

const signature = (body: string, key = 'sk_test_simulator') => ({
  'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex'),
})

const refusals = async () =>
  (await audit.search(server.db, { action: 'callback.refused', limit: 100 })).map(({ object, details }) => ({
    object,
    ...details,
  }))

/** By card: the money comes when the person has paid on the provider's page, and here nobody does. */
async function deposit() {
  server.clock.advance(1)
  const person = await register(server, { country: 'KE' })
  const body = { amount: 1_250.5, currency: 'KES', method: 'paystack' }
  const reply = await person.call('POST', '/api/deposit/initiate', body)
  assert.equal(reply.status, 200, reply.text)
  const [operation] = await operations.list({ limit: 1 })
  assert.ok(operation)
  const balance = async () => {
    const wallets = await person.call('GET', '/api/wallets')
    return wallets.body.data.find(({ currency }: { currency: string }) => currency === 'KES')?.balance
  }
  return { id: operation.id, balance, state: async () => (await operations.find(operation.id))?.state }
}

const charge = (reference: string, amount = 125_050) =>
  JSON.stringify({
    event: 'charge.success',
    data: { id: 1, status: 'success', reference, amount, currency: 'KES', receipt_number: '10101' },
  })

describe('the one address of a provider', () => {
  test('what is signed counts, to the last byte', async () => {
    const { id, balance, state } = await deposit()
    // Blanks and escapes that nobody would write again.
    const body = charge(id).replace('{"event"', '{ \n\t"event"').replace('charge', '\\u0063harge')
    const url = '/hooks/paystack/live'
    assert.equal(
      (await send({ url, body: body.trim().replace('\t', ''), headers: signature(body) })).status,
      401,
    )
    assert.equal(await state(), 'pending')
    const taken = await send({ url, body, headers: signature(body) })
    assert.deepEqual([taken.status, taken.text], [200, '{}'])
    assert.equal(await state(), 'completed')
    assert.equal(await balance(), 1250.5)
    await send({ url, body, headers: signature(body) })
    assert.equal(await balance(), 1250.5)
  })

  test('a wrong signature is refused, changes nothing and is in the audit log', async () => {
    const { id, balance, state } = await deposit()
    const body = charge(id)
    const url = '/hooks/paystack/live'
    for (const headers of [{}, signature(body, 'another key'), { 'x-paystack-signature': 'x' }])
      assert.equal((await send({ url, body, headers: headers as Record<string, string> })).status, 401)
    assert.equal(await state(), 'pending')
    assert.equal(await balance(), 0)
    assert.equal((await refusals()).filter(({ object }) => object === id).length, 1)
  })

  test('of the other mode, it is about nothing of ours', async () => {
    const { id, state } = await deposit()
    const body = charge(id)
    assert.equal((await send({ url: '/hooks/paystack/test', body, headers: signature(body) })).status, 200)
    assert.equal(await state(), 'pending')
  })

  test('what is about nothing of ours is answered and forgotten', async () => {
    const count = () => server.db.row<{ n: bigint }>('select count(*) as n from operations.deliveries')
    const before = await count()
    for (const body of [
      charge(randomUUID()),
      charge('order-77'),
      '{"event":"subscription.create","data":{}}',
    ])
      assert.equal((await send({ url: '/hooks/paystack/live', body, headers: signature(body) })).status, 200)
    assert.deepEqual(await count(), before)
  })

  const nowhere = ['/hooks/nobody/live', '/hooks/paystack/other', '/hooks/paystack', '/hooks/Paystack/live']
  for (const url of nowhere)
    test(`${url} is nowhere`, async () => assert.equal((await send({ url })).status, 404))
})

describe('the address of one operation', () => {
  test('takes both methods and any type of body, and answers as the provider wants', async () => {
    const person = await register(server, { country: 'KE' })
    const asked = { amount: 100, currency: 'KES', method: 'mpesa', phone: '+254712000111' }
    assert.equal((await person.call('POST', '/api/deposit/initiate', asked)).status, 200)
    const [operation] = await operations.list({ provider: 'mpesa', limit: 1 })
    const order = server.simulator.orders()[0]
    assert.ok(operation && order)
    const url = new URL(order.callbackUrl ?? '').pathname
    for (const [method, type] of [
      ['POST', 'application/json'],
      ['PUT', 'application/json; charset=utf-8'],
      ['POST', 'text/xml'],
      ['POST', 'application/x-www-form-urlencoded'],
    ] as const) {
      const reply = await send({ method, url, body: '{"Body":', headers: { 'content-type': type } })
      assert.deepEqual([reply.status, reply.text], [200, '{"ResultCode":0,"ResultDesc":"Accepted"}'], type)
    }
    assert.equal((await send({ url, body: Buffer.from([0, 255, 254]) })).status, 200)
    assert.equal((await send({ url, body: 'x'.repeat(70_000) })).status, 413)
    assert.equal((await send({ url, method: 'GET', body: '' })).status, 404)
    assert.equal((await operations.find(operation.id))?.state, 'pending')
    const kept = await operations.deliveriesOf(operation.id)
    assert.equal(kept.length, 5)
    assert.ok(kept.every(({ result }) => result !== null))
    // The address itself is nowhere to be read.
    const token = url.split('/').at(-1) ?? ''
    assert.ok(!server.log.text().includes(token))
    const rows = await server.db.rows('select to_json(e)::text as text from operations.exchanges e')
    assert.ok(!JSON.stringify(rows).includes(token))
  })

  test('that nobody has is nowhere', async () => {
    for (const token of ['A'.repeat(43), 'short', `${'A'.repeat(42)}=`])
      assert.equal((await send({ url: `/hooks/p/${token}` })).status, 404)
  })
})

test('the books are right after all that', async () => {
  await reconcile(server)
})
