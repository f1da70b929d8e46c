// A connection that breaks while the ledger writes. Whether the database had committed nobody knows, so the callers are
// told `unavailable`, never a success that isn't one; and asked again with the same key, everything happened once.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../src/db/db.ts'
import { type Cut, openFaultProxy } from './fault-proxy.ts'
import { reconcile, testDatabase } from './helpers.ts'
import { checkLedger } from './ledger-checker.ts'
import { openDesk } from './ledger-crew.ts'
import {
  fund,
  type Order,
  runOrders,
  runUntilTold,
  seed,
  seededChance,
  send,
  tally,
  userName,
} from './ledger-orders.ts'

const { url } = await testDatabase()
const proxy = await openFaultProxy(url)
const [desk, direct] = [openDesk(proxy.url), openDesk(url)]
const db = openDb({ url, connectionsMax: 2, name: 'ledger tests' })
after(async () => {
  await Promise.all([desk.close(), direct.close(), db.close()])
  await proxy.close()
})
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

function keyOf(text: string) {
  const hex = createHash('sha256').update(text).digest('hex')
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  return { id, fingerprint: id }
}

const orderOf = (owner: string, { ref, joined = false }: { ref: string; joined?: boolean }): Order => ({
  posting: { ...send(owner, `${owner}-to`, 3n), details: { ref } },
  key: keyOf(ref),
  joined,
})

async function effects(refs: readonly string[]): Promise<number[]> {
  const rows = await db.rows<{ ref: string; count: bigint }>(
    `select details->>'ref' as ref, count(*) from ledger.postings where details->>'ref' = any($1::text[]) group by 1`,
    [refs],
  )
  return refs.map((ref) => Number(rows.find((row) => row.ref === ref)?.count ?? 0))
}

const balanceOf = async (owner: string) => (await direct.ledger.balances(db, [userName(owner)]))[0]?.balance

describe('a connection that is cut at the end of a transaction', () => {
  /** What the same key gets afterwards tells whether the first try had been committed. */
  const rows: { cut: Cut; what: string; later: string[] }[] = [
    { cut: 'unsent', what: 'before its end is sent', later: ['ok'] },
    { cut: 'sent', what: 'right after its end was sent', later: ['ok', 'replayed'] },
    { cut: 'late', what: 'and whose end arrives long after', later: ['ok', 'replayed'] },
    { cut: 'answered', what: 'when the answer was on its way', later: ['replayed'] },
  ]
  for (const { cut, what, later } of rows) {
    for (const joined of [false, true]) {
      for (const count of [1, 40]) {
        test(`${what}: ${count} ${joined ? 'joined' : 'batched'}`, () =>
          cutOnce({ cut, later, joined, count }))
      }
    }
  }

  async function cutOnce({
    cut,
    later,
    joined,
    count,
  }: {
    cut: Cut
    later: string[]
    joined: boolean
    count: number
  }) {
    const owner = `${cut}-${joined}-${count}`
    // Through the proxy too, so that connections, names and whatever is remembered are there before the cut.
    for (const order of [{ posting: fund(owner, 1_000n) }, orderOf(owner, { ref: `${owner}-first`, joined })])
      assert.deepEqual(tally(await runOrders(desk, [order])), { ok: 1 })
    const refs = Array.from({ length: count }, (_, at) => `${owner}-${at}`)
    const orders = refs.map((ref) => orderOf(owner, { ref, joined }))
    const cutsBefore = proxy.cuts()
    proxy.cutAt(cut, `${owner}-0`)
    const told = await runOrders(desk, orders)
    assert.equal(proxy.cuts(), cutsBefore + 1, 'it was cut')
    const { ok = 0, 'error: unavailable': unknown = 0, ...others } = tally(told)
    assert.deepEqual(others, {})
    assert.ok(unknown > 0)
    assert.equal(told[0]?.word, 'error: unavailable')
    assert.equal(ok + unknown, count)
    // What it remembers of the accounts may never have been: it goes on with what is there.
    const next = orderOf(owner, { ref: `${owner}-next`, joined })
    assert.deepEqual(tally(await runOrders(desk, [next])), { ok: 1 })
    // Another process repeats it first: it may still have to wait for the end of what was cut.
    const retold = await runUntilTold(joined ? desk : direct, orders)
    for (const [at, { word }] of retold.entries()) {
      if (told[at]?.word === 'ok') assert.equal(word, 'replayed')
      else assert.ok((at === 0 ? later : ['ok', 'replayed']).includes(word), `${refs[at]}: ${word}`)
    }
    assert.deepEqual(tally(await runUntilTold(desk, orders)), { replayed: count })
    assert.deepEqual(
      await effects(refs),
      refs.map(() => 1),
    )
    assert.equal(await balanceOf(owner), 1_000n - 3n * BigInt(count + 2))
  }
})

test('connections that are cut anywhere, under load: every success is one, every other at most one', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const chance = seededChance(22)
  const owner = 'anywhere'
  await runOrders(direct, [{ posting: fund(owner, 1_000_000n) }])
  let unknown = 0
  const refs: string[] = []
  for (let round = 0; round < 40; round++) {
    const mine = Array.from({ length: 64 }, (_, at) => `${owner}-${round}-${at}`)
    refs.push(...mine)
    const orders = mine.map((ref) => orderOf(owner, { ref, joined: chance.below(10) === 0 }))
    proxy.cutAfter(1 + chance.below(60_000))
    const told = await runOrders(desk, orders, { workers: 32 })
    proxy.cutAfter(Number.POSITIVE_INFINITY)
    const { ok = 0, 'error: unavailable': lost = 0, ...others } = tally(told)
    assert.deepEqual([others, ok + lost], [{}, 64], `round ${round}`)
    unknown += lost
    const before = await effects(mine)
    for (const [at, { word }] of told.entries()) {
      if (word === 'ok') assert.equal(before[at], 1, mine[at])
      else assert.ok((before[at] ?? 0) <= 1, mine[at])
    }
    const { ok: late = 0, replayed = 0, ...rest } = tally(await runUntilTold(desk, orders))
    assert.deepEqual([rest, late + replayed], [{}, 64], `round ${round}`)
  }
  assert.ok(unknown > 100, `${unknown} outcomes were unknown`)
  assert.deepEqual(new Set(await effects(refs)), new Set([1]))
  assert.equal(await balanceOf(owner), 1_000_000n - 3n * BigInt(refs.length))
})

test('a connection that breaks while nobody uses it costs nobody anything', async () => {
  const owner = 'idle'
  for (let round = 0; round < 3; round++) {
    const orders = [false, true].map((joined) => ({ posting: fund(owner, 1n), joined }))
    assert.deepEqual(tally(await runOrders(direct, orders)), { ok: 2 })
    await db.rows(
      `select pg_terminate_backend(pid, 1000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`,
    )
    await sleep(100)
  }
  assert.deepEqual(tally(await runOrders(direct, [{ posting: fund(owner, 1n) }])), { ok: 1 })
  assert.equal(await balanceOf(owner), 7n)
})
