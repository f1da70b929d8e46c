// Limits and guards. A limit counts what left an account in any 24 hours, exactly, however many ask at once and from
// however many processes. A guard is what allowed a posting: when it has changed, nothing is written.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { openDb } from '../db/db.ts'
import * as ledgers from './ledger.ts'

const database = await testDatabase()
const clock = testClock()
const db = openDb({ url: database.url, connectionsMax: 3, name: 'mfuko tests' })
const open = () => ledgers.openLedger({ url: database.url, clock })
const pair = [open(), open()] as const
after(async () => {
  for (const ledger of pair) await ledger.close()
  await db.close()
})
let alice = ''
let people = 0
beforeEach(async () => {
  people += 1
  alice = `usr_alice_${people}`
  await pay(pair[0], {
    from: { kind: 'clearing', owner: 'mpesa' },
    to: alice,
    amount: 100_000n,
    kind: 'deposit',
  })
})
afterEach(async () => {
  await reconcile(database)
  await checkLedger(database.url)
})

interface Payment {
  from?: ledgers.Posting['entries'][number] | { kind: 'clearing' | 'user'; owner: string }
  to?: string
  amount: bigint
  kind?: string
  most?: bigint
  guard?: bigint
}

function pay(ledger: ledgers.Ledger, payment: Payment): Promise<ledgers.Outcome> {
  return ledger.submit(postingOf(payment))
}

function postingOf({
  from,
  to = 'usr_bob',
  amount,
  kind = 'transfer',
  most,
  guard,
}: Payment): ledgers.Posting {
  const sender = from ?? { kind: 'user' as const, owner: alice }
  return {
    kind,
    mode: 'live',
    currency: 'UGX',
    details: {},
    entries: [
      { kind: sender.kind, owner: sender.owner, amount: -amount },
      { kind: 'user', owner: to, amount },
    ],
    ...(most === undefined
      ? {}
      : { limit: { kind: 'user', owner: alice, most, kinds: ['transfer', 'withdrawal'] } }),
    ...(guard === undefined ? {} : { guard: { owner: alice, version: guard } }),
  }
}

const word = (outcome: ledgers.Outcome) => (outcome.ok ? 'ok' : outcome.refusal)
const count = (outcomes: ledgers.Outcome[]) => outcomes.filter(({ ok }) => ok).length

describe('a limit', () => {
  test('is exact: 60 at once of ten that fit, from two ledgers', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) => pay(pair[n % 2 === 0 ? 0 : 1], { amount: 10n, most: 100n })),
    )
    assert.equal(count(outcomes), 10)
    assert.ok(outcomes.every((outcome) => ['ok', 'limit_exceeded'].includes(word(outcome))))
  })

  test('rolls: what left 24 hours ago counts no more, a millisecond before it does', async () => {
    const steps: [seconds: number, amount: bigint, expected: string][] = [
      [0, 60n, 'ok'],
      [3_600, 40n, 'ok'],
      [0, 1n, 'limit_exceeded'],
      [86_400 - 3_600 - 0.001, 1n, 'limit_exceeded'],
      [0.001, 60n, 'ok'],
      [0, 1n, 'limit_exceeded'],
      [3_600, 40n, 'ok'],
      [0, 1n, 'limit_exceeded'],
    ]
    for (const [index, [seconds, amount, expected]] of steps.entries()) {
      clock.advance(seconds)
      // By turns: each has to find out what the other did.
      const ledger = pair[index % 2 === 0 ? 0 : 1]
      assert.equal(word(await pay(ledger, { amount, most: 100n })), expected, `step ${index}`)
    }
  })

  test('counts the kinds it names, also those that were posted without a limit, and nothing that came in', async () => {
    await pay(pair[0], { amount: 30n, kind: 'withdrawal' })
    await pay(pair[0], { amount: 500n, kind: 'payment' })
    await pay(pair[0], {
      from: { kind: 'clearing', owner: 'mpesa' },
      to: alice,
      amount: 999n,
      kind: 'deposit',
    })
    assert.equal(word(await pay(pair[1], { amount: 71n, most: 100n })), 'limit_exceeded')
    assert.equal(word(await pay(pair[1], { amount: 70n, most: 100n })), 'ok')
  })

  test('sees a long day: 2 300 entries', async () => {
    await Promise.all(Array.from({ length: 2_300 }, () => pay(pair[0], { amount: 1n })))
    assert.equal(word(await pay(pair[1], { amount: 1n, most: 2_300n })), 'limit_exceeded')
    assert.equal(word(await pay(pair[1], { amount: 1n, most: 2_301n })), 'ok')
  })

  test('is the same inside a transaction of the caller', async () => {
    const post = (amount: bigint) =>
      db.inTransaction(async (tx) => (await pair[0].post(tx, [postingOf({ amount, most: 100n })]))[0])
    assert.equal(word((await post(60n)) as ledgers.Outcome), 'ok')
    assert.equal(word((await post(60n)) as ledgers.Outcome), 'limit_exceeded')
    assert.equal(word(await pay(pair[1], { amount: 40n, most: 100n })), 'ok')
    assert.equal(word((await post(1n)) as ledgers.Outcome), 'limit_exceeded')
  })

  test('has no say when the money is not there', async () => {
    assert.equal(word(await pay(pair[0], { amount: 200_000n, most: 1n })), 'insufficient_funds')
  })
})

describe('a guard', () => {
  const change = () => db.inTransaction((tx) => pair[0].changeGuard(tx, alice))

  test('that was never changed is 0', async () => {
    assert.equal((await pair[0].guards(db, [alice])).get(alice), undefined)
    assert.equal(word(await pay(pair[0], { amount: 1n, guard: 0n })), 'ok')
    assert.equal(word(await pay(pair[0], { amount: 1n, guard: 7n })), 'guard_changed')
  })

  test('that has changed refuses, also what is refused for another reason', async () => {
    const first = await change()
    assert.equal((await pair[1].guards(db, [alice])).get(alice), first)
    assert.equal(word(await pay(pair[0], { amount: 1n, guard: first })), 'ok')
    const second = await change()
    assert.ok(second > first)
    assert.equal(word(await pay(pair[0], { amount: 1n, guard: first })), 'guard_changed')
    assert.equal(word(await pay(pair[0], { amount: 999_999n, guard: first })), 'guard_changed')
    assert.equal(word(await pay(pair[1], { amount: 1n, guard: second })), 'ok')
  })

  test('refuses alone among others', async () => {
    const old = await change()
    await change()
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => pay(pair[0], { amount: 1n, ...(n === 17 ? { guard: old } : {}) })),
    )
    assert.deepEqual(
      outcomes.map(word),
      outcomes.map((_, n) => (n === 17 ? 'guard_changed' : 'ok')),
    )
  })

  test('that changes while many are on their way lets none through afterwards', async () => {
    const version = await change()
    let changed = false
    const late: string[] = []
    const lanes = Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 30; n++) {
        const begunAfter = changed
        const said = word(await pay(pair[n % 2 === 0 ? 0 : 1], { amount: 1n, guard: version }))
        if (begunAfter) late.push(said)
      }
    })
    await change()
    changed = true
    await Promise.all(lanes)
    assert.ok(late.length > 0)
    assert.deepEqual([...new Set(late)], ['guard_changed'])
  })
})
