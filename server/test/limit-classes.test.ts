// How often people may ask, with the limits on and over HTTP: a row is a class of limits and all routes that count together in
// it. The last one that is let in is good, the next gets 429 and is told when to come again, whichever of the routes it
// asks; somebody else is not held back, and when the time is over neither is who was. The time stands still, so that a
// slow machine is no fault.
import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { testApp } from './helpers.ts'
import { checkError } from './http-probes.ts'
import { fund, register, type TestPerson } from './people.ts'
import { routeTable } from './route-table.ts'

// Windows are counted by the machine's time.
mock.timers.enable({ apis: ['Date'], now: Date.now() })
after(() => mock.timers.reset())
const later = (seconds: number) => mock.timers.setTime(Date.now() + seconds * 1_000)

const table = routeTable()
const server = await testApp({ environment: { RATE_LIMITS: 'on' }, watch: table.watch })
const { app } = server
const [one, another] = [await register(server), await register(server)]
for (const person of [one, another]) await fund(server, person, { amount: '500000' })

interface Who extends TestPerson {
  address: string
  /** Whom they may ask about, or send to. */
  other: string
  /** What `refresh` takes. */
  session: { token: string }
}
const who = async (person: TestPerson, other: TestPerson, address: string): Promise<Who> => {
  const body = { handle: person.handle, password: person.password }
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: body,
    remoteAddress: address,
  })
  return { ...person, address, other: other.handle, session: login.json().data }
}
const [asking, elsewhere] = [await who(one, another, '10.1.1.1'), await who(another, one, '10.2.2.2')]

type Reply = Awaited<ReturnType<typeof inject>>
type Ask = (caller: Who) => Promise<Reply>
const inject = (request: InjectOptions) => app.inject(request)

/** `GET /api/me`, with the token of who asks. */
const ask =
  (what: string, payload?: object | ((caller: Who) => object)): Ask =>
  (caller) => {
    const [method, path = ''] = what.split(' ') as [InjectOptions['method'] & string, string]
    return inject({
      method,
      url: path.replace(':other', caller.other),
      remoteAddress: caller.address,
      headers: { authorization: `Bearer ${caller.token}` },
      ...(payload === undefined
        ? {}
        : { payload: typeof payload === 'function' ? payload(caller) : payload }),
    })
  }

/** Without a token: by address. */
const askAnybody =
  (what: string, payload: object | ((caller: Who) => object)): Ask =>
  (caller) => {
    const [method, url = ''] = what.split(' ') as [InjectOptions['method'] & string, string]
    const body = typeof payload === 'function' ? payload(caller) : payload
    return inject({ method, url, remoteAddress: caller.address, payload: body })
  }

const refresh: Ask = async ({ session, address }) => {
  const reply = await inject({
    method: 'POST',
    url: '/api/auth/refresh',
    remoteAddress: address,
    payload: { token: session.token },
  })
  if (reply.statusCode === 200) session.token = reply.json().data.token
  return reply
}

const resume: Ask = ({ session, address }) =>
  inject({
    method: 'POST',
    url: '/api/auth/refresh',
    remoteAddress: address,
    headers: {
      origin: 'http://localhost:8080',
      'sec-fetch-site': 'same-origin',
      cookie: `session=${session.token}`,
    },
  })

const order = ({ other, pin }: Who) => ({ recipient: other, amount: 1_000, currency: 'UGX', pin })

interface Row {
  max: number
  seconds: number
  /** What is asked one after the other, again and again: it counts, whatever is wrong with it. */
  counted: Ask[]
  /** The last one. */
  good: Ask
}

