// Every page of the checkout, on a small phone and on a desktop, in light and in dark, in three languages: fits its screen,
// passes axe, has targets wide enough for a thumb, breaks no content policy, and asks no other host for anything.
// PHOTOGRAPHS=folder keeps a picture of each.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { AppError } from '../../server/src/base/errors.ts'
import { newBusiness } from '../../server/test/businesses.ts'
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
import { fund, register, testPassword } from '../../server/test/people.ts'

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
  suspended: async (page) => {
    const fraud = await newBusiness(server)
    const { path } = await asked({ merchant: fraud.id })
    const by = { kind: 'test', id: 'test' }
    await server.merchants.suspend({ merchant: fraud.id, reason: 'Fraud', by, origin: {} })
    await page.goto(origin + path)
  },
  'a balance': async (page) => livePage(page, await person('50000')),
  'a balance too small': async (page) => livePage(page, await person('9000')),
  'no PIN': async (page) => livePage(page, await register(server, { pin: undefined })),
  frozen: async (page) => {
    const one = await person('50000')
    const by = { kind: 'test', id: 'test' }
    await server.db.inTransaction((tx) => server.users.freeze(tx, { user: one.id, by }))
    server.users.forget(one.id)
    await livePage(page, one)
  },
  'too many requests': (page) => failing(page, new AppError('rate_limited', { retryAfter: 9 })),
  away: (page) => failing(page, new AppError('unavailable')),
  broken: (page) => failing(page, new Error('planted')),
  unreadable: (page) => failing(page, new AppError('bad_request')),
}

async function person(amount: string) {
  const one = await register(server)
  await fund(server, one, { amount })
  return one
}

/** With a person's own wallet. */
async function livePage(page: Page, { handle }: { handle: string }) {
  await page.goto(origin + (await asked({ mode: 'live' })).path)
  await page.locator('#name').fill(handle)
  await page.locator('#password').fill(testPassword)
  await page.locator('form[action*="/login"] button').click()
  await page.locator('dl').waitFor()
}

/** The page of a payment that can't be looked up. */
async function failing(page: Page, error: Error) {
  const { path } = await asked()
  const { payments } = server
  const { byToken } = payments
  payments.byToken = async () => {
    throw error
  }
  try {
    await page.goto(origin + path)
  } finally {
    payments.byToken = byToken
  }
}

const looks = [
  { width: 360, colorScheme: 'light', locale: 'en' },
  { width: 360, colorScheme: 'dark', locale: 'fr' },
  { width: 1280, colorScheme: 'light', locale: 'sw' },
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
        // These answer with 5xx on purpose, and the browser logs that.
        const isOwnStatus = (trouble: string) => /status of 50[03]/.test(trouble)
        assert.deepEqual(
          ['waiting', 'away', 'broken'].includes(name)
            ? troubles.filter((one) => !isOwnStatus(one))
            : troubles,
          [],
        )
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
