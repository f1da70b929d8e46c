// The service over HTTP, complete: token, PIN, fee, limits, idempotency key. Service, database and load share the machine.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { systemClock } from '../server/src/base/clock.ts'
import { openLedger, type Posting } from '../server/src/ledger/ledger.ts'
import { type ApiServer, startApi } from './api-server.ts'
import { type ApiFigures, count, type Sample } from './figures.ts'
import type { Bench } from './harness.ts'
import { type LoadResult, requestBytes, runLoad } from './http-load.ts'

export interface Api {
  bench: Bench
  server: ApiServer
  databaseUrl: string
  /** Other databases that are written to in between. */
  beside: readonly string[]
  senders: Sender[]
  recipients: string[]
}

interface Sender {
  id: string
  token: string
  /** What all its transfers begin with. */
  head: string
}

const password = 'bench of many transfers'
const pin = '4827'
const funds = 10_000_000_000n
const atOnce = 4
const [busyMs, busyTriesMax] = [200, 100]

/** Opens people with money: senders who log in, and recipients who only receive. */
export async function openApi(
  bench: Bench,
  { databaseUrl, beside }: Pick<Api, 'databaseUrl' | 'beside'>,
): Promise<Api> {
  const { plan, say, stop } = bench
  say(`Starting the service with ${plan.api.senders} senders and ${count(plan.api.recipients)} recipients…`)
  const server = await startApi({ databaseUrl, stop })
  try {
    const senders: Sender[] = []
    const register = async () => {
      while (senders.length < plan.api.senders) senders.push(await registerSender(server.url))
    }
    await Promise.all(Array.from({ length: atOnce }, register))
    const recipients = await addRecipients(databaseUrl, plan.api.recipients)
    await fund(databaseUrl, senders)
    return { bench, server, databaseUrl, beside, senders, recipients }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function registerSender(url: string): Promise<Sender> {
  const handle = `b${randomUUID().replaceAll('-', '').slice(0, 15)}`
  const body = { name: 'Bench', handle, email: `${handle}@example.test`, password, pin, country: 'UG' }
  const ask = () =>
    fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  let answer = await ask()
  // A machine with much else to do: nothing was done, and it may be asked again.
  for (let tries = 0; answer.status === 503 && tries < busyTriesMax; tries++) {
    await sleep(busyMs)
    answer = await ask()
  }
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`a sender could not be registered: ${text}`)
  const { data } = JSON.parse(text) as { data: { token: string; user: { id: string } } }
  const { token } = data
  const lines = ['POST /api/send HTTP/1.1', 'host: bench', `authorization: Bearer ${token}`]
  return { id: data.user.id, token, head: `${lines.join('\r\n')}\r\ncontent-type: application/json\r\n` }
}

/** Hashing a password for each would take minutes, and none of them logs in. */
async function addRecipients(databaseUrl: string, many: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ handle: string }>(
      `insert into users.people (id, handle, name, email, country, locale, wants_receipts, password, created_at)
       select 'usr_' || lpad(n::text, 22, '0'), 'to_' || n, 'Recipient ' || n, 'to_' || n || '@example.test', 'UG', 'en', false,
         '-', now()
       from generate_series(1, $1) as n returning handle`,
      [many],
    )
    return rows.map(({ handle }) => handle)
  } finally {
    await client.end()
  }
}

async function fund(databaseUrl: string, people: readonly { id: string }[]): Promise<void> {
  const ledger = openLedger({ url: databaseUrl, clock: systemClock })
  try {
    await Promise.all(people.map(({ id }) => ledger.submit(incoming(id, funds))))
  } finally {
    await ledger.close()
  }
}

const incoming = (owner: string, amount: bigint): Posting => ({
  kind: 'deposit',
  mode: 'live',
  currency: 'UGX',
  details: { counterparty: { name: 'Bench' }, reference: 'DP-BENCH' },
  entries: [
    { kind: 'clearing', owner: 'bench', amount: -amount },
    { kind: 'user', owner, amount },
  ],
})

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

