// The requests that a route is tried with: good ones (so that it is tried at all), ones with a single thing wrong (so
// that each check is met alone), and things that are no request for it at all.
import fc from 'fast-check'
import type { JsonSchema, Route } from '../route-table.ts'
import { anyValue, besideSchema, type Field, fieldsOf, type Known, nastyText, object } from './from-schema.ts'
import { type Fields, type JsonText, json, objectText, textOf, type Value } from './json-text.ts'
import * as nasties from './nasties.ts'

/** Whose credential goes with it. */
export type As = 'caller' | 'other' | 'ended' | 'tampered' | 'nobody' | { authorization: string }

export interface Input {
  /** For the report. */
  kind: string
  method: string
  url: string
  headers: Record<string, string>
  body: Buffer | undefined
  as: As
  /** Which of several credentials that would do. */
  scheme: number
  /** Where it comes from: some failures are counted by address. */
  address: string
  /** Fields that are surely wrong, whatever else is: an answer about fields names each of them. */
  spoilt: readonly string[]
}

/** A good request. */
interface Good {
  path: string
  query: string
  fields: Fields
  write: Write
}

/** A body of these fields; `more` are others, as they stand in JSON. */
type Write = (fields: Fields, more?: readonly string[]) => Buffer

const jsonBody: Write = (fields, more) => Buffer.from(objectText(fields, more))
const formBody: Write = (fields, more = []) => Buffer.from([queryOf(fields), ...more.map(encoded)].join('&'))

/** What is sent instead of parts of it. */
interface Change {
  kind: string
  method?: string
  path?: string
  query?: string
  body?: Buffer | undefined
  type?: string
  headers?: Record<string, string>
  spoilt?: readonly string[]
}

type Changing = fc.Arbitrary<(good: Good) => Change>
type Weighted = { weight: number; arbitrary: Changing }

export function inputsOf(route: Route, known: Known): fc.Arbitrary<Input> {
  const { schema = {} } = route
  const [goodType = 'application/json'] = schema.consumes ?? []
  const write = schema.consumes === undefined ? jsonBody : formBody
  const objectOf = (part: JsonSchema | undefined) =>
    part === undefined ? fc.constant(undefined) : object(part, known)
  return fc
    .record({
      params: objectOf(schema.params),
      query: objectOf(schema.querystring),
      fields: objectOf(schema.body),
      change: fc.oneof(...changesOf(route)),
      as: asOf(route),
      key: keyOf(schema.headers),
      scheme: fc.nat({ max: 5 }),
      address: fc.nat({ max: 0xffff }),
    })
    .map(({ params = [], query = [], fields, change, as, key, scheme, address }) => {
      const good = { path: pathOf(route.path, params), query: queryOf(query), body: fields && write(fields) }
      const changed = { ...good, spoilt: [], ...change({ ...good, fields: fields ?? [], write }) }
      const type = changed.type ?? (changed.body === undefined ? '' : goodType)
      return {
        kind: changed.kind,
        method: changed.method ?? route.method,
        url: changed.query === '' ? changed.path : `${changed.path}?${changed.query}`,
        headers: { ...(type === '' ? {} : { 'content-type': type }), ...key, ...changed.headers },
        body: changed.body,
        as,
        scheme,
        address: `10.9.${address >> 8}.${address & 255}`,
        spoilt: changed.spoilt,
      }
    })
}

function changesOf(route: Route): Weighted[] {
  const { path, schema = {} } = route
  const { body, querystring } = schema
  return [
    ...severalSpoilt(route),
    { weight: 14, arbitrary: fc.constant(() => ({ kind: 'good' })) },
    { weight: 4, arbitrary: oddHeaders },
    ...(body === undefined ? [{ weight: 3, arbitrary: bodyUnasked }] : bodyChanges(body)),
    ...(querystring === undefined ? [] : [{ weight: 12, arbitrary: queryChange(querystring) }]),
    { weight: querystring === undefined ? 1 : 5, arbitrary: wholeQuery },
    ...(/[:*]/.test(path) ? [{ weight: 8, arbitrary: pathChange(path) }] : []),
    { weight: 1, arbitrary: pathEnd },
    { weight: 1, arbitrary: otherMethod },
  ]
}

