// The pages as a person meets them: each fits a small phone and a desktop, one in light, one in dark, passes axe, has targets wide
// enough for a thumb and asks no other host for anything; and a phone is answered by hand, with the script and without it.
// PHOTOGRAPHS=folder keeps a picture of each.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { checkLooks, sights } from '../../server/test/looks.ts'
import { openBrowser, pagePatienceMs } from '../../server/test/visits.ts'
import { msisdn, mtnCaller, openBench, paystackCaller, quick } from './callers.ts'

const bench = await openBench({ delays: { ...quick, prompt: 30_000 } })
after(() => bench.close())
const { url, phones } = bench.simulator
const mtn = await mtnCaller(bench)
const paystack = paystackCaller(bench)
const browser = await openBrowser()

let used = 0
/** A number that nobody had before, ending as wanted. */
const newNumber = (ending = '001') => `25677${String(++used).padStart(4, '0')}${ending}`

const collect = async (number: string, amount = '28000') => {
  const id = randomUUID()
  const body = { amount, payer: msisdn(number), payerMessage: '2 Rwenzori coffee 500 g' }
  assert.equal((await mtn.order('requesttopay', { id, body })).status, 202)
  return id
}
const statusOf = async (id: string) => (await mtn.status('requesttopay', id)).body

async function ended(id: string) {
  for (let tries = 0; tries < 200; tries++) {
    const body = await statusOf(id)
    if (body.status !== 'PENDING') return body
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('it did not end')
}

async function visit(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(pagePatienceMs)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) troubles.push(`asks ${request.url()}`)
  })
  await page.goto(url + path)
  return { page, context, troubles }
}

const isWatched = async (number: string) => {
  for (let tries = 0; tries < 200 && !phones.isWatched(number); tries++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  assert.ok(phones.isWatched(number))
}

describe('by hand', () => {
  test('the phone rings, a PIN is typed on its keypad, the message comes; the caller is told', async () => {
    const number = newNumber('049')
    const { page, context, troubles } = await visit(`/phones/${number}`)
    await isWatched(number)
    const id = await collect(number)
    const dialog = page.getByRole('dialog', { name: /UGX 28,000 for 2 Rwenzori coffee/ })
    await dialog.waitFor()
    await page.locator('#pin:focus').waitFor()
    for (const digit of '4882') await page.getByRole('button', { name: digit, exact: true }).click()
    await page.getByRole('button', { name: 'Erase the last digit' }).click()
    await page.getByRole('button', { name: '1', exact: true }).click()
    assert.equal(await page.locator('#pin').inputValue(), '4881')
    // What changes elsewhere on the phone takes nothing away from who is typing.
    phones.sms({ msisdn: number, from: 'MTN', text: 'Your bundle ends tomorrow.' })
    await page.getByText('Your bundle ends tomorrow.').waitFor({ state: 'attached' })
    assert.equal(await page.locator('#pin').inputValue(), '4881')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('You have paid UGX 28,000').waitFor()
    await page.locator('#history .state-paid').waitFor()
    assert.equal(await dialog.count(), 0)
    assert.equal((await statusOf(id)).status, 'SUCCESSFUL')
    assert.deepEqual(troubles, [])
    await context.close()
  })

  test('with the keyboard only: typed, sent by Enter; a wrong PIN; a refusal', async () => {
    const number = newNumber()
    const { page, context } = await visit(`/phones/${number}`)
    await isWatched(number)
    const wrong = await collect(number)
    await page.locator('#pin:focus').waitFor()
    await page.keyboard.type('0000')
    await page.keyboard.press('Enter')
    await page.getByText('You have entered a wrong PIN').waitFor()
    assert.equal((await statusOf(wrong)).status, 'FAILED')
    const refused = await collect(number)
    await page.locator('#pin:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('You cancelled the request').waitFor()
    assert.match(JSON.stringify((await statusOf(refused)).reason), /APPROVAL_REJECTED/)
    await context.close()
  })

  test('without a script: the page loads again by itself, and the form does the rest', async () => {
    const number = newNumber('999')
    const id = await collect(number)
    const { page, context } = await visit(`/phones/${number}`, { javaScriptEnabled: false })
    assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0, 'who types is not interrupted')
    await page.locator('#pin').fill('4821')
    await page.getByRole('button', { name: 'Send' }).click()
    assert.equal((await ended(id)).status, 'SUCCESSFUL')
    await page.goto(`${url}/phones/${number}`)
    await page.getByText('You have paid UGX 28,000').waitFor()
    assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 1)
    await context.close()
  })

  test('a phone that rings is shown on the first page, and to pick it up is a click', async () => {
    const { page, context } = await visit('/')
    const number = newNumber('999')
    const id = await collect(number)
    await page
      .locator('#ringing a')
      .filter({ hasText: number.slice(-3) })
      .last()
      .click()
    await page.locator('#pin').fill('1111')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('You have too little money').waitFor()
    assert.equal((await ended(id)).status, 'FAILED')
    await context.close()
  })

  test('a form of another site is refused', async () => {
    const number = newNumber('999')
    await collect(number)
    const [prompt] = phones.prompts(number)
    const answer = await fetch(`${url}/phones/${number}/prompts/${prompt?.id}`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ answer: 'approve', pin: '4821' }),
    })
    assert.equal(answer.status, 403)
    assert.equal(phones.prompts(number).length, 1)
    phones.answer(prompt?.id ?? '', { answer: 'refused' })
  })
})

