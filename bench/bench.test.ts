// The measurements work, with tiny numbers and no word about speed: every part gives figures, the books verify
// afterwards, nothing stays on the server, and the goals are judged as the document says.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDb } from '../server/src/db/db.ts'
import { type Figures, goalsOf, median, type Sample } from './figures.ts'
import { measure } from './harness.ts'
import { findPgbench, openTpcb, readTpcb, type Tpcb } from './pgbench.ts'
import { type Plan, readArguments, sections } from './plan.ts'
import { selfTimes } from './profile.ts'
import { describeMachine, figureTable, goalTable, plainTable, remarks, resultsDocument } from './report.ts'
import { openServer } from './server.ts'
import { findWrk, openWrk, readWrk } from './wrk.ts'

const adminUrl = process.env.TEST_DATABASE_ADMIN_URL
assert.ok(adminUrl, 'TEST_DATABASE_ADMIN_URL is not set. Run tests with: npm test -- bench')
const stop = new AbortController().signal
const say = () => undefined

const tiny: Plan = {
  sections: new Set(sections),
  rounds: 1,
  runMs: 100,
  warmUpMs: 50,
  tpcb: { scale: 1, clients: 2, threads: 1 },
  accounts: 250,
  inFlight: 32,
  growth: { accounts: 100, sizes: [100, 1_500], shortEntries: 60, pageLines: 50, pagesMs: 20 },
  memory: { inFlight: 64, runMs: 100 },
  api: { rounds: 1, senders: 2, recipients: 5, connections: 2, historyRows: 30 },
  payments: { shops: 2, receivers: 2, payers: 100, paid: 100 },
  campaigns: { rows: 300 },
  audit: { events: 12_345 },
}

const standIn: Tpcb = {
  prepare: async () => undefined,
  run: async () => ({ transactions: 100, perSecond: 1_000, meanMs: 1 }),
}

test('every part is measured, the books verify, and nothing stays behind', async () => {
  const server = await openServer({ adminUrl, say })
  try {
    const figures = await measure({ plan: tiny, server, tpcb: standIn, say, stop })
    assert.deepEqual(
      [figures.tpcb, figures.spread, figures.hot, figures.single].map((samples) => samples.length),
      [2, 1, 1, 1],
    )
    assert.deepEqual(
      figures.growth?.sizes.map(({ entries, samples }) => [entries, samples.length]),
      [
        [100, 1],
        [1_500, 1],
      ],
    )
    assert.ok(figures.growth?.pages.every(({ longEntries, shortEntries }) => longEntries > shortEntries))
    assert.equal(goalsOf(figures).length, 14)
    assert.equal(figures.api?.send.length, 1)
    assert.equal(figures.api?.history?.rows, 30)
    assert.equal(figures.campaigns?.rows, 300)
    assert.equal(figures.audit?.events, 12_345)
    assert.ok((figures.memory?.peakBytes ?? 0) > 1e6)
    assert.deepEqual(
      figures.books.map(({ problems }) => problems),
      [[], [], [], []],
    )
    // What was there before the runs; how much they add depends on the machine.
    const [ledger, , , growth] = figures.books
    assert.ok(ledger && growth && ledger.entries > tiny.accounts && growth.entries > 1_500)
    const machine = describeMachine(server, new Date(0))
    const document = resultsDocument({ figures, machine, command: 'npm run bench' })
    assert.doesNotMatch(document, /NaN|undefined|Infinity/)
    for (const table of [figureTable(figures), goalTable(figures)]) assert.match(plainTable(table), /\n/)
    assert.equal(remarks(figures).length, 7)
  } finally {
    await server.stop()
  }
  const db = openDb({ url: adminUrl, connectionsMax: 1, name: 'bench test' })
  const left = await db.rows(`select datname from pg_database where datname like 'mfuko\\_bench\\_%'`)
  await db.close()
  assert.deepEqual(left, [])
})

test('TPC-B is measured with pgbench', async (t) => {
  const pgbench = await findPgbench({ say, stop, mayInstall: false })
  if ('advice' in pgbench) {
    t.skip(pgbench.advice)
    return
  }
  const server = await openServer({ adminUrl, say })
  try {
    const tpcb = openTpcb({ path: pgbench.path, scale: 1, stop })
    const url = await server.makeDatabase('tpcb')
    await tpcb.prepare(url)
    const { transactions, perSecond, meanMs } = await tpcb.run(url, { clients: 2, threads: 1, runMs: 1_000 })
    assert.ok(transactions > 0 && perSecond > 0 && meanMs > 0)
  } finally {
    await server.stop()
  }
})

test('sends are measured with wrk', async (t) => {
  const found = await findWrk({ say, stop, mayInstall: false })
  if ('advice' in found) {
    t.skip(found.advice)
    return
  }
  const server = await openServer({ adminUrl, say })
  try {
    const wrk = openWrk({ path: found.path, stop })
    const plan = { ...tiny, sections: new Set(['send'] as const) }
    const { api } = await measure({ plan, server, tpcb: standIn, wrk, say, stop })
    assert.ok((api?.send[0]?.perSecond ?? 0) > 0)
  } finally {
    await server.stop()
  }
})

