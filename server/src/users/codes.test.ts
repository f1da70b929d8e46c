// Mailed codes: five tries and a limited time; asking for one says nothing about who has an account.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { codeSentTo, goodPassword, mailsTo, newAccount, openAsk } from '../../test/accounts.ts'
import { testApp } from '../../test/helpers.ts'
import { usersJobs } from './jobs.ts'

const { app, db, users, clock } = await testApp()
const ask = openAsk(app)
const start = clock.now().toISOString()
beforeEach(() => clock.set(start))
const minute = 60
const next = 'chai mbili za jioni'

const confirm = (code: string, token: string) => ask('POST /api/auth/email/confirm', { code }, { token })
const isConfirmed = async (token: string) =>
  (await ask('GET /api/me', undefined, { token })).data.email_confirmed

async function confirmed() {
  const account = await newAccount(app)
  assert.equal((await confirm(await codeSentTo(db, account.email), account.token)).status, 200)
  return account
}

/** Does the work that was put off. */
async function runResetJobs(): Promise<number> {
  const { tasks } = usersJobs({ db, clock, users, log: { debug: () => undefined } as never })
  const jobs = await db.rows<{ id: bigint; payload: object }>(
    `select j.id, p.payload from graphile_worker.jobs j join graphile_worker._private_jobs p using (id)
     where j.task_identifier = 'mail_reset_code' order by j.id`,
  )
  for (const { payload } of jobs) await tasks.mail_reset_code?.(payload, { signal: undefined, attempt: 1 })
  await db.rows('select graphile_worker.complete_jobs($1::bigint[])', [jobs.map(({ id }) => id)])
  return jobs.length
}

