// Every example in docs/guides works as it is written, with the answer that is shown. Each guide is read from top to
// bottom by somebody who has just run `npm start`: on a service of its own, with the people of the demo. The lines are run
// by a shell and by curl (guide-run.ts). How a guide writes its examples: guide-steps.ts. Guides in several languages are
// walked by guide-languages.test.ts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { planOf } from '../../simulator/src/outcomes.ts'
import { startSimulator } from '../../simulator/src/simulator.ts'
import { openDemo } from '../src/demo.ts'
import { codeSentTo } from './accounts.ts'
import {
  compare,
  curlIsHere,
  type Place,
  type Reply,
  runCurl,
  sent,
  typed,
  writtenUrl as written,
} from './guide-run.ts'
import {
  type CurlRequest,
  commandsOf,
  differs,
  type Example,
  examplesOf,
  requestOf,
  valueAt,
} from './guide-steps.ts'
import { isWalked, stepsOf } from './guide-walk.ts'
import { reconcile, type TestApp, testApp } from './helpers.ts'
import { patientDelays } from './open-orders.ts'
import { shortOrLong } from './thorough.ts'

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
  const place = { folder: dataDir, address: await server.listen(), variables: new Map() }
  runs.push({ ...guide, server, run: openRun(server, place) })
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

const withoutCurl = 'curl is not on this machine: the examples are sent as guide-steps.ts reads them'

/** Also of the guides in several languages. */
const curlLines = readdirSync(folder)
  .flatMap((name) => stepsOf(readFileSync(join(folder, name), 'utf8')))
  .flatMap((step) => ('kind' in step && step.kind === 'sh' ? commandsOf(step.text) : []))
  .filter((command) => 'curl' in command)

const anyVariables = new Map(
  curlLines.flatMap(({ line }) => line.match(/(?<=\$)[A-Z_]+/g) ?? []).map((name) => [name, 'a-1']),
)

test('what is read of a line is what curl sends', { skip: curlIsHere ? false : withoutCurl }, async () => {
  const echo = createServer(async (request, response) => {
    const { method, url, headers } = request
    response.end(JSON.stringify({ method, url, headers, body: await text(request) }))
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const address = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
  const rooms = mkdtempSync(join(tmpdir(), 'mfuko-guides-'))
  try {
    assert.ok(curlLines.length > 50)
    const some = curlLines.filter((_line, at) => at % shortOrLong(4, 1) === 0)
    await inGroups(some, 8, async (command) => {
      const place = { folder: mkdtempSync(join(rooms, 'line-')), address, variables: anyVariables }
      const request = requestOf(command.curl, anyVariables)
      const read = heardOf(await sent(request, place), request)
      assert.deepEqual(read, heardOf(await typed({ ...command, request }, place), request), command.line)
    })
  } finally {
    echo.close()
    rmSync(rooms, { recursive: true })
  }
})

/** Other headers than those that the guide writes are each program's own. */
function heardOf({ text: said }: Reply, { headers }: CurlRequest) {
  const heard = JSON.parse(said)
  const written = Object.keys(headers).filter((name) => name !== 'user-agent')
  return { ...heard, headers: Object.fromEntries(written.map((name) => [name, heard.headers[name]])) }
}

async function inGroups<T>(all: readonly T[], size: number, work: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += size) await Promise.all(all.slice(at, at + size).map(work))
}

/** Of these every address has an example; of others the guides show the way, and the reference says the rest. */
const wholeParts = ['Account', 'Wallets', 'Send money', 'Money requests', 'Transactions']

test('every address of people, wallets and transfers has an example', () => {
  const reference = join(import.meta.dirname, '../../docs/reference/openapi.json')
  const { paths } = JSON.parse(readFileSync(reference, 'utf8')) as {
    paths: Record<string, Record<string, { tags: string[] }>>
  }
  const shown = runs
    .flatMap(({ examples }) => examples.flatMap(({ commands }) => commands))
    .filter((command) => 'curl' in command)
    .map(({ curl }) => requestOf(curl, anyVariables))
    .map(({ method, url }) => `${method} ${url.replace(written, '').replace(/\?.*/, '')}`)
  const addresses = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.some((tag) => wholeParts.includes(tag)))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  const isShown = (address: string) => {
    const form = new RegExp(`^${address.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return shown.some((one) => form.test(one))
  }
  assert.deepEqual(
    addresses.filter((address) => !isShown(address)),
    [],
  )
})

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

function openRun(server: TestApp, place: Place & { variables: Map<string, string> }) {
  let last: Reply | undefined
  return async ({ commands, answer }: Example): Promise<void> => {
    for (const command of commands) {
      if ('mailedTo' in command) {
        place.variables.set(command.keep, await codeSentTo(server.db, command.mailedTo))
        continue
      }
      if ('keep' in command) {
        place.variables.set(command.keep, valueAt(JSON.parse(last?.text ?? ''), command.path))
        continue
      }
      if (!('curl' in command)) continue
      // Two commands never come in the same moment.
      server.clock.advance(1)
      await learnOutcomes(server)
      const { reply, request } = await runCurl(command, place)
      last = reply
      // Nobody does background work here, and only this code is mailed by a job.
      if (request.url.endsWith('/password/forgot'))
        await server.users.mailResetCode(JSON.parse(request.body ?? ''))
      const isShown = command === commands.findLast((one) => 'curl' in one) && answer !== undefined
      if (isShown) compare(answer, { reply, request })
      else assert.ok(reply.status < 400, `${reply.status} ${reply.text}`)
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
