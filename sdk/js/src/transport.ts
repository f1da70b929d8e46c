// One request: sent, tried again where that is safe, and its answer read. The key that makes a repeated request happen
// once comes with it. Redirects are not followed: a credential goes to the host that was named.
import { failureOf, MfukoError } from './errors.ts'
import { bareRoutes } from './operations.ts'
import { mayRepeat, waitMs } from './retry.ts'

export interface TransportOptions {
  /** Where the service is: `https://pay.example`. */
  baseUrl: string
  /** Of one try, until its answer has been read. Default: 30 000. */
  timeoutMs?: number | undefined
  /** How often a request is tried again when that is safe. Default: 2. */
  retries?: number | undefined
  /** In which the service says what is wrong: `sw`, `fr`; asked at each try. Default: English. */
  language?: (() => string | undefined) | undefined
  /** Another than the built-in one. */
  fetch?: typeof fetch | undefined
}

/** What a single call may want otherwise. */
export interface CallOptions {
  /** Default: a new one, on routes that take one. Keep it to repeat the call later, after a crash for instance. */
  idempotencyKey?: string | undefined
  /** The answer is the one that an earlier request with the same key got: nothing has happened now. */
  onReplayed?: (() => void) | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  retries?: number | undefined
}

export interface Sent extends CallOptions {
  /** `POST /api/pay`, `GET /api/pay/:reference` */
  route: string
  params?: Record<string, string> | undefined
  query?: object | undefined
  body?: unknown
  /** Undefined on routes that take none. */
  idempotencyKey: string | undefined
  /** Asked before it is sent again. False: who asked for it has left, and the next try would be in another's name. */
  mayGoOn?: (() => boolean) | undefined
}

export interface Answer {
  status: number
  body: unknown
  requestId: string | undefined
  /** The same request was answered before, and this is that answer. */
  replayed: boolean
}

export type Transport = (sent: Sent) => Promise<Answer>

export interface TransportParts extends TransportOptions {
  /** What shows who is calling. Asked at each try. */
  credentials: (path: string) => Record<string, string>
}

const defaultTimeoutMs = 30_000
const defaultRetries = 2

export function openTransport(parts: TransportParts): Transport {
  const base = checkedBase(parts.baseUrl)
  return async (sent) => {
    const [method = '', pattern = ''] = sent.route.split(' ')
    const path = pathOf(pattern, sent.params)
    const key = sent.idempotencyKey
    const call: Call = { method, url: base + path + queryOf(sent.query), path, key, sent }
    const tries = 1 + Math.max(0, sent.retries ?? parts.retries ?? defaultRetries)
    for (let tried = 1; ; tried++) {
      try {
        return await tryOnce(parts, call)
      } catch (error) {
        if (tried >= tries || !(error instanceof MfukoError)) throw error
        const { status, retryAfterSeconds } = error
        const wait = waitMs({ tries: tried, retryAfterSeconds, random: someChance() })
        // An answer that came and can't be read is one: its status counts.
        if (wait === undefined || !mayRepeat({ method, hasKey: key !== undefined, status })) throw error
        await pause(wait, sent.signal)
        if (sent.mayGoOn?.() === false) throw error
      }
    }
  }
}

interface Call {
  method: string
  url: string
  path: string
  key: string | undefined
  sent: Sent
}

function checkedBase(baseUrl: string): string {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    throw new TypeError(`baseUrl is not an address: ${baseUrl}`)
  }
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError('baseUrl is the address of the service, like https://pay.example')
  return url.href.replace(/\/+$/, '')
}

function pathOf(pattern: string, params: Record<string, string> = {}): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    // `.` and `..` would be another path.
    if (value === undefined || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} is missing or not a name`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: object | undefined): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) text.set(name, String(value))
  }
  return text.size === 0 ? '' : `?${text}`
}

async function tryOnce(parts: TransportParts, call: Call): Promise<Answer> {
  const { sent, key } = call
  const request = requestOf(parts, call)
  const limit = openLimit(sent.timeoutMs ?? parts.timeoutMs ?? defaultTimeoutMs, sent.signal)
  let response: Response
  let text: string
  try {
    response = await (parts.fetch ?? fetch)(call.url, { ...request, signal: limit.signal })
    text = await response.text()
  } catch (error) {
    // The caller's own reason is the caller's.
    if (sent.signal?.aborted) throw sent.signal.reason
    throw new MfukoError({
      ...(limit.isOver()
        ? { code: 'timed_out', message: 'The service did not answer in time' }
        : { code: 'connection_failed', message: 'The service could not be reached' }),
      status: 0,
      idempotencyKey: key,
      cause: error,
    })
  } finally {
    limit.end()
  }
  return read(response, { text, call })
}

function requestOf(parts: TransportParts, { method, path, key, sent }: Call): RequestInit {
  const language = parts.language?.()
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return {
    method,
    redirect: 'error',
    // The session cookie of a page, for the one route that takes it; never for another site.
    credentials: 'same-origin',
    cache: 'no-store',
    // Judged here: a key that can't be in a header is a mistake of the program, and no service that can't be reached.
    headers: judged({
      accept: 'application/json',
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...parts.credentials(path),
    }),
    ...(hasBody ? { body: JSON.stringify(sent.body ?? {}) } : {}),
  }
}

/** Plain again: who wraps `fetch` adds to them. */
const judged = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(new Headers(headers))

function read(response: Response, { text, call }: { text: string; call: Call }): Answer {
  const { status, headers } = response
  const requestId = headers.get('x-request-id')
  const isJson = /^application\/json\b/i.test(headers.get('content-type') ?? '')
  const body = isJson ? parsed(text) : undefined
  const form = bareRoutes.get(call.sent.route) ?? 'envelope'
  if (response.ok && fits(body, form))
    return {
      status,
      body: form === 'text' ? text : body,
      requestId: requestId ?? undefined,
      replayed: headers.get('idempotency-replayed') === 'true',
    }
  const retryAfter = headers.get('retry-after')
  throw new MfukoError(failureOf({ status, body, requestId, retryAfter, idempotencyKey: call.key }))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A page of something on the way may say success too; what became of the request is then unknown. */
function fits(body: unknown, form: 'envelope' | 'object' | 'text'): boolean {
  if (form === 'text') return true
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  return form === 'object' || 'data' in body
}

/** Aborts when the time is over, or when the caller's own signal does. */
function openLimit(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let over = false
  const timer = setTimeout(() => {
    over = true
    controller.abort()
  }, ms)
  const stop = () => controller.abort(outer?.reason)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    isOver: () => over,
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** From 0 to 1. */
const someChance = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
