// The HTTP base as a client meets it: every way to be refused has the contract's shape, fields are judged all at
// once in plain words, money keeps its text, scopes decide who calls, limits hold, and the log tells no secrets.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { testApp } from '../../test/helpers.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { decodeCursor, encodeCursor, pageOf } from './cursor.ts'
import { catalogue } from './error-reply.ts'
import type { Http } from './http.ts'
import { Envelope, ListEnvelope, listOf, MoneyField, OneOf, ok, PageQuery } from './schema.ts'
import { openScope } from './scope.ts'

const Order = Type.Object({
  amount: MoneyField(),
  currency: OneOf(['UGX', 'KES']),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  note: Type.Optional(Type.String({ maxLength: 10 })),
  code: Type.Optional(Type.String({ pattern: '^[a-z]+$', problem: 'must be small letters' })),
  items: Type.Optional(Type.Array(Type.Object({ amount: MoneyField() }), { maxItems: 2 })),
})

async function probes(http: Http): Promise<void> {
  await openScope(http, {
    limit: 'anonymous',
    routes: (scope) => {
      scope.post('/probe/orders', { schema: { body: Order } }, async (request) => ok('Taken', request.body))
      scope.get('/probe/bug', { schema: {} }, async () => {
        throw new Error('the password is hunter2', { cause: new Error('a deeper reason') })
      })
      scope.get(
        '/probe/errors/:code',
        { schema: { params: Type.Object({ code: Type.String() }) } },
        async (request) => {
          throw new AppError(request.params.code as ErrorCode, { retryAfter: 7 })
        },
      )
      const numbers = { querystring: PageQuery, response: { 200: ListEnvelope(Type.Integer()) } }
      scope.get('/probe/numbers', { schema: numbers }, async ({ query: { limit = 25, cursor } }) => {
        const from = cursor === undefined ? 0 : Number(decodeCursor(cursor, 1)[0]) + 1
        const rows = Array.from({ length: 60 }, (_, n) => n)
          .filter((n) => n >= from)
          .slice(0, limit + 1)
        return listOf(
          'Numbers',
          pageOf(rows, limit, (row) => [String(row)]),
        )
      })
    },
  })
  const authenticate = ({ headers }: FastifyRequest) => {
    if (headers.authorization !== 'Bearer good') throw new AppError('unauthenticated')
    return { kind: 'user', id: 'usr_1' }
  }
  await openScope(http, {
    limit: 'credential',
    authenticate,
    security: 'probe',
    routes: (scope) => {
      const schema = { response: { 200: Envelope(Type.Object({ id: Type.String() })) } }
      scope.get('/probe/me', { schema }, async (request) => ok('You', { id: request.principal?.id ?? '' }))
    },
  })
}

const { app, listen, log } = await testApp({ more: probes })
const address = await listen()
const port = Number(new URL(address).port)

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/probe/orders',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

function checkError(
  answer: { statusCode: number; body: string; headers: Record<string, unknown> },
  status: number,
  code: ErrorCode,
) {
  assert.equal(answer.statusCode, status, answer.body)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  const body = JSON.parse(answer.body)
  assert.equal(body.success, false)
  assert.equal(body.code, code)
  assert.equal(body.request_id, answer.headers['x-request-id'])
  assert.match(body.request_id, /^req_[0-9A-Za-z]{22}$/)
  assert.ok(body.message.length > 10)
  return body
}

