// Deposits and withdrawals as their owner sees them, over HTTP with the networks in a box: what is refused and why, what is
// held and when, what the history shows, and which letters are sent.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decider, deposit, openFundingStage, phone, withdraw } from '../../test/funding-stage.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { finish, quiet } from '../../test/open-orders.ts'
import { type Loose, register } from '../../test/people.ts'

const { server, rich, balanceOf, operationOf } = await openFundingStage()
const { dependencies } = server
const { operations, funding } = dependencies

describe('methods', () => {
  test('those that serve the currency, with what they need', async () => {
    const person = await register(server)
    const list = async (query: string) =>
      (await person.call('GET', `/api/methods?${query}`)).body.data.map((row: Loose) => [
        row.id,
        row.kind,
        row.fields,
      ])
    assert.deepEqual(await list('currency=UGX&purpose=deposit'), [
      ['mtn', 'mobile_money', ['phone']],
      ['airtel', 'mobile_money', ['phone']],
    ])
    assert.deepEqual(await list('currency=NGN&purpose=withdrawal'), [['paystack', 'bank', ['account']]])
    assert.deepEqual((await list('currency=KES&purpose=payment'))[0], ['wallet', 'wallet', []])
    assert.equal((await person.call('GET', '/api/methods?currency=XXX&purpose=deposit')).status, 422)
  })
})

