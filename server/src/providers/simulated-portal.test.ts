// Every row of the sandbox's outcome table for Airtel Money and Paystack, over HTTP with the simulator: the answer to the
// order, the callbacks to the one address that is set in their portals and how far they are believed, and the answer to
// our question.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import * as wire from '../../test/wire-line.ts'
import type { Amount, Currency } from '../base/money.ts'
import { airtel, simulatorSettings as airtelSettings } from './airtel/airtel.ts'
import type { Market } from './airtel/markets.ts'
import type { Adapter, Exchange, Heard, OperationKind, ProviderSettings, WireOperation } from './contract.ts'
import { paystack, simulatorSettings as paystackSettings } from './paystack/paystack.ts'
import { secretOf } from './settings.ts'

const network = await wire.openLine()
after(() => network.close())
const { simulator, caller } = network
/** Its address is the one in the portals. */
const portal = network.operation({ kind: 'collect', amount: { minor: 1n, currency: 'UGX' } })
simulator.portal.add('airtel', portal.callbackUrl)
simulator.portal.add('paystack', portal.callbackUrl)

interface Line {
  /** No answer is unclear. */
  start(operation: WireOperation): Promise<Heard>
  ask(operation: WireOperation): Promise<Heard>
  /** When nothing more is to come: what the callbacks about it were taken for. */
  callbacks(operation: WireOperation): Promise<Told[]>
}

/** `forged`: refused by its signature. */
type Told = 'forged' | 'signed completed' | 'signed failed' | 'hint completed' | 'hint failed'

function openLine<Settings extends ProviderSettings>(adapter: Adapter<Settings>, settings: Settings): Line {
  const run = async (what: 'start' | 'ask', exchange: () => Exchange): Promise<Heard> => {
    const ran = await caller.run({ adapter, settings, mode: 'test', what, exchange })
    if (ran.ok) return ran.result
    return { state: 'unknown', detail: `${ran.detail}${ran.notSent ? ' (not sent)' : ''}` }
  }
  return {
    start: (operation) => run('start', () => adapter.start(operation, settings)),
    ask: (operation) => run('ask', () => adapter.ask(operation, settings, '')),
    callbacks: async ({ id }) => {
      await simulator.settled()
      const about = network
        .callbacks(portal)
        .filter(({ body }) => body.includes(id) || body.includes(airtelId(id)))
      return about.map((delivery) => {
        const read = adapter.readCallback(delivery, settings)
        return read.ok ? (`${read.signed ? 'signed' : 'hint'} ${read.heard.state}` as Told) : 'forged'
      })
    },
  }
}

const airtelId = (id: string): string => id.replaceAll('-', '')

/** The code of a failure, or the state. */
const wordOf = (heard: Heard): string => (heard.state === 'failed' ? heard.code : heard.state)

const settings = airtelSettings(`${simulator.url}/airtel`)
const lines = {
  airtel: openLine(airtel, settings),
  signing: openLine(airtel, { ...settings, signing: true }),
  paystack: openLine(paystack, paystackSettings(`${simulator.url}/paystack`)),
}

const paid: Told = 'signed completed'
/** Airtel's callbacks are a reason to enquire. */
const hint: Told = 'hint completed'
const why: Told = 'hint failed'
const no: Told = 'signed failed'

// digits, what a collection or a payout ends as, the callbacks
const airtelRows: [string, string, Told[]][] = [
  ['019', 'payer_limit_reached', [why]],
  ['029', 'payer_not_found', [why]],
  ['039', 'cancelled_by_customer', [why]],
  ['049', 'insufficient_balance', [why]],
  ['059', 'wrong_pin', [why]],
  ['069', 'provider_error', [why]],
  ['079', 'phone_unreachable', [why]],
  ['129', 'completed', []],
  ['139', 'completed', [hint, hint]],
  ['149', 'completed', [hint]],
  ['159', 'absent', []],
  ['169', 'completed', ['forged', hint]],
  ['567', 'completed', [hint]],
]

