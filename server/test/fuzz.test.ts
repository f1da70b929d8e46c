// Whatever a client sends, each route answers in time, with an answer of the documented shape, never with a 5xx, and the
// books stay right. Every route of the app is tried with FUZZ inputs (300 if not said otherwise): good ones, ones with a
// single thing wrong, and things that are no request at all; with and without credentials. SEED repeats a run,
// FUZZ_ONLY=/api/send tries some routes only.
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type Caller, knownSchemes, openCaller, openStage } from './fuzz/callers.ts'
import { type Input, inputsOf } from './fuzz/inputs.ts'
import { type Answer, verdict } from './fuzz/verdict.ts'
import { reconcile, testApp } from './helpers.ts'
import { seed } from './ledger-orders.ts'
import { nameOf, routeTable } from './route-table.ts'

const runs = Number(process.env.FUZZ ?? 300)
const only = process.env.FUZZ_ONLY ?? ''
const slowMs = 2_000
const silentMs = 10_000

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

const table = routeTable()
const server = await testApp({ webDir, watch: table.watch })
const routes = table.routes()
const stage = await openStage(server, routes)

describe('the route table', () => {
  test('every route of the API says what it takes and what it answers', () => {
    const silent = routes.filter(({ path, schema }) => {
      if (schema?.hide === true) return path.startsWith('/api')
      const takes = !path.includes(':') || schema?.params !== undefined
      return !takes || Object.keys(schema?.response ?? {}).every((status) => !status.startsWith('2'))
    })
    assert.deepEqual(silent.map(nameOf), [])
  })

  test('the fuzzer has a credential for each that asks for one', () => {
    const asked = routes.flatMap(({ schema }) =>
      (schema?.security ?? []).flatMap((scheme) => Object.keys(scheme)),
    )
    assert.deepEqual(
      [...new Set(asked)].filter((scheme) => !knownSchemes.includes(scheme)),
      [],
      'a scheme of which fuzz/callers.ts knows nothing',
    )
  })
})

describe(`${runs} inputs a route, SEED=${seed}`, { concurrency: 3 }, () => {
  for (const route of routes.filter((one) => nameOf(one).includes(only))) {
    test(nameOf(route), async () => {
      const caller = await openCaller(stage, route)
      const tried = fc.asyncProperty(inputsOf(route, caller.known), (input) => tryInput(input, caller))
      await fc.assert(tried, {
        seed,
        numRuns: runs,
        interruptAfterTimeLimit: 120_000,
        markInterruptAsFailure: true,
      })
    })
  }
})

describe('afterwards', () => {
  test('the books are right', async () => {
    const { postings } = await reconcile(server)
    assert.ok(postings > 50, 'money has moved')
  })

  test('the log has no error, and no secret', () => {
    const bad = server.log.lines.filter(({ level }) => level === 'error' || level === 'fatal')
    assert.deepEqual(bad, [])
    const text = server.log.text()
    assert.deepEqual(
      [...stage.secrets].filter((secret) => text.includes(secret)),
      [],
    )
  })

  test('the service is ready', async () => {
    assert.equal((await server.app.inject('/api/health')).statusCode, 200)
  })
})

async function tryInput(input: Input, caller: Caller): Promise<void> {
  const headers = { ...caller.headersOf(input.as, input.scheme), ...input.headers }
  fc.pre(URL.canParse(input.url, 'http://localhost'))
  let { answer, ms } = await send({ input, headers })
  // Slow because of what was sent, or because the machine was busy?
  if (ms > slowMs) ({ answer, ms } = await send({ input, headers }))
  const problem = verdict(answer) ?? (ms > slowMs ? `it took ${Math.round(ms)} ms` : undefined)
  if (problem !== undefined)
    assert.fail(
      `${problem}\n${shownInput({ input, headers })}\n${answer.status} ${answer.text.slice(0, 500)}`,
    )
  const isJson = String(answer.headers['content-type']).startsWith('application/json') && answer.text !== ''
  const body = isJson ? JSON.parse(answer.text) : undefined
  await caller.note({ as: input.as, status: answer.status, body })
}

interface Sending {
  input: Input
  headers: Record<string, string>
}

async function send({ input, headers }: Sending): Promise<{ answer: Answer; ms: number }> {
  const began = performance.now()
  const silence = new AbortController()
  const reply = await Promise.race([
    server.app.inject({
      method: input.method as 'GET',
      url: input.url,
      headers,
      remoteAddress: input.address,
      ...(input.body === undefined ? {} : { payload: input.body }),
    }),
    sleep(silentMs, undefined, { signal: silence.signal }).catch(() => undefined),
  ])
  silence.abort()
  assert.ok(reply, `no answer within ${silentMs} ms to ${shownInput({ input, headers })}`)
  const { statusCode: status, headers: shown, body: text } = reply
  const route = table.answeredBy(String(shown['x-request-id']))
  return { answer: { status, headers: shown, text, route }, ms: performance.now() - began }
}

/** Whole, so that it can be sent again. */
const shownInput = ({ input: { kind, method, url, body, as, address }, headers }: Sending) =>
  JSON.stringify({ kind, method, url, headers, body: body && shownBytes(body), as, address })

const shownBytes = (bytes: Buffer) =>
  isUtf8(bytes) ? bytes.toString().slice(0, 3_000) : { base64: bytes.toString('base64').slice(0, 3_000) }
