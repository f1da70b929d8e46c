// What was measured, and what it means: medians, spreads, and the goals as ratios within one run.
import type { MemoryUse } from './ledger-process.ts'

/** One run of postings or of TPC-B; all but the first is of one posting or transaction. */
export interface Sample {
  perSecond: number
  meanMs?: number
  p50Ms?: number
  p99Ms?: number
  /** CPU time of the ledger's process. */
  nodeUs?: number
  /** CPU time of all of PostgreSQL's processes. */
  postgresUs?: number
  walBytes?: number
}

export interface Growth {
  accounts: number
  /** The fewest entries first; as many samples each as there were rounds. */
  sizes: { entries: number; samples: Sample[] }[]
  pages: { longEntries: number; shortEntries: number; longMs: number; shortMs: number }[]
}

export interface Memory extends MemoryUse {
  inFlight: number
  sample: Sample
}

export interface BooksChecked {
  database: string
  entries: number
  seconds: number
  /** Empty when they are right. */
  problems: string[]
}

export interface Figures {
  accounts: number
  inFlight: number
  /** In the order they were measured in; the first of each round stands beside that round's others. */
  tpcb: Sample[]
  tpcbSingle: Sample[]
  spread: Sample[]
  hot: Sample[]
  single: Sample[]
  growth?: Growth
  memory?: Memory
  api?: ApiFigures
  payments?: PaymentFigures
  campaigns?: CampaignFigures
  audit?: AuditFigures
  books: BooksChecked[]
}

/** Over HTTP. */
export interface ApiFigures {
  /** The baseline of each round. */
  tpcb: Sample[]
  send: Sample[]
  sendHot: Sample[]
  /** At fixed times, half as many as `send` reached. */
  sendHalf: Sample[]
  history?: { rows: number; p50Ms: number; p99Ms: number }
}

/** One request at a time. */
export interface CampaignFigures {
  rows: number
  browse: { p50Ms: number; p99Ms: number }
  search: { p50Ms: number; p99Ms: number }
}

/** Of walking the audit log. */
export interface AuditFigures {
  events: number
  seconds: number
}

/** Of payments to merchants. */
export interface PaymentFigures {
  /** Over HTTP. */
  initiate: Sample[]
  paySpread: Sample[]
  payHot: Sample[]
  /** Notifications to local receivers. */
  deliveries: Sample[]
}

export interface Goal {
  what: string
  wanted: string
  reached: string
  /** Of the rounds, lowest to highest. */
  range: string
  met: boolean
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1] ?? sorted[middle], sorted[middle]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

/** Highest less lowest, as a part of the median. */
export const spreadOf = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values)

/** Round by round, so that a machine that got slower meanwhile doesn't change them. */
const ratios = (some: readonly number[], others: readonly number[]): number[] =>
  some.map((value, index) => value / (others[index] ?? Number.NaN))

const rates = (samples: readonly Sample[]) => samples.map(({ perSecond }) => perSecond)
const latencies = (samples: readonly Sample[]) => samples.map(({ meanMs = Number.NaN }) => meanMs)

const memoryMostMb = 300
const megabyte = 1_000_000

export function goalsOf(figures: Figures): Goal[] {
  const { tpcb, tpcbSingle, spread, hot, single, growth, memory } = figures
  const goals: Goal[] = []
  if (spread.length > 0) {
    const what = `spread over ${count(figures.accounts)} accounts, ${figures.inFlight} in flight, to TPC-B`
    goals.push(ratioGoal({ what, least: 3, values: ratios(rates(spread), rates(tpcb)) }))
  }
  if (hot.length > 0 && spread.length > 0) {
    const what = 'every posting into one account, to spread'
    goals.push(ratioGoal({ what, least: 0.8, values: ratios(rates(hot), rates(spread)) }))
  }
  if (single.length > 0) {
    const what = 'one at a time: latency, to TPC-B with one client'
    goals.push(ratioGoal({ what, most: 1.5, values: ratios(latencies(single), latencies(tpcbSingle)) }))
  }
  if (figures.api !== undefined) goals.push(...apiGoals(figures.api))
  if (figures.payments !== undefined) {
    const { paySpread, payHot } = figures.payments
    const what = 'payments from wallets to one merchant, to spread'
    goals.push(ratioGoal({ what, least: 0.5, values: ratios(rates(payHot), rates(paySpread)) }))
  }
  if (figures.campaigns !== undefined) goals.push(...campaignGoals(figures.campaigns))
  if (figures.audit !== undefined) goals.push(auditGoal(figures.audit))
  if (growth !== undefined) goals.push(...growthGoals(growth))
  if (memory !== undefined) {
    const reachedMb = memory.peakBytes / megabyte
    goals.push({
      what: `memory at ${count(memory.inFlight)} in flight, at its highest`,
      wanted: `≤ ${memoryMostMb} MB`,
      reached: `${reachedMb.toFixed(0)} MB`,
      range: '',
      met: reachedMb <= memoryMostMb,
    })
  }
  return goals
}

