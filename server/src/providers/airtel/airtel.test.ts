// What Airtel is sent, to the byte, and what each of its answers and callbacks is taken for. Only a clear word ends an
// operation, whatever else comes.
import assert from 'node:assert/strict'
import { constants, createDecipheriv, createHmac, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type GivenAnswer, play, wireOperation } from '../../../test/exchanges.ts'
import { damaged, garbage, statuses } from '../../../test/wire-garbage.ts'
import { StartError } from '../../base/errors.ts'
import type { Amount, Currency } from '../../base/money.ts'
import { loadConfig } from '../../config.ts'
import { type Heard, NoAnswer, type OperationKind, type WireOperation } from '../contract.ts'
import { airtel, settingsFrom, simulatorSettings } from './airtel.ts'

const seed = Number(process.env.SEED ?? 1)
const fixtures = join(import.meta.dirname, 'fixtures')
const fixture = (name: string): string => readFileSync(join(fixtures, `${name}.json`), 'utf8')
const settings = simulatorSettings('http://127.0.0.1:1/airtel')
const signing = { ...settings, signing: true }
const operationId = '0190b3c4-7e5a-4c1d-9f2b-8a6d3e1f7c05'
const airtelId = operationId.replaceAll('-', '')

const ugx = (minor: bigint): Amount => ({ minor, currency: 'UGX' })
const collect = wireOperation({
  id: operationId,
  kind: 'collect',
  amount: ugx(5_000n),
  phone: '+256701234567',
})
const payout = wireOperation({ id: operationId, kind: 'payout', amount: ugx(5_000n), phone: '+256701234567' })
const refund = wireOperation({
  kind: 'refund',
  amount: ugx(5_000n),
  original: { id: operationId, providerReference: undefined, receipt: 'MP241115.1042.A01234' },
})
const orders: Record<OperationKind, WireOperation> = { collect, payout, refund }

/** What is heard when this is the answer to the order, or to the enquiry; keys are given before when it wants them. */
function hear(step: 'start' | 'ask', kind: OperationKind, answer: { status: number; body: string }): Heard {
  const exchange =
    step === 'start' ? airtel.start(orders[kind], settings) : airtel.ask(orders[kind], settings, '')
  const before: GivenAnswer[] =
    step === 'start' && kind === 'payout' ? [[200, fixture('encryption-key')]] : []
  return play(exchange, [...before, [answer.status, answer.body]]).result
}

const done = (receipt: string): Heard => ({ state: 'completed', receipt })
const pending: Heard = { state: 'pending' }

// step, kind, HTTP status, fixture → what is heard; a failure by its code, what is unclear by its state.
const heardRows: ['start' | 'ask', OperationKind, number, string, Heard | string][] = [
  ['start', 'collect', 200, 'collect-sent', pending],
  ['start', 'collect', 200, 'collect-duplicate', pending],
  ['start', 'collect', 400, 'collect-duplicate', pending],
  ['start', 'collect', 200, 'collect-refused', 'amount_out_of_bounds'],
  ['start', 'collect', 400, 'collect-invalid', 'provider_error'],
  ['start', 'collect', 400, 'collect-msisdn-length', 'payer_not_found'],
  ['start', 'payout', 400, 'collect-msisdn-length', 'recipient_not_found'],
  ['start', 'collect', 200, 'collect-no-vendor', 'provider_config'],
  ['start', 'collect', 200, 'collect-general-error', 'provider_unavailable'],
  ['start', 'collect', 500, 'collect-general-error', 'unknown'],
  ['start', 'collect', 200, 'collect-unknown-code', 'unknown'],
  ['start', 'collect', 401, 'unauthorised', 'provider_config'],
  ['start', 'collect', 401, 'token-expired', 'provider_config'],
  ['ask', 'collect', 401, 'token-expired', 'unknown'],
  ['start', 'payout', 400, 'payout-our-pin', 'provider_config'],
  ['ask', 'collect', 200, 'enquiry-limit', 'payer_limit_reached'],
  ['start', 'collect', 403, 'forbidden-address', 'provider_config'],
  ['start', 'collect', 429, 'forbidden-address', 'unknown'],
  ['start', 'payout', 200, 'payout-done', done('DI241115.1042.B05678')],
  ['start', 'payout', 200, 'payout-taken', pending],
  ['start', 'payout', 200, 'payout-in-process', pending],
  ['start', 'payout', 200, 'payout-timed-out', 'unknown'],
  ['start', 'payout', 200, 'payout-no-funds', 'insufficient_balance'],
  ['start', 'payout', 200, 'payout-no-such-number', 'recipient_not_found'],
  ['start', 'payout', 200, 'payout-duplicate', pending],
  ['start', 'payout', 503, 'payout-done', 'unknown'],
  ['start', 'refund', 200, 'refund-done', done('CI241115.1050.C09999')],
  ['start', 'refund', 200, 'refund-refused', 'provider_error'],
  ['ask', 'collect', 200, 'enquiry-success', done('MP241115.1042.A01234')],
  ['ask', 'collect', 200, 'enquiry-in-progress', pending],
  ['ask', 'collect', 200, 'enquiry-pending', pending],
  ['ask', 'collect', 200, 'enquiry-ambiguous', 'unknown'],
  ['ask', 'collect', 200, 'enquiry-expired', 'expired'],
  ['ask', 'collect', 200, 'enquiry-failed', 'insufficient_balance'],
  ['ask', 'collect', 200, 'enquiry-failed-plainly', 'provider_error'],
  ['ask', 'collect', 200, 'enquiry-of-another', 'unknown'],
  ['ask', 'collect', 200, 'enquiry-error', 'unknown'],
  ['ask', 'collect', 200, 'enquiry-not-found', 'absent'],
  ['ask', 'collect', 404, 'enquiry-not-found', 'absent'],
  ['ask', 'collect', 200, 'enquiry-not-found-dp', 'absent'],
  ['ask', 'collect', 503, 'enquiry-not-found', 'unknown'],
  ['ask', 'collect', 401, 'unauthorised', 'unknown'],
  ['ask', 'payout', 200, 'payout-done', done('DI241115.1042.B05678')],
  ['ask', 'payout', 200, 'payout-in-process', pending],
  ['ask', 'payout', 200, 'payout-no-funds', 'insufficient_balance'],
]

