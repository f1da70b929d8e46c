// Sessions: each refresh gives the next token and refuses the one before, on every process within two seconds; a token
// that comes twice ends the session, unless the answer may have got lost; nobody is let in by a process that is deaf.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeSentTo, goodPassword, mailsTo, newAccount, openAsk } from '../../test/accounts.ts'
import { testApp, testConfig, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import { openDb } from '../db/db.ts'
import { openUsers } from './users.ts'

const database = await testDatabase()
const { app, db, users, ledger, clock } = await testApp({ database })
const ask = openAsk(app)
const day = 86_400
const start = clock.now().toISOString()
beforeEach(() => clock.set(start))

/** Another process, as far as people are concerned. */
async function openOther(url = database.url) {
  const otherDb = openDb({ url: database.url, connectionsMax: 2, name: 'mfuko other' })
  const other = await openUsers({
    db: otherDb,
    url,
    ledger,
    clock,
    log: testLog().log,
    secrets: testSecrets,
    baseUrl: 'http://localhost:8080',
    config: testConfig(),
  })
  after(async () => {
    await other.close()
    await otherDb.close()
  })
  return other
}
const other = await openOther()

const isLetIn = (token: string, by = users) => {
  try {
    by.authenticate(token)
    return true
  } catch {
    return false
  }
}

async function soon(condition: () => boolean, ms = 2_000): Promise<number> {
  const begun = performance.now()
  while (!condition()) {
    if (performance.now() - begun > ms) return Number.POSITIVE_INFINITY
    await sleep(10)
  }
  return performance.now() - begun
}

const refresh = (token: string) => ask('POST /api/auth/refresh', { token })

/** Somebody whose address is known to be theirs, so that mails about the account reach it. */
async function confirmed(given: Record<string, unknown> = {}) {
  const account = await newAccount(app, given)
  await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, account.email) }, account)
  return account
}
const templates = async (email: string) => (await mailsTo(db, email)).map(({ template }) => template)

