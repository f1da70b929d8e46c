// The pages of a business promise: somebody applies, builds with test keys, is reviewed, gets live keys once, takes and
// refunds payments, sees what its servers were told and sends it again, and moves what was earned to the wallet.
// It is slow because it walks every page of a business in a real browser, and looks at each on a phone and on a wide screen.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import * as notifications from '../../server/src/notifications/notifications.ts'
import { codeSentTo } from '../../server/test/accounts.ts'
import { newBusiness, type TestBusiness, theOperator } from '../../server/test/businesses.ts'
import { ask, payInCheckout, testBrowser } from '../../server/test/checkouts.ts'
import { reconcile, testConfig, testLog } from '../../server/test/helpers.ts'
import { startReceiver } from '../../server/test/notifications.ts'
import {
  available,
  fund,
  register,
  type TestPerson,
  testPassword,
  testPin,
} from '../../server/test/people.ts'
import { longTest } from '../../server/test/thorough.ts'
import { codeIn, type Look, lookAgain, part, secret } from './business.ts'
import { desktop, goodPassword, newAccount, openDashboard, phone } from './dashboard.ts'
import { runSnippet, startSnippet } from './snippets.ts'

const server = await openDashboard()
const { app, db, open } = server
// Browsers have their own clock, and charts end today.
server.clock.set(new Date().toISOString())
const delivery = notifications.startDelivery({
  ...server,
  config: testConfig(),
  log: testLog().log,
  keysOf: server.merchants.keysOf,
  onTrouble: server.merchants.tellTrouble,
})
after(() => delivery.stop())

const review = async (id: string, verb: 'approve' | 'reject' | 'suspend', reason?: string) => {
  const operator = await theOperator(server)
  const place = verb === 'suspend' ? 'merchants' : 'applications'
  const body = reason === undefined ? undefined : { reason }
  const reply = await operator.call('POST', `/api/operator/${place}/${id}/${verb}`, body)
  assert.equal(reply.status, 200, reply.text)
}

test('from the application to the live keys, on a phone', async () => {
  const { handle } = await newAccount(app, { email: undefined, phone: '+256770555123', pin: testPin })
  const { page, look, close } = await open({ handle, path: '/business' })
  await page.getByRole('heading', { name: 'Get paid with Mfuko' }).waitFor()
  await look('business-intro')
  await page.getByRole('link', { name: 'Apply' }).click()

  // An address first: the answer is mailed to it.
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('zawadi@example.com')
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Add the address' }).click()
  await page.getByLabel('Code from the mail').fill(await codeOnceSent('zawadi@example.com'))
  await page.getByText('The answer to your application is mailed there').waitFor()
  await look('business-apply')
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor({ state: 'detached' })

  await page.getByLabel('Business name').fill('Duka la Zawadi')
  await page.getByLabel('Category').fill('Coffee')
  await page.getByLabel('Website').fill('https://user@duka.example')
  await page.getByRole('button', { name: 'Send the application' }).click()
  await page.locator('.field-error').waitFor()
  await page.getByLabel('Website').fill('https://duka.example')
  await page.getByRole('button', { name: 'Send the application' }).click()

  // Test keys at once, and what happens next.
  await page.getByRole('heading', { name: 'Your application is under review' }).waitFor()
  await page.getByRole('heading', { name: 'Your test keys' }).waitFor()
  await page.locator('.test-band', { hasText: 'TEST MODE' }).waitFor()
  await look('business-pending')
  const id = await secret(page, 'Merchant ID')
  const testKey = await secret(page, 'API key')
  assert.match(testKey, /^svc_test_/)
  const testSecret = await secret(page, 'Client Secret')
  assert.match(testSecret, /^whsec_/)
  const kept = await page.evaluate(
    'JSON.stringify({ ...localStorage, ...sessionStorage, at: location.href })',
  )
  assert.doesNotMatch(String(kept), /svc_test_|whsec_|kahawa/, 'nothing secret is kept or in the address')
  await page.getByRole('button', { name: 'I have stored them' }).click()

  await integrates(page, { look, id, testKey })
  await isRejectedAndAppliesAgain(page, { look, id })
  await getsLiveKeys(page, { look, id })
  await leavesNoKey(page)
  await close()
  await reconcile(server)
})

