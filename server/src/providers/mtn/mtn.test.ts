// MTN MoMo: what is sent is what MTN documents, each answer and callback it is known to send is read as what it means, and
// whatever else comes is unclear: never a success, never a failure. SEED repeats a run.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { answer, play, wireOperation, withAt } from '../../../test/exchanges.ts'
import { damaged, garbage } from '../../../test/wire-garbage.ts'
import { StartError } from '../../base/errors.ts'
import { loadConfig } from '../../config.ts'
import { failureCodes, type Heard, NoAnswer, type WireOperation } from '../contract.ts'
import { mtn, settingsFrom, simulatorSettings } from './mtn.ts'

const seed = Number(process.env.SEED ?? 1)
const folder = join(import.meta.dirname, 'fixtures')
const fixture = (name: string) => readFileSync(join(folder, `${name}.json`), 'utf8')

const settings = simulatorSettings('http://localhost:8082')
const ugx = (minor: bigint) => ({ minor, currency: 'UGX' }) as const
const id = '0b6f7a52-9c1e-4f0e-8a55-3d1f6c2b7e90'
const originalId = '11111111-9c1e-4f0e-8a55-3d1f6c2b7e90'
const phone = '+256771234567'
const collect = wireOperation({ kind: 'collect', amount: ugx(100n), phone })
const payout = wireOperation({ kind: 'payout', amount: ugx(100n), phone })
const refund = wireOperation({
  kind: 'refund',
  amount: ugx(40n),
  original: { id: originalId, providerReference: originalId, receipt: '23503452' },
})

const readFixtures = new Set<string>()
const read = (name: string) => {
  readFixtures.add(`${name}.json`)
  return fixture(name)
}
const failed = (code: string): Partial<Heard> => ({ state: 'failed', code }) as Partial<Heard>
const accepted: Heard = { state: 'pending', providerReference: id }
const paid: Heard = { state: 'completed', receipt: '23503452', amount: ugx(100n) }

function checkHeard(heard: Heard, expected: Partial<Heard>) {
  if ('detail' in heard) {
    const { detail, ...rest } = heard
    assert.ok(detail.length > 0 && detail.length <= 200, detail)
    return assert.deepEqual(rest, expected)
  }
  assert.deepEqual(heard, expected)
}

describe('answers to an order', () => {
  const rows: [status: number, name: string | undefined, expected: Partial<Heard>][] = [
    [202, undefined, accepted],
    [409, 'error-exists', accepted],
    [500, 'error-payer-not-found', failed('payer_not_found')],
    [500, 'error-environment', failed('provider_config')],
    [500, 'error-callback-host', failed('provider_config')],
    [500, 'error-currency', failed('provider_config')],
    [400, 'error-bad-request', failed('provider_config')],
    [401, 'error-subscription', failed('provider_config')],
    // It may have been taken: it is asked for.
    [500, 'error-internal', { state: 'unknown' }],
    [503, 'error-unavailable', { state: 'unknown' }],
    [500, undefined, { state: 'unknown' }],
    [400, undefined, { state: 'unknown' }],
    [200, undefined, { state: 'unknown' }],
    [409, undefined, { state: 'unknown' }],
    [404, 'error-not-found', { state: 'unknown' }],
  ]
  for (const [status, name, expected] of rows)
    test(`${status} ${name ?? 'without a body'}`, () => {
      for (const operation of [collect, payout, refund]) {
        const body = name === undefined ? '' : read(name)
        checkHeard(play(mtn.start(operation, settings), [[status, body]]).result, expected)
      }
    })
})

const statusRows: [name: string, expected: Partial<Heard>][] = [
  ['status-pending', { state: 'pending' }],
  ['status-ongoing', { state: 'pending' }],
  ['status-successful', paid],
  ['transfer-successful', paid],
  ['status-failed-word', failed('insufficient_balance')],
  ['status-failed-object', failed('cancelled_by_customer')],
  ['status-failed-bare', failed('provider_error')],
  ['status-expired', failed('expired')],
  ['status-payee-not-found', failed('recipient_not_found')],
  ['status-other-currency', { state: 'unknown' }],
]

