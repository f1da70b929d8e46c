// Sums that roll are the same as those of a list that is counted anew each time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSpent, type Spent } from './lately.ts'

const kinds = ['transfer', 'withdrawal', 'contribution']
const kind = fc.constantFrom(...kinds)
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.constant(2n ** 63n - 1n))
const ms = fc.integer({ min: 0, max: 40 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('add' as const), kind, amount, later: ms }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      kind,
      amount: fc.bigInt({ min: -50n, max: 50n }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), ago: ms }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('copy' as const) }) },
)

test('the same as counting anew', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let spent = openSpent()
      let list: Spent[] = []
      const held = new Map<string, bigint>()
      // As large as the times of today.
      let nowMs = 1_795_000_000_000
      for (const one of steps) {
        if (one.do === 'add') {
          nowMs += one.later
          const more = { kind: one.kind, amount: one.amount, atMs: nowMs }
          spent.add(more)
          list.push(more)
        } else if (one.do === 'hold') {
          spent.hold(one.kind, one.amount)
          held.set(one.kind, (held.get(one.kind) ?? 0n) + one.amount)
        } else if (one.do === 'forget') {
          spent.forget(nowMs - one.ago)
          list = list.filter(({ atMs }) => atMs > nowMs - one.ago)
        } else {
          const before = spent
          spent = before.copy()
          // Each goes its own way from here.
          before.add({ kind: 'transfer', amount: 7n, atMs: nowMs })
          before.forget(nowMs)
        }
        for (const asked of [['transfer'], ['withdrawal', 'contribution'], kinds, ['refund']]) {
          let expected = 0n
          for (const { kind, amount } of list) if (asked.includes(kind)) expected += amount
          for (const [kind, by] of held) if (asked.includes(kind)) expected += by
          assert.equal(spent.total(asked), expected)
        }
      }
    }),
  )
})

test('many a day, for days', () => {
  const spent = openSpent()
  const [aDay, days] = [5_000, 4]
  for (let n = 0; n < aDay * days; n++) {
    spent.add({ kind: 'transfer', amount: 2n, atMs: n })
    spent.forget(n - aDay)
  }
  assert.equal(spent.total(['transfer']), BigInt(2 * aDay))
  spent.forget(aDay * days)
  assert.equal(spent.total(['transfer']), 0n)
})

test('refuses what can not be kept', () => {
  const spent = openSpent()
  assert.throws(() => spent.add({ kind: 'transfer', amount: 2n ** 63n, atMs: 1 }), /64 bits/)
  assert.equal(spent.total(['transfer']), 0n)
})
