import { Type } from 'typebox'
import { AppError } from '../../base/errors.ts'
import type { App } from '../../http/instance.ts'
import { loggedInOf, originOf } from '../../http/origin.ts'
import type { RateLimiter } from '../../http/rate-limits.ts'
import { Envelope, ok, Time } from '../../http/schema.ts'
import type { Users } from '../../users/users.ts'
import { requireRole } from '../operators.ts'
import { type FactorOptions, pass } from './second-factor.ts'

export interface FactorRoutes extends FactorOptions {
  users: Users
  limits: RateLimiter
}

/** Scope: people. Who has shown no code yet is no operator to the others. */
export function secondFactorRoutes(app: App, deps: FactorRoutes): void {
  const show = {
    tags: ['Operator'],
    summary: 'Open the operator’s side with a code',
    description:
      'Of the authenticator app. It opens the operator’s side to this login for 12 hours. Each code opens once.',
    operationId: 'showSecondFactor',
    body: Type.Object({
      code: Type.String({
        pattern: '^[0-9]{6}$',
        problem: 'must be 6 digits',
        description: 'The six digits that the app shows.',
        examples: ['492039'],
      }),
    }),
    response: { 200: Envelope(Type.Object({ open_until: Time({ description: 'ISO 8601, UTC.' }) })) },
  }
  app.post('/api/operator/second-factor', { schema: show }, async (request, reply) => {
    const { user, session } = loggedInOf(request)
    const principal = { kind: 'user', id: user, session } as const
    await requireRole(deps, principal)
    const work = () => pass(deps, { principal, code: request.body.code, origin: originOf(request) })
    const isFailure = (error: unknown) => error instanceof AppError && error.code === 'validation_failed'
    const until = await deps.limits.attempt('secondFactors', { request, reply, work, isFailure })
    return ok('The operator’s side is open', { open_until: until.toISOString() })
  })
}
