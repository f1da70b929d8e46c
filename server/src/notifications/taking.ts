// Takes what is due from the queue, for one worker. Looking costs the same however many are waiting: by index, in bounded
// bites. A target that gets more than it can take has a line of its own (parked rows), called a lane here, so that nobody
// walks past its rows again and again; lanes take turns.
import type { Clock } from '../base/clock.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Book } from './book.ts'
import { type Choice, choose, targetOf } from './choose.ts'
import { probeSeconds } from './rules.ts'
import * as sql from './sql.ts'

export interface Taking {
  /** Takes leases, for at most as many as there are slots. `more`: there may be others that could go now. */
  takeOnce(slots: number): Promise<{ leased: sql.LeasedRow[]; more: boolean }>
  /** Some target has more than it may get. */
  hasLanes(): boolean
}

export interface TakingOptions {
  db: Db
  book: Book
  clock: Clock
  /** Payments of which an event is under way. */
  busy: ReadonlySet<string>
  /** A later event of this payment waits for an earlier one. */
  onBlocked: (subject: string) => void
}

/** A worker that dies gives back what it holds after this time. Longer than any attempt. */
const leaseMs = 45_000
/** Everything that is due is looked for this often; in between, only what has become due a short while ago. */
const sweepMs = 10_000
const recentMs = 15_000
const lanesMs = 1_000
const lanesMax = 5_000
const lanesAtOnce = 400
/** Of a lane whose target is suspended: its rows only change their place. */
const heldMax = 500
/** How many rows one look takes at most, when all they need is to be put aside. */
const surgeMax = 4_000

interface Lane extends sql.Target {
  probe: boolean
  suspended: boolean
}

/** Where the last looks have left off. */
interface Progress {
  /** Absent: everything that is due is looked at. */
  floor: Date | undefined
  sweptAtMs: number
  lanesAtMs: number
  /** At least as many rows are looked at as there are slots; more, while most of them have to be put aside. */
  bite: number
}

export function openTaking(options: TakingOptions): Taking {
  const { db, clock } = options
  const lanes = new Map<string, Lane>()
  const progress: Progress = { floor: undefined, sweptAtMs: -sweepMs, lanesAtMs: -lanesMs, bite: 0 }
  return {
    hasLanes: () => lanes.size > 0,
    takeOnce: async (slots) => {
      const now = clock.now()
      const nowMs = performance.now()
      if (nowMs - progress.lanesAtMs >= lanesMs) {
        progress.lanesAtMs = nowMs
        await findLanes(db, lanes, now)
      }
      if (nowMs - progress.sweptAtMs >= sweepMs) progress.floor = undefined
      const most = Math.max(slots, progress.bite)
      const looking = {
        lanes: pickLanes(lanes, options.book, slots),
        now,
        floor: progress.floor,
        firsts: most,
        retries: most,
      }
      const taken = await take(options, { lanes, looking, slots })
      const { leased } = taken
      noteLanes(lanes, taken, looking)
      for (const { subject } of taken.choice.postpone) options.onBlocked(subject)
      const more = advance(progress, { taken, looking, nowMs })
      return { leased, more }
    },
  }
}

async function findLanes(db: Db, lanes: Map<string, Lane>, now: Date): Promise<void> {
  const next = new Date(now.getTime() + probeSeconds * 1_000)
  const rows = await sql.lanes(db, { now, next, most: lanesMax })
  const found = new Map(rows.map((row) => [targetOf(row), row]))
  for (const [target, { probe }] of lanes) if (!found.has(target) && !probe) lanes.delete(target)
  // Those that are known keep their place.
  for (const [target, lane] of found) lanes.set(target, lane)
}

type Picked = Lane & { room: number }

/** Those whose turn it is, each with the room it has. They go to the end of the turns. */
function pickLanes(lanes: Map<string, Lane>, book: Book, slots: number): Picked[] {
  const picked: Picked[] = []
  let left = slots
  // A part of them at a time: there may be thousands, and most have no room.
  for (const [target, lane] of [...lanes.entries().take(lanesAtOnce)]) {
    if (left <= 0) break
    lanes.delete(target)
    lanes.set(target, lane)
    const room = lane.suspended ? heldMax : Math.min(book.room(target), lane.probe ? 1 : left)
    if (room === 0) continue
    picked.push({ ...lane, room })
    if (!lane.suspended) left -= room
  }
  return picked
}

