// The checkout promises, over HTTP and with real money: a link shows its payment and nothing else; a wallet is shown
// after a login and charged after the PIN; and whoever confirms, as often as they like, the payment is paid once.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { newBusiness } from '../../test/businesses.ts'
import { ask, formIn, type Page, payInCheckout, type TestBrowser, testBrowser } from '../../test/checkouts.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { available, fund, register, testPassword, testPin } from '../../test/people.ts'
import { AppError } from '../base/errors.ts'
import { openCheckout } from './checkout.ts'

const server = await testApp()
afterEach(() => reconcile(server))
const business = await newBusiness(server)
const fraud = await newBusiness(server)

const person = async (amount = '50000') => {
  const made = await register(server)
  await fund(server, made, { amount })
  return made
}

const loggedIn = async (browser: TestBrowser, path: string, who: { handle: string }): Promise<Page> =>
  browser.submit(await browser.get(path), 'login', { name: who.handle, password: testPassword })

describe('paying from a wallet', () => {
  test('who logs in and confirms with the PIN has paid', async () => {
    const amina = await person()
    const asked = await ask(server, business, { price: '10000' })
    const browser = testBrowser(server)
    const first = await browser.get(asked.path)
    assert.equal(first.status, 200)
    assert.match(
      first.text,
      /Pay Duka la Amina UGX 10,000 Two bags of coffee Order number ORDER-\d+ 30 minutes left to pay/,
    )
    const confirm = await browser.submit(first, 'login', { name: amina.handle, password: testPassword })
    assert.match(confirm.text, new RegExp(`You pay as ${amina.name} @${amina.handle}`))
    assert.match(confirm.text, /From UGX wallet Balance UGX 50,000 Fee None Balance afterwards UGX 40,000/)
    assert.match(confirm.text, /Pay UGX 10,000/)
    assert.equal(await available(server, amina), 50_000n)
    const receipt = await browser.submit(confirm, 'pay', { pin: testPin })
    assert.match(receipt.text, new RegExp(`Paid UGX 10,000 Reference ${asked.payment.reference}`))
    assert.match(receipt.text, /Balance now UGX 40,000 Return to Duka la Amina/)
    assert.equal(await available(server, amina), 40_000n)
    const paid = await server.payments.byNumber(asked.payment.number)
    assert.equal(paid?.status, 'completed')
    assert.equal(paid?.customer, `${amina.name} (@${amina.handle})`)
    const name = { kind: 'merchant', owner: String(business.id), currency: 'UGX', mode: 'live' } as const
    const [account] = await server.ledger.balances(server.db, [name])
    assert.equal(account?.balance, 9_800n, 'less the fee of 2 %')
  })

  const names: [what: string, name: (handle: string) => string][] = [
    ['handle', (handle) => handle],
    ['handle with an @ and in capitals', (handle) => ` @${handle.toUpperCase()} `],
    ['e-mail', (handle) => `${handle}@example.test`],
  ]
  for (const [what, name] of names) {
    test(`the login takes a ${what}`, async () => {
      const amina = await person()
      const { path } = await ask(server, business)
      const browser = testBrowser(server)
      const typed = { name: name(amina.handle), password: testPassword }
      const page = await browser.submit(await browser.get(path), 'login', typed)
      assert.match(page.text, /Confirm the payment/)
    })
  }

  test('the login takes a phone number, also as it is dialled at home', async () => {
    const body = {
      name: 'Okello',
      phone: '+256772111222',
      password: testPassword,
      country: 'UG',
      pin: testPin,
    }
    const reply = await server.app.inject({ method: 'POST', url: '/api/auth/register', payload: body })
    assert.equal(reply.statusCode, 201, reply.body)
    for (const name of ['+256 772 111 222', '0772 111222', '00256772111222']) {
      const { path } = await ask(server, business)
      const browser = testBrowser(server)
      const page = await browser.submit(await browser.get(path), 'login', { name, password: testPassword })
      assert.match(page.text, /Confirm the payment/, name)
    }
  })

  test('nothing of a wallet is shown before the login, nor to another browser', async () => {
    const amina = await person()
    const { path } = await ask(server, business)
    const hers = testBrowser(server)
    await loggedIn(hers, path, amina)
    for (const page of [
      await testBrowser(server).get(path),
      await testBrowser(server).get(`${path}&step=confirm`),
    ]) {
      assert.doesNotMatch(page.text, new RegExp(`50,000|${amina.name}|${amina.handle}`))
      assert.match(page.text, /How do you want to pay/)
    }
  })

  test('a login is for one payment only, and for ten minutes', async () => {
    const amina = await person()
    const one = await ask(server, business)
    const other = await ask(server, business)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, one.path, amina)
    assert.match((await browser.get(other.path)).text, /How do you want to pay/)
    server.clock.advance(601)
    assert.match((await browser.get(one.path)).text, /How do you want to pay/)
    const late = await browser.submit(confirm, 'pay', { pin: testPin })
    assert.equal(late.status, 403)
    assert.match(late.text, /You were logged out to protect your wallet. No money has left it/)
    assert.equal(await available(server, amina), 50_000n)
  })

  test('two payments in two tabs of one browser', async () => {
    const amina = await person()
    const browser = testBrowser(server)
    const [one, other] = [await ask(server, business), await ask(server, business, { price: '7000' })]
    const first = await loggedIn(browser, one.path, amina)
    const second = await loggedIn(browser, other.path, amina)
    assert.match((await browser.submit(first, 'pay', { pin: testPin })).text, /Paid UGX 10,000/)
    assert.match((await browser.submit(second, 'pay', { pin: testPin })).text, /Paid UGX 7,000/)
    assert.equal(await available(server, amina), 33_000n)
  })

  test('who comes from the shop again keeps the login of the other tab', async () => {
    const amina = await person()
    const { path } = await ask(server, business)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, path, amina)
    // SameSite=Strict: a link on another site brings no cookie, and must not get one.
    const fromShop = await testBrowser(server).get(path)
    assert.equal(fromShop.headers['set-cookie'], undefined)
    assert.match((await browser.submit(confirm, 'pay', { pin: testPin })).text, /Paid UGX 10,000/)
  })

  test('logging out shows the choice again, and the login is gone', async () => {
    const amina = await person()
    const { path } = await ask(server, business)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, path, amina)
    const page = await browser.submit(confirm, 'logout')
    assert.match(page.text, /How do you want to pay/)
    assert.equal(browser.cookies.size, 0)
  })
})

