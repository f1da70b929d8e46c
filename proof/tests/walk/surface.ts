// What the service says of itself at /openapi.json: every operation with what it takes and what it may answer; and the pages,
// which are no part of the API, as the fuzzer of the server knows them.
import { Ajv, type ValidateFunction } from 'ajv'
import { pageRoutes } from '../../../server/test/fuzz/pages.ts'
import type { JsonSchema, Route } from '../../../server/test/route-table.ts'

export interface Surface {
  routes: Route[]
  /** The route that this method and address lead to; undefined: none that is known. */
  routeOf(method: string, url: string): Route | undefined
  /** What is wrong with an answer of a route: its status, its type or its shape. */
  misfit(answer: Shown & { route: Route | undefined }): string | undefined
  /** Operations that do not say what they take or answer. */
  silent: string[]
}

export interface Shown {
  status: number
  /** Of its content. */
  type: string
  text: string
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: JsonSchema }[]
  requestBody?: { content: Record<string, { schema?: JsonSchema }> }
  security?: Record<string, string[]>[]
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

export async function readSurface(url: string): Promise<Surface> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  const error = ajv.compile(closed(document.components.schemas.ErrorReply ?? false))
  const operations = new Map<Route, Operation>()
  const silent: string[] = []
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const route = routeFrom({ path, method, operation })
      operations.set(route, operation)
      if (isSilent(route, operation)) silent.push(`${route.method} ${path}`)
    }
  const routes = [...operations.keys(), ...pageRoutes()]
  const compiled = new Map<object, ValidateFunction>()
  const fits = (schema: object): ValidateFunction => {
    const known = compiled.get(schema) ?? ('$ref' in schema ? error : ajv.compile(closed(schema)))
    compiled.set(schema, known)
    return known
  }
  const find = finder(routes)
  return {
    routes,
    silent,
    routeOf: find,
    misfit: ({ route, status, type, text }) => {
      const said = route === undefined ? undefined : operations.get(route)?.responses
      if (said !== undefined && said[status] === undefined) return `status ${status} is not documented`
      const documented = said?.[status]?.content
      const [name] = type.split(';')
      const schema = documented?.[name ?? '']?.schema
      if (documented !== undefined && schema === undefined) return `${type} is not documented`
      if (name !== 'application/json') return undefined
      const check = schema === undefined ? (status < 400 ? undefined : error) : fits(schema)
      if (check === undefined || check(JSON.parse(text))) return undefined
      return `it does not fit its schema: ${ajv.errorsText(check.errors)}`
    },
  }
}

function routeFrom({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: Operation
}): Route {
  const part = (place: string): JsonSchema | undefined => {
    const fields = (operation.parameters ?? []).filter((one) => one.in === place)
    if (fields.length === 0) return undefined
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, schema = {} }) => [name, schema])),
      required: fields.filter(({ required }) => required).map(({ name }) => name),
    }
  }
  const parts = {
    params: part('path'),
    querystring: part('query'),
    headers: part('header'),
    body: operation.requestBody?.content['application/json']?.schema,
    security: operation.security,
  }
  const there = Object.entries(parts).filter(([, value]) => value !== undefined)
  return {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: Object.fromEntries(there),
  }
}

/** An operation that says nothing of a parameter, or of what it answers when all is well. */
function isSilent({ path, schema }: Route, { parameters = [], responses }: Operation): boolean {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const wellSaid = Object.entries(responses).some(
    ([status, { content = {} }]) =>
      status.startsWith('2') && Object.values(content).some((one) => one.schema !== undefined),
  )
  return (
    !wellSaid ||
    named.some((name) => schema?.params?.properties?.[name] === undefined) ||
    parameters.some((one) => one.schema === undefined)
  )
}

/** A field that is not documented must not leave: it may be one that was never meant to. */
function closed(schema: object | boolean): object {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
    return isObject && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value
  })
}

/** By whole segments; one that is written out is before one that takes anything. */
function finder(routes: readonly Route[]): Surface['routeOf'] {
  const tables = new Map<string, { route: Route; parts: string[] }[]>()
  for (const route of routes) {
    const parts = route.path.split('/')
    const key = `${route.method} ${parts.length}`
    tables.set(key, [...(tables.get(key) ?? []), { route, parts }])
  }
  return (method, url) => {
    const given = (url.split(/[?#]/, 1)[0] ?? '').split('/')
    const table = tables.get(`${method === 'HEAD' ? 'GET' : method} ${given.length}`) ?? []
    const fit = table.filter(({ parts }) =>
      parts.every((part, at) => part === given[at] || (part.startsWith(':') && given[at] !== '')),
    )
    const written = ({ parts }: { parts: string[] }) => parts.filter((part) => !part.startsWith(':')).length
    return fit.toSorted((one, other) => written(other) - written(one))[0]?.route
  }
}
