// Paystack: the card page decides, events are signed and repeated until they are taken, refunds give back at most what
// was paid.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { CardDecision } from '../src/cards.ts'
import { type Bench, call, openBench, paystackCaller, until } from './callers.ts'

let bench: Bench
let caller: ReturnType<typeof paystackCaller>
before(async () => {
  bench = await openBench()
  caller = paystackCaller(bench)
})
beforeEach(() => bench.receiver.heard.splice(0))
after(() => bench.close())

const wanted = () => ({ email: 'a@example.com', amount: 150_050, currency: 'KES', reference: randomUUID() })

async function opened(changes: object = {}) {
  const { body } = await caller.post('/transaction/initialize', {
    ...wanted(),
    callback_url: 'http://shop.example/done?order=7',
    ...changes,
  })
  return {
    reference: String(body.data.reference),
    page: String(body.data.authorization_url),
    accessCode: String(body.data.access_code),
  }
}
const verified = async (reference: string) => (await caller.get(`/transaction/verify/${reference}`)).body.data
const decide = (accessCode: string, outcome: CardDecision) =>
  call(`${bench.simulator.url}/simulator/cards/${accessCode}`, { body: { outcome } })

/** Events, and whether Paystack's key signed them. */
const events = () =>
  bench.receiver.heard.map(({ body, headers }) => {
    const right = createHmac('sha512', 'sk_test_simulator').update(body).digest('hex')
    const { event, data } = JSON.parse(body)
    return `${event} ${data.amount} ${headers['x-paystack-signature'] === right ? 'signed' : 'forged'}`
  })

describe('refusals', () => {
  const rows: [string, object, number, string][] = [
    ['a fraction of a subunit', { amount: 100.5 }, 400, 'invalid_amount'],
    ['a decimal text', { amount: '100.00' }, 400, 'invalid_amount'],
    ['nothing', { amount: 0 }, 400, 'invalid_amount'],
    ['no e-mail', { email: undefined }, 400, 'invalid_email_address'],
    ['another currency', { currency: 'UGX' }, 403, 'unsupported_currency'],
    ['a strange reference', { reference: 'a b' }, 400, 'invalid_params'],
  ]
  for (const [name, changes, status, code] of rows) {
    test(name, async () => {
      const answer = await caller.post('/transaction/initialize', { ...wanted(), ...changes })
      assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, false, code])
    })
  }

  test('a wrong key, a reference twice, an unknown one', async () => {
    const wrong = await call(`${caller.base}/balance`, { headers: { authorization: 'Bearer sk_live' } })
    assert.deepEqual([wrong.status, wrong.body.message], [401, 'Invalid key'])
    const { reference } = await opened()
    const twice = await caller.post('/transaction/initialize', { ...wanted(), reference })
    assert.deepEqual([twice.status, twice.body.code], [400, 'duplicate_reference'])
    const unknown = await caller.get(`/transaction/verify/${randomUUID()}`)
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'transaction_not_found'])
  })
})

describe('the card page', () => {
  const rows: [CardDecision, string, string, string[]][] = [
    ['paid', 'success', 'Successful', ['charge.success 150050 signed']],
    ['declined', 'failed', 'Declined', []],
    ['insufficient_funds', 'failed', 'Insufficient Funds', []],
    ['wrong_pin', 'failed', 'Incorrect PIN', []],
    ['limit_reached', 'failed', 'Exceeds withdrawal limit', []],
    ['cancelled', 'failed', 'Transaction cancelled by customer', []],
    ['silent', 'success', 'Successful', []],
    ['twice', 'success', 'Successful', ['charge.success 150050 signed', 'charge.success 150050 signed']],
    ['late', 'success', 'Successful', ['charge.success 150050 signed']],
    ['forged', 'success', 'Successful', ['charge.success 1500500 forged', 'charge.success 150050 signed']],
    ['abandoned', 'abandoned', 'The transaction was not completed', []],
  ]
  for (const [decision, status, words, told] of rows) {
    test(decision, async () => {
      const { reference, accessCode } = await opened()
      assert.equal((await verified(reference)).status, 'abandoned', 'until somebody has tried')
      await decide(accessCode, decision)
      await bench.simulator.settled(300)
      const data = await verified(reference)
      assert.deepEqual([data.status, data.gateway_response, data.amount], [status, words, 150_050])
      assert.deepEqual(events(), told)
    })
  }

  test('a payment is decided once, and the browser goes back with the reference', async () => {
    const { reference, accessCode } = await opened()
    const first = await decide(accessCode, 'paid')
    assert.equal(
      first.body.return_url,
      `http://shop.example/done?order=7&trxref=${reference}&reference=${reference}`,
    )
    await decide(accessCode, 'declined')
    assert.equal((await verified(reference)).status, 'success')
    assert.equal(
      (await call(`${bench.simulator.url}/simulator/cards/nobody`, { body: { outcome: 'paid' } })).status,
      404,
    )
  })
})

