// Payments: asked for through both interfaces, paid from a wallet, cancelled, expired, refunded. Each change of state
// happens once, with its money and its notification.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { newBusiness } from '../../test/businesses.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { available, call, fund, type Loose, register } from '../../test/people.ts'
import { shortOrLong } from '../../test/thorough.ts'
import type { Payment } from './payments.ts'

const server = await testApp()
const shop = await newBusiness(server)
const other = await newBusiness(server)
const customer = await register(server, { handle: 'customer_1', name: 'Cheche Customer' })
await fund(server, customer, { amount: '2000000' })
afterEach(() => reconcile(server))

const gateway = (key = shop.liveKey, merchant = shop.id) => ({
  'svc-merchant-key': String(merchant),
  'svc-api-key': key,
})
const order = { payment_amount: 10_000, currency_code: 'UGX', ref_trx: 'ORDER-1' }
let orders = 0
const freshOrder = (change: object = {}) => {
  orders += 1
  return { ...order, ref_trx: `FRESH-${orders}`, ipn_url: 'https://duka.example/ipn', ...change }
}
const initiate = (body: object, headers: Record<string, string> = gateway()) =>
  call(server, { method: 'POST', url: '/api/v1/initiate-payment', body, headers })
const tokenIn = (reply: { body: Loose }) => new URL(reply.body.payment_url).searchParams.get('token') ?? ''
const asked = async (change: object = {}, headers = gateway()): Promise<Payment> => {
  const reply = await initiate(freshOrder(change), headers)
  assert.equal(reply.status, 200, reply.text)
  const payment = await server.payments.byToken(tokenIn(reply))
  assert.ok(payment)
  return payment
}
const allowed = async () => {
  const { person } = await server.users.checkPin({ user: customer.id, pin: customer.pin, origin: {} })
  return {
    account: { kind: 'user', owner: person.id },
    id: person.id,
    shown: `@${person.handle}`,
    guard: { owner: person.id, version: person.guard },
  } as const
}
const pay = async (payment: Payment) => server.payments.payFromWallet(payment, await allowed())
const now = async (payment: Payment) => (await server.payments.byNumber(payment.number)) as Payment
const told = async (payment: Payment) => {
  const rows = await server.db.rows<{ event: string; sequence: number; body: string }>(
    'select event, sequence, body from notifications.events where subject = $1 order by sequence',
    [payment.reference],
  )
  return rows.map(({ event, sequence, body }) => ({
    event,
    sequence,
    body: JSON.parse(body.toString()) as Loose,
  }))
}
const merchantMoney = async () => {
  const name = { kind: 'merchant', owner: String(shop.id), currency: 'UGX', mode: 'live' } as const
  return (await server.ledger.balances(server.db, [name]))[0]?.balance ?? 0n
}

