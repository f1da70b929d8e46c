// Money moves once: however often a request is repeated, whoever says that it was confirmed, in however many processes, and
// whatever dies on the way; and the limits are exact all the while.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deposit, openFundingStage, phone, withdraw } from '../../test/funding-stage.ts'
import { testApp } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { finish, quiet } from '../../test/open-orders.ts'
import { available, type Loose, register } from '../../test/people.ts'
import { openDb } from '../db/db.ts'

const { server, rich, balanceOf, operationOf } = await openFundingStage()
const { simulator, dependencies, clock } = server
const { operations, funding } = dependencies

/** Another process of the same installation: the same database, the same networks. */
const second = await testApp({
  database: server,
  baseUrl: dependencies.baseUrl,
  environment: { SIMULATOR_URL: simulator.url },
})

/** What went through the provider's account for these. */
async function movesOf(ids: readonly string[]): Promise<string[]> {
  const moves = await server.ledger.moves(server.db, {
    owner: { kind: 'clearing', owner: 'mtn', mode: 'live' },
    from: new Date(0),
    to: new Date(clock.now().getTime() + 86_400_000),
  })
  return moves
    .filter(({ details }) => ids.includes((details as Loose).operation))
    .map(({ kind, amount }) => `${kind} ${amount}`)
    .sort()
}

describe('a key', () => {
  for (const [name, ask] of [
    ['deposit', deposit],
    ['withdrawal', withdraw],
  ] as const) {
    test(`makes a ${name} happen once, with the same answer to the byte`, async () => {
      const person = await rich()
      const key = { 'idempotency-key': `once-${name}` }
      const replies = await Promise.all(Array.from({ length: 12 }, () => ask(person, {}, key)))
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
      assert.equal(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 11)
      await quiet(server)
      const again = await ask(person, { amount: name === 'deposit' ? '12000.0' : '10000.0' }, key)
      assert.equal(again.text, replies[0]?.text, 'also when it has ended')
      const other = await ask(person, { amount: 11_000 }, key)
      assert.deepEqual([other.status, other.body.code], [422, 'idempotency_conflict'])
      const lines = (await person.call('GET', `/api/transactions?type=${name}`)).body.data
      // The money to begin with came as a deposit too.
      assert.equal(lines.length, name === 'deposit' ? 2 : 1)
    })
  }

  test('of somebody else is another, and a refusal uses none', async () => {
    const [person, other] = [await rich(), await rich()]
    const key = { 'idempotency-key': 'shared' }
    assert.equal((await withdraw(person, { pin: '1111' }, key)).status, 403)
    const mine = await withdraw(person, {}, key)
    const theirs = await withdraw(other, {}, key)
    assert.deepEqual([mine.status, theirs.status], [200, 200])
    assert.notEqual(mine.body.data.reference, theirs.body.data.reference)
    const first = await deposit(person, {}, key)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    await server.db.rows(
      `update funding.orders set created_at = created_at - interval '7 days' where idem_key is not null`,
    )
    const later = await deposit(person, {}, key)
    assert.notEqual(later.body.data.reference, first.body.data.reference, 'it is free again after a week')
  })
})

describe('limits', () => {
  test('what is held counts with what was sent, what came back does not', async () => {
    const person = await rich('25000000')
    const friend = await register(server)
    const order = { recipient: friend.handle, amount: 5_000_000, currency: 'UGX', pin: person.pin }
    for (let sent = 0; sent < 2; sent++)
      assert.equal((await person.call('POST', '/api/send', order)).status, 200)
    // 999 waits for a person, who will refuse.
    for (const digits of ['999', '999'])
      assert.equal((await withdraw(person, { amount: 4_900_000, phone: phone(digits) })).status, 200)
    const full = await person.call('POST', '/api/send', { ...order, amount: 102_001 })
    assert.deepEqual([full.status, full.body.code], [422, 'limit_exceeded'], full.text)
    const also = await withdraw(person, { amount: 101_000 })
    assert.deepEqual([also.status, also.body.code], [422, 'limit_exceeded'], also.text)
    await funding.idle()
    for (const { id } of (await operations.list({ q: phone('999'), limit: 10 })).filter(
      ({ endedAt }) => !endedAt,
    ))
      await operations.learn(id, { state: 'failed', code: 'cancelled_by_customer', detail: 'refused' })
    const free = await person.call('POST', '/api/send', { ...order, amount: 5_000_000 })
    assert.equal(free.status, 200, free.text)
  })

  test('are exact: 16 at once of four that fit, from two processes', async () => {
    const person = await rich('40000000')
    const first = server
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) => {
        const payload = {
          amount: 4_950_000,
          currency: 'UGX',
          method: 'mtn',
          phone: phone('567'),
          pin: person.pin,
        }
        const headers = { authorization: `Bearer ${person.token}` }
        const { app } = n % 2 === 0 ? first : second
        return app.inject({ method: 'POST', url: '/api/withdraw', headers, payload })
      }),
    )
    const codes = replies.map((reply) => reply.json().code ?? 'ok').sort()
    assert.deepEqual([...new Set(codes)], ['limit_exceeded', 'ok'])
    assert.equal(codes.filter((code) => code === 'ok').length, 4)
    await second.dependencies.funding.idle()
    await finish(server)
    assert.equal(await available(server, person), 40_000_000n - 4n * (4_950_000n + 49_500n))
  })
})

