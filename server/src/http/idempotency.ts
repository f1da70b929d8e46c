// Requests that may be repeated: the caller's key, and the answer that was made for it the first time. What is stored,
// and that it happens once, is the ledger's matter.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'

const form = /^[\x21-\x7e]{1,255}$/
const header = 'Idempotency-Key'
const wrongKey = { [header]: `${header} must have 1 to 255 visible ASCII characters, and no spaces` }

/** For the schema of a route that takes the key. */
export const idempotencyHeaders = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description:
        'Any text of 1 to 255 characters, new for each thing you want to happen. Repeat the request with the same key as often as you like: it happens once, and you get the first answer again.',
      examples: ['0b7d2c1e-5a51-4c1f-9a0e-3f1d8a3b6c55'],
    },
  },
} as const

export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  const key = readKey(given)
  if (key === undefined) throw new AppError('validation_failed', { errors: wrongKey })
  return key
}

function readKey(given: string | string[]): string | undefined {
  // A structured field writes its text in quotes; it is the same key with and without.
  const text = typeof given === 'string' ? (/^"(.*)"$/.exec(given)?.[1] ?? given) : ''
  return form.test(text) ? text : undefined
}

/** What is wrong with the key, as an error of its field, where the route takes one. */
export function keyProblem({ headers, routeOptions }: FastifyRequest): Record<string, string> {
  const { 'idempotency-key': given } = headers
  const isRead = given !== undefined && routeOptions.schema?.headers === idempotencyHeaders
  return isRead && readKey(given) === undefined ? wrongKey : {}
}

export interface StoredAnswer {
  answer: { status: number; body: string }
  replayed: boolean
}

/** Byte for byte as it was stored. */
export function sendAnswer(reply: FastifyReply, { answer, replayed }: StoredAnswer): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body)
}
