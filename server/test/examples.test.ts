// The examples in the reference of the API are what they are examples of: each fits its own schema, wherever it stands; and
// each request that is shown is understood by its route. One that says nothing as a whole is made of the examples and words
// of its fields, as readers and the reference page do it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { openValidation } from '../src/http/validation.ts'
import { openCaller, openStage } from './fuzz/callers.ts'
import { appHands } from './fuzz/hands.ts'
import { closedSchema } from './reply-schemas.ts'
import { type JsonSchema, nameOf, type Route, routeTable } from './route-table.ts'
import { simulatedApp } from './simulated-app.ts'

type Place = 'body' | 'querystring' | 'answer'

interface Schema extends JsonSchema {
  example?: unknown
  allOf?: readonly JsonSchema[]
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Operation {
  parameters?: (Media & { in: string; name: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; headers: Record<string, Media> }
}

const table = routeTable()
const server = await simulatedApp({}, { watch: table.watch })
const document: Document = JSON.parse((await server.app.inject('/openapi.json')).body)

interface Shown {
  where: string
  place: Place
  schema: Schema
  example: unknown
}

describe('an example fits its own schema', () => {
  const all = [...examplesIn(document)]
  test(`${all.length} of them`, () => {
    assert.ok(all.length > 1_000)
    const different = new Map(all.map((shown) => [JSON.stringify({ ...shown, where: '' }), shown]))
    const wrong = [...different.values()].flatMap(({ where, ...shown }) => {
      const problem = misfit(shown)
      return problem === undefined ? [] : [`${where} ${JSON.stringify(shown.example)}: ${problem}`]
    })
    assert.deepEqual(wrong, [])
  })

  const rows: [place: Place, schema: Schema, example: unknown, fits: boolean][] = [
    ['answer', { type: 'string', pattern: '^a' }, 'ab', true],
    ['answer', { type: 'string', pattern: '^a' }, 'ba', false],
    ['answer', { type: 'object', properties: {} }, { more: 1 }, false],
    ['answer', { type: 'string', format: 'date-time' }, 'yesterday', false],
    ['body', { type: ['number', 'string'], 'x-money': true }, '1.50', true],
    ['body', { type: ['number', 'string'], 'x-money': true }, '1,50', false],
    ['body', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, {}, false],
    ['querystring', { type: 'integer', minimum: 1, maximum: 5 }, 5, true],
    ['querystring', { type: 'integer', minimum: 1, maximum: 5 }, 6, false],
  ]
  for (const [place, schema, example, fits] of rows)
    test(`${JSON.stringify(example)} ${fits ? 'fits' : 'does not fit'} ${JSON.stringify(schema)}`, () => {
      assert.equal(misfit({ place, schema, example }) === undefined, fits)
    })
})

/** Each by somebody for whom everything is there that the route needs; what is refused then is what was shown. */
describe('a request that is shown is understood', async () => {
  const stage = await openStage(appHands(server))
  for (const route of table.routes().filter(takesJson)) {
    const { path, method } = route
    const bodies = bodiesOf(document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()])
    for (const body of bodies)
      test(`${nameOf(route)} ${JSON.stringify(body)}`, async () => {
        const caller = await openCaller(stage, route)
        const url = path.replaceAll(/:(\w+)/g, (_all, name) =>
          encodeURIComponent(String(caller.known(name)[0])),
        )
        const headers = caller.headersOf(route.schema?.security === undefined ? 'nobody' : 'caller', 0)
        const reply = await server.app.inject({
          method: method as 'POST',
          url,
          headers,
          payload: body as object,
        })
        const { code, errors = {} } = reply.json()
        const isRefused = [400, 404, 413, 415].includes(reply.statusCode) || code === 'validation_failed'
        const isElsewhere = Object.values<string>(errors).every((sentence) => elsewhere.test(sentence))
        assert.ok(
          !isRefused || (code === 'validation_failed' && isElsewhere),
          `${reply.statusCode} ${reply.body}`,
        )
      })
  }
})

/** What is shown is somebody else's, or of another day: a password, a code, who has a seat. */
const elsewhere =
  /^(Password is wrong|Code is wrong|Nobody gave out this code|This member has or had a seat|There is no payment with this|Title can not be changed any more)/

const takesJson = ({ method, schema }: Route): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method) && schema?.body !== undefined && schema.hide !== true

