// The checker promises two things: of a day of the real service it says nothing, and of each kind of damage to it, done to
// the rows, to the clients' journal or to the receivers', it names the row.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { openStage } from '../test/check-stage.ts'
import { damages } from '../test/damages.ts'
import { type Checked, type CheckOptions, check, checkIn } from './check.ts'

// Before the database goes, whose own hook comes after this one.
after(() => client.end())
const stage = await openStage()
const client = new pg.Client({ connectionString: stage.adminUrl })
await client.connect()

/** The damage is undone again. */
async function afterDamage(text: string, options: CheckOptions): Promise<Checked> {
  await client.query('begin')
  try {
    // No trigger refuses it, and no foreign key either: whoever damages a database has all rights.
    await client.query('set local session_replication_role = replica')
    if (text !== '') await client.query(text)
    return await checkIn(client, options)
  } finally {
    await client.query('rollback')
  }
}

test('of a day of the service it says nothing', async () => {
  const { faults, figures } = await check({ ...stage.options, databaseUrl: stage.adminUrl })
  assert.deepEqual(faults, [])
  const { unresolved, replayed, postings, verified, deliveries, asWritten } = figures
  assert.deepEqual({ unresolved, replayed }, { unresolved: 1, replayed: postings })
  assert.equal(verified, deliveries)
  // What was put into wallets for the test, what was only held, and what a business earned.
  assert.ok(
    Number(asWritten) < Number(postings) / 2,
    `${asWritten} of ${postings} postings tell nothing of themselves`,
  )
})

describe('each damage is found', () => {
  for (const { name, sql = '', journal, receivers, options = {}, finds } of damages)
    test(name, async () => {
      const [, rule] = /^\^rule (\d+):/.exec(finds.source) ?? []
      const { faults } = await afterDamage(sql, {
        ...stage.options,
        ...options,
        rules: [Number(rule)],
        journal: journal?.(structuredClone(stage.options.journal)) ?? stage.options.journal,
        receivers: receivers?.(structuredClone(stage.options.receivers)) ?? stage.options.receivers,
      })
      assert.ok(
        faults.some((fault) => finds.test(fault)),
        `none of these fits ${finds}:\n${faults.join('\n') || '(nothing was found)'}`,
      )
    })
})
