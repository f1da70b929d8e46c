// One hot account, and many who write to it: two ledgers, like two processes, and callers with transactions of their own.
// Everybody gets ahead, nobody waits for long, no race that is lost reaches a caller, and there is no deadlock.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { fund, send, userName } from '../../test/ledger-orders.ts'
import { shortOrLong } from '../../test/thorough.ts'
import { openDb, type Tx } from '../db/db.ts'
import { type Ledger, type Outcome, openLedger, type Posting } from './ledger.ts'

const { url } = await testDatabase()
const clock = testClock()
const [ledger, second] = [openLedger({ url, clock }), openLedger({ url, clock })]
const db = openDb({ url, connectionsMax: 8, name: 'ledger tests' })
after(() => Promise.all([ledger.close(), second.close(), db.close()]))
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

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

let names = 0
const newName = (): string => {
  names += 1
  return `owner-${names}`
}

interface Contestant {
  ask: Way
  /** How many it always has on their way. */
  workers: number
}

const [fightMs, doneMin, patienceMs] = [shortOrLong(300, 800), 20, 60_000]
/** Nobody starves. Seconds of a busy machine are not what this is about. */
const longestMsMax = 20_000

/** All of them pay to one account until each has got ahead; what each got done, and the longest that one of them waited. */
async function fight(contestants: Record<string, Contestant>) {
  const [hot, payer] = [newName(), newName()]
  await ledger.submit(fund(payer, 1_000_000n))
  const results = Object.keys(contestants).map((name) => ({
    name,
    done: 0,
    longestMs: 0,
    words: new Set<string>(),
  }))
  const startedAt = performance.now()
  const isOver = () => {
    const ms = performance.now() - startedAt
    return ms > patienceMs || (ms > fightMs && results.every(({ done }) => done >= doneMin))
  }
  const work = async (result: (typeof results)[number]) => {
    while (!isOver()) {
      const askedAt = performance.now()
      // To and fro: both accounts are hot, and a batch that is behind the times is noticed on either.
      const posting = result.done % 2 === 0 ? send(payer, hot, 1n) : fund(hot, 1n)
      const asked = contestants[result.name]?.ask(posting) ?? assert.fail()
      result.words.add(await asked.then(wordOf, String))
      result.longestMs = Math.max(result.longestMs, performance.now() - askedAt)
      result.done += 1
    }
  }
  await Promise.all(
    results.flatMap((result) =>
      Array.from({ length: contestants[result.name]?.workers ?? 0 }, () => work(result)),
    ),
  )
  const total = results.reduce((sum, { done }) => sum + done, 0)
  return { hot, results, total }
}

describe('everybody gets ahead on one hot account', () => {
  const submits = (of: Ledger, workers = 24): Contestant => ({ ask: of.submit, workers })
  const posts = (workers: number, of = ledger): Contestant => ({ ask: joinedBy(of), workers })
  const rows: Record<string, Record<string, Contestant>> = {
    'two ledgers': { first: submits(ledger), second: submits(second) },
    'a busy ledger and one that has little to do': { busy: submits(ledger, 64), quiet: submits(second, 1) },
    'a ledger and a caller': { ledger: submits(ledger), caller: posts(1) },
    'a ledger and a caller of another one': { ledger: submits(ledger), caller: posts(1, second) },
    'two ledgers and four callers': { first: submits(ledger), second: submits(second), callers: posts(4) },
    'six callers': { callers: posts(6) },
  }
  for (const [what, contestants] of Object.entries(rows)) {
    test(what, async (t) => {
      const { hot, results, total } = await fight(contestants)
      for (const { name, done, longestMs, words } of results) {
        t.diagnostic(`${name}: ${done}, the longest took ${Math.round(longestMs)} ms`)
        assert.deepEqual([...words], ['ok'], name)
        assert.ok(done >= doneMin, `${name} got only ${done} done`)
        assert.ok(longestMs < longestMsMax, `one of ${name} waited for ${longestMs} ms`)
      }
      assert.deepEqual(await balancesOf(hot), [BigInt(total)])
    })
  }

  test('100 callers’ transactions, one after another, while both ledgers never rest', async (t) => {
    const [hot, payer] = [newName(), newName()]
    await ledger.submit(fund(payer, 1_000_000n))
    let over = false
    const words: Record<string, number> = {}
    const tell = (word: string) => {
      words[word] = (words[word] ?? 0) + 1
    }
    const submitting = [ledger, second].flatMap((each) =>
      Array.from({ length: 16 }, async () => {
        while (!over) tell(`submit ${await each.submit(send(payer, hot, 1n)).then(wordOf, String)}`)
      }),
    )
    let longestMs = 0
    for (let count = 0; count < 100; count++) {
      const startedAt = performance.now()
      const work = db.inTransaction(async (tx) => {
        const [outcome] = await ledger.post(tx, [send(payer, hot, 1n)])
        // The caller's transaction goes on, whatever it took.
        assert.equal((await tx.row<{ one: number }>('select 1 as one'))?.one, 1)
        return wordOf(outcome)
      })
      tell(`post ${await work.catch(String)}`)
      longestMs = Math.max(longestMs, performance.now() - startedAt)
    }
    over = true
    await Promise.all(submitting)
    t.diagnostic(`${JSON.stringify(words)}, the longest took ${Math.round(longestMs)} ms`)
    const { 'submit ok': submitted = 0, ...others } = words
    assert.deepEqual(others, { 'post ok': 100 })
    assert.ok(submitted >= 100, `only ${submitted} were submitted meanwhile`)
    assert.ok(longestMs < longestMsMax, `one waited for ${longestMs} ms`)
    assert.deepEqual(await balancesOf(hot), [BigInt(submitted + 100)])
  })

  test('whoever has lost once is let through, however fast the others are', async (t) => {
    const rival = openLedger({ url, clock })
    t.after(() => rival.close())
    const [owner, giver] = [newName(), newName()]
    await ledger.submit(fund(owner, 100n))
    await ledger.submit(fund(giver, 100n))
    assert.equal(wordOf(await rival.submit(send(giver, owner, 1n))), 'ok')
    const given: Promise<Outcome>[] = []
    const outcomes = await db.inTransaction((tx) => {
      // Each time before it writes, the rival has its turn, if it can.
      const late: Tx = {
        ...tx,
        prepared: async (sql, parameters) => {
          if (sql.includes('insert into ledger.entries')) {
            given.push(rival.submit(send(giver, owner, 1n)))
            await Promise.race([given.at(-1), sleep(300)])
          }
          return tx.prepared(sql, parameters)
        },
      }
      return ledger.post(late, [send(owner, 'shop', 10n)])
    })
    assert.deepEqual(outcomes.map(wordOf), ['ok'])
    assert.deepEqual((await Promise.all(given)).map(wordOf), ['ok', 'ok'], 'it lost once')
    assert.deepEqual(await balancesOf(owner), [93n])
  })
})