function bodyChanges(schema: JsonSchema): Weighted[] {
  const fields = fieldsOf(schema).map(fieldChange)
  return [
    ...(fields.length === 0 ? [] : [{ weight: 24, arbitrary: fc.oneof(...fields) }]),
    { weight: 2, arbitrary: fieldMore },
    { weight: 3, arbitrary: damage },
    { weight: 5, arbitrary: wholeBody },
    { weight: 2, arbitrary: otherType },
    { weight: 1, arbitrary: fc.constant(() => ({ kind: 'no body', body: undefined })) },
  ]
}

/** One field: of another value, of another type, missing, or there twice. */
function fieldChange({ name, schema }: Field): Changing {
  const value = fc.oneof({ weight: 3, arbitrary: anyValue }, { weight: 1, arbitrary: besideSchema(schema) })
  return fc.tuple(fc.nat({ max: 9 }), value).map(([how, other]) => ({ fields, write }: Good) => {
    const others = fields.filter(([present]) => present !== name)
    if (how === 0) return { kind: `without ${name}`, body: write(others) }
    if (how === 1) return { kind: `${name} twice`, body: write([...fields, [name, other]]) }
    return { kind: `another ${name}`, body: write([...others, [name, other]]) }
  })
}

/** Two fields or more, each of a type that it does not take, or missing; the key that a request may be repeated with too. */
function severalSpoilt({ schema = {} }: Route): Weighted[] {
  const { body, querystring, headers, response = {} } = schema
  // Pages, and what providers send, are read with more patience.
  if (response[422] === undefined || schema.consumes !== undefined) return []
  const fields = fieldsOf(body ?? querystring ?? {}).filter(({ schema: { type } }) => type !== undefined)
  const keys = headers?.properties?.['idempotency-key'] === undefined ? [] : ['Idempotency-Key']
  const targets: (Field | string)[] = [...fields, ...keys]
  if (targets.length < 2) return []
  const change = fc
    .tuple(fc.subarray(targets, { minLength: 2 }), fc.boolean())
    .map(([chosen, leavesOut]) => ({ fields: sent, query, write }: Good) => {
      const wrong = chosen.filter((target) => typeof target !== 'string')
      const spoilt = chosen.map((target) => (typeof target === 'string' ? target : target.name))
      const made = {
        kind: `spoilt ${spoilt.join(', ')}`,
        spoilt,
        ...(spoilt.includes('Idempotency-Key') ? { headers: { 'idempotency-key': 'two words' } } : {}),
      }
      if (body === undefined)
        return { ...made, query: [without(query, spoilt), ...wrong.map(twice)].join('&') }
      const others = sent.filter(([name]) => !spoilt.includes(name))
      const bad = wrong.filter(({ required }) => !(leavesOut && required))
      return { ...made, body: write([...others, ...bad.map(mistyped)]) }
    })
  return [{ weight: 8, arbitrary: change }]
}

const mistyped = ({ name, schema }: Field): Fields[number] => [
  name,
  json([schema.type].flat().includes('object') ? '7' : '{}'),
]

/** Everything in a query is text, but what comes twice is a list. A cursor has the right type, and is none. */
const twice = ({ name }: Field) => (name === 'cursor' ? 'cursor=x' : `${name}=0&${name}=0`)

const without = (query: string, names: readonly string[]): string =>
  query
    .split('&')
    .filter((part) => !names.includes(part.split('=')[0] ?? ''))
    .join('&')

const fieldMore: Changing = fc.constantFrom(...nasties.extraFields).map((extra) => ({ fields, write }) => ({
  kind: 'a field more',
  body: write(fields, [extra]),
}))

const damage: Changing = fc
  .tuple(fc.nat(), fc.nat({ max: 255 }), fc.constantFrom('cut', 'flip', 'insert'))
  .map(([place, byte, how]) => ({ fields, write }) => {
    const bytes = write(fields)
    const at = place % Math.max(1, bytes.length)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    if (how === 'cut') return { kind: 'cut', body: Buffer.from(before) }
    const rest = how === 'flip' ? after.subarray(1) : after
    return { kind: 'a byte changed', body: Buffer.concat([before, Buffer.from([byte]), rest]) }
  })

const anyBody = fc.oneof(
  fc.constantFrom(...nasties.bodies, ...nasties.byteBodies),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json({ maxDepth: 5 }).map((text) => Buffer.from(text)),
)
const wholeBody: Changing = anyBody.map((body) => () => ({ kind: 'another body', body }))

