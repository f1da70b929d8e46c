// Amounts without arithmetic on floats: decimal text in, whole minor units out, and back. An amount in an answer is a
// JavaScript number that has exactly the digits the service wrote, up to 15 of them, and payments have no more: show it,
// compare it, turn it into minor units; but add and multiply minor units only.

/** How many decimal places each has. */
export const currencies = { UGX: 0, KES: 2, TZS: 2, RWF: 0, NGN: 2, ZAR: 2, USD: 2 } as const
export type Currency = keyof typeof currencies

/** The most that one amount may be, in minor units. */
const minorMost = 9_007_199_254_740_991n
/** A number with more than 15 digits may be another one than was written: such an amount is given as text. */
const numberMost = 999_999_999_999_999n
const textMost = 64
const exponentMost = 30
const numberForm = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * `toMinor('12.50', 'USD')` is 1250n, and the 0 of an answer is 0n. A RangeError for what no amount can be: below zero, too
 * fine, too large, no number.
 */
export function toMinor(amount: number | string, currency: Currency): bigint {
  const minor = minorOf(amount, currency)
  if (minor === undefined) throw new RangeError(`${amount} is no amount in ${currency}`)
  return minor
}

/** Whether it can be paid: what `toMinor` takes, but zero. */
export function isAmount(amount: number | string, currency: Currency): boolean {
  return (minorOf(amount, currency) ?? 0n) > 0n
}

function minorOf(amount: number | string, currency: Currency): bigint | undefined {
  const minor = readMinor(String(amount), digitsOf(currency))
  const isInexact = typeof amount === 'number' && minor !== undefined && minor > numberMost
  return isInexact ? undefined : minor
}

function readMinor(text: string, digits: number): bigint | undefined {
  const found = text.length > textMost ? null : numberForm.exec(text)
  if (found === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  const mantissa = BigInt(whole + fraction)
  // Bounded before any power is computed.
  if (sign === '-' || Math.abs(Number(exponent)) > exponentMost) return undefined
  const shift = digits + Number(exponent) - fraction.length
  const scale = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && mantissa % scale !== 0n) return undefined
  const minor = shift < 0 ? mantissa / scale : mantissa * scale
  return minor > minorMost ? undefined : minor
}

/** `fromMinor(1250n, 'USD')` is '12.5': decimal text without trailing zeros, as requests take it. */
export function fromMinor(minor: bigint, currency: Currency): string {
  const digits = digitsOf(currency)
  const sign = minor < 0n ? '-' : ''
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  if (digits === 0) return sign + text
  const fraction = text.slice(-digits).replace(/0+$/, '')
  return `${sign}${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`
}

/** For people: `UGX 10,000`, `KES 1,250.50`. The currency comes first, in every language. */
export function formatAmount(amount: number | string | bigint, currency: Currency, locale = 'en'): string {
  const digits = digitsOf(currency)
  const text = typeof amount === 'bigint' ? fromMinor(amount, currency) : String(amount)
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // Intl takes decimal text and keeps all of its digits.
  return `${currency} ${format.format(text as `${number}`)}`
}

function digitsOf(currency: Currency): number {
  const digits = Object.hasOwn(currencies, currency) ? currencies[currency] : undefined
  if (digits === undefined) throw new RangeError(`${currency} is not a currency of the service`)
  return digits
}
