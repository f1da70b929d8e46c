// What the tests of the HTTP base share: a few routes to try it on, and what every refusal must look like.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, type ErrorCode } from '../src/base/errors.ts'
import { decodeCursor, pageOf } from '../src/http/cursor.ts'
import type { Http } from '../src/http/http.ts'
import { idempotencyHeaders } from '../src/http/idempotency.ts'
import { Envelope, ListEnvelope, listOf, MoneyField, OneOf, ok, PageQuery } from '../src/http/schema.ts'
import { openScope } from '../src/http/scope.ts'

const Order = Type.Object({
  amount: MoneyField(),
  currency: OneOf(['UGX', 'KES']),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  note: Type.Optional(Type.String({ maxLength: 10 })),
  code: Type.Optional(Type.String({ pattern: '^[a-z]+$', problem: 'must be small letters' })),
  items: Type.Optional(Type.Array(Type.Object({ amount: MoneyField() }), { maxItems: 2 })),
})

/** How often a credential was looked at. */
export const credentials = { looked: 0 }

export async function probes(http: Http): Promise<void> {
  await openScope(http, {
    limit: 'anonymous',
    routes: (scope) => {
      const ordering = { body: Order, headers: idempotencyHeaders }
      scope.post('/probe/orders', { schema: ordering }, async (request) => ok('Taken', request.body))
      scope.post('/probe/bodiless', { schema: {} }, async () => ok('Done', {}))
      scope.get('/probe/bug', { schema: {} }, async () => {
        throw new Error('the password is hunter2', { cause: new Error('a deeper reason') })
      })
      scope.get('/probe/nothing/:thrown', { schema: {} }, async (request) => {
        throw (request.params as { thrown: string }).thrown === 'null' ? null : undefined
      })
      scope.get('/probe/slow', { schema: {} }, async () => sleep(200).then(() => ok('Slept', {})))
      scope.get('/probe/large', { schema: {} }, async () => 'x'.repeat(20_000_000))
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
  const authenticate = async ({ headers }: FastifyRequest) => {
    credentials.looked += 1
    await sleep(1)
    if (headers.authorization === 'Bearer suspended') throw new AppError('forbidden')
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

export function checkError(
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
