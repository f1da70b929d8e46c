// The simulator's HTTP: a small router on node:http. What must stay true: no request, however malformed, ends the
// process or gets no answer at all, unless a knob says so.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Request {
  method: string
  /** As it came, without the query. */
  path: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Route {
  method: string
  /** `/mtn/collection/v1_0/requesttopay/:id`; a slash at the end makes no difference. */
  path: string
  handle?: (request: Request) => Answer | Promise<Answer>
  /** Instead: writes the answer itself, for as long as it likes. */
  stream?: (request: Request, response: ServerResponse) => void
}

/** What happens around a route: `next` lets it do its work. */
export type Around = (request: Request, next: () => Promise<Answer>) => Promise<Answer | 'cut'>

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

export const text = (status: number, body: string, type = 'text/plain; charset=utf-8'): Answer => ({
  status,
  headers: { 'content-type': type },
  body,
})

export interface HttpServer {
  url: string
  close(): Promise<void>
}

export interface Served {
  routes: readonly Route[]
  around: Around
}

export interface HttpOptions {
  port: number
  host: string
  /** Asked for with each request, so that a server can be there before what it serves. */
  served: () => Served
  onError: (error: unknown) => void
}

const bodyBytesMax = 256 * 1024

export async function serve(options: HttpOptions): Promise<HttpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((message, response) => {
    answer(options, message, response).catch((error: unknown) => {
      // A caller that went away while it was still sending is no fault of ours.
      if (!message.complete) return response.destroy()
      options.onError(error)
      if (response.headersSent) response.destroy()
      else write(response, text(500, 'The simulator has failed; its log says why.'))
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const shown = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host
  return {
    url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const listen = (server: Server, { port, host }: HttpOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })

async function answer(
  options: HttpOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(message.url ?? '/', 'http://simulator')
  if (url === null) return write(response, text(400, 'That is no address.'))
  const body = await readBody(message)
  if (body === undefined) return write(response, text(413, 'The body is too large.'))
  const { routes, around } = options.served()
  const found = findRoute(routes, message.method ?? 'GET', url.pathname)
  const request: Request = {
    method: message.method ?? 'GET',
    path: url.pathname,
    params: found?.params ?? {},
    query: url.searchParams,
    headers: Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, String(value ?? '')]),
    ),
    body,
  }
  if (found?.route.stream !== undefined) return found.route.stream(request, response)
  const handle = found?.route.handle ?? (() => json(404, { error: 'There is nothing at this address.' }))
  const result = await around(request, async () => handle(request))
  if (result === 'cut') message.socket.destroy()
  else write(response, result)
}

function write(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** undefined: larger than allowed. */
async function readBody(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  }
  return bytes > bodyBytesMax ? undefined : Buffer.concat(chunks).toString('utf8')
}

interface Found {
  route: Route
  params: Record<string, string>
}

/** Routes without parameters win over those with. */
function findRoute(routes: readonly Route[], method: string, path: string): Found | undefined {
  let found: Found | undefined
  for (const route of routes) {
    if (route.method !== method) continue
    const params = matchPath(route.path, path)
    if (params === undefined) continue
    if (Object.keys(params).length === 0) return { route, params }
    found ??= { route, params }
  }
  return found
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = partsOf(pattern)
  const given = partsOf(path)
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? ''
    if (!part.startsWith(':')) {
      if (part !== value) return undefined
      continue
    }
    const decoded = decode(value)
    if (decoded === undefined) return undefined
    params[part.slice(1)] = decoded
  }
  return params
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/').slice(1)

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
