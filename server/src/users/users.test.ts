// Accounts over HTTP: what a registration may be, and what people can change about themselves. A row is a body and the
// fields that are refused; every wrong field is named at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeSentTo, goodPassword, mailsTo, newAccount, openAsk } from '../../test/accounts.ts'
import { testApp, testDatabase } from '../../test/helpers.ts'

const database = await testDatabase()
const { app, db, users, log } = await testApp({ database })
const ask = openAsk(app)
const events = (user: string) =>
  db.rows<{ action: string; result: string }>(
    'select action, result from audit.events where actor_id = $1 order by id',
    [user],
  )

const good = { name: 'Wanjiru Kamau', password: goodPassword, phone: '+254700111222' }

describe('POST /api/auth/register', () => {
  test('answers as a login does', async () => {
    const { status, data } = await ask('POST /api/auth/register', {
      ...good,
      name: '  Wanjiru Kamau ',
      email: 'Wanjiru@Example.com',
      handle: '@Wanjiru',
      locale: 'sw',
      pin: '4821',
      unknown: 'is dropped',
    })
    assert.equal(status, 201)
    const { token, user, ...rest } = data
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 86_400 })
    assert.match(user.id, /^usr_\w{22}$/)
    assert.deepEqual(user, {
      id: user.id,
      handle: 'wanjiru',
      name: 'Wanjiru Kamau',
      email: 'wanjiru@example.com',
      email_confirmed: false,
      phone: '+254700111222',
      country: 'KE',
      locale: 'sw',
      default_currency: 'KES',
      has_pin: true,
      email_receipts: false,
      frozen: false,
      roles: [],
      created_at: '2026-03-14T09:00:00.000Z',
    })
    const me = await ask('GET /api/me', undefined, { token })
    const { limits, ...shown } = me.data
    assert.deepEqual(shown, user)
    assert.deepEqual((limits as Record<string, unknown>).KES, {
      least: 10,
      most: 250_000,
      daily_most: 500_000,
    })
    assert.deepEqual(await events(user.id), [{ action: 'register', result: 'ok' }])
    assert.deepEqual(
      (await mailsTo(db, 'wanjiru@example.com')).map(({ template }) => template),
      ['confirm_email'],
    )
  })

  const rows: [what: string, body: object, fields: string[]][] = [
    ['nothing', {}, ['email', 'name', 'password']],
    ['neither e-mail nor phone', { name: 'A', password: goodPassword }, ['email']],
    [
      'wrong types',
      { name: 1, password: null, email: [], phone: {}, handle: 5, pin: 4821, country: true, locale: 7 },
      ['country', 'email', 'handle', 'locale', 'name', 'password', 'phone', 'pin'],
    ],
    [
      'everything wrong at once',
      {
        name: '\t',
        password: 'password12',
        email: 'x',
        phone: '07',
        handle: '1',
        pin: '1234',
        country: 'uk',
        locale: 'de',
      },
      ['country', 'email', 'handle', 'locale', 'name', 'password', 'phone', 'pin'],
    ],
    [
      'a schema error and a rule error',
      { ...good, phone: '+254700111333', password: 5, pin: '1111' },
      ['password', 'pin'],
    ],
    [
      'a taken phone, e-mail and handle',
      { ...good, email: 'WANJIRU@example.com', handle: 'WANJIRU' },
      ['email', 'handle', 'phone'],
    ],
    ['a taken phone and a weak password', { ...good, password: 'qwertyuiop' }, ['password', 'phone']],
    ['a reserved handle', { ...good, phone: '+254700111333', handle: 'operator' }, ['handle']],
    ['a PIN from the own phone', { ...good, phone: '+254700193847', pin: '1938' }, ['pin']],
    ['a name of 81 letters', { ...good, phone: '+254700111333', name: 'x'.repeat(81) }, ['name']],
    [
      'a password with the own name',
      { ...good, phone: '+254700111333', password: 'wanjiru kamau' },
      ['password'],
    ],
    ...[
      ['the handle that would be made', 'Maximilian Ako', 'maximilian_ako'],
      ['that with the sign in front', 'Maximilian Ako', '@Maximilian_Ako'],
      ['one with a number, as when the name is taken', 'Maximilian Alexander Okello', 'maximilian_ale4093'],
      ['one of a name in another script', 'አበበ ቢቂላ', 'user730614'],
    ].map(([what, name, password]): [string, object, string[]] => [
      `a password like ${what}`,
      { ...good, phone: '+254700111333', name, password },
      ['password'],
    ]),
    ['a very long password', { ...good, phone: '+254700111333', password: 'x1'.repeat(65) }, ['password']],
  ]
  for (const [what, body, fields] of rows) {
    test(`refuses ${what}`, async () => {
      const { status, body: answer } = await ask('POST /api/auth/register', body)
      assert.equal(status, 422, JSON.stringify(answer))
      assert.equal(answer.code, 'validation_failed')
      assert.deepEqual(Object.keys(answer.errors ?? {}).toSorted(), fields)
    })
  }

  test('what the handle would be is no word of somebody who chose another', async () => {
    const given = { ...good, name: 'Maximilian Ako', phone: '+254700111334', handle: 'max_of_kisumu' }
    const { status } = await ask('POST /api/auth/register', { ...given, password: 'maximilian_ako' })
    assert.equal(status, 201)
  })

  test('a body that is none: 400', async () => {
    for (const payload of [undefined, []])
      assert.equal((await ask('POST /api/auth/register', payload)).status, 400)
  })

  test('a handle is made from the name, and with a number when that is taken', async () => {
    const handles: string[] = []
    for (let n = 0; n < 3; n++) {
      const { data } = await ask('POST /api/auth/register', {
        ...good,
        name: 'Otieno Ömer',
        phone: `+25470022200${n}`,
      })
      handles.push(data.user.handle)
    }
    assert.equal(handles[0], 'otieno_omer')
    for (const handle of handles.slice(1)) assert.match(handle, /^otieno_omer\d{1,6}$/)
    const other = await ask('POST /api/auth/register', { ...good, name: 'አበበ', phone: '+251911000000' })
    assert.match(other.data.user.handle, /^user\d{1,6}$/)
  })

  test('of many at the same moment with the same handle one gets it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        ask('POST /api/auth/register', { ...good, handle: 'only_one', phone: `+25470033300${n}` }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422, 422, 422, 422, 422])
    for (const { status, body } of answers)
      if (status === 422) assert.deepEqual(body.errors, { handle: 'Handle is taken' })
  })

  test('without a country it is that of the phone, or not known', async () => {
    const french = await ask('POST /api/auth/register', { ...good, phone: '+33612345678' })
    assert.deepEqual(
      [french.data.user.handle !== '', (french.data.user as object as { country: null }).country],
      [true, null],
    )
  })

  test('twenty an hour from one address', async () => {
    const limited = await testApp({ database, environment: { RATE_LIMITS: 'on' } })
    const askLimited = openAsk(limited.app)
    const statuses: number[] = []
    for (let n = 0; n < 21; n++)
      statuses.push((await askLimited('POST /api/auth/register', {}, { address: '10.9.9.9' })).status)
    assert.deepEqual([...new Set(statuses.slice(0, 20)), statuses[20]], [422, 429])
  })
})

