// Orders to providers in the states that operators deal with, for tests that only need one.
import assert from 'node:assert/strict'
import type { TestApp } from './helpers.ts'
import { register } from './people.ts'

/** A prompt that nobody answers. Returns the id of the operation. */
export async function waitingOrder(server: TestApp): Promise<string> {
  const person = await register(server)
  const body = { amount: 1_000, currency: 'UGX', method: 'mtn', phone: '+256772345999' }
  const reply = await person.call('POST', '/api/deposit/initiate', body)
  assert.equal(reply.status, 200, reply.text)
  const { operations } = server.dependencies
  const [found] = await operations.list({ q: reply.body.data.reference, limit: 1 })
  assert.ok(found)
  return found.id
}

/** The provider confirmed another amount than was asked for. Returns the id of the money. */
export async function unmatchedMoney(server: TestApp): Promise<string> {
  const id = await waitingOrder(server)
  const { operations } = server.dependencies
  await operations.learn(id, { state: 'completed', amount: { minor: 999n, currency: 'UGX' } })
  const row = await server.db.row<{ id: string }>(
    'select id from funding.unmatched where operation_id = $1',
    [id],
  )
  assert.ok(row)
  return row.id
}

/** A day that was compared. Returns the id of the report. */
export const matchedDay = ({ dependencies, clock }: TestApp): Promise<string> =>
  dependencies.funding.match({ provider: 'mtn', mode: 'live', day: clock.now().toISOString().slice(0, 10) })
