// Measures everything of a plan, on one server, in one go. Every kind of run comes once a round, TPC-B among them, so
// that a machine that gets slower or faster meanwhile shows, and changes no ratio.
import { join } from 'node:path'
import { openDb } from '../server/src/db/db.ts'
import { checkBooks } from '../server/src/ledger/books.ts'
import { measureHistory, measureSends, openApi, warmUp } from './api.ts'
import { measureAudit } from './audit.ts'
import { measureCampaigns } from './campaigns.ts'
import {
  type ApiFigures,
  count,
  type Figures,
  type Growth,
  type Memory,
  type PaymentFigures,
  type Sample,
} from './figures.ts'
import { type LedgerProcess, openLedgerProcess } from './ledger-client.ts'
import type { Traffic, TrafficResult } from './ledger-process.ts'
import { measurePayments } from './payments.ts'
import type { Tpcb } from './pgbench.ts'
import type { Plan } from './plan.ts'
import type { BenchServer, Usage } from './server.ts'
import type { Wrk } from './wrk.ts'

export interface Bench {
  plan: Plan
  server: BenchServer
  tpcb: Tpcb
  /** Absent: the load is made in this process, and the service gets less of the cores. */
  wrk?: Wrk
  say: (line: string) => void
  stop: AbortSignal
  /** Where to write CPU profiles of the last round. */
  profiles?: string
}

export async function measure(bench: Bench): Promise<Figures> {
  const { plan, server, tpcb, say } = bench
  const figures: Figures = {
    accounts: plan.accounts,
    inFlight: plan.inFlight,
    tpcb: [],
    tpcbSingle: [],
    spread: [],
    hot: [],
    single: [],
    books: [],
  }
  const wants = (...names: Parameters<typeof plan.sections.has>[0][]) =>
    names.some((name) => plan.sections.has(name))
  let tpcbUrl = ''
  if (wants('spread', 'hot', 'single', 'send', 'growth')) {
    say(`Making the tables of TPC-B, scale ${plan.tpcb.scale}…`)
    tpcbUrl = await server.makeDatabase('tpcb')
    await tpcb.prepare(tpcbUrl)
  }
  if (wants('spread', 'hot', 'single', 'memory')) {
    const url = await server.makeLedgerDatabase('ledger')
    await withLedger(bench, url, async (ledger) => {
      say(`Opening ${count(plan.accounts)} accounts…`)
      await ledger.fund(plan.accounts)
      if (wants('spread', 'hot', 'single')) await measureRounds(bench, { figures, ledger, tpcbUrl })
    })
    if (wants('memory')) figures.memory = await measureMemory(bench, url)
    await verify(bench, figures, { database: 'ledger', url })
  }
  if (wants('send', 'history')) figures.api = await measureApi(bench, { figures, tpcbUrl })
  if (wants('payments')) figures.payments = await measureShops(bench, figures)
  if (wants('campaigns')) {
    const url = await server.makeLedgerDatabase('campaigns')
    figures.campaigns = await measureCampaigns(bench, url)
  }
  if (wants('audit')) figures.audit = await measureAudit(bench, await server.makeLedgerDatabase('audit'))
  if (wants('growth')) figures.growth = await measureGrowth(bench, { figures, tpcbUrl })
  return figures
}

interface Rounds {
  figures: Figures
  ledger: LedgerProcess
  tpcbUrl: string
}

async function measureRounds(bench: Bench, { figures, ledger, tpcbUrl }: Rounds): Promise<void> {
  const { plan, say } = bench
  const { accounts, inFlight } = plan
  for (let round = 1; round <= plan.rounds; round++) {
    say(`Round ${round} of ${plan.rounds}`)
    const runLedger = (name: string, traffic: Pick<Traffic, 'to' | 'inFlight'>) => {
      const profile = round === plan.rounds ? profileOf(bench, name) : {}
      return measureTraffic(bench, { ledger, name, traffic: { ...traffic, accounts, ...profile } })
    }
    if (plan.sections.has('spread') || plan.sections.has('hot')) {
      figures.tpcb.push(await measureTpcb(bench, { url: tpcbUrl, ...plan.tpcb }))
      // Also when only hot is wanted: that is compared with it.
      figures.spread.push(await runLedger('spread', { to: 'anybody', inFlight }))
    }
    if (plan.sections.has('hot')) figures.hot.push(await runLedger('hot', { to: 'one account', inFlight }))
    if (plan.sections.has('single')) {
      figures.tpcbSingle.push(await measureTpcb(bench, { url: tpcbUrl, clients: 1, threads: 1 }))
      figures.single.push(await runLedger('single', { to: 'anybody', inFlight: 1 }))
    }
  }
}

const profileOf = ({ profiles }: Bench, name: string): { profile?: string } =>
  profiles === undefined ? {} : { profile: join(profiles, `${name}.cpuprofile`) }

