import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { testDatabase } from '../../../test/helpers.ts'
import { seed } from '../../../test/ledger-orders.ts'
import { bigints, integers, itself, texts } from './wire.ts'

const database = await testDatabase({ empty: true })
const client = new pg.Client({ connectionString: database.url })

/** As PostgreSQL read them, one by one and in their order. */
async function readBack(type: string, parameter: Buffer): Promise<string[]> {
  const text = `select v::text as v from unnest($1::${type}[]) with ordinality as n (v, at) order by at`
  const { rows } = await client.query<{ v: string }>(text, [parameter])
  return rows.map(({ v }) => v)
}

const anyText = fc.string({ unit: 'grapheme', maxLength: 200 }).filter((text) => !text.includes('\0'))

describe('as PostgreSQL reads them', () => {
  before(() => client.connect())
  after(() => client.end())

  test('numbers and texts arrive as they were, none as none', async () => {
    const bigint = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    const property = fc.asyncProperty(
      fc.array(bigint, { maxLength: 40 }),
      fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 40 }),
      fc.array(fc.oneof(anyText, fc.constantFrom('', 'NULL', '{}', '"', '\\', 'Chai ☕ na 🍞')), {
        maxLength: 40,
      }),
      async (large, small, words) => {
        assert.deepEqual(await readBack('bigint', bigints(large, itself)), large.map(String))
        assert.deepEqual(await readBack('int', integers(small)), small.map(String))
        assert.deepEqual(await readBack('text', texts(words)), words)
      },
    )
    await fc.assert(property, { seed, numRuns: 200 })
  })

  test('a column of rows', async () => {
    const rows = [{ amount: 5n }, { amount: -7n }]
    assert.deepEqual(
      await readBack(
        'bigint',
        bigints(rows, ({ amount }) => amount),
      ),
      ['5', '-7'],
    )
  })

  test('a number that does not fit is refused', () => {
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n + 5n])
      assert.throws(() => bigints([value], itself), /fits into 64 bits/)
    for (const value of [2 ** 31, 0.5, Number.NaN])
      assert.throws(() => integers([value]), /fits into 32 bits/)
  })

  test('half of a character never gets as far as the database', () => {
    assert.equal(texts(['\ud800']).subarray(24).toString(), '\ufffd')
  })
})
