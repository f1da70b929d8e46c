// Who is in the storm: people with money in their wallets, which came in by providers too, and a shop that may take money
// in both modes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Loose } from '../people.ts'
import type { Calls, Reply } from './calls.ts'
import { fundings } from './plan.ts'
import type { Stage } from './stage.ts'

export interface How {
  /** The same one again is the same request. */
  key?: string
  once?: boolean
}

export interface Person {
  id: string
  pin: string
  call(method: 'GET' | 'POST', path: string, body?: object, how?: How): Promise<Reply>
}

export interface Shop {
  id: number
  call(mode: 'live' | 'test', method: 'GET' | 'POST', path: string, body?: object, how?: How): Promise<Reply>
}

export interface Cast {
  people: Person[]
  shop: Shop
}

const password = 'rain on the tin roof'
const pin = '4827'

export async function gather(
  { calls, stage, databaseUrl }: { calls: Calls; stage: Stage; databaseUrl: string },
  { count, mode }: { count: number; mode: 'both' | 'test' },
): Promise<Cast> {
  const names = Array.from({ length: count }, (_, at) => `storm_${at}`)
  const people = await Promise.all(names.map((name) => register(calls, name)))
  const shop = await openShop(calls, mode === 'both' ? databaseUrl : undefined)
  await Promise.all(people.map((person) => fill(stage, person)))
  return { people, shop }
}

async function register(calls: Calls, handle: string): Promise<Person> {
  const body = {
    name: `Person ${handle}`,
    handle,
    email: `${handle}@example.test`,
    password,
    country: 'UG',
    pin,
  }
  const made = await calls.json({ method: 'POST', path: '/api/auth/register', body })
  // Its answer may have got lost: then the name is taken, by this person.
  const login = made.status === 201 ? made : await logIn(calls, handle)
  const { token, user } = login.body.data
  return { id: user.id, pin, call: callerWith(calls, { authorization: `Bearer ${token}` }) }
}

async function logIn(calls: Calls, handle: string): Promise<Reply> {
  const reply = await calls.json({ method: 'POST', path: '/api/auth/login', body: { handle, password } })
  assert.equal(reply.status, 200, reply.text)
  return reply
}

const callerWith =
  (calls: Calls, credential: Record<string, string>): Person['call'] =>
  (method, path, body, { key, once = false } = {}) => {
    const headers = { ...credential, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    return calls.json({ method, path, headers, once, ...(body === undefined ? {} : { body }) })
  }

/** Without a database: nobody approves it, and it has the test mode only. */
async function openShop(calls: Calls, databaseUrl: string | undefined): Promise<Shop> {
  const owner = await register(calls, 'storm_shop')
  const application = {
    business_name: 'Duka la Dhoruba',
    category: 'Groceries',
    website_url: 'https://duka.example',
  }
  const made = await owner.call('POST', '/api/merchant/register', application)
  assert.equal(made.status, 201, made.text)
  const { merchant_id: id, credentials } = made.body.data
  const keys = { live: '', test: credentials.test.api_key }
  if (databaseUrl !== undefined) {
    const operator = await makeOperator(calls, databaseUrl)
    const approved = await operator.call('POST', `/api/operator/applications/${id}/approve`)
    assert.equal(approved.status, 200, approved.text)
    keys.live = (await owner.call('GET', '/api/merchant')).body.data.credentials.live.api_key
  }
  return {
    id,
    call: (mode, ...request) => callerWith(calls, { 'x-svc-key': keys[mode] })(...request),
  }
}

/** By the command, as there is no other way. */
async function makeOperator(calls: Calls, databaseUrl: string): Promise<Person> {
  const handle = 'storm_operator'
  await register(calls, handle)
  const command = fileURLToPath(new URL('../../src/operator.ts', import.meta.url))
  const env = { ...process.env, NODE_ENV: 'development', DATABASE_URL: databaseUrl }
  execFileSync(process.execPath, [command, 'add', handle], { env, stdio: 'pipe' })
  for (let tries = 0; tries < 20; tries++) {
    const { token, user } = (await logIn(calls, handle)).body.data
    if (user.roles.includes('operator'))
      return { id: user.id, pin, call: callerWith(calls, { authorization: `Bearer ${token}` }) }
    await sleep(200)
  }
  throw new Error('the operator was not made')
}

/** Before the storm: they bring in what they will take out. */
async function fill({ simulator }: Stage, person: Person): Promise<void> {
  const started = fundings.map(async ({ amount, ...way }) => {
    const reply = await person.call(
      'POST',
      '/api/deposit/initiate',
      { amount, ...way },
      { key: randomUUID() },
    )
    assert.equal(reply.status, 200, reply.text)
    const code = accessCodeIn(reply.body.data.redirect_url)
    if (code !== undefined) simulator.cards.decide(code, 'paid')
  })
  await Promise.all(started)
  for (let tries = 0; tries < 300; tries++) {
    const wallets: Loose[] = (await person.call('GET', '/api/wallets')).body.data
    const full = fundings.filter(({ currency, amount }) =>
      wallets.some((wallet) => wallet.currency === currency && wallet.balance >= Number(amount)),
    )
    if (full.length === fundings.length) return
    await sleep(100)
  }
  throw new Error('the wallets were not filled before the storm')
}

/** Of a card payment's page. */
export const accessCodeIn = (text: string | undefined): string | undefined =>
  /\/paystack\/pay\/([0-9a-f]{16})/.exec(text ?? '')?.[1]
