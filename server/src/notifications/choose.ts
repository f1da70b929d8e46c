// Of what is due: what goes out now, what waits, and where. Pure but for the slots it takes.
// Targets take turns, first attempts go before retries, and of one payment one event is under way at a time.
import type { LookedRow } from './sql.ts'

export interface Choice {
  send: LookedRow[]
  /** Into the line of its target. */
  park: LookedRow[]
  /** The target is suspended. */
  hold: LookedRow[]
  postpone: (LookedRow & { until: Date })[]
}

export interface ChoiceOptions {
  /** At most so many are sent. */
  slots: number
  now: Date
  /** Takes a slot for a target, if it has one. */
  take: (target: string) => boolean
  /** Payments of which an event is under way. */
  busy: ReadonlySet<string>
  /** Broken targets that get one attempt now. */
  probes: ReadonlySet<string>
}

/** The share of slots that retries get even while there are first attempts. */
const retryShare = 0.1
const lookAgainMs = 1_000
const laterMs = 5_000

export const targetOf = ({
  merchant,
  mode,
  origin,
}: Pick<LookedRow, 'merchant' | 'mode' | 'origin'>): string => `${merchant} ${mode} ${origin}`

export function choose(looked: readonly LookedRow[], options: ChoiceOptions): Choice {
  const choice: Choice = { send: [], park: [], hold: [], postpone: [] }
  const free = sift(looked, choice, options)
  const firsts = byTarget(free.filter(({ failures }) => failures === 0))
  const retryRows = free.filter(({ failures }) => failures > 0)
  const kept = Math.min(retryRows.length, Math.ceil(options.slots * retryShare))
  takeTurns(firsts, { ...options, choice, most: options.slots - kept })
  takeTurns(byTarget(retryRows), { ...options, choice, most: options.slots })
  return choice
}

/** Puts aside what can't go now, whatever room there is. */
function sift(looked: readonly LookedRow[], choice: Choice, options: ChoiceOptions): LookedRow[] {
  const free: LookedRow[] = []
  const { now, probes } = options
  const lookAgain = new Date(now.getTime() + lookAgainMs)
  const later = new Date(now.getTime() + laterMs)
  const busy = new Set(options.busy)
  const probed = new Set<string>()
  for (const row of looked) {
    const target = targetOf(row)
    // Nothing else is tried at a suspended target, so what somebody asked for is the probe.
    const isProbe = row.suspended || (probes.has(target) && !probed.has(target))
    if (row.suspended && !row.replay) choice.hold.push(row)
    else if (row.blocked_until instanceof Date) choice.postpone.push({ ...row, until: row.blocked_until })
    else if (busy.has(row.subject)) choice.postpone.push({ ...row, until: lookAgain })
    // Behind the one it waits for: at the head of the line it would hold up all.
    else if (row.blocked_until !== null && row.parked) choice.postpone.push({ ...row, until: later })
    else if (row.blocked_until !== null || (row.broken && !isProbe)) choice.park.push(row)
    else {
      free.push(row)
      busy.add(row.subject)
      probed.add(target)
    }
  }
  choice.park = choice.park.filter(({ parked }) => !parked)
  return free
}

function byTarget(rows: readonly LookedRow[]): Map<string, LookedRow[]> {
  return Map.groupBy(rows, targetOf)
}

/** One of each target, then the second of each, … What its target has no room for is parked. */
function takeTurns(
  lines: Map<string, LookedRow[]>,
  { take, choice, most }: ChoiceOptions & { choice: Choice; most: number },
): void {
  for (let turn = 0; lines.size > 0; turn++) {
    for (const [target, rows] of lines) {
      const row = rows[turn]
      if (row === undefined) lines.delete(target)
      else if (choice.send.length >= most) return
      else if (take(target)) choice.send.push(row)
      else {
        choice.park.push(...rows.slice(turn).filter(({ parked }) => !parked))
        lines.delete(target)
      }
    }
  }
}