const otherType: Changing = fc
  .constantFrom(...nasties.contentTypes)
  .map((type) => () => ({ kind: 'another type', type }))

/** Where none is asked for. */
const bodyUnasked: Changing = fc
  .tuple(anyBody, fc.constantFrom(...nasties.contentTypes, 'application/json'))
  .map(([body, type]) => () => ({ kind: 'a body unasked', body, type }))

function queryChange(schema: JsonSchema): Changing {
  const parts = fieldsOf(schema).map(({ name, schema: part }) =>
    fc
      .oneof({ weight: 3, arbitrary: anyValue }, { weight: 1, arbitrary: besideSchema(part) })
      .map((value) => ({ query }: Good) => {
        const others = without(query, [name])
        return {
          kind: `another ${name}`,
          query: [...(others === '' ? [] : [others]), pair(name, value)].join('&'),
        }
      }),
  )
  return fc.oneof(...parts)
}

const anyPair = fc
  .tuple(fc.constantFrom('limit', 'cursor', 'q', 'a', 'a[b]', '__proto__'), nastyText)
  .map(([name, value]) => pair(name, value))
const wholeQuery: Changing = fc
  .oneof(
    fc.constantFrom(...nasties.queryTexts),
    fc.array(anyPair, { minLength: 1, maxLength: 4 }).map((pairs) => pairs.join('&')),
  )
  .map((query) => () => ({ kind: 'another query', query }))

/** One of its parameters, or the rest of the address. */
const pathText = fc.oneof(fc.constantFrom(...nasties.pathTexts), nastyText.map(encoded))
const pathChange = (path: string): Changing =>
  pathText.map((text) => () => ({
    kind: 'another path',
    path: path.replace(/:\w+|\*/, () => text).replaceAll(/:\w+|\*/g, 'a'),
  }))

const pathEnd: Changing = fc
  .constantFrom('/', '//', '/..', '/.', '/%2e%2e/', '%20', '%00', '/a', '.json', ';a=b', '%2f', '/*')
  .map((end) => ({ path }) => ({ kind: 'another path', path: path + end }))

const otherMethod: Changing = fc
  .constantFrom('HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PUT', 'POST', 'GET')
  .map((method) => () => ({ kind: 'another method', method }))

const oddHeaders: Changing = fc
  .array(fc.constantFrom(...nasties.headers), { minLength: 1, maxLength: 3 })
  .map((pairs) => () => ({ kind: 'odd headers', headers: Object.fromEntries(pairs) }))

/** Only some need a credential; all are tried with and without. */
function asOf({ schema = {} }: Route): fc.Arbitrary<As> {
  const needed = schema.security !== undefined
  return fc.oneof(
    { weight: needed ? 18 : 3, arbitrary: fc.constant<As>('caller') },
    { weight: needed ? 1 : 18, arbitrary: fc.constant<As>('nobody') },
    { weight: 1, arbitrary: fc.constantFrom<As[]>('other', 'ended', 'tampered') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...nasties.authorizations).map((authorization) => ({ authorization })),
    },
  )
}

/** Often one that was used before. */
const keyOf = (schema: JsonSchema | undefined): fc.Arbitrary<Record<string, string>> =>
  schema?.properties?.['idempotency-key'] === undefined
    ? fc.constant({})
    : fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.nat({ max: 60 }).map((key) => ({ 'idempotency-key': `key-${key}` })) },
      )

const pathOf = (path: string, params: Fields): string => {
  const values = new Map(params)
  return path.replaceAll(/:(\w+)|\*/g, (_all, name: string) => encoded(plain(values.get(name) ?? 'a')))
}
const queryOf = (fields: Fields): string => fields.map(([name, value]) => pair(name, value)).join('&')
const pair = (name: string, value: Value) => `${name}=${encoded(plain(value))}`

const isJson = (value: Value): value is JsonText =>
  typeof value === 'object' && value !== null && 'json' in value
const plain = (value: Value): string =>
  typeof value === 'string' ? value : isJson(value) ? value.json : textOf(value)

/** Halves of characters too, as a careless program writes them. */
function encoded(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text)
  return [...Buffer.from(text, 'utf16le')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
