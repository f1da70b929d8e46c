// Campaigns promise: somebody begins one and shares its page; others find it by words, kind, currency and order, give
// with their PIN, openly or not; the owner tells news, takes the money out knowing the fee before, changes and ends it.
// What the pages show is what the books hold.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkAllCampaigns, checkCampaign, newCampaign } from '../../server/test/campaigns.ts'
import { available, register } from '../../server/test/people.ts'
import { thorough } from '../../server/test/thorough.ts'
import { desktop, openDashboard } from './dashboard.ts'
import { confirm, openVisits, pay, press } from './together.ts'

const server = await openDashboard()
afterEach(() => checkAllCampaigns(server))

const { rich, visit } = openVisits(server)

const owner = await register(server, { name: 'Amina Nakato' })
const giver = await rich('Juma Otieno')
let campaign = ''

test('a campaign is begun on a phone, with a page to share', async () => {
  const { page, look, close } = await visit(owner, '/campaigns/mine')
  await page.getByText('You have no campaign yet').waitFor()
  await look('campaigns-none')
  await page.getByRole('link', { name: 'Begin a campaign' }).first().click()
  await page.getByLabel('Title').fill('Books for the village library')
  await page.getByLabel('Story').fill('We have shelves and readers.\n\nWe have forty books.')
  await page.getByLabel('Goal').fill('600000')
  await page.getByLabel('What it is about').selectOption('education')
  await page.getByLabel(/Address of a picture/).fill('http://pictures.example/a.jpg')
  await page.getByLabel(/Last day/).fill('2020-01-01')
  // The browser would hold it back; the service must say it too.
  await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''))
  await press(page, 'Begin')
  await page.locator('.field-error').first().waitFor()
  await look('campaign-new')
  await page.getByLabel(/Address of a picture/).fill('')
  await page.getByLabel(/Last day/).fill('')
  await press(page, 'Begin')
  await page.getByRole('heading', { name: 'Books for the village library' }).waitFor()
  await page.getByText('Nobody has contributed yet').waitFor()
  campaign = new URL(page.url()).pathname.split('/')[3] ?? ''
  const link = page.getByRole('link', { name: `/c/${campaign}` })
  assert.equal(await link.getAttribute('href'), `${server.origin}/c/${campaign}`)
  if (thorough) await look('campaign-fresh')
  await close()
})

test('it is found by words and kind, and given to with the PIN, at a desk', async () => {
  await newCampaign(owner, { title: 'A well for Kasese', currency: 'KES', category: 'health' })
  const { page, look, close } = await visit(giver, '/campaigns', desktop)
  await page.getByText('A well for Kasese').waitFor()
  await look('campaigns')
  await page.getByLabel('Search').first().fill('village libr')
  await page.keyboard.press('Enter')
  await page.getByText('A well for Kasese').waitFor({ state: 'detached' })
  await page.getByLabel('Currency').selectOption('KES')
  await page.getByText('No campaign fits').waitFor()
  await page.getByLabel('Currency').selectOption('UGX')
  await page.getByLabel('Order').selectOption('most_funded')
  assert.match(page.url(), /q=village\+libr&currency=UGX&sort=most_funded/)
  await page.reload()
  await page.getByText('Books for the village library').click()
  await page.getByRole('link', { name: 'Contribute' }).click()
  await page.getByLabel('Amount').fill('1000000')
  await press(page, 'Continue')
  await page.getByText('There is UGX 500,000 in this wallet.').waitFor()
  const deposit = page.locator('main').getByRole('link', { name: 'Deposit' })
  assert.equal(await deposit.getAttribute('href'), '/app/deposit?currency=UGX')
  await press(page, 'Change')
  await page.getByLabel('Amount').fill('50,000')
  await page.getByLabel(/Message/).fill('For the children')
  await press(page, 'Continue')
  await look('campaign-review')
  const reference = await pay(page, giver, /Give UGX 50,000/)
  assert.match(reference, /^CC-/)
  await look('campaign-given')
  await page.getByRole('link', { name: 'Back to the campaign' }).click()
  await page.getByText('For the children').waitFor()
  await page.getByRole('link', { name: 'Contribute' }).click()
  await page.getByLabel('Amount').fill('20000')
  await page.getByLabel('Don’t show my name').check()
  await press(page, 'Continue')
  await pay(page, giver, /Give UGX 20,000/)
  await close()
  assert.deepEqual(await checkCampaign(server, campaign), {
    balance: 70_000n,
    raised: 70_000n,
    withdrawn: 0n,
  })
})

