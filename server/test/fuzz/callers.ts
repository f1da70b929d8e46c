// Who calls. Each route is tried by a person of its own, for whom everything is there that it needs (actors.ts): so that
// a request that is meant to be good is, and what one route spoils (a session, a PIN) is not missing at another. When it
// is spoilt for that route itself, the next person takes over.
import { encodeCursor } from '../../src/http/cursor.ts'
import { call, type TestPerson } from '../people.ts'
import type { Route } from '../route-table.ts'
import { type Actor, newActor, prepare, takesCode } from './actors.ts'
import type { Known } from './from-schema.ts'
import type { Hands } from './hands.ts'
import type { As } from './inputs.ts'
import { texts } from './nasties.ts'
import { isMeantWell } from './tally.ts'

export interface Stage {
  hands: Hands
  /** Gets money from everybody, asks everybody for money. */
  juma: TestPerson
  /** Somebody else. */
  other: TestPerson
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
  body: { code?: string; errors?: Record<string, string>; data?: { token?: unknown } | null } | undefined
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

/** How a credential is sent, by the name of its security scheme in the OpenAPI document (or in pages.ts). */
const credentials: Record<string, (actor: Actor, scheme: number) => Record<string, string>> = {
  user: ({ person }) => bearer(person.token),
  operator: ({ person }) => bearer(person.token),
  merchantKey: (actor, scheme) => ({ 'x-svc-key': keyOf(actor, scheme) }),
  merchantId: ({ business }) => ({ 'svc-merchant-key': String(business?.id) }),
  apiKey: (actor, scheme) => ({ 'svc-api-key': keyOf(actor, scheme) }),
  visit: ({ cookies }) => ({ cookie: cookies }),
}
export const knownSchemes = Object.keys(credentials)

const keyOf = ({ business }: Actor, scheme: number) =>
  (scheme > 2 ? business?.liveKey : business?.testKey) ?? ''

/** Who can't go on: without a session, with a PIN that is locked, over a limit. */
const spoilt = ['unauthenticated', 'pin_locked', 'pin_not_set', 'rate_limited']
/** To make a group or a checkout ready takes up to twenty requests, more than what is tried with it. */
const refillsMax = 8
const quickToRefill = /^\/api\/(requests\/|auth\/sessions)/

export async function openStage(hands: Hands): Promise<Stage> {
  const juma = await hands.register({ handle: 'juma', name: 'Juma Otieno' })
  await hands.fund(juma, { amount: '20000000' })
  const [other, gone] = [await hands.register(), await hands.register()]
  await gone.call('POST', '/api/auth/logout')
  const secrets = new Set([juma.token, other.token, gone.token, juma.password])
  return { hands, juma, other, ended: gone.token, secrets }
}

/** For each answer that is noted one thing is done at most, so what is tried bounds how often anybody is renewed at all. */
export async function openCaller(
  stage: Stage,
  route: Route,
  { renewedMax = Number.MAX_SAFE_INTEGER } = {},
): Promise<Caller> {
  let actor = await newActor(stage, route)
  let [renewed, refills] = [0, 0]
  /** Who has just logged in again and is refused all the same needs more than that. */
  let isBack = false
  const renew = async (code: string) => {
    renewed += 1
    if (renewed > renewedMax) return
    const again = code === 'unauthenticated' && !isBack ? await backAgain(stage, { route, actor }) : undefined
    isBack = again !== undefined
    actor = again ?? (await newActor(stage, route))
  }
  return {
    known: (name) => [
      ...(actor.words[name] ?? ownWords(actor.person)[name] ?? []),
      ...(actor.seen.get(name) ?? []),
    ],
    headersOf: (as, scheme) => headersOf({ stage, route, actor }, { as, scheme }),
    note: async ({ as, status, body }) => {
      // Who registers needs what nobody has yet.
      if (status < 300 && !route.path.endsWith('/register')) learn(actor.seen, body)
      if (!isMeantWell(route, as)) return
      if (status < 300) isBack = false
      const token = body?.data?.token
      if (takesTokenOver.has(route.path) && typeof token === 'string')
        actor = { ...actor, person: withToken(stage, { person: actor.person, token }) }
      if (isSpent(route, { as, status, body })) return renew(body?.code ?? 'unauthenticated')
      // Nothing is left to do: it is paid, declined or cancelled.
      const isQuick = quickToRefill.test(route.path)
      const isUsedUp =
        body?.code === 'invalid_state' ||
        (status === 303 && route.method === 'POST') ||
        (body?.code === 'not_found' && route.path.includes('/sessions'))
      if (as !== 'caller' || !isUsedUp || (refills >= refillsMax && !isQuick)) return
      refills += 1
      // What is used up is not asked for again; elsewhere old and new belong together.
      if (isQuick) actor.seen.delete('id')
      await prepare(stage, { actor, path: route.path })
    },
  }
}

/** Is there nothing more that this person could do there? */
function isSpent({ method, path }: Route, { as, status, body }: Outcome): boolean {
  const { code = '', errors = {} } = body ?? {}
  const isDone =
    (takesCode.test(path) && (status === 200 || errors.code !== undefined)) ||
    (path === '/api/auth/logout' && status === 200) ||
    (method === 'POST' && path === '/api/wallets' && errors.currency !== undefined) ||
    (method === 'POST' && path === '/api/requests' && code === 'invalid_state')
  // Who sends no credential is refused for what was sent.
  return isDone || (spoilt.includes(code) && !(code === 'unauthenticated' && as === 'nobody'))
}

/** Their answer is the credential of the next request. */
const takesTokenOver = new Set(['/api/auth/refresh'])

/** With the same password, as people do; undefined where that is not enough. */
async function backAgain(stage: Stage, { route, actor }: Omit<Sender, 'stage'>): Promise<Actor | undefined> {
  const { person } = actor
  const isPersons = route.schema?.security?.every((way) => 'user' in way) ?? false
  if (!isPersons) return undefined
  const body = { handle: person.handle, password: person.password }
  const reply = await call(stage.hands, { method: 'POST', url: '/api/auth/login', body })
  if (reply.status !== 200) return undefined
  return { ...actor, person: withToken(stage, { person, token: reply.body.data.token }) }
}

function withToken(
  { hands, secrets }: Stage,
  { person, token }: { person: TestPerson; token: string },
): TestPerson {
  secrets.add(token)
  return {
    ...person,
    token,
    call: (method, url, body, headers = {}) =>
      call(hands, { method, url, body, headers: { ...bearer(token), ...headers } }),
  }
}

interface Sender {
  stage: Stage
  route: Route
  actor: Actor
}

function headersOf({ stage, route, actor }: Sender, { as, scheme }: { as: As; scheme: number }) {
  switch (as) {
    case 'nobody':
      return {}
    case 'caller': {
      const ways = route.schema?.security ?? [{ user: [] }]
      const names = Object.keys(ways[scheme % ways.length] ?? {})
      const sent = names.map((name) => credentials[name]?.(actor, scheme))
      return Object.assign({}, ...sent) as Record<string, string>
    }
    case 'other':
      return bearer(stage.other.token)
    case 'ended':
      return bearer(stage.ended)
    case 'tampered':
      return bearer(actor.person.token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')))
    default:
      return as
  }
}

let fresh = 0

/** What this person would send. */
function ownWords({ handle, password, pin, token }: TestPerson): Record<string, readonly unknown[]> {
  fresh += 1
  return {
    recipient: ['juma', '@Juma', 'juma', handle, 'nobody_at_all'],
    from: ['juma', '@JUMA', '2026-03-01', '2026-03-14T08:00:00Z'],
    to: ['2026-03-31', '2026-03-31T00:00:00Z'],
    handle: [handle, '@Juma', `fresh_${fresh}`, `Fresh_${fresh}a`, `@fresh_${fresh}b`],
    name: ['Amina Nakato', 'Ọlá Adébáyọ̀'],
    email: [`${handle}@example.test`, `fresh${fresh}@example.test`, `fresh${fresh}@example.test`],
    phone: [
      '+256700000001',
      ...['1', '2', '3'].map((digit) => `+25677${digit}${String(fresh).padStart(6, '0')}`),
    ],
    password: [password, password, password, 'not the password'],
    new_password: [password],
    pin: [...Array.from({ length: 9 }, () => pin), '9075'],
    currency: ['UGX', 'UGX', 'UGX', 'USD', 'KES'],
    currency_code: ['UGX', 'UGX', 'KES'],
    country: ['UG', 'KE', 'US'],
    amount: [500, 1_000, 777, 600, '1500', '5.25', 5_000_000, 20_000_000],
    payment_amount: [500, 1_000, '1500', '5.25'],
    ref_trx: [`ORDER-${fresh}`, `ORDER-${fresh}`, 'ORDER-1'],
    token: [token],
    cursor: cursors,
  }
}

/** The right form, with anything inside. */
const short = texts.filter((text) => text.length < 60)
const cursors = [
  ...short.map((text) => encodeCursor([text])),
  ...short.map((text) => encodeCursor([text, 'a'])),
  ...short.map((text) => encodeCursor([text, '1'])),
  ...short.map((text) => encodeCursor(['2026-03-14T09:00:00.000Z', text])),
  encodeCursor(['2026-03-14T09:00:00.000Z', '1']),
  encodeCursor(['2026-03-14T09:00:00.000Z', `mrq_${'0'.repeat(22)}`]),
  encodeCursor([]),
  encodeCursor(['1', '2', '3']),
]

const seenMax = 30

/** Remembers the texts and ids of an answer, so that later requests can speak of what exists. */
export function learn(seen: Map<string, unknown[]>, body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'object') learn(seen, value)
    const isId = typeof value === 'number' && name.endsWith('id')
    if (!isId && (typeof value !== 'string' || value.length > 512)) continue
    const field = name === 'next_cursor' ? 'cursor' : name
    const values = seen.get(field) ?? []
    const news = (isId ? [value, String(value)] : [value]).filter((one) => !values.includes(one))
    seen.set(field, [...values, ...news].slice(-seenMax))
  }
}
