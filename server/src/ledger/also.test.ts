// Rows of other rooms that are written with a posting: all of it or nothing, one statement for many postings, and a
// posting whose rows find another state than they expect is refused alone.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { openDb } from '../db/db.ts'
import * as ledgers from './ledger.ts'

const database = await testDatabase()
const db = openDb({ url: database.url, connectionsMax: 2, name: 'mfuko tests' })
const ledger = ledgers.openLedger({ url: database.url, clock: testClock() })
after(async () => {
  await ledger.close()
  await db.close()
})
afterEach(() => reconcile(database))
await db.rows('create schema shop')
await db.rows(
  `create table shop.orders (id int primary key, state text not null default 'open', posting bigint)`,
)
await db.rows('create table shop.news (id int generated always as identity, text text not null)')
await db.rows('insert into shop.orders (id) select generate_series(1, 500)')

const payOrder = {
  text: `update shop.orders o set state = 'paid', posting = n.posting
    from unnest($1::int[], $2::bigint[]) as n (id, posting) where o.id = n.id and o.state = 'open' returning 1`,
}
const tellNews = { text: 'insert into shop.news (text) select unnest($1::text[]) returning 1' }

const pay = (order: number, { news = true, key }: { news?: boolean; key?: string } = {}) =>
  ledger.submit({
    kind: 'payment',
    mode: 'live',
    currency: 'UGX',
    details: {},
    entries: [
      { kind: 'clearing', owner: 'mpesa', amount: -5n },
      { kind: 'merchant', owner: 'shop', amount: 5n },
    ],
    also: ({ id }) => [
      { statement: payOrder, values: [order, id] },
      ...(news ? [{ statement: tellNews, values: [`paid "${order}", {so}`] }] : []),
    ],
    ...(key === undefined
      ? {}
      : { once: { key: { id: key, fingerprint: key }, answer: () => ({ status: 200, body: '{}' }) } }),
  })
const word = (outcome: ledgers.Outcome) =>
  outcome.ok ? (outcome.replayed ? 'again' : 'ok') : outcome.refusal
const paidOrders = async () =>
  Number((await db.row<{ count: bigint }>(`select count(*) from shop.orders where state = 'paid'`))?.count)
const newsTold = async () =>
  Number((await db.row<{ count: bigint }>('select count(*) from shop.news'))?.count)
const balance = async () => {
  const name = { kind: 'merchant', owner: 'shop', currency: 'UGX', mode: 'live' } as const
  return (await ledger.balances(db, [name]))[0]?.balance
}

test('one posting with its rows', async () => {
  assert.equal(word(await pay(1)), 'ok')
  assert.deepEqual([await paidOrders(), await newsTold(), await balance()], [1, 1, 5n])
  const news = await db.row<{ text: string }>('select text from shop.news')
  assert.equal(news?.text, 'paid "1", {so}')
})

test('what was paid is not paid again, and nothing of it stays', async () => {
  assert.equal(word(await pay(1)), 'state_changed')
  assert.deepEqual([await paidOrders(), await newsTold(), await balance()], [1, 1, 5n])
})

test('many at once, each order twice: one of the two wins', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 400 }, (_, n) => pay(2 + (n % 200), { news: n % 3 > 0 })),
  )
  assert.equal(outcomes.filter((outcome) => word(outcome) === 'ok').length, 200)
  assert.equal(outcomes.filter((outcome) => word(outcome) === 'state_changed').length, 200)
  assert.deepEqual([await paidOrders(), await balance()], [201, 1_005n])
})

test('a repeated key finds its answer, not the changed state', async () => {
  const key = '00000000-0000-4000-8000-000000000001'
  assert.equal(word(await pay(300, { key })), 'ok')
  assert.equal(word(await pay(300, { key })), 'again')
  const other = ledgers.openLedger({ url: database.url, clock: testClock() })
  const again = await other.submit({
    kind: 'payment',
    mode: 'live',
    currency: 'UGX',
    details: {},
    entries: [
      { kind: 'clearing', owner: 'mpesa', amount: -5n },
      { kind: 'merchant', owner: 'shop', amount: 5n },
    ],
    also: ({ id }) => [{ statement: payOrder, values: [300, id] }],
    once: { key: { id: key, fingerprint: key }, answer: () => ({ status: 200, body: '{}' }) },
  })
  await other.close()
  assert.equal(word(again), 'again')
})
