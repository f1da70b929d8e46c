// Contributions without an account: through the checkout, by phone or from a wallet there, credited to the campaign with
// what was said, free of fees; not while it is paused; and back the way they came.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { theOperator } from '../../test/businesses.ts'
import { checkAllCampaigns, checkCampaign, newCampaign } from '../../test/campaigns.ts'
import { type Page, testBrowser } from '../../test/checkouts.ts'
import { available, fund, type Loose, register } from '../../test/people.ts'
import { simulatedApp } from '../../test/simulated-app.ts'

const server = await simulatedApp()
const { db, ledger, simulator, settle, askFor, dependencies, clock } = server
const { campaigns, funding } = dependencies
const owner = await register(server)
const giver = await register(server, { name: 'Juma Otieno' })
await fund(server, giver, { amount: '25000000' })
const visitor = await register(server)
await fund(server, visitor, { amount: '20000' })
const operator = await theOperator(server)
/** What came into wallets by the tests' own hand. */
const madeUp = 25_020_000n

afterEach(async () => {
  await checkAllCampaigns(server)
  for (const provider of ['mtn', 'airtel'] as const) {
    const [ours] = await ledger.balances(db, [
      { kind: 'clearing', owner: provider, currency: 'UGX', mode: 'live' },
    ])
    assert.equal(-(ours?.balance ?? 0n), simulator.statements.net({ provider, currency: 'UGX' }), provider)
  }
  const [own] = await ledger.balances(db, [
    { kind: 'clearing', owner: 'mpesa', currency: 'UGX', mode: 'live' },
  ])
  assert.equal(-(own?.balance ?? 0n), madeUp)
})

const pledge = async (id: string, fields: Record<string, string> = {}) => {
  const browser = testBrowser(server)
  const page = await browser.get(`/c/${id}`)
  const checkout = await browser.submit(page, 'contribute', {
    amount: '10,000',
    name: 'Grace',
    message: '',
    ...fields,
  })
  return { browser, checkout }
}
const tokenIn = ({ html }: Page) => /token=([A-Za-z0-9_-]{43})/.exec(html)?.[1] ?? ''
const byPhone = async (id: string, phone: string, fields: Record<string, string> = {}) => {
  const { browser, checkout } = await pledge(id, fields)
  const token = tokenIn(checkout)
  await browser.submit(await browser.get(`/checkout?token=${token}&step=mobile`), 'start', { phone })
  return { look: () => browser.get(`/checkout?token=${token}`), token }
}
const shown = async (id: string): Promise<Loose[]> =>
  (await giver.call('GET', `/api/campaigns/${id}/contributions`)).body.data
const record = async (id: string): Promise<Loose> =>
  (await giver.call('GET', `/api/campaigns/${id}`)).body.data
const decide = (id: string, act: string) =>
  operator.call('POST', `/api/operator/campaigns/${id}/${act}`, { reason: 'Wrong pictures' })

describe('by phone', () => {
  test('it is credited with its name and message, and all of it arrives', async () => {
    const { id } = await newCampaign(owner)
    const { look } = await byPhone(id, '0770000001', { message: 'For the children' })
    await settle()
    const done = await look()
    assert.match(done.text, /UGX 10,000/)
    assert.match(done.text, /Return to the campaign/)
    const { raised_amount, contributor_count, progress } = await record(id)
    assert.deepEqual([raised_amount, contributor_count, progress], [10_000, 1, 1])
    const [one] = await shown(id)
    assert.deepEqual([one?.name, one?.message, one?.amount], ['Grace', 'For the children', 10_000])
    const page = await testBrowser(server).get(`/c/${id}`)
    assert.match(page.text, /Grace UGX 10,000 For the children/)
    assert.match(page.text, /UGX 10,000 raised of UGX 1,000,000/)
  })

  test('two of the same phone are two contributors, and anonymous is anonymous', async () => {
    const { id } = await newCampaign(owner)
    await byPhone(id, '0770000001', { anonymous: 'yes' })
    await byPhone(id, '0770000001', { name: '' })
    await settle()
    assert.deepEqual(
      (await shown(id)).map(({ name, anonymous }) => [name, anonymous]),
      [
        [null, false],
        [null, true],
      ],
    )
    assert.equal((await record(id)).contributor_count, 2)
    assert.match(
      (await testBrowser(server).get(`/c/${id}`)).text,
      /A friend UGX 10,000.*Anonymous UGX 10,000/,
    )
  })

  test('one that fails gives nothing, and says so', async () => {
    const { id } = await newCampaign(owner)
    const { look } = await byPhone(id, '0770000049')
    await settle()
    assert.match((await look()).text, /No money was taken/)
    assert.equal((await record(id)).raised_amount, 0)
  })

  test('one that is confirmed after the end still counts', async () => {
    const soon = new Date(clock.now().getTime() + 60_000).toISOString()
    const { id } = await newCampaign(owner, { ends_at: soon })
    await byPhone(id, '0770000129')
    await settle()
    assert.equal((await record(id)).raised_amount, 0, 'the network is silent')
    await askFor(120)
    assert.deepEqual([(await record(id)).status, (await record(id)).raised_amount], ['ended', 10_000])
  })

  test('one that is confirmed during a pause is not taken, and goes back to who paid', async () => {
    const { id } = await newCampaign(owner)
    const { look } = await byPhone(id, '0770000129')
    await settle()
    await decide(id, 'pause')
    assert.match((await look()).text, /can’t take contributions just now We do not know yet whether money/)
    await askFor(120)
    assert.equal((await record(id)).raised_amount, 0)
    const [money] = await db.rows<{ status: string; why: string; amount: bigint }>(
      'select status, why, amount from funding.unmatched order by created_at desc limit 1',
    )
    assert.deepEqual([money?.status, money?.amount], ['open', 10_000n])
    assert.match((await look()).text, /can’t take contributions just now Money came that could not be taken/)
    await db.rows('update funding.unmatched set due_at = $1', [clock.now()])
    await funding.returnDue()
    await settle()
    await askFor(60)
    const [later] = await db.rows<{ status: string }>(
      'select status from funding.unmatched order by created_at desc limit 1',
    )
    assert.equal(later?.status, 'returned')
  })
})

