// People for tests: registered through the API, with a PIN, and with money that came in from outside.
import assert from 'node:assert/strict'
import { type Currency, readMinor } from '../src/base/money.ts'
import type { TestApp } from './helpers.ts'

export interface TestPerson {
  id: string
  handle: string
  name: string
  token: string
  password: string
  pin: string
  /** As this person, with JSON. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Reply>
}

/** Tests look into answers of every shape; what they expect is what they assert. */
export type Loose = ReturnType<typeof JSON.parse>

export interface Reply {
  status: number
  body: Loose
  text: string
  headers: Record<string, unknown>
}

export const testPassword = 'correct horse battery'
export const testPin = '4827'

type Server = Pick<TestApp, 'app'>

export async function call(
  { app }: Server,
  request: {
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    url: string
    body?: object | undefined
    headers?: Record<string, string>
  },
): Promise<Reply> {
  const { method, url, body, headers = {} } = request
  const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.statusCode,
    body: isJson && answer.body !== '' ? JSON.parse(answer.body) : undefined,
    text: answer.body,
    headers: answer.headers,
  }
}

let made = 0

export interface PersonOptions {
  handle?: string
  name?: string
  country?: string
  email?: string
  pin?: string | undefined
}

/** With a PIN, unless it says `pin: undefined`. */
export async function register(server: Server, options: PersonOptions = {}): Promise<TestPerson> {
  made += 1
  const handle = options.handle ?? `someone_${made}`
  const name = options.name ?? `Person ${made}`
  const pin = 'pin' in options ? options.pin : testPin
  const body = {
    name,
    handle,
    email: options.email ?? `${handle}@example.test`,
    password: testPassword,
    country: options.country ?? 'UG',
    ...(pin === undefined ? {} : { pin }),
  }
  const reply = await call(server, { method: 'POST', url: '/api/auth/register', body })
  assert.equal(reply.status, 201, reply.text)
  const { token, user } = reply.body.data
  return {
    id: user.id,
    handle,
    name,
    token,
    password: testPassword,
    pin: pin ?? '',
    call: (method, url, sent, headers = {}) =>
      call(server, { method, url, body: sent, headers: { authorization: `Bearer ${token}`, ...headers } }),
  }
}

/** As if the code that was mailed to them had come back. */
export async function confirmMailbox(
  { db, users }: Pick<TestApp, 'db' | 'users'>,
  { id }: { id: string },
): Promise<void> {
  await db.rows('update users.people set email_confirmed_at = created_at where id = $1', [id])
  users.forget(id)
}

/** As a deposit that was confirmed. `amount` as people write it: `50000`, `12.50`. */
export async function fund(
  { ledger }: Pick<TestApp, 'ledger'>,
  { id }: { id: string },
  { amount, currency = 'UGX' }: { amount: string; currency?: Currency },
): Promise<void> {
  const reading = readMinor(amount, currency)
  assert.ok('minor' in reading)
  const outcome = await ledger.submit({
    kind: 'deposit',
    mode: 'live',
    currency,
    details: { counterparty: { name: 'M-Pesa' }, reference: `DP-TEST-${id}` },
    entries: [
      { kind: 'clearing', owner: 'mpesa', amount: -reading.minor },
      { kind: 'user', owner: id, amount: reading.minor },
    ],
  })
  assert.ok(outcome.ok)
}

export async function available(
  { ledger, db }: Pick<TestApp, 'ledger' | 'db'>,
  { id }: { id: string },
  currency: Currency = 'UGX',
): Promise<bigint> {
  const [found] = await ledger.balances(db, [{ kind: 'user', owner: id, currency, mode: 'live' }])
  return (found?.balance ?? 0n) - (found?.held ?? 0n)
}
