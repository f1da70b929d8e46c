// Where providers call. What comes is kept as it came, whatever its type, because signatures are of bytes; it is answered
// at once and worked on afterwards. Nobody logs in here: an address of one operation is known to the provider only, and
// what comes to the others is signed or is no more than a hint.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { App } from '../http/instance.ts'
import type { Operations, Reply } from './operations.ts'

const hidden = { schema: { hide: true } }
const bodyBytesMax = 64 * 1_024
const headersMax = 50
const headerLengthMax = 1_000
/** Nothing of a provider's call needs them, and they are not ours to keep. */
const unkept = ['authorization', 'cookie', 'proxy-authorization']

export function operationCallbacks(app: App, { operations }: { operations: Operations }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  const toOperation = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token } = request.params as { token: string }
    return answer(reply, await operations.deliveries.toOperation(token, cameIn(request)))
  }
  app.post('/hooks/p/:token', hidden, toOperation)
  app.put('/hooks/p/:token', hidden, toOperation)
  app.post('/hooks/:provider/:mode', hidden, async (request, reply) => {
    const { provider, mode } = request.params as { provider: string; mode: string }
    if (mode !== 'live' && mode !== 'test') throw new AppError('not_found')
    return answer(reply, await operations.deliveries.toProvider({ provider, mode }, cameIn(request)))
  })
}

function cameIn({ method, headers, body }: FastifyRequest) {
  const kept = Object.entries(headers)
    .filter(([name]) => !unkept.includes(name))
    .slice(0, headersMax)
    .map(([name, value]) => [name, [value ?? ''].flat().join(', ').slice(0, headerLengthMax)])
  return {
    method,
    headers: Object.fromEntries(kept) as Record<string, string>,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  }
}

function answer(reply: FastifyReply, said: Reply): FastifyReply {
  if (said === 'nobody') throw new AppError('not_found')
  if (said === 'forged') throw new AppError('unauthenticated', { detail: 'The signature is not right.' })
  return reply.code(said.status).type('application/json; charset=utf-8').send(said.body)
}
