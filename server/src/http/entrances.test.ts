// A crowd gets in while the process has much to do, and everybody inside is served before the entrances count as closed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { openTestApp, testApp, testDatabase } from '../../test/helpers.ts'
import { openEntrances } from './entrances.ts'

const isWide = process.platform === 'linux'
const { app } = await testApp({
  more: async ({ app: inner }) => {
    inner.get('/probe/slow', { schema: {} }, async () => {
      await sleep(300)
      return { done: true }
    })
  },
})
const connectionsMax = app.server.maxConnections
const close = await openEntrances(app, { host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const ask = (path: string): Socket => {
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`)
  return socket
}

test('many come in within a few turns', { skip: !isWide }, async () => {
  const crowd = 320
  let accepted = 0
  app.server.on('connection', () => {
    accepted += 1
  })
  const sockets = Array.from({ length: crowd }, () => ask('/health'))
  let turns = 0
  for (; accepted < crowd && turns < crowd; turns++) {
    // A turn with much to do.
    for (const end = performance.now() + 5; performance.now() < end; );
    await nextTurn()
  }
  assert.ok(turns < crowd / 3, `${accepted} of ${crowd} came in within ${turns} turns`)
  for (const socket of sockets) {
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 (200|429) /)
    socket.destroy()
  }
})

test('together they let in no more than one would', { skip: !isWide }, () => {
  assert.ok(app.server.maxConnections * 31 < connectionsMax, String(app.server.maxConnections))
})

test('who is inside is served to the end, by whatever entrance they came', async () => {
  const sockets = Array.from({ length: 40 }, () => ask('/probe/slow'))
  const answers = sockets.map((socket) => once(socket, 'data') as Promise<[Buffer]>)
  await sleep(150)
  const closing = close()
  for (const [answer] of await Promise.all(answers)) assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
  await closing
  const late = ask('/health')
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
  assert.equal(error.code, 'ECONNREFUSED')
})

const closed = (socket: Socket) =>
  new Promise((resolve) =>
    socket
      .on('error', () => undefined)
      .resume()
      .once('close', resolve),
  )

test('who came in and says nothing, or half of something, is not waited for', async () => {
  const { server, close: closeServer } = await openTestApp({ database: await testDatabase() })
  const { port: place } = new URL(await server.listen())
  const silent = connect({ host: '127.0.0.1', port: Number(place) })
  const halting = connect({ host: '127.0.0.1', port: Number(place) })
  halting.write('GET /health HTTP/1.1\r\nhost: a')
  await Promise.all([once(silent, 'connect'), once(halting, 'connect')])
  // With an error too: who is let go before what they said was read is told that it was lost.
  const gone = Promise.all([silent, halting].map(closed))
  const began = performance.now()
  await closeServer()
  await gone
  // Nobody would end them for 75 seconds.
  assert.ok(performance.now() - began < 30_000)
})
