// Any process may die at any step, and several work on one database at the same time: whatever happens, an order reaches
// the provider once where that matters, ends once, and its money moves once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reconcile, testDatabase } from '../../test/helpers.ts'
import {
  type AdapterOptions,
  does,
  type Ordered,
  type Said,
  scriptedAdapter,
  scriptedProvider,
} from '../../test/scripted-provider.ts'
import { balanceOf, baseUrl, closeLedgers, openTill, type Till } from '../../test/tills.ts'
import type { Operation } from './operations.ts'

const database = await testDatabase()
const provider = await scriptedProvider()
closeLedgers()
let people = 0

const paid: Said = { state: 'completed', receipt: 'R1' }

/** Two processes on one database, and nothing left to do from before. The first one will die. */
async function stage(options: AdapterOptions = {}): Promise<{ first: Till; second: Till; user: string }> {
  const adapter = scriptedAdapter(options)
  const answerMs = 10_000
  const first = openTill({ url: database.url, provider, adapter, answerMs })
  const second = openTill({ url: database.url, provider, adapter, answerMs, clock: first.clock })
  await second.db.rows('update operations.operations set due_at = null')
  provider.next = []
  provider.nextAsk = []
  return { first, second, user: `usr_${people++}` }
}

const now = async ({ operations }: Till, { id }: { id: string }): Promise<Operation> => {
  const operation = await operations.find(id)
  assert.ok(operation)
  return operation
}

/** Everything that is due in the next minutes. */
async function recover({ operations, clock }: Till, { minutes = 3 } = {}): Promise<void> {
  for (let steps = 0; steps < minutes * 6; steps++) {
    clock.advance(10)
    await operations.askDue()
    await operations.deliveries.workDue(10)
  }
}

const came = (said: Said, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers,
  body: Buffer.from(JSON.stringify(said)),
})
const tokenIn = ({ callback }: Ordered): string => callback.slice(`${baseUrl}/hooks/p/`.length)
const orderOf = ({ id }: { id: string }): Ordered => {
  const order = provider.orders.find((one) => one.id === id)
  assert.ok(order)
  return order
}

