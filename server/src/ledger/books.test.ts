// The check of the books. A ledger that was only used is right, at any moment, also while it is being used; the latest
// check decides whether the service is ready; and the database itself refuses what would damage the books. What the
// check finds when they are damaged all the same is in books-damage.test.ts. SEED repeats a run.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { reconcile, testDatabase, testLog } from '../../test/helpers.ts'
import { openMoves } from '../../test/ledger-moves.ts'
import { seed } from '../../test/ledger-orders.ts'
import { pagesOf } from '../base/pages.ts'
import { openDb, violatedConstraint } from '../db/db.ts'
import { booksReasons, checkAndKeep, checkBooks, hasBooks } from './books.ts'
import { ledgerJobs } from './jobs.ts'

const database = await testDatabase()
const { url } = database
const moves = openMoves(database)
const { db, admin, clock, ledger, deposit, someMoves, tamper } = moves
after(moves.close)

test('an empty ledger is right', async () => {
  const { ok, accounts, entries, postings, sums, problems } = await checkBooks(db)
  assert.deepEqual(
    { ok, accounts, entries, postings, sums, problems },
    { ok: true, accounts: 0, entries: 0, postings: 0, sums: [], problems: [] },
  )
})

test('a ledger that was used is right, and everything in it is counted', async () => {
  await someMoves(600)
  const seen: number[] = []
  const result = await checkBooks(db, { onProgress: ({ entries, of }) => seen.push(entries, of) })
  assert.deepEqual(result.problems, [], `SEED=${seed}`)
  const counted = await db.row<Record<'accounts' | 'entries' | 'postings' | 'held', bigint>>(
    `select (select count(*) from ledger.accounts) as accounts, (select count(*) from ledger.entries) as entries,
       (select count(*) from ledger.postings) as postings,
       (select count(distinct account_id) from ledger.holds where remaining > 0) as held`,
  )
  assert.ok(
    counted !== undefined && counted.held > 0n && counted.entries > 100n,
    'there is something to check',
  )
  assert.equal(BigInt(result.accounts), counted.accounts)
  assert.equal(BigInt(result.entries), counted.entries)
  assert.equal(BigInt(result.postings), counted.postings)
  assert.deepEqual([...new Set(seen)], [result.entries])
  const sorts = result.sums.map(({ mode, currency, sum }) => `${mode} ${currency} ${sum}`).sort()
  assert.deepEqual(sorts, ['live KES 0', 'live UGX 0', 'test KES 0', 'test UGX 0'])
  await reconcile({ url })
})

test('it is right at every moment while postings go on', async () => {
  let moving = true
  const going = (async () => {
    while (moving) await someMoves(60)
  })()
  const counts: number[] = []
  for (let round = 0; round < 8; round++) {
    const { problems, entries } = await checkBooks(db)
    assert.deepEqual(problems, [], `SEED=${seed}`)
    counts.push(entries)
  }
  moving = false
  await going
  assert.ok(new Set(counts).size > 1, 'postings went on')
})

describe('the database refuses', () => {
  const next = (columns: string) =>
    `insert into ledger.entries (account_id, seq, posting_id, amount, balance_after, held_after, hash)
     select account_id, ${columns}, hash from ledger.entries where account_id > 0 order by account_id, seq desc limit 1`
  const account = (columns: string) =>
    `insert into ledger.accounts (id, mode, kind, owner, currency, stripe) select ${columns} limit 1`
  const rows: [what: string, sql: string, constraint: string][] = [
    ['an update of entries', 'update ledger.entries set amount = 1', 'ledger_append_only'],
    ['an update of postings', `update ledger.postings set kind = 'gift'`, 'ledger_append_only'],
    ['deleting entries', 'delete from ledger.entries', 'ledger_append_only'],
    ['deleting postings', 'delete from ledger.postings', 'ledger_append_only'],
    ['truncating entries', 'truncate ledger.entries', 'ledger_append_only'],
    ['truncating postings', 'truncate ledger.postings', 'ledger_append_only'],
    [
      'entries that do not balance',
      next('seq + 1, -7, 1, balance_after + 1, held_after'),
      'posting_balances',
    ],
    ['a second entry of the same number', next('seq, -7, 0, balance_after, held_after'), 'entries_pkey'],
    ['a balance below zero', next('seq + 1, -7, 0, -1, 0'), 'entry_above_floor'],
    ['more held than there is', next('seq + 1, -7, 0, 5, 6'), 'entry_above_floor'],
    ['less than nothing held', next('seq + 1, -7, 0, 5, -1'), 'entry_held_not_negative'],
    ['a person who may owe', account(`-999, 'live', 'user', 'owes', 'UGX', 0`), 'account_may_owe'],
    ['a system that may not', account(`999, 'live', 'fees', '-', 'UGX', 63`), 'account_may_owe'],
    [
      'a second account of the same name',
      account(`999, mode, kind, owner, currency, stripe from ledger.accounts where kind = 'user'`),
      'account_once',
    ],
  ]
  for (const [what, sql, constraint] of rows) {
    for (const [who, to] of [
      ['the service', db],
      ['a superuser', admin],
    ] as const) {
      test(`${what}, by ${who}`, async () => {
        const error = await to.rows(sql).catch((thrown: unknown) => thrown)
        assert.equal(violatedConstraint(error), constraint, String(error))
      })
    }
  }
})