describe('answers', () => {
  for (const [step, kind, status, name, expected] of heardRows) {
    test(`${step} ${kind} ${status} ${name}`, () => {
      const heard = hear(step, kind, { status, body: fixture(name) })
      if (typeof expected !== 'string') assert.deepEqual(heard, expected)
      else assert.equal(heard.state === 'failed' ? heard.code : heard.state, expected)
    })
  }

  test('each fixture is used', () => {
    const elsewhere = ['token', 'token-refused', 'encryption-key', 'callback-success', 'callback-failed']
    const used = new Set([...heardRows.map((row) => row[3]), ...elsewhere])
    const files = readdirSync(fixtures)
    assert.deepEqual(
      files.filter((name) => !used.has(name.replace('.json', ''))),
      [],
    )
  })

  const bodies = [...new Set(heardRows.map((row) => fixture(row[3])))]
  const steps = fc.constantFrom(...(['start', 'ask'] as const))

  test('garbage is never an end', () => {
    const kinds = fc.constantFrom<OperationKind>('collect', 'payout')
    fc.assert(
      fc.property(steps, kinds, statuses, garbage, (step, kind, status, body) => {
        assert.ok(['unknown', 'pending'].includes(hear(step, kind, { status, body }).state))
      }),
      { seed, numRuns: 300 },
    )
  })

  test('a damaged answer breaks nothing, and completes nothing that it does not clearly name', () => {
    const kinds = fc.constantFrom<OperationKind>('collect', 'payout')
    fc.assert(
      fc.property(steps, kinds, statuses, damaged(bodies), (step, kind, status, body) => {
        if (hear(step, kind, { status, body }).state !== 'completed') return
        const { transaction } = JSON.parse(body).data
        assert.deepEqual([status, transaction.status, transaction.id], [200, 'TS', airtelId])
        assert.notEqual(`${step} ${kind}`, 'start collect')
      }),
      { seed, numRuns: 2_000 },
    )
  })
})

