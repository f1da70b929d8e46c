// Paying by phone and by card in the checkout, over HTTP with the network in a box: each outcome of the sandbox, for each
// provider that has it. What the customer sees, what the merchant is told, and where the money is.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { CardDecision } from '../../../simulator/src/cards.ts'
import { type AskedPayment, testBrowser } from '../../test/checkouts.ts'
import { simulatedApp } from '../../test/simulated-app.ts'
import { openShop } from '../../test/simulated-shop.ts'
import type { Payment } from '../payments/payments.ts'
import { openCheckout } from './checkout.ts'

const server = await simulatedApp()
const { simulator, clock, settle, askFor } = server
const { asked, start, look, record, told, operations, checkBooks } = await openShop(server)

type Provider = 'mpesa' | 'mtn' | 'airtel' | 'paystack'
const networks = {
  mpesa: { currency: 'KES', start: '0712345', name: 'M-Pesa' },
  mtn: { currency: 'UGX', start: '0771234', name: 'MTN MoMo' },
  airtel: { currency: 'UGX', start: '0701234', name: 'Airtel Money' },
} as const
const mobiles = ['mpesa', 'mtn', 'airtel'] as const
type Mobile = (typeof mobiles)[number]

afterEach(() => checkBooks())

interface Row {
  digits: string
  /** `completed`, or why the try failed. */
  end: string
  /** MTN has no words for some of it. */
  mtn?: string
}

const check = async (one: AskedPayment, { provider, end }: { provider: Provider; end: string }) => {
  const shown = await record(one)
  const [attempt] = shown.attempts
  assert.equal(attempt.method, provider)
  assert.match(attempt.customer, /•••/)
  if (end !== 'completed') {
    assert.deepEqual([shown.status, attempt.status, attempt.failure.code], ['pending', 'failed', end])
    assert.deepEqual(await told(one), [])
    assert.match(await look(one), /No money was taken\. .* 4 attempts left\./)
    return
  }
  assert.deepEqual(
    [shown.status, attempt.status, shown.method, shown.late],
    ['completed', 'succeeded', provider, false],
  )
  assert.equal(shown.fee, 200)
  assert.deepEqual(await told(one), ['completed'])
  assert.match(await look(one), /^Skip.* Paid .*10,000.*Paid with/)
}

describe('each outcome by phone', () => {
  const byCallback: Row[] = [
    { digits: '019', end: 'payer_limit_reached' },
    { digits: '029', end: 'payer_not_found' },
    { digits: '039', end: 'cancelled_by_customer' },
    { digits: '049', end: 'insufficient_balance' },
    { digits: '059', end: 'wrong_pin', mtn: 'provider_error' },
    { digits: '069', end: 'provider_error' },
    { digits: '079', end: 'phone_unreachable', mtn: 'expired' },
    { digits: '139', end: 'completed' },
    { digits: '169', end: 'completed' },
    { digits: '567', end: 'completed' },
  ]
  for (const provider of mobiles) {
    const { currency, start: begin } = networks[provider]
    test(`${provider}: what is told at once`, async () => {
      const all = await Promise.all(
        byCallback.map(async (row) => {
          const one = await asked(currency)
          const page = await start(one, { phone: begin + row.digits })
          assert.match(page.text, /Confirm on your phone|No money was taken|Paid/)
          return { one, row }
        }),
      )
      await settle()
      for (const { one, row } of all) await check(one, { provider, end: endOf(row, provider) })
    })
  }

  test('silence: the provider is asked, and knows that it was paid (129)', async () => {
    const all = await Promise.all(
      mobiles.map(async (provider) => {
        const one = await asked(networks[provider].currency)
        await start(one, { phone: `${networks[provider].start}129` })
        return { one, provider }
      }),
    )
    await settle()
    for (const { one } of all) assert.match(await look(one), /Confirm on your phone/)
    await askFor(60)
    for (const { one, provider } of all) await check(one, { provider, end: 'completed' })
  })

  test('late: the payment expires, and is completed all the same (149)', async () => {
    const all = await Promise.all(
      mobiles.map(async (provider) => {
        const one = await asked(networks[provider].currency)
        await start(one, { phone: `${networks[provider].start}149` })
        return { one, provider }
      }),
    )
    clock.advance(30 * 60 + 1)
    await server.payments.expireDue()
    for (const { one } of all) {
      assert.match(await look(one), /The time is over We do not know yet whether money has left your account/)
      assert.deepEqual(await told(one), ['failed'])
    }
    await simulator.settled(5_000)
    await settle()
    await askFor(120)
    for (const { one, provider } of all) {
      const shown = await record(one)
      assert.deepEqual([shown.status, shown.late, shown.failure], ['completed', true, null], provider)
      assert.deepEqual(await told(one), ['failed', 'completed'])
      assert.match(await look(one), /Paid It was confirmed after the time was over/)
    }
  })

  test('the provider breaks (159): nothing was taken, and nobody says so before it is sure', async () => {
    const all = await Promise.all(
      mobiles.map(async (provider) => {
        const one = await asked(networks[provider].currency)
        const page = await start(one, { phone: `${networks[provider].start}159` })
        assert.match(page.text, /Confirm on your phone/, provider)
        return { one, provider }
      }),
    )
    await askFor(8 * 60)
    for (const { one, provider } of all) {
      // M-Pesa gave it no name to ask by: it stays open, and an operator sees it.
      const expected = provider === 'mpesa' ? 'pending' : 'failed'
      const { attempts, status } = await record(one)
      assert.deepEqual([status, attempts[0].status], ['pending', expected], provider)
    }
  })
})

