// What must happen once though no money, or not yet any, moves: under one key there is one group, campaign, money request
// and proposed payout, and everybody who repeats the request gets the answer of the first, byte for byte.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loggedInAgain } from '../../test/businesses.ts'
import { goal, openCircle, rotating } from '../../test/circles.ts'
import { testApp } from '../../test/helpers.ts'
import { call, register, type TestPerson } from '../../test/people.ts'
import { somebodyWaits } from '../../test/waits.ts'
import { AppError } from '../base/errors.ts'
import { answerOnce } from './answered.ts'

const server = await testApp()
const { clock, db, url, adminUrl } = server
const story = 'Our pupils walk two kilometres for water.'
const campaign = { title: 'A well', story, currency: 'UGX', goal_amount: 1_000_000 }
const neighbour = await register(server, { handle: 'neighbour' })
const request = { from: 'neighbour', amount: 10_000, currency: 'UGX', note: 'Lunch' }
const payout = { to: 'neighbour', amount: 10_000, reason: 'Iron sheets' }

/** The address of the payouts of a group that all of them belong to. */
async function payoutsOf(people: readonly TestPerson[]): Promise<string> {
  const chair = await loggedInAgain(server, neighbour)
  const { id, invite_code } = (await chair.call('POST', '/api/groups', goal)).body.data
  for (const person of people) await person.call('POST', '/api/groups/join', { invite_code })
  return `/api/groups/${id}/payouts`
}

const made = [
  { path: '/api/groups', body: rotating, amount: 'contribution_amount', table: 'groups.groups' },
  { path: '/api/campaigns', body: campaign, amount: 'goal_amount', table: 'campaigns.campaigns' },
  { path: '/api/requests', body: request, amount: 'amount', table: 'transfers.requests' },
  { path: payoutsOf, body: payout, amount: 'amount', table: 'groups.proposals', status: 200 },
]

for (const { path, body, amount, table, status = 201 } of made) {
  const count = async () => Number((await db.row<{ n: bigint }>(`select count(*) as n from ${table}`))?.n)
  const given = Number(Object.entries(body).find(([name]) => name === amount)?.[1])
  const placeOf = async (...people: TestPerson[]) => (typeof path === 'string' ? path : path(people))

  test(`${table}: a repeated key makes one, also at once and by value, and has the same bytes`, async () => {
    const person = await register(server)
    const place = await placeOf(person)
    const key = { 'idempotency-key': 'bad-link' }
    const before = await count()
    const replies = await Promise.all(Array.from({ length: 20 }, () => person.call('POST', place, body, key)))
    replies.push(await person.call('POST', place, { ...body, [amount]: `${given}.0` }, key))
    for (const reply of replies) assert.equal(reply.status, status, reply.text)
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 20)
    assert.equal(await count(), before + 1)
  })

  test(`${table}: another body, another person, no key, a refusal and a week later`, async () => {
    const [one, other] = [await register(server), await register(server)]
    const place = await placeOf(one, other)
    const key = { 'idempotency-key': 'mine' }
    const wrong = await one.call('POST', place, { ...body, [amount]: 0 }, key)
    assert.equal(wrong.body.code, 'validation_failed', 'what is refused leaves the key')
    const first = await one.call('POST', place, body, key)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    const conflict = await one.call('POST', place, { ...body, [amount]: given * 2 }, key)
    assert.deepEqual([conflict.status, conflict.body.code], [422, 'idempotency_conflict'])
    const ids = [first, await other.call('POST', place, body, key), await one.call('POST', place, body)]
    clock.advance(7 * 86_400)
    const again = await loggedInAgain(server, one)
    ids.push(await again.call('POST', place, body, key))
    for (const reply of ids) assert.equal(reply.status, status, reply.text)
    assert.equal(new Set(ids.map((reply) => reply.body.data.id)).size, 4)
  })

  test(`${table}: another process that starts later knows the answer`, async () => {
    const person = await register(server)
    const place = await placeOf(person)
    const key = { 'idempotency-key': 'restarted' }
    const first = await person.call('POST', place, body, key)
    const before = await count()
    const later = await testApp({ database: { url, adminUrl }, clock })
    const headers = { authorization: `Bearer ${person.token}`, ...key }
    const again = await call(later, { method: 'POST', url: place, body, headers })
    assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true'])
    assert.equal(await count(), before)
  })
}

test('campaigns.campaigns: repeated when its time is over', async () => {
  const owner = await register(server)
  const ends_at = new Date(clock.now().getTime() + 5_000).toISOString()
  const body = { ...campaign, ends_at }
  const begin = () => owner.call('POST', '/api/campaigns', body, { 'idempotency-key': 'five-seconds' })
  const first = await begin()
  clock.advance(5)
  assert.equal((await begin()).text, first.text)
  const { body: answer } = await owner.call('POST', '/api/campaigns', body)
  assert.deepEqual(answer.errors, { ends_at: 'Ends at must be in the future' })
})

test('one that would be refused by now waits for the first, wherever that is worked on', async () => {
  const problem = new AppError('forbidden')
  const work = async (commits: boolean) => {
    const key = { id: randomUUID(), fingerprint: randomUUID() }
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = db.inTransaction(async (tx) => {
      await answerOnce(tx, { key, now: clock.now(), work: async () => ({ status: 200, body: 'first' }) })
      begun.resolve()
      await end.promise
      if (!commits) throw new Error('the first was refused')
    })
    await begun.promise
    const again = server.ledger.answeredOr(db, { key, problem }).catch((error: unknown) => error)
    assert.equal(await Promise.race([again, sleep(100, 'waits')]), 'waits')
    end.resolve()
    await first.catch(() => undefined)
    return { key, again: await again }
  }
  const { key, again } = await work(true)
  assert.deepEqual(again, { answer: { status: 200, body: 'first' }, replayed: true })
  assert.equal((await work(false)).again, problem)
  const other = { ...key, fingerprint: randomUUID() }
  await assert.rejects(server.ledger.answeredOr(db, { key: other, problem }), {
    code: 'idempotency_conflict',
  })
  await assert.rejects(server.ledger.answeredOr(db, { key: undefined, problem }), problem)
})

test('refused while another process is about to keep the answer: it is waited for', async () => {
  const circle = await openCircle(server, { members: 3, body: goal })
  const give = () => circle.pay(2, { amount: 5_000 }, { 'idempotency-key': 'in-flight' })
  const told = await give()
  await circle.post(2, 'leave')
  const kept = await db.row<{ key: string; fingerprint: string; created_at: Date }>(
    'delete from ledger.answers where body = $1 returning key, fingerprint, created_at',
    [told.text],
  )
  assert.ok(kept)
  const { reply } = await db.inTransaction(async (tx) => {
    await tx.rows(
      'insert into ledger.answers (key, fingerprint, status, body, created_at) values ($1, $2, 200, $3, $4)',
      [kept.key, kept.fingerprint, told.text, kept.created_at],
    )
    const repeated = give()
    await Promise.race([somebodyWaits(tx), repeated])
    return { reply: repeated }
  })
  const again = await reply
  assert.deepEqual([again.text, again.headers['idempotency-replayed']], [told.text, 'true'])
})
