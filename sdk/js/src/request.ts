// Any route, by its name, with the types of the OpenAPI document: `request('GET /api/pay/:reference', { params })`.
import { MfukoError } from './errors.ts'
import { keyedRoutes, type Operations } from './operations.ts'
import { newIdempotencyKey } from './retry.ts'
import type { CallOptions, Transport } from './transport.ts'

export type Route = keyof Operations

type Given<R extends Route> = Omit<Operations[R], 'reply'>
type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }

/** Left out when the route needs nothing. */
type Input<R extends Route> = keyof Required<Given<R>> extends never
  ? [input?: Given<R> & CallOptions]
  : [input: Given<R> & CallOptions]

/** What a route takes, for functions around it. */
export type BodyOf<R extends Route> = Operations[R] extends { body?: infer Body } ? NonNullable<Body> : never
export type QueryOf<R extends Route> = Operations[R] extends { query?: infer Query }
  ? NonNullable<Query>
  : never

export type Reply<R extends Route> = Operations[R]['reply']

/** The whole answer. Throws `MfukoError`. */
export type Request = <R extends Route>(route: R, ...input: Input<R>) => Promise<Reply<R>>

export const openRequest =
  (transport: Transport): Request =>
  async (route, ...[input]) => {
    // Made before anything is sent, once for all that comes of the call: also after the token had to be exchanged.
    const idempotencyKey = keyedRoutes.has(route) ? keyOf(input) : undefined
    const { body, replayed } = await transport({ ...input, route, idempotencyKey })
    if (replayed) input?.onReplayed?.()
    return body as Reply<typeof route>
  }

function keyOf({ idempotencyKey = newIdempotencyKey() }: CallOptions = {}): string {
  if (idempotencyKey === '')
    throw new TypeError('idempotencyKey is empty: leave it out, or give one that is kept')
  return idempotencyKey
}

/** What is inside the envelope. */
export async function dataOf<T>(reply: Promise<{ data: T }>): Promise<T> {
  return (await reply).data
}

export interface Page<Item> {
  items: Item[]
  /** For `cursor` of the next page; null on the last one. */
  nextCursor: string | null
}

export async function pageOf<Item>(
  reply: Promise<{ data: Item[]; meta: { next_cursor: string | null } }>,
): Promise<Page<Item>> {
  const { data, meta } = await reply
  return { items: data, nextCursor: meta.next_cursor }
}

/**
 * One after the other, over all pages: `for await (const payment of each((cursor) => payments.list({ cursor })))`. However
 * many there are; a cursor that comes a second time would lead in circles, and is an error.
 */
export async function* each<Item>(
  pageAt: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await pageAt(cursor)
    yield* items
    if (nextCursor === null) return
    if (seen.has(nextCursor)) {
      const message = 'The list does not end: a cursor came a second time'
      throw new MfukoError({ code: 'unreadable_answer', message, status: 200 })
    }
    seen.add(nextCursor)
    cursor = nextCursor
  }
}
