// Receipts by mail, of everything that moves money into a person's wallet or out of it: whichever room does it, who wants one
// gets one, by the reference that the history shows, and nobody else does. Test money is never told.
import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { newBusiness, type TestBusiness, theOperator } from './businesses.ts'
import { newCampaign } from './campaigns.ts'
import { ask, payInCheckout, testBrowser } from './checkouts.ts'
import { type Circle, daysLater, goal, openCircle } from './circles.ts'
import { reconcile, submittedDuring, testApp } from './helpers.ts'
import { facts, lettersTo, wantReceipts } from './letters.ts'
import { available, fund, type Loose, register, type TestPerson } from './people.ts'

const server = await testApp()
afterEach(() => reconcile(server))

const reader = async (): Promise<TestPerson> => {
  const person = await register(server)
  await fund(server, person, { amount: '100000' })
  await wantReceipts(server, [person])
  return person
}

const quiet = async (): Promise<TestPerson> => {
  const person = await register(server)
  await fund(server, person, { amount: '100000' })
  return person
}

/** `out 10000 of 90000`: the latest line that their history shows, and the reference it has there. */
const latest = async (person: TestPerson): Promise<Loose> =>
  (await person.call('GET', '/api/transactions?limit=1')).body.data[0]

describe('at the checkout', () => {
  let shop: TestBusiness
  before(async () => {
    shop = await newBusiness(server)
    // All that is paid can be given back: the fee is not the business's any more.
    await pay(await quiet())
  })

  const pay = async (payer: TestPerson) => {
    const asked = await ask(server, shop, { price: '10000' })
    const page = await payInCheckout(testBrowser(server), asked, payer)
    assert.match(page.text, /Paid UGX 10,000/)
    return asked.payment
  }

  test('a payment from a wallet, and each part of it that comes back', async () => {
    const payer = await reader()
    const { reference } = await pay(payer)
    const [out, ...more] = await lettersTo(server, payer)
    assert.deepEqual([out?.template, out?.about, more], ['money_out', `payment ${reference}`, []])
    assert.equal(out?.subject, 'You sent UGX 10,000')
    assert.match(
      `${out?.text}`,
      new RegExp(`To: Duka la Amina\n.*UGX 0\nReference: ${reference}\nBalance now: UGX 90,000`),
    )
    assert.equal((await latest(payer)).reference, reference)
    const refund = (amount: number) =>
      shop.callLive(
        'POST',
        `/api/merchant/payments/${reference}/refund`,
        { amount },
        { 'idempotency-key': `back-${amount}` },
      )
    for (const amount of [4_000, 4_000, 6_000]) {
      const reply = await refund(amount)
      assert.equal(reply.status, 200, reply.text)
    }
    assert.notEqual((await refund(1)).status, 200)
    const back = await lettersTo(server, payer)
    assert.deepEqual(
      back.map(({ template, subject, about }) => [template, subject, about]),
      [
        ['money_in', 'You received UGX 4,000', `payment ${reference}`],
        ['money_in', 'You received UGX 6,000', `payment ${reference}`],
      ],
    )
    assert.match(`${back[1]?.text}`, /From: Duka la Amina\n/)
    assert.deepEqual(facts(back).at(-1), `money_in ${(await latest(payer)).reference}`)
    assert.equal(await available(server, payer), 100_000n)
  })

  test('paid once by many clicks: one receipt; not enough money: none', async () => {
    const payer = await reader()
    const asked = await ask(server, shop, { price: '10000' })
    const browser = testBrowser(server)
    const first = await browser.get(`${asked.path}&step=wallet`)
    const confirm = await browser.submit(first, 'login', { name: payer.handle, password: payer.password })
    await Promise.all(Array.from({ length: 5 }, () => browser.submit(confirm, 'pay', { pin: payer.pin })))
    assert.equal((await lettersTo(server, payer)).length, 1)
    assert.equal(await available(server, payer), 90_000n)
    const dear = await ask(server, shop, { price: '90001' })
    const other = testBrowser(server)
    const form = await other.get(`${dear.path}&step=wallet`)
    const poor = await other.submit(form, 'login', { name: payer.handle, password: payer.password })
    assert.match(poor.text, /There is not enough money in this wallet/)
    assert.equal((await server.payments.byNumber(dear.payment.number))?.status, 'pending')
    assert.deepEqual(await lettersTo(server, payer), [])
  })

  test('who wants none has none, and pays the fast way', async () => {
    const payer = await quiet()
    const submitted = await submittedDuring(server, async () => {
      const { reference } = await pay(payer)
      await shop.callLive('POST', `/api/merchant/payments/${reference}/refund`, {})
    })
    assert.equal(submitted, 2)
    assert.equal(await available(server, payer), 100_000n)
    assert.deepEqual(await lettersTo(server, payer), [])
  })

  test('a payment in test mode is told to nobody', async () => {
    const { payment, path } = await ask(server, shop, { mode: 'test' })
    const customer = { handle: 'test_customer', password: 'mfuko-sandbox', pin: '4821' }
    await payInCheckout(testBrowser(server), { path }, customer)
    assert.equal((await server.payments.byNumber(payment.number))?.status, 'completed')
    await shop.callTest('POST', `/api/merchant/payments/${payment.reference}/refund`, {})
    const row = await server.db.row<{ there: boolean }>(
      'select exists (select from mail.messages where about_id = $1) as there',
      [payment.reference],
    )
    assert.equal(row?.there, false)
  })

  test('what the business has earned, moved to its owner’s wallet', async () => {
    const { owner } = shop
    const earned = (await owner.call('GET', '/api/merchant/balances')).body.data[0].balance
    assert.ok(earned >= 3_000)
    const move = (amount: number, key: string) =>
      owner.call(
        'POST',
        '/api/merchant/payout',
        { amount, currency: 'UGX', pin: owner.pin },
        { 'idempotency-key': key },
      )
    assert.equal((await move(1_000, 'fast')).status, 200)
    const before = (await lettersTo(server, owner)).map(({ template }) => template)
    assert.deepEqual(before, ['merchant_approved'])
    await wantReceipts(server, [owner], { locale: 'fr' })
    const first = await move(2_000, 'told')
    assert.equal(first.status, 200, first.text)
    assert.equal((await move(2_000, 'told')).text, first.text)
    assert.equal((await move(90_000_000, 'more')).body.code, 'insufficient_funds')
    const [letter, ...more] = await lettersTo(server, owner)
    assert.deepEqual([letter?.template, letter?.about, more], ['money_in', `merchant ${shop.id}`, []])
    assert.equal(letter?.subject, 'Vous avez reçu UGX 2 000')
    assert.match(`${letter?.text}`, /De : Duka la Amina\nRéférence : TR-/)
    assert.ok(letter?.text.includes(first.body.data.reference))
  })
})

