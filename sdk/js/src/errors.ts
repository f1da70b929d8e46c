// What went wrong, as one exception. Decide by `code`; `message` is for people and may change.
import type { ErrorCode } from './operations.ts'

/** Beyond the service's own codes: there was no answer, none in time, or one that is not the service's. */
export type FailureCode = ErrorCode | 'connection_failed' | 'timed_out' | 'unreadable_answer'

export interface Failure {
  code: FailureCode
  message: string
  /** Of the answer; 0 without one. */
  status: number
  requestId?: string | undefined
  errors?: Record<string, string> | undefined
  retryAfterSeconds?: number | undefined
  attemptsLeft?: number | undefined
  idempotencyKey?: string | undefined
  cause?: unknown
}

export class MfukoError extends Error {
  override readonly name: string = 'MfukoError'
  readonly code: FailureCode
  /** Of the answer; 0 without one. */
  readonly status: number
  /** Tell it to the service when something looks wrong. */
  readonly requestId: string | undefined
  /** Field → what is wrong with it. Empty unless fields are wrong. */
  readonly errors: Readonly<Record<string, string>>
  /** When it makes sense to try again. */
  readonly retryAfterSeconds: number | undefined
  /** After a wrong PIN: how many more lock it. */
  readonly attemptsLeft: number | undefined
  /** What the request was sent with. The same key again, and it happens once, whatever became of this try. */
  readonly idempotencyKey: string | undefined

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause })
    this.code = failure.code
    this.status = failure.status
    this.requestId = failure.requestId
    this.errors = failure.errors ?? {}
    this.retryAfterSeconds = failure.retryAfterSeconds
    this.attemptsLeft = failure.attemptsLeft
    this.idempotencyKey = failure.idempotencyKey
  }
}

export interface Refusal {
  status: number
  body: unknown
  /** Of the headers, as they came. */
  requestId: string | null
  retryAfter: string | null
  idempotencyKey?: string | undefined
}

/** What an answer that is no success says. A page of a proxy on the way is no answer of the service. */
export function failureOf({ status, body, requestId, retryAfter, idempotencyKey }: Refusal): Failure {
  const seconds = secondsOf(retryAfter)
  const known = { status, retryAfterSeconds: seconds, idempotencyKey }
  if (!isErrorBody(body)) {
    const message = `The answer (status ${status}) is not one of the service's own`
    return { ...known, code: 'unreadable_answer', message, requestId: requestId ?? undefined }
  }
  return {
    ...known,
    code: body.code as ErrorCode,
    message: body.message,
    requestId: body.request_id,
    errors: body.errors,
    attemptsLeft: body.attempts_left,
  }
}

interface ErrorBody {
  message: string
  code: string
  request_id: string
  errors?: Record<string, string>
  attempts_left?: number
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { success, message, code, request_id: requestId } = body as Record<string, unknown>
  return (
    success === false &&
    typeof message === 'string' &&
    typeof code === 'string' &&
    typeof requestId === 'string'
  )
}

/** Whole seconds; the service writes no dates. */
const secondsOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
