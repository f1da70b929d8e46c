// The volume of a merchant: what was accepted, failed and refunded counts on the day it happened, in the right mode,
// currency and time zone, and nobody sees another's.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loggedInAgain, newBusiness } from '../../../test/businesses.ts'
import { reconcile, testApp } from '../../../test/helpers.ts'
import { fund, type Loose, register } from '../../../test/people.ts'
import type { Currency } from '../../base/money.ts'
import { dayOf, mondayOf, openZone, writeDay } from './days.ts'

const server = await testApp()
const shop = await newBusiness(server)
const other = await newBusiness(server)
const customer = await register(server)
for (const currency of ['UGX', 'USD'] as const) await fund(server, customer, { amount: '900000', currency })

let made = 0
const asked = async (minor: bigint, currency: Currency = 'UGX', mode: 'live' | 'test' = 'live') => {
  made += 1
  const { payment } = await server.payments.ask({
    ...{ merchant: shop.id, merchantName: 'Duka', mode, source: 'pay', refTrx: `V-${made}` },
    amount: { minor, currency },
    ...{ description: null, notifyUrl: null, successRedirect: null, failureUrl: null, cancelRedirect: null },
    key: undefined,
  })
  return payment
}
const paid = async (minor: bigint, currency: Currency = 'UGX') => {
  const payment = await asked(minor, currency)
  const { person } = await server.users.checkPin({ user: customer.id, pin: customer.pin, origin: {} })
  const done = await server.payments.payFromWallet(payment, {
    account: { kind: 'user', owner: person.id },
    id: person.id,
    shown: `@${person.handle}`,
    guard: { owner: person.id, version: person.guard },
  })
  assert.equal(done, 'paid')
  return payment.reference
}
const refund = (reference: string, amount: number) =>
  shop.callLive('POST', `/api/merchant/payments/${reference}/refund`, { amount })

