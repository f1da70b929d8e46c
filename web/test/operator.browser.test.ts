// The operator console promises: what waits is seen at once, a decision is confirmed, carried out once and in the audit log,
// and nobody gets in without the role and the second factor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import * as ledgers from '../../server/src/ledger/ledger.ts'
import * as operators from '../../server/src/operators/operators.ts'
import { codeAt, stepAt } from '../../server/src/operators/second-factor/totp.ts'
import { newBusiness, newOperator } from '../../server/test/businesses.ts'
import { newCampaign } from '../../server/test/campaigns.ts'
import { goal, openCircle } from '../../server/test/circles.ts'
import { patientDelays } from '../../server/test/open-orders.ts'
import { fund, register } from '../../server/test/people.ts'
import { matchedDay, unmatchedMoney, waitingOrder } from '../../server/test/stuck-orders.ts'
import { desktop, openDashboard } from './dashboard.ts'

const dashboard = await openDashboard({ delays: patientDelays })
const { open, db, clock } = dashboard
const operator = await newOperator(dashboard)
const me = { handle: operator.handle, password: operator.password }

const confirm = async (page: Page, act: string, reason?: string) => {
  await page.getByRole('button', { name: act, exact: true }).click()
  const dialog = page.getByRole('dialog')
  if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: act, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a business is reviewed, suspended and let on again', async () => {
  const first = await newBusiness(dashboard, { approved: false, fields: { business_name: 'Late Bakery' } })
  await newBusiness(dashboard, { approved: false, fields: { business_name: 'Fresh Fish' } })
  await db.rows(
    `update merchants.merchants set applied_at = applied_at - interval '25 hours' where id = $1`,
    [first.id],
  )
  const { page, look, close } = await open({ ...me, path: '/operator' })
  await page.getByRole('link', { name: /applications, 1 overdue/ }).waitFor()
  await page.getByRole('heading', { name: 'System health' }).waitFor()
  await look('operator-overview')
  await page.getByRole('link', { name: /applications/ }).click()
  await page.getByRole('heading', { name: 'Applications' }).waitFor()
  await page.getByText('Overdue').waitFor()
  await look('operator-applications')
  await page.getByRole('link', { name: 'Late Bakery' }).click()
  await page.getByRole('heading', { name: 'Late Bakery' }).waitFor()
  await confirm(page, 'Approve')
  await page.getByRole('button', { name: 'Suspend' }).waitFor()
  await look('operator-business')
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('x')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('must have 3 to 500 characters').waitFor()
  await look('operator-reason')
  await page.getByRole('dialog').getByLabel('Reason').fill('Sells what it must not')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Sells what it must not').waitFor()
  await confirm(page, 'End the suspension')
  await page.getByRole('button', { name: 'Suspend' }).waitFor()
  const acts = await db.rows<{ action: string }>(
    `select action from audit.events where object = $1 and actor_id = $2 order by id`,
    [String(first.id), operator.id],
  )
  assert.equal(acts.length, 3)
  await close()
})

test('a person is found, looked at and frozen; at a desk', async () => {
  const person = await register(dashboard, { name: 'Wanjiru Kamau' })
  await fund(dashboard, person, { amount: '12500' })
  const { page, look, close } = await open({ ...me, path: '/operator/people', size: desktop })
  await page.getByText('Nobody is shown until you search').waitFor()
  await page.getByLabel('Find a person').fill('nobody_here')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Nobody has this handle').waitFor()
  await page.getByLabel('Find a person').fill(person.handle)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Wanjiru Kamau' }).waitFor()
  // The field says what the address says.
  await page.goBack()
  await page.getByText('Nobody has this handle').waitFor()
  assert.equal(await page.getByLabel('Find a person').inputValue(), 'nobody_here')
  await page.goForward()
  await page.getByRole('link', { name: 'Wanjiru Kamau' }).click()
  await page.getByRole('heading', { name: 'Wanjiru Kamau' }).waitFor()
  await page.getByRole('table', { name: 'Transactions' }).waitFor()
  await look('operator-person')
  await confirm(page, 'Freeze the account', 'Asked for by the owner')
  await page.getByText('Frozen', { exact: true }).first().waitFor()
  assert.equal((await person.call('GET', '/api/wallets')).status, 401, 'the sessions have ended')
  await page.getByRole('link', { name: 'Audit log' }).last().click()
  await page.getByText('user.frozen').first().waitFor()
  await look('operator-audit')
  await page.goBack()
  await confirm(page, 'Unfreeze')
  await page.getByRole('button', { name: 'Freeze the account' }).waitFor()
  await close()
})