describe('what became of it', () => {
  for (const [name, expected] of statusRows)
    test(`${name}: asked for, and told by either method`, () => {
      checkHeard(play(mtn.ask(collect, settings, ''), [[200, read(name)]]).result, expected)
      for (const method of ['POST', 'PUT']) checkHeard(told(fixture(name), method), expected)
    })

  test('a question that is not answered', () => {
    const rows: [status: number, body: string, state: string][] = [
      [404, read('error-not-found'), 'absent'],
      [404, '', 'unknown'],
      [404, '<html>Not found</html>', 'unknown'],
      [500, read('error-internal'), 'unknown'],
      [401, fixture('error-subscription'), 'unknown'],
      [500, fixture('status-successful'), 'unknown'],
    ]
    for (const [status, body, state] of rows)
      assert.equal(play(mtn.ask(payout, settings, ''), [[status, body]]).result.state, state)
  })

  test('every reason', () => {
    const rows: [reason: string, code: string][] = [
      ['NOT_ENOUGH_FUNDS', 'insufficient_balance'],
      ['APPROVAL_REJECTED', 'cancelled_by_customer'],
      ['REJECTED', 'cancelled_by_customer'],
      ['EXPIRED', 'expired'],
      ['COULD_NOT_PERFORM_TRANSACTION', 'expired'],
      ['PAYER_NOT_FOUND', 'payer_not_found'],
      ['PAYER_LIMIT_REACHED', 'payer_limit_reached'],
      ['PAYEE_NOT_FOUND', 'recipient_not_found'],
      ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'recipient_not_allowed'],
      ['SERVICE_UNAVAILABLE', 'provider_unavailable'],
      ['NOT_ALLOWED', 'provider_config'],
      ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'provider_config'],
      ['INVALID_CALLBACK_URL_HOST', 'provider_config'],
      ['INVALID_CURRENCY', 'provider_config'],
      ['INTERNAL_PROCESSING_ERROR', 'provider_error'],
      ['SOMETHING_NEW', 'provider_error'],
      ['toString', 'provider_error'],
    ]
    for (const [reason, code] of rows)
      for (const form of [reason, { code: reason, message: 'why' }]) {
        const body = withAt(JSON.parse(fixture('status-failed-word')), ['reason'], form)
        checkHeard(told(JSON.stringify(body)), failed(code))
      }
    const goesOn = withAt(JSON.parse(fixture('status-failed-word')), ['reason'], 'ONGOING')
    assert.equal(told(JSON.stringify(goesOn)).state, 'unknown')
  })

  test('another amount is told as it is', () => {
    const rows: [amount: string, minor: bigint | undefined][] = [
      ['"1"', 1n],
      ['"100.0"', 100n],
      ['9007199254740991', 9_007_199_254_740_991n],
      ['"0.5"', undefined],
      ['"-100"', undefined],
      ['null', undefined],
    ]
    for (const [amount, minor] of rows) {
      const heard = told(fixture('status-successful').replace('"100"', amount))
      assert.equal(heard.state === 'completed' ? heard.amount?.minor : undefined, minor, amount)
    }
  })
})

function told(body: string, method = 'PUT'): Heard {
  const callback = mtn.readCallback({ method, headers: {}, body, isAnswer: false }, settings)
  assert.ok(callback.ok)
  assert.equal(callback.signed, false)
  return callback.heard
}

describe('requests', () => {
  const sent = (operation: WireOperation) => {
    const [request] = play(mtn.start(operation, settings), [[202, '']]).requests
    assert.ok(request)
    return { ...request, body: JSON.parse(request.body ?? '') }
  }

  test('a request to pay', () => {
    assert.deepEqual(sent(collect), {
      method: 'POST',
      path: '/collection/v1_0/requesttopay',
      headers: {
        'Ocp-Apim-Subscription-Key': 'simulator-collection',
        'X-Target-Environment': 'mtnuganda',
        'Content-Type': 'application/json',
        'X-Reference-Id': id,
        'X-Callback-Url': collect.callbackUrl,
      },
      token: 'collection/UGX',
      body: {
        payer: { partyIdType: 'MSISDN', partyId: '256771234567' },
        amount: '100',
        currency: 'UGX',
        externalId: id,
        payerMessage: 'De po t Mfuko 1',
        payeeNote: 'DP 7K3MQ 9WD2X PB4',
      },
    })
  })

  test('a transfer, in another market', () => {
    const { path, token, headers, body } = sent({
      ...payout,
      amount: { minor: 5_000n, currency: 'RWF' },
      phone: '+250781234567',
    })
    assert.equal(path, '/disbursement/v1_0/transfer')
    assert.equal(token, 'disbursement/RWF')
    assert.equal(headers?.['X-Target-Environment'], 'mtnrwanda')
    assert.equal(headers?.['Ocp-Apim-Subscription-Key'], 'simulator-disbursement')
    assert.deepEqual(body.payee, { partyIdType: 'MSISDN', partyId: '250781234567' })
    assert.equal(body.amount, '5000')
  })

  test('a refund, by the id of what it gives back', () => {
    const { path, token, body } = sent(refund)
    assert.equal(path, '/disbursement/v1_0/refund')
    assert.equal(token, 'disbursement/UGX')
    assert.equal(body.referenceIdToRefund, originalId)
    assert.equal(body.amount, '40')
    assert.ok(!('payer' in body) && !('payee' in body))
  })

  test('questions', () => {
    const paths = [collect, payout, refund].map((operation) => {
      const [request] = play(mtn.ask(operation, settings, ''), [[200, '{}']]).requests
      return `${request?.method} ${request?.path} ${request?.token}`
    })
    assert.deepEqual(paths, [
      `GET /collection/v1_0/requesttopay/${id} collection/UGX`,
      `GET /disbursement/v1_0/transfer/${id} disbursement/UGX`,
      `GET /disbursement/v1_0/refund/${id} disbursement/UGX`,
    ])
  })
})

