// The OpenAPI 3.1 document, made from the schemas of the routes: what is checked is what is documented.
import swagger from '@fastify/swagger'
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
      tags: [{ name: 'Health', description: 'Is the service there, and can it work?' }],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  })
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
    ...(route.body === undefined ? {} : { 400: documented('The body is not a JSON object.') }),
    ...(authenticated ? { 401: documented('No or bad credential.'), 403: documented('Not allowed.') } : {}),
    ...(route.params === undefined ? {} : { 404: documented('No such resource.') }),
    ...(takesInput ? { 422: documented('Some fields need another value.') } : {}),
    429: documented('Too many requests.'),
    500: documented('A bug on our side.'),
    503: documented('Not available just now; nothing was half done.'),
  }
}
