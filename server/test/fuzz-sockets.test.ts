// Whatever arrives on a connection, whether or not it is HTTP: the answer is a refusal of ours or nothing, never a 5xx,
// it comes in time, and the service goes on. Good messages for every route are taken, and bytes of them changed, cut,
// repeated or mixed with what proxies and servers have read in two ways. SEED repeats a run; FUZZ says how many (300).
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { openCaller, openStage } from './fuzz/callers.ts'
import { type Input, inputsOf } from './fuzz/inputs.ts'
import { described } from './fuzz/pages.ts'
import { testApp } from './helpers.ts'
import { seed } from './ledger-orders.ts'
import { type Route, routeTable } from './route-table.ts'

const runs = Number(process.env.FUZZ ?? 300)
const slowMs = 2_000

const table = routeTable()
const server = await testApp({ watch: table.watch })
const port = Number(new URL(await server.listen()).port)
const stage = await openStage(server)
const routes = table.routes().map(described)
const caller = await openCaller(stage, routes.find(({ path }) => path === '/api/me') as Route)

const anyInput = fc.constantFrom(...routes).chain((route) => inputsOf(route, caller.known))

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

type Edit = (bytes: Buffer) => Buffer

const edit: fc.Arbitrary<Edit> = fc
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

test(`${runs} broken messages, SEED=${seed}`, async () => {
  const message = fc
    .tuple(anyInput, fc.array(edit, { maxLength: 3 }))
    .map(([input, edits]) => edits.reduce((bytes, change) => change(bytes), messageOf(input)))
  await fc.assert(
    fc.asyncProperty(message, async (bytes) => {
      let { text, ms } = await exchange(bytes)
      // Slow because of what was sent, or because the machine was busy?
      if (ms > slowMs) ({ text, ms } = await exchange(bytes))
      assert.ok(ms <= slowMs, `it took ${Math.round(ms)} ms: ${JSON.stringify(bytes.toString('latin1'))}`)
      const problem = problemOf(text)
      assert.equal(
        problem,
        undefined,
        `${problem}: ${JSON.stringify(bytes.toString('latin1'))}\n${text.slice(0, 800)}`,
      )
    }),
    { seed, numRuns: runs },
  )
})

test('afterwards the service is ready, and its log has no error', async () => {
  assert.equal((await server.app.inject('/api/health')).statusCode, 200)
  const bad = server.log.lines.filter(({ level }) => level === 'error' || level === 'fatal')
  assert.deepEqual(bad, [])
})

function messageOf({ method, url, headers, body, as, scheme }: Input): Buffer {
  const sent = {
    host: 'localhost',
    connection: 'close',
    ...caller.headersOf(as, scheme),
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  return Buffer.concat([head, body ?? Buffer.alloc(0)])
}

/** Sends, says that nothing more comes, and reads until the other side is done too. */
function exchange(bytes: Buffer): Promise<{ text: string; ms: number }> {
  const began = performance.now()
  const { promise, resolve } = Promise.withResolvers<{ text: string; ms: number }>()
  const parts: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const done = () => {
    clearTimeout(timer)
    socket.destroy()
    resolve({ text: Buffer.concat(parts).toString('latin1'), ms: performance.now() - began })
  }
  const timer = setTimeout(done, 3 * slowMs)
  socket.on('data', (part) => void parts.push(part))
  // Reset by the server: it has said all it wanted to.
  socket.on('error', done)
  socket.on('close', done)
  socket.on('end', done)
  socket.end(bytes)
  return promise
}

/** Of the first answer: behind it may be others, to what the rest of the message seemed to be. */
function problemOf(text: string): string | undefined {
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
