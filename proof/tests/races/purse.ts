// Who has money to be fought for, what is asked of the service for it, and what is in a wallet by the service's own word.
import { randomUUID } from 'node:crypto'
import type { Chance } from '../../../simulator/src/chance.ts'
import { type CheckoutPayment, readyToPay } from '../../rig/checkout.ts'
import { asPerson, asShop, type Heard, patient, type Request } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import type { Person, Shop } from '../../rig/world.ts'

/** The most that one transfer may move. */
export const mostOf = { KES: 250_000, UGX: 5_000_000, RWF: 2_000_000 } as const
export type Money = keyof typeof mostOf

const sinkCount = 8

/** Who only gets. */
export const sinkOf = ({ world }: Stage, at: number): Person =>
  world.people.at(-1 - (at % sinkCount)) as Person

/** Nobody's money is fought for twice: each race has people of its own. */
export const whoOf = ({ world: { people } }: Stage) => ({
  /** Members of both groups. */
  members: people.slice(0, 24),
  whole: people.slice(24, 46),
  giver: people[46] as Person,
  atLimit: people.slice(47, 56),
  /** Of other currencies than those above. */
  deciding: people.slice(46, 56),
})

export const sendOf = (
  from: Person,
  { to, ...rest }: { to: Person; amount: number | string; currency: string; key?: string; note?: string },
): Request => {
  const { key = randomUUID(), ...body } = rest
  return asPerson(from, {
    act: 'send',
    route: 'POST /api/send',
    key,
    body: { recipient: to.handle, pin: from.pin, ...body },
  })
}

export const withdrawOf = (
  from: Person,
  {
    key = randomUUID(),
    ...body
  }: { amount: number; currency: string; method: string; phone: string; key?: string },
): Request =>
  asPerson(from, { act: 'withdraw', route: 'POST /api/withdraw', key, body: { pin: from.pin, ...body } })

export const giveOf = (
  from: Person,
  {
    place,
    id,
    amount,
    key = randomUUID(),
  }: { place: 'groups' | 'campaigns'; id: string; amount: number; key?: string },
): Request =>
  asPerson(from, {
    act: 'contribute',
    route: `POST /api/${place}/:id/contribute`,
    path: `/api/${place}/${id}/contribute`,
    key,
    body: { amount, pin: from.pin },
  })

export async function availableTo({ client }: Stage, person: Person, currency: string): Promise<number> {
  const heard = await patient(client).look(asPerson(person, { act: 'read', route: 'GET /api/wallets' }))
  const wallets: { currency: string; available: number }[] = must(heard).data
  return wallets.find((wallet) => wallet.currency === currency)?.available ?? 0
}

/** All there is, when it fits into one transfer: what is too much for that is sent away before. */
export async function wholeOf(stage: Stage, person: Person, currency: Money): Promise<number> {
  for (let tries = 0; tries < 5; tries++) {
    const available = await availableTo(stage, person, currency)
    if (available <= mostOf[currency]) return available
    const amount = Math.min(mostOf[currency], available - mostOf[currency])
    must(await stage.client.act(sendOf(person, { to: sinkOf(stage, tries), amount, currency })))
  }
  throw new Error(`${person.handle} has too much`)
}

/** A payment that a shop has asked for. */
export async function askFor(
  { client }: Stage,
  { shop, amount, currency = 'KES' }: { shop: Shop; amount: number; currency?: string },
): Promise<CheckoutPayment> {
  const body = { amount, currency, description: 'Fought for' }
  const heard = await client.act(
    asShop(shop, 'live', { act: 'ask', route: 'POST /api/pay', key: randomUUID(), body }),
  )
  const { reference, payment_url: url } = must(heard).data
  return { reference, url, mode: 'live' }
}

/** A customer with a finger on the button. */
export async function armed(
  { client }: Stage,
  visit: { person: Person; payment: CheckoutPayment },
): Promise<Request> {
  const ready = await readyToPay(client, visit)
  if (!('act' in ready)) throw new Error(`the checkout shows no way to pay: ${ready.status}`)
  return ready
}

/** What prepares a race is no part of it. */
export function must(heard: Heard): Heard['json'] {
  if (heard.outcome !== 'done')
    throw new Error(`not done: ${heard.status} ${heard.text} ${heard.error ?? ''}`)
  return heard.json
}

export const shuffled = <T>(chance: Chance, items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: chance.below(2 ** 31) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