test('tokens', () => {
  const { requests, result } = play(mtn.token(settings, 'disbursement/RWF'), [[200, read('token')]])
  assert.equal(result.seconds, 3600)
  const [request] = requests
  assert.equal(request?.path, '/disbursement/token/')
  const basic = Buffer.from('6f1c2a3e-5b7d-4c8e-9f10-112233445566:simulator-api-key-0123456789abcdef')
  assert.equal(request?.headers?.Authorization, `Basic ${basic.toString('base64')}`)
  assert.equal(request?.headers?.['Ocp-Apim-Subscription-Key'], 'simulator-disbursement')
  for (const [status, body] of [
    [401, read('token-refused')],
    [200, '{}'],
    [500, fixture('token')],
  ] as const)
    assert.throws(
      () => play(mtn.token(settings, 'collection/UGX'), [[status, body]]),
      (error) => error instanceof NoAnswer && error.notSent,
    )
  assert.equal(mtn.tokenRefused(answer(401, '')), true)
  assert.equal(mtn.tokenRefused(answer(500, fixture('error-environment'))), false)
})

test('what it can not do is said before it is asked', () => {
  const rwf = { minor: 100n, currency: 'RWF' } as const
  const rows: [operation: Parameters<typeof mtn.problems>[0], fields: string[]][] = [
    [{ kind: 'collect', amount: ugx(1n), phone }, []],
    [{ kind: 'collect', amount: rwf, phone }, ['phone']],
    [{ kind: 'payout', amount: rwf, phone: '+250781234567' }, []],
    [{ kind: 'payout', amount: ugx(1n), phone: undefined }, ['phone']],
    [{ kind: 'collect', amount: { minor: 1n, currency: 'KES' }, phone }, ['currency']],
    [{ kind: 'refund', amount: ugx(1n), phone: undefined }, []],
  ]
  for (const [operation, fields] of rows) assert.deepEqual(Object.keys(mtn.problems(operation)), fields)
})

describe('whatever comes', () => {
  const readers: ((body: string) => Heard)[] = [
    (body) => told(body),
    ...[200, 400, 404, 409, 500].flatMap((status) => [
      (body: string) => play(mtn.start(collect, settings), [[status, body]]).result,
      (body: string) => play(mtn.ask(collect, settings, ''), [[status, body]]).result,
    ]),
  ]

  test('is unclear', () => {
    fc.assert(
      fc.property(garbage, (body) => readers.every((reader) => reader(body).state === 'unknown')),
      { seed, numRuns: 300 },
    )
  })

  test('a known body with something else in one place says nothing that makes no sense', () => {
    const known = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    fc.assert(
      fc.property(damaged(known), (body) => {
        for (const reader of readers) checkSane(reader(body))
      }),
      { seed, numRuns: 2_000 },
    )
  })
})

function checkSane(heard: Heard) {
  if (heard.state === 'failed') assert.ok(failureCodes.includes(heard.code))
  if ('detail' in heard) assert.ok(heard.detail.length <= 200)
  if (heard.state === 'completed') assert.ok(heard.amount !== undefined && heard.amount.minor > 0n)
}

test('settings: a market has both products, or is not there', () => {
  const base = { MTN_BASE_URL: 'https://momo.example.com' }
  const uganda = { MTN_UGANDA_COLLECTION: 'a:b:c', MTN_UGANDA_DISBURSEMENT: 'd:e:f' }
  assert.equal(settingsFrom(loadConfig({})), undefined)
  const read = settingsFrom(loadConfig({ ...base, ...uganda }))
  assert.deepEqual(read?.currencies, ['UGX'])
  assert.equal(read?.markets.UGX?.disbursement.apiUser, 'e')
  assert.equal(
    JSON.stringify(read?.markets.UGX?.collection),
    '{"subscriptionKey":"***","apiUser":"b","apiKey":"***"}',
  )
  const wrong: [environment: Record<string, string>, says: RegExp][] = [
    [base, /no market/],
    [uganda, /set MTN_BASE_URL/],
    [{ ...base, MTN_RWANDA_COLLECTION: 'a:b:c' }, /set MTN_RWANDA_DISBURSEMENT too/],
    [{ ...base, ...uganda, MTN_UGANDA_COLLECTION: 'a:b' }, /^MTN_UGANDA_COLLECTION must be/],
  ]
  for (const [environment, says] of wrong)
    assert.throws(
      () => settingsFrom(loadConfig(environment)),
      (error) => error instanceof StartError && says.test(error.message),
    )
})

test('every fixture is read', () => {
  assert.deepEqual(
    readdirSync(folder).filter((name) => !readFixtures.has(name)),
    [],
  )
})
