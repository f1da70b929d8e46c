// A scope is a part of the API with one way to tell who is calling. Routes registered in it can't be reached
// without that, whatever their path is; a room's routes never look at credentials themselves.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { turnAway } from './crowd.ts'
import { catalogue } from './error-reply.ts'
import type { App } from './instance.ts'
import { errorResponses } from './openapi.ts'
import type { LimitClass, RateLimiter } from './rate-limits.ts'

/** Who is calling, once a scope has checked the credential. */
export interface Principal {
  kind: string
  id: string
  /** Of a person who is logged in. */
  session?: string
  /** Of a merchant's API key. */
  merchant?: number
  mode?: 'live' | 'test'
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
  interface FastifyContextConfig {
    /** Another rate limit than the scope's own. */
    limit?: LimitClass
    /** The ledger, which has a connection of its own, is all that it waits for; what else it needs is mostly remembered. */
    waitsFor?: 'ledger'
  }
}

export interface Scope {
  limit: LimitClass
  /**
   * Returns who it is, or throws `unauthenticated` or `forbidden`. It may look into the database, so addresses from which
   * too many wrong credentials came are not looked at any more.
   */
  authenticate?: (request: FastifyRequest, reply: FastifyReply) => Principal | Promise<Principal>
  /**
   * The same where it is known at once and can't be guessed: then a good credential passes, however many wrong ones came
   * from the address that it shares with thousands. Undefined: another kind of credential was sent, which `authenticate`
   * knows. With neither of them anybody may call.
   */
  recognise?: (request: FastifyRequest) => Principal | undefined
  /** Whether who was recognised may be here. It may look into the database: they are counted before. */
  admit?: (principal: Principal) => Promise<Principal>
  /** The security scheme in the OpenAPI document; of several, any will do; `a + b` are needed together. */
  security?: string | readonly string[]
  /** What else each of its routes can refuse with, by status: for the documentation. */
  refusals?: Record<number, string>
  /** Registers the routes of the rooms that belong here. */
  routes: (app: App) => void | Promise<void>
}

export interface ScopeOwner {
  app: App
  limits: RateLimiter
  isBusy?: Busy | undefined
}

/** Whoever needs this now would wait for it in vain. */
export interface Busy {
  database: () => boolean
  ledger: () => boolean
}

/** Who needs no database, or brings the end of what has begun. */
const alwaysOpen = new Set<LimitClass>(['health', 'hooks', 'pages'])

export async function openScope({ app, limits, isBusy }: ScopeOwner, scope: Scope): Promise<void> {
  await app.register(async (inner) => {
    const { authenticate, recognise, admit, security } = scope
    const classOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.limit ?? scope.limit
    const comesInVain = ({ routeOptions }: FastifyRequest) =>
      isBusy?.[routeOptions.config.waitsFor ?? 'database']()
    const count = (request: FastifyRequest, reply: FastifyReply) =>
      limits.count(classOf(request), request, reply)
    const enter = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => {
      request.principal = principal
      return count(request, reply)
    }
    const enterAdmitted = async (request: FastifyRequest, reply: FastifyReply, principal: Principal) => {
      await enter(request, reply, principal)
      if (admit !== undefined) request.principal = await admit(principal)
    }
    const prove = (
      request: FastifyRequest,
      reply: FastifyReply,
      who: NonNullable<Scope['authenticate']>,
    ): Promise<void> | undefined => {
      // Who has guessed too often is not told any more whether a guess was right.
      const work = () => who(request, reply)
      const caller = limits.attempt('failures', { request, reply, work, isFailure })
      return caller instanceof Promise
        ? caller.then((principal) => enter(request, reply, principal))
        : enter(request, reply, caller)
    }
    const letIn = (request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined => {
      let known: Principal | undefined
      try {
        known = recognise?.(request)
      } catch (error) {
        return refuseFailure(error, () => limits.count('failures', request, reply))
      }
      if (known !== undefined) return (admit === undefined ? enter : enterAdmitted)(request, reply, known)
      if (authenticate !== undefined) return prove(request, reply, authenticate)
      check(recognise === undefined, 'who is not recognised is authenticated')
      return count(request, reply)
    }
    inner.addHook('onRequest', (request, reply, done) => {
      if (comesInVain(request) && !alwaysOpen.has(classOf(request))) return void turnAway(request, reply)
      const waiting = letIn(request, reply)
      if (waiting !== undefined)
        return waiting.catch((error: unknown) => refuseKnown(error, request, () => count(request, reply)))
      done()
    })
    inner.addHook('onRoute', (route) => {
      if (route.schema === undefined || route.schema.hide) return
      route.schema = {
        ...route.schema,
        ...(security === undefined ? {} : { security: [security].flat().map(requirement) }),
        response: {
          ...errorResponses({
            method: route.method,
            route: route.schema,
            authenticated: authenticate !== undefined || recognise !== undefined,
            refusals: scope.refusals,
          }),
          ...(route.schema.response as object),
        },
      }
    })
    await scope.routes(inner)
  })
}

/** `a + b` → `{ a: [], b: [] }` */
const requirement = (schemes: string): Record<string, string[]> =>
  Object.fromEntries(schemes.split(' + ').map((scheme) => [scheme, []]))

/** The id of who is calling, for routes of a scope that asks for a credential. */
export function callerOf({ principal }: FastifyRequest): string {
  check(principal !== null, 'a route that asks who is calling is in a scope that knows')
  return principal.id
}

/** Counted first: who fails too often is told that, and not whether it was wrong. */
async function refuseFailure(error: unknown, count: () => Promise<void> | undefined): Promise<never> {
  if (isFailure(error)) await count()
  throw error
}

/** Whose credential is good, and who may not be here: counted by their address, since nobody has come in. */
async function refuseKnown(
  error: unknown,
  { principal }: FastifyRequest,
  count: () => Promise<void> | undefined,
): Promise<never> {
  const isForbidden = error instanceof AppError && catalogue[error.code].status === 403
  if (isForbidden && principal === null) await count()
  throw error
}

const isFailure = (error: unknown) => error instanceof AppError && error.code === 'unauthenticated'
