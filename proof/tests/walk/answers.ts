// What every answer must be, whatever was sent.
import { isUtf8 } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { marks } from '../../../server/test/fuzz/nasties.ts'
import type { Told } from './sender.ts'
import type { Surface } from './surface.ts'
import type { Step, Walk } from './walk.ts'

/** The promise. On a busy machine what is slow gets another chance, and is held against what a login takes. */
export const slowMs = 2_000
const triesMax = 3

export interface Counts {
  answers: number
  /** 503: too much to do, asked again. */
  busy: number
  slowestMs: number
  byStatus: Map<number, number>
}

export const newCounts = (): Counts => ({ answers: 0, busy: 0, slowestMs: 0, byStatus: new Map() })

/** What is wrong with the answer, in a sentence that has all that is needed to send it again. */
export async function judgeStep(walk: Walk, step: Step, counts: Counts): Promise<string | undefined> {
  let { told } = step
  count(counts, told)
  for (let tries = 0; tries < triesMax && deservesAnother(told); tries++) {
    await sleep(300)
    told = await walk.send(step.input, step.headers)
    count(counts, told)
  }
  const limitMs = told.ms <= slowMs ? slowMs : slowMs + 3 * (await loginMs(walk))
  const problem = problemOf(walk.surface, { ...step, told }, limitMs)
  if (problem === undefined) return undefined
  return `${problem}: ${shown(step)} was answered with ${told.status} ${told.text.slice(0, 300)}`
}

/** How long the most work that one request may ask for takes just now: a password is hashed by what others leave of a machine. */
async function loginMs({ sender, callers: { juma } }: Walk): Promise<number> {
  const body = Buffer.from(JSON.stringify({ handle: juma.handle, password: juma.password }))
  const headers = { 'content-type': 'application/json' }
  return (await sender.send({ method: 'POST', url: '/api/auth/login', headers, body })).ms
}

/** Slow or silent because of what was sent, or because the machine was busy? */
const deservesAnother = ({ status, error, ms }: Told): boolean =>
  error !== undefined || status === 503 || ms > slowMs

function count(counts: Counts, { status, ms }: Told): void {
  counts.answers += 1
  if (status === 503) counts.busy += 1
  counts.slowestMs = Math.max(counts.slowestMs, Math.round(ms))
  counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
}

function problemOf(surface: Surface, { route, input, told }: Step, limitMs: number): string | undefined {
  const { status, headers, text, ms, error } = told
  if (error !== undefined) return `no answer (${error})`
  if (status === 0) return ms > limitMs ? 'it hangs' : undefined
  if (status >= 500) return `status ${status}`
  if (ms > limitMs) return `it took ${Math.round(ms)} ms`
  const type = String(headers['content-type'] ?? '')
  if (type.startsWith('text/html') && marks.some((mark) => text.includes(mark)))
    return 'HTML that was sent is in the page'
  if (headers['x-request-id'] === undefined && route.path.startsWith('/api')) return 'it has no request id'
  if (text === '' || input.method === 'HEAD' || headers['content-encoding'] !== undefined) return undefined
  const isAsMade = !/another (path|method)/.test(input.kind)
  const answering = isAsMade ? route : surface.routeOf(input.method, input.url)
  const misfit = surface.misfit({ route: answering, status, type, text })
  if (misfit !== undefined || status < 400 || !type.startsWith('application/json')) return misfit
  return wrongError(told)
}

/** What a schema can't say of the envelope. */
function wrongError({ status, headers, text }: Told): string | undefined {
  const { code, message, request_id: id, errors } = JSON.parse(text)
  if (id !== headers['x-request-id']) return 'the request ids differ'
  if (message.trim().length < 10) return 'the message says nothing'
  if (/\bat \S+ \(|\.ts:\d|node_modules|node:internal/.test(text)) return 'it shows what is inside'
  if (status === 429 && headers['retry-after'] === undefined) return 'Retry-After is missing'
  if (code === 'validation_failed' && Object.keys(errors ?? {}).length === 0)
    return 'validation_failed names no field'
  return undefined
}

/** Whole, so that it can be sent again. */
const shown = ({ input: { kind, method, url, body, headers, as } }: Step): string =>
  JSON.stringify({ kind, method, url, headers, body: body && shownBytes(body), as }).slice(0, 1_500)

const shownBytes = (bytes: Buffer) =>
  isUtf8(bytes) ? bytes.toString().slice(0, 800) : { base64: bytes.toString('base64').slice(0, 800) }
