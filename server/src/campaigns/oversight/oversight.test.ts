// What operators decide: a pause stops what comes in and goes out and says why; giving back reaches each contributor once,
// in whole or in equal parts, however often it is interrupted and by however many it is done; all of it is in the audit log.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { mailsTo } from '../../../test/accounts.ts'
import { newOperator, theOperator } from '../../../test/businesses.ts'
import { checkAllCampaigns, checkCampaign, newCampaign } from '../../../test/campaigns.ts'
import { testApp } from '../../../test/helpers.ts'
import {
  available,
  confirmMailbox,
  fund,
  type Loose,
  register,
  type TestPerson,
} from '../../../test/people.ts'

const server = await testApp()
const { db, dependencies } = server
const { campaigns } = dependencies
const owner = await register(server)
const operator = await theOperator(server)
const people = await Promise.all(Array.from({ length: 3 }, () => register(server)))
const [anna, ben, chris] = people as [TestPerson, TestPerson, TestPerson]
for (const person of people) await fund(server, person, { amount: '5000000' })
for (const person of [owner, ...people]) await confirmMailbox(server, person)
afterEach(() => checkAllCampaigns(server))

const give = (person: TestPerson, id: string, amount: number) =>
  person.call('POST', `/api/campaigns/${id}/contribute`, { amount, pin: person.pin })
const take = (id: string, amount?: number) =>
  owner.call('POST', `/api/campaigns/${id}/withdraw`, { pin: owner.pin, ...(amount ? { amount } : {}) })
const decide = (id: string, act: string, reason: string | undefined = 'Wrong pictures', who = operator) =>
  who.call('POST', `/api/operator/campaigns/${id}/${act}`, act === 'resume' ? undefined : { reason })
const state = async (id: string): Promise<Loose> =>
  (await operator.call('GET', `/api/operator/campaigns/${id}`)).body.data
const audited = async (id: string) =>
  (await operator.call('GET', `/api/operator/audit?object=${id}`)).body.data.map(
    ({ action }: Loose) => action,
  )

describe('a pause', () => {
  test('stops both ways, is told, and ends', async () => {
    const { id } = await newCampaign(owner)
    await give(anna, id, 10_000)
    assert.equal((await decide(id, 'pause')).body.data.state, 'paused')
    const seen = (await anna.call('GET', `/api/campaigns/${id}`)).body.data
    assert.deepEqual([seen.status, seen.paused.reason], ['active', 'Wrong pictures'])
    const refused = await give(anna, id, 10_000)
    assert.equal(refused.body.code, 'invalid_state')
    assert.match(refused.body.message, /paused: Wrong pictures/)
    assert.equal((await take(id)).body.code, 'invalid_state')
    assert.equal((await decide(id, 'pause')).body.code, 'invalid_state', 'twice')
    assert.equal((await decide(id, 'resume')).body.data.state, 'active')
    assert.equal((await decide(id, 'resume')).body.code, 'invalid_state', 'twice')
    assert.equal((await give(anna, id, 10_000)).status, 200)
    assert.equal((await take(id)).status, 200)
    assert.deepEqual(await audited(id), ['campaign.withdrawal', 'campaign.resumed', 'campaign.paused'])
    const mails = (await mailsTo(db, `${owner.handle}@example.test`)).map(({ template }) => template)
    assert.deepEqual(mails.slice(0, 2), ['campaign_resumed', 'campaign_paused'])
  })

  test('nobody decides about a campaign of their own', async () => {
    const one = await newOperator(server)
    const { id } = await newCampaign(one)
    assert.equal((await decide(id, 'pause')).status, 200)
    const refused = await decide(id, 'resume', undefined, one)
    assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_state'])
    assert.equal(refused.body.message, 'Somebody else has to decide about your own campaign.')
  })

  test('only operators decide, with a reason', async () => {
    const { id } = await newCampaign(owner)
    for (const act of ['pause', 'resume', 'return'])
      assert.equal((await decide(id, act, 'x', owner)).body.code, 'forbidden')
    assert.deepEqual(Object.keys((await decide(id, 'pause', ' ')).body.errors), ['reason'])
    assert.equal((await decide(`cmp_${'0'.repeat(22)}`, 'pause')).status, 404)
  })
})

test('an owner who is frozen looks, and changes nothing', async () => {
  const fraud = await register(server)
  const { id } = await newCampaign(fraud)
  await operator.call('POST', `/api/operator/users/${fraud.id}/freeze`, { reason: 'Not their pictures' })
  const { handle, password } = fraud
  const login = await fraud.call('POST', '/api/auth/login', { handle, password })
  const headers = { authorization: `Bearer ${login.body.data.token}` }
  for (const [method, path, body] of [
    ['PATCH', '', { story: 'Pay this number instead.' }],
    ['POST', '/updates', { text: 'Pay this number instead.' }],
    ['POST', '/end', undefined],
  ] as const) {
    const reply = await fraud.call(method, `/api/campaigns/${id}${path}`, body, headers)
    assert.deepEqual([reply.status, reply.body.code], [403, 'account_frozen'], path)
  }
  assert.equal((await fraud.call('GET', `/api/campaigns/${id}`, undefined, headers)).status, 200)
})

describe('the list', () => {
  test('by state and by words', async () => {
    const { id } = await newCampaign(owner, { title: 'Zebra crossing' })
    const find = async (query: string) =>
      (await operator.call('GET', `/api/operator/campaigns?${query}`)).body.data.map((one: Loose) => one.id)
    assert.deepEqual(await find('q=zebra'), [id])
    assert.deepEqual(await find('q=zebra&state=paused'), [])
    await decide(id, 'pause')
    assert.deepEqual(await find('q=zebra&state=paused'), [id])
    assert.equal((await find('limit=1')).length, 1)
  })
})

