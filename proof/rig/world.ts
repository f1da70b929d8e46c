// Who is there when a proof begins: 64 people with a PIN and money in three currencies that came in by providers, two
// approved shops, two groups that save for a goal, two campaigns, and an operator. Made once a run, through the API, into
// a database that each proof gets a copy of (`ground.ts`). Tokens, keys and secrets stay good in every copy. Use:
//
//   const [amina, juma] = stage.world.people
//   const more = await newPerson(client, { handle: 'late_one' })      // another one; `deposit` brings money
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asPerson, type Client, type Heard, type Loose } from './client.ts'

export interface Person {
  id: string
  handle: string
  name: string
  password: string
  pin: string
  token: string
}

export interface Credentials {
  key: string
  secret: string
}

export interface Shop {
  id: number
  owner: Person
  live: Credentials
  test: Credentials
}

/** A goal group that some of the people are members of, or a campaign that all may give to. */
export interface Pot {
  id: string
  currency: string
  /** Indexes of people. */
  members: number[]
}

export interface World {
  people: Person[]
  shops: Shop[]
  groups: Pot[]
  campaigns: Pot[]
  operator: Person
}

export const password = 'rain on the tin roof'
export const pin = '4827'
/** What everybody has in the beginning. */
export const money = [
  { currency: 'UGX', amount: '10000000', method: 'mtn', phone: '+256772345678' },
  { currency: 'KES', amount: '250000', method: 'mpesa', phone: '+254712345678' },
  { currency: 'RWF', amount: '3000000', method: 'mtn', phone: '+250782345678' },
] as const
const peopleCount = 64
const membersOfGroup = 24

export interface WorldOptions {
  client: Client
  /** The folder `server`, for the command that makes an operator. */
  server: string
  environment: Record<string, string | undefined>
}

export async function makeWorld({ client, server, environment }: WorldOptions): Promise<World> {
  const names = Array.from({ length: peopleCount }, (_, at) => `person_${String(at).padStart(2, '0')}`)
  const people = await eachOf(names, 6, (handle) => newPerson(client, { handle }))
  const operator = await newOperator({ client, server, environment })
  const funded = eachOf(people, 16, async (person) => {
    for (const given of money) await deposit(client, person, given)
  })
  const owners = await eachOf(['shop_a', 'shop_b'], 2, (handle) => newPerson(client, { handle }))
  const shops = await eachOf(owners, 2, (owner) => newShop(client, { owner, operator }))
  const groups = await eachOf(['UGX', 'KES'], 2, (currency) => newGroup(client, { people, currency }))
  const campaigns = await eachOf(['UGX', 'KES'], 2, (currency) => newCampaign(client, { people, currency }))
  await funded
  return { people, shops, groups, campaigns, operator }
}

/** Registered, with a PIN if not told otherwise. */
export async function newPerson(
  client: Client,
  { handle, country = 'UG', hasPin = true }: { handle: string; country?: string; hasPin?: boolean },
): Promise<Person> {
  const name = `Person ${handle}`
  const email = `${handle}@example.test`
  const body = { name, handle, email, password, country, ...(hasPin ? { pin } : {}) }
  const heard = await patiently(() => client.look({ route: 'POST /api/auth/register', body }))
  // Its answer may have got lost: then the name is taken, by this person.
  const { token, user } = heard.status === 201 ? heard.json.data : await logIn(client, handle)
  return { id: user.id, handle, name, password, pin, token }
}

export async function logIn(client: Client, handle: string): Promise<Loose> {
  const body = { handle, password }
  return expected(await patiently(() => client.look({ route: 'POST /api/auth/login', body })), 200).data
}

/** Brings money in by a network; it is there soon, not at once. */
export async function deposit(
  client: Client,
  person: Person,
  given: { amount: string; currency: string; method: string; phone: string },
): Promise<Loose> {
  const route = 'POST /api/deposit/initiate'
  const request = asPerson(person, { act: 'deposit', route, key: randomUUID(), body: given })
  return expected(await patiently(() => client.act(request)), 200).data
}

