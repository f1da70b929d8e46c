// Where a request came from, for those who write down what happened.
import type { FastifyRequest } from 'fastify'
import { check } from '../base/check.ts'

export const originOf = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  requestId: request.id,
  session: request.principal?.session,
})

/** Somebody who is logged in, in a scope of people. */
export function loggedInOf(request: FastifyRequest) {
  const { principal } = request
  check(
    principal?.kind === 'user' && principal.session !== undefined,
    'a scope of people knows who is logged in',
  )
  return { ...originOf(request), user: principal.id, session: principal.session }
}
