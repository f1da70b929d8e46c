// A database that hangs: connections stay open, and no answer comes. Whoever moves money is told so within six seconds,
// whatever the request does and whenever it came; nothing is left open; and when the database is back, so is the service,
// within ten seconds and by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newBusiness } from './businesses.ts'
import { newCampaign } from './campaigns.ts'
import { reconcile, testApp, testDatabase } from './helpers.ts'
import { fund, type Reply, register } from './people.ts'
import { openSlowLine } from './slow-line.ts'

const answerMs = 6_000
const recoveryMs = 10_000

const database = await testDatabase()
const line = await openSlowLine(database.url)
const server = await testApp({
  database: { ...database, url: line.url },
  environment: { DATABASE_WAIT_SECONDS: '2' },
})
const alice = await register(server)
const bob = await register(server)
const shop = await newBusiness(server)
await fund(server, alice, { amount: '1000000' })
const campaign = await newCampaign(bob, { currency: 'UGX' })
const { pin } = alice
const money: Record<string, () => Promise<Reply>> = {
  send: () => alice.call('POST', '/api/send', { recipient: bob.handle, amount: 1_000, currency: 'UGX', pin }),
  contribute: () => alice.call('POST', `/api/campaigns/${campaign.id}/contribute`, { amount: 1_000, pin }),
  pay: () => shop.callLive('POST', '/api/pay', { amount: 1_000, currency: 'UGX' }),
  wallets: () => alice.call('GET', '/api/wallets'),
}

/** How late this process's own timers are: a busy machine is not the service's fault. */
function watchLateness() {
  let last = performance.now()
  let lateMs = 0
  const timer = setInterval(() => {
    lateMs += Math.max(0, performance.now() - last - 100)
    last = performance.now()
  }, 50)
  return () => {
    clearInterval(timer)
    return lateMs
  }
}

test('everybody is answered in time, and served again soon after', { timeout: 110_000 }, async (t) => {
  for (const [name, ask] of Object.entries(money)) {
    const reply = await ask()
    assert.ok(reply.status < 300, `${name} before: ${reply.text}`)
  }
  const opened = line.open()
  const lateness = watchLateness()
  line.hang()
  const slowest: Record<string, number> = {}
  const asking: Promise<void>[] = []
  const timed = async (name: string, ask: () => Promise<Reply>) => {
    const begun = performance.now()
    const { status, headers, text } = await ask()
    slowest[name] = Math.max(slowest[name] ?? 0, Math.round(performance.now() - begun))
    assert.equal(status, 503, `${name}: ${text}`)
    assert.equal(headers['retry-after'], '1', name)
  }
  for (let round = 0; round < 20; round++) {
    for (const [name, ask] of Object.entries(money)) asking.push(timed(name, ask))
    await sleep(500)
  }
  for (const settled of await Promise.allSettled(asking))
    if (settled.status === 'rejected') throw settled.reason
  const lateMs = lateness()
  t.diagnostic(`slowest answers: ${JSON.stringify(slowest)}, own lateness ${Math.round(lateMs)} ms`)
  for (const [name, ms] of Object.entries(slowest))
    assert.ok(ms <= answerMs + lateMs, `${name} took ${ms} ms`)
  assert.ok(line.open() <= opened + 8, `${line.open()} connections are open, ${opened} were before`)

  const late = watchLateness()
  const backAt = performance.now()
  line.goOn()
  for (const [name, ask] of Object.entries(money)) {
    let reply = await ask()
    while (reply.status === 503 && performance.now() - backAt < 60_000) {
      await sleep(100)
      reply = await ask()
    }
    assert.ok(reply.status < 300, `${name} after: ${reply.text}`)
  }
  const tookMs = performance.now() - backAt
  const allowedMs = recoveryMs + late()
  t.diagnostic(`served again after ${Math.round(tookMs)} ms`)
  assert.ok(tookMs <= allowedMs, `served again after ${Math.round(tookMs)} ms`)
  await reconcile(database)
})