describe('refused', () => {
  // what is sent, the field that is wrong, the code
  const depositRows: [more: object, field: string, code?: string][] = [
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.5 }, 'amount'],
    [{ amount: 20_000_001 }, 'amount', 'limit_exceeded'],
    [{ method: 'mpesa' }, 'method'],
    [{ method: 'wallet' }, 'method'],
    [{ phone: undefined }, 'phone'],
    [{ phone: '0772345567' }, 'phone'],
    [{ phone: '+254712345678' }, 'phone'],
    [{ currency: 'KES', method: 'mpesa', amount: 10.5, phone: '+254712345678' }, 'amount'],
    [{ email: 'nobody' }, 'email'],
  ]
  test('deposits', async () => {
    const person = await register(server)
    for (const [more, field, code = 'validation_failed'] of depositRows) {
      const reply = await deposit(person, more)
      assert.deepEqual([reply.status, reply.body.code], [422, code], `${JSON.stringify(more)} ${reply.text}`)
      assert.deepEqual(Object.keys(reply.body.errors), [field], JSON.stringify(more))
    }
    assert.deepEqual((await person.call('GET', '/api/transactions')).body.data, [])
  })

  const kenya = { currency: 'KES', method: 'mpesa', phone: '+254712345678' }
  // what is sent, the fields that are wrong; first for both, then for one of them
  const manyRows: [more: object, fields: string[], headers?: Record<string, string>][] = [
    [{ amount: 1.5, phone: '+254712345678' }, ['amount', 'phone']],
    [{ amount: 90_000_000, method: 'mpesa' }, ['amount', 'method']],
    [{ amount: 0, method: 'mpesa', phone: '0772345567' }, ['amount', 'method', 'phone']],
    [{ amount: 0, phone: undefined }, ['amount', 'phone']],
    [{ ...kenya, amount: 10.123, phone: '+256772345567' }, ['amount', 'phone']],
    // What can't be told without the currency, or the method, is not.
    [{ amount: 0, currency: 'EUR', phone: '+254712345678' }, ['amount', 'currency']],
    [{ amount: 1.5, method: 'wallet', phone: undefined }, ['amount', 'method']],
  ]
  const badKey = { 'idempotency-key': 'two words' }
  const manyOfDeposits: typeof manyRows = [
    [{ phone: '+254712345678' }, ['Idempotency-Key', 'phone'], badKey],
    [{ amount: 20_000_001 }, ['Idempotency-Key', 'amount'], badKey],
    [
      { amount: 1.5, method: 'mpesa', email: 'nobody' },
      ['Idempotency-Key', 'amount', 'email', 'method'],
      badKey,
    ],
  ]
  test('everything that is wrong, at once: deposits', async () => {
    const person = await register(server)
    for (const [more, fields, headers] of [...manyRows, ...manyOfDeposits]) {
      const { body } = await deposit(person, more, headers)
      assert.deepEqual(
        [body.code, Object.keys(body.errors).sort()],
        ['validation_failed', fields],
        JSON.stringify(more),
      )
    }
  })

  test('everything that is wrong, at once: previews of withdrawals; a withdrawal asks for the PIN first', async () => {
    const person = await rich()
    const good = { amount: 5_000, currency: 'UGX', method: 'mtn', phone: phone('567') }
    for (const [more, fields] of manyRows) {
      const { body } = await person.call('POST', '/api/withdraw/preview', { ...good, ...more })
      assert.deepEqual(
        [body.code, Object.keys(body.errors).sort()],
        ['validation_failed', fields],
        JSON.stringify(more),
      )
    }
    const both = await withdraw(person, { amount: 1.5, phone: '+254712345678' })
    assert.deepEqual(Object.keys(both.body.errors), ['amount'])
    const pin = await withdraw(person, { pin: '9999', phone: '+254712345678' })
    assert.equal(pin.body.code, 'pin_incorrect')
  })

  const withdrawRows: [more: object, status: number, code: string, field?: string][] = [
    [{ amount: 499 }, 422, 'validation_failed', 'amount'],
    [{ amount: 5_000_001 }, 422, 'limit_exceeded', 'amount'],
    [{ amount: 100_000 }, 422, 'insufficient_funds', 'amount'],
    [{ pin: '9999' }, 403, 'pin_incorrect'],
    [{ pin: 'abcd' }, 422, 'validation_failed', 'pin'],
    [{ phone: undefined }, 422, 'validation_failed', 'phone'],
    [{ method: 'paystack' }, 422, 'validation_failed', 'method'],
    [{ currency: 'KES', method: 'mpesa', phone: '+254712345678' }, 422, 'insufficient_funds', 'amount'],
    [{ currency: 'NGN', method: 'paystack', account: '12' }, 422, 'validation_failed', 'account'],
  ]
  test('withdrawals', async () => {
    const person = await rich()
    for (const [more, status, code, field] of withdrawRows) {
      const reply = await withdraw(person, more)
      assert.deepEqual(
        [reply.status, reply.body.code],
        [status, code],
        `${JSON.stringify(more)} ${reply.text}`,
      )
      if (field !== undefined) assert.deepEqual(Object.keys(reply.body.errors), [field], JSON.stringify(more))
    }
    assert.deepEqual(await balanceOf(person), [100_000n, 0n])
  })

  test('a withdrawal within a day of a change of the PIN; not after a first PIN, and not one that was made before', async () => {
    const person = await rich()
    const key = { 'idempotency-key': 'before-the-change' }
    const before = await withdraw(person, {}, key)
    assert.equal(before.status, 200, before.text)
    const noted = await server.db.rows<{ object: string; whole: boolean }>(
      `select object, session is not null and address is not null and request_id is not null as whole
       from audit.events where actor_id = $1 and action = 'withdrawal'`,
      [person.id],
    )
    assert.deepEqual(noted, [{ object: before.body.data.reference, whole: true }], 'in the audit log')
    const pin = '9062'
    const changed = await person.call('PUT', '/api/me/pin', { pin, password: person.password })
    assert.equal(changed.status, 200, changed.text)
    for (const headers of [{}, { 'idempotency-key': 'after-it' }]) {
      const refused = await withdraw(person, { pin }, headers)
      assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_state'], refused.text)
    }
    const again = await withdraw(person, { pin }, key)
    assert.deepEqual([again.status, again.text], [200, before.text])
    const start = server.clock.now().toISOString()
    server.clock.advance(86_400 - 1)
    const login = () =>
      person.call('POST', '/api/auth/login', { handle: person.handle, password: person.password })
    const headers = { authorization: `Bearer ${(await login()).body.data.token}` }
    assert.equal((await withdraw(person, { pin }, headers)).status, 422)
    server.clock.advance(1)
    assert.equal((await withdraw(person, { pin }, headers)).status, 200)
    server.clock.set(start)
  })

  test('who is frozen, and who has no PIN', async () => {
    const person = await rich()
    const key = { 'idempotency-key': 'before-it' }
    assert.equal((await deposit(person, {}, key)).status, 200)
    await server.db.inTransaction((tx) =>
      server.users.freeze(tx, {
        user: person.id,
        by: { kind: 'test', id: 'test' },
        reason: 'Test',
        origin: {},
      }),
    )
    server.users.forget(person.id)
    const again = await server.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { handle: person.handle, password: person.password },
    })
    const headers = { authorization: `Bearer ${again.json().data.token}` }
    for (const reply of [
      await deposit(person, {}, headers),
      await deposit(person, {}, { ...headers, ...key }),
      await withdraw(person, {}, headers),
    ])
      assert.deepEqual([reply.status, reply.body.code], [403, 'account_frozen'])
    const careless = await register(server, { pin: undefined })
    assert.equal((await withdraw(careless, { pin: '4827' })).body.code, 'pin_not_set')
  })
})

