// Goal groups: giving, proposing, approving; each payout once, never more than there is; and a hundred at once.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { type Circle, checkPot, daysLater, goal, openCircle } from '../../test/circles.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { available } from '../../test/people.ts'
import { somebodyWaits } from '../../test/waits.ts'
import { settleDue } from './groups.ts'

const server = await testApp()
afterEach(() => reconcile(server))

const propose = (circle: Circle, by: number, { to, amount }: { to: number; amount: number }) =>
  circle.post(by, 'payouts', { to: circle.as(to).handle, amount, reason: 'Iron sheets' })

const approve = (circle: Circle, by: number, id: string, headers: Record<string, string> = {}) =>
  circle.post(by, `payouts/${id}/approve`, undefined, headers)

describe('a goal group', () => {
  test('paid when more than half of the others agree, once; not by who proposed it', async () => {
    const circle = await openCircle(server, { members: 5, body: goal })
    await circle.pay(1, { amount: 70_000, note: 'To begin with' })
    await circle.pay(2, { amount: 30_000 })
    assert.equal((await circle.show()).balance, 100_000)
    const proposed = await propose(circle, 1, { to: 3, amount: 60_000 })
    assert.equal(proposed.status, 200, proposed.text)
    const { id, approvals_needed: needed } = proposed.body.data
    assert.equal(needed, 3)
    assert.equal((await approve(circle, 1, id)).body.code, 'invalid_state')
    const key = { 'idempotency-key': 'yes' }
    const second = await approve(circle, 2, id, key)
    await approve(circle, 2, id)
    assert.equal((await approve(circle, 3, id)).body.data.approvals, 2)
    const paid = await approve(circle, 4, id)
    assert.deepEqual([paid.body.data.status, paid.body.data.approvals], ['paid', 3])
    assert.match(paid.body.data.reference, /^GP-/)
    assert.equal((await approve(circle, 5, id)).body.code, 'invalid_state')
    assert.equal((await approve(circle, 4, id)).body.data.status, 'paid', 'said twice is said once')
    assert.equal((await approve(circle, 2, id, key)).text, second.text, 'with its key: as it was then')
    assert.equal(await available(server, circle.as(3)), 960_000n)
    assert.equal(await checkPot(server, circle), 40_000n)
    const line = (await circle.as(3).call('GET', '/api/transactions?type=group_payout')).body.data[0]
    assert.deepEqual(
      [line.reference, line.amount, line.note],
      [paid.body.data.reference, 60_000, 'Iron sheets'],
    )
  })

  test('too little in the pot: it waits for money, and is paid as soon as there is enough', async () => {
    const circle = await openCircle(server, { members: 3, body: goal })
    await circle.pay(1, { amount: 10_000 })
    const { id } = (await propose(circle, 1, { to: 1, amount: 15_000 })).body.data
    await approve(circle, 2, id)
    const { data } = (await approve(circle, 3, id)).body
    assert.deepEqual([data.status, data.waiting_for], ['open', 'money'])
    assert.deepEqual(await settleDue(server.dependencies), { paid: 0, expired: 0 })
    await circle.pay(2, { amount: 5_000 })
    assert.deepEqual(await settleDue(server.dependencies), { paid: 1, expired: 0 })
    assert.deepEqual(await settleDue(server.dependencies), { paid: 0, expired: 0 })
    assert.equal(await checkPot(server, circle), 0n)
  })

  test('who leaves has no vote and does not count; who is alone decides alone; nothing is left behind', async () => {
    const circle = await openCircle(server, { members: 4, body: goal })
    await circle.pay(1, { amount: 9_000 })
    const { id } = (await propose(circle, 1, { to: 2, amount: 4_000 })).body.data
    await approve(circle, 2, id)
    await approve(circle, 3, id).then(({ body }) => assert.equal(body.data.status, 'paid'))
    const second = (await propose(circle, 1, { to: 2, amount: 1_000 })).body.data.id
    await approve(circle, 2, second)
    await circle.post(3, 'leave')
    assert.equal(
      (await circle.as(1).call('GET', `/api/groups/${circle.id}/payouts`)).body.data[0].approvals_needed,
      2,
    )
    await circle.post(4, 'leave')
    assert.deepEqual(await settleDue(server.dependencies), { paid: 1, expired: 0 })
    await circle.post(2, 'leave')
    assert.match((await circle.post(1, 'leave')).body.message, /still money in the group/)
    assert.equal((await propose(circle, 1, { to: 1, amount: 4_000 })).body.data.status, 'paid')
    assert.equal((await circle.post(1, 'leave')).status, 200)
    assert.equal(await checkPot(server, circle), 0n)
  })

  test('what was to go to somebody who has left is over: it waits for no money, and needs no votes', async () => {
    const circle = await openCircle(server, { members: 4, body: goal })
    const statusOf = async (id: string) =>
      (await circle.as(1).call('GET', `/api/groups/${circle.id}/payouts`)).body.data.find(
        (payout: { id: string }) => payout.id === id,
      ).status
    const agreed = (await propose(circle, 3, { to: 4, amount: 15_000 })).body.data.id
    await approve(circle, 1, agreed)
    const waiting = (await approve(circle, 2, agreed)).body.data
    assert.deepEqual([waiting.status, waiting.waiting_for], ['open', 'money'])
    const own = (await propose(circle, 4, { to: 4, amount: 1_000 })).body.data.id
    const another = (await propose(circle, 4, { to: 2, amount: 2_000 })).body.data.id
    await circle.post(4, 'leave')
    assert.deepEqual(
      [await statusOf(agreed), await statusOf(own), await statusOf(another)],
      ['cancelled', 'cancelled', 'open'],
    )
    await circle.pay(1, { amount: 20_000 })
    assert.deepEqual(await settleDue(server.dependencies), { paid: 0, expired: 0 })
    assert.equal(
      (await circle.post(4, 'join', { invite_code: (await circle.show()).invite_code })).status,
      200,
    )
    assert.match((await approve(circle, 4, agreed)).body.message, /cancelled already/)
    assert.equal((await circle.post(4, `payouts/${another}/cancel`)).status, 200)
    const { feed } = await circle.show()
    assert.equal(feed.filter(({ type }: { type: string }) => type === 'payout_cancelled').length, 3)
    assert.equal(await checkPot(server, circle), 20_000n)
  })

  test('a proposal is over after 14 days, or when it is taken back', async () => {
    let circle = await openCircle(server, { members: 3, body: goal })
    await circle.pay(1, { amount: 9_000 })
    const { id } = (await propose(circle, 1, { to: 2, amount: 4_000 })).body.data
    const { id: back } = (await propose(circle, 2, { to: 2, amount: 4_000 })).body.data
    assert.equal((await circle.post(1, `payouts/${back}/cancel`)).status, 403)
    assert.equal((await circle.post(2, `payouts/${back}/cancel`)).body.data.status, 'cancelled')
    assert.match((await approve(circle, 1, back)).body.message, /cancelled already/)
    circle = await daysLater(server, circle, 14)
    assert.match((await approve(circle, 2, id)).body.message, /expired already/)
    assert.deepEqual(await settleDue(server.dependencies), { paid: 0, expired: 1 })
    const { data } = (await circle.as(1).call('GET', `/api/groups/${circle.id}/payouts?status=expired`)).body
    assert.equal(data[0].id, id)
  })

  test('a group that can not be settled now keeps no other from what is due', async () => {
    let held = await openCircle(server, { members: 2, body: goal, money: '0' })
    const { id: over } = (await propose(held, 1, { to: 2, amount: 1_000 })).body.data
    held = await daysLater(server, held, 14)
    const circle = await openCircle(server, { members: 2, body: goal })
    const { id: due } = (await propose(circle, 1, { to: 2, amount: 1_000 })).body.data
    assert.equal((await approve(circle, 2, due)).body.data.waiting_for, 'money')
    await circle.pay(1, { amount: 1_000 })
    const statusOf = async (id: string) =>
      (await server.db.row<{ status: string }>('select status from groups.proposals where id = $1', [id]))
        ?.status
    const settle = () => settleDue(server.dependencies)
    await server.db.inTransaction(async (tx) => {
      await tx.rows('select 1 from groups.groups where id = $1 for update', [held.id])
      await assert.rejects(settle(), AggregateError)
    })
    assert.deepEqual([await statusOf(over), await statusOf(due)], ['open', 'paid'])
    await settle()
    assert.equal(await statusOf(over), 'expired')
    assert.equal(await checkPot(server, circle), 0n)
  })

  for (const receipts of [false, true])
    test(`who leaves in the moment of giving, receipts by mail: ${receipts}: nothing moves, and it is said`, async () => {
      const circle = await openCircle(server, { members: 2, body: goal })
      await circle.as(2).call('PATCH', '/api/me', { email_receipts: receipts })
      // They are a member when the request is looked at, and none when the money would move.
      const given = await server.db.inTransaction(async (tx) => {
        await tx.rows('update groups.members set left_at = $3 where group_id = $1 and user_id = $2', [
          circle.id,
          circle.as(2).id,
          server.clock.now(),
        ])
        await tx.rows('update groups.groups set member_count = 1 where id = $1', [circle.id])
        const reply = circle.pay(2, { amount: 5_000 })
        await somebodyWaits(tx)
        return { reply }
      })
      const { status, body } = await given.reply
      assert.deepEqual([status, body.code], [422, 'invalid_state'], body.message)
      assert.match(body.message, /You have left this group. No money left your wallet/)
      assert.equal(await available(server, circle.as(2)), 900_000n)
      assert.equal(await checkPot(server, circle), 0n)
    })

  test('what is wrong is said on its field', async () => {
    const circle = await openCircle(server, { members: 2, body: { ...goal, contribution_amount: 2_000 } })
    const stranger = (await openCircle(server, { members: 1, body: goal })).as(1)
    assert.match((await circle.pay(1, { amount: 1_999 })).body.errors.amount, /at least UGX 2,000/)
    assert.match((await circle.pay(1, { amount: 5_000_001 })).body.code, /limit_exceeded/)
    assert.ok(
      (await circle.pay(1, { amount: 2_000, on_behalf_of: circle.as(2).handle })).body.errors.on_behalf_of,
    )
    assert.ok(
      (await circle.post(1, 'payouts', { to: stranger.handle, amount: 5, reason: 'No' })).body.errors.to,
    )
    assert.ok(
      (await circle.post(1, 'payouts', { to: circle.as(2).handle, amount: -5, reason: 'No' })).body.errors
        .amount,
    )
    const badKey = { 'idempotency-key': 'two words' }
    const many = async (reply: ReturnType<typeof circle.pay>, fields: string[]) => {
      const { body } = await reply
      assert.deepEqual([body.code, Object.keys(body.errors).sort()], ['validation_failed', fields])
    }
    const gift = { amount: 5_000_001, on_behalf_of: circle.as(2).handle, toward: 'debts' }
    await many(circle.pay(1, gift), ['amount', 'on_behalf_of', 'toward'])
    await many(circle.pay(1, { amount: 1 }, badKey), ['Idempotency-Key', 'amount'])
    const order = { to: stranger.handle, amount: 1.5, reason: 'No' }
    await many(circle.post(1, 'payouts', order), ['amount', 'to'])
    await many(circle.post(1, 'payouts', { ...order, amount: 5 }, badKey), ['Idempotency-Key', 'to'])
    await many(circle.post(1, 'payouts', order, badKey), ['Idempotency-Key', 'amount', 'to'])
    assert.equal((await circle.post(1, 'start', { order: 'join' })).body.code, 'invalid_state')
    assert.equal(
      (await circle.as(1).call('DELETE', `/api/groups/${circle.id}/members/${circle.as(2).handle}`)).status,
      422,
    )
  })
})