describe('initiate-payment', () => {
  test('answers exactly as documented', async () => {
    const body = {
      ...order,
      description: 'Two mangoes',
      success_redirect: 'https://duka.example/thanks',
      failure_url: 'https://duka.example/failed',
      cancel_redirect: 'https://www.duka.example/cart',
      ipn_url: 'https://duka.example/ipn',
    }
    const reply = await initiate(body)
    assert.equal(reply.status, 200, reply.text)
    assert.match(reply.body.payment_url, /^http:\/\/localhost:8080\/checkout\?token=[A-Za-z0-9_-]{43}$/)
    assert.deepEqual(Object.keys(reply.body), ['payment_url', 'info'])
    assert.deepEqual(reply.body.info, {
      ref_trx: 'ORDER-1',
      description: 'Two mangoes',
      ipn_url: body.ipn_url,
      cancel_redirect: body.cancel_redirect,
      success_redirect: body.success_redirect,
      merchant_id: shop.id,
      merchant_name: 'Duka la Amina',
      amount: 10_000,
      currency_code: 'UGX',
    })
  })

  test('the same name again is the same payment while it is pending', async () => {
    const first = await initiate(order)
    const again = await initiate(order)
    assert.equal(again.body.payment_url, first.body.payment_url)
    const dearer = await initiate({ ...order, payment_amount: 10_001 })
    assert.deepEqual([dearer.status, Object.keys(dearer.body.errors)], [422, ['ref_trx']])
    const { ref_trx: reference, payment_amount: amount, currency_code: currency } = order
    const otherwise = await shop.callLive('POST', '/api/pay', { reference, amount, currency })
    assert.match(otherwise.body.errors.reference, /pending payment of the other interface/)
    const elsewhere = await initiate(order, gateway(other.liveKey, other.id))
    assert.notEqual(elsewhere.body.payment_url, first.body.payment_url)
  })

  test('100 at once under one name: one payment', async () => {
    const body = freshOrder()
    const replies = await Promise.all(Array.from({ length: 100 }, () => initiate(body)))
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  })

  test('old headers still work, and say so', async () => {
    const reply = await initiate(freshOrder(), {
      'x-merchant-key': String(shop.id),
      'x-api-key': shop.liveKey,
    })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers.deprecation, '@1782864000')
    assert.match(String(reply.headers.link), /rel="deprecation"/)
  })

  const refusals: [name: string, change: object, fields: string[]][] = [
    [
      'nothing',
      { payment_amount: undefined, currency_code: undefined, ref_trx: undefined },
      ['currency_code', 'payment_amount', 'ref_trx'],
    ],
    ['zero', { payment_amount: 0 }, ['payment_amount']],
    ['finer than a shilling', { payment_amount: 1.5 }, ['payment_amount']],
    ['less than its fee', { payment_amount: 1 }, ['payment_amount']],
    ['more than 15 digits', { payment_amount: '1000000000000000' }, ['payment_amount']],
    ['a long name', { ref_trx: 'x'.repeat(101) }, ['ref_trx']],
    [
      'redirect to a stranger, and half a shilling',
      { success_redirect: 'https://evil.example/', payment_amount: 1.5 },
      ['payment_amount', 'success_redirect'],
    ],
    ['redirect with script', { cancel_redirect: 'javascript:alert(1)' }, ['cancel_redirect']],
    [
      'redirect with user info',
      { cancel_redirect: 'https://duka.example@evil.example/' },
      ['cancel_redirect'],
    ],
  ]
  for (const [name, change, fields] of refusals) {
    test(`refused: ${name}`, async () => {
      const reply = await initiate(freshOrder(change))
      assert.equal(reply.status, 422, reply.text)
      assert.deepEqual(Object.keys(reply.body.errors).sort(), fields)
    })
  }

  test('with a key: the same answer again, another body refused', async () => {
    const headers = { ...gateway(), 'idempotency-key': 'k1' }
    const body = freshOrder()
    const [first, again] = [
      await initiate(body, headers),
      await initiate({ ...body, payment_amount: '10000.0' }, headers),
    ]
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    const conflict = await initiate({ ...body, payment_amount: 20_000 }, headers)
    assert.equal(conflict.body.code, 'idempotency_conflict')
  })

  test('with a key, answered with a payment that was pending already: the same answer again, whatever became of it', async () => {
    const payment = await asked({ description: 'Two mangoes' })
    const body = { ...order, ref_trx: payment.refTrx, ipn_url: 'https://duka.example/ipn' }
    const headers = { ...gateway(), 'idempotency-key': 'found-one' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => initiate(body, headers)))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    const conflict = await initiate({ ...body, ref_trx: 'ANOTHER-NAME' }, headers)
    assert.deepEqual([conflict.status, conflict.body.code], [422, 'idempotency_conflict'])
    assert.equal(await pay(payment), 'paid')
    const later = await initiate(body, headers)
    assert.deepEqual([later.status, later.text], [200, replies[0]?.text])
    assert.equal(later.headers['idempotency-replayed'], 'true')
    // A week later the key is free: the name is not.
    await server.db.rows(
      `update payments.repeated_keys set created_at = created_at - interval '7 days' where number = $1`,
      [payment.number],
    )
    const fresh = await initiate({ ...body, ref_trx: 'A-WEEK-LATER' }, headers)
    assert.deepEqual([fresh.status, fresh.headers['idempotency-replayed']], [200, undefined], fresh.text)
    const name = await initiate(body, { ...headers, 'idempotency-key': 'found-two' })
    assert.deepEqual([name.status, Object.keys(name.body.errors)], [422, ['ref_trx']])
  })

  test('a key of a payment that was found and then failed makes no new one; the old ones are swept', async () => {
    const payment = await asked()
    const body = { ...order, ref_trx: payment.refTrx }
    const headers = { ...gateway(), 'idempotency-key': 'found-and-failed' }
    const first = await initiate(body, headers)
    await server.payments.cancel(payment)
    const again = await initiate(body, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    await server.db.rows(`update payments.repeated_keys set created_at = created_at - interval '7 days'`)
    assert.ok((await server.payments.sweepKeys()) >= 1)
    assert.equal((await server.db.rows('select 1 from payments.repeated_keys')).length, 0)
  })
})