const volume = async (query: string, call = owner.call) => {
  const reply = await call('GET', `/api/merchant/volume?${query}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data as Loose
}
/** `accepted/failed/refunded` of each period in which something happened: `2026-03-14 2:30000 1:500 0:0`. */
const told = ({ periods }: Loose): string[] =>
  periods
    .map(({ from, ...rest }: Loose) => `${from} ${figures(rest)}`)
    .filter((line: string) => !line.endsWith(' 0:0 0:0 0:0'))
const figures = ({ accepted, failed, refunded }: Loose): string =>
  [accepted, failed, refunded].map(({ count, amount }) => `${count}:${amount}`).join(' ')

// Saturday: two paid, one of them after midnight in Kampala; one cancelled; one in dollars; one in test mode.
server.clock.set('2026-03-14T09:00:00Z')
const first = await paid(10_000n)
await server.payments.cancel(await asked(500n))
await paid(1_250n, 'USD')
await server.payments.cancel(await asked(700n, 'UGX', 'test'))
server.clock.set('2026-03-14T22:30:00Z')
await paid(20_000n)
// Monday: part of the first goes back, and one expires.
server.clock.set('2026-03-16T08:00:00Z')
assert.equal((await refund(first, 4_000)).status, 200)
await asked(900n)
server.clock.advance(31 * 60)
await server.payments.expireDue()
// Two days have gone by: their logins have ended.
const owner = await loggedInAgain(server, shop.owner)
const stranger = await loggedInAgain(server, other.owner)
const person = await loggedInAgain(server, customer)

describe('GET /api/merchant/volume', () => {
  const range = 'from=2026-03-10&to=2026-03-16'
  const rows: [name: string, query: string, lines: string[]][] = [
    ['by day', `currency=UGX&${range}`, ['2026-03-14 2:30000 1:500 0:0', '2026-03-16 0:0 1:900 1:4000']],
    [
      'the days of Kampala',
      `currency=UGX&${range}&time_zone=Africa/Kampala`,
      ['2026-03-14 1:10000 1:500 0:0', '2026-03-15 1:20000 0:0 0:0', '2026-03-16 0:0 1:900 1:4000'],
    ],
    [
      'by week, whole ones',
      'currency=UGX&from=2026-03-12&to=2026-03-16&by=week',
      ['2026-03-09 2:30000 1:500 0:0', '2026-03-16 0:0 1:900 1:4000'],
    ],
    ['another currency', `currency=USD&${range}`, ['2026-03-14 1:12.5 0:0 0:0']],
    ['the other mode', `currency=UGX&mode=test&${range}`, ['2026-03-14 0:0 1:700 0:0']],
    ['the last day is included, the next is not', 'currency=UGX&from=2026-03-15&to=2026-03-15', []],
    ['without a range', 'currency=UGX', ['2026-03-14 2:30000 1:500 0:0', '2026-03-16 0:0 1:900 1:4000']],
  ]
  for (const [name, query, lines] of rows)
    test(name, async () => assert.deepEqual(told(await volume(query)), lines))

  test('all periods are there, and the totals are their sum', async () => {
    const shown = await volume('currency=UGX')
    assert.equal(shown.periods.length, 30)
    assert.deepEqual([shown.periods[0].from, shown.periods[29].to], ['2026-02-15', '2026-03-16'])
    assert.equal(figures(shown.totals), '2:30000 2:1400 1:4000')
    const weeks = await volume('currency=UGX&from=2026-03-12&to=2026-03-16&by=week')
    assert.deepEqual(
      weeks.periods.map(({ from, to }: Loose) => [from, to]),
      [
        ['2026-03-09', '2026-03-15'],
        ['2026-03-16', '2026-03-22'],
      ],
    )
  })

  test('a key sees its own mode, and nobody another’s', async () => {
    const query = `currency=UGX&${range}&mode=live`
    assert.deepEqual(told(await volume(query, shop.callTest)), ['2026-03-14 0:0 1:700 0:0'])
    assert.equal((await volume(query, shop.callLive)).mode, 'live')
    assert.deepEqual(told(await volume(query, stranger.call)), [])
    assert.equal((await person.call('GET', `/api/merchant/volume?${query}`)).status, 404)
  })

  const refusals: [query: string, ...fields: string[]][] = [
    ['', 'currency'],
    ['currency=XXX', 'currency'],
    ['currency=UGX&from=2026-02-30', 'from'],
    ['currency=UGX&to=2026-13-01', 'to'],
    ['currency=UGX&to=0000-01-01', 'to'],
    ['currency=UGX&from=2026-03-02&to=2026-03-01', 'from'],
    ['currency=UGX&from=2025-01-01&to=2026-03-01', 'from'],
    ['currency=UGX&by=month', 'by'],
    ['currency=UGX&time_zone=Africa/Atlantis', 'time_zone'],
    ['currency=UGX&from=2026-02-30&to=2026-13-01&time_zone=Africa/Atlantis', 'from', 'time_zone', 'to'],
    ['currency=UGX&from=2026-03-02&to=2026-03-01&time_zone=Africa/Atlantis', 'from', 'time_zone'],
    ['currency=XXX&from=2026-02-30&by=month', 'by', 'currency', 'from'],
    ['from=soon&to=2026-02-30', 'currency', 'from', 'to'],
  ]
  for (const [query, ...fields] of refusals)
    test(`refused: ${query}`, async () => {
      const reply = await owner.call('GET', `/api/merchant/volume?${query}`)
      assert.deepEqual([reply.status, Object.keys(reply.body.errors).sort()], [422, fields])
    })

  test('the books are right', async () => {
    await reconcile(server)
  })

  test('it is read from its indexes', async () => {
    const text = await plan(`select count(*), sum(amount) from payments.payments
      where merchant_id = ${shop.id} and mode = 'live' and currency = 'UGX' and completed_at >= '2026-01-01'`)
    assert.match(text, /Index Only Scan using payments_completed_of/)
    const failed = await plan(`select count(*), sum(amount) from payments.payments
      where merchant_id = ${shop.id} and mode = 'live' and currency = 'UGX' and status = 'failed' and failed_at >= '2026-01-01'`)
    assert.match(failed, /Index Only Scan using payments_failed_of/)
    const refunds = await plan(`select count(*), sum(amount) from payments.refunds
      where merchant_id = ${shop.id} and mode = 'live' and currency = 'UGX' and status = 'completed' and ended_at >= '2026-01-01'`)
    assert.match(refunds, /Index Only Scan using refunds_completed_of/)
  })
})

/** As if the table were large: a small one is read whole. */
const plan = (query: string): Promise<string> =>
  server.db.inTransaction(async (tx) => {
    await tx.rows('set local enable_seqscan = off')
    await tx.rows('set local enable_bitmapscan = off')
    const rows = await tx.rows<Record<string, string>>(`explain ${query}`)
    return rows.map((row) => Object.values(row)[0]).join('\n')
  })

describe('days', () => {
  test('a day is read as it is written', () => {
    for (const text of ['2026-03-14', '2024-02-29', '2000-01-01'])
      assert.equal(writeDay(dayOf(text) ?? 0), text)
    for (const text of ['2026-02-29', '2026-00-10', 'soon']) assert.equal(dayOf(text), undefined)
  })

  test('weeks begin on Monday', () => {
    for (const [day, monday] of [
      ['2026-03-16', '2026-03-16'],
      ['2026-03-22', '2026-03-16'],
      ['2026-03-23', '2026-03-23'],
    ] as const)
      assert.equal(writeDay(mondayOf(dayOf(day) ?? 0)), monday)
  })

  const starts: [zone: string, day: string, start: string][] = [
    ['UTC', '2026-03-14', '2026-03-14T00:00:00.000Z'],
    ['Africa/Kampala', '2026-03-14', '2026-03-13T21:00:00.000Z'],
    ['Africa/Lagos', '2026-03-14', '2026-03-13T23:00:00.000Z'],
    // The day on which clocks go forward at midnight has no midnight; the day after has 23 hours before it.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['Africa/Cairo', '2026-04-25', '2026-04-24T21:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  ]
  for (const [zone, day, start] of starts)
    test(`${day} in ${zone}`, () => {
      const place = openZone(zone)
      assert.equal(place?.startOf(dayOf(day) ?? 0).toISOString(), start)
      assert.equal(place?.dayAt(new Date(start)), dayOf(day))
    })
})
