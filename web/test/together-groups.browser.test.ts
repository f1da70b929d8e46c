// Savings groups promise: people who know each other found one, join by link or code, fix an order that everybody can
// check, pay with their PIN, and see who has paid and whose turn it is; what is late is closed, and what is owed is
// paid. After all of it the books are right.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkPot, circleOf } from '../../server/test/circles.ts'
import { reconcile } from '../../server/test/helpers.ts'
import { longTest, thorough } from '../../server/test/thorough.ts'
import { desktop, openDashboard } from './dashboard.ts'
import { confirm, openVisits, pay, press, typePin } from './together.ts'

const server = await openDashboard()
afterEach(() => reconcile(server))

const { rich, visit } = openVisits(server)
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
  // What each pays is no least gift of a goal group; and what is wrong is seen, wherever it stands.
  const more = page.locator('details')
  await page.getByLabel(/A common goal/).check()
  const least = page.getByLabel(/Least that may be given/)
  assert.equal(await least.inputValue(), '')
  await page.getByLabel('What you want to reach').fill('100000')
  await least.fill('much')
  await page.getByText('More choices').click()
  await least.waitFor({ state: 'hidden' })
  await press(page, 'Create the group')
  await more.getByText('Write an amount in UGX').waitFor()
  await least.fill('500')
  await least.waitFor()
  await page.getByLabel(/The pot goes round/).check()
  assert.equal(await page.getByLabel('Each pays').inputValue(), '20 000')
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
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press(page, 'Share the link')
  await page.getByText('Copied').first().waitFor()
  const shared = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.ok(shared.includes(code) && shared.endsWith(link), shared)
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
  // From here on the clock of this page can be moved.
  await page.clock.install()
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
  await page.clock.fastForward(10_000)
  await page.locator('.together-words').getByText('mango').waitFor()
  await press(page, 'Draw and start')
  await confirm(page, 'Draw and start')
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
  if (thorough) await second.look('round-open')
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
  await confirm(page, 'Pay UGX 20,000')
  await page.getByText('The PIN is wrong. Tries left').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  const reference = await pay(page, amina, /Pay UGX 20,000/)
  assert.match(reference, /^GC-/)
  await first.look('group-paid')
  // Who has paid is asked for nothing more, and may pay for another.
  await page.getByRole('link', { name: 'Back to the group' }).click()
  await page.getByRole('link', { name: 'Pay', exact: true }).first().click()
  await page.getByText('There is nothing for you to pay now').waitFor()
  assert.equal(await page.getByLabel('For', { exact: true }).inputValue(), '')
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

longTest('what is late is closed, and what is owed is paid', async () => {
  for (const payer of [1, 2]) await circleNow().pay(payer, { amount: 20_000 })
  server.clock.advance(15 * 86_400)
  const treasurer = await visit(neema, `/groups/${circle}`)
  const { page } = treasurer
  await page.getByText('Late since').waitFor()
  await treasurer.look('group-late')
  await press(page, 'Close this turn without waiting')
  await confirm(page, 'Close this turn without waiting')
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
