// Windows and moments of several accounts: each window gives exactly its own lines, whatever is asked besides; a moment
// is found to the entry.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import type { Currency } from '../base/money.ts'
import { openDb } from '../db/db.ts'
import { openLedger, type Posting, windowMost } from './ledger.ts'

const { url } = await testDatabase()
const clock = testClock('2026-01-01T00:00:00.000Z')
const ledger = openLedger({ url, clock })
const db = openDb({ url, connectionsMax: 2, name: 'history tests' })
after(() => Promise.all([ledger.close(), db.close()]))

const owner = { kind: 'user', owner: 'amina', mode: 'live' } as const
const start = clock.now().getTime()
const minute = 60_000

const move = (
  currency: Currency,
  { kind, amount, details }: { kind: string; amount: bigint; details: object },
): Posting => ({
  kind,
  mode: 'live',
  currency,
  details,
  entries: [
    { kind: 'clearing', owner: 'mtn', amount: -amount },
    { kind: 'user', owner: 'amina', amount },
  ],
})

// Numbers 1 to 20 in UGX, one a minute: 1 is large, even ones come in, odd ones leave, the tenth only holds something.
const notes = ['Rent', 'rent "two"', 'café', 'nothing', 'Línea\nrent']
for (let seq = 1; seq <= 20; seq++) {
  const amount = seq === 1 ? 1_000n : seq % 2 === 0 ? 7n : -3n
  const kind = seq % 3 === 0 ? 'transfer' : 'deposit'
  const posting =
    seq === 10
      ? ({
          ...move('UGX', { kind, amount, details: {} }),
          entries: [],
          hold: { kind: 'user', owner: 'amina', amount: 1n },
        } as const)
      : move('UGX', { kind, amount, details: { seq, note: notes[seq % notes.length] } })
  const outcome = await ledger.submit(posting)
  assert.ok(outcome.ok)
  clock.advance(60)
}
assert.ok((await ledger.submit(move('KES', { kind: 'deposit', amount: 5n, details: { seq: 1 } }))).ok)

const window = (from: number, before: number, currency: Currency = 'UGX') => ({
  currency,
  from: BigInt(from),
  before: BigInt(before),
})
const seqs = (lists: { seq: bigint }[][]) => lists.map((list) => list.map(({ seq }) => Number(seq)))

describe('windows', () => {
  const rows: [what: string, read: Omit<Parameters<typeof ledger.windows>[1], 'owner'>, found: number[][]][] =
    [
      ['none', { windows: [] }, []],
      ['the newest first', { windows: [window(16, 21)] }, [[20, 19, 18, 17, 16]]],
      ['what was only held is no line', { windows: [window(9, 12)] }, [[11, 9]]],
      [
        'beyond the end, and before the beginning',
        { windows: [window(19, 400), window(-3, 2)] },
        [[20, 19], [1]],
      ],
      ['of several accounts, each its own', { windows: [window(1, 3, 'KES'), window(2, 4)] }, [[1], [3, 2]]],
      ['of an account that is not there', { windows: [window(1, 9, 'ZAR')] }, [[]]],
      ['what came in', { windows: [window(1, 8)], direction: 'in' }, [[6, 4, 2, 1]]],
      ['what left', { windows: [window(1, 8)], direction: 'out' }, [[7, 5, 3]]],
      ['without a kind', { windows: [window(1, 8)], notKinds: ['deposit'] }, [[6, 3]]],
      // 5, 10, 15, 20: Rent. 1, 6, 11, 16: rent "two". 2, 7, …: café. 4, 9, …: with an accent, so they stay.
      ['that may hold a word', { windows: [window(1, 10)], mention: 'RENT' }, [[9, 7, 6, 5, 4, 2, 1]]],
      ['with a quote', { windows: [window(1, 10)], mention: '"two"' }, [[9, 7, 6, 4, 2, 1]]],
      ['with a percent sign, which is no pattern', { windows: [window(1, 7)], mention: '%' }, [[4, 2]]],
    ]
  for (const [what, read, found] of rows) {
    test(what, async () => {
      assert.deepEqual(seqs(await ledger.windows(db, { owner, ...read })), found)
    })
  }

  test('a window that is too long is a mistake of the caller', async () => {
    const windows = [{ currency: 'UGX', from: 1n, before: 2n + windowMost } as const]
    await assert.rejects(ledger.windows(db, { owner, windows }), /broken promise/)
  })

  test('a line has all of it', async () => {
    const [[line] = []] = await ledger.windows(db, { owner, windows: [window(3, 4)] })
    assert.ok(line)
    const { postingId: _id, ...rest } = line
    const createdAt = new Date(start + 2 * minute)
    const details = { seq: 3, note: 'nothing' }
    assert.deepEqual(rest, {
      seq: 3n,
      amount: -3n,
      balanceAfter: 1_004n,
      currency: 'UGX',
      kind: 'transfer',
      details,
      createdAt,
    })
  })
})

describe('moments', () => {
  const rows: [what: string, ms: number, seq: bigint][] = [
    ['before everything', -1, 1n],
    ['the first itself', 0, 1n],
    ['just behind it', 1, 2n],
    ['in the middle', 9.5 * minute, 11n],
    ['the last itself', 19 * minute, 20n],
    ['after everything', 19 * minute + 1, 21n],
  ]
  for (const [what, ms, seq] of rows) {
    test(what, async () => {
      const time = new Date(start + ms)
      const moments = (['KES', 'UGX', 'ZAR'] as const).map((currency) => ({ currency, time }))
      assert.deepEqual(await ledger.seqsAt(db, { owner, moments }), [1n, seq, 1n])
    })
  }

  test('none', async () => assert.deepEqual(await ledger.seqsAt(db, { owner, moments: [] }), []))
})

describe('moves', () => {
  const others = { kind: 'clearing', owner: 'airtel', mode: 'live' } as const
  const from = new Date(start + 100 * minute)

  test('all of a time, over stripes, currencies and pages', async () => {
    const second = openLedger({ url, clock })
    const post = (writer: typeof ledger, { currency, amount }: { currency: Currency; amount: bigint }) =>
      writer.submit({
        ...move(currency, { kind: 'deposit', amount, details: {} }),
        entries: [
          { kind: 'clearing', owner: 'airtel', amount: -amount },
          { kind: 'user', owner: 'amina', amount },
        ],
      })
    const many = (count: number, amount: bigint) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          post(n % 2 === 0 ? ledger : second, { currency: n % 3 === 0 ? 'KES' : 'UGX', amount }),
        ),
      )
    clock.set(new Date(from.getTime() - 1).toISOString())
    await many(30, 1n)
    clock.set(from.toISOString())
    await many(1_500, 10n)
    clock.advance(60)
    await many(1_100, 100n)
    await second.close()
    const read = (to: number) =>
      ledger.moves(db, { owner: others, from, to: new Date(from.getTime() + to * minute) })
    const first = await read(1)
    assert.equal(first.length, 1_500)
    assert.deepEqual([...new Set(first.map(({ amount }) => amount))], [-10n])
    assert.equal(new Set(first.map(({ postingId }) => postingId)).size, 1_500)
    assert.equal(first.filter(({ currency }) => currency === 'KES').length, 500)
    assert.equal((await read(2)).length, 2_600)
    assert.deepEqual(await read(0), [])
    assert.deepEqual(
      await ledger.moves(db, { owner: { ...others, mode: 'test' }, from, to: clock.now() }),
      [],
    )
  })
})

test('the books are right', async () => {
  await reconcile({ url })
})
