// M-Pesa: what is sent is what Daraja documents, each answer and callback it is known to send is read as what it means, and
// whatever else comes is unclear: never a success, never a failure. SEED repeats a run.
import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { answer, play, wireOperation, withAt } from '../../../test/exchanges.ts'
import { damaged, garbage } from '../../../test/wire-garbage.ts'
import { failureCodes, type Heard, NoAnswer, type WireOperation } from '../contract.ts'
import { secretOf } from '../settings.ts'
import * as answers from './answers.ts'
import { type MpesaSettings, mpesa } from './mpesa.ts'

const seed = Number(process.env.SEED ?? 1)
const folder = join(import.meta.dirname, 'fixtures')
const fixture = (name: string) => readFileSync(join(folder, `${name}.json`), 'utf8')

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const settings: MpesaSettings = {
  baseUrl: 'https://daraja.example.com',
  consumerKey: 'key',
  consumerSecret: secretOf('secret'),
  shortcode: '174379',
  passkey: secretOf('passkey'),
  payoutShortcode: '600000',
  initiator: 'api',
  initiatorPassword: secretOf('Safaricom999!'),
  certificate: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
}

const kes = (minor: bigint) => ({ minor, currency: 'KES' }) as const
const push = 'ws_CO_191220191020363925'
const receipt = 'LHG31AA5TX'
const id = '0b6f7a52-9c1e-4f0e-8a55-3d1f6c2b7e90'
const phone = '+254712345678'
const collect = wireOperation({ kind: 'collect', amount: kes(100n), phone })
const payout = wireOperation({ kind: 'payout', amount: kes(50_000n), phone })
const refund = wireOperation({
  kind: 'refund',
  amount: kes(10_000n),
  phone,
  original: { id: 'a', providerReference: push, receipt },
})
const answerUrl = 'https://pay.example.com/hooks/p/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'

const started = (operation: WireOperation, [status, name]: [number, string]): Heard =>
  play(mpesa.start(operation, settings), [[status, fixture(name)]]).result
const asked = (operation: WireOperation, [status, name]: [number, string]): Heard =>
  play(mpesa.ask(operation, settings, answerUrl), [[status, fixture(name)]]).result
const failed = (code: string): Partial<Heard> => ({ state: 'failed', code }) as Partial<Heard>

/** All that is expected is there; the detail is a sentence for operators, short and not empty. */
function checkHeard(heard: Heard, expected: Partial<Heard>) {
  if ('detail' in heard) {
    const { detail, ...rest } = heard
    assert.ok(detail.length > 0 && detail.length <= 200, detail)
    return assert.deepEqual(rest, expected)
  }
  assert.deepEqual(heard, expected)
}

const readFixtures = new Set<string>()
const seen = (name: string) => readFixtures.add(`${name}.json`)

describe('answers to an order', () => {
  const accepted: Heard = { state: 'pending', providerReference: push }
  const ordered: Heard = { state: 'pending', providerReference: id }
  const rows: [operation: WireOperation, status: number, name: string, expected: Partial<Heard>][] = [
    [collect, 200, 'push-accepted', accepted],
    [collect, 200, 'push-refused', failed('provider_error')],
    [collect, 400, 'error-amount', failed('amount_out_of_bounds')],
    [collect, 400, 'error-phone', failed('payer_not_found')],
    [payout, 400, 'error-phone', failed('recipient_not_found')],
    [collect, 400, 'error-shortcode', failed('provider_config')],
    [collect, 500, 'error-credentials', failed('provider_config')],
    [collect, 500, 'error-merchant', failed('provider_config')],
    [collect, 500, 'error-locked', failed('payment_in_progress')],
    [collect, 429, 'error-spike', failed('provider_unavailable')],
    [collect, 401, 'error-token-401', failed('provider_config')],
    [collect, 404, 'error-token-404', failed('provider_config')],
    [collect, 500, 'error-busy', { state: 'unknown' }],
    [collect, 500, 'error-internal', { state: 'unknown' }],
    [collect, 500, 'error-duplicate', { state: 'unknown' }],
    [payout, 200, 'order-accepted', ordered],
    [payout, 500, 'error-duplicate', { state: 'pending' }],
    [payout, 500, 'error-internal', { state: 'unknown' }],
    [refund, 200, 'order-accepted', ordered],
    // An answer of another kind of order, or an order's answer with another status, is unclear.
    [collect, 200, 'order-accepted', { state: 'unknown' }],
    [collect, 201, 'push-accepted', { state: 'unknown' }],
    [collect, 200, 'error-amount', { state: 'unknown' }],
    [collect, 302, 'error-amount', { state: 'unknown' }],
  ]
  for (const [operation, status, name, expected] of rows)
    test(`${operation.kind}: ${status} ${name}`, () => {
      checkHeard(started(operation, [status, name]), expected)
      seen(name)
    })
})

