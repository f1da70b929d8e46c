// A person for a route, with what that route needs to get far: money, things that were sent and asked for, a business,
// a checkout that is under way.
import { currencyCodes } from '../../src/base/money.ts'
import type { TestBusiness } from '../businesses.ts'
import { formIn, payInCheckout, testBrowser } from '../checkouts.ts'
import { goal, rotating } from '../group-bodies.ts'
import { call, type TestPerson } from '../people.ts'
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
  const { hands } = stage
  const isOperators = route.schema?.security?.some((way) => 'operator' in way)
  const person = isOperators ? await hands.newOperator() : await hands.register()
  const actor: Actor = { person, business: undefined, seen: new Map(), words: {}, cookies: '' }
  if (route.schema?.security !== undefined || route.path.startsWith('/checkout')) {
    await hands.fund(person, { amount: '900000' })
    await hands.fund(person, { amount: '400', currency: 'USD' })
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

const logInAgain: Prepare = async ({ hands }, { actor: { person, seen } }) => {
  const body = { handle: person.handle, password: person.password }
  for (let logins = 0; logins < 3; logins++)
    await call(hands, { method: 'POST', url: '/api/auth/login', body })
  learn(seen, (await person.call('GET', '/api/auth/sessions')).body)
}

/** Each is tried once: then the next person comes. */
export const takesCode = /\/(email\/confirm|password\/reset)$/

const fetchCode: Prepare = async ({ hands }, { actor, path }) => {
  const code = await hands.mailedCode?.(actor.person, path)
  if (code === undefined) return
  const { handle } = actor.person
  actor.words = { code: [code, code, code.toLowerCase(), '7K3M-Q9WD'], handle: [handle, handle, 'juma'] }
}

const nameCurrencies: Prepare = async (_stage, { actor }) => {
  actor.words = { currency: currencyCodes }
}

const openBusiness: Prepare = async ({ hands }, { actor }) => {
  actor.business ??= await hands.newBusiness({ owner: actor.person })
}

const startPayments: Prepare = async (_stage, { actor: { business, seen } }) => {
  for (const callAs of [business?.callTest, business?.callLive, business?.callLive]) {
    const order = { amount: 5_000, currency: 'UGX', description: nasty }
    learn(seen, (await callAs?.('POST', '/api/pay', order))?.body)
  }
  seen.set('ref', seen.get('reference') ?? [])
}

/** One that was paid: it can be refunded, and its notification be looked at. */
const payOne: Prepare = async ({ hands, juma }, { actor: { business, seen } }) => {
  if (business === undefined) return
  const asked = await hands.ask(business, { price: '700', notifyUrl: 'https://duka.example/ipn' })
  await payInCheckout(testBrowser(hands), asked, juma)
  for (const list of ['payments', 'notifications'])
    learn(seen, (await business.callLive('GET', `/api/merchant/${list}`)).body)
}

/** Of this person, with something in it; and of somebody else. */
const beginCampaigns: Prepare = async ({ hands, juma }, { actor: { person, seen }, path }) => {
  const body = { title: nasty, story: nasty, currency: 'UGX', goal_amount: 5_000 }
  // Operators decide about those of others.
  const owner = path.startsWith('/api/operator') ? await hands.register() : person
  await hands.endCampaigns(owner)
  for (let made = 0; made < 3; made++) {
    const { data } = (await owner.call('POST', '/api/campaigns', body)).body
    const gift = { amount: 1_000, pin: juma.pin, message: nasty }
    await juma.call('POST', `/api/campaigns/${data.id}/contribute`, gift)
    await owner.call('POST', `/api/campaigns/${data.id}/updates`, { text: nasty })
    if (path.endsWith('/resume'))
      await person.call('POST', `/api/operator/campaigns/${data.id}/pause`, { reason: 'x' })
    learn(seen, { id: data.id })
  }
}

const forms = ['login', 'pay', 'logout', 'cancel', 'start']

/** Pages whose form is another than that of the PIN. */
const steps: Record<string, string> = {
  '/checkout/cancel': '&step=cancel',
  '/checkout/start': '&step=mobile',
}

/** Where it is to be paid, logged in: so that only the PIN is missing. */
const openCheckout: Prepare = async ({ hands }, { actor, path: route }) => {
  const { person, business } = actor
  if (business === undefined) return
  const { token, path } = await hands.ask(business, { price: '700', description: nasty })
  const browser = testBrowser(hands)
  const fields = { name: person.handle, password: person.password }
  const first = await browser.get(`${path}&step=wallet`)
  const inside = route.endsWith('/login') ? first : await browser.submit(first, 'login', fields)
  const step = steps[route] === undefined ? undefined : await browser.get(`${path}${steps[route]}`)
  const page = step ?? inside
  const { proof = '' } = formIn(page.html, forms.find((form) => route.endsWith(form)) ?? 'pay').hidden
  actor.words = { token: [token], proof: [proof, proof, proof, 'a'], name: [person.handle, 'juma'] }
  actor.cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** People and businesses of whom nobody else knows, in the state that is to be changed. */
const findVictims: Prepare = async ({ hands }, { actor: { person, seen }, path }) => {
  const reason = 'Chargebacks'
  if (path.includes('/users')) {
    const { id } = await hands.register()
    if (path.endsWith('/unfreeze')) await person.call('POST', `/api/operator/users/${id}/freeze`, { reason })
    learn(seen, { id })
  }
  if (/application|merchants/.test(path)) {
    const { id } = await hands.newBusiness({ approved: path.includes('suspend') })
    if (path.endsWith('/unsuspend'))
      await person.call('POST', `/api/operator/merchants/${id}/suspend`, { reason })
    learn(seen, { merchant_id: id })
  }
  if (path.endsWith('/mails/:id')) learn(seen, (await person.call('GET', '/api/operator/mails')).body)
}

/** Words that belong together: a phone of a provider that serves the currency. */
const nameProviders: Prepare = async (_stage, { actor }) => {
  const ends = ['567', '049', '129', '159', '999']
  actor.words = {
    currency: ['UGX'],
    method: ['mtn', 'mtn', 'airtel'],
    phone: ends.map((end) => `+256772345${end}`),
  }
}

const stickOrders: Prepare = async ({ hands }, { actor: { seen }, path }) => {
  learn(seen, { id: await hands.stickOrder(path) })
}

/** A round under way, and a goal with something in the pot and to decide about. */
const openGroups: Prepare = async ({ juma, other }, { actor: { person, seen } }) => {
  for (const body of [rotating, goal]) {
    const created = await person.call('POST', '/api/groups', { ...body, name: nasty, late_fine: 10 })
    learn(seen, created.body)
    const { id, invite_code } = created.body?.data ?? {}
    for (const one of [juma, other]) await one.call('POST', `/api/groups/${id}/join`, { invite_code })
    await person.call('POST', `/api/groups/${id}/start`, { order: 'join' })
    await juma.call('POST', `/api/groups/${id}/contribute`, { amount: 1_000, pin: juma.pin, note: nasty })
    for (const one of [juma, person]) {
      const order = { to: 'juma', amount: 700, reason: nasty }
      const proposed = (await one.call('POST', `/api/groups/${id}/payouts`, order)).body
      learn(seen, { payout_id: proposed?.data?.id })
    }
    learn(seen, (await person.call('GET', `/api/groups/${id}`)).body)
  }
  seen.set('handle', [...(seen.get('handle') ?? []), 'juma'])
  for (const name of ['seq', 'number']) seen.set(name, ['1', '1', '2', '99'])
  for (const name of ['to', 'on_behalf_of', 'member']) seen.set(name, ['juma', person.handle])
}

/** What must be there already, by the paths of the routes that need it. */
const preparations: readonly (readonly [paths: RegExp, provide: Prepare])[] = [
  [/\/transactions|\/recipients/, sendSome],
  [/\/requests/, askSome],
  [/^\/api\/groups/, openGroups],
  [/\/sessions/, logInAgain],
  [takesCode, fetchCode],
  [/^\/api\/wallets$/, nameCurrencies],
  [/^\/api\/merchant(?!\/register)|^\/api\/pay|^\/api\/v1|^\/checkout(\/|$)/, openBusiness],
  [/payment|^\/api\/pay/, startPayments],
  [/payments\/|notifications/, payOne],
  [/^\/checkout(\/|$)/, openCheckout],
  [/\/campaigns(\/|$)|^\/c\//, beginCampaigns],
  [/^\/api\/operator/, findVictims],
  [/^\/api\/(deposit|withdraw)/, nameProviders],
  [/^\/api\/operator\/(operations|unmatched|matches)\//, stickOrders],
]
