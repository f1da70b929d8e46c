// Sending and asking promise: the name behind a handle before anything else, fee and balance before the PIN, a receipt with
// the reference afterwards; a lost connection moves the money once; requests are paid, declined and taken back.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { reconcile } from '../../server/test/helpers.ts'
import { available, fund, register, testPassword, testPin } from '../../server/test/people.ts'
import { longTest } from '../../server/test/thorough.ts'
import { desktop, openDashboard } from './dashboard.ts'

const server = await openDashboard()
const { open } = server
afterEach(() => reconcile(server))

const amina = await register(server, { handle: 'amina', name: 'Amina Nakato' })
const juma = await register(server, { handle: 'juma', name: 'Juma Otieno' })
await fund(server, amina, { amount: '100000' })
await fund(server, juma, { amount: '50000' })
const as = (handle: string) => ({ handle, password: testPassword })

const typePin = async (page: Page, act: string, pin = testPin) => {
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: pin[0] ?? '', exact: true }).waitFor()
  for (const digit of pin) await sheet.getByRole('button', { name: digit, exact: true }).click()
  await sheet.getByRole('button', { name: act }).click()
}

const transfersOf = async (person: typeof amina) =>
  (await person.call('GET', '/api/transactions?type=transfer')).body.data as { reference: string }[]

