// Money requests: asked, paid, declined, taken back, expired; each decided once, whoever comes first, and the money moves
// exactly when it is paid.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { loggedInAgain } from '../../test/businesses.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { available, confirmMailbox, fund, register } from '../../test/people.ts'
import { encodeCursor } from '../http/cursor.ts'

const server = await testApp()
const payer = await register(server, { handle: 'payer', name: 'Pendo Payer' })
const payee = await register(server, { handle: 'payee', name: 'Pili Payee' })
const other = await register(server)
await fund(server, payer, { amount: '1000000' })
afterEach(() => reconcile(server))

const ask = async (change: object = {}) => {
  const body = { from: '@Payer', amount: 10_000, currency: 'UGX', note: 'Lunch', ...change }
  const reply = await payee.call('POST', '/api/requests', body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body.data as { id: string }
}
const pay = (id: string, headers: Record<string, string> = {}) =>
  payer.call('POST', `/api/requests/${id}/pay`, { pin: payer.pin }, headers)

describe('asking is refused, and every wrong field is named', () => {
  const good = { from: '@Payer', amount: 10_000, currency: 'UGX' }
  const badKey = { 'idempotency-key': 'two words' }
  const refusals: [name: string, change: object, code: string, fields: string[], headers?: typeof badKey][] =
    [
      ['nobody', { from: 'nobody_here' }, 'validation_failed', ['from']],
      ['too much at once', { amount: 5_000_001 }, 'limit_exceeded', ['amount']],
      [
        'half a shilling of nobody',
        { from: 'nobody_here', amount: 1.5 },
        'validation_failed',
        ['amount', 'from'],
      ],
      [
        'too much at once, of oneself',
        { from: 'payee', amount: 5_000_001 },
        'validation_failed',
        ['amount', 'from'],
      ],
      [
        'nothing that is right, of nobody',
        { from: 'nobody_here', amount: 0, currency: 'EUR', note: 7 },
        'validation_failed',
        ['amount', 'currency', 'from', 'note'],
      ],
      ['a key that is none', {}, 'validation_failed', ['Idempotency-Key'], badKey],
      [
        'nobody, and a key that is none',
        { from: 'nobody_here' },
        'validation_failed',
        ['Idempotency-Key', 'from'],
        badKey,
      ],
      [
        'half a shilling of oneself, and a key that is none',
        { from: 'payee', amount: 1.5 },
        'validation_failed',
        ['Idempotency-Key', 'amount', 'from'],
        badKey,
      ],
    ]
  for (const [name, change, code, fields, headers] of refusals)
    test(name, async () => {
      const { status, body } = await payee.call('POST', '/api/requests', { ...good, ...change }, headers)
      assert.deepEqual([status, body.code, Object.keys(body.errors).sort()], [422, code, fields])
    })
})

describe('a money request', () => {
  test('is seen by both, and by nobody else', async () => {
    const made = await ask()
    assert.deepEqual(made, {
      id: made.id,
      direction: 'out',
      counterparty: { handle: 'payer', name: 'Pendo Payer' },
      amount: 10_000,
      fee: 100,
      currency: 'UGX',
      note: 'Lunch',
      status: 'pending',
      reference: null,
      created_at: '2026-03-14T09:00:00.000Z',
      expires_at: '2026-04-13T09:00:00.000Z',
      decided_at: null,
    })
    const seen = (await payer.call('GET', `/api/requests/${made.id}`)).body.data
    assert.deepEqual([seen.direction, seen.counterparty.handle], ['in', 'payee'])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/decline'],
      ['POST', '/cancel'],
    ] as const)
      assert.equal((await other.call(method, `/api/requests/${made.id}${path}`)).status, 404)
    const stolen = await other.call('POST', `/api/requests/${made.id}/pay`, { pin: other.pin })
    assert.equal(stolen.status, 404)
    await payee.call('POST', `/api/requests/${made.id}/cancel`)
  })

  test('is paid once: the money moves, and it says so', async () => {
    const { id } = await ask()
    const before = [await available(server, payer), await available(server, payee)] as const
    const paid = await pay(id)
    assert.equal(paid.status, 200, paid.text)
    assert.equal(paid.body.data.status, 'paid')
    assert.deepEqual(
      [await available(server, payer), await available(server, payee)],
      [before[0] - 10_000n, before[1] + 9_900n],
    )
    const line = (await payee.call('GET', `/api/transactions/${paid.body.data.reference}`)).body.data
    assert.deepEqual([line.amount, line.note], [9_900, 'Lunch'])
    assert.deepEqual([(await pay(id)).status, (await pay(id)).body.code], [422, 'invalid_state'])
    assert.equal((await payer.call('POST', `/api/requests/${id}/decline`)).body.code, 'invalid_state')
  })

  test('paid again with the same key: the same answer', async () => {
    const { id } = await ask()
    const key = { 'idempotency-key': 'pay-once' }
    const [first, again] = [await pay(id, key), await pay(id, key)]
    assert.equal(first.status, 200, first.text)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotency-replayed'], 'true')
  })

  test('many who have too little, at once: each is told so, and nobody waits for the connection of another', async () => {
    const poor = await Promise.all(Array.from({ length: 12 }, () => register(server)))
    const asked = await Promise.all(poor.map(({ handle }) => ask({ from: handle, amount: 600 })))
    const replies = await Promise.all(
      poor.flatMap((one, at) =>
        Array.from({ length: 3 }, () =>
          one.call('POST', `/api/requests/${asked[at]?.id}/pay`, { pin: one.pin }),
        ),
      ),
    )
    assert.deepEqual(
      new Set(replies.map(({ status, body }) => `${status} ${body.code}`)),
      new Set(['422 insufficient_funds']),
    )
    await Promise.all(asked.map(({ id }) => payee.call('POST', `/api/requests/${id}/cancel`)))
  })

  test('paid, declined and taken back at once: exactly one wins, 20 rounds', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await ask({ amount: 600 })
      const before = await available(server, payer)
      const replies = await Promise.all([
        pay(id),
        payer.call('POST', `/api/requests/${id}/decline`),
        payee.call('POST', `/api/requests/${id}/cancel`),
        pay(id),
      ])
      assert.equal(replies.filter(({ status }) => status === 200).length, 1)
      const { status } = (await payer.call('GET', `/api/requests/${id}`)).body.data
      assert.equal(await available(server, payer), status === 'paid' ? before - 600n : before)
    }
  })

  test('expires after 30 days', async () => {
    const { id } = await ask()
    server.clock.advance(30 * 86_400)
    for (const person of [payer, payee, other]) {
      const login = await person.call('POST', '/api/auth/login', {
        handle: person.handle,
        password: person.password,
      })
      assert.equal(login.status, 200, login.text)
      person.token = login.body.data.token
    }
    const paid = await payer.call(
      'POST',
      `/api/requests/${id}/pay`,
      { pin: payer.pin },
      { authorization: `Bearer ${payer.token}` },
    )
    assert.deepEqual([paid.status, paid.body.code], [422, 'invalid_state'])
    const list = await payee.call('GET', '/api/requests?status=expired', undefined, {
      authorization: `Bearer ${payee.token}`,
    })
    assert.deepEqual(
      list.body.data.map((one: { id: string }) => one.id),
      [id],
    )
  })
})

