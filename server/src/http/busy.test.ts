// When all connections to the database are taken for long, who comes is refused at once and before anything is done, not
// after a wait in vain. Health checks, pages and what brings the end of something that has begun are let in; and everybody
// again when there is a connection.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile, testApp } from '../../test/helpers.ts'
import { checkError } from '../../test/http-probes.ts'
import { fund, register } from '../../test/people.ts'
import { ok } from './schema.ts'
import { openScope, type Scope } from './scope.ts'

const pool = 3
let asked = 0
const probe =
  (path: string): Scope['routes'] =>
  (scope) => {
    scope.post(path, { schema: {} }, async () => {
      asked += 1
      return ok('Done', {})
    })
  }
const server = await testApp({
  environment: { DATABASE_POOL: String(pool), DATABASE_WAIT_SECONDS: '4' },
  more: async (http) => {
    await openScope(http, { limit: 'anonymous', routes: probe('/probe/people') })
    await openScope(http, { limit: 'hooks', routes: probe('/probe/providers') })
  },
})
const { app, db, log } = server
const knock = (url = '/probe/people') => app.inject({ method: 'POST', url })

test('who would wait in vain is refused at once', async () => {
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>()
  const [amina, juma] = [await register(server), await register(server)]
  await fund(server, amina, { amount: '5000' })
  const order = { recipient: juma.handle, amount: 600, currency: 'UGX', pin: amina.pin }
  const send = async () => (await amina.call('POST', '/api/send', order)).status
  assert.equal(await send(), 200)
  const held = Array.from({ length: pool }, () => db.inTransaction(() => end))
  const waits = db.rows('select 1')
  assert.equal((await knock()).statusCode, 200, 'a short wait is no reason')
  for (let tries = 0; tries < 500 && db.waitedMs() <= 2_000; tries++) await sleep(10)
  const refused = await knock()
  checkError(refused, 503, 'unavailable')
  assert.match(refused.json().message, /Nothing was done/)
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal(asked, 1)
  assert.equal((await knock('/probe/providers')).statusCode, 200)
  assert.equal((await app.inject('/health')).statusCode, 200)
  assert.equal(await send(), 200, 'who waits for the ledger alone does not wait for the others')
  assert.ok(!log.text().includes('a request failed'), 'the log is not filled with errors')
  letGo()
  await Promise.all([...held, waits])
  assert.equal(db.waitedMs(), 0)
  assert.equal((await knock()).statusCode, 200)
  await reconcile(server)
})
