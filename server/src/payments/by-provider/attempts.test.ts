// Tries by providers: of all that is told, by whom and when, a payment takes one success at most; what it can't take is
// unmatched money; five tries in all; each change is told once.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { type AskedPayment, type Page, type TestBrowser, testBrowser } from '../../../test/checkouts.ts'
import { simulatedApp } from '../../../test/simulated-app.ts'
import { openShop } from '../../../test/simulated-shop.ts'
import { AppError } from '../../base/errors.ts'

const server = await simulatedApp({ delays: { pay: 15, prompt: 20_000, between: 10, answer: 5 } })
const { clock, settle, askFor, payments, dependencies, simulator } = server
const { operations, funding } = dependencies
const { asked, start, look, now, record, told, unmatched, checkBooks, ...shop } = await openShop(server)
/** What no network knows of, because the test made it up. */
let madeUp = 0n
afterEach(() => checkBooks({ mtn: madeUp }))

const sandbox = { handle: 'test_customer', password: 'mfuko-sandbox', pin: '4821' }
/** Logged in, and ready to confirm. */
async function atWallet(one: AskedPayment): Promise<() => Promise<unknown>> {
  const browser = testBrowser(server)
  const confirm = await confirmPage(one, browser)
  return () => browser.submit(confirm, 'pay', { pin: sandbox.pin })
}
async function confirmPage({ path }: AskedPayment, browser: TestBrowser): Promise<Page> {
  const { handle: name, password } = sandbox
  return browser.submit(await browser.get(`${path}&step=wallet`), 'login', { name, password })
}

/** The person at the phone types the PIN. */
async function pressed(msisdn: string, pin: string): Promise<void> {
  const [prompt] = simulator.phones.prompts(msisdn)
  assert.ok(prompt, 'the phone shows a prompt')
  simulator.phones.answer(prompt.id, { answer: 'approved', pin })
}

const decider = { by: { kind: 'operator', id: 'usr_1' }, reason: 'The customer asked', origin: {} }

const operationOf = async (one: AskedPayment) => {
  const [operation] = await shop.operations(one)
  assert.ok(operation)
  return operation
}

describe('one success at most', () => {
  test('two phones, a wallet and a cancel at the same moment, with questions in between: 40 rounds', async () => {
    const rounds = Array.from({ length: 40 }, (_, round) => round)
    const winners = new Set<string>()
    const race = async (round: number) => {
      const one = await asked()
      const byWallet = await atWallet(one)
      const page = await testBrowser(server).get(`${one.path}&step=mobile`)
      const byPhone = (phone: string) => testBrowser(server).submit(page, 'start', { phone })
      const acts = [
        () => byPhone('0771234567'),
        () => byPhone('0701234567'),
        async () => {
          await byPhone('0771234568')
          await Promise.all((await shop.operations(one)).map(({ id }) => operations.ask(id)))
        },
        ...(round % 2 === 0 ? [byWallet] : []),
        ...(round % 3 === 0 ? [() => payments.cancel(one.payment)] : []),
      ]
      // Another order each round.
      const order = [...acts.slice(round % acts.length), ...acts.slice(0, round % acts.length)]
      await Promise.all(order.map((act) => act()))
      return one
    }
    for (let from = 0; from < rounds.length; from += 8) {
      const all = await Promise.all(rounds.slice(from, from + 8).map(race))
      await settle()
      for (const one of all) winners.add(await checkOnce(one))
    }
    assert.ok(winners.size >= 3, [...winners].join())
  })

  /** Who paid; every success of a provider is either in the payment or with the money that nobody could take. */
  async function checkOnce(one: AskedPayment): Promise<string> {
    const { status, method, attempts, failure } = await record(one)
    assert.ok(['completed', 'failed'].includes(status), status)
    const succeeded = attempts.filter((attempt: { status: string }) => attempt.status === 'succeeded')
    assert.equal(succeeded.length, status === 'completed' ? 1 : 0)
    assert.ok(attempts.every((attempt: { status: string }) => attempt.status !== 'pending'))
    const paid = (await shop.operations(one)).filter(({ state }) => state === 'completed').length
    const taken = status === 'completed' && method !== 'wallet' ? 1 : 0
    assert.equal((await unmatched(one)).length, paid - taken)
    assert.deepEqual(await told(one), [status])
    return method ?? failure.code
  }

  test('success and expiry at the same moment: late at most, never lost', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const one = await asked()
        await start(one, { phone: '0771234129' })
        return { one, id: (await operationOf(one)).id }
      }),
    )
    await settle()
    clock.advance(30 * 60)
    await Promise.all([
      payments.expireDue(),
      ...all.map(({ id }) => operations.ask(id)),
      payments.expireDue(),
    ])
    for (const { one } of all) {
      const { status, late } = await record(one)
      assert.deepEqual([status, late], ['completed', true])
      assert.match((await told(one)).join(), /^(failed,)?completed$/)
    }
  })

  test('told again and again, by several at once, it is paid once', async () => {
    const one = await asked()
    await start(one, { phone: '0771234129' })
    const { id, amount } = await operationOf(one)
    await settle()
    const before = (await shop.balance()).balance
    await Promise.all([
      ...Array.from({ length: 5 }, () => operations.ask(id)),
      ...Array.from({ length: 5 }, () => operations.learn(id, { state: 'completed', amount })),
    ])
    assert.equal((await now(one)).status, 'completed')
    assert.equal((await shop.balance()).balance, before + 9_800n)
    assert.deepEqual(await told(one), ['completed'])
  })
})

