// Members of savings groups promise each other things, and the app keeps to it: a seat is offered and taken over, a round
// is dissolved, who owes nothing leaves; a goal group decides together, and every entry has a receipt that holds.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkPot, goal, openCircle, rotating } from '../../server/test/circles.ts'
import { reconcile } from '../../server/test/helpers.ts'
import { available } from '../../server/test/people.ts'
import { thorough } from '../../server/test/thorough.ts'
import { desktop, openDashboard } from './dashboard.ts'
import { confirm, openVisits, pay, press } from './together.ts'

const server = await openDashboard()
afterEach(() => reconcile(server))
const { rich, visit } = openVisits(server)

test('a seat is offered and taken over; the round is dissolved; a member leaves', async () => {
  const four = await openCircle(server, {
    members: 4,
    body: { ...rotating, name: 'Harambee ya wanne', visibility: 'public' },
  })
  // The fourth comes late.
  const late = await rich('Zawadi Late')
  await four.post(1, 'start', { order: 'join' })
  const joiner = await visit(late, '/groups?scope=discover', desktop)
  await joiner.page.getByText('Harambee ya wanne').click()
  await joiner.page.getByText('A round is open: you take part in the next one.').waitFor()
  await joiner.look('group-outside')
  await press(joiner.page, 'Join')
  await joiner.page.getByText(/You joined while this round was open/).waitFor()

  for (const payer of [1, 2, 3, 4]) await four.pay(payer)
  const chair = await visit(four.as(1), `/groups/${four.id}/settings`)
  const { page } = chair
  await page.getByLabel('To whom').waitFor()
  await chair.look('group-settings')
  await press(page, 'Leave the group')
  await confirm(page, 'Leave the group')
  await page.getByText('Hand the chair over to another member first, then leave.').waitFor()
  await confirm(page, 'Cancel')
  await press(page, 'Offer your seat')
  await page.getByText('Your seat is offered to Zawadi Late').waitFor()

  await joiner.page.reload()
  await joiner.page.getByText('offers you a seat in this round').waitFor()
  await joiner.look('group-seat-offered')
  await press(joiner.page, 'Take the seat')
  await confirm(joiner.page, 'Take the seat')
  await joiner.page.getByText('Due from you now').waitFor()
  await joiner.close()

  await page.getByLabel('Name').fill('Harambee')
  await press(page, 'Save')
  await page.getByText('Saved.').waitFor()
  await press(page, 'Dissolve the round')
  await confirm(page, 'Dissolve the round')
  await page.getByText('What members owe each other').waitFor()
  if (thorough) await chair.look('group-dissolved')
  await page.getByRole('link', { name: 'See all' }).click()
  await page.getByText('dissolved the round').waitFor()
  // Without the group, what happened in it can't be told; that is not the same as nothing.
  await page.route(`**/api/groups/${four.id}`, (route) => route.abort('internetdisconnected'))
  await page.reload()
  await page.getByText('The service could not be reached').waitFor()
  assert.equal(await page.getByText('Nothing has happened yet').count(), 0)
  await page.unroute(`**/api/groups/${four.id}`)
  await press(page, 'Try again')
  await page.getByText('dissolved the round').waitFor()
  await chair.look('group-feed')
  await chair.close()

  const leaver = await visit(four.as(4), `/groups/${four.id}/settings`)
  await press(leaver.page, 'Leave the group')
  await confirm(leaver.page, 'Leave the group')
  await leaver.page.getByText('You are in no group yet').waitFor()
  await leaver.close()
  await checkPot(server, four)
})

test('a goal group decides together, in Kiswahili; every entry has a receipt that holds', async () => {
  const paa = await openCircle(server, { members: 3, body: { ...goal, name: 'Paa la shule' } })
  for (const person of paa.people) await person.call('PATCH', '/api/me', { locale: 'sw' })
  const giver = await visit(paa.as(2), `/groups/${paa.id}`)
  const { page } = giver
  await page.getByRole('link', { name: 'Toa', exact: true }).click()
  await page.getByLabel('Kiasi').fill('150.000')
  await page.getByLabel(/Ujumbe/).fill('Kwa mabati')
  await press(page, 'Endelea')
  if (thorough) await giver.look('goal-review')
  await pay(page, paa.as(2), /Lipa UGX 150/)
  if (thorough) await giver.look('goal-paid')
  await page.getByRole('link', { name: 'Rudi kwenye kikundi' }).click()
  await page.getByRole('link', { name: 'Pendekeza malipo' }).click()
  await page.getByLabel('Kiasi').fill('90000')
  await page.getByLabel('Ni ya nini').fill('Mabati thelathini ya kwanza')
  await giver.look('payout-new')
  await press(page, 'Waulize wengine')
  await page.getByText('Idhini 0 kati ya 2').waitFor()
  await giver.look('payouts')

  const before = await available(server, paa.as(2))
  for (const number of [1, 3]) {
    const other = await visit(paa.as(number), `/groups/${paa.id}`, desktop)
    await other.page.getByText('Pendekezo moja la malipo linakusubiri').waitFor()
    if (number === 1) await other.look('goal-inside')
    await press(other.page, 'Idhinisha')
    await confirm(other.page, 'Idhinisha')
    await other.page.getByText(number === 1 ? 'Wengine wanasubiriwa' : 'Pesa zimetumwa').waitFor()
    await other.close()
  }
  assert.equal((await available(server, paa.as(2))) - before, 90_000n)
  assert.equal(await checkPot(server, paa), 60_000n)

  await page.goto(`/app/groups/${paa.id}/statement`)
  await page.getByText('Alichopokea').waitFor()
  await giver.look('statement')
  await page.getByRole('link', { name: 'Risiti ya ingizo 1' }).click()
  await page.getByRole('heading', { name: 'Ingizo la 1 la kikundi' }).waitFor()
  await giver.look('entry')
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Ikague' }).click(),
  ])
  await opened.getByRole('button', { name: 'Kagua' }).click()
  await opened.getByText('Risiti ni sahihi').waitFor()
  await giver.close()
})
