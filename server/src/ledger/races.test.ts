// Several writers on the same accounts, who know nothing of each other: two ledgers, like two processes, and callers with
// transactions of their own. Nothing is built on what was not written, and a refusal holds only if it is still so.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { fund, holdOf, send, userName } from '../../test/ledger-orders.ts'
import { openDb, type Tx } from '../db/db.ts'
import { type Ledger, type Outcome, openLedger, type Posting } from './ledger.ts'

const { url, adminUrl } = await testDatabase()
const clock = testClock()
const [ledger, second] = [openLedger({ url, clock }), openLedger({ url, clock })]
const db = openDb({ url, connectionsMax: 8, name: 'ledger tests' })
const admin = openDb({ url: adminUrl, connectionsMax: 1, name: 'ledger tests' })
after(() => Promise.all([ledger.close(), second.close(), db.close(), admin.close()]))
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

await admin.rows(`alter table ledger.postings add constraint nobody_foresaw check (kind <> 'poison')`)

const wordOf = (outcome: Outcome | undefined): string => {
  if (outcome === undefined) return 'no outcome'
  if (!outcome.ok) return outcome.refusal
  return outcome.replayed ? 'replayed' : 'ok'
}
const balancesOf = async (...owners: string[]) =>
  (await ledger.balances(db, owners.map(userName))).map(({ balance, held }) => balance - held)
type Way = (posting: Posting) => Promise<Outcome | undefined>
/** In a transaction of the caller. */
const joinedBy =
  (of: Ledger): Way =>
  async (posting) =>
    (await db.inTransaction((tx) => of.post(tx, [posting])))[0]

/** A ledger that has lost no race yet: one that has goes the careful way for a while. */
async function withLedger<T>(work: (mine: Ledger) => Promise<T>): Promise<T> {
  const mine = openLedger({ url, clock })
  try {
    return await work(mine)
  } finally {
    await mine.close()
  }
}

/** A key, and an answer that is told when it is made. */
function once(told: () => void = () => undefined): NonNullable<Posting['once']> {
  const key = { id: randomUUID(), fingerprint: randomUUID() }
  return {
    key,
    answer: () => {
      told()
      return { status: 201, body: '{}' }
    },
  }
}

/** What an idle ledger is asked in one turn leaves as two flights: the first by itself, and all others behind it. */
async function inTwoFlights(by: Ledger, postings: readonly Posting[]) {
  await sleep(20)
  return Promise.allSettled(postings.map((posting) => by.submit(posting)))
}

const wordsOf = (settled: readonly PromiseSettledResult<Outcome>[]): string[] =>
  settled.map((result) => (result.status === 'fulfilled' ? wordOf(result.value) : 'rejected'))

let names = 0
const newName = (): string => {
  names += 1
  return `owner-${names}`
}