describe('the nightly check', () => {
  const { log, seen } = testLog()
  const { tasks, crons } = ledgerJobs({ db, ledger, clock, log, onChecked: async () => undefined })
  const run = (task: string) => tasks[task]?.({}, { signal: undefined, attempt: 1 })

  test('has its hours', () => {
    assert.deepEqual(crons, [
      { task: 'check_books', cron: '17 2 * * *', fillHours: 20 },
      { task: 'sweep_answers', cron: '41 4 * * *', fillHours: 20 },
    ])
  })

  test('keeps what it found; the latest result decides', async () => {
    await deposit('bob', 100n)
    await moves.save()
    assert.deepEqual(await booksReasons(db), [], 'before the first check nothing is wrong')
    await run('check_books')
    assert.deepEqual(await booksReasons(db), [])
    assert.equal(seen.lines.at(-1)?.msg, 'the books are right')

    await tamper(
      `update ledger.entries set balance_after = 101 where account_id = (select id from ledger.accounts where owner = 'bob')`,
    )
    clock.advance(86_400)
    await run('check_books')
    const [reason, ...others] = await booksReasons(db)
    assert.match(
      String(reason),
      /^The check of the books at 2026-03-15T.* found them wrong: entry 1 of account \d+ \(user bob UGX live\): its balance after is 101, but 0 and 100 make 100; .*\. See all/,
    )
    assert.deepEqual(others, [])
    const told = seen.lines.at(-1)
    assert.equal(told?.level, 'fatal')
    assert.equal(told?.msg, 'the books are wrong')
    assert.match(String(told?.problems), /user bob UGX live/)

    await moves.restore()
    clock.advance(60)
    await checkAndKeep(db, { clock })
    assert.deepEqual(await booksReasons(db), [])
    const kept = await db.rows<{ ok: boolean; entries: bigint }>(
      'select ok, entries from ledger.checks order by id',
    )
    assert.deepEqual(
      kept.map((row) => row.ok),
      [true, false, true],
    )
    assert.ok(kept.every((row) => row.entries > 0n))
  })

  test('can be stopped between two pages', async () => {
    await assert.rejects(checkBooks(db, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  })

  test('the hourly sweep forgets old answers', async () => {
    await db.rows(
      `insert into ledger.answers values (gen_random_uuid(), gen_random_uuid(), 200, '{}', $1), (gen_random_uuid(), gen_random_uuid(), 200, '{}', $2)`,
      [new Date(clock.now().getTime() - 8 * 86_400_000), clock.now()],
    )
    await run('sweep_answers')
    assert.equal((await db.rows('select key from ledger.answers')).length, 1)
  })
})

test('a copy that can only be read is checked, and nothing is kept', async () => {
  const before = await db.rows('select id from ledger.checks')
  const copy = openDb({
    url: `${url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`,
    connectionsMax: 1,
    name: 'books test',
  })
  assert.equal((await checkAndKeep(copy, { clock })).ok, true)
  await copy.close()
  assert.equal((await db.rows('select id from ledger.checks')).length, before.length)
})

test('a database without a ledger is known', async () => {
  assert.equal(await hasBooks(db), true)
  const empty = await testDatabase({ empty: true })
  const other = openDb({ url: empty.url, connectionsMax: 1, name: 'books test' })
  assert.equal(await hasBooks(other), false)
  await other.close()
})

test('a snapshot can not write, and sees nothing later', async () => {
  await db.inSnapshot(async (tx) => {
    const count = async () => (await tx.rows('select id from ledger.postings')).length
    const first = await count()
    await deposit('carol', 10n)
    assert.equal(await count(), first)
  })
  await assert.rejects(db.inSnapshot((tx) => tx.rows('delete from ledger.holds')))
  await reconcile({ url })
})

test('pages: all rows once, in order, none after the last', async () => {
  for (const length of [0, 1, 4, 5, 6, 10, 11]) {
    const asked: (number | undefined)[] = []
    const pages = pagesOf({
      read: async (key: number | undefined) => {
        asked.push(key)
        return Array.from({ length }, (_, index) => index + 1)
          .filter((row) => row > (key ?? 0))
          .slice(0, 5)
      },
      keyOf: (row) => row,
      limit: 5,
      signal: undefined,
    })
    const rows: number[] = []
    for await (const page of pages) rows.push(...page)
    assert.deepEqual(
      rows,
      Array.from({ length }, (_, index) => index + 1),
    )
    assert.equal(asked.length, Math.floor(length / 5) + 1)
  }
})
