// Somebody who may write to the tables, and knows how hashes are made, can forge a chain that is right in itself, or take
// the end of it away. What then still gives it away, and for how long. SEED repeats a run.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { reconcile, testDatabase } from '../../test/helpers.ts'
import { ledgerFaults } from '../../test/ledger-checker.ts'
import { openMoves, type Story, tellStory } from '../../test/ledger-moves.ts'
import { checkAndKeep, checkBooks } from './books.ts'
import { type EntryFacts, emptyHead, entryHash, type PostingFacts, postingDigest } from './chain.ts'

const database = await testDatabase()
const { url } = database
const moves = openMoves(database)
const { db, clock, someMoves, tamper } = moves
after(moves.close)

let alice: Story = { id: 0n, postings: [], fill: (text) => text }
before(async () => {
  await someMoves(200)
  alice = await tellStory(moves)
  await reconcile({ url })
  assert.equal((await checkAndKeep(db, { clock })).ok, true)
  await moves.save()
})
afterEach(async () => {
  await moves.restore()
  // But for the first one.
  await tamper('delete from ledger.checks where id > (select min(id) from ledger.checks)')
})

const entry = (seq: number) => `account_id = {alice} and seq = ${seq}`
const place = String.raw`account {alice} \(user alice UGX live\)`

interface Link extends EntryFacts, Omit<PostingFacts, 'createdAtMs'> {
  createdAt: Date
}

/** Whoever can write to the tables can make hashes as well: they keep no secret. */
async function chainAnew(): Promise<void> {
  const chain = await db.rows<Link>(
    `select e.account_id as "accountId", e.seq, e.amount, e.balance_after as "balanceAfter",
       e.held_after as "heldAfter", p.id, p.kind, p.details::text as details, p.created_at as "createdAt"
     from ledger.entries e join ledger.postings p on p.id = e.posting_id where e.account_id = $1 order by e.seq`,
    [alice.id],
  )
  let head = emptyHead
  for (const link of chain) {
    head = entryHash(head, postingDigest({ ...link, createdAtMs: link.createdAt.getTime() }), link)
    await tamper(alice.fill(`update ledger.entries set hash = '\\x${head}' where ${entry(Number(link.seq))}`))
  }
}

describe('with a chain made anew, it still shows', () => {
  // What is done before the chain is made anew → what is still said, all of it.
  const forged: { what: string; sql: string; says: string[] }[] = [
    {
      what: 'an amount',
      sql: `update ledger.entries set amount = amount - 7 where ${entry(3)};
        update ledger.entries set balance_after = balance_after - 7 where account_id = {alice} and seq >= 3`,
      says: [
        '^live UGX: all entries sum to -7, not to 0$',
        String.raw`^posting {p3} \(transfer\): its entries sum to -7, not to 0$`,
      ],
    },
    {
      what: 'more held than there is',
      sql: `alter table ledger.entries drop constraint entry_above_floor;
        update ledger.entries set held_after = 560 where account_id = {alice} and seq >= 6;
        update ledger.holds set amount = 560, remaining = 560 where account_id = {alice}`,
      says: [`^entry 7 of ${place}: its balance after is 540, less than the 560 held$`],
    },
    {
      what: 'less held',
      sql: 'update ledger.entries set held_after = 0 where account_id = {alice}',
      says: [`^${place}: it holds 0, but its open holds make 40$`],
    },
    {
      what: 'an entry of nothing',
      sql: `insert into ledger.entries
        select account_id, 8, posting_id, 0, balance_after, held_after, hash from ledger.entries where ${entry(7)}`,
      says: [`^entry 8 of ${place}: its posting {p7} does not name it$`],
    },
  ]
  for (const { what, sql, says } of forged) {
    test(what, async () => {
      await chainAnew()
      assert.deepEqual((await checkBooks(db)).problems, [], 'it is the same chain as before')
      await tamper(alice.fill(sql))
      await chainAnew()
      const { problems } = await checkBooks(db)
      assert.equal(problems.length, says.length, problems.join('\n'))
      for (const [at, said] of says.entries()) assert.match(problems[at] ?? '', new RegExp(alice.fill(said)))
      assert.notDeepEqual(await ledgerFaults(url), [], 'the checker of the tests finds it too')
    })
  }
})

test('what is gone is missed every night, until it is there again', async () => {
  const sql =
    'delete from ledger.entries where posting_id = {p7}; delete from ledger.postings where id = {p7}'
  await tamper(alice.fill(sql))
  for (let night = 0; night < 3; night++) {
    clock.advance(86_400)
    const { ok, problems } = await checkAndKeep(db, { clock })
    assert.equal(ok, false, `night ${night + 1}`)
    assert.match(problems.join('\n'), /^the postings: there are \d+, but the check at 2026-.*Z counted \d+$/m)
  }
  await moves.restore()
  assert.equal((await checkBooks(db)).ok, true)
})

test('what was forged and taken away again is not missed', async () => {
  await tamper(`insert into ledger.postings values (-5, 'ghost', '{}', '{}', '{}', now())`)
  clock.advance(60)
  assert.equal((await checkAndKeep(db, { clock })).ok, false)
  await moves.restore()
  clock.advance(60)
  assert.deepEqual((await checkAndKeep(db, { clock })).problems, [])
})