describe('a deposit', () => {
  test('is pending, then in the wallet, which it opens', async () => {
    const person = await register(server, { country: 'KE' })
    const reply = await deposit(person)
    const { reference, ...data } = reply.body.data
    assert.match(reference, /^DP-/)
    assert.deepEqual(data, {
      status: 'pending',
      method: 'mtn',
      amount: 12_000,
      currency: 'UGX',
      instructions: `Approve the request of MTN MoMo on the phone ${phone('567')} with its PIN.`,
    })
    const before = (await person.call('GET', '/api/transactions?status=pending')).body.data
    assert.deepEqual(
      before.map((row: Loose) => [row.reference, row.status, row.direction, row.amount, row.balance_after]),
      [[reference, 'pending', 'in', 12_000, null]],
    )
    await quiet(server)
    const { body } = await person.call('GET', `/api/transactions/${reference}`)
    const { status, amount, fee, counterparty, balance_after, steps } = body.data
    assert.deepEqual([status, amount, fee, balance_after], ['completed', 12_000, 0, 12_000])
    assert.deepEqual(counterparty, { name: 'MTN MoMo …5567' })
    assert.deepEqual(
      steps.map((step: Loose) => step.status),
      ['pending', 'completed'],
    )
    const wallets = (await person.call('GET', '/api/wallets')).body.data
    assert.ok(wallets.some((row: Loose) => row.currency === 'UGX' && row.balance === 12_000))
    const all = (await person.call('GET', '/api/transactions')).body.data
    assert.equal(all.length, 1, 'once, though both the ledger and this room know it')
  })

  test('that was refused stays in the history with its reason, for its owner only', async () => {
    const [person, other] = [await register(server), await register(server)]
    const { reference } = (await deposit(person, { phone: phone('049') })).body.data
    await quiet(server)
    const { body } = await person.call('GET', '/api/transactions?status=failed&type=deposit&currency=UGX')
    assert.deepEqual(
      body.data.map((row: Loose) => [row.reference, row.note]),
      [[reference, 'There was not enough money in the account at the provider.']],
    )
    for (const query of ['status=completed', 'type=transfer', 'direction=out', 'currency=KES'])
      assert.deepEqual((await person.call('GET', `/api/transactions?${query}`)).body.data, [], query)
    assert.equal((await other.call('GET', `/api/transactions/${reference}`)).status, 404)
    const csv = await person.call('GET', '/api/transactions.csv')
    assert.ok(csv.text.includes(reference))
  })

  test("takes the person's own phone when none is given", async () => {
    const person = await register(server)
    await person.call('PUT', '/api/me/phone', { phone: phone('321'), password: person.password })
    const reply = await deposit(person, { phone: undefined })
    assert.equal(reply.status, 200, reply.text)
    assert.equal((await operationOf(reply.body.data.reference)).phone, phone('321'))
  })

  test('that the provider says no to, and yes to afterwards, is paid all the same', async () => {
    const person = await register(server)
    const { reference } = (await deposit(person, { phone: phone('039') })).body.data
    await quiet(server)
    const operation = await operationOf(reference)
    assert.equal(operation.state, 'failed')
    const learn = () =>
      operations.learn(operation.id, { state: 'completed', receipt: 'LATE1', amount: operation.amount })
    await Promise.all([learn(), learn(), learn()])
    assert.deepEqual(await balanceOf(person), [12_000n, 0n])
    const { body } = await person.call('GET', `/api/transactions/${reference}`)
    assert.equal(body.data.status, 'completed')
  })
})