describe('a process dies', () => {
  test('after the order was written, before it was sent: another one sends it', async () => {
    const { first, second, user } = await stage({ idempotent: false })
    const operation = await first.collect({ subject: user })
    first.kill()
    await recover(second, { minutes: 1 })
    assert.equal(provider.countOf(operation.id), 1)
    assert.equal((await now(second, operation)).state, 'pending')
  })

  test('and nobody comes for a long time: a person is not asked to pay then, but a payout goes out', async () => {
    const { first, second, user } = await stage()
    const collect = await first.collect({ subject: user })
    const payout = await first.collect({ subject: user, kind: 'payout', purpose: 'withdrawal' })
    first.kill()
    second.clock.advance(3_600)
    await second.operations.askDue()
    assert.equal((await now(second, collect)).failure?.code, 'provider_unavailable')
    assert.equal(provider.countOf(collect.id), 0)
    assert.equal((await now(second, payout)).state, 'pending')
    assert.equal(provider.countOf(payout.id), 1)
  })

  for (const idempotent of [true, false]) {
    const kind = idempotent ? 'an order with an id' : 'an order without one'
    test(`while it sends ${kind}, which arrives: it is asked for, not sent again`, async () => {
      const { first, second, user } = await stage({ idempotent })
      const operation = await first.collect({ subject: user })
      const arrived = new Promise<void>((resolve) => {
        provider.next = [
          ({ order, response, request }) => {
            first.kill()
            provider.book.set(order.id, paid)
            does.says({ state: 'pending' })({ order, response, request })
            resolve()
          },
        ]
      })
      void first.operations.start(operation.id)
      await arrived
      assert.equal((await now(second, operation)).state, 'sending')
      // As long as the first may be alive, nobody interferes.
      second.clock.advance(59)
      assert.equal(await second.operations.askDue(), 0)
      await recover(second)
      assert.equal((await now(second, operation)).state, 'completed')
      assert.equal(provider.countOf(operation.id), 1)
      assert.equal(await balanceOf(second, user), 5_000n)
    })

    test(`while it sends ${kind}, which never arrives: ${idempotent ? 'sent again' : 'failed in the end'}`, async () => {
      const { first, second, user } = await stage({ idempotent })
      const operation = await first.collect({ subject: user })
      // It said that it sends, and then was gone.
      const claimed = await first.db.rows(
        `update operations.operations set state = 'sending', sends = 1, sent_at = $2, first_sent_at = $2, due_at = $3
         where id = $1 returning id`,
        [operation.id, first.clock.now(), new Date(first.clock.now().getTime() + 60_000)],
      )
      assert.equal(claimed.length, 1)
      first.kill()
      await recover(second, { minutes: 6 })
      const after = await now(second, operation)
      assert.equal(provider.countOf(operation.id), idempotent ? 1 : 0)
      assert.equal(after.failure?.code ?? after.state, idempotent ? 'pending' : 'provider_error')
    })
  }

  test('after the provider has said how it ended, before the money moved', async () => {
    const { first, second, user } = await stage()
    const operation = await first.collect({ subject: user })
    provider.next = [does.says(paid)]
    await new Promise<void>((resolve) => {
      first.nextEnding.push(async () => {
        first.kill()
        resolve()
      })
      void first.operations.start(operation.id)
    })
    const between = await now(second, operation)
    assert.equal(between.endedAt, null)
    assert.equal(await balanceOf(second, user), 0n)
    await recover(second)
    assert.equal((await now(second, operation)).state, 'completed')
    assert.equal(await balanceOf(second, user), 5_000n)
    assert.equal(provider.countOf(operation.id), 1)
  })

  test('after a callback was answered, before it was worked on', async () => {
    const { first, second, user } = await stage()
    const operation = await first.operations.start((await first.collect({ subject: user })).id)
    provider.book.set(operation.id, paid)
    const asked = new Promise<void>((resolve) => {
      provider.nextAsk = [
        ({ order, response, request }) => {
          first.kill()
          does.says(paid)({ order, response, request })
          resolve()
        },
      ]
    })
    const reply = await first.operations.deliveries.toOperation(tokenIn(orderOf(operation)), came(paid))
    assert.deepEqual(reply, { status: 200, body: '{"taken":true}' })
    await asked
    await second.db.rows('update operations.operations set due_at = null where id = $1', [operation.id])
    second.clock.advance(31)
    assert.equal(await second.operations.deliveries.workDue(10), 1)
    assert.equal((await now(second, operation)).state, 'completed')
    assert.equal(await balanceOf(second, user), 5_000n)
  })

  test('and comes back: what it heard meanwhile does no harm', async () => {
    const { first, second, user } = await stage()
    const operation = await first.collect({ subject: user })
    let answer = () => undefined as unknown
    const arrived = new Promise<void>((resolve) => {
      provider.next = [
        (given) => {
          answer = () => does.says({ state: 'failed', code: 'expired' })(given)
          resolve()
        },
      ]
    })
    const slow = openTill({ url: database.url, provider, clock: first.clock, answerMs: 60_000 })
    const starting = slow.operations.start(operation.id)
    await arrived
    // Taken for dead, and its order is found to be paid.
    provider.book.set(operation.id, paid)
    await recover(second, { minutes: 2 })
    assert.equal((await now(second, operation)).state, 'completed')
    answer()
    const seen = await starting
    assert.equal(seen.state, 'completed')
    assert.equal(await balanceOf(second, user), 5_000n)
  })
})

