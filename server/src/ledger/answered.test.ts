// What moves no money and must happen once: under one key there is one group and one campaign, and everybody who repeats
// the request gets the answer of the first, byte for byte.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedInAgain } from '../../test/businesses.ts'
import { rotating } from '../../test/circles.ts'
import { testApp } from '../../test/helpers.ts'
import { register } from '../../test/people.ts'

const server = await testApp()
const { clock, db } = server
const story = 'Our pupils walk two kilometres for water.'
const campaign = { title: 'A well', story, currency: 'UGX', goal_amount: 1_000_000 }

const made = [
  { path: '/api/groups', body: rotating, amount: 'contribution_amount', table: 'groups.groups' },
  { path: '/api/campaigns', body: campaign, amount: 'goal_amount', table: 'campaigns.campaigns' },
]

for (const { path, body, amount, table } of made) {
  const count = async () => Number((await db.row<{ n: bigint }>(`select count(*) as n from ${table}`))?.n)
  const given = Number(Object.entries(body).find(([name]) => name === amount)?.[1])

  test(`${path}: a repeated key makes one, also at once and by value, and has the same bytes`, async () => {
    const person = await register(server)
    const key = { 'idempotency-key': 'bad-link' }
    const before = await count()
    const replies = await Promise.all(Array.from({ length: 6 }, () => person.call('POST', path, body, key)))
    replies.push(await person.call('POST', path, { ...body, [amount]: `${given}.0` }, key))
    for (const reply of replies) assert.equal(reply.status, 201, reply.text)
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 6)
    assert.equal(await count(), before + 1)
  })

  test(`${path}: another body, another person, no key, a refusal and a week later`, async () => {
    const [one, other] = [await register(server), await register(server)]
    const key = { 'idempotency-key': 'mine' }
    const wrong = await one.call('POST', path, { ...body, [amount]: 1 }, key)
    assert.equal(wrong.body.code, 'validation_failed', 'what is refused leaves the key')
    const first = await one.call('POST', path, body, key)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    const conflict = await one.call('POST', path, { ...body, [amount]: given * 2 }, key)
    assert.deepEqual([conflict.status, conflict.body.code], [422, 'idempotency_conflict'])
    const ids = [first, await other.call('POST', path, body, key), await one.call('POST', path, body)]
    clock.advance(7 * 86_400)
    const again = await loggedInAgain(server, one)
    ids.push(await again.call('POST', path, body, key))
    for (const reply of ids) assert.equal(reply.status, 201, reply.text)
    assert.equal(new Set(ids.map((reply) => reply.body.data.id)).size, 4)
  })
}
