// The daily three-way match: a day on which everything went well has no difference; each way in which the three lists can
// differ is found and named; and what is sure is mended, once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { reconcile, testClock, testLog } from '../../../test/helpers.ts'
import { eventually } from '../../../test/notifications.ts'
import { finish, quiet, shortDelays } from '../../../test/open-orders.ts'
import { fund, register } from '../../../test/people.ts'
import { simulatedApp } from '../../../test/simulated-app.ts'
import type { Moved } from '../../ledger/ledger.ts'
import type { Operation } from '../../operations/operations.ts'
import type { ProviderRecord } from '../../providers/providers.ts'
import { fundingJobs } from '../jobs.ts'
import { differencesOf, openIndex } from './rules.ts'

const at = new Date('2026-03-14T12:00:00Z')
const window = { from: new Date('2026-03-14T00:00:00Z'), to: new Date('2026-03-15T00:00:00Z') }
const ugx = (minor: bigint) => ({ minor, currency: 'UGX' as const })
let made = 0

function operation(given: Partial<Operation> = {}): Operation {
  made += 1
  return {
    id: randomUUID(),
    provider: 'mtn',
    mode: 'live',
    kind: 'collect',
    purpose: 'deposit',
    subject: String(made),
    amount: ugx(100n),
    phone: '+256772345567',
    email: null,
    account: null,
    reference: `DP-7K3M${made}-9WD2X-PB4`,
    about: 'Deposit',
    returnUrl: null,
    originalId: null,
    lateOf: null,
    state: 'completed',
    providerReference: `at-provider-${made}`,
    receipt: `R${made}`,
    redirectUrl: null,
    failure: null,
    confirmed: ugx(100n),
    stuckSince: null,
    trouble: null,
    asks: 0,
    createdAt: at,
    sentAt: at,
    endedAt: at,
    ...given,
  }
}

const recordOf = (of: Operation, given: Partial<ProviderRecord> = {}): ProviderRecord => ({
  kind: of.kind,
  amount: of.amount,
  providerReference: of.providerReference ?? undefined,
  reference: of.reference,
  receipt: of.receipt ?? undefined,
  at,
  ...given,
})

const moveOf = (of: Operation | undefined, given: Partial<Moved> = {}): Moved => ({
  currency: 'UGX',
  amount: of?.kind === 'payout' ? 100n : -100n,
  postingId: 7n,
  kind: 'deposit',
  details: of === undefined ? {} : { operation: of.id },
  createdAt: at,
  ...given,
})

function check(lists: { operations: Operation[]; moves: Moved[]; records: ProviderRecord[] | undefined }) {
  const index = openIndex(lists.operations)
  const records = lists.records?.map((record) => ({ record, operation: index.of(record) }))
  return differencesOf({ window, ...lists, records }).map(({ kind }) => kind)
}

describe('three lists', () => {
  const one = operation()
  const out = operation({ kind: 'payout' })
  const failed = operation({ state: 'failed', confirmed: null })
  const open = operation({ state: 'unknown', confirmed: null, endedAt: null })
  const yesterday = new Date('2026-03-13T23:59:59.999Z')
  const rows: [what: string, lists: Parameters<typeof check>[0], expected: string[]][] = [
    [
      'all agree',
      { operations: [one, out], moves: [moveOf(one), moveOf(out)], records: [recordOf(one), recordOf(out)] },
      [],
    ],
    ['nothing at all', { operations: [], moves: [], records: [] }, []],
    ['the provider tells nothing', { operations: [one], moves: [moveOf(one)], records: undefined }, []],
    ['it is not there', { operations: [one], moves: [moveOf(one)], records: [] }, ['not_at_provider']],
    ['nobody ordered it', { operations: [], moves: [], records: [recordOf(one)] }, ['unknown_to_us']],
    [
      'it moved though it failed',
      { operations: [failed], moves: [], records: [recordOf(failed)] },
      ['moved_though_failed'],
    ],
    ['it moved, and we wait', { operations: [open], moves: [], records: [recordOf(open)] }, ['still_open']],
    [
      'another amount',
      { operations: [one], moves: [moveOf(one)], records: [recordOf(one, { amount: ugx(99n) })] },
      ['amount_differs'],
    ],
    [
      'it moved twice',
      { operations: [one], moves: [moveOf(one)], records: [recordOf(one), recordOf(one)] },
      ['amount_differs'],
    ],
    ['no posting', { operations: [one], moves: [], records: [recordOf(one)] }, ['not_in_ledger']],
    [
      'posted twice',
      { operations: [one], moves: [moveOf(one), moveOf(one)], records: [recordOf(one)] },
      ['ledger_differs'],
    ],
    [
      'posted the wrong way',
      { operations: [out], moves: [moveOf(out, { amount: -100n })], records: [recordOf(out)] },
      ['ledger_differs'],
    ],
    [
      'in two postings',
      {
        operations: [one],
        moves: [moveOf(one, { amount: -60n }), moveOf(one, { amount: -40n })],
        records: [recordOf(one)],
      },
      [],
    ],
    [
      'posted, but failed',
      { operations: [failed], moves: [moveOf(failed)], records: [] },
      ['posted_without_operation'],
    ],
    [
      'posted for nothing',
      { operations: [], moves: [moveOf(undefined)], records: [] },
      ['posted_without_operation'],
    ],
    [
      'another day',
      {
        operations: [],
        moves: [moveOf(undefined, { createdAt: yesterday })],
        records: [recordOf(one, { at: yesterday })],
      },
      [],
    ],
    ['ended on another day', { operations: [operation({ endedAt: window.to })], moves: [], records: [] }, []],
  ]
  for (const [what, lists, expected] of rows)
    test(`${what}: ${expected.join(', ') || 'no difference'}`, () => assert.deepEqual(check(lists), expected))
})

