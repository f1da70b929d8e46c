// A provider for the tests of the engine: an HTTP server that does what the test says (answers, hangs, resets, lies), with
// a book of what it was told and what it has done; and the adapter that speaks to it. Its wire is as small as can be.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Amount, Currency } from '../src/base/money.ts'
import type {
  Adapter,
  Exchange,
  FailureCode,
  Heard,
  OperationKind,
  ProviderSettings,
  Token,
  WireAnswer,
} from '../src/providers/providers.ts'
import * as providers from '../src/providers/providers.ts'

export const secretText = 'the-secret-of-the-scripted-provider'

export interface ScriptedSettings extends ProviderSettings {
  clientSecret: string
}

/** As the provider's own book has it, and as it is told over the wire. */
export interface Said {
  state: 'pending' | 'completed' | 'failed' | 'absent' | 'garbage'
  code?: FailureCode
  receipt?: string
  minor?: string
  reference?: string
}

export interface Ordered {
  id: string
  kind: OperationKind
  minor: string
  currency: Currency
  callback: string
  phone?: string
}

type Handler = (given: { request: IncomingMessage; response: ServerResponse; order: Ordered }) => unknown

export interface ScriptedProvider {
  url: string
  settings: ScriptedSettings
  /** Every order that arrived, in order, however it was answered. */
  orders: Ordered[]
  questions: { id: string; answerUrl: string | undefined }[]
  tokens: number
  /** What it says when asked. */
  book: Map<string, Said>
  /** What it does with the next orders; afterwards it accepts them. */
  next: Handler[]
  /** What it does with the next questions; afterwards it says what its book has. */
  nextAsk: Handler[]
  /** What is waited for before the next tokens are given. */
  nextToken: (() => Promise<void>) | undefined
  /** Tokens from before are refused from now on. */
  spoilTokens(): void
  countOf(id: string): number
}

export interface AdapterOptions {
  idempotent?: boolean
  /** Answers to questions come later, to an address. */
  answersLater?: boolean
  /** Orders are known by the provider's reference only, as M-Pesa's pushes. */
  byReference?: boolean
  askAfter?: number[]
}

/** As a mobile money provider whose id is one of the real ones. */
export function scriptedAdapter(options: AdapterOptions = {}): Adapter<ScriptedSettings> {
  const { idempotent = true, answersLater = false, byReference = false } = options
  return {
    id: 'mtn',
    name: 'Scripted',
    kind: 'mobile_money',
    serves: [{ currency: 'UGX', country: 'UG', kinds: ['collect', 'payout', 'refund'] }],
    phonePrefixes: ['+25677'],
    idempotent: { collect: idempotent, payout: idempotent, refund: idempotent },
    askAfter: options.askAfter ?? [5, 10, 60, 3_600],
    settlesWithinSeconds: 120,
    problems: ({ phone }) => (phone === undefined ? { phone: 'Phone is missing' } : {}),
    token,
    tokenRefused: ({ status }) => status === 401,
    *start(operation): Exchange {
      const { id, kind, amount, phone, callbackUrl: callback } = operation
      const body = JSON.stringify({
        ...{ id, kind, minor: String(amount.minor), currency: amount.currency, callback, phone },
        pin: '1234',
      })
      return read(yield { method: 'POST', path: '/orders', body, token: 'orders' }, amount)
    },
    *ask({ id, amount, providerReference }, _settings, answerUrl): Exchange {
      if (byReference && providerReference === undefined)
        return { state: 'unknown', detail: 'it has no name that the provider knows' }
      const body = JSON.stringify({ id, ...(answersLater ? { answer_url: answerUrl } : {}) })
      return read(yield { method: 'POST', path: '/questions', body, token: 'questions' }, amount)
    },
    readCallback: ({ headers, body }) => {
      const signature = headers['x-signed']
      if (signature !== undefined && signature !== 'yes') return { ok: false, reason: 'a wrong signature' }
      const answer = { status: 200, headers: {}, body }
      const said = parse(body) as { id?: string } | undefined
      const amount: Amount = { minor: 1n, currency: 'UGX' }
      const heard = read(answer, amount)
      return {
        ok: true,
        signed: signature === 'yes',
        ...(said?.id === undefined ? {} : { operationId: said.id }),
        heard,
      }
    },
    callbackAnswer: { status: 200, body: '{"taken":true}' },
    secretFields: ['pin'],
  }
}

