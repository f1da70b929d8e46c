// The direct way and Node's own can't be told apart but by the order and case of header names: the same bytes get the same
// answer from a server with it and from one without, whatever they are and however they arrive; and who is served directly,
// or does not read what it is served, is let go when Node would let them go.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { echo, good, goodbye, type Handle, openSocket, refusal, serve, talk } from '../../../test/direct.ts'

const seed = Number(process.env.SEED ?? 1)

const spoilers = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    ' ',
    '\t',
    ':',
    ';',
    ',',
    '"',
    '\0',
    '\x7f',
    '\xe9',
    '#',
    '?',
    '%00',
    '\\',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Content-Length: 3\r\n',
    'Content-Length : 7\r\n',
    'Connection: close\r\n',
  ],
  ...[
    'Connection: Keep-Alive\r\n',
    'Expect: 100-continue\r\n',
    'Upgrade: h2c\r\n',
    'Host: other\r\n',
    'X-A: 1\r\n b\r\n',
  ],
  ...[
    'X-Empty:\r\n',
    'X-Space: a \r\n',
    'X-Two:  a\r\n',
    '__proto__: a\r\n',
    'constructor: a\r\n',
    'Cookie: a=b\r\n',
  ],
  ...[
    'Cookie: a=b\r\n',
    'X_A: 1\r\n',
    'Content-Length: +7\r\n',
    'Content-Length: 07\r\n',
    'TE: trailers\r\n',
    ': a\r\n',
  ],
]
/** What the direct way should take. */
const harmless = [
  ...[
    'X-A: 1\r\n',
    'Accept: */*\r\n',
    'User-Agent: curl/8.1 (x; y)\r\n',
    'Set-Cookie: a=b\r\n',
    'Cookie: a=b; c="d"\r\n',
    'A-9:1\r\n',
  ],
  ...['a', '9', '-', '/', '%41', '=', '&'],
]
const bases = [
  good(),
  good('', 'Connection: keep-alive\r\n'),
  good('{"note":"x"}', 'Authorization: Bearer aaa.bbb.ccc\r\nIdempotency-Key: k-1\r\nUser-Agent: curl/8\r\n'),
  good().replace('HTTP/1.1', 'HTTP/1.0'),
  good().replace('POST', 'PUT'),
  good() + good('{"b":2}'),
]

/** Of the whole: a double would nearly always be close to 0. */
const part = fc.nat({ max: 999 }).map((thousandths) => thousandths / 1_000)
const change = (puts: readonly string[]) =>
  fc.record({
    at: part,
    onLine: fc.boolean(),
    cut: fc.constantFrom(0, 0, 1, 2),
    put: fc.constantFrom(...puts),
  })

const spoiled = fc
  .record({
    base: fc.constantFrom(...bases),
    changes: fc.oneof(
      fc.array(change(harmless), { maxLength: 2 }),
      fc.array(change(['', ...harmless, ...spoilers]), { maxLength: 3 }),
    ),
    splits: fc.oneof(
      { weight: 3, arbitrary: fc.constant<number[]>([]) },
      { weight: 1, arbitrary: fc.array(part, { maxLength: 2 }) },
    ),
  })
  .map(({ base, changes, splits }) => {
    let text = base
    for (const { at, onLine, cut, put } of changes) {
      const lines = [...text.matchAll(/\r\n(?!\r\n)/g)].map(({ index }) => index + 2)
      const place = onLine ? (lines[Math.floor(at * lines.length)] ?? 0) : Math.floor(at * text.length)
      text = text.slice(0, place) + put + text.slice(place + (onLine ? 0 : cut))
    }
    const places = [0, ...splits.map((at) => Math.floor(at * text.length)).sort((one, other) => one - other)]
    return places.map((from, index) => text.slice(from, places[index + 1]))
  })

const cases = 600

test(`${cases} requests, good and spoiled, are answered alike, SEED=${seed}`, {
  timeout: 240_000,
}, async () => {
  const [ours, nodes] = await Promise.all([serve(), serve({ direct: false })])
  const all = [...fc.sample(spoiled, { seed, numRuns: cases })]
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let pieces = all.pop(); pieces !== undefined; pieces = all.pop()) {
        const said = [...pieces, goodbye]
        const [one, other] = await Promise.all([talk(ours.port, said), talk(nodes.port, said)])
        // Whether what is broken comes before or after the answer to the one before it is chance in both of them.
        const [ourText, nodesText] = [one, other].map((text) =>
          text === refusal ? text : text.replace(refusal, ''),
        )
        assert.equal(ourText, nodesText, JSON.stringify(pieces))
      }
    }),
  )
  assert.ok(ours.direct() > cases / 8, `${ours.direct()} came by the direct way`)
  assert.equal(nodes.direct(), 0)
})

