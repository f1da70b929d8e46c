// Refunds that go back by the provider: held at once, gone when the provider confirms, the merchant's again when it fails;
// never more than was paid, however many come at once; each that arrived is told once.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { AskedPayment } from '../../../test/checkouts.ts'
import { submittedDuring } from '../../../test/helpers.ts'
import type { Loose } from '../../../test/people.ts'
import { simulatedApp } from '../../../test/simulated-app.ts'
import { openShop } from '../../../test/simulated-shop.ts'
import { AppError } from '../../base/errors.ts'

const server = await simulatedApp()
const { settle, askFor, dependencies, simulator } = server
const { operations } = dependencies
const { business, asked, start, look, now, record, told, refund, balance, checkBooks } =
  await openShop(server)

afterEach(() => checkBooks())

// The merchant can give back a whole payment only with what others have left: the fee is not given back.
for (const currency of ['UGX', 'UGX', 'KES'] as const) {
  const one = await asked(currency)
  await start(one, { phone: currency === 'UGX' ? '0771234567' : '0712345567' })
}
await settle()

const phones = { mpesa: '0712345567', mtn: '0771234567', airtel: '0701234567' } as const
const currencies = { mpesa: 'KES', mtn: 'UGX', airtel: 'UGX', paystack: 'KES' } as const

async function paid(provider: keyof typeof currencies, phone?: string): Promise<AskedPayment> {
  const one = await asked(currencies[provider])
  if (provider === 'paystack') {
    const page = await start(one, { method: 'paystack', email: 'amina@example.com' })
    const [, place = ''] = /content="0;url=([^"]+)"/.exec(page.html) ?? []
    simulator.cards.decide(place.split('/').at(-1) ?? '', 'paid')
  } else {
    await start(one, { phone: phone ?? phones[provider] })
  }
  await settle()
  assert.equal((await now(one)).status, 'completed')
  return one
}

const statesOf = ({ refunds }: Loose) => refunds.map(({ amount, status }: Loose) => [amount, status])

/** What the owner of the business was mailed of refunds that failed. */
const toldByMail = async () => {
  const mails = await server.db.rows<{ data: Loose }>(
    `select data from mail.messages where template = 'refund_failed' and about_id = $1 order by number`,
    [String(business.id)],
  )
  return mails.map(({ data }) => [data.amountText, data.reference, data.mode])
}

/** Some providers are asked what came of it. */
const untilEnded = async () => {
  await settle()
  await askFor(120)
}

describe('back the way it came', () => {
  for (const provider of ['mpesa', 'mtn', 'airtel', 'paystack'] as const) {
    test(`${provider}: in part, then the rest`, async () => {
      const one = await paid(provider)
      const currency = currencies[provider]
      const unit = currency === 'KES' ? 100n : 1n
      const before = await balance(currency)
      const part = await refund(one, { amount: 4_000, reason: 'Broken cup' })
      assert.equal(part.status, 200, part.text)
      await untilEnded()
      const shown = await record(one)
      assert.deepEqual(statesOf(shown), [[4_000, 'completed']])
      assert.deepEqual([shown.status, shown.refunded_amount], ['completed', 4_000])
      assert.equal((await balance(currency)).balance, before.balance - 4_000n * unit)
      const rest = await refund(one)
      assert.equal(rest.status, 200, rest.text)
      await untilEnded()
      const whole = await record(one)
      assert.deepEqual(statesOf(whole), [
        [4_000, 'completed'],
        [6_000, 'completed'],
      ])
      assert.deepEqual([whole.status, whole.refunded_amount], ['refunded', 10_000])
      assert.equal((await balance(currency)).held, 0n)
      assert.match(await look(one), /Refunded The money went back to where it came from/)
    })
  }

  test('while it is on its way the money is held, and nothing is told', async () => {
    const one = await asked('UGX', { source: 'pay' })
    await start(one, { phone: phones.mtn })
    await settle()
    const before = await balance()
    const reply = await refund(one, { amount: 4_000 })
    assert.deepEqual(
      [reply.body.message, statesOf(reply.body.data)],
      ['Refund on its way', [[4_000, 'pending']]],
    )
    assert.deepEqual(await balance(), { balance: before.balance, held: before.held + 4_000n })
    assert.deepEqual(await told(one), ['pending', 'completed'])
    await untilEnded()
    assert.deepEqual(await told(one), ['pending', 'completed', 'refunded'])
    assert.deepEqual(await balance(), { balance: before.balance - 4_000n, held: before.held })
  })

  test('the provider refuses: the merchant has it again, sees why, and may try again', async () => {
    // Airtel gives back the whole or nothing: a part goes as a payout, and to this number none can go.
    const one = await paid('airtel', '0701234089')
    const before = await balance()
    await refund(one, { amount: 4_000 })
    await untilEnded()
    const shown = await record(one)
    assert.deepEqual(statesOf(shown), [[4_000, 'failed']])
    assert.equal(shown.refunds[0].failure.code, 'recipient_not_found')
    assert.deepEqual([shown.status, shown.refunded_amount], ['completed', 0])
    assert.deepEqual(await balance(), before)
    assert.deepEqual(await toldByMail(), [['UGX 4,000', one.payment.reference, 'test']])
    await refund(one)
    await untilEnded()
    assert.equal((await now(one)).status, 'refunded')
  })

  test('refused again and again in the sandbox: five mails a day, whose mailbox that may be', async () => {
    const before = (await toldByMail()).length
    const one = await paid('airtel', '0701235089')
    for (let n = 0; n < 6; n++) assert.equal((await refund(one, { amount: 1_000 })).status, 200)
    await untilEnded()
    assert.deepEqual(
      statesOf(await record(one)).map(([, status]: string[]) => status),
      Array(6).fill('failed'),
    )
    const mails = await toldByMail()
    assert.ok(before < 5)
    assert.equal(mails.length, 5)
  })
})

