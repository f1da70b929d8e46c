// Drawing the order of a round so that nobody can have chosen it. The service fixes a secret seed and publishes its hash
// before anybody knows who takes part; members may add a word each; at the start the seed is shown. Anybody can then
// make the order again: docs/guides/savings-groups.md says how, and `npm run verify-draw` does it.
import { hash, randomBytes } from 'node:crypto'

export const newSeed = (): string => randomBytes(32).toString('hex')

export const commitmentOf = (seed: string): string => hash('sha256', seed, 'hex')

export interface Entrant {
  handle: string
  /** Empty when none was added. */
  word: string
}

/**
 * Key: SHA-256 of the seed and, sorted by handle, a line `handle word` each. Ticket: SHA-256 of `key handle`. The lowest
 * ticket is first.
 */
export function drawnOrder(seed: string, entrants: readonly Entrant[]): string[] {
  const sorted = [...entrants].sort((one, other) => (one.handle < other.handle ? -1 : 1))
  const lines = sorted.map(({ handle, word }) => `\n${handle} ${word}`)
  const key = hash('sha256', seed + lines.join(''), 'hex')
  return sorted
    .map(({ handle }) => ({ handle, ticket: hash('sha256', `${key} ${handle}`, 'hex') }))
    .sort((one, other) => (one.ticket < other.ticket ? -1 : 1))
    .map(({ handle }) => handle)
}
