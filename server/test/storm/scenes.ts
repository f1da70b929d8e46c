// What people do in the storm, wish by wish. What was promised to them is written down: the checker holds the service to it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, openChance } from '../../../simulator/src/chance.ts'
import type { Phones } from '../../../simulator/src/phones.ts'
import type { Calls, Page } from './calls.ts'
import { accessCodeIn, type Cast, type How } from './cast.ts'
import type { Bought, Moved, Way, Wish } from './plan.ts'
import type { Stage } from './stage.ts'

/** What the service said yes to. */
export interface Journal {
  moved: { kind: Moved['kind']; reference: string; user: string; amount: string; currency: string }[]
  payments: { reference: string; mode: 'live' | 'test'; amount: string; currency: string }[]
  /** How much of a payment was to go back, each time that was accepted. */
  refunds: { payment: string; amount: string }[]
  /** What it refused, by code. */
  refused: Map<string, number>
}

export const emptyJournal = (): Journal => ({ moved: [], payments: [], refunds: [], refused: new Map() })

export interface World {
  stage: Stage
  calls: Calls
  cast: Cast
  journal: Journal
  /** How long a customer waits for the end of a try, and a shop for its money, in milliseconds. */
  patienceMs: number
  /** Who gets no answer when they bring money in asks again at once, and waits; or comes back when the storm is over. */
  comesBack: 'at once' | 'later'
  /** Those who come back later. */
  lost: (() => Promise<void>)[]
}

/** A payment that the shop means to give back when it has the money. */
export interface Owed {
  wish: Bought
  reference: string
}

/** Returns what the shop still owes when it has waited long enough. */
export async function play(world: World, wish: Wish): Promise<Owed | undefined> {
  if (wish.kind !== 'payment') return move(world, wish)
  const bought = await buy(world, wish)
  return (await refund(world, bought, world.patienceMs)) ? undefined : bought
}

function refuse({ journal }: World, what: string): undefined {
  journal.refused.set(what, (journal.refused.get(what) ?? 0) + 1)
}

async function move(world: World, wish: Moved): Promise<undefined> {
  const key = randomUUID()
  const once = world.comesBack === 'later' && wish.kind === 'deposit'
  try {
    await moveOnce(world, wish, { key, once })
  } catch (error) {
    if (!once) throw error
    world.lost.push(() => moveOnce(world, wish, { key, once: false }))
  }
}

async function moveOnce(world: World, wish: Moved, how: How): Promise<void> {
  const { cast, journal } = world
  const { kind, amount, currency, method, phone, account } = wish
  const person = cast.people[wish.who]
  if (person === undefined) throw new Error('a wish is somebody’s')
  const isDeposit = kind === 'deposit'
  const path = isDeposit ? '/api/deposit/initiate' : '/api/withdraw'
  const body = { amount, currency, method, phone, account, ...(isDeposit ? {} : { pin: person.pin }) }
  const reply = await person.call('POST', path, body, how)
  if (reply.status !== 200) return refuse(world, `${kind} ${reply.status} ${reply.body?.code}`)
  const { reference, redirect_url: page } = reply.body.data
  journal.moved.push({ kind, reference, user: person.id, amount, currency })
  decideCard(world, wish, page)
}

/** The person is before the card page for a while, and then does what they came for. */
function decideCard({ stage }: World, { card }: Way, page: string | undefined): void {
  const code = accessCodeIn(page)
  if (code !== undefined && card !== undefined) stage.simulator.cards.decide(code, card)
}

async function buy(world: World, wish: Bought): Promise<Owed> {
  const { calls, cast, journal } = world
  const { mode, amount, currency, manner } = wish
  const body = { amount, currency, description: 'Two bags of coffee' }
  const reply = await cast.shop.call(mode, 'POST', '/api/pay', body, { key: randomUUID() })
  if (reply.status !== 200) throw new Error(`a payment was refused: ${reply.text}`)
  const { reference, payment_url: url } = reply.body.data
  journal.payments.push({ reference, mode, amount, currency })
  const { pathname, search } = new URL(url)
  const place = pathname + search
  for (const [at, way] of wish.tries.entries()) {
    if (at > 0 && manner === 'patient' && (await endOfTry(world, place)) !== 'failed') break
    await tryToPay(world, place, way)
  }
  if (manner === 'cancelled') {
    const answer = await calls.submit(await calls.look(`${place}&step=cancel`), 'cancel')
    if (answer === undefined) refuse(world, 'cancelled too late')
  }
  return { wish, reference }
}