describe('answers to a question', () => {
  const named = { ...collect, providerReference: push }
  const rows: [operation: WireOperation, status: number, name: string, expected: Partial<Heard>][] = [
    [named, 200, 'push-paid', { state: 'completed', providerReference: push }],
    [named, 200, 'push-cancelled', failed('cancelled_by_customer')],
    [named, 200, 'push-still-processing', { state: 'pending' }],
    [named, 500, 'push-open', { state: 'pending' }],
    [named, 500, 'error-internal', { state: 'unknown' }],
    [named, 400, 'error-shortcode', { state: 'unknown' }],
    [{ ...named, providerReference: 'ws_CO_of_somebody_else' }, 200, 'push-paid', { state: 'unknown' }],
    [payout, 200, 'order-accepted', { state: 'pending' }],
    [payout, 500, 'error-internal', { state: 'unknown' }],
    [payout, 400, 'error-amount', { state: 'unknown' }],
  ]
  for (const [operation, status, name, expected] of rows)
    test(`${operation.kind}: ${status} ${name}`, () => {
      checkHeard(asked(operation, [status, name]), expected)
      seen(name)
    })

  test('a push that was never named can not be asked for', () => {
    const { requests, result } = play(mpesa.ask(collect, settings, answerUrl), [])
    assert.equal(requests.length, 0)
    assert.equal(result.state, 'unknown')
  })
})

const told = (body: string, isAnswer = false): Heard => {
  const callback = mpesa.readCallback({ method: 'POST', headers: {}, body, isAnswer }, settings)
  assert.ok(callback.ok)
  assert.equal(callback.signed, false)
  return callback.heard
}

describe('callbacks', () => {
  const paid = { state: 'completed', providerReference: id, receipt, amount: kes(50_000n) } as const
  const rows: [name: string, isAnswer: boolean, expected: Partial<Heard>][] = [
    [
      'callback-push-paid',
      false,
      { state: 'completed', providerReference: push, receipt, amount: kes(100n) },
    ],
    ['callback-push-cancelled', false, failed('cancelled_by_customer')],
    ['callback-push-text-code', false, failed('phone_unreachable')],
    ['callback-payout-paid', false, paid],
    ['callback-payout-poor', false, failed('insufficient_balance')],
    ['callback-payout-initiator', false, failed('provider_config')],
    ['callback-payout-operator', false, failed('provider_error')],
    ['callback-queue-timeout', false, { state: 'unknown' }],
    [
      'callback-reversed',
      false,
      { ...paid, providerReference: '10571-7910404-2', receipt: 'LHG41AHJ1G', amount: kes(10_000n) },
    ],
    ['callback-reversed-before', false, failed('duplicate_transaction')],
    ['answer-completed', true, { state: 'completed', receipt, amount: kes(50_000n) }],
    ['answer-pending', true, { state: 'pending' }],
    ['answer-failed', true, failed('insufficient_balance')],
    ['answer-expired', true, failed('expired')],
    ['answer-not-found', true, { state: 'absent' }],
    // That a question went wrong tells nothing of the order.
    ['answer-question-failed', true, { state: 'unknown' }],
    ['callback-queue-timeout', true, { state: 'unknown' }],
    ['callback-payout-poor', true, { state: 'unknown' }],
    ['callback-payout-paid', true, { state: 'unknown' }],
    ['callback-push-paid', true, { state: 'unknown' }],
  ]
  for (const [name, isAnswer, expected] of rows)
    test(`${name}${isAnswer ? ', as an answer' : ''}`, () => {
      checkHeard(told(fixture(name), isAnswer), expected)
      seen(name)
    })
})

