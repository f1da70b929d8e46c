// The one who talks to providers: sends what an exchange asks for, within fixed limits, and keeps what was said, without
// secrets. What must stay true: a request is made again only when surely nothing of it has reached the provider, or when
// its token was refused; a redirect is not followed; and no answer is waited for longer than the time limits say.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import {
  type Adapter,
  type Exchange,
  type Mode,
  NoAnswer,
  type Token,
  type WireAnswer,
  type WireRequest,
} from './contract.ts'
import { openRedactor, type Redactor } from './redact.ts'

/** What was said, to be kept. */
export interface Made {
  what: 'start' | 'ask' | 'token'
  method: string
  path: string
  /** Headers and body. */
  request: string
  status: number | undefined
  answer: string | undefined
  /** Why there was no answer. */
  problem: string | undefined
  durationMs: number
  at: Date
}

export interface Order<Result> {
  adapter: Adapter
  settings: { baseUrl: string }
  mode: Mode
  what: 'start' | 'ask'
  exchange: () => Exchange<Result>
  /** When it was said that this would be sent; absent: now. A process may have been stopped since. */
  since?: Date
  /** Looked for in what is sent: was the provider told of this address? */
  address?: string
}

export type Ran<Result> = {
  made: Made[]
  /** The provider was told of the address. */
  told: boolean
} & (
  | { ok: true; result: Result }
  /** `notSent`: surely nothing of the order has reached the provider. */
  | { ok: false; notSent: boolean; detail: string }
)

export interface Caller {
  /** Never rejects. */
  run<Result>(order: Order<Result>): Promise<Ran<Result>>
  /** One request outside of any adapter: to the simulator. Rejects with NoAnswer. */
  send(baseUrl: string, request: WireRequest): Promise<WireAnswer>
  close(): Promise<void>
}

export interface CallerOptions {
  log: Log
  clock: Clock
  /** For tests, which can't wait so long. */
  limits?: Partial<typeof usualLimits>
}

export const usualLimits = {
  connectMs: 5_000,
  /** From the first byte of the request to the last of the answer. */
  answerMs: 15_000,
  /** No request of an exchange is begun later than this: somebody else may think by then that we have died. */
  beginMs: 20_000,
  /** In this time a connection that can't be made is tried again. */
  againMs: 2_000,
}

const answerBytesMax = 256 * 1_024
const headerBytesMax = 16_384
const requestsMax = 10
const triesMax = 3
const pauseMs = 250
const idleMs = 4_000
const inFlightMax = 1_000
const earlySeconds = 60

type Limits = typeof usualLimits

interface Line {
  limits: Limits
  log: Log
  clock: Clock
  /** Connections by origin. Those that carry orders are never used twice: one that the other side is about to close
   * would leave us in doubt. */
  pools: Map<string, Pool>
  inFlight: { count: number }
  tokens: Map<string, { token: Promise<Token>; goodUntilMs: number }>
}

export function openCaller({ log, clock, limits: given }: CallerOptions): Caller {
  const limits = { ...usualLimits, ...given }
  const line: Line = {
    limits,
    log,
    clock,
    pools: new Map(),
    inFlight: { count: 0 },
    tokens: new Map(),
  }
  const redactors = new WeakMap<object, Redactor>()
  return {
    run: async (order) => {
      const { adapter, settings } = order
      const redactor = redactors.get(settings) ?? openRedactor(adapter.secretFields, settings)
      redactors.set(settings, redactor)
      return drive({ ...line, ...order, redactor, made: [], begunMs: performance.now(), sent: [] })
    },
    send: async (baseUrl, request) => dispatch(line, { baseUrl, request, once: true }),
    close: async () => {
      const closing = [...line.pools.values()].map((pool) => pool.destroy())
      line.pools.clear()
      await Promise.allSettled(closing)
    },
  }
}

interface Run<Result> extends Line, Order<Result> {
  redactor: Redactor
  made: Made[]
  begunMs: number
  /** Requests that may have reached the provider. */
  sent: WireRequest[]
}

