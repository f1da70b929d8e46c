// The two forms of the tests. The short one is `npm test`; `npm run test:thorough` runs every combination of language, size,
// colours and script, and more rounds of what is left to chance. Few promises are left to the long one alone.

export const thorough = process.env.THOROUGH === '1'

/** Rows that the thorough form tries beside the usual ones. */
export const also = <T>(rows: readonly T[]): readonly T[] => (thorough ? rows : [])

/** How often, or for how long, something is tried. */
export const shortOrLong = (short: number, long: number): number => (thorough ? long : short)
