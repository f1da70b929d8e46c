// Refunds that the provider has made, and nobody heard of it: the answer was lost and so was the callback. None of them is
// ever taken for failed, or the merchant would have the money again that the customer has already. What can't be asked for
// is found in the provider's records.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { AskedPayment } from '../../../test/checkouts.ts'
import { simulatedApp } from '../../../test/simulated-app.ts'
import { openShop } from '../../../test/simulated-shop.ts'

const server = await simulatedApp()
const { settle, askFor, simulator, clock, dependencies } = server
const { funding, operations } = dependencies
const { asked, start, now, record, refund, balance, checkBooks } = await openShop(server)

// The simulator's books have the real time.
const setClock = () => clock.set(new Date().toISOString())
beforeEach(setClock)
afterEach(() => checkBooks())

const phones = { mpesa: '0712345567', mtn: '0771234567', airtel: '0701234567' } as const
const currencies = { mpesa: 'KES', mtn: 'UGX', airtel: 'UGX', paystack: 'KES' } as const
type Provider = keyof typeof currencies

async function paid(provider: Provider): Promise<AskedPayment> {
  setClock()
  const one = await asked(currencies[provider])
  if (provider === 'paystack') {
    const page = await start(one, { method: 'paystack', email: 'amina@example.com' })
    const [, place = ''] = /content="0;url=([^"]+)"/.exec(page.html) ?? []
    simulator.cards.decide(place.split('/').at(-1) ?? '', 'paid')
  } else await start(one, { phone: phones[provider] })
  await settle()
  assert.equal((await now(one)).status, 'completed')
  return one
}

// The merchant can give back a whole payment only with what others have left: the fee is not given back.
for (const provider of ['mtn', 'mpesa'] as const) {
  const one = await paid(provider)
  // So that there is a token by then.
  await refund(one, { amount: 1_000 })
}
await settle()

/** It is made, and nobody hears of it. */
async function unheard(one: AskedPayment, body: object = {}): Promise<void> {
  simulator.knobs({ unanswered: 1, lost: 1 })
  assert.equal((await refund(one, body)).status, 200)
  await settle()
  simulator.knobs({ unanswered: 0, lost: 0 })
}

const stateOf = async (one: AskedPayment) =>
  (await record(one)).refunds.map(({ status }: { status: string }) => status)

describe('a refund that nobody heard of', () => {
  const rows: [provider: Provider, asked: string][] = [
    ['mtn', 'completed'],
    ['paystack', 'completed'],
    // They have no name for it that we know: it waits.
    ['mpesa', 'pending'],
    ['airtel', 'pending'],
  ]
  for (const [provider, state] of rows)
    test(`${provider}: is ${state} after 20 minutes, and completed by the records`, async () => {
      const one = await paid(provider)
      const day = clock.now().toISOString().slice(0, 10)
      await unheard(one)
      await askFor(20 * 60)
      assert.deepEqual(await stateOf(one), [state])
      await funding.match({ provider, mode: 'test', day })
      assert.deepEqual(await stateOf(one), ['completed'])
      assert.equal((await now(one)).status, 'refunded')
      assert.equal((await balance(currencies[provider])).held, 0n)
    })

  test('in part, of a provider that stays away for a day: the records have it', async () => {
    const [one, other] = [await paid('paystack'), await paid('paystack')]
    const day = clock.now().toISOString().slice(0, 10)
    await unheard(one, { amount: 4_000 })
    simulator.knobs({ outages: { paystack: 'cut' } })
    // This one never arrives.
    await refund(other, { amount: 4_000 })
    clock.advance(25 * 3_600)
    await operations.askDue()
    assert.deepEqual(await stateOf(one), ['pending'])
    await funding.match({ provider: 'paystack', mode: 'test', day })
    simulator.knobs({ outages: { paystack: 'none' } })
    assert.deepEqual([await stateOf(one), await stateOf(other)], [['completed'], ['failed']])
  })
})

test('the report of a day in live mode knows nothing of the test mode, though the simulator has one book', async () => {
  const day = clock.now().toISOString().slice(0, 10)
  const { match } =
    (await funding.seeMatch(await funding.match({ provider: 'mtn', mode: 'live', day }))) ?? {}
  assert.deepEqual([match?.records, match?.differences], [0, 0])
})
