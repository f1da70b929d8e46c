// The two forms of the tests. The short one is `npm test`, which is to take less than eight minutes on two cores;
// `npm run test:thorough` is the whole, which CI runs too: every combination of language, size, colours and script, as many
// kills, races and hostile inputs as the promises name, and what is slow to try or rare to meet. What moves money or lets
// somebody in is tried in both.
import { test } from 'node:test'

export const thorough = process.env.THOROUGH === '1'

/** Rows that the thorough form tries beside the usual ones. */
export const also = <T>(rows: readonly T[]): readonly T[] => (thorough ? rows : [])

/** How often, or for how long, something is tried. */
export const shortOrLong = (short: number, long: number): number => (thorough ? long : short)

type Body = NonNullable<Parameters<typeof test>[0]>

/** A test of the thorough form alone. */
export function longTest(name: string, body: Body): void {
  if (thorough) void test(name, body)
}
