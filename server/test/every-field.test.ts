// Every 422 names every wrong field at once: those of the body and of the query, the cursor of a list, and the key that a
// request may be repeated with. On every route of the app, so that a new one can't be forgotten.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { encodeCursor } from '../src/http/cursor.ts'
import { newBusiness, newOperator } from './businesses.ts'
import { testApp } from './helpers.ts'
import { seed } from './ledger-orders.ts'
import { call, register } from './people.ts'
import { type JsonSchema, nameOf, type Route, routeTable } from './route-table.ts'

const table = routeTable()
const server = await testApp({ watch: table.watch })
const person = await register(server)
const operator = await newOperator(server)
const business = await newBusiness(server)

const credentials: Record<string, Record<string, string>> = {
  user: { authorization: `Bearer ${person.token}` },
  operator: { authorization: `Bearer ${operator.token}` },
  merchantKey: { 'x-svc-key': business.testKey },
  merchantId: { 'svc-merchant-key': String(business.id) },
  apiKey: { 'svc-api-key': business.testKey },
}

const headersOf = ({ schema }: Route): Record<string, string> =>
  Object.assign({}, ...Object.keys(schema?.security?.[0] ?? {}).map((name) => credentials[name]))

/** Of the right form. */
function pathOf({ path, schema }: Route): string {
  const textOf = ({ pattern, type }: JsonSchema = {}) => {
    if (pattern === undefined) return type === 'integer' ? '1' : 'somebody'
    return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed })[0] ?? ''
  }
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => textOf(schema?.params?.properties?.[name]))
}

/** Of a type that the field does not take; in a query everything is text, but a field that comes twice is a list. */
const spoilt = (fields: Record<string, JsonSchema>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => [name, [type].flat().includes('object') ? 7 : {}]),
  )

async function refusedFields(route: Route, sent: { query?: string; body?: object; key?: string }) {
  const { query = '', body, key } = sent
  const reply = await call(server, {
    method: route.method as 'POST',
    url: `${pathOf(route)}${query}`,
    body,
    headers: { ...headersOf(route), ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
  assert.deepEqual([reply.status, reply.body?.code], [422, 'validation_failed'], reply.text)
  return Object.keys(reply.body.errors).sort()
}

const badKey = 'not one word'
const routes = table.routes().filter(({ path, schema }) => path.startsWith('/api/') && schema?.hide !== true)
/** What may be changed depends on whose group it is, so that is looked at first. */
const knowsMore = ['PATCH /api/groups/:id']
const bodyOf = ({ schema }: Route) => schema?.body?.properties ?? {}
const takesKey = ({ schema }: Route) => schema?.headers?.properties?.['idempotency-key'] !== undefined

describe('every field of the body', () => {
  const some = routes.filter((route) => Object.keys(bodyOf(route)).length > 0)
  for (const route of some.filter((one) => !knowsMore.includes(nameOf(one))))
    test(`${nameOf(route)}${takesKey(route) ? ', and the key' : ''}`, async () => {
      const wanted = [...Object.keys(bodyOf(route)), ...(takesKey(route) ? ['Idempotency-Key'] : [])]
      const sent = { body: spoilt(bodyOf(route)), ...(takesKey(route) ? { key: badKey } : {}) }
      assert.deepEqual(await refusedFields(route, sent), wanted.sort())
    })
  assert.ok(some.length > 40 && some.filter(takesKey).length > 10, 'there are many')
})

test('campaigns in an order that there is not: a cursor of another one is not wrong for that', async () => {
  const place = ['2026-03-14T09:00:00.000Z', `cmp_${'0'.repeat(22)}`]
  for (const [key, sort, fields] of [
    [['newest', ...place], 'newest', ['limit']],
    [['newest', ...place], 'ending', ['cursor', 'limit']],
    [['newest', ...place], 'loudest', ['limit', 'sort']],
    [['loudest', ...place], 'loudest', ['cursor', 'limit', 'sort']],
  ] as const) {
    const url = `/api/campaigns/browse?limit=0&sort=${sort}&cursor=${encodeCursor(key)}`
    const { body } = await person.call('GET', url)
    assert.deepEqual(Object.keys(body.errors).sort(), fields, `${key[0]} in ${sort}`)
  }
})

describe('the cursor of a list, and its other fields', () => {
  const lists = routes.filter(({ schema }) => schema?.querystring?.properties?.cursor !== undefined)
  for (const route of lists)
    test(nameOf(route), async () => {
      const others = Object.keys(route.schema?.querystring?.properties ?? {}).filter(
        (name) => name !== 'cursor',
      )
      const query = `?cursor=x&${others.map((name) => `${name}=0&${name}=0`).join('&')}`
      assert.deepEqual(await refusedFields(route, { query }), [...others, 'cursor'].sort())
      assert.deepEqual(await refusedFields(route, { query: '?cursor=x&limit=0' }), ['cursor', 'limit'])
    })
  assert.ok(lists.length > 20, 'there are many')
})
