// Comparing and adding amounts, in whole minor units: decimal numbers would drift.
import { type Currency, fromMinor, isAmount, toMinor } from '@mfuko/sdk/browser'

type Given = number | string

export const minorOf = (value: Given, currency: Currency): bigint =>
  isAmount(value, currency) ? toMinor(value, currency) : 0n

export const isMore = (one: Given, other: Given, currency: Currency): boolean =>
  minorOf(one, currency) > minorOf(other, currency)

/** As `Amount` shows it. */
export const sumOf = (values: readonly Given[], currency: Currency): string =>
  fromMinor(
    values.reduce<bigint>((sum, value) => sum + minorOf(value, currency), 0n),
    currency,
  )

/** Whole percent, rounded down. */
export const percentOf = (part: Given, all: Given, currency: Currency): number => {
  const whole = minorOf(all, currency)
  return whole === 0n ? 0 : Number((minorOf(part, currency) * 100n) / whole)
}

/** Minor units as text, as receipts have them. */
export const fromMinorText = (text: string, currency: Currency): string => fromMinor(BigInt(text), currency)
