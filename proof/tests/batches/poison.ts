// Five hundred good postings at once, and among them some that can't be: each of those fails, alone, and nobody else has to
// wait for it.
import { randomUUID } from 'node:crypto'
import { told } from '../../rig/burst.ts'
import { asShop, type Heard, type Request } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import type { Person, Shop } from '../../rig/world.ts'
import { armed, askFor, availableTo, must, sendOf, withdrawOf } from '../races/purse.ts'

/** Of one round, in milliseconds. */
export interface Round {
  what: string
  median: number
  slowest: number
}

export interface Poison {
  what: string
  request: Request
  /** The code of its refusal; absent where what came of it is judged afterwards. */
  code?: string
  /** It breaks what nobody can break: the answer is 500, and is not held against the service. */
  breaks?: boolean
}

const goodCount = 500
const currency = 'UGX'
/** These only send to each other; the poison is of others. */
const crowd = 48

export async function round(
  stage: Stage,
  { what, poisons = [] }: { what: string; poisons?: readonly Poison[] },
): Promise<Round> {
  const { scene, world } = stage
  const people = world.people.slice(0, crowd)
  const good = Array.from({ length: goodCount }, (_, at) => {
    const to = people[(at + 1 + scene.chance.below(crowd - 1)) % crowd] as Person
    return sendOf(people[at % crowd] as Person, { to, amount: 1_000, currency })
  })
  const all: { request: Request; poison?: Poison }[] = good.map((request) => ({ request }))
  for (const poison of poisons)
    all.splice(scene.chance.below(all.length), 0, { request: poison.request, poison })
  const heard = await Promise.all(
    all.map(({ request, poison }) =>
      poison?.breaks ? stage.client.look(request) : stage.client.act(request),
    ),
  )
  const ofGood = heard.filter((_, at) => all[at]?.poison === undefined)
  const bad = ofGood.filter(({ outcome }) => outcome !== 'done')
  if (bad.length > 0)
    scene.fault(`${what}: ${bad.length} of ${goodCount} good ones failed with it (${told(bad)})`)
  for (const [at, { poison }] of all.entries())
    if (poison !== undefined) judge(stage, poison, heard[at] as Heard)
  const times = ofGood.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return { what, median: times[Math.floor(times.length / 2)] ?? 0, slowest: times.at(-1) ?? 0 }
}

function judge({ scene }: Stage, { what, code, breaks }: Poison, heard: Heard): void {
  const right = breaks ? heard.status === 500 : code === undefined || heard.json?.code === code
  if (!right) scene.fault(`${what}: answered ${heard.status} ${heard.text} ${heard.error ?? ''}`)
}

/** Each way in which the ledger says no. */
export async function refusals(stage: Stage): Promise<Poison[]> {
  const { client, world } = stage
  const [poor, spender, giver, another] = world.people.slice(50, 54) as [Person, Person, Person, Person]
  const sink = world.people[63] as Person
  const act = async (request: Request) => must(await client.act(request))
  await act(sendOf(poor, { to: sink, amount: 100, currency: 'KES' }))
  for (const from of [giver, another])
    await act(sendOf(from, { to: spender, amount: 2_000_000, currency: 'RWF' }))
  for (let times = 0; times < 2; times++)
    await act(sendOf(spender, { to: sink, amount: 2_000_000, currency: 'RWF' }))
  const key = randomUUID()
  await act(sendOf(giver, { to: sink, amount: 1_000, currency, key }))
  const left = await availableTo(stage, poor, 'KES')
  return [
    {
      what: 'more than there is',
      request: sendOf(poor, { to: sink, amount: left + 1, currency: 'KES' }),
      code: 'insufficient_funds',
    },
    {
      what: 'more than may leave in a day',
      request: sendOf(spender, { to: sink, amount: 1_500_000, currency: 'RWF' }),
      code: 'limit_exceeded',
    },
    {
      what: 'the key of something else',
      request: sendOf(giver, { to: sink, amount: 2_000, currency, key }),
      code: 'idempotency_conflict',
    },
    {
      what: 'a hold of more than there is',
      request: withdrawOf(poor, { amount: left, currency: 'KES', method: 'mpesa', phone: '+254712000111' }),
      code: 'insufficient_funds',
    },
  ]
}

