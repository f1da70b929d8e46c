// A batch is a convenience of the ledger, never a fate that its postings share: one that can't be posted fails alone,
// whatever is wrong with it. The queue has a limit, and closing loses nothing.
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { fund, holdOf, send, userName } from '../../test/ledger-orders.ts'
import { AppError } from '../base/errors.ts'
import { openDb } from '../db/db.ts'
import { type Outcome, openLedger, type Posting } from './ledger.ts'

const { url, adminUrl } = await testDatabase()
const clock = testClock()
const ledger = openLedger({ url, clock })
const db = openDb({ url, connectionsMax: 4, name: 'ledger tests' })
const admin = openDb({ url: adminUrl, connectionsMax: 1, name: 'ledger tests' })
after(() => Promise.all([ledger.close(), db.close(), admin.close()]))
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

await admin.rows(`alter table ledger.postings add constraint nobody_foresaw check (kind <> 'poison')`)
await admin.rows(`alter table ledger.holds add constraint nor_this check (kind <> 'poison')`)
await admin.rows(`alter table ledger.answers add constraint nor_that check (status <> 299)`)

await ledger.submit(fund('rich', 1_000_000n))

const balancesOf = async (...owners: string[]) =>
  (await ledger.balances(db, owners.map(userName))).map(({ balance }) => balance)

const unavailable = (reason: unknown) => reason instanceof AppError && reason.code === 'unavailable'

let keys = 0
function once(answer: NonNullable<Posting['once']>['answer']): NonNullable<Posting['once']> {
  keys += 1
  const uuid = `00000000-0000-4000-8000-${keys.toString().padStart(12, '0')}`
  return { key: { id: uuid, fingerprint: uuid }, answer }
}

const heldBy = (outcome: Outcome): bigint =>
  outcome.ok && !outcome.replayed ? (outcome.posted.hold ?? 0n) : 0n

/** What no caller may do, and what nobody thought of. */
const bad: Record<string, Posting> = {
  'that does not balance': {
    ...send('rich', 'shop', 5n),
    entries: [
      { kind: 'user', owner: 'rich', amount: -5n },
      { kind: 'user', owner: 'shop', amount: 4n },
    ],
  },
  'with an entry of zero': {
    ...send('rich', 'shop', 5n),
    entries: [...send('rich', 'shop', 5n).entries, { kind: 'user', owner: 'third', amount: 0n }],
  },
  'that touches an account twice': {
    ...send('rich', 'shop', 5n),
    entries: [...send('rich', 'shop', 5n).entries, ...send('rich', 'third', 5n).entries],
  },
  'from an account to itself': send('rich', 'rich', 5n),
  'that does nothing': { ...send('rich', 'shop', 5n), entries: [] },
  'with a hold of nothing': holdOf('rich', 0n),
  'with a negative hold': holdOf('rich', -5n),
  'that settles nothing of a hold, and keeps the rest': {
    ...send('rich', 'shop', 5n),
    entries: [],
    settle: { hold: heldBy(await ledger.submit(holdOf('rich', 1n))), amount: 0n, rest: 'keep' },
  },
  'that breaks a constraint of the database': { ...send('rich', 'shop', 5n), kind: 'poison' },
  'that holds, and breaks a constraint': { ...holdOf('rich', 5n), kind: 'poison' },
  'whose answer breaks a constraint': {
    ...send('rich', 'shop', 5n),
    once: once(() => ({ status: 299, body: '' })),
  },
  'whose answer can not be stored': {
    ...send('rich', 'shop', 5n),
    once: once(() => ({ status: 201, body: '\0' })),
  },
  'whose answer can not be made': {
    ...send('rich', 'shop', 5n),
    once: once(() => {
      throw new Error('no answer')
    }),
  },
  'of more than can be stored': fund('shop', 2n ** 63n),
  'of more than can be added': fund('shop', 2n ** 63n - 1n),
  'with an owner that can not be stored': send('rich', 'nul\0', 5n),
  'with details that can not be written': { ...send('rich', 'shop', 5n), details: { amount: 5n } },
}