describe('two who write in another order do not wait for each other', () => {
  /** Both have begun to write, and stand before a row in the middle that somebody else has, and gives up. */
  async function meet(
    middle: { sql: string; parameter: string | undefined },
    writing: (one: Ledger, two: Ledger) => Promise<Outcome>[],
  ): Promise<string[]> {
    // Of their own, which have lost no race yet: those that have go the careful way for a while.
    const [one, two] = [openLedger({ url, clock }), openLedger({ url, clock })]
    let asked: Promise<Outcome>[] = []
    const blocked = db.inTransaction(async (tx) => {
      await tx.rows(middle.sql, [middle.parameter])
      asked = writing(one, two)
      await sleep(300)
      throw new Error('given up')
    })
    await assert.rejects(blocked, /given up/)
    const words = (await Promise.all(asked)).map(wordOf)
    await Promise.all([one.close(), two.close()])
    return words
  }

  test('to the same accounts', async () => {
    const owners = [newName(), newName(), newName()]
    for (const owner of owners) await ledger.submit(fund(owner, 100n))
    const posting = (order: readonly string[]): Posting => ({
      ...send('', '', 1n),
      entries: order.map((owner, at) => ({ kind: 'user', owner, amount: at === 0 ? -2n : 1n })),
    })
    const sql = `insert into ledger.entries (account_id, seq, posting_id, amount, balance_after, held_after, hash)
      select account_id, seq + 1, 1, 0, balance_after, held_after, hash from ledger.entries
      where account_id = (select id from ledger.accounts where owner = $1) order by seq desc limit 1`
    const words = await meet({ sql, parameter: owners[1] }, (one, two) => [
      one.submit(posting(owners)),
      two.submit(posting(owners.toReversed())),
    ])
    assert.deepEqual(words, ['ok', 'ok'])
  })

  test('the same keys', async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID()).toSorted()
    /** What is asked in one turn leaves as two batches: the first by itself, and all others together. */
    const together = (of: Ledger, order: readonly string[]) => {
      const answer = () => ({ status: 201, body: '{}' })
      const payer = newName()
      const payment = send(payer, `${payer}-shop`, 1n)
      return [
        of.submit(fund(payer, 100n)),
        ...order.map((id) => of.submit({ ...payment, once: { key: { id, fingerprint: id }, answer } })),
      ]
    }
    const sql = `insert into ledger.answers values ($1, gen_random_uuid(), 200, '{}', now())`
    const words = await meet({ sql, parameter: ids[1] }, (one, two) => [
      ...together(one, ids),
      ...together(two, ids.toReversed()),
    ])
    assert.deepEqual(words.toSorted(), [...Array(5).fill('ok'), ...Array(3).fill('replayed')])
  })
})

test('all of that happened without a single deadlock: each costs a second', async () => {
  // Sessions tell what they have counted after a second.
  await sleep(1_200)
  const counted = await db.row<{ deadlocks: bigint }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  assert.equal(counted?.deadlocks, 0n)
})
