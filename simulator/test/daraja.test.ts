// M-Pesa is as strict as the real one: a wrong field is named, a wrong password or token refused with its code. Payouts
// are known by the caller's id, reversals give back at most what was paid, questions are answered by callback.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Bench, call, darajaCaller, decideAt, openBench, quick } from './callers.ts'

let bench: Bench
let caller: Awaited<ReturnType<typeof darajaCaller>>
before(async () => {
  bench = await openBench({ delays: { ...quick, prompt: 10_000 } })
  caller = await darajaCaller(bench)
})
beforeEach(() => bench.receiver.heard.splice(0))
after(() => bench.close())

const good = '254712000001'

/** The one callback that came, or the last one to that path. */
const heardAt = (path: string) => {
  const found = bench.receiver.heard.findLast((heard) => heard.path === path)
  return found === undefined ? undefined : JSON.parse(found.body)
}

interface ResultBody {
  Result: { ResultParameters?: { ResultParameter: { Key: string; Value: unknown }[] } }
}
const parameters = (body: ResultBody) =>
  Object.fromEntries(
    body.Result.ResultParameters?.ResultParameter.map(({ Key, Value }) => [Key, Value]) ?? [],
  )

/** A paid collection, and its receipt. */
async function collected(changes: object = {}) {
  const started = await caller.push(good, changes)
  await bench.simulator.settled(300)
  const { stkCallback } = heardAt('/stk').Body
  const items: { Name: string; Value: string }[] = stkCallback.CallbackMetadata.Item
  const receipt = items.find(({ Name }) => Name === 'MpesaReceiptNumber')?.Value ?? ''
  return { id: String(started.body.CheckoutRequestID), receipt }
}

describe('refusals', () => {
  const long = 'x'.repeat(101)
  const rows: [string, 'push' | 'payOut', object, number, string, string][] = [
    ['a fraction', 'push', { Amount: 1.5 }, 400, '400.002.02', 'Bad Request - Invalid Amount'],
    ['a fraction in text', 'push', { Amount: '100.00' }, 400, '400.002.02', 'Bad Request - Invalid Amount'],
    ['nothing', 'push', { Amount: 0 }, 400, '400.002.02', 'Bad Request - Invalid Amount'],
    ['too much', 'push', { Amount: 250_001 }, 400, '400.002.02', 'Bad Request - Invalid Amount'],
    ['a plus', 'push', { PhoneNumber: `+${good}` }, 400, '400.002.02', 'Bad Request - Invalid PhoneNumber'],
    [
      'another country',
      'push',
      { PartyA: '256712000001' },
      400,
      '400.002.02',
      'Bad Request - Invalid PartyA',
    ],
    [
      'a long name',
      'push',
      { AccountReference: 'thirteen-char' },
      400,
      '400.002.02',
      'Bad Request - Invalid AccountReference',
    ],
    [
      'no address',
      'push',
      { CallBackURL: 'nowhere' },
      400,
      '400.002.02',
      'Bad Request - Invalid CallBackURL',
    ],
    [
      'another type',
      'push',
      { TransactionType: 'Gift' },
      400,
      '400.002.02',
      'Bad Request - Invalid TransactionType',
    ],
    [
      'a month 13',
      'push',
      { Timestamp: '20261331120000' },
      400,
      '400.002.02',
      'Bad Request - Invalid Timestamp',
    ],
    [
      'another time',
      'push',
      { Timestamp: '20260131120001' },
      500,
      '500.001.1001',
      '[MerchantValidate] - Wrong credentials',
    ],
    ['another shop', 'push', { BusinessShortCode: '174380' }, 500, '500.001.1001', 'Merchant does not exist'],
    ['a wrong sender', 'payOut', { PartyA: '174379' }, 400, '400.002.02', 'Bad Request - Invalid PartyA'],
    ['no command', 'payOut', { CommandID: 'Gift' }, 400, '400.002.02', 'Bad Request - Invalid CommandID'],
    ['long remarks', 'payOut', { Remarks: long }, 400, '400.002.02', 'Bad Request - Invalid Remarks'],
    ['no result address', 'payOut', { ResultURL: '' }, 400, '400.002.02', 'Bad Request - Invalid ResultURL'],
  ]
  for (const [name, what, changes, status, errorCode, errorMessage] of rows) {
    test(`${what}: ${name}`, async () => {
      const before = bench.simulator.orders().length
      const answer = await caller[what](good, changes)
      assert.deepEqual(
        [answer.status, answer.body.errorCode, answer.body.errorMessage],
        [status, errorCode, errorMessage],
      )
      assert.match(answer.body.requestId, /^\d+-\d+-1$/)
      assert.equal(bench.simulator.orders().length, before)
    })
  }
})

test('tokens: a wrong secret, none, a made-up one, one whose time is over', async () => {
  const generate = `${caller.base}/oauth/v1/generate?grant_type=client_credentials`
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const wrong = await call(generate, { headers: basic('simulator-key:wrong') })
  assert.deepEqual([wrong.status, wrong.body.errorCode], [400, '400.008.01'])
  const given = await call(generate, { headers: basic('simulator-key:simulator-secret') })
  assert.equal(given.body.expires_in, '3599', 'text, as theirs is')

  const push = (headers: Record<string, string>) =>
    call(`${caller.base}/mpesa/stkpush/v1/processrequest`, { headers, body: {} })
  assert.equal((await push({})).body.errorCode, '404.001.03')
  assert.equal((await push({ authorization: 'Bearer made.up' })).body.errorCode, '404.001.03')
  bench.simulator.knobs({ token_seconds: -1 })
  const old = await call(generate, { headers: basic('simulator-key:simulator-secret') })
  bench.simulator.knobs({ token_seconds: 0 })
  const late = await push({ authorization: `Bearer ${old.body.access_token}` })
  assert.deepEqual([late.status, late.body.errorCode], [401, '401.003.01'])
})

