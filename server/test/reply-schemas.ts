// Does an answer fit the schema that documents it? Each schema is compiled once: some tests look at thousands of answers.
import { Ajv, type ValidateFunction } from 'ajv'
import { ErrorReply } from '../src/http/schema.ts'

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const fitsErrorReply = ajv.compile(closedSchema({ ...ErrorReply }))
const compiled = new WeakMap<object, ValidateFunction>()

export interface Answer {
  status: number
  /** Of the route that has answered, by status. */
  schemas: Record<string, object> | undefined
  payload: string
}

/** What does not fit, in words. An answer of which nothing is documented fits, unless it is an error. */
export function misfit({ status, schemas, payload }: Answer): string | undefined {
  // Answers from before the route was found (unknown paths, wrong types) are errors like all others.
  const schema = schemas?.[status] ?? (status >= 400 ? { $ref: 'ErrorReply' } : undefined)
  if (schema === undefined) return undefined
  const known = [last, lastLarge].find((one) => one.payload === payload && one.schema === schema)
  if (known !== undefined) return known.problem
  const fits = '$ref' in schema ? fitsErrorReply : validatorOf(schema)
  const problem = fits(JSON.parse(payload)) ? undefined : ajv.errorsText(fits.errors)
  last = { payload, schema, problem }
  if (payload.length > largeMin) lastLarge = last
  return problem
}

interface Looked {
  payload?: string
  schema?: object
  problem?: string | undefined
}

/** The fuzzer looks at what the app has just looked at itself. */
let last: Looked = {}
/** The reference of the API is looked at hundreds of times, and is always the same. */
let lastLarge: Looked = {}
const largeMin = 100_000

function validatorOf(schema: object): ValidateFunction {
  const known = compiled.get(schema) ?? ajv.compile(closedSchema(schema))
  compiled.set(schema, known)
  return known
}

/** A field that is not documented must not leave: it may be one that was never meant to. */
export function closedSchema(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
    return isObject && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value
  })
}
