// What the direct way answers is what Node's server would: as many bytes, the same headers, told of when it has left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { echo, good, type Handle, openSocket, serve, talk } from '../../../test/direct.ts'
import { answersOwed } from '../broken-requests.ts'
import { apiHeaders } from '../headers.ts'
import { DirectRequest } from './messages.ts'

const answers: [what: string, handle: Handle, pattern: RegExp][] = [
  [
    'bytes',
    (_, to) => to.writeHead(200, { 'content-length': '3' }).end(Buffer.from('\xe9!')),
    /\r\n\r\n\xc3\xa9!$/,
  ],
  ['letters', (_, to) => to.writeHead(200, { 'content-length': '2' }).end('é'), /\r\n\r\n\xc3\xa9$/],
  [
    'nothing',
    (_, to) => to.writeHead(204).end(),
    /^HTTP\/1\.1 204 No Content\r\nDate: now\r\nConnection: keep-alive\r\n/,
  ],
  [
    'nothing, whatever is said',
    (_, to) => to.writeHead(204).end('body'),
    /^HTTP\/1\.1 204 No Content\r\n.*\r\n\r\n$/s,
  ],
  [
    'with its length said before',
    (_, to) => {
      to.setHeader('Content-Length', '2')
      to.end('{}')
    },
    /\r\ncontent-length: 2\r\n.*\r\n\r\n\{\}$/is,
  ],
  [
    'several of a name',
    (_, to) => to.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'content-length': '0' }).end(),
    /\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n/,
  ],
  [
    'the last on a connection',
    (_, to) => {
      to.setHeader('Connection', 'close')
      to.writeHead(200, { 'content-length': '0' }).end()
    },
    /connection: close/i,
  ],
]

for (const [what, handle, pattern] of answers) {
  test(`an answer: ${what}`, async () => {
    const [ours, nodes] = await Promise.all([serve({ handle }), serve({ handle, direct: false })])
    const [one, other] = await Promise.all([talk(ours.port, [good()]), talk(nodes.port, [good()])])
    assert.match(one, pattern)
    assert.equal(one.toLowerCase(), other.toLowerCase())
    assert.equal(ours.direct(), 1)
  })
}

test('what every answer carries is the same, in whatever order', async () => {
  const handle: Handle = (request, response) => {
    if (!((request as unknown) instanceof DirectRequest))
      for (const [name, value] of Object.entries(apiHeaders)) response.setHeader(name, value)
    response.setHeader('cache-control', 'private')
    echo(request, response)
  }
  const [ours, nodes] = await Promise.all([
    serve({ handle, standing: apiHeaders }),
    serve({ handle, direct: false }),
  ])
  const [one, other] = await Promise.all([talk(ours.port, [good()]), talk(nodes.port, [good()])])
  const linesOf = (text: string) => text.toLowerCase().split('\r\n').toSorted()
  assert.deepEqual(linesOf(one), linesOf(other))
  assert.ok(linesOf(one).length > Object.keys(apiHeaders).length + 5, one)
  assert.equal(ours.direct(), 1)
})

test('an answer has finished when the last of it has left', async () => {
  const events: string[] = []
  const size = 20_000_000
  const handle: Handle = (_, response) => {
    for (const name of ['finish', 'close'] as const) response.on(name, () => events.push(name))
    response.writeHead(200, { 'content-length': String(size) }).end('x'.repeat(size))
  }
  const { server, port, direct } = await serve({ handle })
  const socket = (await openSocket(port)).pause()
  socket.write(good())
  while (direct() < 1) await sleep(5)
  await sleep(50)
  assert.deepEqual([events, answersOwed(server)], [[], 1])
  socket.resume()
  while (events.length < 2) await sleep(5)
  assert.deepEqual([events, answersOwed(server)], [['finish', 'close'], 0])
  const other = (await openSocket(port)).pause()
  other.write(good())
  while (direct() < 2) await sleep(5)
  other.destroy()
  while (events.length < 3) await sleep(5)
  await sleep(20)
  // It has not, who hung up.
  assert.deepEqual([events.slice(2), answersOwed(server)], [['close'], 0])
  socket.destroy()
})

test('an answer in pieces is put together, and is no other once it has begun', async () => {
  const handle: Handle = (_, response) => {
    response.write('a')
    assert.ok(response.headersSent)
    response.write(Buffer.from('é'))
    response.end('b')
  }
  const { port, direct } = await serve({ handle })
  assert.match(await talk(port, [good()]), /\r\ncontent-length: 4\r\n\r\na\xc3\xa9b$/)
  assert.equal(direct(), 1)
})

test('no header can begin a new line', async () => {
  let refused: unknown
  const handle: Handle = (_, response) => {
    try {
      response.writeHead(200, { location: '/a\r\nset-cookie: b=c' })
    } catch (error) {
      refused = error
    }
    response.destroy()
  }
  const { port } = await serve({ handle })
  assert.equal(await talk(port, [good()]), '')
  assert.match(String(refused), /plain text/)
})
