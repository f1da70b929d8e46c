// A real browser that visits pages, and tells what goes wrong there.
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

export interface Visit {
  page: Page
  context: BrowserContext
  /** What went wrong in the page, in words. */
  troubles: string[]
}

/** Closed after the tests of the file. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.TEST_BROWSER ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  after(() => browser.close())
  return browser
}

export interface Visiting {
  browser: Browser
  origin: string
  /** Other places that the pages may lead to. */
  others: readonly string[]
}

export async function visitPage(
  { browser, origin, others }: Visiting,
  {
    path,
    options = {},
    before,
  }: { path: string; options?: BrowserContextOptions; before?: (page: Page) => unknown },
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en', ...options })
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    // A page that refuses something has the status of a refusal, and the browser logs that.
    const isStatus = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !isStatus) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(`thrown: ${error.message}`))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  page.on('request', (request) => {
    const inside =
      [origin, ...others].some((one) => request.url().startsWith(`${one}/`)) || /^data:/.test(request.url())
    if (!inside) troubles.push(`left for ${request.url()}`)
  })
  await before?.(page)
  await page.goto(`${origin}${path}`)
  return { page, context, troubles }
}
