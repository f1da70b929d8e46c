// Whatever is altered in the tables behind the ledger's back is found, and the row is named: one row of the table
// below for each kind of damage. The tests' own checker finds each of them too. SEED repeats a run.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { reconcile, testDatabase } from '../../test/helpers.ts'
import { ledgerFaults } from '../../test/ledger-checker.ts'
import { openMoves, type Story, tellStory } from '../../test/ledger-moves.ts'
import { checkAndKeep, checkBooks } from './books.ts'

const database = await testDatabase()
const { url } = database
const moves = openMoves(database)
const { db, clock, someMoves, tamper } = moves
after(moves.close)

describe('damage is found, and the row is named', () => {
  let alice: Story = { id: 0n, postings: [], fill: (text) => text }
  before(async () => {
    await someMoves(200)
    alice = await tellStory(moves)
    await reconcile({ url })
    assert.equal((await checkAndKeep(db, { clock })).ok, true)
    await moves.save()
  })
  afterEach(moves.restore)

  const entry = (seq: number) => `account_id = {alice} and seq = ${seq}`
  const place = String.raw`account {alice} \(user alice UGX live\)`
  const fewer = (what: string) => `^the ${what}: there are \\d+, but the check at 2026-.*Z counted \\d+$`

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
      what: 'an altered held after',
      sql: `update ledger.entries set held_after = 10 where ${entry(3)}`,
      says: [`^entry 3 of ${place}: its hash does not fit`],
    },
    {
      what: 'an altered held after of the last entry',
      sql: `update ledger.entries set held_after = 39 where ${entry(7)}`,
      says: [
        `^entry 7 of ${place}: its hash does not fit`,
        `^${place}: it holds 39, but its open holds make 40$`,
      ],
    },
    {
      what: 'something held that nobody holds',
      sql: `update ledger.entries set held_after = 0 where ${entry(6)}; update ledger.entries set held_after = 0 where ${entry(7)};
        delete from ledger.holds where account_id = {alice}`,
      says: [`^entry 6 of ${place}: its hash does not fit`, `^entry 7 of ${place}: its hash does not fit`],
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
      sql: `update ledger.entries set hash = sha256(hash) where ${entry(7)}`,
      says: [`^entry 7 of ${place}: its hash does not fit`],
    },
    {
      what: 'altered details of a posting that only holds',
      sql: `update ledger.postings set details = '{}' where id = {p6}`,
      says: [`^entry 6 of ${place}: its hash does not fit: .*posting {p6} was altered$`],
    },
    {
      what: 'a deleted entry',
      sql: `delete from ledger.entries where ${entry(3)}`,
      says: [
        `^entry 4 of ${place}: entry 3 is missing before it$`,
        '^live UGX: all entries sum to 200, not to 0$',
        String.raw`^posting {p3} \(transfer\): it names 3 entries, and 1 of them are not there; its entries sum to 200`,
        fewer('entries'),
      ],
    },
    {
      what: 'two deleted entries in a row',
      sql: `delete from ledger.entries where account_id = {alice} and seq in (3, 4)`,
      says: [`^entry 5 of ${place}: entries 3 to 4 are missing before it$`],
      count: 5,
    },
    {
      what: 'a deleted entry that only holds',
      sql: `delete from ledger.entries where ${entry(6)}`,
      says: [
        `^entry 7 of ${place}: entry 6 is missing before it$`,
        String.raw`^posting {p6} \(reserve\): it names 1 entries, and 1 of them are not there$`,
        fewer('entries'),
      ],
    },
    {
      what: 'a hold that is gone with its posting',
      sql: `delete from ledger.entries where posting_id = {p6}; delete from ledger.postings where id = {p6};
        delete from ledger.holds where id = {p6}`,
      says: [`^entry 7 of ${place}: entry 6 is missing before it$`, fewer('entries'), fewer('postings')],
      // What it held is still held after the next entry.
      count: 4,
    },
    {
      what: 'a deleted last entry',
      sql: `delete from ledger.entries where ${entry(7)}`,
      says: [
        '^live UGX: all entries sum to 60',
        String.raw`^posting {p7} \(transfer\): it names 3 entries, and 1 of them are not there`,
        fewer('entries'),
      ],
    },
    {
      what: 'the latest posting deleted with all its entries, the latest of their accounts',
      sql: 'delete from ledger.entries where posting_id = {p7}; delete from ledger.postings where id = {p7}',
      says: [fewer('entries'), fewer('postings')],
    },
    {
      what: 'everything deleted',
      sql: `delete from ledger.entries; delete from ledger.postings; delete from ledger.holds; delete from ledger.accounts`,
      says: [fewer('entries'), fewer('postings')],
    },
    {
      what: 'all entries of an account deleted',
      sql: 'delete from ledger.entries where account_id = {alice}',
      says: [`^${place}: it holds 0, but its open holds make 40$`, fewer('entries')],
      count: 10,
    },
    {
      what: 'an inserted entry',
      sql: `insert into ledger.entries
        select account_id, 8, posting_id, 5, 545, held_after, sha256(hash) from ledger.entries where ${entry(7)}`,
      says: [
        `^entry 8 of ${place}: its posting {p7} does not name it; its hash does not fit`,
        '^live UGX: all entries sum to 5, not to 0$',
      ],
    },
    {
      what: 'an inserted entry of nothing',
      sql: `insert into ledger.entries
        select account_id, 8, posting_id, 0, 540, held_after, sha256(hash) from ledger.entries where ${entry(7)}`,
      says: [`^entry 8 of ${place}: its posting {p7} does not name it; its hash does not fit`],
    },
    {
      what: 'a gap: the latest entry has another number',
      sql: `update ledger.entries set seq = 9 where ${entry(7)}`,
      says: [
        `^entry 9 of ${place}: entries 7 to 8 are missing before it; its posting {p7} does not name it$`,
      ],
    },
    {
      what: 'an inserted entry before the first',
      sql: `insert into ledger.entries select account_id, 0, posting_id, 5, 5, 0, hash from ledger.entries where ${entry(7)}`,
      says: [`^entry 0 of ${place}: its number is below 1; its posting {p7} does not name it`],
      count: 3,
    },
    {
      what: 'an entry of an account that does not exist',
      sql: `insert into ledger.entries
        select 999999999, seq, posting_id, amount, balance_after, held_after, hash from ledger.entries where ${entry(1)}`,
      says: ['^entry 1 of account 999999999: there is no such account$'],
    },
    {
      what: 'a deleted account',
      sql: 'delete from ledger.accounts where id = {alice}',
      says: [
        '^entry 1 of account {alice}: there is no such account$',
        '^hold [0-9]+: its account does not exist$',
      ],
      count: 15,
    },
    {
      what: 'an account with another number, as if it might owe',
      sql: `alter table ledger.accounts drop constraint account_may_owe;
        update ledger.accounts set id = -id where id = {alice}`,
      says: [
        '^entry 1 of account {alice}: there is no such account$',
        String.raw`^account -{alice} \(user alice UGX live\): its number is -{alice}, but only accounts that may owe have negative ones$`,
      ],
      count: 16,
    },
    {
      what: 'an account whose entries went with it to another number',
      sql: `alter table ledger.accounts drop constraint if exists account_may_owe;
        update ledger.accounts set id = -id where id = {alice};
        update ledger.entries set account_id = -account_id where account_id = {alice};
        update ledger.holds set account_id = -account_id where account_id = {alice};
        update ledger.postings set accounts = array_replace(accounts, {alice}, -{alice})`,
      says: [
        String.raw`^account -{alice} \(user alice UGX live\): its number is -{alice}, but only accounts that may owe have negative ones$`,
      ],
      // The number is in every hash.
      count: 8,
    },
    {
      what: 'an account that became one of the system',
      sql: `alter table ledger.accounts drop constraint if exists account_may_owe;
        update ledger.accounts set kind = 'fees' where id = {alice}`,
      says: [
        String.raw`^account {alice} \(fees alice UGX live\): its number is {alice}, but only accounts that may owe have negative ones$`,
      ],
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
      says: [`^entry 3 of ${place}: its posting {p3} does not exist$`, fewer('postings')],
      count: 4,
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
      what: 'an account of another mode',
      sql: `update ledger.accounts set mode = 'test' where id = {alice}`,
      says: ['^live UGX: all entries sum to -540, not to 0$', '^test UGX: all entries sum to 540, not to 0$'],
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
      await tamper(alice.fill(sql))
      const { ok, problems, wrong } = await checkBooks(db)
      assert.equal(ok, false)
      for (const said of says) {
        assert.ok(
          problems.some((problem) => new RegExp(alice.fill(said)).test(problem)),
          `${alice.fill(said)}\n${problems.join('\n')}`,
        )
      }
      assert.equal(wrong, count, problems.join('\n'))
      assert.notDeepEqual(await ledgerFaults(url), [], 'the checker of the tests finds it too')
    })
  }

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
