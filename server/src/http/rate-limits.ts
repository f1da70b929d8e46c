// Rate limits by class. A class is one row: how many, in what time, counted for whom. Counts live in this process,
// or in Redis when several processes must count together. Fixed windows: simple to explain, and to see in the
// RateLimit headers that every answer carries.
import rateLimit from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { App } from './instance.ts'

interface LimitRow {
  max: number
  /** Of a test key of a merchant, where that may ask less. */
  testMax?: number
  windowSeconds: number
  /** Who is counted: the network address, the one who showed a good credential, or only that login of theirs. */
  by: 'address' | 'principal' | 'session'
  /** What happens when the shared counts can't be reached: reads may pass, logins and money may not. */
  whenBlind: 'pass' | 'refuse'
}

export const limitClasses = {
  /** Requests where no credential is needed, and those for what does not exist. */
  anonymous: { max: 120, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
  /** Requests with a wrong credential, or none where one is needed. */
  failures: { max: 120, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
  /** Requests with a good credential. */
  credential: { max: 600, windowSeconds: 60, by: 'principal', whenBlind: 'pass' },
  register: { max: 20, windowSeconds: 3_600, by: 'address', whenBlind: 'refuse' },
  /** All logins and refreshes of an address, which thousands of phones may share. Failures are counted elsewhere. */
  login: { max: 600, windowSeconds: 60, by: 'address', whenBlind: 'refuse' },
  refresh: { max: 10, windowSeconds: 60, by: 'session', whenBlind: 'refuse' },
  /** A page that was opened asks who is there: a browser may open twenty at once. */
  resume: { max: 60, windowSeconds: 60, by: 'session', whenBlind: 'refuse' },
  /** Asking for a code by mail, and using it. */
  codes: { max: 60, windowSeconds: 900, by: 'address', whenBlind: 'refuse' },
  /** Whatever needs the PIN. */
  pin: { max: 60, windowSeconds: 60, by: 'principal', whenBlind: 'refuse' },
  /** A phone is asked for money, and it may be anybody's: ten a minute, and five at once. */
  deposits: { max: 5, windowSeconds: 30, by: 'principal', whenBlind: 'refuse' },
  /** Wrong codes of an operator's authenticator app. */
  secondFactors: { max: 5, windowSeconds: 900, by: 'principal', whenBlind: 'refuse' },
  /** Questions about other people. */
  lookups: { max: 30, windowSeconds: 60, by: 'principal', whenBlind: 'pass' },
  /** Handles that nobody has: who asks for many is listing people, not paying them. */
  unknownHandles: { max: 300, windowSeconds: 86_400, by: 'principal', whenBlind: 'pass' },
  /** New payments of a merchant. */
  payments: { max: 100, testMax: 25, windowSeconds: 1, by: 'principal', whenBlind: 'refuse' },
  merchantReads: { max: 25, windowSeconds: 1, by: 'principal', whenBlind: 'pass' },
  /** Applications of a business, and what shows or replaces its credentials; each counted for itself. */
  applications: { max: 5, windowSeconds: 3_600, by: 'principal', whenBlind: 'refuse' },
  reveals: { max: 5, windowSeconds: 3_600, by: 'principal', whenBlind: 'refuse' },
  rotations: { max: 5, windowSeconds: 3_600, by: 'principal', whenBlind: 'refuse' },
  /** Notifications to be sent once more. */
  replays: { max: 10, windowSeconds: 1, by: 'principal', whenBlind: 'pass' },
  /** Notifications to try a receiver with. */
  examples: { max: 30, windowSeconds: 60, by: 'principal', whenBlind: 'pass' },
  health: { max: 10, windowSeconds: 1, by: 'address', whenBlind: 'pass' },
  pages: { max: 600, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
  /** Files of pages, kept by browsers for a year: a phone that is new here asks for thirty, and thousands share an address. */
  files: { max: 12_000, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
  /** Pages of one payment, and those that one address asks for: who tries stolen cards has many payments. */
  checkout: { max: 60, windowSeconds: 60, by: 'principal', whenBlind: 'pass' },
  checkoutAddress: { max: 300, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
  /** Callbacks of providers, who call from a few addresses. What is turned away is asked for later. */
  hooks: { max: 6_000, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
  /** Whole histories as a file. */
  export: { max: 6, windowSeconds: 3_600, by: 'principal', whenBlind: 'pass' },
} as const satisfies Record<string, LimitRow>

export type LimitClass = keyof typeof limitClasses

export interface RateLimitOptions {
  enabled: boolean
  redisUrl: string | undefined
  log: Log
}

export interface RateLimiter {
  /** Counts the request, sets the RateLimit headers, and throws `rate_limited` when it is one too many. */
  count(limitClass: LimitClass, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined
  /**
   * Tries something that is counted when it fails. Once too many have failed nothing is tried any more: the answer
   * is `rate_limited`, whatever the outcome would have been.
   */
  attempt<T>(limitClass: LimitClass, attempt: Attempt<T>): T | Promise<T>
}

export interface Attempt<T> {
  request: FastifyRequest
  reply: FastifyReply
  work: () => T | Promise<T>
  isFailure: (error: unknown) => boolean
}

export async function openRateLimits(app: App, options: RateLimitOptions): Promise<RateLimiter> {
  if (!options.enabled) return { count: () => undefined, attempt: (_limit, { work }) => work() }
  const redis =
    options.redisUrl === undefined
      ? undefined
      : await connectRedis(app, { ...options, url: options.redisUrl })
  await app.register(rateLimit, { global: false, ...(redis ? { redis, nameSpace: 'mfuko-limit-' } : {}) })
  const limiters = new Map(
    Object.entries<LimitRow>(limitClasses).map(([name, row]) => [name, makeLimiter(app, { name, row })]),
  )
  const look = async (
    limitClass: LimitClass,
    request: FastifyRequest,
    { increment }: { increment: boolean },
  ) => {
    const found = await limiters
      .get(limitClass)?.(request, { increment })
      .catch((cause: unknown) => blind(limitClass, cause))
    return found === undefined || found.isAllowed ? undefined : found
  }
  const count = async (limitClass: LimitClass, request: FastifyRequest, reply: FastifyReply) => {
    const counted = await look(limitClass, request, { increment: true })
    if (counted === undefined) return
    tellLimit(reply, counted)
    if (counted.isExceeded) throw tooMany(counted)
  }
  // Attempts that have begun and not ended. Each may fail yet, so together they may not be more than are left.
  const running = new Map<string, number>()
  return {
    count,
    attempt: async (limitClass, { request, reply, work, isFailure }) => {
      const found = await look(limitClass, request, { increment: false })
      const key = found?.key ?? ''
      const begun = running.get(key) ?? 0
      if (found !== undefined && found.remaining <= begun) {
        tellLimit(reply, { ...found, remaining: 0 })
        throw tooMany(found)
      }
      running.set(key, begun + 1)
      try {
        return await work()
      } catch (error) {
        if (isFailure(error)) await count(limitClass, request, reply)
        throw error
      } finally {
        const left = (running.get(key) ?? 1) - 1
        if (left > 0) running.set(key, left)
        else running.delete(key)
      }
    },
  }
}

interface Counted {
  max: number
  remaining: number
  ttlInSeconds: number
}

const tellLimit = (reply: FastifyReply, { max, remaining, ttlInSeconds }: Counted) =>
  reply.headers({
    'ratelimit-limit': max,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': ttlInSeconds,
  })

const tooMany = ({ ttlInSeconds }: Counted) =>
  new AppError('rate_limited', { retryAfter: Math.max(1, ttlInSeconds) })

function makeLimiter(app: App, { name, row }: { name: string; row: LimitRow }) {
  return app.createRateLimit({
    max: ({ principal }) => (principal?.mode === 'test' ? (row.testMax ?? row.max) : row.max),
    timeWindow: row.windowSeconds * 1_000,
    keyGenerator: (request) => {
      const { principal } = request
      if (row.by === 'address' || principal === null) return `${name}:${networkOf(request)}`
      const who = row.by === 'session' ? principal.session : principal.id
      // The two modes of a merchant are counted apart.
      return `${name}:${principal.kind}:${who}${principal.mode === undefined ? '' : `:${principal.mode}`}`
    },
  })
}

/** One home has a whole /64 of IPv6 addresses, so that is what counts as one address. */
export function networkOf(request: FastifyRequest): string {
  return rateLimit.normalizeIP(request.ip)
}

function blind(limitClass: LimitClass, cause: unknown): undefined {
  const row: LimitRow = limitClasses[limitClass]
  if (row.whenBlind === 'pass') return undefined
  throw new AppError('unavailable', { retryAfter: 1, cause })
}

async function connectRedis(app: App, { url, log }: { url: string; log: Log }): Promise<Redis> {
  // Most have none, and to read it takes longer than to read the rest of this room.
  const { Redis } = await import('ioredis')
  // Short waits: a Redis that is away must not hold requests back.
  const redis = new Redis(url, {
    connectTimeout: 500,
    commandTimeout: 500,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  })
  let told = 0
  redis.on('error', (error: Error) => {
    // It is said once a minute, not at each of many attempts to connect.
    if (performance.now() - told < 60_000 && told > 0) return
    told = performance.now()
    log.warn({ err: error }, 'Redis is away; rate limits are not counted')
  })
  app.addHook('onClose', async () => redis.disconnect())
  return redis
}
