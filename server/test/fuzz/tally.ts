// How far the well-formed inputs of a route got. A fuzzer whose callers have lost their session, or are over a limit, finds
// nothing and looks as if all were well: here such a run fails. What counts is that a request was judged by the rules of its
// route, whatever they said; it is no matter of luck, because who is spoilt is replaced at once (callers.ts).
import assert from 'node:assert/strict'
import type { Route } from '../route-table.ts'
import type { As } from './inputs.ts'

export interface Outcome {
  /** Of the input. */
  kind: string
  as: As
  status: number
  code: string | undefined
}

export interface Tally {
  count(outcome: Outcome): void
  /** For people. */
  told(): string
  /** Fails when too few were judged. */
  judge(): void
}

/** Refused before anything was looked at: by who calls, by how often, or by what can't be read. */
const unheard = ['unauthenticated', 'rate_limited', 'pin_locked', 'pin_not_set', 'bad_request']
const leastShare = 0.6
/** Of fewer a share says nothing. */
const fewest = 10

/** Whose requests are meant to be good. */
export const isMeantWell = (route: Route, as: As): boolean =>
  as === 'caller' || (as === 'nobody' && route.schema?.security === undefined)

export function openTally(route: Route): Tally {
  let [good, done, judged] = [0, 0, 0]
  const codes = new Map<string, number>()
  const told = () => {
    const refused = [...codes].map(([code, times]) => `, ${code} ${times}`)
    return `of ${good} good ones ${judged} were judged by the rules: done ${done}${refused.join('')}`
  }
  return {
    count: ({ kind, as, status, code }) => {
      if (kind !== 'good' || !isMeantWell(route, as)) return
      good += 1
      if (status < 400) done += 1
      else codes.set(code ?? '', (codes.get(code ?? '') ?? 0) + 1)
      // Who asks for no credential is refused for what was sent.
      const isHeard =
        code === 'unauthenticated' ? route.schema?.security === undefined : !unheard.includes(code ?? '')
      if (isHeard) judged += 1
    },
    told,
    judge: () => {
      assert.ok(good < fewest || judged >= good * leastShare, told())
    },
  }
}