export interface Rivals {
  poisons: Poison[]
  /** What came of them. */
  judge(): Promise<void>
}

/** Rows that are written with a posting and find another state than they expect: two pay one payment, two refund one. */
export async function rivals(stage: Stage): Promise<Rivals> {
  const { client, scene, world } = stage
  const [shop] = world.shops as [Shop]
  const [customer, ...payers] = world.people.slice(58, 61) as [Person, Person, Person]
  const amount = 1_000
  const paid = async (paying: number) => {
    const payment = await askFor(stage, { shop, amount: paying })
    must(await client.act(await armed(stage, { person: customer, payment })))
    return payment.reference
  }
  // The shop must have more than it got for this one: the fee does not come back.
  await paid(5 * amount)
  const path = `/api/merchant/payments/${await paid(amount)}/refund`
  const route = 'POST /api/merchant/payments/:reference/refund'
  const refunds = [0, 1].map(() =>
    asShop(shop, 'live', { act: 'refund', route, path, key: randomUUID(), body: {} }),
  )
  const raced = await askFor(stage, { shop, amount })
  const people = [customer, ...payers]
  const haveNow = () => Promise.all(people.map((person) => availableTo(stage, person, 'KES')))
  const had = await haveNow()
  const pays = await Promise.all(
    payers.map(async (person, at) => ({
      ...(await armed(stage, { person, payment: raced })),
      // Both see the page of a payment that is paid; whose money it was, the wallet says.
      outcomeOf: async () =>
        (await availableTo(stage, person, 'KES')) < (had[1 + at] ?? 0)
          ? ('done' as const)
          : ('refused' as const),
    })),
  )
  return {
    poisons: [
      ...pays.map((request) => ({ what: 'a payment that another one pays too', request })),
      ...refunds.map((request) => ({ what: 'a refund of what is refunded already', request })),
    ],
    judge: async () => {
      const has = await haveNow()
      const [back = 0, ...gone] = has.map((now, at) => now - (had[at] ?? 0))
      if (back !== amount || gone.toSorted((one, other) => one - other).join() !== `${-amount},0`)
        scene.fault(
          `one payment and one refund by two at once: ${back} came back, ${gone.join(' and ')} left`,
        )
    },
  }
}

const note = 'proof-poison'

/** What nobody foresaw: the database refuses a row that the program thinks is good. */
export async function forbidden(stage: Stage): Promise<Poison> {
  const { cluster, database, world } = stage
  await cluster.query(
    database,
    `alter table ledger.postings add constraint proof_poison check (details ->> 'note' is distinct from '${note}')`,
  )
  const [from, to] = world.people.slice(56, 58) as [Person, Person]
  const request = sendOf(from, { to, amount: 1_000, currency, note })
  return { what: 'what breaks a constraint', request, breaks: true }
}

/** When nothing forbids it any more, its key is as free as before: it happens, once. */
export async function allowed(stage: Stage, { request }: Poison): Promise<void> {
  const { client, cluster, database, scene } = stage
  const times = () => effectsOf(stage, note)
  if ((await times()) !== 0) scene.fault('what broke a constraint has happened all the same')
  await cluster.query(database, 'alter table ledger.postings drop constraint proof_poison')
  for (let again = 0; again < 2; again++) must(await client.act(request))
  if ((await times()) !== 1)
    scene.fault(`what broke a constraint happened ${await times()} times when it could`)
}

/** How many postings have this note. */
export async function effectsOf({ cluster, database }: Stage, text: string): Promise<number> {
  const [row] = await cluster.query<{ times: number }>(
    database,
    `select count(*)::int as times from ledger.postings where details ->> 'note' = $1`,
    [text],
  )
  return row?.times ?? 0
}
