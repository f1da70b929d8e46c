// Equal keys inside one process, with a ledger that answers when the test says so.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testClock } from '../../test/helpers.ts'
import type { Outcome, Posting } from './core.ts'
import { onceEach } from './once.ts'

const run = promisify(execFile)
const clock = testClock()
const posted = { id: 1n, createdAt: clock.now(), entries: [], hold: undefined }

const posting = (id: string, fingerprint = 'same'): Posting => ({
  kind: 'transfer',
  mode: 'live',
  currency: 'UGX',
  details: {},
  entries: [],
  once: { key: { id, fingerprint }, answer: () => ({ status: 200, body: '' }) },
})

const wordOf = (outcome: Outcome) =>
  outcome.ok ? (outcome.replayed ? `replayed ${outcome.answer.body}` : 'posted') : outcome.refusal

test('however many pass meanwhile, one that is still running is known', async () => {
  const waiting = new Map<string, (outcome: Outcome) => void>()
  const { submit: submitOnce } = onceEach(
    ({ once }) => new Promise((resolve) => waiting.set(once?.key.id ?? '', resolve)),
    clock,
  )
  const answer = (id: string) =>
    waiting.get(id)?.({ ok: true, replayed: false, posted, answer: { status: 200, body: id } })
  const slow = submitOnce(posting('slow'))
  for (let at = 0; at < 5_000; at++) {
    const passing = submitOnce(posting(`k${at}`))
    answer(`k${at}`)
    await passing
  }
  const running = Array.from({ length: 3_000 }, (_, at) => submitOnce(posting(`r${at}`)))
  const again = [submitOnce(posting('slow')), submitOnce(posting('slow', 'other')), submitOnce(posting('r7'))]
  assert.equal(waiting.size, 8_001, 'none of them is submitted a second time')
  answer('slow')
  for (let at = 0; at < 3_000; at++) answer(`r${at}`)
  assert.equal(wordOf(await slow), 'posted')
  await Promise.all(running)
  assert.deepEqual((await Promise.all(again)).map(wordOf), [
    'replayed slow',
    'idempotency_conflict',
    'replayed r7',
  ])
  assert.equal(wordOf(await submitOnce(posting('r2999'))), 'replayed r2999')
})

test('a refusal leaves the key to the next', async () => {
  const outcomes: Outcome[] = [
    { ok: false, refusal: 'insufficient_funds' },
    { ok: true, replayed: false, posted, answer: { status: 200, body: 'second' } },
  ]
  const { submit: submitOnce } = onceEach(async () => outcomes.shift() as Outcome, clock)
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => submitOnce(posting('key'))))
  assert.deepEqual(
    [one, two, three].map((outcome) => wordOf(outcome as Outcome)),
    ['insufficient_funds', 'posted', 'replayed second'],
  )
})

/** In a process of its own: the test runner keeps something of every promise. */
const program = `
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onceEach } from '${new URL('./once.ts', import.meta.url)}'
const posted = { id: 1n, createdAt: new Date(), entries: [], hold: undefined }
const { submit: submitOnce } = onceEach(
  async ({ details }) => ({ ok: true, replayed: false, posted, answer: { status: 200, body: '', details } }),
  { now: () => new Date() },
)
let next = 0
const pass = async (count) => {
  for (let at = 0; at < count; at++, next++) {
    const once = { key: { id: 'k' + next, fingerprint: '' } }
    await submitOnce({ once, details: new Array(64).fill(next + 0.5) })
  }
}
const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space').space_used_size
await pass(1_500)
setFlagsFromString('--expose-gc')
// Twice, so that the tables it has now are old.
for (let times = 0; times < 2; times++) runInNewContext('gc')()
const before = oldBytes()
await pass(200_000)
console.log((oldBytes() - before) / 1e6)`

test('what has gone does not live until the next full collection', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program])
  const grown = Number(stdout)
  assert.ok(grown < 20, `of 100 MB that have gone, ${stdout.trim()} MB are still there`)
})
