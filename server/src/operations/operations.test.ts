// What the engine promises: an operation ends once, with its money; it is never sent again when that is not safe; and an
// unclear answer is never a failure.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reconcile, testClock } from '../../test/helpers.ts'
import { does, type Said } from '../../test/scripted-provider.ts'
import { begin, now, openStage, paid, type StagedTill, tokenIn } from '../../test/till-stage.ts'
import { balanceOf, openTill } from '../../test/tills.ts'
import * as audit from '../audit/audit.ts'
import type { Operation } from './operations.ts'

const stage = await openStage()
const { provider, database } = stage

describe('what the provider does with an order', () => {
  const table: [name: string, how: Parameters<typeof does.says>[0] | (() => unknown), state: string][] = [
    ['accepts it', { state: 'pending' }, 'pending'],
    ['has done it at once', { state: 'completed' }, 'completed'],
    ['refuses it', { state: 'failed', code: 'payer_limit_reached' }, 'failed payer_limit_reached'],
    ['answers garbage', { state: 'garbage' }, 'unknown'],
    ['does not know what it just got', { state: 'absent' }, 'unknown'],
    ['says that it has it already', { state: 'failed', code: 'duplicate_transaction' }, 'unknown'],
  ]
  for (const [name, said, expected] of table) {
    test(`${name}: ${expected}`, async () => {
      const till = await stage.open()
      provider.next = [does.says(said as Said)]
      await check(till, expected)
    })
  }

  const troubles = {
    'answers 500': [does.sends('{"state":"failed"}', 500), 'unknown'],
    'answers with a page': [does.sends('<html>Bad gateway</html>', 502), 'unknown'],
    'says nothing at all': [does.hangs, 'unknown'],
    'hangs up': [does.resets, 'unknown'],
    'breaks off': [does.breaksOff, 'unknown'],
    'sends us elsewhere': [does.redirects, 'unknown'],
    'talks for ever': [does.neverEnds, 'unknown'],
  } as const
  for (const [name, [how, expected]] of Object.entries(troubles)) {
    test(`${name}: ${expected}`, async () => {
      const till = await stage.open()
      provider.next = [how]
      const operation = await check(till, expected)
      assert.equal(provider.countOf(operation.id), 1)
      // And what it truly did comes out.
      provider.book.set(operation.id, paid)
      till.clock.advance(6)
      await till.operations.askDue()
      assert.equal((await now(till, operation)).state, 'completed')
      assert.equal(await balanceOf(till, till.user), 5_000n)
    })
  }

  async function check(till: StagedTill, expected: string): Promise<Operation> {
    const operation = await begin(till)
    const { state, failure } = operation
    assert.equal(failure === null ? state : `${state} ${failure.code}`, expected)
    assert.equal(await balanceOf(till, till.user), state === 'completed' ? 5_000n : 0n)
    assert.equal(operation.endedAt !== null, state === 'completed' || state === 'failed')
    return operation
  }

  test('can not be reached: it failed, and nothing was sent', async () => {
    const nowhere = { settings: { ...provider.settings, baseUrl: 'http://127.0.0.1:1' } }
    const clock = testClock()
    const till = { ...openTill({ url: database.url, provider: nowhere, clock }), user: 'usr_nowhere' }
    const operation = await begin(till)
    assert.equal(operation.state, 'failed')
    assert.equal(operation.failure?.code, 'provider_unavailable')
    const tries = await till.operations.exchangesOf(operation.id)
    assert.ok(tries.length >= 2, 'a connection that can not be made is tried again')
    assert.ok(tries.every(({ what, problem }) => what === 'token' && problem !== null))
  })

  test('refuses the token: a new one is fetched, and the order made once', async () => {
    const till = await stage.open()
    await begin(till)
    provider.spoilTokens()
    const operation = await begin(till)
    assert.equal(operation.state, 'pending')
    assert.equal(provider.countOf(operation.id), 1)
    const made = await till.operations.exchangesOf(operation.id)
    assert.deepEqual(made.map(({ what, status }) => `${what} ${status}`).reverse(), [
      'start 401',
      'token 200',
      'start 200',
    ])
  })

  test('many orders at once need one token', async () => {
    const till = await stage.open()
    const before = provider.tokens
    await Promise.all(Array.from({ length: 10 }, () => begin(till)))
    assert.equal(provider.tokens - before, 1)
  })
})

