// What may come instead of an answer, for tests that say that nothing breaks a reader.
import fc from 'fast-check'
import { placesOf, withAt } from './exchanges.ts'

export const statuses = fc.constantFrom(
  ...[200, 201, 202, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503],
)

/** Nothing, pages, JSON of any form. */
export const garbage = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    '',
    'null',
    '[]',
    '{}',
    '0',
    'true',
    '"x"',
    '<html>502</html>',
    '{"a":',
    '['.repeat(100_000),
  ),
  fc.json({ maxDepth: 5 }),
)

/** A right answer in which one thing, anywhere, is missing or another. */
export function damaged(bodies: readonly string[]): fc.Arbitrary<string> {
  const other = fc.oneof(
    fc.constant(undefined),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', 0, -1, 1.5, '1e3', null, true, 'success', 'TS'),
  )
  return fc.tuple(fc.constantFrom(...bodies), fc.nat(), other).map(([body, place, value]) => {
    const whole: unknown = JSON.parse(body)
    // The root is left: garbage is that.
    const places = placesOf(whole).slice(1)
    const path = places[place % places.length]?.path ?? []
    return JSON.stringify(withAt(whole, path, value))
  })
}
