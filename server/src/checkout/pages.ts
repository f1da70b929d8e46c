// The addresses of the checkout. Each answers with a page, errors too; every POST ends in a page or in a redirect to the
// one address that the customer came by, so that reloading and going back never pay again.
import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../base/errors.ts'
import type { Locale } from '../base/money.ts'
import { beginErrorReply } from '../http/error-reply.ts'
import { readForm } from '../http/form-body.ts'
import { pageHeaders } from '../http/headers.ts'
import type { App } from '../http/instance.ts'
import type { RateLimiter } from '../http/rate-limits.ts'
import type { Principal } from '../http/scope.ts'
import { type Asset, readAssets } from './assets.ts'
import { type Answer, type Checkout, type Visitor, visitSeconds } from './checkout.ts'
import { acceptedLocale, cookieIn } from './headers.ts'
import { address, type Setting } from './layout.ts'
import { tokenForm } from './rules.ts'
import { troublePage, viewPage } from './templates.ts'
import { locales, type TroubleCode } from './words/words.ts'

export interface PageDeps {
  checkout: Checkout
  limits: RateLimiter
  baseUrl: string
  config: { readonly BRAND_NAME: string }
}

const hidden = { schema: { hide: true } }
const formBytesMax = 8 * 1024
const headers = { ...pageHeaders, 'x-robots-tag': 'noindex' }
const year = 'public, max-age=31536000, immutable'

/** Who is counted by the limit of a payment: the link, which the log must not hold. */
export const checkoutVisitor = (request: FastifyRequest): Principal => ({
  kind: 'checkout',
  id: hash('sha256', tokenIn(request) ?? '', 'hex').slice(0, 16),
})

export function checkoutPages(app: App, deps: PageDeps): void {
  const { checkout, limits, baseUrl } = deps
  const site = { ...deps, files: fileAddresses(), cookieName: cookieNameFor(baseUrl) }
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    await limits.count('checkoutAddress', request, reply)
    if (request.method === 'POST') refuseStrangers(request)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: formBytesMax },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  )
  app.setErrorHandler((error, request, reply) => {
    const { code } = beginErrorReply(error, request, reply)
    reply.headers(headers)
    return trouble(site, { code: troubles[code] ?? 'unreadable', request, reply })
  })

  app.get('/checkout', hidden, async (request, reply) => {
    const step = textIn(request.query, 'step')
    const view = await checkout.look(visitorOf(site, request), step)
    if (view === undefined) return missing(site, request, reply)
    return sendPage(request, reply, viewPage(settingOf(site, request), view))
  })
  app.get('/checkout/state', hidden, async (request, reply) => {
    const state = await checkout.status(visitorOf(site, request))
    if (state === undefined) return missing(site, request, reply)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ state }))
  })
  app.get('/checkout/return', hidden, async (request, reply) => {
    const place = await checkout.returnTo(visitorOf(site, request))
    return reply.redirect(place ?? address(settingOf(site, request)), 303)
  })
  const posted = (path: string, act: (visitor: Visitor, field: Field) => Promise<Answer | undefined>) =>
    app.post(path, hidden, async (request, reply) => {
      const fields = request.body instanceof Map ? (request.body as Map<string, string>) : new Map()
      const answer = await act(visitorOf(site, request), (name) => fields.get(name) ?? '')
      return answer === undefined ? missing(site, request, reply) : send(site, { answer, request, reply })
    })
  posted('/checkout/login', (visitor, field) =>
    checkout.login(visitor, { name: field('name'), password: field('password'), proof: field('proof') }),
  )
  posted('/checkout/pay', (visitor, field) =>
    checkout.pay(visitor, { pin: field('pin'), proof: field('proof') }),
  )
  posted('/checkout/logout', (visitor, field) => checkout.logout(visitor, { proof: field('proof') }))
  posted('/checkout/cancel', (visitor, field) => checkout.cancel(visitor, { proof: field('proof') }))
}

/** What the pages load. No secret, so anybody may have it. */
export function checkoutFiles(app: App): void {
  for (const file of Object.values(assets())) {
    app.get(file.path, hidden, async (request, reply) => sendAsset(request, reply, file))
  }
}

let kept: ReturnType<typeof readAssets> | undefined
/** Read and compressed once a process. */
function assets() {
  kept ??= readAssets()
  return kept
}

