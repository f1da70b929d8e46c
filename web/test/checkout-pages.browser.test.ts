// Every page of the checkout, on a small phone and on a desktop, in light and in dark, in three languages: fits its screen,
// passes axe, has targets wide enough for a thumb, breaks no content policy, and asks no other host for anything.
// PHOTOGRAPHS=folder keeps a picture of each.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import {
  asked,
  confirm,
  logIn,
  origin,
  sandbox,
  server,
  visit,
  waiting,
} from '../../server/test/checkout-visits.ts'
import { payInCheckout, testBrowser } from '../../server/test/checkouts.ts'

const touchMin = 48

/** Brings a browser to a page, and says how to know that it is there. */
const states: Record<string, (page: Page) => Promise<unknown>> = {
  choose: async (page) => page.goto(origin + (await asked({ mode: 'live' })).path),
  'choose, test': async (page) => page.goto(origin + (await asked()).path),
  'long words': async (page) => {
    const merchantName = 'Kampuni ya Usafirishaji na Uuzaji wa Bidhaa za Ujenzi'
    const amount = { minor: 123_456_789_012n, currency: 'TZS' } as const
    const { path } = await asked({
      merchantName,
      amount,
      description: 'x'.repeat(500),
      refTrx: 'y'.repeat(100),
    })
    await page.goto(origin + path)
  },
  'wrong login': async (page) => {
    await page.goto(origin + (await asked()).path)
    await page.locator('#name').fill('amina')
    await page.locator('#password').fill('wrong')
    await page.locator('form[action*="/login"] button').click()
    await page.locator('#problem').waitFor()
  },
  'wallet off': async (page) => {
    const { path } = await asked()
    const quick = testBrowser(server)
    const first = await quick.get(path)
    for (let time = 0; time < 5; time++) await quick.submit(first, 'login', { name: 'a', password: 'b' })
    await page.goto(origin + path)
    await page.locator('#problem').waitFor()
  },
  confirm: async (page) => {
    await page.goto(origin + (await asked()).path)
    await logIn(page, sandbox)
  },
  'wrong PIN': async (page) => {
    await page.goto(origin + (await asked()).path)
    await logIn(page, sandbox)
    await confirm(page, '1357')
    await page.locator('#problem').waitFor()
  },
  'too little': async (page) => {
    await page.goto(origin + (await asked()).path)
    await logIn(page, { ...sandbox, handle: 'test_poor' })
    await confirm(page)
    await page.locator('#problem').waitFor()
  },
  cancel: async (page) => page.goto(`${origin}${(await asked()).path}&step=cancel`),
  paid: async (page) => {
    await page.goto(origin + (await asked()).path)
    await logIn(page, sandbox)
    await confirm(page)
    await page.locator('.reference').waitFor()
  },
  'paid by another': async (page) => {
    const payment = await asked()
    await page.goto(origin + payment.path)
    await logIn(page, { ...sandbox, handle: 'test_poor' })
    await payInCheckout(testBrowser(server), payment, sandbox)
    await page.reload()
    await page.locator('.reference').waitFor()
  },
  refunded: async (page) => {
    const payment = await asked()
    await payInCheckout(testBrowser(server), payment, sandbox)
    const paid = await server.payments.byNumber(payment.payment.number)
    assert.ok(paid !== undefined)
    await server.payments.refund(paid, { amount: undefined, reason: null, key: undefined })
    await page.goto(origin + payment.path)
  },
  cancelled: async (page) => {
    const payment = await asked()
    await server.payments.cancel(payment.payment)
    await page.goto(origin + payment.path)
  },
  expired: async (page) => {
    const payment = await asked()
    server.clock.advance(31 * 60)
    await page.goto(origin + payment.path)
  },
  waiting: async (page) => waiting(page, await asked()),
  missing: async (page) => page.goto(`${origin}/checkout?token=nothing`),
}

const looks = [
  { width: 360, colorScheme: 'light', locale: 'fr' },
  { width: 1280, colorScheme: 'dark', locale: 'sw' },
] as const

for (const { width, colorScheme, locale } of looks) {
  describe(`${width} px, ${colorScheme}, ${locale}`, async () => {
    const look = { viewport: { width, height: 740 }, colorScheme, locale }
    const { page, troubles, context } = await visit('/checkout?token=nothing', look)
    after(() => context.close())
    for (const [name, open] of Object.entries(states)) {
      test(name, async () => {
        troubles.length = 0
        await open(page)
        if (process.env.PHOTOGRAPHS) {
          const file = `${name.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}-${locale}.png`
          await page.screenshot({ path: `${process.env.PHOTOGRAPHS}/${file}`, fullPage: true })
        }
        assert.equal(await overflow(page), 0, 'no horizontal scroll')
        assert.deepEqual(await complaints(page), [], 'axe')
        for (const target of await page
          .locator('.button, .quiet, .language, main input:not([type=hidden])')
          .all()) {
          const box = await target.boundingBox()
          if (box !== null)
            assert.ok(box.height >= touchMin, `${await target.textContent()}: ${JSON.stringify(box)}`)
        }
        const expected =
          name === 'waiting' ? troubles.filter((trouble) => !trouble.includes('503')) : troubles
        assert.deepEqual(expected, [])
      })
    }
  })
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function complaints(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