describe('confirming an e-mail address', () => {
  test('with the code, however it is typed, once', async () => {
    const { token, email } = await newAccount(app)
    assert.equal(await isConfirmed(token), false)
    const code = await codeSentTo(db, email)
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
    const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`
    assert.equal((await confirm(typed, token)).status, 200)
    assert.equal(await isConfirmed(token), true)
    assert.equal((await confirm(code, token)).status, 422)
    const again = await ask('POST /api/auth/email/resend', undefined, { token })
    assert.deepEqual([again.status, again.body.code], [422, 'invalid_state'])
  })

  test('five tries, each written down; then only a new code helps', async () => {
    const { id, token, email } = await newAccount(app)
    const code = await codeSentTo(db, email)
    for (let n = 0; n < 5; n++) {
      const { status, body } = await confirm('0000-0000', token)
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['code']])
    }
    const noted = await db.rows(
      `select 1 from audit.events where actor_id = $1 and action = 'code.failed' and result = 'refused'`,
      [id],
    )
    assert.equal(noted.length, 5)
    assert.equal((await confirm(code, token)).status, 422)
    assert.equal((await ask('POST /api/auth/email/resend', undefined, { token })).status, 200)
    const newer = await codeSentTo(db, email)
    assert.notEqual(newer, code)
    assert.equal((await confirm(code, token)).status, 422)
    assert.equal((await confirm(newer, token)).status, 200)
  })

  test('for a day, and only for whom it was made', async () => {
    const { token, email } = await newAccount(app)
    const stranger = await newAccount(app)
    const code = await codeSentTo(db, email)
    assert.equal((await confirm(code, stranger.token)).status, 422)
    clock.advance(24 * 60 * minute)
    assert.equal((await confirm(code, token)).status, 422)
  })

  test('five a quarter of an hour', async () => {
    const { token } = await newAccount(app)
    const resend = async () => (await ask('POST /api/auth/email/resend', undefined, { token })).status
    for (let n = 0; n < 5; n++) assert.equal(await resend(), 200)
    assert.equal(await resend(), 429)
    clock.advance(15 * minute)
    assert.equal(await resend(), 200)
  })

  test('twenty a day to one mailbox, whoever says that it is theirs', async () => {
    const [email, elsewhere] = ['harassed@example.com', 'elsewhere@example.com']
    const [one, other] = [await newAccount(app), await newAccount(app)]
    const move = async (token: string, to: string) =>
      (await ask('PUT /api/me/email', { email: to, password: goodPassword }, { token })).status
    for (let n = 0; n < 20; n++) {
      const { token } = n % 2 === 0 ? one : other
      assert.equal(await move(token, email), 200)
      assert.equal(await move(token, `${n}.${elsewhere}`), 200)
      clock.advance(10 * minute)
    }
    assert.equal(await move(one.token, email), 429)
    assert.equal((await mailsTo(db, email)).length, 20)
    const owner = await newAccount(app, { email })
    assert.equal((await mailsTo(db, email)).length, 20, 'who registers with it has an account, and waits')
    const resend = async () => (await ask('POST /api/auth/email/resend', undefined, owner)).status
    assert.equal(await resend(), 429)
    clock.advance(23 * 60 * minute + 50 * minute)
    assert.equal(await resend(), 200)
  })

  test('without an address there is nothing to confirm', async () => {
    const { token } = await newAccount(app, { email: undefined, phone: '+256700555111' })
    assert.equal((await ask('POST /api/auth/email/resend', undefined, { token })).status, 422)
    assert.equal((await confirm('0000-0000', token)).status, 422)
  })
})

describe('a forgotten password', () => {
  test('a code by mail, a new password, and every session has ended', async () => {
    const { token, email, handle } = await confirmed()
    const { status, body } = await ask('POST /api/auth/password/forgot', { handle })
    assert.equal(status, 200)
    assert.equal(await runResetJobs(), 1)
    const code = await codeSentTo(db, email)
    const reset = await ask('POST /api/auth/password/reset', { handle, code, password: next })
    assert.deepEqual([reset.status, reset.body.data], [200, null])
    assert.equal((await ask('GET /api/me', undefined, { token })).status, 401)
    assert.equal((await ask('POST /api/auth/login', { email, password: goodPassword })).status, 401)
    assert.equal((await ask('POST /api/auth/login', { email, password: next })).status, 200)
    assert.equal((await ask('POST /api/auth/password/reset', { handle, code, password: next })).status, 422)
    assert.deepEqual((await mailsTo(db, email)).map(({ template }) => template).slice(0, 2), [
      'password_changed',
      'reset_password',
    ])
    const unknown = await ask('POST /api/auth/password/forgot', { handle: 'nobody_known' })
    assert.deepEqual({ ...unknown.body, request_id: '' }, { ...body, request_id: '' })
    assert.equal(await runResetJobs(), 1)
  })

  test('a wrong code is written down, of whoever it is', async () => {
    const { handle } = await confirmed()
    for (const name of [handle, 'typed_secret_name'])
      await ask('POST /api/auth/password/reset', { handle: name, code: '0000-0000', password: next })
    const noted = await db.rows<{ actor_kind: string }>(
      `select actor_kind from audit.events where action = 'code.failed' order by id desc limit 2`,
    )
    assert.deepEqual(
      noted.map(({ actor_kind }) => actor_kind),
      ['name', 'user'],
    )
  })

  test('what was counted against the names is forgotten with it', async () => {
    const { email, handle } = await confirmed()
    const body = { handle, password: 'not the password' }
    for (let n = 0; n < 10; n++) await ask('POST /api/auth/login', body, { address: '10.3.3.3' })
    assert.equal((await ask('POST /api/auth/login', body, { address: '10.3.3.4' })).status, 429)
    await users.mailResetCode({ email })
    await ask('POST /api/auth/password/reset', { email, code: await codeSentTo(db, email), password: next })
    const good = { handle, password: next }
    assert.equal((await ask('POST /api/auth/login', good, { address: '10.3.3.4' })).status, 200)
  })

  test('also where the owner is known, and from where it was reset', async () => {
    const { email, handle } = await confirmed()
    const home = { address: '10.3.4.3' }
    assert.equal((await ask('POST /api/auth/login', { handle, password: goodPassword }, home)).status, 200)
    const body = { handle, password: 'not the password' }
    for (let n = 0; n < 10; n++) await ask('POST /api/auth/login', body, home)
    assert.equal((await ask('POST /api/auth/login', body, home)).status, 429)
    await users.mailResetCode({ email })
    const code = await codeSentTo(db, email)
    const reset = await ask('POST /api/auth/password/reset', { email, code, password: next }, home)
    assert.equal(reset.status, 200)
    assert.equal((await ask('POST /api/auth/login', { handle, password: next }, home)).status, 200)
  })

  test('an address that was never confirmed gets none: it may be a stranger’s', async () => {
    const { email } = await newAccount(app)
    await users.mailResetCode({ email })
    assert.deepEqual(
      (await mailsTo(db, email)).map(({ template }) => template),
      ['confirm_email'],
    )
  })

  test('half an hour, five tries, one success however many try at once', async () => {
    const { email } = await confirmed()
    const reset = (code: string, password = next) =>
      ask('POST /api/auth/password/reset', { email, code, password })
    await users.mailResetCode({ email })
    const old = await codeSentTo(db, email)
    clock.advance(30 * minute)
    assert.equal((await reset(old)).status, 422)
    await ask('POST /api/auth/password/forgot', { email })
    await runResetJobs()
    const code = await codeSentTo(db, email)
    for (let n = 0; n < 4; n++) assert.equal((await reset('0000-0000')).status, 422)
    const together = await Promise.all([reset(code), reset(code), reset(code)])
    assert.deepEqual(together.map(({ status }) => status).toSorted(), [200, 422, 422])
  })

  test('strangers use up their own tries, and their own requests', async () => {
    const { email, handle } = await confirmed()
    const [stranger, home] = [{ address: '10.5.5.5' }, { address: '10.5.5.6' }]
    const forgot = async (from: { address: string }) =>
      (await ask('POST /api/auth/password/forgot', { handle }, from)).status
    const reset = async (code: string, from: { address: string }) =>
      (await ask('POST /api/auth/password/reset', { handle, code, password: next }, from)).status
    for (let n = 0; n < 5; n++) assert.equal(await forgot(stranger), 200)
    assert.equal(await forgot(stranger), 429)
    assert.equal(await forgot(home), 200)
    await runResetJobs()
    const resets = (await mailsTo(db, email)).filter(({ template }) => template === 'reset_password')
    assert.equal(resets.length, 5, 'however many ask, five mails')
    const code = await codeSentTo(db, email)
    for (let n = 0; n < 6; n++) assert.equal(await reset('0000-0000', stranger), 422)
    assert.equal(await reset(code, stranger), 422, 'after five wrong ones the right one is none')
    assert.equal(await reset(code, home), 200)
  })

  test('twenty requests a day for one name from one network; elsewhere there are others', async () => {
    const { email, handle } = await confirmed()
    const forgot = async (address: string) =>
      (await ask('POST /api/auth/password/forgot', { handle }, { address })).status
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let n = 0; n < 5; n++) assert.equal(await forgot('10.5.8.1'), 200)
      await runResetJobs()
      clock.advance(15 * minute)
    }
    assert.equal(await forgot('10.5.8.1'), 429)
    assert.equal(await forgot('10.5.8.2'), 200)
    await runResetJobs()
    const resets = (await mailsTo(db, email)).filter(({ template }) => template === 'reset_password')
    assert.equal(resets.length, 21)
    clock.advance(24 * 60 * minute)
    assert.equal(await forgot('10.5.8.1'), 200)
  })

  test('a code is good for a thousand tries in all', async () => {
    const { id, email } = await confirmed()
    await users.mailResetCode({ email })
    const code = await codeSentTo(db, email)
    const reset = (address: string) =>
      ask('POST /api/auth/password/reset', { email, code, password: next }, { address })
    await db.rows('update users.codes set attempts = 1000 where user_id = $1', [id])
    assert.equal((await reset('10.5.6.1')).status, 422)
    await db.rows('update users.codes set attempts = 999 where user_id = $1', [id])
    assert.equal((await reset('10.5.6.2')).status, 200)
  })

  test('who has used up five tries asks for another code, and has five more', async () => {
    const { email } = await confirmed()
    const from = { address: '10.5.7.1' }
    const reset = (code: string) =>
      ask('POST /api/auth/password/reset', { email, code, password: next }, from)
    await ask('POST /api/auth/password/forgot', { email }, from)
    await runResetJobs()
    for (let n = 0; n < 5; n++) assert.equal((await reset('0000-0000')).status, 422)
    assert.equal((await reset(await codeSentTo(db, email))).status, 422)
    await ask('POST /api/auth/password/forgot', { email }, from)
    await runResetJobs()
    assert.equal((await reset(await codeSentTo(db, email))).status, 200)
  })

  test('a hundred requests a quarter of an hour for one name from everywhere', async () => {
    const forgot = async (place: number) =>
      (await ask('POST /api/auth/password/forgot', { handle: 'wanted' }, { address: `10.5.8.${place}` }))
        .status
    for (let n = 0; n < 100; n++) assert.equal(await forgot(Math.floor(n / 5)), 200)
    assert.equal(await forgot(99), 429)
    clock.advance(15 * 60)
    assert.equal(await forgot(99), 200)
  })

  test('a new e-mail address: what was sent to the old one opens nothing', async () => {
    const { email, handle, token } = await confirmed()
    await users.mailResetCode({ handle })
    const code = await codeSentTo(db, email)
    await ask('PUT /api/me/email', { email: 'moved@example.com', password: goodPassword }, { token })
    assert.equal((await ask('POST /api/auth/password/reset', { handle, code, password: next })).status, 422)
  })

  const rows: [what: string, path: string, body: object, fields: string[]][] = [
    ['nobody', 'forgot', {}, ['email']],
    ['two names', 'forgot', { email: 'a@b.co', handle: 'amina' }, ['handle']],
    ['a wrong type', 'forgot', { phone: 5 }, ['phone']],
    ['nothing', 'reset', {}, ['code', 'email', 'password']],
    [
      'a weak password and no code',
      'reset',
      { handle: 'amina', password: 'qwertyuiop' },
      ['code', 'password'],
    ],
    ['an unknown name', 'reset', { handle: 'nobody', code: 'AAAA-AAAA', password: next }, ['code']],
    ['a very odd code', 'reset', { handle: 'nobody', code: '🐘\u202e', password: next }, ['code']],
  ]
  for (const [what, path, body, fields] of rows) {
    test(`${path} refuses ${what}`, async () => {
      const { status, body: answer } = await ask(`POST /api/auth/password/${path}`, body)
      assert.deepEqual(
        [status, Object.keys(answer.errors ?? {}).toSorted()],
        [422, fields],
        JSON.stringify(answer),
      )
    })
  }

  test('five requests a quarter of an hour for one name from one place, known or not', async () => {
    for (const handle of [(await confirmed()).handle, 'nobody_else']) {
      const forgot = async () => (await ask('POST /api/auth/password/forgot', { handle })).status
      for (let n = 0; n < 5; n++) assert.equal(await forgot(), 200)
      assert.equal(await forgot(), 429)
    }
  })
})

test('what is over is swept: codes, counts, places, sessions, changes', async () => {
  const { token, email, handle } = await confirmed()
  await users.mailResetCode({ handle })
  await ask('POST /api/auth/login', { email, password: 'wrong' })
  await ask('POST /api/auth/refresh', { token })
  const counts = async () => {
    const tables = ['codes', 'attempts', 'places', 'sessions', 'changes']
    const rows = await Promise.all(
      tables.map((table) => db.row<{ n: number }>(`select count(*)::int as n from users.${table}`)),
    )
    return Object.fromEntries(tables.map((table, place) => [table, rows[place]?.n]))
  }
  const before = await counts()
  assert.ok(Object.values(before).every((count) => (count ?? 0) > 0))
  const { tasks } = usersJobs({ db, clock, users, log: { debug: () => undefined } as never })
  const sweep = () => tasks.sweep_users?.({}, { signal: undefined, attempt: 1 })
  await sweep()
  assert.equal((await counts()).sessions, before.sessions)
  clock.advance(61 * 86_400)
  await db.rows(`update users.changes set at = at - interval '2 hours'`)
  await sweep()
  assert.deepEqual(await counts(), { codes: 0, attempts: 0, places: 0, sessions: 0, changes: 0 })
})