test('orders, unmatched money and days: seen, asked for, decided', async () => {
  const order = await waitingOrder(dashboard)
  const money = await unmatchedMoney(dashboard)
  const day = await matchedDay(dashboard)
  const { page, look, close } = await open({ ...me, path: '/operator/orders' })
  await page.getByRole('table', { name: 'Orders to providers' }).waitFor()
  await look('operator-orders')
  await page.goto(`/app/operator/orders/${order}`)
  await page.getByRole('heading', { name: 'What was said' }).waitFor()
  await look('operator-order')
  await page.getByRole('button', { name: 'Decide by hand' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Their portal knows nothing of it')
  await look('operator-decide')
  await page.getByRole('dialog').getByRole('button', { name: 'Decide by hand' }).click()
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.goto('/app/operator/unmatched')
  await page.getByRole('table', { name: 'Unmatched money' }).waitFor()
  await look('operator-unmatched')
  await page.goto(`/app/operator/unmatched/${money}`)
  await page.getByRole('button', { name: 'Match it' }).waitFor()
  const lucky = await register(dashboard)
  await page.getByRole('button', { name: 'Match it' }).click()
  await page.getByRole('dialog').getByLabel('Person or payment').fill(lucky.id)
  await page.getByRole('dialog').getByLabel('Reason').fill('Called and proved it')
  await page.getByRole('dialog').getByRole('button', { name: 'Match it' }).click()
  await page.getByText('Matched', { exact: true }).first().waitFor()
  await look('operator-unmatched-one')
  const wallets = (await lucky.call('GET', '/api/wallets')).body.data as { balance: number }[]
  assert.ok(
    wallets.some(({ balance }) => balance > 0),
    'the money is in the wallet',
  )
  await page.getByRole('link', { name: 'a wallet' }).click()
  await page.getByRole('heading', { name: lucky.name }).waitFor()
  await page.goto('/app/operator/matches')
  await page.getByRole('table', { name: 'Days' }).waitFor()
  await look('operator-matches')
  await page.goto(`/app/operator/matches/${day}`)
  await page.getByText('Mended at once').waitFor()
  await look('operator-match')
  await close()
})

test('the books, groups, campaigns, mails and notifications', async () => {
  const circle = await openCircle(dashboard, { members: 2, body: { ...goal, name: 'Umoja' } })
  const owner = await register(dashboard)
  const campaign = await newCampaign(owner)
  const { page, look, close } = await open({ ...me, path: '/operator/books', size: desktop })
  await page.getByText('The books were not checked yet').waitFor()
  await confirm(page, 'Check the books now')
  // What the worker does with the job.
  await ledgers.checkAndKeep(db, { clock })
  await page.getByText('Right to the last unit').waitFor()
  await page.getByRole('table').first().waitFor()
  await look('operator-books')
  await page.goto('/app/operator/groups')
  await page.getByRole('link', { name: 'Umoja' }).waitFor()
  await look('operator-groups')
  await page.getByRole('link', { name: 'Umoja' }).click()
  await page.getByRole('table', { name: 'Members' }).waitFor()
  await look('operator-group')
  assert.match(page.url(), new RegExp(circle.id))
  await page.goto('/app/operator/campaigns')
  await page.getByRole('link', { name: campaign.title }).waitFor()
  await look('operator-campaigns')
  await page.goto(`/app/operator/campaigns/${campaign.id}`)
  await confirm(page, 'Pause', 'Wrong pictures')
  await page.getByText('Wrong pictures').waitFor()
  await look('operator-campaign')
  await confirm(page, 'Resume')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  assert.equal((await owner.call('POST', `/api/campaigns/${campaign.id}/end`)).status, 200)
  await page.reload()
  await page.getByText('Ended', { exact: true }).waitFor()
  await confirm(page, 'Pause', 'Its owner can not be reached')
  await page.getByText('Its owner can not be reached').waitFor()
  await page.goto('/app/operator/mails')
  await page.getByRole('table', { name: 'Mails' }).waitFor()
  await look('operator-mails')
  await page.getByRole('table', { name: 'Mails' }).getByRole('link').first().click()
  await page.getByText('It is in the audit log that you read this mail.').waitFor()
  await look('operator-mail')
  await page.goto('/app/operator/notifications')
  await page.getByText('All addresses work').waitFor()
  await look('operator-notifications')
  await close()
})

test('what a provider refused to give back is counted in one sum, and tried again', async () => {
  const giver = await register(dashboard)
  await fund(dashboard, giver, { amount: '50000' })
  const campaign = await newCampaign(await register(dashboard))
  for (const amount of [10_000, 20_000])
    await giver.call('POST', `/api/campaigns/${campaign.id}/contribute`, { amount, pin: giver.pin })
  const act = { reason: 'It was a fraud' }
  const begun = await operator.call('POST', `/api/operator/campaigns/${campaign.id}/return`, act)
  assert.equal(begun.status, 200, begun.text)
  await db.rows(`update campaigns.returns set state = 'failed', problem = 'refused' where campaign_id = $1`, [
    campaign.id,
  ])
  const { page, look, close } = await open({ ...me, path: `/operator/campaigns/${campaign.id}` })
  await page.getByText('2 contributions, UGX 30,000 in all').waitFor()
  await look('operator-campaign-refused')
  await confirm(page, 'Try again', 'Their line is back')
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
  await page.getByText('Giving back, open').waitFor()
  await dashboard.dependencies.campaigns.returnMoney({ id: campaign.id })
  await close()
})

test('a payment and its notification, from the page of the business', async () => {
  const shop = await newBusiness(dashboard, { fields: { business_name: 'Kiosk Tatu' } })
  const order = { amount: 5_000, currency: 'UGX', callback_url: 'https://duka.example/hear' }
  const asked = await shop.callLive('POST', '/api/pay', order)
  assert.equal(asked.status, 200, asked.text)
  const { page, look, close } = await open({ ...me, path: `/operator/businesses?q=Kiosk` })
  await page.getByRole('link', { name: 'Kiosk Tatu' }).waitFor()
  await look('operator-businesses')
  await page.getByRole('link', { name: 'Kiosk Tatu' }).click()
  await page.getByRole('link', { name: asked.body.data.reference }).click()
  await page.getByRole('heading', { name: /^Payment PY-/ }).waitFor()
  await page.getByRole('link', { name: 'Kiosk Tatu' }).waitFor()
  await look('operator-payment')
  await page.getByRole('link', { name: 'Kiosk Tatu' }).click()
  await page.getByRole('link', { name: 'payment.pending' }).click()
  await page.getByRole('heading', { name: 'Body' }).waitFor()
  await look('operator-notification')
  await confirm(page, 'Send it once more')
  const url = 'https://duka.example/hear'
  const example = await shop.owner.call('POST', '/api/merchant/test-notification', { url })
  assert.equal(example.status, 200, example.text)
  await page.goto(`/app/operator/notifications/${example.body.data.id}`)
  await page.getByText(/^EXAMPLE-/).waitFor()
  assert.equal(await page.getByRole('link', { name: 'EXAMPLE-' }).count(), 0, 'it is of no payment')
  await page.goto('/app/operator/payments')
  await page
    .getByLabel('Find by reference')
    .fill(asked.body.data.reference.toLowerCase().replaceAll('-', ' '))
  await look('operator-payments')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('heading', { name: `Payment ${asked.body.data.reference}` }).waitFor()
  await close()
})

test('who is no operator finds no console; who has an authenticator app needs its code', async () => {
  const person = await register(dashboard)
  const visit = await open({ handle: person.handle, password: person.password, path: '/operator' })
  await visit.page.getByText('There is no page here.').waitFor()
  await visit.close()
  const guarded = await newOperator(dashboard)
  const by = { kind: 'test', id: 'test' }
  const secret = await operators.enrol(dashboard.dependencies, { user: guarded.id, by, at: clock.now() })
  const { page, look, close } = await open({
    handle: guarded.handle,
    password: guarded.password,
    path: '/operator/books',
  })
  await page.getByLabel('Code of your authenticator app').waitFor()
  await look('operator-code')
  await page.getByLabel('Code of your authenticator app').fill('000000')
  await page.getByRole('button', { name: 'Open the console' }).click()
  await page.locator('.field-error, .notice-problem').first().waitFor()
  await page.getByLabel('Code of your authenticator app').fill(codeAt(secret, stepAt(clock.now())))
  await page.getByRole('button', { name: 'Open the console' }).click()
  await page.getByRole('button', { name: 'Check the books now' }).waitFor()
  await close()
})
