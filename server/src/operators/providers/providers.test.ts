// What operators see and do about providers: orders that got stuck, money that belongs to nobody, days whose books differ.
// Each act is in the audit log with its reason.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { newBusiness, newOperator, theOperator } from '../../../test/businesses.ts'
import { newCampaign } from '../../../test/campaigns.ts'
import { ask } from '../../../test/checkouts.ts'
import { reconcile } from '../../../test/helpers.ts'
import { patientDelays, quiet } from '../../../test/open-orders.ts'
import { fund, type Loose, type Reply, register, type TestPerson } from '../../../test/people.ts'
import { simulatedApp } from '../../../test/simulated-app.ts'

const server = await simulatedApp({ delays: patientDelays })
const { dependencies, clock } = server
const { operations } = dependencies
const operator = await theOperator(server)
afterEach(async () => {
  await quiet(server)
  await reconcile(server)
})

const check = (reply: Reply, [status, code]: [number, string?]) => {
  assert.equal(reply.status, status, reply.text)
  if (code !== undefined) assert.equal(reply.body.code, code, reply.text)
  return reply.body?.data
}
const reason = 'Seen in the portal'
const audited = async (object: string) =>
  (await operator.call('GET', `/api/operator/audit?object=${object}`)).body.data.map((row: Loose) => [
    row.action,
    row.actor.id,
    row.details.reason,
  ])

/** A prompt that nobody answers. */
async function waiting(person: TestPerson, amount = 12_000): Promise<string> {
  const body = { amount, currency: 'UGX', method: 'mtn', phone: '+256772345999' }
  const { reference } = check(await person.call('POST', '/api/deposit/initiate', body), [200])
  const [found] = await operations.list({ q: reference, limit: 1 })
  return found?.id ?? ''
}

describe('orders to providers', () => {
  test('are listed, searched and seen with all that was said, without secrets', async () => {
    const person = await register(server)
    const ids = [await waiting(person), await waiting(person), await waiting(person)]
    const seen: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 5; pages++) {
      const { body } = await operator.call('GET', `/api/operator/operations?state=pending&limit=2${cursor}`)
      seen.push(...body.data.map(({ id }: Loose) => id))
      if (body.meta.next_cursor === null) break
      cursor = `&cursor=${body.meta.next_cursor}`
    }
    assert.deepEqual(seen.sort(), [...ids].sort())
    const one = check(await operator.call('GET', `/api/operator/operations/${ids[0]}`), [200])
    assert.deepEqual([one.provider, one.kind, one.purpose, one.amount], ['mtn', 'collect', 'deposit', 12_000])
    assert.ok(one.exchanges.some(({ what, status }: Loose) => what === 'start' && status === 202))
    assert.ok(!JSON.stringify(one).includes('simulator-api-key'), 'no secrets')
    const named = await operator.call('GET', `/api/operator/operations?q=${one.reference}`)
    assert.deepEqual(
      named.body.data.map(({ id }: Loose) => id),
      [ids[0]],
    )
    assert.deepEqual((await operator.call('GET', '/api/operator/operations?provider=airtel')).body.data, [])
    check(await operator.call('GET', '/api/operator/operations/00000000-0000-4000-8000-000000000000'), [404])
    check(await operator.call('GET', '/api/operator/operations?cursor=x'), [422])
  })

  test('that are stuck are asked about, and resolved, once', async () => {
    const person = await register(server)
    const id = await waiting(person)
    const asked = check(await operator.call('POST', `/api/operator/operations/${id}/ask`), [200])
    assert.equal(asked.state, 'pending')
    assert.ok(asked.asks >= 1)
    const url = `/api/operator/operations/${id}/resolve`
    check(await operator.call('POST', url, { outcome: 'completed' }), [422, 'validation_failed'])
    const both = await Promise.all([
      operator.call('POST', url, { outcome: 'completed', receipt: 'ABC123', reason }),
      operator.call('POST', url, { outcome: 'failed', reason }),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422])
    check(await operator.call('POST', url, { outcome: 'failed', reason }), [422, 'invalid_state'])
    const done = check(await operator.call('GET', `/api/operator/operations/${id}`), [200])
    const wallets = (await person.call('GET', '/api/wallets')).body.data
    assert.equal(wallets[0].balance, done.state === 'completed' ? 12_000 : 0)
    assert.deepEqual(await audited(id), [
      ['operation.resolved', operator.id, reason],
      ['operation.asked', operator.id, undefined],
    ])
    check(await operator.call('POST', `/api/operator/operations/${id}/dismiss`, { reason }), [
      422,
      'invalid_state',
    ])
  })

  test('a withdrawal that an operator says has failed is free again', async () => {
    const person = await register(server)
    await fund(server, person, { amount: '50000' })
    const body = { amount: 10_000, currency: 'UGX', method: 'mtn', phone: '+256772345999', pin: person.pin }
    const { reference } = check(await person.call('POST', '/api/withdraw', body), [200])
    await dependencies.funding.idle()
    const [found] = await operations.list({ q: reference, limit: 1 })
    const resolved = { outcome: 'failed', reason }
    check(await operator.call('POST', `/api/operator/operations/${found?.id}/resolve`, resolved), [200])
    const wallet = (await person.call('GET', '/api/wallets')).body.data[0]
    assert.deepEqual([wallet.balance, wallet.held], [50_000, 0])
  })
})

