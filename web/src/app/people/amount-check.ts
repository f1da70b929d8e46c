// What may be typed as an amount, said at once and in the person's language; the service has the last word.
import { fromMinor, toMinor } from '@mfuko/sdk/browser'
import { type Currency, readAmount, writeAmount } from '../kit/amount.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { common } from '../kit/words.ts'
import { useMe } from './data.ts'
import { sending } from './send-words.ts'

export type Checked = { amount: string; problem?: never } | { amount?: never; problem: string }

/** `limited`: what leaves a wallet has a least and a most. */
export function useAmountCheck({
  limited,
}: {
  limited: boolean
}): (typed: string, currency: Currency) => Checked {
  const t = useWords(sending)
  const c = useWords(common)
  const language = useLanguage()
  const me = useMe().data
  return (typed, currency) => {
    const amount = readAmount(typed, currency)
    if (amount === undefined) return { problem: c.notAmount(currency) }
    const limits = limited ? me?.limits[currency] : undefined
    if (limits === undefined) return { amount }
    const { least, most } = limits
    const minor = toMinor(amount, currency)
    if (minor < toMinor(least, currency)) return { problem: t.least(writeAmount(least, currency, language)) }
    if (minor > toMinor(most, currency)) return { problem: t.most(writeAmount(most, currency, language)) }
    return { amount }
  }
}

/** `amount` without `part`, in minor units and back: floats would lose some. */
export const less = (amount: number, part: number, currency: Currency): string =>
  fromMinor(toMinor(amount, currency) - toMinor(part, currency), currency)