test('what can be sent wrongly before a field is looked at', async () => {
  checkError(await app.inject('/nothing/here'), 404, 'not_found')
  checkError(await app.inject({ method: 'DELETE', url: '/api/health' }), 404, 'not_found')
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
  assert.match(JSON.stringify(line), /hunter2.*http\.test\.ts.*a deeper reason/)
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

test('queries are read from text, and a wrong one is named', async () => {
  const { errors } = checkError(await app.inject('/probe/numbers?limit=0&cursor='), 422, 'validation_failed')
  assert.deepEqual(errors, { limit: 'Limit must be at least 1', cursor: 'Cursor must not be empty' })
  checkError(await app.inject('/probe/numbers?limit=ten'), 422, 'validation_failed')
  checkError(await app.inject('/probe/numbers?limit=1&limit=2'), 422, 'validation_failed')
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
    payload: JSON.stringify({ amount: 1, currency: 'UGX', note: canary.slice(0, 10), surprise: canary }),
  })
  await app.inject(`/${canary}`)
  const lines = log.lines.filter((entry) => entry.request_id === answer.headers['x-request-id'])
  assert.equal(lines.length, 1)
  const { method, route, status, msg } = lines[0] ?? {}
  assert.deepEqual(
    { method, route, status, msg },
    { method: 'POST', route: '/probe/orders', status: 200, msg: 'request' },
  )
  assert.doesNotMatch(log.text(), /canary/)
})

/** Sends raw text over a socket and returns all that comes back until it closes. */
const raw = (pieces: string[], pauseMs = 0): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed || socket.writableEnded) return
        socket.write(piece)
        await sleep(pauseMs)
      }
    })
  })

function checkRaw(text: string, pattern: RegExp) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 400 Bad Request/)
  assert.match(head, /content-type: application\/json/)
  const answer = JSON.parse(body)
  assert.equal(answer.code, 'bad_request')
  assert.match(answer.message, pattern)
  assert.match(head, new RegExp(`x-request-id: ${answer.request_id}`))
}

test('what is not HTTP is answered in the same shape, and the connection closed', async () => {
  checkRaw(await raw(['GARBAGE\r\n\r\n']), /not valid HTTP/)
  checkRaw(
    await raw([`GET / HTTP/1.1\r\nHost: x\r\nBig: ${'x'.repeat(20_000)}\r\n\r\n`]),
    /headers are too large/,
  )
})

test('slow senders are cut', { timeout: 30_000 }, async () => {
  const [headers, body] = await Promise.all([
    raw(['GET /api/health HTTP/1.1\r\n']),
    raw([
      'POST /probe/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ]),
  ])
  checkRaw(headers, /too long to arrive/)
  checkRaw(body, /too long to arrive/)
})

test('rate limits hold by class, and every answer says how much is left', async () => {
  const limited = await testApp({ more: probes, environment: { RATE_LIMITS: 'on' } })
  const first = await limited.app.inject('/api/health')
  assert.equal(first.headers['ratelimit-limit'], '10')
  assert.equal(first.headers['ratelimit-remaining'], '9')
  for (let n = 1; n <= 120; n++) await limited.app.inject('/probe/me')
  const refusal = await limited.app.inject('/probe/numbers')
  checkError(refusal, 429, 'rate_limited')
  assert.ok(Number(refusal.headers['retry-after']) >= 1 && Number(refusal.headers['retry-after']) <= 60)
  checkError(await limited.app.inject('/not/here'), 429, 'rate_limited')
  // Guessing credentials is counted with the knocking; a good one is counted for itself, another address too.
  checkError(await limited.app.inject('/probe/me'), 429, 'rate_limited')
  const good = await limited.app.inject({ url: '/probe/me', headers: { authorization: 'Bearer good' } })
  assert.equal(good.statusCode, 200)
  assert.equal(good.headers['ratelimit-limit'], '600')
  assert.equal(
    (await limited.app.inject({ url: '/probe/numbers', remoteAddress: '10.1.1.1' })).statusCode,
    200,
  )
})

test('X-Forwarded-For is believed only from a trusted proxy', async () => {
  const behind = await testApp({
    more: probes,
    environment: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '10.0.0.0/8' },
  })
  const remaining = async (remoteAddress: string) => {
    const answer = await behind.app.inject({
      url: '/probe/numbers',
      remoteAddress,
      headers: { 'x-forwarded-for': '41.1.2.3' },
    })
    return Number(answer.headers['ratelimit-remaining'])
  }
  assert.deepEqual(
    [await remaining('10.0.0.1'), await remaining('10.0.0.2'), await remaining('8.8.8.8')],
    [119, 118, 119],
  )
})
