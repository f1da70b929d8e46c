// Chance that can be repeated: the same seed, the same sequence.

export interface Chance {
  /** True in that share of the cases, from 0 to 1. */
  happens(share: number): boolean
  /** A whole number from 0 to below that. */
  below(limit: number): number
  /** So many of these characters. */
  text(characters: string, length: number): string
}

/** A generator of 32 bits (mulberry32): good enough to lose callbacks by, and for nothing else. */
export function openChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    happens: (share) => share > 0 && next() < share,
    below,
    text: (characters, length) => Array.from({ length }, () => characters[below(characters.length)]).join(''),
  }
}
