// A PIN that was locked a moment ago by another process, of which this one has not heard: whatever is asked for, nothing in
// the answer tells the right PIN from a wrong one, and no money moves.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { reconcile, testApp } from '../../test/helpers.ts'
import { available, fund, register, type TestPerson } from '../../test/people.ts'

const server = await testApp()
const { db, ledger } = server
const bob = await register(server, { handle: 'bob_k' })
await register(server, { handle: 'carol_w' })
const frozen = await register(server, { handle: 'frozen_one' })
const by = { kind: 'operator', id: 'usr_operator' } as const
await db.inTransaction((tx) => server.users.freeze(tx, { user: frozen.id, by, origin: {} }))
afterEach(() => reconcile(server))

/** As five wrong ones do it, but that nobody is told. */
const lockQuietly = ({ id }: TestPerson) =>
  db.inTransaction(async (tx) => {
    const until = new Date(server.clock.now().getTime() + 60_000)
    await tx.row(
      'update users.pins set failures = 5, locked_until = $2 where user_id = $1 returning user_id',
      [id, until],
    )
    await ledger.changeGuard(tx, id)
  })

const order = { recipient: 'bob_k', amount: 1_000, currency: 'UGX' }
const key = { 'idempotency-key': 'before' }
const asked = await bob.call('POST', '/api/requests', { from: 'carol_w', amount: 1_000, currency: 'UGX' })
const foreign = `/api/requests/${asked.body.data.id}/pay`
const rows: [what: string, path: string, body: object, headers?: Record<string, string>][] = [
  ['a transfer', '/api/send', order],
  ['one that was made before', '/api/send', order, key],
  ['another under a key that was used', '/api/send', { ...order, amount: 2_000 }, key],
  ['to nobody', '/api/send', { ...order, recipient: 'nobody_here' }],
  ['to oneself', '/api/send', { ...order, recipient: 'self' }],
  ['to somebody who is frozen', '/api/send', { ...order, recipient: 'frozen_one' }],
  ['of more than there is', '/api/send', { ...order, amount: 4_000_000 }],
  ["somebody else's request", foreign, {}],
  [
    'a withdrawal of more than there is',
    '/api/withdraw',
    { amount: 900_000, currency: 'UGX', method: 'mtn' },
  ],
]

for (const [what, path, body, headers = {}] of rows) {
  test(`${what}: a right PIN and a wrong one are locked alike`, async () => {
    const answers = []
    for (const guess of ['right', 'wrong']) {
      const person = await register(server)
      await fund(server, person, { amount: '10000' })
      const pin = guess === 'right' ? person.pin : '9173'
      const sent = {
        ...body,
        ...('recipient' in body && body.recipient === 'self' && { recipient: person.handle }),
      }
      // So that this process remembers all of them, and the key has an answer.
      const first = await person.call('POST', '/api/send', { ...order, pin: person.pin }, key)
      assert.equal(first.status, 200, first.text)
      await person.call('POST', '/api/send/preview', { ...order, recipient: 'frozen_one' })
      await lockQuietly(person)
      const before = [await available(server, person), await available(server, bob)]
      const phone = path === '/api/withdraw' ? { phone: '+256770000001' } : {}
      const reply = await person.call('POST', path, { ...sent, ...phone, pin }, headers)
      assert.deepEqual([await available(server, person), await available(server, bob)], before)
      answers.push([reply.status, { ...reply.body, request_id: '' }])
    }
    assert.deepEqual(answers[0], answers[1])
    assert.match(JSON.stringify(answers), /"code":"pin_locked"/)
  })
}
