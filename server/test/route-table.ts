// Every route that the app has, as it was registered: for tests that walk over all of them, so that a new route can't
// be forgotten.
import { check } from '../src/base/check.ts'
import type { Http } from '../src/http/http.ts'

/** As much of JSON Schema as our schemas use. */
export interface JsonSchema {
  type?: string | readonly string[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  examples?: readonly unknown[]
  additionalProperties?: boolean | JsonSchema
  patternProperties?: Record<string, JsonSchema>
  'x-money'?: boolean
  $ref?: string
  content?: Record<string, { schema: JsonSchema }>
}

export interface RouteSchema {
  hide?: boolean
  body?: JsonSchema
  querystring?: JsonSchema
  params?: JsonSchema
  headers?: JsonSchema
  response?: Record<string, JsonSchema>
  security?: readonly Record<string, readonly string[]>[]
  /** Another type of body than JSON. */
  consumes?: readonly string[]
}

export interface Route {
  method: string
  /** With its parameters: `/api/users/:handle`. */
  path: string
  schema: RouteSchema | undefined
}

export interface RouteTable {
  /** For `testApp`. */
  watch(http: Http): void
  /** Complete once the app is ready. HEAD is left out where it goes with a GET. */
  routes(): Route[]
  /** Which route has answered a request, if there was one; known when the answer is. */
  answeredBy(requestId: string): Route | undefined
}

const rememberedMax = 1_000

export function routeTable(): RouteTable {
  // Read late: a scope adds to the schema after it was registered.
  const registered: { method: string | string[]; url: string; schema?: object }[] = []
  const answered = new Map<string, string>()
  let known: Route[] | undefined
  const routes = () => {
    known ??= read()
    return known
  }
  const read = () => {
    const all = registered.flatMap(({ method, url, schema }) =>
      [method].flat().map((name) => ({ method: name, path: url, schema: schema as RouteSchema | undefined })),
    )
    const gets = new Set(all.filter(({ method }) => method === 'GET').map(({ path }) => path))
    return all.filter(({ method, path }) => method !== 'HEAD' || !gets.has(path))
  }
  return {
    routes,
    watch: ({ app }) => {
      app.addHook('onRoute', (route) => void registered.push(route))
      app.addHook('onRequest', async (request) => {
        const { method, url } = request.routeOptions
        if (url === undefined || request.is404) return
        answered.set(request.id, `${[method].flat()[0]} ${url}`)
        const [oldest] = answered.keys()
        if (answered.size > rememberedMax && oldest !== undefined) answered.delete(oldest)
      })
    },
    answeredBy: (requestId) => {
      const name = answered.get(requestId)
      if (name === undefined) return undefined
      const found = routes().find((route) => nameOf(route) === name.replace(/^HEAD /, 'GET '))
      check(found !== undefined, 'what answers is a route')
      return found
    },
  }
}

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`