const fileAddresses = () => ({ style: assets().style.address, script: assets().script.address })

type Field = (name: string) => string

interface Site extends PageDeps {
  files: Setting['files']
  cookieName: string
}

/** `__Host-` binds it to this host and to https; a browser refuses that name where there is no https. */
const cookieNameFor = (baseUrl: string): string => (baseUrl.startsWith('https:') ? '__Host-co' : 'co')

function visitorOf({ cookieName }: Site, request: FastifyRequest): Visitor {
  return {
    token: tokenIn(request) ?? '',
    cookie: cookieIn(request.headers.cookie, cookieName),
    origin: { address: request.ip, userAgent: request.headers['user-agent'], requestId: request.id },
  }
}

function settingOf({ files, config }: Site, request: FastifyRequest): Setting {
  const wanted = textIn(request.query, 'lang')
  const chosen = locales.find((locale) => locale === wanted)
  const locale: Locale = chosen ?? acceptedLocale(request.headers['accept-language'], locales) ?? 'en'
  return { locale, chosen: chosen !== undefined, token: tokenIn(request), brand: config.BRAND_NAME, files }
}

function tokenIn({ query }: FastifyRequest): string | undefined {
  const text = textIn(query, 'token')
  return text !== undefined && tokenForm.test(text) ? text : undefined
}

/** A name that comes twice in an address is an array there, and none of ours. */
function textIn(query: unknown, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Forms of other sites are refused before their fields are looked at. Browsers say where a form was; our own pages send
 * no referrer, so their `Origin` is `null`.
 */
function refuseStrangers({ headers: { origin, host, 'sec-fetch-site': site } }: FastifyRequest): void {
  const foreign =
    site === undefined
      ? origin !== undefined && origin !== 'null' && URL.parse(origin)?.host !== host
      : site !== 'same-origin'
  if (foreign) throw new AppError('forbidden')
}

interface Answering {
  answer: Answer
  request: FastifyRequest
  reply: FastifyReply
}

function send(site: Site, { answer, request, reply }: Answering): FastifyReply {
  if ('show' in answer) {
    if (answer.retryAfter !== undefined)
      reply.header('retry-after', Math.max(1, Math.ceil(answer.retryAfter)))
    return sendPage(request, reply.code(answer.status), viewPage(settingOf(site, request), answer.show))
  }
  if (answer.cookie !== undefined) reply.header('set-cookie', setCookie(site, answer.cookie))
  return reply.redirect(address(settingOf(site, request)), 303)
}

const setCookie = ({ cookieName }: Site, value: string): string =>
  `${cookieName}=${value}; Path=/; Max-Age=${value === '' ? 0 : visitSeconds}; HttpOnly; SameSite=Strict${cookieName.startsWith('__Host-') ? '; Secure' : ''}`

const missing = (site: Site, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  trouble(site, { code: 'missing', request, reply: reply.code(404) })

const troubles: Partial<Record<ErrorCode, TroubleCode>> = {
  rate_limited: 'often',
  unavailable: 'away',
  internal_error: 'broken',
  not_found: 'missing',
}

interface Trouble {
  code: TroubleCode
  request: FastifyRequest
  reply: FastifyReply
}

/** A page that says there is no payment is the same for every link. */
function trouble(site: Site, { code, request, reply }: Trouble): FastifyReply {
  const token = code === 'missing' ? undefined : tokenIn(request)
  return sendPage(request, reply, troublePage({ ...settingOf(site, request), token }, { code, token }))
}

const brotliQuality = 5

function sendPage(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding, accept-language')
  const encoding = encodingFor(request)
  if (encoding === 'identity') return reply.send(text)
  const body =
    encoding === 'br'
      ? brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : gzipSync(text)
  return reply.header('content-encoding', encoding).send(body)
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, bodies }: Asset): FastifyReply {
  const encoding = encodingFor(request)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.headers({ 'cache-control': year, vary: 'accept-encoding' }).type(type).send(bodies[encoding])
}

function encodingFor({
  headers: { 'accept-encoding': accepted = '' },
}: FastifyRequest): 'br' | 'gzip' | 'identity' {
  const taken = String(accepted)
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase())
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : 'identity'
}
