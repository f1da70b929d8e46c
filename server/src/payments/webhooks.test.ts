// What is described is what is sent: real notifications of every kind fit the OpenAPI document, whose objects are closed, and
// carry exactly the headers that it names.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openVisit } from '../../../sdk/js/src/cli/checkout.ts'
import { newBusiness, type TestBusiness } from '../../test/businesses.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { eventually } from '../../test/notifications.ts'
import { misfit } from '../../test/reply-schemas.ts'

const server = await testApp()
const baseUrl = await server.listen()

interface Described {
  parameters: { name: string; required: boolean }[]
  requestBody: { content: { 'application/json': { schema: object } } }
}

interface Fed {
  id: string
  event: string
  kind: 'gateway' | 'callback'
  headers: Record<string, string>
  body: string
}

let business: TestBusiness
let webhooks: Record<string, { post: Described }>
before(async () => {
  business = await newBusiness(server)
  webhooks = (await server.app.inject('/openapi.json')).json().webhooks
})

const describedAs = { gateway: 'gatewayNotification', callback: 'paymentEvent' } as const

async function asked(kind: 'gateway' | 'callback'): Promise<{ url: string; reference: string }> {
  if (kind === 'gateway') {
    const headers = { 'SVC-Merchant-Key': String(business.id), 'SVC-API-Key': business.testKey }
    const payload = { payment_amount: 5_000, currency_code: 'UGX', ref_trx: `O-${performance.now()}` }
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/v1/initiate-payment',
      headers,
      payload,
    })
    return { url: reply.json().payment_url, reference: '' }
  }
  const { body } = await business.callTest('POST', '/api/pay', { amount: 1_250.5, currency: 'KES' })
  return { url: body.data.payment_url, reference: body.data.reference }
}

async function fed(): Promise<Fed[]> {
  const { body } = await business.callTest('GET', '/api/merchant/events?limit=100')
  return body.data
}

/** What happens → what is told of it. */
const rows: [kind: 'gateway' | 'callback', act: 'pay' | 'cancel' | 'refund', events: string[]][] = [
  ['gateway', 'pay', ['payment.completed']],
  ['gateway', 'cancel', ['payment.failed']],
  ['callback', 'pay', ['payment.pending', 'payment.completed']],
  ['callback', 'cancel', ['payment.pending', 'payment.failed']],
  ['callback', 'refund', ['payment.pending', 'payment.completed', 'payment.refunded']],
]

/** By the tests before. */
const toldBefore = new Set<string>()

describe('notifications are as they are described', () => {
  for (const [kind, act, events] of rows)
    test(`${kind}: ${act}`, async () => {
      const { url, reference } = await asked(kind)
      const visit = openVisit(baseUrl, url)
      if (act === 'cancel') await visit.cancel()
      else await visit.pay()
      if (act === 'refund')
        await business.callTest('POST', `/api/merchant/payments/${reference}/refund`, { amount: 250.5 })
      // The feed tells an event once everything that was begun before it has ended; for a moment that may be what another
      // database of the server does, so that one that was there is not.
      const told = await eventually(async () => {
        const found = (await fed()).filter(({ id }) => !toldBefore.has(id))
        assert.deepEqual(
          found.map(({ event }) => event),
          events,
        )
        return found
      })
      for (const { id } of told) toldBefore.add(id)
      const described = webhooks[describedAs[kind]]?.post
      assert.ok(described)
      const { schema } = described.requestBody.content['application/json']
      for (const { body, headers } of told) {
        assert.equal(misfit({ status: 200, schemas: { 200: schema }, payload: body }), undefined, body)
        const named: string[] = described.parameters
          .filter(({ required }) => required)
          .map(({ name }) => name)
        const sent = Object.keys(headers).filter((name) => !['Content-Type', 'User-Agent'].includes(name))
        assert.deepEqual(named.sort(), sent.sort())
      }
    })

  test('a field that is not described is found', () => {
    const schema = webhooks.paymentEvent?.post.requestBody.content['application/json'].schema ?? {}
    const payload = JSON.stringify({ event: 'payment.completed', data: { reference: 'PY-1', surprise: 1 } })
    assert.match(misfit({ status: 200, schemas: { 200: schema }, payload }) ?? '', /additional properties/)
  })
})

test('the books are right', async () => {
  await reconcile(server)
})
