// The history promises: filters and words that live in the address, the file of what is shown, details with steps and a
// receipt to print. The account: each change where it is expected, devices that can be ended, a language that changes
// everything at once.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeSentTo } from '../../server/test/accounts.ts'
import { reconcile } from '../../server/test/helpers.ts'
import { overflow } from '../../server/test/looks.ts'
import { available, call, fund, register, testPassword, testPin } from '../../server/test/people.ts'
import { longTest } from '../../server/test/thorough.ts'
import { desktop, openDashboard } from './dashboard.ts'

const server = await openDashboard()
const { open } = server
afterEach(() => reconcile(server))

const amina = await register(server, { handle: 'amina', name: 'Amina Nakato' })
const juma = await register(server, { handle: 'juma', name: 'Juma Otieno', country: 'KE' })
await fund(server, amina, { amount: '500000' })
await fund(server, amina, { amount: '900', currency: 'KES' })

/** Straight into the books: what is shown is the matter here, and a PIN takes its time. */
async function send(
  minor: bigint,
  note: string,
  currency: 'UGX' | 'KES' = 'UGX',
  { from, to } = { from: amina, to: juma },
): Promise<void> {
  const party = ({ id, handle, name }: typeof amina) => ({ id, handle, name })
  const details = { from: party(from), to: party(to), amount: String(minor), fee: '10', note }
  const outcome = await server.ledger.submit({
    ...{ kind: 'transfer', mode: 'live', currency, details },
    entries: [
      { kind: 'user', owner: from.id, amount: -minor },
      { kind: 'user', owner: to.id, amount: minor - 10n },
      { kind: 'fees', owner: '-', amount: 10n },
    ],
  })
  assert.ok(outcome.ok)
}
for (let month = 1; month <= 27; month++) await send(1_000n + BigInt(month), `Savings ${month}`)
await send(2_500n, '=Coffee "Ärger"', 'KES')
const onlyOneRow = (page: Page) => page.locator('.rows:has(> li:only-child)').waitFor()
const as = (handle: string) => ({ handle, password: testPassword })

test('history on a phone: pages, filters, search, nothing that fits, details, the receipt', async () => {
  const { page, look, lookMore, close } = await open({ ...as('amina'), path: '/history?q=savings+2' })
  await page.getByText('Savings 27').waitFor()
  await look('history')
  await page.getByRole('searchbox').fill('')
  await page.getByText('Coffee').waitFor()
  assert.equal(await page.locator('.row-link').count(), 25)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('Savings 1', { exact: false }).last().waitFor()
  await page.locator('.row-link').nth(29).waitFor()
  await page.locator('.row-link').nth(26).click()
  await page.getByRole('heading', { name: 'What became of it' }).waitFor()
  assert.equal(await page.evaluate('scrollY'), 0)
  await page.goBack()
  // Back where one was, not at the top.
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.locator('.row-link').nth(29).waitFor()
  // The browser scrolls with the next frames.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.ok(Number(await page.evaluate('scrollY')) > 1_000)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Wallet').selectOption('KES')
  await page.getByLabel('Direction').selectOption('out')
  await look('history-filters')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('button', { name: 'Filters (2)' }).waitFor()
  await onlyOneRow(page)
  await page.reload()
  await page.getByRole('button', { name: 'Filters (2)' }).waitFor()
  await page.getByRole('searchbox').fill('no such words')
  await page.getByText('Nothing fits these filters').waitFor()
  assert.match(page.url(), /q=no\+such\+words/)
  await lookMore('history-nothing')
  // A wide screen, which the thorough form has shown just now, has another one beside the filters.
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await page.getByText('Savings 27').waitFor()
  assert.equal(await page.getByRole('searchbox').inputValue(), '')
  await page.getByRole('searchbox').fill('savings 13')
  await onlyOneRow(page)
  await page.locator('.row-link').click()
  await page.getByRole('heading', { name: 'Money sent' }).waitFor()
  await page.getByRole('heading', { name: 'What became of it' }).waitFor()
  const reference = await page.locator('.people-reference-text').textContent()
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  const receipt = page.frameLocator('.people-print')
  await receipt.getByText(String(reference)).waitFor()
  const font = await receipt.locator('.reference p').evaluate((one) => getComputedStyle(one).fontSize)
  assert.ok(Number.parseFloat(font) >= 17, 'the receipt has its style')
  await page.goBack()
  assert.equal(await page.getByRole('searchbox').inputValue(), 'savings 13')
  await close()
})

