// Person to person: what is sent, what it costs, who gets it, and every way in which it is refused. The order of checks is
// part of the interface: shape, PIN, recipient, limit and balance.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { reconcile, submittedDuring, testApp } from '../../test/helpers.ts'
import { available, fund, register, type TestPerson } from '../../test/people.ts'
import { longTest } from '../../test/thorough.ts'

const server = await testApp()
const alice = await register(server, { handle: 'alice', name: 'Alice Akello', country: 'UG' })
const bob = await register(server, { handle: 'bob_k', name: 'Bob Kamau', country: 'KE' })
await fund(server, alice, { amount: '1000000' })
await fund(server, alice, { amount: '1000', currency: 'KES' })
afterEach(() => reconcile(server))

const order = { recipient: 'bob_k', amount: 10_000, currency: 'UGX', note: 'Rent', pin: alice.pin }

describe('send', () => {
  test('answers exactly as documented, and the money is there', async () => {
    const before = [await available(server, alice), await available(server, bob)] as const
    const { status, body, text } = await alice.call('POST', '/api/send', order)
    assert.equal(status, 200, text)
    assert.match(body.data.reference, /^TR(-[0-9A-Z]{3,5}){3}$/)
    assert.deepEqual(body, {
      success: true,
      message: 'Money sent',
      data: {
        reference: body.data.reference,
        amount: 10_000,
        currency: 'UGX',
        fee: 100,
        recipient_gets: 9_900,
      },
    })
    assert.equal(await available(server, alice), before[0] - 10_000n)
    assert.equal(await available(server, bob), before[1] + 9_900n)
  })

  test('opens the wallet of the recipient, and shows it to both', async () => {
    const { body } = await alice.call('POST', '/api/send', {
      ...order,
      amount: '12.50',
      currency: 'KES',
      note: undefined,
    })
    assert.deepEqual([body.data.amount, body.data.fee, body.data.recipient_gets], [12.5, 0.13, 12.37])
    const wallets = (await bob.call('GET', '/api/wallets')).body.data
    assert.ok(
      wallets.some(
        (wallet: { currency: string; balance: number }) =>
          wallet.currency === 'KES' && wallet.balance === 12.37,
      ),
    )
    const sent = (await alice.call('GET', '/api/transactions?currency=KES')).body.data[0]
    assert.deepEqual(
      [sent.reference, sent.direction, sent.amount, sent.counterparty.handle],
      [body.data.reference, 'out', 12.5, 'bob_k'],
    )
    const got = (await bob.call('GET', '/api/transactions')).body.data[0]
    assert.deepEqual(
      [got.reference, got.direction, got.amount, got.counterparty.name],
      [body.data.reference, 'in', 12.37, 'Alice Akello'],
    )
  })

  const refusals: [name: string, change: object, status: number, code: string, fields: string[]][] = [
    [
      'nothing at all',
      { recipient: undefined, amount: undefined, currency: undefined, pin: undefined },
      422,
      'validation_failed',
      ['amount', 'currency', 'pin', 'recipient'],
    ],
    ['amount zero', { amount: 0 }, 422, 'validation_failed', ['amount']],
    ['amount below zero', { amount: -5 }, 422, 'validation_failed', ['amount']],
    ['half a shilling', { amount: 1000.5 }, 422, 'validation_failed', ['amount']],
    [
      'half a shilling, and a long note',
      { amount: 1000.5, note: 'x'.repeat(141) },
      422,
      'validation_failed',
      ['amount', 'note'],
    ],
    ['too little', { amount: 499 }, 422, 'validation_failed', ['amount']],
    ['too much at once', { amount: 5_000_001 }, 422, 'limit_exceeded', ['amount']],
    [
      'half a shilling, to nobody: of whom there is, a right PIN comes first',
      { amount: 1000.5, recipient: 'nobody_here' },
      422,
      'validation_failed',
      ['amount'],
    ],
    ['more than there is', { amount: 4_000_000 }, 422, 'insufficient_funds', ['amount']],
    ['a currency nobody has', { currency: 'EUR' }, 422, 'validation_failed', ['currency']],
    ['to nobody', { recipient: 'nobody_here' }, 422, 'validation_failed', ['recipient']],
    ['to oneself', { recipient: '@Alice' }, 422, 'validation_failed', ['recipient']],
    ['to what is no handle', { recipient: 'a b' }, 422, 'validation_failed', ['recipient']],
    ['PIN as a number', { pin: 4827 }, 422, 'validation_failed', ['pin']],
    ['PIN in other digits', { pin: '٤٨٢٧' }, 422, 'validation_failed', ['pin']],
    ['a note with a bell', { note: 'a\u0007b' }, 422, 'validation_failed', ['note']],
    [
      'a wrong PIN, to nobody, more than there is',
      { pin: '9173', recipient: 'nobody_here', amount: 4_000_000 },
      403,
      'pin_incorrect',
      [],
    ],
  ]
  for (const [name, change, status, code, fields] of refusals) {
    test(`refused: ${name}`, async () => {
      const before = await available(server, alice)
      const reply = await alice.call('POST', '/api/send', { ...order, ...change })
      assert.equal(reply.status, status, reply.text)
      assert.equal(reply.body.code, code)
      assert.deepEqual(Object.keys(reply.body.errors ?? {}).sort(), fields)
      assert.equal(await available(server, alice), before)
    })
  }

  test('without a token: 401', async () => {
    const { status, body } = await alice.call('POST', '/api/send', order, {
      authorization: 'Bearer nonsense',
    })
    assert.deepEqual([status, body.code], [401, 'unauthenticated'])
  })

  test('who has no PIN is told so', async () => {
    const carol = await register(server, { pin: undefined })
    await fund(server, carol, { amount: '5000' })
    const { status, body } = await carol.call('POST', '/api/send', { ...order, amount: 1_000 })
    assert.deepEqual([status, body.code], [403, 'pin_not_set'])
  })
})

