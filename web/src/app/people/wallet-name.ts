import type { Currency } from '../kit/amount.tsx'
import { useLanguage } from '../kit/language.ts'

/** A wallet is called by its currency, in the person's language, as the browser knows it. */
export function useWalletName(): (currency: Currency) => string {
  const language = useLanguage()
  const names = new Intl.DisplayNames([language, 'en'], { type: 'currency' })
  return (currency) => {
    const name = names.of(currency) ?? currency
    return name.charAt(0).toUpperCase() + name.slice(1)
  }
}
