// For Express, and for whatever else hands on Node's own request and response: Connect, Nest, the pages router of Next
// (with its body parser off), plain node:http.
import { bytesMost, joined } from './body.ts'
import type { Handler, Outcome, Receiver } from './receiver.ts'

/** The part of Node's request that is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: Record<string, string | string[] | undefined>
  readableEnded?: boolean
  /** Of a body parser: bytes, when it was told to keep them. */
  body?: unknown
  rawBody?: unknown
}

export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(text: string): unknown
}

/** More than any notification has. */

export interface MiddlewareOptions {
  /** Refused notifications and errors of the handler, to be logged. */
  onError?: (error: unknown) => void
}

/**
 * `app.post('/ipn', mfukoExpress(receiver, handler))`, before any `express.json()`: the signature is over the bytes as
 * they came. Behind one it needs `express.raw({ type: 'application/json' })` on this route.
 */
export const mfukoExpress =
  (receiver: Receiver, handler: Handler, { onError }: MiddlewareOptions = {}) =>
  async (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void): Promise<void> => {
    try {
      const body = await rawBody(request)
      const outcome: Outcome =
        body === 'too large'
          ? { status: 413, body: { message: 'This is no notification' } }
          : await receiver.receive({ headers: request.headers, body }, handler)
      if (outcome.error !== undefined) onError?.(outcome.error)
      response.statusCode = outcome.status
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(outcome.body))
    } catch (error) {
      if (next === undefined) throw error
      next(error)
    }
  }

async function rawBody(request: NodeRequest): Promise<Uint8Array | 'too large'> {
  for (const kept of [request.rawBody, request.body]) {
    if (kept instanceof Uint8Array) return kept
    if (typeof kept === 'string') return new TextEncoder().encode(kept)
  }
  if (request.readableEnded) throw new Error(parsedBefore)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > bytesMost) return 'too large'
    chunks.push(chunk)
  }
  return joined(chunks)
}

const parsedBefore =
  'The body of the notification was parsed before it could be verified. Put this route before express.json(), or use express.raw({ type: "application/json" }) on it.'
