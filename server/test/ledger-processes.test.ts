// Money under contention, with one, two and four processes on one database: what is spent once is spent once, no
// money appears or is lost, a key has one effect, and no deadlock, conflict or timeout reaches a caller.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../src/db/db.ts'
import type { RequestKey } from '../src/ledger/ledger.ts'
import { reconcile, testDatabase } from './helpers.ts'
import { checkLedger } from './ledger-checker.ts'
import { type Crew, openCrew, openDesk, openOther } from './ledger-crew.ts'
import {
  causes,
  type Desk,
  fund,
  holdOf,
  type Order,
  runOrders,
  seededChance,
  send,
  type Told,
  tally,
  userName,
} from './ledger-orders.ts'
import { also, shortOrLong } from './thorough.ts'

const { url } = await testDatabase()
const desk = openDesk(url)
const db = openDb({ url, connectionsMax: 2, name: 'ledger tests' })
after(() => Promise.all([desk.close(), db.close()]))
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

const balanceOf = async (...owners: string[]): Promise<bigint[]> =>
  (await desk.ledger.balances(db, owners.map(userName))).map(({ balance }) => balance)

async function fundAll(owners: readonly string[], amount: bigint): Promise<void> {
  const told = await runOrders(
    desk,
    owners.map((owner) => ({ posting: fund(owner, amount) })),
  )
  assert.deepEqual(tally(told), { ok: owners.length })
}

describe('200 parallel postings of a whole balance: exactly one succeeds', () => {
  const parallel = 200
  for (const { processes, roundsMin, roundsMax, forMs } of [
    { processes: 1, roundsMin: shortOrLong(10, 30), roundsMax: 100, forMs: shortOrLong(0, 6_000) },
    { processes: 2, roundsMin: shortOrLong(4, 10), roundsMax: 100, forMs: shortOrLong(0, 3_000) },
    ...also([{ processes: 4, roundsMin: 10, roundsMax: 100, forMs: 3_000 }]),
  ]) {
    test(`with ${processes} process${processes > 1 ? 'es' : ''}`, async (t) => {
      const crew = await openCrew(url, processes)
      t.after(() => crew.close())
      const startedAt = performance.now()
      let rounds = 0
      while (rounds < roundsMin || (rounds < roundsMax && performance.now() - startedAt < forMs)) {
        const owner = `spender-${processes}-${rounds}`
        await fundAll([owner], 1_000n)
        const told = await crew.deal(spendings(owner, { parallel, salt: rounds }))
        assert.deepEqual(
          tally(told),
          { ok: 1, insufficient_funds: parallel - 1 },
          `round ${rounds} ${causes(told)}`,
        )
        rounds += 1
      }
      t.diagnostic(`${rounds} rounds`)
    })
  }

  /** Batched, joined and held, in an order that chance decides. */
  function spendings(owner: string, { parallel, salt }: { parallel: number; salt: number }): Order[] {
    const orders = Array.from({ length: parallel }, (_, at): Order => {
      if (at % 10 === 0) return { posting: holdOf(owner, 1_000n) }
      return { posting: send(owner, `shop-${at % 7}`, 1_000n), joined: at % 10 === 1 }
    })
    return seededChance(salt).shuffled(orders)
  }
})

