// The pages of the simulator: virtual phones, what numbers do, what happened, knobs, and the card page. HTML from here; a
// small script follows changes, and without it pages load again by themselves.
// What must stay true: pages only show and hand on what a person decided; what becomes of money is decided elsewhere.
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { calm, type KnobChanges, type Knobs } from '../knobs.ts'
import type { Phones } from '../phones.ts'
import type { Answer, Request, Route } from '../server.ts'
import { activityPage, activityRegions, operationPage, operationRegions } from './activity-page.ts'
import { type Asset, type Assets, readAssets } from './assets.ts'
import { cardPage, missingCardPage } from './card-page.ts'
import { type Balance, developersPage, readKnobForm } from './developers-page.ts'
import { homePage, homeRegions } from './home-page.ts'
import { html } from './html.ts'
import { framed, type Region, regionsText, regionVersion } from './layout.ts'
import { cardOutcomes, type Network } from './network.ts'
import { isMsisdn, readNumber } from './numbers.ts'
import { numbersPage } from './numbers-page.ts'
import { phonePage, phoneRegions } from './phone-page.ts'

export interface PagesOptions {
  phones: Phones
  network: Network
  knobs: { get(): Knobs; turn(changes: KnobChanges): void }
  balances(): Balance[]
  now?: () => number
}

/** So that a browser, or something between, does not give up the connection. */
const heartbeatMs = 15_000
/** Changes that come together are sent together. */
const gatherMs = 40
const operationsMax = 500

export function pageRoutes(options: PagesOptions): Route[] {
  const { phones, network } = options
  const assets = readAssets()
  const parts = { now: Date.now, ...options, assets }
  const files = [assets.style, assets.script, assets.icon]
  return [
    get('/', ({ headers }) => page(homePage({ assets, phones }), { headers })),
    ...phoneRoutes(parts),
    get('/numbers', ({ query, headers }) =>
      page(numbersPage({ assets, network: query.get('network') }), { headers }),
    ),
    get('/activity', ({ headers }) => page(activityPage({ assets, network }), { headers })),
    get('/activity/:id', ({ params: { id }, headers }) => {
      const operation = operationOf(network, id)
      return operation === undefined
        ? missing(assets)
        : page(operationPage({ assets, operation }), { headers })
    }),
    ...developerRoutes(parts),
    ...cardRoutes(parts),
    ...files.map((file) => get(file.address, ({ headers }) => fileAnswer(file, headers))),
    ...liveRoutes(options),
  ]
}

interface Parts extends Required<PagesOptions> {
  assets: Assets
}

const missing = (assets: Assets): Answer =>
  page(
    framed(assets, {
      title: 'Not here',
      content: html`<div class="page"><h1>There is nothing here</h1><p><a class="more" href="/">To the phones</a></p></div>`,
    }),
    { status: 404 },
  )

const operationOf = (network: Network, id: string | undefined) =>
  network.operations({ limit: operationsMax }).find((operation) => operation.id === id)

function phoneRoutes({ assets, phones, network, now }: Parts): Route[] {
  const shown = (msisdn: string) => ({ assets, phones, network, msisdn, now: now() })
  return [
    get('/phones', ({ query, headers }) => {
      const typed = query.get('number') ?? ''
      const msisdn = readNumber(typed)
      if (msisdn !== undefined) return redirect(`/phones/${msisdn}`)
      return page(homePage({ assets, phones, typed }), { status: 422, headers })
    }),
    get('/phones/:msisdn', ({ params: { msisdn = '' }, headers }) => {
      if (!isMsisdn(msisdn)) return missing(assets)
      phones.glance(msisdn)
      return page(phonePage(shown(msisdn)), { headers })
    }),
    post('/phones/:msisdn/prompts/:id', ({ params: { msisdn = '', id = '' }, body, headers }) => {
      if (!isMsisdn(msisdn)) return missing(assets)
      const form = new URLSearchParams(body)
      const pin = form.get('pin') ?? ''
      const wrong = form.get('answer') !== 'refuse' && isPinWanted(phones, id) && !/^[0-9]{4,6}$/.test(pin)
      if (wrong) {
        const problem = 'A PIN has four to six digits. Nothing was sent.'
        return page(phonePage({ ...shown(msisdn), problem }), { status: 422, headers })
      }
      phones.answer(id, form.get('answer') === 'refuse' ? { answer: 'refused' } : { answer: 'approved', pin })
      return redirect(`/phones/${msisdn}`)
    }),
  ]
}

function developerRoutes({ assets, knobs, balances }: Parts): Route[] {
  return [
    get('/developers', ({ query, headers }) => {
      const url = `http://${headers.host ?? 'localhost'}`
      const shown = { assets, url, knobs: knobs.get(), balances: balances(), saved: query.has('saved') }
      return page(developersPage(shown), { headers })
    }),
    post('/developers/knobs', ({ body }) => {
      const changes = readKnobForm(new URLSearchParams(body), calm())
      if (changes === undefined) return redirect('/developers')
      knobs.turn(changes)
      return redirect('/developers?saved=1#knobs-title')
    }),
  ]
}

