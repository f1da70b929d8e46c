// For servers and programs: shops (createMerchantClient), people (createPlatformClient), notifications (createReceiver).
import { openSession, type SessionClient, type SessionOptions } from './session.ts'

export * from './amounts.ts'
export { type FailureCode, MfukoError } from './errors.ts'
export { createMerchantClient, type MerchantClient, type MerchantOptions } from './merchant.ts'
export type * from './operations.ts'
export {
  createReceiver,
  type Handler,
  type Notification,
  NotificationError,
  type Receiver,
  type ReceiverOptions,
} from './receiver.ts'
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
export { type DuplicateGuard, rememberInMemory } from './seen.ts'
export type { Session, SessionClient, SessionOptions, User } from './session.ts'
export type { CallOptions } from './transport.ts'

export interface PlatformOptions extends SessionOptions {
  /** Of a session from before. */
  token?: string
  /** Each new one; undefined when the session has ended. To keep it for the next start. */
  onToken?: (token: string | undefined) => void
}

/** As a person: `login`, then everything else. The token is exchanged in time. */
export const createPlatformClient = (options: PlatformOptions): SessionClient =>
  openSession({ ...options, keptIn: 'memory' })