describe('64 workers, ten accounts, random transfers in both directions: no error, nothing lost', () => {
  const owners = Array.from({ length: 10 }, (_, at) => `worker-${at}`)
  for (const [processes, transfers] of [
    [1, shortOrLong(1_000, 4_000)],
    [2, shortOrLong(1_000, 2_000)],
    ...also([[4, 2_000] as const]),
  ] as const) {
    test(`${transfers} transfers over ${processes} process${processes > 1 ? 'es' : ''}`, async (t) => {
      const crew = await openCrew(url, processes)
      t.after(() => crew.close())
      await fundAll(owners, 10_000n)
      const before = await balanceOf(...owners)
      const orders = transferOrders(transfers, processes)
      const told = await crew.deal(orders, { workers: 64 / processes })
      const { ok = 0, insufficient_funds = 0, ...errors } = tally(told)
      assert.deepEqual(errors, {}, causes(told))
      assert.equal(ok + insufficient_funds, transfers)
      assert.ok(ok > transfers / 2, 'most of them move money')
      assert.deepEqual(await balanceOf(...owners), replayed(before, { orders, told }))
    })
  }

  function transferOrders(count: number, salt: number): Order[] {
    const { below } = seededChance(salt)
    return Array.from({ length: count }, () => {
      const from = below(owners.length)
      const to = (from + 1 + below(owners.length - 1)) % owners.length
      const amount = BigInt(1 + below(3_000))
      return { posting: send(owners[from] as string, owners[to] as string, amount), joined: below(8) === 0 }
    })
  }

  function replayed(before: bigint[], { orders, told }: { orders: Order[]; told: Told[] }): bigint[] {
    const balances = new Map(owners.map((owner, at) => [owner, before[at] ?? 0n]))
    for (const [at, { posting }] of orders.entries()) {
      if (told[at]?.word !== 'ok') continue
      for (const { owner, amount } of posting.entries)
        balances.set(owner, (balances.get(owner) ?? 0n) + amount)
    }
    return owners.map((owner) => balances.get(owner) ?? 0n)
  }
})

let keysMade = 0
/** As requestKey makes them: two uuids. */
const newKey = (fingerprint = 0): RequestKey => {
  keysMade += 1
  const uuid = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
  return { id: uuid(keysMade), fingerprint: uuid(fingerprint) }
}

describe('200 keys, 50 parallel tries of each: 200 effects, and every answer of a key is the same', () => {
  for (const processes of [2, ...also([1])]) {
    test(`over ${processes} process${processes > 1 ? 'es' : ''}`, async (t) => {
      const crew = await openCrew(url, processes)
      t.after(() => crew.close())
      const [from, to] = [`payer-${processes}`, `payee-${processes}`]
      await fundAll([from], 1_000_000n)
      const keys = Array.from({ length: 200 }, () => newKey())
      const tries = keys.flatMap((key) =>
        Array.from(
          { length: 50 },
          (_, at): Order => ({ posting: send(from, to, 7n), key, joined: at === 49 }),
        ),
      )
      const orders = seededChance(processes).shuffled(tries)
      const told = await crew.deal(orders)
      assert.deepEqual(tally(told), { ok: 200, replayed: 9_800 }, causes(told))
      const bodies = new Map<string, Set<string | undefined>>()
      for (const [at, { key }] of orders.entries()) {
        const known = bodies.get(key?.id ?? '') ?? new Set()
        bodies.set(key?.id ?? '', known.add(told[at]?.body))
      }
      assert.deepEqual([bodies.size, [...bodies.values()].every(({ size }) => size === 1)], [200, true])
      assert.equal(new Set([...bodies.values()].flatMap((known) => [...known])).size, 200)
      assert.deepEqual(await balanceOf(from, to), [1_000_000n - 1_400n, 1_400n])
    })
  }
})

test('all of that happened without a single deadlock: each costs a second', async () => {
  // Sessions tell what they have counted after a second.
  await sleep(1_200)
  const counted = await db.row<{ deadlocks: bigint }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  assert.equal(counted?.deadlocks, 0n)
})

