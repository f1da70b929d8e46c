// What Paystack is sent, to the byte, and what each of its answers and webhooks is taken for. A success counts only with
// our reference and an amount; a webhook only with its signature.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type GivenAnswer, play, wireOperation } from '../../../test/exchanges.ts'
import { damaged, garbage, statuses } from '../../../test/wire-garbage.ts'
import { StartError } from '../../base/errors.ts'
import { type Amount, type Currency, isCurrency } from '../../base/money.ts'
import { loadConfig } from '../../config.ts'
import { type Heard, NoAnswer, type OperationKind, type WireOperation } from '../contract.ts'
import { paystack, settingsFrom, simulatorSettings } from './paystack.ts'

const seed = Number(process.env.SEED ?? 1)
const fixtures = join(import.meta.dirname, 'fixtures')
const fixture = (name: string): string => readFileSync(join(fixtures, `${name}.json`), 'utf8')
const settings = simulatorSettings('http://127.0.0.1:1/paystack')
const id = '0190b3c4-7e5a-4c1d-9f2b-8a6d3e1f7c05'
const at = new Date('2024-11-15T10:25:00Z')

const kes = (minor: bigint): Amount => ({ minor, currency: 'KES' })
const collect = wireOperation({ id, at, kind: 'collect', amount: kes(125_050n), email: 'amina@example.com' })
const payout = wireOperation({ id, at, kind: 'payout', amount: kes(125_050n), phone: '+254712345678' })
const original = {
  id: '11111111-2222-4333-8444-555555555555',
  providerReference: '4099260516',
  receipt: '10101',
}
const refund = wireOperation({ id, at, kind: 'refund', amount: kes(50_000n), original })
const known = { ...refund, providerReference: '3018284' }
const orders: Record<OperationKind, WireOperation> = { collect, payout, refund: known }

const recipient: GivenAnswer = [201, fixture('recipient')]

function hear(step: 'start' | 'ask', operation: WireOperation, answer: GivenAnswer): Heard {
  const exchange =
    step === 'start' ? paystack.start(operation, settings) : paystack.ask(operation, settings, '')
  const before = step === 'start' && operation.kind === 'payout' ? [recipient] : []
  return play(exchange, [...before, answer]).result
}

const paid: Heard = {
  state: 'completed',
  providerReference: '4099260516',
  receipt: '10101',
  amount: kes(125_050n),
}
const sent: Heard = {
  state: 'completed',
  providerReference: 'TRF_1ptvuv321ahaa7q',
  receipt: 'TRF_1ptvuv321ahaa7q',
  amount: kes(125_050n),
}
const refunded: Heard = {
  state: 'completed',
  providerReference: '3018284',
  receipt: '3018284',
  amount: kes(50_000n),
}
const page: Heard = {
  state: 'pending',
  redirectUrl: 'https://checkout.paystack.com/3ni8kdavz62431k',
}