test('a push is being processed until it has ended; another name is unknown', async () => {
  const started = await caller.push('254712000999')
  const open = await caller.query(started.body.CheckoutRequestID)
  assert.deepEqual(
    [open.status, open.body.errorCode, open.body.errorMessage],
    [500, '500.001.1001', 'The transaction is being processed'],
  )
  decideAt(bench, '254712000999', 'refused')
  await bench.simulator.settled(300)
  const ended = await caller.query(started.body.CheckoutRequestID)
  assert.deepEqual([ended.status, ended.body.ResultCode], [200, '1032'], 'codes of the query are text')
  assert.equal(heardAt('/stk').Body.stkCallback.ResultCode, 1032, 'those of the callback are numbers')
  assert.equal((await caller.query('ws_CO_0')).body.errorMessage, 'Bad Request - Invalid CheckoutRequestID')
})

test('a payout with the same id is refused, and a wrong initiator found out later', async () => {
  const OriginatorConversationID = 'the-same-id'
  assert.equal((await caller.payOut(good, { OriginatorConversationID })).status, 200)
  const again = await caller.payOut(good, { OriginatorConversationID })
  assert.deepEqual([again.status, again.body.errorCode], [500, '500.002.1001'])
  await bench.simulator.settled(300)
  const { ReceiverPartyPublicName, TransactionReceipt, TransactionAmount } = parameters(heardAt('/result'))
  assert.match(String(ReceiverPartyPublicName), /^254712000001 - /)
  assert.match(String(TransactionReceipt), /^[A-Z][A-Z0-9]{9}$/)
  assert.equal(TransactionAmount, 100)

  const wrong = await caller.payOut(good, { SecurityCredential: caller.credential('wrong') })
  assert.equal(wrong.body.ResponseCode, '0', 'accepted at first')
  await bench.simulator.settled(300)
  assert.equal(heardAt('/result').Result.ResultCode, 2001)
  assert.equal(bench.simulator.orders()[0]?.state, 'failed')
})

test('a payout that takes too long is told to the other address, and succeeds in the end', async () => {
  const hasty = await openBench()
  await (await darajaCaller(hasty)).payOut('254712000149')
  await hasty.simulator.settled(300)
  await hasty.close()
  assert.deepEqual(
    hasty.receiver.heard.map(({ path }) => path),
    ['/timeout', '/result'],
  )
})

test('the status of a receipt, of an order, and of nothing', async () => {
  const { receipt } = await collected({ Amount: 70 })
  await caller.status({ TransactionID: receipt, PartyA: '174379' })
  await bench.simulator.settled(300)
  const { TransactionStatus, ReceiptNo, Amount } = parameters(heardAt('/status'))
  assert.deepEqual([TransactionStatus, ReceiptNo, Amount], ['Completed', receipt, 70])
  await caller.status({ OriginatorConversationID: 'nobody-knows' })
  await bench.simulator.settled(300)
  assert.notEqual(heardAt('/status').Result.ResultCode, 0)
})

test('a reversal gives back at most what was paid', async () => {
  const { receipt } = await collected({ Amount: 100 })
  const before = bench.simulator.statements.net({ provider: 'mpesa' })
  const reverse = async (Amount: number) => {
    assert.equal((await caller.reverse(receipt, { Amount })).body.ResponseCode, '0')
    await bench.simulator.settled(300)
    return heardAt('/reversal').Result.ResultCode
  }
  assert.equal(await reverse(60), 0)
  assert.equal(parameters(heardAt('/reversal')).OriginalTransactionID, receipt)
  assert.equal(await reverse(41), 'R000001')
  assert.equal(await reverse(40), 0)
  assert.equal(await reverse(1), 'R000001')
  assert.equal(bench.simulator.statements.net({ provider: 'mpesa' }) - before, -10_000n)
  const refunds = bench.simulator.statements
    .movements({ provider: 'mpesa' })
    .filter(({ kind }) => kind === 'refund')
  assert.deepEqual(
    refunds.map(({ original, minor }) => [original, minor]),
    [
      [receipt, -6_000n],
      [receipt, -4_000n],
    ],
  )
})

test('the balance has the accounts in one text', async () => {
  await caller.balance()
  await bench.simulator.settled(300)
  const { AccountBalance } = parameters(heardAt('/balance'))
  assert.match(
    String(AccountBalance),
    /^Working Account\|KES\|\d+\.\d\d\|\d+\.\d\d\|0\.00\|0\.00&Utility Account\|/,
  )
})

test('a shortcode is told of its own orders only', async () => {
  const { receipt } = await collected()
  const paidOut = (await caller.payOut(good)).body.OriginatorConversationID
  const reversed = (await caller.reverse(receipt)).body.OriginatorConversationID
  await bench.simulator.settled(300)
  for (const [asked, PartyA, code] of [
    [{ TransactionID: receipt }, '174379', 0],
    [{ TransactionID: receipt }, '600000', 2032],
    [{ OriginalConversationID: paidOut }, '600000', 0],
    [{ OriginalConversationID: paidOut }, '174379', 2032],
    [{ OriginalConversationID: reversed }, '174379', 0],
    [{ OriginalConversationID: reversed }, '600000', 2032],
  ] as const) {
    await caller.status({ ...asked, PartyA })
    await bench.simulator.settled(300)
    assert.equal(heardAt('/status').Result.ResultCode, code, JSON.stringify([asked, PartyA]))
  }
})
