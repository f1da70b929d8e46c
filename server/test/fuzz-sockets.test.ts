// Whatever arrives on a connection, whether or not it is HTTP: the answer is a refusal of ours or nothing, never a 5xx,
// it comes in time, and the service goes on. Good messages for every route are taken, and bytes of them changed, cut,
// repeated or mixed with what proxies and servers have read in two ways. SEED repeats a run; FUZZ says how many (100, or 300 in
// the thorough form).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { edit, exchange, messageOf, problemOf } from './fuzz/broken-messages.ts'
import { openCaller, openStage } from './fuzz/callers.ts'
import { appHands } from './fuzz/hands.ts'
import { inputsOf } from './fuzz/inputs.ts'
import { described } from './fuzz/pages.ts'
import { testApp } from './helpers.ts'
import { seed } from './ledger-orders.ts'
import { type Route, routeTable } from './route-table.ts'
import { shortOrLong } from './thorough.ts'

const runs = Number(process.env.FUZZ ?? shortOrLong(100, 300))
const slowMs = 2_000

const table = routeTable()
const server = await testApp({ watch: table.watch })
const port = Number(new URL(await server.listen()).port)
const wire = { port, silentMs: 3 * slowMs }
const stage = await openStage(appHands(server))
const routes = table.routes().map(described)
const caller = await openCaller(stage, routes.find(({ path }) => path === '/api/me') as Route)

const anyInput = fc.constantFrom(...routes).chain((route) => inputsOf(route, caller.known))

test(`${runs} broken messages, SEED=${seed}`, async () => {
  const message = fc
    .tuple(anyInput, fc.array(edit, { maxLength: 3 }))
    .map(([input, edits]) =>
      edits.reduce(
        (bytes, change) => change(bytes),
        messageOf(input, caller.headersOf(input.as, input.scheme)),
      ),
    )
  await fc.assert(
    fc.asyncProperty(message, async (bytes) => {
      let { text, ms } = await exchange(bytes, wire)
      // Slow because of what was sent, or because the machine was busy?
      if (ms > slowMs) ({ text, ms } = await exchange(bytes, wire))
      assert.ok(ms <= slowMs, `it took ${Math.round(ms)} ms: ${JSON.stringify(bytes.toString('latin1'))}`)
      const problem = problemOf(text)
      assert.equal(
        problem,
        undefined,
        `${problem}: ${JSON.stringify(bytes.toString('latin1'))}\n${text.slice(0, 800)}`,
      )
    }),
    { seed, numRuns: runs },
  )
})

test('afterwards the service is ready, and its log has no error', async () => {
  assert.equal((await server.app.inject('/api/health')).statusCode, 200)
  const bad = server.log.lines.filter(({ level }) => level === 'error' || level === 'fatal')
  assert.deepEqual(bad, [])
})
