// The OpenAPI 3.1 document, made from the schemas of the routes: what is checked is what is documented.
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { App } from './instance.ts'
import { ErrorReply } from './schema.ts'

/** The version of the interface, which is not the version of the program. */
export const interfaceVersion = '1.0.0'

export interface Described {
  brandName: string
  baseUrl: string
}

export async function describeApi(app: App, { brandName, baseUrl }: Described): Promise<void> {
  app.addSchema(ErrorReply)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${brandName} API`,
        version: interfaceVersion,
        description: introduction(brandName),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl }],
      components: { headers },
      tags: [{ name: 'Health', description: 'Is the service there, and can it work?' }],
    },
    transformObject: (document) => ('openapiObject' in document ? withHeaders(document.openapiObject) : {}),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  })
}

const header = (description: string, schema: object) => ({ description, schema })
const whole = { type: 'integer', minimum: 0 }

const headers = {
  'X-Request-Id': header('Names this request. Tell it to us when something looks wrong.', { type: 'string' }),
  'RateLimit-Limit': header('How many requests the window allows.', whole),
  'RateLimit-Remaining': header('How many of them are left.', whole),
  'RateLimit-Reset': header('In how many seconds the next window begins.', whole),
  'Retry-After': header('After how many seconds to try again.', { ...whole, minimum: 1 }),
}

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>

/** Every answer carries them, `Retry-After` those that mean "later": so no route has to say it. */
function withHeaders(document: Document): Document {
  const named = Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }] as const)
  for (const operations of Object.values(document.paths ?? {})) {
    for (const { responses } of Object.values(operations as Record<string, Operation>)) {
      for (const [status, response] of Object.entries(responses)) {
        const later = status === '429' || status === '503'
        response.headers = Object.fromEntries(named.filter(([name]) => later || name !== 'Retry-After'))
      }
    }
  }
  return document
}

interface Operation {
  responses: Record<string, { headers?: object }>
}

const introduction = (brandName: string) => `\
${brandName} is a digital wallet and payment gateway for African markets.

- Requests and answers are JSON. Times are ISO 8601 in UTC.
- Amounts are decimal numbers in the currency's own unit; a decimal string is taken too.
- Every answer carries \`X-Request-Id\`; tell it to us when something looks wrong.
- Every error has the same shape; decide by its \`code\`.
- Lists are paged by cursor: pass \`meta.next_cursor\` as \`cursor\`.
- \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell how much you may still ask.`

const documented = (description: string) => ({ description, $ref: 'ErrorReply#' })

/** Every route can be refused in these ways; the route itself only says how it succeeds. */
export function errorResponses({ route, authenticated }: { route: FastifySchema; authenticated: boolean }) {
  const takesInput = route.body !== undefined || route.querystring !== undefined
  return {
    400: documented('The request could not be read.'),
    ...(route.body === undefined
      ? {}
      : { 413: documented('The body is too large.'), 415: documented('The body is not application/json.') }),
    ...(authenticated ? { 401: documented('No or bad credential.'), 403: documented('Not allowed.') } : {}),
    ...(route.params === undefined ? {} : { 404: documented('No such resource.') }),
    ...(takesInput ? { 422: documented('Some fields need another value.') } : {}),
    429: documented('Too many requests.'),
    500: documented('A bug on our side.'),
    503: documented('Not available just now; nothing was half done.'),
  }
}
