// Who calls. Each route is tried by a person of its own, who has money, a PIN, a business where one is needed, and things
// to be found: so that a request that is meant to be good is, and what one route spoils (a session, a PIN) is not missing
// at another. When it is spoilt for that route itself, the next person takes over.
import { encodeCursor } from '../../src/http/cursor.ts'
import type { TestApp } from '../helpers.ts'
import { call, fund, register, type TestPerson } from '../people.ts'
import { nameOf, type Route } from '../route-table.ts'
import type { Known } from './from-schema.ts'
import type { As } from './inputs.ts'
import { texts } from './nasties.ts'

export interface Stage {
  server: TestApp
  routes: readonly Route[]
  /** Gets money from everybody, asks everybody for money. */
  juma: TestPerson
  /** Of a session that has ended. */
  ended: string
  /** Must not be in the log. */
  secrets: Set<string>
}

export interface Caller {
  known: Known
  headersOf(as: As, scheme: number): Record<string, string>
  /** What an answer has shown; takes the next person when this one can't go on. */
  note(outcome: Outcome): Promise<void>
}

interface Outcome {
  as: As
  status: number
  body: { code?: string } | undefined
}

/** Somebody, and what answers have shown them, by the name of the field. */
interface Actor {
  person: TestPerson
  business: { id: string; key: string } | undefined
  seen: Map<string, string[]>
}

/** How a credential is sent, by the name of its security scheme in the OpenAPI document. */
const credentials: Record<string, (actor: Actor) => Record<string, string>> = {
  user: ({ person }) => ({ authorization: `Bearer ${person.token}` }),
  merchantKey: ({ business }) => ({ 'x-svc-key': business?.key ?? '' }),
  merchantId: ({ business }) => ({ 'svc-merchant-key': business?.id ?? '' }),
  apiKey: ({ business }) => ({ 'svc-api-key': business?.key ?? '' }),
}
export const knownSchemes = Object.keys(credentials)

const peopleMax = 25
const seenMax = 30

export async function openStage(server: TestApp, routes: readonly Route[]): Promise<Stage> {
  const juma = await register(server, { handle: 'juma', name: 'Juma Otieno' })
  await fund(server, juma, { amount: '20000000' })
  const gone = await register(server)
  await gone.call('POST', '/api/auth/logout')
  return {
    server,
    routes,
    juma,
    ended: gone.token,
    secrets: new Set([juma.token, gone.token, juma.password]),
  }
}

export async function openCaller(stage: Stage, route: Route): Promise<Caller> {
  let actor = await newActor(stage, route)
  let people = 1
  return {
    known: (name) => [...(ownWords(actor.person)[name] ?? []), ...(actor.seen.get(name) ?? [])],
    headersOf: (as, scheme) => headersOf({ stage, route, actor }, { as, scheme }),
    note: async ({ as, status, body }) => {
      if (status < 300) learn(actor.seen, body)
      const codes = ['pin_locked', 'pin_not_set', 'rate_limited', 'invalid_state']
      const spoilt = status === 401 || codes.includes(body?.code ?? '')
      if (as !== 'caller' || !spoilt || people >= peopleMax) return
      people += 1
      actor = await newActor(stage, route)
    },
  }
}

interface Sender {
  stage: Stage
  route: Route
  actor: Actor
}

