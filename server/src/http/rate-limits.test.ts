// Limits hold by class, for everything that is asked and whoever asks. Counts are shared through a real Redis: two
// processes count together, and a Redis that is gone stops no read.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { application, newBusiness, theOperator } from '../../test/businesses.ts'
import { testApp, testDatabase } from '../../test/helpers.ts'
import { checkError, credentials, probes } from '../../test/http-probes.ts'
import { available, fund, register } from '../../test/people.ts'
import { freePort } from '../base/free-port.ts'

test('rate limits hold by class, and every answer says how much is left', async () => {
  const limited = await testApp({ more: probes, environment: { RATE_LIMITS: 'on' } })
  const first = await limited.app.inject('/api/health')
  assert.equal(first.headers['ratelimit-limit'], '10')
  assert.equal(first.headers['ratelimit-remaining'], '9')
  for (let n = 1; n <= 120; n++) await limited.app.inject('/probe/numbers')
  const refusal = await limited.app.inject('/probe/numbers')
  checkError(refusal, 429, 'rate_limited')
  assert.ok(Number(refusal.headers['retry-after']) >= 1 && Number(refusal.headers['retry-after']) <= 60)
  checkError(await limited.app.inject('/not/here'), 429, 'rate_limited')
  // A good credential is counted for itself, another address too.
  const good = await limited.app.inject({ url: '/probe/me', headers: { authorization: 'Bearer good' } })
  assert.equal(good.statusCode, 200)
  assert.equal(good.headers['ratelimit-limit'], '600')
  assert.equal(
    (await limited.app.inject({ url: '/probe/numbers', remoteAddress: '10.1.1.1' })).statusCode,
    200,
  )
})

// What is refused before a scope sees it → the status it has until it is too often.
const refusedEarly: [what: string, request: InjectOptions, status: number][] = [
  ['a path that is not there', { url: '/nothing' }, 404],
  ['one below /api', { url: '/api/nothing' }, 404],
  [
    'one with a body that is not JSON',
    { method: 'POST', url: '/nothing', headers: { 'content-type': 'application/json' }, payload: '{' },
    404,
  ],
  ['a NUL in a path that is not there', { url: '/x%00' }, 400],
  ['a NUL for a route that is', { url: '/probe/numbers?cursor=%00' }, 400],
  ['an address that can not be decoded', { url: '/%E0%A4%A' }, 400],
  ['a parameter that is too long', { url: `/probe/errors/${'x'.repeat(300)}` }, 400],
]
test('what is refused early is counted and logged like all else', async () => {
  const limited = await testApp({ more: probes, environment: { RATE_LIMITS: 'on' } })
  for (const [n, [what, request, status]] of refusedEarly.entries()) {
    const ask = () => limited.app.inject({ remoteAddress: `10.0.0.${n}`, ...request })
    const first = await ask()
    assert.equal(first.statusCode, status, what)
    assert.equal(first.headers['ratelimit-remaining'], '119', what)
    const line = limited.log.lines.find((entry) => entry.request_id === first.headers['x-request-id'])
    assert.equal(line?.msg, 'request', what)
    assert.equal(line?.status, status, what)
    for (let times = 2; times <= 120; times++) assert.equal((await ask()).statusCode, status, what)
    checkError(await ask(), 429, 'rate_limited')
  }
})

test('who guesses credentials too often learns nothing more, one by one or all at once', async () => {
  const limited = await testApp({ more: probes, environment: { RATE_LIMITS: 'on' } })
  const ask = (authorization: string, remoteAddress: string) =>
    limited.app.inject({ url: '/probe/me', remoteAddress, headers: { authorization } })
  credentials.looked = 0
  for (let n = 1; n <= 150; n++) await ask('Bearer bad', '10.1.1.1')
  assert.equal(credentials.looked, 120)
  const refusal = await ask('Bearer good', '10.1.1.1')
  checkError(refusal, 429, 'rate_limited')
  assert.equal(refusal.headers['ratelimit-remaining'], '0')
  assert.equal(credentials.looked, 120, 'not even a good one is looked at')

  const answers = await Promise.all(Array.from({ length: 300 }, () => ask('Bearer bad', '10.2.2.2')))
  assert.equal(credentials.looked, 240)
  assert.equal(answers.filter(({ statusCode }) => statusCode === 401).length, 120)

  // Neither asking without a credential, where none is needed, nor another address is held back by it.
  assert.equal((await ask('Bearer good', '10.3.3.3')).statusCode, 200)
  const open = await limited.app.inject({ url: '/probe/numbers', remoteAddress: '10.1.1.1' })
  assert.equal(open.headers['ratelimit-remaining'], '119')
  // Good credentials that come all at once are no failures.
  const good = await Promise.all(Array.from({ length: 100 }, () => ask('Bearer good', '10.4.4.4')))
  assert.ok(good.every(({ statusCode }) => statusCode === 200))
})