// step, kind, HTTP status, fixture → what is heard; a failure by its code, the rest by its state.
const heardRows: ['start' | 'ask', OperationKind, number, string, Heard | string][] = [
  ['start', 'collect', 200, 'initialized', page],
  ['start', 'collect', 400, 'initialize-invalid', 'amount_out_of_bounds'],
  ['start', 'collect', 403, 'initialize-currency', 'provider_config'],
  ['start', 'collect', 400, 'initialize-currency', 'provider_config'],
  ['start', 'collect', 400, 'duplicate-reference', 'pending'],
  ['start', 'collect', 401, 'invalid-key', 'provider_config'],
  ['start', 'collect', 429, 'too-many-requests', 'unknown'],
  ['start', 'collect', 500, 'initialize-invalid', 'unknown'],
  ['ask', 'collect', 200, 'verify-success', paid],
  ['ask', 'collect', 200, 'verify-success-no-receipt', { ...paid, receipt: '4099260516' } as Heard],
  ['ask', 'collect', 200, 'verify-insufficient', 'insufficient_balance'],
  ['ask', 'collect', 200, 'verify-declined', 'provider_error'],
  ['ask', 'collect', 200, 'verify-wrong-pin', 'wrong_pin'],
  ['ask', 'collect', 200, 'verify-abandoned', 'pending'],
  ['ask', 'collect', 200, 'verify-pending', 'pending'],
  ['ask', 'collect', 200, 'verify-ongoing', 'pending'],
  ['ask', 'collect', 200, 'verify-processing', 'pending'],
  ['ask', 'collect', 200, 'verify-queued', 'pending'],
  ['ask', 'collect', 200, 'verify-reversed', 'provider_error'],
  ['ask', 'collect', 200, 'verify-of-another', 'unknown'],
  ['ask', 'collect', 200, 'verify-no-amount', 'unknown'],
  ['ask', 'collect', 400, 'verify-not-found', 'absent'],
  ['ask', 'collect', 404, 'verify-not-found', 'absent'],
  ['ask', 'collect', 500, 'verify-not-found', 'unknown'],
  ['ask', 'collect', 401, 'invalid-key', 'unknown'],
  [
    'start',
    'payout',
    200,
    'transfer-pending',
    { state: 'pending', providerReference: 'TRF_1ptvuv321ahaa7q' },
  ],
  ['start', 'payout', 200, 'transfer-success', sent],
  ['start', 'payout', 200, 'transfer-otp', 'unknown'],
  ['start', 'payout', 400, 'transfer-no-balance', 'insufficient_balance'],
  ['start', 'payout', 400, 'duplicate-reference', 'pending'],
  ['ask', 'payout', 200, 'transfer-success', sent],
  ['ask', 'payout', 200, 'transfer-failed', 'recipient_not_found'],
  ['ask', 'payout', 200, 'transfer-failed-plainly', 'provider_error'],
  ['ask', 'payout', 200, 'transfer-reversed', 'provider_error'],
  ['ask', 'payout', 404, 'transfer-not-found', 'absent'],
  ['start', 'refund', 200, 'refund-pending', { state: 'pending', providerReference: '3018284' }],
  ['start', 'refund', 400, 'refund-refused', 'provider_error'],
  ['ask', 'refund', 200, 'refund-processing', { state: 'pending', providerReference: '3018284' }],
  ['ask', 'refund', 200, 'refund-processed', refunded],
  ['ask', 'refund', 200, 'refund-failed', 'provider_error'],
  ['ask', 'refund', 200, 'refund-needs-attention', 'unknown'],
]

describe('answers', () => {
  for (const [step, kind, status, name, expected] of heardRows) {
    test(`${step} ${kind} ${status} ${name}`, () => {
      const heard = hear(step, orders[kind], [status, fixture(name)])
      if (typeof expected !== 'string') assert.deepEqual(heard, expected)
      else assert.equal(heard.state === 'failed' ? heard.code : heard.state, expected)
    })
  }

  test('a page that nobody has used for half a day is given up', () => {
    const later = { ...collect, at: new Date('2024-11-15T22:20:01Z') }
    const heard = hear('ask', later, [200, fixture('verify-abandoned')])
    assert.deepEqual(heard.state === 'failed' && heard.code, 'expired')
  })

  test('a refund whose answer got lost is found by our note', () => {
    const exchange = () => paystack.ask(refund, settings, '')
    const { requests, result } = play(exchange(), [[200, fixture('refund-list')]])
    assert.equal(requests[0]?.path, '/refund?transaction=4099260516&perPage=100')
    assert.deepEqual(result, refunded)
    assert.equal(play(exchange(), [[200, fixture('refund-list-empty')]]).result.state, 'absent')
    assert.equal(play(exchange(), [[503, '']]).result.state, 'unknown')
  })

  const bodies = [...new Set(heardRows.map((row) => fixture(row[3])))]
  const steps = fc.constantFrom(...(['start', 'ask'] as const))
  const kinds = fc.constantFrom<OperationKind>('collect', 'payout', 'refund')

  test('garbage is never an end', () => {
    fc.assert(
      fc.property(steps, kinds, statuses, garbage, (step, kind, status, body) => {
        assert.equal(hear(step, orders[kind], [status, body]).state, 'unknown')
      }),
      { seed, numRuns: 300 },
    )
  })

  test('a damaged answer breaks nothing, and completes nothing that it does not clearly name', () => {
    fc.assert(
      fc.property(steps, kinds, statuses, damaged(bodies), (step, kind, status, body) => {
        const heard = hear(step, orders[kind], [status, body])
        if (heard.state !== 'completed') return
        const read = JSON.parse(body)
        assert.ok(read.status === true && (status === 200 || status === 201))
        assert.ok(['success', 'processed'].includes(read.data.status))
        assert.ok(isCurrency(read.data.currency) && BigInt(read.data.amount) === heard.amount?.minor)
        if (kind !== 'refund') assert.equal(read.data.reference, id)
      }),
      { seed, numRuns: 2_000 },
    )
  })
})