test('a queue that has given up is known by its type or by its words', () => {
  const both = fixture('callback-queue-timeout')
  const words = 'The service request timed out in the queue.'
  assert.ok(both.includes('"ResultType": 1') && both.includes(words))
  assert.equal(told(both.replace(words, 'Sorry.')).state, 'unknown')
  assert.equal(told(both.replace('"ResultType": 1', '"ResultType": 0')).state, 'unknown')
  const neither = both.replace(words, 'Sorry.').replace('"ResultType": 1', '"ResultType": 0')
  assert.equal(told(neither).state, 'failed')
})

/** ResultCode → in a push, in a payout. The table of codes, whole. */
const codeRows: [code: number | string, push: string, payout: string][] = [
  [1, 'insufficient_balance', 'insufficient_balance'],
  [3, 'amount_out_of_bounds', 'amount_out_of_bounds'],
  [4, 'amount_out_of_bounds', 'amount_out_of_bounds'],
  [5, 'unknown', 'unknown'],
  [8, 'payer_limit_reached', 'payer_limit_reached'],
  [10, 'payer_not_found', 'payer_not_found'],
  [17, 'provider_unavailable', 'provider_unavailable'],
  [26, 'provider_unavailable', 'provider_unavailable'],
  [29, 'provider_unavailable', 'provider_unavailable'],
  [32, 'provider_config', 'provider_config'],
  [33, 'provider_config', 'provider_config'],
  [34, 'unknown', 'unknown'],
  [35, 'duplicate_transaction', 'duplicate_transaction'],
  [36, 'provider_config', 'provider_config'],
  [42, 'provider_config', 'provider_config'],
  [43, 'duplicate_transaction', 'duplicate_transaction'],
  [1001, 'payment_in_progress', 'payment_in_progress'],
  [1019, 'expired', 'expired'],
  [1025, 'provider_unavailable', 'provider_unavailable'],
  [1032, 'cancelled_by_customer', 'cancelled_by_customer'],
  [1037, 'phone_unreachable', 'phone_unreachable'],
  [2001, 'wrong_pin', 'provider_config'],
  [2040, 'provider_error', 'recipient_not_allowed'],
  [9999, 'provider_unavailable', 'provider_unavailable'],
  [7, 'provider_error', 'recipient_not_found'],
  [77, 'provider_error', 'provider_error'],
  ['toString', 'provider_error', 'provider_error'],
]

test('result codes', () => {
  const codeOf = (heard: Heard) => (heard.state === 'failed' ? heard.code : heard.state)
  for (const [code, inPush, inPayout] of codeRows) {
    const pushBody = withAt(
      JSON.parse(fixture('callback-push-cancelled')),
      ['Body', 'stkCallback', 'ResultCode'],
      code,
    )
    assert.equal(codeOf(told(JSON.stringify(pushBody))), inPush, `push ${code}`)
    const payoutBody = withAt(JSON.parse(fixture('callback-payout-poor')), ['Result', 'ResultCode'], code)
    assert.equal(codeOf(told(JSON.stringify(payoutBody))), inPayout, `payout ${code}`)
  }
})

