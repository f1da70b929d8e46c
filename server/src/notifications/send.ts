// HTTP leaves here. One request, one answer, within fixed limits, to an address that was checked: what a name leads to is
// looked up and judged by us, the connection goes to exactly that, and the socket is judged once more. Connections are
// kept for the next notification, but never shared between merchants. What must stay true: `send` never rejects, never
// follows a redirect, and holds no more than 64 KiB of what a receiver says.
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { recent } from '../base/recent.ts'
import type { Guard } from './guard.ts'
import { hostOf, literalOf, originOf } from './guard.ts'
import type { Resolve } from './resolve.ts'
import { type Problem, problemOfStatus, type Sent } from './rules.ts'

export interface Parcel {
  /** Whose connections may be used. */
  target: string
  mode: 'live' | 'test'
  url: string
  /** Names and values in turn. */
  headers: string[]
  body: string
  /** On the clock of `performance.now`: later than that nothing leaves, since somebody else may be sending it. */
  untilMs: number
}

export interface Sender {
  send(parcel: Parcel): Promise<Sent | 'too late'>
  sockets(): number
  /** Ends what is under way: it is answered as interrupted. */
  close(): Promise<void>
}

export interface SenderOptions {
  guard: Guard
  resolve: Resolve
}

/** A name must be found in this time, and a connection with TLS made in this time. */
const resolveMs = 5_000
const connectMs = 5_000
/** From the first byte of the request to the end of the answer's headers. */
const answerMs = 15_000
/** What is read of the answer's body, and what is kept. */
const bodyMs = 2_000
const bodyBytesMax = 65_536
const keptBytes = 2_048
const headerBytesMax = 16_384

const connectionsMax = 5
const addressesMax = 8
/** Of one address, before the next one is tried too. */
const addressMs = 2_000
/** Beyond that, connections that nobody uses are closed. */
const socketsMax = 250
const poolsMax = 2_000
const judgedMax = 2_000
const idleMs = 4_000

interface Place {
  pool: Pool
  inFlight: number
  /** What was connected to last. */
  address: string | undefined
}

export function openSender(options: SenderOptions): Sender {
  /** The least recently used first. */
  const places = new Map<string, Place>()
  const open = { sockets: 0, closing: false }
  const placeOf = ({ target, url }: Parcel): Place => {
    const known = places.get(target)
    if (known !== undefined) places.delete(target)
    const place = known ?? openPlace(originOf(url), { ...options, open })
    places.set(target, place)
    return place
  }
  const judged = recent<string>(judgedMax)
  const problemOfUrl = ({ url, mode }: Parcel): string => {
    const key = `${mode} ${url}`
    const known = judged.get(key)
    if (known !== undefined) return known
    const [problem = ''] = options.guard.targetProblems(url, mode)
    judged.set(key, problem)
    return problem
  }
  return {
    send: async (parcel) => {
      if (open.closing) return nothingSent('interrupted')
      const wrong = problemOfUrl(parcel)
      if (wrong !== '') return nothingSent('address_not_allowed', `the address ${wrong}`)
      const place = placeOf(parcel)
      place.inFlight++
      const sent = await exchange(place, parcel)
      place.inFlight--
      const spare = Math.max(open.sockets - socketsMax, places.size - poolsMax)
      if (spare > 0) closeIdle(places, spare)
      if (sent === 'too late') return sent
      return open.closing && sent.status === undefined ? { ...sent, problem: 'interrupted' } : sent
    },
    sockets: () => open.sockets,
    close: async () => {
      open.closing = true
      const closing = [...places.values()].map(({ pool }) => pool.destroy())
      places.clear()
      await Promise.allSettled(closing)
    },
  }
}

/** So many places, if they are idle, those first that were not used for the longest time. */
function closeIdle(places: Map<string, Place>, count: number): void {
  let left = count
  for (const [target, { pool, inFlight }] of places) {
    if (left === 0) return
    if (inFlight > 0) continue
    places.delete(target)
    left--
    pool.destroy().catch(() => undefined)
  }
}

