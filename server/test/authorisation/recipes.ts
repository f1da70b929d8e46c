// How each route is called in the matrix of who may do what: what its path names, and a body that is good as far as the
// schema goes, so that what decides is who is calling. A new route gets a line here and its lines in table.txt.
import assert from 'node:assert/strict'
import { application, newBusiness, theOperator } from '../businesses.ts'
import type { TestApp } from '../helpers.ts'
import { register, type TestPerson, testPassword } from '../people.ts'
import { matchedDay, unmatchedMoney, waitingOrder } from '../stuck-orders.ts'
import { campaignRecipes } from './campaigns.ts'
import { groupRecipes } from './group-recipes.ts'
import { pageRecipes } from './page-recipes.ts'
import type { Caller, World } from './stage.ts'

type Params = Record<string, string>

export interface Recipe {
  /** Makes what the path names, or finds it, in the world that it is to belong to. Absent: the path names nothing. */
  object?: (place: Place) => Promise<Params> | Params
  /** Well formed, and of nothing. */
  missing?: Params
  /** Everybody may see everybody's: what is foreign is not hidden. */
  shared?: true
  /** Has modes: a key of the other mode must not see it. */
  modes?: true
  query?: string
  body?: (self: World) => object | string
  /** Afterwards the login is no good any more. */
  spoils?: true
}

export interface Place {
  server: TestApp
  world: World
  caller: Caller
  mode: 'live' | 'test'
}

const nobody = (kind: string) => `${kind}_${'0'.repeat(22)}`
const noReference = 'PY-00000-00000-000'
const password = testPassword

let made = 0
const next = () => {
  made += 1
  return String(made)
}

/** Only an operator gets as far as changing it: for all others one will do. */
const ifOperator = async ({ server, caller, world }: Place, make: (server: TestApp) => Promise<number>) => ({
  merchant_id: String(caller === 'operator' ? await make(server) : world.business.id),
})

const ended = async (server: TestApp, verb: 'suspend'): Promise<number> => {
  const { id } = await newBusiness(server)
  const operator = await theOperator(server)
  const reply = await operator.call('POST', `/api/operator/merchants/${id}/${verb}`, {
    reason: 'For the test',
  })
  assert.equal(reply.status, 200, reply.text)
  return id
}

const someone = async (server: TestApp, { frozen }: { frozen: boolean }): Promise<TestPerson> => {
  const person = await register(server)
  const operator = await theOperator(server)
  if (frozen)
    await operator.call('POST', `/api/operator/users/${person.id}/freeze`, { reason: 'For the test' })
  return person
}

/** Asked for by somebody else, to be paid by the person of this world. */
const askedOf = async ({ server, world }: Place) => {
  const asker = await register(server)
  const body = { from: world.person.handle, amount: 700, currency: 'UGX' }
  const reply = await asker.call('POST', '/api/requests', body)
  // Nobody asks who is frozen.
  const id = reply.status === 201 ? reply.body.data.id : world.askedOf.pop()
  assert.ok(id, reply.text)
  return { id: id as string }
}

/** Asked for by the person of this world. */
const askedBy = async ({ server, world }: Place) => {
  const { person } = world
  const payer = await register(server)
  const reply = await person.call('POST', '/api/requests', {
    from: payer.handle,
    amount: 700,
    currency: 'UGX',
  })
  const id = reply.status === 201 ? reply.body.data.id : world.askedBy.pop()
  assert.ok(id, reply.text)
  return { id: id as string }
}

const payments = new WeakMap<World, Record<string, string>>()

/** One a business and mode: it stays pending. */
async function pending({ server, world, mode }: Place): Promise<string> {
  const known = payments.get(world) ?? {}
  payments.set(world, known)
  const { business } = world
  known[mode] ??= (
    await server.payments.ask({
      merchant: business.id,
      merchantName: 'Duka',
      mode,
      source: 'pay',
      refTrx: null,
      amount: { minor: 5_000n, currency: 'UGX' },
      description: null,
      notifyUrl: 'https://duka.example/cb',
      successRedirect: null,
      failureUrl: null,
      cancelRedirect: null,
      key: undefined,
    })
  ).payment.reference
  return known[mode] ?? ''
}

async function notified(place: Place): Promise<Params> {
  const reference = await pending(place)
  const row = await place.server.db.row<{ id: string }>(
    'select id from notifications.events where subject = $1',
    [reference],
  )
  assert.ok(row)
  return { id: row.id }
}

const paid = {
  object: async (place: Place) => ({ reference: await pending(place) }),
  missing: { reference: noReference },
}

