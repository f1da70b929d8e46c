// For the app router of Next, and for whatever else answers a `Request` with a `Response`: Remix, Hono, SvelteKit, Bun,
// Deno, workers at the edge.
import type { MiddlewareOptions } from './express.ts'
import type { Handler, Receiver } from './receiver.ts'

const bytesMost = 256 * 1024

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

/** Undefined: too large. */
async function boundedBody(request: Request): Promise<Uint8Array | undefined> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > bytesMost) return undefined
  const body = new Uint8Array(await request.arrayBuffer())
  return body.length > bytesMost ? undefined : body
}
