// What a person meets in a real browser. Every page, on a small phone and on a desktop, in light and in dark:
// fits its screen, passes axe, breaks no content policy, logs no error, and asks no other host for anything.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunOptions } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { testApp } from '../../server/test/helpers.ts'
import { complaints, overflow, type Sight, sights } from '../../server/test/looks.ts'
import { also, longTest } from '../../server/test/thorough.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'

const { listen } = await testApp()
const origin = await listen()
const browser = await openBrowser()

const landingBytesMax = 14 * 1024
const touchMin = 48

interface Row {
  path: string
  heading: string
  /** Rules of axe that are advice and not WCAG, where the markup is not ours. */
  unruly?: string[]
}

const pages: Row[] = [
  { path: '/', heading: 'A purse for everyday money, built in the open.' },
  { path: '/docs', heading: 'Documentation' },
  // The reference gives the examples of every operation the same name. A long page: axe takes its time for it.
  ...also([{ path: '/docs/reference/api', heading: 'Mfuko API', unruly: ['landmark-unique'] }]),
  { path: '/nothing-here', heading: 'There is no page here.' },
]

// A page is opened as a phone has it and as a desktop has it, and not only shown in another size: the pages with a script
// may look at their screen when they start.
const looksAt = (path: string): Sight[] => [
  sights[0],
  ...(path === '/' ? [sights[1]] : also([sights[1]])),
  ...also<Sight>([
    { width: 360, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
  ]),
]

for (const { path, heading, unruly = [] } of pages) {
  describe(path, () => {
    const open = async ({ width, colorScheme }: Sight) => {
      const seen = await visit(path, { viewport: { width, height: 800 }, colorScheme })
      await seen.page.getByRole('heading', { level: 1, name: heading }).waitFor()
      return seen
    }

    for (const look of looksAt(path)) {
      test(`${look.width} px, ${look.colorScheme}`, async () => {
        const { page, troubles, close } = await open(look)
        // All of the page is there, and nothing still arrives.
        await page.waitForLoadState('networkidle')
        assert.equal(await overflow(page), 0, 'no horizontal scroll')
        assert.deepEqual(await complaints(page, without(unruly)), [], 'axe')
        // The keyboard finds the content, actions suit a thumb, and no link leads nowhere.
        if (look === sights[0])
          for (const check of [checkKeyboard, checkTargets, checkLinks]) await check(page)
        assert.deepEqual(troubles, [])
        await close()
      })
    }
  })
}

async function checkKeyboard(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to the content')
  assert.ok(await page.getByText('Skip to the content').isVisible())
  assert.ok(await outlined(page), 'the skip link has an outline')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Mfuko')
  assert.ok(await outlined(page), 'the next link has an outline')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
}

async function checkTargets(page: Page): Promise<void> {
  for (const target of await page.locator('.button, .nav-link, .brand-link').all()) {
    const box = await target.boundingBox()
    const name = await target.textContent()
    assert.ok(box && box.height >= touchMin && box.width >= touchMin, `${name}: ${JSON.stringify(box)}`)
  }
}

async function checkLinks(page: Page): Promise<void> {
  const links = await page
    .locator('a[href^="/"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  assert.ok(links.length > 2)
  for (const link of new Set(links)) {
    const reply = await page.request.get(`${origin}${link}`)
    assert.ok(reply.ok(), `${link} answers ${reply.status()}`)
  }
}

describe('/', () => {
  test('works with JavaScript off, and loads no script', async () => {
    const { page, close } = await visit('/', { javaScriptEnabled: false })
    assert.ok(await page.getByRole('heading', { level: 1 }).isVisible())
    assert.ok(await page.getByRole('link', { name: 'Open the dashboard' }).isVisible())
    assert.equal(await page.locator('script').count(), 0)
    assert.doesNotMatch(
      (await page.locator('main').textContent()) ?? '',
      /being built|works yet|coming soon/i,
    )
    for (const name of ['PHP', 'Python', 'Go'])
      assert.ok(await page.getByRole('link', { name, exact: true }).isVisible(), name)
    await close()
  })

  test('arrives in 14 KB', async () => {
    const sizes: Promise<number>[] = []
    const { close } = await visit('/', {}, (page) => {
      page.on('requestfinished', (request) => {
        const isPart = ['document', 'stylesheet', 'image'].includes(request.resourceType())
        if (isPart) sizes.push(request.sizes().then((size) => size.responseBodySize))
      })
    })
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    assert.ok(bytes > 2_000 && bytes <= landingBytesMax, `${bytes} bytes`)
    await close()
  })
})

describe('/docs/reference/api', () => {
  longTest('a request can be tried, and does not leave for another host', async () => {
    // The last part of a long page, which is drawn when somebody looks at it.
    const wide = { viewport: { width: 1280, height: 800 } }
    const { page, troubles, close } = await visit('/docs/reference/api#tag/health/GET/api/health', wide)
    await page
      .getByRole('button', { name: /Test Request.*\/api\/health/ })
      .first()
      .click()
    await page.getByRole('button', { name: /^Send/ }).first().click()
    await page.getByText('200 OK').waitFor()
    assert.deepEqual(troubles, [])
    await close()
  })

  test('says where the facts are when JavaScript is off', async () => {
    const { page, close } = await visit('/docs/reference/api', { javaScriptEnabled: false })
    assert.ok(await page.getByRole('link', { name: 'OpenAPI file' }).isVisible())
    await close()
  })
})

interface Visit {
  page: Page
  /** What went wrong in the page, in words. */
  troubles: string[]
  close(): Promise<void>
}

async function visit(
  path: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => unknown = () => undefined,
): Promise<Visit> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(pagePatienceMs)
  const page = await context.newPage()
  const troubles: string[] = []
  // A 404 is logged as an error by the browser itself; the page that was asked for may be one.
  const isOwnStatus = (url: string) => url === `${origin}${path}`
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOwnStatus(message.location().url)) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(`thrown: ${error.message}`))
  page.on('request', (request) => {
    const inside = request.url().startsWith(`${origin}/`) || /^(data|blob):/.test(request.url())
    if (!inside) troubles.push(`left for ${request.url()}`)
  })
  await page.exposeFunction('reportViolation', (what: string) => void troubles.push(`policy: ${what}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as { reportViolation: (what: string) => void }
      reportViolation(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  await prepare(page)
  await page.goto(`${origin}${path}`)
  return { page, troubles, close: () => context.close() }
}

const without = (unruly: readonly string[]): RunOptions => ({
  rules: Object.fromEntries(unruly.map((rule) => [rule, { enabled: false }])),
})

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

const outlined = (page: Page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.activeElement ?? document.body)
    return style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2
  })
