// What an answer of the direct way carries, and whom it tells that it has gone.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { abandon, DirectRequest, DirectResponse, openStanding } from './messages.ts'

const standing = openStanding({ 'cache-control': 'no-store', 'x-kind': 'data' })

/** An answer on a connection that writes down what was sent. */
function open() {
  const sent: string[] = []
  const write = (text: string | Buffer) => sent.push(String(text))
  const socket = { write, writableLength: 0 } as unknown as Socket
  const request = new DirectRequest(socket, { url: '/', headers: {}, body: Buffer.alloc(0) })
  const response = new DirectResponse(request, { keepAliveSeconds: 5, standing, onSent: () => undefined })
  return { response, sent }
}

const linesOf = (sent: readonly string[], name: string) =>
  (sent[0] ?? '').split('\r\n').filter((line) => line.startsWith(`${name}: `))

test('every answer carries what stands for all of them', () => {
  const { response, sent } = open()
  response.writeHead(200, { 'content-length': '2' }).end('{}')
  assert.deepEqual(linesOf(sent, 'cache-control'), ['cache-control: no-store'])
  assert.deepEqual(linesOf(sent, 'x-kind'), ['x-kind: data'])
})

test('what an answer says itself is said once', () => {
  const byHead = open()
  byHead.response.writeHead(200, { 'cache-control': 'private', 'content-length': '0' }).end()
  const bySetting = open()
  bySetting.response.setHeader('Cache-Control', 'private')
  bySetting.response.end('{}')
  for (const { sent } of [byHead, bySetting]) {
    assert.deepEqual(linesOf(sent, 'cache-control'), ['cache-control: private'])
    assert.deepEqual(linesOf(sent, 'x-kind'), ['x-kind: data'])
  }
})

test('who listens is told once, who has stopped listening is not', async () => {
  const { response } = open()
  const told: string[] = []
  const never = () => told.push('never')
  response.on('close', () => told.push('close'))
  response.once('finish', () => told.push('finish'))
  response.on('finish', never).removeListener('finish', never)
  response.addListener('finish', never).off('finish', never)
  response.once('close', never).removeListener('close', never)
  response.addListener('close', () => told.push('close too'))
  response.prependOnceListener('close', () => told.push('close first'))
  response.end('{}')
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(told, ['finish', 'close first', 'close', 'close too'])
})

test('an answer that has nobody to go to only closes', () => {
  const { response, sent } = open()
  const told: string[] = []
  response.on('finish', () => told.push('finish'))
  response.on('close', () => told.push('close'))
  abandon(response)
  response.end('{}')
  assert.deepEqual([told, sent], [['close'], []])
})

test('no header begins a new line', () => {
  const { response } = open()
  assert.throws(() => response.writeHead(200, { 'x-id': 'a\r\nx-more: b' }), /plain text/)
  const other = open()
  other.response.writeHead(200, { 'x-id': 'a' })
  // Also under a name that is known by now.
  assert.throws(() => open().response.writeHead(200, { 'x-id': 'a\r\nx-more: b' }), /plain text/)
  assert.throws(() => open().response.writeHead(200, { 'x-id\r\nx-more': 'b' }), /plain text/)
})
