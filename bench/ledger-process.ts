// The process that is measured: one ledger, and a loop that keeps so many postings in flight. It does one thing at a
// time, as bench.ts tells it over the channel; everything else (PostgreSQL's baseline, arithmetic, printing) happens in
// the other process, so that memory and CPU time here are the ledger's.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../server/src/base/clock.ts'
import { tuneV8 } from '../server/src/base/v8.ts'
import { openDb } from '../server/src/db/db.ts'
import { type AccountName, type Ledger, openLedger, type Posting } from '../server/src/ledger/ledger.ts'
import {
  fundingPosting,
  hotTransfer,
  loadTransfer,
  longOwner,
  shortOwner,
  spreadTransfer,
} from './postings.ts'

export type Order =
  | { do: 'open'; url: string }
  | { do: 'fund'; accounts: number }
  | ({ do: 'load' } & Load)
  | ({ do: 'run' } & Traffic)
  | ({ do: 'pages' } & Pages)
  | { do: 'close' }

export type Report =
  | { type: 'done'; result: unknown }
  | { type: 'progress'; entries: number }
  | { type: 'failed'; reason: string }

export interface Load {
  accounts: number
  /** Of three entries each. */
  postings: number
  shortEvery: number
}

export interface Traffic {
  to: 'anybody' | 'one account'
  accounts: number
  inFlight: number
  warmUpMs: number
  runMs: number
  /** Where to write a CPU profile. */
  profile?: string
}

export interface TrafficResult {
  /** Within the measured part. */
  postings: number
  tookMs: number
  meanMs: number
  p50Ms: number
  p99Ms: number
  cpuMs: number
  /** With the warm-up. */
  allPostings: number
  memory: MemoryUse
}

/** Of the whole process; the heap at the end is what of it holds JavaScript's values, used or not yet used again. */
export interface MemoryUse {
  beforeBytes: number
  afterBytes: number
  peakBytes: number
  heap: { usedBytes: number; totalBytes: number; externalBytes: number }
}

export interface Pages {
  lines: number
  runMs: number
}

export interface PagesResult {
  long: { entries: number; p50Ms: number }
  short: { entries: number; p50Ms: number }
}

const fundedAtOnce = 100
const loadInFlight = 2_048
const progressEvery = 50_000
const accountsLeast = 2

async function carryOut(ledger: Ledger, order: Order): Promise<unknown> {
  switch (order.do) {
    case 'fund':
      return fund(ledger, order.accounts)
    case 'load':
      return load(ledger, order)
    case 'run':
      return runTraffic(ledger, order)
    case 'pages':
      return readPages(ledger, order)
    case 'open':
    case 'close':
      throw new Error(`${order.do} is not for an open ledger`)
    default:
      return order satisfies never
  }
}

async function post(ledger: Ledger, posting: Posting): Promise<void> {
  const outcome = await ledger.submit(posting)
  // A refusal is cheaper than a posting, so one that went unnoticed would make the figures too good.
  if (!outcome.ok) throw new Error(`a posting was refused: ${outcome.refusal}`)
  if (outcome.replayed) throw new Error('a posting was taken for one that had been posted before')
}

/** `count` postings, so many at a time. */
async function postAll(
  ledger: Ledger,
  { count, make }: { count: number; make: (index: number) => Posting },
): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next++
      await post(ledger, make(index))
      if (index % progressEvery === 0 && index > 0) tell({ type: 'progress', entries: 3 * index })
    }
  }
  await Promise.all(Array.from({ length: loadInFlight }, lane))
}

/** Returns how many entries that made. */
async function fund(ledger: Ledger, accounts: number): Promise<number> {
  if (accounts < accountsLeast) throw new Error('a transfer needs two accounts')
  const count = Math.ceil(accounts / fundedAtOnce)
  await postAll(ledger, {
    count,
    make: (index) => {
      const from = index * fundedAtOnce
      return fundingPosting({ from, count: Math.min(fundedAtOnce, accounts - from) })
    },
  })
  return accounts + count
}

const load = (ledger: Ledger, { accounts, postings, shortEvery }: Load): Promise<void> =>
  postAll(ledger, { count: postings, make: (index) => loadTransfer(index, { accounts, shortEvery }) })

