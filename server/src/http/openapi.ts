// The OpenAPI 3.1 document, made from the schemas of the routes: what is checked is what is documented.
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { encoded } from '../base/page-assets.ts'
import type { App } from './instance.ts'
import { sendEncoded } from './page-reply.ts'
import { bodyOptional, ErrorReply } from './schema.ts'

/** The version of the interface, which is not the version of the program. */
export const interfaceVersion = '1.0.0'

export interface Described {
  brandName: string
  baseUrl: string
  /** What header names that carry the brand begin with. */
  headerPrefix?: string | undefined
  /** What is sent to others, as OpenAPI describes it. */
  webhooks?: Record<string, object> | undefined
}

export async function describeApi(
  app: App,
  { brandName, baseUrl, headerPrefix = 'SVC', webhooks = {} }: Described,
): Promise<void> {
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
      webhooks,
      components: { headers, securitySchemes: securitySchemes(headerPrefix) },
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    },
    transformObject: (document) => ('openapiObject' in document ? completed(document.openapiObject) : {}),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  })
}

/** It is a megabyte, so it is written and pressed once. */
export function documentRoute(app: App): void {
  let bodies: ReturnType<typeof encoded> | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    bodies ??= encoded(Buffer.from(JSON.stringify(app.swagger())))
    return sendEncoded(request, reply, { type: 'application/json; charset=utf-8', bodies })
  })
}

/** In the order in which the reference shows them. */
const tags = {
  Account: 'Register, log in, stay logged in; who you are.',
  'Send money': 'From person to person.',
  'Money requests': 'Ask somebody for money; pay or decline.',
  Wallets: 'One a currency.',
  Transactions: 'What happened, to look up, to export, to print.',
  'Payment gateway': 'For shops: take payments through the hosted checkout.',
  Merchant: 'For shops: profile, credentials, payments, notifications.',
  Operator: 'For those who run the service.',
  Health: 'Is the service there, and can it work?',
}

const securitySchemes = (prefix: string) => ({
  user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a person who has logged in.',
  } as const,
  operator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of an operator. Operators are made by a command on the server.',
  } as const,
  merchantKey: keyIn(
    `X-${prefix}-Key`,
    'The API key of a merchant. Its mode decides between live and sandbox.',
  ),
  merchantId: keyIn(
    `${prefix}-Merchant-Key`,
    'The Merchant ID. The old name X-Merchant-Key is still taken, and deprecated from 2026-07-01 on.',
  ),
  apiKey: keyIn(
    `${prefix}-API-Key`,
    'The API key of the same merchant. The old name X-API-Key is still taken, and deprecated from 2026-07-01 on.',
  ),
})

const keyIn = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const

const header = (description: string, schema: object) => ({ description, schema })
const whole = { type: 'integer', minimum: 0 }

const headers = {
  'X-Request-Id': header('Names this request. Tell it to us when something looks wrong.', { type: 'string' }),
  'RateLimit-Limit': header('How many requests the window allows.', whole),
  'RateLimit-Remaining': header('How many of them are left.', whole),
  'RateLimit-Reset': header('In how many seconds the next window begins.', whole),
  'Retry-After': header('After how many seconds to try again.', { ...whole, minimum: 1 }),
  'Idempotency-Replayed': header(
    'With the answer that an earlier request with the same `Idempotency-Key` got: nothing has happened now.',
    { type: 'string', enum: ['true'] },
  ),
}

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>

/** What no route has to say of its answers, and what a schema has no word for. */
function completed(document: Document): Document {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations as Record<string, Operation>)) {
      const { responses, requestBody } = operation
      for (const [status, response] of Object.entries(responses))
        response.headers = headersOf(operation, status)
      if (operation[bodyOptional] && requestBody !== undefined) requestBody.required = false
      delete operation[bodyOptional]
    }
  }
  return document
}

interface Operation {
  parameters?: { name: string }[]
  requestBody?: { required?: boolean }
  responses: Record<string, { headers?: object }>
  [bodyOptional]?: boolean
}

/** Every answer carries them, but `Retry-After` only those that mean "later", `Idempotency-Replayed` those to a key. */
function headersOf({ parameters = [] }: Operation, status: string) {
  const takesKey = parameters.some(({ name }) => name === 'idempotency-key')
  const isCarried = (name: string) => {
    if (name === 'Retry-After') return status === '429' || status === '503'
    return name !== 'Idempotency-Replayed' || (takesKey && status.startsWith('2'))
  }
  const names = Object.keys(headers).filter(isCarried)
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
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

interface DescribedRoute {
  method: string | string[]
  route: FastifySchema
  authenticated: boolean
  refusals?: Record<number, string> | undefined
}

/** Every route can be refused in these ways; the route itself only says how it succeeds. */
export function errorResponses({ method, route, authenticated, refusals = {} }: DescribedRoute) {
  // A body is read with each of them, also where none is asked for.
  const readsBody = !['GET', 'HEAD'].includes(String(method))
  const takesInput = route.body !== undefined || route.querystring !== undefined
  // Something that is there already may be in a state that forbids what is asked.
  const changesState = readsBody && route.params !== undefined
  return {
    ...Object.fromEntries(Object.entries(refusals).map(([status, words]) => [status, documented(words)])),
    400: documented('The request could not be read.'),
    ...(readsBody
      ? { 413: documented('The body is too large.'), 415: documented('The body is not application/json.') }
      : {}),
    ...(authenticated ? { 401: documented('No or bad credential.'), 403: documented('Not allowed.') } : {}),
    ...(route.params === undefined ? {} : { 404: documented('No such resource.') }),
    ...(takesInput ? { 422: documented('Some fields need another value.') } : {}),
    ...(changesState && !takesInput ? { 422: documented('The present state forbids it.') } : {}),
    429: documented('Too many requests.'),
    500: documented('A bug on our side.'),
    503: documented('Not available just now; nothing was half done.'),
  }
}
