// A real browser that visits pages, and tells what goes wrong there.
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { atTheEnd } from './at-the-end.ts'

export interface Visit {
  page: Page
  context: BrowserContext
  /** What went wrong in the page, in words. */
  troubles: string[]
  close(): Promise<void>
}

let shared: Promise<Browser> | undefined

/** One for all files of the process. What they opened in it is closed after their tests. */
export async function openBrowser(): Promise<Browser> {
  shared ??= launch()
  const browser = await shared
  after(async () => {
    idle.clear()
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  return browser
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.TEST_BROWSER ?? '/usr/bin/chromium',
    // A process of its own for a graphics card that nobody has takes a seventh of the processor time.
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-background-networking'],
  })
  atTheEnd(() => browser.close())
  return browser
}

/** What a page may take on a busy machine; nothing waits so long where all is well. */
export const pagePatienceMs = 90_000

export interface Visiting {
  browser: Browser
  origin: string
  /** Other places that the pages may lead to. */
  others: readonly string[]
}

/** Pages that nobody is at now, by the options they were opened with: a new one takes longer than most visits. */
const idle = new Map<string, Page[]>()

export async function visitPage(
  { browser, origin, others }: Visiting,
  {
    path,
    options = {},
    before,
  }: { path: string; options?: BrowserContextOptions; before?: (page: Page) => unknown },
): Promise<Visit> {
  const kind = JSON.stringify(options)
  // Who does something to the page before has one of their own.
  const known = before === undefined ? idle.get(kind)?.pop() : undefined
  const page = known ?? (await (await browser.newContext({ locale: 'en', ...options })).newPage())
  const context = page.context()
  context.setDefaultTimeout(pagePatienceMs)
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
  const close = async () => {
    if (before !== undefined) return context.close()
    page.removeAllListeners()
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.goto('about:blank')
    await context.clearCookies()
    idle.set(kind, [...(idle.get(kind) ?? []), page])
  }
  return { page, context, troubles, close }
}
