// A request that is there already, and its answer, which leaves in one piece: what Fastify uses of Node's IncomingMessage
// and ServerResponse, without the streams that those are. What must stay true: `finish` comes once an answer was handed to
// the system, `close` after it or when the connection has gone, each once; an answer has as many bytes as it says; and no
// header can begin a new line.
import { EventEmitter } from 'node:events'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { check } from '../../base/check.ts'
import { systemClock } from '../../base/clock.ts'
import type { PlainRequest } from './read.ts'

type Listener = (...given: never[]) => void

export class DirectRequest extends EventEmitter {
  readonly method = 'POST'
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly complete = true
  readonly socket: Socket
  readonly headers: Record<string, string>
  url: string
  originalUrl: string | undefined
  aborted = false
  destroyed = false
  #body: Buffer | undefined
  #onData: ((bytes: Buffer) => void) | undefined
  #onEnd: (() => void) | undefined

  constructor(socket: Socket, { url, headers, body }: PlainRequest) {
    super()
    this.socket = socket
    this.url = url
    this.headers = headers
    this.#body = body
  }

  override on(name: string, listener: Listener): this {
    // All of it is here, so nothing can go wrong on its way.
    if (name === 'error') return this
    if (name === 'data') this.#onData = listener as (bytes: Buffer) => void
    else if (name === 'end') this.#onEnd = listener as () => void
    else super.on(name, listener as () => void)
    return this
  }

  override removeListener(name: string, listener: Listener): this {
    if (name === 'error') return this
    if (name === 'data') this.#onData = undefined
    else if (name === 'end') this.#onEnd = undefined
    else super.removeListener(name, listener as () => void)
    return this
  }

  override addListener(name: string, listener: Listener): this {
    return this.on(name, listener)
  }

  override off(name: string, listener: Listener): this {
    return this.removeListener(name, listener)
  }

  /** Gives the body, at once, to who has asked for it. */
  resume(): this {
    const body = this.#body
    this.#body = undefined
    if (body === undefined) return this
    if (body.length > 0) this.#onData?.(body)
    this.#onEnd?.()
    return this
  }

  destroy(): this {
    this.socket.destroy()
    return this
  }
}

type Headers = Record<string, string | number | readonly string[] | undefined>

export interface Answering {
  keepAliveSeconds: number
  standing: Standing
  /** The whole answer is on its way; `last`: nothing may follow on this connection. */
  onSent: (last: boolean) => void
}

export class DirectResponse extends EventEmitter {
  readonly req: DirectRequest
  statusCode = 200
  headersSent = false
  writableEnded = false
  destroyed = false
  #answering: Answering
  #set: Headers = {}
  #head = ''
  #last = false
  /** Its length is said already. */
  #sized = false
  /** It has no body. */
  #bare = false
  #pieces: (string | Buffer)[] = []
  #onFinish: Listener[] = []
  #onClose: Listener[] = []

  constructor(req: DirectRequest, answering: Answering) {
    super()
    this.req = req
    this.#answering = answering
  }

  /** Those that every answer has are kept by themselves, without what else can be done with listeners. */
  override on(name: string, listener: Listener): this {
    if (name === 'finish') this.#onFinish.push(listener)
    else if (name === 'close') this.#onClose.push(listener)
    // It leaves in one piece or not at all, and who is to be told of an error has gone.
    else if (name !== 'error') super.on(name, listener as () => void)
    return this
  }

  /** Each comes once. */
  override once(name: string, listener: Listener): this {
    return name === 'finish' || name === 'close'
      ? this.on(name, listener)
      : super.once(name, listener as () => void)
  }

  override removeListener(name: string, listener: Listener): this {
    if (name === 'finish') this.#onFinish = without(this.#onFinish, listener)
    else if (name === 'close') this.#onClose = without(this.#onClose, listener)
    else super.removeListener(name, listener as () => void)
    return this
  }

  override addListener(name: string, listener: Listener): this {
    return this.on(name, listener)
  }

  override off(name: string, listener: Listener): this {
    return this.removeListener(name, listener)
  }

  override prependListener(name: string, listener: Listener): this {
    if (name === 'finish') this.#onFinish.unshift(listener)
    else if (name === 'close') this.#onClose.unshift(listener)
    else if (name !== 'error') super.prependListener(name, listener as () => void)
    return this
  }

  override prependOnceListener(name: string, listener: Listener): this {
    return name === 'finish' || name === 'close'
      ? this.prependListener(name, listener)
      : super.prependOnceListener(name, listener as () => void)
  }