describe('what is sent again', () => {
  test('starting twice sends once', async () => {
    const till = await stage.open()
    const other = stage.second(till)
    const { id } = await till.collect({ subject: till.user })
    await Promise.all([till.operations.start(id), other.operations.start(id), till.operations.start(id)])
    assert.equal(provider.countOf(id), 1)
  })

  test('what the provider takes once, and surely has not: with the same id', async () => {
    const till = await stage.open({ idempotent: true })
    provider.next = [does.hangs]
    const operation = await begin(till)
    assert.equal(operation.state, 'unknown')
    till.clock.advance(6)
    await till.operations.askDue()
    assert.equal(provider.countOf(operation.id), 2)
    assert.equal((await now(till, operation)).state, 'pending')
  })

  test('a few times at most, and then it has failed', async () => {
    const till = await stage.open({ idempotent: true })
    provider.next = Array.from({ length: 20 }, () => does.hangs)
    const operation = await begin(till)
    for (let seconds = 0; seconds < 400; seconds += 10) {
      till.clock.advance(10)
      await till.operations.askDue()
    }
    assert.equal(provider.countOf(operation.id), 3)
    assert.equal((await now(till, operation)).failure?.code, 'provider_error')
  })

  test('a refusal of what was sent again says nothing of the first time', async () => {
    const till = await stage.open({ idempotent: true })
    provider.next = [does.hangs, does.says({ state: 'failed', code: 'provider_unavailable' })]
    const operation = await begin(till)
    till.clock.advance(6)
    await till.operations.askDue()
    assert.equal((await now(till, operation)).state, 'unknown')
    provider.book.set(operation.id, paid)
    till.clock.advance(60)
    await till.operations.askDue()
    assert.equal((await now(till, operation)).state, 'completed')
    assert.equal(await balanceOf(till, till.user), 5_000n)
  })

  test('never what might be done twice; when it is surely not there it has failed', async () => {
    const till = await stage.open({ idempotent: false })
    provider.next = [does.resets]
    const operation = await begin(till)
    till.clock.advance(6)
    await till.operations.askDue()
    assert.equal((await now(till, operation)).state, 'unknown')
    for (let minutes = 0; minutes < 3; minutes++) {
      till.clock.advance(61)
      await till.operations.ask(operation.id)
    }
    const after = await now(till, operation)
    assert.equal(after.failure?.code, 'provider_error')
    assert.equal(provider.countOf(operation.id), 1)
    assert.equal(await balanceOf(till, till.user), 0n)
  })

  test('nor what has no name yet: it waits for its callback, and after a day for an operator', async () => {
    const till = await stage.open({ idempotent: false, byReference: true })
    provider.next = [does.hangs, does.hangs]
    const [called, silent] = [await begin(till), await begin(till)]
    till.clock.advance(3_600)
    await till.operations.askDue()
    provider.book.set(called.id, { ...paid, reference: 'ws_1' })
    await stage.call(till, called, { ...paid, reference: 'ws_1' })
    assert.equal((await now(till, called)).state, 'completed')
    assert.equal(provider.countOf(silent.id), 1)
    till.clock.advance(86_400)
    await till.operations.askDue()
    const stuck = await now(till, silent)
    assert.equal(stuck.state, 'unknown')
    assert.ok(stuck.stuckSince)
    assert.deepEqual(
      (await till.operations.list({ stuck: true, limit: 10 })).map(({ id }) => id),
      [silent.id],
    )
  })

  test('what was accepted never fails because the provider forgot it', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    provider.book.delete(operation.id)
    for (let minutes = 0; minutes < 10; minutes++) {
      till.clock.advance(60)
      await till.operations.ask(operation.id)
    }
    assert.equal((await now(till, operation)).state, 'pending')
    assert.equal(provider.countOf(operation.id), 1)
  })
})

