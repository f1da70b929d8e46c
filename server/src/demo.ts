// People, money and a business to try things with, made once in an empty database. Outside production only: everybody
// knows their passwords.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from './base/check.ts'
import { type Currency, readMinor } from './base/money.ts'
import { type DemoTools, seedCampaigns } from './demo-campaigns.ts'
import { seedGroups } from './demo-groups.ts'
import type { Dependencies } from './dependencies.ts'
import * as users from './users/users.ts'

export const demoLogin = { password: 'karibu-mfuko', pin: '4827' }

/** What the example shop calls the service with. Kept beside the data, because keys are shown only once. */
export interface DemoShop {
  merchantId: string
  apiKey: string
  clientSecret: string
}

export interface Demo {
  /** Handles, for the start message. */
  people: readonly string[]
  operator: string
  shop: DemoShop | undefined
}

export interface DemoPerson {
  handle: string
  name: string
  country: string
  phone: string
  email?: string
}

const people: readonly DemoPerson[] = [
  {
    handle: 'amina',
    name: 'Amina Nakato',
    country: 'UG',
    phone: '+256770000001',
    email: 'amina@example.com',
  },
  { handle: 'juma', name: 'Juma Otieno', country: 'KE', phone: '+254700000001' },
  { handle: 'operator', name: 'Olive Operator', country: 'UG', phone: '+256770000002' },
]

const funds: readonly { handle: 'amina' | 'juma'; currency: Currency; amount: string }[] = [
  { handle: 'amina', currency: 'UGX', amount: '750000' },
  { handle: 'amina', currency: 'USD', amount: '120' },
  { handle: 'juma', currency: 'KES', amount: '48500' },
  { handle: 'juma', currency: 'UGX', amount: '400000' },
]

const origin = { address: '127.0.0.1', userAgent: 'demo' }
const by = { kind: 'system', id: 'demo' }

/** Undefined: this database is somebody's own. `shopUrl` is where the example shop will be. */
export async function openDemo(
  deps: Dependencies,
  { dataDir, shopUrl }: { dataDir: string; shopUrl: string },
): Promise<Demo | undefined> {
  const file = join(dataDir, 'demo.json')
  if (await users.isEmpty(deps.db)) {
    const shop = await seed(deps, shopUrl)
    writeFileSync(file, `${JSON.stringify(shop, null, 2)}\n`, { mode: 0o600 })
  }
  if ((await deps.users.byHandle('amina')) === undefined) return undefined
  return { people: ['amina', 'juma'], operator: 'operator', shop: readShop(file) }
}

/** Absent when the database was filled by another clone: then there is no shop, and everything else works. */
function readShop(file: string): DemoShop | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoShop
  } catch {
    return undefined
  }
}

async function seed(deps: Dependencies, shopUrl: string): Promise<DemoShop> {
  const ids = new Map<string, { id: string; session: string }>()
  const register = async (person: DemoPerson) => {
    const given = { ...person, ...demoLogin, locale: 'en' as const }
    const { token, person: made } = await deps.users.register({ given, origin })
    ids.set(person.handle, { id: made.id, session: deps.users.authenticate(token).session })
    return made.id
  }
  for (const person of people) await register(person)
  for (const { handle, currency, amount } of funds)
    await fund(deps, { id: idOf(ids, handle).id, currency, amount })
  const shop = await openBusiness(deps, { owner: idOf(ids, 'amina'), shopUrl })
  const tools: DemoTools = {
    register,
    fund: (funded) => fund(deps, funded),
    idOf: (handle) => idOf(ids, handle).id,
    pin: demoLogin.pin,
  }
  await seedCampaigns(deps, tools)
  await seedGroups(deps, tools)
  // Last: it ends the sessions of the one who becomes it.
  const operator = {
    user: idOf(ids, 'operator').id,
    role: 'operator',
    given: true,
    by,
    at: deps.clock.now(),
  } as const
  await users.changeRole(deps.db, operator)
  return shop
}

function idOf(ids: ReadonlyMap<string, { id: string; session: string }>, handle: string) {
  const found = ids.get(handle)
  check(found !== undefined, 'everybody of the demo was registered')
  return found
}

async function fund(
  { ledger }: Dependencies,
  { id, currency, amount }: { id: string; currency: Currency; amount: string },
): Promise<void> {
  const reading = readMinor(amount, currency)
  check('minor' in reading, 'the money of the demo is written as people write it')
  const outcome = await ledger.submit({
    kind: 'deposit',
    mode: 'live',
    currency,
    details: { counterparty: { name: 'Demo money' }, note: 'To try things with' },
    entries: [
      { kind: 'clearing', owner: 'demo', amount: -reading.minor },
      { kind: 'user', owner: id, amount: reading.minor },
    ],
  })
  check(outcome.ok, 'demo money comes in')
}

async function openBusiness(
  { merchants }: Dependencies,
  { owner, shopUrl }: { owner: { id: string; session: string }; shopUrl: string },
): Promise<DemoShop> {
  const caller = { ...origin, user: owner.id, session: owner.session }
  await merchants.register({
    application: { businessName: 'Duka la Amina', category: 'Groceries', websiteUrl: shopUrl },
    caller,
    key: undefined,
    answerOf: () => ({ status: 201, body: '' }),
  })
  const business = await merchants.byOwner(owner.id)
  check(business !== undefined, 'the business of the demo was registered')
  await merchants.approve({ merchant: business.id, by, origin })
  const { live } = (await merchants.look({ caller, shows: true })).credentials
  check(live.apiKey !== undefined && live.clientSecret !== undefined, 'the first look shows the live pair')
  return { merchantId: String(business.id), apiKey: live.apiKey, clientSecret: live.clientSecret }
}