describe('refresh', () => {
  test('what was just issued lasts a whole day, also when the second has passed meanwhile', async (t) => {
    const { handle, token } = await newAccount(app)
    const now = clock.now
    t.mock.method(clock, 'now', () => {
      clock.advance(1)
      return now()
    })
    const { data } = await ask('POST /api/auth/login', { handle, password: goodPassword })
    assert.deepEqual([data.expires_in, (await refresh(token)).data.expires_in], [day, day])
  })

  test('gives a new token; the old one is refused at once here, and within two seconds elsewhere', async () => {
    const { token } = await newAccount(app)
    assert.equal(isLetIn(token, other), true)
    clock.advance(60)
    const { status, data } = await refresh(token)
    assert.deepEqual([status, data.expires_in, data.token === token], [200, day, false])
    assert.deepEqual([isLetIn(token), isLetIn(data.token), isLetIn(data.token, other)], [false, true, true])
    assert.ok((await soon(() => !isLetIn(token, other))) < 2_000)
    assert.equal(isLetIn(data.token, other), true)
  })

  test('the token may be in the header, with a body or without', async () => {
    const { token } = await newAccount(app)
    const second = await ask('POST /api/auth/refresh', undefined, { token })
    assert.equal(second.status, 200)
    assert.equal((await ask('POST /api/auth/refresh', {}, { token: second.data.token })).status, 200)
  })

  test('a process that starts later knows what was refused before', async () => {
    const { token } = await newAccount(app)
    const next = (await refresh(token)).data.token
    const ended = await newAccount(app)
    await ask('POST /api/auth/logout', undefined, ended)
    const late = await openOther()
    assert.deepEqual(
      [isLetIn(token, late), isLetIn(next, late), isLetIn(ended.token, late)],
      [false, true, false],
    )
  })

  test('a lost answer: the old token gets the same successor again, for ten seconds, from any process', async () => {
    const { token } = await newAccount(app)
    clock.advance(100)
    const next = (await refresh(token)).data.token
    clock.advance(10)
    assert.equal((await refresh(token)).data.token, next)
    assert.equal((await other.refresh({ token, origin: {} })).token, next)
    assert.equal(isLetIn(next), true)
  })

  test('two tabs at the same moment get the same token', async () => {
    const { token } = await newAccount(app)
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => refresh(token).then(({ data }) => data.token)),
      ...Array.from({ length: 5 }, () => other.refresh({ token, origin: {} }).then((one) => one.token)),
    ])
    assert.equal(new Set(answers).size, 1)
  })

  test('shown again later: the whole session ends everywhere, is written down, and mailed', async () => {
    const { token, email, id } = await confirmed()
    const next = (await refresh(token)).data.token
    clock.advance(11)
    const reused = await refresh(token)
    assert.deepEqual([reused.status, reused.body.code], [401, 'unauthenticated'])
    assert.equal(isLetIn(next), false)
    assert.ok((await soon(() => !isLetIn(next, other))) < 2_000)
    assert.equal((await refresh(next)).status, 401)
    assert.ok((await templates(email)).includes('session_revoked'))
    const event = await db.row<{ result: string }>(
      `select result from audit.events where actor_id = $1 and action = 'session.reuse'`,
      [id],
    )
    assert.equal(event?.result, 'refused')
  })

  test('one from before the last: the session ends, even within ten seconds', async () => {
    const { token } = await newAccount(app)
    const second = (await refresh(token)).data.token
    const third = (await refresh(second)).data.token
    assert.equal((await refresh(token)).status, 401)
    assert.equal(isLetIn(third), false)
  })

  test('a thief who is faster: the owner’s refresh ends what the thief has', async () => {
    const { token } = await newAccount(app)
    const stolen = (await refresh(token)).data.token
    clock.advance(3_600)
    assert.equal((await refresh(token)).status, 401)
    assert.equal(isLetIn(stolen), false)
  })

  const rows: [what: string, seconds: number, letIn: boolean, status: number][] = [
    ['a fresh one', 0, true, 200],
    ['one that ends now, by clocks that differ a little', day + 29, true, 200],
    ['an expired one', day + 31, false, 200],
    ['one of seven days ago, nearly', 7 * day - 1, false, 200],
    ['one of seven days ago', 7 * day, false, 401],
    ['one from a clock that is a little ahead', -29, true, 200],
    ['one from the future', -31, false, 401],
  ]
  for (const [what, seconds, letIn, status] of rows) {
    test(`${what}: ${letIn ? 'let in' : 'not let in'}, ${status}`, async () => {
      const { token } = await newAccount(app)
      clock.advance(seconds)
      assert.equal(isLetIn(token), letIn)
      assert.equal((await refresh(token)).status, status)
    })
  }

  test('a session ends after 30 days, however often it is refreshed', async () => {
    let { token } = await newAccount(app)
    for (let n = 0; n < 5; n++) {
      clock.advance(5.9 * day)
      const { status, data } = await refresh(token)
      assert.equal(status, 200)
      token = data.token
    }
    const last = await refresh(token)
    assert.equal(last.data.expires_in, 0.5 * day)
    clock.advance(0.5 * day - 1)
    assert.equal(isLetIn(last.data.token), true)
    clock.advance(1)
    assert.equal((await refresh(last.data.token)).status, 401)
    clock.advance(31)
    assert.equal(isLetIn(last.data.token), false)
  })

  test('nonsense: 401, or 422 when it is no text', async () => {
    for (const body of [{ token: 'x' }, { token: 'a.b.c' }, {}])
      assert.equal((await ask('POST /api/auth/refresh', body)).status, 401)
    for (const body of [{ token: 5 }, { token: '' }, { token: 'x'.repeat(3_000) }])
      assert.equal((await ask('POST /api/auth/refresh', body)).status, 422)
    assert.equal((await ask('POST /api/auth/refresh')).status, 401)
  })

  test('ten a minute for one session', async () => {
    const limited = await testApp({ database, environment: { RATE_LIMITS: 'on' } })
    const askLimited = openAsk(limited.app)
    let { token } = await newAccount(limited.app)
    const bystander = await newAccount(limited.app)
    for (let n = 0; n < 10; n++) token = (await askLimited('POST /api/auth/refresh', { token })).data.token
    const refused = await askLimited('POST /api/auth/refresh', { token })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await askLimited('POST /api/auth/refresh', { token: bystander.token })).status, 200)
  })
})