/** By hand: what making a request takes is missing from what is measured. */
function sendRequest({ senders, recipients }: Api, to = anyOf(recipients)): string {
  const body = `{"recipient":"${to}","amount":500,"currency":"UGX","note":"Rent","pin":"${pin}"}`
  return `${anyOf(senders).head}idempotency-key: ${randomUUID()}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** The same for wrk, in its own language. Keys are never the same, in this run and in others. */
function sendScript({ senders, recipients }: Api, to: readonly string[] = recipients): string {
  const list = (values: readonly string[]) => `{${values.map((value) => JSON.stringify(value)).join(',')}}`
  return `
local heads, recipients, sent = ${list(senders.map(({ head }) => head))}, ${list(to)}, 0
math.randomseed(${Math.floor(Math.random() * 1e9)})
function request()
  sent = sent + 1
  local body = '{"recipient":"' .. recipients[math.random(#recipients)] ..
    '","amount":500,"currency":"UGX","note":"Rent","pin":"${pin}"}'
  return heads[math.random(#heads)] .. 'idempotency-key: ${randomUUID()}-' .. sent ..
    '\\r\\ncontent-length: ' .. #body .. '\\r\\n\\r\\n' .. body
end`
}

/** What is run again and again gets faster for half a minute, until all of it is compiled. TPC-B has no such time. */
export async function warmUp(api: Api): Promise<void> {
  const runs = 10
  api.bench.say('Sending, until the service is warm…')
  await fastest(api, { runMs: runs * api.bench.plan.warmUpMs })
}

/** A machine that was too busy for a first look tells something all the same. */
const halfLeast = 10

/** One round: as fast as it goes to anybody and to one person, and at half of that at fixed times. */
export async function measureSends(api: Api, figures: ApiFigures): Promise<void> {
  const hot = api.recipients[0] ?? ''
  const spread = await measureLoad(api, 'send', () => fastest(api))
  figures.send.push(spread)
  figures.sendHot.push(await measureLoad(api, 'send, one recipient', () => fastest(api, { to: [hot] })))
  const half = {
    ...ownLoad(api),
    next: () => sendRequest(api),
    perSecond: Math.max(halfLeast, spread.perSecond / 2),
  }
  figures.sendHalf.push(await measureLoad(api, 'send, half of that', () => runLoad(half)))
}

const ownLoad = ({ bench: { plan }, server: { url } }: Api) => ({
  url,
  connections: plan.api.connections,
  warmUpMs: plan.warmUpMs,
  runMs: plan.runMs,
})

async function fastest(
  api: Api,
  { to = api.recipients, runMs = api.bench.plan.runMs } = {},
): Promise<LoadResult> {
  const { url, connections, warmUpMs } = ownLoad(api)
  const { wrk } = api.bench
  if (wrk === undefined) return runLoad({ ...ownLoad(api), runMs, next: () => sendRequest(api, anyOf(to)) })
  const warmUp = await wrk.run({ url, connections, runMs: warmUpMs, script: sendScript(api, to) })
  const result = await wrk.run({ url, connections, runMs, script: sendScript(api, to) })
  const failed = { ...warmUp.failed, ...result.failed }
  return { ...result, failed, allRequests: warmUp.requests + result.requests }
}

async function measureLoad(api: Api, name: string, run: () => Promise<LoadResult>): Promise<Sample> {
  const { server: database, say } = api.bench
  await database.settle([api.databaseUrl, ...api.beside])
  const before = { ...(await database.usage()), nodeMs: api.server.cpuMs() }
  const result = await run()
  refuseFailures(name, result)
  const after = { ...(await database.usage()), nodeMs: api.server.cpuMs() }
  const each = (some: number | undefined, other: number | undefined) =>
    ((some ?? 0) - (other ?? 0)) / result.allRequests
  const sample: Sample = {
    perSecond: result.perSecond,
    meanMs: result.meanMs,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    nodeUs: 1_000 * each(after.nodeMs, before.nodeMs),
    postgresUs: 1_000 * each(after.cpuMs, before.cpuMs),
    walBytes: each(after.walBytes, before.walBytes),
  }
  say(
    `  ${name}: ${count(sample.perSecond)} a second, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, ` +
      `service ${sample.nodeUs?.toFixed(0)} µs, PostgreSQL ${sample.postgresUs?.toFixed(0)} µs`,
  )
  return sample
}

/** A refusal is cheaper than a transfer: one that went unnoticed would make the figures too good. */
function refuseFailures(name: string, { failed }: LoadResult): void {
  if (Object.keys(failed).length > 0)
    throw new Error(`${name}: answers that were no 200: ${JSON.stringify(failed)}`)
}

/** A person with a long history looks at its first page and at one deep inside. */
export async function measureHistory(api: Api, figures: ApiFigures): Promise<void> {
  const { plan, say } = api.bench
  const rows = plan.api.historyRows
  const owner = api.senders[0]
  if (owner === undefined) return
  say(`Posting ${count(rows)} lines into one history…`)
  const ledger = openLedger({ url: api.databaseUrl, clock: systemClock })
  let left = rows
  const lane = async () => {
    while (left-- > 0) await ledger.submit(incoming(owner.id, 1n))
  }
  await Promise.all(Array.from({ length: 512 }, lane))
  await ledger.close()
  const request = requestBytes({ method: 'GET', path: '/api/transactions', token: owner.token })
  const result = await runLoad({
    url: api.server.url,
    connections: 1,
    warmUpMs: plan.warmUpMs,
    runMs: plan.runMs,
    next: () => request,
  })
  refuseFailures('history', result)
  say(
    `  history: p50 ${result.p50Ms.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms with ${count(rows)} lines`,
  )
  figures.history = { rows, p50Ms: result.p50Ms, p99Ms: result.p99Ms }
}
