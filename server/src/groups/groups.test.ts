// Savings groups through HTTP: who sees and may do what, rounds from start to end, lateness and fines, leaving, debts, and
// that every shilling that was paid in goes out again.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { checkPot, daysLater, openCircle, rotating } from '../../test/circles.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { available, fund, register } from '../../test/people.ts'

const server = await testApp()
afterEach(() => reconcile(server))

describe('a rotating group', () => {
  test('a round: everybody pays, the pot goes round at once, and in the order', async () => {
    const circle = await openCircle(server, { members: 3 })
    assert.equal((await circle.pay(1)).body.code, 'invalid_state')
    assert.equal((await circle.post(2, 'start', { order: 'join' })).status, 403)
    const started = await circle.post(1, 'start', { order: 'join' })
    assert.equal(started.status, 200, started.text)
    assert.equal(started.body.data.cycle.number, 1)
    assert.equal(started.body.data.cycle.your_due, 1_000)
    assert.equal((await circle.post(1, 'start', { order: 'join' })).body.code, 'invalid_state')
    for (const cycle of [1, 2, 3]) {
      for (const payer of [1, 2, 3]) {
        const paid = await circle.pay(payer)
        assert.equal(paid.status, 200, paid.text)
        assert.equal(paid.body.data.cycle, cycle)
        const last = payer === 3
        const { handle, name } = circle.as(cycle)
        assert.deepEqual(paid.body.data.payout, last ? { to: { handle, name }, amount: 3_000 } : null)
        assert.equal(paid.body.data.balance, last ? 0 : payer * 1_000)
        assert.equal(await checkPot(server, circle), BigInt(last ? 0 : payer * 1_000))
        if (!last) assert.equal((await circle.pay(payer)).body.code, 'invalid_state')
      }
    }
    for (const person of circle.people) assert.equal(await available(server, person), 900_000n)
    const whole = await circle.show(2)
    assert.equal(whole.cycle, null)
    assert.equal(whole.round.status, 'done')
    assert.deepEqual(whole.debts, [])
    const kinds = whole.feed.map(({ type }: { type: string }) => type)
    assert.deepEqual(kinds.slice(0, 3), ['round_done', 'pot', 'contributed'])
    const { handle, name } = circle.as(3)
    const { data: statement } = (
      await circle.as(1).call('GET', `/api/groups/${circle.id}/statement?member=${handle}`)
    ).body
    assert.deepEqual(statement.member, { handle, name })
    assert.deepEqual([statement.paid, statement.received, statement.fines], [3_000, 3_000, 0])
    assert.equal(statement.movements.length, 4)
    const { data: history } = (await circle.as(1).call('GET', '/api/transactions?limit=4')).body
    assert.deepEqual(
      history.map(({ type, direction, amount, counterparty }: Record<string, unknown>) => [
        type,
        direction,
        amount,
        counterparty,
      ]),
      [
        ['group_contribution', 'out', 1_000, { name: 'Umoja' }],
        ['group_contribution', 'out', 1_000, { name: 'Umoja' }],
        ['group_payout', 'in', 3_000, { name: 'Umoja' }],
        ['group_contribution', 'out', 1_000, { name: 'Umoja' }],
      ],
    )
    assert.equal((await circle.post(1, 'start', { order: 'join' })).body.data.cycle.round, 2)
  })

  test('exactly what is due, by value; the PIN first; what is refused moved nothing', async () => {
    const circle = await openCircle(server, { members: 3, money: '1500' })
    await circle.post(1, 'start', {
      order: 'hand',
      members: circle.people.map(({ handle }) => `@${handle}`).reverse(),
    })
    for (const [body, status, code] of [
      [{ amount: 999 }, 422, 'validation_failed'],
      [{ amount: 0 }, 422, 'validation_failed'],
      [{ amount: 1_000.5 }, 422, 'validation_failed'],
      [{ amount: 2_000 }, 422, 'validation_failed'],
      [{ pin: '9999', amount: 5 }, 403, 'pin_incorrect'],
      [{ on_behalf_of: 'nobody_at_all' }, 422, 'validation_failed'],
      [{ toward: 'debts' }, 422, 'invalid_state'],
      [{ amount: '1e3' }, 422, 'validation_failed'],
    ] as const) {
      const reply = await circle.pay(1, body)
      assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text)
    }
    const both = await circle.pay(1, { amount: 1_000.5, on_behalf_of: 'nobody_at_all' })
    assert.deepEqual(Object.keys(both.body.errors).sort(), ['amount', 'on_behalf_of'])
    const unowed = (handle?: string) => circle.pay(1, { toward: 'debts', on_behalf_of: handle })
    assert.match((await unowed()).body.message, /^You have nothing to pay back/, 'not: paid already')
    assert.match((await unowed(circle.as(2).handle)).body.message, / has nothing to pay back/)
    assert.equal((await circle.pay(1, { amount: '1000.0' })).status, 200)
    assert.equal((await circle.show()).cycle.next_payout_to.handle, circle.as(3).handle)
    const poor = await circle.pay(1, { on_behalf_of: circle.as(2).handle })
    assert.equal(poor.body.code, 'insufficient_funds')
    assert.match(poor.body.errors.amount, /UGX 500/)
    assert.equal(await checkPot(server, circle), 1_000n)
  })

  test('for another member, with a key: once, and the same answer again, in later cycles too', async () => {
    const circle = await openCircle(server, { members: 3 })
    await circle.post(1, 'start', { order: 'join' })
    const key = { 'idempotency-key': 'march' }
    const order = { on_behalf_of: `@${circle.as(2).handle}`, note: 'For March' }
    const first = await circle.pay(1, order, key)
    assert.equal(first.body.data.member.handle, circle.as(2).handle)
    const again = await circle.pay(1, { ...order, amount: '1e3', pin: circle.as(1).pin }, key)
    assert.equal(again.status, 422, 'a text has no exponent')
    const same = await circle.pay(1, { ...order, amount: 1_000.0 }, key)
    assert.equal(same.text, first.text)
    assert.equal(same.headers['idempotency-replayed'], 'true')
    assert.equal((await circle.pay(1, { ...order, note: 'Else' }, key)).body.code, 'idempotency_conflict')
    await circle.pay(1)
    await circle.pay(3)
    const later = await circle.pay(1, order, key)
    assert.equal(later.text, first.text, 'the second cycle is not paid by the key of the first')
    assert.deepEqual((await circle.show()).cycle.paid_by, [])
    // The last one of a cycle, repeated: the pot goes out once.
    await circle.pay(2)
    await circle.pay(3)
    const last = { 'idempotency-key': 'last' }
    const paid = await circle.pay(1, {}, last)
    assert.equal(paid.body.data.payout.amount, 3_000)
    assert.equal((await circle.pay(1, {}, last)).text, paid.text)
    assert.equal(await checkPot(server, circle), 0n)
    assert.equal(await available(server, circle.as(2)), 900_000n + 3_000n - 1_000n)
  })

  test('late: a mark, a fine that who waited gets, reminders, and a pot that goes out short', async () => {
    let circle = await openCircle(server, { members: 3, body: { ...rotating, late_fine: 100 } })
    await circle.post(1, 'start', { order: 'join' })
    await circle.pay(2)
    assert.equal((await circle.post(1, 'cycle/close')).body.code, 'invalid_state')
    circle = await daysLater(server, circle, 8)
    const late = await circle.show(3)
    assert.deepEqual([late.cycle.late, late.cycle.your_due], [true, 1_100])
    assert.deepEqual(
      late.members.map((member: { late: boolean }) => member.late),
      [true, false, true],
    )
    const wrong = await circle.pay(1)
    assert.match(wrong.body.errors.amount, /UGX 1,100, UGX 100 of it for being late/)
    assert.equal((await circle.pay(1, { amount: 1_100 })).body.data.fine, 100)
    assert.equal((await circle.post(2, 'cycle/close')).status, 403)
    const close = () => circle.post(1, 'cycle/close', undefined, { 'idempotency-key': 'close' })
    const closed = await close()
    assert.equal(closed.status, 200, closed.text)
    assert.deepEqual(closed.body.data, await circle.show(), 'as it is when it is looked at')
    assert.equal((await close()).text, closed.text)
    assert.equal(await available(server, circle.as(1)), 900_000n + 1_000n)
    const [debt] = closed.body.data.debts
    assert.deepEqual(
      [debt.from.handle, debt.to.handle, debt.amount, debt.why],
      [circle.as(3).handle, circle.as(1).handle, 1_100, 'missed'],
    )
    assert.equal(await checkPot(server, circle), 0n)
    // Paid later, in two parts: it goes on to whom it is owed at once.
    const cycleKey = { 'idempotency-key': 'cycle' }
    const cycle = await circle.pay(3, {}, cycleKey)
    assert.equal((await circle.pay(3, { amount: 2_000, toward: 'debts' })).status, 422)
    const part = () => circle.pay(3, { amount: 600, toward: 'debts' }, { 'idempotency-key': 'part' })
    const first = await part()
    assert.equal(first.status, 200)
    // What is left is less than either: both have their answers.
    assert.equal((await part()).text, first.text)
    assert.equal((await circle.pay(3, {}, cycleKey)).text, cycle.text)
    const rest = await circle.pay(3, { amount: 500 })
    assert.equal(rest.body.data.toward, 'debts', rest.text)
    assert.equal(await available(server, circle.as(1)), 900_000n + 1_000n + 1_100n)
    assert.equal(await checkPot(server, circle), 1_000n)
    assert.deepEqual((await circle.show()).debts, [])
  })

  test('who leaves before the turn gets back what is there and is owed the rest; after it nobody leaves', async () => {
    const circle = await openCircle(server, { members: 4 })
    await circle.post(1, 'start', { order: 'join' })
    for (const payer of [1, 2, 3, 4]) await circle.pay(payer)
    await circle.pay(3)
    await circle.pay(4, { on_behalf_of: circle.as(2).handle })
    assert.match((await circle.post(1, 'leave')).body.message, /Hand the chair over/)
    const leave = () => circle.post(2, 'leave', undefined, { 'idempotency-key': 'leave' })
    const left = await leave()
    assert.equal(left.status, 200, left.text)
    assert.deepEqual([(await leave()).text, (await circle.post(2, 'leave')).status], [left.text, 404])
    // What the fourth paid for the second is the fourth's again.
    assert.equal(await available(server, circle.as(4)), 899_000n)
    assert.equal(await checkPot(server, circle), 1_000n)
    const whole = await circle.show()
    assert.equal(whole.cycle.next_payout_to.handle, circle.as(3).handle)
    assert.deepEqual(
      whole.debts.map(({ from, to, amount }: Record<string, { handle: string }>) => [
        from?.handle,
        to?.handle,
        amount,
      ]),
      [[circle.as(1).handle, circle.as(2).handle, 1_000]],
    )
    // Who is still owed something may look.
    assert.equal((await circle.as(2).call('GET', `/api/groups/${circle.id}`)).status, 200)
    await circle.pay(1)
    assert.equal((await circle.pay(4)).body.data.payout.amount, 3_000)
    await circle
      .as(1)
      .call('PUT', `/api/groups/${circle.id}/members/${circle.as(4).handle}/role`, { role: 'chair' })
    assert.match((await circle.post(1, 'leave')).body.message, /still owe the others their turns/)
    for (const payer of [3, 4]) await circle.pay(payer)
    assert.equal((await circle.pay(1)).body.data.payout.to.handle, circle.as(4).handle)
    assert.equal((await circle.show(4)).round.status, 'done')
    assert.match((await circle.post(1, 'leave')).body.message, /still owe other members/)
    await circle.pay(1, { toward: 'debts' })
    for (const person of circle.people) assert.equal(await available(server, person), 900_000n)
    assert.equal((await circle.post(1, 'leave')).status, 200)
    assert.equal((await circle.as(2).call('GET', `/api/groups/${circle.id}`)).status, 404)
    assert.match(
      (await circle.post(4, 'start', { order: 'join' })).body.message,
      /at least 3 members; there are 2/,
    )
  })

  test('a seat is taken over with all that belongs to it', async () => {
    const circle = await openCircle(server, { members: 4 })
    const fifth = circle.as(4)
    await circle.post(4, 'leave')
    await circle.post(1, 'start', { order: 'join' })
    const { invite_code: code } = await circle.show()
    await fifth.call('POST', '/api/groups/join', { invite_code: code.toLowerCase().replace('-', ' ') })
    assert.match((await circle.pay(4)).body.message, /no seat in this round/)
    for (const payer of [1, 2, 3]) await circle.pay(payer)
    assert.equal((await circle.post(4, 'seat/accept')).body.code, 'invalid_state')
    assert.equal((await circle.post(1, 'seat/offer', { to: circle.as(2).handle })).status, 422)
    assert.equal((await circle.post(1, 'seat/offer', { to: fifth.handle })).status, 200)
    assert.equal((await circle.post(2, 'seat/accept')).body.code, 'invalid_state')
    assert.equal((await circle.post(4, 'seat/accept')).status, 200)
    assert.match((await circle.pay(1)).body.message, /no seat/)
    for (const payer of [2, 3]) await circle.pay(payer)
    assert.equal((await circle.pay(4)).body.data.payout.to.handle, circle.as(2).handle)
  })

  test('who is offered two seats takes one of them', async () => {
    const circle = await openCircle(server, { members: 4 })
    await circle.post(4, 'leave')
    await circle.post(1, 'start', { order: 'join' })
    const { invite_code: code } = await circle.show()
    await circle.post(4, 'join', { invite_code: code })
    for (const giver of [1, 2])
      assert.equal((await circle.post(giver, 'seat/offer', { to: circle.as(4).handle })).status, 200)
    assert.equal((await circle.post(4, 'seat/accept')).status, 200)
    const second = await circle.post(4, 'seat/accept')
    assert.deepEqual([second.status, second.body.code], [422, 'invalid_state'], second.text)
    assert.match(second.body.message, /have or had a seat in this round/)
    const { seats } = (await circle.show()).round
    assert.deepEqual(
      seats.map(({ member }: { member: { handle: string } }) => member.handle),
      [4, 2, 3].map((number) => circle.as(number).handle),
    )
  })

  test('dissolved: what is in the pot goes back, and who had a pot owes the others what they gave', async () => {
    const circle = await openCircle(server, { members: 3 })
    await circle.post(1, 'start', { order: 'join' })
    for (const payer of [1, 2, 3]) await circle.pay(payer)
    await circle.pay(1)
    await circle.pay(2)
    assert.equal((await circle.post(2, 'dissolve')).status, 403)
    const dissolve = () => circle.post(1, 'dissolve', undefined, { 'idempotency-key': 'dissolve' })
    const dissolved = await dissolve()
    assert.equal((await dissolve()).text, dissolved.text)
    assert.equal(dissolved.body.data.round.status, 'dissolved', dissolved.text)
    assert.equal(await checkPot(server, circle), 0n)
    assert.equal(dissolved.body.data.debts.length, 2)
    assert.match((await circle.post(1, 'start', { order: 'join' })).body.message, /Who owes something/)
    assert.equal((await circle.pay(1, { amount: 2_000 })).status, 200)
    for (const person of circle.people) assert.equal(await available(server, person), 900_000n)
  })
})