async function newCard() {
  const { body } = await paystack.post('/transaction/initialize', {
    email: 'customer@example.com',
    amount: 1_500_000,
    currency: 'NGN',
    reference: randomUUID(),
    callback_url: `${url}/numbers`,
  })
  return body.data as { authorization_url: string; reference: string }
}

describe('the card page', () => {
  const verified = async (reference: string) =>
    (await paystack.get(`/transaction/verify/${reference}`)).body.data.status
  for (const [button, status] of [
    ['Pay NGN 15,000.00', 'success'],
    ['Decline it', 'failed'],
    ['Pay, and lose the news', 'success'],
  ] as const) {
    test(`${button}: ${status}, and the browser returns`, async () => {
      const card = await newCard()
      const { page, context } = await visit(card.authorization_url.slice(url.length))
      await page.getByRole('button', { name: button }).first().click()
      await page.waitForURL(`${url}/numbers?*reference=${card.reference}*`)
      assert.equal(await verified(card.reference), status)
      await page.goto(card.authorization_url)
      assert.equal(await page.getByRole('button').count(), 0, 'it is decided once')
      await context.close()
    })
  }
})

test('knobs turn, and say so', async () => {
  const { page, context } = await visit('/developers')
  await page.getByLabel('Lost').fill('12.5')
  await page.getByLabel('Slow answers').fill('5')
  await page.getByLabel('Airtel Money').selectOption('unavailable')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').waitFor()
  const { lost, answer_delay_ms: delay, outages } = bench.simulator.knobs()
  assert.deepEqual([lost, delay, outages.airtel, outages.mtn], [0.125, 5, 'unavailable', 'none'])
  assert.equal(await page.getByLabel('Lost').inputValue(), '12.5')
  await page.getByRole('button', { name: 'All well' }).click()
  await page.getByRole('status').waitFor()
  assert.deepEqual([bench.simulator.knobs().lost, bench.simulator.knobs().outages.airtel], [0, 'none'])
  await context.close()
})

/** Brings a browser to a page. */
const states: Record<string, (page: Page) => Promise<unknown>> = {
  activity: async (page) => {
    for (const ending of ['001', '049', '129', '139', '169']) await ended(await collect(newNumber(ending)))
    await collect(newNumber('999'))
    await bench.simulator.settled(100)
    await page.goto(`${url}/activity`)
  },
  home: (page) => page.goto(url),
  'home ringing': async (page) => {
    await collect(newNumber('999'))
    await page.goto(url)
    await page.locator('#ringing a').first().waitFor()
  },
  'no number': (page) => page.goto(`${url}/phones?number=hello`),
  'phone empty': (page) => page.goto(`${url}/phones/${newNumber()}`),
  'phone of no network': (page) => page.goto(`${url}/phones/4915112345678`),
  'phone prompt': async (page) => {
    const number = newNumber('999')
    await collect(number, '1250000')
    await page.goto(`${url}/phones/${number}`)
    await page.locator('.keypad').waitFor()
    await page.keyboard.type('48')
  },
  'phone payout': async (page) => {
    const number = newNumber('999')
    await mtn.order('transfer', { id: randomUUID(), body: { payee: msisdn(number) } })
    await page.goto(`${url}/phones/${number}`)
    await page.getByRole('button', { name: 'Accept' }).waitFor()
  },
  'phone messages': async (page) => {
    const number = newNumber()
    for (const ending of ['001', '049', '039']) await ended(await collect(number.slice(0, -3) + ending))
    for (let times = 0; times < 3; times++) await ended(await collect(number))
    await page.goto(`${url}/phones/${number}`)
    await page.locator('.sms').first().waitFor()
  },
  numbers: (page) => page.goto(`${url}/numbers`),
  operation: async (page) => {
    const id = await collect(newNumber('139'))
    await ended(id)
    await bench.simulator.settled(100)
    await page.goto(`${url}/activity/mtn-${id}`)
    await page.locator('.callbacks .chip').first().waitFor()
  },
  developers: (page) => page.goto(`${url}/developers`),
  card: async (page) => page.goto((await newCard()).authorization_url),
  'no card': (page) => page.goto(`${url}/paystack/pay/nothing`),
  missing: (page) => page.goto(`${url}/phones/abc`),
}

const targets =
  '.button, .pick, .pill, .menu-link, .keypad button, .dialog-key, main input, .outcome, .operation'

describe('looks', async () => {
  const { width, colorScheme } = sights[0]
  const { page, troubles, context } = await visit('/', { viewport: { width, height: 740 }, colorScheme })
  after(() => context.close())
  for (const [name, open] of Object.entries(states)) {
    test(name, async () => {
      troubles.length = 0
      await open(page)
      await checkLooks(page, { name: `simulator ${name}`, targets })
      // These answer with 404 and 422 on purpose, and the browser logs that.
      assert.deepEqual(
        troubles.filter((one) => !/status of 4(04|22)/.test(one)),
        [],
      )
    })
  }
})

test('the first load of a phone is small: a slow link carries it', async () => {
  const bytes = async (path: string, encoding: string) => {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': encoding } })
    assert.equal(answer.headers.get('content-encoding'), encoding)
    // Node unpacks it; what counts is what was on the line.
    return Number(answer.headers.get('content-length'))
  }
  const page = await (await fetch(`${url}/phones/${newNumber()}`)).text()
  const assets = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.equal(assets.length, 3)
  const sizes = await Promise.all(assets.map((path) => bytes(path, 'br')))
  const all = sizes.reduce((sum, size) => sum + size, await bytes(`/phones/${newNumber()}`, 'gzip'))
  assert.ok(all < 14 * 1024, `${all} bytes`)
})
