// Amounts: whole minor units in a bigint. What must stay true: no float ever holds one, in or out.

/** Decimal places: ISO 4217. */
const digitsOf: Record<string, number> = {
  UGX: 0,
  RWF: 0,
  KES: 2,
  TZS: 2,
  NGN: 2,
  GHS: 2,
  ZAR: 2,
  USD: 2,
  EUR: 2,
}

export const isCurrency = (text: string): boolean => Object.hasOwn(digitsOf, text)

const minorMax = 10n ** 15n

/** Plain decimal text, `100` or `100.50`; undefined: not above zero, too fine, too large or not written like that. */
export function readMinor(text: string, currency: string): bigint | undefined {
  const digits = digitsOf[currency]
  const found = /^(\d{1,16})(?:\.(\d{1,8}))?$/.exec(text)
  if (digits === undefined || found === null) return undefined
  const [, whole = '', fraction = ''] = found
  if (/[^0]/.test(fraction.slice(digits))) return undefined
  const minor = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return minor > 0n && minor <= minorMax ? minor : undefined
}

/** With all decimal places of the currency: `1250.50`, `10000`. */
export function toDecimal(minor: bigint, currency: string): string {
  const digits = digitsOf[currency] ?? 2
  const sign = minor < 0n ? '-' : ''
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Paystack's subunits: a hundredth of the unit, in every currency. */
export const toSubunits = (minor: bigint, currency: string): bigint => minor * hundredths(currency)

/** undefined: that many subunits are no whole minor units. */
export function fromSubunits(subunits: bigint, currency: string): bigint | undefined {
  const scale = hundredths(currency)
  return subunits > 0n && subunits % scale === 0n && subunits / scale <= minorMax
    ? subunits / scale
    : undefined
}

const hundredths = (currency: string): bigint => (digitsOf[currency] === 0 ? 100n : 1n)
