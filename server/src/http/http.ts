// The Fastify set-up that all scopes share: how a request is read, refused, answered, limited and logged.
// What must stay true: every answer is of the contract's shape, whatever was sent; nothing is read or waited for
// without a limit; and a scope, never a path, decides who may call.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { catalogue, errorBody, replyWithError } from './error-reply.ts'
import { apiHeaders } from './headers.ts'
import type { App } from './instance.ts'
import { readJson } from './json-body.ts'
import { describeApi } from './openapi.ts'
import { openRateLimits, type RateLimiter } from './rate-limits.ts'
import { logRequests, type Served } from './request-log.ts'
import { compileValidator } from './validation.ts'

export interface HttpOptions {
  brandName: string
  baseUrl: string
  log: Logger
  trustedProxies: readonly string[]
  rateLimits: { enabled: boolean; redisUrl: string | undefined }
  onServed: (served: Served) => void
  /** What a browser sees where nothing is. Absent: the JSON that every other client gets. */
  notFoundPage?: ((reply: FastifyReply) => FastifyReply) | undefined
}

export interface Http {
  app: App
  limits: RateLimiter
}

const bodyBytesMax = 64 * 1024
const headerBytesMax = 16 * 1024
const headersTimeoutMs = 5_000
const requestTimeoutMs = 15_000

export async function openHttp(options: HttpOptions): Promise<Http> {
  const app: App = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => newId('req'),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    // Slow senders are cut: the whole request must be here in time.
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    // Longer than a load balancer keeps its side (60 s), so that it is never us who closes first.
    keepAliveTimeout: 65_000,
    // While closing, what still arrives is answered, with `Connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: replyWithError,
    routerOptions: { maxParamLength: 200 },
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.server.maxHeadersCount = 100

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => readJson(body),
  )
  app.setValidatorCompiler(compileValidator)
  // Amounts leave as exact decimal text inside the JSON, which only the built-in serialiser can carry.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(apiHeaders).header('x-request-id', request.id)
    if (request.originalUrl.includes('%00'))
      throw new AppError('bad_request', { detail: 'The address holds a NUL character.' })
  })
  logRequests(app, options.onServed)
  app.setErrorHandler(replyWithError)
  const limits = await openRateLimits(app, { ...options.rateLimits, log: options.log })
  app.setNotFoundHandler(
    {
      preHandler: (request: FastifyRequest, reply: FastifyReply) => limits.count('anonymous', request, reply),
    },
    async (request, reply) => {
      if (options.notFoundPage !== undefined && wantsPage(request))
        return options.notFoundPage(reply.code(404))
      throw new AppError('not_found')
    },
  )
  await describeApi(app, options)
  return { app, limits }
}

/** A browser asks for text/html by name; programs do not. */
const wantsPage = (request: FastifyRequest) =>
  request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')

/** What is not even HTTP, or too slow, or too large a header: answered by hand, since there is no request yet. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const detail = brokenRequestDetails[error.code ?? ''] ?? 'The request is not valid HTTP.'
  const refusal = new AppError('bad_request', { detail })
  const { status } = catalogue[refusal.code]
  const requestId = newId('req')
  const body = JSON.stringify(errorBody(refusal, requestId))
  const headers = {
    ...apiHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

const brokenRequestDetails: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large; 16 KiB is the most.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}
