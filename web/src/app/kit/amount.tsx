import { type Currency, currencies, fromMinor, isAmount, toMinor } from '@mfuko/sdk/browser'
import { useLanguage } from './language.ts'

export type { Currency } from '@mfuko/sdk/browser'
export const currencyCodes = Object.keys(currencies) as Currency[]

interface Props {
  value: number | string
  currency: Currency
  /** `+` before what came in, `−` before what left. */
  sign?: '+' | '−' | undefined
  className?: string
}

/** Never a bare number: the currency stands before it, lighter and smaller, in every language. */
export const Amount = ({ value, currency, sign, className = '' }: Props) => (
  <span className={`amount ${className}`}>
    <span className="code">{currency}</span> {sign}
    {writeNumber(value, currency, useLanguage())}
  </span>
)

function writeNumber(value: number | string, currency: Currency, language: string): string {
  const digits = currencies[currency]
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // Intl takes decimal text and keeps all of its digits.
  return format.format(value as number)
}

/** As text, for buttons: `Send UGX 10,000`. */
export const writeAmount = (value: number | string, currency: Currency, language: string): string =>
  `${currency} ${writeNumber(value, currency, language)}`

/**
 * What a person typed, as requests take it; undefined when it is no amount. Spaces and marks between thousands are left
 * out; a single comma or point with one or two digits behind it is the decimal mark, whatever the language. Thousands
 * don't begin with a zero: 0.500 is a half or a slip, but never five hundred. The same amount is the same text however it
 * was typed, since by their text orders are known as the same.
 */
export function readAmount(typed: string, currency: Currency): string | undefined {
  const text = typed.replaceAll(/[\s\u00a0\u202f']/g, '')
  const parts = /^(\d[\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(text)
  if (parts === null) return undefined
  const [, whole = '', fraction] = parts
  if (!/^\d+$|^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/.test(whole)) return undefined
  const digits = whole.replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  const amount = fraction === undefined ? digits : `${digits}.${fraction}`
  return isAmount(amount, currency) ? fromMinor(toMinor(amount, currency), currency) : undefined
}
