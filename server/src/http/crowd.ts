// More requests at the same time than a process can work on make all of them slow, then late, then useless. So what comes
// on top is refused at once, before its body is read and its caller is known, and those inside are served. Health checks
// are always let in: a process in a crowd is not a broken one.
// Where all wait for connections to the database, a few are a crowd: who came in would wait in vain. There a scope asks.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { errorBody } from './error-reply.ts'
import { apiHeaders } from './headers.ts'
import type { App } from './instance.ts'

const retrySeconds = 1

/** Made once: an error that is made for each would cost more than the rest of the refusal. */
const refusal = new AppError('unavailable', {
  detail: 'Too many requests are being worked on just now. Nothing was done; try again shortly.',
  retryAfter: retrySeconds,
})

export function limitCrowd(app: App, requestsMax: number): void {
  let inside = 0
  const leave = () => {
    inside -= 1
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.limit === 'health') return done()
    if (inside >= requestsMax) return void turnAway(request, reply)
    inside += 1
    // Also comes when the caller hangs up. What such a request still does is bounded by the limits of the database.
    reply.raw.on('close', leave)
    done()
  })
}

/** Not as an error: that would fill the log, and cost more than it saves. */
export function turnAway(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({ ...apiHeaders, 'x-request-id': request.id, 'retry-after': String(retrySeconds) })
    .type('application/json; charset=utf-8')
    .send(errorBody(refusal, request.id))
}

/** A crowd is expected to be there for so long after somebody had to wait. */
const crowdMs = 3_000
/** What those inside may wait for the database while there is one. */
const shortMs = 100

export interface CrowdSigns {
  /** How long whoever waits longest for the database has waited by now. */
  waitedMs: () => number
  /** Nobody waits so long without a crowd. */
  longMs: number
  nowMs?: () => number
}

/**
 * Is it of use to let somebody in who needs the database? A long wait now and then is no crowd. But once there is one, the
 * line is kept short: a long one serves nobody sooner, and whoever waited in vain has cost as much as who was served.
 */
export function crowdSeen({ waitedMs, longMs, nowMs = () => performance.now() }: CrowdSigns): () => boolean {
  let crowdUntil = Number.NEGATIVE_INFINITY
  return () => {
    const waited = waitedMs()
    if (waited <= shortMs) return false
    const now = nowMs()
    if (waited > longMs || now < crowdUntil) crowdUntil = now + crowdMs
    return now < crowdUntil
  }
}
