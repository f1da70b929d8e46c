// JSON as the providers' servers read it: what type a field has matters, and a number keeps its digits.

/** A number, as it was written. */
export interface Numeral {
  readonly digits: string
}

export type Json = string | boolean | null | Numeral | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** An object; undefined: the text is none. */
export function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text, keepDigits)
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value) && !isNumeral(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

const keepDigits = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? { digits: context?.source ?? String(value) } : value

const isNumeral = (value: unknown): value is Numeral =>
  value !== null && typeof value === 'object' && typeof (value as Numeral).digits === 'string'

export const textAt = (object: JsonObject | undefined, name: string): string | undefined => {
  const value = object?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Only a JSON number. */
export const numeralAt = (object: JsonObject | undefined, name: string): string | undefined => {
  const value = object?.[name]
  return isNumeral(value) ? value.digits : undefined
}

/** A number, or text. */
export const wordAt = (object: JsonObject | undefined, name: string): string | undefined =>
  textAt(object, name) ?? numeralAt(object, name)

export const objectAt = (object: JsonObject | undefined, name: string): JsonObject | undefined => {
  const value = object?.[name]
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !isNumeral(value)
    ? (value as JsonObject)
    : undefined
}

// The types of Node 24's JSON don't have it yet.
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): object }

/** For JSON.stringify: a number with exactly these digits. */
export const exactly = (digits: string | bigint): object => rawJson(String(digits))