describe('send, repeated with a key', () => {
  const key = (text: string) => ({ 'idempotency-key': text })

  test('moves the money once, and answers the same bytes', async () => {
    const before = await available(server, alice)
    const first = await alice.call('POST', '/api/send', order, key('one'))
    const again = await alice.call('POST', '/api/send', { ...order, amount: '10000.0' }, key('"one"'))
    assert.equal(first.status, 200)
    assert.equal(again.text, first.text)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(await available(server, alice), before - 10_000n)
  })

  test('50 at once: one transfer, one answer', async () => {
    const before = await available(server, alice)
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => alice.call('POST', '/api/send', order, key('fifty'))),
    )
    assert.deepEqual([...new Set(replies.map(({ text }) => text))].length, 1)
    assert.equal(await available(server, alice), before - 10_000n)
  })

  test('another body: 422; a wrong PIN: 403, as without a key', async () => {
    const other = await alice.call('POST', '/api/send', { ...order, amount: 20_000 }, key('one'))
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_conflict'])
    const wrong = await alice.call('POST', '/api/send', { ...order, pin: '9173' }, key('one'))
    assert.equal(wrong.body.code, 'pin_incorrect')
    assert.equal((await alice.call('POST', '/api/send', order, key('one'))).status, 200)
  })

  test('a refusal leaves the key to the next try', async () => {
    const dave = await register(server)
    const small = { ...order, amount: 600 }
    assert.equal((await dave.call('POST', '/api/send', small, key('two'))).body.code, 'insufficient_funds')
    await fund(server, dave, { amount: '1000' })
    assert.equal((await dave.call('POST', '/api/send', small, key('two'))).status, 200)
  })

  test('the first answer also when the recipient was frozen since; without the key, or a new one: refused', async () => {
    const chausiku = await register(server)
    const sent = { ...order, recipient: chausiku.handle }
    const key = { 'idempotency-key': 'before-the-freeze' }
    const first = await alice.call('POST', '/api/send', sent, key)
    assert.equal(first.status, 200, first.text)
    const by = { kind: 'operator', id: 'usr_operator' }
    await server.db.inTransaction((tx) => server.users.freeze(tx, { user: chausiku.id, by, origin: {} }))
    server.users.forget(chausiku.id)
    const before = await available(server, alice)
    const submitted = await submittedDuring(server, async () => {
      const again = await alice.call('POST', '/api/send', sent, key)
      assert.deepEqual([again.status, again.text], [200, first.text])
      assert.equal(again.headers['idempotency-replayed'], 'true')
      for (const headers of [{}, { 'idempotency-key': 'after-it' }]) {
        const refused = await alice.call('POST', '/api/send', sent, headers)
        assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['recipient']])
      }
      const other = await alice.call('POST', '/api/send', { ...sent, amount: 20_000 }, key)
      assert.deepEqual([other.status, other.body.code], [422, 'idempotency_conflict'])
    })
    assert.equal(await available(server, alice), before)
    assert.equal(submitted, 0, "what can not be posted is in nobody else's batch")
  })

  test('of somebody else it is another key', async () => {
    const erin = await register(server)
    await fund(server, erin, { amount: '20000' })
    const theirs = await erin.call('POST', '/api/send', order, key('one'))
    assert.equal(theirs.headers['idempotency-replayed'], undefined)
  })

  for (const [name, change, fields] of [
    ['is none', {}, []],
    ['is none, and half a shilling', { amount: 1000.5 }, ['amount']],
    ['is none, and too much at once', { amount: 5_000_001 }, ['amount']],
    ['is none, and the rest is', { amount: 0, pin: '1', note: 7 }, ['amount', 'note', 'pin']],
    ['is none, and nobody has the handle: a right PIN comes first', { recipient: 'nobody_here' }, []],
  ] as const)
    test(`refused: one that ${name}`, async () => {
      const { status, body } = await alice.call(
        'POST',
        '/api/send',
        { ...order, ...change },
        key('with space'),
      )
      assert.deepEqual([status, body.code], [422, 'validation_failed'])
      assert.deepEqual(Object.keys(body.errors).sort(), ['Idempotency-Key', ...fields])
    })
})