describe('/api/me', () => {
  test('needs a token', async () => {
    assert.equal((await ask('GET /api/me')).status, 401)
    assert.equal((await ask('GET /api/me', undefined, { token: 'x.y.z' })).status, 401)
  })

  test('PATCH changes what is named, and the next look sees it', async () => {
    const { token, id, handle } = await newAccount(app)
    assert.equal((await users.byHandle(`@${handle.toUpperCase()}`))?.name, 'Amina Nakato')
    const changed = await ask('PATCH /api/me', { name: ' Amina N. ', email_receipts: true }, { token })
    assert.deepEqual(
      [changed.data.name, changed.data.locale, changed.data.email_receipts],
      ['Amina N.', 'en', true],
    )
    assert.equal((await ask('PATCH /api/me', { locale: 'fr' }, { token })).data.name, 'Amina N.')
    const person = await users.person(id)
    assert.deepEqual([person?.name, person?.locale, person?.wantsReceipts], ['Amina N.', 'fr', true])
    assert.equal((await ask('PATCH /api/me', {}, { token })).status, 200)
    const refused = await ask(
      'PATCH /api/me',
      { name: '\u202e', locale: 'xx', email_receipts: 'yes' },
      { token },
    )
    assert.deepEqual(Object.keys(refused.body.errors ?? {}).toSorted(), ['email_receipts', 'locale', 'name'])
  })

  test('PUT password: the present one, then a good one; the other sessions end', async () => {
    const { token, id, handle, email } = await newAccount(app)
    const other = (await ask('POST /api/auth/login', { handle, password: goodPassword })).data.token
    const next = 'chai mbili za jioni'
    const rows: [object, string[]][] = [
      [{}, ['new_password', 'password']],
      [{ new_password: 'password123' }, ['new_password', 'password']],
      [{ password: goodPassword, new_password: 'amina nakato' }, ['new_password']],
      [{ password: 'wrong one', new_password: next }, ['password']],
      [{ password: 'wrong one', new_password: 'amina nakato' }, ['new_password', 'password']],
      // Of a request that has not the right shape nothing is compared.
      [{ password: 'wrong one', new_password: 'short' }, ['new_password']],
    ]
    for (const [body, fields] of rows) {
      const { status, body: answer } = await ask('PUT /api/me/password', body, { token })
      assert.deepEqual(
        [status, Object.keys(answer.errors ?? {}).toSorted()],
        [422, fields],
        JSON.stringify(answer),
      )
    }
    assert.equal((await ask('GET /api/me', undefined, { token: other })).status, 200)
    assert.equal(
      (await ask('PUT /api/me/password', { password: goodPassword, new_password: next }, { token })).status,
      200,
    )
    assert.equal((await ask('GET /api/me', undefined, { token: other })).status, 401)
    assert.equal((await ask('GET /api/me', undefined, { token })).status, 200)
    assert.equal((await ask('POST /api/auth/login', { handle, password: goodPassword })).status, 401)
    assert.equal((await ask('POST /api/auth/login', { handle, password: next })).status, 200)
    assert.ok((await events(id)).some(({ action }) => action === 'password.changed'))
    // The address was never confirmed, so it is told nothing but its code.
    assert.deepEqual(
      (await mailsTo(db, email)).map(({ template }) => template),
      ['confirm_email'],
    )
  })

  test('PUT pin: what is wrong with it, and with the password, at once', async () => {
    const { token } = await newAccount(app, { phone: '+254700193847' })
    const rows: [object, string[]][] = [
      [{}, ['password', 'pin']],
      [{ pin: '1938', password: goodPassword }, ['pin']],
      [{ pin: '1938', password: 'wrong one' }, ['password', 'pin']],
      [{ pin: '1234', password: 'wrong one' }, ['password', 'pin']],
      [{ pin: '4821', password: 'wrong one' }, ['password']],
    ]
    for (const [body, fields] of rows) {
      const { status, body: answer } = await ask('PUT /api/me/pin', body, { token })
      assert.deepEqual(
        [status, Object.keys(answer.errors ?? {}).toSorted()],
        [422, fields],
        JSON.stringify([body, answer]),
      )
    }
    assert.equal((await ask('GET /api/me', undefined, { token })).data.has_pin, false)
  })

  for (const [what, body] of [
    ['PUT /api/me/pin', { pin: '1234' }],
    ['PUT /api/me/password', { new_password: 'amina nakato' }],
    ['PUT /api/me/email', { email: 'n@n' }],
  ] as const)
    test(`${what}: a password that is tried beside another wrong field counts, and is written down`, async () => {
      const { token, id } = await newAccount(app)
      for (let n = 0; n < 10; n++) {
        const { status, body: answer } = await ask(what, { ...body, password: 'wrong one' }, { token })
        assert.deepEqual([status, answer.errors?.password], [422, 'Password is wrong'])
      }
      const written = (await events(id)).filter(({ action }) => action === 'password.failed')
      assert.equal(written.length, 10)
      const made = users.hashesMade()
      for (const password of ['wrong one', goodPassword]) {
        const refused = await ask(what, { ...body, password }, { token })
        assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '900'])
      }
      assert.equal(users.hashesMade(), made, 'none is compared any more')
    })

  test('ten wrong passwords of somebody who is logged in: 429, and no more are looked at', async () => {
    const { token } = await newAccount(app)
    const body = { password: 'not the password', pin: '4821' }
    for (let n = 0; n < 10; n++) assert.equal((await ask('PUT /api/me/pin', body, { token })).status, 422)
    const made = users.hashesMade()
    const refused = await ask('PUT /api/me/pin', { ...body, password: goodPassword }, { token })
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '900'])
    assert.equal(users.hashesMade(), made)
  })

  test('PUT email and phone: with the password, one of a kind; a code goes to the new address', async () => {
    const first = await newAccount(app)
    const { token, email } = await newAccount(app)
    await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
    const password = goodPassword
    const rows: [string, object, string[]][] = [
      ['PUT /api/me/email', { email: 'nonsense' }, ['email', 'password']],
      ['PUT /api/me/email', { email: first.email, password }, ['email']],
      ['PUT /api/me/email', { email: 'new@example.com', password: 'wrong one' }, ['password']],
      ['PUT /api/me/email', { email: 'a@b', password: 'wrong one' }, ['email', 'password']],
      ['PUT /api/me/phone', { phone: '0700', password }, ['phone']],
      ['PUT /api/me/phone', { phone: good.phone, password }, ['phone']],
    ]
    for (const [what, body, fields] of rows) {
      const { status, body: answer } = await ask(what, body, { token })
      assert.deepEqual(
        [status, Object.keys(answer.errors ?? {}).toSorted()],
        [422, fields],
        JSON.stringify(answer),
      )
    }
    const changed = await ask('PUT /api/me/email', { email: 'New@Example.com', password }, { token })
    assert.deepEqual(
      [changed.status, changed.data.email, changed.data.email_confirmed],
      [200, 'new@example.com', false],
    )
    assert.equal((await mailsTo(db, email))[0]?.template, 'email_changed')
    const code = await codeSentTo(db, 'new@example.com')
    assert.equal((await ask('POST /api/auth/email/confirm', { code }, { token })).status, 200)
    const phone = await ask('PUT /api/me/phone', { phone: '+256700999888', password }, { token })
    assert.deepEqual([phone.data.phone, phone.data.email_confirmed], ['+256700999888', true])
  })
})

