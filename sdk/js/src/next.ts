// For the app router of Next, and for whatever else answers a `Request` with a `Response`: Remix, Hono, SvelteKit, Bun,
// Deno, workers at the edge.
import { bytesMost, joined } from './body.ts'
import type { MiddlewareOptions } from './express.ts'
import type { Handler, Receiver } from './receiver.ts'

/** In `app/ipn/route.ts`: `export const POST = mfukoNext(receiver, handler)` */
export const mfukoNext =
  (receiver: Receiver, handler: Handler, { onError }: MiddlewareOptions = {}) =>
  async (request: Request): Promise<Response> => {
    const body = await boundedBody(request)
    if (body === undefined) return Response.json({ message: 'This is no notification' }, { status: 413 })
    const outcome = await receiver.receive({ headers: request.headers, body }, handler)
    if (outcome.error !== undefined) onError?.(outcome.error)
    return Response.json(outcome.body, { status: outcome.status })
  }

/** Undefined: too large. Counted while it comes in, since who sends it need not say how much it is. */
async function boundedBody(request: Request): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMost) return undefined
  // By its reader: not every place that runs this can iterate over a stream.
  const reader = request.body?.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > bytesMost) {
      await reader.cancel()
      return undefined
    }
    parts.push(value)
  }
  return joined(parts)
}