describe('what a flight that fails would have left is nobody’s ground', () => {
  interface Row {
    /** Who stands in the way of the first flight. */
    what: string
    /** What becomes of it. */
    word: string
    first?: Partial<Posting> | undefined
    meanwhile?: ((owner: string) => Posting) | undefined
  }
  interface Played {
    mine: Ledger
    behind: 'the same account' | 'other accounts' | 'both'
  }
  const rows: Row[] = [
    { what: 'another ledger took the next number', word: 'ok', meanwhile: (owner) => fund(owner, 5n) },
    { what: 'another ledger held something', word: 'ok', meanwhile: (owner) => holdOf(owner, 5n) },
    { what: 'it breaks a constraint', word: 'rejected', first: { kind: 'poison' } },
    {
      what: 'its answer can not be stored',
      word: 'rejected',
      first: { once: { ...once(), answer: () => ({ status: 201, body: '\0' }) } },
    },
  ]
  for (const { what, word, first, meanwhile } of rows) {
    for (const behind of ['the same account', 'other accounts', 'both'] as const) {
      test(`${what}; behind it ${behind}`, async () => {
        for (let round = 0; round < 3; round++) {
          await withLedger((mine) => play({ mine, word, first, meanwhile, behind }))
        }
      })
    }
  }

  async function play({ mine, word, first, meanwhile, behind }: Omit<Row, 'what'> & Played): Promise<void> {
    const [owner, other] = [newName(), newName()]
    await mine.submit(fund(owner, 100n))
    await mine.submit(fund(other, 100n))
    await mine.submit(send(owner, `${owner}-shop`, 1n))
    if (meanwhile !== undefined) assert.equal(wordOf(await second.submit(meanwhile(owner))), 'ok')
    const followers = {
      'the same account': [send(owner, `${owner}-shop`, 10n)],
      'other accounts': [send(other, `${other}-shop`, 10n)],
      both: [send(other, owner, 10n), send(owner, other, 10n), send(owner, `${owner}-shop`, 1n)],
    }[behind]
    const words = wordsOf(
      await inTwoFlights(mine, [{ ...send(owner, `${owner}-shop`, 20n), ...first }, ...followers]),
    )
    assert.deepEqual(words, [word, ...followers.map(() => 'ok')])
    // And what is remembered afterwards is what was written.
    assert.equal(wordOf(await mine.submit(send(owner, other, 1n))), 'ok')
  }

  test('nor is what a refusal that is decided again would leave', async (t) => {
    // Ledgers of its own, which have lost no race yet.
    const [one, two] = [openLedger({ url, clock }), openLedger({ url, clock })]
    t.after(() => Promise.all([one.close(), two.close()]))
    const [owner, busy, giver] = [newName(), newName(), newName()]
    for (const [to, amount] of [
      [owner, 11n],
      [busy, 1_000_000n],
      [giver, 107n],
    ] as const)
      await ledger.submit(fund(to, amount))
    assert.equal(wordOf(await one.submit(send(owner, 'shop', 1n))), 'ok')
    assert.equal(wordOf(await two.submit(send(giver, owner, 100n))), 'ok')
    let over = false
    /** Always has one on its way, so that there are landings, after which others may leave. */
    const work = async () => {
      while (!over) assert.equal(wordOf(await one.submit(send(busy, `${busy}-shop`, 1n))), 'ok')
    }
    let working: Promise<void> | undefined
    let behind: Promise<Outcome> | undefined
    let rival: Promise<Outcome> | undefined
    const keyed = once(() => {
      // It has been decided, and waits for its key. Now others come.
      behind ??= one.submit(send(owner, `${owner}-shop`, 1n))
      rival ??= two.submit(send(giver, owner, 7n))
    })
    let again: Promise<Outcome> | undefined
    const blocked = db.inTransaction(async (tx) => {
      await tx.rows(`insert into ledger.answers values ($1, $1, 200, '{}', now())`, [keyed.key.id])
      await sleep(20)
      again = one.submit({ ...send(owner, `${owner}-shop`, 50n), once: keyed })
      working = work()
      for (let waits = 0; waits < 200 && rival === undefined; waits++) await sleep(10)
      await Promise.race([rival, sleep(1_000)])
      await sleep(100)
      throw new Error('undone')
    })
    await assert.rejects(blocked, /undone/)
    over = true
    await working
    assert.deepEqual([wordOf(await again), wordOf(await behind), wordOf(await rival)], ['ok', 'ok', 'ok'])
    assert.deepEqual(await balancesOf(owner), [66n])
  })
})

