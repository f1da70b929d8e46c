// What the browser tests of the checkout share: a service, a shop to go back to, and a browser that tells what goes wrong.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { AppError } from '../src/base/errors.ts'
import type { NewOrder } from '../src/payments/payments.ts'
import { newBusiness } from './businesses.ts'
import { type AskedPayment, ask } from './checkouts.ts'
import { testApp } from './helpers.ts'
import { openBrowser, type Visit, visitPage } from './visits.ts'

export const server = await testApp()
export const origin = await server.listen()
const browser = await openBrowser()
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

export const visit = (
  path: string,
  options: BrowserContextOptions = {},
  before?: (page: Page) => unknown,
): Promise<Visit> =>
  visitPage(
    { browser, origin, others: [shopUrl] },
    { path, options, ...(before === undefined ? {} : { before }) },
  )

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