describe('open ones of a person', () => {
  const asking = (who: typeof payee, from: string) =>
    who.call('POST', '/api/requests', { from, amount: 700, currency: 'UGX' })
  const outcomesOf = (replies: Awaited<ReturnType<typeof asking>>[]) => ({
    made: replies.filter(({ status }) => status === 201).length,
    refused: replies.filter(({ status, body }) => status === 422 && body.code === 'invalid_state').length,
  })

  test('are ten to one other, also when many are made at once; one that is over makes room', async () => {
    const [eager, asked] = [await register(server), await register(server)]
    const replies = await Promise.all(Array.from({ length: 16 }, () => asking(eager, asked.handle)))
    assert.deepEqual(outcomesOf(replies), { made: 10, refused: 6 })
    const { id } = replies.find(({ status }) => status === 201)?.body.data ?? assert.fail()
    await asked.call('POST', `/api/requests/${id}/decline`)
    assert.equal((await asking(eager, asked.handle)).status, 201)
  })

  test('are a hundred in all, and the refusal says what to do', async () => {
    const eager = await register(server)
    const crowd: { handle: string }[] = []
    for (let n = 0; n < 11; n++) crowd.push(await register(server))
    const last = crowd.pop() ?? assert.fail()
    for (const { handle } of crowd) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => asking(eager, handle)))
      assert.deepEqual(outcomesOf(replies), { made: 10, refused: 0 })
    }
    const refused = await asking(eager, last.handle)
    assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_state'])
    assert.match(refused.body.message, /100 open requests already/)
    const [{ id }] = (await eager.call('GET', '/api/requests?direction=out&limit=1')).body.data
    await eager.call('POST', `/api/requests/${id}/cancel`)
    assert.equal((await asking(eager, last.handle)).status, 201)
  })
})

