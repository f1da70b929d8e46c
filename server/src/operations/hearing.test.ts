// Nobody but the provider, asked by us or signing, says that an operation is done; and what comes after its end is not lost.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reconcile } from '../../test/helpers.ts'
import { does, type Said } from '../../test/scripted-provider.ts'
import { begin, now, openStage, paid, suspicions, tokenIn } from '../../test/till-stage.ts'
import { balanceOf, baseUrl } from '../../test/tills.ts'

const stage = await openStage()
const { provider, database } = stage

describe('callbacks', () => {
  test('one without a signature is a reason to ask; twice is once', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    provider.book.set(operation.id, { state: 'completed' })
    await Promise.all([stage.call(till, operation, paid), stage.call(till, operation, paid)])
    await stage.call(till, operation, paid)
    const after = await now(till, operation)
    assert.equal(after.state, 'completed')
    // The provider tells its receipt in the callback only, and confirmed the rest.
    assert.equal(after.receipt, 'R1')
    assert.equal(await balanceOf(till, till.user), 5_000n)
    assert.deepEqual(await suspicions(till, operation), [])
  })

  test('one that is signed is the truth, and nobody is asked', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    const before = provider.questions.length
    await stage.call(till, operation, { ...paid, signed: 'yes' })
    await stage.call(till, operation, { ...paid, signed: 'yes' })
    assert.equal((await now(till, operation)).receipt, 'R1')
    assert.equal(provider.questions.length, before)
    assert.equal(await balanceOf(till, till.user), 5_000n)
  })

  test('another amount that is confirmed is told to the owner', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    await stage.call(till, operation, { ...paid, minor: '4000', signed: 'yes' })
    const after = await now(till, operation)
    assert.deepEqual(after.confirmed, { minor: 4_000n, currency: 'UGX' })
    assert.equal(await balanceOf(till, till.user), 4_000n)
  })

  const forgeries: [name: string, said: Said & { signed?: string; id?: string }, why: RegExp][] = [
    ['with a wrong signature', { ...paid, signed: 'no' }, /wrong signature/],
    ['of another amount', { ...paid, minor: '9999999' }, /another amount/],
    ['of another operation', { ...paid, id: '00000000-0000-4000-8000-000000000000' }, /another operation/],
  ]
  for (const [name, said, why] of forgeries) {
    test(`a forged one ${name} changes nothing and is in the audit log, once a minute`, async () => {
      const till = await stage.open()
      const operation = await begin(till)
      await stage.call(till, operation, said)
      await stage.call(till, operation, said)
      assert.equal((await now(till, operation)).state, 'pending')
      assert.equal(await balanceOf(till, till.user), 0n)
      const found = await suspicions(till, operation)
      assert.equal(found.length, 1)
      assert.match(found[0] ?? '', why)
      // The true one still counts, and brings its own receipt.
      provider.book.set(operation.id, { state: 'completed' })
      await stage.call(till, operation, { ...paid, receipt: 'TRUE' })
      const after = await now(till, operation)
      assert.equal(after.receipt, 'TRUE')
      assert.equal(await balanceOf(till, till.user), 5_000n)
    })
  }

  const lies: [claim: Said, truth: Said, why: RegExp][] = [
    [paid, { state: 'failed', code: 'wrong_pin' }, /said completed, and the provider says failed/],
    [{ state: 'failed' }, { state: 'completed' }, /said failed, and the provider says completed/],
  ]
  for (const [claim, truth, why] of lies)
    test(`a forged one of ${claim.state} changes nothing, and is known for one when it is ${truth.state}`, async () => {
      const till = await stage.open()
      const operation = await begin(till)
      await stage.call(till, operation, claim)
      await stage.call(till, operation, claim)
      assert.equal((await now(till, operation)).state, 'pending')
      assert.deepEqual(await suspicions(till, operation), [])
      provider.book.set(operation.id, truth)
      await till.operations.ask(operation.id)
      await till.operations.ask(operation.id)
      const after = await now(till, operation)
      assert.deepEqual([after.state, after.receipt], [truth.state, null])
      assert.equal(await balanceOf(till, till.user), truth.state === 'completed' ? 5_000n : 0n)
      const found = await suspicions(till, operation)
      assert.equal(found.length, 1)
      assert.match(found[0] ?? '', why)
    })

  const lagging: [what: string, meanwhile: Said][] = [
    ['still has it under way', { state: 'pending' }],
    ['does not find it', { state: 'absent' }],
  ]
  for (const [what, meanwhile] of lagging)
    test(`a true one is believed later by a provider that ${what}, and its receipt is kept`, async () => {
      const till = await stage.open()
      const operation = await begin(till)
      provider.book.set(operation.id, meanwhile)
      await stage.call(till, operation, paid)
      assert.equal((await now(till, operation)).state, 'pending')
      // Something else is said, and nothing of the end.
      await stage.call(till, operation, { state: 'garbage' })
      provider.book.set(operation.id, { state: 'completed' })
      till.clock.advance(3)
      await till.operations.askDue()
      assert.equal((await now(till, operation)).receipt, 'R1')
      assert.equal(await balanceOf(till, till.user), 5_000n)
      assert.deepEqual(await suspicions(till, operation), [])
    })

  test('one that comes before the answer to the order', async () => {
    const till = await stage.open({ answerMs: 10_000 })
    provider.next = [
      async ({ response, order }) => {
        provider.book.set(order.id, paid)
        const operation = await till.operations.find(order.id)
        assert.ok(operation)
        await stage.call(till, operation, paid)
        does.says({ state: 'pending' })({ response, order, request: response.req })
      },
    ]
    const operation = await begin(till)
    assert.equal(operation.state, 'completed')
    assert.equal(await balanceOf(till, till.user), 5_000n)
  })

  test('one that comes while it is being sent and is not known yet does not send it again', async () => {
    const till = await stage.open({ idempotent: true, answerMs: 10_000 })
    provider.next = [
      async ({ response, order, request }) => {
        const operation = await till.operations.find(order.id)
        assert.ok(operation)
        await stage.call(till, operation, paid)
        does.says({ state: 'pending' })({ response, order, request })
      },
    ]
    const operation = await begin(till)
    assert.equal(operation.state, 'pending')
    assert.equal(provider.countOf(operation.id), 1)
  })

  test('the answer to our own question, at an address of its own, is the truth', async () => {
    const till = await stage.open({ answersLater: true })
    const operation = await begin(till)
    await stage.call(till, operation, paid)
    assert.equal((await now(till, operation)).state, 'pending')
    assert.deepEqual(await suspicions(till, operation), [])
    const { answerUrl = '' } = provider.questions.findLast(({ id }) => id === operation.id) ?? {}
    assert.notEqual(answerUrl, stage.orderOf(operation).callback)
    await till.operations.deliveries.toOperation(answerUrl.slice(`${baseUrl}/hooks/p/`.length), {
      method: 'POST',
      headers: {},
      body: Buffer.from(JSON.stringify({ state: 'completed', minor: '5000' })),
    })
    await till.operations.deliveries.idle()
    const after = await now(till, operation)
    assert.equal(after.state, 'completed')
    assert.equal(after.receipt, 'R1')
    assert.equal(await balanceOf(till, till.user), 5_000n)
  })

  test('whatever comes, in whatever form, is answered and harmless', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    const token = tokenIn(stage.orderOf(operation))
    for (const body of [
      '',
      '\0',
      'null',
      '[]',
      '{"state":"completed"',
      '"completed"',
      '\ud800',
      '{"state":1}',
    ])
      await till.operations.deliveries.toOperation(token, {
        method: 'PUT',
        headers: {},
        body: Buffer.from(body),
      })
    await till.operations.deliveries.idle()
    assert.equal((await now(till, operation)).state, 'pending')
    for (const wrong of ['', 'x', token.slice(1), `${token}x`, 'A'.repeat(43)])
      assert.equal(
        await till.operations.deliveries.toOperation(wrong, {
          method: 'POST',
          headers: {},
          body: Buffer.alloc(0),
        }),
        'nobody',
      )
  })

  test('so many are kept, and no more', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    await stage.call(till, operation, { ...paid, signed: 'yes' })
    const token = tokenIn(stage.orderOf(operation))
    const came = { method: 'POST', headers: {}, body: Buffer.from('{}') }
    for (let index = 0; index < 99; index++) await till.operations.deliveries.toOperation(token, came)
    assert.equal(await till.operations.deliveries.toOperation(token, came), 'nobody')
    await till.operations.deliveries.idle()
  })
})

