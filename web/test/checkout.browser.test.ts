// The checkout in a real browser: the whole way works with JavaScript on and off, in three languages, and by keyboard; it
// arrives in 14 KB; impatience pays once; and nothing that a merchant writes becomes more than text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  asked,
  confirm,
  logIn,
  origin,
  sandbox,
  server,
  shopUrl,
  visit,
  waiting,
} from '../../server/test/checkout-visits.ts'
import { type AskedPayment, payInCheckout, testBrowser } from '../../server/test/checkouts.ts'
import { reconcile } from '../../server/test/helpers.ts'
import { available, fund, register, testPassword, testPin } from '../../server/test/people.ts'
import { also, longTest, thorough } from '../../server/test/thorough.ts'
import { payloads } from '../../server/test/xss-payloads.ts'

const bytesMax = 14 * 1024

describe('the whole way', () => {
  const words = {
    en: { go: 'Continue', pay: 'Pay UGX 10,000', paid: 'Paid', back: 'Return to Duka la Amina' },
    sw: { go: 'Endelea', pay: 'Lipa UGX 10,000', paid: 'Umelipa', back: 'Rudi Duka la Amina' },
    fr: { go: 'Continuer', pay: /^Payer UGX.10.000$/, paid: 'Payé', back: 'Retourner chez Duka la Amina' },
  } as const
  for (const javaScriptEnabled of [true, false]) {
    const usual = javaScriptEnabled ? (['fr'] as const) : (['sw'] as const)
    const others = javaScriptEnabled ? (['en', 'sw'] as const) : (['en', 'fr'] as const)
    for (const locale of [...usual, ...also(others)]) {
      const say = words[locale]
      test(`JavaScript ${javaScriptEnabled ? 'on' : 'off'}, ${locale}`, async () => {
        const { path, payment } = await asked()
        const { page, troubles, close } = await visit(path, { javaScriptEnabled, locale })
        await page.locator('#name').fill(sandbox.handle)
        await page.locator('#password').fill(sandbox.password)
        await page.getByRole('button', { name: say.go }).click()
        await page.locator('#pin').fill(sandbox.pin)
        await page.getByRole('button', { name: say.pay }).click()
        await page.getByRole('heading', { level: 1, name: say.paid }).waitFor()
        assert.ok(await page.getByText(payment.reference).isVisible())
        await page.getByRole('link', { name: say.back }).click()
        await page.getByRole('heading', { name: 'The shop' }).waitFor()
        const url = new URL(page.url())
        assert.equal(url.pathname, '/thanks')
        assert.deepEqual(Object.fromEntries(url.searchParams), {
          ref_trx: payment.refTrx,
          reference: payment.reference,
          status: 'completed',
        })
        assert.deepEqual(troubles, [])
        await close()
      })
    }

    if (javaScriptEnabled && !thorough) continue
    test(`cancelling, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      const { path } = await asked()
      const { page, close } = await visit(path, { javaScriptEnabled })
      await page.getByRole('link', { name: 'Cancel the payment' }).click()
      await page.getByRole('link', { name: 'No, keep paying' }).click()
      await page.getByRole('link', { name: 'Cancel the payment' }).click()
      await page.getByRole('button', { name: 'Yes, cancel it' }).click()
      await page.getByRole('heading', { name: 'Payment cancelled' }).waitFor()
      await page.getByRole('link', { name: 'Return to Duka la Amina' }).click()
      await page.waitForURL(`${shopUrl}/basket?*`)
      await close()
    })
  }

  test('with a person and real money, and the other languages on the way', async () => {
    const amina = await register(server)
    await fund(server, amina, { amount: '50000' })
    const { path } = await asked({ mode: 'live' })
    const { page, close, troubles } = await visit(path)
    await page.getByRole('link', { name: 'Kiswahili' }).click()
    await page.getByText('Ungependa kulipa vipi?').waitFor()
    await logIn(page, { handle: `@${amina.handle}`, password: testPassword })
    assert.ok(await page.getByText('50,000').isVisible())
    await page.getByRole('link', { name: 'Français' }).click()
    await page.getByText('Confirmez le paiement').waitFor()
    await confirm(page, testPin)
    await page.getByRole('heading', { name: 'Payé' }).waitFor()
    assert.match((await page.locator('main').textContent()) ?? '', /40\s000/)
    assert.equal(await available(server, amina), 40_000n)
    assert.deepEqual(troubles, [])
    await close()
    await reconcile(server)
  })

  test('by keyboard only, and the focus is always seen', async () => {
    const { path } = await asked()
    const { page, close } = await visit(path)
    const outlined = () =>
      page.evaluate(() => {
        const style = getComputedStyle(document.activeElement ?? document.body)
        return style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2
      })
    const tabTo = async (selector: string) => {
      for (let steps = 0; steps < 20; steps++) {
        await page.keyboard.press('Tab')
        assert.ok(await outlined(), 'the focus is seen')
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
      }
      assert.fail(`the keyboard does not reach ${selector}`)
    }
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the payment')
    await page.keyboard.press('Enter')
    await tabTo('#name')
    await page.keyboard.type(sandbox.handle)
    await tabTo('#password')
    await page.keyboard.type(sandbox.password)
    await page.keyboard.press('Enter')
    await page.locator('#pin').waitFor()
    await tabTo('#pin')
    await page.keyboard.type('1111')
    await page.keyboard.press('Enter')
    await page.getByText('The PIN is wrong.').waitFor()
    assert.equal(
      await page.evaluate(() => document.activeElement?.id),
      'pin',
      'the wrong field has the focus',
    )
    await page.keyboard.type(sandbox.pin)
    await tabTo('form[action*="/pay"] button')
    await page.keyboard.press('Space')
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await tabTo('a.main')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${shopUrl}/thanks?*`)
    await close()
  })
})