describe('mails about them', () => {
  /** Registered, with an address that is confirmed. */
  const reachable = async () => {
    const person = await register(server)
    await confirmMailbox(server, person)
    return person
  }
  const mailsTo = async ({ handle }: { handle: string }) =>
    (
      await server.db.rows(
        `select id from mail.messages where template = 'money_request' and to_address = $1`,
        [`${handle}@example.test`],
      )
    ).length
  const askAndCancel = async (who: typeof payee, from: string) => {
    const made = await who.call('POST', '/api/requests', { from, amount: 700, currency: 'UGX' })
    assert.equal(made.status, 201, made.text)
    await who.call('POST', `/api/requests/${made.body.data.id}/cancel`)
  }

  test('are five a day from one to one other, however often it is asked and taken back', async () => {
    const [pest, friend, asked] = [await register(server), await register(server), await reachable()]
    for (let n = 0; n < 8; n++) await askAndCancel(pest, asked.handle)
    assert.equal(await mailsTo(asked), 5)
    await askAndCancel(friend, asked.handle)
    assert.equal(await mailsTo(asked), 6, 'of somebody else it is told')
    server.clock.advance(86_400)
    const again = await loggedInAgain(server, pest)
    await askAndCancel(again, asked.handle)
    assert.equal(await mailsTo(asked), 7, 'and on the next day')
  })

  test('are a hundred a day from one to all', async () => {
    const [pest, asked] = [await register(server), await reachable()]
    const now = server.clock.now()
    await server.db.rows(
      `insert into transfers.requests (id, payer_id, payee_id, amount, currency, status, created_at, expires_at, decided_at)
       select 'mrq_crowd' || n, 'usr_' || n, $1, 700, 'UGX', 'cancelled', $2, $2, $2 from generate_series(1, 100) as n`,
      [pest.id, now],
    )
    await askAndCancel(pest, asked.handle)
    assert.equal(await mailsTo(asked), 0)
  })
})

describe('the list', () => {
  test('pages fit together, and filters hold', async () => {
    const bearer = { authorization: `Bearer ${payee.token}` }
    const make = () =>
      payee.call('POST', '/api/requests', { from: other.handle, amount: 700, currency: 'UGX' }, bearer)
    for (let n = 0; n < 7; n++) {
      server.clock.advance(1)
      assert.equal((await make()).status, 201)
    }
    const all = (await payee.call('GET', '/api/requests?limit=100', undefined, bearer)).body.data
    const paged: { id: string }[] = []
    let cursor = ''
    do {
      const page = await payee.call(
        'GET',
        `/api/requests?limit=3${cursor && `&cursor=${cursor}`}`,
        undefined,
        bearer,
      )
      assert.equal(page.status, 200, page.text)
      paged.push(...page.body.data)
      cursor = page.body.meta.next_cursor ?? ''
    } while (cursor !== '')
    assert.deepEqual(paged, all)
    const inbound = await payee.call('GET', '/api/requests?direction=in', undefined, bearer)
    assert.equal(inbound.body.data.length, 0)
    for (let n = 0; n < 3; n++) await make()
    const tooMany = await make()
    assert.deepEqual([tooMany.status, tooMany.body.code], [422, 'invalid_state'])
  })

  test('a cursor that this list never gave out is refused, also where a database would read it otherwise', async () => {
    const somebody = await register(server)
    const id = `mrq_${'0'.repeat(22)}`
    const times = ['1', 'now', 'infinity', '2026', '2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z']
    const years = ['+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '2026-03-14T09:00:00Z']
    const keys = [...times, ...years].map((time) => [time, id])
    for (const key of [...keys, ['2026-03-14T09:00:00.000Z', "'"], ['2026-03-14T09:00:00.000Z', '']]) {
      const reply = await somebody.call('GET', `/api/requests?cursor=${encodeCursor(key)}`)
      assert.deepEqual([reply.status, Object.keys(reply.body.errors ?? {})], [422, ['cursor']], String(key))
    }
    const early = encodeCursor(['2020-01-01T00:00:00.000Z', id])
    assert.deepEqual((await somebody.call('GET', `/api/requests?cursor=${early}`)).body.data, [])
  })
})