describe('from a wallet, in the checkout', () => {
  const pay = async (id: string, amount: string, name = '') => {
    const { browser, checkout } = await pledge(id, { amount, name })
    const token = tokenIn(checkout)
    const login = await browser.get(`/checkout?token=${token}&step=wallet`)
    const confirm = await browser.submit(login, 'login', { name: giver.handle, password: giver.password })
    return browser.submit(confirm, 'pay', { pin: giver.pin })
  }

  test('it is theirs: in their history, and one contributor however they give, by the name they typed', async () => {
    const { id } = await newCampaign(owner)
    const before = await available(server, giver)
    assert.match((await pay(id, '10000')).text, /Return to the campaign/)
    await pay(id, '600', 'Uncle Juma')
    await giver.call('POST', `/api/campaigns/${id}/contribute`, { amount: 500, pin: giver.pin })
    assert.equal((await available(server, giver)) - before, -11_100n)
    assert.deepEqual(
      (await shown(id)).map(({ name, amount }) => [name, amount]),
      [
        ['Juma Otieno', 500],
        ['Uncle Juma', 600],
        [null, 10_000],
      ],
    )
    assert.equal((await record(id)).contributor_count, 1)
    const [, , line] = (await giver.call('GET', '/api/transactions?type=campaign_contribution')).body.data
    assert.match(line.reference, /^CC-/)
    assert.equal((await giver.call('GET', `/api/transactions/${line.reference}`)).body.data.amount, 10_000)
  })

  test('it counts against what may leave a wallet in a day', async () => {
    const { id } = await newCampaign(owner)
    for (let given = 0; given < 3; given++) await pay(id, '5000000')
    assert.match((await pay(id, '5000000')).text, /limit/i)
    assert.equal((await record(id)).raised_amount, 15_000_000)
  })
})

describe('giving back', () => {
  test('to the phone and to the wallet, and what a network refuses is tried again', async () => {
    const { id } = await newCampaign(owner)
    await byPhone(id, '0770000001')
    await byPhone(id, '0750000001')
    await settle()
    await visitor.call('POST', `/api/campaigns/${id}/contribute`, { amount: 20_000, pin: visitor.pin })
    assert.equal((await checkCampaign(server, id)).raised, 40_000n)
    const operatorNow = (act: 'return' | 'look') =>
      act === 'look'
        ? operator.call('GET', `/api/operator/campaigns/${id}`)
        : operator.call('POST', `/api/operator/campaigns/${id}/return`, { reason: 'It was a fraud' })
    const before = simulator.statements.net({ provider: 'mtn', currency: 'UGX' })
    simulator.knobs({ failed_refunds: 1 })
    const begun = await operatorNow('return')
    assert.equal(begun.status, 200, begun.text)
    await campaigns.returnMoney({ id })
    await settle()
    await askFor(600)
    await campaigns.returnDue()
    assert.equal(await available(server, visitor), 20_000n)
    assert.equal(simulator.statements.net({ provider: 'mtn', currency: 'UGX' }), before)
    const states = async () =>
      (await operatorNow('look')).body.data.returns.map(({ state, count }: Loose) => [state, count])
    assert.deepEqual(await states(), [
      ['done', 1],
      ['failed', 2],
    ])
    simulator.knobs({ failed_refunds: 0 })
    assert.equal((await operatorNow('return')).status, 200)
    await campaigns.returnMoney({ id })
    await settle()
    await askFor(600)
    await campaigns.returnDue()
    assert.deepEqual(await states(), [['done', 3]])
    assert.equal(simulator.statements.net({ provider: 'mtn', currency: 'UGX' }), before - 10_000n)
    assert.equal((await operatorNow('look')).body.data.state, 'returned')
    assert.equal((await operatorNow('return')).body.code, 'invalid_state')
  })
})

describe('what the form takes', () => {
  test('what is wrong is said on the page, with what was typed', async () => {
    const { id } = await newCampaign(owner)
    const browser = testBrowser(server)
    const page = await browser.get(`/c/${id}`)
    const rows: [fields: Record<string, string>, words: RegExp][] = [
      [{ amount: 'ten' }, /Type the amount as a number/],
      [{ amount: '499' }, /less than the smallest amount/],
      [{ amount: '5,000,001' }, /more than can be given at once/],
      [{ amount: '10000', message: 'x'.repeat(201) }, /too long/],
    ]
    for (const [fields, words] of rows) {
      const again = await browser.submit(page, 'contribute', { name: 'Grace <b>', ...fields })
      assert.equal(again.status, 422)
      assert.match(again.text, words)
      assert.match(again.html, /value="Grace &lt;b&gt;"/)
    }
    assert.equal(
      (await browser.post(`/c/${id}/contribute`, { amount: '10000' }, { origin: 'https://evil.example' }))
        .status,
      403,
    )
    await owner.call('POST', `/api/campaigns/${id}/end`)
    const late = await browser.submit(page, 'contribute', { amount: '10000' })
    assert.equal(late.status, 422)
    assert.match(late.text, /has ended/)
  })
})
