// Every row of the outcome table (docs/guides/simulator.md) for deposits and withdrawals, with every provider that has it,
// through our API and over HTTP to the simulator and back: what the person sees in the end, what is in the wallet, that
// nothing is held any more, and that the provider's books say the same as ours.
//  `silence`: the prompt's time goes by. `ask`: no callback comes, so the provider has to be asked. `late`: it comes when
//  nobody waits any more. A failure leaves everything as it was.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reconcile } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { finish, shortDelays } from '../../test/open-orders.ts'
import { fund, register } from '../../test/people.ts'
import { simulatedApp } from '../../test/simulated-app.ts'
import { type Currency, readMinor } from '../base/money.ts'
import type { ProviderId } from '../providers/providers.ts'

const server = await simulatedApp({ delays: shortDelays })
const { simulator, dependencies } = server
const paid = 'completed'

/** digits, what a deposit ends as, and what a withdrawal does */
const rows: [digits: string, deposit: string, withdrawal: string][] = [
  ['019', 'payer_limit_reached', 'payer_limit_reached'],
  ['029', 'payer_not_found', 'payer_not_found'],
  ['039', 'cancelled_by_customer', 'cancelled_by_customer'],
  ['049', 'insufficient_balance', 'insufficient_balance'],
  ['059', 'wrong_pin', 'wrong_pin'],
  ['069', 'provider_error', 'provider_error'],
  ['079', 'phone_unreachable', 'phone_unreachable'],
  ['089', paid, 'recipient_not_found'],
  ['129', paid, paid],
  ['139', paid, paid],
  ['149', paid, paid],
  ['159', 'provider_error', 'provider_error'],
  ['169', paid, paid],
  ['567', paid, paid],
]

interface Line {
  provider: ProviderId
  currency: Currency
  amount: string
  /** With the three digits behind it. */
  number: string
  /** Which field it is sent in. */
  field: 'phone' | 'account'
  kinds: ('deposit' | 'withdrawal')[]
  /** Where the provider has no word of its own for a row: what it says in its place. */
  words?: Partial<Record<string, string>>
}

const lines: Line[] = [
  {
    provider: 'mpesa',
    currency: 'KES',
    amount: '1200',
    number: '+254712345',
    field: 'phone',
    kinds: ['deposit', 'withdrawal'],
    // Who gets a payout types no PIN: what Daraja says in its place is about our own.
    words: { 'withdrawal 059': 'provider_config' },
  },
  {
    provider: 'mtn',
    currency: 'UGX',
    amount: '12000',
    number: '+256772345',
    field: 'phone',
    kinds: ['deposit', 'withdrawal'],
    // MTN tells neither a wrong PIN nor a phone that is off.
    words: {
      'deposit 059': 'provider_error',
      'deposit 079': 'expired',
      'withdrawal 059': 'provider_error',
      'withdrawal 079': 'expired',
    },
  },
  {
    provider: 'airtel',
    currency: 'UGX',
    amount: '12000',
    number: '+256702345',
    field: 'phone',
    kinds: ['deposit', 'withdrawal'],
  },
  {
    provider: 'paystack',
    currency: 'NGN',
    amount: '1200.50',
    number: '058-0123456',
    field: 'account',
    kinds: ['withdrawal'],
  },
]

interface Case {
  kind: 'deposit' | 'withdrawal'
  line: Line
  digits: string
  end: string
}

const casesOf = (line: Line, kind: Case['kind']): Case[] =>
  rows.map(([digits, deposit, withdrawal]) => {
    const usual = kind === 'deposit' ? deposit : withdrawal
    return { kind, line, digits, end: line.words?.[`${kind} ${digits}`] ?? usual }
  })

const urls = { deposit: '/api/deposit/initiate', withdrawal: '/api/withdraw' }
const minorOf = (text: string, currency: Currency): bigint => {
  const reading = readMinor(text, currency)
  assert.ok('minor' in reading)
  return reading.minor
}

const funded = '1000000'

/** Somebody for each kind and provider, who does all that the table has; all of it at once. */
async function begin(line: Line, kind: Case['kind']) {
  const person = await register(server)
  if (kind === 'withdrawal') await fund(server, person, { amount: funded, currency: line.currency })
  const begun = await Promise.all(
    casesOf(line, kind).map(async (one) => {
      const reply = await person.call('POST', urls[kind], {
        amount: line.amount,
        currency: line.currency,
        method: line.provider,
        [line.field]: line.number + one.digits,
        ...(kind === 'withdrawal' ? { pin: person.pin } : {}),
      })
      assert.equal(reply.status, 200, reply.text)
      return { ...one, reference: reply.body.data.reference as string }
    }),
  )
  return { line, kind, person, begun }
}

