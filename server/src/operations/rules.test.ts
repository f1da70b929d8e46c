// When providers are asked, what it means that one does not know an order, and how healthy it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import * as providers from '../providers/providers.ts'
import { absencesMin, afterAbsent, endAgainMs, grade, nextAsk, resendsMax } from './rules.ts'

const sentAt = new Date('2026-03-14T09:00:00.000Z')
const later = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000)
const day = 86_400

describe('when the provider is asked', () => {
  const askAfter = [30, 60, 300]
  const table: [passed: number, next: number | null][] = [
    [0, 30],
    [29, 30],
    [30, 60],
    [45, 60],
    [299, 300],
    [300, 600],
    [1_000, 1_300],
    // A last time when the day is over; then an operator sees it.
    [day - 100, day],
    [day, null],
    [day + 5, null],
  ]
  for (const [passed, next] of table)
    test(`${passed} s after it was sent: ${next === null ? 'not again' : `at ${next} s`}`, () => {
      assert.deepEqual(nextAsk(sentAt, later(passed), askAfter), next === null ? null : later(next))
    })

  for (const id of providers.providerIds)
    test(`${id} is asked ever more rarely, at last once an hour`, () => {
      const { askAfter: schedule } = providers.adapterOf(id)
      assert.deepEqual(
        schedule.toSorted((one, other) => one - other),
        schedule,
      )
      assert.deepEqual(nextAsk(sentAt, later(4 * 3_600), schedule), later(5 * 3_600))
    })

  test('always later than now, and never after a day', () => {
    const schedules = fc.array(fc.integer({ min: 1, max: 7_200 }), { maxLength: 8 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * day }), schedules, (passed, schedule) => {
        const next = nextAsk(sentAt, later(passed), schedule)
        if (passed >= day) assert.equal(next, null)
        else assert.ok(next !== null && next > later(passed) && next <= later(day))
      }),
    )
  })
})

describe('the provider does not know it', () => {
  const usual = {
    idempotent: true,
    accepted: false,
    firstSentAt: sentAt,
    sentAt,
    sends: 1,
    absences: 1,
    settlesWithinSeconds: 120,
  }
  const table: [what: string, given: Partial<typeof usual>, passed: number, expected: string][] = [
    ['young, and can be sent again', {}, 10, 'send again'],
    ['young, and can not', { idempotent: false }, 10, 'wait'],
    ['young, and was sent often enough', { sends: 3 }, 10, 'wait'],
    ['old, for the first time', {}, 130, 'wait'],
    ['old, for the third time', { absences: 3 }, 130, 'failed'],
    ['old, not idempotent, for the third time', { idempotent: false, absences: 3 }, 130, 'failed'],
    ['old, but sent again a moment ago', { absences: 3, sends: 2, sentAt: later(100) }, 130, 'wait'],
    ['accepted before', { accepted: true, absences: 9 }, 900, 'wait'],
    ['of a provider that says it is quick', { settlesWithinSeconds: 1, sends: 3, absences: 3 }, 30, 'wait'],
  ]
  for (const [what, given, passed, expected] of table)
    test(`${what}: ${expected}`, () => {
      assert.equal(afterAbsent({ ...usual, ...given, now: later(passed) }), expected)
    })

  test('never sent again where that is not safe, never failed while it may be on its way', () => {
    const seconds = fc.integer({ min: 0, max: 1_000 })
    fc.assert(
      fc.property(
        fc.record({
          idempotent: fc.boolean(),
          accepted: fc.boolean(),
          again: seconds,
          passed: seconds,
          sends: fc.integer({ min: 1, max: 5 }),
          absences: fc.integer({ min: 1, max: 5 }),
          settlesWithinSeconds: seconds,
        }),
        ({ again, passed, ...given }) => {
          const lastSent = Math.min(again, passed)
          const absent = { ...given, firstSentAt: sentAt, sentAt: later(lastSent), now: later(passed) }
          const meaning = afterAbsent(absent)
          if (meaning === 'send again')
            assert.ok(given.idempotent && !given.accepted && given.sends <= resendsMax)
          if (meaning === 'failed') {
            assert.ok(!given.accepted && given.absences >= absencesMin)
            assert.ok(passed - lastSent >= Math.max(60, given.settlesWithinSeconds))
          }
        },
      ),
    )
  })
})

test('health', () => {
  for (const [calls, technical, expected] of [
    [0, 0, 'up'],
    [2, 2, 'up'],
    [3, 3, 'down'],
    [10, 8, 'down'],
    [10, 7, 'degraded'],
    [100, 20, 'degraded'],
    [100, 19, 'up'],
  ] as const)
    assert.equal(grade({ calls, technical }), expected, `${technical} of ${calls}`)
})

test('an owner who fails is told again ever more rarely', () => {
  assert.deepEqual([0, 1, 2, 10, 1_000].map(endAgainMs), [5_000, 10_000, 20_000, 300_000, 300_000])
})