describe('money that the payment can not take', () => {
  test('paid after it was cancelled: kept apart, and given back after a day', async () => {
    const one = await asked()
    await start(one, { phone: '0771231129' })
    const before = await testBrowser(server).get(`${one.path}&step=cancel`)
    assert.match(before.text, /We do not know yet whether money has left .* do not cancel/)
    assert.doesNotMatch(before.text, /No money/)
    await payments.cancel(one.payment)
    assert.match(await look(one), /Payment cancelled Do not confirm the MTN MoMo request to 0771 •••129/)
    const { id, amount } = await operationOf(one)
    // The person confirms all the same.
    await settle()
    assert.equal((await operations.ask(id)).state, 'completed')
    assert.deepEqual(
      (await unmatched(one)).map(({ why, status }) => [why, status]),
      [['payment_failed', 'open']],
    )
    const { attempts, status } = await record(one)
    assert.deepEqual(
      [status, attempts[0].status, attempts[0].failure.code],
      ['failed', 'failed', 'not_taken'],
    )
    assert.deepEqual(await told(one), ['failed'])
    const after = await testBrowser(server).get(one.path)
    assert.match(after.text, /Payment cancelled Money came that could not be taken. It goes back to you/)
    assert.doesNotMatch(after.text, /No money/)
    assert.doesNotMatch(after.html, /data-forward/)
    clock.advance(24 * 3_600 + 1)
    await funding.returnDue()
    await askFor(60)
    const back = simulator.statements
      .movements({ provider: 'mtn' })
      .filter(({ msisdn, kind }) => msisdn === '256771231129' && kind === 'payout')
    assert.deepEqual(
      back.map(({ minor }) => minor),
      [-amount.minor],
    )
    assert.deepEqual(
      (await unmatched(one)).map(({ status: state }) => state),
      ['returned'],
    )
  })

  test('an operator may give it back at once, and its page says so', async () => {
    const one = await asked()
    await start(one, { phone: '0771236129' })
    await payments.cancel(one.payment)
    await settle()
    await operations.ask((await operationOf(one)).id)
    const [money] = await unmatched(one)
    await funding.giveBack({ id: money?.id ?? '', decider })
    await settle()
    await askFor(60)
    assert.match(await look(one), /Money came that could not be taken\. It has gone back to you/)
  })

  test('an operator may match it with another payment', async () => {
    const cancelled = await asked()
    await start(cancelled, { phone: '0771232999' })
    await payments.cancel(cancelled.payment)
    await pressed('256771232999', '1234')
    await settle()
    const [money] = await unmatched(cancelled)
    assert.ok(money)
    const tooMuch = await asked('UGX', { amount: { minor: 9_000n, currency: 'UGX' } })
    await assert.rejects(
      payments.matchUnmatched({ id: money.id, payment: tooMuch.payment, decider }),
      ({ errors }: { errors: object }) => 'payment' in errors,
    )
    const one = await asked()
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        payments.matchUnmatched({ id: money.id, payment: one.payment, decider }),
      ),
    )
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
    const shown = await record(one)
    assert.deepEqual([shown.status, shown.method, shown.attempts.length], ['completed', 'mtn', 1])
    assert.deepEqual(await told(one), ['completed'])
    assert.deepEqual(
      (await unmatched(cancelled)).map(({ status }) => status),
      ['matched'],
    )
    assert.match(await look(cancelled), /could not be taken here\. It was credited to you elsewhere/)
    await shop.refund(one)
    await settle()
    assert.equal((await now(one)).status, 'refunded')
  })

  test('the merchant asked anew under the same name: the new payment counts', async () => {
    const one = await asked()
    await start(one, { phone: '0771234129' })
    await settle()
    clock.advance(30 * 60)
    await payments.expireDue()
    const again = await asked('UGX', { refTrx: one.payment.refTrx })
    await operations.ask((await operationOf(one)).id)
    assert.match(await look(one), /This payment has expired Money came that could not be taken/)
    assert.deepEqual([(await now(one)).status, (await now(again)).status], ['failed', 'pending'])
    assert.deepEqual(
      (await unmatched(one)).map(({ why }) => why),
      ['payment_failed'],
    )
    await payments.cancel(again.payment)
    const [money] = await unmatched(one)
    await payments.matchUnmatched({ id: money?.id ?? '', payment: one.payment, decider })
    const page = await look(one)
    assert.match(page, /Paid It was confirmed after the time was over/)
    assert.doesNotMatch(page, /could not be taken/, 'it was, after all')
  })

  test('late success and a new payment under the same name at once: one of the two counts', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `AGAIN-${at}`)
    const all = await Promise.all(
      names.map(async (refTrx) => {
        const one = await asked('UGX', { refTrx })
        await start(one, { phone: '0771234129' })
        return { one, refTrx, id: (await operationOf(one)).id }
      }),
    )
    await settle()
    clock.advance(30 * 60)
    await payments.expireDue()
    const again = await Promise.all(
      all.map(async ({ refTrx, id }) => {
        const [asking] = await Promise.allSettled([asked('UGX', { refTrx }), operations.ask(id)])
        return asking.status
      }),
    )
    for (const [at, { one }] of all.entries()) {
      const late = (await now(one)).status === 'completed'
      assert.equal(again[at], late ? 'rejected' : 'fulfilled')
      assert.equal((await unmatched(one)).length, late ? 0 : 1)
    }
  })

  test('another amount than was asked for is not taken for it', async () => {
    const one = await asked()
    await start(one, { phone: '0771233999' })
    await operations.learn((await operationOf(one)).id, {
      state: 'completed',
      amount: { minor: 9_999n, currency: 'UGX' },
    })
    assert.deepEqual(
      (await unmatched(one)).map(({ why }) => why),
      ['another_amount'],
    )
    assert.equal((await now(one)).status, 'pending')
    assert.match(await look(one), /Money came that could not be taken/)
    madeUp += 9_999n
    const old = { method: 'mobile', phone: '0771233049', proof: 'of another page' }
    const stale = await testBrowser(server).post(`/checkout/start?token=${one.token}`, old)
    assert.match(stale.text, /Money came that could not be taken.* This page was open for too long/)
    assert.doesNotMatch(stale.text, /No money/)
    await start(one, { phone: '0771233049' })
    await settle()
    const page = await look(one)
    assert.match(page, /Money came that could not be taken.* There was not enough money/)
    assert.doesNotMatch(page, /No money/)
  })

  test('the provider says no, and pays after all when it was cancelled: the try says that its money came', async () => {
    const one = await asked()
    await start(one, { phone: '0771236999' })
    const { id } = await operationOf(one)
    await operations.learn(id, { state: 'failed', code: 'provider_error', detail: 'said the network' })
    await payments.cancel(one.payment)
    assert.match(await look(one), /Payment cancelled No money was taken/)
    await pressed('256771236999', '1234')
    await settle()
    assert.match(await look(one), /Payment cancelled Money came that could not be taken/)
  })

  test('what may still come is told before somebody pays from a wallet, and beside what came when it is over', async () => {
    const one = await asked()
    for (const phone of ['0771237999', '0771238999']) await start(one, { phone })
    const { text } = await confirmPage(one, testBrowser(server))
    assert.match(text, /Confirm the payment Still waiting: the MTN MoMo request to .* Do not pay twice/)
    await payments.cancel(one.payment)
    await pressed('256771237999', '1234')
    await settle()
    const both = /Payment cancelled Money came that could not be taken.* Do not confirm the MTN MoMo request/
    assert.match(await look(one), both)
    await pressed('256771238999', '1234')
    await settle()
    assert.equal((await unmatched(one)).length, 2)
  })

  test('a business that is suspended meanwhile: nobody says that no money has left', async () => {
    const other = await openShop(server)
    const one = await other.asked()
    await start(one, { phone: '0771239999' })
    const by = { kind: 'test', id: 'test' }
    await server.merchants.suspend({ merchant: other.business.id, reason: 'Checks', by, origin: {} })
    const { text, html } = await testBrowser(server).get(one.path)
    assert.match(text, /can’t take payments just now We do not know yet whether money has left/)
    assert.match(text, /Do not confirm it any more/)
    assert.doesNotMatch(text, /No money/)
    assert.match(html, /data-every/, 'it says what becomes of it by itself')
    await pressed('256771239999', '1234')
    await settle()
  })

  test('the provider says no, and pays after all: the payment takes it', async () => {
    const one = await asked()
    await start(one, { phone: '0771234999' })
    const { id } = await operationOf(one)
    await operations.learn(id, { state: 'failed', code: 'provider_error', detail: 'said the network' })
    assert.match(await look(one), /The provider refused it/)
    await pressed('256771234999', '1234')
    await settle()
    const { status, attempts } = await record(one)
    assert.deepEqual(
      [status, attempts.map((attempt: { status: string }) => attempt.status)],
      ['completed', ['failed', 'succeeded']],
    )
  })
})

