// JSON as text, with what JSON.stringify can't write: numbers in every spelling, fields that come twice, halves of
// characters. A value is either its own JSON text or a plain value.

export interface JsonText {
  readonly json: string
}

export type Value = JsonText | string | number | boolean | null | readonly Value[]
/** In this order; a name may come twice. */
export type Fields = readonly (readonly [name: string, value: Value])[]

export const json = (text: string): JsonText => ({ json: text })

export const textOf = (value: Value): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (typeof value === 'object' && value !== null) return (value as JsonText).json
  return JSON.stringify(value)
}

/** `more` are fields as they stand in a body. */
export const objectText = (fields: Fields, more: readonly string[] = []): string =>
  `{${[...fields.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`), ...more].join(',')}}`
