// The HTTP base as a client meets it: every way to be refused has the contract's shape, fields are judged all at
// once in plain words, money keeps its text, scopes decide who calls, and the log tells no secrets.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { testApp } from '../../test/helpers.ts'
import { checkError, probes } from '../../test/http-probes.ts'
import type { Loose } from '../../test/people.ts'
import type { ErrorCode } from '../base/errors.ts'
import { encodeCursor } from './cursor.ts'
import { catalogue } from './error-reply.ts'
import type { Http } from './http.ts'
import { ok } from './schema.ts'
import { openScope } from './scope.ts'

const { app, log } = await testApp({ more: probes })

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/probe/orders',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

test('what can be sent wrongly before a field is looked at', async () => {
  checkError(await app.inject('/nothing/here'), 404, 'not_found')
  checkError(await app.inject({ method: 'DELETE', url: '/api/health' }), 404, 'not_found')
  for (const url of ['/nothing', '/api/nothing']) {
    const headers = { 'content-type': 'application/json' }
    checkError(await app.inject({ method: 'POST', url, headers, payload: '{"a":' }), 404, 'not_found')
    checkError(await app.inject({ method: 'POST', url, payload: 'x'.repeat(70_000) }), 404, 'not_found')
  }
  checkError(await app.inject('/probe/numbers?cursor=%00'), 400, 'bad_request')
  checkError(await app.inject('/%E0%A4%A'), 400, 'bad_request')
  checkError(await post('{"amount":'), 400, 'bad_request')
  checkError(await post(''), 400, 'bad_request')
  checkError(await post('[1]'), 400, 'bad_request')
  checkError(await post('"text"'), 400, 'bad_request')
  checkError(await post('null'), 400, 'bad_request')
  checkError(await post('{"amount":1,"amount":2}'), 400, 'bad_request')
  checkError(await app.inject({ method: 'POST', url: '/probe/orders' }), 400, 'bad_request')
  checkError(await post({}, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type')
  checkError(
    await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'unsupported_media_type',
  )
  checkError(await post({ note: 'x'.repeat(65 * 1024) }), 413, 'payload_too_large')
  const { message } = checkError(await post({ items: Array(2_000).fill(1) }), 400, 'bad_request')
  assert.match(message, /more than 1000 values/)
})

test('of very many wrong fields fifty are named', async () => {
  const answer = await post({ amount: 1, currency: 'UGX', items: Array(900).fill(1) })
  const { errors } = checkError(answer, 422, 'validation_failed')
  assert.equal(Object.keys(errors).length, 50)
  assert.equal(errors.items, 'Items must have at most 2 entries')
})

test('every code of the catalogue has its status and its sentence', async () => {
  for (const [code, { status, message }] of Object.entries(catalogue)) {
    const answer = await app.inject(`/probe/errors/${code}`)
    const body = checkError(answer, status, code as ErrorCode)
    assert.equal(body.message, message)
    assert.equal(answer.headers['retry-after'], '7')
  }
})

test('a bug is answered without internals and logged whole', async () => {
  const answer = await app.inject('/probe/bug')
  const body = checkError(answer, 500, 'internal_error')
  assert.doesNotMatch(answer.body, /hunter2|deeper|stack|at /)
  const line = log.lines.find(
    (entry) => entry.msg === 'a request failed' && entry.request_id === body.request_id,
  )
  assert.match(JSON.stringify(line), /hunter2.*http-probes\.ts.*a deeper reason/)
  checkError(await app.inject('/probe/nothing/null'), 500, 'internal_error')
  checkError(await app.inject('/probe/nothing/undefined'), 500, 'internal_error')
})

// What is sent → the fields that are refused, each with its sentence.
const refused: [body: object | string, errors: Record<string, string>][] = [
  [{}, { amount: 'Amount is required', currency: 'Currency is required' }],
  [{ amount: 0, currency: 'UGX' }, { amount: 'Amount must be greater than 0' }],
  [{ amount: -5, currency: 'UGX' }, { amount: 'Amount must be greater than 0' }],
  ['{"amount":0.000,"currency":"UGX"}', { amount: 'Amount must be greater than 0' }],
  [{ amount: '1,000', currency: 'UGX' }, { amount: 'Amount must be a number, like 1250.50' }],
  [{ amount: ' 1', currency: 'UGX' }, { amount: 'Amount must be a number, like 1250.50' }],
  [{ amount: '1e3', currency: 'UGX' }, { amount: 'Amount must be a number, like 1250.50' }],
  [{ amount: '٣', currency: 'UGX' }, { amount: 'Amount must be a number, like 1250.50' }],
  [`{"amount":1${'0'.repeat(80)},"currency":"UGX"}`, { amount: 'Amount has too many digits' }],
  [
    { amount: null, currency: null },
    { amount: 'Amount must be a number', currency: 'Currency must be text' },
  ],
  [
    { amount: true, currency: 7 },
    { amount: 'Amount must be a number', currency: 'Currency must be text' },
  ],
  [{ amount: 1, currency: 'ugx' }, { currency: 'Currency must be one of UGX, KES' }],
  [{ amount: 1, currency: 'UGX', count: '3' }, { count: 'Count must be a whole number' }],
  [{ amount: 1, currency: 'UGX', count: 1.5 }, { count: 'Count must be a whole number' }],
  [{ amount: 1, currency: 'UGX', count: 0 }, { count: 'Count must be at least 1' }],
  [{ amount: 1, currency: 'UGX', count: 6 }, { count: 'Count must be at most 5' }],
  [{ amount: 1, currency: 'UGX', note: '12345678901' }, { note: 'Note must have at most 10 characters' }],
  [{ amount: 1, currency: 'UGX', code: 'ABC' }, { code: 'Code must be small letters' }],
  [{ amount: 1, currency: 'UGX', items: {} }, { items: 'Items must be a list' }],
  [
    { amount: 1, currency: 'UGX', items: [{}, { amount: 0 }] },
    { 'items.0.amount': 'Amount is required', 'items.1.amount': 'Amount must be greater than 0' },
  ],
]

for (const [body, errors] of refused) {
  test(`refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
    assert.deepEqual(checkError(await post(body), 422, 'validation_failed').errors, errors)
  })
}

test('money keeps its text, unknown fields are dropped, and nothing is coerced', async () => {
  for (const amount of [
    '100.00000000000000001',
    '9007199254740993',
    '5000.0',
    '5e3',
    '1250.50',
    '"1250.50"',
    '"7"',
  ]) {
    const answer = await post(`{"amount":${amount},"currency":"UGX","surprise":{"a":1},"__proto__":{"x":1}}`)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json().data, { amount: amount.replaceAll('"', ''), currency: 'UGX' })
  }
})

test('an object that says so keeps every field, a record too; mixtures of objects are refused at the start', async () => {
  const Free = Type.Object({
    metadata: Type.Object({}, { additionalProperties: true }),
    counts: Type.Record(Type.String({ maxLength: 4 }), Type.Integer()),
    inner: Type.Object({ known: Type.Union([Type.String(), Type.Null()]) }),
  })
  const route = (http: Http, schema: TSchema) =>
    openScope(http, {
      limit: 'anonymous',
      routes: (scope) => {
        scope.post('/probe/free', { schema: { body: schema } }, async (request) => ok('Taken', request.body))
      },
    })
  const free = await testApp({ more: (http) => route(http, Free) })
  const payload = {
    metadata: { a: 1, b: { c: [2] } },
    counts: { x: 1, y: 2 },
    inner: { known: null, unknown: 1 },
    unknown: {},
  }
  const answer = await free.app.inject({ method: 'POST', url: '/probe/free', payload })
  assert.deepEqual(answer.json().data, {
    metadata: { a: 1, b: { c: [2] } },
    counts: { x: 1, y: 2 },
    inner: { known: null },
  })
  const [one, other] = [Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]
  for (const mixture of [Type.Intersect([one, other]), Type.Union([one, other])]) {
    await assert.rejects(testApp({ more: (http) => route(http, mixture) }), /one object with optional fields/)
  }
})

test('where no body is needed, none need be sent, whatever the type is said to be', async () => {
  const bodiless = (headers: Record<string, string>, payload?: string) =>
    app.inject({
      method: 'POST',
      url: '/probe/bodiless',
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
  assert.equal((await bodiless({})).statusCode, 200)
  assert.equal((await bodiless({ 'content-type': 'application/json' })).statusCode, 200)
  assert.equal(
    (await bodiless({ 'content-type': 'application/json', 'content-length': '0' }, '')).statusCode,
    200,
  )
  assert.equal((await bodiless({ 'content-type': 'application/json' }, '{}')).statusCode, 200)
  checkError(await bodiless({ 'content-type': 'application/json' }, '{'), 400, 'bad_request')
})

test('queries are read from text, and a wrong one is named', async () => {
  const { errors } = checkError(await app.inject('/probe/numbers?limit=0&cursor='), 422, 'validation_failed')
  assert.deepEqual(errors, { limit: 'Limit must be at least 1', cursor: 'Cursor must not be empty' })
  checkError(await app.inject('/probe/numbers?limit=ten'), 422, 'validation_failed')
  checkError(await app.inject('/probe/numbers?limit=1&limit=2'), 422, 'validation_failed')
  // As a number it is infinite, which most comparisons do not expect.
  for (const limit of ['1e400', '-1e400', '1e9999999999', 'Infinity', 'NaN', '1.5'])
    checkError(await app.inject(`/probe/numbers?limit=${limit}`), 422, 'validation_failed')
  for (const cursor of [
    'x',
    encodeCursor(['1', '2']),
    encodeCursor([]),
    Buffer.from('[1]').toString('base64url'),
    `${encodeCursor(['1'])}==`,
  ]) {
    checkError(await app.inject(`/probe/numbers?cursor=${cursor}`), 422, 'validation_failed')
  }
})

test('pages follow one another without gap or overlap', async () => {
  const seen: number[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const url: string = `/probe/numbers${cursor === null ? '' : `?cursor=${cursor}`}`
    const body: { data: number[]; meta: { next_cursor: string | null } } = (await app.inject(url)).json()
    seen.push(...body.data)
    cursor = body.meta.next_cursor
    pages += 1
  } while (cursor !== null && pages < 10)
  assert.deepEqual(
    seen,
    Array.from({ length: 60 }, (_, n) => n),
  )
  assert.equal(pages, 3)
})

test('a scope lets nobody in without its credential', async () => {
  checkError(await app.inject('/probe/me'), 401, 'unauthenticated')
  checkError(
    await app.inject({ url: '/probe/me', headers: { authorization: 'Bearer bad' } }),
    401,
    'unauthenticated',
  )
  const answer = await app.inject({ url: '/probe/me', headers: { authorization: 'Bearer good' } })
  assert.deepEqual(answer.json(), { success: true, message: 'You', data: { id: 'usr_1' } })
})

test('every list says where its next page is, and 201 answers what the contract says', () => {
  const reference = new URL('../../../docs/reference/openapi.json', import.meta.url)
  const { paths }: Loose = JSON.parse(readFileSync(reference, 'utf8'))
  const made: string[] = []
  for (const [path, methods] of Object.entries<Loose>(paths))
    for (const [method, { responses }] of Object.entries<Loose>(methods)) {
      if (responses?.[201] !== undefined) made.push(`${method} ${path}`)
      const { data, meta } = responses?.[200]?.content?.['application/json']?.schema?.properties ?? {}
      // The feed of test events goes on from a position that never ends.
      if (data?.type === 'array' && path !== '/api/merchant/events')
        assert.ok(meta?.properties.next_cursor, path)
    }
  assert.deepEqual(made.sort(), [
    'post /api/auth/register',
    'post /api/campaigns',
    'post /api/groups',
    'post /api/merchant/register',
    'post /api/requests',
    'post /api/wallets',
  ])
})

test('every answer carries the security headers and a request id', async () => {
  for (const url of ['/api/health', '/nothing', '/probe/bug', '/openapi.json', '/probe/me']) {
    const { headers } = await app.inject(url)
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", url)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['strict-transport-security'], 'max-age=63072000; includeSubDomains')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(headers['x-powered-by'] ?? headers.server, undefined)
    assert.match(String(headers['x-request-id']), /^req_/)
  }
})

test('a request is one line in the log, without what was sent', async () => {
  const canary = 'canary-4711'
  const payload = JSON.stringify({ amount: 1, currency: 'UGX', note: canary.slice(0, 10), surprise: canary })
  const answer = await app.inject({
    method: 'POST',
    url: `/probe/orders?token=${canary}`,
    headers: {
      'content-type': 'application/json',
      authorization: canary,
      cookie: canary,
      'x-svc-key': canary,
      'idempotency-key': canary,
    },
    payload,
  })
  await app.inject(`/${canary}`)
  const lines = log.lines.filter((entry) => entry.request_id === answer.headers['x-request-id'])
  assert.equal(lines.length, 1)
  const { method, route, status, msg, bytes_in } = lines[0] ?? {}
  assert.deepEqual(
    { method, route, status, msg, bytes_in },
    { method: 'POST', route: '/probe/orders', status: 200, msg: 'request', bytes_in: payload.length },
  )
  assert.doesNotMatch(log.text(), /canary/)
})
