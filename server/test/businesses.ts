// Businesses for tests: registered through the API by a person of their own, approved by an operator.
import assert from 'node:assert/strict'
import * as users from '../src/users/users.ts'
import type { TestApp } from './helpers.ts'
import { call, type Reply, register, type TestPerson } from './people.ts'

export interface TestBusiness {
  id: number
  owner: TestPerson
  /** Test mode; they work from the start. */
  testKey: string
  testSecret: string
  /** Empty until it is approved. */
  liveKey: string
  liveSecret: string
  /** With the API key in X-SVC-Key. */
  callTest: TestPerson['call']
  callLive: TestPerson['call']
}

type Server = Pick<TestApp, 'app' | 'db' | 'users' | 'clock'>

export const application = {
  business_name: 'Duka la Amina',
  category: 'Groceries',
  website_url: 'https://duka.example',
}

export interface BusinessOptions {
  owner?: TestPerson
  approved?: boolean
  fields?: object
}

export async function newBusiness(server: Server, options: BusinessOptions = {}): Promise<TestBusiness> {
  const { approved = true, fields = {} } = options
  const owner = options.owner ?? (await register(server))
  const made = await owner.call('POST', '/api/merchant/register', { ...application, ...fields })
  assert.equal(made.status, 201, made.text)
  const { merchant_id: id, credentials } = made.body.data
  const { api_key: testKey, client_secret: testSecret } = credentials.test
  const live = approved ? await approve(server, { id, owner }) : { api_key: '', client_secret: '' }
  return {
    id,
    owner,
    testKey,
    testSecret,
    liveKey: live.api_key,
    liveSecret: live.client_secret,
    callTest: keyed(server, testKey),
    callLive: keyed(server, live.api_key),
  }
}

/** By an operator of the test's own, and looked at: the live pair. */
async function approve(server: Server, { id, owner }: { id: number; owner: TestPerson }) {
  const operator = await theOperator(server)
  const done = await operator.call('POST', `/api/operator/applications/${id}/approve`)
  assert.equal(done.status, 200, done.text)
  const look = await owner.call('GET', '/api/merchant')
  assert.equal(look.status, 200, look.text)
  return look.body.data.credentials.live as { api_key: string; client_secret: string }
}

const operators = new WeakMap<object, Promise<{ person: TestPerson; until: number }>>()
const loginMs = 20 * 3_600_000

/** The same one for all of a test file; logged in again when its clock has moved on. */
export async function theOperator(server: Server): Promise<TestPerson> {
  const { app, clock } = server
  const known = operators.get(app)
  const found = await known
  if (found !== undefined && clock.now().getTime() < found.until) return found.person
  if (operators.get(app) !== known) return theOperator(server)
  const next = found === undefined ? newOperator(server) : loggedInAgain(server, found.person)
  const until = clock.now().getTime() + loginMs
  operators.set(
    app,
    next.then((person) => ({ person, until })),
  )
  return next
}

export async function newOperator(server: Server): Promise<TestPerson> {
  const person = await register(server)
  const by = { kind: 'test', id: 'test' }
  const at = server.clock.now()
  await users.changeRole(server.db, { user: person.id, role: 'operator', given: true, by, at })
  server.users.forget(person.id)
  return loggedInAgain(server, person)
}

/** After something that ended the sessions. */
export async function loggedInAgain(server: Pick<TestApp, 'app'>, person: TestPerson): Promise<TestPerson> {
  const { handle, password } = person
  const login = await call(server, { method: 'POST', url: '/api/auth/login', body: { handle, password } })
  assert.equal(login.status, 200, login.text)
  const { token } = login.body.data
  return {
    ...person,
    token,
    call: (method, url, body, headers = {}) =>
      call(server, { method, url, body, headers: { authorization: `Bearer ${token}`, ...headers } }),
  }
}

export const keyed =
  (server: Pick<TestApp, 'app'>, key: string): TestPerson['call'] =>
  (method, url, body, headers = {}): Promise<Reply> =>
    call(server, { method, url, body, headers: { 'x-svc-key': key, ...headers } })
