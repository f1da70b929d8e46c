// Which ways there are, how healthy each is, and what the worker does by itself.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testClock, testConfig, testDatabase } from '../../test/helpers.ts'
import { does, scriptedAdapter, scriptedProvider } from '../../test/scripted-provider.ts'
import { closeLedgers, openTill, type Till } from '../../test/tills.ts'
import { openDb } from '../db/db.ts'
import * as providers from '../providers/providers.ts'
import { openRegistry } from '../providers/providers.ts'
import { openMethods } from './methods.ts'
import { startOperationsWork } from './operations.ts'

const database = await testDatabase()
const provider = await scriptedProvider()
closeLedgers()
const db = openDb({ url: database.url, connectionsMax: 2, name: 'methods' })
after(() => db.close())

describe('what is offered', () => {
  const registry = openRegistry({ config: testConfig(), simulatorUrl: 'http://127.0.0.1:9' })
  const methods = openMethods({ db, clock: testClock(), registry })
  const table: [currency: string, purpose: 'deposit' | 'withdrawal' | 'payment', offered: string][] = [
    ['KES', 'deposit', 'mpesa phone, airtel phone, paystack'],
    ['KES', 'payment', 'mpesa phone, airtel phone, paystack'],
    ['KES', 'withdrawal', 'mpesa phone, airtel phone, paystack phone'],
    ['UGX', 'deposit', 'mtn phone, airtel phone'],
    ['UGX', 'withdrawal', 'mtn phone, airtel phone'],
    ['RWF', 'payment', 'mtn phone, airtel phone'],
    ['TZS', 'deposit', 'airtel phone'],
    ['NGN', 'deposit', 'paystack'],
    ['NGN', 'withdrawal', 'paystack account'],
    ['ZAR', 'payment', 'paystack'],
    ['ZAR', 'withdrawal', ''],
    ['USD', 'deposit', 'paystack'],
    ['EUR', 'deposit', ''],
    ['', 'deposit', ''],
  ]
  for (const [currency, purpose, expected] of table)
    test(`${currency} ${purpose}: ${expected}`, async () => {
      for (const mode of ['live', 'test'] as const) {
        const found = await methods.methods({ currency, purpose, mode })
        assert.equal(found.map(({ id, fields }) => [id, ...fields].join(' ')).join(', '), expected)
      }
    })

  test('only what is set up for the mode, and what of it is', async () => {
    const config = testConfig({ AIRTEL_UGANDA: 'id:secret:1234' })
    const set = openMethods({
      db,
      clock: testClock(),
      registry: openRegistry({ config, simulatorUrl: 'http://127.0.0.1:9' }),
    })
    const idsOf = async (currency: string, mode: 'live' | 'test') =>
      (await set.methods({ currency, purpose: 'deposit', mode })).map(({ id }) => id)
    assert.deepEqual(await idsOf('UGX', 'live'), ['airtel'])
    assert.deepEqual(await idsOf('KES', 'live'), [])
    assert.deepEqual(await idsOf('KES', 'test'), ['mpesa', 'airtel', 'paystack'])
    const order = { kind: 'collect', amount: { minor: 100_000n, currency: 'KES' }, mode: 'live' } as const
    assert.ok('method' in set.problems({ ...order, provider: 'airtel', phone: '+254733000000' }))
    assert.ok('method' in set.problems({ ...order, provider: 'mpesa', phone: '+254712000000' }))
  })

  test('in production live never is the simulator', () => {
    const secrets = Object.fromEntries(
      ['JWT', 'PIN', 'PASSWORD', 'APIKEY', 'IDEM', 'ENC', 'AUDIT'].map((name) => [`SECRET_${name}`, 'x']),
    )
    const config = testConfig({
      NODE_ENV: 'production',
      BASE_URL: 'https://pay.example',
      DATABASE_URL: 'postgres://x',
      ...secrets,
    })
    const { all } = openRegistry({ config, simulatorUrl: 'http://127.0.0.1:9' })
    assert.deepEqual(all('live'), [])
    assert.equal(all('test').length, 4)
  })

  test('whose number it is', () => {
    for (const [phone, currency, expected] of [
      ['+254712345678', 'KES', 'mpesa'],
      ['+256771234567', 'UGX', 'mtn'],
      ['+256701234567', 'UGX', 'airtel'],
      ['+256771234567', 'KES', undefined],
      ['+4915112345678', 'KES', undefined],
      ['', 'KES', undefined],
    ] as const)
      assert.equal(methods.guess(phone, { currency, mode: 'test' }), expected, phone)
  })
})

