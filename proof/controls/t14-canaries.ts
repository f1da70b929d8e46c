// Bugs of the kind that tells secrets to whoever reads along.
import type { Control } from '../scene.ts'

const proof = 'T14'

export const controls: Control[] = [
  {
    proof,
    name: 'a request that failed is logged whole',
    file: 'server/src/http/error-reply.ts',
    find: "request.log.error({ request_id: request.id, err: thrown }, 'a request failed')",
    put: "request.log.error({ request_id: request.id, err: thrown, body: request.body }, 'a request failed')",
    expect: /was told: the log/,
  },
  {
    proof,
    name: 'the log has the whole address',
    file: 'server/src/http/request-log.ts',
    find: "request.routeOptions.url ?? '(unknown)'",
    put: "request.url ?? '(unknown)'",
    expect: /was told: the log/,
  },
  {
    proof,
    name: 'a refusal repeats what was wrong',
    file: 'server/src/http/validation.ts',
    find: "if (typeof own === 'string') return own",
    put: "if (typeof own === 'string') return [own, problem.data].join(', not ')",
    expect: /the answer tells a canary/,
  },
]