const rows: Record<string, Row> = {
  'whatever needs the PIN': {
    max: 60,
    seconds: 60,
    counted: [
      ask('POST /api/send', order),
      ask('POST /api/requests/mrq_none/pay', {}),
      ask('POST /api/withdraw', {}),
      ask('POST /api/groups/grp_none/contribute', {}),
      ask('POST /api/campaigns/cmp_none/contribute', {}),
      ask('POST /api/campaigns/cmp_none/withdraw', {}),
      ask('POST /api/merchant/payout', {}),
    ],
    good: ask('POST /api/send', order),
  },
  'questions about other people': {
    max: 30,
    seconds: 60,
    counted: [
      ask('GET /api/users/:other'),
      ask('POST /api/send/preview', ({ other }) => ({ recipient: other, amount: 1_000, currency: 'UGX' })),
      ask('POST /api/requests', {}),
      ask('POST /api/groups', {}),
      ask('POST /api/groups/grp_none/join', {}),
      ask('POST /api/groups/join', {}),
      ask('POST /api/groups/grp_none/payouts', {}),
    ],
    good: ask('GET /api/users/:other'),
  },
  'logins and refreshes of an address': {
    max: 600,
    seconds: 60,
    counted: [
      askAnybody('POST /api/auth/login', {}),
      askAnybody('POST /api/auth/refresh', { token: 'none' }),
    ],
    good: askAnybody('POST /api/auth/login', ({ handle, password }) => ({ handle, password })),
  },
  'codes by mail': {
    max: 60,
    seconds: 900,
    counted: [
      askAnybody('POST /api/auth/password/forgot', {}),
      askAnybody('POST /api/auth/password/reset', {}),
    ],
    good: askAnybody('POST /api/auth/password/forgot', ({ handle }) => ({ handle })),
  },
  'the token of a session': { max: 10, seconds: 60, counted: [refresh], good: refresh },
  'the cookie of a session': { max: 60, seconds: 60, counted: [resume], good: resume },
}

describe('a class of limits', () => {
  for (const [what, { max, seconds, counted, good }] of Object.entries(rows)) {
    test(`${what}: ${max} in ${seconds} s`, async () => {
      later(3_600)
      for (let n = 0; n < max - 1; n++) {
        const reply = await (counted[n % counted.length] ?? good)(asking)
        const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining } = reply.headers
        assert.deepEqual([limit, remaining], [`${max}`, `${max - 1 - n}`], `${n}: ${reply.body}`)
      }
      const last = await good(asking)
      assert.deepEqual([last.statusCode, last.headers['ratelimit-remaining']], [200, '0'], last.body)
      later(seconds / 2)
      for (const any of [good, ...counted]) {
        const refused = await any(asking)
        checkError(refused, 429, 'rate_limited')
        assert.equal(refused.headers['retry-after'], `${seconds / 2}`)
      }
      assert.equal((await good(elsewhere)).statusCode, 200, 'somebody else')
      later(seconds / 2)
      assert.equal((await good(asking)).statusCode, 200, 'the same one, later')
    })
  }
})

test('300 handles a day that nobody has, however they are asked for; then none is told, to send to neither', async () => {
  later(3_600)
  const nobody = (n: number): Who => ({ ...asking, other: `nobody_${n}` })
  const preview = ask('POST /api/send/preview', ({ other }) => ({
    recipient: other,
    amount: 1_000,
    currency: 'UGX',
  }))
  const ways: [Ask, number][] = [
    [ask('GET /api/users/:other'), 404],
    [preview, 422],
    [ask('POST /api/send', order), 422],
    [ask('POST /api/requests', ({ other }) => ({ from: other, amount: 1_000, currency: 'UGX' })), 422],
  ]
  // Also beside what else is wrong.
  const wrong = { amount: 0, currency: 'UGX' }
  const all: typeof ways = [
    ...ways,
    [ask('POST /api/send/preview', ({ other }) => ({ ...wrong, recipient: other })), 422],
    [ask('POST /api/requests', ({ other }) => ({ ...wrong, from: other })), 422],
  ]
  for (let n = 0; n < 300; n++) {
    if (n % 30 === 0) later(61)
    const [way, status] = all[n % all.length] ?? [preview, 422]
    const reply = await way(nobody(n))
    assert.equal(reply.statusCode, status, reply.body)
    const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining } = reply.headers
    assert.deepEqual([limit, remaining], ['300', `${299 - n}`])
  }
  later(61)
  for (const [way] of ways) {
    const refused = await way(asking)
    checkError(refused, 429, 'rate_limited')
    assert.equal(refused.headers['ratelimit-limit'], '300')
    assert.ok(Number(refused.headers['retry-after']) > 80_000)
    assert.ok((await way(elsewhere)).statusCode < 300, 'somebody else')
  }
  later(86_400)
  for (const [way] of ways) assert.ok((await way(asking)).statusCode < 300, 'a day later')
})

test('every route that takes a PIN to move money is limited so', () => {
  const paths = table
    .routes()
    .filter(({ schema }) => schema?.body?.properties?.pin && !schema.body.properties.password)
    .map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(paths.toSorted(), [
    'POST /api/campaigns/:id/contribute',
    'POST /api/campaigns/:id/withdraw',
    'POST /api/groups/:id/contribute',
    'POST /api/merchant/payout',
    'POST /api/requests/:id/pay',
    'POST /api/send',
    'POST /api/withdraw',
  ])
})