describe('once', () => {
  test('a double click, a reload and the back button pay once', async () => {
    const amina = await person()
    const { path } = await ask(server, business)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, path, amina)
    const clicks = await Promise.all(
      Array.from({ length: 8 }, () => browser.submit(confirm, 'pay', { pin: testPin })),
    )
    for (const page of clicks) assert.match(page.text, /Paid UGX 10,000/)
    assert.match((await browser.get(path)).text, /Paid UGX 10,000/)
    assert.match((await browser.submit(confirm, 'pay', { pin: testPin })).text, /Paid UGX 10,000/)
    assert.equal(await available(server, amina), 40_000n)
  })

  test('a second customer with the same link pays nothing, and is told so', async () => {
    const [amina, baraka] = [await person(), await person()]
    const { path } = await ask(server, business)
    const [hers, his] = [testBrowser(server), testBrowser(server)]
    const confirm = await loggedIn(his, path, baraka)
    await payInCheckout(hers, { path }, amina)
    const late = await his.submit(confirm, 'pay', { pin: testPin })
    assert.match(late.text, /This payment was made already No money left your wallet. Somebody has paid it/)
    assert.doesNotMatch(late.text, new RegExp(`${amina.name}|${amina.handle}`))
    assert.equal(await available(server, baraka), 50_000n)
    assert.doesNotMatch((await testBrowser(server).get(path)).text, /40,000/)
  })

  test('two customers at the same moment: one pays', async () => {
    const both = [await person(), await person()]
    const { path } = await ask(server, business)
    const tabs = await Promise.all(
      both.map(async (one) => {
        const browser = testBrowser(server)
        return { browser, confirm: await loggedIn(browser, path, one) }
      }),
    )
    const pages = await Promise.all(
      tabs.map(({ browser, confirm }) => browser.submit(confirm, 'pay', { pin: testPin })),
    )
    assert.equal(pages.filter(({ text }) => /^Skip.*Paid UGX 10,000/.test(text)).length, 1)
    assert.equal(pages.filter(({ text }) => /This payment was made already/.test(text)).length, 1)
    const left = await Promise.all(both.map((one) => available(server, one)))
    assert.deepEqual(left.toSorted(), [40_000n, 50_000n])
  })

  test('cancel and confirm at the same moment: one wins', async () => {
    for (let round = 0; round < 10; round++) {
      const amina = await person()
      const { path, payment } = await ask(server, business)
      const browser = testBrowser(server)
      const confirm = await loggedIn(browser, path, amina)
      const cancel = await browser.get(`${path}&step=cancel`)
      await Promise.all([browser.submit(confirm, 'pay', { pin: testPin }), browser.submit(cancel, 'cancel')])
      const after = await server.payments.byNumber(payment.number)
      assert.equal(await available(server, amina), after?.status === 'completed' ? 40_000n : 50_000n)
    }
  })

  test('a commit whose answer is lost: the page says that nobody knows, then what became of it', async () => {
    const amina = await person()
    const { path, token } = await ask(server, business)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, path, amina)
    const { proof = '' } = formIn(confirm.html, 'pay').hidden
    const payments: typeof server.payments = {
      ...server.payments,
      payFromWallet: async (payment, payer) => {
        await server.payments.payFromWallet(payment, payer)
        throw new AppError('unavailable')
      },
    }
    const checkout = openCheckout({ ...server.dependencies, payments, production: false })
    const cookie = [...browser.cookies.values()][0]
    const answer = await checkout.pay({ token, cookie, origin: {} }, { pin: testPin, proof })
    assert.ok(answer !== undefined && 'show' in answer)
    assert.equal(answer.status, 503)
    assert.equal(answer.show.step.step, 'waiting')
    assert.match((await browser.get(path)).text, /Paid UGX 10,000/)
  })
})

