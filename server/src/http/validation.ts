// Checks what was sent against a route's schema and says, in plain words and for every field at once, what is
// wrong. Bodies are taken as they are (no coercion, unknown fields dropped); queries and paths are text, so their
// numbers are read from it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { labelOf } from '../base/labels.ts'
import { numberText } from './json-body.ts'

/** More wrong fields than these help nobody, and cost. */
const fieldsMax = 50

const shared = {
  allErrors: true,
  removeAdditional: true,
  useDefaults: true,
  strict: true,
  verbose: true,
} as const

const bodies = withOurKeywords(new Ajv({ ...shared, coerceTypes: false, strictTypes: false }))
// `1e400` becomes infinite, and strict numbers would leave it uncompared: without them it is beyond every maximum.
const texts = withOurKeywords(
  new Ajv({ ...shared, coerceTypes: true, strictTypes: false, strictNumbers: false }),
)

const compiledBodies = compilerOf(bodies)
const compiledTexts = compilerOf(texts)

/** The same schema, of another route or another service in this process, is compiled once. */
function compilerOf(ajv: Ajv): (schema: string) => ValidateFunction {
  const known = new Map<string, ValidateFunction>()
  return (schema) => {
    const compiled = known.get(schema) ?? ajv.compile(JSON.parse(schema))
    known.set(schema, compiled)
    return compiled
  }
}

function withOurKeywords(ajv: Ajv): Ajv {
  // An annotation for the messages.
  ajv.addKeyword('problem')
  ajv.addFormat('date-time', (text: string) => isTime(text))
  ajv.addKeyword({ keyword: 'x-money', modifying: true, errors: true, validate: readMoneyField })
  return ajv
}

export interface Validation {
  compile: FastifySchemaCompiler<object>
  /** All that nobody has needed after a while, one by one: who asks meanwhile waits for one schema, not for two hundred. */
  compileRest(): Promise<void>
}

/** Whoever had to wait for a start is served by then. */
const calmMs = 10_000
const pauseMs = 10

/**
 * A schema is compiled when it is first needed: all of them take a second of the processor, which a process that has just
 * started has better use for.
 */
export function openValidation(): Validation {
  const rest: (() => void)[] = []
  const compile: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
    // Their schema is for the documentation: the routes read what they need of them. Dropping the others would take them
    // from everybody who looks later, the log for one.
    if (httpPart === 'headers') return () => true
    if (httpPart !== 'body') requireMaximum(schema)
    const compiled = httpPart === 'body' ? compiledBodies : compiledTexts
    const text = JSON.stringify(closed(schema))
    let mine: ValidateFunction | undefined
    const validator = () => {
      mine ??= compiled(text)
      return mine
    }
    rest.push(validator)
    return (value: unknown) => {
      const validate = validator()
      if (validate(value)) return { value }
      return { error: refusal(httpPart, validate) }
    }
  }
  const compileRest = async () => {
    await sleep(calmMs, undefined, { ref: false })
    for (const each of rest.splice(0)) {
      each()
      await sleep(pauseMs, undefined, { ref: false })
    }
  }
  return { compile, compileRest }
}

/** Text may say a number that is not finite; a maximum is what refuses it. */
function requireMaximum(schema: object): void {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string; maximum?: number }> }
  for (const [name, { type, maximum }] of Object.entries(properties)) {
    const isNumber = type === 'number' || type === 'integer'
    check(!isNumber || maximum !== undefined, `${name} is read from text, so it has a maximum`)
  }
}

const mixes = ['allOf', 'anyOf', 'oneOf'] as const

/**
 * Unknown fields are dropped: every object that does not say otherwise (`additionalProperties`) takes none. Mixtures
 * of objects can't work like that, since each part would drop the fields of the others: so they are refused, when the
 * program starts.
 */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    for (const mix of mixes) {
      const parts = (value as Record<string, unknown>)[mix]
      const mixed = Array.isArray(parts) && parts.some(isObjectSchema)
      check(!mixed, `what is sent is one object with optional fields, not ${mix} of several`)
    }
    return isObjectSchema(value) && !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value
  })
}

const isObjectSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'object'

function refusal(part: string | undefined, validate: ValidateFunction): AppError {
  const problems = validate.errors ?? []
  // A path whose parameter has the wrong form names nothing that could exist.
  if (part === 'params') return new AppError('not_found')
  if (problems.some((problem) => problem.instancePath === '' && problem.keyword === 'type')) {
    return new AppError('bad_request', { detail: 'The body must be a JSON object.' })
  }
  const errors: Record<string, string> = {}
  for (const problem of problems) {
    if (Object.keys(errors).length === fieldsMax) break
    const field = fieldOf(problem)
    if (!(field in errors)) errors[field] = `${labelOf(field)} ${predicateOf(problem)}`
  }
  return new AppError('validation_failed', { errors })
}

/** `/items/0/amount` → `items.0.amount` */
function fieldOf(problem: ErrorObject): string {
  const path = problem.instancePath.split('/').slice(1)
  if (problem.keyword === 'required') path.push(String(problem.params.missingProperty))
  return path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}

function predicateOf(problem: ErrorObject): string {
  const { keyword, params } = problem
  if (keyword === 'required') return 'is required'
  if (keyword === 'x-money') return String(params.problem)
  if (keyword === 'type') return `must be ${typeWords(params.type)}`
  const own = (problem.parentSchema as { problem?: unknown } | undefined)?.problem
  if (typeof own === 'string') return own
  const limit = Number(params.limit)
  switch (keyword) {
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'minItems':
      return `must have at least ${counted(limit, 'entry', 'entries')}`
    case 'maxItems':
      return `must have at most ${counted(limit, 'entry', 'entries')}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'format':
      return params.format === 'date-time' ? 'must be a time like 2026-03-14T09:26:53Z' : 'has a wrong form'
    default:
      return 'has a wrong form'
  }
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

function typeWords(type: unknown): string {
  switch (Array.isArray(type) ? type.join() : type) {
    case 'string':
      return 'text'
    case 'number':
      return 'a number'
    case 'integer':
      return 'a whole number'
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list'
    case 'object':
      return 'an object'
    case 'number,string':
      return 'a number'
    default:
      return 'of another type'
  }
}

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/
const isTime = (text: string) =>
  timeForm.test(text) && !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10))
/** `2026-02-30` is read as the 2nd of March. */
const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)

/** A string takes the plain form only; a number takes every form that JSON has, and is judged by its value. */
const decimalForm = /^(0|[1-9][0-9]{0,15})(\.[0-9]{1,8})?$/
const numberTextMax = 64

/** As the value of `x-money`. */
export const zeroMeansNone = 'or zero'

interface Place {
  parentData: Record<string, unknown> | unknown[]
  parentDataProperty: string | number
}

/**
 * Replaces the value by its decimal text. What it is worth is for base/money to say, with the currency. Zero is refused,
 * but where it means none: `on` says so.
 */
function readMoneyField(on: unknown, value: unknown, _schema: unknown, place: Place | undefined): boolean {
  const self = readMoneyField as unknown as { errors?: Partial<ErrorObject>[] }
  const refuse = (problem: string) => {
    self.errors = [{ keyword: 'x-money', message: problem, params: { problem } }]
    return false
  }
  if (place === undefined || (typeof value !== 'number' && typeof value !== 'string')) return true
  const { parentData, parentDataProperty: key } = place
  const text = typeof value === 'number' ? numberText(parentData, key, value) : value
  if (typeof value === 'string' && !decimalForm.test(text)) return refuse('must be a number, like 1250.50')
  if (text.length > numberTextMax) return refuse('has too many digits')
  // Also 1e-400 is above zero, which as a float is zero: so what is not above it is judged by its text.
  if (!(typeof value === 'number' && value > 0)) {
    const mantissa = text.split(/[eE]/)[0] ?? ''
    const isZero = !/[1-9]/.test(mantissa)
    if (mantissa.startsWith('-') || (isZero && on !== zeroMeansNone)) return refuse('must be greater than 0')
  }
  ;(parentData as Record<string | number, unknown>)[key] = text
  return true
}
