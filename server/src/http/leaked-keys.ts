// An API key belongs in a header. In an address it ends up in logs and histories, in a body in whatever the body is kept
// in: so it is refused there even if it is right, and written down, for its owner should replace it. The key's checksum
// tells it from any other text.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findApiKey } from '../base/api-key.ts'
import { AppError } from '../base/errors.ts'
import type { RateLimiter } from './rate-limits.ts'

export interface LeakedKey {
  /** The part of the key that may be shown. */
  prefix: string
  place: 'address' | 'body'
  address: string
  requestId: string
}

export type OnLeakedKey = (leak: LeakedKey) => Promise<void>

const start = 'svc_'
const startBytes = Buffer.from(start)

/** Before anybody is asked who they are. Undefined when there is none, as always. */
export function refuseKeyInAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  { limits, onLeakedKey }: { limits: RateLimiter; onLeakedKey: OnLeakedKey | undefined },
): Promise<never> | undefined {
  const address = request.originalUrl.replaceAll(/%5f/gi, '_')
  const key = address.includes(start) ? findApiKey(address) : undefined
  if (key === undefined) return undefined
  const counted = async () => limits.count('failures', request, reply)
  return counted().then(() => refuse(request, { prefix: key.prefix, place: 'address', onLeakedKey }))
}

export function refuseKeyInBody(
  request: FastifyRequest,
  { body, onLeakedKey }: { body: Buffer; onLeakedKey: OnLeakedKey | undefined },
): Promise<never> | undefined {
  const key = body.includes(startBytes) ? findApiKey(body.toString('latin1')) : undefined
  return key && refuse(request, { prefix: key.prefix, place: 'body', onLeakedKey })
}

interface Refusal {
  prefix: string
  place: LeakedKey['place']
  onLeakedKey: OnLeakedKey | undefined
}

async function refuse(request: FastifyRequest, { prefix, place, onLeakedKey }: Refusal): Promise<never> {
  await onLeakedKey?.({ prefix, place, address: request.ip, requestId: request.id })
  throw new AppError('unauthenticated', {
    detail: `Send API keys in a header, never in the ${place}. Rotate this one: others may have seen it.`,
  })
}
