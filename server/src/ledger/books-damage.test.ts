// Whatever is altered in the tables behind the ledger's back is found, and the row is named: one row of the table
// below for each kind of damage. SEED repeats a run.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { reconcile, testDatabase } from '../../test/helpers.ts'
import { live, openMoves } from '../../test/ledger-moves.ts'
import { checkBooks } from './books.ts'

const database = await testDatabase()
const { url } = database
const moves = openMoves(database)
const { db, clock, submit, deposit, send, someMoves, tamper } = moves
after(moves.close)

describe('damage is found, and the row is named', () => {
  /** Entries 1 to 6 of alice are in postings of her own. */
  let alice = { id: 0n, postings: [] as bigint[] }
  before(async () => {
    await someMoves(200)
    const made: bigint[] = []
    for (const step of [
      () => deposit('alice', 1_000n),
      () => send({ from: 'alice', to: 'bob' }, 100n),
      () => send({ from: 'alice', to: 'bob' }, 200n),
      () => deposit('alice', 50n),
      () => send({ from: 'alice', to: 'bob' }, 150n),
      () => send({ from: 'alice', to: 'bob' }, 60n),
    ]) {
      const posted = await step()
      assert.ok(posted)
      made.push(posted.id)
      clock.advance(1)
    }
    await submit({
      ...live,
      kind: 'reserve',
      entries: [],
      hold: { kind: 'user', owner: 'alice', amount: 40n },
    })
    const row = await db.row<{ id: bigint }>(`select id from ledger.accounts where owner = 'alice'`)
    alice = { id: row?.id ?? 0n, postings: made }
    await reconcile({ url })
    await moves.save()
  })
  afterEach(moves.restore)

  const entry = (seq: number) => `account_id = {alice} and seq = ${seq}`
  const place = String.raw`account {alice} \(user alice UGX live\)`
  // What is done to the tables → what is said, and how many rows it names. {alice} and {p3} stand for ids.
  const rows: { what: string; sql: string; says: string[]; count?: number }[] = [
    {
      what: 'an altered amount',
      sql: `update ledger.entries set amount = amount - 7 where ${entry(3)}`,
      says: [
        `^entry 3 of ${place}: its balance after is 700, but 900 and -207 make 693; its hash does not fit: .*posting {p3} was altered$`,
        '^live UGX: all entries sum to -7, not to 0$',
        String.raw`^posting {p3} \(transfer\): its entries sum to -7, not to 0$`,
      ],
    },
    {
      what: 'an altered balance after',
      sql: `update ledger.entries set balance_after = 701 where ${entry(3)}`,
      says: [
        `^entry 3 of ${place}: its balance after is 701, but 900 and -200 make 700; its hash does not fit`,
      ],
    },
    {
      what: 'altered details',
      sql: `update ledger.postings set details = (details::text || ' ')::json where id = {p3}`,
      says: [
        `^entry 3 of ${place}: its hash does not fit: the entry, its hash or its posting {p3} was altered$`,
      ],
      count: 3,
    },
    {
      what: 'an altered kind',
      sql: `update ledger.postings set kind = 'gift' where id = {p3}`,
      says: [`^entry 3 of ${place}: its hash does not fit`],
      count: 3,
    },
    {
      what: 'an altered time',
      sql: `update ledger.postings set created_at = created_at + interval '1 millisecond' where id = {p3}`,
      says: [`^entry 3 of ${place}: its hash does not fit`],
      count: 3,
    },
    {
      what: 'a time altered by less than the chain counts',
      sql: `update ledger.postings set created_at = created_at + interval '1 microsecond' where id = {p3}`,
      says: [`^entry 3 of ${place}: the time of its posting {p3} was altered$`],
      count: 3,
    },
    {
      what: 'times that never come',
      sql: `update ledger.postings set created_at = '294276-12-31' where id = {p2};
        update ledger.postings set created_at = 'infinity' where id = {p3}`,
      says: [
        `^entry 2 of ${place}: the time of its posting {p2} was altered$`,
        `^entry 3 of ${place}: the time of its posting {p3} was altered$`,
      ],
      count: 6,
    },
    {
      what: 'an altered hash',
      sql: `update ledger.entries set hash = sha256(hash) where ${entry(3)}`,
      says: [`^entry 3 of ${place}: its hash does not fit`],
    },
    {
      what: 'an altered hash of the last entry',
      sql: `update ledger.entries set hash = sha256(hash) where ${entry(6)}`,
      says: [`^entry 6 of ${place}: its hash does not fit`],
    },
    {
      what: 'a deleted entry',
      sql: `delete from ledger.entries where ${entry(3)}`,
      says: [
        `^entry 4 of ${place}: entry 3 is missing before it$`,
        '^live UGX: all entries sum to 200, not to 0$',
        String.raw`^posting {p3} \(transfer\): it names 3 entries, and 1 of them are not there; its entries sum to 200`,
      ],
    },
    {
      what: 'two deleted entries in a row',
      sql: `delete from ledger.entries where account_id = {alice} and seq in (3, 4)`,
      says: [`^entry 5 of ${place}: entries 3 to 4 are missing before it$`],
      count: 4,
    },
    {
      what: 'a deleted last entry',
      sql: `delete from ledger.entries where ${entry(6)}`,
      says: [
        `^${place}: its latest entry should be 6, but is 5; its balance is 540, but its entries make 600$`,
        '^live UGX: all entries sum to 60',
        String.raw`^posting {p6} \(transfer\): it names 3 entries, and 1 of them are not there`,
      ],
    },
    {
      what: 'all entries of an account deleted',
      sql: 'delete from ledger.entries where account_id = {alice}',
      says: [
        `^${place}: its latest entry should be 6, but it has none; its balance is 540, but its entries make 0$`,
      ],
      count: 8,
    },
    {
      what: 'an inserted entry',
      sql: `insert into ledger.entries select account_id, 7, posting_id, 5, 545, sha256(hash) from ledger.entries where ${entry(6)}`,
      says: [
        `^entry 7 of ${place}: its posting {p6} does not name it; its hash does not fit`,
        `^${place}: its latest entry should be 6, but is 7; its balance is 540, but its entries make 545$`,
        '^live UGX: all entries sum to 5, not to 0$',
      ],
    },
    {
      what: 'an inserted entry before the first',
      sql: `insert into ledger.entries select account_id, 0, posting_id, 5, 5, hash from ledger.entries where ${entry(6)}`,
      says: [`^entry 0 of ${place}: its number is below 1; its posting {p6} does not name it`],
      count: 3,
    },
    {
      what: 'an entry of an account that does not exist',
      sql: `insert into ledger.entries select 999999999, seq, posting_id, amount, balance_after, hash from ledger.entries where ${entry(1)}`,
      says: ['^entry 1 of account 999999999: there is no such account$'],
    },
    {
      what: 'a deleted account',
      sql: 'delete from ledger.accounts where id = {alice}',
      says: [
        '^entry 1 of account {alice}: there is no such account$',
        '^hold [0-9]+: its account does not exist$',
      ],
      count: 14,
    },
    {
      what: 'swapped entries',
      sql: `update ledger.entries set seq = -seq where account_id = {alice} and seq in (2, 3);
        update ledger.entries set seq = 5 + seq where account_id = {alice} and seq < 0`,
      says: [
        `^entry 2 of ${place}: its posting {p3} does not name it; its balance after is 700, but 1000 and -200 make 800; its hash`,
        `^entry 3 of ${place}: its posting {p2} does not name it`,
      ],
      count: 3,
    },
    {
      what: 'an entry moved to another posting',
      sql: `update ledger.entries set posting_id = {p2} where ${entry(3)}`,
      says: [`^entry 3 of ${place}: its posting {p2} does not name it; its hash`, '^posting {p3} '],
    },
    {
      what: 'a deleted posting',
      sql: 'delete from ledger.postings where id = {p3}',
      says: [`^entry 3 of ${place}: its posting {p3} does not exist$`],
      count: 3,
    },
    {
      what: 'a posting without entries',
      sql: `insert into ledger.postings values (-5, 'ghost', '{}', '{}', '{}', now())`,
      says: [String.raw`^posting -5 \(ghost\): it has no entries$`],
    },
    {
      what: 'a posting that names an entry of another one too',
      sql: 'update ledger.postings set accounts = accounts || {alice}, seqs = seqs || 2::bigint where id = {p1}',
      says: [String.raw`^posting {p1} \(deposit\): it names 3 entries, and 1 of them are not there$`],
    },
    {
      what: 'a changed balance',
      sql: 'update ledger.accounts set balance = balance + 1 where id = {alice}',
      says: [`^${place}: its balance is 541, but its entries make 540$`],
    },
    {
      what: 'a changed number of entries',
      sql: 'update ledger.accounts set seq = seq + 1 where id = {alice}',
      says: [`^${place}: its latest entry should be 7, but is 6$`],
    },
    {
      what: 'a changed held',
      sql: 'update ledger.accounts set held = held - 1 where id = {alice}',
      says: [`^${place}: it holds 39, but its open holds make 40$`],
    },
    {
      what: 'a changed head',
      sql: 'update ledger.accounts set head = sha256(head) where id = {alice}',
      says: [`^${place}: its head is not the hash of its latest entry, 6$`],
    },
    {
      what: 'a changed hold',
      sql: 'update ledger.holds set remaining = 25 where account_id = {alice}',
      says: [`^${place}: it holds 40, but its open holds make 25$`],
    },
    {
      what: 'a deleted hold',
      sql: 'delete from ledger.holds where account_id = {alice}',
      says: [`^${place}: it holds 40, but its open holds make 0$`],
    },
    {
      what: 'a floor that was taken away',
      sql: 'update ledger.accounts set floor = null where id = {alice}',
      says: [`^${place}: its floor is none, but that of every user account is 0$`],
    },
    {
      what: 'an account of another currency',
      sql: `update ledger.accounts set currency = 'KES' where id = {alice}`,
      says: [
        '^live UGX: all entries sum to -540, not to 0$',
        '^live KES: all entries sum to 540, not to 0$',
        String.raw`^posting {p1} \(deposit\): its entries are of several currencies or modes$`,
      ],
      count: 8,
    },
    {
      what: 'money moved from one posting to another, so that all sums stay',
      sql: `update ledger.entries set amount = amount - 1, balance_after = balance_after - 1 where ${entry(2)};
        update ledger.entries set amount = amount + 1 where ${entry(3)}`,
      says: [
        `^entry 2 of ${place}: its hash does not fit`,
        `^entry 3 of ${place}: its hash does not fit`,
        String.raw`^posting {p2} \(transfer\): its entries sum to -1, not to 0$`,
        String.raw`^posting {p3} \(transfer\): its entries sum to 1, not to 0$`,
      ],
    },
  ]
  for (const { what, sql, says, count = says.length } of rows) {
    test(what, async () => {
      const fill = (text: string) =>
        text
          .replaceAll('{alice}', String(alice.id))
          .replace(/\{p(\d)\}/g, (_, step: string) => String(alice.postings[Number(step) - 1]))
      await tamper(fill(sql))
      const { ok, problems, wrong } = await checkBooks(db)
      assert.equal(ok, false)
      for (const said of says) {
        assert.ok(
          problems.some((problem) => new RegExp(fill(said)).test(problem)),
          `${fill(said)}\n${problems.join('\n')}`,
        )
      }
      assert.equal(wrong, count, problems.join('\n'))
    })
  }

  test('a balance below its floor in the middle of its history', async () => {
    // A chain that is right in itself, but for a moment alice owed: only the floor tells.
    await tamper(`alter table ledger.accounts drop constraint account_above_floor;
      update ledger.accounts set floor = 950 where id = ${alice.id}`)
    const { problems } = await checkBooks(db)
    assert.match(
      problems.join('\n'),
      /entry 2 of account \d+ .*: its balance after is 900, below the floor of 950/,
    )
    assert.match(problems.join('\n'), /its balance 540 less 40 held is below its floor of 950/)
  })

  test('however much is wrong, only the first rows are named, and all are counted', async () => {
    await tamper('update ledger.entries set hash = sha256(hash)')
    const { problems, wrong, entries } = await checkBooks(db)
    assert.equal(problems.length, 20)
    assert.ok(wrong > entries / 2)
  })
})

test('restored, it is right again', async () => {
  await reconcile({ url })
})