describe('a payment from a wallet', () => {
  test('moves the money less the fee, and is told once', async () => {
    const payment = await asked({ description: 'Two mangoes' })
    const before = [await available(server, customer), await merchantMoney()] as const
    assert.equal(await pay(payment), 'paid')
    assert.deepEqual(
      [await available(server, customer), await merchantMoney()],
      [before[0] - 10_000n, before[1] + 9_800n],
    )
    const done = await now(payment)
    assert.deepEqual(
      [done.status, done.method, done.customer, done.fee.minor],
      ['completed', 'wallet', '@customer_1', 200n],
    )
    const [event, ...more] = await told(payment)
    assert.deepEqual(more, [])
    assert.deepEqual(event?.body, {
      data: {
        ref_trx: payment.refTrx,
        description: 'Two mangoes',
        ipn_url: 'https://duka.example/ipn',
        cancel_redirect: null,
        success_redirect: null,
        merchant_name: 'Duka la Amina',
        amount: 10_000,
        currency_code: 'UGX',
      },
      message: 'Payment Completed',
      status: 'completed',
      timestamp: Math.floor(server.clock.now().getTime() / 1_000),
    })
    assert.equal(await pay(payment), 'decided')
    const verified = await call(server, {
      method: 'GET',
      url: `/api/v1/verify-payment/${payment.refTrx}`,
      headers: gateway(),
    })
    assert.deepEqual([verified.body.status, verified.body.reference], ['completed', payment.reference])
    const line = (await customer.call('GET', '/api/transactions?type=payment')).body.data[0]
    assert.deepEqual(
      [line.reference, line.amount, line.counterparty.name, line.note],
      [payment.reference, 10_000, 'Duka la Amina', 'Two mangoes'],
    )
    const again = await initiate({ ...order, ref_trx: payment.refTrx })
    assert.deepEqual([again.status, Object.keys(again.body.errors)], [422, ['ref_trx']])
  })

  test('its line in the history can be opened and found, and so can each of its refunds; by its payer only', async () => {
    const payment = await asked({ payment_amount: 9_000 })
    assert.equal(await pay(payment), 'paid')
    for (const minor of [1_000n, 2_000n])
      await server.payments.refund(await now(payment), {
        amount: { minor, currency: 'UGX' },
        reason: null,
        key: undefined,
      })
    const { data: lines } = (await customer.call('GET', '/api/transactions?limit=3')).body
    assert.deepEqual(
      lines.map(({ type, amount }: Loose) => [type, amount]),
      [
        ['refund', 2_000],
        ['refund', 1_000],
        ['payment', 9_000],
      ],
    )
    assert.equal(new Set(lines.map(({ reference }: Loose) => reference)).size, 3)
    const stranger = await register(server)
    for (const { reference, type } of lines) {
      const one = await customer.call('GET', `/api/transactions/${reference}`)
      assert.deepEqual([one.status, one.body.data?.type, one.body.data?.reference], [200, type, reference])
      const found = (await customer.call('GET', `/api/transactions?q=${reference}`)).body.data
      assert.deepEqual(
        found.map((line: Loose) => line.reference),
        [reference],
      )
      assert.equal((await customer.call('GET', `/api/transactions/${reference}/receipt`)).status, 200)
      assert.equal((await stranger.call('GET', `/api/transactions/${reference}`)).status, 404)
    }
  })

  test('paid, cancelled and expired at once: exactly one wins, every round', async () => {
    const wins: Record<string, number> = {}
    for (let round = 0; round < shortOrLong(60, 200); round++) {
      const payment = await asked({ payment_amount: 500 })
      const before = await available(server, customer)
      // On the edge: for some rounds the time is just over. Not for too many: a login lasts for a day.
      if (round % 8 === 7) server.clock.set(payment.expiresAt.toISOString())
      const payer = await allowed()
      const [paid] = await Promise.all([
        server.payments.payFromWallet(payment, payer),
        server.payments.cancel(payment),
        server.payments.expireDue(),
        pay(payment),
      ])
      const { status, failure } = await now(payment)
      wins[failure?.code ?? status] = (wins[failure?.code ?? status] ?? 0) + 1
      assert.notEqual(status, 'pending')
      assert.equal(await available(server, customer), status === 'completed' ? before - 500n : before)
      assert.equal((await told(payment)).length, 1, `${paid}`)
    }
    assert.ok(Object.keys(wins).length >= 2, JSON.stringify(wins))
  })

  test('not enough money: the customer may try again, five times', async () => {
    const payment = await asked({ payment_amount: 3_000_000 })
    for (let attempt = 1; attempt <= 5; attempt++) {
      assert.equal(await pay(await now(payment)), 'declined')
      assert.equal((await now(payment)).status, attempt < 5 ? 'pending' : 'failed')
    }
    assert.equal((await now(payment)).failure?.code, 'declined')
    assert.deepEqual(
      (await told(payment)).map(({ body }) => body.message),
      ['Payment Failed'],
    )
  })

  test('expires when its time is over, and its name is free again', async () => {
    const payment = await asked()
    server.clock.advance(30 * 60 + 1)
    assert.equal(await pay(payment), 'decided')
    assert.ok((await server.payments.expireDue()) >= 1)
    assert.deepEqual((await now(payment)).failure, {
      code: 'expired',
      message: 'The payment was not made in time.',
    })
    const again = await initiate({ ...order, ref_trx: payment.refTrx })
    assert.equal(again.status, 200, again.text)
  })
})