/** What a person lets happen on the card page, and what a deposit ends as. */
const cardRows: [Parameters<typeof simulator.cards.decide>[1], string][] = [
  ['limit_reached', 'payer_limit_reached'],
  ['cancelled', 'cancelled_by_customer'],
  ['insufficient_funds', 'insufficient_balance'],
  ['wrong_pin', 'wrong_pin'],
  ['declined', 'provider_error'],
  ['silent', paid],
  ['twice', paid],
  ['late', paid],
  ['forged', paid],
  ['paid', paid],
]

async function beginCards() {
  const person = await register(server)
  const line: Line = { ...(lines.at(-1) as Line), kinds: ['deposit'] }
  const begun = []
  for (const [decision, end] of cardRows) {
    const body = { amount: line.amount, currency: line.currency, method: 'paystack' }
    const reply = await person.call('POST', '/api/deposit/initiate', body)
    assert.equal(reply.status, 200, reply.text)
    const { reference, redirect_url: page } = reply.body.data
    simulator.cards.decide(new URL(page).pathname.split('/').at(-1) ?? '', decision)
    begun.push({ line, kind: 'deposit' as const, digits: decision, end, reference: reference as string })
  }
  return { line, kind: 'deposit' as const, person, begun }
}

// The simulator's books have the real time.
server.clock.set(new Date().toISOString())
const journeys = await Promise.all(lines.flatMap((line) => line.kinds.map((kind) => begin(line, kind))))
const cardJourney = await beginCards()
const left = await finish(server)

describe('what the provider can not tell', () => {
  test('is one thing: a prompt of M-Pesa whose number never reached us', () => {
    assert.deepEqual(
      left.map(({ provider, kind, phone, state }) => `${provider} ${kind} ${phone} ${state}`),
      ['mpesa collect +254712345159 unknown'],
    )
  })

  test('the daily match finds that it was never made', async () => {
    const day = server.clock.now().toISOString().slice(0, 10)
    await dependencies.funding.match({ provider: 'mpesa', mode: 'live', day })
    assert.deepEqual(await finish(server, { patience: 0 }), [])
  })
})

for (const { line, kind, person, begun } of [...journeys, cardJourney])
  describe(`${kind} with ${line.provider}`, () => {
    for (const { digits, end, reference } of begun)
      test(`…${digits} ${end}`, async () => {
        const { body } = await person.call('GET', `/api/transactions/${reference}`)
        const { type, status, steps } = body.data
        const [operation] = await dependencies.operations.list({ q: reference, limit: 10 })
        assert.deepEqual(
          [type, status === 'failed' ? operation?.failure?.code : status, steps.length],
          [kind, end, 2],
        )
      })

    test('the wallet has what it should, and holds nothing', async () => {
      const amount = minorOf(line.amount, line.currency)
      const paidOnes = BigInt(begun.filter(({ end }) => end === paid).length)
      const each = kind === 'deposit' ? amount : -(amount + (amount + 50n) / 100n)
      const [wallet] = await server.ledger.balances(server.db, [
        { kind: 'user', owner: person.id, currency: line.currency, mode: 'live' },
      ])
      const before = kind === 'deposit' ? 0n : minorOf(funded, line.currency)
      assert.deepEqual([wallet?.balance, wallet?.held], [before + paidOnes * each, 0n])
    })
  })

describe('the books', () => {
  test('are right', async () => {
    await reconcile(server)
    await checkLedger(server.url)
  })

  for (const { provider, currency } of lines)
    test(`${provider}: the network has what we have, to the last unit`, async () => {
      const account = { kind: 'clearing', owner: provider, currency, mode: 'live' } as const
      const [clearing] = await server.ledger.balances(server.db, [account])
      // The money that the tests began with came from the same account as M-Pesa's.
      const given = provider === 'mpesa' ? minorOf(funded, currency) : 0n
      assert.equal(simulator.statements.net({ provider, currency }), -(clearing?.balance ?? 0n) - given)
    })

  test('forged callbacks are in the audit log', async () => {
    const forged = await server.db.rows(`select 1 from audit.events where action = 'callback.refused'`)
    // Of each provider and each kind that has an address which somebody else could know.
    assert.ok(forged.length >= 4, `${forged.length}`)
  })
})
