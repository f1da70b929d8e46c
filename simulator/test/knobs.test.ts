// Each knob does what it says, in the share it says; the same seed loses the same callbacks again. However badly the
// networks behave, their own books are right: every paid order is in them once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { KnobChanges } from '../src/knobs.ts'
import {
  airtelCaller,
  type Bench,
  call,
  darajaCaller,
  msisdn,
  mtnCaller,
  openBench,
  plainId,
  quick,
} from './callers.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const payer = msisdn('256771000001')

/** So many collections by MTN, and when the callbacks of each came. */
async function collect(count: number, on: Bench = bench): Promise<string[]> {
  const caller = await mtnCaller(on)
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const id of ids) await caller.order('requesttopay', { id, body: { payer } })
  await on.simulator.settled()
  return ids
}

const heardOf = (id: string) => bench.receiver.heard.filter(({ headers }) => headers['x-reference-id'] === id)

describe('callbacks', () => {
  test('all lost: nothing is told, everything is paid', async () => {
    bench.simulator.knobs({ lost: 1 })
    const ids = await collect(5)
    assert.equal(bench.receiver.heard.length, 0)
    assert.equal(bench.simulator.statements.net({ provider: 'mtn' }), BigInt(ids.length) * 1000n)
    assert.deepEqual(
      bench.simulator.orders().map(({ told }) => told.map(({ fate }) => fate)),
      ids.map(() => ['lost']),
    )
  })

  test('a third lost, a tenth doubled: about that many, and the same ones with the same seed', async () => {
    const counts = async (on: Bench) => {
      on.simulator.knobs({ lost: 1 / 3, doubled: 0.1 })
      await collect(120, on)
      return on.simulator
        .orders()
        .map(({ told }) =>
          told
            .map(({ fate }) => fate)
            // Which of two that leave at about the same time arrives first is up to the machine.
            .sort()
            .join('+'),
        )
        .reverse()
    }
    const fates = await counts(bench)
    const share = (wanted: string) => fates.filter((fate) => fate.includes(wanted)).length / fates.length
    assert.ok(share('lost') > 0.2 && share('lost') < 0.47, `${share('lost')} lost`)
    assert.ok(share('doubled') > 0.01 && share('doubled') < 0.2, `${share('doubled')} doubled`)
    const other = await openBench()
    const again = await counts(other).finally(() => other.close())
    assert.deepEqual(again.sort(), fates.sort())
  })

  test('doubled: the same body twice', async () => {
    bench.simulator.knobs({ doubled: 1 })
    const [id = ''] = await collect(1)
    const bodies = heardOf(id).map(({ body }) => body)
    assert.equal(bodies.length, 2)
    assert.equal(bodies[0], bodies[1])
  })

  test('late: after the delay', async () => {
    bench.simulator.knobs({ late: 1 })
    await collect(1)
    const [order] = bench.simulator.orders()
    const [told] = order?.told ?? []
    assert.equal(told?.fate, 'late')
    assert.ok((told?.at ?? 0) - (order?.endedAt ?? 0) >= 39)
  })

  test('reordered: a later one overtakes it', async () => {
    const patient = await openBench({ delays: { ...quick, reordered: 2_000 } })
    const { simulator, receiver } = patient
    const caller = await mtnCaller(patient)
    const [first, second] = [randomUUID(), randomUUID()]
    simulator.knobs({ reordered: 1 })
    await caller.order('requesttopay', { id: first, body: { payer } })
    await simulator.settled(100)
    assert.equal(receiver.heard.length, 0, 'it is held back')
    simulator.knobs({ reordered: 0 })
    await caller.order('requesttopay', { id: second, body: { payer } })
    await simulator.settled(100)
    await patient.close()
    assert.deepEqual(
      receiver.heard.map(({ headers }) => headers['x-reference-id']),
      [second, first],
    )
  })

  test('forged: first somebody else’s, with another amount', async () => {
    bench.simulator.knobs({ forged: 1 })
    const [id = ''] = await collect(1)
    assert.deepEqual(
      heardOf(id).map(({ body }) => JSON.parse(body).amount),
      ['10000', '1000'],
    )
  })
})

describe('answers', () => {
  const status = (on = bench) => call(`${on.simulator.url}/mtn/collection/token`, { method: 'POST' })

  test('an outage of one provider spares the others', async () => {
    bench.simulator.knobs({ outages: { mtn: 'cut', airtel: 'unavailable' } })
    await assert.rejects(status(), /fetch failed/)
    assert.equal((await call(`${bench.simulator.url}/airtel/auth/oauth2/token`, { body: {} })).status, 503)
    const { base } = await darajaCaller(bench)
    assert.match(base, /daraja$/)
    bench.simulator.knobs({ outages: { mtn: 'none' } })
    assert.equal((await status()).status, 401)
  })

  test('unanswered: what was asked is done, but nobody says so', async () => {
    const caller = await airtelCaller(bench)
    const id = plainId()
    bench.simulator.knobs({ unanswered: 1 })
    await assert.rejects(
      caller.post('/merchant/v1/payments', caller.collectBody(id, '751000001')),
      /fetch failed/,
    )
    bench.simulator.knobs({ unanswered: 0 })
    await bench.simulator.settled()
    assert.equal((await caller.get(`/standard/v1/payments/${id}`)).body.data.transaction.status, 'TS')
  })

  test('slow: every answer takes its time', async () => {
    bench.simulator.knobs({ answer_delay_ms: 60 })
    const start = performance.now()
    await status()
    assert.ok(performance.now() - start >= 59)
  })
})