const tokenOf = async (place: Place): Promise<Params> => {
  const { payments: room } = place.server
  const { business } = place.world
  const found = await room.find({ merchant: business.id, mode: place.mode, text: await pending(place) })
  assert.ok(found)
  return { token: new URL(room.urlOf(found)).searchParams.get('token') ?? '' }
}
const visit = {
  object: tokenOf,
  missing: { token: 'A'.repeat(43) },
  shared: true,
  query: 'token=:token',
} as const
const form = (fields: Record<string, string>) => () => new URLSearchParams(fields).toString()

const reason = 'For the test'
const gone = { merchant_id: '99999999' }

const kept = new Map<(server: TestApp) => Promise<string>, string>()

/** Only an operator gets as far as changing it: for all others one will do. */
async function anewForOperators(
  { server, caller }: Place,
  make: (server: TestApp) => Promise<string>,
): Promise<string> {
  const known = caller === 'operator' ? undefined : kept.get(make)
  const id = known ?? (await make(server))
  kept.set(make, id)
  return id
}

const ofBusiness: Recipe = {
  object: ({ world }) => ({ merchant_id: String(world.business.id) }),
  missing: gone,
  shared: true,
}
const ofOrders: Recipe = {
  object: async (place) => ({ id: await anewForOperators(place, waitingOrder) }),
  missing: { id: '00000000-0000-4000-8000-000000000000' },
  shared: true,
}
const ofMoney: Recipe = {
  object: async (place) => ({ id: await anewForOperators(place, unmatchedMoney) }),
  missing: { id: nobody('unm') },
  shared: true,
}