describe('once, whoever says so', () => {
  test('two processes hear it at the same time', async () => {
    const person = await rich()
    const come = await deposit(person, { phone: phone('129') })
    const go = await withdraw(person, { phone: phone('129') })
    await quiet(server)
    const ids = await Promise.all(
      [come, go].map(async ({ body }) => (await operationOf(body.data.reference)).id),
    )
    const asks = [operations, second.dependencies.operations].flatMap((room) =>
      ids.flatMap((id) => [room.ask(id), room.ask(id), room.ask(id)]),
    )
    await Promise.all(asks)
    assert.deepEqual(await balanceOf(person), [100_000n + 12_000n - 10_100n, 0n])
    assert.deepEqual(await movesOf(ids), ['deposit -12000', 'withdrawal 10000'])
  })

  test('a process that dies before it has asked the provider is followed by another', async () => {
    const person = await rich()
    const { start } = operations
    operations.start = () => Promise.reject(new Error('the process died'))
    const key = { 'idempotency-key': 'dying' }
    const died = await deposit(person, {}, key)
    const gone = await withdraw(person, {})
    await funding.idle()
    operations.start = start
    assert.deepEqual([died.status, gone.status], [200, 200], 'what is written down is not told as a failure')
    assert.equal(died.body.data.status, 'pending')
    assert.deepEqual(await balanceOf(person), [100_000n, 10_100n])
    clock.advance(60)
    await operations.askDue()
    await quiet(server)
    assert.deepEqual(await balanceOf(person), [100_000n + 12_000n - 10_100n, 0n])
    const again = await deposit(person, {}, key)
    assert.deepEqual([again.status, again.text], [200, died.text])
  })

  test('a deposit by card that could not be sent yet says so; the same request gets the page', async () => {
    const person = await rich()
    const card = { amount: 500, currency: 'NGN', method: 'paystack', phone: undefined }
    const key = { 'idempotency-key': 'no-page' }
    const { start } = operations
    operations.start = () => Promise.reject(new Error('no connection was free'))
    const died = await deposit(person, card, key)
    operations.start = start
    assert.equal(died.status, 200, died.text)
    assert.match(died.body.data.instructions, /has not given its page yet/)
    const again = await deposit(person, card, key)
    assert.equal(again.body.data.reference, died.body.data.reference)
    assert.equal((await deposit(person, card, key)).text, again.text)
    simulator.cards.decide(new URL(again.body.data.redirect_url).pathname.split('/').at(-1) ?? '', 'paid')
  })

  test('one that can not be sent yet is tried again after a pause', async () => {
    const person = await rich()
    const card = { amount: 500, currency: 'NGN', method: 'paystack', phone: undefined }
    const key = { 'idempotency-key': 'no-hurry' }
    const { start } = operations
    operations.start = () => Promise.reject(new Error('no connection was free'))
    await deposit(person, card, key)
    const tries: number[] = []
    operations.start = async (id) => {
      const found = await operations.find(id)
      return tries.push(performance.now()) < 4 && found !== undefined ? found : start(id)
    }
    const again = await deposit(person, card, key)
    operations.start = start
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? at))
    assert.equal(pauses.length, 3)
    assert.ok(Math.min(...pauses) > 50, pauses.join())
    simulator.cards.decide(new URL(again.body.data.redirect_url).pathname.split('/').at(-1) ?? '', 'paid')
  })

  test('a deposit that is written down is never told as a failure to who would ask for another', async () => {
    const person = await rich()
    const key = { 'idempotency-key': 'no-answer' }
    const [without, having] = await withoutAnswers(async () => [
      await deposit(person),
      await deposit(person, {}, key),
    ])
    assert.deepEqual([without?.status, without?.body.data?.status], [200, 'pending'], without?.text)
    assert.equal(having?.status, 500, 'with the key it is asked for again')
    clock.advance(60)
    await operations.askDue()
    await quiet(server)
    const again = await deposit(person, {}, key)
    assert.deepEqual(
      [again.status, again.body.data.status],
      [200, 'completed'],
      'the first answer that could be made',
    )
    assert.deepEqual(await balanceOf(person), [100_000n + 24_000n, 0n])
  })

  /** The order is written, and then there is no database for a while. */
  async function withoutAnswers<T>(work: () => Promise<T>): Promise<T> {
    const admin = openDb({ url: server.adminUrl, connectionsMax: 1, name: 'mfuko tests' })
    const { start } = operations
    operations.start = () => Promise.reject(new Error('no connection was free'))
    await admin.rows(`create function funding.lose() returns trigger language plpgsql as
      $$ begin raise exception 'the line was cut'; end $$`)
    await admin.rows(
      'create trigger lose before update of answer on funding.orders for each row execute function funding.lose()',
    )
    try {
      return await work()
    } finally {
      operations.start = start
      await admin.rows('drop function funding.lose() cascade')
      await admin.close()
    }
  }

  test('a process that dies before it has moved the money is followed by another', async () => {
    const person = await rich()
    const { post, submit } = server.ledger
    const die = () => Promise.reject(new Error('the process died'))
    server.ledger.post = die
    server.ledger.submit = (posting) => (posting.kind === 'deposit' ? die() : submit(posting))
    const come = await deposit(person)
    const go = await withdraw(person, { phone: phone('049') })
    await quiet(server)
    Object.assign(server.ledger, { post, submit })
    assert.deepEqual([come.status, go.status], [200, 200])
    assert.deepEqual(await balanceOf(person), [100_000n, 10_100n])
    const ids = await Promise.all(
      [come, go].map(async ({ body }) => (await operationOf(body.data.reference)).id),
    )
    // And by several at once.
    const rooms = [operations, second.dependencies.operations, operations, second.dependencies.operations]
    await Promise.all(rooms.flatMap((room) => ids.map((id) => room.lookAfter(id))))
    assert.deepEqual(await finish(server), [])
    assert.deepEqual(await balanceOf(person), [112_000n, 0n])
    assert.deepEqual(await movesOf(ids), ['deposit -12000'])
  })
})

test('an independent look at the books', async () => {
  await finish(server)
  await checkLedger(server.url)
})
