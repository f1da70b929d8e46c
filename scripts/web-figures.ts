// How the dashboard feels on a cheap phone and a slow link: the signed-in home on slow 3G (400 kbit/s, 400 ms there and
// back) and a processor four times slower, the first time and when its files are there. Written to web/RESULTS.md.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { demoPassword, launchBrowser, startWholeDemo } from './whole-demo.ts'

const slow3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const slowdown = 4
const rounds = 3

interface Figures {
  /** Milliseconds. */
  firstPaint: number
  balances: number
  interaction: number
  /** Over the wire, compressed. */
  scriptBytes: number
  bytes: number
}

const service = await startWholeDemo()
const browser = await launchBrowser()
try {
  const first: Figures[] = []
  const again: Figures[] = []
  for (let round = 0; round < rounds; round++) {
    const seen = await measure(browser, service.url)
    first.push(seen.first)
    again.push(seen.again)
  }
  const text = report({ first: medians(first), again: medians(again) })
  writeFileSync(new URL('../web/RESULTS.md', import.meta.url), text)
  console.log(text)
} finally {
  await browser.close()
  await service.stop()
}

async function measure(inBrowser: Browser, url: string): Promise<{ first: Figures; again: Figures }> {
  // A worker would answer for the network.
  const context = await inBrowser.newContext({
    baseURL: url,
    viewport: { width: 360, height: 740 },
    serviceWorkers: 'block',
  })
  const reply = await context.request.post('/api/auth/login', {
    data: { handle: 'amina', password: demoPassword, session: 'cookie' },
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
  })
  if (!reply.ok()) throw new Error(`The demo could not be signed in to: ${await reply.text()}`)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow3G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const first = await visit(page, session)
  const again = await visit(page, session)
  await context.close()
  return { first, again }
}

async function visit(page: Page, session: CDPSession): Promise<Figures> {
  const kinds = new Map<string, string>()
  let scriptBytes = 0
  let bytes = 0
  const onResponse = (event: { requestId: string; type: string }) => kinds.set(event.requestId, event.type)
  const onDone = (event: { requestId: string; encodedDataLength: number }) => {
    bytes += event.encodedDataLength
    if (kinds.get(event.requestId) === 'Script') scriptBytes += event.encodedDataLength
  }
  session.on('Network.responseReceived', onResponse)
  session.on('Network.loadingFinished', onDone)
  await page.goto('/app', { waitUntil: 'commit' })
  await page.locator('.purse-amount').waitFor()
  const balances = (await page.evaluate('performance.now()')) as number
  const firstPaint = (await page.evaluate(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
  )) as number
  await page.waitForLoadState('networkidle')
  session.off('Network.responseReceived', onResponse)
  session.off('Network.loadingFinished', onDone)
  return { firstPaint, balances, interaction: await interact(page), scriptBytes, bytes }
}

/** From a tap to the next frame, as browsers measure it: the menu opens without asking anybody. */
async function interact(page: Page): Promise<number> {
  await page.evaluate(`new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) window.longestTap = Math.max(window.longestTap ?? 0, duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(500)
  return ((await page.evaluate('window.longestTap')) as number | undefined) ?? 16
}

function medians(all: readonly Figures[]): Figures {
  const median = (read: (one: Figures) => number) =>
    all.map(read).sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
  return {
    firstPaint: median(({ firstPaint }) => firstPaint),
    balances: median(({ balances }) => balances),
    interaction: median(({ interaction }) => interaction),
    scriptBytes: median(({ scriptBytes }) => scriptBytes),
    bytes: median(({ bytes }) => bytes),
  }
}

function report({ first, again }: { first: Figures; again: Figures }): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const kilobytes = (count: number) => `${(count / 1_024).toFixed(0)} KB`
  const row = (name: string, read: (one: Figures) => string) =>
    `| ${name} | ${read(first)} | ${read(again)} |`
  return `# How the dashboard feels on a slow phone

Written by \`npm run web:figures\` on ${new Date().toISOString().slice(0, 10)}: the signed-in home at 360 px, slow 3G (400 kbit/s,
400 ms there and back), a processor ${slowdown} times slower than this machine's (${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}).
Median of ${rounds} visits. Times belong to this machine; sizes do not.

| | first visit | next visit |
|---|---:|---:|
${row('first contentful paint', (one) => seconds(one.firstPaint))}
${row('balances are there', (one) => seconds(one.balances))}
${row('longest tap to next frame', (one) => `${Math.round(one.interaction)} ms`)}
${row('script, compressed', (one) => kilobytes(one.scriptBytes))}
${row('everything, compressed', (one) => kilobytes(one.bytes))}
`
}
