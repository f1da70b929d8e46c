// Every example in docs/guides works as it is written, with the answer that is shown. Each guide is read from top to
// bottom by somebody who has just run `npm start`: on a service of its own, with the people of the demo. How a guide
// writes its examples: guide-steps.ts. Guides in several languages are walked by guide-languages.test.ts.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { planOf } from '../../simulator/src/outcomes.ts'
import { startSimulator } from '../../simulator/src/simulator.ts'
import { openDemo } from '../src/demo.ts'
import { compare, type Reply, send, writtenUrl as written } from './guide-run.ts'
import { differs, type Example, examplesOf, requestOf, valueAt } from './guide-steps.ts'
import { isWalked } from './guide-walk.ts'
import { reconcile, type TestApp, testApp } from './helpers.ts'
import { patientDelays } from './open-orders.ts'

const folder = join(import.meta.dirname, '../../docs/guides')

interface Guide {
  name: string
  examples: Example[]
}

const guides: Guide[] = readdirSync(folder)
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  .filter(({ text }) => !isWalked(text))
  .map(({ name, text }) => ({ name, examples: examplesOf(text) }))
  .filter(({ examples }) => examples.length > 0)

const simulator = await startSimulator({ delays: patientDelays, seed: 1 })
after(() => simulator.close())

// All are there before the first test is: a test file that waits in between has ended.
const runs: (Guide & { server: TestApp; run: (example: Example) => Promise<void> })[] = []
for (const guide of guides) {
  const server = await testApp({ baseUrl: written, environment: { SIMULATOR_URL: simulator.url } })
  const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-guides-'))
  after(() => rmSync(dataDir, { recursive: true }))
  // What was made one after the other is so also by the clock, which stands still in tests.
  const { clock } = server
  const ticking = {
    now: () => {
      clock.advance(1)
      return clock.now()
    },
  }
  const shopUrl = 'http://localhost:8090'
  await openDemo({ ...server.dependencies, clock: ticking }, { dataDir, shopUrl })
  runs.push({ ...guide, server, run: openRun(server, await server.listen()) })
}

test('there are guides with examples', () => {
  assert.ok(runs.length >= 3)
})

for (const { name, examples, server, run } of runs) {
  describe(name, () => {
    for (const example of examples) test(`line ${example.line}`, () => run(example))
    test('the books are right', async () => {
      await reconcile(server)
    })
  })
}

/** What a guide shows, what it is, and whether that is right. */
const shownRows: [shown: unknown, real: unknown, isRight: boolean][] = [
  ['usr_…', 'usr_1', true],
  ['usr_…', 'ses_1', false],
  ['usr_…', 1, false],
  ['…', 1, true],
  ['…', null, false],
  ['a.c', 'abc', false],
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, false],
  [{ a: 1, '…': '…' }, { a: 1, b: 2 }, true],
  [{ a: 1, '…': '…' }, { b: 2 }, false],
  [[1, 2], [1, 2, 3], false],
  [[1, '…'], [1, 2, 3], true],
  [null, {}, false],
  [{}, null, false],
  [[], {}, false],
]

test('an answer that the guide shows otherwise is found', () => {
  for (const [shown, real, isRight] of shownRows)
    assert.equal(differs(shown, real) === undefined, isRight, JSON.stringify([shown, real]))
})

/** The digits that a number ends in → the row of the table about them. */
function digitRows(name: string): Map<string, string> {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n')
  return new Map(
    lines.flatMap((line) => (/^\| `\d{3}` \|/.test(line) ? [[line.slice(3, 6), line] as const] : [])),
  )
}

for (const name of ['test-mode.md', 'simulator.md'])
  test(`${name} names every number that ends otherwise, and how`, () => {
    const rows = digitRows(name)
    const usual = planOf({ number: '000', kind: 'collect' })
    for (let digits = 0; digits < 1_000; digits++) {
      const number = String(digits).padStart(3, '0')
      const plans = (['collect', 'payout'] as const).map((kind) => planOf({ number, kind }))
      const isSpecial = plans.some((plan) => JSON.stringify(plan) !== JSON.stringify(usual))
      assert.equal(rows.has(number), isSpecial, number)
      for (const { end } of plans)
        if (end !== 'paid') assert.ok(rows.get(number)?.includes(`\`${end}\``), number)
    }
  })

function openRun(server: TestApp, address: string) {
  const variables = new Map<string, string>()
  let last: Reply | undefined
  return async ({ commands, answer }: Example): Promise<void> => {
    for (const command of commands) {
      if ('keep' in command) {
        variables.set(command.keep, valueAt(JSON.parse(last?.text ?? ''), command.path))
        continue
      }
      if (!('curl' in command)) continue
      // Two commands never come in the same moment.
      server.clock.advance(1)
      await learnOutcomes(server)
      const request = requestOf(command.curl, variables)
      last = await send(request, address)
      const isShown = command === commands.findLast((one) => 'curl' in one) && answer !== undefined
      if (isShown) compare(answer, { reply: last, request })
      else assert.ok(last.status < 400, `${last.status} ${last.text}`)
    }
  }
}

/** Nobody hears callbacks at the address of the guides; who reads takes as long as it takes the service to ask. */
async function learnOutcomes({ clock, dependencies }: TestApp): Promise<void> {
  const { operations, funding } = dependencies
  await funding.idle()
  const orders = await operations.list({ limit: 100 })
  if (orders.every(({ endedAt }) => endedAt !== null)) return
  await simulator.settled(1_000)
  clock.advance(30)
  await operations.askDue()
}
