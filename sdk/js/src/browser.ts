// For pages. Nothing secret is in here or needed: people log in, the token stays in memory, and a cookie that no script
// can read brings the session back after a reload. The cookie works for pages of the service itself.
import { openSession, type SessionClient, type SessionOptions } from './session.ts'

export * from './amounts.ts'
export { type FailureCode, MfukoError } from './errors.ts'
export type * from './operations.ts'
export {
  type BodyOf,
  each,
  type Page,
  type QueryOf,
  type Reply,
  type Request,
  type Route,
} from './request.ts'
export { newIdempotencyKey } from './retry.ts'
export type { Session, SessionClient, SessionOptions, User } from './session.ts'
export type { CallOptions } from './transport.ts'

/** Default address: where the page came from. */
export type BrowserOptions = Omit<SessionOptions, 'baseUrl'> & { baseUrl?: string }

export const createBrowserClient = (options: BrowserOptions = {}): SessionClient =>
  openSession({ ...options, baseUrl: options.baseUrl ?? ownOrigin(), keptIn: 'cookie' })

function ownOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } }
  if (location === undefined) throw new TypeError('baseUrl is missing: there is no page here')
  return location.origin
}