interface Taken {
  looked: sql.LookedRow[]
  choice: Choice
  leased: sql.LeasedRow[]
}

interface Look {
  lanes: Map<string, Lane>
  looking: sql.Looking
  slots: number
}

/** The slots are taken in memory first; they are given back when the database does not take the leases. */
async function take({ db, book, busy }: TakingOptions, { lanes, looking, slots }: Look): Promise<Taken> {
  const probes = new Set(
    looking.lanes.map((lane) => targetOf(lane)).filter((target) => lanes.get(target)?.probe === true),
  )
  let reserved: string[] = []
  const giveBack = () => {
    for (const target of reserved) book.untake(target)
    reserved = []
  }
  const takeSlot = (target: string): boolean => {
    if (!book.take(target)) return false
    reserved.push(target)
    return true
  }
  try {
    return await db.inTwoTrips(async (tx) => {
      // It may be run again.
      giveBack()
      const looked = await sql.look(tx, looking)
      const choice = choose(looked, { slots, now: looking.now, take: takeSlot, busy, probes })
      const leased: sql.LeasedRow[] = []
      return { result: { looked, choice, leased }, writing: write(tx, { choice, now: looking.now, leased }) }
    })
  } catch (error) {
    giveBack()
    throw error
  }
}

async function write(
  tx: Tx,
  { choice, now, leased }: { choice: Choice; now: Date; leased: sql.LeasedRow[] },
): Promise<void> {
  const { send, park, hold, postpone } = choice
  // Who held these has died. That an attempt was begun is not forgotten.
  const lost = [...send, ...park, ...hold, ...postpone].filter((row) => row.lost_lease !== null)
  const until = new Date(now.getTime() + leaseMs)
  const sent = [
    ...(lost.length > 0 ? [sql.addAttempts(tx, lost.map(lostAttempt))] : []),
    ...(send.length > 0 ? [sql.lease(tx, send, until).then((rows) => leased.push(...rows))] : []),
    ...(park.length > 0 ? [sql.park(tx, park)] : []),
    ...(hold.length > 0 ? [sql.hold(tx, hold, now)] : []),
    ...(postpone.length > 0 ? [sql.postpone(tx, postpone)] : []),
  ]
  for (const settled of await Promise.allSettled<unknown>(sent)) {
    if (settled.status === 'rejected') throw settled.reason
  }
}

const lostAttempt = (row: sql.LookedRow): sql.AttemptRow => ({
  number: row.number,
  attempt: row.attempts,
  at: new Date((row.lost_lease?.getTime() ?? 0) - leaseMs),
  durationMs: undefined,
  address: undefined,
  status: undefined,
  problem: 'interrupted',
  detail: undefined,
  cause: 'the worker was lost',
  response: undefined,
})

function noteLanes(lanes: Map<string, Lane>, { looked, choice }: Taken, looking: sql.Looking): void {
  const found = new Set(looked.filter(({ parked }) => parked).map(targetOf))
  for (const lane of looking.lanes) {
    const target = targetOf(lane)
    // A probe was one attempt, and an empty lane is none. Should there be more, the next search finds it.
    if (!found.has(target) || lanes.get(target)?.probe) lanes.delete(target)
  }
  for (const { merchant, mode, origin, broken } of choice.park) {
    const lane = { merchant, mode, origin, probe: false, suspended: false }
    const target = targetOf(lane)
    if (!broken && !lanes.has(target)) lanes.set(target, lane)
  }
}

/** True when there may be more that could go at once. */
function advance(
  progress: Progress,
  { taken, looking, nowMs }: { taken: Taken; looking: sql.Looking; nowMs: number },
): boolean {
  const { choice, looked, leased } = taken
  const ready = looked.filter(({ parked }) => !parked)
  const firsts = ready.filter(({ failures }) => failures === 0)
  const isFull = firsts.length >= looking.firsts || ready.length - firsts.length >= looking.retries
  if (!isFull && progress.floor === undefined) progress.sweptAtMs = nowMs
  // All that was due has been looked at; or else the next look goes on where this one began.
  if (!isFull) progress.floor = new Date(looking.now.getTime() - recentMs)
  const aside = choice.park.length + choice.hold.length + choice.postpone.length
  progress.bite = isFull && aside > leased.length ? Math.min(2 * looking.firsts, surgeMax) : 0
  const fromLanes = looked.length > ready.length && leased.length + choice.hold.length > 0
  return isFull || fromLanes || choice.park.length > 0
}
