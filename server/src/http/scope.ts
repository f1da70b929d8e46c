// A scope is a part of the API with one way to tell who is calling. Routes registered in it can't be reached
// without that, whatever their path is; a room's routes never look at credentials themselves.
import type { FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { App } from './instance.ts'
import { errorResponses } from './openapi.ts'
import type { LimitClass, RateLimiter } from './rate-limits.ts'

/** Who is calling, once a scope has checked the credential. */
export interface Principal {
  kind: string
  id: string
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
  interface FastifyContextConfig {
    /** Another rate limit than the scope's own. */
    limit?: LimitClass
  }
}

export interface Scope {
  limit: LimitClass
  /** Absent: anybody may call. Returns who it is, or throws `unauthenticated` or `forbidden`. */
  authenticate?: (request: FastifyRequest) => Principal | Promise<Principal>
  /** The name of the security scheme in the OpenAPI document. */
  security?: string
  /** Registers the routes of the rooms that belong here. */
  routes: (app: App) => void | Promise<void>
}

export interface ScopeOwner {
  app: App
  limits: RateLimiter
}

export async function openScope({ app, limits }: ScopeOwner, scope: Scope): Promise<void> {
  await app.register(async (inner) => {
    const { authenticate, security } = scope
    inner.addHook('onRequest', async (request, reply) => {
      if (authenticate !== undefined) {
        // Who has guessed too often is not told any more whether a guess was right.
        const work = () => authenticate(request)
        request.principal = await limits.attempt('failures', { request, reply, work, isFailure })
      }
      await limits.count(request.routeOptions.config.limit ?? scope.limit, request, reply)
    })
    inner.addHook('onRoute', (route) => {
      if (route.schema === undefined || route.schema.hide) return
      route.schema = {
        ...route.schema,
        ...(security === undefined ? {} : { security: [{ [security]: [] }] }),
        response: {
          ...errorResponses({ route: route.schema, authenticated: authenticate !== undefined }),
          ...(route.schema.response as object),
        },
      }
    })
    await scope.routes(inner)
  })
}

const isFailure = (error: unknown) => error instanceof AppError && error.code === 'unauthenticated'
