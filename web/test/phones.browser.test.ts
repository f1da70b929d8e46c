// Money by phone and by card, by hand, from end to end: a person pays in the checkout of a shop, takes up the virtual phone,
// types the PIN, and the checkout, the phone, the shop and the books all say the same. Nothing between them is made up:
// the service talks to the simulator by the providers' own protocols. PHOTOGRAPHS=folder keeps pictures of the way.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startShop } from '../../examples/shop/shop.ts'
import * as notifications from '../../server/src/notifications/notifications.ts'
import { newBusiness } from '../../server/test/businesses.ts'
import { ask } from '../../server/test/checkouts.ts'
import { reconcile, testApp, testConfig, testLog } from '../../server/test/helpers.ts'
import { register } from '../../server/test/people.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'
import { startSimulator } from '../../simulator/src/simulator.ts'

const simulator = await startSimulator({ delays: { pay: 20, between: 10, answer: 5 }, seed: 7 })
after(() => simulator.close())
const port = await freePort()
const baseUrl = `http://127.0.0.1:${port}`
const server = await testApp({ baseUrl, environment: { SIMULATOR_URL: simulator.url } })
await server.app.listen({ host: '127.0.0.1', port })
await server.dependencies.operations.tellSimulator()
const business = await newBusiness(server)
const shop = await startShop({
  port: 0,
  apiUrl: baseUrl,
  merchantId: String(business.id),
  apiKey: business.testKey,
  clientSecret: business.testSecret,
  dataDir: mkdtempSync(join(tmpdir(), 'mfuko-shop-')),
  log: () => undefined,
})
after(() => shop.close())
const delivery = notifications.startDelivery({
  ...server,
  config: testConfig(),
  log: testLog().log,
  keysOf: server.merchants.keysOf,
  onTrouble: server.merchants.tellTrouble,
})
after(() => delivery.stop())
const browser = await openBrowser()

const viewport = { width: 360, height: 740 }

/** Ours and the networks' own, to the minor unit. */
afterEach(async () => {
  await reconcile(server)
  for (const [owner, currency] of [
    ['mtn', 'UGX'],
    ['mpesa', 'KES'],
    ['paystack', 'KES'],
  ] as const) {
    let ours = 0n
    for (const mode of ['live', 'test'] as const) {
      const [found] = await server.ledger.balances(server.db, [{ kind: 'clearing', owner, currency, mode }])
      ours -= found?.balance ?? 0n
    }
    assert.equal(ours, simulator.statements.net({ provider: owner, currency }), owner)
  }
})

const phoneOf = (page: Page) => ({
  answer: async (pin: string) => {
    await page.locator('#pin').waitFor()
    for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click()
    await page.getByRole('button', { name: 'Send' }).click()
  },
  refuse: async () => page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click(),
  reads: (text: string) => page.getByText(text).first().waitFor(),
})

/** The phone in one hand, the shop in the other. */
async function twoHands(number: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 360, height: 740 },
    ...options,
  })
  context.setDefaultTimeout(pagePatienceMs)
  const troubles: string[] = []
  const open = async (address: string) => {
    const page = await context.newPage()
    page.on('pageerror', (error) => troubles.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(message.text())
    })
    await page.goto(address)
    return page
  }
  const phone = await (await browser.newContext({ viewport, reducedMotion: 'reduce' })).newPage()
  phone.setDefaultTimeout(pagePatienceMs)
  await phone.goto(`${simulator.url}/phones/${number}`)
  // Its signal is there: what it is asked waits for the person.
  await phone.locator('body[data-link=on]').waitFor()
  return {
    context,
    open,
    phone,
    hand: phoneOf(phone),
    troubles,
    close: () => closeAll([context, phone.context()]),
  }
}

const closeAll = (contexts: BrowserContext[]) => Promise.all(contexts.map((context) => context.close()))

async function photograph(page: Page, name: string): Promise<void> {
  if (process.env.PHOTOGRAPHS)
    await page.screenshot({ path: `${process.env.PHOTOGRAPHS}/by-hand-${name}.png`, fullPage: true })
}

/** From the shelf of the shop to the form for a phone number. */
async function toMobileMoney(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Rwenzori coffee, 500 g' }).click()
  await page.getByRole('button', { name: 'Pay with Mfuko' }).click()
  await page.waitForURL(`${baseUrl}/checkout?*`)
  await openMobileMoney(page)
}

/** It may be open already. */
async function openMobileMoney(page: Page): Promise<void> {
  await page.locator('.methods').waitFor()
  if ((await page.locator('#phone').count()) === 0) await page.locator('a[href*="step=mobile"]').click()
  await page.locator('#phone').waitFor()
}

const payButton = (page: Page) => page.locator('form[action*="/start"] .button.main')