describe('pay', () => {
  test('tells of each change: pending, then completed, then refunded', async () => {
    const body = {
      amount: 5_000,
      currency: 'UGX',
      description: 'Ticket',
      callback_url: 'https://duka.example/cb',
      reference: 'T-1',
    }
    const reply = await shop.callLive('POST', '/api/pay', body)
    assert.equal(reply.status, 200, reply.text)
    const { data } = reply.body
    assert.deepEqual([data.status, data.amount, data.mode], ['pending', 5_000, 'live'])
    const payment = (await server.payments.byToken(tokenIn({ body: data }))) as Payment
    assert.equal(await pay(payment), 'paid')
    const refund = await shop.callLive('POST', `/api/merchant/payments/${data.reference}/refund`, {
      amount: 2_000,
      reason: 'Late',
    })
    assert.equal(refund.status, 200, refund.text)
    assert.deepEqual([refund.body.data.status, refund.body.data.refunded_amount], ['completed', 2_000])
    const rest = await shop.callLive('POST', `/api/merchant/payments/${data.reference}/refund`, {})
    const noted = await server.db.rows<{ actor_id: string }>(
      `select actor_id from audit.events where action = 'payment.refund' and object = $1`,
      [data.reference],
    )
    assert.deepEqual(
      noted.map(({ actor_id }) => actor_id),
      [String(shop.id), String(shop.id)],
    )
    assert.deepEqual([rest.body.data.status, rest.body.data.refunded_amount], ['refunded', 5_000])
    const events = await told(payment)
    assert.deepEqual(
      events.map(({ event, sequence, body: sent }) => [event, sequence, sent.data.refund_amount]),
      [
        ['payment.pending', 1, undefined],
        ['payment.completed', 2, undefined],
        ['payment.refunded', 3, 2_000],
        ['payment.refunded', 4, 3_000],
      ],
    )
    const shown = await shop.callLive('GET', `/api/pay/${data.reference}`)
    assert.deepEqual([shown.body.data.status, shown.body.data.refunded_amount], ['refunded', 5_000])
    const detail = await shop.callLive('GET', `/api/merchant/payments/${data.reference}`)
    const listed = await shop.callLive('GET', `/api/merchant/notifications?reference=${data.reference}`)
    assert.equal(listed.body.data.length, 4)
    assert.deepEqual(detail.body.data.notifications, listed.body.data)
  })

  test('refunds at once never exceed the payment', async () => {
    const payment = await asked()
    assert.equal(await pay(payment), 'paid')
    const url = `/api/merchant/payments/${payment.reference}/refund`
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => shop.callLive('POST', url, { amount: 3_000 })),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 3)
    assert.equal((await now(payment)).refunded.minor, 9_000n)
    const key = { 'idempotency-key': 'the-rest' }
    const [first, again] = [
      await shop.callLive('POST', url, {}, key),
      await shop.callLive('POST', url, {}, key),
    ]
    assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [200, 200, 'true'])
    assert.equal(again.text, first.text)
    const { notifications, ...shown } = (
      await shop.callLive('GET', `/api/merchant/payments/${payment.reference}`)
    ).body.data
    assert.equal(notifications.length, 1)
    assert.deepEqual(first.body.data, shown, 'the answer is kept, without what is sent later')
    assert.equal((await now(payment)).refunded.minor, 10_000n)
  })

  test('nobody sees the payments of another, nor a test key those of live mode', async () => {
    const payment = await asked()
    for (const [who, status] of [
      [other.callLive, 404],
      [shop.callTest, 404],
      [shop.callLive, 200],
    ] as const)
      assert.equal((await who('GET', `/api/pay/${payment.reference}`)).status, status)
    assert.equal(
      (await other.callLive('POST', `/api/merchant/payments/${payment.reference}/refund`, {})).status,
      404,
    )
    const listed = (await shop.callTest('GET', '/api/merchant/payments?mode=live')).body.data
    assert.deepEqual(listed, [])
  })
})