test('what wrk says is read, and what it could not send is told', () => {
  const said =
    'Running 1s test\nmfuko 4000 2000000 1500.500000 1400.000000 9000.000000 0 0\nRequests/sec: 2000\n'
  const read = { requests: 4_000, perSecond: 2_000, meanMs: 1.5005, p50Ms: 1.4, p99Ms: 9, allRequests: 4_000 }
  assert.deepEqual(readWrk(said), { ...read, failed: {} })
  assert.deepEqual(readWrk(said.replace('0 0\n', '3 1\n')).failed, { 'not 2xx': 3, broken: 1 })
  assert.throws(() => readWrk('unable to connect'), /unexpected/)
})

test('what pgbench says is read, and not guessed', () => {
  const said = `pgbench (15.19, server 18.4)
transaction type: <builtin: TPC-B (sort of)>
number of transactions actually processed: 11103
number of failed transactions: 0 (0.000%)
latency average = 2.701 ms
initial connection time = 21.030 ms
tps = 2961.938041 (without initial connection time)
`
  assert.deepEqual(readTpcb(said), { transactions: 11_103, perSecond: 2961.938041, meanMs: 2.701 })
  assert.throws(() => readTpcb(said.replace('tps', 'speed')), /unexpected/)
})

describe('goals', () => {
  const sample = (perSecond: number, meanMs = 1): Sample => ({ perSecond, meanMs })
  const megabytes = (mb: number) => ({
    inFlight: 1_024,
    peakBytes: mb * 1e6,
    beforeBytes: 1,
    afterBytes: 1,
    heap: { usedBytes: 1, totalBytes: 1, externalBytes: 1 },
    sample: sample(1),
  })
  const nothing: Figures = {
    accounts: 100_000,
    inFlight: 256,
    tpcb: [],
    tpcbSingle: [],
    spread: [],
    hot: [],
    single: [],
    books: [],
  }
  const growth = ({ rates, pageMs }: { rates: number[]; pageMs: number }) => ({
    accounts: 10,
    sizes: rates.map((rate, index) => ({ entries: 10 ** (index + 4), samples: [sample(rate)] })),
    pages: [{ longEntries: 9, shortEntries: 3, longMs: pageMs, shortMs: 1 }],
  })
  const tpcb = [sample(1_000), sample(2_000), sample(4_000)]
  const spread = [sample(3_000), sample(6_000), sample(12_000)]
  /** What was measured → what was reached, and whether that is enough. */
  const rows: [Partial<Figures>, [string, boolean][]][] = [
    [{}, []],
    // Round by round: a machine that got four times as fast meanwhile changes nothing.
    [{ tpcb, spread }, [['3.00 ×', true]]],
    [{ tpcb, spread: spread.map(({ perSecond }) => sample(perSecond - 100)) }, [['2.95 ×', false]]],
    [
      { tpcb: [sample(1)], spread: [sample(10)], hot: [sample(8)] },
      [
        ['10.00 ×', true],
        ['0.80 ×', true],
      ],
    ],
    [{ tpcbSingle: [sample(1, 2)], single: [sample(1, 3)] }, [['1.50 ×', true]]],
    [{ tpcbSingle: [sample(1, 2)], single: [sample(1, 3.1)] }, [['1.55 ×', false]]],
    [
      { growth: growth({ rates: [100, 95, 80], pageMs: 2 }) },
      [
        ['0.95 ×', true],
        ['0.80 ×', false],
        ['2.00 ×', false],
      ],
    ],
    [{ memory: megabytes(300) }, [['300 MB', true]]],
    [{ memory: megabytes(301) }, [['301 MB', false]]],
  ]
  for (const [index, [measured, expected]] of rows.entries()) {
    test(`row ${index + 1}`, () => {
      const goals = goalsOf({ ...nothing, ...measured })
      assert.deepEqual(
        goals.map(({ reached, met }) => [reached, met]),
        expected,
      )
    })
  }

  test('the median is of the values themselves', () => {
    assert.deepEqual([median([3]), median([9, 1, 5]), median([4, 1, 2, 3])], [3, 5, 2.5])
  })
})

test('a profile is read by the time each function took itself', () => {
  const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 6 })
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('decide', 'file:///home/me/mfuko/server/src/ledger/decide.ts') },
      { id: 2, callFrame: frame('(idle)', '') },
      { id: 3, callFrame: frame('decide', 'file:///home/me/mfuko/server/src/ledger/decide.ts') },
      { id: 4, callFrame: frame('post', 'node:inspector') },
    ],
    samples: [4, 1, 2, 3],
    timeDeltas: [9_000, 3_000, 2_000, 5_000],
  }
  assert.deepEqual(selfTimes(profile, 1), [
    { name: 'decide', place: 'server/src/ledger/decide.ts:7', ms: 8, percent: 80 },
  ])
})

describe('arguments', () => {
  /** What is wrong → what a person reads. */
  const wrong: [string, RegExp][] = [
    ['--only everything', /There is no part "everything". The parts are spread, hot/],
    ['--quick --full', /Choose one of --quick and --full/],
    ['--fast', /--fast[\s\S]*Use: npm run bench/],
  ]
  for (const [args, words] of wrong) {
    test(args, () => assert.throws(() => readArguments(args.split(' ')), words))
  }

  test('only a whole run is kept', () => {
    const kept = ['', '--full', '--quick', '--profile', '--only spread,hot'].map(
      (args) => readArguments(args.split(' ').filter((word) => word !== '')).keep,
    )
    assert.deepEqual(kept, [true, true, false, false, false])
    assert.deepEqual([...readArguments(['--only', 'hot']).plan.sections], ['hot'])
  })
})
