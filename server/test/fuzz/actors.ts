// A person for a route, with what that route needs to get far: money, things that were sent and asked for, a business,
// a checkout that is under way.
import { newBusiness, newOperator, type TestBusiness } from '../businesses.ts'
import { ask, formIn, payInCheckout, testBrowser } from '../checkouts.ts'
import { call, fund, register, type TestPerson } from '../people.ts'
import type { Route } from '../route-table.ts'
import { learn, type Stage } from './callers.ts'

export interface Actor {
  person: TestPerson
  business: TestBusiness | undefined
  /** What answers have shown them, by the name of the field. */
  seen: Map<string, unknown[]>
  /** Other words than a person would send elsewhere, by the name of the field. */
  words: Record<string, readonly unknown[]>
  /** Of a visit to the checkout. */
  cookies: string
}

export async function newActor(stage: Stage, route: Route): Promise<Actor> {
  const { server } = stage
  const isOperators = route.schema?.security?.some((way) => 'operator' in way)
  const person = isOperators ? await newOperator(server) : await register(server)
  const actor: Actor = { person, business: undefined, seen: new Map(), words: {}, cookies: '' }
  if (route.schema?.security !== undefined) {
    await fund(server, person, { amount: '900000' })
    await fund(server, person, { amount: '400', currency: 'USD' })
  }
  await prepare(stage, { actor, path: route.path })
  for (const secret of [person.token, actor.business?.liveKey, actor.business?.testSecret])
    if (secret !== undefined && secret !== '') stage.secrets.add(secret)
  return actor
}

/** Also for somebody who has used up what there was. */
export const prepare: Prepare = async (stage, needed) => {
  for (const [paths, provide] of preparations) if (paths.test(needed.path)) await provide(stage, needed)
}

type Prepare = (stage: Stage, needed: { actor: Actor; path: string }) => Promise<void>

const nasty = '"><img src=x onerror=alert(1)>'

const sendSome: Prepare = async ({ juma }, { actor: { person, seen } }) => {
  for (const amount of [500, '777', 1_000]) {
    const order = { recipient: juma.handle, amount, currency: 'UGX', note: nasty, pin: person.pin }
    learn(seen, (await person.call('POST', '/api/send', order)).body)
  }
}

const askSome: Prepare = async ({ juma }, { actor: { person, seen }, path }) => {
  const order = { amount: 700, currency: 'UGX', note: '=1+1' }
  for (let asked = 0; asked < 6; asked++) {
    // Only who is asked can pay or decline, only who has asked can take it back.
    if (!path.endsWith('/cancel'))
      learn(seen, (await juma.call('POST', '/api/requests', { ...order, from: person.handle })).body)
    if (!/pay|decline/.test(path))
      learn(seen, (await person.call('POST', '/api/requests', { ...order, from: juma.handle })).body)
  }
}

const logInAgain: Prepare = async ({ server }, { actor: { person, seen } }) => {
  const body = { handle: person.handle, password: person.password }
  for (let logins = 0; logins < 3; logins++)
    await call(server, { method: 'POST', url: '/api/auth/login', body })
  learn(seen, (await person.call('GET', '/api/auth/sessions')).body)
}

const openBusiness: Prepare = async ({ server }, { actor }) => {
  actor.business ??= await newBusiness(server, { owner: actor.person })
}

const startPayments: Prepare = async (_stage, { actor: { business, seen } }) => {
  for (const callAs of [business?.callTest, business?.callLive, business?.callLive]) {
    const order = { amount: 5_000, currency: 'UGX', description: nasty }
    learn(seen, (await callAs?.('POST', '/api/pay', order))?.body)
  }
  seen.set('ref', seen.get('reference') ?? [])
}

/** One that was paid: it can be refunded, and its notification be looked at. */
const payOne: Prepare = async ({ server, juma }, { actor: { business, seen } }) => {
  if (business === undefined) return
  const asked = await ask(server, business, { price: '700', notifyUrl: 'https://duka.example/ipn' })
  await payInCheckout(testBrowser(server), asked, juma)
  for (const list of ['payments', 'notifications'])
    learn(seen, (await business.callLive('GET', `/api/merchant/${list}`)).body)
}

const forms = ['login', 'pay', 'logout', 'cancel']

/** Where it is to be paid, logged in: so that only the PIN is missing. */
const openCheckout: Prepare = async ({ server }, { actor, path: route }) => {
  const { person, business } = actor
  if (business === undefined) return
  const { token, path } = await ask(server, business, { price: '700', description: nasty })
  const browser = testBrowser(server)
  const fields = { name: person.handle, password: person.password }
  const first = await browser.get(path)
  const inside = route.endsWith('/login') ? first : await browser.submit(first, 'login', fields)
  const page = route.endsWith('/cancel') ? await browser.get(`${path}&step=cancel`) : inside
  const { proof = '' } = formIn(page.html, forms.find((form) => route.endsWith(form)) ?? 'pay').hidden
  actor.words = { token: [token], proof: [proof, proof, proof, 'a'], name: [person.handle, 'juma'] }
  actor.cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** People and businesses of whom nobody else knows, in the state that is to be changed. */
const findVictims: Prepare = async ({ server }, { actor: { person, seen }, path }) => {
  const reason = 'Chargebacks'
  if (path.includes('/users')) {
    const { id } = await register(server)
    if (path.endsWith('/unfreeze')) await person.call('POST', `/api/operator/users/${id}/freeze`, { reason })
    learn(seen, { id })
  }
  if (/application|merchants/.test(path)) {
    const { id } = await newBusiness(server, { approved: path.includes('suspend') })
    if (path.endsWith('/unsuspend'))
      await person.call('POST', `/api/operator/merchants/${id}/suspend`, { reason })
    learn(seen, { merchant_id: id })
  }
  if (path.endsWith('/mails/:id')) learn(seen, (await person.call('GET', '/api/operator/mails')).body)
}

/** What must be there already, by the paths of the routes that need it. */
const preparations: readonly (readonly [paths: RegExp, provide: Prepare])[] = [
  [/\/transactions|\/recipients/, sendSome],
  [/\/requests/, askSome],
  [/\/sessions/, logInAgain],
  [/^\/api\/merchant(?!\/register)|^\/api\/pay|^\/api\/v1|^\/checkout(\/|$)/, openBusiness],
  [/payment|^\/api\/pay/, startPayments],
  [/payments\/|notifications/, payOne],
  [/^\/checkout(\/|$)/, openCheckout],
  [/^\/api\/operator/, findVictims],
]