describe('the list of payments', () => {
  test('pages fit together; filters hold; the owner sees both modes', async () => {
    await shop.callTest('POST', '/api/pay', { amount: 700, currency: 'KES', reference: 'in test' })
    const all = (await shop.owner.call('GET', '/api/merchant/payments?limit=100')).body.data
    assert.ok(
      all.some(({ mode }: { mode: string }) => mode === 'test') &&
        all.some(({ mode }: { mode: string }) => mode === 'live'),
    )
    const paged: Loose[] = []
    for (let cursor = ''; ; ) {
      const page = (await shop.owner.call('GET', `/api/merchant/payments?limit=7${cursor}`)).body
      paged.push(...page.data)
      if (page.meta.next_cursor === null || paged.length > 200) break
      cursor = `&cursor=${page.meta.next_cursor}`
    }
    assert.deepEqual(paged.slice(0, all.length), all)
    const found = (await shop.owner.call('GET', '/api/merchant/payments?q=in%20te')).body.data
    assert.deepEqual(
      found.map(({ ref_trx }: { ref_trx: string }) => ref_trx),
      ['in test'],
    )
    const byReference = (await shop.owner.call('GET', `/api/merchant/payments?q=${all[0].reference}`)).body
      .data
    assert.equal(byReference[0].reference, all[0].reference)
    const failed = (await shop.owner.call('GET', '/api/merchant/payments?status=failed')).body.data
    assert.ok(failed.length > 0 && failed.every(({ failure }: Loose) => failure !== null))
  })
})