test('an order whose answer was lost is given again, and the money moves once', async () => {
  const { page, close } = await visit(giver, `/campaigns/${campaign}/contribute`)
  await page.getByLabel('Amount').fill('10000')
  await press(page, 'Continue')
  await press(page, /Give UGX 10,000/)
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=pin]').fill(giver.pin)
  let lost = 0
  await page.route('**/contribute', async (route) => {
    lost++
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await dialog.getByRole('button', { name: 'Give UGX 10,000' }).click()
  await dialog.getByText('No answer yet').waitFor()
  await page.unroute('**/contribute')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.together-reference strong').waitFor()
  assert.ok(lost > 0)
  await close()
  assert.equal((await checkCampaign(server, campaign)).raised, 80_000n)
})

test('an answer that is lost after the sheet was closed is said on the page', async () => {
  const { page, lookMore, close } = await visit(giver, `/campaigns/${campaign}/contribute`)
  await page.getByLabel('Amount').fill('7000')
  await press(page, 'Continue')
  await press(page, /Give UGX 7,000/)
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=pin]').fill(giver.pin)
  let closed: (value?: unknown) => void = () => undefined
  const isClosed = new Promise((resolve) => {
    closed = resolve
  })
  await page.route('**/contribute', async (route) => {
    await isClosed
    await route.abort('internetdisconnected')
  })
  await dialog.getByRole('button', { name: 'Give UGX 7,000' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'hidden' })
  closed()
  await page.getByText('No answer yet').waitFor()
  await lookMore('campaign-unsure')
  await page.unroute('**/contribute')
  await press(page, 'Try again')
  await page.locator('.together-reference strong').waitFor()
  await close()
  assert.equal((await checkCampaign(server, campaign)).raised, 87_000n)
})

test('the owner takes money out, tells news, changes and ends it, in French', async () => {
  await owner.call('PATCH', '/api/me', { locale: 'fr' })
  const { page, look, close } = await visit(owner, `/campaigns/${campaign}`)
  await page.getByText('Anonyme').waitFor()
  await look('campaign-own')
  await page.getByRole('link', { name: 'Retirer de l’argent' }).click()
  await page.getByLabel('Montant').fill('90000')
  await press(page, 'Continuer')
  await page.locator('.field-error').waitFor()
  await page.getByLabel('Montant').fill('40000')
  await look('campaign-withdraw')
  await press(page, 'Continuer')
  await page.getByText('Arrive dans votre portefeuille').waitFor()
  if (thorough) await look('campaign-withdraw-review')
  const before = await available(server, owner)
  assert.match(await pay(page, owner, /Retirer UGX 40/), /^CP-/)
  assert.equal((await available(server, owner)) - before, 39_600n)
  await page.getByRole('link', { name: 'Retour à la collecte' }).click()

  await page.getByText('Donner des nouvelles').click()
  await page.getByRole('textbox', { name: 'Nouvelles' }).fill('Les premiers livres sont là.')
  await press(page, 'Publier')
  await page.locator('.together-update').getByText('Les premiers livres sont là.').waitFor()
  await page.getByRole('link', { name: 'Modifier' }).click()
  await page.getByText('Quelqu’un a contribué : le titre reste.').waitFor()
  await page.getByLabel('But').fill('700000')
  await look('campaign-edit')
  await press(page, 'Enregistrer')
  await page
    .getByText(/12\s%\sdu but/)
    .first()
    .waitFor()
  await press(page, 'Terminer la collecte')
  await confirm(page, 'Terminer la collecte')
  await page.getByText('Personne ne peut plus contribuer.', { exact: false }).first().waitFor()
  if (thorough) await look('campaign-ended')
  await page.goto('/app/campaigns/mine')
  await page.getByText('Terminée').waitFor()
  await look('campaigns-mine')
  await close()
  assert.deepEqual(await checkCampaign(server, campaign), {
    balance: 47_000n,
    raised: 87_000n,
    withdrawn: 40_000n,
  })
})
