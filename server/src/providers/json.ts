// Reads what providers send. Numbers stay the text they were written as: an amount is never a float on its way, and it
// does not matter that one provider writes a code as 0 and another as "0".
import { type Amount, isCurrency, readMinor } from '../base/money.ts'

export type Json = null | boolean | string | Json[] | { [name: string]: Json }

/** Undefined when it is not JSON, or nested so deeply that no provider has written it. */
export function readJson(body: string): Json | undefined {
  try {
    return JSON.parse(body, keepText)
  } catch {
    return undefined
  }
}

const keepText = (_name: string, value: unknown, context?: { source?: string }) =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

/** What lies at the end of the path. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let here = value
  for (const name of path) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here
}

/** A text or a number there; undefined when it is anything else, or empty. */
export function textAt(value: Json | undefined, ...path: string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** A name, id or receipt there: printable, without spaces, and of a length that names have. */
export function nameAt(value: Json | undefined, ...path: string[]): string | undefined {
  const found = textAt(value, ...path)
  return found !== undefined && /^[\x21-\x7e]{1,100}$/.test(found) ? found : undefined
}

export const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An amount as a provider writes it in a decimal text; undefined when that is none, or of a currency we don't have. */
export function readAmount(text: string | undefined, currency: string | undefined): Amount | undefined {
  if (text === undefined || currency === undefined || !isCurrency(currency)) return undefined
  const reading = readMinor(text, currency)
  return 'minor' in reading ? { minor: reading.minor, currency } : undefined
}

/** For a detail that operators read: what somebody else wrote, in one short line. */
export const quoted = (text: string | undefined): string =>
  (text ?? '')
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .trim()
    .slice(0, 200)
