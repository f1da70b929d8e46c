// Photographs for docs/guides/tour.md and the README: the demo that `npm start` brings, at the size of a phone and of a
// desk. Run it again when pages have changed.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { demoPassword, demoPin, launchBrowser, startWholeDemo } from './whole-demo.ts'

const folder = fileURLToPath(new URL('../docs/images/tour', import.meta.url))
mkdirSync(folder, { recursive: true })

interface Stop {
  name: string
  handle: 'amina' | 'operator'
  path: string
  wide?: boolean
  dark?: boolean
  /** What to do there before the photograph. */
  before?: (page: Page) => Promise<unknown>
}

const stops: Stop[] = [
  { name: 'home-phone', handle: 'amina', path: '' },
  { name: 'home', handle: 'amina', path: '', wide: true },
  {
    name: 'send-phone',
    handle: 'amina',
    path: '/send?to=juma',
    before: (page) => page.getByLabel('Amount').fill('25,000'),
  },
  { name: 'history', handle: 'amina', path: '/history', wide: true, dark: true },
  { name: 'groups-phone', handle: 'amina', path: '/groups' },
  { name: 'campaigns', handle: 'amina', path: '/campaigns', wide: true },
  { name: 'business', handle: 'amina', path: '/business', wide: true },
  { name: 'integrate', handle: 'amina', path: '/business/integrate', wide: true },
  { name: 'operator', handle: 'operator', path: '/operator', wide: true },
  { name: 'books', handle: 'operator', path: '/operator/books', wide: true, dark: true, before: checkBooks },
]

const service = await startWholeDemo()
const browser = await launchBrowser()
try {
  await live()
  for (const stop of stops) {
    await photograph(browser, stop)
    console.log(`docs/images/tour/${stop.name}.png`)
  }
} finally {
  await browser.close()
  await service.stop()
}

/** Some days in a life, so that there is something to see. */
async function live(): Promise<void> {
  const juma = await personCalled('juma')
  const amina = await personCalled('amina')
  const sent = [
    ['juma', 18_500, 'Tomatoes and onions'],
    ['juma', 60_000, 'Rent, first half'],
    ['neema', 12_000, 'Bus to Mwanza'],
  ] as const
  for (const [recipient, amount, note] of sent)
    await amina('/api/send', { recipient, amount, currency: 'UGX', note, pin: demoPin })
  await juma('/api/send', {
    recipient: 'amina',
    amount: 45_000,
    currency: 'UGX',
    note: 'For the dress',
    pin: demoPin,
  })
  await juma('/api/requests', { from: 'amina', amount: 9_000, currency: 'UGX', note: 'Lunch on Friday' })
}

/** What somebody posts. */
async function personCalled(handle: string) {
  const post = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const reply = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = (await reply.json()) as { data: { token: string } }
    if (!reply.ok) throw new Error(`${handle}, ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const { data } = await post('/api/auth/login', { handle, password: demoPassword })
  return (path: string, body: object) => post(path, body, data.token)
}

async function checkBooks(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check the books now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Check the books now' }).click()
  await page.getByText('Right to the last unit').waitFor()
  await page.getByRole('table').first().waitFor()
}

async function photograph(
  inBrowser: Browser,
  { name, handle, path, wide, dark, before }: Stop,
): Promise<void> {
  const context = await inBrowser.newContext({
    baseURL: service.url,
    viewport: wide ? { width: 1280, height: 800 } : { width: 360, height: 740 },
    colorScheme: dark ? 'dark' : 'light',
    deviceScaleFactor: wide ? 1 : 2,
    locale: 'en',
  })
  const reply = await context.request.post('/api/auth/login', {
    data: { handle, password: demoPassword, session: 'cookie' },
    headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
  })
  if (!reply.ok()) throw new Error(`${handle} could not sign in: ${await reply.text()}`)
  const page = await context.newPage()
  await page.goto(`/app${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await before?.(page)
  await page.screenshot({ path: `${folder}/${name}.png` })
  await context.close()
}