describe('which operation a record is about', () => {
  const named = { receipt: undefined, providerReference: undefined, reference: undefined }
  test('by any name that is its own, and by our reference only when nothing else is known', () => {
    const one = operation()
    const nameless = operation({ providerReference: null, receipt: null, state: 'unknown' })
    const index = openIndex([one, nameless])
    const found = (given: Partial<ProviderRecord>, of: Operation = one) =>
      index.of(recordOf(of, { ...named, ...given }))?.id
    assert.equal(found({ receipt: one.receipt ?? '' }), one.id)
    assert.equal(found({ providerReference: one.providerReference ?? '' }), one.id)
    assert.equal(found({ reference: one.id }), one.id)
    assert.equal(found({ providerReference: one.id.replaceAll('-', '') }), one.id, 'some take no hyphens')
    const short = nameless.reference.replaceAll('-', '').slice(0, 12)
    assert.equal(found({ reference: short, providerReference: 'ws_CO_1' }, nameless), nameless.id)
    assert.equal(found({ reference: short, amount: ugx(99n) }, nameless), undefined, 'of the same amount')
    assert.equal(
      found({ reference: one.reference }),
      undefined,
      'it has a name at the provider, and that is another',
    )
  })

  test('a refund that the provider names after what it gives back', () => {
    const one = operation()
    const back = operation({
      kind: 'refund',
      originalId: one.id,
      providerReference: null,
      receipt: null,
      state: 'unknown',
    })
    const record = recordOf(back, { providerReference: '4711', receipt: '4712', reference: one.id })
    assert.equal(openIndex([one, back]).of(record)?.id, back.id)
    assert.equal(openIndex([one]).of(record), undefined, 'it is not the payment')
    const named = { ...back, providerReference: '4713' }
    assert.equal(openIndex([one, named]).of(record), undefined, 'another one of the same payment')
  })

  test('of two that it could be it is none for sure', () => {
    const twin = {
      providerReference: null,
      receipt: null,
      reference: 'PY-7K3MQ-9WD2X-PB4',
      state: 'unknown',
    } as const
    const twins = [operation(twin), operation(twin)]
    const index = openIndex(twins)
    const record = recordOf(twins[0] as Operation, { ...named, reference: 'PY7K3MQ9WD2X' })
    assert.equal(index.of(record), undefined)
    assert.ok(twins.every((one) => index.mayBe(record, one)))
    const other = operation({ ...twin, phone: '+256772345999' })
    assert.equal(
      openIndex([...twins.slice(1), other]).of({ ...record, phone: '+256772345999' })?.id,
      other.id,
    )
  })

  test('of one that waits and one that failed it is the one that waits', () => {
    const twin = { providerReference: null, receipt: null, reference: 'PY-7K3MQ-9WD2X-PB5' } as const
    const failed = operation({ ...twin, state: 'failed' })
    const open = operation({ ...twin, state: 'unknown', endedAt: null })
    const record = recordOf(open, { ...named, reference: 'PY7K3MQ9WD2X' })
    assert.equal(openIndex([open, failed]).of(record)?.id, open.id)
  })

  test('what came late is the one that counts', () => {
    const failed = operation({ state: 'failed' })
    const late = operation({
      lateOf: failed.id,
      providerReference: failed.providerReference,
      receipt: failed.receipt,
    })
    assert.equal(openIndex([late, failed]).of(recordOf(failed))?.id, late.id)
  })
})

