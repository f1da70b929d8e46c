// Savings groups promise: people who know each other found one, join by link or code, fix an order that everybody can
// check, pay with their PIN, and see who has paid and whose turn it is; what is late, owed, offered or dissolved is said
// and done in the app; a goal group decides together. After all of it the books are right.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPot, circleOf, goal, openCircle, rotating } from '../../server/test/circles.ts'
import { reconcile } from '../../server/test/helpers.ts'
import { available, fund, register, type TestPerson, testPassword } from '../../server/test/people.ts'
import { desktop, openDashboard, phone } from './dashboard.ts'

const server = await openDashboard()
afterEach(() => reconcile(server))

const rich = async (name: string): Promise<TestPerson> => {
  const person = await register(server, { name })
  await fund(server, person, { amount: '500000' })
  return person
}

const visit = (person: TestPerson, path: string, size = phone) =>
  server.open({ handle: person.handle, password: testPassword, path, size })

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** By the keys on the screen, as a thumb does it. */
async function typePin(page: Page, pin: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const digit of pin) await dialog.getByRole('button', { name: digit, exact: true }).click()
}

async function pay(page: Page, person: TestPerson, text: RegExp): Promise<string> {
  await press(page, text)
  await typePin(page, person.pin)
  await page.getByRole('dialog').getByRole('button', { name: text }).click()
  const reference = page.locator('.together-reference strong')
  await reference.waitFor()
  return (await reference.textContent()) ?? ''
}

const [amina, neema, okello] = [
  await rich('Amina Nakato'),
  await rich('Neema Mushi'),
  await rich('Okello Opio'),
]
let circle = ''
const circleNow = () => circleOf(circle, [amina, neema, okello])

test('a group is founded on a phone, and joined by link and by code', async () => {
  const chair = await visit(amina, '/groups')
  const { page } = chair
  await page.getByText('You are in no group yet').waitFor()
  await chair.look('groups-empty')
  await page.getByRole('link', { name: 'New group' }).first().click()
  await page.getByLabel('Name').fill('Umoja Circle')
  await press(page, 'Create the group')
  await page.getByText('Write an amount in UGX').waitFor()
  await page.getByLabel('Each pays').fill('20 000')
  await page.getByText('More choices').click()
  await page.getByLabel(/Fine for paying late/).fill('1000')
  await chair.look('group-new')
  await press(page, 'Create the group')
  await page.getByRole('heading', { name: 'Invite others' }).waitFor()
  circle = new URL(page.url()).pathname.split('/')[3] ?? ''
  const code = (await page.locator('.together-code strong').textContent()) ?? ''
  const link = (await page.locator('.together-link > span').textContent()) ?? ''

  const second = await visit(neema, link.replace(/^.*\/app/, ''), desktop)
  await second.page.getByText('You are invited to a savings group').waitFor()
  await second.look('group-invited')
  await press(second.page, 'Join')
  await second.page.getByRole('heading', { name: 'Umoja Circle' }).waitFor()
  await second.close()

  const third = await visit(okello, '/groups/join')
  await third.page.getByLabel('Invitation code').fill('AAAAA-AAAAA')
  await press(third.page, 'Join')
  await third.page.locator('.field-error').waitFor()
  await third.look('group-join')
  await third.page.getByLabel('Invitation code').fill(code.toLowerCase())
  await press(third.page, 'Join')
  await third.page.getByRole('heading', { name: 'Umoja Circle' }).waitFor()
  await third.close()

  await page.reload()
  await page.getByRole('button', { name: 'Manage Neema Mushi' }).click()
  await press(page, 'Make treasurer')
  await page.getByText('· Treasurer').waitFor()
  await chair.look('group-members')
  await chair.close()
})

test('the order is drawn, and everybody can check the draw', async () => {
  const chair = await visit(amina, `/groups/${circle}`)
  const { page } = chair
  await page.getByRole('link', { name: 'Start a round' }).click()
  await page.getByLabel(/By hand/).check()
  await press(page, 'Move Amina Nakato down')
  await page.locator('ol > li').first().getByText('Neema Mushi').waitFor()
  await page.getByLabel(/Drawn/).check()
  await chair.look('round-start')
  await press(page, 'Announce the draw')
  await page.getByLabel('Your word').waitFor()

  const second = await visit(neema, `/groups/${circle}`, desktop)
  await second.page.getByRole('link', { name: 'See the draw' }).click()
  await second.page.getByLabel('Your word').fill('two words')
  await press(second.page, 'Add the word')
  await second.page.locator('.field-error').waitFor()
  await second.page.getByLabel('Your word').fill('mango')
  await press(second.page, 'Add the word')
  await second.page.locator('.together-words').getByText('mango').waitFor()
  await second.look('round-announced')

  // It comes by itself to who has the page open.
  await page.locator('.together-words').getByText('mango').waitFor()
  await press(page, 'Draw and start')
  await page.getByRole('dialog').getByRole('button', { name: 'Draw and start' }).click()
  await page.getByText('Due from you now').waitFor()
  await chair.look('group-open')
  await chair.close()

  await second.page.reload()
  const [opened] = await Promise.all([
    second.page.context().waitForEvent('page'),
    second.page.getByRole('link', { name: 'Check the draw' }).click(),
  ])
  await opened.getByRole('button', { name: 'Check' }).click()
  await opened.getByText('The order holds').waitFor()
  await second.look('round-open')
  await second.close()
})