test('nobody decides about money of their own', async () => {
  const one = await newOperator(server)
  const business = await newBusiness(server, { owner: one })
  const refused = async (path: string, body: object) => {
    const reply = await one.call('POST', `/api/operator/${path}`, body)
    check(reply, [422, 'invalid_state'])
    assert.equal(reply.body.message, 'Somebody else has to decide about your own money.')
  }
  const mine = await waiting(one)
  await refused(`operations/${mine}/resolve`, { outcome: 'completed', receipt: 'ABC124', reason })
  const { payment } = await ask(server, business, { price: '7500' })
  await server.payments.startAttempt(payment, { method: 'mtn', phone: '+256772345999' })
  const [attempt] = await operations.list({ q: payment.reference, limit: 1 })
  await refused(`operations/${attempt?.id}/resolve`, { outcome: 'completed', receipt: 'ABC125', reason })
  await operations.learn(await waiting(await register(server)), {
    state: 'completed',
    amount: { minor: 7_500n, currency: 'UGX' },
  })
  const { data } = (await operator.call('GET', '/api/operator/unmatched?status=open&limit=1')).body
  await refused(`unmatched/${data[0].id}/match`, { user_id: one.id, reason })
  await refused(`unmatched/${data[0].id}/match`, { payment: payment.reference, reason })
  const said = { amount: '7500', name: '', message: '', anonymous: false }
  const given = await dependencies.campaigns.pledge({ ...said, id: (await newCampaign(one)).id })
  const pledged = await server.payments.byToken(new URL(given).searchParams.get('token') ?? '')
  await refused(`unmatched/${data[0].id}/match`, { payment: pledged?.reference, reason })
  const { id: paid } = await operations.learn(await waiting(one), {
    state: 'completed',
    amount: { minor: 7_400n, currency: 'UGX' },
  })
  const open = (await operator.call('GET', '/api/operator/unmatched?status=open')).body.data
  const own = open.find(({ operation_id: id }: Loose) => id === paid)
  // The second time on a word of their own, when the first has arrived after all.
  await refused(`unmatched/${own.id}/return`, { reason })
  const { id: user_id } = await register(server)
  for (const { id } of [data[0], own])
    check(await operator.call('POST', `/api/operator/unmatched/${id}/match`, { user_id, reason }), [200])
  const failed = { outcome: 'failed', reason }
  for (const id of [mine, attempt?.id])
    check(await operator.call('POST', `/api/operator/operations/${id}/resolve`, failed), [200])
})