test('send: look-up, preview, a wrong PIN, the right one, the receipt; then again from there', async () => {
  const { page, look, lookMore, close } = await open({ ...as('amina'), path: '/send' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Write the handle of a person').waitFor()
  await page.getByLabel('To', { exact: true }).fill('nobody_here')
  await page.getByText('Nobody has this handle').waitFor()
  await page.getByLabel('To', { exact: true }).fill('amina')
  await page.getByText('This is your own handle').waitFor()
  await page.getByLabel('To', { exact: true }).fill('@Juma')
  await page.getByText('Juma Otieno').waitFor()
  await page.getByLabel('Amount').fill('400')
  await page.getByText('Write UGX 500 or more').waitFor()
  await page.getByLabel('Amount').fill('10,000')
  await page.getByLabel('Note').fill('Rent for March')
  await look('send')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('UGX 9,900').waitFor()
  await page.getByText('UGX 90,000').waitFor()
  await look('send-check')
  await page.reload()
  await page.getByText('UGX 9,900').waitFor()
  await page.getByRole('button', { name: 'Send UGX 10,000' }).click()
  await typePin(page, 'Send UGX 10,000', '9999')
  await page.getByText('The PIN is wrong. Tries left: 4.').waitFor()
  await look('send-pin')
  assert.equal(await available(server, amina), 100_000n)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Send UGX 10,000' }).click()
  await page.getByLabel('Your PIN').waitFor()
  // At a keyboard: nothing has to be chosen first.
  await page.keyboard.type(testPin)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Money sent' }).waitFor()
  const [made] = await transfersOf(amina)
  assert.equal(await page.locator('.people-reference-text').textContent(), made?.reference)
  await look('send-done')
  assert.deepEqual([await available(server, amina), await available(server, juma)], [90_000n, 59_900n])
  const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'))
  assert.doesNotMatch(kept, /4827|eyJ|Rent/, 'no PIN, no token, no draft of what is done')

  await page.getByRole('link', { name: 'Send again' }).click()
  assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), 'juma')
  assert.equal(await page.getByLabel('Amount').inputValue(), '10000')
  await page.getByLabel('Amount').fill('200000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('There is not enough in this wallet').waitFor()
  await lookMore('send-not-enough')
  await close()
})

longTest('a PIN that is disabled is not waited for', async () => {
  const baraka = await register(server, { handle: 'baraka', name: 'Baraka Omondi' })
  await fund(server, baraka, { amount: '20000' })
  const wrong = { recipient: 'juma', amount: 1_000, currency: 'UGX', pin: '1357' }
  const guess = () => baraka.call('POST', '/api/send', wrong)
  for (let tries = 0; tries < 5; tries++) await guess()
  server.clock.advance(31 * 60)
  for (let tries = 0; tries < 5; tries++) await guess()
  const { page, lookMore, close } = await open({ ...as('baraka'), path: '/send?to=juma&amount=1000' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Send UGX 1,000' }).click()
  await typePin(page, 'Send UGX 1,000')
  await page.getByText('The PIN is disabled after too many wrong ones.').waitFor()
  assert.equal(await page.getByText('30 minutes').count(), 0)
  await lookMore('send-pin-disabled')
  await close()
})

test('a connection that is lost in the middle of a send moves the money once', async () => {
  const { page, lookMore, close } = await open({ ...as('amina'), path: '/send', size: desktop })
  const before = (await transfersOf(amina)).length
  const keys: (string | undefined)[] = []
  // Those one sent to lately are there to be tapped.
  await page.getByRole('button', { name: 'Juma Otieno' }).waitFor()
  await lookMore('send-recent')
  await page.getByRole('button', { name: 'Juma Otieno' }).click()
  await page.getByLabel('Amount').fill('2000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('UGX 1,980').waitFor()
  // The request arrives, its answer does not; from then on there is no connection.
  await page.route('**/api/send', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length === 1) await route.fetch()
    await page.context().setOffline(true)
    await route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Send UGX 2,000' }).click()
  await typePin(page, 'Send UGX 2,000')
  await page.getByText('No answer yet').waitFor()
  await page.getByText('You are offline').waitFor()
  await page.unroute('**/api/send')
  await page.context().setOffline(false)
  page.on('request', (request) => {
    if (request.url().endsWith('/api/send')) keys.push(request.headers()['idempotency-key'])
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Money sent' }).waitFor()
  assert.ok(keys.length >= 2 && keys[0] !== undefined)
  assert.deepEqual([...new Set(keys)], [keys[0]], 'the same key at each try')
  const after = await transfersOf(amina)
  assert.equal(after.length, before + 1, 'exactly one transfer in the books')
  assert.equal(await page.locator('.people-reference-text').textContent(), after[0]?.reference)
  assert.equal(await available(server, amina), 88_000n)
  await close()
})

test('what was typed survives a reload, and so does the key: after a lost answer it is paid once, or once more by choice', async () => {
  const { page, look, close } = await open({ ...as('amina'), path: '/send?to=juma&amount=3000' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Send UGX 3,000' }).click()
  let tries = 0
  await page.route('**/api/send', async (route) => {
    tries += 1
    if (tries === 1) await route.fetch()
    await route.abort('internetdisconnected')
  })
  await typePin(page, 'Send UGX 3,000')
  await page.getByText('No answer yet').waitFor()
  await page.unroute('**/api/send')
  await page.reload()
  await page.getByRole('button', { name: 'Send UGX 3,000' }).click()
  await typePin(page, 'Send UGX 3,000')
  // Not as if it had been sent now.
  const repeated = page.getByRole('alert').filter({ hasText: 'This order was carried out already' })
  await repeated.getByText('It was carried out once.').waitFor()
  await look('send-repeated')
  assert.equal(await available(server, amina), 85_000n)
  await repeated.getByRole('button', { name: 'See what came of it' }).click()
  await page.getByRole('heading', { name: 'Money sent' }).waitFor()
  const [first] = await transfersOf(amina)
  assert.equal(await page.locator('.people-reference-text').textContent(), first?.reference)

  // Again lost, and this time a second one is wanted.
  tries = 0
  await page.goto('/app/send?to=juma&amount=1000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.route('**/api/send', async (route) => {
    tries += 1
    if (tries === 1) await route.fetch()
    await route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Send UGX 1,000' }).click()
  await typePin(page, 'Send UGX 1,000')
  await page.getByText('No answer yet').waitFor()
  await page.getByText('your money moves once at most').waitFor()
  await page.unroute('**/api/send')
  await page.reload()
  await page.getByRole('button', { name: 'Send UGX 1,000' }).click()
  await typePin(page, 'Send UGX 1,000')
  await repeated.getByRole('button', { name: 'Do it once more' }).click()
  await page.getByRole('heading', { name: 'Money sent' }).waitFor()
  assert.equal(await available(server, amina), 83_000n)
  const [, , before] = await transfersOf(amina)
  assert.equal(before?.reference, first?.reference, 'two of them since')
  await close()
})

test('requests: asked on a wide screen, seen and paid on a phone; declined; taken back', async () => {
  const asker = await open({ ...as('juma'), path: '/requests', size: desktop })
  await asker.page.getByText('Nobody asks you for money').waitFor()
  await asker.lookMore('requests-empty')
  await asker.page.getByRole('link', { name: 'Ask for money' }).first().click()
  await asker.page.getByLabel('Who should pay').fill('amina')
  await asker.page.getByText('Amina Nakato').waitFor()
  await asker.page.getByLabel('Amount').fill('5000')
  await asker.page.getByLabel('Note').fill('Lunch')
  await asker.look('request-new')
  // Its answers are lost, and the page repeats it with its key by itself: she is asked once.
  let tries = 0
  await asker.page.route('**/api/requests', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    tries += 1
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await asker.page.getByRole('button', { name: 'Ask for UGX 5,000' }).click()
  await asker.page.getByText('No answer yet').waitFor()
  await asker.page.unroute('**/api/requests')
  await asker.page.getByRole('button', { name: 'Try again' }).click()
  await asker.page.getByText('Waiting for Amina Nakato').waitFor()
  assert.ok(tries > 1)
  assert.equal((await juma.call('GET', '/api/requests?direction=out')).body.data.length, 1)
  await asker.lookMore('request-waiting')

  const payer = await open({ ...as('amina') })
  await payer.page.getByRole('link', { name: 'Juma Otieno asks you for UGX 5,000' }).waitFor()
  await payer.look('home')
  await payer.page.goto('/app/requests')
  await payer.page.getByRole('link', { name: 'Juma Otieno' }).click()
  await payer.page.getByText('Juma Otieno asks you for').waitFor()
  await payer.look('request')
  await payer.page.getByRole('button', { name: 'Pay UGX 5,000' }).click()
  await typePin(payer.page, 'Pay UGX 5,000')
  await payer.page.getByRole('heading', { name: 'Money sent' }).waitFor()
  assert.equal(await available(server, amina), 78_000n)
  // The one who asked sees it without doing anything.
  await asker.page.getByRole('link', { name: 'See the receipt' }).click()
  await asker.page.getByRole('heading', { name: 'Money received' }).waitFor()

  const ask = (amount: number) =>
    juma.call('POST', '/api/requests', { from: 'amina', amount, currency: 'UGX' })
  const [one, two] = [(await ask(700)).body.data.id, (await ask(800)).body.data.id]
  await payer.page.goto(`/app/requests/${one}`)
  await payer.page.getByRole('button', { name: 'Decline' }).click()
  await payer.page.route('**/api/requests/*/decline', (route) => route.abort('internetdisconnected'))
  await payer.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  // Nothing is promised of money where none moves; and trying again does so.
  await payer.page.getByText('It may be done or not').waitFor()
  await payer.lookMore('request-decline-unsure')
  await payer.page.unroute('**/api/requests/*/decline')
  await payer.page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await payer.page.getByText('Declined', { exact: true }).waitFor()
  await asker.page.goto(`/app/requests/${two}`)
  await asker.page.getByRole('button', { name: 'Take it back' }).click()
  await asker.lookMore('request-take-back')
  await asker.page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click()
  await asker.page.getByText('Taken back', { exact: true }).waitFor()
  await asker.page.goto('/app/requests?side=out')
  await asker.page.getByText('Lunch').waitFor()
  await asker.look('requests')
  assert.equal(await available(server, amina), 78_000n)
  await payer.close()
  await asker.close()
})

longTest('an amount is read as it was meant, and is the same however it was typed', async () => {
  const { page, close } = await open({ ...as('juma'), path: '/requests/new?from=amina&currency=kes' })
  const ask = page.getByRole('button', { name: /^Ask for/ })
  const amount = page.getByLabel('Amount')
  for (const [typed, read] of [
    ['0.500', 'Ask for money'],
    ['0,500', 'Ask for money'],
    ['012.500', 'Ask for money'],
    ['0.5', 'Ask for KES 0.50'],
    ['12.500', 'Ask for KES 12,500.00'],
    ['1 250,5', 'Ask for KES 1,250.50'],
    ['1,250.50', 'Ask for KES 1,250.50'],
  ] as const) {
    await amount.fill(typed)
    await page.getByRole('button', { name: read, exact: true }).waitFor()
  }
  // The answer is lost. Given anew with fewer digits it is the same order, and that is said.
  await page.route('**/api/requests', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await ask.click()
  await page.getByText('No answer yet').waitFor()
  await page.unroute('**/api/requests')
  await amount.fill('1250.5')
  await ask.click()
  await page.getByRole('button', { name: 'See what came of it' }).click()
  await page.getByText('Waiting for Amina Nakato').waitFor()
  const asked = (await juma.call('GET', '/api/requests?direction=out')).body.data as { currency: string }[]
  assert.equal(asked.filter(({ currency }) => currency === 'KES').length, 1)
  await close()
})