test('the address that is confirmed, given again: it stays confirmed, and no code is mailed', async () => {
  const { token, email } = await newAccount(app)
  const give = () =>
    ask('PUT /api/me/email', { email: email.toUpperCase(), password: goodPassword }, { token })
  const code = await codeSentTo(db, email)
  assert.equal((await give()).status, 200, 'not confirmed yet: another code')
  assert.notEqual(await codeSentTo(db, email), code)
  await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
  const mails = (await mailsTo(db, email)).length
  const { status, body } = await give()
  assert.deepEqual([status, body.code], [422, 'invalid_state'])
  assert.equal((await ask('GET /api/me', undefined, { token })).data.email_confirmed, true)
  assert.equal((await mailsTo(db, email)).length, mails)
})

test('who has only the token is not told whether somebody has an address', async () => {
  const [{ email }, { token }] = [await newAccount(app), await newAccount(app)]
  const { body } = await ask('PUT /api/me/email', { email, password: 'wrong one' }, { token })
  assert.deepEqual(body.errors, { password: 'Password is wrong' })
})

test('five changes of an address a quarter of an hour: each says whether somebody has it, or mails a code to it', async () => {
  const { token } = await newAccount(app)
  const change = (n: number) =>
    ask('PUT /api/me/phone', { phone: `+25670055500${n}`, password: goodPassword }, { token })
  for (let n = 0; n < 5; n++) assert.equal((await change(n)).status, 200)
  const refused = await change(5)
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  assert.equal(
    (await ask('PUT /api/me/email', { email: 'x@example.test', password: goodPassword }, { token })).status,
    429,
  )
})