// digits, what a transfer ends as, the callbacks
const transferRows: [string, string, Told[]][] = [
  ['019', 'payer_limit_reached', [no]],
  ['029', 'payer_not_found', [no]],
  ['039', 'cancelled_by_customer', [no]],
  ['049', 'insufficient_balance', [no]],
  ['059', 'wrong_pin', [no]],
  ['069', 'provider_error', [no]],
  ['079', 'phone_unreachable', [no]],
  ['089', 'recipient_not_found', [no]],
  ['129', 'completed', []],
  ['139', 'completed', [paid, paid]],
  ['149', 'completed', [paid]],
  ['159', 'absent', []],
  ['169', 'completed', ['forged', paid]],
  ['567', 'completed', [paid]],
]

// what a person does on the card page, what it ends as, the callbacks: there is none for a failure
const cardRows: [Parameters<typeof simulator.cards.decide>[1], string, Told[]][] = [
  ['limit_reached', 'payer_limit_reached', []],
  ['cancelled', 'cancelled_by_customer', []],
  ['insufficient_funds', 'insufficient_balance', []],
  ['wrong_pin', 'wrong_pin', []],
  ['declined', 'provider_error', []],
  ['silent', 'completed', []],
  ['twice', 'completed', [paid, paid]],
  ['late', 'completed', [paid]],
  ['forged', 'completed', ['forged', paid]],
  ['paid', 'completed', [paid]],
  ['abandoned', 'pending', []],
]

const sum = (minor: bigint, currency: Currency): Amount => ({ minor, currency })

/** What has really moved, as the simulator's books have it. */
const net = (provider: 'airtel' | 'paystack', currency: Currency) =>
  simulator.statements.net({ provider, currency })

// The rows of a table run at the same time: each waits for its own callbacks.
const atOnce = { concurrency: true }

describe('Airtel Money', atOnce, () => {
  const order = (kind: OperationKind, digits: string) =>
    network.operation({ kind, amount: sum(5_000n, 'UGX'), phone: `+256701234${digits}` })

  interface Row {
    kind: OperationKind
    digits: string
    end: string
    told: Told[]
  }
  const checkRow = async (line: Line, { kind, digits, end, told }: Row) => {
    const operation = order(kind, digits)
    assert.equal(wordOf(await line.start(operation)), digits === '159' ? 'unknown' : 'pending')
    // While nobody knows yet, it is neither.
    if (digits === '149') assert.ok(['pending', 'unknown'].includes((await line.ask(operation)).state))
    assert.deepEqual(await line.callbacks(operation), told)
    assert.equal(wordOf(await line.ask(operation)), end)
  }

  const rows = airtelRows.flatMap(([digits, end, told]): Row[] => [
    { kind: 'collect', digits, end, told },
    { kind: 'payout', digits, end, told },
  ])
  rows.push({ kind: 'payout', digits: '089', end: 'recipient_not_found', told: [why] })
  for (const row of rows) test(`${row.kind} …${row.digits} ${row.end}`, () => checkRow(lines.airtel, row))

  for (const kind of ['collect', 'payout'] as const)
    test(`${kind} with signed messages`, () =>
      checkRow(lines.signing, { kind, digits: '567', end: 'completed', told: [hint] }))
})

