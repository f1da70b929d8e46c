// When a request is tried again, as functions of values. What must stay true: nothing that may have happened is asked for
// a second time without the key that makes it happen once. sdk/vectors/retries.json has the same as a table.

export interface Tried {
  method: string
  /** It was sent with an idempotency key, on a route that takes one. */
  hasKey: boolean
  /** Of the answer; 0 when there was none. */
  status: number
}

/** Answers of proxies and of a service that is away: what became of the request is unknown. */
export const isUnknown = (status: number): boolean => [0, 502, 503, 504].includes(status)

export function mayRepeat({ method, hasKey, status }: Tried): boolean {
  // Who is told to wait was not let in: nothing has happened.
  if (status === 429) return true
  return isUnknown(status) && (method === 'GET' || hasKey)
}

const firstWaitMs = 500
/** Who is told to wait for longer is told so at once. */
export const patienceMs = 10_000

/** Undefined: not worth it. `tries` so far; `random` from 0 to 1, so that many who failed together don't return so. */
export function waitMs({
  tries,
  retryAfterSeconds,
  random,
}: {
  tries: number
  retryAfterSeconds: number | undefined
  random: number
}): number | undefined {
  const planned = firstWaitMs * 2 ** (tries - 1) * (0.5 + random / 2)
  if (retryAfterSeconds === undefined) return Math.min(planned, patienceMs)
  const asked = retryAfterSeconds * 1_000
  return asked > patienceMs ? undefined : Math.max(asked, planned)
}

/** A version 4 UUID. Not `crypto.randomUUID`, which browsers have on https pages only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