describe('never more than was paid', () => {
  test('one that is written down but can not be sent yet is not told as a failure, and is sent later', async () => {
    const one = await paid('mtn')
    const before = await balance()
    const { start: send } = operations
    operations.start = () => Promise.reject(new AppError('unavailable', { retryAfter: 1 }))
    const reply = await refund(one, { amount: 4_000 })
    operations.start = send
    // Who hears of a failure asks once more, and without a key that is another refund.
    assert.deepEqual([reply.status, reply.body.message], [200, 'Refund on its way'], reply.text)
    assert.deepEqual(await balance(), { balance: before.balance, held: before.held + 4_000n })
    await untilEnded()
    assert.deepEqual(statesOf(await record(one)), [[4_000, 'completed']])
    assert.deepEqual(await balance(), { balance: before.balance - 4_000n, held: before.held })
  })

  test('twelve at once, and then the rest, twice with one key', async () => {
    const one = await paid('mtn')
    const replies = await Promise.all(Array.from({ length: 12 }, () => refund(one, { amount: 3_000 })))
    assert.equal(replies.filter(({ status }) => status === 200).length, 3)
    for (const { status, body } of replies)
      if (status !== 200) assert.deepEqual([status, Object.keys(body.errors)], [422, ['amount']])
    await untilEnded()
    assert.equal((await now(one)).refunded.minor, 9_000n)
    const [first, again] = [await refund(one, {}, 'the-rest'), await refund(one, {}, 'the-rest')]
    assert.deepEqual([first.status, again.status], [200, 200], first.text)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(first.body.message, 'Refund on its way')
    await untilEnded()
    const shown = await record(one)
    assert.deepEqual([shown.status, shown.refunds.length], ['refunded', 4])
    // The first answer again, whatever came of it since.
    const submitted = await submittedDuring(server, async () => {
      const later = await refund(one, {}, 'the-rest')
      assert.deepEqual([again.text, later.text], [first.text, first.text])
      assert.equal((await refund(one, {}, 'too-much')).body.code, 'invalid_state')
      assert.equal((await refund(one, { amount: 1 }, 'the-rest')).body.code, 'idempotency_conflict')
    })
    assert.equal(submitted, 0)
  })

  test('the ends come at once, each several times', async () => {
    const one = await paid('mtn')
    const before = await balance()
    for (let part = 0; part < 4; part++) await refund(one, { amount: 2_500 })
    const { refunds } = await record(one)
    const orders = (await Promise.all(refunds.map(({ id }: Loose) => operations.of('refund', id)))).flat()
    await Promise.all([settle(), ...[...orders, ...orders].map(({ id }) => operations.ask(id))])
    await untilEnded()
    assert.equal((await now(one)).status, 'refunded')
    assert.equal((await balance()).balance, before.balance - 10_000n)
  })
})