describe('who belongs to a group', () => {
  test('a private one is found by its members and its code only; a full one takes nobody', async () => {
    const circle = await openCircle(server, { members: 2, body: { ...rotating, max_members: 3 } })
    const stranger = await register(server)
    const { invite_code: code, invite_url: link } = await circle.show()
    assert.match(code, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
    assert.match(link, new RegExp(`/app/groups/${circle.id}\\?invite=${code}$`))
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/feed', undefined],
      ['GET', '/head', undefined],
      ['POST', '/join', {}],
      ['POST', '/join', { invite_code: '00000-00000' }],
      ['POST', '/leave', undefined],
      ['POST', '/contribute', { amount: 1_000, pin: stranger.pin }],
    ] as const)
      assert.equal((await stranger.call(method, `/api/groups/${circle.id}${path}`, body)).status, 404, path)
    assert.equal(
      (await stranger.call('POST', `/api/groups/${circle.id}/join`, { invite_code: code })).status,
      200,
    )
    const again = await stranger.call('POST', `/api/groups/${circle.id}/join`, { invite_code: code })
    assert.equal(again.body.data.member_count, 3)
    const late = await register(server)
    const full = await late.call('POST', '/api/groups/join', { invite_code: code })
    assert.deepEqual([full.status, full.body.message], [422, 'This group is full.'])
    const renewed = await circle.post(1, 'invite-code')
    assert.notEqual(renewed.body.data.invite_code, code)
    await circle.post(2, 'leave')
    assert.equal((await late.call('POST', '/api/groups/join', { invite_code: code })).status, 422)
  })

  test('a public one is discovered and joined without a code; outsiders see what it says of itself', async () => {
    const chair = await register(server)
    const body = {
      ...rotating,
      name: 'Soko',
      visibility: 'public',
      time_zone: 'Africa/Lagos',
      frequency: 'monthly',
    }
    const { id } = (await chair.call('POST', '/api/groups', body)).body.data
    const other = await register(server)
    const { data: found } = (await other.call('GET', '/api/groups?scope=discover&limit=1')).body
    assert.equal(found[0].id, id)
    const { data: seen } = (await other.call('GET', `/api/groups/${id}`)).body
    assert.deepEqual([seen.role, seen.invite_code, seen.members], [null, undefined, undefined])
    assert.equal((await other.call('GET', `/api/groups/${id}/feed`)).status, 403)
    assert.equal(
      (await other.call('POST', `/api/groups/${id}/contribute`, { amount: 1_000, pin: other.pin })).status,
      403,
    )
    assert.equal((await other.call('POST', `/api/groups/${id}/join`, {})).status, 200)
    assert.deepEqual(
      (await other.call('GET', '/api/groups?scope=discover&limit=100')).body.data.filter(
        (one: { id: string }) => one.id === id,
      ),
      [],
    )
    assert.equal((await other.call('GET', '/api/groups')).body.data[0].role, 'member')
  })

  test('roles: the chair gives them, hands itself over, and there is always one', async () => {
    const circle = await openCircle(server, { members: 3 })
    const role = (number: number, of: number, name: string) =>
      circle
        .as(number)
        .call('PUT', `/api/groups/${circle.id}/members/${circle.as(of).handle}/role`, { role: name })
    assert.equal((await role(2, 3, 'treasurer')).status, 403)
    assert.equal((await role(1, 3, 'treasurer')).status, 200)
    assert.equal((await circle.post(3, 'invite-code')).status, 200)
    assert.equal((await circle.post(2, 'invite-code')).status, 403)
    assert.equal((await role(1, 1, 'member')).body.code, 'invalid_state')
    assert.equal((await role(1, 2, 'chair')).body.data.role, 'member')
    assert.equal(
      (await circle.as(2).call('DELETE', `/api/groups/${circle.id}/members/${circle.as(3).handle}`)).body.data
        .member_count,
      2,
    )
    assert.equal((await circle.as(1).call('PATCH', `/api/groups/${circle.id}`, { name: 'Ours' })).status, 403)
    const changed = await circle
      .as(2)
      .call('PATCH', `/api/groups/${circle.id}`, { name: 'Ours', late_fine: 50, max_members: 4 })
    assert.deepEqual(
      [changed.body.data.name, changed.body.data.late_fine, changed.body.data.max_members],
      ['Ours', 50, 4],
    )
    assert.equal(
      (await circle.as(2).call('PATCH', `/api/groups/${circle.id}`, { late_fine: 9_000_000 })).status,
      422,
    )
    const two = await circle.as(2).call('PATCH', `/api/groups/${circle.id}`, { max_members: 2 })
    assert.deepEqual(two.body.errors, { max_members: 'Max members must be at least 3 in a rotating group' })
    const without = await circle.as(2).call('PATCH', `/api/groups/${circle.id}`, { late_fine: 0 })
    assert.equal(without.body.data.late_fine, 0, 'no fine any more')
    await circle.post(1, 'leave')
    assert.equal((await circle.post(2, 'leave')).status, 200, 'the last one closes it')
  })

  test('a body with everything wrong names every field', async () => {
    const person = await register(server)
    const wrong = {
      name: ' ',
      currency: 'UGX',
      kind: 'rotating',
      visibility: 'secret',
      time_zone: 'Mars/Base',
      late_fine: '1.5',
      max_members: 2,
    }
    const { status, body } = await person.call('POST', '/api/groups', wrong)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors).sort(), [
      'contribution_amount',
      'frequency',
      'late_fine',
      'max_members',
      'name',
      'time_zone',
      'visibility',
    ])
    const goal = await person.call('POST', '/api/groups', {
      name: 'Paa',
      currency: 'UGX',
      kind: 'goal',
      visibility: 'private',
    })
    assert.deepEqual(Object.keys(goal.body.errors), ['goal_amount'])
    for (const name of ['Umoja \u202etnuocsid', '\u200b\u200b']) {
      const named = await person.call('POST', '/api/groups', { ...rotating, name })
      assert.deepEqual(
        Object.keys(named.body.errors),
        ['name'],
        'marks of direction, or nothing that is seen',
      )
    }
    const arabic = await person.call('POST', '/api/groups', { ...rotating, name: '\u200fصندوق الأسرة' })
    assert.equal(arabic.status, 201)
    const tiny = { ...rotating, contribution_amount: 100 }
    assert.match(
      (await person.call('POST', '/api/groups', tiny)).body.errors.contribution_amount,
      /at least UGX 500/,
    )
  })

  test('what a person has sent counts against the daily limit', async () => {
    const circle = await openCircle(server, {
      members: 3,
      body: { ...rotating, contribution_amount: 5_000_000 },
      money: '0',
    })
    await circle.post(1, 'start', { order: 'join' })
    await fund(server, circle.as(1), { amount: '30000000' })
    const other = circle.as(2).handle
    for (let sent = 0; sent < 4; sent++)
      await circle.as(1).call('POST', '/api/send', {
        recipient: other,
        amount: 5_000_000,
        currency: 'UGX',
        pin: circle.as(1).pin,
      })
    assert.equal((await circle.pay(1, { amount: 5_000_000 })).body.code, 'limit_exceeded')
  })
})
