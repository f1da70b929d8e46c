// What a merchant took, lost and gave back over time. Each counts when it happened: a payment when it was completed or
// failed, a refund when it had arrived.
import type { Amount, Currency } from '../../base/money.ts'
import type { Queries } from '../../db/db.ts'
import type { Mode } from '../rules.ts'
import { mondayOf, writeDay, type Zone } from './days.ts'
import * as sql from './sql.ts'

export const steps = ['day', 'week'] as const
export type Step = (typeof steps)[number]

/** A year and a day. */
export const daysMax = 367

export interface Figure {
  count: number
  amount: Amount
}

export type Figures = Record<sql.VolumeRow['kind'], Figure>

export interface Period extends Figures {
  /** The first day and the last one. */
  from: string
  to: string
}

export interface Volume {
  totals: Figures
  /** The oldest first; those in which nothing happened too. */
  periods: Period[]
}

export interface Asked {
  merchant: number
  mode: Mode
  currency: Currency
  /** The first day and the last one; whole weeks are made of them. */
  from: number
  to: number
  by: Step
  zone: Zone
}

export async function volumeOf(db: Queries, asked: Asked): Promise<Volume> {
  const { merchant, mode, currency, zone } = asked
  const days = edgesOf(asked)
  const edges = days.map((day) => zone.startOf(day))
  const rows = await sql.readVolume(db, { merchant, mode, currency, edges })
  const figures = (kept: sql.VolumeRow[]): Figures => ({
    accepted: figureOf(kept, 'accepted', currency),
    failed: figureOf(kept, 'failed', currency),
    refunded: figureOf(kept, 'refunded', currency),
  })
  const periods = days.slice(0, -1).map((day, at) => ({
    from: writeDay(day),
    to: writeDay((days[at + 1] ?? day) - 1),
    ...figures(rows.filter(({ period }) => period === at + 1)),
  }))
  return { totals: figures(rows), periods }
}

/** The first day of each period, and of the one after the last. */
function edgesOf({ from, to, by }: Asked): number[] {
  const [first, step] = by === 'week' ? [mondayOf(from), 7] : [from, 1]
  const count = Math.floor((to - first) / step) + 2
  return Array.from({ length: count }, (_, at) => first + at * step)
}

function figureOf(rows: sql.VolumeRow[], kind: sql.VolumeRow['kind'], currency: Currency): Figure {
  const those = rows.filter((row) => row.kind === kind)
  return {
    count: those.reduce((sum, { count }) => sum + count, 0),
    amount: { minor: those.reduce((sum, { amount }) => sum + BigInt(amount), 0n), currency },
  }
}
