// Money that a provider confirms and that fits nothing: it is kept where operators see it, matched by one of them, or given
// back after 24 hours; once, whoever comes first.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decider, deposit, openFundingStage, phone, withdraw } from '../../test/funding-stage.ts'
import { quiet } from '../../test/open-orders.ts'
import { register, type TestPerson } from '../../test/people.ts'
import { AppError } from '../base/errors.ts'

const { server, rich, balanceOf, operationOf } = await openFundingStage()
const { dependencies, clock } = server
const { operations, funding } = dependencies

describe('money that fits nothing', () => {
  /** The provider confirms another amount than was asked for. */
  async function confirmOther(person: TestPerson, digits = '567', minor = 7_000n) {
    const { reference } = (await deposit(person, { phone: phone('999') })).body.data
    const operation = await operationOf(reference)
    await operations.learn(operation.id, { state: 'completed', amount: { minor, currency: 'UGX' } })
    const [row] = await funding.listUnmatched({
      status: 'open',
      provider: 'mtn',
      before: undefined,
      limit: 1,
    })
    assert.ok(row)
    await server.db.rows('update funding.unmatched set phone = $2 where id = $1', [row.id, phone(digits)])
    return { row, reference }
  }

  const seen = async (id: string) => {
    const row = await funding.seeUnmatched(id)
    assert.ok(row)
    return row
  }

  test('another amount than was asked for is kept, and given by hand', async () => {
    const person = await register(server)
    const { row, reference } = await confirmOther(person)
    assert.deepEqual(
      [row.why, row.amount, row.meant_for, row.status],
      ['another_amount', 7_000n, reference, 'open'],
    )
    const { body } = await person.call('GET', `/api/transactions/${reference}`)
    assert.equal(body.data.status, 'failed')
    assert.deepEqual(await balanceOf(person), [0n, 0n])
    await funding.matchToWallet({ id: row.id, user: person.id, decider })
    assert.deepEqual(await balanceOf(person), [7_000n, 0n])
    await assert.rejects(funding.matchToWallet({ id: row.id, user: person.id, decider }), {
      code: 'invalid_state',
    })
    await assert.rejects(funding.giveBack({ id: row.id, decider }), { code: 'invalid_state' })
    assert.equal((await seen(row.id)).status, 'matched')
  })

  test('goes back to who paid after 24 hours, and not before', async () => {
    const { row } = await confirmOther(await register(server))
    clock.advance(86_400 - 1)
    assert.equal(await funding.returnDue(), 0)
    clock.advance(1)
    const begun = await Promise.all([funding.returnDue(), funding.returnDue()])
    assert.equal(begun[0] + begun[1], 1, 'once')
    await quiet(server)
    const back = await seen(row.id)
    assert.equal(back.status, 'returned')
    const operation = await operations.find(back.return_operation_id ?? '')
    assert.deepEqual(
      [operation?.kind, operation?.phone, operation?.amount.minor],
      ['payout', phone('567'), 7_000n],
    )
  })

  test('that can not be given back is tried again, three times, and then waits for an operator', async () => {
    const { row } = await confirmOther(await register(server), '089')
    for (let tries = 1; tries <= 3; tries++) {
      clock.advance(86_400)
      assert.equal(await funding.returnDue(), 1)
      await quiet(server)
      const { status, returns_failed, problem, due_at } = await seen(row.id)
      assert.deepEqual([status, returns_failed, due_at === null], ['open', tries, tries === 3])
      assert.match(problem ?? '', /^recipient_not_found/)
    }
    clock.advance(86_400)
    assert.equal(await funding.returnDue(), 0)
    await server.db.rows('update funding.unmatched set phone = $2 where id = $1', [row.id, phone('567')])
    await funding.giveBack({ id: row.id, decider })
    await quiet(server)
    assert.equal((await seen(row.id)).status, 'returned')
  })

  test('is not given back again by itself when the provider first denied and then confirmed it', async () => {
    const { row } = await confirmOther(await register(server), '999')
    const { id } = await funding.giveBack({ id: row.id, decider })
    await operations.learn(id, { state: 'failed', code: 'provider_error', detail: 'no' })
    await operations.learn(id, { state: 'completed', amount: { minor: 7_000n, currency: 'UGX' } })
    clock.advance(86_400)
    assert.equal(await funding.returnDue(), 0)
    const { status, due_at, problem } = await seen(row.id)
    assert.deepEqual([status, due_at], ['open', null])
    assert.match(problem ?? '', /may have arrived/)
  })

  test('is on its way when that is written down, and sent later if it can not be sent yet', async () => {
    const { row } = await confirmOther(await register(server))
    const { start } = operations
    operations.start = () => Promise.reject(new AppError('unavailable', { retryAfter: 1 }))
    const back = await funding.giveBack({ id: row.id, decider }).finally(() => {
      operations.start = start
    })
    assert.deepEqual([back.state, (await seen(row.id)).status], ['new', 'returning'])
    clock.advance(60)
    await operations.askDue()
    await quiet(server)
    assert.equal((await seen(row.id)).status, 'returned')
  })

  test('is decided once: matched and given back at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await register(server)
      const { row } = await confirmOther(person)
      const results = await Promise.allSettled([
        funding.matchToWallet({ id: row.id, user: person.id, decider }),
        funding.giveBack({ id: row.id, decider }),
        funding.matchToWallet({ id: row.id, user: person.id, decider }),
      ])
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      await quiet(server)
      assert.ok(['matched', 'returned'].includes((await seen(row.id)).status))
    }
  })

  /** What the provider has of ours, and what belongs to nobody, in the ledger. */
  async function booked(provider: 'mtn' | 'paystack', currency: 'UGX' | 'NGN') {
    const of = { owner: provider, currency, mode: 'live' } as const
    const [clearing, nobodys] = await server.ledger.balances(server.db, [
      { kind: 'clearing', ...of },
      { kind: 'unmatched', ...of },
    ])
    return { there: -(clearing?.balance ?? 0n), nobodys: nobodys?.balance ?? 0n }
  }

  test('of which less went back than should: the rest is still there, and goes back too', async () => {
    const { row } = await confirmOther(await register(server), '999')
    const before = await booked('mtn', 'UGX')
    const { id } = await funding.giveBack({ id: row.id, decider })
    await operations.learn(id, { state: 'completed', amount: { minor: 5_000n, currency: 'UGX' } })
    const after = await booked('mtn', 'UGX')
    assert.deepEqual([before.there - after.there, before.nobodys - after.nobodys], [5_000n, 5_000n])
    const [rest] = await funding.listUnmatched({
      status: 'open',
      provider: 'mtn',
      before: undefined,
      limit: 1,
    })
    assert.deepEqual(
      [rest?.operation_id, rest?.amount, rest?.why, rest?.phone],
      [id, 2_000n, 'paid_out_less', phone('999')],
    )
    await server.db.rows('update funding.unmatched set phone = $2 where id = $1', [rest?.id, phone('567')])
    await funding.giveBack({ id: rest?.id ?? '', decider })
    await quiet(server)
    assert.equal((await seen(rest?.id ?? '')).status, 'returned')
  })

  test('that was meant for a bank account goes to that account', async () => {
    const person = await rich('100000', 'NGN')
    const order = { amount: 500, currency: 'NGN', method: 'paystack', account: '058-0123456567' }
    // It is sent, and nobody tells what came of it.
    server.simulator.knobs({ lost: 1 })
    const reply = await withdraw(person, order)
    assert.equal(reply.status, 200, reply.text)
    await quiet(server)
    server.simulator.knobs({ lost: 0 })
    const { id } = await operationOf(reply.body.data.reference)
    await operations.learn(id, { state: 'completed', amount: { minor: 40_000n, currency: 'NGN' } })
    const [row] = await funding.listUnmatched({
      status: 'open',
      provider: 'paystack',
      before: undefined,
      limit: 1,
    })
    assert.deepEqual([row?.amount, row?.why], [10_000n, 'paid_out_less'])
    const back = await funding.giveBack({ id: row?.id ?? '', decider })
    assert.deepEqual([back.kind, back.account], ['payout', order.account])
    await quiet(server)
    assert.equal((await seen(row?.id ?? '')).status, 'returned')
  })
})
