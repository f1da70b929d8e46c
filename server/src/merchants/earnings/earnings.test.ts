// What a business earned, seen by its owner and its server, and moved to the owner's wallet: never more than there is,
// once a key, and with the PIN only.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { loggedInAgain, newBusiness, type TestBusiness, theOperator } from '../../../test/businesses.ts'
import { reconcile, testApp, testDatabase } from '../../../test/helpers.ts'
import type { TestPerson } from '../../../test/people.ts'
import { payOut } from './earnings.ts'

const database = await testDatabase()
const server = await testApp({ database })
afterEach(() => reconcile(database))

/** As payments would have brought it in. */
async function earn(merchant: number, minor: bigint, mode: 'live' | 'test' = 'live') {
  const done = await server.ledger.submit({
    kind: 'payment',
    mode,
    currency: 'UGX',
    details: {},
    entries: [
      { kind: 'clearing', owner: 'tests', amount: -minor },
      { kind: 'merchant', owner: String(merchant), amount: minor },
    ],
  })
  assert.ok(done.ok)
}

const move = (owner: TestPerson, amount: unknown, more: { pin?: string; key?: string } = {}) =>
  owner.call(
    'POST',
    '/api/merchant/payout',
    { amount, currency: 'UGX', pin: more.pin ?? owner.pin },
    more.key === undefined ? {} : { 'idempotency-key': more.key },
  )

const walletOf = async (owner: TestPerson) => {
  const { body } = await owner.call('GET', '/api/wallets')
  return body.data.find(({ currency }: { currency: string }) => currency === 'UGX')?.balance ?? 0
}

async function suspend(id: TestBusiness['id']) {
  const operator = await theOperator(server)
  const reply = await operator.call('POST', `/api/operator/merchants/${id}/suspend`, { reason: 'Checks' })
  assert.equal(reply.status, 200, reply.text)
}

test('the owner and the server see it, each key its own mode', async () => {
  const { id, owner, callLive, callTest } = await newBusiness(server)
  await earn(id, 9_800n)
  await earn(id, 50n, 'test')
  const balance = async (reply: ReturnType<typeof callLive>) => (await reply).body.data[0]?.balance
  assert.equal(await balance(callLive('GET', '/api/merchant/balances')), 9_800)
  assert.equal(await balance(callTest('GET', '/api/merchant/balances')), 50)
  assert.equal(await balance(callTest('GET', '/api/merchant/balances?mode=live')), 50)
  assert.equal(await balance(owner.call('GET', '/api/merchant/balances')), 9_800)
  assert.equal(await balance(owner.call('GET', '/api/merchant/balances?mode=test')), 50)
})

test('it moves to the wallet, and is in the history', async () => {
  const { id, owner } = await newBusiness(server)
  await earn(id, 9_800n)
  const before = await walletOf(owner)
  const reply = await move(owner, 9_000)
  assert.equal(reply.status, 200, reply.text)
  const { reference, ...rest } = reply.body.data
  assert.deepEqual(rest, { amount: 9_000, currency: 'UGX', balance: 800 })
  assert.equal((await walletOf(owner)) - before, 9_000)
  const { body } = await owner.call('GET', `/api/transactions/${reference}`)
  assert.equal(body.data.direction, 'in')
  assert.equal(body.data.counterparty.name, 'Duka la Amina')
  const noted = await server.db.rows(
    `select actor_id, session is not null as "fromSession" from audit.events where action = 'merchant.payout' and object = $1`,
    [String(id)],
  )
  assert.deepEqual(noted, [{ actor_id: owner.id, fromSession: true }])
})

test('never more than there is, however many ask at once', async () => {
  const { id, owner } = await newBusiness(server)
  await earn(id, 1_000n)
  const replies = await Promise.all(Array.from({ length: 20 }, () => move(owner, 1_000)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(422)])
  const refused = replies.find(({ status }) => status === 422)
  assert.equal(refused?.body.code, 'insufficient_funds')
  assert.match(refused?.body.errors.amount, /that the business has$/)
})

test('the same key moves it once', async () => {
  const { id, owner } = await newBusiness(server)
  await earn(id, 5_000n)
  const replies = await Promise.all(Array.from({ length: 5 }, () => move(owner, 2_000, { key: 'evening' })))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal((await move(owner, 2_001, { key: 'evening' })).body.code, 'idempotency_conflict')
  const { body } = await owner.call('GET', '/api/merchant/balances')
  assert.equal(body.data[0].balance, 3_000)
})

test('a wrong PIN, a wrong amount, a suspended business and a person without one are refused', async () => {
  const { id, owner } = await newBusiness(server)
  await earn(id, 5_000n)
  assert.equal((await move(owner, 100, { pin: '9351' })).body.code, 'pin_incorrect')
  for (const amount of [0, -1, 0.5, 'many', null]) assert.equal((await move(owner, amount)).status, 422)
  const other = await newBusiness(server)
  assert.equal((await move(other.owner, 100)).body.code, 'insufficient_funds')
  await suspend(id)
  const reply = await move(owner, 100)
  assert.equal(reply.status, 403, reply.text)
})

test('what was moved before a suspension is told again to who repeats it with its key', async () => {
  const { id, owner } = await newBusiness(server)
  await earn(id, 5_000n)
  const first = await move(owner, 2_000, { key: 'before' })
  assert.equal(first.status, 200, first.text)
  await suspend(id)
  const again = await move(owner, 2_000, { key: 'before' })
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal((await move(owner, 2_000, { key: 'after' })).status, 403)
  assert.equal((await move(owner, 2_001, { key: 'before' })).body.code, 'idempotency_conflict')
  server.clock.advance(7 * 86_400)
  const later = await loggedInAgain(server, owner)
  assert.equal((await move(later, 2_000, { key: 'before' })).status, 403, 'a key is known for a week')
})

test('a suspension between the look and the posting holds the money', async () => {
  const { id, owner } = await newBusiness(server)
  await earn(id, 5_000n)
  const merchant = await server.merchants.merchant(id)
  assert.ok(merchant)
  const late = {
    ...server.dependencies,
    ledger: {
      ...server.ledger,
      submit: async (...posting: Parameters<typeof server.ledger.submit>) => {
        if ((await server.merchants.merchant(id))?.status === 'approved') await suspend(id)
        return server.ledger.submit(...posting)
      },
    },
  }
  const amount = { minor: 100n, currency: 'UGX' } as const
  const asked = { merchant, pin: owner.pin, origin: {}, amount, key: undefined }
  await assert.rejects(payOut(late, asked), /its money stays/)
})
