// Bugs of the kind that shows only when something else fails.
import type { Control } from '../scene.ts'

const proof = 'T15'

export const controls: Control[] = [
  {
    proof,
    name: 'a query has no time limit',
    file: 'server/src/db/pool.ts',
    find: 'patience.set(client, patienceMs(options))',
    put: 'patience.set(client, 2 ** 30)',
    expect: /PostgreSQL hangs/,
  },
  {
    proof,
    name: 'everybody reads why',
    file: 'server/src/http/error-reply.ts',
    find: 'message: error.detail ?? catalogue[error.code].message,',
    put: "message: error.detail ?? [catalogue[error.code].message, error.cause].join(' '),",
    expect: /not for everybody's eyes/,
  },
  {
    proof,
    name: 'the amount that a provider confirms is not compared',
    file: 'server/src/funding/deposits.ts',
    find: 'const fits = sameAmount(outcome.amount, amount)',
    put: 'const fits = sameAmount(amount, amount)',
    expect: /another amount is completed/,
  },
  {
    proof,
    name: 'each process goes by the clock of its machine',
    file: 'server/src/db/clock.ts',
    find: 'const now = () => new Date(timeAt(performance.now()))',
    put: 'const now = () => systemClock.now()',
    expect: /The clock is two hours/,
  },
]