longTest('history on a wide screen: a table, and the file of what is chosen', async () => {
  const { page, lookMore, close } = await open({
    ...as('amina'),
    path: '/history?currency=KES',
    size: desktop,
  })
  await page.getByRole('cell', { name: 'Juma Otieno' }).waitFor()
  await lookMore('history-wide')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const file = readFileSync(await download.path())
  assert.deepEqual([...file.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'spreadsheets know the letters by it')
  const lines = file.toString('utf8').trim().split('\r\n')
  assert.equal(lines.length, 3, 'its head, and what is chosen')
  assert.match(lines[1] ?? '', /'=Coffee ""Ärger""/)
  await page.getByLabel('From day').fill('2026-03-15')
  await page.getByText('Nothing fits these filters').waitFor()
  await page.getByLabel('From day').fill('2026-03-14')
  await page.getByLabel('To day').fill('2026-03-14')
  await page.getByRole('cell', { name: 'Juma Otieno' }).waitFor()
  await close()
})

longTest('a list that can’t go on says so, and goes on at the next try', async () => {
  const { page, lookMore, close } = await open({ ...as('amina'), path: '/history' })
  await page.getByText('Coffee').waitFor()
  await page.route(/\/api\/transactions\?.*cursor=/, (route) => route.abort('internetdisconnected'))
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('alert').getByText('The service could not be reached.').waitFor()
  await lookMore('history-more-failed')
  // It has just been a table, on the wide screen.
  await page.locator('.row-link').nth(24).waitFor()
  assert.equal(await page.locator('.row-link').count(), 25)
  await page.unroute(/\/api\/transactions\?.*cursor=/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.row-link').nth(29).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await close()
})

longTest('long names and large amounts stay on the screen of a phone', async () => {
  const rich = await register(server, {
    handle: 'rich',
    name: `Nansubuga-${'Wolfeschlegelsteinhausen'.repeat(2)}`,
  })
  await fund(server, rich, { amount: '10000000000' })
  for (const name of ['Oluwaseun Ssemwogerere Mukasa Namutebi', 'Neema Mushi', 'Okello Opio'])
    await send(2_500_000_000n, 'A house', 'UGX', { from: rich, to: await register(server, { name }) })
  const ask = { from: 'rich', amount: 5_000_000, currency: 'UGX' }
  const { id } = (await juma.call('POST', '/api/requests', ask)).body.data
  const back = { from: 'juma', amount: 5_000_000, currency: 'UGX' }
  const asked = (await rich.call('POST', '/api/requests', back)).body.data
  const [sent] = (await rich.call('GET', '/api/transactions')).body.data
  const { page, look, close } = await open({ ...as('rich') })
  const amount = page.locator('.purse-amount .amount')
  await amount.getByText('2,500,000,000').waitFor()
  const isWhole = 'document.querySelector(".purse-amount .amount").getBoundingClientRect().right <= 320'
  assert.ok(await page.evaluate(isWhole), 'the last digits are seen')
  await look('home-large')
  for (const [path, seen] of [
    ['/send', 'Sent to lately'],
    ['/requests/new', 'Sent to lately'],
    [`/requests/${id}`, 'UGX 5,000,000'],
    [`/history/${sent.reference}`, '2,500,000,000'],
  ] as const) {
    await page.goto(`/app${path}`)
    await page.getByText(seen).first().waitFor()
    assert.equal(await overflow(page), 0, path)
  }
  await close()
  const other = await open({ ...as('juma'), path: `/requests/${asked.id}` })
  await other.page.getByText('UGX 5,000,000').first().waitFor()
  assert.equal(await overflow(other.page), 0, 'a name of one word')
  await other.close()
})

test('account: profile, PIN and password, devices, wallets, limits', async () => {
  const elsewhere = await call(server, {
    method: 'POST',
    url: '/api/auth/login',
    body: { handle: 'amina', password: testPassword },
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36' },
  })
  assert.equal(elsewhere.status, 200)
  const { page, look, close } = await open({ ...as('amina'), path: '/account' })
  await page.getByRole('link', { name: 'Devices' }).waitFor()
  await look('account')
  await page.getByRole('link', { name: 'Devices' }).click()
  await page.getByText('This device').waitFor()
  await look('account-sessions')
  await page.getByRole('button', { name: 'Sign out: Chrome on Android' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('The device is signed out').waitFor()
  await page.getByText('Chrome on Android').waitFor({ state: 'detached' })

  await page.goto('/app/account/profile')
  await page.getByLabel('Your name').fill('Amina N. Nakato')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await look('account-profile')
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByLabel('New e-mail address').fill('amina@example.org')
  await page.getByLabel('Your password').fill('wrong')
  const change = page.getByRole('dialog').getByRole('button', { name: 'Change the address' })
  await change.click()
  await page.getByText('Password is wrong').waitFor()
  await page.getByLabel('Your password').fill(testPassword)
  await change.click()
  await page.getByText('We mailed a code to amina@example.org').waitFor()
  await page.getByLabel('Code from the mail').fill(await codeSentTo(server.db, 'amina@example.org'))
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await page.getByText('Confirmed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Change the number' }).click()
  await page.getByLabel('New phone number').fill('+256 772 345 678')
  await page.getByLabel('Your password').fill(testPassword)
  await page.getByRole('dialog').getByRole('button', { name: 'Change the number' }).click()
  await page.getByText('+256772345678').waitFor()

  await page.goto('/app/account/security')
  await page.getByLabel('New PIN').fill('1234')
  await page.getByLabel('Your password').first().fill(testPassword)
  await page.getByRole('button', { name: 'Change the PIN' }).click()
  await page.locator('.field-error').waitFor()
  await look('account-security')
  await page.getByLabel('New PIN').fill('5938')
  await page.getByRole('button', { name: 'Change the PIN' }).click()
  await page.getByText('The PIN is set. Your other devices').waitFor()
  await page.getByLabel('Your password').last().fill(testPassword)
  await page.getByLabel('New password').fill('chai mbili za jioni')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is changed').waitFor()
  const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'))
  assert.doesNotMatch(kept, /5938|chai|correct horse/, 'no PIN and no password is kept')

  await page.goto('/app/account/wallets')
  await page.getByLabel('Currency').selectOption('USD')
  await look('account-wallets')
  await page.getByRole('button', { name: 'Open a wallet in USD' }).click()
  await page.getByRole('link', { name: 'US Dollar' }).waitFor()
  await page.goto('/app/account/limits')
  await page.getByText('UGX 5,000,000').waitFor()
  await look('account-limits')
  await close()
})

longTest(
  'the language changes everything at once, and is kept; light and dark; receipts by mail',
  async () => {
    const { page, look, close } = await open({ ...as('juma'), path: '/account/look', size: desktop })
    await page.getByLabel('Language').selectOption('sw')
    await page.getByRole('heading', { name: 'Lugha na mwonekano' }).waitFor()
    await page.getByRole('link', { name: 'Tuma', exact: true }).first().waitFor()
    assert.equal(await page.evaluate('document.documentElement.lang'), 'sw')
    await page.getByLabel('Mwanga au giza').selectOption('dark')
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.getByRole('checkbox').check()
    await page.getByText('Imehifadhiwa').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Lugha na mwonekano' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    assert.ok(await page.getByRole('checkbox').isChecked())
    await page.getByLabel('Mwanga au giza').selectOption('system')
    await look('account-look-sw')
    assert.equal((await juma.call('GET', '/api/me')).body.data.locale, 'sw')
    await close()
  },
)

longTest('in Kiswahili, on a phone: send', async () => {
  const before = await available(server, juma, 'UGX')
  await fund(server, juma, { amount: '20000' })
  await register(server, { handle: 'neema', name: 'Neema Achieng' })
  const { page, look, lookMore, close } = await open({ ...as('juma'), path: '/send?currency=UGX' })
  await page.getByLabel('Kwa', { exact: true }).fill('neema')
  await page.getByText('Neema Achieng').waitFor()
  await page.getByLabel('Kiasi').fill('2500')
  await lookMore('send-sw')
  await page.getByRole('button', { name: 'Endelea' }).click()
  await page.getByText('Neema Achieng anapata').waitFor()
  await look('send-check-sw')
  await page.getByRole('button', { name: 'Tuma UGX 2,500' }).click()
  await page.getByLabel('PIN yako').fill(testPin)
  await page.getByRole('dialog').getByRole('button', { name: 'Tuma UGX 2,500' }).click()
  await page.getByRole('heading', { name: 'Umetuma pesa' }).waitFor()
  await lookMore('send-done-sw')
  assert.equal(await available(server, juma, 'UGX'), before + 17_500n)
  await close()
})

longTest('en français, sur un grand écran : dépôt refusé, puis demande', async () => {
  const claire = await register(server, { handle: 'claire', name: 'Claire Uwase', country: 'RW' })
  assert.equal((await claire.call('PATCH', '/api/me', { locale: 'fr' })).status, 200)
  const { page, look, lookMore, close } = await open({ ...as('claire'), path: '/deposit', size: desktop })
  await page.getByLabel('Montant').fill('5000')
  await page.getByLabel('Numéro de téléphone').fill('0788 345 049')
  await lookMore('deposit-fr')
  await page.getByRole('button', { name: /^Déposer RWF/ }).click()
  await page.getByText('Aucun argent n’est entré dans votre portefeuille').waitFor()
  await page.getByText('Il n’y avait pas assez d’argent sur le compte chez le prestataire').waitFor()
  await look('deposit-failed-fr')
  await page.getByRole('link', { name: 'Demandes' }).first().click()
  await page.getByRole('link', { name: 'Demander de l’argent' }).first().click()
  await page.getByLabel('Qui doit payer').fill('juma')
  await page.getByText('Juma Otieno').waitFor()
  await page.getByLabel('Montant').fill('1500')
  await page.getByRole('button', { name: /^Demander RWF/ }).click()
  await page.getByText('En attente : Juma Otieno paie ou refuse').waitFor()
  await lookMore('request-fr')
  await close()
})