function apiGoals({ tpcb, send, sendHot, sendHalf, history }: ApiFigures): Goal[] {
  const goals: Goal[] = []
  if (send.length > 0) {
    goals.push(
      ratioGoal({
        what: 'POST /api/send, 64 connections, to TPC-B',
        least: 1.5,
        values: ratios(rates(send), rates(tpcb)),
      }),
      ratioGoal({
        what: 'POST /api/send to one recipient, to spread',
        least: 0.9,
        values: ratios(rates(sendHot), rates(send)),
      }),
      msGoal({
        what: 'POST /api/send at half of that: p99',
        most: 50,
        values: sendHalf.map(({ p99Ms }) => p99Ms ?? 0),
      }),
    )
  }
  if (history !== undefined) {
    const what = `GET /api/transactions with ${count(history.rows)} lines: p99`
    goals.push(msGoal({ what, most: 10, values: [history.p99Ms] }))
  }
  return goals
}

const campaignGoals = ({ rows, browse, search }: CampaignFigures): Goal[] => [
  msGoal({ what: `browsing ${count(rows)} campaigns: p99`, most: 20, values: [browse.p99Ms] }),
  msGoal({ what: `searching ${count(rows)} campaigns: p99`, most: 20, values: [search.p99Ms] }),
]

const auditMostSeconds = 60

const auditGoal = ({ events, seconds }: AuditFigures): Goal => ({
  what: `walking an audit log of ${count(events)} events`,
  wanted: `≤ ${auditMostSeconds} s`,
  reached: `${seconds.toFixed(1)} s`,
  range: '',
  met: seconds <= auditMostSeconds,
})

function msGoal({ what, most, values }: { what: string; most: number; values: readonly number[] }): Goal {
  const reached = median(values)
  return {
    what,
    wanted: `≤ ${most} ms`,
    reached: `${reached.toFixed(1)} ms`,
    range:
      values.length === 1 ? '' : `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)} ms`,
    met: reached <= most,
  }
}

function growthGoals({ sizes, pages }: Growth): Goal[] {
  const smallest = sizes[0]
  const larger = sizes.slice(1)
  if (smallest === undefined) return []
  return [
    ...larger.map(({ entries, samples }) =>
      ratioGoal({
        what: `${count(entries)} entries in place, to ${count(smallest.entries)}`,
        least: 0.9,
        values: ratios(rates(samples), rates(smallest.samples)),
      }),
    ),
    ratioGoal({
      what: `page of statement: an account of ${count(pages[0]?.longEntries ?? 0)} entries, to one of ${count(pages[0]?.shortEntries ?? 0)}`,
      most: 1.5,
      values: pages.map(({ longMs, shortMs }) => longMs / shortMs),
    }),
  ]
}

interface RatioGoal {
  what: string
  least?: number
  most?: number
  values: readonly number[]
}

function ratioGoal({ what, least, most, values }: RatioGoal): Goal {
  const reached = median(values)
  const times = (value: number) => `${value.toFixed(2)} ×`
  return {
    what,
    wanted: least === undefined ? `≤ ${most} ×` : `≥ ${least} ×`,
    reached: times(reached),
    range: `${Math.min(...values).toFixed(2)}–${times(Math.max(...values))}`,
    met: least === undefined ? reached <= (most ?? 0) : reached >= least,
  }
}

/** `1 000 000`. */
export const count = (value: number): string =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ')