describe('wrong ones', () => {
  test('five wrong logins end the wallet for this payment, however they come', async () => {
    const amina = await person()
    const { path } = await ask(server, business)
    const browser = testBrowser(server)
    const page = await browser.get(path)
    const wrong = { name: amina.handle, password: 'not her password' }
    const one = await browser.submit(page, 'login', wrong)
    assert.equal(one.status, 422)
    assert.match(one.text, /The name or the password is wrong/)
    assert.match(one.html, new RegExp(`value="${amina.handle}"`))
    assert.doesNotMatch(one.html, /not her password/)
    await Promise.all(Array.from({ length: 8 }, () => browser.submit(page, 'login', wrong)))
    const right = await browser.submit(page, 'login', { name: amina.handle, password: testPassword })
    assert.match(right.text, /After five wrong logins/)
    assert.doesNotMatch(right.html, /type="password"/)
    const other = await ask(server, business)
    assert.match((await loggedIn(browser, other.path, amina)).text, /Confirm the payment/)
  })

  test('a right login is not counted', async () => {
    const amina = await person()
    const { path } = await ask(server, business)
    for (let time = 0; time < 7; time++) {
      assert.match((await loggedIn(testBrowser(server), path, amina)).text, /Confirm the payment/)
    }
  })

  test('empty fields say so, and count for nothing', async () => {
    const { path } = await ask(server, business)
    const browser = testBrowser(server)
    const page = await browser.get(path)
    for (let time = 0; time < 6; time++) {
      const again = await browser.submit(page, 'login', { name: 'amina', password: '' })
      assert.equal(again.status, 422)
      assert.match(again.text, /Fill in both fields/)
    }
  })

  test('a wrong PIN says how many are left, then the PIN is locked; no money moves', async () => {
    const amina = await person()
    const { path } = await ask(server, business)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, path, amina)
    const told: string[] = []
    for (let time = 0; time < 6; time++)
      told.push((await browser.submit(confirm, 'pay', { pin: '9999' })).text)
    assert.match(told[0] ?? '', /The PIN is wrong. No money has left your wallet. 4 attempts left/)
    assert.match(told[3] ?? '', /1 attempt left/)
    assert.match(told[5] ?? '', /Your PIN is locked/)
    assert.match((await browser.submit(confirm, 'pay', { pin: testPin })).text, /Your PIN is locked/)
    assert.equal(await available(server, amina), 50_000n)
  })

  test('after ten wrong ones no waiting helps, and the page says so', async () => {
    const amina = await person()
    for (let time = 0; time < 10; time++) {
      if (time === 5) server.clock.advance(30 * 60)
      const check = { user: amina.id, pin: '9999', origin: {} }
      await assert.rejects(server.users.checkPin(check), { code: 'pin_incorrect' })
    }
    const { path } = await ask(server, business)
    for (const [language, words] of [
      ['en', /Your PIN is disabled.* Set a new PIN/],
      ['sw', /PIN yako imezimwa.* Weka PIN mpya/],
      ['fr', /Votre PIN est désactivé.* Choisissez un nouveau PIN/],
    ] as const) {
      const browser = testBrowser(server, language)
      const confirm = await loggedIn(browser, path, amina)
      const page = await browser.submit(confirm, 'pay', { pin: testPin })
      assert.match(page.text, words)
      assert.doesNotMatch(page.html, /name="pin"/)
    }
  })

  const oddPins = ['', '12', '1234567', '12a4', '１２３４', '4827 ', ' 4827']
  for (const pin of oddPins) {
    test(`the PIN "${pin}" is not tried`, async () => {
      const amina = await person()
      const { path } = await ask(server, business)
      const browser = testBrowser(server)
      const page = await browser.submit(await loggedIn(browser, path, amina), 'pay', { pin })
      assert.equal(page.status, 422)
      assert.match(page.text, /The PIN has 4 to 6 digits/)
    })
  }

  test('who has no PIN, or too little, or a frozen account, is told before', async () => {
    const without = await register(server, { pin: undefined })
    const poor = await person('9999')
    const frozen = await person()
    await server.db.inTransaction((tx) =>
      server.users.freeze(tx, { user: frozen.id, by: { kind: 'test', id: 'test' }, origin: {} }),
    )
    server.users.forget(frozen.id)
    const rows = [
      [without, /Your wallet has no PIN yet/],
      [poor, /There is not enough money in this wallet/],
      [frozen, /Your account is frozen/],
    ] as const
    for (const [who, words] of rows) {
      const { path } = await ask(server, business)
      const page = await loggedIn(testBrowser(server), path, who)
      assert.match(page.text, words)
      assert.doesNotMatch(page.html, /name="pin"/)
    }
  })

  test('money that went elsewhere meanwhile: declined, five times at most', async () => {
    const amina = await person('10000')
    const { path, payment } = await ask(server, business)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, path, amina)
    const baraka = await register(server)
    const body = { recipient: baraka.handle, amount: 5000, currency: 'UGX', pin: testPin }
    assert.equal((await amina.call('POST', '/api/send', body)).status, 200)
    const page = await browser.submit(confirm, 'pay', { pin: testPin })
    assert.equal(page.status, 422)
    assert.match(page.text, /There is not enough money in this wallet. No money has left it/)
    for (let time = 0; time < 4; time++) await browser.submit(confirm, 'pay', { pin: testPin })
    assert.match(
      (await browser.get(path)).text,
      /Payment failed No money left your wallet. It was declined too many times/,
    )
    assert.equal((await server.payments.byNumber(payment.number))?.failure?.code, 'declined')
  })
})