describe('orders', () => {
  const post = (path: string, body: string) => ({
    method: 'POST',
    path,
    headers: { authorization: 'Bearer sk_test_simulator', 'content-type': 'application/json' },
    body,
  })

  test('a card payment', () => {
    const operation = { ...collect, returnUrl: 'https://pay.example.com/back' }
    const { requests } = play(paystack.start(operation, settings), [[200, fixture('initialized')]])
    const body = `{"email":"amina@example.com","amount":125050,"currency":"KES","reference":"${id}","callback_url":"https://pay.example.com/back","channels":["card"],"metadata":{"reference":"DP-7K3MQ-9WD2X-PB4"}}`
    assert.deepEqual(requests, [post('/transaction/initialize', body)])
  })

  test('who has no e-mail pays under ours; amounts keep all of their digits', () => {
    const operation = { ...collect, email: undefined, amount: kes(9_007_199_254_740_991n) }
    const { requests } = play(paystack.start(operation, settings), [[200, fixture('initialized')]])
    assert.match(requests[0]?.body ?? '', /^\{"email":"nobody@example.com","amount":9007199254740991,/)
  })

  test('a browser is only sent to addresses of the web', () => {
    for (const address of ['javascript:alert(1)', 'data:text/html,x', '//x', '', 'file:///etc/passwd']) {
      const body = JSON.parse(fixture('initialized'))
      body.data.authorization_url = address
      assert.equal(hear('start', collect, [200, JSON.stringify(body)]).state, 'unknown')
    }
  })

  const recipients: [WireOperation, string][] = [
    [
      payout,
      '{"type":"mobile_money","name":"DP-7K3MQ-9WD2X-PB4","currency":"KES","account_number":"0712345678","bank_code":"MPESA"}',
    ],
    [
      {
        ...payout,
        amount: { minor: 125_050n, currency: 'NGN' },
        phone: undefined,
        account: '058-0123456047',
      },
      '{"type":"nuban","name":"DP-7K3MQ-9WD2X-PB4","currency":"NGN","account_number":"0123456047","bank_code":"058"}',
    ],
  ]
  test('a payout makes its recipient first', () => {
    for (const [operation, body] of recipients) {
      const answers: GivenAnswer[] = [recipient, [200, fixture('transfer-pending')]]
      const { requests } = play(paystack.start({ ...operation, about: 'Withdrawal' }, settings), answers)
      const { currency } = operation.amount
      assert.deepEqual(requests, [
        post('/transferrecipient', body),
        post(
          '/transfer',
          `{"source":"balance","amount":125050,"currency":"${currency}","recipient":"RCP_2x5j67tnnw1t98k","reference":"${id}","reason":"Withdrawal"}`,
        ),
      ])
    }
  })

  test('without a recipient nothing is ordered', () => {
    const { result } = play(paystack.start(payout, settings), [[400, fixture('recipient-unresolved')]])
    assert.deepEqual(result.state === 'failed' && result.code, 'recipient_not_found')
    const unclear: GivenAnswer[] = [new NoAnswer('reset', { notSent: false }), [500, ''], [200, '{}']]
    for (const answer of unclear)
      assert.throws(
        () => play(paystack.start(payout, settings), [answer]),
        (error) => error instanceof NoAnswer && error.notSent,
      )
  })

  test('a refund carries our id in its note', () => {
    const { requests } = play(paystack.start({ ...refund, about: 'Refund' }, settings), [
      [200, fixture('refund-pending')],
    ])
    const body = `{"transaction":"${original.id}","amount":50000,"currency":"KES","customer_note":"Refund","merchant_note":"DP-7K3MQ-9WD2X-PB4 ${id}"}`
    assert.deepEqual(requests, [post('/refund', body)])
  })

  test('questions', () => {
    const path = (operation: WireOperation) =>
      play(paystack.ask(operation, settings, ''), [[500, '']]).requests[0]?.path
    assert.equal(path(collect), `/transaction/verify/${id}`)
    assert.equal(path(payout), `/transfer/verify/${id}`)
    assert.equal(path(known), '/refund/3018284')
    assert.equal(path({ ...known, providerReference: '../x?y' }), '/refund/..%2Fx%3Fy')
  })
})

// kind, currency, phone, account → the field that is wrong
const problemRows: [OperationKind, Currency, string | undefined, string | undefined, string[]][] = [
  ['collect', 'NGN', undefined, undefined, []],
  ['collect', 'USD', undefined, undefined, []],
  ['refund', 'ZAR', undefined, undefined, []],
  ['collect', 'UGX', undefined, undefined, ['currency']],
  ['payout', 'ZAR', undefined, undefined, ['currency']],
  ['payout', 'KES', '+254712345678', undefined, []],
  ['payout', 'KES', '+256712345678', undefined, ['phone']],
  ['payout', 'KES', undefined, undefined, ['phone']],
  ['payout', 'NGN', undefined, '058-0123456789', []],
  ['payout', 'NGN', undefined, '50211 0123456789', []],
  ['payout', 'NGN', undefined, '0123456789', ['account']],
  ['payout', 'NGN', undefined, '058-012345678', ['account']],
  ['payout', 'NGN', '+2348012345678', undefined, ['account']],
]
test('what Paystack can not do is said before', () => {
  for (const [kind, currency, phone, account, wrong] of problemRows)
    assert.deepEqual(
      Object.keys(paystack.problems({ kind, amount: { minor: 100n, currency }, phone, account })),
      wrong,
    )
})

describe('webhooks', () => {
  const sign = (body: string, key = 'sk_test_simulator') =>
    createHmac('sha512', key).update(body).digest('hex')
  const hear = (body: string, signature: string | undefined = sign(body)) =>
    paystack.readCallback(
      {
        method: 'POST',
        isAnswer: false,
        headers: signature === '' ? {} : { 'x-paystack-signature': signature },
        body,
      },
      settings,
    )

  const rows: [string, string | undefined, Heard | string][] = [
    ['event-charge-success', id, paid],
    ['event-transfer-success', id, sent],
    ['event-transfer-failed', id, 'provider_error'],
    ['event-transfer-reversed', id, 'provider_error'],
    ['event-refund-processed', id, refunded],
    // Its reference is that of the payment: it must not be taken for one.
    ['event-refund-without-note', undefined, 'completed'],
    ['event-dispute', undefined, 'unknown'],
  ]
  for (const [name, operationId, expected] of rows) {
    test(name, () => {
      const read = hear(fixture(name))
      assert.ok(read.ok && read.signed)
      assert.equal(read.operationId, operationId)
      const { heard } = read
      if (typeof expected !== 'string') assert.deepEqual(heard, expected)
      else assert.equal(heard.state === 'failed' ? heard.code : heard.state, expected)
    })
  }

  test('a missing or wrong signature is refused', () => {
    const body = fixture('event-charge-success')
    const changed = body.replace('125050', '999999')
    for (const signature of [
      '',
      'x',
      sign(body, 'other'),
      sign(changed),
      sign(body).slice(2),
      '00'.repeat(64),
    ])
      assert.equal(hear(body, signature).ok, false)
  })

  test('nothing that is signed breaks the reader', () => {
    const bodies = rows.map(([name]) => fixture(name))
    fc.assert(
      fc.property(fc.oneof(garbage, damaged(bodies)), (body) => {
        const read = hear(body)
        assert.ok(read.ok)
        assert.match(read.operationId ?? id, /^[0-9a-f-]{36}$/)
        if (read.heard.state === 'completed')
          assert.equal(BigInt(JSON.parse(body).data.amount), read.heard.amount?.minor)
      }),
      { seed, numRuns: 1_000 },
    )
  })

  test('each fixture is used', () => {
    const elsewhere = ['recipient', 'recipient-unresolved', 'refund-list', 'refund-list-empty']
    const used = new Set([...heardRows.map((row) => row[3]), ...rows.map((row) => row[0]), ...elsewhere])
    const unused = readdirSync(fixtures).filter((name) => !used.has(name.replace('.json', '')))
    assert.deepEqual(unused, [])
  })
})

describe('settings', () => {
  const read = (environment: Record<string, string>) => settingsFrom(loadConfig(environment))

  test('none, or the key and its currencies', () => {
    assert.equal(read({}), undefined)
    const found = read({
      PAYSTACK_SECRET_KEY: 'sk_live_x',
      PAYSTACK_CURRENCIES: 'USD, KES',
      BASE_URL: 'https://pay.example.com:8443/x',
    })
    assert.deepEqual(found?.currencies, ['KES', 'USD'])
    assert.deepEqual(
      [found.baseUrl, found.emailOfNobody],
      ['https://api.paystack.co', 'no-reply@pay.example.com'],
    )
    assert.doesNotMatch(JSON.stringify(found), /sk_live/)
  })

  test('half of it, or a currency that Paystack does not have, is refused', () => {
    for (const environment of [
      { PAYSTACK_SECRET_KEY: 'sk_live_x' },
      { PAYSTACK_CURRENCIES: 'KES' },
      { PAYSTACK_SECRET_KEY: 'sk_live_x', PAYSTACK_CURRENCIES: 'KES,UGX' },
    ])
      assert.throws(() => read(environment), StartError)
  })
})