function* token(settings: ScriptedSettings): Exchange<Token> {
  const body = JSON.stringify({ client_secret: settings.clientSecret })
  const answer = yield { method: 'POST', path: '/token', body }
  const said = parse(answer.body) as { access_token?: string; seconds?: number } | undefined
  if (answer.status !== 200 || said?.access_token === undefined)
    throw new providers.NoAnswer('no token', { notSent: true })
  return { value: said.access_token, seconds: said.seconds ?? 3_600 }
}

function read(answer: WireAnswer, { currency }: Amount): Heard {
  const said = answer.status === 200 ? (parse(answer.body) as Said | undefined) : undefined
  switch (said?.state) {
    case 'pending':
      return { state: 'pending', providerReference: said.reference }
    case 'completed':
      return {
        state: 'completed',
        receipt: said.receipt,
        providerReference: said.reference,
        ...(said.minor === undefined ? {} : { amount: { minor: BigInt(said.minor), currency } }),
      }
    case 'failed':
      return { state: 'failed', code: said.code ?? 'provider_error', detail: 'it said so' }
    case 'absent':
      return { state: 'absent', detail: 'it does not know it' }
    default:
      return { state: 'unknown', detail: `HTTP ${answer.status}` }
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

export async function scriptedProvider(): Promise<ScriptedProvider> {
  const server = createServer()
  let good = 1
  const provider: ScriptedProvider = {
    url: '',
    settings: { baseUrl: '', clientSecret: secretText },
    orders: [],
    questions: [],
    tokens: 0,
    book: new Map(),
    next: [],
    nextAsk: [],
    nextToken: undefined,
    spoilTokens: () => {
      good++
    },
    countOf: (id) => provider.orders.filter((order) => order.id === id).length,
  }
  const answer = (response: ServerResponse, said: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  const routes: Record<
    string,
    (request: IncomingMessage, response: ServerResponse, body: string) => unknown
  > = {
    '/base/token': async (_request, response, body) => {
      provider.tokens++
      await provider.nextToken?.()
      if (!body.includes(secretText)) return answer(response, {}, 401)
      return answer(response, { access_token: `token-number-${good}`, seconds: 3_600 })
    },
    '/base/orders': (request, response, body) => {
      const order = JSON.parse(body) as Ordered
      if (request.headers.authorization !== `Bearer token-number-${good}`) return answer(response, {}, 401)
      provider.orders.push(order)
      const handler = provider.next.shift()
      if (handler !== undefined) return handler({ request, response, order })
      const known = provider.book.get(order.id)
      if (known === undefined) provider.book.set(order.id, { state: 'pending' })
      return answer(response, { state: 'pending', reference: `ref-${order.id}` })
    },
    '/base/questions': (request, response, body) => {
      const { id, answer_url: answerUrl } = JSON.parse(body) as { id: string; answer_url?: string }
      if (request.headers.authorization !== `Bearer token-number-${good}`) return answer(response, {}, 401)
      provider.questions.push({ id, answerUrl })
      const handler = provider.nextAsk.shift()
      if (handler !== undefined) return handler({ request, response, order: { id } as Ordered })
      if (answerUrl !== undefined) return answer(response, { state: 'pending' })
      return answer(response, provider.book.get(id) ?? { state: 'absent' })
    },
  }
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const route = routes[request.url ?? '']
      assert.ok(route, `the provider has ${request.url}`)
      route(request, response, Buffer.concat(chunks).toString())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider.settings = { baseUrl: `${provider.url}/base`, clientSecret: secretText }
  return provider
}

/** What a provider may do with a request. */
export const does = {
  says:
    (said: Said, status = 200): Handler =>
    ({ response }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said)),
  sends:
    (text: string, status = 200): Handler =>
    ({ response }) =>
      response.writeHead(status).end(text),
  hangs: (() => undefined) satisfies Handler,
  resets: (({ response }) => response.destroy()) satisfies Handler,
  breaksOff: (({ response }) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"state":"compl')
    setTimeout(() => response.destroy(), 5)
  }) satisfies Handler,
  redirects: (({ response }) => response.writeHead(302, { location: '/base/token' }).end()) satisfies Handler,
  neverEnds: (({ response }) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(64 * 1_024)), 1)
    response.on('close', () => clearInterval(timer))
  }) satisfies Handler,
}