describe('five tries', () => {
  test('then it has failed, and that is told once', async () => {
    const one = await asked()
    for (let attempt = 1; attempt <= 5; attempt++) {
      assert.equal((await now(one)).status, 'pending')
      await start(one, { phone: `077123${attempt}049` })
      await settle()
    }
    const { status, failure, attempts } = await record(one)
    assert.deepEqual([status, failure.code, attempts.length], ['failed', 'declined', 5])
    assert.match(await look(one), /Payment failed No money was taken. It was declined too many times/)
    assert.deepEqual(await told(one), ['failed'])
  })

  test('however many are begun at once', async () => {
    const one = await asked()
    const page = await testBrowser(server).get(`${one.path}&step=mobile`)
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        testBrowser(server).submit(page, 'start', { phone: `0771230${100 + at}`, network: 'mtn' }),
      ),
    )
    await settle()
    assert.equal((await payments.attemptsOf(one.payment)).length, 5)
    assert.equal((await now(one)).status, 'completed')
    assert.equal((await unmatched(one)).length, 4)
    const paid = await testBrowser(server).get(one.path)
    assert.match(paid.text, /Paid Money came that could not be taken. It goes back to you/)
    assert.doesNotMatch(paid.html, /data-forward/)
  })

  test('one that is written down but can not be sent yet is waited for, and is sent later', async () => {
    const one = await asked()
    const { start: send } = operations
    operations.start = () => Promise.reject(new AppError('unavailable', { retryAfter: 1 }))
    const page = await start(one, { phone: '0771234567' })
    operations.start = send
    assert.deepEqual([page.status, (await operationOf(one)).state], [200, 'new'], page.text)
    await askFor(60)
    assert.deepEqual([(await now(one)).status, (await record(one)).attempts.length], ['completed', 1])
  })

  test('the same phone is not asked twice at a time, however often somebody clicks', async () => {
    const one = await asked()
    const page = await testBrowser(server).get(`${one.path}&step=mobile`)
    const pages = await Promise.all(
      Array.from({ length: 6 }, () => testBrowser(server).submit(page, 'start', { phone: '0771235999' })),
    )
    for (const { text } of pages)
      assert.match(text, /Confirm on your phone Waiting for you to confirm on 0771 •••999/)
    assert.equal((await payments.attemptsOf(one.payment)).length, 1)
    assert.equal(simulator.phones.prompts('256771235999').length, 1)
    await payments.cancel(one.payment)
    await pressed('256771235999', '1234')
    await settle()
  })
})