test('an event that nobody takes comes again', async () => {
  const { accessCode } = await opened()
  bench.receiver.answers(500)
  await decide(accessCode, 'paid')
  await until(() => bench.receiver.heard.length >= 3)
  bench.receiver.answers(200)
  await bench.simulator.settled(100)
  const bodies = new Set(bench.receiver.heard.map(({ body }) => body))
  assert.equal(bodies.size, 1, 'the same each time')
})

test('refunds, in parts, at most what was paid', async () => {
  const { reference, accessCode } = await opened({ amount: 1000 })
  const refund = (amount?: number) =>
    caller.post('/refund', {
      transaction: reference,
      merchant_note: 'our note',
      ...(amount === undefined ? {} : { amount }),
    })
  assert.equal((await refund()).status, 400, 'not paid yet')
  await decide(accessCode, 'paid')
  const first = await refund(600)
  assert.deepEqual([first.status, first.body.data.status, first.body.data.amount], [200, 'pending', 600])
  assert.equal((await refund(401)).status, 400)
  assert.equal((await refund()).body.data.amount, 400, 'the rest')
  assert.match((await refund(1)).body.message, /fully reversed/)
  await bench.simulator.settled(300)
  const list = await caller.get(`/refund?transaction=${reference}`)
  assert.deepEqual(
    list.body.data.map((row: { status: string; merchant_note: string }) => [row.status, row.merchant_note]),
    [
      ['processed', 'our note'],
      ['processed', 'our note'],
    ],
  )
  const one = await caller.get(`/refund/${first.body.data.id}`)
  assert.deepEqual([one.body.data.amount, one.body.data.status], [600, 'processed'])
  assert.ok(events().includes('refund.processed 600 signed'))
  bench.simulator.knobs({ failed_refunds: 1 })
  const other = await opened({ amount: 1000 })
  await decide(other.accessCode, 'paid')
  await caller.post('/refund', { transaction: other.reference })
  await bench.simulator.settled(300)
  bench.simulator.knobs({ failed_refunds: 0 })
  assert.ok(events().includes('refund.failed 1000 signed'))
})

test('a transfer wants a recipient and a reference of its own', async () => {
  const recipient = (changes: object) =>
    caller.post('/transferrecipient', {
      type: 'nuban',
      name: 'A test',
      account_number: '0123456789',
      bank_code: '058',
      ...changes,
    })
  assert.equal((await recipient({ account_number: '123' })).status, 400)
  assert.equal((await recipient({ type: 'cash' })).status, 400)
  const code = (await recipient({})).body.data.recipient_code
  const reference = randomUUID()
  const transfer = (changes: object) =>
    caller.post('/transfer', { source: 'balance', amount: 1000, recipient: code, reference, ...changes })
  assert.equal((await transfer({ recipient: 'RCP_none' })).status, 404)
  assert.equal((await transfer({ reference: 'short' })).status, 400)
  assert.equal((await transfer({})).body.data.status, 'pending')
  assert.equal((await transfer({})).body.code, 'duplicate_transfer_reference')
  assert.equal((await caller.get(`/transfer/verify/${randomUUID()}`)).status, 404)
})

test('mobile money by way of Paystack: the phone decides', async () => {
  const charge = async (phone: string) => {
    const reference = randomUUID()
    const { body } = await caller.post('/charge', {
      ...wanted(),
      reference,
      mobile_money: { phone, provider: 'mpesa' },
    })
    await bench.simulator.settled(300)
    return [body.data.status, (await caller.get(`/charge/${reference}`)).body.data.status]
  }
  assert.deepEqual(await charge('+254712000001'), ['pay_offline', 'success'])
  assert.deepEqual(await charge('0712000049'), ['pay_offline', 'failed'])
})
