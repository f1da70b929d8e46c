// A payout that the provider gives back after it had succeeded: its money is kept where operators see it, once, and goes back
// into the wallet that it came from, with the fee.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { newBusiness } from '../../test/businesses.ts'
import { decider, openFundingStage, withdraw } from '../../test/funding-stage.ts'
import { facts, lettersTo, wantReceipts } from '../../test/letters.ts'
import { quiet } from '../../test/open-orders.ts'
import { register, type TestPerson } from '../../test/people.ts'
import { AppError } from '../base/errors.ts'
import type { Operation } from '../operations/operations.ts'

const { server, rich, balanceOf, operationOf } = await openFundingStage()
const { dependencies, clock } = server
const { operations, funding } = dependencies

async function withdrawn(person: TestPerson, { lost = false } = {}): Promise<Operation> {
  const account = '058-0123456567'
  server.simulator.knobs({ lost: lost ? 1 : 0 })
  const reply = await withdraw(person, { amount: 500, currency: 'NGN', method: 'paystack', account })
  assert.equal(reply.status, 200, reply.text)
  await quiet(server)
  server.simulator.knobs({ lost: 0 })
  return operationOf(reply.body.data.reference)
}

/** Paystack's webhook, as often as it likes. */
async function reverse({ id }: Operation, times = 1): Promise<void> {
  const data = { reference: id, status: 'reversed', amount: 50_000, currency: 'NGN' }
  const body = Buffer.from(JSON.stringify({ event: 'transfer.reversed', data }))
  const signature = createHmac('sha512', 'sk_test_simulator').update(body).digest('hex')
  const came = { method: 'POST', headers: { 'x-paystack-signature': signature }, body }
  const call = () => operations.deliveries.toProvider({ provider: 'paystack', mode: 'live' }, came)
  await Promise.all(Array.from({ length: times }, call))
  await operations.deliveries.idle()
}

const keptOf = async ({ id }: Operation) =>
  (await funding.listUnmatched({ status: null, provider: 'paystack', before: undefined, limit: 100 })).filter(
    ({ operation_id }) => operation_id === id,
  )

