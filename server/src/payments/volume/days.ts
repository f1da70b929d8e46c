// Days and weeks of a place on earth. Days are counted from 1970-01-01 on; when one begins there is worked out here and
// not by the database, whose list of time zones may be another one.

const dayMs = 86_400_000

/** `2026-03-14`; undefined when the calendar has no such day. */
export function dayOf(text: string): number | undefined {
  const time = Date.parse(`${text}T00:00:00Z`)
  const isDay = !Number.isNaN(time) && writeDay(time / dayMs) === text
  return isDay ? time / dayMs : undefined
}

export const writeDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** The Monday that is it, or came before. 1970-01-01 was a Thursday. */
export const mondayOf = (day: number): number => day - ((day + 3) % 7)

export interface Zone {
  /** When that day begins there. */
  startOf(day: number): Date
  /** Which day it is there at that time. */
  dayAt(time: Date): number
}

/** Undefined when nobody knows a zone of that name. */
export function openZone(name: string): Zone | undefined {
  const format = formatOf(name)
  if (format === undefined) return undefined
  const aheadMs = (ms: number): number => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000
  }
  return {
    startOf: (day) => {
      // The clock of the place may be changed in that very night: what it shows then decides.
      const guess = day * dayMs - aheadMs(day * dayMs)
      return new Date(day * dayMs - aheadMs(guess))
    },
    dayAt: (time) => Math.floor((time.getTime() + aheadMs(time.getTime())) / dayMs),
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      ...clock,
    })
  } catch {
    return undefined
  }
}