describe('requests', () => {
  const sent = (operation: WireOperation) => {
    const reply = fixture(operation.kind === 'collect' ? 'push-accepted' : 'order-accepted')
    const [request] = play(mpesa.start(operation, settings), [[200, reply]]).requests
    assert.ok(request)
    assert.equal(request.token, 'api')
    return { path: request.path, body: JSON.parse(request.body ?? ''), text: request.body ?? '' }
  }
  const decrypted = (credential: string) =>
    privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(credential, 'base64'),
    ).toString()

  test('a push', () => {
    const { path, body } = sent(collect)
    assert.equal(path, '/mpesa/stkpush/v1/processrequest')
    assert.deepEqual(body, {
      BusinessShortCode: '174379',
      Password: Buffer.from('174379passkey20191219102036').toString('base64'),
      Timestamp: '20191219102036',
      TransactionType: 'CustomerPayBillOnline',
      Amount: 1,
      PartyA: '254712345678',
      PartyB: '174379',
      PhoneNumber: '254712345678',
      CallBackURL: collect.callbackUrl,
      AccountReference: 'DP7K3MQ9WD2X',
      TransactionDesc: 'De po t Mfuko',
    })
  })

  test('large amounts keep their digits', () => {
    const { text } = sent({ ...payout, amount: kes(900_719_925_474_099_100n) })
    assert.match(text, /"Amount":9007199254740991,/)
  })

  test('a payout', () => {
    const { path, body } = sent(payout)
    const { SecurityCredential, ...rest } = body
    assert.equal(path, '/mpesa/b2c/v3/paymentrequest')
    assert.equal(decrypted(SecurityCredential), 'Safaricom999!')
    assert.deepEqual(rest, {
      OriginatorConversationID: id,
      InitiatorName: 'api',
      CommandID: 'BusinessPayment',
      Amount: 500,
      PartyA: '600000',
      PartyB: '254712345678',
      Remarks: 'De po t Mfuko 1',
      Occasion: 'DP-7K3MQ-9WD2X-PB4',
      QueueTimeOutURL: payout.callbackUrl,
      ResultURL: payout.callbackUrl,
    })
  })

  test('a refund reverses what has a receipt, and pays back what has none', () => {
    const { path, body } = sent(refund)
    assert.equal(path, '/mpesa/reversal/v1/request')
    assert.equal(decrypted(body.SecurityCredential), 'Safaricom999!')
    const { TransactionID, Amount, ReceiverParty, RecieverIdentifierType } = body
    assert.deepEqual(
      { TransactionID, Amount, ReceiverParty, RecieverIdentifierType },
      { TransactionID: receipt, Amount: 100, ReceiverParty: '174379', RecieverIdentifierType: '11' },
    )
    const without = { ...refund, original: { id: 'a', providerReference: push, receipt: undefined } }
    assert.equal(sent(without).path, '/mpesa/b2c/v3/paymentrequest')
    const nowhere = play(mpesa.start({ ...without, phone: undefined }, settings), []).result
    assert.equal(nowhere.state, 'failed')
  })

  test('questions', () => {
    const question = (operation: WireOperation, reply: string) => {
      const [request] = play(mpesa.ask(operation, settings, answerUrl), [[200, reply]]).requests
      return { path: request?.path, body: JSON.parse(request?.body ?? '') }
    }
    const ofPush = question({ ...collect, providerReference: push }, fixture('push-paid'))
    assert.equal(ofPush.path, '/mpesa/stkpushquery/v1/query')
    assert.equal(ofPush.body.CheckoutRequestID, push)
    const ofPayout = question(payout, fixture('order-accepted'))
    assert.equal(ofPayout.path, '/mpesa/transactionstatus/v1/query')
    assert.equal(ofPayout.body.OriginalConversationID, id)
    assert.equal(ofPayout.body.PartyA, '600000')
    assert.equal(ofPayout.body.ResultURL, answerUrl)
    assert.equal(ofPayout.body.QueueTimeOutURL, answerUrl)
    const ofRefund = question({ ...refund, providerReference: '10571-7910404-2' }, fixture('order-accepted'))
    assert.equal(ofRefund.body.OriginalConversationID, '10571-7910404-2')
    assert.equal(ofRefund.body.PartyA, '174379')
    const unpaid = { ...refund, original: { id: 'a', providerReference: push, receipt: undefined } }
    assert.equal(question(unpaid, fixture('order-accepted')).body.OriginalConversationID, refund.id)
  })

  test('what has no name there is not asked for: that M-Pesa does not know ours says nothing', () => {
    for (const nameless of [collect, refund]) {
      const { requests, result } = play(mpesa.ask(nameless, settings, answerUrl), [])
      assert.deepEqual([requests.length, result.state], [0, 'unknown'])
    }
  })
})

