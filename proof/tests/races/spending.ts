// The same money, spent by many at once: by one way, by all ways there are, and out of pots that several may take from.
import { randomUUID } from 'node:crypto'
import { burst, told } from '../../rig/burst.ts'
import { asPerson, type Heard, patient, type Request } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import type { Person, Shop } from '../../rig/world.ts'
import {
  armed,
  askFor,
  availableTo,
  giveOf,
  type Money,
  must,
  sendOf,
  shuffled,
  sinkOf,
  wholeOf,
  whoOf,
  withdrawOf,
} from './purse.ts'

/** Everything that somebody has, two hundred times at once, to several people. */
export async function wholeBalance(stage: Stage, { round }: { round: number }): Promise<void> {
  const { whole, members } = whoOf(stage)
  const purses: [Person, Money][] = [
    ...(['KES', 'UGX', 'RWF'] as const).flatMap((currency) => whole.map(pairedWith(currency))),
    ...(['UGX', 'RWF'] as const).flatMap((currency) => members.map(pairedWith(currency))),
  ]
  const [person, currency] = purses[round % purses.length] as [Person, Money]
  const amount = await wholeOf(stage, person, currency)
  const requests = Array.from({ length: 200 }, (_, at) =>
    sendOf(person, { to: sinkOf(stage, at), amount, currency }),
  )
  const heard = await burst(stage, requests)
  judgeOne(stage, { heard, what: `the whole balance, sent ${requests.length} times at once` })
  const left = await availableTo(stage, person, currency)
  if (left !== 0) stage.scene.fault(`the whole balance was sent, and ${left} ${currency} are left`)
}

const pairedWith =
  (currency: Money) =>
  (person: Person): [Person, Money] => [person, currency]

/** More than half of what somebody has, by every way that money can leave a wallet. */
export async function allWays(stage: Stage, { round }: { round: number }): Promise<void> {
  const { world } = stage
  const person = whoOf(stage).members[round] as Person
  const before = await wholeOf(stage, person, 'KES')
  const amount = Math.floor(before * 0.56)
  const shop = world.shops[0] as Shop
  const pays = await Promise.all(
    Array.from({ length: 3 }, async () =>
      armed(stage, { person, payment: await askFor(stage, { shop, amount }) }),
    ),
  )
  const phone = '+254712000111'
  const others = Array.from({ length: 40 }, (_, at): Request[] => [
    sendOf(person, { to: sinkOf(stage, at), amount, currency: 'KES' }),
    withdrawOf(person, { amount, currency: 'KES', method: 'mpesa', phone }),
    giveOf(person, { place: 'groups', id: world.groups[1]?.id ?? '', amount }),
    giveOf(person, { place: 'campaigns', id: world.campaigns[1]?.id ?? '', amount }),
  ])
  const heard = await burst(stage, shuffled(stage.scene.chance, [...pays, ...others.flat()]))
  judgeOne(stage, { heard, what: 'more than half of a balance, by all ways at once', pages: true })
}

/** A campaign and a shop: what is in them leaves once. */
export async function pots(stage: Stage, { round }: { round: number }): Promise<void> {
  const { client, world } = stage
  const { giver } = whoOf(stage)
  const owner = sinkOf(stage, round)
  const body = { title: 'Fought for', story: 'By many.', currency: 'KES', goal_amount: 100_000 }
  const made = must(
    await client.act(asPerson(owner, { act: 'make', route: 'POST /api/campaigns', body })),
  ).data
  must(await client.act(giveOf(giver, { place: 'campaigns', id: made.id, amount: 20_000 })))
  const out = { act: 'take out', route: 'POST /api/campaigns/:id/withdraw' }
  const path = `/api/campaigns/${made.id}/withdraw`
  const takes = Array.from({ length: 50 }, () =>
    asPerson(owner, { ...out, path, key: randomUUID(), body: { amount: 12_000, pin: owner.pin } }),
  )
  judgeOne(stage, {
    heard: await burst(stage, takes),
    what: 'more than half of a campaign, 50 times at once',
  })

  const shop = world.shops[1] as Shop
  const payment = await askFor(stage, { shop, amount: 10_000 })
  must(await client.act(await armed(stage, { person: giver, payment })))
  const look = await patient(client).look(
    asPerson(shop.owner, { act: 'read', route: 'GET /api/merchant/balances' }),
  )
  const earned: { currency: string; available: number }[] = must(look).data
  const amount = Math.floor((earned.find(({ currency }) => currency === 'KES')?.available ?? 0) * 0.6)
  const settles = Array.from({ length: 50 }, () =>
    asPerson(shop.owner, {
      ...{ act: 'settle', route: 'POST /api/merchant/payout', key: randomUUID() },
      body: { amount, currency: 'KES', pin: shop.owner.pin },
    }),
  )
  judgeOne(stage, { heard: await burst(stage, settles), what: 'more than half of a shop, 50 times at once' })
}

interface Judged {
  heard: readonly Heard[]
  what: string
  /** Are there pages among the answers? Their status says less. */
  pages?: boolean
}

/** Exactly one, and everybody else hears why not. */
function judgeOne({ scene }: Stage, { heard, what, pages = false }: Judged): void {
  const done = heard.filter(({ outcome }) => outcome === 'done').length
  if (done !== 1) scene.fault(`${what}: ${done} went through (${told(heard)})`)
  const odd = heard.filter(
    ({ outcome, json }) =>
      outcome !== 'done' &&
      json?.code !== 'insufficient_funds' &&
      !(pages && json === undefined && outcome === 'refused'),
  )
  if (odd.length > 0) scene.fault(`${what}: answers that are no plain refusal (${told(odd)})`)
}

const limitKes = 500_000

/** Somebody has more money than may leave in a day, and comes to the edge of that a hundred times at once. */
export async function dailyLimit(stage: Stage, { round }: { round: number }): Promise<void> {
  const { client, scene } = stage
  const [person, ...givers] = whoOf(stage).atLimit.slice(3 * round, 3 * round + 3) as [Person, ...Person[]]
  for (const giver of givers) {
    const amount = await wholeOf(stage, giver, 'KES')
    must(await client.act(sendOf(giver, { to: person, amount, currency: 'KES' })))
  }
  for (let at = 0; at < 4; at++)
    must(await client.act(sendOf(person, { to: sinkOf(stage, at), amount: 100_000, currency: 'KES' })))
  const [each, fit] = [30_000, 3]
  const requests = Array.from({ length: 100 }, (_, at) =>
    sendOf(person, { to: sinkOf(stage, at), amount: each, currency: 'KES' }),
  )
  const heard = await burst(stage, requests)
  const done = heard.filter(({ outcome }) => outcome === 'done').length
  const total = 400_000 + done * each
  if (total > limitKes)
    scene.fault(`the daily limit of ${limitKes} was passed: ${total} left (${told(heard)})`)
  else if (done !== fit)
    scene.fault(`${fit} fit under the daily limit, ${done} went through (${told(heard)})`)
  const odd = heard.filter(({ outcome, json }) => outcome !== 'done' && json?.code !== 'limit_exceeded')
  if (odd.length > 0) scene.fault(`at the daily limit: answers that are no plain refusal (${told(odd)})`)
}