describe('what comes after the end', () => {
  test('money that was said not to come comes: it is an operation of its own', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    provider.book.set(operation.id, { state: 'failed', code: 'expired' })
    await till.operations.ask(operation.id)
    assert.equal((await now(till, operation)).state, 'failed')
    till.clock.advance(1)
    provider.book.set(operation.id, paid)
    await Promise.all([stage.call(till, operation, paid), stage.call(till, operation, paid)])
    assert.equal((await now(till, operation)).state, 'failed')
    const all = await till.operations.of('deposit', till.user)
    assert.deepEqual(
      all.map(({ state, lateOf }) => [state, lateOf]),
      [
        ['failed', null],
        ['completed', operation.id],
      ],
    )
    assert.equal(await balanceOf(till, till.user), 5_000n)
  })

  test('a forged success of what has failed changes nothing', async () => {
    const till = await stage.open()
    const operation = await begin(till)
    provider.book.set(operation.id, { state: 'failed', code: 'wrong_pin' })
    await till.operations.ask(operation.id)
    await stage.call(till, operation, paid)
    assert.equal((await till.operations.of('deposit', till.user)).length, 1)
    assert.match((await suspicions(till, operation))[0] ?? '', /said completed, and the provider says failed/)
  })

  test('a payout that had failed and has not: operators hear of it', async () => {
    const till = await stage.open()
    const operation = await begin(till, { kind: 'payout', purpose: 'withdrawal' })
    await stage.call(till, operation, { state: 'failed', signed: 'yes' })
    await stage.call(till, operation, { ...paid, signed: 'yes' })
    const after = await now(till, operation)
    assert.equal(after.state, 'failed')
    assert.match(after.trouble ?? '', /afterwards it was said to be completed/)
    assert.deepEqual(
      (await till.operations.list({ stuck: true, limit: 1 })).map(({ id }) => id),
      [operation.id],
    )
    await till.operations.dismiss(operation.id, { operator: 'usr_op', reason: 'paid back by hand' })
    assert.equal((await now(till, operation)).stuckSince, null)
    assert.equal(await balanceOf(till, till.user), 0n)
  })
})

test('a contradiction that comes before the end stays in sight after it', async () => {
  const till = await stage.open()
  await stage.call(till, await begin(till), { ...paid, signed: 'yes' })
  const operation = await begin(till, { kind: 'payout', purpose: 'withdrawal' })
  till.nextEnding.push(...Array.from({ length: 5 }, () => async () => undefined))
  await stage.call(till, operation, { ...paid, signed: 'yes' })
  await stage.call(till, operation, { state: 'failed', signed: 'yes' })
  for (let times = 0; times < 5; times++) {
    till.clock.advance(300)
    await till.operations.askDue()
  }
  const after = await now(till, operation)
  assert.equal(after.state, 'completed')
  assert.match(after.trouble ?? '', /afterwards it was said to have failed/)
  assert.ok(after.stuckSince)
})

test('the books are right after all that', async () => {
  await reconcile({ url: database.adminUrl })
})