describe('a refusal that was decided on what is no longer so is decided again', () => {
  const rows: { what: string; posting: (owner: string) => Posting; before?: (owner: string) => Posting }[] = [
    { what: 'a payment', posting: (owner) => send(owner, 'shop', 150n) },
    { what: 'a hold', posting: (owner) => holdOf(owner, 150n) },
    {
      what: 'a payment of what another ledger has set free',
      before: (owner) => holdOf(owner, 100n),
      posting: (owner) => send(owner, 'shop', 50n),
    },
  ]
  for (const { what, posting, before } of rows) {
    for (const [who, other] of [
      ['another ledger', second.submit],
      ['a transaction of a caller', joinedBy(second)],
    ] as const) {
      test(`${what}, after ${who} brought enough`, () =>
        withLedger(async (mine) => {
          const owner = newName()
          await mine.submit(fund(owner, 100n))
          const held = before && (await mine.submit(before(owner)))
          assert.equal(wordOf(await mine.submit(posting(owner))), 'insufficient_funds')
          if (held?.ok && !held.replayed && held.posted.hold !== undefined) {
            const settle = { hold: held.posted.hold, amount: 0n, rest: 'release' } as const
            assert.equal(wordOf(await other({ ...posting(owner), entries: [], settle })), 'ok')
          } else assert.equal(wordOf(await other(fund(owner, 100n))), 'ok')
          assert.equal(wordOf(await mine.submit(posting(owner))), 'ok')
        }))
    }
  }

  test('a payment of what a flight in front of it would have spent', async () => {
    for (const [what, behind] of [
      ['alone', []],
      ['among others', [fund('shop', 1n)]],
    ] as const) {
      await withLedger(async (mine) => {
        const owner = newName()
        await mine.submit(fund(owner, 101n))
        await mine.submit(send(owner, 'shop', 1n))
        const all = send(owner, 'shop', 100n)
        const words = wordsOf(await inTwoFlights(mine, [{ ...all, kind: 'poison' }, all, ...behind]))
        assert.deepEqual(words.slice(0, 2), ['rejected', 'ok'], what)
        assert.deepEqual(await balancesOf(owner), [0n])
      })
    }
  })

  test('in the same flight as postings that succeed, which happen once', async () => {
    for (let round = 0; round < 3; round++) {
      await withLedger(async (mine) => {
        const [owner, other] = [newName(), newName()]
        await mine.submit(fund(owner, 10n))
        await mine.submit(fund(other, 100n))
        await second.submit(fund(owner, 100n))
        const words = wordsOf(
          await inTwoFlights(mine, [
            send(other, 'shop', 1n),
            send(other, 'shop', 2n),
            send(owner, 'shop', 50n),
            send(other, 'shop', 1_000n),
            send(other, 'shop', 4n),
          ]),
        )
        assert.deepEqual(words, ['ok', 'ok', 'ok', 'insufficient_funds', 'ok'])
        assert.deepEqual(await balancesOf(owner, other), [60n, 93n])
      })
    }
  })

  test('and when nobody can tell, too: what was written beside it is not written again', () =>
    withLedger(async (mine) => {
      const owner = newName()
      await mine.submit(fund(owner, 100n))
      await admin.rows('revoke select on ledger.answers from mfuko')
      try {
        const amounts = [1n, 2n, 1_000n, 4n]
        const words = wordsOf(
          await inTwoFlights(
            mine,
            amounts.map((amount) => send(owner, 'shop', amount)),
          ),
        )
        assert.deepEqual(words, ['ok', 'ok', 'insufficient_funds', 'ok'])
      } finally {
        await admin.rows('grant select on ledger.answers to mfuko')
      }
      assert.deepEqual(await balancesOf(owner), [93n])
    }))
})

test('a connection that breaks on the way is told once, and ends nothing else', async () => {
  const owner = newName()
  await ledger.submit(fund(owner, 100n))
  const work = db.inTransaction((tx) => {
    let broken = false
    const fails = <T>(sql: string, run: () => Promise<T>): Promise<T> => {
      broken ||= sql.startsWith('savepoint')
      return broken ? Promise.reject(new Error('Connection terminated')) : run()
    }
    const breaking: Tx = {
      ...tx,
      rows: (sql, parameters) => fails(sql, () => tx.rows(sql, parameters)),
      prepared: (sql, parameters) => fails(sql, () => tx.prepared(sql, parameters)),
    }
    return ledger.post(breaking, [send(owner, 'shop', 60n)])
  })
  // A rejection that nobody handles would end the process.
  await assert.rejects(work, { code: 'unavailable' })
  assert.deepEqual(await balancesOf(owner), [100n])
})
