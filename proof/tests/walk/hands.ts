// What the callers of the fuzzer need done beside their own requests (server/test/fuzz/hands.ts), from outside: people of the
// world while there are some, then new ones; money by a network; businesses that the operator of the world approves.
import { randomUUID } from 'node:crypto'
import type { TestBusiness } from '../../../server/test/businesses.ts'
import type { Hands } from '../../../server/test/fuzz/hands.ts'
import { call, type TestPerson } from '../../../server/test/people.ts'
import type { Stage } from '../../rig/stage.ts'
import { deposit, newPerson, type Person } from '../../rig/world.ts'
import type { Sender } from './sender.ts'

export function openHands(stage: Stage, sender: Sender): Hands {
  const { world, client } = stage
  const app = injected(sender)
  const known = world.people.slice(1)
  let made = 0
  const withCalls = (person: Person): TestPerson => ({
    ...person,
    call: (method, url, body, headers = {}) =>
      call({ app }, { method, url, body, headers: { authorization: `Bearer ${person.token}`, ...headers } }),
  })
  const rich = new Set(world.people.map(({ id }) => id))
  const operator = withCalls(world.operator)
  const hands: Hands = {
    app,
    register: async (options = {}) => {
      const { handle } = options
      const found = handle === undefined ? known.pop() : undefined
      made += 1
      return withCalls(found ?? (await newPerson(client, { handle: handle ?? `walker_${made}` })))
    },
    newOperator: async () => operator,
    // It is there soon, not at once; the first requests may be made without it.
    fund: async (person, { amount, currency = 'UGX' }) => {
      if (rich.has(person.id) || currency !== 'UGX') return
      const given = { amount: String(Math.min(Number(amount), 10_000_000)), currency }
      await deposit(client, person, { ...given, method: 'mtn', phone: '+256772345678' })
    },
    newBusiness: async ({ owner, approved = true } = {}) =>
      openBusiness({ app, operator, owner: owner ?? (await hands.register()), approved }),
    ask: async (business, { price, description = 'Two bags of coffee', notifyUrl }) => {
      const headers = { 'svc-merchant-key': String(business.id), 'svc-api-key': business.liveKey }
      const body = {
        payment_amount: price,
        currency_code: 'UGX',
        ref_trx: randomUUID(),
        description,
        ...(notifyUrl === undefined ? {} : { ipn_url: `${stage.receiver.url}/walk` }),
      }
      const asked = await call({ app }, { method: 'POST', url: '/api/v1/initiate-payment', body, headers })
      const url = new URL(asked.body?.payment_url ?? `${stage.front.url}/checkout?token=none`)
      return { token: url.searchParams.get('token') ?? '', path: url.pathname + url.search }
    },
    endCampaigns: async (owner) => {
      const mine = await owner.call('GET', '/api/campaigns')
      for (const { id } of mine.body?.data ?? []) await owner.call('POST', `/api/campaigns/${id}/end`)
    },
    stickOrder: async (path) => {
      if (!path.includes('/operations')) return undefined
      const person = await hands.register()
      const body = { amount: 1_000, currency: 'UGX', method: 'mtn', phone: '+256772345999' }
      const asked = await person.call('POST', '/api/deposit/initiate', body)
      const q = asked.body?.data?.reference
      return (await operator.call('GET', `/api/operator/operations?q=${q}`)).body?.data?.[0]?.id
    },
  }
  return hands
}

/** The helpers of the server's tests ask an app by `inject`, and use nothing else of it: here that goes over the network. */
function injected(sender: Sender): Hands['app'] {
  interface Injection {
    method: string
    url: string
    headers?: Record<string, string>
    payload?: object | string
  }
  const inject = async ({ method, url, headers = {}, payload }: Injection) => {
    const isObject = typeof payload === 'object'
    const told = await sender.send({
      method,
      url,
      headers: { ...(isObject ? { 'content-type': 'application/json' } : {}), ...headers },
      body: payload === undefined ? undefined : Buffer.from(isObject ? JSON.stringify(payload) : payload),
    })
    const cookies = [told.headers['set-cookie'] ?? []].flat().map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const [, age] = /max-age=(\d+)/i.exec(line) ?? []
      return { name, value, ...(age === undefined ? {} : { maxAge: Number(age) }) }
    })
    return { statusCode: told.status, headers: told.headers, body: told.text, cookies }
  }
  return { inject } as unknown as Hands['app']
}

interface Opening {
  app: Hands['app']
  operator: TestPerson
  owner: TestPerson
  approved: boolean
}

async function openBusiness({ app, operator, owner, approved }: Opening): Promise<TestBusiness> {
  const application = {
    business_name: `Duka ${owner.handle}`,
    category: 'Groceries',
    website_url: 'https://duka.example',
  }
  const made = await owner.call('POST', '/api/merchant/register', application)
  if (made.status !== 201) throw new Error(`a business could not be opened: ${made.status} ${made.text}`)
  const { merchant_id: id, credentials } = made.body.data
  if (approved) await operator.call('POST', `/api/operator/applications/${id}/approve`)
  const look = approved ? (await owner.call('GET', '/api/merchant')).body.data.credentials.live : undefined
  const keyed =
    (key: string): TestPerson['call'] =>
    (method, url, body, headers = {}) =>
      call({ app }, { method, url, body, headers: { 'x-svc-key': key, ...headers } })
  const { api_key: testKey, client_secret: testSecret } = credentials.test
  const { api_key: liveKey = '', client_secret: liveSecret = '' } = look ?? {}
  return {
    id,
    owner,
    testKey,
    testSecret,
    liveKey,
    liveSecret,
    callTest: keyed(testKey),
    callLive: keyed(liveKey),
  }
}
