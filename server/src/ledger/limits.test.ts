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
  most?: bigint | undefined
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

/** A withdrawal that waits. */
function hold(ledger: ledgers.Ledger, { amount, most, kind = 'withdrawal' }: Payment) {
  const posting = postingOf({ amount, most, kind })
  return ledger.submit({ ...posting, entries: [], hold: { kind: 'user', owner: alice, amount } })
}

/** By 0: nothing leaves. The rest of the hold is free again. */
function settle(ledger: ledgers.Ledger, { hold: id, amount, most }: Payment & { hold: bigint }) {
  const posting = postingOf({ amount, most, kind: 'withdrawal' })
  const entries = amount === 0n ? [] : posting.entries
  return ledger.submit({ ...posting, entries, settle: { hold: id, amount, rest: 'release' } })
}

function holdOf(outcome: ledgers.Outcome): bigint {
  assert.ok(outcome.ok && !outcome.replayed && outcome.posted.hold !== undefined)
  return outcome.posted.hold
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

  test('sees a long day: 2 300 entries, and what comes by turns after them', async () => {
    await Promise.all(Array.from({ length: 2_300 }, () => pay(pair[0], { amount: 1n })))
    const most = 2_308n
    const joined = (ledger: ledgers.Ledger, undone = false) =>
      db.inTransaction(async (tx) => {
        const [outcome] = await ledger.post(tx, [postingOf({ amount: 1n, most })])
        if (undone) throw new Error('undone')
        return outcome as ledgers.Outcome
      })
    const ways = [
      () => pay(pair[1], { amount: 1n, most }),
      () => joined(pair[0]),
      () => pay(pair[0], { amount: 1n, most }),
      () => joined(pair[1]),
    ]
    for (const way of [...ways, ...ways]) {
      await assert.rejects(joined(pair[0], true), /undone/)
      await assert.rejects(joined(pair[1], true), /undone/)
      assert.equal(word(await way()), 'ok')
    }
    for (const way of ways) assert.equal(word(await way()), 'limit_exceeded')
    clock.advance(86_400)
    for (const way of ways) assert.equal(word(await way()), 'ok')
  })

  test('is the same inside a transaction of the caller', async () => {
    const post = (amount: bigint) =>
      db.inTransaction(async (tx) => (await pair[0].post(tx, [postingOf({ amount, most: 100n })]))[0])
    assert.equal(word((await post(60n)) as ledgers.Outcome), 'ok')
    assert.equal(word((await post(60n)) as ledgers.Outcome), 'limit_exceeded')
    assert.equal(word(await pay(pair[1], { amount: 40n, most: 100n })), 'ok')
    assert.equal(word((await post(1n)) as ledgers.Outcome), 'limit_exceeded')
  })

  test('counts what is held while it is held, whatever its age, and 24 hours more when it has left', async () => {
    const first = await hold(pair[0], { amount: 60n, most: 100n })
    assert.equal(word(await pay(pair[1], { amount: 41n, most: 100n })), 'limit_exceeded')
    assert.equal(word(await pay(pair[1], { amount: 40n, most: 100n })), 'ok')
    assert.equal(word(await hold(pair[0], { amount: 1n, most: 100n })), 'limit_exceeded')
    clock.advance(86_400)
    // What was paid counts no more, what is still held does.
    assert.equal(word(await pay(pair[0], { amount: 41n, most: 100n })), 'limit_exceeded')
    assert.equal(word(await settle(pair[1], { hold: holdOf(first), amount: 50n })), 'ok')
    assert.equal(word(await pay(pair[0], { amount: 51n, most: 100n })), 'limit_exceeded')
    clock.advance(86_399.999)
    assert.equal(word(await pay(pair[1], { amount: 51n, most: 100n })), 'limit_exceeded')
    clock.advance(0.001)
    assert.equal(word(await pay(pair[1], { amount: 100n, most: 100n })), 'ok')
  })

  test('is the same from memory: one after the other on one ledger, and many in one batch', async () => {
    assert.equal(word(await pay(pair[0], { amount: 10n, most: 100n })), 'ok')
    assert.equal(word(await hold(pair[0], { amount: 60n, most: 100n })), 'ok')
    assert.equal(word(await hold(pair[0], { amount: 31n, most: 100n })), 'limit_exceeded')
    assert.equal(word(await pay(pair[0], { amount: 30n, most: 100n })), 'ok')
    const batch = Array.from({ length: 20 }, () => hold(pair[0], { amount: 10n, most: 150n }))
    assert.equal(count(await Promise.all(batch)), 5)
  })

  test('counts no more what was released, nor what is held by other kinds', async () => {
    const first = await hold(pair[0], { amount: 90n, most: 100n })
    assert.equal(word(await hold(pair[1], { amount: 70n, kind: 'payment' })), 'ok')
    assert.equal(word(await pay(pair[1], { amount: 11n, most: 100n })), 'limit_exceeded')
    assert.equal(word(await settle(pair[0], { hold: holdOf(first), amount: 0n })), 'ok')
    assert.equal(word(await pay(pair[1], { amount: 100n, most: 100n })), 'ok')
    assert.equal(word(await pay(pair[0], { amount: 1n, most: 100n })), 'limit_exceeded')
  })

  test('what is settled counts once, also for the posting that settles it', async () => {
    const first = await hold(pair[0], { amount: 100n, most: 100n })
    const settled = await settle(pair[0], { hold: holdOf(first), amount: 100n, most: 100n })
    assert.equal(word(settled), 'ok')
    assert.equal(word(await pay(pair[0], { amount: 1n, most: 100n })), 'limit_exceeded')
    assert.equal(word(await pay(pair[0], { amount: 1n, most: 101n })), 'ok')
  })

  test('is exact with holds: 90 at once from three ledgers, then a third released, settled and left', async () => {
    const third = open()
    const ledgers = [...pair, third]
    const outcomes = await Promise.all(
      Array.from({ length: 90 }, (_, n) => {
        const ledger = ledgers[n % 3] ?? third
        const order = { amount: 10n, most: 300n }
        return n % 2 === 0 ? hold(ledger, order) : pay(ledger, order)
      }),
    )
    assert.equal(count(outcomes), 30)
    assert.ok(outcomes.every((outcome) => ['ok', 'limit_exceeded'].includes(word(outcome))))
    const holds = outcomes.flatMap((outcome) =>
      outcome.ok && !outcome.replayed ? (outcome.posted.hold ?? []) : [],
    )
    assert.ok(holds.length > 0)
    let released = 0
    const mixed = await Promise.all(
      holds.flatMap((id, n) => {
        const ledger = ledgers[n % 3] ?? third
        if (n % 3 === 0) released += 1
        const ended = n % 3 === 2 ? [] : [settle(ledger, { hold: id, amount: n % 3 === 0 ? 0n : 10n })]
        return [...ended, pay(third, { amount: 10n, most: 300n })]
      }),
    )
    assert.ok(mixed.every((outcome) => ['ok', 'limit_exceeded'].includes(word(outcome))))
    // Whoever came before its turn was refused; what was set free is there to the last unit, and not one more.
    const rest = await Promise.all(
      Array.from({ length: released + 5 }, (_, n) =>
        pay(ledgers[n % 3] ?? third, { amount: 10n, most: 300n }),
      ),
    )
    const ended = holds.filter((_, n) => n % 3 !== 2).length
    assert.equal(count(mixed) - ended + count(rest), released)
    // One that was just started knows it too.
    const fourth = open()
    assert.equal(word(await pay(fourth, { amount: 1n, most: 300n })), 'limit_exceeded')
    assert.equal(word(await pay(fourth, { amount: 1n, most: 301n })), 'ok')
    await Promise.all([third.close(), fourth.close()])
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

  for (const owner of ['with "quotes"', 'with \\ and {,}', 'null', '']) {
    test(`of an owner whose name is ${owner || 'empty'}`, async () => {
      const version = await db.inTransaction((tx) => pair[0].changeGuard(tx, owner))
      const posting = postingOf({ amount: 1n })
      const allowedBy = (guard: bigint) =>
        pair[0].submit({ ...posting, guard: { owner, version: guard } }).then(word)
      assert.deepEqual([await allowedBy(version), await allowedBy(0n)], ['ok', 'guard_changed'])
    })
  }

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