test('tokens', () => {
  const { requests, result } = play(mpesa.token(settings, 'api'), [[200, fixture('token')]])
  assert.deepEqual(result, { value: 'c9SQxWWhmdVRlyh0zh8gZDTkubVF', seconds: 3599 })
  assert.equal(requests[0]?.path, '/oauth/v1/generate?grant_type=client_credentials')
  assert.equal(requests[0]?.headers?.Authorization, `Basic ${Buffer.from('key:secret').toString('base64')}`)
  const asNumber = fixture('token').replace('"3599"', '3599')
  assert.equal(play(mpesa.token(settings, 'api'), [[200, asNumber]]).result.seconds, 3599)
  for (const [status, body] of [
    [400, fixture('token-refused')],
    [200, '{}'],
    [200, '<html>'],
    [500, fixture('token')],
  ] as const)
    assert.throws(
      () => play(mpesa.token(settings, 'api'), [[status, body]]),
      (error) => error instanceof NoAnswer && error.notSent,
    )
  assert.equal(mpesa.tokenRefused(answer(404, fixture('error-token-404'))), true)
  assert.equal(mpesa.tokenRefused(answer(401, fixture('error-token-401'))), true)
  assert.equal(mpesa.tokenRefused(answer(404, '{}')), false)
  assert.equal(mpesa.tokenRefused(answer(500, fixture('error-credentials'))), false)
  for (const name of ['token', 'token-refused']) seen(name)
})

test('what it can not do is said before it is asked', () => {
  const rows: [operation: Parameters<typeof mpesa.problems>[0], fields: string[]][] = [
    [{ kind: 'collect', amount: kes(100n), phone }, []],
    [{ kind: 'collect', amount: kes(150n), phone }, ['amount']],
    [{ kind: 'collect', amount: kes(25_000_000n), phone }, []],
    [{ kind: 'collect', amount: kes(25_000_100n), phone }, ['amount']],
    [{ kind: 'payout', amount: kes(900n), phone }, ['amount']],
    [{ kind: 'payout', amount: kes(1_000n), phone }, []],
    [{ kind: 'collect', amount: { minor: 100n, currency: 'UGX' }, phone }, ['currency']],
    [{ kind: 'collect', amount: kes(100n), phone: '+254112345678' }, []],
    [{ kind: 'collect', amount: kes(100n), phone: '+254212345678' }, ['phone']],
    [{ kind: 'collect', amount: kes(100n), phone: '+256771234567' }, ['phone']],
    [{ kind: 'payout', amount: kes(1_010n), phone: undefined }, ['amount', 'phone']],
    [{ kind: 'refund', amount: kes(100n), phone: undefined }, []],
  ]
  for (const [operation, fields] of rows) assert.deepEqual(Object.keys(mpesa.problems(operation)), fields)
})

describe('whatever comes', () => {
  // Straight from the readers: an exchange encrypts, and these are many.
  const readers: ((body: string) => Heard)[] = [
    (body) => told(body),
    (body) => told(body, true),
    ...[200, 400, 500].flatMap((status) => [
      (body: string) =>
        answers.readStarted(answer(status, body), { kind: 'collect', reference: 'CheckoutRequestID' }),
      (body: string) =>
        answers.readStarted(answer(status, body), { kind: 'payout', reference: 'OriginatorConversationID' }),
      (body: string) => answers.readAskedPush(answer(status, body), push),
      (body: string) => answers.readAsked(answer(status, body)),
    ]),
  ]
  test('is unclear', () => {
    const shell = fc.oneof(
      garbage,
      fc.jsonValue().map((inner) => JSON.stringify({ Result: inner })),
      fc.jsonValue().map((inner) => JSON.stringify({ Body: { stkCallback: inner } })),
    )
    fc.assert(
      fc.property(shell, (body) => readers.every((read) => read(body).state === 'unknown')),
      { seed, numRuns: 300 },
    )
  })

  test('a known body with something else in one place says nothing that makes no sense', () => {
    const known = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    fc.assert(
      fc.property(damaged(known), (body) => {
        for (const read of readers) checkSane(read(body))
      }),
      { seed, numRuns: 2_000 },
    )
  })
})

function checkSane(heard: Heard) {
  if (heard.state === 'failed') assert.ok(failureCodes.includes(heard.code))
  if ('detail' in heard) assert.ok(heard.detail.length <= 200)
  if (heard.state !== 'completed') return
  assert.ok(heard.amount === undefined || heard.amount.minor > 0n)
  assert.ok(heard.receipt === undefined || /^[A-Z0-9]{8,20}$/.test(heard.receipt))
}

test('every fixture is read', () => {
  assert.deepEqual(
    readdirSync(folder).filter((name) => !readFixtures.has(name)),
    [],
  )
})
