// Prompts to a phone that may be a stranger's: of all who ask it together six go unpaid in 15 minutes, deposits and
// payments alike, and one person begins five deposits at once. Real settings of Airtel, with the network in a box behind them.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startSimulator } from '../../../simulator/src/simulator.ts'
import { newBusiness } from '../../test/businesses.ts'
import { ask, testBrowser } from '../../test/checkouts.ts'
import { testApp } from '../../test/helpers.ts'
import { patientDelays } from '../../test/open-orders.ts'
import { register, type TestPerson } from '../../test/people.ts'

const simulator = await startSimulator({ delays: patientDelays, seed: 1 })
after(() => simulator.close())
const airtel = {
  AIRTEL_BASE_URL: `${simulator.url}/airtel`,
  AIRTEL_UGANDA: 'simulator:simulator-secret:1234:simulator-hash-key',
}
const server = await testApp({ environment: airtel })
const { operations } = server.dependencies

const deposit = (person: TestPerson, phone: string, headers = {}) =>
  person.call(
    'POST',
    '/api/deposit/initiate',
    { amount: 12_000, currency: 'UGX', method: 'airtel', phone },
    headers,
  )

/** How it ended: they all did. */
async function endAll(state: 'completed' | 'failed'): Promise<void> {
  const outcome = state === 'completed' ? { state } : { state, detail: 'Not paid' }
  for (const { id, endedAt } of await operations.list({ limit: 100 }))
    if (endedAt === null) await operations.resolve(id, { operator: 'usr_test', reason: 'Test', outcome })
}

describe('a phone', () => {
  test('is asked six times in vain within 15 minutes, by whomever, and then not until some have passed', async () => {
    const phone = '+256701234567'
    const [pest, owner] = [await register(server), await register(server)]
    const many = await Promise.all(Array.from({ length: 9 }, () => deposit(pest, phone)))
    assert.deepEqual(many.map(({ status }) => status).sort(), [...Array(6).fill(200), 429, 429, 429])
    await endAll('failed')
    const refused = await deposit(owner, phone)
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
    assert.match(refused.body.message, /asked for money several times/)
    assert.equal(Number(refused.headers['retry-after']), 900)
    assert.equal((await deposit(owner, '+256701234568')).status, 200, 'another phone')
    const shop = testBrowser(server)
    const { path, payment } = await ask(server, await newBusiness(server), {})
    const form = await shop.get(`${path}&step=mobile`)
    const page = await shop.submit(form, 'start', { phone })
    assert.match(page.text, /This phone was asked several times/)
    assert.equal(page.status, 429)
    assert.deepEqual(await server.payments.attemptsOf(payment), [], 'no try is used up')
    server.clock.advance(900)
    assert.equal((await deposit(owner, phone)).status, 200)
  })

  test('that pays is asked as often as somebody likes; a repeated request is the same one', async () => {
    const phone = '+256701234569'
    const owner = await register(server)
    for (let n = 0; n < 7; n++) {
      assert.equal((await deposit(owner, phone)).status, 200)
      await endAll('completed')
    }
    const key = { 'idempotency-key': 'once' }
    const first = await deposit(owner, phone, key)
    for (let n = 0; n < 7; n++) assert.equal((await deposit(owner, phone, key)).text, first.text)
  })

  test('that was not asked, because the provider was away, can pay when it is back', async () => {
    const phone = '+256701234570'
    const owner = await register(server)
    for (let n = 0; n < 6; n++) {
      assert.equal((await deposit(owner, phone)).status, 200)
      const open = (await operations.list({ q: phone, limit: 10 })).find(({ endedAt }) => endedAt === null)
      const away = { state: 'failed', code: 'provider_unavailable', detail: 'away' } as const
      await operations.learn(open?.id ?? '', away)
    }
    assert.equal((await deposit(owner, phone)).status, 200)
    await endAll('failed')
  })
})

test('one person begins five deposits in half a minute', async () => {
  const limited = await testApp({ database: server, environment: { ...airtel, RATE_LIMITS: 'on' } })
  const somebody = await register(limited)
  for (let n = 0; n < 5; n++) assert.equal((await deposit(somebody, `+25670123500${n}`)).status, 200)
  const refused = await deposit(somebody, '+256701235005')
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  assert.equal(refused.headers['ratelimit-limit'], '5')
})
