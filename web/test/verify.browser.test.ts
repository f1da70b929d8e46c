// The page where anybody checks a receipt, in a real browser: it fits a small phone and a desktop in light and dark, passes
// axe, breaks no policy, says so when there is no JavaScript; takes a good receipt, and refuses one that was altered.
// PHOTOGRAPHS=folder keeps a picture of each.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openCircle } from '../../server/test/circles.ts'
import { testApp } from '../../server/test/helpers.ts'
import { complaints, overflow, type Sight } from '../../server/test/looks.ts'
import { thorough } from '../../server/test/thorough.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'

const server = await testApp()
const origin = await server.listen()
const browser = await openBrowser()

const circle = await openCircle(server, { members: 3 })
await circle.post(1, 'draw')
await circle.post(1, 'start', { order: 'draw' })
for (const payer of [1, 2, 3]) await circle.pay(payer)
const get = async (path: string) => (await circle.as(1).call('GET', `/api/groups/${circle.id}/${path}`)).text
const [receipt, head, round] = [await get('entries/2/receipt'), await get('head'), await get('rounds/1')]

async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(pagePatienceMs)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => troubles.push(message.text()))
  page.on('pageerror', (error) => troubles.push(error.message))
  const answer = await page.goto(`${origin}${path}`)
  assert.equal(answer?.status(), 200)
  return { page, troubles, close: () => context.close() }
}

const photographs = process.env.PHOTOGRAPHS
const photograph = (page: Page, name: string) =>
  photographs === undefined
    ? undefined
    : page.screenshot({ path: join(photographs, `${name}.png`), fullPage: true })

async function check(page: Page, { paper, kept = '' }: { paper: string; kept?: string }) {
  await page.locator('#paper').fill(paper)
  await page.locator('#head').fill(kept)
  await page.locator('button').click()
  await page.locator('#found').waitFor()
  return page.locator('#found')
}

const words = {
  en: { good: 'The receipt holds', bad: 'Refused', order: 'The order holds' },
  sw: { good: 'Risiti ni sahihi', bad: 'Imekataliwa', order: 'Mpangilio ni sahihi' },
  fr: { good: 'Le reçu est juste', bad: 'Refusé', order: "L'ordre est juste" },
} as const

const seenIn: Sight[] = [
  { width: 320, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'light' },
]

// Each sight in one of the languages; in the thorough form in all.
for (const [place, [locale, say]] of Object.entries(words).entries()) {
  describe(locale, () => {
    const languages = Object.keys(words).length
    for (const { width, colorScheme } of seenIn.filter((_, at) => thorough || at % languages === place))
      test(`${width} px, ${colorScheme}`, async () => {
        const viewport = { width, height: 800 }
        const { page, troubles, close } = await open('/verify', { locale, viewport, colorScheme })
        assert.equal(await page.evaluate(() => document.documentElement.lang), locale)
        const found = await check(page, { paper: receipt, kept: head })
        assert.equal(await found.locator('h2').textContent(), say.good)
        assert.equal(await overflow(page), 0, 'no horizontal scroll')
        await photograph(page, `verify-${locale}-${width}-${colorScheme}`)
        assert.deepEqual(await complaints(page), [])
        for (const target of await page.locator('a, button').all())
          assert.ok(((await target.boundingBox())?.height ?? 0) >= 48, 'wide enough for a thumb')
        assert.equal(await page.locator('#needs').isVisible(), false)
        assert.deepEqual(troubles, [])
        await close()
      })

    test('altered ones are refused, and the next one is looked at anew', async () => {
      const { page, close } = await open(`/verify?lang=${locale}`)
      const altered = receipt.replace('"amount":"1000"', '"amount":"1001"')
      assert.notEqual(altered, receipt)
      for (const [paper, kept, title] of [
        [altered, '', say.bad],
        [receipt, head.replace(/"hash":"./, '"hash":"x'), say.bad],
        [receipt, '', say.good],
        ['not json', '', say.bad],
        [round, '', say.order],
      ] as const) {
        const found = await check(page, { paper, kept })
        await found.locator('h2', { hasText: title }).waitFor()
      }
      await close()
    })
  })
}

test('without JavaScript it says what it needs, and offers nothing that does not work', async () => {
  const { page, close } = await open('/verify?lang=en', { javaScriptEnabled: false })
  assert.ok(await page.locator('#needs').isVisible())
  assert.match((await page.locator('#needs').textContent()) ?? '', /needs JavaScript/)
  assert.equal(await page.locator('form').isVisible(), false)
  await close()
})
