// Test mode promises: it says so on every page; its two customers pay, or never can, without a wallet to fill; and it
// never asks for a person's password.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { newBusiness } from '../../test/businesses.ts'
import { ask, testBrowser } from '../../test/checkouts.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { register, testPassword } from '../../test/people.ts'

const server = await testApp()
afterEach(() => reconcile(server))
// Not approved: test mode works from the first minute.
const business = await newBusiness(server, { approved: false })

describe('test mode', () => {
  const sandbox = { name: 'test_customer', password: 'mfuko-sandbox' }

  test('one payment has its limit: all that money comes from one account, which must not run over', async () => {
    const pay = (amount: string) => business.callTest('POST', '/api/pay', { amount, currency: 'USD' })
    const refused = (await pay('10000000000.01')).body
    assert.deepEqual(refused.errors, { amount: 'Amount must be at most 10000000000' })
    assert.equal((await pay('10000000000')).status, 200)
  })

  test('the band is there, and the customer of the sandbox pays without a wallet', async () => {
    const { path, payment } = await ask(server, business, { mode: 'test' })
    const browser = testBrowser(server)
    const page = await browser.get(path)
    assert.match(page.text, /TEST MODE No real money moves/)
    assert.match((await testBrowser(server, 'sw').get(path)).text, /HALI YA MAJARIBIO Hakuna pesa halisi/)
    assert.match((await testBrowser(server, 'fr').get(path)).text, /MODE TEST Aucun argent réel/)
    assert.match(
      page.text,
      /test_customer has enough test_poor has nothing Password mfuko-sandbox · PIN 4821/,
    )
    const confirm = await browser.submit(page, 'login', sandbox)
    assert.match(confirm.text, /Test money that never runs out/)
    assert.match((await browser.submit(confirm, 'pay', { pin: '4822' })).text, /The PIN is wrong/)
    assert.match((await browser.submit(confirm, 'pay', { pin: '4821' })).text, /TEST MODE.*Paid UGX 10,000/)
    const paid = await server.payments.byNumber(payment.number)
    assert.deepEqual(
      [paid?.status, paid?.customer, paid?.payerId],
      ['completed', 'Test Customer (@test_customer)', null],
    )
  })

  test('who has nothing is declined, and the fifth time the payment fails', async () => {
    const { path } = await ask(server, business, { mode: 'test' })
    const browser = testBrowser(server)
    const confirm = await browser.submit(await browser.get(path), 'login', { ...sandbox, name: 'test_poor' })
    assert.match(confirm.text, /There is not enough money in this wallet.*Balance UGX 0/)
    for (let time = 0; time < 4; time++) {
      assert.match((await browser.submit(confirm, 'pay', { pin: '4821' })).text, /No money has left it/)
    }
    assert.match((await browser.submit(confirm, 'pay', { pin: '4821' })).text, /Payment failed/)
  })

  test('people are asked for in live mode only, and the sandbox in test mode only', async () => {
    const amina = await register(server)
    const made = server.users.hashesMade()
    const inTest = await ask(server, business, { mode: 'test' })
    const tester = testBrowser(server)
    const typed = { name: amina.handle, password: testPassword }
    const refused = await tester.submit(await tester.get(inTest.path), 'login', typed)
    assert.match(refused.text, /The name or the password is wrong/)
    assert.equal(server.users.hashesMade(), made, 'the password was not even looked at')
    const live = await ask(server, business)
    const browser = testBrowser(server)
    const page = await browser.submit(await browser.get(live.path), 'login', sandbox)
    assert.match(page.text, /The name or the password is wrong/)
    assert.doesNotMatch((await browser.get(live.path)).text, /TEST MODE|test_customer/)
  })
})