test('who is known and may not be here is counted, too, and holds nobody else back', async () => {
  const limited = await testApp({ more: probes, environment: { RATE_LIMITS: 'on' } })
  const ask = (authorization: string) =>
    limited.app.inject({ url: '/probe/me', remoteAddress: '10.6.6.6', headers: { authorization } })
  const first = await ask('Bearer suspended')
  checkError(first, 403, 'forbidden')
  assert.equal(first.headers['ratelimit-remaining'], '599')
  // Each may turn out to be a guess until it is looked at, so no more than 120 go at once.
  for (const length of [100, 100, 100, 100, 100, 99])
    await Promise.all(Array.from({ length }, () => ask('Bearer suspended')))
  checkError(await ask('Bearer suspended'), 429, 'rate_limited')
  assert.equal((await ask('Bearer good')).statusCode, 200)
})

test('a good token passes, however many bad ones came from the address that it shares; bad ones are limited', async () => {
  const limited = await testApp({ environment: { RATE_LIMITS: 'on' } })
  const { token } = await register(limited)
  const ask = (bearer: string) =>
    limited.app.inject({
      url: '/api/me',
      remoteAddress: '10.5.5.5',
      headers: { authorization: `Bearer ${bearer}` },
    })
  for (let n = 1; n <= 120; n++) checkError(await ask('bad'), 401, 'unauthenticated')
  checkError(await ask('bad'), 429, 'rate_limited')
  assert.equal((await ask(token)).statusCode, 200)
})

test('so do the tokens of owners and operators; an API key is not looked at any more', async () => {
  const limited = await testApp({ environment: { RATE_LIMITS: 'on' } })
  const business = await newBusiness(limited)
  const operator = await theOperator(limited)
  const ask = (url: string, headers: Record<string, string>) =>
    limited.app.inject({ url, remoteAddress: '10.5.5.5', headers })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const shop = '/api/merchant'
  const review = '/api/operator/applications'
  for (let n = 1; n <= 60; n++) {
    checkError(await ask(shop, bearer('bad')), 401, 'unauthenticated')
    checkError(await ask(review, bearer('bad')), 401, 'unauthenticated')
  }
  for (const url of [shop, review]) checkError(await ask(url, bearer('bad')), 429, 'rate_limited')
  assert.equal((await ask(shop, bearer(business.owner.token))).statusCode, 200)
  assert.equal((await ask(review, bearer(operator.token))).statusCode, 200)
  const looked = await ask(review, bearer(business.owner.token))
  checkError(looked, 403, 'forbidden')
  assert.equal(looked.headers['ratelimit-limit'], '600', 'who may not be here is counted too')
  checkError(await ask(shop, { 'x-svc-key': business.testKey }), 429, 'rate_limited')
})

test('X-Forwarded-For is believed only from a trusted proxy', async () => {
  const behind = await testApp({
    more: probes,
    environment: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '10.0.0.0/8' },
  })
  const remaining = async (remoteAddress: string) => {
    const answer = await behind.app.inject({
      url: '/probe/numbers',
      remoteAddress,
      headers: { 'x-forwarded-for': '41.1.2.3' },
    })
    return Number(answer.headers['ratelimit-remaining'])
  }
  assert.deepEqual(
    [await remaining('10.0.0.1'), await remaining('10.0.0.2'), await remaining('8.8.8.8')],
    [119, 118, 119],
  )
})

test('what a trusted proxy tells that is no address is nobody; a port is not part of one', async () => {
  const behind = await testApp({
    more: probes,
    environment: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '10.0.0.0/8' },
  })
  const remaining = async (told: string) => {
    const headers = { 'x-forwarded-for': told }
    const answer = await behind.app.inject({ url: '/probe/numbers', remoteAddress: '10.0.0.1', headers })
    return Number(answer.headers['ratelimit-remaining'])
  }
  const counts: number[] = []
  for (const told of ['<b>', 'unknown', '1.2.3', '']) counts.push(await remaining(told))
  assert.deepEqual(counts, [119, 118, 117, 116], 'all of them are the proxy itself')
  assert.equal(await remaining('41.9.9.9, nonsense, 10.0.0.7'), 119, 'of the line, the one who told it')
  assert.equal(await remaining('nonsense, 10.0.0.7'), 118)
  for (const same of [
    ['41.1.2.3:5678', '41.1.2.3'],
    ['[2001:db8::1]:5678', '2001:db8::1', '[2001:db8::1]'],
  ])
    for (const [at, told] of same.entries()) assert.equal(await remaining(told), 119 - at, told)
})

