// Wallets: there from the first day, opened on purpose, or opened by receiving; one a currency, with stable ids.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { reconcile, testSecrets } from '../../test/helpers.ts'
import { openProbe } from '../../test/probe-scope.ts'
import { type Currency, currencyCodes } from '../base/money.ts'
import type { Posting } from '../ledger/ledger.ts'
import { walletRoutes } from './routes.ts'
import { walletId } from './wallets.ts'

const registered = new Date('2026-01-02T03:04:05.000Z')
const homes: Record<string, Currency> = { usr_amina: 'UGX', usr_wanjiru: 'KES' }
const { ledger, clock, url, get, post, app } = await openProbe({
  routes: (scope, { db, ledger, clock }) =>
    walletRoutes(scope, {
      db,
      ledger,
      clock,
      secrets: testSecrets,
      defaultWalletOf: async (id) => ({ currency: homes[id] ?? 'USD', openedAt: registered }),
    }),
})
afterEach(() => reconcile({ url }))

const fund = (owner: string, currency: Currency, amount: bigint): Posting => ({
  kind: 'deposit',
  mode: 'live',
  currency,
  details: {},
  entries: [
    { kind: 'clearing', owner: 'mpesa', amount: -amount },
    { kind: 'user', owner, amount },
  ],
})

const listed = async (userId: string) => {
  const answer = await get(userId, '/wallets')
  assert.equal(answer.statusCode, 200, answer.body)
  assert.deepEqual(answer.json().meta, { next_cursor: null })
  return answer.json().data as Record<string, unknown>[]
}

test('the first day: one empty wallet, in the currency of the country, as old as the account', async () => {
  assert.deepEqual(await listed('usr_amina'), [
    {
      id: walletId(testSecrets.idem, { userId: 'usr_amina', currency: 'UGX' }),
      currency: 'UGX',
      name: 'Ugandan Shilling wallet',
      balance: 0,
      held: 0,
      available: 0,
      is_default: true,
      created_at: registered.toISOString(),
    },
  ])
})

test('opened on purpose: 201, and listed behind the default one', async () => {
  clock.set('2026-05-06T07:08:09.000Z')
  const answer = await post('usr_wanjiru', '/wallets', { currency: 'USD' })
  assert.equal(answer.statusCode, 201, answer.body)
  const { data, message } = answer.json()
  assert.equal(message, 'Your USD wallet is open')
  const { id, ...rest } = data
  assert.match(id, /^wal_[0-9A-Za-z]{22}$/)
  assert.deepEqual(rest, {
    currency: 'USD',
    name: 'US Dollar wallet',
    balance: 0,
    held: 0,
    available: 0,
    is_default: false,
    created_at: '2026-05-06T07:08:09.000Z',
  })
  const all = await listed('usr_wanjiru')
  assert.deepEqual(
    all.map(({ currency, is_default }) => [currency, is_default]),
    [
      ['KES', true],
      ['USD', false],
    ],
  )
  assert.deepEqual(all[1], data)
})

test('receiving opens the wallet; amounts have the places of their currency, and what is held is not available', async () => {
  await ledger.submit(fund('usr_neema', 'TZS', 1_250_050n))
  const held = await ledger.submit({
    kind: 'withdrawal_hold',
    mode: 'live',
    currency: 'TZS',
    details: {},
    entries: [],
    hold: { kind: 'user', owner: 'usr_neema', amount: 25n },
  })
  assert.ok(held.ok)
  const [own, wallet] = await listed('usr_neema')
  assert.equal(own?.currency, 'USD')
  const { balance, available, held: aside, is_default } = wallet ?? {}
  assert.deepEqual([balance, aside, available, is_default], [12500.5, 0.25, 12500.25, false])
})

test('an account that only a refused posting has opened is no wallet, and another mode is another world', async () => {
  const refused = await ledger.submit({
    kind: 'transfer',
    mode: 'live',
    currency: 'KES',
    details: {},
    entries: [
      { kind: 'user', owner: 'usr_poor', amount: -5n },
      { kind: 'user', owner: 'usr_rich', amount: 5n },
    ],
  })
  assert.deepEqual(refused, { ok: false, refusal: 'insufficient_funds' })
  await ledger.submit({ ...fund('usr_poor', 'NGN', 5n), mode: 'test' })
  assert.deepEqual(
    (await listed('usr_poor')).map(({ currency }) => currency),
    ['USD'],
  )
})

describe('refused', () => {
  const already = (currency: string) => ({
    currency: `Currency must be another one: you have a wallet in ${currency} already`,
  })
  const rows: [what: string, userId: string, body: object, errors: Record<string, string>][] = [
    ['the default one again', 'usr_amina', { currency: 'UGX' }, already('UGX')],
    ['one that receiving has opened', 'usr_neema', { currency: 'TZS' }, already('TZS')],
    ['one that was opened before', 'usr_wanjiru', { currency: 'USD' }, already('USD')],
    ['no currency', 'usr_amina', {}, { currency: 'Currency is required' }],
    [
      'a currency that is none',
      'usr_amina',
      { currency: 'EUR' },
      { currency: `Currency must be one of ${currencyCodes.join(', ')}` },
    ],
    [
      'small letters',
      'usr_amina',
      { currency: 'kes' },
      { currency: `Currency must be one of ${currencyCodes.join(', ')}` },
    ],
    ['a number', 'usr_amina', { currency: 5 }, { currency: 'Currency must be text' }],
  ]
  for (const [what, userId, body, errors] of rows) {
    test(what, async () => {
      const answer = await post(userId, '/wallets', body)
      assert.equal(answer.statusCode, 422, answer.body)
      assert.deepEqual(answer.json().errors, errors)
    })
  }

  test('of twenty at once, all but one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('usr_amina', '/wallets', { currency: 'ZAR' })),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, ...Array(19).fill(422)])
  })

  test('who shows no credential', async () => {
    assert.equal((await app.inject('/probe/api/wallets')).statusCode, 401)
  })
})

test('ids differ by person and currency, and never change', () => {
  const id = (userId: string, currency: Currency) => walletId(testSecrets.idem, { userId, currency })
  const ids = ['usr_a', 'usr_b'].flatMap((userId) => currencyCodes.map((currency) => id(userId, currency)))
  assert.equal(new Set(ids).size, ids.length)
  // Written down once: a change would give every wallet another name.
  assert.equal(id('usr_a', 'UGX'), 'wal_S9zvRalaujAlrDfZTSYr5o')
})
