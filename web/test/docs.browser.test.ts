// The documentation in a real browser: every address on every page leads somewhere, on a phone and on a desktop, in light and
// in dark; it can be read without JavaScript, and with it has tabs, copy buttons and a search that asks nobody.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { testApp } from '../../server/test/helpers.ts'
import { checkLooks, sights } from '../../server/test/looks.ts'
import { also, thorough } from '../../server/test/thorough.ts'
import { openBrowser, visitPage } from '../../server/test/visits.ts'

const server = await testApp()
const origin = await server.listen()
const browser = await openBrowser()

const visit = (path: string, options: BrowserContextOptions = {}, before?: (page: Page) => unknown) =>
  visitPage(
    { browser, origin, others: [] },
    { path, options: { viewport: phone, ...options }, ...(before === undefined ? {} : { before }) },
  )
const phone = { width: sights[0].width, height: 740 }
const wide = { width: 1280, height: 800 }

const quickstart = '/docs/guides/quickstart'

// The first page of it is opened in site.browser.test.ts.
const looked = [
  quickstart,
  '/docs/reference/configuration',
  ...also([
    '/docs/libraries/go',
    '/docs/changelog',
    '/docs/guides/simulator',
    '/docs/guides/receive-notifications',
    '/docs/operations/monitor',
  ]),
]

describe('looks', () => {
  for (const path of looked)
    test(path, async () => {
      const { page, troubles, close } = await visit(path)
      const targets = '.docs-menu a, .docs-menu summary, .docs-search input, .docs-turn a, .tab-list button'
      await page.locator('.docs-search').waitFor()
      await checkLooks(page, { name: `docs ${path}`, targets })
      assert.deepEqual(troubles, [])
      await close()
    })
})

test('every address on every page leads somewhere, and so does every place in a page', async () => {
  const broken: string[] = []
  const ids = new Map<string, Set<string>>()
  const wanted: { from: string; path: string; id: string }[] = []
  const waiting = [
    { path: '/docs', from: 'the test' },
    { path: '/', from: 'the test' },
  ]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, from } = next
    if (ids.has(path)) continue
    const reply = await server.app.inject({ url: path, headers: { accept: 'text/html' } })
    if (reply.statusCode !== 200) broken.push(`${from}: ${path} answers ${reply.statusCode}`)
    const html = String(reply.headers['content-type']).startsWith('text/html') ? reply.body : ''
    ids.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)))
    for (const [, link = ''] of html.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)) {
      if (/^(?:https?:|data:)/.test(link)) continue
      const [to = '', id] = link.split('#')
      waiting.push({ path: to === '' ? path : to, from: path })
      if (id) wanted.push({ from: path, path: to === '' ? path : to, id })
    }
  }
  // The reference makes its places in the browser.
  for (const { from, path, id } of wanted)
    if (path !== '/docs/reference/api' && !ids.get(path)?.has(id))
      broken.push(`${from}: ${path} has no ${id}`)
  assert.ok(ids.size > 40, `${ids.size} pages and files`)
  assert.deepEqual(broken, [])
})

describe('without JavaScript', () => {
  test('all languages are there, each under its name, and the menu opens', async () => {
    const { page, close } = await visit(quickstart, { javaScriptEnabled: false })
    for (const language of ['curl', 'JavaScript', 'PHP', 'Python', 'Go'])
      assert.ok(
        await page
          .locator('.tab-label', { hasText: new RegExp(`^${language}$`) })
          .first()
          .isVisible(),
        language,
      )
    assert.ok(await page.getByText('php -S localhost:3000 receiver.php').isVisible())
    assert.equal(
      await page.locator('.docs-search').isVisible(),
      false,
      'there is no search that does not work',
    )
    assert.equal(await page.locator('.copy').count(), 0)
    await page.locator('summary').click()
    await page.locator('.docs-menu').getByRole('link', { name: 'Refunds' }).click()
    await page.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor()
    await close()
  })
})

