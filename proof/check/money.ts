// Amounts as the interface writes them, to minor units and back, by their text alone.
const digits: Record<string, number> = { UGX: 0, RWF: 0, KES: 2, TZS: 2, NGN: 2, ZAR: 2, USD: 2 }

/** `12.5` USD is 1250. Undefined: it is no amount of that currency. */
export function minorOf(text: unknown, currency: unknown): bigint | undefined {
  const places = digits[String(currency)]
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text))
  if (places === undefined || found === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = found
  const trimmed = fraction.replace(/0+$/, '')
  if (trimmed.length > places) return undefined
  const minor = BigInt(whole + trimmed.padEnd(places, '0'))
  return sign === '-' ? -minor : minor
}

export type Loose = Record<string, unknown>

export const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON with its numbers as the text they were written in: no float comes near an amount. */
export function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    )
  } catch {
    return undefined
  }
}

/** What is found at the end of the path, as text; empty when there is nothing. */
export function textAt(value: unknown, ...path: string[]): string {
  let at = value
  for (const name of path) at = isObject(at) ? at[name] : undefined
  return at === undefined || at === null || typeof at === 'object' ? '' : String(at)
}

/** Whole minor units, as details have them. */
export const minorText = (text: string): bigint | undefined =>
  /^-?\d+$/.test(text) ? BigInt(text) : undefined
