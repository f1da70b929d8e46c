// The list: whatever is asked for, the pages together are what a plain filter over everything that happened gives, in
// the same order, each line once, also while more is happening. Reference, amounts and parties are right on each line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { reconcile, testSecrets } from '../../test/helpers.ts'
import { amina, fundAll, live, type ModelLine, others } from '../../test/history-model.ts'
import { seed } from '../../test/ledger-orders.ts'
import { openProbe } from '../../test/probe-scope.ts'
import { toDecimal } from '../base/money.ts'
import { encodeReference } from '../base/reference.ts'
import { transactionRoutes } from './routes.ts'

const config = { BRAND_NAME: 'Mfuko' }
const personOf = async () => undefined
const probe = await openProbe({
  routes: (scope, parts) => transactionRoutes(scope, { ...parts, config, personOf, secrets: testSecrets }),
})
const { ledger, clock, get, url } = probe

const lines = [...(await fundAll(probe)), ...(await live(probe, { moves: 3_000 }))]

const codes: Record<string, string> = { transfer: 'TR', deposit: 'DP', group_contribution: 'GC' }
const newestFirst = (one: ModelLine, other: ModelLine) =>
  other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : 1)

/** As the API shows it, without the balance. */
const shown = ({ at, id, amount, fee, ...line }: ModelLine) => ({
  reference: encodeReference(testSecrets.idem, { kind: codes[line.type] ?? '', id }),
  type: line.type,
  direction: line.direction,
  amount: Number(toDecimal({ minor: amount, currency: line.currency })),
  fee: Number(toDecimal({ minor: fee, currency: line.currency })),
  currency: line.currency,
  status: 'completed',
  counterparty: line.counterparty,
  note: line.note,
  created_at: at.toISOString(),
})

interface Query {
  currency?: string
  type?: string
  direction?: string
  status?: string
  from?: string
  to?: string
  q?: string
}

const pathOf = (query: object) => `/transactions?${new URLSearchParams(query as Record<string, string>)}`

async function pageOf(query: object) {
  const answer = await get(amina.id, pathOf(query))
  assert.equal(answer.statusCode, 200, `${JSON.stringify(query)}: ${answer.body}`)
  const { data, meta } = answer.json()
  return { data: data as Record<string, unknown>[], next: meta.next_cursor as string | null }
}