describe('the end of it', () => {
  test('cancelling asks first, then says what became of the money', async () => {
    const { path, payment } = await ask(server, business)
    const browser = testBrowser(server)
    const asked = await browser.get(`${path}&step=cancel`)
    assert.match(asked.text, /Cancel this payment\? No money has left your wallet/)
    assert.equal((await server.payments.byNumber(payment.number))?.status, 'pending')
    const page = await browser.submit(asked, 'cancel')
    assert.match(page.text, /Payment cancelled No money left your wallet.*Return to Duka la Amina/)
    assert.equal((await server.payments.byNumber(payment.number))?.failure?.code, 'cancelled_by_customer')
  })

  test('a payment whose time is over is expired, before and after that is written down', async () => {
    const amina = await person()
    const { path, token } = await ask(server, business)
    const browser = testBrowser(server)
    server.clock.advance(29 * 60 + 30)
    const confirm = await loggedIn(browser, path, amina)
    assert.match(confirm.text, /Less than a minute left to pay/)
    server.clock.advance(30)
    const expired = /This payment has expired No money left your wallet. It was not made in time/
    assert.match((await browser.submit(confirm, 'pay', { pin: testPin })).text, expired)
    assert.deepEqual(JSON.parse((await browser.get(`/checkout/state?token=${token}`)).html), {
      state: 'failed',
    })
    await server.payments.expireDue()
    assert.match((await browser.get(path)).text, expired)
    assert.equal(await available(server, amina), 50_000n)
  })

  test('what became of it is shown for a day, then there is nothing', async () => {
    const { path, payment } = await ask(server, business)
    await server.payments.cancel(payment)
    const browser = testBrowser(server)
    server.clock.advance(24 * 3_600 - 1)
    assert.equal((await browser.get(path)).status, 200)
    server.clock.advance(1)
    assert.equal((await browser.get(path)).status, 404)
  })

  test('a refund is told', async () => {
    const amina = await person()
    const { path, payment } = await ask(server, business)
    await payInCheckout(testBrowser(server), { path }, amina)
    const paid = await server.payments.byNumber(payment.number)
    assert.ok(paid !== undefined)
    await server.payments.refund(paid, { amount: undefined, reason: null, key: undefined })
    assert.match(
      (await testBrowser(server).get(path)).text,
      /Refunded The money went back to where it came from/,
    )
  })

  test('a suspended business gets no money, and no customers sent back', async () => {
    const amina = await person()
    const paid = await ask(server, fraud)
    await payInCheckout(testBrowser(server), paid, amina)
    const open = await ask(server, fraud)
    const browser = testBrowser(server)
    const confirm = await loggedIn(browser, open.path, amina)
    const by = { kind: 'test', id: 'test' }
    await server.merchants.suspend({ merchant: fraud.id, reason: 'Fraud', by, origin: {} })
    const page = await browser.submit(confirm, 'pay', { pin: testPin })
    assert.match(page.text, /can’t take payments just now No money left your wallet/)
    assert.equal(await available(server, amina), 40_000n)
    const receipt = await browser.get(paid.path)
    assert.match(receipt.text, /Paid UGX 10,000/)
    assert.doesNotMatch(receipt.html, /checkout\/return/)
    const back = await browser.get(`/checkout/return?token=${paid.token}`)
    assert.equal(back.location, paid.path)
  })
})