describe('over HTTP', () => {
  const put = (body: unknown) => call(`${bench.simulator.url}/simulator/knobs`, { method: 'PUT', body })

  test('knobs are turned, and stay as they are when the wish makes no sense', async () => {
    const answer = await put({ lost: 0.25, outages: { mpesa: 'cut' } })
    assert.deepEqual([answer.status, answer.body.lost, answer.body.outages.mpesa], [200, 0.25, 'cut'])
    const rows: unknown[] = [
      { lost: 2 },
      { lost: '0.5' },
      { outages: { mpesa: 'yes' } },
      { speed: 1 },
      { outages: 1 },
    ]
    for (const row of rows) assert.equal((await put(row)).status, 400, JSON.stringify(row))
    const { lost, outages } = bench.simulator.knobs()
    assert.deepEqual([lost, outages.mpesa], [0.25, 'cut'] satisfies [number, string])
    bench.simulator.knobs({ lost: 0, outages: { mpesa: 'none' } } satisfies KnobChanges)
  })

  test('the portal takes several addresses, and the latest ones stay', async () => {
    const add = (callback_url: string, provider = 'airtel') =>
      call(`${bench.simulator.url}/simulator/portal`, { method: 'PUT', body: { provider, callback_url } })
    assert.equal((await add('nowhere')).status, 400)
    assert.equal((await add('http://127.0.0.1:1/', 'bank')).status, 400)
    for (let port = 1; port <= 9; port++) await add(`http://127.0.0.1:${port}/`)
    const { body } = await add('http://127.0.0.1:5/')
    assert.deepEqual(
      body.airtel.map((url: string) => new URL(url).port),
      ['4', '6', '7', '8', '9', '5'],
    )
  })

  test('statements: every movement with its names, by time and currency, and their sum', async () => {
    await collect(3)
    const { base } = await darajaCaller(bench)
    assert.ok(base)
    const path = `${bench.simulator.url}/simulator/statements/mtn`
    const lines = (await call(path)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const orders = bench.simulator.orders().reverse()
    assert.deepEqual(
      lines
        .map(({ id, receipt, amount, reference, phone }) => [id, receipt, amount, reference, phone])
        .sort(),
      orders.map(({ id, receipt }) => [id, receipt, '1000', 'INV7', '256771000001']).sort(),
    )
    const array = await call(`${path}?format=array&from=${encodeURIComponent(lines[1].at)}&currency=UGX`)
    assert.ok(array.body.length >= 1 && array.body.length <= 3)
    assert.deepEqual((await call(`${path}?to=2020-01-01T00:00:00Z&format=array`)).body, [])
    assert.equal((await call(`${path}?from=yesterday`)).status, 400)
    assert.equal((await call(`${bench.simulator.url}/simulator/statements/bank`)).status, 404)
    const { body: balances } = await call(`${bench.simulator.url}/simulator/balances`)
    assert.deepEqual(
      balances.map(({ provider, amount }: { provider: string; amount: string }) => [provider, amount]),
      [['mtn', '3000']],
    )
  })
})

test('a storm: every paid order is in the books once, and every other not at all', async () => {
  const caller = await mtnCaller(bench)
  bench.simulator.knobs({ lost: 0.3, doubled: 0.1, late: 0.1, reordered: 0.1, forged: 0.1, unanswered: 0.1 })
  const digits = ['001', '019', '049', '129', '139', '159', '169', '079']
  await Promise.all(
    Array.from({ length: 160 }, async (_, at) => {
      const number = msisdn(`256771000${digits[at % digits.length]}`)
      const resource = at % 3 === 0 ? 'transfer' : 'requesttopay'
      const body = resource === 'transfer' ? { payee: number } : { payer: number }
      // Cut connections are part of the storm.
      await caller.order(resource, { id: randomUUID(), body }).catch(() => undefined)
    }),
  )
  await bench.simulator.settled()
  const orders = bench.simulator.orders()
  const movements = bench.simulator.statements.movements({ provider: 'mtn' })
  assert.equal(orders.length, 140, 'all but those that were answered 500')
  assert.ok(orders.every(({ state }) => state !== 'waiting'))
  const paid = orders.filter(({ state }) => state === 'paid')
  assert.deepEqual(movements.map(({ id }) => id).sort(), paid.map(({ id }) => id).sort())
  assert.equal(new Set(movements.map(({ receipt }) => receipt)).size, paid.length)
  const sum = paid.reduce((total, { kind, minor }) => total + (kind === 'collect' ? minor : -minor), 0n)
  assert.equal(bench.simulator.statements.net({ provider: 'mtn' }), sum)
})
