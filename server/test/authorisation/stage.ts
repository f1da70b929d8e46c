// Who calls in the matrix of who may do what. Each caller belongs to a world: a person, a business, and things of theirs.
import assert from 'node:assert/strict'
import { loggedInAgain, newBusiness, newOperator, type TestBusiness, theOperator } from '../businesses.ts'
import type { TestApp } from '../helpers.ts'
import { fund, register, type TestPerson } from '../people.ts'

/**
 * In the order of the table's columns. `suspended` and `frozenkey` are live keys of a business that is suspended, and of one
 * whose owner is frozen; `keeper` is the owner of the suspended one.
 */
export const callers = [
  'none',
  'expired',
  'user',
  'other',
  'frozen',
  'keeper',
  'live',
  'test',
  'rival',
  'suspended',
  'frozenkey',
  'operator',
  'wrong',
] as const
export type Caller = (typeof callers)[number]

export interface World {
  person: TestPerson
  business: TestBusiness
  /** Somebody else, by their id. */
  friend: string
  /** Of a transfer that was sent. */
  transfer: string
  /** Money requests from before it was frozen: made of and by this person. */
  askedOf: string[]
  askedBy: string[]
}

const homes = {
  none: 'amina',
  expired: 'amina',
  user: 'amina',
  live: 'amina',
  test: 'amina',
  wrong: 'amina',
  other: 'juma',
  rival: 'juma',
  frozen: 'frozen',
  frozenkey: 'frozen',
  keeper: 'suspended',
  suspended: 'suspended',
  operator: 'operator',
} as const
type Home = (typeof homes)[Caller]

export interface Stage {
  server: TestApp
  /** The caller's own world. */
  worldOf(caller: Caller): World
  /** Somebody else's. */
  foreignTo(caller: Caller): World
  /** What shows who is calling. `anew`: a login of its own, for routes that end it. */
  credential(caller: Caller, options: { anew: boolean }): Promise<Record<string, string>>
  /** Logs everybody in again: after routes that end logins. */
  renew(): Promise<void>
}

/** A token that is over. Getting one takes a day, which ends what others had begun. */
export async function expiredToken(server: TestApp): Promise<string> {
  const { token } = await register(server)
  server.clock.advance(25 * 3_600)
  return token
}

export async function openStage(server: TestApp, given?: { expired: string }): Promise<Stage> {
  const expired = given?.expired ?? (await expiredToken(server))
  const amina = await newWorld(server)
  const juma = await newWorld(server)
  const frozen = await newWorld(server)
  const suspended = await newWorld(server)
  const operator = await newWorld(server, await newOperator(server))
  const theOther = await theOperator(server)
  const reason = 'For the test'
  const done = [
    await theOther.call('POST', `/api/operator/users/${frozen.person.id}/freeze`, { reason }),
    await theOther.call('POST', `/api/operator/merchants/${suspended.business.id}/suspend`, { reason }),
  ]
  for (const reply of done) assert.equal(reply.status, 200, reply.text)
  frozen.person = await loggedInAgain(server, frozen.person)
  const worlds: Record<Home, World> = { amina, juma, frozen, suspended, operator }
  return {
    server,
    worldOf: (caller) => worlds[homes[caller]],
    foreignTo: (caller) => (homes[caller] === 'amina' ? juma : amina),
    renew: async () => {
      // As if a day had gone by: with a PIN that was just changed nothing can be withdrawn.
      await server.db.rows('update users.pins set changed_at = null')
      for (const world of Object.values(worlds)) {
        server.users.forget(world.person.id)
        world.person = await loggedInAgain(server, world.person)
      }
    },
    credential: async (caller, { anew }) => {
      const { person, business } = worlds[homes[caller]]
      switch (caller) {
        case 'none':
          return {}
        case 'expired':
          return bearer(expired)
        case 'user':
        case 'other':
        case 'frozen':
        case 'keeper':
        case 'operator':
          return bearer(anew ? (await loginAnew(server, person)).token : person.token)
        case 'live':
        case 'rival':
        case 'suspended':
        case 'frozenkey':
          return keys(business.id, business.liveKey)
        case 'test':
          return keys(business.id, business.testKey)
        case 'wrong':
          return { ...bearer(business.liveKey), ...keys(business.id, person.token) }
        default:
          return caller satisfies never
      }
    },
  }
}

/** A moment later, so that of several the latest is known. */
function loginAnew(server: TestApp, person: TestPerson): Promise<TestPerson> {
  server.clock.advance(1)
  return loggedInAgain(server, person)
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** In every header that may carry it: each scope takes what it takes. */
const keys = (id: number, key: string) => ({
  'x-svc-key': key,
  'svc-merchant-key': String(id),
  'svc-api-key': key,
})

async function newWorld(server: TestApp, given?: TestPerson): Promise<World> {
  const person = given ?? (await register(server))
  const business = await newBusiness(server, { owner: person })
  await fund(server, person, { amount: '900000' })
  const friend = await register(server)
  const order = { recipient: friend.handle, amount: 1_000, currency: 'UGX', pin: person.pin }
  const sent = await person.call('POST', '/api/send', order)
  assert.equal(sent.status, 200, sent.text)
  const asked = async (asker: TestPerson, payer: TestPerson): Promise<string> => {
    const request = { from: payer.handle, amount: 700, currency: 'UGX' }
    return (await asker.call('POST', '/api/requests', request)).body.data.id
  }
  const askedOf: string[] = []
  // Each of three routes uses one for the frozen person, and one for the key of their business.
  for (let request = 0; request < 6; request += 1) askedOf.push(await asked(friend, person))
  return {
    person,
    business,
    friend: friend.id,
    transfer: sent.body.data.reference,
    askedOf,
    askedBy: [await asked(person, friend), await asked(person, friend)],
  }
}