describe('ending', () => {
  test('an owner who fails is told again, until it has ended; money moves once', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    const fails = async () => {
      throw new Error('the owner is not well')
    }
    till.nextEnding.push(fails, fails)
    await stage.call(till, operation, { ...paid, signed: 'yes' })
    assert.equal((await now(till, operation)).endedAt, null)
    till.clock.advance(5)
    assert.equal(await till.operations.askDue(), 1)
    till.clock.advance(10)
    assert.equal(await till.operations.askDue(), 1)
    assert.ok((await now(till, operation)).endedAt)
    assert.equal(await balanceOf(till, till.user), 5_000n)
  })

  test('one that can not be ended is shown to operators', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    till.nextEnding.push(...Array.from({ length: 5 }, () => async () => undefined))
    await stage.call(till, operation, { ...paid, signed: 'yes' })
    for (let times = 0; times < 4; times++) {
      till.clock.advance(300)
      await till.operations.askDue()
    }
    const stuck = await now(till, operation)
    assert.ok(stuck.stuckSince)
    assert.match(stuck.trouble ?? '', /could not be ended/)
    till.clock.advance(300)
    await till.operations.askDue()
    const after = await now(till, operation)
    assert.ok(after.endedAt)
    assert.equal(after.stuckSince, null)
  })

  test('an operator decides what nobody knows, with an event in the audit log', async () => {
    const till = await stage.open()
    const [lost, found] = [await begin(till), await begin(till)]
    const by = { operator: 'usr_op', reason: 'the provider says so on the phone' }
    await till.operations.resolve(lost.id, { outcome: { state: 'failed', detail: 'never paid' }, ...by })
    await till.operations.resolve(found.id, { outcome: { state: 'completed', receipt: 'R9' }, ...by })
    assert.equal((await now(till, lost)).failure?.code, 'provider_error')
    assert.equal((await now(till, found)).receipt, 'R9')
    assert.equal(await balanceOf(till, till.user), 5_000n)
    const events = await audit.search(till.db, { object: found.id, limit: 10 })
    assert.deepEqual(
      events.map(({ actor, action }) => [actor.id, action]),
      [['usr_op', 'operation.resolved']],
    )
    await assert.rejects(
      till.operations.resolve(lost.id, { outcome: { state: 'completed' }, ...by }),
      /has ended/,
    )
  })
})

describe('a receipt is of one payment', () => {
  const by = { operator: 'usr_op', reason: 'it is in the portal' }
  const resolved = (till: StagedTill, { id }: Operation, receipt: string) =>
    till.operations.resolve(id, { outcome: { state: 'completed', receipt }, ...by })
  const refused = { code: 'invalid_state', detail: /The receipt \S+ belongs to DP-first, which is completed/ }

  test('an operator can not complete a second one with it', async () => {
    const till = await stage.open()
    const first = await begin(till, { reference: 'DP-first' })
    const second = await begin(till)
    await resolved(till, first, 'ONCE1')
    await assert.rejects(resolved(till, second, 'ONCE1'), refused)
    assert.equal((await now(till, second)).state, 'pending')
    assert.equal(await balanceOf(till, till.user), 5_000n)
    assert.deepEqual(await audit.search(till.db, { object: second.id, limit: 10 }), [])
    await resolved(till, second, 'OWN1')
    assert.equal(await balanceOf(till, till.user), 10_000n)
  })

  test('nor what the provider has told with it', async () => {
    const till = await stage.open()
    const first = await begin(till, { reference: 'DP-first' })
    await stage.call(till, first, { ...paid, receipt: 'ONCE2', signed: 'yes' })
    await assert.rejects(resolved(till, await begin(till), 'ONCE2'), refused)
  })

  test('two operators at once: one of them', async () => {
    const till = await stage.open()
    const orders = [await begin(till), await begin(till), await begin(till)]
    const all = await Promise.allSettled(orders.map((order) => resolved(till, order, 'ONCE3')))
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal(await balanceOf(till, till.user), 5_000n)
  })

  test('a payout may have the number of another', async () => {
    const till = await stage.open()
    await resolved(till, await begin(till), 'ONCE4')
    const payout = await begin(till, { kind: 'payout', purpose: 'withdrawal' })
    await resolved(till, payout, 'ONCE4')
    assert.equal((await now(till, payout)).state, 'completed')
  })
})

test('the database keeps an operation as it is: it ends once, goes forward only, and becomes no other', async () => {
  const till = await stage.open()
  const operation = await begin(till)
  await stage.call(till, operation, { ...paid, signed: 'yes' })
  for (const [change, constraint] of [
    [`state = 'failed', decided = 'failed'`, 'operation_ends_once'],
    ['ended_at = now()', 'operation_ends_once'],
    ['amount = 1', 'operation_stays'],
    [`phone = '+256770000000'`, 'operation_stays'],
    [`state = 'new'`, 'operation_ends_once'],
  ] as const)
    await assert.rejects(
      till.db.rows(`update operations.operations set ${change} where id = $1`, [operation.id]),
      { constraint },
    )
})

test('what is kept of exchanges holds no secret', async () => {
  const till = await stage.open()
  const operation = await begin(till)
  await till.operations.ask(operation.id)
  const kept = JSON.stringify(
    await till.db.rows('select * from operations.exchanges where operation_id = $1', [operation.id]),
    (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
  assert.match(kept, /"5000/)
  for (const secret of ['the-secret-of', 'token-number', '1234"', tokenIn(stage.orderOf(operation))])
    assert.ok(!kept.includes(secret) || secret === '', `no ${secret} is kept`)
  assert.ok(!till.log.text().includes('token-number'))
})

test('the books are right after all that', async () => {
  await reconcile({ url: database.adminUrl })
})