  override emit(name: string, ...given: unknown[]): boolean {
    if (name !== 'finish' && name !== 'close') return super.emit(name, ...given)
    for (const listener of name === 'finish' ? this.#onFinish : this.#onClose) listener.call(this)
    return true
  }

  get socket(): Socket {
    return this.req.socket
  }

  get finished(): boolean {
    return this.writableEnded
  }

  setHeader(name: string, value: string): void {
    this.#set[name.toLowerCase()] = value
  }

  getHeader(name: string): Headers[string] {
    return this.#set[name.toLowerCase()]
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  removeHeader(name: string): void {
    delete this.#set[name.toLowerCase()]
  }

  getHeaders(): Headers {
    return { ...this.#set }
  }

  writeHead(status: number, headers: Headers = {}): this {
    check(!this.headersSent, 'an answer has one head')
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}${lineEnd}`
    head += this.#answering.standing.linesBeside(headers, this.#set)
    for (const name in this.#set) if (!(name in headers)) head += linesOf(name, this.#set[name])
    for (const name in headers) head += linesOf(name, headers[name])
    this.#last = String(headers.connection ?? this.#set.connection ?? '').toLowerCase() === 'close'
    head += `Date: ${dateNow()}${lineEnd}`
    if (!this.#last)
      head += `Connection: keep-alive${lineEnd}Keep-Alive: timeout=${this.#answering.keepAliveSeconds}${lineEnd}`
    this.#bare = status === 204 || status === 304
    this.#sized = this.#bare || 'content-length' in headers || 'content-length' in this.#set
    this.#head = head
    this.statusCode = status
    this.headersSent = true
    return this
  }

  /** Nothing that is asked for by POST is answered in pieces. Should it be, they are put together. */
  write(piece: string | Buffer): boolean {
    // From now on it is this answer: should the rest fail to come, no other takes its place.
    if (!this.headersSent) this.writeHead(this.statusCode)
    this.#pieces.push(piece)
    return true
  }

  end(piece?: string | Buffer | null): this {
    if (this.writableEnded) return this
    if (!this.headersSent) this.writeHead(this.statusCode)
    if (piece !== undefined && piece !== null) this.#pieces.push(piece)
    this.writableEnded = true
    if (this.destroyed) return this
    if (this.#bare) this.#pieces = []
    this.#send()
    if (this.socket.writableLength === 0) process.nextTick(finish, this)
    // Who reads slowly has it when the last of it has left.
    else this.socket.write('', (error) => (error ? abandon(this) : finish(this)))
    return this
  }

  #send(): void {
    const [only = ''] = this.#pieces
    if (this.#sized && this.#pieces.length <= 1 && typeof only === 'string') {
      this.socket.write(`${this.#head}${lineEnd}${only}`)
    } else {
      const body = Buffer.concat(this.#pieces.map((piece) => Buffer.from(piece as Buffer)))
      const size = this.#sized ? '' : `content-length: ${body.length}${lineEnd}`
      this.socket.write(Buffer.concat([Buffer.from(`${this.#head}${size}${lineEnd}`), body]))
    }
    this.#answering.onSent(this.#last)
  }

  destroy(): this {
    this.socket.destroy()
    return this
  }
}

/** The connection has gone before the answer. */
export function abandon(response: DirectResponse): void {
  const { req } = response
  req.aborted = true
  req.destroyed = true
  response.destroyed = true
  req.emit('close')
  response.emit('close')
}

function finish(response: DirectResponse): void {
  response.emit('finish')
  response.req.emit('close')
  response.destroyed = true
  response.emit('close')
}

const without = (listeners: Listener[], gone: Listener) => listeners.filter((listener) => listener !== gone)

/** What every answer carries that says nothing else under these names. */
export interface Standing {
  linesBeside(said: Headers, other: Headers): string
}

export function openStanding(headers: Readonly<Record<string, string>>): Standing {
  const lines = new Map(Object.entries(headers).map(([name, value]) => [name, lineOf(name, value)]))
  const all = [...lines.values()].join('')
  return {
    linesBeside: (said, other) => {
      const isSaid = (name: string) => name in said || name in other
      for (const name in said) if (lines.has(name)) return linesWithout(lines, isSaid)
      for (const name in other) if (lines.has(name)) return linesWithout(lines, isSaid)
      return all
    },
  }
}

function linesWithout(lines: ReadonlyMap<string, string>, isSaid: (name: string) => boolean): string {
  let left = ''
  for (const [name, line] of lines) if (!isSaid(name)) left += line
  return left
}

const lineEnd = '\r\n'
const nameForm = /^[a-z0-9-]+$/i
const valueForm = /^[\t\x20-\x7e]*$/

/** The line that was made first for each name: most headers are the same in every answer. None: it is not always so. */
const made = new Map<string, { value: string; line: string } | undefined>()
const madeMax = 200

function linesOf(name: string, value: Headers[string]): string {
  if (value === undefined) return ''
  if (typeof value === 'object') return value.map((one) => lineOf(name, one)).join('')
  const first = made.get(name)
  if (first !== undefined && first.value === value) return first.line
  const isKnown = first !== undefined || made.has(name)
  const line = isKnown ? lineUnder(name, String(value)) : lineOf(name, String(value))
  if (first !== undefined) made.set(name, undefined)
  else if (typeof value === 'string' && made.size < madeMax && !isKnown) made.set(name, { value, line })
  return line
}

function lineOf(name: string, value: string): string {
  check(nameForm.test(name), notPlain)
  return lineUnder(name, value)
}

/** Under a name that was looked at. */
function lineUnder(name: string, value: string): string {
  check(valueForm.test(value), notPlain)
  return `${name}: ${value}${lineEnd}`
}

const notPlain = 'a header of an answer is a name and plain text'

let dateText = ''
let dateUntilMs = 0

/** As Node's server says it: whatever the time of a test is, it is the time of the answer. */
function dateNow(): string {
  const nowMs = performance.now()
  if (nowMs >= dateUntilMs) {
    const now = systemClock.now()
    dateText = now.toUTCString()
    dateUntilMs = nowMs + 1_000 - now.getMilliseconds()
  }
  return dateText
}