describe('Airtel Money, in order', () => {
  const collect = (known: Partial<WireOperation> = {}) =>
    network.operation({ kind: 'collect', amount: sum(70_000n, 'KES'), phone: '+254731234567', ...known })

  test('the same id twice is one payment', async () => {
    const before = net('airtel', 'KES')
    const operation = collect()
    await lines.airtel.start(operation)
    assert.deepEqual(await lines.airtel.start(operation), { state: 'pending' })
    await simulator.settled()
    assert.equal(net('airtel', 'KES') - before, 70_000n)
  })

  test('what was collected goes back whole, once', async () => {
    const before = net('airtel', 'KES')
    const payment = collect()
    await lines.airtel.start(payment)
    await simulator.settled()
    const heard = await lines.airtel.ask(payment)
    assert.ok(heard.state === 'completed' && heard.receipt)
    const original = { id: payment.id, providerReference: undefined, receipt: heard.receipt }
    const refund = network.operation({ kind: 'refund', amount: payment.amount, original })
    assert.equal((await lines.airtel.start(refund)).state, 'completed')
    assert.equal(net('airtel', 'KES') - before, 0n)
    assert.equal(wordOf(await lines.airtel.start(refund)), 'provider_error')
    assert.equal((await lines.airtel.ask(refund)).state, 'unknown')
  })

  const hands: [PromptHand, string][] = [
    [{ answer: 'approved', pin: '4821' }, 'completed'],
    [{ answer: 'approved', pin: '0000' }, 'wrong_pin'],
    [{ answer: 'refused' }, 'cancelled_by_customer'],
    [undefined, 'phone_unreachable'],
  ]
  for (const [hand, end] of hands)
    test(`…999: the person at the phone lets it be ${end}`, async () => {
      const operation = collect({ phone: '+254731234999' })
      await lines.airtel.start(operation)
      const [prompt] = simulator.phones.prompts('254731234999')
      assert.ok(prompt)
      assert.equal((await lines.airtel.ask(operation)).state, 'pending')
      if (hand) simulator.phones.answer(prompt.id, hand)
      else await ended(operation)
      await simulator.settled()
      assert.equal(wordOf(await lines.airtel.ask(operation)), end)
    })

  test('wrong credentials are our fault, and nothing was sent', async () => {
    const market = { ...settings.markets.UGX, clientSecret: secretOf('wrong') } as Market
    const line = openLine(airtel, { ...settings, baseUrl: `${settings.baseUrl}/`, markets: { UGX: market } })
    const heard = await line.start(
      network.operation({ kind: 'collect', amount: sum(500n, 'UGX'), phone: '+256701234567' }),
    )
    assert.match(heard.state === 'unknown' ? heard.detail : '', /Airtel gave no token: 401 .*\(not sent\)$/)
  })

  test('a wrong PIN of ours is said at once', async () => {
    const market = { ...settings.markets.UGX, pin: secretOf('9999') } as Market
    const line = openLine(airtel, { ...settings, markets: { UGX: market } })
    const order = network.operation({ kind: 'payout', amount: sum(500n, 'UGX'), phone: '+256701234567' })
    assert.equal(wordOf(await line.start(order)), 'provider_config')
    assert.equal((await line.ask(order)).state, 'absent')
  })
})

type PromptHand = Parameters<typeof simulator.phones.answer>[1] | undefined