describe('a posting that can not be posted fails alone, among 40 good ones', () => {
  for (const [what, posting] of Object.entries(bad)) {
    test(what, async () => {
      for (const at of [0, 20, 40]) {
        assert.equal(await failures(40, { posting, at }), 1)
        // Nothing of it is remembered either.
        assert.ok((await ledger.submit(send('rich', 'shop', 1n))).ok)
      }
    })
  }

  test('and so it does inside a transaction of the caller, which it ends', async () => {
    const before = await balancesOf('rich', 'shop')
    for (const [what, posting] of Object.entries(bad)) {
      await assert.rejects(
        db.inTransaction((tx) => ledger.post(tx, [send('rich', 'shop', 1n), posting])),
        (error) => !unavailable(error),
        what,
      )
    }
    assert.deepEqual(await balancesOf('rich', 'shop'), before)
  })

  test('one that breaks a constraint, and one whose answer throws, among 500 good ones', async () => {
    for (const what of ['that breaks a constraint of the database', 'whose answer can not be made']) {
      assert.equal(await failures(500, { posting: bad[what] as Posting, at: 317 }), 1)
    }
  })

  test('several at once', async () => {
    const [, shop = 0n] = await balancesOf('rich', 'shop')
    const mixed = Object.values(bad).flatMap((posting) => [posting, send('rich', 'shop', 2n), posting])
    const results = await Promise.allSettled(mixed.map((posting) => ledger.submit(posting)))
    const count = Object.keys(bad).length
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 2 * count)
    assert.deepEqual((await balancesOf('rich', 'shop'))[1], shop + 2n * BigInt(count))
  })
})

/** All in one tick. The good ones must succeed, and the bad one's failure must be its own. */
async function failures(count: number, { posting, at }: { posting: Posting; at: number }): Promise<number> {
  const [, shop = 0n] = await balancesOf('rich', 'shop')
  const postings = Array.from({ length: count }, () => send('rich', 'shop', 3n) as Posting).toSpliced(
    at,
    0,
    posting,
  )
  const results = await Promise.allSettled(postings.map((each) => ledger.submit(each)))
  const rejected = results.filter((result) => result.status === 'rejected')
  assert.equal(results[at]?.status, 'rejected')
  assert.ok(
    rejected.every(({ reason }) => !unavailable(reason)),
    String(rejected[0]?.reason),
  )
  const good = results.toSpliced(at, 1)
  assert.ok(good.every((result) => result.status === 'fulfilled' && result.value.ok))
  assert.deepEqual((await balancesOf('rich', 'shop'))[1], shop + BigInt(3 * count))
  return rejected.length
}

describe('the queue', () => {
  test('an idle ledger closes at once', async () => {
    const idle = openLedger({ url, clock })
    await idle.close()
  })

  test('is emptied when the ledger closes, and takes nothing more', async () => {
    const closing = openLedger({ url, clock })
    const submitted = Array.from({ length: 1_000 }, () => closing.submit(fund('late', 1n)))
    const closed = closing.close()
    const tooLate = closing.submit(fund('late', 1n))
    await assert.rejects(tooLate, unavailable)
    await closed
    const outcomes = await Promise.all(submitted)
    assert.ok(outcomes.every(({ ok }) => ok))
    assert.deepEqual(await balancesOf('late'), [1_000n])
    await assert.rejects(closing.submit(fund('late', 1n)), unavailable)
  })

  test('has a limit: the surplus is told at once to come back, the rest succeeds', async () => {
    const asked = 30_000
    const told: string[] = []
    const results = Array.from({ length: asked }, () => {
      const result = ledger.submit(fund('crowd', 1n))
      result.then(
        () => told.push('ok'),
        () => told.push('refused'),
      )
      return result
    })
    assert.ok(ledger.waiting() > 0)
    const settled = await Promise.allSettled(results)
    const refused = settled.filter((result) => result.status === 'rejected')
    const succeeded = settled.filter((result) => result.status === 'fulfilled' && result.value.ok)
    assert.ok(refused.length > 0 && refused.length < asked, `${refused.length} were refused`)
    assert.equal(succeeded.length + refused.length, asked)
    assert.ok(refused.every(({ reason }) => unavailable(reason) && reason.retryAfter > 0))
    assert.equal(
      told.lastIndexOf('refused'),
      refused.length - 1,
      'they are told before anything else happens',
    )
    assert.deepEqual(await balancesOf('crowd'), [BigInt(succeeded.length)])
    assert.equal(ledger.waiting(), 0)
    assert.ok((await ledger.submit(fund('crowd', 1n))).ok, 'there is room again')
  })
})
