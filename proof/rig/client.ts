// People and shops over HTTP. Every act is written down before it is sent and when its answer has come. An act without
// an answer, or with a 5xx, may have happened: it is kept, and `repeat` sends it again with its key until somebody knows.
// Use:
//
//   const client = await openClient({ url: front.url, folder })
//   const heard = await client.act(asPerson(amina, { act: 'send', route: 'POST /api/send', key: randomUUID(), body }))
//   heard.outcome        // 'done', 'refused', 'unknown'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Act, Answered, JournalEntry, Sent } from '../check/journal.ts'
import { type Lines, openLines } from './journal.ts'
import type { Person, Shop } from './world.ts'

/** Whoever asks looks into answers of every shape. */
export type Loose = ReturnType<typeof JSON.parse>

export interface Request {
  act: Act
  /** Method and template: `POST /api/groups/:id/contribute`. */
  route: string
  /** The address, where the template has a parameter or there is a query. */
  path?: string
  key?: string
  who: string
  mode?: 'live' | 'test'
  headers?: Record<string, string>
  body?: object
  /** The body of a form, instead. */
  form?: Record<string, string>
  /** What the journal has for the body of a form: no password and no PIN. */
  noted?: object
  /** Of a page: what it says. */
  outcomeOf?: (heard: Heard) => Heard['outcome'] | Promise<Heard['outcome']>
}

export interface Heard {
  /** 0: there was no answer. */
  status: number
  text: string
  /** Undefined when it was none. */
  json: Loose
  headers: Record<string, string | string[] | undefined>
  outcome: 'done' | 'refused' | 'unknown'
  /** Why there was no answer. */
  error?: string
  ms: number
}

export interface Client {
  url: string
  /** The path of the journal. */
  journal: string
  act(request: Request, carry?: Carry): Promise<Heard>
  /** Is not written down: for what is no promise, as pages to look at. */
  look(request: Omit<Request, 'act' | 'who'>, carry?: Carry): Promise<Heard>
  /** Acts with a key of which nobody knows yet what came of them. */
  unknown(): Request[]
  /** Answers that nobody should ever get: 500. */
  broken: string[]
  counts: { done: number; refused: number; unknown: number }
  close(): Promise<void>
}

/** How a request gets there, when not by the client's own connections. */
export type Carry = (raw: Raw) => Promise<Carried>

export interface Raw {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Carried {
  statusCode: number
  headers: Heard['headers']
  body: { text(): Promise<string> }
}

export interface ClientOptions {
  url: string
  folder: string
  name?: string
  connections?: number
  answerMs?: number
  /** False: a line is in the journal a moment after it was written. */
  forced?: boolean
  /** Where several journals become one: what its requests are numbered from. */
  numbersFrom?: number
}

export async function openClient(options: ClientOptions): Promise<Client> {
  const { url, folder, name = 'clients', connections = 128, answerMs = 30_000 } = options
  const { forced = true, numbersFrom = 1 } = options
  const lines: Lines<JournalEntry> = await openLines(join(folder, `${name}.jsonl`), { forced })
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: answerMs, bodyTimeout: answerMs })
  const open = new Map<string, Request>()
  const broken: string[] = []
  const counts = { done: 0, refused: 0, unknown: 0 }
  let n = numbersFrom - 1
  const byPool: Carry = ({ method, ...raw }) => pool.request({ method: method as 'GET', ...raw })
  const act = async (request: Request, carry = byPool): Promise<Heard> => {
    n += 1
    const number = n
    await lines.write(sentOf(number, request))
    const heard = await send(carry, request)
    if (heard.status !== 0) await lines.write(answeredOf(number, { request, heard }))
    counts[heard.outcome] += 1
    if (heard.status === 500) broken.push(`${request.route}: ${heard.text.slice(0, 300)}`)
    if (request.key !== undefined) {
      const id = `${request.who} ${request.route} ${request.key}`
      if (heard.outcome === 'unknown') open.set(id, request)
      else open.delete(id)
    }
    return heard
  }
  return {
    url,
    journal: lines.path,
    act,
    look: (request, carry = byPool) => send(carry, { ...request, act: 'look', who: '-' }),
    unknown: () => [...open.values()],
    broken,
    counts,
    close: async () => {
      await pool.destroy()
      await lines.close()
    },
  }
}