describe('a day', async () => {
  const server = await simulatedApp({ delays: shortDelays })
  const { simulator, dependencies, clock } = server
  const { funding, operations } = dependencies
  // The simulator's books have the real time.
  clock.set(new Date().toISOString())
  const person = await register(server, { country: 'KE' })
  const day = () => clock.now().toISOString().slice(0, 10)
  const report = async (provider: 'mpesa' | 'mtn') => {
    const found = await funding.seeMatch(await funding.match({ provider, mode: 'live', day: day() }))
    assert.ok(found)
    return {
      ...found,
      kinds: found.differences.map(({ kind, repaired }) => `${kind}${repaired ? ' mended' : ''}`).sort(),
    }
  }
  const deposit = async (phone: string, method: 'mpesa' | 'mtn' = 'mtn') => {
    const currency = method === 'mtn' ? 'UGX' : 'KES'
    const body = { amount: 1_200, currency, method, phone }
    const reply = await person.call('POST', '/api/deposit/initiate', body)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.data.reference as string
  }

  test('on which all went well', async () => {
    for (const digits of ['567', '568', '049', '139']) await deposit(`+256772345${digits}`)
    await quiet(server)
    const withdrawal = {
      amount: 1_000,
      currency: 'UGX',
      method: 'mtn',
      phone: '+256772345569',
      pin: person.pin,
    }
    assert.equal((await person.call('POST', '/api/withdraw', withdrawal)).status, 200)
    await quiet(server)
    const { match, kinds } = await report('mtn')
    assert.deepEqual(kinds, [])
    assert.deepEqual([match.operations, match.postings, match.records, match.differences], [5, 4, 4, 0])
    const sums = { in: '3600', out: '1000' }
    assert.deepEqual(match.totals, { UGX: { operations: sums, ledger: sums, provider: sums } })
  })

  test('what nobody has told us is found in the records; the same day again takes its place', async () => {
    const reference = await deposit('+256772345129')
    await quiet(server)
    const first = await report('mtn')
    assert.deepEqual(first.kinds, ['was_completed mended'])
    const { body } = await person.call('GET', `/api/transactions/${reference}`)
    assert.equal(body.data.status, 'completed')
    const second = await report('mtn')
    assert.deepEqual(second.kinds, [])
    assert.equal(second.match.records, 5)
    assert.equal(await funding.seeMatch(first.match.id), undefined)
    const list = await funding.listMatches({
      provider: 'mtn',
      mode: 'live',
      differing: false,
      before: undefined,
      limit: 9,
    })
    assert.equal(list.length, 1)
  })

  test('what is just being ended by somebody else is not called open', async () => {
    const reference = await deposit('+256772345129')
    await quiet(server)
    const [operation] = await operations.list({ q: reference, limit: 1 })
    const locked = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const lock = dependencies.db.inTransaction(async (tx) => {
      await tx.rows(`select 1 from funding.orders where operation_id = $1 for update`, [operation?.id])
      locked.resolve()
      await done.promise
    })
    await locked.promise
    // Decided at once, and its owner waits for the lock.
    const asked = operations.ask(operation?.id ?? '')
    await eventually(async () => {
      const decided = `select 1 from operations.operations where id = $1 and decided is not null`
      assert.ok(await dependencies.db.row(decided, [operation?.id]))
    })
    setTimeout(done.resolve, 300)
    assert.deepEqual((await report('mtn')).kinds, ['was_completed mended'])
    await Promise.all([lock, asked])
  })

  test('a prompt whose number never reached us: made or not, the records know', async () => {
    // With a token by then.
    await deposit('+254712345568', 'mpesa')
    await quiet(server)
    // The answer is lost, and the order was taken; a broken one was not.
    simulator.knobs({ unanswered: 1, lost: 1 })
    const taken = await deposit('+254712345567', 'mpesa')
    await quiet(server)
    simulator.knobs({ unanswered: 0, lost: 0 })
    const broken = await deposit('+254712345159', 'mpesa')
    await quiet(server)
    const early = await report('mpesa')
    assert.deepEqual(early.kinds, ['was_completed mended'], 'a prompt may still be open')
    clock.advance(2 * 3_600)
    const late = await report('mpesa')
    assert.ok(late.kinds.includes('was_not_made mended'), late.kinds.join())
    const statuses = await Promise.all(
      [taken, broken].map(
        async (one) => (await person.call('GET', `/api/transactions/${one}`)).body.data.status,
      ),
    )
    assert.deepEqual(statuses, ['completed', 'failed'])
  })

  test('what an operator said is held against what the provider says', async () => {
    const reference = await deposit('+256772345159')
    const [operation] = await operations.list({ q: reference, limit: 1 })
    await operations.resolve(operation?.id ?? '', {
      outcome: { state: 'completed', receipt: 'BYHAND' },
      operator: 'usr_test',
      reason: 'The customer has shown an SMS',
    })
    await fund(server, person, { amount: '5', currency: 'UGX' })
    const { kinds, differences } = await report('mtn')
    assert.deepEqual(kinds, ['not_at_provider'])
    assert.match(
      differences[0]?.detail ?? '',
      /^We took UGX 1,200 for moved\. The provider does not have it\.$/,
    )
    assert.deepEqual(
      (await report('mpesa')).kinds.includes('posted_without_operation'),
      true,
      'money of the tests',
    )
  })

  test('and the books are right', async () => {
    assert.deepEqual(await finish(server), [])
    await reconcile(server)
  })
})

test('a comparison that runs a day late is of the day it was due for', async () => {
  const days: string[] = []
  const matchAll = async (day: string) => {
    days.push(day)
    return []
  }
  const funding = { returnDue: async () => 0, matchAll }
  const { tasks } = fundingJobs({ funding, clock: testClock(), log: testLog().log })
  const run = (payload: object) => tasks.match_providers?.(payload, { signal: undefined, attempt: 1 })
  await run({ _cron: { ts: '2026-03-02T03:20:00.000Z', backfilled: true } })
  await run({ day: '2026-02-14' })
  assert.deepEqual(days, ['2026-03-01', '2026-02-14'])
})
