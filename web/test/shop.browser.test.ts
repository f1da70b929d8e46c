// A purchase in the example shop, from the shelf to the paid order, with the real service between: with JavaScript on and
// off, in three languages. The order turns paid by the notification and not by coming back: while no notification
// leaves, it waits.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startShop } from '../../examples/shop/shop.ts'
import * as notifications from '../../server/src/notifications/notifications.ts'
import { newBusiness } from '../../server/test/businesses.ts'
import { reconcile, testApp, testConfig, testLog } from '../../server/test/helpers.ts'
import { checkLooks, sights } from '../../server/test/looks.ts'
import { also, longTest } from '../../server/test/thorough.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'

const port = await freePort()
const baseUrl = `http://127.0.0.1:${port}`
const server = await testApp({ baseUrl })
await server.app.listen({ host: '127.0.0.1', port })
const business = await newBusiness(server, { approved: false })
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
const browser = await openBrowser()

/** The one that runs, if any: a test decides when notifications leave. */
let delivery: notifications.Delivery | undefined
const deliver = () => {
  delivery ??= notifications.startDelivery({
    ...server,
    config: testConfig(),
    log: testLog().log,
    keysOf: server.merchants.keysOf,
    onTrouble: server.merchants.tellTrouble,
  })
}
const holdBack = async () => {
  await delivery?.stop()
  delivery = undefined
}
after(holdBack)

const open = async (path: string, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ locale: 'en', ...options })
  context.setDefaultTimeout(pagePatienceMs)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  await page.goto(`${shop.url}${path}`)
  return { page, context, troubles }
}

/** From the shelf to the page of the checkout. */
async function choose(page: Page, product = 'Rwenzori coffee, 500 g', quantity = '2') {
  await page.getByRole('link', { name: product }).click()
  await page.getByLabel('Quantity').selectOption(quantity)
  await page.getByRole('button', { name: 'Pay with Mfuko' }).click()
  await page.waitForURL(`${baseUrl}/checkout?*`)
}

async function payAt(page: Page) {
  await page.locator('#name').fill('test_customer')
  await page.locator('#password').fill('mfuko-sandbox')
  await page.locator('form[action*="/login"] button').click()
  await page.locator('#pin').fill('4821')
  await page.locator('form[action*="/pay"] button').click()
  await page.locator('a[href^="/checkout/return"]').click()
}

const state = (page: Page, words: string) => page.locator('.state', { hasText: words }).waitFor()

describe('a purchase', () => {
  for (const javaScriptEnabled of [true, false]) {
    const usual = javaScriptEnabled ? ['fr'] : ['sw']
    const others = javaScriptEnabled ? ['en', 'sw'] : ['en', 'fr']
    for (const locale of [...usual, ...also(others)]) {
      test(`JavaScript ${javaScriptEnabled ? 'on' : 'off'}, ${locale}`, async () => {
        await holdBack()
        const { page, context, troubles } = await open('/', { javaScriptEnabled, locale })
        await choose(page)
        assert.equal(await page.locator('html').getAttribute('lang'), locale)
        assert.match((await page.locator('.total').first().textContent()) ?? '', /UGX 56.000/)
        await payAt(page)
        await page.waitForURL(`${shop.url}/orders/*/success?*`)
        await state(page, 'Waiting for the confirmation')
        await page.reload()
        await state(page, 'Waiting for the confirmation')
        deliver()
        if (!javaScriptEnabled) {
          const end = performance.now() + 20_000
          while (!(await page.locator('.state-paid').isVisible()) && performance.now() < end) {
            await page.waitForTimeout(200)
            await page.getByRole('link', { name: 'Look again' }).click()
          }
        }
        await state(page, 'Paid')
        assert.deepEqual(troubles, [])
        await context.close()
        await reconcile(server)
      })
    }
  }

  longTest('cancelled, then paid after all', async () => {
    deliver()
    const { page, context } = await open('/')
    await choose(page, 'Woven basket', '1')
    await page.getByRole('link', { name: 'Cancel the payment' }).click()
    await page.getByRole('button', { name: 'Yes, cancel it' }).click()
    await page.getByRole('link', { name: 'Return to' }).click()
    await page.locator('.state-failed').waitFor()
    await page.getByRole('button', { name: 'Pay with Mfuko' }).click()
    await page.waitForURL(`${baseUrl}/checkout?*`)
    await payAt(page)
    await state(page, 'Paid')
    await context.close()
  })

  test('a double click on the pay button is one order and one payment', async () => {
    const { page, context } = await open('/products/tea')
    await page.getByRole('button', { name: 'Pay with Mfuko' }).dblclick()
    await page.waitForURL(`${baseUrl}/checkout?*`)
    await payAt(page)
    await state(page, 'Paid')
    await context.close()
  })
})

test('the pages of the shop fit their screens and pass axe', async () => {
  deliver()
  const { width, colorScheme } = sights[0]
  const { page, context } = await open('/', { viewport: { width, height: 740 }, colorScheme })
  const look = (name: string) => checkLooks(page, { name: `shop ${name}` })
  await look('shelf')
  await page.goto(`${shop.url}/products/coffee`)
  await look('product')
  await page.goto(`${shop.url}/nothing`)
  await look('missing')
  await page.goto(`${shop.url}/`)
  await choose(page)
  const id = await page.locator('.what .text').textContent()
  await page.goto(`${shop.url}/orders/${id}`)
  await look('waiting')
  await page.getByRole('button', { name: 'Pay with Mfuko' }).click()
  await page.waitForURL(`${baseUrl}/checkout?*`)
  await payAt(page)
  await state(page, 'Paid')
  await look('paid')
  await context.close()
})

/** Known before the service is made, because it tells its own address. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port: found } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return found
}