async function allPages(query: Query, limit: number) {
  const all: Record<string, unknown>[] = []
  let cursor: string | null = null
  for (let pages = 0; ; pages++) {
    assert.ok(pages <= 3_100, 'the pages end')
    const { data, next } = await pageOf({ ...query, limit, ...(cursor === null ? {} : { cursor }) })
    assert.ok(data.length <= limit)
    // No search here is so long that a page would have to stay short.
    if (next !== null) assert.equal(data.length, limit)
    all.push(...data)
    if (next === null) return all
    assert.ok(next.length <= 512)
    cursor = next
  }
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function expected({ currency, type, direction, status, from, to, q }: Query) {
  const word = plain(q ?? '')
  const mentions = ({ note, counterparty: { handle = '', name } }: ModelLine) =>
    [note ?? '', name].some((text) => plain(text).includes(word)) ||
    (word !== '@' && handle.includes(word.replace(/^@/, '')))
  const end = to?.length === 10 ? new Date(Date.parse(to) + 86_400_000) : new Date(to ?? '9999-01-01')
  return lines
    .filter((line) => currency === undefined || line.currency === currency)
    .filter((line) => type === undefined || line.type === type)
    .filter((line) => direction === undefined || line.direction === direction)
    .filter(() => status === undefined || status === 'completed')
    .filter(({ at }) => at >= new Date(from ?? 0) && at < end)
    .filter((line) => q === undefined || mentions(line))
    .toSorted(newestFirst)
}

async function check(query: Query, limit: number) {
  const found = await allPages(query, limit)
  const wanted = expected(query).map(shown)
  const what = `${JSON.stringify(query)}, ${limit} a page`
  // First in few words: thousands of whole lines help nobody.
  const [one, other] = [found, wanted].map((lines) => lines.map(({ reference }) => reference).join(' '))
  assert.ok(one === other, `${what}: ${found.length} lines instead of ${wanted.length}, or in another order`)
  assert.deepEqual(
    found.map(({ balance_after: _balance, ...line }) => line),
    wanted,
    what,
  )
  return found
}

describe('filters against a model', () => {
  const someTime = fc.nat({ max: lines.length - 1 }).map((at) => (lines[at] as ModelLine).at.toISOString())
  const someDay = someTime.map((time) => time.slice(0, 10))
  const moment = fc.oneof(someTime, someDay)
  const query = fc
    .record(
      {
        currency: fc.constantFrom('UGX', 'KES', 'USD', 'ZAR'),
        type: fc.constantFrom('transfer', 'deposit', 'group_contribution', 'refund'),
        direction: fc.constantFrom('in', 'out'),
        status: fc.constantFrom('completed', 'pending', 'failed'),
        from: moment,
        to: moment,
        q: fc.constantFrom(
          'rent',
          '@juma',
          'ZOE',
          'kéïta',
          'café',
          'amina',
          '"',
          'nowhere',
          'm',
          '=cmd',
          '@',
        ),
      },
      { requiredKeys: [] },
    )
    .filter(({ from, to }) => from === undefined || to === undefined || from.slice(0, 19) < to.slice(0, 19))

  test(`any of them, and any combination (seed ${seed})`, async () => {
    const limit = fc.constantFrom(40, 100)
    await fc.assert(
      fc.asyncProperty(query, limit, async (filters, size) => {
        await check(filters, size)
      }),
      { seed, numRuns: 50, interruptAfterTimeLimit: 90_000 },
    )
  })

  test('none: everything, a hundred a page; and each wallet by itself', async () => {
    const found = await check({}, 100)
    assert.equal(found.length, 3_003)
    for (const currency of ['UGX', 'KES', 'USD']) await check({ currency }, 100)
  })

  test('the name that stands where a line has no other side is found too', async () => {
    for (const q of ['mfuko', 'M']) assert.ok((await check({ q }, 100)).length >= 3)
  })

  test('pages of a few lines, of all wallets by turns', async () => {
    await check({ direction: 'out', q: 'rent' }, 7)
  })

  test('a page of one line', async () => {
    await check({ type: 'deposit', q: 'rent', currency: 'KES' }, 1)
  })
})

test('balances follow from the amounts, wallet by wallet', async () => {
  for (const currency of ['UGX', 'KES', 'USD'] as const) {
    const found = await allPages({ currency }, 100)
    const wallet = lines.filter((line) => line.currency === currency).toSorted(newestFirst)
    let balance = 0n
    for (const [at, line] of [...wallet.entries()].reverse()) {
      balance += line.direction === 'in' ? line.amount : -line.amount
      assert.equal(found[at]?.balance_after, Number(toDecimal({ minor: balance, currency })))
    }
  }
})

test('without limit and cursor: 25 of all wallets', async () => {
  const { data, next } = await pageOf({})
  assert.equal(data.length, 25)
  assert.ok(next)
})

describe('one', () => {
  const some = lines.filter((_line, at) => at % 500 === 3)
  for (const line of some) {
    const { reference } = shown(line)
    test(`${line.type} ${line.direction}: alone, by search, and as somebody wrote it down`, async () => {
      const answer = await get(amina.id, `/transactions/${reference}`)
      assert.equal(answer.statusCode, 200, answer.body)
      const { steps, balance_after: _balance, ...rest } = answer.json().data
      assert.deepEqual(rest, shown(line))
      assert.deepEqual(steps, [{ status: 'completed', at: line.at.toISOString() }])
      const sloppy = reference.toLowerCase().replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l')
      assert.equal((await get(amina.id, `/transactions/${sloppy}`)).json().data.reference, reference)
      assert.deepEqual(
        (await pageOf({ q: ` ${sloppy} ` })).data.map((found) => found.reference),
        [reference],
      )
      const another = line.direction === 'in' ? 'out' : 'in'
      assert.deepEqual(await pageOf({ q: reference, direction: another }), { data: [], next: null })
    })
  }

  test('both sides see the same reference, and their own amount and fee', async () => {
    const sent = lines.find(({ type, direction }) => type === 'transfer' && direction === 'out') as ModelLine
    const { reference } = shown(sent)
    const recipient = others.find(({ handle }) => handle === sent.counterparty.handle)
    const theirs = (await get(recipient?.id ?? '', `/transactions/${reference}`)).json().data
    const { currency } = sent
    assert.equal(theirs.direction, 'in')
    assert.equal(theirs.amount, Number(toDecimal({ minor: sent.amount - sent.fee, currency })))
    assert.equal(theirs.fee, 0)
    assert.deepEqual(theirs.counterparty, { handle: amina.handle, name: amina.name })
  })

  const [first] = lines as [ModelLine]
  const unknown: [what: string, reference: string][] = [
    ['of somebody else', encodeReference(testSecrets.idem, { kind: 'DP', id: first.id + 1n })],
    ['that never was', encodeReference(testSecrets.idem, { kind: 'TR', id: 9_999_999n })],
    ['with the letters of another type', `TR${shown(first).reference.slice(2)}`],
    ['the right number with other letters', encodeReference(testSecrets.idem, { kind: 'WD', id: first.id })],
    ['that is none', 'hello'],
    ['that is too long', 'X'.repeat(41)],
    ['with a quote', "TR-'%20or%201=1--"],
  ]
  for (const [what, reference] of unknown) {
    test(`a reference ${what} is not found, nor is its receipt`, async () => {
      for (const path of [`/transactions/${reference}`, `/transactions/${reference}/receipt`]) {
        const answer = await get(amina.id, path)
        assert.equal(answer.statusCode, 404, answer.body)
        assert.equal(answer.json().code, 'not_found')
      }
    })
  }
})

test('while more arrives, also in a new wallet: each line that was there once, and nothing in between', async () => {
  const before = expected({}).map(({ id }) => id)
  const found: unknown[] = []
  let cursor: string | null = null
  for (let pages = 0; pages === 0 || cursor !== null; pages++) {
    const { data, next } = await pageOf({ limit: 90, ...(cursor === null ? {} : { cursor }) })
    found.push(...data.map(({ reference }) => reference))
    cursor = next
    clock.advance(1)
    const scope = { mode: 'live', currency: pages % 2 === 0 ? 'RWF' : 'UGX' } as const
    const entries = [
      { kind: 'clearing', owner: 'mtn', amount: -1n },
      { kind: 'user', owner: amina.id, amount: 1n },
    ] as const
    const counterparty = { name: 'MTN Mobile Money' }
    const outcome = await ledger.submit({ ...scope, kind: 'deposit', details: { counterparty }, entries })
    assert.ok(outcome.ok && !outcome.replayed)
    const { currency } = scope
    const line = { type: 'deposit', direction: 'in', currency, amount: 1n, fee: 0n } as const
    lines.push({ ...line, counterparty, note: null, at: clock.now(), id: outcome.posted.id })
  }
  const there = new Map(lines.map((line) => [line.id, shown(line).reference]))
  assert.deepEqual(
    found,
    before.map((id) => there.get(id)),
  )
  await check({}, 100)
})

describe('refused', () => {
  const moment = 'must be a day like 2026-03-14 or a time like 2026-03-14T09:26:53Z'
  const cursor = 'Cursor is not one that this list gave out; start again without it'
  const made = (text: string) => Buffer.from(JSON.stringify([text])).toString('base64url')
  const rows: [query: string, errors: Record<string, string>][] = [
    ['limit=0', { limit: 'Limit must be at least 1' }],
    ['limit=101', { limit: 'Limit must be at most 100' }],
    [
      'limit=x&direction=up',
      { limit: 'Limit must be a whole number', direction: 'Direction must be one of in, out' },
    ],
    ['status=done', { status: 'Status must be one of pending, completed, failed' }],
    [
      'from=yesterday&currency=EUR',
      { from: `From ${moment}`, currency: 'Currency must be one of UGX, KES, TZS, RWF, NGN, ZAR, USD' },
    ],
    ['from=2026-02-30&to=2026-13-01', { from: `From ${moment}`, to: `To ${moment}` }],
    ['from=2026-02-30&limit=0', { from: `From ${moment}`, limit: 'Limit must be at least 1' }],
    ['from=2026-03-14T25:00:00Z', { from: `From ${moment}` }],
    ['from=2026-03-02&to=2026-03-01', { to: 'To must be later than from' }],
    ['from=2026-03-01&from=2026-03-02', { from: 'From must be text' }],
    ['q=', { q: 'Q must not be empty' }],
    [`q=${'x'.repeat(101)}`, { q: 'Q must have at most 100 characters' }],
    ['cursor=abc', { cursor }],
    [`cursor=${made('EUR.5')}`, { cursor }],
    [`cursor=${made('UGX.0')}`, { cursor }],
    [`cursor=${made('UGX.5,UGX.6')}`, { cursor }],
    [`cursor=${made('UGX.9223372036854775808')}`, { cursor }],
    [`cursor=${made('UGX.5;drop table x')}`, { cursor }],
  ]
  for (const [query, errors] of rows) {
    test(query, async () => {
      const answer = await get(amina.id, `/transactions?${query}`)
      assert.equal(answer.statusCode, 422, answer.body)
      assert.deepEqual(answer.json().errors, errors)
    })
  }

  test('a cursor that was made up only starts at another place of the own list', async () => {
    const made = (text: string) => Buffer.from(JSON.stringify([text])).toString('base64url')
    const far = await pageOf({ cursor: made('UGX.9223372036854775807,ZAR.5'), currency: 'UGX' })
    assert.deepEqual(far, await pageOf({ currency: 'UGX' }))
    assert.equal((await get('usr_nobody', pathOf({ cursor: made('UGX.7') }))).json().data.length, 0)
  })

  test('times at the ends of time', async () => {
    for (const query of [
      { from: '0000-01-01' },
      { to: '9999-12-31' },
      { from: '0000-01-01', to: '9999-12-31T23:59:59Z' },
    ])
      assert.equal((await pageOf(query)).data.length, 25)
    assert.deepEqual(await pageOf({ from: '9999-12-31' }), { data: [], next: null })
    assert.deepEqual(await pageOf({ to: '0000-01-01' }), { data: [], next: null })
  })
})

test('who has nothing yet sees an empty list', async () => {
  const answer = await get('usr_new', '/transactions')
  assert.deepEqual(answer.json(), {
    success: true,
    message: 'Your transactions',
    data: [],
    meta: { next_cursor: null },
  })
})

test('the books are right', async () => {
  await reconcile({ url })
})