async function tryToPay(world: World, place: string, way: Way): Promise<void> {
  const { calls } = world
  const step = way.phone === undefined ? way.method : 'mobile'
  const fields: Record<string, string> =
    way.phone === undefined ? { email: 'amina@example.test' } : { phone: way.phone, network: way.method }
  const answer = await calls.submit(await calls.look(`${place}&step=${step}`), 'start', fields)
  if (answer === undefined) return refuse(world, 'tried too late')
  const shown = answer.location === undefined ? answer : await calls.look(answer.location)
  decideCard(world, way, pageIn(answer) ?? pageIn(shown))
}

const pageIn = ({ location, html }: Page): string | undefined =>
  [location, html].find((text) => accessCodeIn(text) !== undefined)

/** Looks as the page's own script does. */
async function endOfTry({ calls, patienceMs }: World, place: string): Promise<'failed' | 'other'> {
  const address = place.replace('/checkout?', '/checkout/state?')
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(patienceMs / 6)) {
    const { status, html } = await calls.look(address)
    if (status !== 200) return 'other'
    const { state } = JSON.parse(html) as { state: string }
    if (!state.startsWith('pending')) return 'other'
    const page = await calls.look(place)
    if (/role="alert"/.test(page.html)) return 'failed'
  }
  return 'other'
}

/** True: there is nothing more to give back. */
export async function refund(world: World, { wish, reference }: Owed, patienceMs: number): Promise<boolean> {
  const { shop } = world.cast
  if (wish.refunds.length === 0) return true
  for (const until = performance.now() + patienceMs; ; await sleep(Math.max(200, patienceMs / 6))) {
    const { body } = await shop.call(wish.mode, 'GET', `/api/pay/${reference}`)
    if (body.data.status === 'completed') break
    if (body.data.status !== 'pending' || performance.now() > until) return false
  }
  const once = (amount: string | undefined) => refundOnce(world, { wish, reference }, amount)
  if (wish.refunds === 'twice') await Promise.all([once(undefined), once(undefined)])
  else
    for (const percent of wish.refunds)
      await once(percent === 100 ? undefined : shareOf(wish.amount, percent))
  return true
}

async function refundOnce(
  world: World,
  { wish, reference }: Owed,
  amount: string | undefined,
): Promise<void> {
  const path = `/api/merchant/payments/${reference}/refund`
  const body = { reason: 'Broken on the way', ...(amount === undefined ? {} : { amount }) }
  const reply = await world.cast.shop.call(wish.mode, 'POST', path, body, { key: randomUUID() })
  if (reply.status === 200) world.journal.refunds.push({ payment: reference, amount: amount ?? wish.amount })
  else refuse(world, `refund ${reply.status} ${reply.body?.code}`)
}

/** In whole units, which every provider can give back. */
const shareOf = (amount: string, percent: number): string =>
  String(Math.max(1, Math.floor((Number(amount.split('.', 1)[0]) * percent) / 100)))

/** Somebody sits before the phones whose number ends in 999, and types this and that. */
export function holdPhones(phones: Phones, seed: number): () => void {
  const chance = openChance(seed)
  const seen = new Set<string>()
  return phones.onChange((msisdn) => {
    if (!msisdn.endsWith('999')) return
    for (const { id } of phones.prompts(msisdn)) {
      if (seen.has(id)) continue
      seen.add(id)
      const answer = answerOf(chance)
      if (answer !== undefined) setTimeout(() => phones.answer(id, answer), chance.below(400)).unref()
    }
  })
}

function answerOf(chance: Chance): Parameters<Phones['answer']>[1] | undefined {
  const drawn = chance.below(10)
  if (drawn < 5) return { answer: 'approved', pin: '1234' }
  if (drawn < 8) return { answer: 'approved', pin: drawn < 6 ? '0000' : '1111' }
  return drawn < 9 ? { answer: 'refused' } : undefined
}
