// What pages take. They are not part of the API, so no schema of theirs says it: it is written down here, for the fuzzer.
import type { JsonSchema, Route, RouteSchema } from '../route-table.ts'
import { nameOf } from '../route-table.ts'

const text = (...examples: string[]): JsonSchema => ({
  type: 'string',
  ...(examples.length > 0 ? { examples } : {}),
})
const fields = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const form = 'application/x-www-form-urlencoded'
/** The link of a payment, and the cookie that comes with a login there. */
const visit = { querystring: fields({ token: text() }), security: [{ visit: [] }] }
const visited = (properties: Record<string, JsonSchema>) => ({
  ...visit,
  consumes: [form],
  body: fields(properties),
})

const campaign = { params: fields({ id: text() }) }

/** What a provider sends: each has its own form, and any body is taken. */
const called = {
  body: fields({ event: text('charge.success'), data: fields({ reference: text() }), Body: fields({}) }),
}

const pages: Record<string, RouteSchema> = {
  'GET /checkout': {
    ...visit,
    querystring: {
      ...visit.querystring,
      properties: {
        ...visit.querystring.properties,
        step: text('confirm', 'login', 'mobile', 'paystack', 'card', 'other'),
        lang: text('sw', 'fr', 'en'),
      },
    },
  },
  'GET /checkout/state': visit,
  'GET /checkout/return': visit,
  'GET /checkout/back': { querystring: fields({ to: text() }) },
  'POST /checkout/login': visited({ name: text(), password: text(), proof: text() }),
  'POST /checkout/pay': visited({ pin: text(), proof: text() }),
  'POST /checkout/start': visited({
    method: text(),
    phone: text(),
    network: text(),
    email: text(),
    outcome: text(),
    proof: text(),
  }),
  'POST /checkout/logout': visited({ proof: text() }),
  'POST /checkout/cancel': visited({ proof: text() }),
  'GET /c/:id': {
    ...campaign,
    querystring: fields({ lang: text('sw', 'fr'), news: text('1', '2'), given: text('1', '2') }),
  },
  'GET /c/:id/share.png': campaign,
  'POST /c/:id/contribute': {
    ...campaign,
    consumes: [form],
    body: fields({
      amount: text('10000', '1,250.50'),
      name: text('Grace'),
      message: text('Courage'),
      anonymous: text('yes'),
    }),
  },
  'POST /hooks/p/:token': called,
  'PUT /hooks/p/:token': called,
  'POST /hooks/:provider/:mode': called,
}

/** Where a credential may be sent, though none is asked for. */
const welcome: Record<string, RouteSchema> = { 'POST /api/auth/refresh': { security: [{ user: [] }] } }

/** With what it takes, when that is known from here only. */
export const described = (route: Route): Route => {
  const known = pages[nameOf(route)] ?? welcome[nameOf(route)]
  return known === undefined ? route : { ...route, schema: { ...route.schema, ...known } }
}

/** All of them, for who can't see the routes of the app. */
export const pageRoutes = (): Route[] =>
  Object.entries(pages).map(([name, schema]) => {
    const [method = '', path = ''] = name.split(' ')
    return { method, path, schema: { ...schema, hide: true } }
  })

/** A page that takes a form, of which nothing is written down here. */
export const isUnknownForm = (route: Route): boolean =>
  route.schema?.hide === true && route.method !== 'GET' && pages[nameOf(route)] === undefined
