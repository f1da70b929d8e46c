// Long searches end in time and go on where they ended; entries whose times are out of order are found all the same;
// and what other rooms know (pending, failed) stands among the lines of the ledger, in its place.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reconcile, testSecrets } from '../../test/helpers.ts'
import { openProbe } from '../../test/probe-scope.ts'
import type { Posting } from '../ledger/ledger.ts'
import { transactionRoutes } from './routes.ts'
import type { Happening, HistorySource, Placed } from './transactions.ts'

const kept: Placed[] = []
const source: HistorySource = {
  name: 'deposits',
  page: async (_db, { before, limit, userId }) =>
    kept.filter(({ place }) => userId === 'usr_patient' && place < before).slice(0, limit),
  find: async (_db, { reference }) => {
    if (reference === 'DP-POSTED')
      return { postingId: deposited, steps: [step('pending', 1), step('completed', 9)] }
    const found = kept.find(({ line }) => line.reference === reference)
    return found && { line: found.line, steps: [step('pending', 1), step('failed', 5)] }
  },
}
const step = (status: Happening['status'], second: number) => ({
  status,
  at: new Date(`2026-03-14T09:00:0${second}.000Z`),
})

const probe = await openProbe({
  routes: (scope, parts) =>
    transactionRoutes(scope, {
      ...parts,
      config: { BRAND_NAME: 'Mfuko' },
      personOf: async () => undefined,
      secrets: testSecrets,
      historySources: [source],
      lookedMost: 1_000,
    }),
})
const { ledger, db, clock, get, url } = probe

const deposit = (owner: string, details: object = {}): Posting => ({
  kind: 'deposit',
  mode: 'live',
  currency: 'UGX',
  details,
  entries: [
    { kind: 'clearing', owner: 'mtn', amount: -5n },
    { kind: 'user', owner, amount: 5n },
  ],
})

async function postAll(postings: readonly Posting[]): Promise<bigint[]> {
  const outcomes = await db.inTransaction((tx) => ledger.post(tx, postings))
  return outcomes.map((outcome) => {
    assert.ok(outcome.ok && !outcome.replayed)
    return outcome.posted.id
  })
}