async function drive<Result>(run: Run<Result>): Promise<Ran<Result>> {
  const { made } = run
  const told = () =>
    run.address !== undefined && run.sent.some((request) => mentions(request, run.address ?? ''))
  try {
    const exchange = run.exchange()
    let step = exchange.next()
    for (let requests = 0; !step.done; requests++) {
      check(requests < requestsMax, `an exchange has at most ${requestsMax} requests`)
      const answer = await answerTo(run, step.value)
      step = answer instanceof NoAnswer ? exchange.throw(answer) : exchange.next(answer)
    }
    return { ok: true, result: step.value, made, told: told() }
  } catch (error) {
    const known = error instanceof NoAnswer
    if (!known)
      run.log.error(
        { err: error, provider: run.adapter.id, what: run.what },
        'an exchange broke, by our fault',
      )
    return {
      ok: false,
      // What only looked for something has started nothing.
      notSent: run.sent.every(({ method }) => method === 'GET'),
      detail: known ? error.message : 'the exchange broke',
      made,
      told: told(),
    }
  }
}

const mentions = ({ body = '', path, headers = {} }: WireRequest, address: string): boolean =>
  [body, path, ...Object.values(headers)].some((text) => text.includes(address))

async function answerTo<Result>(run: Run<Result>, request: WireRequest): Promise<WireAnswer | NoAnswer> {
  try {
    if (request.token === undefined) return await attempt(run, request)
    const answer = await attempt(run, request, await tokenFor(run, request.token))
    if (!run.adapter.tokenRefused(answer)) return answer
    // It was refused before anything was done: it may be made again, once.
    run.sent.pop()
    run.tokens.delete(tokenKey(run, request.token))
    return await attempt(run, request, await tokenFor(run, request.token))
  } catch (error) {
    if (error instanceof NoAnswer) return error
    throw error
  }
}

