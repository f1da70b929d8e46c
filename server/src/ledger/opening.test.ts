// Accounts are opened by the first posting that names them, many in one statement. However small the tables were when the
// ledger planned its statements, none is ever read whole; and of two who open the same account at once both get it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { fund, send } from '../../test/ledger-orders.ts'
import { openDb } from '../db/db.ts'
import { openLedger } from './ledger.ts'

const { url, adminUrl } = await testDatabase()
const clock = testClock()
const admin = openDb({ url: adminUrl, connectionsMax: 2, name: 'ledger tests' })
after(() => admin.close())

/** What a connection has read is told at its end. */
const wholeReads = async () => {
  const [row] = await admin.rows<{ tables: string[] }>(
    `select coalesce(array_agg(relname || ' ' || seq_scan order by relname), '{}') as tables
     from pg_stat_user_tables where schemaname = 'ledger' and seq_scan > 0
       and relname in ('accounts', 'entries', 'postings', 'answers', 'guards', 'holds')`,
  )
  return row?.tables
}

const people = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

test('opening accounts reads no table whole', async () => {
  const first = openLedger({ url, clock })
  await first.submit(fund('rich', 1_000_000n))
  await first.close()
  // Now they are known to be tiny: reading them whole looks cheapest.
  for (const table of ['accounts', 'entries', 'postings', 'answers', 'guards'])
    await admin.rows(`vacuum analyze ledger.${table}`)
  await admin.rows('select pg_stat_reset()')
  const ledger = openLedger({ url, clock })
  for (const prefix of ['a', 'b', 'c']) {
    const outcomes = await Promise.all(
      people(100, prefix).map((owner, index) =>
        ledger.submit({ ...send('rich', owner, 5n), guard: { owner: `guard ${index}`, version: 0n } }),
      ),
    )
    assert.ok(outcomes.every(({ ok }) => ok))
  }
  await ledger.close()
  assert.deepEqual(await wholeReads(), [])
  await checkLedger(url)
  await reconcile({ url })
})

test('several ledgers open the same accounts at once', async () => {
  const ledgers = [1, 2, 3, 4].map(() => openLedger({ url, clock }))
  const outcomes = await Promise.all(
    ledgers.flatMap((ledger) => people(50, 'same').map((owner) => ledger.submit(fund(owner, 7n)))),
  )
  assert.ok(outcomes.every(({ ok }) => ok))
  const [row] = await admin.rows<{ count: bigint }>(
    `select count(*) from ledger.accounts where owner like 'same%'`,
  )
  assert.equal(row?.count, 50n)
  await Promise.all(ledgers.map((ledger) => ledger.close()))
  await checkLedger(url)
  await reconcile({ url })
})