describe('sessions', () => {
  test('are listed, and ended one by one; those of others are not there', async () => {
    const { token, handle } = await newAccount(app)
    const stranger = await newAccount(app)
    clock.advance(5)
    const body = { handle, password: goodPassword }
    const phone = await ask('POST /api/auth/login', body, { device: 'Opera Mini', address: '10.0.0.7' })
    const list = async () =>
      (await ask('GET /api/auth/sessions', undefined, { token })).body.data as Record<string, unknown>[]
    const [first, second] = await list()
    assert.deepEqual(
      [first?.device, first?.address, first?.current, second?.current],
      ['Opera Mini', '10.0.0.7', false, true],
    )
    const path = `DELETE /api/auth/sessions/${first?.id}`
    assert.equal((await ask(path, undefined, stranger)).status, 404)
    assert.equal((await ask(path, undefined, { token })).status, 200)
    assert.equal(isLetIn(phone.data.token), false)
    assert.ok((await soon(() => !isLetIn(phone.data.token, other))) < 2_000)
    assert.equal((await ask(path, undefined, { token })).status, 404)
    for (const id of ['x', 'ses_0000000000000000000000', '%F0%9F%90%98'])
      assert.equal((await ask(`DELETE /api/auth/sessions/${id}`, undefined, { token })).status, 404)
    assert.equal((await list()).length, 1)
  })

  const sessionsOf = async (token: string) =>
    (await ask('GET /api/auth/sessions', undefined, { token })).body.data as {
      id: string
      current: boolean
    }[]
  const notThis = async (token: string) => (await sessionsOf(token)).find(({ current }) => !current)

  test('ended from another device: a mail names the device and the time, once, in their language', async () => {
    const { token, handle, email } = await confirmed()
    await ask('PATCH /api/me', { locale: 'sw' }, { token })
    const phone = { device: 'Opera Mini', address: '10.0.0.7' }
    await ask('POST /api/auth/login', { handle, password: goodPassword }, phone)
    const first = await notThis(token)
    clock.advance(60)
    const path = `DELETE /api/auth/sessions/${first?.id}`
    const stranger = await confirmed()
    assert.equal((await ask(path, undefined, stranger)).status, 404)
    assert.equal((await ask(path, undefined, { token })).status, 200)
    assert.equal((await ask(path, undefined, { token })).status, 404)
    const told = (await mailsTo(db, email)).filter(({ template }) => template === 'session_ended')
    assert.deepEqual(
      told.map(({ data }) => data),
      [{ device: 'Opera Mini', time: clock.now().toISOString() }],
    )
    const row = await db.row<{ locale: string }>('select locale from mail.messages where id = $1', [
      told[0]?.id,
    ])
    assert.equal(row?.locale, 'sw')
    assert.equal((await templates(stranger.email)).includes('session_ended'), false)
  })

  const quiet: [what: string, end: (token: string, own: string) => Promise<{ status: number }>][] = [
    ['by logging out', (token) => ask('POST /api/auth/logout', undefined, { token })],
    ['the own one, by its id', (token, own) => ask(`DELETE /api/auth/sessions/${own}`, undefined, { token })],
    [
      'by another PIN, whose own mail says so',
      (token) => ask('PUT /api/me/pin', { pin: '9062', password: goodPassword }, { token }),
    ],
    [
      'by another password, whose own mail says so',
      (token) =>
        ask(
          'PUT /api/me/password',
          { password: goodPassword, new_password: 'chai mbili za jioni' },
          { token },
        ),
    ],
  ]
  for (const [what, end] of quiet)
    test(`ended ${what}: no mail of their own`, async () => {
      const { token, handle, email } = await confirmed({ pin: '4821' })
      await ask('POST /api/auth/login', { handle, password: goodPassword }, { device: 'Opera Mini' })
      const own = (await sessionsOf(token)).find(({ current }) => current)
      assert.equal((await end(token, own?.id ?? '')).status, 200)
      const told = await templates(email)
      assert.equal(told.includes('session_ended'), false)
      if (!what.startsWith('by another')) return
      const [changed] = await mailsTo(db, email)
      assert.equal(changed?.template, what.includes('PIN') ? 'pin_changed' : 'password_changed')
      if (what.includes('PIN'))
        assert.deepEqual(changed?.data, { time: clock.now().toISOString(), ended: 'yes' })
    })

  test('at an address that is not known to be theirs nothing is told', async () => {
    const { token, handle, email } = await newAccount(app)
    await ask('POST /api/auth/login', { handle, password: goodPassword })
    const first = await notThis(token)
    assert.equal((await ask(`DELETE /api/auth/sessions/${first?.id}`, undefined, { token })).status, 200)
    assert.deepEqual(await templates(email), ['confirm_email'])
  })

  test('logout ends this one, and only this one', async () => {
    const { token, handle } = await newAccount(app)
    const second = (await ask('POST /api/auth/login', { handle, password: goodPassword })).data.token
    assert.equal((await ask('POST /api/auth/logout', undefined, { token })).status, 200)
    assert.deepEqual([isLetIn(token), isLetIn(second)], [false, true])
    assert.equal((await ask('POST /api/auth/logout', undefined, { token })).status, 401)
    assert.equal((await refresh(token)).status, 401)
  })

  test('twenty at most: the one that was not used for the longest time goes', async () => {
    const { token, handle } = await newAccount(app)
    const login = async () =>
      (await ask('POST /api/auth/login', { handle, password: goodPassword })).data.token
    clock.advance(10)
    const second = await login()
    for (let n = 0; n < 18; n++) {
      clock.advance(10)
      await login()
    }
    clock.advance(10)
    const kept = (await refresh(token)).data.token
    await login()
    assert.deepEqual([isLetIn(second), isLetIn(kept)], [false, true])
    const { body } = await ask('GET /api/auth/sessions', undefined, { token: kept })
    assert.equal((body.data as unknown[]).length, 20)
  })

  test('what was not refreshed for a week is not listed', async () => {
    const { handle } = await newAccount(app)
    clock.advance(7 * day + 1)
    const { token } = (await ask('POST /api/auth/login', { handle, password: goodPassword })).data
    const { body } = await ask('GET /api/auth/sessions', undefined, { token })
    assert.equal((body.data as unknown[]).length, 1)
  })
})

