// How much is measured, and for how long. The shapes of the runs are always the same; only sizes and seconds differ.
import { parseArgs } from 'node:util'
import { StartError } from '../server/src/base/errors.ts'

export const sections = [
  'spread',
  'hot',
  'single',
  'send',
  'history',
  'payments',
  'campaigns',
  'audit',
  'growth',
  'memory',
] as const
export type Section = (typeof sections)[number]

export interface Plan {
  sections: ReadonlySet<Section>
  rounds: number
  /** Of each measured run, and of what comes before it and isn't counted. */
  runMs: number
  warmUpMs: number
  tpcb: { scale: number; clients: number; threads: number }
  accounts: number
  inFlight: number
  growth: {
    accounts: number
    /** Entries in place, the fewest first. */
    sizes: readonly number[]
    /** Length of the shortest account of the largest size. */
    shortEntries: number
    pageLines: number
    pagesMs: number
  }
  memory: { inFlight: number; runMs: number }
  /** Over HTTP. */
  api: { rounds: number; senders: number; recipients: number; connections: number; historyRows: number }
  /** `paid`: how many are paid in one run. */
  payments: { shops: number; receivers: number; payers: number; paid: number }
  campaigns: { rows: number }
  audit: { events: number }
}

const usual: Omit<Plan, 'sections'> = {
  rounds: 3,
  runMs: 10_000,
  warmUpMs: 2_000,
  tpcb: { scale: 50, clients: 8, threads: 2 },
  accounts: 100_000,
  inFlight: 256,
  // As many accounts as the smallest size has entries: one each, from the funding.
  growth: { accounts: 10_000, sizes: [10_000, 1_000_000], shortEntries: 100, pageLines: 50, pagesMs: 3_000 },
  memory: { inFlight: 1_024, runMs: 20_000 },
  api: { rounds: 5, senders: 128, recipients: 5_000, connections: 64, historyRows: 1_000_000 },
  payments: { shops: 32, receivers: 16, payers: 10_000, paid: 20_000 },
  campaigns: { rows: 100_000 },
  audit: { events: 1_000_000 },
}

export type Length = 'quick' | 'usual' | 'full'

export function planFor(length: Length, wanted: readonly Section[] = sections): Plan {
  const plan = { ...usual, sections: new Set(wanted) }
  if (length === 'full') {
    return {
      ...plan,
      runMs: 15_000,
      growth: { ...usual.growth, sizes: [10_000, 1_000_000, 10_000_000] },
      memory: { ...usual.memory, runMs: 60_000 },
    }
  }
  if (length === 'usual') return plan
  return {
    ...plan,
    runMs: 2_000,
    warmUpMs: 700,
    growth: { ...usual.growth, sizes: [10_000, 200_000], pagesMs: 1_000 },
    memory: { ...usual.memory, runMs: 4_000 },
    api: { ...usual.api, rounds: 3, senders: 32, historyRows: 20_000 },
    payments: { ...usual.payments, shops: 8, receivers: 8, paid: 2_000 },
    audit: { events: 100_000 },
  }
}

export interface Wanted {
  length: Length
  plan: Plan
  profile: boolean
  /** A run of parts, or a short one, says too little to be kept. */
  keep: boolean
}

export function readArguments(args: readonly string[]): Wanted {
  const { quick, full, only, profile } = parse(args)
  const names = only?.split(',') ?? [...sections]
  const isSection = (name: string): name is Section => sections.some((section) => section === name)
  const unknown = names.find((name) => !isSection(name))
  if (unknown !== undefined) {
    throw new StartError(`There is no part "${unknown}". The parts are ${sections.join(', ')}.`)
  }
  if (quick && full) throw new StartError('Choose one of --quick and --full.')
  const length = quick ? 'quick' : full ? 'full' : 'usual'
  const keep = only === undefined && !quick && !profile
  return { length, plan: planFor(length, names.filter(isSection)), profile, keep }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        only: { type: 'string' },
        profile: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `${reason}\nUse: npm run bench -- [--quick | --full] [--only ${sections.join(',')}] [--profile]`,
    )
  }
}