const nothingSent = (problem: Problem, cause?: string): Sent => ({
  durationMs: 0,
  address: undefined,
  status: undefined,
  problem,
  detail: undefined,
  cause,
  retryAfter: undefined,
  response: undefined,
})

function openPlace(origin: string, options: SenderOptions & { open: { sockets: number } }): Place {
  const connect: buildConnector.connector = (_wanted, callback) => {
    dial(new URL(origin), options).then(
      (socket) => {
        place.address = socket.remoteAddress
        options.open.sockets++
        socket.once('close', () => options.open.sockets--)
        callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
  const pool = new Pool(origin, {
    connect,
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Limits of our own, which are exact and cover what these do not.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const place: Place = { pool, inFlight: 0, address: undefined }
  return place
}

/** An error that says what it means for the attempt. */
interface Failure extends Error {
  problem: Problem
}

const failure = (problem: Problem, reason: string, cause?: unknown): Failure =>
  Object.assign(new Error(reason, { cause }), { problem })

/** A connection to an address that was judged. */
async function dial(origin: URL, { guard, resolve }: SenderOptions): Promise<Socket> {
  const host = hostOf(origin)
  const literal = literalOf(host)
  const addresses = literal === undefined ? await resolveInTime(host, resolve) : [literal]
  const refused = addresses.filter((address) => !guard.isAllowed(address))
  // One bad answer refuses all: a mixed one is what an attack looks like.
  if (refused.length > 0 || addresses.length === 0)
    throw failure('address_not_allowed', `leads to ${refused.join(', ')}`)
  const socket = await connectInTime(origin, { host: literal ?? host, addresses })
  const { remoteAddress } = socket
  if (remoteAddress === undefined || !guard.isAllowed(remoteAddress)) {
    socket.destroy()
    throw failure('address_not_allowed', `connected to ${remoteAddress}`)
  }
  return socket
}

async function resolveInTime(name: string, resolve: Resolve): Promise<string[]> {
  const over = new AbortController()
  try {
    const tooLate = sleep(resolveMs, undefined, { signal: over.signal }).then(() => {
      throw new Error('the name servers did not answer in time')
    })
    return await Promise.race([resolve(name), tooLate])
  } catch (cause) {
    throw failure('address_not_allowed', codeOf(cause), cause)
  } finally {
    over.abort()
  }
}

function connectInTime(origin: URL, to: { host: string; addresses: readonly string[] }): Promise<Socket> {
  const secure = origin.protocol === 'https:'
  const place = {
    host: to.host,
    port: Number(origin.port || (secure ? 443 : 80)),
    // Whatever the name is by now: these addresses were judged. For an address by number nothing is looked up.
    lookup: pinnedTo(to.addresses.slice(0, addressesMax)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressMs,
    noDelay: true,
    keepAlive: true,
  }
  return new Promise((resolve, reject) => {
    const socket: Socket | TLSSocket = secure
      ? connectTls({ ...place, ...tlsRules(to.host) })
      : connectTcp(place)
    let reached = false
    let settled = false
    const timer = setTimeout(() => socket.destroy(failure('could_not_connect', 'timed out')), connectMs)
    socket.once('connect', () => {
      reached = true
    })
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      settled = true
      resolve(socket)
    })
    // It stays: between here and its next owner an error must not be nobody's.
    socket.on('error', (error) => {
      if (settled) return
      clearTimeout(timer)
      const known = 'problem' in error ? (error as Failure) : undefined
      reject(known ?? failure(secure && reached ? 'tls' : 'could_not_connect', codeOf(error), error))
    })
  })
}

const tlsRules = (host: string) => ({
  ...(isIP(host) === 0 ? { servername: host } : {}),
  ALPNProtocols: ['http/1.1'],
  minVersion: 'TLSv1.2' as const,
  rejectUnauthorized: true,
})

const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }

function exchange(place: Place, { url, headers, body, untilMs }: Parcel): Promise<Sent | 'too late'> {
  const { pathname, search } = new URL(url)
  const begun = performance.now()
  return new Promise((resolve) => {
    const tell = (heard: Heard) =>
      resolve({ ...heard, address: place.address, durationMs: Math.round(performance.now() - begun) })
    const answer = inTime(listen(tell), { untilMs, tooLate: () => resolve('too late') })
    const request = { path: `${pathname}${search}`, method: 'POST' as const, headers, body }
    try {
      place.pool.dispatch(request, answer)
    } catch (error) {
      resolve(nothingSent('interrupted', codeOf(error)))
    }
  })
}

type Heard = Omit<Sent, 'address' | 'durationMs'>

/**
 * The last look before the request is written. Finding a name and connecting have limits of their own, but a process that
 * stood still finds all of it done when it wakes, before any of its timers has told it what time it is.
 */
const inTime = (
  handler: Dispatcher.DispatchHandler,
  { untilMs, tooLate }: { untilMs: number; tooLate: () => void },
): Dispatcher.DispatchHandler => ({
  ...handler,
  onRequestStart: (controller, context) => {
    if (performance.now() <= untilMs) return handler.onRequestStart?.(controller, context)
    tooLate()
    controller.abort(new Error('too late'))
  },
})

/** Tells once what was heard. The status decides; of the body a little is read, for the log. */
function listen(tell: (heard: Heard) => void): Dispatcher.DispatchHandler {
  let timer: NodeJS.Timeout | undefined
  let answer: Heard | undefined
  let over = false
  let read = 0
  let kept: Buffer[] = []
  const finish = (heard: Heard) => {
    if (over) return
    over = true
    clearTimeout(timer)
    tell(heard)
  }
  const finishAnswer = () => {
    if (answer !== undefined) finish({ ...answer, response: Buffer.concat(kept).subarray(0, keptBytes) })
  }
  /** What was read suffices; the rest would come for ever. */
  const cut = (controller: Dispatcher.DispatchController) => {
    finishAnswer()
    controller.abort(new Error('enough was read'))
  }
  return {
    onRequestStart: (controller) => {
      timer = setTimeout(() => controller.abort(failure('timed_out', 'no answer in time')), answerMs)
    },
    onResponseStart: (controller, status, headers) => {
      // News of an answer that is still to come.
      if (status < 200) return
      clearTimeout(timer)
      timer = setTimeout(cut, bodyMs, controller)
      const problem = problemOfStatus(status)
      answer = {
        status,
        problem,
        detail: problem === 'redirect' ? redirectOf(headers.location) : undefined,
        cause: undefined,
        retryAfter: headerOf(headers['retry-after']),
        response: undefined,
      }
    },
    onResponseData: (controller, chunk) => {
      // A chunk is a view of what the parser uses again.
      if (read < keptBytes) kept.push(Buffer.from(chunk.subarray(0, keptBytes - read)))
      read += chunk.length
      if (read > bodyBytesMax) cut(controller)
    },
    onResponseEnd: finishAnswer,
    onResponseError: (_controller, error) => {
      // The status came in time, and it alone counts.
      finishAnswer()
      finish({ ...unanswered, problem: problemOf(error), cause: codeOf(error) })
      kept = []
    },
  }
}

const unanswered: Heard = {
  status: undefined,
  problem: undefined,
  detail: undefined,
  cause: undefined,
  retryAfter: undefined,
  response: undefined,
}

const redirectOf = (location: string | string[] | undefined): string | undefined =>
  location === undefined ? undefined : `redirect to ${headerOf(location)}, not followed`

const headerOf = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.slice(0, 300)

const badAnswers = /^(HPE_.*|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/

function problemOf(error: Error): Problem {
  if ('problem' in error) return (error as Failure).problem
  const code = codeOf(error)
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return 'interrupted'
  if (badAnswers.test(code) || error.name === 'HTTPParserError') return 'bad_answer'
  // The words of the library for 100 and 101, which nobody asked for.
  return /^bad (response|upgrade)$/.test(error.message) ? 'bad_answer' : 'no_answer'
}

/** The system's word for it, or the library's. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code ?? (error.message || error.name)
}
