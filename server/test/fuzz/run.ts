// Tries every route of a part of the app. The parts are test files of their own, so that they can run side by side; each
// route belongs to exactly one.
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { DirectRequest } from '../../src/http/direct/messages.ts'
import type { Http } from '../../src/http/http.ts'
import { reconcile, type TestApp } from '../helpers.ts'
import { seed } from '../ledger-orders.ts'
import { patientDelays } from '../open-orders.ts'
import { nameOf, type Route, type RouteTable, routeTable } from '../route-table.ts'
import { simulatedApp } from '../simulated-app.ts'
import { shortOrLong } from '../thorough.ts'
import { messageOf } from './broken-messages.ts'
import { type Caller, knownSchemes, openCaller, openStage, type Stage } from './callers.ts'
import { appHands } from './hands.ts'
import { type Input, inputsOf } from './inputs.ts'
import { sendOnLine } from './line.ts'
import { described, isUnknownForm } from './pages.ts'
import { openTally, type Tally } from './tally.ts'
import { type Answer, verdict } from './verdict.ts'

export type Part = 'accounts' | 'groups' | 'money' | 'business' | 'operators' | 'rest'

/** The first that fits. */
const parts: readonly (readonly [Part, RegExp])[] = [
  ['business', /^\/(api\/(merchant|pay|v1)|checkout)/],
  ['accounts', /^\/api\/(auth|me)\b/],
  ['groups', /^\/(api\/groups|verify)/],
  ['operators', /^\/api\/operator\b/],
  ['money', /^\/api\//],
  ['rest', /^/],
]
const partOf = ({ path }: Route): Part => parts.find(([, paths]) => paths.test(path))?.[0] ?? 'rest'

const [few, many] = [20, 300]
/** What moves people's money, lets them in, or shows what they did, gets as many in both forms of the tests. */
const alwaysMany = [/^\/api\/operator\/(mails|audit|users\/:id\/transactions)\b/, /^\/receipt\.css$/]
const hasMany = (part: Part, { path }: Route) =>
  part === 'money' || part === 'accounts' || alwaysMany.some((paths) => paths.test(path))
const runsOf = (part: Part, route: Route) =>
  Number(process.env.FUZZ ?? (hasMany(part, route) ? many : shortOrLong(few, many)))
/** Of a POST every tenth input comes over a connection; of these all. */
const alwaysOnLine = /^\/api\/(send$|auth\/)/
const only = process.env.FUZZ_ONLY ?? ''
const slowMs = 2_000
const silentMs = 20_000
const learnedFromMax = 100_000
/** Of fewer a share says nothing. */
const fewLines = 30

export async function fuzz(part: Part): Promise<void> {
  const table = routeTable()
  const lines = { sent: 0, direct: 0, port: 0 }
  const watch = (http: Http) => {
    table.watch(http)
    http.app.addHook('onRequest', async ({ raw }) => {
      if ((raw as unknown) instanceof DirectRequest) lines.direct += 1
    })
  }
  // With the networks in a box: orders to them are taken, and what comes back comes while others are tried.
  const server = await simulatedApp({ delays: patientDelays }, { webDir: smallSite(), watch })
  lines.port = Number(new URL(await server.listen()).port)
  const routes = table.routes().filter((route) => partOf(route) === part)
  const stage = await openStage(appHands(server))
  describe('the route table', () => checkTable(routes))
  describe(`SEED=${seed}`, { concurrency: 3 }, () => {
    for (const route of routes.filter((one) => nameOf(one).includes(only)).map(described)) {
      const numRuns = runsOf(part, route)
      test(`${nameOf(route)}, ${numRuns} inputs`, async () => {
        const tally = openTally(route)
        await tryRoute({ server, table, stage, lines, tally, passes: part === 'accounts' }, route, {
          numRuns,
          seed,
        })
        say(`${nameOf(route)}: ${tally.told()}`)
        tally.judge()
      })
    }
  })
  describe('afterwards', () => checkServer(server, { secrets: stage.secrets, lines }))
}

/** Seen where the output of tests is asked for. */
const say = (line: string) => void process.stdout.write(`${line}\n`)

interface Lines {
  port: number
  sent: number
  /** How many of them were read without Node's server. */
  direct: number
}

interface Trial {
  server: TestApp
  table: RouteTable
  stage: Stage
  /** Without them nothing is sent over connections. */
  lines?: Lines
  tally?: Tally
  /** A second goes by with each input: what is said of old tokens is met too. */
  passes?: boolean
}

/** Rejects with the smallest input that it can find for which something is wrong. */
export async function tryRoute(
  { stage, passes = false, ...trial }: Trial,
  route: Route,
  settings: { numRuns: number; seed: number },
): Promise<void> {
  const caller = await openCaller(stage, route)
  const tried = fc.asyncProperty(inputsOf(route, caller.known), (input) => {
    if (passes) trial.server.clock.advance(1)
    return tryInput({ ...trial, caller, route }, input)
  })
  await fc.assert(tried, settings)
}

/** Pages that need no build. */
function smallSite(): string {
  const webDir = mkdtempSync(join(tmpdir(), 'mfuko-fuzz-'))
  after(() => rmSync(webDir, { recursive: true }))
  mkdirSync(join(webDir, 'assets'))
  for (const name of [
    'index.html',
    'app.html',
    'docs.html',
    '404.html',
    'favicon.svg',
    'robots.txt',
    'assets/a.js',
  ])
    writeFileSync(join(webDir, name), name)
  return webDir
}

function checkTable(routes: readonly Route[]): void {
  test('every route says what it takes and what it answers', () => {
    const isSilent = ({ path, schema }: Route) => {
      if (schema?.hide === true) return path.startsWith('/api')
      const takes = !path.includes(':') || schema?.params !== undefined
      return !takes || Object.keys(schema?.response ?? {}).every((status) => !status.startsWith('2'))
    }
    assert.deepEqual(routes.filter(isSilent).map(nameOf), [])
    assert.deepEqual(routes.filter(isUnknownForm).map(nameOf), [], 'fuzz/pages.ts says what pages take')
  })

  test('the fuzzer has a credential for each that asks for one', () => {
    const asked = routes.flatMap(({ schema }) => (schema?.security ?? []).flatMap((way) => Object.keys(way)))
    const unknown = [...new Set(asked)].filter((scheme) => !knownSchemes.includes(scheme))
    assert.deepEqual(unknown, [], 'fuzz/callers.ts says how to call')
  })
}

function checkServer(
  server: TestApp,
  { secrets, lines }: { secrets: ReadonlySet<string>; lines: Lines },
): void {
  test('of what came over connections much was read directly', () => {
    const { sent, direct } = lines
    say(`${sent} inputs came over connections, ${direct} of them were read directly`)
    assert.ok(sent < fewLines || direct >= sent / 3, `${direct} of ${sent}`)
  })

  test('the books are right', async () => {
    const { postings } = await reconcile(server)
    assert.ok(postings > 0, 'money has moved')
  })

  test('the log has no error, and no secret', () => {
    const bad = server.log.lines.filter(({ level }) => level === 'error' || level === 'fatal')
    assert.deepEqual(bad, [])
    const text = server.log.text()
    assert.deepEqual(
      [...secrets].filter((secret) => text.includes(secret)),
      [],
    )
  })

  test('the service is ready', async () => {
    assert.equal((await server.app.inject('/api/health')).statusCode, 200)
  })
}

interface Stand extends Omit<Trial, 'stage' | 'passes'> {
  caller: Caller
  route: Route
}

async function tryInput({ caller, tally, ...stand }: Stand, input: Input): Promise<void> {
  fc.pre(URL.canParse(input.url, 'http://localhost'))
  // Routes that wait for nothing would not let the others come to their turn.
  await nextTurn()
  const headers = { ...caller.headersOf(input.as, input.scheme), ...input.headers }
  let { answer, ms } = await send(stand, { input, headers })
  // Because of what was sent, or because the machine was busy?
  for (let tries = 0; tries < 3 && (ms > slowMs || answer.status === 503); tries++) {
    await sleep(500)
    ;({ answer, ms } = await send(stand, { input, headers }))
  }
  const problem = verdict(answer, input.spoilt) ?? (ms > slowMs ? `it took ${Math.round(ms)} ms` : undefined)
  if (problem !== undefined)
    assert.fail(`${problem}\n${shown({ input, headers })}\n${answer.status} ${answer.text.slice(0, 500)}`)
  const { status } = answer
  const body = bodyOf(answer)
  tally?.count({ kind: input.kind, as: input.as, status, code: body?.code })
  await caller.note({ as: input.as, status, body })
}

/** There is nothing to learn from the whole reference, and to read it takes longer than to answer with it. */
function bodyOf({ headers, text }: Answer) {
  const isJson =
    String(headers['content-type']).startsWith('application/json') &&
    headers['content-encoding'] === undefined &&
    text.length > 0 &&
    text.length < learnedFromMax
  return isJson ? JSON.parse(text) : undefined
}

interface Sending {
  input: Input
  headers: Record<string, string>
}

async function send(stand: Omit<Stand, 'caller'>, sending: Sending) {
  const began = performance.now()
  const { lines, route } = stand
  const isOnLine =
    lines !== undefined &&
    route.method === 'POST' &&
    (alwaysOnLine.test(route.path) || Number(sending.input.address.split('.').at(-1)) % 10 === 0)
  const said = isOnLine ? await sendOver(lines, sending) : await sendInside(stand, sending)
  assert.ok(said, `no answer within ${silentMs} ms to ${shown(sending)}`)
  const answer: Answer = { ...said, route: stand.table.answeredBy(String(said.headers['x-request-id'])) }
  return { answer, ms: performance.now() - began }
}

function sendOver(lines: Lines, { input, headers }: Sending) {
  lines.sent += 1
  const message = messageOf({ ...input, headers }, { connection: 'keep-alive' })
  const { method, address: from } = input
  return sendOnLine(message, { port: lines.port, method, from, silentMs })
}

async function sendInside({ server }: Pick<Stand, 'server'>, { input, headers }: Sending) {
  let timer: NodeJS.Timeout | undefined
  const reply = await Promise.race([
    server.app.inject({
      method: input.method as 'GET',
      url: input.url,
      headers,
      remoteAddress: input.address,
      ...(input.body === undefined ? {} : { payload: input.body }),
    }),
    new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), silentMs)
    }),
  ])
  clearTimeout(timer)
  return reply && { status: reply.statusCode, headers: reply.headers, text: reply.body }
}

/** Whole, so that it can be sent again. */
const shown = ({ input: { kind, method, url, body, as, address }, headers }: Sending) =>
  JSON.stringify({ kind, method, url, headers, body: body && shownBytes(body), as, address })

const shownBytes = (bytes: Buffer) =>
  isUtf8(bytes) ? bytes.toString().slice(0, 3_000) : { base64: bytes.toString('base64').slice(0, 3_000) }
