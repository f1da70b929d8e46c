// Every page of the checkout, on a small phone in light and on a desktop in dark, in one of three languages: fits its screen,
// passes axe, has targets wide enough for a thumb, breaks no content policy, and asks no other host for anything.
// PHOTOGRAPHS=folder keeps a picture of each.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
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
import { checkLooks, sights } from '../../server/test/looks.ts'
import { fund, register, testPassword } from '../../server/test/people.ts'
import { thorough } from '../../server/test/thorough.ts'

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
    await server.db.inTransaction((tx) => server.users.freeze(tx, { user: one.id, by, origin: {} }))
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

// Every second page in one of the languages; in the thorough form every page in all.
const locales = ['en', 'fr', 'sw']
const every = 2 * locales.length

for (const [place, locale] of locales.entries()) {
  describe(locale, async () => {
    const { width, colorScheme } = sights[0]
    const look = { viewport: { width, height: 740 }, colorScheme, locale }
    const { page, troubles, close } = await visit('/checkout?token=nothing', look)
    after(() => close())
    const here = Object.entries(states).filter((_, index) => thorough || index % every === 2 * place)
    for (const [name, open] of here) {
      test(name, async () => {
        troubles.length = 0
        await open(page)
        const targets = '.button, .quiet, .language, main input:not([type=hidden])'
        await checkLooks(page, { name: `${name} ${locale}`, targets })
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
