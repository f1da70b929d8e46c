// For Fastify: a plug-in with a scope of its own, in which bodies are kept as the bytes they came as. Bodies of other
// routes are parsed as ever.
import { bytesMost } from './body.ts'
import type { MiddlewareOptions } from './express.ts'
import type { Handler, Receiver } from './receiver.ts'

/** An instance of Fastify, of any version and type provider: said so loosely, since this package does not depend on it. */
interface AnyInstance {
  removeAllContentTypeParsers(): void
  addContentTypeParser: (...all: never[]) => unknown
  post: (...all: never[]) => unknown
}

/** The part of it that is used. */
interface Instance {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array) => Promise<Uint8Array>,
  ): unknown
  post(path: string, handler: (request: IncomingRequest, reply: OutgoingReply) => Promise<unknown>): unknown
}

interface IncomingRequest {
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

interface OutgoingReply {
  code(status: number): OutgoingReply
  send(body: unknown): unknown
}

/** `await app.register(mfukoFastify(receiver, handler, { path: '/ipn' }))` */
export const mfukoFastify =
  (receiver: Receiver, handler: Handler, { path, onError }: MiddlewareOptions & { path: string }) =>
  async (given: AnyInstance): Promise<void> => {
    const app = given as unknown as Instance
    app.removeAllContentTypeParsers()
    const keep = async (_request: unknown, body: Uint8Array) => body
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bytesMost }, keep)
    app.post(path, async ({ headers, body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array()
      const outcome = await receiver.receive({ headers, body: bytes }, handler)
      if (outcome.error !== undefined) onError?.(outcome.error)
      return reply.code(outcome.status).send(outcome.body)
    })
  }