for (const fault of ['cut', 'silent'] as const) {
  const what = fault === 'cut' ? 'whose connections are cut' : 'whose connections fall silent'
  test(`a process ${what} lets nobody in after five seconds, and says why`, {
    timeout: 240_000,
  }, async () => {
    const line = await openLine(database.url)
    const deaf = await openOther(line.url)
    const { token } = await newAccount(app)
    assert.deepEqual([isLetIn(token, deaf), deaf.staleReasons()], [true, []])
    line.break(fault)
    assert.equal(isLetIn(token, deaf), true)
    assert.ok((await soon(() => !isLetIn(token, deaf), 30_000)) < 30_000)
    assert.throws(() => deaf.authenticate(token), { code: 'unavailable' })
    assert.equal(deaf.staleReasons().length, 1)
    // Meanwhile the token is exchanged elsewhere. Who hears again knows.
    const next = (await refresh(token)).data.token
    line.mend()
    assert.ok((await soon(() => isLetIn(next, deaf), 60_000)) < 60_000)
    assert.throws(() => deaf.authenticate(token), { code: 'unauthenticated' })
  })
}

/** A line to the database that can be broken. */
async function openLine(url: string) {
  const target = new URL(url)
  let state: 'good' | 'cut' | 'silent' = 'good'
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (state === 'cut') return client.destroy()
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined).on('close', () => to.destroy())
      from.on('data', (chunk) => state !== 'silent' && to.write(chunk))
    }
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  after(() => {
    destroyAll()
    server.close()
  })
  return {
    url: through.href,
    break: (how: 'cut' | 'silent') => {
      state = how
      if (how === 'cut') destroyAll()
    },
    mend: () => {
      state = 'good'
      // What was swallowed is lost: such a connection is of no use any more.
      destroyAll()
    },
  }
}
