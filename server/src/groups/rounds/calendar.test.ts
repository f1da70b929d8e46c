// Due dates: the end of a day where the group is, a week or a month apart, whatever clocks and months do there.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { dayOf, endOfDay, isTimeZone, later, nextDue, noticeMs, reminderAt, usualZone } from './calendar.ts'

const rows: [zone: string, started: string, frequency: 'weekly' | 'monthly', dues: string[]][] = [
  // 23:30 in Nairobi is the next day's 02:30 nowhere: the day is the one there.
  ['Africa/Nairobi', '2026-03-14T20:30:00Z', 'weekly', ['2026-03-21T20:59:59Z', '2026-03-28T20:59:59Z']],
  ['Africa/Nairobi', '2026-03-14T21:30:00Z', 'weekly', ['2026-03-22T20:59:59Z', '2026-03-29T20:59:59Z']],
  [
    'Africa/Lagos',
    '2026-01-31T09:00:00Z',
    'monthly',
    ['2026-02-28T22:59:59Z', '2026-03-31T22:59:59Z', '2026-04-30T22:59:59Z'],
  ],
  [
    'UTC',
    '2027-11-30T09:00:00Z',
    'monthly',
    ['2027-12-30T23:59:59Z', '2028-01-30T23:59:59Z', '2028-02-29T23:59:59Z'],
  ],
  // Clocks go forward on the 29th of March there, and back on the 25th of October.
  ['Europe/Paris', '2026-03-22T09:00:00Z', 'weekly', ['2026-03-29T21:59:59Z', '2026-04-05T21:59:59Z']],
  ['Europe/Paris', '2026-10-18T09:00:00Z', 'weekly', ['2026-10-25T22:59:59Z']],
]

describe('due dates', () => {
  for (const [timeZone, started, frequency, dues] of rows)
    test(`${frequency} from ${started} in ${timeZone}`, () => {
      const startedAt = new Date(started)
      let [after, now] = [0, startedAt]
      for (const due of dues) {
        const next = nextDue({ startedAt, timeZone, frequency }, { after, now })
        assert.equal(next.dueAt.toISOString(), new Date(due).toISOString())
        ;[after, now] = [next.count, startedAt]
      }
    })

  test('who pays late is not late for the next one tomorrow, and the rhythm stays', () => {
    const rhythm = {
      startedAt: new Date('2026-03-14T09:00:00Z'),
      timeZone: 'UTC',
      frequency: 'weekly',
    } as const
    const { dueAt, count } = nextDue(rhythm, { after: 1, now: new Date('2026-03-27T12:00:00Z') })
    assert.deepEqual([dueAt.toISOString(), count], ['2026-04-04T23:59:59.000Z', 3])
  })

  test('in every zone a day ends in its last second', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    const holds = fc.property(
      fc.constantFrom(...zones),
      moments,
      fc.nat({ max: 60 }),
      (timeZone, moment, count) => {
        const day = later(dayOf(moment, timeZone), { frequency: 'monthly', count })
        const end = endOfDay(day, timeZone)
        assert.deepEqual(dayOf(end, timeZone), day)
        // A few places have no last second on a day when their clocks change then; hardly ever more than two hours.
        const next = dayOf(new Date(end.getTime() + 1_000), timeZone)
        assert.ok(
          next.day !== day.day || dayOf(new Date(end.getTime() + 7_200_000), timeZone).day !== day.day,
        )
        const rhythm = { startedAt: moment, timeZone, frequency: 'weekly' } as const
        assert.ok(
          nextDue(rhythm, { after: count, now: moment }).dueAt.getTime() >= moment.getTime() + noticeMs,
        )
      },
    )
    fc.assert(holds, { numRuns: 400 })
  })

  test('names of zones', () => {
    for (const good of ['Africa/Kampala', 'UTC', 'America/Argentina/Buenos_Aires'])
      assert.ok(isTimeZone(good), good)
    for (const bad of ['', 'Mars/Base', '+03:00', 'Africa/Kampala; drop', '__proto__'])
      assert.ok(!isTimeZone(bad), bad)
    assert.equal(usualZone({ currency: 'KES', country: 'UG' }), 'Africa/Nairobi')
    assert.equal(usualZone({ currency: 'USD', country: 'NG' }), 'Africa/Lagos')
    assert.equal(usualZone({ currency: 'USD', country: 'ZZ' }), 'UTC')
  })
})

test('which reminder is due', () => {
  const dueAt = new Date('2026-03-21T20:59:59Z')
  const at = (now: string) => reminderAt({ dueAt, timeZone: 'Africa/Nairobi', now: new Date(now) })
  const table = [
    ['2026-03-18T20:59:00Z', undefined],
    ['2026-03-18T21:00:01Z', 'soon'],
    ['2026-03-19T12:00:00Z', 'soon'],
    ['2026-03-20T20:59:59Z', 'soon'],
    ['2026-03-20T21:00:00Z', 'today'],
    ['2026-03-21T20:59:59Z', 'today'],
    ['2026-03-21T21:00:00Z', 'late'],
  ] as const
  for (const [now, kind] of table) assert.equal(at(now), kind, now)
})