describe('limits', () => {
  test('100 at once at the edge of the day: exactly as many as fit', async () => {
    const rich = await register(server)
    await fund(server, rich, { amount: '90000000' })
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => rich.call('POST', '/api/send', { ...order, amount: 1_000_000 })),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 20)
    assert.deepEqual(
      [...new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.code))],
      ['limit_exceeded'],
    )
  })
})

describe('preview', () => {
  test('tells what would happen, and moves nothing', async () => {
    const frank = await register(server)
    await fund(server, frank, { amount: '12000' })
    const { body } = await frank.call('POST', '/api/send/preview', {
      recipient: '@BOB_K',
      amount: 10_000,
      currency: 'UGX',
    })
    assert.deepEqual(body.data, {
      amount: 10_000,
      currency: 'UGX',
      fee: 100,
      recipient_gets: 9_900,
      recipient: { handle: 'bob_k', name: 'Bob Kamau' },
      balance_after: 2_000,
      sufficient: true,
    })
    const short = await frank.call('POST', '/api/send/preview', {
      recipient: 'bob_k',
      amount: 13_000,
      currency: 'UGX',
    })
    assert.deepEqual([short.body.data.balance_after, short.body.data.sufficient], [-1_000, false])
    assert.equal(await available(server, frank), 12_000n)
  })

  const { pin: _, ...good } = order
  for (const [name, change, code, fields] of [
    ['to nobody', { recipient: 'nobody_here' }, 'validation_failed', ['recipient']],
    [
      'half a shilling, to nobody',
      { amount: 1000.5, recipient: 'nobody_here' },
      'validation_failed',
      ['amount', 'recipient'],
    ],
    [
      'too little, to oneself',
      { amount: 1, recipient: 'alice' },
      'validation_failed',
      ['amount', 'recipient'],
    ],
    ['too much at once', { amount: 5_000_001 }, 'limit_exceeded', ['amount']],
    [
      'too much at once, to nobody',
      { amount: 5_000_001, recipient: 'nobody_here' },
      'validation_failed',
      ['amount', 'recipient'],
    ],
    [
      'nothing that is right, to oneself',
      { amount: 0, currency: 'EUR', note: 7, recipient: '@ALICE' },
      'validation_failed',
      ['amount', 'currency', 'note', 'recipient'],
    ],
    [
      'zero, to what is no handle',
      { amount: 0, recipient: 'a b' },
      'validation_failed',
      ['amount', 'recipient'],
    ],
  ] as const)
    test(`refused: ${name}`, async () => {
      const { status, body } = await alice.call('POST', '/api/send/preview', { ...good, ...change })
      assert.deepEqual([status, body.code, Object.keys(body.errors).sort()], [422, code, fields])
    })
})

