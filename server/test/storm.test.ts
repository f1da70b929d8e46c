// The storm in short (`npm run storm` is the whole one): callbacks lost, doubled, late and forged, outages, and a kill -9 in
// the middle of some 150 orders to all four providers. Afterwards each has ended in the one right state, and the books of
// the providers and ours agree to the minor unit. Slow, some 20 s: the service starts twice, and late successes are
// waited for in real time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from './helpers.ts'
import { short } from './storm/forecasts.ts'
import { storm } from './storm/storm.ts'

const { url: databaseUrl } = await testDatabase()

test('after a storm both sides agree, and nothing is lost', async (t) => {
  const seed = Number(process.env.SEED ?? 1)
  t.diagnostic(`seed ${seed}`)
  const { faults, figures } = await storm({ ...short, databaseUrl, seed, say: (line) => t.diagnostic(line) })
  for (const line of figures) t.diagnostic(line)
  assert.deepEqual(faults.slice(0, 20), [])
})