describe('languages', () => {
  const chosen = (page: Page) => page.locator('[role=tab][aria-selected=true]').allTextContents()

  test('a choice counts for the whole page and for the next one', async () => {
    const { page, close } = await visit(quickstart, { viewport: wide })
    assert.deepEqual(new Set(await chosen(page)), new Set(['curl']))
    assert.equal(await page.getByText('receiver.py', { exact: true }).first().isVisible(), false)
    const place = page.getByRole('tab', { name: 'Python' }).nth(1)
    await place.scrollIntoViewIfNeeded()
    const before = await place.boundingBox()
    await place.click()
    const now = await place.boundingBox()
    assert.ok(before && now && Math.abs(before.y - now.y) < 2, 'what was clicked stays where it is')
    assert.deepEqual(new Set(await chosen(page)), new Set(['Python']))
    assert.ok(await page.getByText('python3 receiver.py').isVisible())
    await page.keyboard.press('ArrowRight')
    assert.deepEqual(new Set(await chosen(page)), new Set(['Go']))
    await page.goto(`${origin}/docs/guides/refunds`)
    assert.deepEqual(new Set(await chosen(page)), new Set(['Go']))
    await page.goto(`${origin}/docs/guides/legacy-headers`)
    assert.deepEqual(
      new Set(await chosen(page)),
      new Set(['curl']),
      'a place that lacks it shows what it has',
    )
    await close()
  })

  test('on paper all of them are there', async () => {
    const { page, close } = await visit(quickstart, { viewport: wide })
    await page.locator('[role=tablist]').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    assert.ok(await page.getByText('python3 receiver.py').isVisible())
    assert.ok(await page.locator('.tab-label', { hasText: 'PHP' }).first().isVisible())
    for (const hidden of [
      '.page-header',
      '.docs-side',
      '.docs-turn',
      '[role=tablist] >> nth=0',
      '.copy >> nth=0',
    ])
      assert.equal(await page.locator(hidden).isVisible(), false, hidden)
    await page.emulateMedia({ media: 'screen' })
    await close()
  })
})

test('code is copied as it is shown', async () => {
  const options = { viewport: wide, permissions: ['clipboard-read', 'clipboard-write'] }
  const { page, troubles, close } = await visit('/docs/guides/idempotency', options, () => undefined)
  const block = page.locator('.code').filter({ hasText: 'order-5001' }).first()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.ok(copied.startsWith('curl -s http://localhost:8080/api/pay \\\n  -H'), copied)
  assert.deepEqual(troubles, [])
  await close()
})

describe('search', () => {
  const field = (page: Page) => page.getByRole('searchbox', { name: 'Search the documentation' })

  test('finds a place by its words, by keyboard, and asks nobody else', async () => {
    const { page, troubles, close } = await visit('/docs', { viewport: wide })
    await field(page).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('refund provider')
    await page.getByRole('status').getByText('places, the best first').waitFor()
    await page.keyboard.press('ArrowDown')
    assert.match((await page.evaluate<string>('document.activeElement.textContent')) ?? '', /[Rr]efund/)
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('.docs-results').isVisible(), false)
    await field(page).fill('json_encode')
    await page.getByRole('link', { name: /The same bytes/ }).click()
    await page.getByRole('heading', { name: 'The same bytes, not the same data' }).waitFor()
    assert.equal(new URL(page.url()).hash, '#the-same-bytes-not-the-same-data')
    assert.deepEqual(troubles, [])
    await close()
  })

  test('leads into the API reference', async () => {
    // A page of its own, which can be thrown away while it still draws.
    const { page, troubles, close } = await visit('/docs', { viewport: wide }, () => undefined)
    await field(page).fill('GET /api/merchant/payments/{reference}')
    await page.getByRole('status').getByText('place').waitFor()
    await field(page).press('Enter')
    // To draw the whole reference takes longer than all the rest here.
    if (thorough) await page.getByRole('heading', { name: 'Show a payment' }).waitFor()
    else await page.waitForURL(/\/docs\/reference\/api#tag.*payments/, { waitUntil: 'commit' })
    assert.deepEqual(troubles, [])
    await close()
  })

  test('says so when nothing fits, on a phone, and shows words as words', async () => {
    const { page, troubles, close } = await visit('/docs')
    await field(page).fill('<img src=x onerror=alert(1)>')
    await page.getByRole('status').getByText('Nothing fits').waitFor()
    await field(page).fill('webhook-id')
    await page.getByRole('status').getByText('place').waitFor()
    const box = await page.locator('.docs-results').boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= phone.width, JSON.stringify(box))
    assert.deepEqual(troubles, [])
    await close()
  })
})

test('the addresses that the API reference once had lead to it', async () => {
  const { page, close } = await visit('/docs#tag/health/GET/api/health', { viewport: wide }, () => undefined)
  await page.waitForURL(`${origin}/docs/reference/api#tag/health/GET/api/health`, { waitUntil: 'commit' })
  await close()
})
