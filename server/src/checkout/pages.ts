// The addresses of the checkout. Each answers with a page, errors too; every POST ends in a page or in a redirect to the
// one address that the customer came by, so that reloading and going back never pay again.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLocale } from '../base/accepted-locale.ts'
import type { ErrorCode } from '../base/errors.ts'
import type { Locale } from '../base/money.ts'
import { cookieIn } from '../http/cookies.ts'
import { beginErrorReply } from '../http/error-reply.ts'
import { readForm } from '../http/form-body.ts'
import { pageHeaders } from '../http/headers.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import { refuseStrangers, sendAsset, sendPage, textIn } from '../http/page-reply.ts'
import type { RateLimiter } from '../http/rate-limits.ts'
import type { Principal } from '../http/scope.ts'
import { readAssets } from './assets.ts'
import { type Answer, type Checkout, type Visitor, visitSeconds } from './checkout.ts'
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

/**
 * Who is counted by the limit of a payment: the link, which the log must not hold. Who comes back from a provider's page has
 * another one; and whoever has none is counted by address, so that they don't use up what is left for others.
 */
export const checkoutVisitor = (request: FastifyRequest): Principal => ({
  kind: 'checkout',
  id: hash('sha256', tokenIn(request) ?? textIn(request.query, 'to') ?? request.ip, 'hex').slice(0, 16),
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
    const state = await checkout.state(visitorOf(site, request))
    if (state === undefined) return missing(site, request, reply)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ state }))
  })
  app.get('/checkout/return', hidden, async (request, reply) => {
    const place = await checkout.returnTo(visitorOf(site, request))
    return reply.redirect(place ?? address(settingOf(site, request)), 303)
  })
  // Where a provider's own page leads back to. The address of the payment is not in it: see visit.ts.
  app.get('/checkout/back', hidden, async (request, reply) => {
    const place = await checkout.backTo(textIn(request.query, 'to') ?? '', languageIn(request))
    if (place === undefined) return missing(site, request, reply)
    return reply.redirect(place, 303)
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
  posted('/checkout/start', (visitor, field) =>
    checkout.start(visitor, {
      method: field('method'),
      phone: field('phone'),
      network: field('network'),
      email: field('email'),
      outcome: field('outcome'),
      proof: field('proof'),
    }),
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
    origin: originOf(request),
    language: languageIn(request),
  }
}

function settingOf({ files, config }: Site, request: FastifyRequest): Setting {
  const chosen = languageIn(request)
  const locale: Locale = chosen ?? acceptedLocale(request.headers['accept-language'], locales) ?? 'en'
  return { locale, chosen: chosen !== undefined, token: tokenIn(request), brand: config.BRAND_NAME, files }
}

/** The one that the customer has chosen, if it is one of ours. */
function languageIn({ query }: FastifyRequest): Locale | undefined {
  const wanted = textIn(query, 'lang')
  return locales.find((locale) => locale === wanted)
}

function tokenIn({ query }: FastifyRequest): string | undefined {
  const text = textIn(query, 'token')
  return text !== undefined && tokenForm.test(text) ? text : undefined
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
  const { step } = answer
  return reply.redirect(address(settingOf(site, request), step === undefined ? {} : { step }), 303)
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