describe('giving back', () => {
  test('all of it, into the wallets it came from, with a line in each history and a letter', async () => {
    const { id } = await newCampaign(owner)
    const before = await Promise.all(people.map((person) => available(server, person)))
    await give(anna, id, 10_000)
    await give(anna, id, 5_000)
    await give(ben, id, 700)
    const begun = await decide(id, 'return', 'It was a fraud')
    assert.equal(begun.body.data.state, 'returning')
    assert.deepEqual(begun.body.data.returns, [{ state: 'open', count: 3, amount: 15_700 }])
    assert.equal((await give(chris, id, 10_000)).body.code, 'invalid_state')
    assert.equal((await take(id)).body.code, 'invalid_state')
    assert.equal(await campaigns.returnMoney({ id }), 3)
    assert.equal(await campaigns.returnMoney({ id }), 0, 'again, there is nothing to do')
    const after = await Promise.all(people.map((person) => available(server, person)))
    assert.deepEqual(after, before)
    const { state: now, raised_amount, balance, returned, returns } = await state(id)
    assert.deepEqual([now, raised_amount, balance, returned.reason], ['returned', 0, 0, 'It was a fraud'])
    assert.deepEqual(returns, [{ state: 'done', count: 3, amount: 15_700 }])
    const [line] = (await ben.call('GET', '/api/transactions?type=refund')).body.data
    assert.deepEqual(
      [line.amount, line.direction, line.counterparty.name, line.note],
      [700, 'in', 'A well for Kasese', 'It was a fraud'],
    )
    const [mail] = await mailsTo(db, `${ben.handle}@example.test`)
    assert.equal(mail?.template, 'campaign_returned')
    assert.deepEqual(await audited(id), ['campaign.return'])
    assert.equal((await decide(id, 'resume')).body.code, 'invalid_state')
    assert.equal((await decide(id, 'return')).body.code, 'invalid_state')
    assert.equal(
      (await owner.call('PATCH', `/api/campaigns/${id}`, { story: 'x' })).body.code,
      'invalid_state',
    )
  })

  test('in equal parts of what is left, when some was taken out', async () => {
    const { id } = await newCampaign(owner)
    const before = await Promise.all(people.map((person) => available(server, person)))
    await give(anna, id, 1_000)
    await give(ben, id, 1_000)
    await give(chris, id, 1_000)
    await take(id, 1_000)
    await decide(id, 'return')
    await campaigns.returnMoney({ id })
    const after = await Promise.all(people.map((person) => available(server, person)))
    const lost = before.map((amount, at) => amount - (after[at] ?? 0n))
    assert.deepEqual(lost, [334n, 333n, 333n])
    const { raised, withdrawn, balance } = await checkCampaign(server, id)
    assert.deepEqual([raised, withdrawn, balance], [1_000n, 1_000n, 0n])
  })

  test('by several at once, and cut off in between: each once', async () => {
    const { id } = await newCampaign(owner)
    const before = await available(server, anna)
    for (let gifts = 0; gifts < 30; gifts++) await give(anna, id, 500 + gifts)
    await decide(id, 'return')
    const stopped = new AbortController()
    stopped.abort()
    assert.equal(await campaigns.returnMoney({ id, signal: stopped.signal }), 0)
    await Promise.all([1, 2, 3].map(() => campaigns.returnMoney({ id })))
    assert.equal(await available(server, anna), before)
    assert.equal(await campaigns.returnDue(), 0)
    assert.equal((await state(id)).state, 'returned')
  })

  test('a campaign that can not go on now keeps no other from giving back', async () => {
    const [held, other] = [await newCampaign(owner), await newCampaign(owner)]
    const before = await available(server, anna)
    for (const { id } of [held, other]) await give(anna, id, 1_000)
    for (const { id } of [held, other]) await decide(id, 'return')
    await db.inTransaction(async (tx) => {
      await tx.rows('select 1 from campaigns.campaigns where id = $1 for update', [held.id])
      await assert.rejects(campaigns.returnDue(), AggregateError)
    })
    assert.equal((await state(other.id)).state, 'returned')
    await campaigns.returnDue()
    assert.equal((await state(held.id)).state, 'returned')
    assert.equal(await available(server, anna), before)
  })

  test('nothing to give back', async () => {
    const { id } = await newCampaign(owner)
    await decide(id, 'return')
    await campaigns.returnMoney({ id })
    assert.equal((await state(id)).state, 'returned')
  })
})

test('whatever was given and taken out, the parts together are what is left, and nobody gets more than they gave', async () => {
  const shares = (amounts: readonly bigint[], left: bigint) => {
    const total = amounts.reduce((sum, amount) => sum + amount, 0n)
    return db.rows<{ share: bigint; amount: bigint }>(
      `with given as (
         select n, sum(amount) over (order by n) as until, amount from unnest($1::bigint[]) with ordinality as g (amount, n)
       ) select (div(until * $2::bigint, $3) - div((until - amount) * $2::bigint, $3))::bigint as share, amount::bigint from given`,
      [amounts, left, total],
    )
  }
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 9_007_199_254_740n }), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(amounts, fc.bigInt({ min: 0n, max: 1_000n }), async (given, part) => {
      const total = given.reduce((sum, amount) => sum + amount, 0n)
      const left = (total * part) / 1_000n
      const found = await shares(given, left)
      assert.equal(
        found.reduce((sum, { share }) => sum + share, 0n),
        left,
      )
      assert.ok(found.every(({ share, amount }) => share >= 0n && share <= amount))
    }),
    { numRuns: 60 },
  )
})
