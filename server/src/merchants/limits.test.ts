// How often merchants may ask, with the limits on: what shows or replaces credentials five times an hour, after the fields
// were right; payments of a test key fewer than those of a live one, and the two counted apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBusiness } from '../../test/businesses.ts'
import { testApp } from '../../test/helpers.ts'
import { type Reply, testPassword } from '../../test/people.ts'

const server = await testApp({ environment: { RATE_LIMITS: 'on' } })
const password = testPassword

const statuses = (replies: Reply[]) => replies.map(({ status }) => status)

const times = async (count: number, ask: () => Promise<Reply>): Promise<Reply[]> => {
  const replies: Reply[] = []
  for (let asked = 0; asked < count; asked++) replies.push(await ask())
  return replies
}

test('rotating and revealing: five an hour each; wrong fields do not count', async () => {
  const { owner } = await newBusiness(server, { approved: false })
  const rotate = (body: object) => owner.call('POST', '/api/merchant/rotate-key', body)
  const reveal = (body: object) => owner.call('POST', '/api/merchant/credentials/reveal', body)
  assert.deepEqual(statuses(await times(3, () => rotate({ mode: 'x' }))), [422, 422, 422])
  const rotated = await times(6, () => rotate({ mode: 'test', password }))
  assert.deepEqual(statuses(rotated), [200, 200, 200, 200, 200, 429])
  assert.ok(Number(rotated[5]?.headers['retry-after']) > 3_000)
  const revealed = await times(6, () => reveal({ mode: 'test', password }))
  assert.deepEqual(statuses(revealed), [200, 200, 200, 200, 200, 429])
  const other = await newBusiness(server, { approved: false })
  assert.equal(
    (await other.owner.call('POST', '/api/merchant/rotate-key', { mode: 'test', password })).status,
    200,
  )
})

test('payments: 25 a second with a test key, 100 with a live one', async () => {
  const { callTest, callLive } = await newBusiness(server)
  const first = await callTest('POST', '/api/pay', { amount: 5_000, currency: 'UGX' })
  const second = await callLive('POST', '/api/pay', { amount: 5_000, currency: 'UGX' })
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.deepEqual([first.headers['ratelimit-limit'], second.headers['ratelimit-limit']], ['25', '100'])
  const body = { amount: 5_000, currency: 'UGX' }
  const many = await Promise.all(Array.from({ length: 60 }, () => callTest('POST', '/api/pay', body)))
  assert.ok(many.some(({ status }) => status === 429))
  assert.equal((await callLive('POST', '/api/pay', body)).status, 200)
})