test('one that comes before the answer to the one before it waits its turn', async () => {
  const waiting: (() => void)[] = []
  const handle: Handle = (request, response) => {
    waiting.push(() => echo(request, response))
  }
  const { port, direct } = await serve({ handle })
  const socket = await openSocket(port)
  socket.write(good('{"n":1}'))
  while (waiting.length < 1) await sleep(5)
  socket.write(good('{"n":2}'))
  await sleep(50)
  socket.write(good('{"n":3}'))
  await sleep(50)
  assert.equal(waiting.length, 1)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  while ((text.match(/HTTP\/1\.1 200/g)?.length ?? 0) < 3) {
    waiting.shift()?.()
    await sleep(5)
  }
  const bodies = [...text.matchAll(/"body":"([^"]+)"/g)].map(([, body = '']) =>
    Buffer.from(body, 'base64').toString(),
  )
  assert.deepEqual(bodies, ['{"n":1}', '{"n":2}', '{"n":3}'])
  assert.equal(direct(), 3)
  socket.destroy()
})

test('who hangs up is not waited for', async () => {
  const events: string[] = []
  let answer = () => undefined as unknown
  const handle: Handle = (request, response) => {
    for (const name of ['finish', 'close'] as const) response.on(name, () => events.push(name))
    request.on('close', () => events.push('request close'))
    answer = () => response.writeHead(200).end('late')
  }
  const { port } = await serve({ handle })
  const socket = await openSocket(port)
  socket.write(good())
  await sleep(50)
  socket.destroy()
  while (events.length < 2) await sleep(5)
  answer()
  await sleep(20)
  assert.deepEqual(events, ['request close', 'close'])
})

test('who says nothing, or nothing more, is let go', { timeout: 60_000 }, async () => {
  const settings = {
    headersTimeout: 300,
    requestTimeout: 300,
    connectionsCheckingInterval: 100,
    keepAliveTimeout: 200,
  }
  const { port, direct } = await serve({ settings })
  const silent = await openSocket(port)
  const said = once(silent, 'data') as Promise<[Buffer]>
  const resting = await openSocket(port)
  resting.write(good())
  await once(resting, 'data')
  assert.equal(direct(), 1)
  await once(resting, 'close')
  assert.match((await said)[0].toString(), /took too long to arrive/)
})

test('a server that closes lets those rest no longer, and answers those it works on', async () => {
  const waiting: (() => void)[] = []
  const handle: Handle = (request, response) => {
    if (request.url === '/later') waiting.push(() => echo(request, response))
    else echo(request, response)
  }
  const { server, port, direct } = await serve({ handle })
  const [idle, busy, fresh] = [await openSocket(port), await openSocket(port), await openSocket(port)]
  idle.write(good())
  await once(idle, 'data')
  busy.write(good().replace('/api/send?a=%20b', '/later'))
  while (waiting.length < 1) await sleep(5)
  assert.equal(direct(), 2)
  const closed = once(server, 'close')
  const gone = once(idle.resume(), 'close')
  server.close()
  server.closeIdleConnections()
  await gone
  const answered = once(busy, 'data') as Promise<[Buffer]>
  waiting.shift()?.()
  assert.match((await answered)[0].toString(), /^HTTP\/1\.1 200 /)
  await once(busy.resume(), 'close')
  const cut = once(fresh.resume(), 'close')
  server.closeAllConnections()
  await Promise.all([cut, closed])
})

test('an answer that is still on its way arrives, also when the server closes', {
  timeout: 60_000,
}, async () => {
  const size = 20_000_000
  const handle: Handle = (_, response) => {
    response.writeHead(200, { 'content-length': String(size) }).end('x'.repeat(size))
  }
  const { server, port, direct } = await serve({ handle })
  const socket = await openSocket(port)
  socket.pause().write(good())
  while (direct() < 1) await sleep(5)
  server.close()
  server.closeIdleConnections()
  let received = 0
  socket.on('data', (bytes) => {
    received += bytes.length
  })
  socket.resume()
  await once(socket, 'close')
  assert.ok(received > size, String(received))
})

test('who does not read is not answered for ever', { timeout: 60_000 }, async () => {
  const handle: Handle = (_, response) => {
    response.writeHead(200, { 'content-length': '20000' }).end('x'.repeat(20_000))
  }
  const { server, port } = await serve({ handle, settings: { keepAliveTimeout: 60_000 } })
  let asked = 0
  server.on('request', () => {
    asked += 1
  })
  server.timeout = 500
  const arrived = once(server, 'connection') as Promise<[Socket]>
  const socket = (await openSocket(port)).pause()
  const [their] = await arrived
  const gone = once(their, 'close')
  // Each comes alone, as one that the direct way would take.
  let before = -1
  for (let sent = 0; sent < 20_000 && asked > before; sent++) {
    before = asked
    socket.write(good())
    for (let waits = 0; waits < 40 && asked === before; waits++) await sleep(5)
  }
  assert.ok(before > 10, String(before))
  // What the system did not take is one answer, or what little more fits below the mark.
  assert.ok(their.writableLength < 2 * their.writableHighWaterMark + 40_000, String(their.writableLength))
  // Silence is not allowed for ever, though more is asked again and again.
  const asking = setInterval(() => socket.write(good()), 50)
  await gone
  clearInterval(asking)
})