describe('in the checkout of a shop, with a virtual phone', () => {
  test('paid: the waiting page follows by itself, the SMS comes, the order is paid', async () => {
    const { open, phone, hand, troubles, close } = await twoHands('256770001001')
    const page = await open(shop.url)
    await toMobileMoney(page)
    await page.locator('#phone').fill('0770 001 001')
    await photograph(page, '1-number')
    await payButton(page).click()
    await page.getByText('Confirm on your phone').waitFor()
    await photograph(page, '2-waiting')
    await phone.locator('#pin').waitFor()
    await photograph(phone, '3-prompt')
    await hand.answer('4821')
    await hand.reads('You have paid UGX 28,000')
    await photograph(phone, '4-sms')
    // Nobody touches the checkout meanwhile.
    await page.locator('.reference').waitFor()
    await photograph(page, '5-paid')
    await page.locator('a[href^="/checkout/return"]').click()
    await page.locator('.state-paid').waitFor()
    await photograph(page, '6-order')
    assert.deepEqual(troubles, [])
    await close()
  })

  test('a newcomer: an outcome by a click, the phone by a link; refused, then paid', async () => {
    const context = await browser.newContext({ locale: 'en', viewport })
    context.setDefaultTimeout(pagePatienceMs)
    const page = await context.newPage()
    await page.goto(shop.url)
    await toMobileMoney(page)
    const pay = async () => {
      await page.locator('details:has(button[value="999"]) summary').click()
      await page.locator('button[name=outcome][value="999"]').click()
      await page.getByText('Confirm on your phone').waitFor()
    }
    await pay()
    const [phone] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open the virtual phone' }).click(),
    ])
    const hand = phoneOf(phone)
    await hand.refuse()
    await hand.reads('You cancelled the request')
    await page.getByText('No money was taken').waitFor()
    await photograph(page, '7-refused')
    await openMobileMoney(page)
    await pay()
    await hand.answer('4821')
    await page.locator('.reference').waitFor()
    await context.close()
  })

  test('without JavaScript in the checkout, by M-Pesa', async () => {
    const { open, hand, close } = await twoHands('254712000001', { javaScriptEnabled: false })
    const { path } = await ask(server, business, {
      mode: 'test',
      amount: { minor: 125_000n, currency: 'KES' },
    })
    const page = await open(baseUrl + path)
    await openMobileMoney(page)
    await page.locator('#phone').fill('0712 000 001')
    await payButton(page).click()
    await page.getByText('Confirm on your phone').waitFor()
    await hand.answer('4821')
    await hand.reads('You have paid KES 1,250.00')
    await page.locator('.reference').waitFor()
    await close()
  })

  test('by card: the provider’s own page, and back', async () => {
    const { path } = await ask(server, business, {
      mode: 'test',
      amount: { minor: 250_000n, currency: 'KES' },
    })
    const context = await browser.newContext({ locale: 'en', viewport })
    context.setDefaultTimeout(pagePatienceMs)
    const page = await context.newPage()
    await page.goto(baseUrl + path)
    await page.getByRole('link', { name: 'Card' }).click()
    await page.locator('#email').fill('customer@example.com')
    await payButton(page).click()
    await page.waitForURL(`${simulator.url}/paystack/pay/*`)
    await photograph(page, '8-card')
    await page.getByRole('button', { name: 'Pay KES 2,500.00' }).click()
    await page.waitForURL(`${baseUrl}/**`)
    await page.locator('.reference').waitFor()
    await context.close()
  })
})

test('a deposit, and a withdrawal to the same phone', async () => {
  const person = await register(server)
  const { phone, hand, close } = await twoHands('256770003001')
  const wallet = async () => {
    const { body } = await person.call('GET', '/api/wallets')
    return body.data.find(({ currency }: { currency: string }) => currency === 'UGX')
  }
  const phoneNumber = '+256770003001'
  const order = { currency: 'UGX', method: 'mtn', phone: phoneNumber }
  const deposit = await person.call('POST', '/api/deposit/initiate', { ...order, amount: 50_000 })
  assert.equal(deposit.body.data.status, 'pending')
  assert.equal((await wallet()).balance, 0)
  await hand.answer('4821')
  await hand.reads('You have paid UGX 50,000')
  await until(async () => (await wallet()).balance === 50_000)
  const withdrawal = await person.call('POST', '/api/withdraw', { ...order, amount: 20_000, pin: person.pin })
  assert.equal(withdrawal.body.data.fee, 200)
  await hand.reads('You have received UGX 20,000')
  await until(async () => (await wallet()).balance === 29_800 && (await wallet()).held === 0)
  await photograph(phone, '9-wallet')
  await close()
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  assert.fail('it never came so far')
}

/** Known before the service is made, because it tells its own address. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port: found } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return found
}