describe('orders', () => {
  const sent = (exchange: ReturnType<typeof airtel.start>, name: string) =>
    play(exchange, [[200, fixture(name)]]).requests

  test('a collection', () => {
    const [request] = sent(airtel.start(collect, settings), 'collect-sent')
    assert.deepEqual(request, {
      method: 'POST',
      path: '/merchant/v1/payments/',
      headers: { 'content-type': 'application/json', accept: '*/*', 'x-country': 'UG', 'x-currency': 'UGX' },
      body: `{"reference":"DP7K3MQ9WD2XPB4","subscriber":{"country":"UG","currency":"UGX","msisdn":"701234567"},"transaction":{"amount":5000,"country":"UG","currency":"UGX","id":"${airtelId}"}}`,
      token: 'UGX',
    })
  })

  test('the largest amount keeps all of its digits', () => {
    const operation = { ...collect, amount: ugx(9_007_199_254_740_991n) }
    const [request] = sent(airtel.start(operation, settings), 'collect-sent')
    assert.match(request?.body ?? '', /"amount":9007199254740991,/)
  })

  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keyText = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const keyAnswer: GivenAnswer = [200, JSON.stringify({ data: { key: keyText } })]
  const open = (text: string): string =>
    privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(text, 'base64'),
    ).toString()

  test('a payout fetches the key and encrypts the PIN with it', () => {
    const { requests } = play(airtel.start(payout, settings), [keyAnswer, [200, fixture('payout-done')]])
    assert.deepEqual(
      requests.map(({ method, path, token }) => [method, path, token]),
      [
        ['GET', '/v1/rsa/encryption-keys', 'UGX'],
        ['POST', '/standard/v1/disbursements/', 'UGX'],
      ],
    )
    const { pin, ...rest } = JSON.parse(requests[1]?.body ?? '')
    assert.equal(open(pin), '1234')
    assert.deepEqual(rest, {
      payee: { msisdn: '701234567' },
      reference: 'DP7K3MQ9WD2XPB4',
      transaction: { amount: 5000, id: airtelId },
    })
  })

  test('a signed message can be opened by Airtel and is the body', () => {
    for (const [operation, path] of [
      [collect, '/merchant/v2/payments/'],
      [payout, '/standard/v2/disbursements/'],
      [refund, '/standard/v2/payments/refund'],
    ] as const) {
      const answers: GivenAnswer[] = [keyAnswer, [200, fixture('collect-sent')]]
      const order = play(airtel.start(operation, signing), answers).requests[1]
      assert.equal(order?.path, path)
      const [key = '', vector = ''] = open(order.headers?.['x-key'] ?? '').split(':')
      const cipher = createDecipheriv(
        'aes-256-cbc',
        Buffer.from(key, 'base64'),
        Buffer.from(vector, 'base64'),
      )
      const text =
        cipher.update(order.headers?.['x-signature'] ?? '', 'base64', 'utf8') + cipher.final('utf8')
      assert.equal(text, order.body)
    }
  })

  test('an order whose key can not be had was not sent', () => {
    const refusals: GivenAnswer[] = [
      new NoAnswer('reset', { notSent: false }),
      [500, ''],
      [200, '{}'],
      [200, '{"data":{"key":"AAAA"}}'],
    ]
    for (const answer of refusals)
      assert.throws(
        () => play(airtel.start(payout, settings), [answer]),
        (error) => error instanceof NoAnswer && error.notSent,
      )
  })

  test('a refund names the receipt; without one nothing is sent', () => {
    const [request] = sent(airtel.start(refund, settings), 'refund-done')
    assert.equal(request?.path, '/standard/v1/payments/refund')
    assert.equal(request.body, '{"transaction":{"airtel_money_id":"MP241115.1042.A01234"}}')
    const { result } = play(airtel.start({ ...refund, original: undefined }, settings), [])
    assert.equal(result.state, 'failed')
  })

  test('enquiries', () => {
    const paths = [
      [collect, settings, `/standard/v1/payments/${airtelId}`],
      [payout, settings, `/standard/v1/disbursements/${airtelId}`],
      [payout, signing, `/standard/v2/disbursements/${airtelId}?transactionType=B2C`],
    ] as const
    for (const [operation, place, path] of paths) {
      const { requests } = play(airtel.ask(operation, place, ''), [[200, fixture('enquiry-success')]])
      assert.deepEqual([requests[0]?.method, requests[0]?.path], ['GET', path])
    }
    assert.equal(play(airtel.ask(refund, settings, ''), []).result.state, 'unknown')
  })

  test('the token is that of the market, and lives as long as Airtel says', () => {
    const { requests, result } = play(airtel.token(settings, 'KES'), [[200, fixture('token')]])
    assert.deepEqual(result, { value: '2YotnFZFEjr1zCsicMWpAA', seconds: 180 })
    assert.equal(
      requests[0]?.body,
      '{"client_id":"simulator","client_secret":"simulator-secret","grant_type":"client_credentials"}',
    )
    for (const [status, body] of [
      [401, fixture('token-refused')],
      [200, '{}'],
      [200, 'x'],
    ] as const)
      assert.throws(() => play(airtel.token(settings, 'KES'), [[status, body]]), NoAnswer)
  })
})

// kind, amount, phone → the fields that are wrong
const problemRows: [OperationKind, bigint, Currency, string | undefined, string[]][] = [
  ['collect', 5_000n, 'UGX', '+256701234567', []],
  ['collect', 10_000n, 'KES', '+254731234567', []],
  ['collect', 10_050n, 'KES', '+254731234567', ['amount']],
  ['payout', 500_000n, 'TZS', '+255681234567', []],
  ['payout', 500n, 'RWF', '+250721234567', []],
  ['collect', 5_000n, 'UGX', '+254731234567', ['phone']],
  ['collect', 5_000n, 'UGX', '+25670123456', ['phone']],
  ['collect', 5_000n, 'UGX', undefined, ['phone']],
  ['refund', 5_000n, 'UGX', undefined, []],
  ['collect', 5_000n, 'NGN', '+2348012345678', ['currency']],
]
test('what Airtel can not do is said before', () => {
  for (const [kind, minor, currency, phone, wrong] of problemRows)
    assert.deepEqual(Object.keys(airtel.problems({ kind, amount: { minor, currency }, phone })), wrong)
})