/** Approved, so that it has both modes. */
export async function newShop(
  client: Client,
  { owner, operator }: { owner: Person; operator: Person },
): Promise<Shop> {
  const body = {
    business_name: `Duka ${owner.handle}`,
    category: 'Groceries',
    website_url: 'https://duka.example',
  }
  const made = await post(client, owner, { route: 'POST /api/merchant/register', body, status: 201 })
  const id: number = made.merchant_id
  await post(client, operator, {
    route: 'POST /api/operator/applications/:id/approve',
    path: `/api/operator/applications/${id}/approve`,
    status: 200,
  })
  const look = await client.look({ route: 'GET /api/merchant', headers: asUser(owner) })
  const { live } = expected(look, 200).data.credentials
  const { test } = made.credentials
  return {
    id,
    owner,
    live: { key: live.api_key, secret: live.client_secret },
    test: { key: test.api_key, secret: test.client_secret },
  }
}

export async function newGroup(
  client: Client,
  { people, currency, members = membersOfGroup }: { people: Person[]; currency: string; members?: number },
): Promise<Pot> {
  const [chair, ...others] = people.slice(0, members)
  if (chair === undefined) throw new Error('a group has people')
  const body = {
    name: `Paa ${currency}`,
    kind: 'goal',
    goal_amount: 5_000_000,
    visibility: 'private',
    max_members: 500,
    currency,
  }
  const { id, invite_code } = await post(client, chair, { route: 'POST /api/groups', body, status: 201 })
  const join = { route: 'POST /api/groups/:id/join', path: `/api/groups/${id}/join`, status: 200 }
  await eachOf(others, 4, (person) => post(client, person, { ...join, body: { invite_code } }))
  return { id, currency, members: people.slice(0, members).map((_, at) => at) }
}

export async function newCampaign(
  client: Client,
  { people, currency }: { people: Person[]; currency: string },
): Promise<Pot> {
  const [owner] = people.slice(-1)
  if (owner === undefined) throw new Error('a campaign has an owner')
  const body = { title: `A well, in ${currency}`, story: 'Water.', currency, goal_amount: 5_000_000 }
  const { id } = await post(client, owner, { route: 'POST /api/campaigns', body, status: 201 })
  return { id, currency, members: people.map((_, at) => at) }
}

/** By the command, as there is no other way. */
async function newOperator({ client, server, environment }: WorldOptions): Promise<Person> {
  const handle = 'the_operator'
  const person = await newPerson(client, { handle })
  execFileSync(process.execPath, [join(server, 'src/operator.ts'), 'add', handle], {
    env: environment,
    stdio: 'pipe',
  })
  for (let tries = 0; tries < 50; tries++) {
    const { token, user } = await logIn(client, handle)
    if (user.roles.includes('operator')) return { ...person, token }
    await sleep(200)
  }
  throw new Error('the operator was not made')
}

const asUser = (person: Person) => asPerson(person, { act: 'make', route: '' }).headers ?? {}

interface Post {
  route: string
  path?: string
  body?: object
  status: number
}

async function post(client: Client, person: Person, { status, ...request }: Post): Promise<Loose> {
  const heard = await patiently(() => client.look({ ...request, headers: asUser(person) }))
  return expected(heard, status).data
}

function expected(heard: Heard, status: number): Loose {
  if (heard.status !== status)
    throw new Error(`${status} was expected: ${heard.status} ${heard.text} ${heard.error ?? ''}`)
  return heard.json
}

const triesMax = 100

/** A service that has too much to do says so, and is asked again. */
async function patiently(ask: () => Promise<Heard>): Promise<Heard> {
  for (let tries = 0; tries < triesMax; tries++) {
    const heard = await ask()
    if (heard.status !== 0 && heard.status !== 503 && heard.status !== 429) return heard
    await sleep(100)
  }
  throw new Error('nobody answers')
}

/** So many at a time. */
export async function eachOf<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T, at)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
