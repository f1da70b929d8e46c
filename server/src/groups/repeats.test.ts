// Requests about a group's money that are repeated with their key when nobody could make them any more: who asks hears what
// came of the first one, and nothing moves again.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type Circle, checkPot, goal, openCircle, rotating } from '../../test/circles.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { available, type Reply } from '../../test/people.ts'

const server = await testApp()
afterEach(() => reconcile(server))

const keyed = (key: string) => ({ 'idempotency-key': key })
type Headers = ReturnType<typeof keyed>

const rows: {
  name: string
  body: object
  first: (circle: Circle, headers: Headers) => Promise<Reply>
  other?: (circle: Circle, headers: Headers) => Promise<Reply>
  leaves: number
  refusal?: string
}[] = [
  {
    name: 'given to a goal by who has left',
    body: goal,
    first: (circle, headers) => circle.pay(2, { amount: 5_000 }, headers),
    other: (circle, headers) => circle.pay(2, { amount: 6_000 }, headers),
    leaves: 2,
  },
  {
    name: 'given to a goal by who has left and may still look, the group being public',
    body: { ...goal, visibility: 'public' },
    first: (circle, headers) => circle.pay(2, { amount: 5_000 }, headers),
    leaves: 2,
    refusal: 'forbidden',
  },
  {
    name: 'proposed by who has left',
    body: goal,
    first: (circle, headers) => propose(circle, 5_000, headers),
    other: (circle, headers) => propose(circle, 6_000, headers),
    leaves: 2,
  },
  {
    name: 'paid into a cycle by who has left',
    body: rotating,
    first: (circle, headers) => circle.pay(4, {}, headers),
    other: (circle, headers) => circle.pay(4, { note: 'Other words' }, headers),
    leaves: 4,
  },
  {
    name: 'paid for a member who has left',
    body: rotating,
    first: (circle, headers) => circle.pay(2, { on_behalf_of: circle.as(4).handle }, headers),
    leaves: 4,
    refusal: 'validation_failed',
  },
]

const propose = (circle: Circle, amount: number, headers: Headers) =>
  circle.post(2, 'payouts', { to: circle.as(1).handle, amount, reason: 'Iron sheets' }, headers)

for (const { name, body, first, other, leaves, refusal = 'not_found' } of rows)
  test(`${name}: the first answer again`, async () => {
    const circle = await openCircle(server, { members: 4, body })
    const key = keyed('bad-link')
    if (body === rotating) await circle.post(1, 'start', { order: 'join' })
    const told = await first(circle, key)
    assert.equal(told.status, 200, told.text)
    assert.equal((await circle.post(leaves, 'leave')).status, 200)
    const before = [await checkPot(server, circle), await available(server, circle.as(leaves))]
    const again = await first(circle, key)
    assert.deepEqual([again.text, again.headers['idempotency-replayed']], [told.text, 'true'])
    if (other !== undefined) assert.equal((await other(circle, key)).body.code, 'idempotency_conflict')
    assert.equal((await first(circle, keyed('new'))).body.code, refusal, 'what has no answer is refused')
    assert.deepEqual([await checkPot(server, circle), await available(server, circle.as(leaves))], before)
  })