async function runTraffic(ledger: Ledger, traffic: Traffic): Promise<TrafficResult> {
  const { to, accounts, inFlight, warmUpMs, runMs, profile } = traffic
  const make = to === 'anybody' ? () => spreadTransfer(accounts) : () => hotTransfer(accounts)
  const latency = createHistogram()
  let from = Number.POSITIVE_INFINITY
  let until = Number.POSITIVE_INFINITY
  let allPostings = 0
  const lane = async () => {
    for (let sentAt = performance.now(); sentAt < until; ) {
      await post(ledger, make())
      const doneAt = performance.now()
      allPostings += 1
      if (doneAt >= from) record(latency, doneAt - sentAt)
      sentAt = doneAt
    }
  }
  // Before the warm-up, because it takes a while.
  const stopProfile = profile === undefined ? undefined : await startProfile(profile)
  const lanes = Promise.all(Array.from({ length: inFlight }, lane))
  // One that fails in the warm-up is told below.
  lanes.catch(() => undefined)
  await sleep(warmUpMs)
  const beforeBytes = process.memoryUsage.rss()
  const cpuBefore = process.cpuUsage()
  from = performance.now()
  until = from + runMs
  await lanes
  // Until the last one is done, so that nothing is counted whose time isn't.
  const tookMs = performance.now() - from
  const cpu = process.cpuUsage(cpuBefore)
  const memory = memoryUse(beforeBytes)
  await stopProfile?.()
  return {
    postings: latency.count,
    tookMs,
    meanMs: latency.mean / 1e6,
    p50Ms: latency.percentile(50) / 1e6,
    p99Ms: latency.percentile(99) / 1e6,
    cpuMs: (cpu.user + cpu.system) / 1_000,
    allPostings,
    memory,
  }
}

function memoryUse(beforeBytes: number): MemoryUse {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  return {
    beforeBytes,
    afterBytes: rss,
    peakBytes: process.resourceUsage().maxRSS * 1_024,
    heap: { usedBytes: heapUsed, totalBytes: heapTotal, externalBytes: external },
  }
}

const record = (histogram: RecordableHistogram, ms: number): void =>
  histogram.record(Math.max(1, Math.round(ms * 1e6)))

async function startProfile(file: string): Promise<() => Promise<void>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    writeFileSync(file, JSON.stringify(profile))
  }
}

/** One after the other and in turn, so that whatever else happens on the machine hits both the same. */
async function readPages(ledger: Ledger, { lines, runMs }: Pages): Promise<PagesResult> {
  const db = openDb({ url: opened.url, connectionsMax: 1, name: 'mfuko bench' })
  try {
    const long = await middleOf({ kind: 'merchant', owner: longOwner, currency: 'UGX', mode: 'live' })
    const short = await middleOf({ kind: 'user', owner: shortOwner, currency: 'UGX', mode: 'live' })
    for (const until = performance.now() + runMs; performance.now() < until; ) {
      for (const { page, latency } of [long, short]) {
        const startedAt = performance.now()
        const found = await ledger.statement(db, page)
        record(latency, performance.now() - startedAt)
        if (found.length !== lines) throw new Error(`a page had ${found.length} lines instead of ${lines}`)
      }
    }
    const resultOf = ({ entries, latency }: typeof long) => ({
      entries,
      p50Ms: latency.percentile(50) / 1e6,
    })
    return { long: resultOf(long), short: resultOf(short) }
  } finally {
    await db.close()
  }

  async function middleOf(account: AccountName) {
    const [newest] = await ledger.statement(db, { account, limit: 1 })
    const entries = newest?.seq ?? 0n
    const before = (entries + BigInt(lines)) / 2n + 1n
    return { page: { account, before, limit: lines }, entries: Number(entries), latency: createHistogram() }
  }
}

const opened = { url: '' }

function listen(): void {
  let ledger: Ledger | undefined
  const answer = async (order: Order): Promise<unknown> => {
    if (order.do === 'open') {
      opened.url = order.url
      ledger = openLedger({ url: order.url, clock: systemClock })
      return undefined
    }
    if (ledger === undefined) throw new Error('no ledger is open')
    if (order.do !== 'close') return carryOut(ledger, order)
    await ledger.close()
    // Lets the process end by itself.
    setImmediate(() => process.disconnect())
    return undefined
  }
  process.on('message', (order: Order) => {
    answer(order).then(
      (result) => tell({ type: 'done', result }),
      (error: unknown) => tell({ type: 'failed', reason: reasonOf(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}

function tell(report: Report): void {
  if (process.connected) process.send?.(report, () => undefined)
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : ''
  return `${error.stack ?? error.message}${cause}`
}

// As the service does.
tuneV8()
if (process.send) listen()
