// What the browser tests of the checkout share: a service, a shop to go back to, and a browser that tells what goes wrong.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { AppError } from '../src/base/errors.ts'
import type { NewOrder } from '../src/payments/payments.ts'
import { newBusiness } from './businesses.ts'
import { type AskedPayment, ask } from './checkouts.ts'
import { testApp } from './helpers.ts'

export const server = await testApp()
export const origin = await server.listen()
export const browser = await chromium.launch({
  executablePath: process.env.TEST_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
after(() => browser.close())
const shop = createServer((request, response) => {
  response.setHeader('content-type', 'text/html').end(`<h1>The shop</h1><p>${request.url?.split('?')[0]}</p>`)
})
await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
after(() => shop.close())
export const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
export const business = await newBusiness(server, { fields: { website_url: shopUrl } })
export const sandbox = { handle: 'test_customer', password: 'mfuko-sandbox', pin: '4821' }

export const asked = (order: Partial<NewOrder> = {}): Promise<AskedPayment> =>
  ask(server, business, {
    mode: 'test',
    successRedirect: `${shopUrl}/thanks`,
    failureUrl: `${shopUrl}/sorry`,
    cancelRedirect: `${shopUrl}/basket`,
    ...order,
  })

export interface Visit {
  page: Page
  context: BrowserContext
  /** What went wrong in the page, in words. */
  troubles: string[]
}

export async function visit(
  path: string,
  options: BrowserContextOptions = {},
  before?: (page: Page) => unknown,
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en', ...options })
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    // A page that refuses something has the status of a refusal, and the browser logs that.
    const isStatus = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !isStatus) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(`thrown: ${error.message}`))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  page.on('request', (request) => {
    const inside =
      [origin, shopUrl].some((one) => request.url().startsWith(`${one}/`)) || /^data:/.test(request.url())
    if (!inside) troubles.push(`left for ${request.url()}`)
  })
  await before?.(page)
  await page.goto(`${origin}${path}`)
  return { page, context, troubles }
}

export const logIn = async (page: Page, who: { handle: string; password: string }) => {
  await page.locator('#name').fill(who.handle)
  await page.locator('#password').fill(who.password)
  await page.locator('form[action*="/login"] button').click()
  await page.locator('#pin').waitFor()
}

export const confirm = async (page: Page, pin = sandbox.pin) => {
  await page.locator('#pin').fill(pin)
  await page.locator('form[action*="/pay"] button').click()
}

/** The page that says that nobody knows yet: the database goes away while the money is on its way. */
export async function waiting(page: Page, { path }: AskedPayment): Promise<void> {
  const { payments } = server
  const { payFromWallet } = payments
  await page.goto(origin + path)
  await logIn(page, sandbox)
  payments.payFromWallet = async () => {
    throw new AppError('unavailable')
  }
  try {
    await confirm(page)
    await page.locator('[data-every]').waitFor({ state: 'attached' })
  } finally {
    payments.payFromWallet = payFromWallet
  }
}