async function page(userId: string, query: Record<string, string>) {
  const answer = await get(userId, `/transactions?${new URLSearchParams(query)}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const { data, meta } = answer.json()
  return { data: data as Record<string, unknown>[], next: meta.next_cursor as string | null }
}

test('a search that would look at too much stops, tells where, and finds the rest there', async () => {
  const needle = deposit('usr_long', { note: 'the needle' })
  const hay = (count: number) => Array.from({ length: count }, () => deposit('usr_long', { note: 'hay' }))
  await postAll([needle, ...hay(2_500), needle, ...hay(600)])
  const found: number[] = []
  let cursor: string | null = null
  do {
    const answer = await page('usr_long', { q: 'needle', ...(cursor === null ? {} : { cursor }) })
    found.push(answer.data.length)
    cursor = answer.next
  } while (cursor !== null && found.length < 10)
  assert.deepEqual(found, [1, 0, 1])
  // What the ledger can leave out by itself costs the same.
  const { data, next } = await page('usr_long', { direction: 'out' })
  assert.deepEqual(data, [])
  assert.ok(next)
})

test('times out of order: every line of a time is found, and none twice', async () => {
  // Each posting a second later than the one before, but every third half a minute back.
  const times: string[] = []
  clock.set('2026-04-01T00:10:00.000Z')
  for (let at = 0; at < 300; at++) {
    const second = 600 + at - (at % 3 === 0 ? 30 : 0)
    clock.set(new Date(Date.UTC(2026, 3, 1, 0, 0, second)).toISOString())
    times.push(clock.now().toISOString())
    await ledger.submit(deposit('usr_late'))
  }
  for (const [from, to] of [
    ['2026-04-01T00:11:00Z', '2026-04-01T00:12:00Z'],
    ['2026-04-01T00:09:30Z', '2026-04-01T00:10:00Z'],
    ['2026-04-01T00:14:00Z', '2026-04-02'],
  ] as const) {
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const answer = await page('usr_late', { from, to, limit: '7', ...(cursor === null ? {} : { cursor }) })
      seen.push(...answer.data.map(({ created_at }) => created_at))
      cursor = answer.next
    } while (cursor !== null)
    const end = to.length === 10 ? `${to}T24:00:00Z` : to
    const wanted = times.filter((time) => new Date(time) >= new Date(from) && new Date(time) < new Date(end))
    assert.ok(wanted.length > 0)
    assert.deepEqual(seen.toSorted(), wanted.toSorted())
  }
})

let deposited = 0n

describe('another room’s', () => {
  const pending = (place: number, line: Partial<Happening>): Placed => ({
    place: BigInt(place),
    line: {
      postingId: undefined,
      reference: `DP-WAITING-${place}`,
      type: 'deposit',
      direction: 'in',
      currency: 'UGX',
      amount: 5_000n,
      fee: 0n,
      status: 'pending',
      counterparty: { name: 'MTN Mobile Money' },
      note: undefined,
      balanceAfter: undefined,
      createdAt: new Date(Date.UTC(2026, 4, 1, 0, place, 30)),
      ...line,
    },
  })

  test('lines stand in their place, page by page, and can be filtered', async () => {
    for (let minute = 0; minute < 60; minute++) {
      clock.set(new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString())
      const [id] = await postAll([
        deposit('usr_patient', { reference: 'DP-POSTED', counterparty: { name: 'MTN' } }),
      ])
      deposited = id ?? 0n
      if (minute > 0 && minute % 3 === 0)
        kept.unshift(pending(minute, minute % 6 === 0 ? { status: 'failed' } : {}))
    }
    const seen: Record<string, unknown>[] = []
    let cursor: string | null = null
    do {
      const answer = await page('usr_patient', { limit: '7', ...(cursor === null ? {} : { cursor }) })
      seen.push(...answer.data)
      cursor = answer.next
    } while (cursor !== null)
    assert.equal(seen.length, 60 + 19)
    const times = seen.map(({ created_at }) => created_at as string)
    assert.deepEqual(times, times.toSorted().toReversed())
    const count = async (query: Record<string, string>) =>
      (await page('usr_patient', { limit: '100', ...query })).data.length
    assert.equal(await count({ status: 'failed' }), 9)
    assert.equal(await count({ status: 'pending' }), 10)
    assert.equal(await count({ status: 'completed' }), 60)
    assert.equal(await count({ status: 'pending', from: '2026-05-01T00:50:00Z' }), 2)
    assert.equal(await count({ status: 'pending', currency: 'KES' }), 0)
  })

  test('one that failed: no balance, and its steps', async () => {
    const answer = await get('usr_patient', '/transactions/DP-WAITING-6')
    assert.equal(answer.statusCode, 200, answer.body)
    const { status, balance_after, steps, reference } = answer.json().data
    assert.deepEqual([reference, status, balance_after], ['DP-WAITING-6', 'failed', null])
    assert.deepEqual(steps, [
      { status: 'pending', at: '2026-03-14T09:00:01.000Z' },
      { status: 'failed', at: '2026-03-14T09:00:05.000Z' },
    ])
  })

  test('one that has become a posting: the posting, with the steps that the room knows', async () => {
    const { data } = (await get('usr_patient', '/transactions/DP-POSTED')).json()
    assert.deepEqual([data.reference, data.status, data.amount], ['DP-POSTED', 'completed', 5])
    assert.equal(data.steps.length, 2)
    // It is of one person, whoever asks.
    assert.equal((await get('usr_other', '/transactions/DP-POSTED')).statusCode, 404)
  })
})

test('a posting of a kind that people do not know is money that came in or left', async () => {
  const correction = {
    ...deposit('usr_odd'),
    kind: 'correction',
    details: { note: 'A mistake of ours', fee: '3' },
  }
  const back = {
    ...correction,
    entries: [
      { kind: 'clearing', owner: 'mtn', amount: 2n },
      { kind: 'user', owner: 'usr_odd', amount: -2n },
    ],
  } as const
  await postAll([correction, back])
  const { data } = await page('usr_odd', {})
  assert.deepEqual(
    data.map(({ type, direction, amount, counterparty }) => [type, direction, amount, counterparty]),
    [
      ['withdrawal', 'out', 2, { name: 'Mfuko' }],
      ['deposit', 'in', 5, { name: 'Mfuko' }],
    ],
  )
  assert.equal((await page('usr_odd', { type: 'withdrawal' })).data.length, 1)
  assert.equal((await page('usr_odd', { type: 'deposit' })).data.length, 1)
  assert.equal((await page('usr_odd', { type: 'transfer' })).data.length, 0)
  const { reference } = data[0] ?? {}
  assert.equal((await get('usr_odd', `/transactions/${reference}`)).json().data.type, 'withdrawal')
})

test('the books are right', async () => {
  await reconcile({ url })
})