const redisServer = process.env.TEST_REDIS_SERVER
const skip = redisServer ? false : 'no redis-server on this machine (Debian: apt-get install redis-server)'

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
  for (let tries = 0; tries < 400; tries++) {
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

/** What may not be done uncounted: to guess, and to move money. */
const refusedBlind = [
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/refresh',
  'POST /api/auth/password/forgot',
  'POST /api/auth/password/reset',
  'POST /api/send',
  'POST /api/requests/mrq_none/pay',
  'POST /api/withdraw',
  'POST /api/deposit/initiate',
  'POST /api/groups/grp_none/contribute',
  'POST /api/campaigns/cmp_none/contribute',
  'POST /api/campaigns/cmp_none/withdraw',
  'POST /api/merchant/register',
  'POST /api/merchant/payout',
  'POST /api/merchant/rotate-key',
  'POST /api/merchant/credentials/reveal',
  'POST /api/pay',
]
/** What tells, and changes nothing. */
const passedBlind = ['/api/health', '/api/me', '/api/wallets', '/api/transactions', '/api/merchant']

test('two processes count together; without Redis reads go on, and logins and money do not', {
  skip,
  timeout: 240_000,
}, async () => {
  const port = await freePort('127.0.0.1')
  const redis = await startRedis(port)
  after(() => redis.kill('SIGKILL'))
  const database = await testDatabase()
  const environment = { RATE_LIMITS: 'on', REDIS_URL: `redis://127.0.0.1:${port}` }
  const [one, other] = [await testApp({ database, environment }), await testApp({ database, environment })]
  const ask = async ({ app }: typeof one, remoteAddress = '127.0.0.1') =>
    (await app.inject({ url: '/nowhere', remoteAddress })).headers['ratelimit-remaining']
  // Each counts by itself until it has reached Redis, in a moment; each try is from an address of its own.
  let together = false
  for (let tries = 1; tries < 200 && !together; tries++) {
    const address = `10.0.0.${tries}`
    together = (await ask(one, address)) === '119' && (await ask(other, address)) === '118'
    if (!together) await sleep(50)
  }
  assert.deepEqual([await ask(one), await ask(other), await ask(one)], ['119', '118', '117'])

  const person = await register(one)
  await fund(one, person, { amount: '50000' })
  const business = await newBusiness(one)
  const order = { recipient: business.owner.handle, amount: 1_000, currency: 'UGX', pin: person.pin }
  const again = { mode: 'test', password: business.owner.password }
  // Good ones; the others are refused before anybody looks at what they are.
  const bodies: Record<string, object> = {
    'POST /api/auth/login': { handle: person.handle, password: person.password },
    'POST /api/auth/refresh': { token: person.token },
    'POST /api/send': order,
    'POST /api/merchant/register': application,
    'POST /api/merchant/rotate-key': again,
    'POST /api/merchant/credentials/reveal': again,
    'POST /api/pay': { amount: 5_000, currency: 'UGX' },
  }
  const act = (what: string) => {
    const [method, url] = what.split(' ') as ['POST', string]
    const caller = url.startsWith('/api/merchant') ? business.owner : person
    if (what === 'POST /api/pay') return business.callTest(method, url, bodies[what])
    return caller.call(method, url, bodies[what] ?? {})
  }
  assert.equal((await act('POST /api/send')).status, 200)

  redis.kill('SIGKILL')
  await once(redis, 'exit')
  await sleep(100)
  for (const url of passedBlind)
    assert.equal((await business.owner.call('GET', url)).status, 200, `${url} without Redis`)
  assert.equal((await business.callTest('GET', '/api/merchant')).status, 200)
  for (const what of refusedBlind) {
    const { status, body, headers } = await act(what)
    assert.deepEqual([status, body.code, headers['retry-after']], [503, 'unavailable', '1'], what)
  }
  assert.equal(await available(one, person), 49_000n)
  // It is told when the first attempt to connect again has failed.
  const told = () => one.log.lines.some((line) => /Redis is away/.test(String(line.msg)))
  for (let tries = 0; tries < 600 && !told(); tries++) await sleep(50)
  assert.ok(told())
})