function cardRoutes({ assets, network }: Parts): Route[] {
  return [
    get('/paystack/pay/:code', ({ params: { code = '' }, headers }) => {
      const payment = network.card(code)
      return payment === undefined
        ? page(missingCardPage(assets), { status: 404, headers })
        : page(cardPage({ assets, payment }), { headers, leaves: true })
    }),
    post('/paystack/pay/:code', ({ params: { code = '' }, body, headers }) => {
      const wanted = new URLSearchParams(body).get('outcome')
      const outcome = cardOutcomes.find((known) => known === wanted)
      if (network.card(code) === undefined || outcome === undefined)
        return page(missingCardPage(assets), { status: 404, headers })
      network.decideCard(code, outcome)
      return redirect(network.card(code)?.returnUrl ?? `/paystack/pay/${encodeURIComponent(code)}`)
    }),
  ]
}

const isPinWanted = (phones: Phones, id: string): boolean =>
  phones.prompts().find((prompt) => prompt.id === id)?.needsPin ?? false

/** Each has its page's regions; who follows a phone holds it in the hand. */
function liveRoutes({ phones, network }: Pick<PagesOptions, 'phones' | 'network'>): Route[] {
  const subscribe = (listener: () => void) => {
    const ends = [phones.onChange(listener), network.onOperation(listener)]
    return () => {
      for (const end of ends) end()
    }
  }
  const route = (
    path: string,
    regions: (request: Request) => Region[],
    onOpen?: (request: Request) => () => void,
  ) => ({
    method: 'GET',
    path,
    stream: (request: Request, response: ServerResponse) => {
      const release = onOpen?.(request)
      follow(response, { regions: () => regions(request), subscribe, onEnd: () => release?.() })
    },
  })
  return [
    route('/live/home', () => homeRegions(phones)),
    route('/live/activity', () => activityRegions(network)),
    route('/live/activity/:id', ({ params: { id } }) => {
      const operation = operationOf(network, id)
      return operation === undefined ? [] : operationRegions(operation)
    }),
    route(
      '/live/phones/:msisdn',
      ({ params: { msisdn = '' } }) => phoneRegions({ phones, network, msisdn, now: 0 }),
      ({ params: { msisdn = '' } }) => (isMsisdn(msisdn) ? phones.watch(msisdn) : () => undefined),
    ),
  ]
}

interface Follow {
  regions(): Region[]
  subscribe(listener: () => void): () => void
  onEnd(): void
}

/** Sends what has changed, as server-sent events, until the browser goes away. */
function follow(response: ServerResponse, { regions, subscribe, onEnd }: Follow): void {
  response.writeHead(200, {
    ...headersOf({}),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  const known = new Map<string, string>()
  let gathering: NodeJS.Timeout | undefined
  const send = () => {
    gathering = undefined
    const changed = regions().filter((region) => known.get(region.id) !== regionVersion(region))
    for (const region of changed) known.set(region.id, regionVersion(region))
    if (changed.length > 0) response.write(`data: ${regionsText(changed)}\n\n`)
  }
  const unsubscribe = subscribe(() => {
    gathering ??= setTimeout(send, gatherMs)
  })
  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs)
  response.once('close', () => {
    unsubscribe()
    clearInterval(heartbeat)
    clearTimeout(gathering)
    onEnd()
  })
  // A browser that lost the connection comes back after a second.
  response.write('retry: 1000\n\n')
  send()
}

const get = (path: string, handle: NonNullable<Route['handle']>): Route => ({ method: 'GET', path, handle })

/** A form of another site has no business here. */
const post = (path: string, handle: NonNullable<Route['handle']>): Route => ({
  method: 'POST',
  path,
  handle: (request) =>
    request.headers['sec-fetch-site'] === 'cross-site'
      ? { status: 403, headers: { 'content-type': 'text/plain' }, body: 'Not from another site.' }
      : handle(request),
})

/** `leaves`: a form of this page ends on another site, and a browser holds redirects against the policy too. */
const headersOf = ({ leaves = false }: { leaves?: boolean }): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'${leaves ? '' : "; form-action 'self'"}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
})

interface PageOptions {
  status?: number
  headers?: Request['headers']
  leaves?: boolean
}

function page(text: string, { status = 200, headers = {}, leaves = false }: PageOptions): Answer {
  const answer = {
    ...headersOf({ leaves }),
    'content-type': 'text/html; charset=utf-8',
    vary: 'accept-encoding',
  }
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return { status, headers: answer, body: text }
  return { status, headers: { ...answer, 'content-encoding': 'gzip' }, body: gzipSync(text) }
}

const redirect = (location: string): Answer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
})

function fileAnswer({ type, bodies }: Asset, headers: Request['headers']): Answer {
  const accepted = headers['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find((one) => new RegExp(`\\b${one}\\b`).test(accepted))
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body: bodies[encoding ?? 'identity'],
  }
}
