// Messages that are nearly HTTP: good ones of which bytes were changed, cut, repeated, or mixed with what proxies and servers
// have read in two ways; how one is sent, and what may come back.
import { connect } from 'node:net'
import fc from 'fast-check'
import type { Input } from './inputs.ts'

/** What a message may hold in the wrong place. */
const intruders = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\0',
    ' ',
    '\t',
    ':',
    '%',
    '\u00ff',
    'GET / HTTP/1.1\r\n\r\n',
    'HTTP/9.9',
    '0\r\n\r\n',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    'Transfer-Encoding : chunked\r\n',
  ],
  ...[
    'Content-Length: 0\r\n',
    'Content-Length: -1\r\n',
    'Content-Length: 99999999999999999999\r\n',
    'Content-Length: 1e3\r\n',
  ],
  ...[
    'Content-Length: 5\r\nContent-Length: 6\r\n',
    'Host: a\r\nHost: b\r\n',
    'Host:\r\n',
    ' folded\r\n',
    'X: \u0001\r\n',
  ],
  ...[
    'Connection: upgrade\r\nUpgrade: h2c\r\n',
    'Expect: 100-continue\r\n',
    'Expect: nothing\r\n',
    'Trailer: x\r\n',
  ],
  `X: ${'a'.repeat(20_000)}\r\n`,
  'a: b\r\n'.repeat(200),
].map((text) => Buffer.from(text, 'latin1'))

export type Edit = (bytes: Buffer) => Buffer

export const edit: fc.Arbitrary<Edit> = fc
  .record({
    how: fc.constantFrom('flip', 'cut', 'drop', 'repeat', 'insert', 'insert at a line'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 40 }),
    byte: fc.nat({ max: 255 }),
    intruder: fc.constantFrom(...intruders),
  })
  .map(({ how, place, length, byte, intruder }) => (bytes) => {
    const lines = [...bytes.toString('latin1').matchAll(/\r\n/g)].map(({ index }) => index + 2)
    const at =
      how === 'insert at a line'
        ? (lines[Math.floor(place * lines.length)] ?? 0)
        : Math.floor(place * bytes.length)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    switch (how) {
      case 'flip':
        return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)])
      case 'cut':
        return Buffer.from(before)
      case 'drop':
        return Buffer.concat([before, after.subarray(length)])
      case 'repeat':
        return Buffer.concat([before, after.subarray(0, length), after])
      default:
        return Buffer.concat([before, intruder, after])
    }
  })

export function messageOf(
  { method, url, headers, body }: Pick<Input, 'method' | 'url' | 'headers' | 'body'>,
  credential: Record<string, string>,
): Buffer {
  const sent = {
    host: 'localhost',
    connection: 'close',
    ...credential,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  return Buffer.concat([head, body ?? Buffer.alloc(0)])
}

/** Sends, says that nothing more comes, and reads until the other side is done too. */
export function exchange(
  bytes: Buffer,
  { port, silentMs }: { port: number; silentMs: number },
): Promise<{ text: string; ms: number }> {
  const began = performance.now()
  const { promise, resolve } = Promise.withResolvers<{ text: string; ms: number }>()
  const parts: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const done = () => {
    clearTimeout(timer)
    socket.destroy()
    resolve({ text: Buffer.concat(parts).toString('latin1'), ms: performance.now() - began })
  }
  const timer = setTimeout(done, silentMs)
  socket.on('data', (part) => void parts.push(part))
  // Reset by the server: it has said all it wanted to.
  socket.on('error', done)
  socket.on('close', done)
  socket.on('end', done)
  socket.end(bytes)
  return promise
}

/** Of the first answer: behind it may be others, to what the rest of the message seemed to be. */
export function problemOf(text: string): string | undefined {
  if (text === '') return undefined
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))
  if (statuses.length === 0) return 'no answer of HTTP'
  const bad = statuses.find((status) => status >= 500)
  if (bad !== undefined) return `status ${bad}`
  const refusal = /HTTP\/1\.[01] 4\d\d .*?\r\n\r\n(\{.*?\})(?:HTTP|\r\n|$)/s.exec(text)
  if (refusal === null || !/content-type: application\/json/i.test(text)) return undefined
  const { success, code, request_id: id } = JSON.parse(refusal[1] ?? '')
  return success === false && typeof code === 'string' && /^req_/.test(id)
    ? undefined
    : 'an error of another shape'
}