/** The examples on the page are run as they stand there. */
async function integrates(page: Page, { look, id, testKey }: { look: Look; id: string; testKey: string }) {
  await part(page, 'Integrate')
  await page.getByRole('heading', { name: 'Take a payment' }).waitFor()
  await look('business-integrate')
  const curl = await codeIn(page, 'Take a payment')
  assert.ok(curl.includes(testKey) && curl.includes(id), 'the keys are in the example')
  assert.match(await runSnippet('curl', curl), /"payment_url":.*"status":"pending"/s)

  await page.getByRole('button', { name: 'JavaScript' }).click()
  assert.equal(new URL(page.url()).searchParams.get('lang'), 'javascript')
  const receiver = await startSnippet(await codeIn(page, 'Receive the outcome'))
  await page.getByLabel('Address').fill(`${receiver.url}/ipn`)
  await page.getByRole('button', { name: 'Send the example' }).click()
  await page.getByText('Your receiver took it').waitFor()
  await page.getByText('answered 200').waitFor()
  assert.match(receiver.said(), /completed EXAMPLE-/)
  await page.getByLabel('Address').fill(`${receiver.url}/elsewhere`)
  await page.getByRole('button', { name: 'Send the example' }).click()
  await page.getByText('Your receiver did not take it').waitFor()
  await page.getByText('answered 404').waitFor()
  await lookAgain(look, 'business-try')
  receiver.stop()

  // A customer pays, and the page of the payment follows by itself.
  await part(page, 'Payments')
  await page.getByRole('link', { name: /ORDER-1001/ }).click()
  await page.getByText('Waiting for the customer').waitFor()
  const found = await server.payments.find({ merchant: Number(id), mode: 'test', text: 'ORDER-1001' })
  assert.ok(found)
  const url = new URL(server.payments.urlOf(found))
  const payer = { handle: 'test_customer', password: 'mfuko-sandbox', pin: '4821' }
  await payInCheckout(testBrowser(server), { path: url.pathname + url.search }, payer)
  await page.getByText('Completed').first().waitFor()
  await page.locator('.test-band').waitFor()
  await lookAgain(look, 'business-payment-test')
  await page.getByRole('link', { name: 'Back' }).click()
  await part(page, 'Overview')
  assert.match((await page.locator('tbody time').first().textContent()) ?? '', /^\d{1,2} [A-Z][a-z]+$/)
}

async function isRejectedAndAppliesAgain(page: Page, { look, id }: { look: Look; id: string }) {
  await review(id, 'reject', 'The website does not open.')
  await page.reload()
  await page.getByText('Your application was not approved').waitFor()
  await page.getByText('The website does not open.').waitFor()
  await look('business-rejected')
  await page.getByRole('link', { name: 'Apply again' }).click()
  assert.equal(await page.getByLabel('Business name').inputValue(), 'Duka la Zawadi')
  await page.getByLabel('Website').fill('https://www.duka.example')
  await page.getByRole('button', { name: 'Send the application' }).click()
  await page.getByRole('heading', { name: 'Your application is under review' }).waitFor()
}

async function getsLiveKeys(page: Page, { look, id }: { look: Look; id: string }) {
  await review(id, 'approve')
  await page.reload()
  await page.getByRole('heading', { name: 'Your live keys' }).waitFor()
  const liveKey = await secret(page, 'API key')
  assert.match(liveKey, /^svc_live_/)
  await look('business-live-keys')
  // The page may have got lost before they were read.
  await page.reload()
  await page.getByRole('heading', { name: 'Your live keys' }).waitFor()
  assert.equal(await secret(page, 'API key'), liveKey)
  // They stay in sight until they are stored, on every page; then they are gone, also after a reload.
  await part(page, 'Keys')
  await page.getByRole('heading', { name: 'Your live keys' }).waitFor()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Replace the API key' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Your live keys' }).count(), 0)
  await look('business-keys')

  await page.getByRole('button', { name: 'Replace the API key' }).click()
  await page.getByText('Meanwhile both keys work').waitFor()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByLabel('Your password').fill(goodPassword)
  await lookAgain(look, 'business-rotate')
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await page.getByText('It is shown this once').waitFor()
  const next = await secret(page.getByRole('dialog').page(), 'API key')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByText('The one before still works until').waitFor()
  for (const key of [liveKey, next]) assert.equal(await statusWith(key), 200)

  await page.getByRole('button', { name: 'Show the Client Secret' }).click()
  await page.getByLabel('Your password').fill(goodPassword)
  await page.getByRole('button', { name: 'Show', exact: true }).last().click()
  assert.match(await secret(page, 'Client Secret'), /^whsec_/)
  await page.getByRole('button', { name: 'Hide' }).click()
  assert.doesNotMatch(await page.content(), /whsec_\w{20}/)
}