/** The other process has decided, and stands still before it writes; meanwhile this one goes ahead. */
describe('a process that stalls between decision and writing does no harm', () => {
  const stallMs = 250
  const meanwhileMs = 100
  let other: Crew
  before(async () => {
    other = await openOther(url)
    // A first one, so that connections and whatever else it remembers are there before the race.
    await other.deal([{ posting: fund('warm', 1n) }, { posting: fund('warm', 1n), joined: true }])
  })
  after(() => other.close())

  const stalled = async (orders: { other: Order; mine: Order }, me: Desk = desk): Promise<[Told, Told]> => {
    const slow = other.deal([{ ...orders.other, stallMs }])
    await sleep(meanwhileMs)
    const [fast] = await runOrders(me, [orders.mine])
    const [late] = await slow
    assert.ok(fast && late)
    return [late, fast]
  }

  test('however often others are faster, it gets its turn', async () => {
    for (const joined of [false, true]) {
      const owner = `overtaken-${joined}`
      await fundAll([owner], 100_000n)
      const order: Order = { posting: send(owner, `${owner}-shop`, 1n), key: newKey(), joined, stallMs: 100 }
      let over = false
      const slow = other.deal([order]).finally(() => {
        over = true
      })
      const fast: Told[] = []
      while (!over) fast.push(...(await runOrders(desk, [{ posting: send(owner, `${owner}-shop`, 1n) }])))
      assert.deepEqual(tally(await slow), { ok: 1 })
      assert.deepEqual(tally(fast), { ok: fast.length })
      assert.deepEqual(await balanceOf(owner), [100_000n - 1n - BigInt(fast.length)])
    }
  })

  test('both want the same money: one gets it', async () => {
    for (const joined of [false, true]) {
      const owner = `stalled-${joined}`
      await fundAll([owner], 100n)
      const told = await stalled({
        other: { posting: send(owner, 'shop-1', 100n), key: newKey(), joined },
        mine: { posting: send(owner, 'shop-2', 100n) },
      })
      assert.deepEqual(tally(told), { ok: 1, insufficient_funds: 1 })
    }
  })

  test('one spends and one holds the same money: one gets it', async () => {
    await fundAll(['stalled-hold'], 100n)
    const told = await stalled({
      other: { posting: holdOf('stalled-hold', 100n), key: newKey() },
      mine: { posting: send('stalled-hold', 'shop-2', 100n) },
    })
    assert.deepEqual(tally(told), { ok: 1, insufficient_funds: 1 })
  })

  test('both have the same key: one effect, one answer', async () => {
    for (const joined of [false, true]) {
      const [owner, key] = [`stalled-key-${joined}`, newKey()]
      await fundAll([owner], 100n)
      const order = { posting: send(owner, 'shop-1', 10n), key, joined }
      const [late, fast] = await stalled({ other: order, mine: order })
      assert.deepEqual(tally([late, fast]), { ok: 1, replayed: 1 })
      assert.equal(late.body, fast.body)
      assert.deepEqual(await balanceOf(owner), [90n])
    }
  })

  test('both have the same key for something else: one effect, one conflict', async () => {
    for (const joined of [false, true]) {
      const [one, two] = [`stalled-one-${joined}`, `stalled-two-${joined}`]
      await fundAll([one, two], 100n)
      const key = newKey(1)
      const told = await stalled({
        other: { posting: send(one, `shop-a-${joined}`, 10n), key, joined },
        mine: {
          posting: send(two, `shop-b-${joined}`, 10n),
          key: { ...key, fingerprint: newKey(2).fingerprint },
          joined,
        },
      })
      assert.deepEqual(tally(told), { ok: 1, idempotency_conflict: 1 })
    }
  })

  test('both use a key that has expired: one effect', async () => {
    for (const [name, sameBody, joined] of [
      ['same', true, false],
      ['same-joined', true, true],
      ['else', false, false],
      ['else-joined', false, true],
    ] as const) {
      const [one, two, key] = [`expired-one-${name}`, `expired-two-${name}`, newKey(1)]
      await fundAll([one, two], 100n)
      await runOrders(desk, [{ posting: send(one, `shop-${name}-1`, 1n), key }])
      // With a memory of its own: the one that made the answer knows it to be new.
      const mine = openDesk(url)
      await db.rows(`update ledger.answers set created_at = created_at - interval '8 days' where key = $1`, [
        key.id,
      ])
      const theirs: Order = { posting: send(one, `shop-${name}-1`, 10n), key, joined }
      const changed = { ...key, fingerprint: newKey(2).fingerprint }
      const rival = sameBody
        ? { ...theirs, joined: false }
        : { posting: send(two, `shop-${name}-2`, 10n), key: changed }
      const told = await stalled({ other: theirs, mine: rival }, mine)
      await mine.close()
      assert.deepEqual(
        tally(told),
        sameBody ? { ok: 1, replayed: 1 } : { ok: 1, idempotency_conflict: 1 },
        name,
      )
    }
  })
})
