// A bare server, with the direct way or without, and what is said to it byte by byte.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerBrokenRequest, watchConnections } from '../src/http/broken-requests.ts'
import { serveDirectly } from '../src/http/direct/direct.ts'
import { DirectRequest } from '../src/http/direct/messages.ts'

export interface Served {
  server: Server
  port: number
  /** How many requests came by the direct way. */
  direct: () => number
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

export async function serve({
  handle = echo,
  direct = true,
  settings = {},
  standing = {},
} = {}): Promise<Served> {
  let count = 0
  const server = createServer({ requireHostHeader: false, ...settings }, (request, response) => {
    if ((request as unknown) instanceof DirectRequest) count += 1
    handle(request, response)
  })
  watchConnections(server)
  server.on('clientError', answerBrokenRequest)
  if (direct) serveDirectly(server, { standing })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, port: (server.address() as AddressInfo).port, direct: () => count }
}

/** Says what it has understood. */
export function echo(request: IncomingMessage, response: ServerResponse): void {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const { method, url, headers, httpVersion } = request
    const text = JSON.stringify({
      method,
      url,
      headers,
      httpVersion,
      body: Buffer.concat(pieces).toString('base64'),
    })
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    })
    response.end(text)
  })
  request.resume()
}

export const good = (body = '{"a":1}', more = '') =>
  `POST /api/send?a=%20b HTTP/1.1\r\nHost: localhost:8080\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
export const goodbye = 'GET /goodbye HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

const dateForm = /\r\nDate: [^\r]+/g
/** With an id that is never the same. */
const refusalForm = /HTTP\/1\.1 400 Bad Request\r\n.*$/s
export const refusal = '(refused)'

/** Everything that comes back until the connection closes, or until nothing has come for a while. */
export async function talk(
  port: number,
  pieces: readonly (string | Buffer)[],
  silentMs = 150,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const received: Buffer[] = []
  let heardAt = performance.now()
  socket.on('data', (bytes) => {
    heardAt = performance.now()
    received.push(bytes)
  })
  socket.on('error', () => undefined)
  const closed = once(socket, 'close').then(
    () => true,
    () => true,
  )
  await once(socket, 'connect')
  for (const piece of pieces) {
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
    // Until it is answered, or was left alone for a while: what is sent together is also read together.
    const before = received.length
    for (let waits = 0; waits < 10 && received.length === before; waits++) await sleep(3)
  }
  heardAt = performance.now()
  while (performance.now() - heardAt < silentMs) if (await Promise.race([closed, sleep(20, false)])) break
  socket.destroy()
  return Buffer.concat(received)
    .toString('latin1')
    .replaceAll(dateForm, '\r\nDate: now')
    .replace(refusalForm, refusal)
}

export const openSocket = async (port: number): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
