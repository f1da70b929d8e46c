// The types of the JavaScript SDK, made from the OpenAPI document: what each route takes and answers. Run by
// `npm run docs`; a test fails when the file is stale.

export interface Schema {
  type?: string | string[]
  enum?: (string | number | boolean)[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  description?: string
  format?: string
  minimum?: number
  'x-money'?: boolean
  $ref?: string
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
  description?: string
}

export interface Operation {
  operationId: string
  summary?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: { ErrorReply: Schema } }
}

const heading = `// Made from docs/reference/openapi.json by \`npm run docs\`: not to be changed by hand.
// Every route: what it takes, and what it answers when it succeeds.

/** What the platform's endpoints answer. */
export interface Envelope<Data> {
  success: true
  /** For people; never parse it. */
  message: string
  data: Data
}

/** What lists answer, a page at a time. */
export interface ListEnvelope<Item> extends Envelope<Item[]> {
  meta: { next_cursor: string | null }
}
`

export function sdkOperations(document: OpenApi): string {
  const named = openNames()
  const routes: string[] = []
  const keyed: string[] = []
  const bare: string[] = []
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      routes.push(routeType(route, operation, named))
      if (takesKey(operation)) keyed.push(route)
      const form = formOf(operation)
      if (form !== 'envelope') bare.push(`  ['${route}', '${form}'],`)
    }
  }
  const codes = document.components.schemas.ErrorReply.properties?.code ?? {}
  return [
    heading,
    `/** Stable and machine-readable. */\nexport type ErrorCode = ${typeOf(codes, '')}\n`,
    ...named.written(),
    `export interface Operations {\n${routes.join('\n')}\n}\n`,
    '/** Those that take an `Idempotency-Key`: a repeated request happens once. */',
    `export const keyedRoutes: ReadonlySet<string> = new Set([\n${keyed.map((route) => `  '${route}',`).join('\n')}\n])\n`,
    '/** All others answer with an envelope: an object with `data`. */',
    `export const bareRoutes: ReadonlyMap<string, 'object' | 'text'> = new Map([\n${bare.join('\n')}\n])\n`,
  ].join('\n')
}

export const takesKey = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')

/** Types with names, each written once: what looks the same has the name it got first. */
function openNames() {
  const written: string[] = []
  const known = new Map<string, string>()
  return {
    written: () => written,
    name: (wanted: string, schema: Schema): string => {
      if (schema.type !== 'object' || schema.properties === undefined) return typeOf(schema, '')
      const body = typeOf(schema, '')
      const before = known.get(body)
      if (before !== undefined) return before
      known.set(body, wanted)
      written.push(`${comment(schema.description, '')}export interface ${wanted} ${body}\n`)
      return wanted
    },
  }
}

type Names = ReturnType<typeof openNames>

function routeType(route: string, operation: Operation, named: Names): string {
  const { operationId, parameters = [], requestBody } = operation
  const Name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const parts = [
    ...fieldsOf(parameters, 'path', 'params'),
    ...queryOf(parameters, { Name, named }),
    ...bodyOf(requestBody, { Name, named }),
    `reply: ${replyOf(operation, { Name, named })}`,
  ]
  return `${comment(operation.summary, '  ')}  '${route}': {\n${parts.map((part) => `    ${part}`).join('\n')}\n  }`
}

interface Naming {
  Name: string
  named: Names
}

function fieldsOf(parameters: Parameter[], place: string, field: string): string[] {
  const found = parameters.filter((parameter) => parameter.in === place)
  if (found.length === 0) return []
  return [`${field}: { ${found.map(({ name, schema }) => `${name}: ${typeOf(schema, '')}`).join('; ')} }`]
}

function queryOf(parameters: Parameter[], { Name, named }: Naming): string[] {
  const found = parameters.filter((parameter) => parameter.in === 'query')
  if (found.length === 0) return []
  const required = found.filter((parameter) => parameter.required).map(({ name }) => name)
  const properties = Object.fromEntries(
    found.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description === undefined ? {} : { description }) },
    ]),
  )
  const type = named.name(`${Name}Query`, { type: 'object', properties, required })
  return [`query${required.length === 0 ? '?' : ''}: ${type}`]
}

function bodyOf(body: Operation['requestBody'], { Name, named }: Naming): string[] {
  const schema = body?.content['application/json']?.schema
  if (schema === undefined) return []
  // A body of nothing but optional fields may be left out: the client sends an empty one.
  const optional = (schema.required ?? []).length === 0
  return [`body${optional ? '?' : ''}: ${named.name(`${Name}Body`, schema)}`]
}

function successOf({ responses }: Operation): Schema | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return answer?.content?.['application/json']?.schema
}

function formOf(operation: Operation): 'envelope' | 'object' | 'text' {
  const schema = successOf(operation)
  if (schema === undefined) return 'text'
  return schema.required?.includes('data') ? 'envelope' : 'object'
}

function replyOf(operation: Operation, { Name, named }: Naming): string {
  const schema = successOf(operation)
  if (schema === undefined) return 'string'
  const { data, meta } = schema.properties ?? {}
  if (data === undefined) return named.name(`${Name}Reply`, schema)
  const isPage = meta?.properties !== undefined && 'next_cursor' in meta.properties
  if (isPage && data.type === 'array') return `ListEnvelope<${named.name(`${Name}Item`, data.items ?? {})}>`
  if (data.type === 'array' && meta === undefined)
    return `Envelope<${named.name(`${Name}Item`, data.items ?? {})}[]>`
  if (meta !== undefined) return named.name(`${Name}Reply`, schema)
  return `Envelope<${named.name(`${Name}Data`, data)}>`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ')
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => literal(value)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => plainType(type)).join(' | ')
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, indent)
    return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (schema.type === 'object') return objectType(schema, indent)
  return plainType(schema.type ?? 'unknown')
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  const inside = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const mark = required.includes(name) ? '' : '?'
    return `${comment(field.description, inside)}${inside}${key}${mark}: ${typeOf(field, inside)}`
  })
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n${indent}}`
}

const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `'${value}'` : String(value)

const plainType = (type: string): string => (type === 'integer' ? 'number' : type)

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`
