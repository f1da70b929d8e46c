// The receipt in a real browser: fits a small phone and a desktop in light and dark, passes axe, breaks no policy, runs
// no script, and prints black on white on one sheet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { testApp } from '../../server/test/helpers.ts'
import { checkLooks, complaints, overflow, showIn, sights } from '../../server/test/looks.ts'
import { register } from '../../server/test/people.ts'
import { also, thorough } from '../../server/test/thorough.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'

const server = await testApp()
const { ledger, listen } = server
const origin = await listen()
const browser = await openBrowser()

const people = new Map(
  await Promise.all(
    (['en', 'sw', 'fr'] as const).map(async (locale) => {
      const person = await register(server, {
        name: 'Amina Nakato Namutebi',
        handle: `a_handle_of_20_${locale}gns`,
      })
      assert.equal((await person.call('PATCH', '/api/me', { locale })).status, 200)
      return [locale, { token: person.token, reference: await longLine(person) }] as const
    }),
  ),
)

/** The longest that anybody may meet. */
async function longLine(person: Awaited<ReturnType<typeof register>>): Promise<string> {
  const amount = 9_007_199_254_740_000n
  const outcome = await ledger.submit({
    kind: 'transfer',
    mode: 'live',
    currency: 'KES',
    details: {
      from: { id: 'x', handle: 'b'.repeat(20), name: 'W'.repeat(80) },
      to: { id: person.id, handle: person.handle, name: person.name },
      amount: `${amount}`,
      fee: '0',
      note: `${'Rent '.repeat(20)}${'x'.repeat(40)}`,
    },
    entries: [
      { kind: 'clearing', owner: 'mtn', amount: -amount },
      { kind: 'user', owner: person.id, amount },
    ],
  })
  assert.ok(outcome.ok)
  const { body } = await person.call('GET', '/api/transactions')
  return body.data[0].reference
}

async function open(locale: 'en' | 'sw' | 'fr', options: BrowserContextOptions) {
  const { token, reference } = people.get(locale) ?? { token: '', reference: '' }
  const extraHTTPHeaders = { authorization: `Bearer ${token}` }
  const context = await browser.newContext({ ...options, extraHTTPHeaders })
  context.setDefaultTimeout(pagePatienceMs)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => troubles.push(message.text()))
  page.on('pageerror', (error) => troubles.push(error.message))
  const answer = await page.goto(`${origin}/api/transactions/${reference}/receipt`)
  assert.equal(answer?.status(), 200)
  assert.equal(await page.evaluate(() => document.documentElement.lang), locale)
  return { page, troubles, close: () => context.close() }
}

for (const locale of ['sw', ...also(['en', 'fr'] as const)] as const) {
  test(`${locale}: fits its screen, passes axe, and its reference is large`, async () => {
    const { page, troubles, close } = await open(locale, {
      viewport: { width: sights[0].width, height: 740 },
      colorScheme: sights[0].colorScheme,
    })
    await checkLooks(page, { name: `receipt ${locale}` })
    for (const width of [320, 360, 1280]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await showIn(page, { width, colorScheme })
        assert.equal(await overflow(page), 0, `no horizontal scroll in ${width} px, ${colorScheme}`)
        if (thorough) assert.deepEqual(await complaints(page), [], `axe in ${width} px, ${colorScheme}`)
        const font = await page
          .locator('.reference p')
          .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
        assert.ok(font >= 17, `the reference has ${font} px`)
      }
    }
    assert.deepEqual(troubles, [])
    await close()
  })
}

test('prints black on white, on one sheet, also from a dark screen', async () => {
  const { page, close } = await open('fr', { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const colours = await page
    .locator('body *')
    .evaluateAll((all) => [
      ...new Set(
        all
          .filter((element) => element.checkVisibility())
          .flatMap((element) => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]),
      ),
    ])
  assert.deepEqual(colours.toSorted(), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'])
  const pdf = await page.pdf({ format: 'A4' })
  assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length, 1, 'one sheet')
  await close()
})