/** A new test key is in the examples at once; who comes after on the same phone does not find it. */
async function leavesNoKey(page: Page) {
  await part(page, 'Integrate')
  await page.getByText('An API key is shown once only').waitFor()
  await page.getByRole('button', { name: 'Make a new test key' }).click()
  await page.getByLabel('Your password').fill(goodPassword)
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  assert.match(await codeIn(page, 'Take a payment'), /svc_test_\w{20}/)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Sign out' }).last().click()
  await page.getByLabel('Handle, phone or e-mail').fill('zawadi@example.com')
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Business' }).click()
  await part(page, 'Integrate')
  await page.getByText('An API key is shown once only').waitFor()
  assert.doesNotMatch(await page.content(), /svc_test_\w{20}/)
}

const statusWith = async (key: string): Promise<number> =>
  (await app.inject({ method: 'GET', url: '/api/merchant', headers: { 'x-svc-key': key } })).statusCode

/** The mail is written with the change; the page knows of it a moment later. */
async function codeOnceSent(address: string): Promise<string> {
  for (;;) {
    const code = await codeSentTo(db, address).catch(() => undefined)
    if (code !== undefined) return code
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

longTest('payments, refunds, notifications and earnings, on a wide screen, in French', async () => {
  const stage = await openShop()
  const { owner, customer, shop, ipn } = stage
  const { page, close, ...visit } = await open({
    ...{ handle: owner.handle, password: testPassword, path: '/business', size: desktop },
    options: { locale: 'fr' },
  })
  const look = async (name: string) => {
    // Each page is looked at on a phone too.
    await page.setViewportSize(phone)
    await visit.look(name)
  }
  await page.getByRole('heading', { name: 'Duka la Amina' }).waitFor()
  // 3 × 10 000 were accepted and one was cancelled; the table says what the bars show.
  await page.getByRole('button', { name: 'Afficher en tableau' }).click()
  const today = page.locator('tbody tr').first()
  await today.getByText('3 paiements').waitFor()
  assert.match(
    ((await today.textContent()) ?? '').replaceAll(/\s/g, ''),
    /UGX300003paiementsUGX100001paiement/,
  )
  await look('business-overview')

  await part(page, 'Paiements')
  await looksForPayments(page, look)
  await refunds(page, { look, shop, customer })
  await sendsAgain(page, { look, ipn })
  await movesEarnings(page, { look, owner, shop })

  await part(page, 'Réglages')
  await page.getByLabel('Adresse des résultats').fill('pas une adresse')
  await page.getByRole('button', { name: 'Enregistrer' }).first().click()
  await page.getByLabel('Adresse des résultats').fill(`${ipn.url}/ipn`)
  await page.getByRole('button', { name: 'Enregistrer' }).first().click()
  await page.getByText('Enregistré', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Votre mot de passe').count(), 1)
  // In a browser that is some years old, too.
  await page.evaluate('Reflect.deleteProperty(URL, "parse")')
  await page.getByLabel('Site web').fill('https://ailleurs.example')
  await page.getByLabel('Votre mot de passe').first().fill(testPassword)
  await page.getByRole('button', { name: 'Enregistrer' }).first().click()
  // When it has moved, it is not asked for any more.
  await page.getByLabel('Votre mot de passe').nth(1).waitFor({ state: 'detached' })
  assert.equal((await owner.call('GET', '/api/merchant')).body.data.website_url, 'https://ailleurs.example')
  await page.getByLabel('Réseaux d’où').fill('pas un réseau')
  await page.getByLabel('Votre mot de passe').fill(testPassword)
  await page.getByRole('button', { name: 'Enregistrer' }).last().click()
  await page.locator('.field-error').waitFor()
  await look('business-settings')

  await review(String(shop.id), 'suspend', 'Plaintes de clients')
  await part(page, 'Aperçu')
  await page.reload()
  await page.getByText('Votre entreprise est suspendue').waitFor()
  await page.getByText('Plaintes de clients').waitFor()
  await look('business-suspended')
  await close()
  await reconcile(server)
})

interface Shop {
  owner: TestPerson
  customer: TestPerson
  shop: TestBusiness
  /** Answers 410 until it is told to do better. */
  ipn: Awaited<ReturnType<typeof startReceiver>> & { state: { status: number } }
}

/** A business with three payments and a cancelled one, whose server was away for good. */
async function openShop(): Promise<Shop> {
  const owner = await register(server)
  await owner.call('PATCH', '/api/me', { locale: 'fr' })
  const shop = await newBusiness(server, { owner })
  const customer = await register(server, { name: 'Cheche Customer' })
  await fund(server, customer, { amount: '200000' })
  const state = { status: 410 }
  const receiver = await startReceiver((_request, response) => {
    response.statusCode = state.status
    response.end(state.status === 200 ? '{"message":"ok"}' : 'moved away')
  })
  const notifyUrl = `${receiver.url}/ipn`
  const first = await ask(server, shop, { refTrx: 'KAHAWA-1', notifyUrl })
  await payInCheckout(testBrowser(server), first, customer)
  await delivered(shop, 'failed')
  for (const refTrx of ['KAHAWA-2', 'CHAI-3'])
    await payInCheckout(testBrowser(server), await ask(server, shop, { refTrx, notifyUrl }), customer)
  const cancelled = await ask(server, shop, { refTrx: 'CHAI-4', notifyUrl: null })
  await server.payments.cancel(cancelled.payment)
  await delivered(shop, 'held')
  return { owner, customer, shop, ipn: { ...receiver, state } }
}

/** Until some notification of it is in that state. */
async function delivered(shop: TestBusiness, status: string): Promise<void> {
  for (;;) {
    const reply = await shop.callLive('GET', `/api/merchant/notifications?status=${status}`)
    if (reply.body.data.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function looksForPayments(page: Page, look: Look) {
  await page.getByRole('link', { name: /CHAI-4/ }).waitFor()
  await look('business-payments')
  await page.getByLabel('Rechercher').first().fill('kahawa')
  await page.getByRole('button', { name: 'Rechercher' }).click()
  await page.getByRole('link', { name: /CHAI-4/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /KAHAWA-1/ }).waitFor()
  assert.equal(await page.locator('.business-row').count(), 2)
  await page.getByLabel('État').selectOption('failed')
  await page.getByText('Aucun paiement ne correspond').waitFor()
  // What is looked for is in the address: a reload finds the same.
  await page.reload()
  await page.getByText('Aucun paiement ne correspond').waitFor()
  await lookAgain(look, 'business-payments-none')
  await page.getByRole('button', { name: 'Effacer' }).click()
  assert.equal(await page.getByLabel('Rechercher').first().inputValue(), '')
  await page.getByRole('link', { name: /CHAI-4/ }).waitFor()
}

interface Refunding {
  look: Look
  shop: TestBusiness
  customer: TestPerson
}

async function refunds(page: Page, { look, shop, customer }: Refunding) {
  const before = await available(server, customer)
  await page.getByRole('link', { name: /KAHAWA-1/ }).click()
  await page.getByRole('link', { name: 'Rembourser' }).click()
  await page.getByLabel('En partie').check()
  await page.getByLabel('Combien', { exact: true }).fill('10001')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByText('Écrivez un montant jusqu’à').waitFor()
  await page.getByLabel('Combien', { exact: true }).fill('4 000')
  await page.getByLabel('Motif').fill('Un sac manquait')
  await look('business-refund')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByText('Un remboursement ne peut pas être repris').waitFor()
  assert.equal(await available(server, customer), before, 'nothing moved before it was confirmed')
  await look('business-refund-confirm')
  await page.getByRole('button', { name: /Rembourser UGX/ }).click()
  await page.getByText('L’argent est reparti').waitFor()
  assert.equal(await available(server, customer), before + 4_000n)
  assert.equal(await earned(shop), 3n * 9_800n - 4_000n)
  await lookAgain(look, 'business-refunded')
  await page.getByRole('link', { name: 'Retour au paiement' }).click()
  await page.getByText('Remboursé en partie').waitFor()
  await page.locator('.business-card summary').last().click()
  await page.getByText('réponse 410').waitFor()
  await page.getByText('moved away').waitFor()
  await look('business-payment')
  await page.getByRole('link', { name: 'Retour' }).click()
}

const earned = async ({ id }: TestBusiness): Promise<bigint> => {
  const name = { kind: 'merchant', owner: String(id), currency: 'UGX', mode: 'live' } as const
  return (await server.ledger.balances(db, [name]))[0]?.balance ?? 0n
}

/** What did not arrive stands first; the address is used again, and all of it is sent once more. */
async function sendsAgain(page: Page, { look, ipn }: { look: Look; ipn: Shop['ipn'] }) {
  await part(page, 'Notifications')
  await page.getByRole('heading', { name: 'Adresses en difficulté' }).waitFor()
  await page.getByText('410, disparue pour de bon').waitFor()
  await look('business-notifications')
  const held = '**/api/merchant/notifications?*status=held*'
  await page.route(held, (route) => route.abort('internetdisconnected'))
  await page.reload()
  const missing = page.getByRole('region', { name: 'Non arrivées' })
  await missing.getByText('Le service est injoignable').waitFor()
  await page.unroute(held)
  await missing.getByRole('button', { name: 'Réessayer' }).click()
  ipn.state.status = 200
  const came = ipn.got.length
  await page.getByRole('button', { name: 'La réutiliser' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'La réutiliser' }).click()
  await page.getByRole('heading', { name: 'Adresses en difficulté' }).waitFor({ state: 'detached' })

  // One, and then all that are left.
  await missing.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Renvoyer' }).click()
  await page.getByText('réponse 200').waitFor()
  assert.equal(ipn.got.length, came + 1)
  await look('business-notification')
  await page.getByRole('link', { name: 'Retour' }).click()
  await page.getByRole('button', { name: 'Renvoyer une période' }).click()
  await page.getByRole('button', { name: 'Les renvoyer' }).click()
  await page.getByText('notifications sont de nouveau en route').waitFor()
  await lookAgain(look, 'business-replay-range')
  await page.getByRole('button', { name: 'Fermer' }).click()
  await page.getByText('Tout ce qui devait arriver est arrivé').waitFor()
}

async function movesEarnings(page: Page, stage: { look: Look; owner: TestPerson; shop: TestBusiness }) {
  const { look, owner, shop } = stage
  await part(page, 'Recettes')
  await page.getByText('25 400', { exact: false }).waitFor()
  await look('business-earnings')
  await page.getByRole('link', { name: 'Vers mon portefeuille' }).click()
  await page.getByLabel('Montant').fill('20 000')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByText('votre portefeuille UGX').waitFor()
  await page.getByLabel('Votre code PIN').fill('9999')
  await page.getByRole('button', { name: /Transférer UGX/ }).click()
  await page.getByText('Le code PIN est faux').waitFor()
  assert.equal(await available(server, owner), 0n)
  await page.getByLabel('Votre code PIN').fill(testPin)
  await look('business-payout')
  await page.getByRole('button', { name: /Transférer UGX/ }).click()
  await page.getByText('C’est dans votre portefeuille').waitFor()
  await look('business-paid-out')
  assert.equal(await available(server, owner), 20_000n)
  assert.equal(await earned(shop), 5_400n)
  await page.goto('/app/business/earnings?mode=test')
  await page.locator('.test-band').waitFor()
  await page.getByText('Argent fictif').waitFor()
  await page.goto('/app/business?mode=live')
}