const endOf = ({ end, mtn }: Row, provider: Mobile): string => (provider === 'mtn' ? (mtn ?? end) : end)

describe('each outcome by card', () => {
  const rows: [CardDecision, string][] = [
    ['limit_reached', 'payer_limit_reached'],
    ['cancelled', 'cancelled_by_customer'],
    ['insufficient_funds', 'insufficient_balance'],
    ['wrong_pin', 'wrong_pin'],
    ['declined', 'provider_error'],
    ['silent', 'completed'],
    ['twice', 'completed'],
    ['forged', 'completed'],
    ['paid', 'completed'],
  ]
  const byCard = async (one: AskedPayment) => {
    const page = await start(one, { method: 'paystack', email: 'amina@example.com' })
    const [, place = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.html) ?? []
    assert.ok(place.startsWith(`${simulator.url}/`), page.text)
    return place.split('/').at(-1) ?? ''
  }

  test('goes to the page of the provider, and comes back', async () => {
    const one = await asked('KES')
    const code = await byCard(one)
    const waiting = await testBrowser(server).get(one.path)
    assert.match(waiting.text, /Pay on the card page .* Go to the card page/)
    assert.doesNotMatch(waiting.html, /content="0;/)
    const order = simulator.cards.find(code)
    assert.ok(order)
    const back = new URL(simulator.cards.returnUrl(order) ?? '')
    assert.doesNotMatch(back.href, new RegExp(one.token), 'what is stored does not hold the token')
    const page = await testBrowser(server).get(back.pathname + back.search)
    assert.equal(page.status, 303)
    assert.equal(page.location, `${back.origin}${one.path}`)
    simulator.cards.decide(code, 'paid')
    await settle()
    await check(one, { provider: 'paystack', end: 'completed' })
  })

  test('comes back, and the provider’s own word got lost: it is asked at once, and not when its turn would be', async () => {
    const one = await asked('KES')
    const code = await byCard(one)
    const order = simulator.cards.find(code)
    assert.ok(order)
    const back = new URL(simulator.cards.returnUrl(order) ?? '')
    const comeBack = async () => (await testBrowser(server).get(back.pathname + back.search)).status
    const asks = async () => {
      await server.dependencies.operations.askDue()
      const [{ id } = { id: '' }] = await operations(one)
      const all = await server.dependencies.operations.exchangesOf(id)
      return all.filter(({ what }) => what === 'ask').length
    }
    // Between two turns, of which the next is minutes away.
    await askFor(2 * 60)
    clock.advance(10)
    const before = await asks()
    assert.equal(await comeBack(), 303)
    assert.equal(await asks(), before + 1)
    assert.equal(await comeBack(), 303)
    assert.equal(await asks(), before + 1, 'however often the page is loaded')
    simulator.cards.decide(code, 'silent')
    clock.advance(5)
    assert.equal(await comeBack(), 303)
    assert.equal(await asks(), before + 2)
    await settle()
    await check(one, { provider: 'paystack', end: 'completed' })
  })

  test('comes back in the language that was chosen, and in none that is not ours', async () => {
    const one = await asked('KES')
    await byCard({ ...one, path: `${one.path}&lang=sw` })
    const [order] = (await operations(one)).map(({ returnUrl }) => new URL(returnUrl ?? ''))
    assert.ok(order)
    const { location } = await testBrowser(server).get(order.pathname + order.search)
    assert.equal(location, `${order.origin}${one.path}&lang=sw`)
    order.searchParams.set('lang', 'xx&step=wallet')
    const other = await testBrowser(server).get(order.pathname + order.search)
    assert.equal(other.location, `${order.origin}${one.path}`)
  })

  test('paid in the moment between two reads: the page says so, and does not ask how to pay', async () => {
    const one = await asked('KES')
    const code = await byCard(one)
    let looks = 0
    const payments = {
      ...server.payments,
      attemptsOf: async (payment: Payment) => {
        if (looks++ === 0) {
          simulator.cards.decide(code, 'paid')
          await settle()
        }
        return server.payments.attemptsOf(payment)
      },
    }
    const checkout = openCheckout({ ...server.dependencies, payments, production: false })
    const view = await checkout.look({ token: one.token, cookie: undefined, origin: {} }, undefined)
    assert.deepEqual([view?.step.step, view?.payment.status], ['paid', 'completed'])
    assert.equal(looks, 2)
  })

  test('all of them', async () => {
    const all = await Promise.all(
      rows.map(async ([decision, end]) => {
        const one = await asked('KES')
        simulator.cards.decide(await byCard(one), decision)
        return { one, end }
      }),
    )
    await settle()
    await askFor(5 * 60)
    for (const { one, end } of all) await check(one, { provider: 'paystack', end })
  })

  test('late', async () => {
    const one = await asked('KES')
    simulator.cards.decide(await byCard(one), 'late')
    clock.advance(30 * 60 + 1)
    await server.payments.expireDue()
    await simulator.settled(5_000)
    await settle()
    const { status, late } = await record(one)
    assert.deepEqual([status, late], ['completed', true])
    assert.deepEqual(await told(one), ['failed', 'completed'])
  })
})
