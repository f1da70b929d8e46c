// The session of a page promises: no script can read it, no other site can use it, all pages of a browser share one token
// and none loses it to another, and it is gone after the log-out. Who asks for no cookie sees nothing of all this.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { goodPassword, newAccount } from '../../test/accounts.ts'
import { testApp } from '../../test/helpers.ts'

const server = await testApp()
const { app, clock, users } = server
const secured = await testApp({ baseUrl: 'https://mfuko.example' })
const start = clock.now().toISOString()
beforeEach(() => clock.set(start))
const hour = 3_600
const page = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

interface Posted {
  status: number
  code: string | undefined
  token: string
  /** What the browser is told to keep: undefined, when it is told nothing. */
  cookie: string | undefined
  text: string
}

async function post(
  url: string,
  payload: object | undefined,
  headers: Record<string, string> = {},
  at: Pick<typeof server, 'app'> = server,
): Promise<Posted> {
  const reply = await at.app.inject({
    method: 'POST',
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  })
  const body = reply.json()
  const text = String(reply.headers['set-cookie'] ?? '')
  const cookie = /^(?:__Host-)?session=([^;]*);/.exec(text)?.[1]
  return { status: reply.statusCode, code: body.code, token: body.data?.token, cookie, text }
}

const login = (
  handle: string,
  headers: Record<string, string> = page,
  session: string | undefined = 'cookie',
) => post('/api/auth/login', { handle, password: goodPassword, ...(session && { session }) }, headers)
const resume = (cookie: string, headers: Record<string, string> = page) =>
  post('/api/auth/refresh', undefined, { ...headers, cookie: `a=b; session=${cookie}` })

const isLetIn = (token: string) => {
  try {
    users.authenticate(token)
    return true
  } catch {
    return false
  }
}

describe('the cookie', () => {
  test('is set by a login that asks for it, and by no other', async () => {
    const { handle } = await newAccount(app)
    const asked = await login(handle)
    assert.equal(asked.status, 200)
    assert.equal(asked.cookie, asked.token)
    assert.equal(asked.text, `session=${asked.token}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict`)
    for (const session of ['', 'token']) {
      const other = await login(handle, page, session)
      assert.deepEqual([other.status, other.text], [200, ''])
    }
    assert.equal((await login(handle, page, 'local')).status, 422)
  })

  test('is set by a registration that asks for it', async () => {
    const given = { name: 'Zuri', email: 'zuri@example.com', password: goodPassword, session: 'cookie' }
    const made = await post('/api/auth/register', given, page)
    assert.deepEqual([made.status, made.cookie], [201, made.token])
    assert.equal((await post('/api/auth/register', { ...given, email: 'b@example.com' }, {})).status, 403)
  })

  test('belongs to one host and to https where there is https', async () => {
    await newAccount(secured.app, { handle: 'secured', email: 'secured@example.com' })
    const body = { handle: 'secured', password: goodPassword, session: 'cookie' }
    const own = { origin: 'https://mfuko.example' }
    const { token, text } = await post('/api/auth/login', body, own, secured)
    assert.equal(text, `__Host-session=${token}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure`)
    const plain = { origin: 'http://mfuko.example', host: 'mfuko.example' }
    assert.equal((await post('/api/auth/login', body, plain, secured)).status, 403)
    const named = await post('/api/auth/refresh', undefined, { ...own, cookie: `session=${token}` }, secured)
    assert.equal(named.status, 401, 'the unprotected name does not count there')
  })

  test('opens nothing but refresh', async () => {
    const { handle } = await newAccount(app)
    const { cookie } = await login(handle)
    const reply = await app.inject({ url: '/api/me', headers: { ...page, cookie: `session=${cookie}` } })
    assert.equal(reply.statusCode, 401)
  })
})