describe('in groups', () => {
  test('paying into a goal, and its payout', async () => {
    const circle = await openCircle(server, { members: 3, body: goal })
    await wantReceipts(server, circle.people.slice(0, 2))
    const paid = await circle.pay(1, { amount: 30_000 }, { 'idempotency-key': 'give' })
    assert.equal((await circle.pay(1, { amount: 30_000 }, { 'idempotency-key': 'give' })).text, paid.text)
    assert.equal((await circle.pay(1, { amount: 3_000_000 })).body.code, 'insufficient_funds')
    assert.equal((await circle.pay(3, { amount: 5_000 })).status, 200)
    assert.deepEqual(facts(await lettersTo(server, circle.as(1))), [`money_out ${paid.body.data.reference}`])
    const made = await circle.post(1, 'payouts', {
      to: circle.as(2).handle,
      amount: 20_000,
      reason: 'Seeds',
    })
    assert.equal(made.status, 200, made.text)
    for (const voter of [2, 3]) await circle.post(voter, `payouts/${made.body.data.id}/approve`)
    const letters = await lettersTo(server, circle.as(2))
    assert.deepEqual(
      letters.map(({ template, about }) => [template, about]),
      [
        ['group_proposal', `group ${circle.id}`],
        ['money_in', `group ${circle.id}`],
      ],
    )
    assert.match(`${letters[1]?.text}`, /UGX 20,000 .*From: Paa\n.*Balance now: UGX 920,000/s)
    assert.equal(facts(letters)[1], `money_in ${(await latest(circle.as(2))).reference}`)
    assert.deepEqual(
      (await lettersTo(server, circle.as(3))).filter(({ template }) => template.startsWith('money_')),
      [],
    )
  })

  test('who wants receipts but has confirmed no address gives the fast way', async () => {
    const circle = await openCircle(server, { members: 1, body: goal })
    await circle.as(1).call('PATCH', '/api/me', { email_receipts: true })
    const submitted = await submittedDuring(server, async () => {
      assert.equal((await circle.pay(1, { amount: 30_000 })).status, 200)
    })
    assert.equal(submitted, 1)
    assert.deepEqual(await lettersTo(server, circle.as(1)), [])
  })

  test('a cycle: each contribution, the pot, and later what was owed, to who pays and who gets it', async () => {
    let circle: Circle = await openCircle(server, { members: 3 })
    await wantReceipts(server, circle.people)
    const read = async () => {
      const seen: string[][] = []
      for (const person of circle.people)
        seen.push(
          (await lettersTo(server, person))
            .map(({ template, subject }) => `${template} ${subject}`)
            .filter((line) => line.startsWith('money_')),
        )
      return seen
    }
    await circle.post(1, 'start', { order: 'join' })
    for (const payer of [1, 2]) assert.equal((await circle.pay(payer)).status, 200)
    assert.deepEqual(await read(), [['money_out You sent UGX 1,000'], ['money_out You sent UGX 1,000'], []])
    circle = await daysLater(server, circle, 8)
    assert.equal((await circle.post(1, 'cycle/close')).status, 200)
    assert.deepEqual(await read(), [['money_in You received UGX 2,000'], [], []])
    const owed = (await circle.show()).debts[0].amount
    const paid = await circle.pay(3, { amount: owed, toward: 'debts' }, { 'idempotency-key': 'owed' })
    assert.equal(paid.status, 200, paid.text)
    await circle.pay(3, { amount: owed, toward: 'debts' }, { 'idempotency-key': 'owed' })
    assert.deepEqual(await read(), [
      ['money_in You received UGX 1,000'],
      [],
      ['money_out You sent UGX 1,000'],
    ])
  })
})