/** The simulator has decided over it; looked for again and again, for five seconds at most. */
async function ended({ id }: WireOperation): Promise<void> {
  const isOver = () =>
    simulator.orders().some((order) => order.id === airtelId(id) && order.state !== 'waiting')
  for (let looks = 0; !isOver(); looks++) {
    assert.ok(looks < 500, 'it ends')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('Paystack', atOnce, () => {
  const transfer = (digits: string, currency: 'KES' | 'NGN') =>
    network.operation({
      kind: 'payout',
      amount: sum(125_050n, currency),
      ...(currency === 'KES' ? { phone: `+254712345${digits}` } : { account: `058-0123456${digits}` }),
    })

  for (const [digits, end, told] of transferRows)
    for (const currency of ['KES', 'NGN'] as const)
      test(`transfer of ${currency} …${digits} ${end}`, async () => {
        const operation = transfer(digits, currency)
        assert.equal((await lines.paystack.start(operation)).state, digits === '159' ? 'unknown' : 'pending')
        assert.deepEqual(await lines.paystack.callbacks(operation), told)
        const heard = await lines.paystack.ask(operation)
        assert.equal(wordOf(heard), end)
        if (heard.state === 'completed') assert.deepEqual(heard.amount, operation.amount)
      })

  for (const [decision, end, told] of cardRows)
    test(`card, ${decision}`, async () => {
      const operation = network.operation({
        kind: 'collect',
        amount: sum(125_050n, 'ZAR'),
        returnUrl: 'http://localhost/back',
      })
      const started = await lines.paystack.start(operation)
      assert.ok(started.state === 'pending' && started.redirectUrl)
      assert.equal((await lines.paystack.ask(operation)).state, 'pending')
      simulator.cards.decide(started.redirectUrl.split('/').at(-1) ?? '', decision)
      assert.deepEqual(await lines.paystack.callbacks(operation), told)
      const heard = await lines.paystack.ask(operation)
      assert.equal(wordOf(heard), end)
      if (heard.state === 'completed') assert.deepEqual(heard.amount, operation.amount)
    })
})

describe('Paystack, in order', () => {
  const line = lines.paystack

  async function payByCard(): Promise<{
    operation: WireOperation
    original: NonNullable<WireOperation['original']>
  }> {
    const operation = network.operation({ kind: 'collect', amount: sum(10_000n, 'USD') })
    const started = await line.start(operation)
    assert.ok(started.state === 'pending')
    simulator.cards.decide(started.redirectUrl?.split('/').at(-1) ?? '', 'paid')
    const heard = await line.ask(operation)
    assert.ok(heard.state === 'completed')
    const { providerReference, receipt } = heard
    return { operation, original: { id: operation.id, providerReference, receipt } }
  }

  test('a part of it goes back; a refund whose answer got lost is found; too much is refused', async () => {
    const before = net('paystack', 'USD')
    const { original } = await payByCard()
    const part = network.operation({ kind: 'refund', amount: sum(4_000n, 'USD'), original })
    const started = await line.start(part)
    assert.ok(started.state === 'pending' && started.providerReference)
    assert.deepEqual(await line.callbacks(part), [paid])
    for (const providerReference of [started.providerReference, undefined]) {
      const heard = await line.ask({ ...part, providerReference })
      assert.ok(heard.state === 'completed')
      assert.deepEqual(heard.amount, part.amount)
    }
    assert.equal(net('paystack', 'USD') - before, 6_000n)
    const rest = network.operation({ kind: 'refund', amount: sum(6_001n, 'USD'), original })
    assert.equal(wordOf(await line.start(rest)), 'amount_out_of_bounds')
    assert.equal((await line.ask(rest)).state, 'absent')
  })

  test('the same reference twice is one payment and one transfer', async () => {
    const { operation } = await payByCard()
    assert.deepEqual(await line.start(operation), { state: 'pending' })
    const before = net('paystack', 'KES')
    const transfer = network.operation({ kind: 'payout', amount: sum(5_000n, 'KES'), phone: '+254712345678' })
    await line.start(transfer)
    assert.deepEqual(await line.start(transfer), { state: 'pending' })
    await simulator.settled()
    assert.equal(net('paystack', 'KES') - before, -5_000n)
  })

  test('a wrong key is our fault', async () => {
    const wrong = { ...paystackSettings(`${simulator.url}/paystack`), secretKey: secretOf('sk_test_wrong') }
    const stranger = openLine(paystack, wrong)
    const order = network.operation({ kind: 'collect', amount: sum(100n, 'USD') })
    assert.equal(wordOf(await stranger.start(order)), 'provider_config')
    assert.equal((await stranger.ask(order)).state, 'unknown')
  })

  test('an outage is unclear, and when it is over the question is answered', async () => {
    const order = network.operation({ kind: 'payout', amount: sum(100n, 'KES'), phone: '+254712345678' })
    for (const outage of ['cut', 'unavailable'] as const) {
      simulator.knobs({ outages: { paystack: outage } })
      assert.equal((await line.start(order)).state, 'unknown')
      assert.equal((await line.ask(order)).state, 'unknown')
    }
    simulator.knobs({ outages: { paystack: 'none' } })
    assert.equal((await line.ask(order)).state, 'absent')
  })
})
