// Bugs of the kind that makes postings of a batch share their fate, or lets it be forgotten what nobody can know.
import type { Control } from '../scene.ts'

const proof = 'T22'

export const controls: Control[] = [
  {
    proof,
    name: 'a posting that breaks takes its batch with it',
    file: 'server/src/ledger/batches.ts',
    find: 'if (isUnknown(error) || waiting.length === 1) {',
    put: 'if (isUnknown(error) || waiting.length >= 1) {',
    expect: /good ones failed with it/,
  },
  {
    proof,
    name: 'what may have been committed is sent again',
    file: 'server/src/ledger/batches.ts',
    find: 'if (isUnknown(error)) for (const one of waiting) one.reject(error)',
    put: 'if (isUnknown(error) && waiting.length === 0) for (const one of waiting) one.reject(error)',
    expect: /without a key it happened 2 times|were told/,
  },
  {
    proof,
    name: 'a commit whose answer got lost is told as a failure',
    file: 'server/src/ledger/batches.ts',
    find: 'if (isUnknown(error)) for (const one of waiting) one.reject(error)',
    put: "if (isUnknown(error)) for (const one of waiting) one.resolve({ ok: false, refusal: 'insufficient_funds' })",
    expect: /not everybody is told that nobody knows/,
  },
  {
    proof,
    name: 'everybody is let in',
    file: 'server/src/http/crowd.ts',
    find: 'if (inside >= requestsMax) return',
    put: 'if (inside >= 1_000 * requestsMax) return',
    expect: /ms to say so/,
  },
]
