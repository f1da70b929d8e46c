// The dashboard in a real browser, with the service, its database and the networks in a box behind it.
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { goodPassword, newAccount } from '../../server/test/accounts.ts'
import { checkLooks, showIn, sights } from '../../server/test/looks.ts'
import { type SimulatedApp, simulatedApp } from '../../server/test/simulated-app.ts'
import { thorough } from '../../server/test/thorough.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'

export const phone = { width: 360, height: 740 }
export const desktop = { width: 1280, height: 800 }

export interface Dashboard extends SimulatedApp {
  /** Somebody's browser, signed in unless `handle` is absent, at `path` below /app. */
  open(options?: Opening): Promise<Opened>
}

export interface Opening {
  handle?: string
  password?: string
  path?: string
  size?: { width: number; height: number }
  options?: BrowserContextOptions
}

export interface Opened {
  page: Page
  /** Errors in the console, refused content, pages that broke: nothing of it may be there at the end. */
  troubles: string[]
  /** Fits its screen, passes axe, suits a thumb; on a phone in light and on a wide screen in dark. */
  look(name: string): Promise<void>
  /** The same for another state of a page that was looked at: in the thorough form, and for photographs. */
  lookMore(name: string): Promise<void>
  /** With the check that there was no trouble. */
  close(): Promise<void>
}

/** To be called once, at the top of a test file. Closes itself after the tests. */
export async function openDashboard(simulated: Parameters<typeof simulatedApp>[0] = {}): Promise<Dashboard> {
  const app = await simulatedApp(simulated, { environment: { RATE_LIMITS: 'off' } })
  const browser = await openBrowser()
  const open = async ({
    handle,
    password = goodPassword,
    path = '',
    size = phone,
    options,
  }: Opening = {}) => {
    const context = await browser.newContext({
      locale: 'en',
      baseURL: app.origin,
      viewport: size,
      ...options,
    })
    context.setDefaultTimeout(pagePatienceMs)
    if (handle !== undefined) {
      const reply = await context.request.post('/api/auth/login', {
        data: { handle, password, session: 'cookie' },
        headers: { origin: app.origin, 'sec-fetch-site': 'same-origin' },
      })
      assert.equal(reply.status(), 200, 'the login before the visit')
    }
    const page = await context.newPage()
    const troubles = watch(page, app.origin)
    await page.goto(`/app${path}`)
    const look = async (name: string) => {
      await page.waitForLoadState('networkidle')
      // Whatever size the visit has.
      await showIn(page, { ...sights[0], height: phone.height })
      await checkLooks(page, { name, targets, height: size.height })
      await page.setViewportSize(size)
    }
    return {
      page,
      troubles,
      look,
      lookMore: async (name: string) => {
        if (thorough || process.env.PHOTOGRAPHS) await look(name)
      },
      close: async () => {
        await context.close()
        assert.deepEqual(troubles, [])
      },
    }
  }
  return { ...app, open }
}

/** What a thumb must hit. */
const targets = 'main button, main .button, main .control, nav a, nav button, .row-link'

/** A refusal of the service is an answer, though the browser logs it; a lost connection is what some tests are about. */
const expected =
  /Failed to load resource: (?:the server responded with a status of (?:401|403|404|422|429)|net::ERR_INTERNET_DISCONNECTED)/

function watch(page: Page, origin: string): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning'
    if (isBad && !expected.test(message.text())) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
      troubles.push(`asked ${url}`)
  })
  return troubles
}

export { goodPassword, newAccount }