test('a wrong password where it is asked for again is written down, with the session', async () => {
  const { token, id } = await newAccount(app)
  await ask('PUT /api/me/pin', { pin: '9062', password: 'not the password' }, { token })
  const row = await db.row<{ result: string; session: string | null; address: string | null }>(
    `select result, session, address from audit.events where actor_id = $1 and action = 'password.failed'`,
    [id],
  )
  assert.deepEqual([row?.result, row?.session !== null, row?.address !== null], ['refused', true, true])
})

test('freezing: sessions end, people can look but not move money, until it is lifted', async () => {
  const { token, id, handle } = await newAccount(app, { pin: '4821' })
  const by = { kind: 'operator', id: 'usr_operator' }
  const before = await users.person(id)
  assert.equal(
    await db.inTransaction((tx) => users.freeze(tx, { user: id, by, origin: {}, reason: 'stolen phone' })),
    true,
  )
  assert.equal(await db.inTransaction((tx) => users.freeze(tx, { user: id, by, origin: {} })), false)
  // Another process would hear of it within two seconds; this one hears in the same way.
  for (let n = 0; n < 40 && (await ask('GET /api/me', undefined, { token })).status !== 401; n++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal((await ask('GET /api/me', undefined, { token })).status, 401)
  const again = await ask('POST /api/auth/login', { handle, password: goodPassword })
  assert.deepEqual([again.status, (again.data.user as object as { frozen: boolean }).frozen], [200, true])
  await assert.rejects(users.checkPin({ user: id, pin: '4821', origin: {} }), { code: 'account_frozen' })
  assert.equal(await db.inTransaction((tx) => users.unfreeze(tx, { user: id, by, origin: {} })), true)
  users.forget(id)
  const { person } = await users.checkPin({ user: id, pin: '4821', origin: {} })
  assert.notEqual(person.guard, before?.guard)
  const told = await db.rows<{ action: string }>(
    'select action from audit.events where object = $1 order by id',
    [id],
  )
  assert.deepEqual(
    told.map(({ action }) => action),
    ['user.frozen', 'user.unfrozen'],
  )
})

test('no password, PIN, code or token is in the log or in the database', async () => {
  const { token, email } = await newAccount(app, { password: 'planted needle xyzzy', pin: '739154' })
  await ask('POST /api/auth/login', { email, password: 'planted needle xyzzy' })
  const secrets = ['planted needle xyzzy', '739154', token]
  for (const secret of secrets) assert.ok(!log.text().includes(secret))
  const tables = await db.rows<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables where table_schema in ('users', 'audit')`,
  )
  for (const { name } of tables) {
    const rows = JSON.stringify(await db.rows(`select t::text from ${name} t`))
    for (const secret of secrets) assert.ok(!rows.includes(secret), `${name} has no secret`)
  }
})
