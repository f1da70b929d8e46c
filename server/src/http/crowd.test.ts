// More requests than a process can work on are refused at once, in the contract's shape and before their bodies are read;
// those inside are served, health checks always, and everybody again when there is room.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { testApp } from '../../test/helpers.ts'
import { checkError } from '../../test/http-probes.ts'
import { crowdSeen } from './crowd.ts'
import { ok } from './schema.ts'
import { openScope } from './scope.ts'

const requestsMax = 10
const inside: (() => void)[] = []
const { app, log, listen } = await testApp({
  environment: { REQUESTS_MAX: String(requestsMax) },
  more: (http) =>
    openScope(http, {
      limit: 'anonymous',
      routes: (scope) => {
        scope.post('/probe/slow', { schema: {} }, async () => {
          await new Promise<void>((resolve) => inside.push(resolve))
          return ok('Done', {})
        })
      },
    }),
})
const knock = () => app.inject({ method: 'POST', url: '/probe/slow' })

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    if (condition()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('waited in vain')
}

test('the one too many is refused, and let in when another has left', async () => {
  const crowd = Array.from({ length: requestsMax }, knock)
  await until(() => inside.length === requestsMax)
  const headers = { 'content-type': 'application/json' }
  const refused = await app.inject({ method: 'POST', url: '/probe/slow', headers, payload: '{"not": JSON' })
  checkError(refused, 503, 'unavailable')
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal(refused.headers['x-content-type-options'], 'nosniff')
  checkError(await app.inject('/nothing/here'), 503, 'unavailable')
  for (const path of ['/health', '/api/health']) {
    // On a busy machine it may be unready; that is an answer as well.
    assert.ok('version' in (await app.inject(path)).json(), path)
  }
  assert.ok(!log.text().includes('a request failed'), 'a crowd does not fill the log with errors')
  for (const letGo of inside.splice(0)) letGo()
  for (const answer of await Promise.all(crowd)) assert.equal(answer.statusCode, 200)
  const next = knock()
  await until(() => inside.length === 1)
  inside.pop()?.()
  assert.equal((await next).statusCode, 200)
})

test('who hangs up makes room', async () => {
  const { port } = new URL(await listen())
  const sockets = Array.from({ length: requestsMax }, () => connect(Number(port), '127.0.0.1'))
  for (const socket of sockets) {
    await once(socket, 'connect')
    socket.write('POST /probe/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n')
  }
  await until(() => inside.length === requestsMax)
  assert.equal((await knock()).statusCode, 503)
  for (const socket of sockets) socket.destroy()
  let status = 503
  for (let tries = 0; tries < 1_000 && status === 503; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    status = (await app.inject('/nothing/here')).statusCode
  }
  assert.equal(status, 404)
  for (const letGo of inside.splice(0)) letGo()
})

test('a long wait is a crowd; while there is one the line is kept short, and it is over some time after the last wait', () => {
  let [now, waited] = [0, 0]
  const isBusy = crowdSeen({ waitedMs: () => waited, longMs: 1_000, nowMs: () => now })
  // when, how long somebody has waited by then, whether who comes is turned away
  const rows: [at: number, waitedMs: number, busy: boolean][] = [
    [0, 0, false],
    [100, 900, false],
    [200, 1_001, true],
    [300, 101, true],
    [400, 99, false],
    [3_200, 101, true],
    [6_100, 101, true],
    [9_200, 900, false],
    [9_300, 1_001, true],
  ]
  const seen = rows.map(([at, waitedMs]) => {
    ;[now, waited] = [at, waitedMs]
    return [at, waitedMs, isBusy()]
  })
  assert.deepEqual(seen, rows)
})
