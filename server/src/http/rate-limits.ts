// Rate limits by class. A class is one row: how many, in what time, counted for whom. Counts live in this process,
// or in Redis when several processes must count together. Fixed windows: simple to explain, and to see in the
// RateLimit headers that every answer carries.
import rateLimit from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { App } from './instance.ts'

interface LimitRow {
  max: number
  windowSeconds: number
  /** Who is counted: the network address, or the one who showed a good credential. */
  by: 'address' | 'principal'
  /** What happens when the shared counts can't be reached: reads may pass, logins and money may not. */
  whenBlind: 'pass' | 'refuse'
}

export const limitClasses = {
  /** Requests without a credential, and those with a wrong one. */
  anonymous: { max: 120, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
  /** Requests with a good credential. */
  credential: { max: 600, windowSeconds: 60, by: 'principal', whenBlind: 'pass' },
  health: { max: 10, windowSeconds: 1, by: 'address', whenBlind: 'pass' },
  /** Pages and their files: a phone that opens a page for the first time asks for a dozen. */
  pages: { max: 600, windowSeconds: 60, by: 'address', whenBlind: 'pass' },
} as const satisfies Record<string, LimitRow>

export type LimitClass = keyof typeof limitClasses

export interface RateLimitOptions {
  enabled: boolean
  redisUrl: string | undefined
  log: Log
}

export interface RateLimiter {
  /** Counts the request, sets the RateLimit headers, and throws `rate_limited` when it is one too many. */
  count(limitClass: LimitClass, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export async function openRateLimits(app: App, options: RateLimitOptions): Promise<RateLimiter> {
  if (!options.enabled) return { count: async () => undefined }
  const redis =
    options.redisUrl === undefined ? undefined : connectRedis(app, { ...options, url: options.redisUrl })
  await app.register(rateLimit, { global: false, ...(redis ? { redis, nameSpace: 'mfuko-limit-' } : {}) })
  const limiters = new Map(
    Object.entries<LimitRow>(limitClasses).map(([name, row]) => [name, makeLimiter(app, { name, row })]),
  )
  return {
    count: async (limitClass, request, reply) => {
      const counted = await limiters
        .get(limitClass)?.(request)
        .catch((cause: unknown) => blind(limitClass, cause))
      if (counted === undefined || counted.isAllowed) return
      reply.headers({
        'ratelimit-limit': counted.max,
        'ratelimit-remaining': counted.remaining,
        'ratelimit-reset': counted.ttlInSeconds,
      })
      if (counted.isExceeded)
        throw new AppError('rate_limited', { retryAfter: Math.max(1, counted.ttlInSeconds) })
    },
  }
}

function makeLimiter(app: App, { name, row }: { name: string; row: LimitRow }) {
  return app.createRateLimit({
    max: row.max,
    timeWindow: row.windowSeconds * 1_000,
    keyGenerator: (request) => {
      const { principal } = request
      const who =
        row.by === 'principal' && principal !== null
          ? `${principal.kind}:${principal.id}`
          : addressOf(request)
      return `${name}:${who}`
    },
  })
}

/** One home has a whole /64 of IPv6 addresses, so that is what counts as one address. */
function addressOf(request: FastifyRequest): string {
  return rateLimit.normalizeIP(request.ip)
}

function blind(limitClass: LimitClass, cause: unknown): undefined {
  const row: LimitRow = limitClasses[limitClass]
  if (row.whenBlind === 'pass') return undefined
  throw new AppError('unavailable', { retryAfter: 1, cause })
}

function connectRedis(app: App, { url, log }: { url: string; log: Log }): Redis {
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