/** The whole ones that are shown; else one of all fields that show a value. */
function bodiesOf(operation: Operation | undefined): unknown[] {
  const { schema = {}, example, examples = {} } = operation?.requestBody?.content['application/json'] ?? {}
  const whole = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ]
  return whole.length > 0 ? whole : [composed(schema)]
}

/** Of several words the first. */
function composed({ properties = {} }: Schema): object {
  const fields = Object.entries<Schema>(properties).flatMap(([name, { examples = [], enum: words = [] }]) =>
    [...examples, ...words].slice(0, 1).map((value) => [name, value] as const),
  )
  return Object.fromEntries(fields)
}

function* examplesIn({ paths, webhooks, components }: Document): Generator<Shown> {
  for (const [path, operations] of Object.entries({ ...paths, ...webhooks }))
    for (const [method, operation] of Object.entries(operations))
      yield* examplesOf(`${method.toUpperCase()} ${path}`, operation)
  for (const [name, schema] of Object.entries(components.schemas)) yield* inSchema(name, 'answer', schema)
  for (const [name, header] of Object.entries(components.headers)) yield* inMedia(name, 'answer', header)
}

function* examplesOf(
  where: string,
  { parameters = [], requestBody, responses }: Operation,
): Generator<Shown> {
  for (const parameter of parameters) yield* inMedia(`${where} ${parameter.name}`, 'querystring', parameter)
  for (const [type, media] of Object.entries(requestBody?.content ?? {}))
    yield* inMedia(`${where} ${type}`, 'body', media)
  for (const [status, { content = {} }] of Object.entries(responses))
    for (const media of Object.values(content)) yield* inMedia(`${where} ${status}`, 'answer', media)
}

function* inMedia(
  where: string,
  place: Place,
  { schema = {}, example, examples = {} }: Media,
): Generator<Shown> {
  if (example !== undefined) yield { where, place, schema, example }
  for (const [name, { value }] of Object.entries(examples))
    yield { where: `${where} ${name}`, place, schema, example: value }
  yield* inSchema(where, place, schema)
}

function* inSchema(where: string, place: Place, schema: Schema): Generator<Shown> {
  const shown = [...(schema.examples ?? []), ...('example' in schema ? [schema.example] : [])]
  for (const example of shown) yield { where, place, schema, example }
  const {
    items,
    properties = {},
    patternProperties = {},
    additionalProperties,
    anyOf = [],
    allOf = [],
  } = schema
  for (const [name, part] of Object.entries({ ...properties, ...patternProperties }))
    yield* inSchema(`${where}.${name}`, place, part)
  const parts = [...anyOf, ...allOf, ...(items === undefined ? [] : [items])]
  for (const part of parts) yield* inSchema(where, place, part)
  if (typeof additionalProperties === 'object') yield* inSchema(where, place, additionalProperties)
}

const answers = new Ajv({ strict: false, allErrors: true })
answers.addFormat('date-time', (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text))
answers.addFormat('uri', (text: string) => URL.canParse(text))
const { compile } = openValidation()

/** What is sent is looked at by the service's own eyes; in a query everything is text. */
function misfit({ place, schema, example }: Omit<Shown, 'where'>): string | undefined {
  if (place === 'answer') {
    const fits = answers.compile(closedSchema(withComponents(schema)))
    return fits(example) ? undefined : answers.errorsText(fits.errors)
  }
  const value = structuredClone(place === 'querystring' ? String(example) : example)
  const whole = { type: 'object', properties: { value: schema }, required: ['value'] }
  const judge = compile({ schema: whole, httpPart: place, method: 'POST', url: '/' })
  const { error } = judge({ value }) as { error?: Error & { errors?: object } }
  return error === undefined ? undefined : JSON.stringify(error.errors ?? error.message)
}

const withComponents = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(value?.$ref)?.[1]
    return name === undefined ? value : document.components.schemas[name]
  })