describe('other sites', () => {
  const rows: [name: string, headers: Record<string, string>, allowed: boolean][] = [
    ['a page of the service', page, true],
    ['an older browser', { origin: 'http://localhost:8080' }, true],
    ['by another name of the service', { origin: 'http://10.0.0.7:8080', host: '10.0.0.7:8080' }, true],
    ['a browser that sends no origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
    ['another site, in an older browser', { origin: 'https://evil.example' }, false],
    ['a neighbour', { origin: 'http://localhost:8090', 'sec-fetch-site': 'same-site' }, false],
    ['a neighbour, in an older browser', { origin: 'http://localhost:8090' }, false],
    [
      'one that pretends half of it',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      false,
    ],
    ['a sandboxed frame', { origin: 'null' }, false],
    ['a link', { 'sec-fetch-site': 'none' }, false],
    ['no browser', {}, false],
  ]
  for (const [name, headers, allowed] of rows)
    test(`${name}: ${allowed ? 'allowed' : 'refused'}`, async () => {
      const { handle } = await newAccount(app)
      const { cookie = '' } = await login(handle)
      const resumed = await resume(cookie, headers)
      assert.deepEqual([resumed.status, resumed.cookie], allowed ? [200, cookie] : [403, undefined])
      const again = await login(handle, headers)
      assert.deepEqual([again.status, again.cookie !== undefined], allowed ? [200, true] : [403, false])
    })
})

describe('pages of one browser', () => {
  test('share the token until it is 12 hours old; then the next one', async () => {
    const { handle } = await newAccount(app)
    const { token, cookie = '' } = await login(handle)
    clock.advance(12 * hour - 1)
    const early = await resume(cookie)
    assert.deepEqual([early.token, early.cookie, isLetIn(token)], [token, token, true])
    clock.advance(1)
    const later = await resume(cookie)
    assert.notEqual(later.token, token)
    assert.deepEqual([later.cookie, isLetIn(token), isLetIn(later.token)], [later.token, false, true])
    assert.equal((await resume(later.cookie ?? '')).token, later.token)
  })

  test('two that ask at the same moment get the same one', async () => {
    const { handle } = await newAccount(app)
    const { cookie = '' } = await login(handle)
    clock.advance(13 * hour)
    const both = await Promise.all([resume(cookie), resume(cookie)])
    assert.deepEqual([both[0].status, both[1].status, both[0].token === both[1].token], [200, 200, true])
  })

  test('one that was copied and comes late ends the session, and the cookie goes', async () => {
    const { handle } = await newAccount(app)
    const { cookie = '' } = await login(handle)
    clock.advance(13 * hour)
    const next = await resume(cookie)
    clock.advance(11)
    const late = await resume(cookie)
    assert.deepEqual([late.status, late.cookie], [401, ''])
    assert.match(late.text, /Max-Age=0/)
    assert.deepEqual([isLetIn(next.token), (await resume(next.cookie ?? '')).status], [false, 401])
  })

  test('a page that shows the token itself gets a new one, and so does its cookie', async () => {
    const { handle } = await newAccount(app)
    const { token } = await login(handle)
    const headers = { authorization: `Bearer ${token}`, cookie: `session=${token}` }
    const next = await post('/api/auth/refresh', undefined, headers)
    assert.deepEqual([next.status, next.cookie, next.token === token], [200, next.token, false])
    const body = await post('/api/auth/refresh', { token: next.token }, { cookie: 'session=a.b.c' })
    assert.deepEqual([body.status, body.text], [200, ''], 'a cookie of another session stays as it is')
  })

  test('after a week nothing is left', async () => {
    const { handle } = await newAccount(app)
    const { cookie = '' } = await login(handle)
    clock.advance(7 * 24 * hour)
    const late = await resume(cookie)
    assert.deepEqual([late.status, late.cookie], [401, ''])
  })

  for (const broken of ['', 'x', 'a.b.c', `${'a'.repeat(3_000)}.b.c`, '<script>'])
    test(`a cookie that is none: ${broken.slice(0, 10)}`, async () => {
      assert.equal((await resume(broken)).status, 401)
    })
})

test('logging out takes the cookie away, and it is no good any more', async () => {
  const { handle } = await newAccount(app)
  const { token, cookie = '' } = await login(handle)
  const headers = { ...page, authorization: `Bearer ${token}` }
  const out = await post('/api/auth/logout', undefined, { ...headers, cookie: `session=${cookie}` })
  assert.deepEqual([out.status, out.text], [200, 'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'])
  assert.equal((await resume(cookie)).status, 401)
  const other = await login(handle)
  const plain = await post('/api/auth/logout', undefined, { authorization: `Bearer ${other.token}` })
  assert.deepEqual([plain.status, plain.text], [200, ''])
})
