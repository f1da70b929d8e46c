// A walk through several histories at once, the newest first. Each history (a wallet's, or another room's) is a stream
// that is read in windows; of what waits at the front of each, the newest is next. Where the walk is, is where each
// stream is: that is all a cursor holds, so nothing is lost or seen twice, whatever is added meanwhile.
import type { Happening } from './rules.ts'

/** A line, and its number in its own stream: newer ones have higher numbers. */
export interface Placed {
  place: bigint
  line: Happening
}

export interface Stream {
  /** Names it in a cursor. */
  readonly key: string
  /** What lies below has not been looked at. */
  before: bigint
  /** Nothing lies below that belongs to the selection. */
  ended: boolean
  /** Looked at and not taken yet, the newest first. */
  waiting: Placed[]
}

/** Where each stream goes on: with what lies before this number. A stream that is not in it has ended. */
export type Places = ReadonlyMap<string, bigint>

export interface WalkOptions {
  streams: readonly Stream[]
  /** Looks at the next window of each. Returns how many lines were looked at. */
  look: (streams: readonly Stream[]) => Promise<number>
  /** How many lines may be looked at, about; absent: all. */
  budget?: number
}

export interface Walk {
  /** The next line, `spent` when the budget ends before one is found, `end` when there is none. */
  peek(): Promise<Happening | 'spent' | 'end'>
  /** Goes beyond the line that was peeked at. */
  take(): void
  /** Where it would go on. */
  places(): Places
}

export function openWalk({ streams, look, budget }: WalkOptions): Walk {
  let looked = 0
  let front: Stream | undefined
  return {
    peek: async () => {
      // It ends: each look brings every empty stream nearer to its end.
      for (;;) {
        const empty = streams.filter(({ waiting, ended }) => waiting.length === 0 && !ended)
        if (empty.length === 0) break
        if (budget !== undefined && looked >= budget) return 'spent'
        looked += await look(empty)
      }
      front = newest(streams)
      return front?.waiting[0]?.line ?? 'end'
    },
    take: () => {
      front?.waiting.shift()
      front = undefined
    },
    places: () =>
      new Map(
        streams
          .map(({ key, waiting: [first], before, ended }) => {
            const place = first === undefined ? (ended ? 0n : before) : first.place + 1n
            return [key, place] as const
          })
          .filter(([, place]) => place > 0n),
      ),
  }
}

function newest(streams: readonly Stream[]): Stream | undefined {
  let found: { stream: Stream; line: Happening } | undefined
  for (const stream of streams) {
    const line = stream.waiting[0]?.line
    if (line !== undefined && (found === undefined || isNewer(line, found.line))) found = { stream, line }
  }
  return found?.stream
}

function isNewer(one: Happening, other: Happening): boolean {
  const ms = one.createdAt.getTime() - other.createdAt.getTime()
  return ms === 0 ? (one.postingId ?? 0n) > (other.postingId ?? 0n) : ms > 0
}