describe('a hundred at once', () => {
  test('contributions to a goal: the exact total; approvals: one payout', async () => {
    const circle = await openCircle(server, { members: 25, body: goal, money: '50000' })
    const numbers = Array.from({ length: 100 }, (_, at) => at)
    const paid = await Promise.all(numbers.map((at) => circle.pay((at % 25) + 1, { amount: 500 + at })))
    assert.deepEqual([...new Set(paid.map(({ status }) => status))], [200])
    const total = numbers.reduce((sum, at) => sum + 500 + at, 0)
    assert.equal(await checkPot(server, circle), BigInt(total))
    const { id } = (await propose(circle, 1, { to: 2, amount: total })).body.data
    const votes = await Promise.all(numbers.map((at) => approve(circle, (at % 24) + 2, id)))
    assert.ok(votes.every(({ status }) => status === 200 || status === 422))
    assert.equal(
      votes.filter(({ body }) => body.data?.status === 'paid' && body.data.approvals === 13).length > 0,
      true,
    )
    assert.equal(await checkPot(server, circle), 0n)
    const { data } = (await circle.as(2).call('GET', '/api/transactions?type=group_payout')).body
    assert.deepEqual(
      data.map(({ amount }: { amount: number }) => amount),
      [total],
    )
  })

  test('a payout of who is alone, with one key: paid once, and its answer outlives who got it', async () => {
    const circle = await openCircle(server, { members: 2, body: goal })
    await circle.post(2, 'leave')
    await circle.pay(1, { amount: 90_000 })
    const key = { 'idempotency-key': 'first-sheets' }
    const body = { to: circle.as(1).handle, amount: 4_000, reason: 'Iron sheets' }
    const path = `/api/groups/${circle.id}/payouts`
    const again = () => circle.as(1).call('POST', path, body, key)
    const replies = await Promise.all(Array.from({ length: 20 }, again))
    assert.deepEqual([...new Set(replies.map(({ text }) => text))], [replies[0]?.text])
    assert.deepEqual([replies[0]?.status, replies[0]?.body.data.status], [200, 'paid'])
    assert.equal(await checkPot(server, circle), 86_000n)
    const { invite_code } = await circle.show()
    await circle.post(2, 'join', { invite_code })
    const toSecond = { ...body, to: circle.as(2).handle }
    const second = () => circle.as(1).call('POST', path, toSecond, { 'idempotency-key': 'second' })
    const first = await second()
    await circle.post(2, 'leave')
    assert.equal((await second()).text, first.text)
  })

  test('a rotating cycle: everybody twice, and for each other: each pays once, the pot goes out once', async () => {
    const circle = await openCircle(server, { members: 25, money: '50000' })
    await circle.post(1, 'start', { order: 'join' })
    const numbers = Array.from({ length: 100 }, (_, at) => at)
    const replies = await Promise.all(
      numbers.map((at) => {
        const payer = (at % 25) + 1
        const other = circle.as(((at + 7) % 25) + 1).handle
        return circle.pay(payer, at % 2 === 0 ? {} : { on_behalf_of: other })
      }),
    )
    // Each cycle takes 25, and some of the later ones may have paid for the next cycle already.
    const done = replies.filter(({ status }) => status === 200)
    const others = replies.filter(({ status, body }) => status !== 200 && body.code !== 'invalid_state')
    assert.deepEqual(
      others.map(({ text }) => text),
      [],
    )
    const pots = done.filter(({ body }) => body.data.payout !== null)
    assert.equal(pots.length, Math.floor(done.length / 25))
    assert.ok(pots.length >= 1)
    assert.equal(await checkPot(server, circle), BigInt((done.length % 25) * 1_000))
    const whole = await circle.show()
    assert.equal(whole.cycle.number, pots.length + 1)
    assert.equal(whole.cycle.paid_by.length, done.length % 25)
  })
})