/** Tried again while no connection can be made, for a short while. */
async function attempt<Result>(
  run: Run<Result>,
  request: WireRequest,
  token?: Token,
  what: Made['what'] = run.what,
): Promise<WireAnswer> {
  const headers = {
    ...request.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token.value}` }),
  }
  const full = { ...request, headers }
  const { beginMs, againMs } = run.limits
  for (let tries = 1; ; tries++) {
    const begun = performance.now()
    const waitedMs = run.since === undefined ? 0 : run.clock.now().getTime() - run.since.getTime()
    if (Math.max(begun - run.begunMs, waitedMs) > beginMs)
      throw new NoAnswer('it is too late to send this', { notSent: true })
    try {
      const answer = await recorded(run, full, what)
      if (what !== 'token') run.sent.push(request)
      return answer
    } catch (error) {
      check(error instanceof NoAnswer, 'a request that fails says how')
      if (!error.notSent && what !== 'token') run.sent.push(request)
      const mayRepeat = error.notSent && tries < triesMax && performance.now() - run.begunMs < againMs
      if (!mayRepeat) throw error
      await sleep(pauseMs * tries)
    }
  }
}

async function recorded<Result>(
  run: Run<Result>,
  request: WireRequest,
  what: Made['what'],
): Promise<WireAnswer> {
  const at = run.clock.now()
  const begun = performance.now()
  const { redactor } = run
  const keep = (came: Pick<Made, 'status' | 'answer' | 'problem'>) => {
    const said = [redactor.headers(request.headers ?? {}), redactor.body(request.body ?? '')]
    run.made.push({
      what,
      method: request.method,
      path: redactor.body(request.path),
      request: said.join('\n\n'),
      durationMs: Math.round(performance.now() - begun),
      at,
      ...came,
    })
  }
  try {
    const { baseUrl } = run.settings
    const answer = await dispatch(run, { baseUrl, request, once: what === 'start' })
    keep({ status: answer.status, answer: redactor.body(answer.body), problem: undefined })
    return answer
  } catch (error) {
    check(error instanceof NoAnswer, 'a request that fails says how')
    keep({ status: undefined, answer: undefined, problem: error.message })
    throw error
  }
}

const tokenKey = <Result>({ adapter, mode, settings }: Run<Result>, product: string): string =>
  `${adapter.id} ${mode} ${settings.baseUrl} ${product}`

/** One at a time: those who need it meanwhile wait for the same. */
async function tokenFor<Result>(run: Run<Result>, product: string): Promise<Token> {
  const key = tokenKey(run, product)
  const known = run.tokens.get(key)
  if (known !== undefined && known.goodUntilMs > performance.now()) return known.token
  const fetching = fetchToken(run, product)
  const entry = { token: fetching, goodUntilMs: Number.POSITIVE_INFINITY }
  run.tokens.set(key, entry)
  try {
    const token = await fetching
    const seconds = Math.max(token.seconds - earlySeconds, token.seconds / 2)
    entry.goodUntilMs = performance.now() + 1_000 * seconds
    return token
  } catch (error) {
    if (run.tokens.get(key) === entry) run.tokens.delete(key)
    throw error
  }
}

/** Whatever goes wrong here, nothing of the order itself was sent. */
async function fetchToken<Result>(run: Run<Result>, product: string): Promise<Token> {
  for (let tries = 1; ; tries++) {
    try {
      const exchange = run.adapter.token(run.settings, product)
      let step = exchange.next()
      for (let requests = 0; !step.done; requests++) {
        check(requests < requestsMax, `an exchange has at most ${requestsMax} requests`)
        step = exchange.next(await attempt(run, step.value, undefined, 'token'))
      }
      const token = step.value
      check(token.value !== '' && token.seconds > 0, 'a token has a value and a time')
      run.redactor.learn(token.value)
      return token
    } catch (error) {
      if (tries >= 2 || performance.now() - run.begunMs > run.limits.againMs) {
        const why = error instanceof Error ? error.message : 'unknown'
        throw new NoAnswer(`no token: ${why}`, { notSent: true })
      }
      await sleep(pauseMs * tries)
    }
  }
}

interface Sending {
  baseUrl: string
  request: WireRequest
  /** On a connection of its own. */
  once: boolean
}

function poolOf({ pools, limits }: Line, origin: string, once: boolean): Pool {
  const key = `${origin} ${once}`
  const known = pools.get(key)
  if (known !== undefined) return known
  const pool = new Pool(origin, {
    connect: { timeout: limits.connectMs },
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // A limit of our own, which covers the whole answer.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  pools.set(key, pool)
  return pool
}

async function dispatch(line: Line, { baseUrl, request, once }: Sending): Promise<WireAnswer> {
  if (line.inFlight.count >= inFlightMax) throw new NoAnswer('too many requests at once', { notSent: true })
  const { origin, pathname } = new URL(baseUrl)
  const pool = poolOf(line, origin, once)
  line.inFlight.count++
  try {
    return await new Promise<WireAnswer>((resolve, reject) => {
      const { method, body = null } = request
      const path = `${pathname.replace(/\/$/, '')}${request.path}`
      const handler = listen({ resolve, reject, answerMs: line.limits.answerMs })
      pool.dispatch({ path, method, headers: { ...request.headers }, body, reset: once }, handler)
    })
  } catch (error) {
    if (error instanceof NoAnswer) throw error
    throw new NoAnswer(wordsOf(error), { notSent: true })
  } finally {
    line.inFlight.count--
  }
}

interface Listening {
  resolve: (answer: WireAnswer) => void
  reject: (error: NoAnswer) => void
  answerMs: number
}

/** Until the request is given to a connection, nothing was sent; from then on everything may have been. */
function listen({ resolve, reject, answerMs }: Listening): Dispatcher.DispatchHandler {
  let begun = false
  let timer: NodeJS.Timeout | undefined
  let status = 0
  let headers: Record<string, string> = {}
  const chunks: Buffer[] = []
  let read = 0
  return {
    onRequestStart: (controller) => {
      begun = true
      timer = setTimeout(() => controller.abort(new Error('no answer in time')), answerMs)
    },
    onResponseStart: (_controller, given, fields) => {
      status = given
      headers = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
      )
    },
    onResponseData: (controller, chunk) => {
      read += chunk.length
      if (read > answerBytesMax) controller.abort(new Error('the answer is too long'))
      // A chunk is a view of what the parser uses again.
      else chunks.push(Buffer.from(chunk))
    },
    onResponseEnd: () => {
      clearTimeout(timer)
      resolve({ status, headers, body: Buffer.concat(chunks).toString('utf8') })
    },
    onResponseError: (_controller, error) => {
      clearTimeout(timer)
      reject(new NoAnswer(wordsOf(error), { notSent: !begun }))
    },
  }
}

/** The system's word for it, or the library's. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return (code ?? (error.message || error.name)).slice(0, 200)
}
