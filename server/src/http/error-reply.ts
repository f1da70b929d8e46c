// The one place where an error becomes an answer. The catalogue is complete by its type: a code without a row
// does not compile. Nothing of an unforeseen error reaches the client; all of it reaches the log.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { apiHeaders } from './headers.ts'

interface Catalogued {
  status: 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 500 | 503
  message: string
  /** When a caller meets it, for the documentation. */
  when: string
}

export const catalogue: Record<ErrorCode, Catalogued> = {
  bad_request: {
    status: 400,
    message: 'The request could not be read.',
    when: 'The body is not JSON or not an object, or the request is malformed.',
  },
  unauthenticated: {
    status: 401,
    message: 'Send a valid credential with the request.',
    when: 'The credential is missing, wrong, expired or revoked.',
  },
  forbidden: {
    status: 403,
    message: 'This credential may not do that.',
    when: 'The credential is good, but does not allow the action.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing here. Check the path and the method.',
    when: 'There is no such path or resource, or it belongs to somebody else.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large; 64 KiB is the most.',
    when: 'The body is larger than 64 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json.',
    when: 'The body has another content type than application/json.',
  },
  validation_failed: {
    status: 422,
    message: 'Some fields need another value.',
    when: 'One or more fields are wrong; `errors` names each.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Wait as long as Retry-After says.',
    when: 'A rate limit is exceeded; `Retry-After` says for how many seconds.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. Tell us the request_id if it happens again.',
    when: 'A bug on our side.',
  },
  unavailable: {
    status: 503,
    message: 'The service is not available just now. Nothing was half done; try again shortly.',
    when: 'The database or another part that is needed is away; `Retry-After` says when to try again.',
  },
}

export interface ErrorBody {
  success: false
  message: string
  code: ErrorCode
  request_id: string
  errors?: Record<string, string>
}

export const errorBody = (error: AppError, requestId: string): ErrorBody => ({
  success: false,
  message: error.detail ?? catalogue[error.code].message,
  code: error.code,
  request_id: requestId,
  ...(error.errors === undefined ? {} : { errors: error.errors }),
})

export function replyWithError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asAppError(thrown)
  const { status } = catalogue[error.code]
  if (status >= 500) request.log.error({ err: thrown }, 'a request failed')
  // Set again, because an address that can't be read is refused before any hook runs.
  reply.headers(apiHeaders).header('x-request-id', request.id)
  if (error.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfter)))
  return reply.code(status).type('application/json; charset=utf-8').send(errorBody(error, request.id))
}

/** What the framework itself refuses, in our words. Anything else that nobody foresaw is a bug. */
function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { code, statusCode } = (thrown ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large', { cause: thrown })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('unsupported_media_type', { cause: thrown })
  if (code?.startsWith('FST_ERR_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', { cause: thrown })
  }
  return new AppError('internal_error', { cause: thrown })
}

/** docs/reference/errors.md, whole. */
export function errorsPage(): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, when }]) => `| \`${code}\` | ${status} | ${when} |`,
  )
  return [
    '# Error codes',
    '',
    'Every error is JSON: `{ "success": false, "message", "code", "request_id", "errors"? }`. Decide by `code`;',
    '`message` is for people and may change. This page is generated from `server/src/http/error-reply.ts` by',
    '`npm run docs`.',
    '',
    '| Code | Status | When |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
