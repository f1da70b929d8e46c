// What a crowd has met, second by second. A request belongs to the second in which it was due; how much was done counts when
// it was done.

export interface SecondFigures {
  /** Requests that were due in it. */
  due: number
  sendMs: Quantiles
  /** Of those who were told 429 or 503. */
  turnedAway: number
  turnedAwayMs: Quantiles
  /** How far the crowd itself was behind its times. */
  lateMs: number
}

export interface Quantiles {
  p50: number
  p99: number
  most: number
}

export interface StepFigures {
  due: number
  /** Answers with 2xx and 3xx, a second, while the step lasted. */
  donePerSecond: number
  /** How many answers there were with each status; 0: none came. */
  statuses: Record<string, number>
  sendMs: Quantiles
  turnedAwayMs: Quantiles
  /** The 99th of a hundred requests of each kind, in milliseconds. */
  p99OfKinds: Record<string, number>
  lateMs: Quantiles
  seconds: SecondFigures[]
}

interface Told {
  kind: string
  due: number
  ms: number
  status: number
}

export interface Tally {
  from: number
  told: Told[]
  lateness: { due: number; ms: number }[]
  note(answer: { kind: string; due: number; status: number }): void
  late(due: number, now: number): void
  done(): number
  end(): void
}

/** `before`: the step that this one follows. What is due there and answered now was done too late to count. */
export function openTally({
  from = performance.now(),
  before,
}: {
  from?: number
  before?: Tally | undefined
} = {}): Tally {
  before?.end()
  const told: Told[] = []
  const lateness: Tally['lateness'] = []
  let done = 0
  let ended = false
  return {
    from,
    told,
    lateness,
    note: ({ kind, due, status }) => {
      told.push({ kind, due, status, ms: performance.now() - due })
      if (isDone(status) && !ended) done += 1
    },
    late: (due, now) => void lateness.push({ due, ms: now - due }),
    done: () => done,
    end: () => {
      ended = true
    },
  }
}

export function figuresOf({ from, told, lateness, done }: Tally, ms: number): StepFigures {
  const statuses: Record<string, number> = {}
  for (const { status } of told) statuses[status] = (statuses[status] ?? 0) + 1
  const kinds = Object.entries(Object.groupBy(told, ({ kind }) => kind))
  const bySecond = Array.from({ length: Math.ceil(ms / 1_000) }, () => ({
    told: [] as Told[],
    late: [] as number[],
  }))
  const secondOf = (due: number) => bySecond[Math.floor((due - from) / 1_000)]
  for (const each of told) secondOf(each.due)?.told.push(each)
  for (const each of lateness) secondOf(each.due)?.late.push(each.ms)
  return {
    due: told.length,
    donePerSecond: (done() * 1_000) / ms,
    statuses,
    ...latencies(told),
    p99OfKinds: Object.fromEntries(kinds.map(([kind, of = []]) => [kind, quantiles(of.map(msOf)).p99])),
    lateMs: quantiles(lateness.map(msOf)),
    seconds: bySecond.map(({ told: some, late }) => ({
      due: some.length,
      ...latencies(some),
      turnedAway: some.filter(({ status }) => isTurnedAway(status)).length,
      lateMs: quantiles(late).p99,
    })),
  }
}

const isDone = (status: number) => status >= 200 && status < 400
const isTurnedAway = (status: number) => status === 429 || status === 503
const msOf = ({ ms }: { ms: number }): number => ms

const latencies = (told: readonly Told[]) => ({
  sendMs: quantiles(told.filter(({ kind, status }) => kind === 'send' && isDone(status)).map(msOf)),
  turnedAwayMs: quantiles(told.filter(({ status }) => isTurnedAway(status)).map(msOf)),
})

/** 0 where there is nothing. */
function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 }
}
