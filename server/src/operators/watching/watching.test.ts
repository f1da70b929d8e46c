// What operators look at: how the service is, payments and notifications of a business, addresses in trouble, the history
// of a person, and savings groups; all of it as it is, and none of it open to others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newBusiness, theOperator } from '../../../test/businesses.ts'
import { newCampaign } from '../../../test/campaigns.ts'
import { testBrowser } from '../../../test/checkouts.ts'
import { goal, openCircle } from '../../../test/circles.ts'
import { testApp } from '../../../test/helpers.ts'
import { fund, type Loose, register } from '../../../test/people.ts'
import { decodeReference, encodeReference } from '../../base/reference.ts'
import * as notifications from '../../notifications/notifications.ts'

const server = await testApp()
const operator = await theOperator(server)
const see = async (path: string): Promise<Loose> => {
  const { status, body, text } = await operator.call('GET', `/api/operator/${path}`)
  assert.equal(status, 200, text)
  return body.data
}

test('how the service is', async () => {
  const system = await see('system')
  assert.equal(system.ready, true)
  assert.deepEqual(system.reasons, [])
  assert.deepEqual(Object.keys(system.jobs), ['waiting', 'failed', 'oldest_seconds', 'workers'])
  assert.deepEqual(
    new Set(system.providers.map(({ health }: Loose) => health)),
    new Set(system.providers.length === 0 ? [] : ['up']),
  )
  const before = system.mails.queued
  await register(server)
  assert.equal((await see('system')).mails.queued, before + 1, 'the code that confirms the address')
})

describe('payments', () => {
  test('of a business, and any one by its reference', async () => {
    const shop = await newBusiness(server)
    const asked = await shop.callTest('POST', '/api/pay', { amount: 5_000, currency: 'UGX' })
    const { reference } = asked.body.data
    const listed = await see(`merchants/${shop.id}/payments`)
    assert.deepEqual(
      listed.map((one: Loose) => one.reference),
      [reference],
    )
    const { idem } = server.dependencies.secrets
    const decoded = decodeReference(idem, reference)
    assert.ok(decoded)
    const found = async (kind: string) => {
      const q = encodeReference(idem, { ...decoded, kind })
      return (await see(`merchants/${shop.id}/payments?q=${q}`)).map((one: Loose) => one.reference)
    }
    assert.deepEqual([await found('PY'), await found('DP')], [[reference], []], 'a deposit is no payment')
    const seen = await see(`payments/${reference}`)
    assert.deepEqual([seen.merchant_id, seen.amount, seen.attempts], [shop.id, 5_000, []])
    const unknown = await operator.call('GET', '/api/operator/payments/PY-00000-00000-000')
    assert.equal(unknown.status, 404)
    assert.equal((await shop.owner.call('GET', `/api/operator/payments/${reference}`)).status, 403)
  })
})

test('a payment to a campaign has no business', async () => {
  const campaign = await newCampaign(await register(server))
  const browser = testBrowser(server)
  const page = await browser.get(`/c/${campaign.id}`)
  await browser.submit(page, 'contribute', { amount: '10,000', name: 'Grace', message: '' })
  const row = await server.db.row<{ number: bigint }>(
    'select number from payments.payments where campaign_id = $1',
    [campaign.id],
  )
  const payment = await server.payments.byNumber(row?.number ?? 0n)
  const seen = await see(`payments/${payment?.reference}`)
  assert.deepEqual([seen.merchant_id, seen.campaign_id], [null, campaign.id])
})

describe('notifications', () => {
  const tell = async (merchant: number) => {
    const id = notifications.newEventId()
    const event: notifications.NewEvent = {
      id,
      merchant,
      mode: 'live',
      subject: `PY-${id}`,
      sequence: 1,
      event: 'payment.completed',
      kind: 'callback',
      url: 'https://shop.example/hear',
      body: '{}',
      at: server.clock.now(),
    }
    await server.db.inTransaction((tx) => notifications.add(tx, [event]))
    return id
  }

  test('of a business, one with its attempts, and once more by an operator', async () => {
    const shop = await newBusiness(server)
    const id = await tell(shop.id)
    assert.deepEqual(
      (await see(`merchants/${shop.id}/notifications`)).map((one: Loose) => one.id),
      [id],
    )
    const one = await see(`notifications/${id}`)
    assert.deepEqual([one.merchant_id, one.status, one.log], [shop.id, 'pending', []])
    const again = await operator.call('POST', `/api/operator/notifications/${id}/replay`)
    assert.equal(again.status, 200, again.text)
    const [event] = await see(`audit?object=${id}`)
    assert.equal(event.action, 'notification.replayed')
    assert.equal(
      (await operator.call('GET', `/api/operator/notifications/msg_${'0'.repeat(22)}`)).status,
      404,
    )
  })

  test('addresses in trouble, of all businesses', async () => {
    const shop = await newBusiness(server)
    const before = await see('endpoints')
    await server.db.rows(
      `insert into notifications.targets (merchant, mode, origin, failing_since, failures, failed_days)
       values ($1, 'live', 'https://shop.example', now(), 3, 1)`,
      [shop.id],
    )
    const after = await see('endpoints')
    assert.equal(after.length, before.length + 1)
    const added = after.find((one: Loose) => one.merchant_id === shop.id)
    assert.deepEqual([added.origin, added.status], ['https://shop.example', 'failing'])
    assert.equal((await see('system')).notifications.endpoints_in_trouble, after.length)
  })
})

test('the history of a person, as the person sees it', async () => {
  const person = await register(server)
  await fund(server, person, { amount: '9000' })
  const own = (await person.call('GET', '/api/transactions')).body.data
  assert.equal(own.length, 1)
  assert.deepEqual(await see(`users/${person.id}/transactions`), own)
  assert.deepEqual(await see(`users/${person.id}/transactions?direction=out`), [])
  // Somebody without a line is there, and nobody is not.
  assert.deepEqual(await see(`users/${(await register(server)).id}/transactions`), [])
  const nobody = await operator.call('GET', `/api/operator/users/usr_${'0'.repeat(22)}/transactions`)
  assert.deepEqual([nobody.status, nobody.body.message], [404, 'There is no such person.'])
})

test('savings groups: found by name and id, with members, without the way in', async () => {
  const { id } = await openCircle(server, { members: 2, body: { ...goal, name: 'Watched 100% group' } })
  const found = await see('groups?q=watched%20100%25')
  assert.deepEqual(
    found.map((one: Loose) => one.id),
    [id],
  )
  assert.equal((await see(`groups?q=${id}`)).length, 1)
  assert.deepEqual(await see('groups?q=watched%20_00'), [], 'no pattern')
  const seen = await see(`groups/${id}`)
  assert.equal(seen.members.length, 2)
  assert.equal(seen.invite_code, undefined)
  assert.equal((await operator.call('GET', '/api/operator/groups/grp_none')).status, 404)
})
