// Logging in: wrong and unknown can't be told apart; failures are counted, by name and by address, over all processes;
// who guesses elsewhere does not lock the owner out.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { codeSentTo, goodPassword, mailsTo, newAccount, openAsk } from '../../test/accounts.ts'
import { testApp, testConfig, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import { openDb } from '../db/db.ts'
import { openHashThreads, openUsers } from './users.ts'

const database = await testDatabase()
const { app, db, users, ledger, clock } = await testApp({ database })
const ask = openAsk(app)
const start = clock.now().toISOString()
beforeEach(() => clock.set(start))
const minute = 60

let lastAddress = 0
/** Somewhere nobody has been. */
const newAddress = () => {
  lastAddress += 1
  return `10.20.${Math.floor(lastAddress / 250)}.${1 + (lastAddress % 250)}`
}
const login = (body: object, address = newAddress()) => ask('POST /api/auth/login', body, { address })
const wrong = (handle: string, address = newAddress()) =>
  login({ handle, password: 'not the password' }, address)

test('by e-mail, phone or handle, as people write them', async () => {
  const { handle, email } = await newAccount(app, { phone: '+256700123456' })
  const names = [
    { email },
    { email: email.toUpperCase() },
    { phone: '+256700123456' },
    { phone: '+256 700 123-456' },
    { phone: '00256700123456' },
    { handle },
    { handle: `@${handle.toUpperCase()}` },
  ]
  for (const name of names) {
    const { status, data } = await login({ ...name, password: goodPassword })
    assert.deepEqual([status, data?.user.handle], [200, handle], JSON.stringify(name))
  }
})

describe('refusals', () => {
  const rows: [what: string, body: object, status: number, fields?: string[]][] = [
    ['nothing', {}, 422, ['email', 'password']],
    ['two names', { email: 'a@b.co', handle: 'amina', password: 'x' }, 422, ['handle']],
    [
      'three names and no password',
      { email: 'a@b.co', phone: '+1', handle: 'a' },
      422,
      ['handle', 'password', 'phone'],
    ],
    ['wrong types', { handle: 5, password: ['x'] }, 422, ['handle', 'password']],
    ['an empty password', { handle: 'amina', password: '' }, 422, ['password']],
    ['an unknown handle', { handle: 'nobody_here', password: goodPassword }, 401],
    ['an unknown e-mail', { email: 'nobody@example.com', password: goodPassword }, 401],
    ['an unknown phone', { phone: '+256700000000', password: goodPassword }, 401],
    ['no handle at all', { handle: '🐘 \u202e', password: goodPassword }, 401],
  ]
  for (const [what, body, status, fields] of rows) {
    test(what, async () => {
      const { status: answered, body: answer } = await login(body)
      assert.equal(answered, status, JSON.stringify(answer))
      assert.deepEqual(answer.errors && Object.keys(answer.errors).toSorted(), fields)
    })
  }

  test('wrong and unknown: the same body, a hash for each, in the same time', async () => {
    const real = await testApp({ database, environment: { PASSWORD_COST: 'standard' } })
    const askReal = openAsk(real.app)
    const { handle } = await newAccount(real.app)
    const took: Record<string, number[]> = { [handle]: [], nobody_at_all: [] }
    const said: Record<string, unknown> = {}
    for (let n = 0; n < 9; n++) {
      for (const name of Object.keys(took)) {
        const made = real.users.hashesMade()
        const begun = performance.now()
        const guess = { handle: name, password: 'not the password' }
        const { status, body } = await askReal('POST /api/auth/login', guess, { address: newAddress() })
        took[name]?.push(performance.now() - begun)
        said[name] = { status, ...body, request_id: '' }
        assert.equal(real.users.hashesMade(), made + 1)
      }
    }
    assert.deepEqual(said[handle], said.nobody_at_all)
    const [known = 0, unknown = 0] = Object.values(took).map(
      (times) => times.toSorted((a, b) => a - b)[4] ?? 0,
    )
    assert.ok(Math.abs(known - unknown) < 0.5 * Math.max(known, unknown), `${known} and ${unknown} ms`)
  })
})

test('after PASSWORD_COST was raised: the same hashes for an old password, a new one and nobody', async () => {
  const asked: string[] = []
  const threads = openHashThreads(1)
  const raised = await openUsers({
    db,
    url: database.url,
    ledger,
    clock,
    log: testLog().log,
    secrets: testSecrets,
    baseUrl: 'http://localhost:8080',
    config: testConfig({ PASSWORD_COST: 'high' }),
    hashThreads: {
      argon2id: (parameters) => {
        asked.push(`m=${parameters.memory} t=${parameters.passes}`)
        return threads.argon2id(parameters)
      },
      close: threads.close,
    },
  })
  after(() => raised.close())
  const standard = await testApp({ database, environment: { PASSWORD_COST: 'standard' } })
  const { handle } = await newAccount(standard.app)
  const hashesFor = async (name: string, password: string) => {
    asked.length = 0
    const origin = { address: newAddress() }
    const code = await raised.login({ name: { handle: name }, password, origin }).then(
      () => 'in',
      (error: { code: string }) => error.code,
    )
    return [code, ...asked]
  }
  const both = ['m=19456 t=2', 'm=65536 t=3']
  const wrongOne = 'not the password'
  assert.deepEqual(await hashesFor('nobody_at_all', wrongOne), ['unauthenticated', ...both])
  assert.deepEqual(await hashesFor(handle, wrongOne), ['unauthenticated', ...both])
  assert.deepEqual(await hashesFor(handle, goodPassword), ['in', ...both], 'its new hash is a part of that')
  assert.deepEqual(await hashesFor(handle, goodPassword), ['in', ...both], 'it was made anew')
  assert.deepEqual(await hashesFor(handle, wrongOne), ['unauthenticated', ...both])
})

describe('failures', () => {
  test('ten of one name: 429 for 15 minutes from everywhere else, even with the right password', async () => {
    const { handle } = await newAccount(app)
    for (let n = 0; n < 10; n++) {
      assert.equal((await wrong(handle)).status, 401)
      clock.advance(minute)
    }
    const refused = await login({ handle, password: goodPassword })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.headers['retry-after']],
      [429, 'rate_limited', '840'],
    )
    const made = users.hashesMade()
    await wrong(handle)
    assert.equal(users.hashesMade(), made, 'nothing is hashed for who is sent away')
    clock.advance(14 * minute)
    assert.equal((await login({ handle, password: goodPassword })).status, 200)
  })

  test('where the owner has logged in lately they still can, and have ten of their own', async () => {
    const { handle } = await newAccount(app)
    const home = newAddress()
    assert.equal((await login({ handle, password: goodPassword }, home)).status, 200)
    for (let n = 0; n < 11; n++) await wrong(handle)
    assert.equal((await login({ handle, password: goodPassword })).status, 429)
    assert.equal((await login({ handle, password: goodPassword }, home)).status, 200)
    for (let n = 0; n < 10; n++) assert.equal((await wrong(handle, home)).status, 401)
    assert.equal((await login({ handle, password: goodPassword }, home)).status, 429)
    clock.advance(31 * 86_400)
    for (let n = 0; n < 10; n++) await wrong(handle)
    assert.equal(
      (await login({ handle, password: goodPassword }, home)).status,
      429,
      'a month ago is not lately',
    )
  })

  test('unknown names are counted as known ones are', async () => {
    for (let n = 0; n < 10; n++) assert.equal((await wrong('no_such_person')).status, 401)
    assert.equal((await wrong('no_such_person')).status, 429)
  })

  test('a good login forgets what was counted', async () => {
    const { handle } = await newAccount(app)
    for (let n = 0; n < 9; n++) await wrong(handle)
    assert.equal((await login({ handle, password: goodPassword })).status, 200)
    for (let n = 0; n < 9; n++) assert.equal((await wrong(handle)).status, 401)
    assert.equal((await login({ handle, password: goodPassword })).status, 200)
  })

  test('thirty from one address, whatever the names; a /64 is one address; good logins don’t count', async () => {
    const { handle } = await newAccount(app)
    const good = { handle, password: goodPassword }
    for (let n = 0; n < 30; n++) {
      const address = `2001:db8:7:7::${n + 1}`
      if (n % 10 === 0) assert.equal((await login(good, address)).status, 200)
      assert.equal((await wrong(`someone_${n}`, address)).status, 401)
    }
    assert.equal((await login(good, '2001:db8:7:7:8::1')).status, 429)
    assert.equal((await login(good, '2001:db8:7:8::1')).status, 200)
    clock.advance(15 * minute)
    assert.equal((await login(good, '2001:db8:7:7:8::1')).status, 200)
  })

  test('at the same moment, on two processes: ten are compared', async () => {
    const { handle } = await newAccount(app)
    const otherDb = openDb({ url: database.url, connectionsMax: 4, name: 'mfuko other' })
    const other = await openUsers({
      db: otherDb,
      url: database.url,
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
    const before = users.hashesMade() + other.hashesMade()
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? users : other)
          .login({ name: { handle }, password: 'a guess or two', origin: { address: newAddress() } })
          .then(
            () => 'in',
            ({ code }: { code: string }) => code,
          ),
      ),
    )
    assert.equal(outcomes.filter((code) => code === 'unauthenticated').length, 10)
    assert.equal(outcomes.filter((code) => code === 'rate_limited').length, 50)
    assert.equal(users.hashesMade() + other.hashesMade() - before, 10)
  })

  test('a hundred in a row: the password opens nothing until it is reset by mail', async () => {
    const { handle, token, email, id } = await newAccount(app)
    await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
    await db.rows('update users.people set login_failures = 99 where id = $1', [id])
    assert.equal((await wrong(handle)).status, 401)
    assert.equal((await mailsTo(db, email))[0]?.template, 'login_locked')
    const refused = await login({ handle, password: goodPassword })
    assert.deepEqual([refused.status, refused.body.code], [401, 'unauthenticated'])
    await users.mailResetCode({ handle })
    const body = { handle, code: await codeSentTo(db, email), password: 'chai mbili za jioni' }
    assert.equal((await ask('POST /api/auth/password/reset', body)).status, 200)
    assert.equal((await login({ handle, password: 'chai mbili za jioni' })).status, 200)
  })

  test('names of one person are counted apart, so that none tells of another; a hundred in a row are of all', async () => {
    const { handle, token, email } = await newAccount(app, { phone: '+256700654321' })
    await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
    const names = [{ handle }, { email }, { phone: '+256700654321' }]
    const guess = async (name: object) => (await login({ ...name, password: 'not the password' })).status
    let guessed = 0
    // Thirty in 15 minutes, for who knows all three.
    while (guessed < 90) {
      for (const name of names) {
        for (let n = 0; n < 10; n++) assert.equal(await guess(name), 401, JSON.stringify(name))
        assert.equal(await guess(name), 429, JSON.stringify(name))
        guessed += 10
      }
      clock.advance(15 * minute)
    }
    for (; guessed < 100; guessed++) assert.equal(await guess(names[guessed % 3] ?? {}), 401)
    assert.equal((await mailsTo(db, email))[0]?.template, 'login_locked')
    for (const name of names) {
      const refused = await login({ ...name, password: goodPassword })
      assert.deepEqual([refused.status, refused.body.code], [401, 'unauthenticated'], JSON.stringify(name))
      assert.equal(await guess(name), 401, 'the same for who does not know it')
    }
  })

  test('who has no confirmed address could never reset it, so theirs stays good', async () => {
    const { handle, id } = await newAccount(app)
    await db.rows('update users.people set login_failures = 150 where id = $1', [id])
    assert.equal((await login({ handle, password: goodPassword })).status, 200)
  })
})

