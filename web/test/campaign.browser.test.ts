// The public page of a campaign in a real browser: fits a small phone and a desktop in light and dark, passes axe, breaks
// no policy, and leads to the checkout without scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { newCampaign } from '../../server/test/campaigns.ts'
import { testApp } from '../../server/test/helpers.ts'
import { checkLooks, overflow, showIn, sights } from '../../server/test/looks.ts'
import { fund, register } from '../../server/test/people.ts'
import { also } from '../../server/test/thorough.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'

const server = await testApp()
const origin = await server.listen()
const browser = await openBrowser()

const owner = await register(server, { name: 'W'.repeat(60) })
await fund(server, owner, { amount: '4000000' })
const { id } = await newCampaign(owner, {
  title: `A well for ${'Kasese'.repeat(11)}`.slice(0, 80),
  story: `${'word '.repeat(120)}\n\n${'x'.repeat(300)}`,
  ends_at: '2026-05-01T00:00:00.000Z',
})
const gift = { amount: 3_999_999, pin: owner.pin, message: 'm'.repeat(200) }
assert.equal((await owner.call('POST', `/api/campaigns/${id}/contribute`, gift)).status, 200)
await owner.call('POST', `/api/campaigns/${id}/updates`, { text: 'n'.repeat(1_000) })

async function open(query: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(pagePatienceMs)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => troubles.push(message.text()))
  page.on('pageerror', (error) => troubles.push(error.message))
  const answer = await page.goto(`${origin}/c/${id}${query}`)
  assert.equal(answer?.status(), 200)
  return { page, troubles, close: () => context.close() }
}

for (const locale of ['fr', ...also(['en', 'sw'])])
  test(`${locale}: fits its screen and passes axe`, async () => {
    const { page, troubles, close } = await open(`?lang=${locale}`, {
      viewport: { width: sights[0].width, height: 740 },
      colorScheme: sights[0].colorScheme,
    })
    await page.locator('summary').click()
    await checkLooks(page, { name: `campaign ${locale}` })
    for (const width of [320, 360, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await showIn(page, { width, colorScheme })
        assert.equal(await overflow(page), 0, `no horizontal scroll in ${width} px, ${colorScheme}`)
      }
    assert.deepEqual(troubles, [])
    await close()
  })

test('by keyboard, without scripts: a wrong amount is said, a right one leads to the checkout', async () => {
  const { page, close } = await open('', { javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  await page.locator('#amount').focus()
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  assert.equal(await page.locator('#amount').getAttribute('aria-invalid'), 'true')
  await page.locator('#amount').fill('10,000')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/checkout\?token=/)
  assert.match((await page.textContent('h1')) ?? '', /Contribute to A well/)
  await close()
})