test('one that does not work is offered last, and again first when it does', async () => {
  const clock = testClock()
  const till = openTill({ url: database.url, provider, clock })
  const other = { ...scriptedAdapter(), id: 'airtel' as const }
  const provided = [scriptedAdapter(), other].map((adapter) => {
    return { adapter, settings: provider.settings, simulated: true }
  })
  const registry = providers.registryOf({ live: provided, test: provided }, undefined)
  const methods = openMethods({ db, clock, registry })
  const look = async () => {
    const found = await methods.methods({ currency: 'UGX', purpose: 'deposit', mode: 'test' })
    return found.map(({ id, health }) => `${id} ${health}`).join(', ')
  }
  assert.equal(await look(), 'mtn up, airtel up')
  const begin = async (times: number) => {
    for (let index = 0; index < times; index++) await till.operations.start((await till.collect()).id)
  }
  provider.next = Array.from({ length: 8 }, () => does.resets)
  await begin(8)
  // Known for a moment.
  assert.equal(await look(), 'mtn up, airtel up')
  clock.advance(5)
  assert.equal(await look(), 'airtel up, mtn down')
  await begin(6)
  clock.advance(5)
  assert.equal(await look(), 'airtel up, mtn degraded')
  clock.advance(300)
  assert.equal(await look(), 'mtn up, airtel up')
  assert.equal((await methods.health('live')).get('mtn'), 'up')
})

describe('the worker', () => {
  const until = async (what: () => Promise<boolean>) => {
    for (let times = 0; times < 500; times++) {
      if (await what()) return
      await sleep(20)
    }
    assert.fail('it did not happen')
  }
  const stage = async (): Promise<Till> => {
    const till = openTill({ url: database.url, provider, answerMs: 10_000 })
    await till.db.rows('update operations.operations set due_at = null')
    provider.next = []
    provider.nextAsk = []
    return till
  }

  test('asks, ends and works on what was left, by itself; and stops', async () => {
    const till = await stage()
    const { log } = quiet
    const [left, asked] = [await till.collect(), await till.operations.start((await till.collect()).id)]
    provider.book.set(asked.id, { state: 'completed' })
    till.clock.advance(16)
    const work = startOperationsWork({ operations: till.operations, log })
    await until(async () => (await till.operations.find(asked.id))?.state === 'completed')
    await until(async () => (await till.operations.find(left.id))?.state === 'pending')
    await work.stop()
  })

  test('a provider that hangs does not keep it from others, nor from stopping', async () => {
    const till = await stage()
    const slow = await till.operations.start((await till.collect()).id)
    const open: (() => unknown)[] = []
    provider.nextAsk = [(given) => void open.push(() => does.says({ state: 'completed' })(given))]
    till.clock.advance(6)
    const work = startOperationsWork({ operations: till.operations, log: quiet.log })
    await until(async () => open.length === 1)
    const quick = await till.operations.start((await till.collect()).id)
    provider.book.set(quick.id, { state: 'completed' })
    till.clock.advance(6)
    await until(async () => (await till.operations.find(quick.id))?.state === 'completed')
    const stopping = work.stop()
    for (const answer of open) answer()
    await stopping
    assert.equal((await till.operations.find(slow.id))?.state, 'completed')
  })
})

const nothing = () => undefined
const quiet = { log: { debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing } }

test('what is old is forgotten: exchanges and deliveries, and nothing else', async () => {
  const till = openTill({ url: database.url, provider, answerMs: 10_000 })
  const operation = await till.operations.start((await till.collect()).id)
  const token = provider.orders.at(-1)?.callback.slice(-43) ?? ''
  await till.operations.deliveries.toOperation(token, {
    method: 'POST',
    headers: { 'x-signed': 'yes' },
    body: Buffer.from('{"state":"completed"}'),
  })
  await till.operations.deliveries.idle()
  assert.equal((await till.operations.deliveriesOf(operation.id))[0]?.result, 'signed: completed')
  till.clock.advance(89 * 86_400)
  await till.operations.sweep()
  assert.notDeepEqual(await till.operations.exchangesOf(operation.id), [])
  till.clock.advance(2 * 86_400)
  assert.ok((await till.operations.sweep()) > 0)
  assert.deepEqual(await till.operations.exchangesOf(operation.id), [])
  assert.deepEqual(await till.operations.deliveriesOf(operation.id), [])
  assert.equal((await till.operations.find(operation.id))?.state, 'completed')
})

test('operators find an operation by whatever is known of it', async () => {
  const till = openTill({ url: database.url, provider, answerMs: 10_000 })
  const made = await till.collect({ reference: 'DP-FIND-ME', phone: '+256779999999' })
  const { id } = await till.operations.start(made.id)
  for (const q of [id, 'DP-FIND-ME', '+256779999999', `ref-${id}`])
    assert.deepEqual(
      (await till.operations.list({ q, limit: 5 })).map((one) => one.id),
      [id],
      q,
    )
  assert.deepEqual(await till.operations.list({ q: "x' or 1=1", limit: 5 }), [])
  const all = await till.operations.list({ limit: 1_000 })
  const [first, second] = [all[0], all[1]]
  assert.ok(first && second)
  const page = await till.operations.list({ limit: 1, before: first })
  assert.deepEqual(
    page.map((one) => one.id),
    [second.id],
  )
  assert.ok(
    (await till.operations.list({ state: 'pending', provider: 'mtn', mode: 'test', limit: 9 })).length,
  )
  assert.deepEqual(await till.operations.list({ mode: 'live', limit: 9 }), [])
})