/** In a new process, since what one has used before it does not give back. */
function measureMemory(bench: Bench, url: string): Promise<Memory> {
  const { plan } = bench
  const { inFlight, runMs } = plan.memory
  return withLedger(bench, url, async (ledger) => {
    const { accounts, warmUpMs } = plan
    const traffic: Traffic = { to: 'anybody', accounts, inFlight, warmUpMs, runMs }
    const result = await ledger.run(traffic)
    const { meanMs, p50Ms, p99Ms } = result
    const sample = { perSecond: perSecondOf(result), meanMs, p50Ms, p99Ms }
    bench.say(`  memory: ${(result.memory.peakBytes / 1e6).toFixed(0)} MB at ${count(inFlight)} in flight`)
    return { inFlight, sample, ...result.memory }
  })
}

async function measureApi(
  bench: Bench,
  { figures, tpcbUrl }: { figures: Figures; tpcbUrl: string },
): Promise<ApiFigures> {
  const { plan, server, say } = bench
  const measured: ApiFigures = { tpcb: [], send: [], sendHot: [], sendHalf: [] }
  const databaseUrl = await server.makeLedgerDatabase('api')
  const api = await openApi(bench, { databaseUrl, beside: tpcbUrl === '' ? [] : [tpcbUrl] })
  try {
    if (plan.sections.has('send')) await warmUp(api)
    for (let round = 1; plan.sections.has('send') && round <= plan.api.rounds; round++) {
      say(`Over HTTP, round ${round} of ${plan.api.rounds}`)
      measured.tpcb.push(await measureTpcb(bench, { url: tpcbUrl, beside: [databaseUrl], ...plan.tpcb }))
      await measureSends(api, measured)
    }
    if (plan.sections.has('history')) await measureHistory(api, measured)
  } finally {
    await api.server.stop()
  }
  await verify(bench, figures, { database: 'over HTTP', url: databaseUrl })
  return measured
}

async function measureShops(bench: Bench, figures: Figures): Promise<PaymentFigures> {
  const url = await bench.server.makeLedgerDatabase('payments')
  const measured = await measurePayments(bench, url)
  await verify(bench, figures, { database: 'payments', url })
  return measured
}

async function measureGrowth(
  bench: Bench,
  { figures, tpcbUrl }: { figures: Figures; tpcbUrl: string },
): Promise<Growth> {
  const { plan, server, say } = bench
  const [smallest = 0, ...larger] = plan.growth.sizes
  // The smallest stays as it is and each round has a copy: a run alone would make it many times larger.
  const smallUrl = await server.makeLedgerDatabase('growth_smallest')
  await withLedger(bench, smallUrl, (ledger) => ledger.fund(plan.growth.accounts))
  const growth: Growth = {
    accounts: plan.growth.accounts,
    sizes: plan.growth.sizes.map((entries) => ({ entries, samples: [] })),
    pages: [],
  }
  const urls = new Map<number, string>()
  for (const entries of larger) {
    const url = await server.copyDatabase({ from: 'growth_smallest', to: `growth_${entries}` })
    urls.set(entries, url)
    await loadEntries(bench, { url, entries: entries - smallest })
  }
  const largestUrl = urls.get(larger.at(-1) ?? 0) ?? smallUrl
  for (let round = 1; round <= plan.rounds; round++) {
    say(`Growth, round ${round} of ${plan.rounds}`)
    figures.tpcb.push(await measureTpcb(bench, { url: tpcbUrl, ...plan.tpcb }))
    for (const size of growth.sizes) {
      const copy = `growth_copy_${round}`
      const url = urls.get(size.entries) ?? (await server.copyDatabase({ from: 'growth_smallest', to: copy }))
      size.samples.push(await measureSize(bench, { url, entries: size.entries }))
      if (!urls.has(size.entries)) await server.dropDatabase(copy)
    }
    growth.pages.push(await measurePages(bench, largestUrl))
  }
  await verify(bench, figures, { database: `growth, ${count(larger.at(-1) ?? 0)} entries`, url: largestUrl })
  return growth
}

