// Membership that changes while somebody acts on what it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCircle } from '../../test/circles.ts'
import { testApp } from '../../test/helpers.ts'
import { somebodyWaits } from '../../test/waits.ts'

const server = await testApp()

test('who hands the chair over in the same moment removes nobody', async () => {
  const circle = await openCircle(server, { members: 3 })
  const member = (number: number) => circle.as(number).id
  const removing = server.db.inTransaction(async (tx) => {
    await tx.rows('select 1 from groups.groups where id = $1 for update', [circle.id])
    const removed = circle.as(1).call('DELETE', `/api/groups/${circle.id}/members/${circle.as(3).handle}`)
    await somebodyWaits(tx)
    for (const [number, role] of [
      [1, 'member'],
      [2, 'chair'],
    ] as const)
      await tx.rows('update groups.members set role = $3 where group_id = $1 and user_id = $2', [
        circle.id,
        member(number),
        role,
      ])
    return { removed }
  })
  assert.equal((await (await removing).removed).status, 403)
  assert.equal((await circle.as(2).call('GET', `/api/groups/${circle.id}`)).body.data.member_count, 3)
})
