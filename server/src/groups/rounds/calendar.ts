// When a cycle is due: at the end of a day in the group's time zone, a week or a month after the one before. Days are
// counted from the day the round started, so that the 31st does not become the 28th for good.
import { currencyZones } from '../../base/dates.ts'
import type { Currency } from '../../base/money.ts'
import * as users from '../../users/users.ts'

export type Frequency = 'weekly' | 'monthly'

/** A day of the calendar. Months count from 1. */
export interface Day {
  year: number
  month: number
  day: number
}

/** Is it a name that the time zone database knows? */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    // Offsets are no place, and change with the seasons where they are meant for one.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()
const formatsMost = 1_000

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size < formatsMost) formats.set(timeZone, format)
  return format
}

/** What clocks there show, as if it were UTC. */
function shownAt(moment: Date, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const date = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return date
}

export function dayOf(moment: Date, timeZone: string): Day {
  const shown = new Date(shownAt(moment, timeZone))
  return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() }
}

/** The last second of a day there. */
export function endOfDay({ year, month, day }: Day, timeZone: string): Date {
  const wanted = Date.UTC(year, month - 1, day, 23, 59, 59)
  // The offset of a guess, then that of the moment it leads to: clocks may have changed in between.
  let moment = wanted
  for (let tries = 0; tries < 3; tries++) {
    const off = shownAt(new Date(moment), timeZone) - wanted
    if (off === 0) break
    moment -= off
  }
  return new Date(moment)
}

/** The day that lies `count` weeks or months later; the last of a month when that is too short. */
export function later(
  { year, month, day }: Day,
  { frequency, count }: { frequency: Frequency; count: number },
): Day {
  if (frequency === 'weekly') {
    const date = new Date(Date.UTC(year, month - 1, day + 7 * count))
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  }
  const months = year * 12 + (month - 1) + count
  const [inYear, inMonth] = [Math.floor(months / 12), months % 12]
  const last = new Date(Date.UTC(inYear, inMonth + 1, 0)).getUTCDate()
  return { year: inYear, month: inMonth + 1, day: Math.min(day, last) }
}

export interface Rhythm {
  startedAt: Date
  timeZone: string
  frequency: Frequency
}

const dayMs = 86_400_000
/** Who has just paid for one cycle is not late for the next tomorrow. */
export const noticeMs = 3 * dayMs
const stepsMost = 2_000

/** The due date of the cycle that opens now. `after` is how many periods the one before had; 0 for the first. */
export function nextDue(
  { startedAt, timeZone, frequency }: Rhythm,
  { after, now }: { after: number; now: Date },
) {
  const start = dayOf(startedAt, timeZone)
  let count = after + 1
  for (let steps = 0; steps < stepsMost; steps++, count++) {
    const dueAt = endOfDay(later(start, { frequency, count }), timeZone)
    if (dueAt.getTime() >= now.getTime() + noticeMs) return { count, dueAt }
  }
  throw new Error('broken promise: a due date lies within reach')
}

/** Where the currency is at home; with one that is at home everywhere, where the founder is. */
export const usualZone = ({ currency, country }: { currency: Currency; country: string }): string =>
  currencyZones[currency === 'USD' ? users.defaultCurrency(country) : currency]

export type ReminderKind = 'soon' | 'today' | 'late'

/** Which reminder is due, if any: two days before, on the day, and when it is over. */
export function reminderAt({
  dueAt,
  timeZone,
  now,
}: {
  dueAt: Date
  timeZone: string
  now: Date
}): ReminderKind | undefined {
  if (now > dueAt) return 'late'
  const [today, last] = [dayOf(now, timeZone), dayOf(dueAt, timeZone)]
  const days = Math.round(
    (Date.UTC(last.year, last.month, last.day) - Date.UTC(today.year, today.month, today.day)) / dayMs,
  )
  if (days === 0) return 'today'
  return dueAt.getTime() - now.getTime() <= 3 * dayMs && days <= 2 ? 'soon' : undefined
}
