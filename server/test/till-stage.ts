// One process at a time for the tests of the engine, on the database of a test file, with a scripted provider.
import assert from 'node:assert/strict'
import * as audit from '../src/audit/audit.ts'
import type { Operation } from '../src/operations/operations.ts'
import { type TestDatabase, testDatabase } from './helpers.ts'
import {
  type AdapterOptions,
  type Ordered,
  type Said,
  type ScriptedProvider,
  scriptedAdapter,
  scriptedProvider,
} from './scripted-provider.ts'
import { baseUrl, closeLedgers, openTill, type Till } from './tills.ts'

export type StagedTill = Till & { user: string }

export interface Stage {
  database: TestDatabase
  provider: ScriptedProvider
  /** A process of its own, and nothing left to do from before. */
  open(options?: AdapterOptions & { answerMs?: number }): Promise<StagedTill>
  /** Another process beside it. */
  second(till: Till): Till
  orderOf(operation: Operation): Ordered
  /** The provider calls, and what follows is done. */
  call(till: Till, operation: Operation, said: Said & { signed?: string; id?: string }): Promise<void>
}

/** To be called once, at the top of a test file. */
export async function openStage(): Promise<Stage> {
  const database = await testDatabase()
  const provider = await scriptedProvider()
  closeLedgers()
  let people = 0
  const orderOf = ({ id }: Operation): Ordered => {
    const order = provider.orders.find((one) => one.id === id)
    assert.ok(order)
    return order
  }
  return {
    database,
    provider,
    open: async (options = {}) => {
      const { answerMs } = options
      const till = openTill({ url: database.url, provider, adapter: scriptedAdapter(options), answerMs })
      await till.db.rows('update operations.operations set due_at = null, stuck_since = null')
      await till.db.rows(
        `update operations.deliveries set due_at = null, result = 'left' where due_at is not null`,
      )
      provider.next = []
      provider.nextAsk = []
      people++
      return { ...till, user: `usr_${people}` }
    },
    second: ({ clock }) => openTill({ url: database.url, provider, clock }),
    orderOf,
    call: async (till, operation, { signed, ...said }) => {
      const reply = await till.operations.deliveries.toOperation(tokenIn(orderOf(operation)), {
        method: 'POST',
        headers: signed === undefined ? {} : { 'x-signed': signed },
        body: Buffer.from(JSON.stringify(said)),
      })
      assert.deepEqual(reply, { status: 200, body: '{"taken":true}' })
      await till.operations.deliveries.idle()
    },
  }
}

export const begin = async (till: StagedTill, given: Parameters<Till['collect']>[0] = {}) =>
  till.operations.start((await till.collect({ subject: till.user, ...given })).id)

export const now = async ({ operations }: Till, { id }: { id: string }): Promise<Operation> => {
  const operation = await operations.find(id)
  assert.ok(operation)
  return operation
}

export const tokenIn = ({ callback }: Ordered): string => callback.slice(`${baseUrl}/hooks/p/`.length)

/** What the audit log has about it. */
export const suspicions = async ({ db }: Till, { id }: Operation): Promise<string[]> =>
  (await audit.search(db, { object: id, limit: 100 })).map(({ action, details }) => {
    const { why = '', trouble = '' } = details as { why?: string; trouble?: string }
    return `${action}: ${why}${trouble}`
  })

export const paid: Said = { state: 'completed', receipt: 'R1' }
