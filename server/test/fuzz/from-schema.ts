// From a JSON schema to values that fit it, and to values that nearly do.
import fc from 'fast-check'
import type { JsonSchema } from '../route-table.ts'
import { type Fields, json, objectText, type Value } from './json-text.ts'
import { numberTexts, textKinds, valueTexts } from './nasties.ts'

/** Values that mean something to the service, by the name of the field: a handle that exists, the right PIN. */
export type Known = (name: string) => readonly unknown[]

export interface Field {
  name: string
  schema: JsonSchema
  required: boolean
}

export const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }))

/** Any of Unicode. */
const character = fc
  .oneof(
    fc.integer({ min: 1, max: 0x24f }),
    fc.integer({ min: 0x250, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code))

type Named = Pick<Field, 'name' | 'schema'>

interface Choice {
  /** Means something to the service, or else is the schema's own example. */
  sensible: Value
  /** Fits the schema, and that is all. */
  made: Value
}

function choiceOf({ name, schema }: Named, known: Known): fc.Arbitrary<Choice> {
  const examples = (schema.examples ?? []).filter((value) => isPlain(value) && fits(value, schema)) as Value[]
  return fc.tuple(fc.nat(), fromSchema({ name, schema }, known)).map(([number, made]) => {
    // Looked up when it is needed: more becomes known while the run goes on.
    const sensible =
      chosen(known(name), { number, schema }) ?? examples[number % Math.max(1, examples.length)] ?? made
    return { sensible, made }
  })
}

/** Most fit: it is quicker to look at the next when one doesn't than at all of them. */
function chosen(values: readonly unknown[], { number, schema }: { number: number; schema: JsonSchema }) {
  for (let tries = 0; tries < Math.min(values.length, 40); tries++) {
    const value = values[(number + tries) % values.length]
    if (isPlain(value) && fits(value, schema)) return value as Value
  }
  return undefined
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null || Array.isArray(value)

function fits(
  value: unknown,
  { type, pattern, enum: words, maxLength = Number.MAX_SAFE_INTEGER }: JsonSchema,
) {
  const types = [type ?? 'string'].flat()
  if (!types.includes(typeof value) && !(types.includes('integer') && Number.isInteger(value))) return false
  if (words !== undefined && !words.includes(value)) return false
  if (typeof value !== 'string') return true
  return value.length <= maxLength && (pattern === undefined || patternOf(pattern).test(value))
}

const patterns = new Map<string, RegExp>()
function patternOf(text: string): RegExp {
  const known = patterns.get(text) ?? new RegExp(text, 'u')
  patterns.set(text, known)
  return known
}

function fromSchema({ name, schema }: Named, known: Known): fc.Arbitrary<Value> {
  if (schema['x-money']) return money
  if (schema.const !== undefined) return fc.constant(schema.const as Value)
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as Value[]))
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((part) => fromSchema({ name, schema: part }, known)))
  switch ([schema.type].flat()[0]) {
    case 'string':
      return string(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 100_000 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fromSchema({ name, schema: schema.items ?? { type: 'string' } }, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 5),
      })
    case 'object':
      return object(schema, known).map((fields) => json(objectText(fields)))
    default:
      return fc.constant(null)
  }
}

const money: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 500, max: 20_000 }) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 999_999_999 }).map((cents) => json((cents / 100).toFixed(2))),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom(...numberTexts.filter((text) => Number(text) > 0)).map(json) },
)

function string({ pattern, format, minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  const fitsLength = (text: string) => text.length >= minLength && text.length <= maxLength
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(fitsLength)
  if (format === 'date-time')
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((time) => time.toISOString())
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }
  return fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: character }))
}

/** With every field that is required and some that are not. Every other one is sensible from end to end. */
export function object(schema: JsonSchema, known: Known): fc.Arbitrary<Fields> {
  const parts = fieldsOf(schema).map(({ name, schema: part, required }) =>
    fc
      .tuple(choiceOf({ name, schema: part }, known), fc.nat({ max: 9 }))
      .map(([{ sensible, made }, chance]) => ({
        name,
        isThere: required || chance < 5,
        sensible,
        mixed: chance % 5 < 3 ? sensible : made,
      })),
  )
  return fc
    .tuple(fc.boolean(), ...parts)
    .map(([allSensible, ...fields]) =>
      fields
        .filter(({ isThere }) => isThere)
        .map(({ name, sensible, mixed }) => [name, allSensible ? sensible : mixed] as const),
    )
}

export const nastyText = fc.oneof(...textKinds.map((kind) => fc.constantFrom(...kind)))

/** What some field may be given instead: anything. */
export const anyValue: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: nastyText },
  { weight: 3, arbitrary: fc.constantFrom(...numberTexts).map(json) },
  { weight: 3, arbitrary: fc.constantFrom(...valueTexts).map(json) },
  { weight: 2, arbitrary: fc.string({ unit: character, maxLength: 200 }) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map(json) },
)

/** Just beside what the schema takes. */
export function besideSchema({
  minLength,
  maxLength,
  minimum,
  maximum,
  pattern,
}: JsonSchema): fc.Arbitrary<Value> {
  const lengths = [minLength, maxLength].filter((length) => length !== undefined)
  const limits = [minimum, maximum].filter((limit) => limit !== undefined)
  const values: Value[] = [
    ...lengths.flatMap((length) => [-1, 0, 1].map((step) => 'a'.repeat(Math.max(0, length + step)))),
    ...lengths.flatMap((length) => [-1, 0, 1].map((step) => '😀'.repeat(Math.max(0, length + step)))),
    ...limits.flatMap((limit) => [limit - 1, limit, limit + 1, String(limit)]),
  ]
  const near = values.length === 0 ? anyValue : fc.constantFrom(...values)
  if (pattern === undefined) return near
  const spoilt = fc
    .tuple(fc.stringMatching(new RegExp(pattern)), fc.nat(), nastyText)
    .map(([text, place, more]) => {
      const at = place % (text.length + 1)
      return `${text.slice(0, at)}${more.slice(0, 20)}${text.slice(at)}`
    })
  return fc.oneof(near, spoilt)
}