describe('unmatched money', () => {
  async function unmatched(amount: bigint): Promise<string> {
    const id = await waiting(await register(server))
    await operations.learn(id, { state: 'completed', amount: { minor: amount, currency: 'UGX' } })
    const { data } = (await operator.call('GET', '/api/operator/unmatched?status=open&limit=1')).body
    assert.equal(data[0].operation_id, id)
    return data[0].id
  }

  test('is matched to a wallet, with a reason', async () => {
    const id = await unmatched(7_000n)
    const { id: user, call } = await register(server)
    const url = `/api/operator/unmatched/${id}/match`
    for (const [body, field] of [
      [{ user_id: user }, 'reason'],
      [{ reason }, 'user_id'],
      [{ reason, user_id: user, payment: 'PY-00000-00000-000' }, 'user_id'],
      [{ reason, user_id: 'usr_0000000000000000000000' }, 'user_id'],
      [{ reason, payment: 'PY-00000-00000-000' }, 'payment'],
    ] as const) {
      const reply = await operator.call('POST', url, body)
      check(reply, [422, 'validation_failed'])
      assert.deepEqual(Object.keys(reply.body.errors), [field], JSON.stringify(body))
    }
    const matched = check(await operator.call('POST', url, { user_id: user, reason }), [200])
    assert.deepEqual([matched.status, matched.matched_to], ['matched', { kind: 'wallet', id: user }])
    check(await operator.call('POST', url, { user_id: user, reason }), [422, 'invalid_state'])
    assert.equal((await call('GET', '/api/wallets')).body.data[0].balance, 7_000)
    assert.deepEqual(await audited(id), [['unmatched.matched', operator.id, reason]])
  })

  test('is matched to a payment that it pays', async () => {
    const business = await newBusiness(server)
    const { payment } = await ask(server, business, { price: '8000' })
    const id = await unmatched(8_000n)
    const url = `/api/operator/unmatched/${id}/match`
    const other = await ask(server, business, { price: '8001' })
    check(await operator.call('POST', url, { payment: other.payment.reference, reason }), [
      422,
      'validation_failed',
    ])
    const matched = check(await operator.call('POST', url, { payment: payment.reference, reason }), [200])
    assert.deepEqual(matched.matched_to, { kind: 'payment', id: payment.reference })
    assert.equal((await server.payments.byNumber(payment.number))?.status, 'completed')
  })

  test('is decided about once, however many do so at the same time', async () => {
    const business = await newBusiness(server)
    for (const act of ['match', 'return']) {
      const id = await unmatched(9_000n)
      const decisions = [1, 2, 3, 4].map(async () => {
        const { payment } = await ask(server, business, { price: '9000' })
        return act === 'match' ? { reason, payment: payment.reference } : { reason }
      })
      const bodies = await Promise.all(decisions)
      const url = `/api/operator/unmatched/${id}/${act}`
      const replies = await Promise.all(bodies.map((body) => operator.call('POST', url, body)))
      const refused = replies.filter(({ status }) => status !== 200)
      assert.equal(refused.length, 3)
      for (const reply of refused) {
        check(reply, [422, 'invalid_state'])
        assert.match(reply.body.message, /^This money is (matched|returning|returned) already\.$/)
      }
      await quiet(server)
    }
  })

  test('is given back now', async () => {
    const id = await unmatched(6_000n)
    await server.db.rows('update funding.unmatched set phone = $2 where id = $1', [id, '+256772345567'])
    const url = `/api/operator/unmatched/${id}/return`
    check(await operator.call('POST', url, {}), [422])
    const going = check(await operator.call('POST', url, { reason }), [200])
    assert.ok(['returning', 'returned'].includes(going.status))
    await quiet(server)
    const gone = check(await operator.call('GET', `/api/operator/unmatched/${id}`), [200])
    assert.equal(gone.status, 'returned')
    check(await operator.call('POST', url, { reason }), [422, 'invalid_state'])
    assert.deepEqual(await audited(id), [['unmatched.return', operator.id, reason]])
    check(await operator.call('GET', '/api/operator/unmatched/unm_0000000000000000000000'), [404])
  })
})

describe('matches', () => {
  test('a report is listed, and seen with its differences; a day is asked for', async () => {
    const day = clock.now().toISOString().slice(0, 10)
    check(await operator.call('POST', '/api/operator/matches', { day }), [200])
    check(await operator.call('POST', '/api/operator/matches', { day }), [200])
    const jobs = await server.db.rows(
      `select 1 from graphile_worker.jobs where task_identifier = 'match_providers'`,
    )
    assert.equal(jobs.length, 1, 'one that waits is not asked for twice')
    for (const wrong of ['2026-02-30', '2999-01-01', '0000-01-01', 'today'])
      check(await operator.call('POST', '/api/operator/matches', { day: wrong }), [422, 'validation_failed'])
    const ids = await dependencies.funding.matchAll(day)
    assert.equal(ids.length, 8, 'each provider in each mode')
    const list = await operator.call('GET', '/api/operator/matches?limit=5&mode=live')
    assert.equal(list.body.data.length, 4)
    const differing = await operator.call('GET', '/api/operator/matches?provider=mtn&differing=true')
    const [found] = differing.body.data
    const one = check(await operator.call('GET', `/api/operator/matches/${found.id}`), [200])
    assert.equal(one.found.filter(({ repaired }: Loose) => !repaired).length, one.differences)
    assert.ok(one.found.every(({ detail }: Loose) => detail.length > 10))
    check(await operator.call('GET', '/api/operator/matches/mat_0000000000000000000000'), [404])
  })
})
