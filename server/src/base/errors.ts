// Everything that can go wrong and that somebody must hear about in words.
// AppError: what a caller of the API can cause or must be told; its code is mapped in http/error-reply.ts.
// StartError: what the person who starts the program can mend; printed as one sentence, exit code 1.

/** Stable, machine-readable words of the API. A new code needs a row in http/error-reply.ts and a test. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'insufficient_funds'
  | 'limit_exceeded'
  | 'invalid_state'
  | 'idempotency_conflict'
  | 'pin_incorrect'
  | 'pin_locked'
  | 'pin_not_set'
  | 'account_frozen'
  | 'second_factor_required'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'

export interface AppErrorOptions {
  /** Replaces the catalogue's sentence. It reaches the caller, so it must not hold internals. */
  detail?: string
  /** Field name → sentence; for validation_failed and other refusals of a field. */
  errors?: Record<string, string>
  /** Seconds, sent as Retry-After. */
  retryAfter?: number
  /** How many wrong PINs are left before it is locked. */
  attemptsLeft?: number
  cause?: unknown
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly errors: Record<string, string> | undefined
  readonly retryAfter: number | undefined
  readonly attemptsLeft: number | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? code, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = options.detail
    this.errors = options.errors
    this.retryAfter = options.retryAfter
    this.attemptsLeft = options.attemptsLeft
  }
}

/** For `catch`: what a refusal says of fields, to be told with what is wrong with others. Anything else is thrown on. */
export function fieldsOf(error: unknown): Record<string, string> {
  if (error instanceof AppError && error.errors !== undefined) return error.errors
  throw error
}

/** The message is the whole sentence a person sees: what is wrong, and what to do about it. */
export class StartError extends Error {
  override name = 'StartError'
}