describe('people', () => {
  test('a handle is looked up, in any spelling', async () => {
    const gina = await register(server)
    assert.deepEqual((await gina.call('GET', '/api/users/@Bob_K')).body.data, {
      handle: 'bob_k',
      name: 'Bob Kamau',
    })
    assert.equal((await gina.call('GET', '/api/users/nobody_here')).status, 404)
  })

  test('recent recipients: everybody once, the latest first', async () => {
    const hana = await register(server)
    const ivan = await register(server)
    await fund(server, hana, { amount: '10000' })
    for (const to of ['bob_k', ivan.handle, 'bob_k']) {
      server.clock.advance(1)
      const sent = await hana.call('POST', '/api/send', { ...order, recipient: to, amount: 1_000 })
      assert.equal(sent.status, 200, sent.text)
    }
    const { body } = await hana.call('GET', '/api/recipients')
    assert.deepEqual(
      body.data.map(({ handle }: { handle: string }) => handle),
      ['bob_k', ivan.handle],
    )
  })

  /** Somebody with money in two wallets, who sends it. */
  const sender = async () => {
    const person = await register(server)
    await fund(server, person, { amount: '100000' })
    await fund(server, person, { amount: '1000', currency: 'KES' })
    return {
      person,
      send: async (recipient: string, currency: 'UGX' | 'KES' = 'UGX') => {
        server.clock.advance(1)
        const amount = currency === 'UGX' ? 1_000 : 10
        const sent = await person.call('POST', '/api/send', { ...order, recipient, amount, currency })
        assert.equal(sent.status, 200, sent.text)
      },
      seen: async () => (await person.call('GET', '/api/recipients')).body.data as { handle: string }[],
    }
  }
  const receive = (
    person: { id: string },
    { lines, currency = 'UGX' }: { lines: number; currency?: 'UGX' | 'KES' },
  ) => Promise.all(Array.from({ length: lines }, () => fund(server, person, { amount: '10', currency })))

  test('recent recipients: in all wallets, whatever came in since, in few looks', async () => {
    const { person, send, seen } = await sender()
    const others: TestPerson[] = []
    for (let made = 0; made < 12; made++) others.push(await register(server))
    const handles = others.map(({ handle }) => handle)
    assert.deepEqual(await seen(), [])
    for (const [at, handle] of handles.entries()) await send(handle, at % 2 === 0 ? 'UGX' : 'KES')
    await receive(person, { lines: 200 })
    await send(handles[0] ?? '', 'KES')
    await receive(person, { lines: 200, currency: 'KES' })
    const { windows } = server.ledger
    let looks = 0
    server.ledger.windows = (db, read) => {
      looks += 1
      return windows(db, read)
    }
    try {
      assert.deepEqual(
        (await seen()).map(({ handle }) => handle),
        [handles[0], ...handles.slice(3).reverse()],
      )
    } finally {
      server.ledger.windows = windows
    }
    assert.ok(looks <= 3, `${looks} looks`)
  })

  longTest('recent recipients: nobody from before the latest 10,000 lines', async () => {
    const { person, send, seen } = await sender()
    await send('bob_k')
    for (let lines = 0; lines < 9_999; lines += 1_111) await receive(person, { lines: 1_111 })
    assert.equal((await seen())[0]?.handle, 'bob_k')
    await receive(person, { lines: 1 })
    assert.deepEqual(await seen(), [])
  })
})

// The last one, since everybody else's token is too old after it.
test('the limit is of rolling 24 hours: what was sent counts to the last moment, and then it may be sent again', async () => {
  const rich = await register(server)
  await fund(server, rich, { amount: '90000000' })
  let { token } = rich
  const send = async (amount: number) => {
    const { status, body } = await rich.call(
      'POST',
      '/api/send',
      { ...order, amount },
      { authorization: `Bearer ${token}` },
    )
    return status === 200 ? 'sent' : body.code
  }
  const sendAll = async (amounts: number[]) => {
    for (const amount of amounts) assert.equal(await send(amount), 'sent', String(amount))
  }
  const later = [5_000_000, 5_000_000, 5_000_000, 2_000_000]
  await sendAll([3_000_000])
  server.clock.advance(3_600)
  await sendAll(later)
  assert.equal(await send(500), 'limit_exceeded')
  server.clock.advance(82_799.999)
  // A token is good for a day.
  const again = await rich.call('POST', '/api/auth/refresh')
  assert.equal(again.status, 200, again.text)
  token = again.body.data.token
  assert.equal(await send(500), 'limit_exceeded', 'a moment before 24 hours have gone by')
  server.clock.advance(0.001)
  assert.equal(await send(3_000_001), 'limit_exceeded', 'more than the first that was sent')
  await sendAll([1_000_000, 2_000_000])
  assert.equal(await send(500), 'limit_exceeded', 'what came an hour later still counts')
  server.clock.advance(3_600)
  await sendAll(later)
  assert.equal(await send(500), 'limit_exceeded')
})