test('each pays with the PIN; the last one sends the pot on its way', async () => {
  const first = await visit(amina, '/groups')
  const { page } = first
  await page.getByText('Due from you UGX 20,000').waitFor()
  await first.look('groups')
  await page.getByText('Umoja Circle').click()
  await page.getByRole('link', { name: 'Pay UGX 20,000' }).click()
  await page.getByLabel(/Note/).fill('First week')
  await first.look('group-pay')
  await press(page, 'Pay UGX 20,000')
  await typePin(page, '1111')
  await page.getByRole('dialog').getByRole('button', { name: 'Pay UGX 20,000' }).click()
  await page.getByText('The PIN is wrong. Tries left').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  const reference = await pay(page, amina, /Pay UGX 20,000/)
  assert.match(reference, /^GC-/)
  await first.look('group-paid')
  await first.close()

  // For somebody else, at a desk.
  const second = await visit(neema, `/groups/${circle}`, desktop)
  await second.page.getByRole('link', { name: 'Pay for Okello Opio' }).click()
  await second.page.getByRole('heading', { name: 'Pay to Umoja Circle' }).waitFor()
  await pay(second.page, neema, /Pay UGX 20,000/)
  await second.page.getByText('Okello Opio').waitFor()
  await second.page.getByRole('link', { name: 'Back to the group' }).click()
  await second.page.getByRole('link', { name: /^Pay UGX/ }).click()
  await second.page.getByText(/You are the last/).waitFor()
  await pay(second.page, neema, /Pay UGX 20,000/)
  await second.page.getByText(/That was the last one/).waitFor()
  await second.close()
  assert.equal(await checkPot(server, circleNow()), 0n)
  const { cycle } = await circleNow().show()
  assert.deepEqual([cycle.number, cycle.paid_by.length], [2, 0])
})

test('what is late is closed, and what is owed is paid', async () => {
  for (const payer of [1, 2]) await circleNow().pay(payer, { amount: 20_000 })
  server.clock.advance(15 * 86_400)
  const treasurer = await visit(neema, `/groups/${circle}`)
  const { page } = treasurer
  await page.getByText('Late since').waitFor()
  await treasurer.look('group-late')
  await press(page, 'Close this turn without waiting')
  await page.getByRole('dialog').getByRole('button', { name: 'Close this turn without waiting' }).click()
  await page.getByText(/The turn is closed/).waitFor()
  await treasurer.close()

  const debtor = await visit(okello, `/groups/${circle}`, desktop)
  const owes = debtor.page.getByText('You owe other members')
  // Unless it was okello's own pot: nobody owes anything to oneself.
  await debtor.page.getByRole('heading', { name: 'Umoja Circle' }).waitFor()
  await debtor.page.waitForLoadState('networkidle')
  if ((await owes.count()) > 0) {
    await debtor.look('group-owing')
    await debtor.page.getByRole('link', { name: 'Pay what you owe' }).click()
    await debtor.page.getByText('All that is owed is UGX 21,000').waitFor()
    await pay(debtor.page, okello, /Pay UGX 21,000/)
    await debtor.page.getByRole('link', { name: 'Back to the group' }).click()
    await debtor.page.getByText('Due from you now').waitFor()
    assert.equal(await owes.count(), 0)
  }
  await debtor.close()
  await checkPot(server, circleNow())
})

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
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the group' }).click()
  await page.getByText('Hand the chair over to another member first, then leave.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await press(page, 'Offer your seat')
  await page.getByText('Your seat is offered to Zawadi Late').waitFor()

  await joiner.page.reload()
  await joiner.page.getByText('offers you a seat in this round').waitFor()
  await joiner.look('group-seat-offered')
  await press(joiner.page, 'Take the seat')
  await joiner.page.getByText('Due from you now').waitFor()
  await joiner.close()

  await page.getByLabel('Name').fill('Harambee')
  await press(page, 'Save')
  await page.getByText('Saved.').waitFor()
  await press(page, 'Dissolve the round')
  await page.getByRole('dialog').getByRole('button', { name: 'Dissolve the round' }).click()
  await page.getByText('What members owe each other').waitFor()
  await chair.look('group-dissolved')
  await page.getByRole('link', { name: 'See all' }).click()
  await page.getByText('dissolved the round').waitFor()
  await chair.look('group-feed')
  await chair.close()

  const leaver = await visit(four.as(4), `/groups/${four.id}/settings`)
  await press(leaver.page, 'Leave the group')
  await leaver.page.getByRole('dialog').getByRole('button', { name: 'Leave the group' }).click()
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
  await giver.look('goal-review')
  await pay(page, paa.as(2), /Lipa UGX 150/)
  await giver.look('goal-paid')
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
    await other.page.getByRole('dialog').getByRole('button', { name: 'Idhinisha' }).click()
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
