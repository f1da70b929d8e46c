// The Fastify set-up that all scopes share: how a request is read, refused, answered, limited and logged.
// What must stay true: every answer is of the contract's shape, whatever was sent; nothing is read or waited for
// without a limit; and a scope, never a path, decides who may call.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { answerBrokenRequest, watchConnections } from './broken-requests.ts'
import { limitCrowd } from './crowd.ts'
import { serveDirectly } from './direct/direct.ts'
import { DirectResponse } from './direct/messages.ts'
import { replyWithError } from './error-reply.ts'
import { keepAddresses } from './forwarded.ts'
import { apiHeaders } from './headers.ts'
import type { App } from './instance.ts'
import { readJson } from './json-body.ts'
import { type OnLeakedKey, refuseKeyInAddress, refuseKeyInBody } from './leaked-keys.ts'
import { describeApi } from './openapi.ts'
import { openRateLimits } from './rate-limits.ts'
import { logRequests, type Served, tellServed, withoutChildren } from './request-log.ts'
import type { Busy, ScopeOwner } from './scope.ts'
import { openValidation } from './validation.ts'

export interface HttpOptions {
  brandName: string
  baseUrl: string
  log: Logger
  trustedProxies: readonly string[]
  rateLimits: { enabled: boolean; redisUrl: string | undefined }
  /** How many requests are worked on at the same time. */
  requestsMax: number
  isBusy?: Busy | undefined
  onServed: (served: Served) => void
  /** What a browser sees where nothing is. Absent: the JSON that every other client gets. */
  notFoundPage?: ((reply: FastifyReply) => FastifyReply) | undefined
  /** What header names that carry the brand begin with. */
  headerPrefix?: string
  /** What is sent to others, for the OpenAPI document. */
  webhooks?: Record<string, object>
  /** An API key was sent where it must not be. */
  onLeakedKey?: OnLeakedKey | undefined
}

export type Http = ScopeOwner

const bodyBytesMax = 64 * 1024
const headerBytesMax = 16 * 1024
const headersTimeoutMs = 5_000
const requestTimeoutMs = 15_000
const keepAliveMs = 65_000
const silentMs = 75_000
const connectionsMax = 10_000

export async function openHttp(options: HttpOptions): Promise<Http> {
  const app = makeServer(options, (error, request, reply) => refuseAddress(error, request, reply))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      const refused = refuseKeyInBody(request, { body, onLeakedKey: options.onLeakedKey })
      if (refused !== undefined) return refused
      // Many clients name the type also when they send no body. Where one is needed, that is told later.
      done(null, body.length === 0 ? undefined : readJson(body))
    },
  )
  const validation = openValidation()
  app.setValidatorCompiler(validation.compile)
  app.addHook('onListen', (done) => {
    void validation.compileRest()
    done()
  })
  // Amounts leave as exact decimal text inside the JSON, which only the built-in serialiser can carry.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateRequest('principal', null)
  app.decorateRequest('errorCode', null)
  // Before everything else: who can't be served should cost nothing.
  limitCrowd(app, options.requestsMax)
  const { onLeakedKey } = options
  const refuseOdd = async (request: FastifyRequest, reply: FastifyReply, detail: string | undefined) => {
    // No scope counts these.
    await limits.count('anonymous', request, reply)
    if (detail !== undefined) throw new AppError('bad_request', { detail })
    await refuseKeyInAddress(request, reply, { limits, onLeakedKey })
  }
  const isBehindProxies = options.trustedProxies.length > 0
  // Here and in the scopes: what needs no waiting is done at once, because each turn of a promise costs every request.
  app.addHook('onRequest', (request, reply, done) => {
    if (isBehindProxies) keepAddresses(request.raw.headers)
    // The direct way puts them into every answer by itself.
    if (!((reply.raw as object) instanceof DirectResponse)) reply.headers(apiHeaders)
    reply.header('x-request-id', request.id)
    const detail = oddity(request)
    const refused =
      detail !== undefined || request.is404
        ? refuseOdd(request, reply, detail)
        : refuseKeyInAddress(request, reply, { limits, onLeakedKey })
    if (refused !== undefined) return refused
    done()
  })
  logRequests(app, options.onServed)
  app.setErrorHandler(replyWithError)
  const limits = await openRateLimits(app, { ...options.rateLimits, log: options.log })
  await answerNotFound(app, options)
  await describeApi(app, options)
  return { app, limits, isBusy: options.isBusy }

  /** An address that can't be decoded is refused before any hook runs, so what those do is done here. */
  function refuseAddress(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    reply.raw.once('close', () => tellServed({ request, reply, onServed: options.onServed }))
    if (isBehindProxies) keepAddresses(request.raw.headers)
    const counted = async () => limits.count('anonymous', request, reply)
    counted().then(
      () => replyWithError(error, request, reply),
      (refusal: unknown) => replyWithError(refusal, request, reply),
    )
  }
}

type Refuse = (error: Error, request: FastifyRequest, reply: FastifyReply) => void

function makeServer(options: HttpOptions, refuseAddress: Refuse): App {
  const app = fastify({
    loggerInstance: withoutChildren(options.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    // Slow senders are cut: the whole request must be here in time.
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
      // We refuse it ourselves, in our own shape.
      requireHostHeader: false,
    },
    // Longer than a load balancer keeps its side (60 s), so that it is never us who closes first.
    keepAliveTimeout: keepAliveMs,
    // A connection on which nothing moves is cut: who never reads its answers would keep them in memory for ever.
    connectionTimeout: silentMs,
    // While closing, what still arrives is answered, with `Connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: refuseAddress,
    routerOptions: { maxParamLength: 200 },
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.server.maxHeadersCount = 100
  app.server.maxConnections = connectionsMax
  watchConnections(app.server)
  serveDirectly(app.server, { standing: apiHeaders })
  return app
}

/** Where nothing is, the answer comes before the body is read. A program always gets JSON, below /api everybody. */
async function answerNotFound(app: App, { notFoundPage }: HttpOptions): Promise<void> {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (notFoundPage !== undefined && wantsPage(request)) return notFoundPage(reply.code(404))
    throw new AppError('not_found')
  }
  app.setNotFoundHandler(answer)
  app.addHook('preParsing', (request, reply, _body, done) => {
    if (request.is404) answer(request, reply).catch(done)
    else done()
  })
  await app.register(
    async (api) => {
      const refuse = async () => {
        throw new AppError('not_found')
      }
      api.setNotFoundHandler(refuse)
      api.addHook('onRequest', async (request) => {
        if (request.is404) await refuse()
      })
    },
    { prefix: '/api' },
  )
}

/** A browser that opens a page says so; older ones show it by what they accept. Programs do neither. */
function wantsPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET') return false
  const mode = headers['sec-fetch-mode']
  const { accept = '' } = headers
  return mode === undefined
    ? accept.startsWith('text/html') && accept.includes('application/xhtml+xml')
    : mode === 'navigate'
}

/** What is wrong with a request as such, whatever it asks for. */
function oddity({ originalUrl, headers, raw }: FastifyRequest): string | undefined {
  if (originalUrl.includes('%00')) return 'The address holds a NUL character.'
  if (headers.host === undefined && raw.httpVersion === '1.1') return 'Send a Host header.'
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return 'Send no Expect header but 100-continue.'
  return undefined
}
