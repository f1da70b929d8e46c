// A shop in test mode whose customers pay by phone and card: what the tests of such payments share.
import assert from 'node:assert/strict'
import { type Currency, readMinor } from '../src/base/money.ts'
import type { Operation } from '../src/operations/operations.ts'
import type { NewOrder, Payment } from '../src/payments/payments.ts'
import type { ProviderId } from '../src/providers/providers.ts'
import { newBusiness, type TestBusiness } from './businesses.ts'
import { type AskedPayment, ask, type Page, testBrowser } from './checkouts.ts'
import { reconcile } from './helpers.ts'
import type { Loose, Reply } from './people.ts'
import type { SimulatedApp } from './simulated-app.ts'

export interface SimulatedShop {
  business: TestBusiness
  /** For 10 000. */
  asked(currency?: Currency, change?: Partial<NewOrder>): Promise<AskedPayment>
  /** Fills in the form of a way to pay, as a customer does; by phone unless it says otherwise. */
  start(one: AskedPayment, fields: Record<string, string>): Promise<Page>
  look(one: AskedPayment): Promise<string>
  now(one: AskedPayment): Promise<Payment>
  /** As the merchant sees it. */
  record(one: AskedPayment): Promise<Loose>
  /** The events, in their order. */
  told(one: AskedPayment): Promise<string[]>
  refund(one: AskedPayment, body?: object, key?: string): Promise<Reply>
  /** The orders to providers that its tries made, in their order. */
  operations(one: AskedPayment): Promise<Operation[]>
  /** What could not be taken by it, and why. */
  unmatched(one: AskedPayment): Promise<{ id: string; why: string; status: string }[]>
  /** In the ledger. */
  balance(currency?: Currency): Promise<{ balance: bigint; held: bigint }>
  /** The books are right, and to the minor unit what each provider has is what the ledger says that it has. */
  checkBooks(unknownThere?: Partial<Record<ProviderId, bigint>>): Promise<void>
}

const pairs: [ProviderId, Currency][] = [
  ['mpesa', 'KES'],
  ['mtn', 'UGX'],
  ['airtel', 'UGX'],
  ['paystack', 'KES'],
]

export async function openShop(server: SimulatedApp): Promise<SimulatedShop> {
  const { db, ledger, simulator, payments, dependencies } = server
  const business = await newBusiness(server)
  const merchant = (currency: Currency) =>
    ({ kind: 'merchant', owner: String(business.id), currency, mode: 'test' }) as const
  return {
    business,
    asked: (currency = 'UGX', change = {}) => {
      const reading = readMinor('10000', currency)
      assert.ok('minor' in reading)
      const amount = { minor: reading.minor, currency }
      return ask(server, business, { mode: 'test', amount, notifyUrl: 'https://duka.example/ipn', ...change })
    },
    start: async ({ path }, { method = 'mobile', ...fields }) => {
      const browser = testBrowser(server)
      return browser.submit(await browser.get(`${path}&step=${method}`), 'start', fields)
    },
    look: async ({ path }) => (await testBrowser(server).get(path)).text,
    now: async ({ payment }) => {
      const found = await payments.byNumber(payment.number)
      assert.ok(found)
      return found
    },
    record: async ({ payment }) => {
      const reply = await business.callTest('GET', `/api/merchant/payments/${payment.reference}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.body.data
    },
    told: async ({ payment }) => {
      const rows = await db.rows<{ event: string }>(
        'select event from notifications.events where subject = $1 order by sequence',
        [payment.reference],
      )
      return rows.map(({ event }) => event.replace('payment.', ''))
    },
    refund: ({ payment }, body = {}, key) =>
      business.callTest(
        'POST',
        `/api/merchant/payments/${payment.reference}/refund`,
        body,
        key === undefined ? {} : { 'idempotency-key': key },
      ),
    operations: async ({ payment }) => {
      const attempts = await payments.attemptsOf(payment)
      const found = await Promise.all(attempts.map(({ id }) => dependencies.operations.of('payment', id)))
      return found.flat()
    },
    unmatched: ({ payment }) =>
      db.rows('select id, why, status from funding.unmatched where meant_for = $1 order by created_at, id', [
        payment.reference,
      ]),
    balance: async (currency = 'UGX') => {
      const [found] = await ledger.balances(db, [merchant(currency)])
      return { balance: found?.balance ?? 0n, held: found?.held ?? 0n }
    },
    checkBooks: async (unknownThere = {}) => {
      await reconcile(server)
      for (const [provider, currency] of pairs) {
        const name = { kind: 'clearing', owner: provider, currency, mode: 'test' } as const
        const [ours] = await ledger.balances(db, [name])
        const theirs = simulator.statements.net({ provider, currency })
        assert.equal(
          -(ours?.balance ?? 0n),
          theirs + (unknownThere[provider] ?? 0n),
          `${provider} ${currency}`,
        )
      }
    },
  }
}