/** The books are filled by posting, like any others, so that they are whole: chains, answers and all. */
async function loadEntries(bench: Bench, { url, entries }: { url: string; entries: number }): Promise<void> {
  const { plan, say } = bench
  const postings = Math.ceil(entries / 3)
  const shortEvery = Math.max(2, Math.floor(postings / plan.growth.shortEntries))
  say(`Posting ${count(entries)} entries…`)
  let toldAt = performance.now()
  const startedAt = toldAt
  const onProgress = (done: number) => {
    if (performance.now() - toldAt < 10_000) return
    toldAt = performance.now()
    say(`  ${count(done)} of ${count(entries)}`)
  }
  await withLedger(bench, url, (ledger) =>
    ledger.load({ accounts: plan.growth.accounts, postings, shortEvery }, onProgress),
  )
  say(`  done in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
}

const measureSize = (bench: Bench, { url, entries }: { url: string; entries: number }): Promise<Sample> =>
  withLedger(bench, url, (ledger) => {
    const { inFlight, growth } = bench.plan
    const traffic = { to: 'anybody', accounts: growth.accounts, inFlight } as const
    return measureTraffic(bench, { ledger, name: `${count(entries)} entries`, traffic })
  })

const measurePages = (bench: Bench, url: string): Promise<Growth['pages'][number]> =>
  withLedger(bench, url, async (ledger) => {
    const { pageLines: lines, pagesMs: runMs } = bench.plan.growth
    const { long, short } = await ledger.pages({ lines, runMs })
    bench.say(
      `  page of ${lines} lines: ${long.p50Ms.toFixed(3)} ms long, ${short.p50Ms.toFixed(3)} ms short`,
    )
    return {
      longEntries: long.entries,
      shortEntries: short.entries,
      longMs: long.p50Ms,
      shortMs: short.p50Ms,
    }
  })

interface TrafficRun {
  ledger: LedgerProcess
  name: string
  traffic: Omit<Traffic, 'warmUpMs' | 'runMs'>
}

async function measureTraffic(bench: Bench, { ledger, name, traffic }: TrafficRun): Promise<Sample> {
  const { plan, server, say } = bench
  await server.checkpoint()
  const before = await server.usage()
  const result = await ledger.run({ ...traffic, warmUpMs: plan.warmUpMs, runMs: plan.runMs })
  const sample: Sample = {
    perSecond: perSecondOf(result),
    meanMs: result.meanMs,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    nodeUs: (result.cpuMs * 1_000) / result.postings,
    ...usedEach({ before, after: await server.usage(), postings: result.allPostings }),
  }
  say(`  ${describe(name, sample)}`)
  return sample
}

interface TpcbMeasure {
  url: string
  /** Databases that were written to before it. */
  beside?: readonly string[]
  clients: number
  threads: number
}

async function measureTpcb(
  { plan, server, tpcb, say }: Bench,
  { url, beside = [], clients, threads }: TpcbMeasure,
): Promise<Sample> {
  await server.settle([url, ...beside])
  await tpcb.run(url, { clients, threads, runMs: plan.warmUpMs })
  const before = await server.usage()
  const { transactions, perSecond, meanMs } = await tpcb.run(url, { clients, threads, runMs: plan.runMs })
  const after = await server.usage()
  const sample = { perSecond, meanMs, ...usedEach({ before, after, postings: transactions }) }
  say(`  ${describe(`TPC-B, ${clients} client${clients === 1 ? '' : 's'}`, sample)}`)
  return sample
}

const perSecondOf = ({ postings, tookMs }: TrafficResult): number => (postings * 1_000) / tookMs

function usedEach({ before, after, postings }: { before: Usage; after: Usage; postings: number }) {
  const walBytes = (after.walBytes - before.walBytes) / postings
  if (before.cpuMs === undefined || after.cpuMs === undefined) return { walBytes }
  return { walBytes, postgresUs: ((after.cpuMs - before.cpuMs) * 1_000) / postings }
}

const describe = (name: string, sample: Sample): string => {
  const parts = [`${count(sample.perSecond)} a second`, `${(sample.meanMs ?? 0).toFixed(2)} ms`]
  if (sample.nodeUs !== undefined) parts.push(`Node ${sample.nodeUs.toFixed(0)} µs`)
  if (sample.postgresUs !== undefined) parts.push(`PostgreSQL ${sample.postgresUs.toFixed(0)} µs`)
  if (sample.walBytes !== undefined) parts.push(`WAL ${count(sample.walBytes)} B`)
  return `${name}: ${parts.join(', ')}`
}

/** What was fast and wrong is worth nothing. */
async function verify(
  { say, stop }: Bench,
  figures: Figures,
  { database, url }: { database: string; url: string },
): Promise<void> {
  say(`Verifying the books (${database})…`)
  const db = openDb({ url, connectionsMax: 1, name: 'mfuko bench' })
  try {
    const { entries, seconds, problems } = await checkBooks(db, { signal: stop })
    figures.books.push({ database, entries, seconds, problems })
    const found = problems.length === 0 ? 'are right' : `were read and found WRONG: ${problems[0]}`
    say(`  ${count(entries)} entries ${found} (${seconds.toFixed(1)} s)`)
  } finally {
    await db.close()
  }
}

async function withLedger<T>(
  { stop }: Bench,
  url: string,
  work: (ledger: LedgerProcess) => Promise<T>,
): Promise<T> {
  const ledger = await openLedgerProcess({ url, stop })
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}