describe('a process is stopped for a while, and goes on', () => {
  /** Between saying that it sends and sending; meanwhile others take it for dead. */
  async function frozen({ idempotent }: { idempotent: boolean }) {
    const { first, second, user } = await stage({ idempotent })
    const operation = await first.collect({ subject: user })
    let goOn = () => undefined as unknown
    const stopped = new Promise<void>((resolve) => {
      provider.nextToken = () => {
        resolve()
        return new Promise<void>((free) => {
          goOn = free
        })
      }
    })
    const starting = first.operations.start(operation.id)
    await stopped
    provider.nextToken = undefined
    return { second, operation, starting, goOn: () => goOn() }
  }

  test('it sends nothing any more, when it may have been given up', async () => {
    const { second, operation, starting, goOn } = await frozen({ idempotent: false })
    await recover(second, { minutes: 6 })
    assert.equal((await now(second, operation)).failure?.code, 'provider_error')
    goOn()
    await starting
    assert.equal(provider.countOf(operation.id), 0)
  })

  test('that it sent nothing is no failure of what somebody else has sent', async () => {
    const { second, operation, starting, goOn } = await frozen({ idempotent: true })
    await recover(second, { minutes: 2 })
    assert.equal((await now(second, operation)).state, 'pending')
    goOn()
    assert.equal((await starting).state, 'pending')
    assert.equal(provider.countOf(operation.id), 1)
  })
})

describe('two processes at once', () => {
  test('callbacks, questions and answers of many orders: each ends once', async () => {
    const { first, second, user } = await stage()
    const orders = await Promise.all(Array.from({ length: 30 }, async () => first.collect({ subject: user })))
    await Promise.all(orders.map(({ id }) => first.operations.start(id)))
    for (const [index, { id }] of orders.entries())
      provider.book.set(id, index % 3 === 0 ? { state: 'failed', code: 'wrong_pin' } : paid)
    first.clock.advance(10)
    const calls = orders.flatMap((operation) => {
      const said = provider.book.get(operation.id) ?? paid
      const token = tokenIn(orderOf(operation))
      return [
        first.operations.deliveries.toOperation(token, came(said)),
        second.operations.deliveries.toOperation(token, came(said, { 'x-signed': 'yes' })),
        second.operations.deliveries.toOperation(token, came(said)),
      ]
    })
    await Promise.all([...calls, first.operations.askDue(), second.operations.askDue()])
    await Promise.all([first.operations.deliveries.idle(), second.operations.deliveries.idle()])
    const ends = await Promise.all(orders.map((operation) => now(first, operation)))
    assert.deepEqual(
      ends.map(({ state }) => state),
      orders.map((_, index) => (index % 3 === 0 ? 'failed' : 'completed')),
    )
    assert.equal(await balanceOf(first, user), 20n * 5_000n)
  })

  test('what is due is taken by one of them', async () => {
    const { first, second, user } = await stage()
    const orders = await Promise.all(
      Array.from({ length: 20 }, async () =>
        first.operations.start((await first.collect({ subject: user })).id),
      ),
    )
    first.clock.advance(6)
    const before = provider.questions.length
    const taken = await Promise.all([first.operations.askDue(), second.operations.askDue()])
    assert.equal(taken[0] + taken[1], orders.length)
    assert.equal(provider.questions.length - before, orders.length)
  })

  test('an owner who is told by both moves the money once', async () => {
    const { first, second, user } = await stage()
    const operation = await first.operations.start((await first.collect({ subject: user })).id)
    first.nextEnding.push(async () => undefined)
    const token = tokenIn(orderOf(operation))
    await first.operations.deliveries.toOperation(token, came(paid, { 'x-signed': 'yes' }))
    await first.operations.deliveries.idle()
    await Promise.all([first.operations.lookAfter(operation.id), second.operations.lookAfter(operation.id)])
    assert.ok((await now(first, operation)).endedAt)
    assert.equal(await balanceOf(first, user), 5_000n)
  })
})

test('the books are right after all that', async () => {
  await reconcile({ url: database.adminUrl })
})
