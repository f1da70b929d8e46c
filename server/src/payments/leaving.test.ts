// What may not leave a business: while it is suspended, or its owner is frozen, nothing is refunded, whoever asks and however
// close the two come; and what went back before is told again to who repeats the request.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { newBusiness, type TestBusiness, theOperator } from '../../test/businesses.ts'
import { ask } from '../../test/checkouts.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { fund, register } from '../../test/people.ts'
import type { Payment } from './payments.ts'

const server = await testApp()
const customer = await register(server)
await fund(server, customer, { amount: '100000' })
afterEach(() => reconcile(server))

const now = async (payment: Payment) => (await server.payments.byNumber(payment.number)) as Payment

async function paid(business: TestBusiness): Promise<{ payment: Payment; url: string }> {
  const { payment } = await ask(server, business, { price: '10000' })
  const account = { kind: 'user', owner: customer.id } as const
  const payer = { account, id: customer.id, shown: `@${customer.handle}` }
  assert.equal(await server.payments.payFromWallet(payment, payer), 'paid')
  return { payment: await now(payment), url: `/api/merchant/payments/${payment.reference}/refund` }
}

const decide = async (path: string) => {
  const operator = await theOperator(server)
  const reply = await operator.call('POST', `/api/operator/${path}`, { reason: 'Checks' })
  assert.equal(reply.status, 200, reply.text)
}

test('nothing goes back from a suspended business, whoever asks; what went back before is told again', async () => {
  const mine = await newBusiness(server)
  const { payment, url } = await paid(mine)
  const key = { 'idempotency-key': 'before' }
  const first = await mine.owner.call('POST', url, { amount: 1_000 }, key)
  assert.equal(first.status, 200, first.text)
  const owned = { id: mine.id, owner: mine.owner.id }
  const overtaken = async () => {
    const leave = await server.merchants.leave(owned)
    if (leave.problem === undefined) await decide(`merchants/${mine.id}/suspend`)
    return leave
  }
  const rest = { amount: undefined, reason: null, key: undefined }
  await assert.rejects(
    server.payments.refund(await now(payment), { ...rest, leave: overtaken }),
    /its money stays until that ends/,
  )
  for (const headers of [{}, { 'idempotency-key': 'after' }]) {
    const refused = await mine.owner.call('POST', url, {}, headers)
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
  }
  const again = await mine.owner.call('POST', url, { amount: 1_000 }, key)
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal((await now(payment)).refunded.minor, 1_000n)
})

test('nor from the business of a frozen owner, by its key', async () => {
  const mine = await newBusiness(server)
  const { url } = await paid(mine)
  const key = { 'idempotency-key': 'before' }
  const first = await mine.callLive('POST', url, { amount: 1_000 }, key)
  await decide(`users/${mine.owner.id}/freeze`)
  const refused = await mine.callLive('POST', url, {})
  assert.deepEqual([refused.status, refused.body.code], [403, 'account_frozen'])
  const again = await mine.callLive('POST', url, { amount: 1_000 }, key)
  assert.deepEqual([again.status, again.text], [200, first.text])
})
