// Reminders: before, on the day and late, to those who have not paid, in their language, each once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater, openCircle, rotating } from '../../test/circles.ts'
import { testApp } from '../../test/helpers.ts'
import { confirmMailbox } from '../../test/people.ts'
import { remindDue } from './groups.ts'

const server = await testApp()

const mails = () =>
  server.db.rows<{ to_address: string; template: string; data: { amountText: string; timeZone: string } }>(
    `select to_address, template, data from mail.messages where template like 'group%' order by number`,
  )

test('each once, to who has not paid and can be reached', async () => {
  let circle = await openCircle(server, { members: 3, body: { ...rotating, late_fine: 50 } })
  await server.db.rows(`update users.people set email_confirmed_at = created_at`)
  for (const { id } of circle.people) server.users.forget(id)
  await circle.as(3).call('PATCH', '/api/me', { locale: 'sw' })
  await circle.post(1, 'start', { order: 'join' })
  await circle.pay(1)
  assert.equal(await remindDue(server.dependencies), 0)
  const told: string[] = []
  for (const [days, template, amount] of [
    [5, 'group_due_soon', 'UGX 1,000'],
    [2, 'group_due_today', 'UGX 1,000'],
    [1, 'group_late', 'UGX 1,050'],
  ] as const) {
    circle = await daysLater(server, circle, days)
    assert.equal(await remindDue(server.dependencies), 2)
    assert.equal(await remindDue(server.dependencies), 0, 'each once')
    const [second, third] = (await mails()).slice(-2)
    told.push(template)
    assert.deepEqual(
      [second?.template, second?.to_address],
      [template, `${circle.as(2).handle}@example.test`],
    )
    assert.deepEqual([second?.data.amountText, second?.data.timeZone], [amount, 'Africa/Kampala'])
    assert.equal(third?.to_address, `${circle.as(3).handle}@example.test`)
  }
  assert.equal((await mails()).length, 2 * told.length)
  // The next cycle begins anew.
  await circle.post(1, 'cycle/close')
  circle = await daysLater(server, circle, 5)
  assert.ok((await remindDue(server.dependencies)) >= 1)
})

test('a group that can not be reminded now keeps no other from its mails', async () => {
  const start = async () => {
    const circle = await openCircle(server, { members: 3 })
    for (const person of circle.people) await confirmMailbox(server, person)
    await circle.post(1, 'start', { order: 'join' })
    return circle
  }
  const circles = [await start(), await start()]
  server.clock.advance(5 * 86_400)
  const [first] = circles.map(({ id }) => id).toSorted()
  const before = (await mails()).length
  await server.db.inTransaction(async (tx) => {
    await tx.rows('select 1 from groups.groups where id = $1 for update', [first])
    await assert.rejects(remindDue(server.dependencies), AggregateError)
  })
  assert.ok((await mails()).length >= before + 3, 'the other one')
  assert.equal(await remindDue(server.dependencies), 3, 'and then the first')
})