function headersOf({ stage, route, actor }: Sender, { as, scheme }: { as: As; scheme: number }) {
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
  switch (as) {
    case 'nobody':
      return {}
    case 'caller': {
      const ways = route.schema?.security ?? [{ user: [] }]
      const names = Object.keys(ways[scheme % ways.length] ?? {})
      return Object.assign({}, ...names.map((name) => credentials[name]?.(actor))) as Record<string, string>
    }
    case 'other':
      return bearer(stage.juma.token)
    case 'ended':
      return bearer(stage.ended)
    case 'tampered':
      return bearer(actor.person.token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')))
    default:
      return as
  }
}

async function newActor(stage: Stage, route: Route): Promise<Actor> {
  const { server } = stage
  const person = await register(server)
  stage.secrets.add(person.token)
  const actor: Actor = { person, business: undefined, seen: new Map() }
  if (route.schema?.security === undefined) return actor
  await fund(server, person, { amount: '900000' })
  await fund(server, person, { amount: '400', currency: 'USD' })
  for (const [paths, prepare] of preparations)
    if (paths.test(route.path)) await prepare(stage, { actor, route })
  return actor
}

type Prepare = (stage: Stage, needed: { actor: Actor; route: Route }) => Promise<void>

/** What must be there already, by the paths of the routes that need it. */
const preparations: readonly (readonly [paths: RegExp, prepare: Prepare])[] = [
  [/transactions|recipients/, sendSome],
  [/requests/, askSome],
  [/sessions/, logInAgain],
  [/^\/api\/merchant(?!\/register)|^\/api\/pay|^\/api\/v1/, registerBusiness],
  [/payment|^\/api\/pay/, startPayment],
]

async function sendSome({ juma }: Stage, { actor: { person, seen } }: { actor: Actor }): Promise<void> {
  const note = '"><img src=x onerror=alert(1)>'
  for (const amount of [500, '777', 1_000]) {
    const order = { recipient: juma.handle, amount, currency: 'UGX', note, pin: person.pin }
    learn(seen, (await person.call('POST', '/api/send', order)).body)
  }
}

async function askSome({ juma }: Stage, { actor: { person, seen }, route }: { actor: Actor; route: Route }) {
  const order = { amount: 700, currency: 'UGX', note: '=1+1' }
  for (let asked = 0; asked < 6; asked++) {
    // Only who is asked can pay or decline, only who has asked can take it back.
    if (!route.path.endsWith('/cancel'))
      learn(seen, (await juma.call('POST', '/api/requests', { ...order, from: person.handle })).body)
    if (!/pay|decline/.test(route.path))
      learn(seen, (await person.call('POST', '/api/requests', { ...order, from: juma.handle })).body)
  }
}

async function logInAgain({ server }: Stage, { actor: { person, seen } }: { actor: Actor }): Promise<void> {
  const body = { handle: person.handle, password: person.password }
  for (let logins = 0; logins < 3; logins++)
    await call(server, { method: 'POST', url: '/api/auth/login', body })
  learn(seen, (await person.call('GET', '/api/auth/sessions')).body)
}

async function registerBusiness({ secrets }: Stage, { actor }: { actor: Actor }): Promise<void> {
  const application = { business_name: 'Duka', category: 'Groceries', website_url: 'https://duka.example' }
  const { body } = await actor.person.call('POST', '/api/merchant/register', application)
  const { api_key: key, client_secret: secret } = body.data.credentials.test
  actor.business = { id: String(body.data.merchant_id), key }
  secrets.add(key).add(secret)
}

async function startPayment({ server, routes }: Stage, { actor }: { actor: Actor }): Promise<void> {
  if (!routes.some((route) => nameOf(route) === 'POST /api/pay')) return
  const headers = { 'x-svc-key': actor.business?.key ?? '' }
  for (const amount of [5_000, 7_000]) {
    const body = { amount, currency: 'UGX', description: '"><img src=x onerror=alert(1)>' }
    learn(actor.seen, (await call(server, { method: 'POST', url: '/api/pay', body, headers })).body)
  }
  for (const name of ['ref', 'ref_trx']) actor.seen.set(name, actor.seen.get('reference') ?? [])
}

let fresh = 0

/** What this person would send. */
function ownWords({ handle, password, pin, token }: TestPerson): Record<string, readonly unknown[]> {
  fresh += 1
  return {
    recipient: ['juma', '@Juma', 'juma', handle, 'nobody_at_all'],
    from: ['juma', '@JUMA', '2026-03-01', '2026-03-14T08:00:00Z'],
    to: ['2026-03-31'],
    handle: [handle, 'juma', '@Juma', `fresh_${fresh}`, `fresh_${fresh}`],
    email: [`${handle}@example.test`, `fresh${fresh}@example.test`, `fresh${fresh}@example.test`],
    phone: ['+256700000001', `+2567${String(fresh).padStart(8, '0')}`],
    password: [password, password, password, 'not the password'],
    new_password: [password],
    pin: [...Array.from({ length: 9 }, () => pin), '9075'],
    currency: ['UGX', 'UGX', 'UGX', 'USD', 'KES'],
    country: ['UG', 'KE', 'US'],
    amount: [500, 1_000, 777, 600, '1500', '5.25', 5_000_000, 20_000_000],
    token: [token],
    cursor: cursors,
  }
}

/** The right form, with anything inside. */
const short = texts.filter((text) => text.length < 60)
const cursors = [
  ...short.map((text) => encodeCursor([text])),
  ...short.map((text) => encodeCursor([text, 'a'])),
  ...short.map((text) => encodeCursor(['2026-03-14T09:00:00.000Z', text])),
  encodeCursor(['2026-03-14T09:00:00.000Z', '1']),
  encodeCursor(['2026-03-14T09:00:00.000Z', `mrq_${'0'.repeat(22)}`]),
  encodeCursor([]),
  encodeCursor(['1', '2', '3']),
]

/** Remembers the texts of an answer, so that later requests can speak of what exists. */
function learn(seen: Map<string, string[]>, body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'object') learn(seen, value)
    if (typeof value !== 'string' || value.length > 512) continue
    const field = name === 'next_cursor' ? 'cursor' : name
    const values = seen.get(field) ?? []
    if (!values.includes(value)) seen.set(field, [...values, value].slice(-seenMax))
  }
}
