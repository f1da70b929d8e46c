// MTN and Airtel are as strict as the real ones, and say the same things in the same words.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  airtelCaller,
  type Bench,
  call,
  decideAt,
  msisdn,
  mtnCaller,
  openBench,
  plainId,
  quick,
  until,
} from './callers.ts'

let bench: Bench
before(async () => {
  bench = await openBench({ delays: { ...quick, prompt: 10_000 } })
})
beforeEach(() => bench.receiver.heard.splice(0))
after(() => bench.close())

describe('MTN', () => {
  let caller: Awaited<ReturnType<typeof mtnCaller>>
  before(async () => {
    caller = await mtnCaller(bench)
  })
  const payer = msisdn('256771000001')
  const rows: [string, { id?: string; headers?: Record<string, string>; body?: object }, number, string][] = [
    ['an amount that is a number', { body: { amount: 1000 } }, 400, 'BAD_REQUEST'],
    ['a fraction of a shilling', { body: { amount: '1000.5' } }, 400, 'BAD_REQUEST'],
    ['nothing', { body: { amount: '0' } }, 400, 'BAD_REQUEST'],
    ['a message with a dash', { body: { payerMessage: 'INV-7' } }, 400, 'BAD_REQUEST'],
    ['a long message', { body: { payeeNote: 'x'.repeat(161) } }, 400, 'BAD_REQUEST'],
    ['a plus', { body: { payer: msisdn('+256771000001') } }, 400, 'BAD_REQUEST'],
    ['no payer', { body: { payer: undefined } }, 400, 'BAD_REQUEST'],
    ['no UUID', { id: '7' }, 400, 'BAD_REQUEST'],
    ['another currency', { body: { currency: 'RWF' } }, 500, 'INVALID_CURRENCY'],
    [
      'another market',
      { headers: { 'x-target-environment': 'mtnmars' } },
      500,
      'NOT_ALLOWED_TARGET_ENVIRONMENT',
    ],
    ['an empty callback', { headers: { 'x-callback-url': '' } }, 500, 'INVALID_CALLBACK_URL_HOST'],
  ]
  for (const [name, { id = randomUUID(), headers = {}, body = {} }, status, code] of rows) {
    test(`refuses ${name}`, async () => {
      const answer = await caller.order('requesttopay', { id, headers, body: { payer, ...body } })
      assert.deepEqual([answer.status, answer.body.code], [status, code])
      assert.equal(bench.simulator.orders().length, 0)
    })
  }

  test('keys and tokens are good for their product only', async () => {
    const { collection, disbursement } = caller.headers
    const ask = (headers: Record<string, string>) =>
      call(`${caller.base}/collection/v1_0/requesttopay/${randomUUID()}`, { headers })
    assert.equal(
      (await ask({ ...collection, 'ocp-apim-subscription-key': 'simulator-disbursement' })).status,
      401,
    )
    assert.equal((await ask({ ...collection, authorization: disbursement.authorization })).status, 401)
    const unknown = await ask(collection)
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'RESOURCE_NOT_FOUND'])
  })

  test('an id is used once, and names the order from then on', async () => {
    const id = randomUUID()
    const payer = msisdn('256771000999')
    const first = await caller.order('requesttopay', { id, body: { payer } })
    assert.deepEqual([first.status, first.text], [202, ''])
    assert.equal((await caller.status('requesttopay', id)).body.status, 'PENDING')
    const again = await caller.order('requesttopay', { id, body: { payer } })
    assert.deepEqual([again.status, again.body.code], [409, 'RESOURCE_ALREADY_EXIST'])
    decideAt(bench, payer.partyId, 'approved')
    const { body } = await caller.status('requesttopay', id)
    assert.deepEqual(
      {
        status: body.status,
        amount: body.amount,
        currency: body.currency,
        externalId: body.externalId,
        payer: body.payer,
      },
      { status: 'SUCCESSFUL', amount: '1000', currency: 'UGX', externalId: 'INV7', payer },
    )
    assert.match(body.financialTransactionId, /^\d{8,11}$/)
    assert.equal((await caller.status('transfer', id)).status, 404, 'not as something else')
  })

  test('callbacks come by POST and by PUT, with the body of the status', async () => {
    const bodies = new Map<string, unknown>()
    for (const end of ['a', 'b']) {
      const id = `${randomUUID().slice(0, -1)}${end}`
      await caller.order('requesttopay', { id, body: { payer } })
      await bench.simulator.settled(300)
      bodies.set(id, (await caller.status('requesttopay', id)).body)
    }
    // That of an earlier order may come late.
    const heard = bench.receiver.heard.filter(({ headers }) => bodies.has(headers['x-reference-id'] ?? ''))
    assert.deepEqual(
      heard.map(({ method }) => method),
      ['POST', 'PUT'],
    )
    for (const { headers, body } of heard)
      assert.deepEqual(JSON.parse(body), bodies.get(headers['x-reference-id'] ?? ''))
  })

  test('refunds give back at most what was paid', async () => {
    const referenceIdToRefund = randomUUID()
    const payer = msisdn('256771000999')
    await caller.order('requesttopay', { id: referenceIdToRefund, body: { payer } })
    const refund = async (amount: string) => {
      const id = randomUUID()
      const { status } = await caller.order('refund', { id, body: { amount, referenceIdToRefund } })
      await bench.simulator.settled(300)
      return status === 202 ? (await caller.status('refund', id)).body.status : status
    }
    assert.equal(await refund('600'), 500, 'it is not paid yet')
    decideAt(bench, payer.partyId, 'approved')
    assert.equal(await refund('600'), 'SUCCESSFUL')
    assert.equal(await refund('401'), 500)
    assert.equal(await refund('400'), 'SUCCESSFUL')
  })

  test('balances and names', async () => {
    const balance = await caller.get('collection', 'account/balance')
    assert.match(balance.body.availableBalance, /^\d+$/)
    assert.equal(balance.body.currency, 'UGX')
    const holder = 'accountholder/msisdn/256771000001'
    assert.deepEqual((await caller.get('disbursement', `${holder}/active`)).body, { result: true })
    assert.equal((await caller.get('disbursement', `${holder}/basicuserinfo`)).body.given_name, 'Simulated')
  })
})

