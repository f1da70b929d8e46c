// Phone numbers as people type and read them: 0770 000 001 at home, +256 770 000 001 elsewhere.
import type { Currency } from '../kit/amount.tsx'

const codes: Partial<Record<Currency, string>> = {
  UGX: '+256',
  KES: '+254',
  TZS: '+255',
  RWF: '+250',
  NGN: '+234',
  ZAR: '+27',
}

/** In international form, as requests take it. A number without its country is of the country of the currency. */
export function readPhone(typed: string, currency: Currency): string {
  const text = typed.replaceAll(/[\s().-]/g, '').replace(/^00/, '+')
  const code = codes[currency]
  if (code === undefined || text.startsWith('+')) return text
  if (text.startsWith('0')) return code + text.slice(1)
  return text.startsWith(code.slice(1)) ? `+${text}` : text
}

/** Enough for its owner to know it by: `0770 •••001`. */
export function shortPhone(phone: string): string {
  const code = Object.values(codes).find((one) => phone.startsWith(one))
  const number = code === undefined ? phone : `0${phone.slice(code.length)}`
  return number.length < 8 ? number : `${number.slice(0, code === undefined ? 5 : 4)} •••${number.slice(-3)}`
}

/** For who writes a number here: one of the currency's country, in one piece. */
export const phoneExample = (currency: Currency): string =>
  `${codes[currency] ?? '+256'} 770 000 001`.replaceAll(' ', '\u00a0')