test('the first page arrives in 14 KB, with everything it needs', async () => {
  const { path } = await asked()
  const sizes: Promise<[string, number]>[] = []
  const { page, close } = await visit(path, {}, (unseen) =>
    unseen.on('requestfinished', (request) => {
      sizes.push(
        request
          .sizes()
          .then((size) => [
            new URL(request.url()).pathname,
            size.responseBodySize + size.responseHeadersSize,
          ]),
      )
    }),
  )
  await page.waitForLoadState('networkidle')
  const all = await Promise.all(sizes)
  const bytes = all.reduce((sum, [, size]) => sum + size, 0)
  assert.deepEqual(
    all
      .map(([name]) => name)
      .filter((name) => name !== '/favicon.svg')
      .toSorted(),
    ['/checkout', '/checkout.css', '/checkout.js'],
  )
  assert.ok(bytes > 2_000 && bytes <= bytesMax, `${bytes} bytes: ${JSON.stringify(all)}`)
  await close()
})

describe('impatience', () => {
  const posts = async (payment: AskedPayment) =>
    (await server.payments.details(payment.payment)).attempts.length

  // With JavaScript the button takes no second press, which is below.
  for (const javaScriptEnabled of [false, ...also([true])]) {
    test(`a double click pays once, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      const payment = await asked()
      const { page, close } = await visit(payment.path, { javaScriptEnabled })
      await logIn(page, sandbox)
      await page.locator('#pin').fill(sandbox.pin)
      await page.locator('form[action*="/pay"] button').dblclick()
      await page.getByRole('heading', { name: 'Paid' }).waitFor()
      assert.equal(await posts(payment), 1)
      await close()
    })
  }

  for (const javaScriptEnabled of [true, ...also([false])]) {
    test(`back and reload after the payment show the receipt, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      const payment = await asked()
      const { page, close } = await visit(payment.path, { javaScriptEnabled })
      await logIn(page, sandbox)
      await confirm(page)
      await page.getByRole('heading', { name: 'Paid' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Paid' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Paid' }).waitFor()
      await page.getByRole('link', { name: 'Return to' }).click()
      await page.waitForURL(`${shopUrl}/thanks?*`)
      await page.goBack()
      await page.getByRole('heading', { name: 'Paid' }).waitFor()
      assert.equal(await posts(payment), 1)
      await close()
    })
  }

  test('while it is sent the button says so, and takes no second press', async () => {
    const payment = await asked()
    const { page, close } = await visit(payment.path)
    await logIn(page, sandbox)
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') sent += 1
    })
    await page.locator('#pin').fill(sandbox.pin)
    const button = page.locator('form[action*="/pay"] button')
    const words = await button.evaluate((element: HTMLButtonElement) => {
      element.click()
      element.click()
      return element.textContent
    })
    assert.equal(words, 'Paying…')
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    assert.equal(sent, 1)
    await close()
  })

  test('two tabs of one customer, and the second one hears of it by itself', async () => {
    const payment = await asked()
    const { page, context, close } = await visit(payment.path)
    await logIn(page, sandbox)
    const second = await context.newPage()
    await second.goto(origin + payment.path)
    await second.locator('#pin').waitFor()
    await confirm(page)
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await second.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await second.getByRole('heading', { name: 'Paid' }).waitFor()
    assert.equal(await posts(payment), 1)
    await close()
  })

  longTest('a second customer with the same link', async () => {
    const payment = await asked()
    const one = await visit(payment.path)
    const other = await visit(payment.path)
    await logIn(one.page, sandbox)
    await logIn(other.page, { ...sandbox, handle: 'test_poor' })
    await confirm(one.page)
    await one.page.getByRole('heading', { name: 'Paid' }).waitFor()
    await confirm(other.page)
    await other.page.getByRole('heading', { name: 'This payment was made already' }).waitFor()
    assert.ok(await other.page.getByText('No money left your wallet.').isVisible())
    await one.close()
    await other.close()
  })
})