test('each outcome is written down; what a stranger typed is not', async () => {
  const { handle, id } = await newAccount(app)
  await login({ handle, password: goodPassword })
  await wrong(handle)
  await login({ handle: 'typed_secret_words', password: 'x' })
  const rows = await db.rows<{ action: string; actor_kind: string; actor_id: string }>(
    'select action, actor_kind, actor_id from audit.events order by id desc limit 3',
  )
  assert.deepEqual(
    rows.map(({ action, actor_kind }) => `${action} ${actor_kind}`),
    ['login.failed name', 'login.failed user', 'login user'],
  )
  assert.deepEqual([rows[1]?.actor_id, rows[2]?.actor_id], [id, id])
  const all = JSON.stringify(await db.rows('select t::text from audit.events t'))
  assert.ok(!all.includes('typed_secret_words'))
})

test('a device that is new is mailed; one that is known is not', async () => {
  const { handle, email, token } = await newAccount(app)
  await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
  const count = async () =>
    (await mailsTo(db, email)).filter(({ template }) => template === 'new_device').length
  const body = { handle, password: goodPassword }
  const from = async (address: string, device: string) => {
    assert.equal((await ask('POST /api/auth/login', body, { address, device })).status, 200)
    return count()
  }
  assert.equal(await from('10.7.7.7', 'Firefox'), 1)
  assert.equal(await from('10.7.7.7', 'Firefox'), 1)
  assert.equal(await from('10.7.7.7', 'Chrome'), 2)
  assert.equal(await from('10.7.7.8', 'Firefox'), 3)
  clock.advance(31 * 86_400)
  assert.equal(await from('10.7.7.7', 'Firefox'), 4)
})