describe('callbacks', () => {
  const unsigned = {
    ...settings,
    markets: {
      UGX: {
        clientId: 'a',
        clientSecret: settings.markets.UGX?.clientSecret,
        pin: settings.markets.UGX?.pin,
        callbackKey: undefined,
      },
    },
  } as typeof settings
  const hear = (body: string, place = settings) =>
    airtel.readCallback({ method: 'POST', headers: {}, body, isAnswer: false }, place)
  const hashed = (name: string, key = 'simulator-hash-key', { whole = false } = {}) => {
    const { transaction } = JSON.parse(fixture(name))
    const text = JSON.stringify(whole ? { transaction } : transaction)
    const hash = createHmac('sha256', key).update(text).digest('base64')
    return JSON.stringify({ transaction, hash })
  }
  const success = { operationId, heard: done('MP241115.1042.A01234') }

  test('a right hash lets it in, as a hint: the enquiry says what is true', () => {
    const hint = { ok: true, signed: false, ...success }
    assert.deepEqual(hear(hashed('callback-success')), hint)
    assert.deepEqual(hear(hashed('callback-success', undefined, { whole: true })), hint)
  })

  test('so is a failure, which does not even say why', () => {
    const heard: Heard = { state: 'failed', code: 'provider_error', detail: 'Transaction failed' }
    assert.deepEqual(hear(hashed('callback-failed')), { ok: true, signed: false, operationId, heard })
  })

  test('a missing or wrong hash is refused', () => {
    const changed = hashed('callback-failed').replace('"TF"', '"TS"')
    for (const body of [
      fixture('callback-success'),
      hashed('callback-success', 'other'),
      changed,
      '',
      '{"hash":"x"}',
    ])
      assert.equal(hear(body).ok, false)
  })

  test('without a key nothing is signed', () => {
    assert.deepEqual(hear(fixture('callback-success'), unsigned), { ok: true, signed: false, ...success })
  })

  test('nothing that comes breaks the reader or is signed without the key', () => {
    const bodies = [fixture('callback-success'), hashed('callback-failed', 'other')]
    fc.assert(
      fc.property(fc.oneof(garbage, damaged(bodies)), (body) => {
        assert.equal(hear(body).ok, false)
        const read = hear(body, unsigned)
        assert.ok(read.ok && !read.signed)
        if (read.heard.state === 'completed') assert.equal(JSON.parse(body).transaction.status_code, 'TS')
      }),
      { seed, numRuns: 1_000 },
    )
  })
})

describe('settings', () => {
  const read = (environment: Record<string, string>) => settingsFrom(loadConfig(environment))

  test('none, one market, several', () => {
    assert.equal(read({}), undefined)
    const one = read({ AIRTEL_UGANDA: 'id:secret:4821' })
    assert.deepEqual(one?.currencies, ['UGX'])
    assert.equal(one.baseUrl, 'https://openapi.airtel.africa')
    assert.equal(one.markets.UGX?.callbackKey, undefined)
    const two = read({
      AIRTEL_KENYA: 'id:secret:4821:a+b/c:d=fghijklm',
      AIRTEL_RWANDA: 'id:secret:4821',
      AIRTEL_SIGNING: 'on',
    })
    assert.deepEqual([two?.currencies, two?.signing], [['KES', 'RWF'], true])
    assert.equal(two?.markets.KES?.callbackKey?.reveal().toString(), 'a+b/c:d=fghijklm')
    assert.doesNotMatch(JSON.stringify(two), /secret:|4821/)
  })

  test('half of a market is refused', () => {
    for (const AIRTEL_KENYA of ['id', 'id:secret', 'id:secret:', ':secret:1234', 'id:secret:12345'])
      assert.throws(() => read({ AIRTEL_KENYA }), StartError)
  })

  test('a callback key that is empty or can be guessed is refused', () => {
    for (const key of ['', 'k', 'fifteen-letters'])
      assert.throws(
        () => read({ AIRTEL_UGANDA: `id:secret:4821:${key}` }),
        (error) =>
          error instanceof StartError && /end of AIRTEL_UGANDA must have at least 16/.test(error.message),
      )
    assert.ok(read({ AIRTEL_UGANDA: 'id:secret:4821:sixteen-letters-' }))
  })
})