export const recipes: Record<string, Recipe> = {
  'GET /health': {},
  'GET /api/health': {},
  'GET /openapi.json': {},

  'POST /api/auth/register': {
    body: () => ({ name: 'New One', handle: `new_${next()}`, email: `new${next()}@example.test`, password }),
  },
  'POST /api/auth/login': { body: ({ person }) => ({ handle: person.handle, password }) },
  'POST /api/auth/refresh': { body: () => ({}), spoils: true },
  // Of somebody else each time: a name is asked for a few times only.
  'POST /api/auth/password/forgot': { body: () => ({ handle: `nobody_${next()}` }) },
  'POST /api/auth/password/reset': {
    body: () => ({ handle: `nobody_${next()}`, code: 'AAAA-AAAA', new_password: password }),
  },
  'POST /api/auth/logout': { spoils: true },
  'GET /api/auth/sessions': {},
  'DELETE /api/auth/sessions/:id': {
    object: async ({ server, world: { person } }) => {
      const body = { handle: person.handle, password }
      server.clock.advance(1)
      await server.app.inject({ method: 'POST', url: '/api/auth/login', payload: body })
      const row = await server.db.row<{ id: string }>(
        'select id from users.sessions where user_id = $1 and ended_at is null order by created_at desc, id limit 1',
        [person.id],
      )
      return { id: row?.id ?? '' }
    },
    missing: { id: nobody('ses') },
    spoils: true,
  },
  'GET /api/me': {},
  'PATCH /api/me': { body: () => ({ locale: 'en' }) },
  'PUT /api/me/pin': { body: ({ person }) => ({ pin: person.pin, password }), spoils: true },
  'PUT /api/me/password': { body: () => ({ password, new_password: password }), spoils: true },
  'PUT /api/me/email': { body: () => ({ email: `changed${next()}@example.test`, password }), spoils: true },
  'PUT /api/me/phone': {
    body: () => ({ phone: `+25670000${1_000 + Number(next())}`, password }),
    spoils: true,
  },
  'POST /api/auth/email/confirm': { body: () => ({ code: 'AAAA-AAAA' }) },
  'POST /api/auth/email/resend': {},

  'GET /api/wallets': {},
  'POST /api/wallets': { body: () => ({ currency: 'UGX' }) },
  'GET /api/transactions': {},
  'GET /api/transactions.csv': {},
  'GET /api/transactions/:reference': {
    object: ({ world }) => ({ reference: world.transfer }),
    missing: { reference: 'TR-00000-00000-000' },
  },
  'GET /api/transactions/:reference/receipt': {
    object: ({ world }) => ({ reference: world.transfer }),
    missing: { reference: 'TR-00000-00000-000' },
  },
  'POST /api/send/preview': { body: () => ({ recipient: 'friend', amount: 1_000, currency: 'UGX' }) },
  'POST /api/send': {
    body: ({ person }) => ({ recipient: 'friend', amount: 1_000, currency: 'UGX', pin: person.pin }),
  },
  'GET /api/users/:handle': {
    object: ({ world }) => ({ handle: world.person.handle }),
    missing: { handle: 'nobody_at_all' },
    shared: true,
  },
  'GET /api/recipients': {},
  ...campaignRecipes.people,
  'POST /api/requests': { body: () => ({ from: 'friend', amount: 700, currency: 'UGX' }) },
  'GET /api/requests': {},
  'GET /api/requests/:id': { object: askedOf, missing: { id: nobody('mrq') } },
  'POST /api/requests/:id/pay': {
    object: askedOf,
    missing: { id: nobody('mrq') },
    body: ({ person }) => ({ pin: person.pin }),
  },
  'POST /api/requests/:id/decline': { object: askedOf, missing: { id: nobody('mrq') } },
  'POST /api/requests/:id/cancel': { object: askedBy, missing: { id: nobody('mrq') } },

  'GET /api/methods': { query: 'currency=UGX&purpose=deposit' },
  'POST /api/deposit/initiate': {
    body: () => ({ amount: 1_000, currency: 'UGX', method: 'mtn', phone: '+256772345567' }),
  },
  'POST /api/withdraw/preview': {
    body: () => ({ amount: 1_000, currency: 'UGX', method: 'mtn', phone: '+256772345567' }),
  },
  'POST /api/withdraw': {
    body: ({ person }) => ({
      amount: 1_000,
      currency: 'UGX',
      method: 'mtn',
      phone: '+256772345567',
      pin: person.pin,
    }),
  },

  ...groupRecipes,

  'POST /api/merchant/register': { body: () => application },
  'GET /api/merchant': {},
  'PATCH /api/merchant': { body: () => ({}) },
  'POST /api/merchant/credentials/reveal': { body: () => ({ mode: 'test', password }) },
  'POST /api/merchant/rotate-key': {
    body: () => ({ mode: 'test', what: 'client_secret', grace_hours: 0, password }),
  },
  'GET /api/merchant/notifications': {},
  'GET /api/merchant/notifications/:id': { object: notified, missing: { id: nobody('msg') }, modes: true },
  'POST /api/merchant/notifications/:id/replay': { object: notified, missing: { id: nobody('msg') } },
  'POST /api/merchant/notifications/replay': {
    body: () => ({ from: '2026-03-14T00:00:00Z', to: '2026-03-15T00:00:00Z' }),
  },
  'GET /api/merchant/events': {},
  'GET /api/merchant/endpoints': {},
  'POST /api/merchant/endpoints/resume': { body: () => ({ mode: 'live', origin: 'https://duka.example' }) },
  'POST /api/merchant/test-notification': { body: () => ({ url: 'https://duka.example/cb' }) },
  'GET /api/merchant/balances': {},
  'POST /api/merchant/payout': { body: ({ person }) => ({ amount: 1, currency: 'UGX', pin: person.pin }) },
  'GET /api/merchant/volume': { query: 'currency=UGX' },
  'GET /api/merchant/payments': {},
  'GET /api/merchant/payments/:reference': { ...paid, modes: true },
  'POST /api/merchant/payments/:reference/refund': { ...paid, modes: true, body: () => ({}) },

  'POST /api/v1/initiate-payment': {
    body: () => ({ payment_amount: 5_000, currency_code: 'UGX', ref_trx: `order-${next()}` }),
  },
  'GET /api/v1/verify-payment/:ref': {
    object: async (place) => ({ ref: await pending(place) }),
    missing: { ref: noReference },
    modes: true,
  },
  'POST /api/pay': { body: () => ({ amount: 5_000, currency: 'UGX' }) },
  'GET /api/pay/:reference': { ...paid, modes: true },

  'POST /api/operator/second-factor': { body: () => ({ code: '000000' }) },
  ...campaignRecipes.operators,
  'GET /api/operator/applications': {},
  'POST /api/operator/applications/:merchant_id/approve': {
    object: (place) =>
      ifOperator(place, async (server) => (await newBusiness(server, { approved: false })).id),
    missing: gone,
    shared: true,
  },
  'POST /api/operator/applications/:merchant_id/reject': {
    object: (place) =>
      ifOperator(place, async (server) => (await newBusiness(server, { approved: false })).id),
    missing: gone,
    shared: true,
    body: () => ({ reason }),
  },
  'GET /api/operator/merchants': {},
  'GET /api/operator/merchants/:merchant_id': {
    object: ({ world }) => ({ merchant_id: String(world.business.id) }),
    missing: gone,
    shared: true,
  },
  'POST /api/operator/merchants/:merchant_id/suspend': {
    object: (place) => ifOperator(place, async (server) => (await newBusiness(server)).id),
    missing: gone,
    shared: true,
    body: () => ({ reason }),
  },
  'POST /api/operator/merchants/:merchant_id/unsuspend': {
    object: (place) => ifOperator(place, (server) => ended(server, 'suspend')),
    missing: gone,
    shared: true,
  },
  'GET /api/operator/users': { query: 'q=nobody_at_all' },
  'GET /api/operator/users/:id': {
    object: ({ world }) => ({ id: world.person.id }),
    missing: { id: nobody('usr') },
    shared: true,
  },
  'POST /api/operator/users/:id/freeze': {
    object: async ({ server }) => ({ id: (await someone(server, { frozen: false })).id }),
    missing: { id: nobody('usr') },
    shared: true,
    body: () => ({ reason }),
  },
  'POST /api/operator/users/:id/unfreeze': {
    object: async ({ server }) => ({ id: (await someone(server, { frozen: true })).id }),
    missing: { id: nobody('usr') },
    shared: true,
  },
  'GET /api/operator/mails': {},
  'GET /api/operator/mails/:id': {
    object: async ({ server }) => {
      const row = await server.db.row<{ id: string }>('select id from mail.messages order by number limit 1')
      return { id: row?.id ?? '' }
    },
    missing: { id: nobody('mai') },
    shared: true,
  },
  'GET /api/operator/audit': {},
  'GET /api/operator/ledger': {},
  'POST /api/operator/ledger/check': {},
  'GET /api/operator/operations': {},
  'GET /api/operator/operations/:id': ofOrders,
  'POST /api/operator/operations/:id/ask': ofOrders,
  'POST /api/operator/operations/:id/resolve': {
    ...ofOrders,
    object: async (place) => ({ id: await anewForOperators(place, waitingOrder) }),
    body: () => ({ outcome: 'failed', reason }),
  },
  'POST /api/operator/operations/:id/dismiss': { ...ofOrders, body: () => ({ reason }) },
  'GET /api/operator/unmatched': {},
  'GET /api/operator/unmatched/:id': ofMoney,
  'POST /api/operator/unmatched/:id/match': {
    ...ofMoney,
    body: ({ friend }) => ({ user_id: friend, reason }),
  },
  'POST /api/operator/unmatched/:id/return': { ...ofMoney, body: () => ({ reason }) },
  'GET /api/operator/matches': {},
  'GET /api/operator/matches/:id': {
    object: async (place) => ({ id: await anewForOperators(place, matchedDay) }),
    missing: { id: nobody('mat') },
    shared: true,
  },
  'POST /api/operator/matches': { body: () => ({ day: '2026-03-14' }) },
  'GET /api/operator/system': {},
  'GET /api/operator/endpoints': {},
  'GET /api/operator/merchants/:merchant_id/payments': ofBusiness,
  'GET /api/operator/merchants/:merchant_id/notifications': ofBusiness,
  'GET /api/operator/payments/:reference': { ...paid, shared: true },
  'GET /api/operator/notifications/:id': { object: notified, missing: { id: nobody('msg') }, shared: true },
  'POST /api/operator/notifications/:id/replay': {
    object: notified,
    missing: { id: nobody('msg') },
    shared: true,
  },
  'GET /api/operator/users/:id/transactions': {
    object: ({ world }) => ({ id: world.person.id }),
    missing: { id: nobody('usr') },
    shared: true,
  },

  ...campaignRecipes.pages,

  'GET /checkout': visit,
  'GET /checkout/state': visit,
  'GET /checkout/return': visit,
  'GET /checkout/back': {},
  'POST /checkout/login': { ...visit, body: form({ name: 'x', password: 'y', proof: 'z' }) },
  'POST /checkout/pay': { ...visit, body: form({ pin: '1', proof: 'z' }) },
  'POST /checkout/start': { ...visit, body: form({ method: 'mobile', phone: '1', proof: 'z' }) },
  'POST /checkout/logout': { ...visit, body: form({ proof: 'z' }) },
  'POST /checkout/cancel': { ...visit, body: form({ proof: 'z' }) },

  // Known to a provider only, or signed by it: who else is calling makes no difference.
  'POST /hooks/p/:token': {},
  'PUT /hooks/p/:token': {},
  'POST /hooks/:provider/:mode': {},

  ...pageRecipes,
}