describe('by itself, with JavaScript', () => {
  test('the page that waits shows the outcome as soon as it is known', async () => {
    const payment = await asked()
    const { page, close } = await visit('/checkout?token=nothing')
    await waiting(page, payment)
    await payInCheckout(testBrowser(server), payment, sandbox)
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await close()
  })

  test('after the receipt the customer goes back to the shop, unless they stay', async () => {
    const { path } = await asked()
    // A page of its own: the clock stays.
    const { page, close } = await visit(path, {}, () => undefined)
    await logIn(page, sandbox)
    await page.clock.install()
    await confirm(page)
    await page.getByText('You go back in 15 seconds.').waitFor()
    await page.clock.runFor(5_000)
    await page.getByText('You go back in 10 seconds.').waitFor()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await page.clock.runFor(20_000)
    assert.ok(await page.getByRole('heading', { name: 'Paid' }).isVisible())
    await page.reload()
    await page.getByText('You go back in 15 seconds.').waitFor()
    await page.clock.runFor(16_000)
    await page.waitForURL(`${shopUrl}/thanks?*`)
    await close()
  })

  test('the time that is left runs, and at its end the page says so', async () => {
    const { path } = await asked()
    const { page, close } = await visit(path, {}, (unseen) => unseen.clock.install())
    await page.getByText('30 minutes left to pay').waitFor()
    await page.clock.runFor(61_000)
    await page.getByText('28 minutes left to pay').waitFor()
    await page.clock.runFor(27 * 60_000)
    await page.getByText('1 minute left to pay').waitFor()
    server.clock.advance(30 * 60)
    await page.clock.runFor(2 * 60_000)
    await page.getByRole('heading', { name: 'This payment has expired' }).waitFor()
    await close()
  })
})

/** What one page shows, as the name of the shop and as what is bought. */
interface Shown {
  names: readonly string[]
  bought: readonly string[]
}

/** Six a page, and each of them must be there as it was written; in the thorough form each alone, and in both places. */
const shown: Shown[] = thorough
  ? payloads.map((payload) => ({ names: [payload], bought: [payload] }))
  : Array.from({ length: Math.ceil(payloads.length / 6) }, (_, page) => {
      const six = payloads.slice(page * 6, page * 6 + 6)
      return { names: six.slice(0, 2), bought: six.slice(2) }
    })

test(`${payloads.length} texts of merchants that try to be more than text`, async () => {
  assert.ok(payloads.length >= 60)
  assert.equal(
    new Set(shown.flatMap(({ names, bought }) => [...names, ...bought])).size,
    new Set(payloads).size,
  )
  const { page, troubles, close } = await visit('/checkout?token=nothing')
  const readsIn = async (selector: string, texts: readonly string[]) => {
    const text = (await page.locator(selector).textContent()) ?? ''
    for (const payload of texts) assert.ok(text.includes(payload), payload)
  }
  for (const [index, { names, bought }] of shown.entries()) {
    const [merchantName, description] = [names.join(' '), bought.join(' ')]
    const refTrx = `${names[0]} ${index}`
    const { path, payment } = await asked({ merchantName, description, refTrx })
    await page.goto(origin + path)
    await readsIn('.what', [...names, ...bought])
    assert.equal(
      await page
        .locator('main script, main img, main iframe, .order script, .order img, .order iframe')
        .count(),
      0,
    )
    const odd = encodeURIComponent(bought[0] ?? '')
    if (index % 6 === 0) await page.goto(`${origin}${path}&step=${odd}&lang=${odd}`)
    if (index % 3 !== 0) continue
    if (index % 2 === 0) await payInCheckout(testBrowser(server), { path }, sandbox)
    else await server.payments.cancel(payment)
    await page.goto(origin + path)
    await readsIn('main', names)
  }
  // What a customer types comes back too.
  for (const payload of payloads.filter((_, index) => index % (thorough ? 6 : 12) === 0)) {
    await page.goto(origin + (await asked()).path)
    await page.locator('#name').fill(payload.replaceAll('\n', ' '))
    await page.locator('#password').fill(payload.replaceAll('\n', ' '))
    await page.locator('form[action*="/login"] button').click()
    await page.locator('#problem').waitFor()
    assert.equal(await page.locator('#name').inputValue(), payload.replaceAll('\n', ' '))
  }
  assert.deepEqual(troubles, [])
  await close()
})
