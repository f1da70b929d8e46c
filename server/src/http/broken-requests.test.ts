// What a client can do to a connection: send what is not HTTP, send or read too slowly, or want more connections than
// there are. It is refused in the contract's shape, or cut, and takes nothing from those who behave.
import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp } from '../../test/helpers.ts'
import { probes } from '../../test/http-probes.ts'

const { listen } = await testApp({ more: probes })
const port = Number(new URL(await listen()).port)

/** Sends raw text over a socket and returns all that comes back until it closes. */
const raw = (pieces: string[], pauseMs = 0): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed || socket.writableEnded) return
        socket.write(piece)
        await sleep(pauseMs)
      }
    })
  })

function checkRaw(text: string, pattern: RegExp) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 400 Bad Request/)
  assert.match(head, /content-type: application\/json/)
  const answer = JSON.parse(body)
  assert.equal(answer.code, 'bad_request')
  assert.match(answer.message, pattern)
  assert.match(head, new RegExp(`x-request-id: ${answer.request_id}`))
}

test('what is not HTTP is answered in the same shape, and the connection closed', async () => {
  checkRaw(await raw(['GARBAGE\r\n\r\n']), /not valid HTTP/)
  checkRaw(
    await raw([`GET / HTTP/1.1\r\nHost: x\r\nBig: ${'x'.repeat(20_000)}\r\n\r\n`]),
    /headers are too large/,
  )
})

test('what Node would refuse in its own way is refused in ours', async () => {
  checkRaw(await raw(['GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n']), /Send a Host header/)
  checkRaw(
    await raw(['GET /api/health HTTP/1.1\r\nHost: x\r\nExpect: much\r\nConnection: close\r\n\r\n']),
    /Expect/,
  )
})

test('what is broken after good requests takes nothing from their answers', async () => {
  const good = 'GET /probe/slow HTTP/1.1\r\nHost: x\r\n\r\n'
  const text = await raw([`${good}${good}GARBAGE\r\n\r\n`])
  assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2, text)
  assert.doesNotMatch(text, / 400 /)
})

test('slow readers are cut, and connections are bounded', { timeout: 240_000 }, async () => {
  const other = await testApp({ more: probes })
  assert.equal(other.app.server.timeout, 75_000)
  assert.equal(other.app.server.maxConnections, 10_000)
  // What is promised for 75 s is tried with one, by one entrance, where connections can be counted.
  const at = new URL(await other.app.listen({ host: '127.0.0.1', port: 0 }))
  other.app.server.timeout = 1_000
  const socket = connect({ port: Number(at.port), host: at.hostname })
  socket.on('error', () => undefined).pause()
  socket.write('GET /probe/large HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(async () => (await openConnections(other.app.server)) === 1)
  await until(async () => (await openConnections(other.app.server)) === 0)
  socket.destroy()
})

const openConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await condition()) return
    await sleep(50)
  }
  assert.fail('waited in vain')
}

test('slow senders are cut', { timeout: 240_000 }, async () => {
  const [headers, body] = await Promise.all([
    raw(['GET /api/health HTTP/1.1\r\n']),
    raw([
      'POST /probe/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ]),
  ])
  checkRaw(headers, /too long to arrive/)
  checkRaw(body, /too long to arrive/)
})