describe('Airtel', () => {
  let caller: Awaited<ReturnType<typeof airtelCaller>>
  before(async () => {
    caller = await airtelCaller(bench)
  })
  const collect = '/merchant/v1/payments/'

  const rows: [string, (body: Collection) => object, Record<string, string>, string][] = [
    ['an amount in text', (body) => withAmount(body, '1000'), {}, 'ESB000008'],
    ['a fraction of a shilling', (body) => withAmount(body, 1000.5), {}, 'ESB000008'],
    [
      'an id with hyphens',
      (body) => ({ ...body, transaction: { ...body.transaction, id: randomUUID() } }),
      {},
      'ESB000008',
    ],
    ['a number with its country', (body) => withNumber(body, '256751000001'), {}, 'ESB000033'],
    ['a number with a zero', (body) => withNumber(body, '0751000001'), {}, 'ESB000033'],
    ['another country', (body) => body, { 'x-country': 'KE' }, 'ESB000035'],
    ['no country', (body) => body, { 'x-country': 'XX' }, 'ESB000034'],
    ['a short reference', (body) => ({ ...body, reference: 'abc' }), {}, 'ESB000008'],
  ]
  for (const [name, change, headers, code] of rows) {
    test(`refuses ${name}`, async () => {
      const before = bench.simulator.orders().length
      const answer = await caller.post(collect, change(caller.collectBody(plainId(), '751000001')), headers)
      assert.deepEqual(
        [answer.status, answer.body.status.result_code, answer.body.status.success],
        [400, code, false],
      )
      assert.equal(bench.simulator.orders().length, before)
    })
  }

  test('a collection: the push was sent, then it is under way, then it is paid; its callback is signed', async () => {
    const id = plainId()
    const started = await caller.post(collect, caller.collectBody(id, '751000999'))
    assert.deepEqual(
      [started.body.data.transaction, started.body.status.response_code],
      [{ id, status: 'SUCCESS' }, 'DP00800001006'],
    )
    assert.equal((await caller.get(`/standard/v1/payments/${id}`)).body.data.transaction.status, 'TIP')
    const again = await caller.post(collect, caller.collectBody(id, '751000999'))
    assert.equal(again.body.status.result_code, 'ESB000041')
    decideAt(bench, '256751000999', 'approved')
    await bench.simulator.settled(300)
    const { transaction, hash } = JSON.parse(bench.receiver.heard[0]?.body ?? '')
    const key = createHmac('sha256', 'simulator-hash-key')
    assert.equal(hash, key.update(JSON.stringify(transaction)).digest('base64'))
    assert.equal(transaction.status_code, 'TS')
  })

  test('what takes too long is ambiguous, not failed', async () => {
    const slow = await openBench({ delays: { ...quick, prompt: 5, late: 60_000 } })
    const other = await airtelCaller(slow)
    const id = plainId()
    await other.post(collect, other.collectBody(id, '751000149'))
    const statusOf = async () => (await other.get(`/standard/v1/payments/${id}`)).body.data.transaction.status
    await until(async () => (await statusOf()) !== 'TIP')
    assert.equal(await statusOf(), 'TA')
    await slow.close()
  })

  test('signed messages: the body that was sealed, and no other', async () => {
    const path = '/merchant/v2/payments/'
    const body = JSON.stringify(caller.collectBody(plainId(), '751000001'))
    assert.equal((await caller.post(path, body)).status, 403, 'unsigned')
    const other = JSON.stringify(caller.collectBody(plainId(), '751000001'))
    const refused = await caller.post(path, other, caller.sign(body))
    assert.deepEqual([refused.status, refused.body.status.response_code], [403, 'DP00800001026'])
    assert.equal((await caller.post(path, body, caller.sign(body))).status, 200)
  })

  test('a payout needs the PIN, encrypted', async () => {
    const path = '/standard/v1/disbursements/'
    const body = caller.payoutBody(plainId(), '751000001')
    for (const pin of ['1234', caller.seal('4321'), caller.seal('')]) {
      const answer = await caller.post(path, { ...body, pin })
      assert.deepEqual([answer.status, answer.body.status_code], [400, 'ROUTER115'])
    }
    assert.equal((await caller.post(path, body)).body.status.response_code, 'DP00900001006')
  })

  test('a refund is whole, at once, and once', async () => {
    const id = plainId()
    await caller.post(collect, caller.collectBody(id, '751000001'))
    await bench.simulator.settled(300)
    const receipt = (await caller.get(`/standard/v1/payments/${id}`)).body.data.transaction.airtel_money_id
    const refund = () =>
      caller.post('/standard/v1/payments/refund', { transaction: { airtel_money_id: receipt } })
    const before = bench.simulator.statements.net({ provider: 'airtel' })
    assert.equal((await refund()).body.data.transaction.status, 'SUCCESS')
    assert.equal((await refund()).body.status.result_code, 'ESB000011')
    assert.equal(bench.simulator.statements.net({ provider: 'airtel' }) - before, -1000n)
    assert.match((await caller.get('/standard/v1/users/balance')).body.data.balance, /^\d{1,3}(,\d{3})+\.00$/)
  })
})

interface Collection {
  reference: string
  subscriber: object
  transaction: object
}
const withAmount = (body: Collection, amount: unknown) => ({
  ...body,
  transaction: { ...body.transaction, amount },
})
const withNumber = (body: Collection, number: string) => ({
  ...body,
  subscriber: { ...body.subscriber, msisdn: number },
})