describe('in campaigns', () => {
  const withdraw = (owner: TestPerson, id: string, body: object) =>
    owner.call('POST', `/api/campaigns/${id}/withdraw`, { pin: owner.pin, ...body })

  test('giving from a wallet, and taking out', async () => {
    const [owner, giver] = [await reader(), await reader()]
    const { id } = await newCampaign(owner)
    const give = (amount: number) =>
      giver.call(
        'POST',
        `/api/campaigns/${id}/contribute`,
        { amount, pin: giver.pin },
        { 'idempotency-key': `gift-${amount}` },
      )
    const gift = await give(40_000)
    assert.equal((await give(40_000)).text, gift.text)
    assert.equal((await give(70_000)).body.code, 'insufficient_funds')
    assert.deepEqual(facts(await lettersTo(server, giver)), [`money_out ${gift.body.data.reference}`])
    const taken = await withdraw(owner, id, { amount: 10_000 })
    assert.equal((await withdraw(owner, id, { amount: 90_000 })).status, 422)
    const [letter, ...more] = await lettersTo(server, owner)
    assert.deepEqual([letter?.template, letter?.about, more], ['money_in', `campaign ${id}`, []])
    assert.match(
      `${letter?.text}`,
      new RegExp(
        `UGX 9,900 .*From: A well for Kasese\nReference: ${taken.body.data.reference}\nBalance now: UGX 109,900`,
        's',
      ),
    )
  })

  test('giving from a wallet at the checkout', async () => {
    const [owner, giver] = [await register(server), await reader()]
    const { id } = await newCampaign(owner)
    const browser = testBrowser(server)
    const page = await browser.submit(await browser.get(`/c/${id}`), 'contribute', {
      amount: '10,000',
      name: 'Grace',
      message: '',
    })
    const token = /token=([A-Za-z0-9_-]{43})/.exec(page.html)?.[1] ?? ''
    await payInCheckout(browser, { path: `/checkout?token=${token}` }, giver)
    const { reference, type } = await latest(giver)
    assert.equal(type, 'campaign_contribution')
    const letters = await lettersTo(server, giver)
    assert.deepEqual(facts(letters), [`money_out ${reference}`])
    assert.equal(letters[0]?.about, `campaign ${id}`)
  })

  test('what goes back is told to all who gave, by one mail', async () => {
    const [owner, giver, other] = [await register(server), await reader(), await quiet()]
    const { id } = await newCampaign(owner)
    for (const one of [giver, other])
      await one.call('POST', `/api/campaigns/${id}/contribute`, { amount: 5_000, pin: one.pin })
    await lettersTo(server, giver)
    const operator = await theOperator(server)
    const reply = await operator.call('POST', `/api/operator/campaigns/${id}/return`, { reason: 'Fraud' })
    assert.equal(reply.status, 200, reply.text)
    await server.dependencies.campaigns.returnDue()
    assert.equal(await available(server, giver), 100_000n)
    const { reference } = await latest(giver)
    assert.deepEqual(facts(await lettersTo(server, giver)), [`campaign_returned ${reference}`])
  })
})
