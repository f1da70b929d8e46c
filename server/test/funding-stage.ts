// Somebody who brings money in and takes it out, with the networks in a box: what the tests of deposits and withdrawals
// share. To be called once, at the top of a test file.
import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import type { Currency } from '../src/base/money.ts'
import { reconcile } from './helpers.ts'
import { finish, patientDelays } from './open-orders.ts'
import { fund, register, type TestPerson } from './people.ts'
import { simulatedApp } from './simulated-app.ts'

/** Of MTN in Uganda; the last three digits decide what happens. */
export const phone = (digits: string) => `+256772345${digits}`

export const deposit = (person: TestPerson, more: object = {}, headers = {}) =>
  person.call(
    'POST',
    '/api/deposit/initiate',
    { amount: 12_000, currency: 'UGX', method: 'mtn', phone: phone('567'), ...more },
    headers,
  )

export const withdraw = (person: TestPerson, more: object = {}, headers = {}) =>
  person.call(
    'POST',
    '/api/withdraw',
    { amount: 10_000, currency: 'UGX', method: 'mtn', phone: phone('567'), pin: person.pin, ...more },
    headers,
  )

/** An operator, for doors that want to know who decides. */
export const decider = {
  by: { kind: 'operator', id: 'usr_test' },
  reason: 'Test',
  origin: { requestId: 'req_test' },
} as const

export async function openFundingStage() {
  const server = await simulatedApp({ delays: patientDelays })
  const { operations } = server.dependencies
  afterEach(async () => {
    await finish(server, { patience: 0 })
    await reconcile(server)
  })
  return {
    server,
    rich: async (amount = '100000', currency: Currency = 'UGX'): Promise<TestPerson> => {
      const person = await register(server)
      await fund(server, person, { amount, currency })
      return person
    },
    /** The balance, and what is held of it. */
    balanceOf: async (person: TestPerson, currency: Currency = 'UGX'): Promise<[bigint, bigint]> => {
      const name = { kind: 'user', owner: person.id, currency, mode: 'live' } as const
      const [found] = await server.ledger.balances(server.db, [name])
      return [found?.balance ?? 0n, found?.held ?? 0n]
    },
    operationOf: async (reference: string) => {
      const [found] = await operations.list({ q: reference, limit: 10 })
      assert.ok(found)
      return found
    },
  }
}
