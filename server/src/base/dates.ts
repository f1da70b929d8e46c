// How a time is told to people: in their language, by the clock of a place, and that clock is named.
import type { Currency, Locale } from './money.ts'

/** British English, because nobody here writes the month first. */
const dateLocales: Record<Locale, string> = { en: 'en-GB', sw: 'sw', fr: 'fr' }

/** Where the currency is spent. */
export const currencyZones: Record<Currency, string> = {
  UGX: 'Africa/Kampala',
  KES: 'Africa/Nairobi',
  TZS: 'Africa/Dar_es_Salaam',
  RWF: 'Africa/Kigali',
  NGN: 'Africa/Lagos',
  ZAR: 'Africa/Johannesburg',
  USD: 'UTC',
}

interface Telling {
  locale: Locale
  timeZone: string
}

/** `14 March 2026 at 12:05 GMT+3`, or with a short month. */
export function momentText(
  time: Date,
  { locale, timeZone, month }: Telling & { month: 'long' | 'short' },
): string {
  const format = new Intl.DateTimeFormat(dateLocales[locale], {
    day: 'numeric',
    month,
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  // Kiswahili writes `GMT +3`, which is one word.
  return format.format(time).replace('GMT ', 'GMT\u00a0')
}

/** `14 Mar 2026`. */
export const dayText = (time: Date, { locale, timeZone }: Telling): string =>
  new Intl.DateTimeFormat(dateLocales[locale], { dateStyle: 'medium', timeZone }).format(time)
