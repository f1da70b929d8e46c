// What a worker knows of the targets it sends to, so that one that hangs or fails takes nothing from the others.
// A target is a merchant, a mode and an origin. It gets five connections once it has answered well, else one; and those
// that have not, or that fail, get a part of all connections together: however many of them hang, there are some left.
// All of this is for one worker; what all must know (broken, suspended) is in the database.

export type Health = 'unknown' | 'working' | 'failing'

export interface Book {
  /** How many attempts may be begun now, for all. */
  slots(): number
  /** How many may be begun for this one. */
  room(target: string): number
  /** Takes a slot for it, if there is one. */
  take(target: string): boolean
  /** Gives it back unused. */
  untake(target: string): void
  /** Gives it back. True when failures have become so many that it counts as broken. */
  end(target: string, attempt: { ok: boolean; at: Date }): boolean
  /** Of those that are under way. */
  inFlight(): number
}

const inFlightMax = 200
const targetMax = 5
const unprovenMax = 1
/** The parts of all slots that targets of a kind may have together. */
const parts: Readonly<Record<Health, number>> = { working: inFlightMax, unknown: 150, failing: 50 }
const ratePerSecond = 50
/** The window in which failures are counted, and from when on they are too many. */
const windowMs = 5 * 60_000
const attemptsLeast = 10
const failedShare = 0.7
/** Of one that is quiet nothing needs to be known after this time. */
const forgetMs = windowMs
const targetsMax = 20_000

interface Known {
  health: Health
  inFlight: number
  /** How many may still be begun, as of then: they come back at a constant rate. */
  tokens: number
  tokensAtMs: number
  usedAtMs: number
  /** As they were begun, since a target may change its kind meanwhile. */
  begun: Record<Health, number>
  broken: boolean
  /** The latest attempts, a slice of time each. */
  window: { slice: number; ok: number; failed: number }[]
}

export function openBook(nowMs: () => number = () => performance.now()): Book {
  /** The least recently used first. */
  const known = new Map<string, Known>()
  const all: Record<Health, number> = { unknown: 0, working: 0, failing: 0 }
  const total = () => all.unknown + all.working + all.failing
  const find = (target: string): Known => {
    const found = known.get(target)
    if (found !== undefined) return found
    if (known.size >= targetsMax) forgetQuiet(known, nowMs())
    const fresh: Known = {
      health: 'unknown',
      inFlight: 0,
      tokens: ratePerSecond,
      tokensAtMs: nowMs(),
      usedAtMs: nowMs(),
      begun: { unknown: 0, working: 0, failing: 0 },
      broken: false,
      window: [],
    }
    known.set(target, fresh)
    return fresh
  }
  const room = (target: string): number => {
    const it = find(target)
    refill(it, nowMs())
    const own = (it.health === 'working' ? targetMax : unprovenMax) - it.inFlight
    const shared = Math.min(parts[it.health] - all[it.health], inFlightMax - total())
    return Math.max(0, Math.min(own, shared, Math.floor(it.tokens)))
  }
  const release = (target: string): Known => {
    const it = find(target)
    it.inFlight--
    const kind =
      (['failing', 'unknown', 'working'] as const).find((health) => it.begun[health] > 0) ?? it.health
    it.begun[kind]--
    all[kind]--
    return it
  }
  return {
    slots: () => inFlightMax - total(),
    room,
    take: (target) => {
      if (room(target) === 0) return false
      const it = find(target)
      it.tokens--
      it.inFlight++
      it.begun[it.health]++
      all[it.health]++
      it.usedAtMs = nowMs()
      return true
    },
    untake: (target) => {
      release(target).tokens++
    },
    end: (target, { ok, at }) => {
      const it = release(target)
      it.health = ok ? 'working' : 'failing'
      it.usedAtMs = nowMs()
      return countAttempt(it, { ok, at })
    },
    inFlight: total,
  }
}

function refill(it: Known, nowMs: number): void {
  it.tokens = Math.min(ratePerSecond, it.tokens + ((nowMs - it.tokensAtMs) / 1_000) * ratePerSecond)
  it.tokensAtMs = nowMs
}

const sliceMs = 15_000

function countAttempt(it: Known, { ok, at }: { ok: boolean; at: Date }): boolean {
  const slice = Math.floor(at.getTime() / sliceMs)
  const oldest = slice - windowMs / sliceMs
  it.window = it.window.filter((part) => part.slice > oldest)
  // A broken one that answers begins anew: the next failure alone must not break it again.
  if (ok && it.broken) it.window = []
  if (ok) it.broken = false
  const last = it.window.at(-1)
  const current = last?.slice === slice ? last : { slice, ok: 0, failed: 0 }
  if (current !== last) it.window.push(current)
  if (ok) current.ok++
  else current.failed++
  const failed = it.window.reduce((sum, part) => sum + part.failed, 0)
  const attempts = it.window.reduce((sum, part) => sum + part.ok, failed)
  const breaks = !ok && attempts >= attemptsLeast && failed >= failedShare * attempts
  it.broken ||= breaks
  return breaks
}

/** Makes room: those of which nothing is under way and nothing recent is known. */
function forgetQuiet(known: Map<string, Known>, nowMs: number): void {
  for (const [target, { inFlight, usedAtMs }] of known) {
    if (inFlight === 0 && nowMs - usedAtMs > forgetMs) known.delete(target)
  }
}