type Asked = Pick<Request, 'route'> & Partial<Request>

/** With the token of this person. */
export const asPerson = (person: Pick<Person, 'id' | 'token'>, request: Asked & { act: Act }): Request => ({
  ...request,
  who: person.id,
  headers: { authorization: `Bearer ${person.token}`, ...request.headers },
})

/** With the API key of this shop, as each of the two interfaces wants it. */
export const asShop = (
  shop: Pick<Shop, 'id' | 'live' | 'test'>,
  mode: 'live' | 'test',
  request: Asked & { act: Act },
): Request => ({
  ...request,
  mode,
  who: `merchant:${shop.id}`,
  headers: request.route.includes('/api/v1/')
    ? { 'svc-merchant-key': String(shop.id), 'svc-api-key': shop[mode].key, ...request.headers }
    : { 'x-svc-key': shop[mode].key, ...request.headers },
})

const triesMax = 100

/** A service that has too much to do says so, and is asked again. */
export function patient(client: Client): Client {
  const again = async (ask: () => Promise<Heard>): Promise<Heard> => {
    let heard = await ask()
    for (let tries = 0; heard.status === 503 && tries < triesMax; tries++) {
      await sleep(200)
      heard = await ask()
    }
    return heard
  }
  return {
    ...client,
    act: (request, carry) => again(() => client.act(request, carry)),
    look: (request, carry) => again(() => client.look(request, carry)),
  }
}

const sentOf = (n: number, request: Request): Sent => {
  const { act, route, path, key, who, mode, body, noted = body } = request
  const given = { path, key, mode, body: withoutPin(noted) }
  const there = Object.entries(given).filter(([, value]) => value !== undefined)
  return { n, at: Date.now(), phase: 'sent', act, route, who, ...Object.fromEntries(there) }
}

/** Nobody needs it, and what is not written down can't be found. */
const withoutPin = (body: object | undefined): object | undefined => {
  if (body === undefined || !('pin' in body)) return body
  const { pin: _pin, ...rest } = body
  return rest
}

function answeredOf(n: number, { request, heard }: { request: Request; heard: Heard }): Answered {
  const { status, text, headers, outcome } = heard
  return {
    n,
    at: Date.now(),
    phase: 'answered',
    status,
    body: request.form === undefined ? text : '',
    ...(headers['idempotency-replayed'] === undefined ? {} : { replayed: true }),
    ...(request.outcomeOf === undefined ? {} : { outcome }),
  }
}

async function send(carry: Carry, request: Request): Promise<Heard> {
  const [method = 'GET', template = '/'] = request.route.split(' ')
  const began = performance.now()
  const ms = () => performance.now() - began
  try {
    const answer = await carry({ method, path: request.path ?? template, ...bodyOf(request) })
    const text = await answer.body.text()
    const status = answer.statusCode
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const plain: Heard = {
      status,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
      headers: answer.headers,
      outcome: 'unknown',
      ms: ms(),
    }
    return { ...plain, outcome: (await request.outcomeOf?.(plain)) ?? outcomeByStatus(status) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { status: 0, text: '', json: undefined, headers: {}, outcome: 'unknown', error: why, ms: ms() }
  }
}

/** 5xx says nothing. */
export const outcomeByStatus = (status: number): Heard['outcome'] =>
  status >= 500 ? 'unknown' : status >= 200 && status < 300 ? 'done' : 'refused'

function bodyOf({ body, form, key, headers = {} }: Request): Pick<Raw, 'headers' | 'body'> {
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const text = form === undefined ? body && JSON.stringify(body) : new URLSearchParams(form).toString()
  return {
    headers: {
      ...(text === undefined ? {} : { 'content-type': type }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  }
}
