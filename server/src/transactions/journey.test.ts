// Two real people, from the first wallet to the receipt: what one sends the other sees, and nobody else does.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reconcile, testApp } from '../../test/helpers.ts'
import { call, fund, register } from '../../test/people.ts'

const server = await testApp({ environment: { RATE_LIMITS: 'on' } })
const amina = await register(server, { handle: 'amina', name: 'Amina Nakato', country: 'UG' })
const juma = await register(server, { handle: 'juma', name: 'Juma Okello', country: 'KE' })
await fund(server, amina, { amount: '50000' })

test('from wallet to wallet, and in both histories', async () => {
  const sent = await amina.call('POST', '/api/send', {
    recipient: 'juma',
    amount: 10_000,
    currency: 'UGX',
    note: 'Rent for March',
    pin: amina.pin,
  })
  assert.equal(sent.status, 200, sent.text)
  const { reference } = sent.body.data
  const wallets = async (person: typeof amina) =>
    (await person.call('GET', '/api/wallets')).body.data.map((wallet: Record<string, unknown>) => [
      wallet.currency,
      wallet.balance,
      wallet.is_default,
    ])
  assert.deepEqual(await wallets(amina), [['UGX', 40_000, true]])
  assert.deepEqual(await wallets(juma), [
    ['KES', 0, true],
    ['UGX', 9_900, false],
  ])
  const shared = { reference, type: 'transfer', currency: 'UGX', status: 'completed', note: 'Rent for March' }
  const created_at = server.clock.now().toISOString()
  const mine = {
    ...shared,
    direction: 'out',
    amount: 10_000,
    fee: 100,
    counterparty: { handle: 'juma', name: 'Juma Okello' },
    balance_after: 40_000,
    created_at,
  }
  const theirs = {
    ...shared,
    direction: 'in',
    amount: 9_900,
    fee: 0,
    counterparty: { handle: 'amina', name: 'Amina Nakato' },
    balance_after: 9_900,
    created_at,
  }
  for (const [person, line] of [
    [amina, mine],
    [juma, theirs],
  ] as const) {
    const list = await person.call('GET', '/api/transactions?type=transfer')
    assert.deepEqual(list.body.data, [line])
    const one = await person.call('GET', `/api/transactions/${reference}`)
    assert.deepEqual(one.body.data, { ...line, steps: [{ status: 'completed', at: created_at }] })
    const receipt = await person.call('GET', `/api/transactions/${reference}/receipt`)
    assert.equal(receipt.status, 200)
    assert.ok(receipt.text.includes(reference))
  }
})

describe('nobody else', () => {
  test('a stranger finds nothing, and who shows no credential is asked for one', async () => {
    const { reference } = (await amina.call('GET', '/api/transactions')).body.data[0]
    const stranger = await register(server, {})
    for (const path of [`/${reference}`, `/${reference}/receipt`, '', '.csv']) {
      const url = `/api/transactions${path}`
      assert.equal((await call(server, { method: 'GET', url })).status, 401, url)
      if (path.startsWith('/')) assert.equal((await stranger.call('GET', url)).status, 404, url)
    }
    assert.deepEqual((await stranger.call('GET', '/api/transactions')).body.data, [])
    assert.equal((await stranger.call('GET', `/api/transactions?q=${reference}`)).body.data.length, 0)
  })
})

test('six tables an hour, for each person', async () => {
  const statuses: number[] = []
  for (let turn = 0; turn < 7; turn++) statuses.push((await juma.call('GET', '/api/transactions.csv')).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429])
  assert.equal((await amina.call('GET', '/api/transactions.csv')).status, 200)
})

test('the books are right', async () => {
  await reconcile(server)
})