describe('a withdrawal', () => {
  test('is told before: fee, what is held, what is left; nothing moves, no PIN is needed', async () => {
    const person = await rich()
    const preview = (more: object) =>
      person.call('POST', '/api/withdraw/preview', {
        ...{ amount: 10_000, currency: 'UGX', method: 'mtn', phone: phone('567') },
        ...more,
      })
    const told = { amount: 10_000, fee: 100, total: 10_100, currency: 'UGX' }
    const { body } = await preview({})
    assert.deepEqual(body.data, { ...told, balance_after: 89_900, sufficient: true })
    const rows: [more: object, found: unknown][] = [
      [{ amount: 99_009 }, [true, 1]],
      [{ amount: 99_010 }, [true, 0]],
      [{ amount: 99_011 }, [false, -1]],
      [{ amount: 499 }, ['amount']],
      [{ phone: undefined }, ['phone']],
      [{ method: 'paystack' }, ['method']],
    ]
    for (const [more, found] of rows) {
      const { status, body: reply } = await preview(more)
      const seen =
        status === 200 ? [reply.data.sufficient, reply.data.balance_after] : Object.keys(reply.errors)
      assert.deepEqual(seen, found, JSON.stringify(more))
    }
    assert.deepEqual(await balanceOf(person), [100_000n, 0n])
    assert.equal((await person.call('GET', '/api/transactions')).body.data.length, 1)
  })

  test('is held at once with its fee, and leaves when it is confirmed', async () => {
    const person = await rich()
    const reply = await withdraw(person)
    const { reference, ...data } = reply.body.data
    assert.match(reference, /^WD-/)
    assert.deepEqual(data, {
      status: 'pending',
      method: 'mtn',
      amount: 10_000,
      fee: 100,
      currency: 'UGX',
      instructions: `The money is on its way to ${phone('567')}. MTN MoMo tells you when it has arrived.`,
    })
    assert.deepEqual(await balanceOf(person), [100_000n, 10_100n])
    await quiet(server)
    assert.deepEqual(await balanceOf(person), [89_900n, 0n])
    const { body } = await person.call('GET', `/api/transactions/${reference}`)
    const { status, direction, amount, fee, balance_after } = body.data
    assert.deepEqual(
      [status, direction, amount, fee, balance_after],
      ['completed', 'out', 10_100, 100, 89_900],
    )
    const [fees] = await server.ledger.balances(server.db, [
      { kind: 'fees', owner: '-', currency: 'UGX', mode: 'live' },
    ])
    assert.ok((fees?.balance ?? 0n) >= 100n)
  })

  test('that was refused comes back whole', async () => {
    const person = await rich()
    const { reference } = (await withdraw(person, { phone: phone('089') })).body.data
    await quiet(server)
    assert.deepEqual(await balanceOf(person), [100_000n, 0n])
    const { body } = await person.call('GET', `/api/transactions/${reference}`)
    assert.deepEqual([body.data.status, body.data.fee, body.data.amount], ['failed', 100, 10_100])
    assert.equal(body.data.failure_code, 'recipient_not_found')
  })

  test('what the provider says it has not paid out of it waits to be given', async () => {
    const person = await rich()
    const { reference } = (await withdraw(person, { phone: phone('999') })).body.data
    await dependencies.funding.idle()
    const operation = await operationOf(reference)
    const amount = { minor: 9_000n, currency: 'UGX' as const }
    await operations.learn(operation.id, { state: 'completed', amount })
    assert.deepEqual(await balanceOf(person), [89_900n, 0n])
    const [row] = await funding.listUnmatched({
      status: 'open',
      provider: 'mtn',
      before: undefined,
      limit: 1,
    })
    assert.deepEqual([row?.why, row?.amount, row?.phone], ['paid_out_less', 1_000n, phone('999')])
    await funding.matchToWallet({ id: row?.id ?? '', user: person.id, decider })
  })
})

describe('letters', () => {
  test('to who wants them: what came, what left, what came back', async () => {
    const person = await rich()
    await server.db.rows(
      'update users.people set email_confirmed_at = now(), wants_receipts = true where id = $1',
      [person.id],
    )
    server.users.forget(person.id)
    const replies = [
      await deposit(person),
      await withdraw(person),
      await withdraw(person, { phone: phone('029') }),
    ]
    await quiet(server)
    const sent = await server.db.rows<{ template: string; about_id: string }>(
      'select template, about_id from mail.messages where about_id = any($1) order by template',
      [replies.map(({ body }) => body.data.reference)],
    )
    assert.deepEqual(
      sent.map(({ template }) => template),
      ['money_in', 'withdrawal_done', 'withdrawal_failed'],
    )
  })
})

test('an independent look at the books', async () => {
  await finish(server)
  await checkLedger(server.url)
})
