// Counts shared through a real Redis: two processes count together, and a Redis that is gone stops no read.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp, testDatabase } from '../../test/helpers.ts'

const redisServer = process.env.TEST_REDIS_SERVER
const skip = redisServer ? false : 'no redis-server on this machine (Debian: apt-get install redis-server)'

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

async function startRedis(port: number): Promise<ChildProcess> {
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--daemonize',
    'no',
  ]
  const redis = spawn(redisServer ?? '', args, { stdio: 'ignore' })
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect({ port, host: '127.0.0.1' })
    const answered = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (answered) return redis
    await sleep(50)
  }
  throw new Error('redis-server did not start')
}

test('two processes count together; without Redis reads go on', { skip, timeout: 30_000 }, async () => {
  const port = await freePort()
  const redis = await startRedis(port)
  after(() => redis.kill('SIGKILL'))
  const database = await testDatabase()
  const environment = { RATE_LIMITS: 'on', REDIS_URL: `redis://127.0.0.1:${port}` }
  const [one, other] = [await testApp({ database, environment }), await testApp({ database, environment })]
  const ask = async ({ app }: typeof one) => (await app.inject('/nowhere')).headers['ratelimit-remaining']
  await sleep(200)
  assert.deepEqual([await ask(one), await ask(other), await ask(one)], ['119', '118', '117'])

  redis.kill('SIGKILL')
  await once(redis, 'exit')
  await sleep(100)
  const answer = await one.app.inject('/api/health')
  assert.equal(answer.statusCode, 200)
  assert.ok(one.log.lines.some((line) => /Redis is away/.test(String(line.msg))))
})
