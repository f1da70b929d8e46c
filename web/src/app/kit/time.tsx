import { useLanguage } from './language.ts'

interface Props {
  /** ISO 8601 */
  value: string
  /** `day`: 3 Nov 2026. `moment`: with the time. `short`: today the time, else the day. */
  form?: 'day' | 'moment' | 'short'
}

export const Time = ({ value, form = 'moment' }: Props) => (
  <time dateTime={value} title={writeTime(value, 'moment', useLanguage())}>
    {writeTime(value, form, useLanguage())}
  </time>
)

export function writeTime(value: string, form: 'day' | 'moment' | 'short', language: string): string {
  const time = new Date(value)
  const isToday = time.toDateString() === new Date().toDateString()
  const options: Intl.DateTimeFormatOptions =
    form === 'moment'
      ? { dateStyle: 'medium', timeStyle: 'short' }
      : form === 'short' && isToday
        ? { timeStyle: 'short' }
        : { dateStyle: 'medium' }
  return new Intl.DateTimeFormat(dateLanguage(language), options).format(time)
}

/** British English, because nobody here writes the month first. */
export const dateLanguage = (language: string): string => (language === 'en' ? 'en-GB' : language)