describe('a withdrawal that came back', () => {
  test('is kept once, is returned by nobody, and an operator gives it back with its fee', async () => {
    const person = await rich('1000', 'NGN')
    const operation = await withdrawn(person)
    assert.equal(operation.state, 'completed')
    assert.deepEqual(await balanceOf(person, 'NGN'), [49_500n, 0n])
    await reverse(operation, 3)
    await reverse(operation)
    const kept = await keptOf(operation)
    assert.deepEqual(
      kept.map(({ why, amount, meant_for, due_at }) => [why, amount, meant_for, due_at]),
      [['came_back', 50_000n, operation.reference, null]],
    )
    const { state, trouble, stuckSince } = await operationOf(operation.reference)
    assert.deepEqual([state, trouble], ['completed', 'completed, and afterwards the money came back'])
    assert.ok(stuckSince)
    clock.advance(10 * 86_400)
    assert.equal(await funding.returnDue(), 0)
    assert.deepEqual(await balanceOf(person, 'NGN'), [49_500n, 0n])
    await funding.matchToWallet({ id: kept[0]?.id ?? '', user: person.id, decider })
    assert.deepEqual(await balanceOf(person, 'NGN'), [100_000n, 0n])
    await reverse(operation)
    assert.deepEqual(
      (await keptOf(operation)).map(({ status }) => status),
      ['matched'],
    )
    assert.deepEqual(await balanceOf(person, 'NGN'), [100_000n, 0n])
  })

  test('sent once more by an operator: never again by itself when that fails, with its fee when that comes back', async () => {
    const person = await rich('1000', 'NGN')
    const operation = await withdrawn(person)
    await reverse(operation)
    const [kept] = await keptOf(operation)
    const sendBack = async (outcome: 'completed' | 'failed') => {
      server.simulator.knobs({ lost: 1 })
      const { id } = await funding.giveBack({ id: kept?.id ?? '', decider })
      server.simulator.knobs({ lost: 0 })
      const failure = { state: 'failed', code: 'recipient_not_found', detail: 'no such account' } as const
      const success = { state: 'completed', amount: { minor: 50_000n, currency: 'NGN' } } as const
      return operations.learn(id, outcome === 'failed' ? failure : success)
    }
    await sendBack('failed')
    const [failed] = await keptOf(operation)
    assert.deepEqual([failed?.status, failed?.returns_failed, failed?.due_at], ['open', 1, null])
    const sent = await sendBack('completed')
    assert.equal((await keptOf(operation))[0]?.status, 'returned')
    await reverse(sent)
    const [again] = await keptOf(sent)
    await funding.matchToWallet({ id: again?.id ?? '', user: person.id, decider })
    assert.deepEqual(await balanceOf(person, 'NGN'), [100_000n, 0n])
  })

  test('given to somebody else it has no fee', async () => {
    const operation = await withdrawn(await rich('1000', 'NGN'))
    await reverse(operation)
    const other = await register(server)
    const [kept] = await keptOf(operation)
    await funding.matchToWallet({ id: kept?.id ?? '', user: other.id, decider })
    assert.deepEqual(await balanceOf(other, 'NGN'), [50_000n, 0n])
  })

  test('who wants receipts gets one for each part, by its reference in the history', async () => {
    const person = await rich('1000', 'NGN')
    const operation = await withdrawn(person)
    await reverse(operation)
    await wantReceipts(server, [person])
    const [kept] = await keptOf(operation)
    await funding.matchToWallet({ id: kept?.id ?? '', user: person.id, decider })
    const letters = await lettersTo(server, person)
    assert.deepEqual(
      letters.map(({ subject }) => subject),
      ['You received NGN 500.00', 'You received NGN 5.00'],
    )
    const { body } = await person.call('GET', '/api/transactions?limit=2')
    const shown = body.data.map(({ reference }: { reference: string }) => `money_in ${reference}`)
    assert.deepEqual(facts(letters), shown.reverse())
  })

  test('pays for nothing in a shop: it is somebody’s already', async () => {
    const person = await rich('1000', 'NGN')
    const operation = await withdrawn(person)
    await reverse(operation)
    const [kept] = await keptOf(operation)
    const business = await newBusiness(server)
    const asked = await business.callLive('POST', '/api/pay', { amount: 500, currency: 'NGN' })
    const text = asked.body.data.reference
    const payment = await dependencies.payments.find({ merchant: business.id, mode: 'live', text })
    assert.ok(payment)
    await assert.rejects(dependencies.payments.matchUnmatched({ id: kept?.id ?? '', payment, decider }), {
      code: 'invalid_state',
    })
    assert.deepEqual(
      (await keptOf(operation)).map(({ status }) => status),
      ['open'],
    )
  })

  test('in part: what was never paid and what came back are two', async () => {
    const operation = await withdrawn(await rich('1000', 'NGN'), { lost: true })
    await operations.learn(operation.id, { state: 'completed', amount: { minor: 40_000n, currency: 'NGN' } })
    await reverse(operation)
    const kept = (await keptOf(operation)).map(({ why, amount }) => `${why} ${amount}`)
    assert.deepEqual(kept.sort(), ['came_back 40000', 'paid_out_less 10000'])
  })

  test('while no money can be moved, for a whole day: it is kept when that is over', async () => {
    const operation = await withdrawn(await rich('1000', 'NGN'))
    const { post } = server.ledger
    server.ledger.post = () => Promise.reject(new AppError('unavailable'))
    await reverse(operation)
    for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
      clock.advance(600)
      await operations.deliveries.workDue(20).catch(() => undefined)
    }
    server.ledger.post = post
    assert.deepEqual(await keptOf(operation), [])
    clock.advance(3_600)
    await operations.deliveries.workDue(20)
    assert.equal((await keptOf(operation)).length, 1)
  })

  test('before it was ended: it ends first', async () => {
    const person = await rich('1000', 'NGN')
    const operation = await withdrawn(person, { lost: true })
    // As a process leaves it that dies between the two.
    await server.db.rows(
      `update operations.operations set decided = 'completed', decided_at = now(), confirmed_amount = amount,
         confirmed_currency = currency where id = $1`,
      [operation.id],
    )
    await reverse(operation)
    const after = await operationOf(operation.reference)
    assert.equal(after.state, 'completed')
    assert.ok(after.stuckSince)
    assert.equal((await keptOf(operation)).length, 1)
    assert.deepEqual(await balanceOf(person, 'NGN'), [49_500n, 0n])
  })

  test('before it had succeeded: it has failed, and the money was never gone', async () => {
    const person = await rich('1000', 'NGN')
    const operation = await withdrawn(person, { lost: true })
    await reverse(operation)
    assert.equal((await operationOf(operation.reference)).state, 'failed')
    assert.deepEqual(await keptOf(operation), [])
    assert.deepEqual(await balanceOf(person, 'NGN'), [100_000n, 0n])
  })
})

test('the comparison of the day finds nothing strange in our own books', async () => {
  clock.set(new Date().toISOString())
  const operation = await withdrawn(await rich('1000', 'NGN'))
  await reverse(operation)
  const day = clock.now().toISOString().slice(0, 10)
  const report = await funding.seeMatch(await funding.match({ provider: 'paystack', mode: 'live', day }))
  assert.deepEqual(
    report?.differences.filter(({ operation_id }) => operation_id === operation.id).map(({ kind }) => kind),
    [],
  )
})
