// A session promises: a refused token is exchanged and the call goes on with the same key; a lost exchange does not end it;
// and what somebody has begun never goes on in the name of who comes next.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPlatformClient } from '../src/mfuko.ts'
import { type Act, away, failure, fine, hangUp, json, openScripted, silence } from './scripted.ts'

const { baseUrl, got, plays } = await openScripted()

const juma = { handle: 'juma', password: 'x' }
const refusal = { success: false, message: 'No', code: 'unauthenticated', request_id: 'r' }

describe('a refused token', () => {
  const refused = json(401, refusal)
  const exchanged = json(200, { data: { token: 'b', expires_in: 86_400, user: { id: 'usr_1' } } })
  const sending = { recipient: 'juma', amount: 5_000, currency: 'UGX', pin: '2580' } as const
  const sentKeys = () =>
    got.filter(({ url }) => url === '/api/send').map(({ headers }) => headers['idempotency-key'])

  test('lost, refused, exchanged: one key', async () => {
    plays(hangUp, refused, exchanged, fine)
    await createPlatformClient({ baseUrl, token: 'a' }).transfers.send(sending)
    const [first] = sentKeys()
    assert.ok(first)
    assert.deepEqual(sentKeys(), [first, first, first])
  })

  test('who can not exchange it says with which key to go on', async () => {
    plays(hangUp, refused, hangUp)
    const error = await failure(createPlatformClient({ baseUrl, token: 'a' }).transfers.send(sending))
    assert.deepEqual([error.code, error.message], ['connection_failed', 'The service could not be reached'])
    assert.ok(error.idempotencyKey)
    assert.deepEqual(sentKeys(), [error.idempotencyKey, error.idempotencyKey])
  })
})

test('a log-out after the session has ended has nothing more to tell', async () => {
  const told: unknown[] = []
  const client = createPlatformClient({ baseUrl, token: 'a', onToken: (token) => told.push(token) })
  plays(json(401, refusal))
  assert.equal((await failure(client.account.me())).code, 'unauthenticated')
  await client.logout()
  assert.deepEqual(told, [undefined])
})

describe('a login while a token is exchanged', () => {
  const login = json(200, { data: { token: 'login', expires_in: 86_400, user: { id: 'usr_2' } } })
  for (const [name, status, body] of [
    ['got a successor', 200, { data: { token: 'b', expires_in: 86_400, user: { id: 'usr_1' } } }],
    ['was refused', 401, refusal],
  ] as const)
    test(`stays, when the old one ${name}`, async () => {
      const asked = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<void>()
      const exchange: Act = async (response, request) => {
        asked.resolve()
        await answered.promise
        json(status, body)(response, request)
      }
      plays(json(401, refusal), exchange, login, fine)
      const told: unknown[] = []
      const onSignedOut = () => told.push('signed out')
      const client = createPlatformClient({
        baseUrl,
        token: 'a',
        onToken: (token) => told.push(token),
        onSignedOut,
      })
      const before = failure(client.account.me())
      await asked.promise
      await client.login(juma)
      answered.resolve()
      assert.equal((await before).code, 'unauthenticated')
      assert.deepEqual([told, client.isSignedIn(), got.length], [['login'], true, 3])
      await client.account.me()
      assert.equal(got.at(-1)?.headers.authorization, 'Bearer login')
    })
})

describe('who comes next', () => {
  const login = json(200, { data: { token: 'juma', expires_in: 86_400, user: { id: 'usr_2' } } })
  const amina = () => createPlatformClient({ baseUrl, token: 'amina', retries: 1 })
  const sending = { recipient: 'juma', amount: 5_000, currency: 'UGX', pin: '2580' } as const
  const shown = () => got.map(({ url, headers }) => [url, headers.authorization])

  test('does not send the money of who was here before', async () => {
    const client = amina()
    const tired: Act = (response, request) => void client.login(juma).then(() => away(response, request))
    plays(tired, login, fine)
    const error = await failure(client.transfers.send(sending))
    assert.deepEqual([error.code, error.status, typeof error.idempotencyKey], ['unavailable', 503, 'string'])
    assert.deepEqual(shown(), [
      ['/api/send', 'Bearer amina'],
      ['/api/auth/login', undefined],
    ])
  })

  test('not either when the old token has to be exchanged first', async () => {
    const soon = json(200, { data: { token: 'amina', expires_in: 59, user: { id: 'usr_1' } } })
    const exchanged = json(200, { data: { token: 'amina 2', expires_in: 86_400, user: { id: 'usr_1' } } })
    const client = createPlatformClient({ baseUrl })
    const exchange: Act = (response, request) =>
      void client.login(juma).then(() => exchanged(response, request))
    plays(soon, exchange, login, fine)
    await client.login({ handle: 'amina', password: 'x' })
    const error = await failure(client.transfers.send(sending))
    assert.deepEqual([error.code, error.status], ['unauthenticated', 401])
    assert.equal(got.at(-1)?.url, '/api/auth/login')
    assert.ok(error.idempotencyKey)
  })

  test('is not logged out by who leaves', async () => {
    const client = amina()
    plays(
      (response, request) =>
        void client.login(juma).then(() => json(200, { success: true, data: null })(response, request)),
      login,
      fine,
    )
    await client.logout()
    assert.equal(client.isSignedIn(), true)
    await client.account.me()
    assert.equal(got.at(-1)?.headers.authorization, 'Bearer juma')
  })

  test('is here, also when the old session could not be gone on with', async () => {
    const client = amina()
    const exchange: Act = (response) => void client.login(juma).then(() => response.destroy())
    plays(exchange, login, hangUp)
    assert.equal((await client.resume())?.id, 'usr_2')
  })
})

describe('a lost exchange', () => {
  const page: Act = (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad')
  const exchanged = json(200, { data: { token: 'b', expires_in: 86_400, user: { id: 'usr_1' } } })

  test('is tried again at once, also behind the page of a proxy', async () => {
    plays(page, exchanged)
    const begun = performance.now()
    const client = createPlatformClient({ baseUrl, token: 'a' })
    assert.equal((await client.resume())?.id, 'usr_1')
    assert.ok(performance.now() - begun < 1_000)
  })

  test('is over in time for that, whatever the call allows', async () => {
    plays(silence, exchanged)
    const begun = performance.now()
    const client = createPlatformClient({ baseUrl, token: 'a', timeoutMs: 60_000 })
    await client.resume({ timeoutMs: 30_000 })
    assert.ok(performance.now() - begun < 9_000)
  })
})
