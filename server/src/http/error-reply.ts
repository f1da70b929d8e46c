// The one place where an error becomes an answer. The catalogue is complete by its type: a code without a row
// does not compile. Nothing of an unforeseen error reaches the client; all of it reaches the log.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { inLanguage, languageOf } from './error-language.ts'
import { withLateFields } from './fields.ts'
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
  insufficient_funds: {
    status: 422,
    message: 'There is not enough money in the wallet. No money left it.',
    when: 'The wallet holds less than the amount; `errors.amount` says so too.',
  },
  limit_exceeded: {
    status: 422,
    message: 'The amount is beyond a limit. No money left the wallet.',
    when: 'The amount, or the total of 24 hours with it, is beyond a limit; `errors.amount` says which.',
  },
  invalid_state: {
    status: 422,
    message: 'That is not possible any more, or not yet.',
    when: 'The present state of the resource forbids the action.',
  },
  idempotency_conflict: {
    status: 422,
    message: 'This Idempotency-Key was used for another request. Use a new key.',
    when: 'The same `Idempotency-Key` came with another body.',
  },
  pin_incorrect: {
    status: 403,
    // A repeated one may have moved it before.
    message: 'The PIN is wrong. This request has moved no money.',
    when: 'The PIN is wrong; `attempts_left` says how many wrong ones lock it.',
  },
  pin_locked: {
    status: 403,
    message:
      'The PIN is locked after too many wrong ones. Wait 30 minutes, or set a new PIN with the password.',
    when: 'Five wrong PINs in a row lock it for 30 minutes; ten disable it until a new one is set.',
  },
  pin_not_set: {
    status: 403,
    message: 'Set a PIN first.',
    when: 'The account has no PIN yet.',
  },
  account_frozen: {
    status: 403,
    message: 'This account is frozen. Write to support.',
    when: 'An operator has frozen the account.',
  },
  second_factor_required: {
    status: 403,
    message: 'Show a code of your authenticator app first.',
    when: 'An operator has logged in, and has shown no code of the authenticator app yet.',
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
  attempts_left?: number
}

export const errorBody = (error: AppError, requestId: string): ErrorBody => ({
  success: false,
  message: error.detail ?? catalogue[error.code].message,
  code: error.code,
  request_id: requestId,
  ...(error.errors === undefined ? {} : { errors: error.errors }),
  ...(error.attemptsLeft === undefined ? {} : { attempts_left: error.attemptsLeft }),
})

export function replyWithError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = beginErrorReply(thrown, request, reply)
  const language = languageOf(request)
  if (language !== 'en') reply.header('content-language', language)
  const body = inLanguage(errorBody(error, request.id), { language, usual: error.detail === undefined })
  return reply.type('application/json; charset=utf-8').send(body)
}

/** Everything but the words, for those who answer with a page. */
export function beginErrorReply(thrown: unknown, request: FastifyRequest, reply: FastifyReply): AppError {
  const error = withLateFields(asAppError(thrown), request)
  request.errorCode = error.code
  const { status } = catalogue[error.code]
  if (status >= 500) request.log.error({ request_id: request.id, err: thrown }, 'a request failed')
  // Set again, because an address that can't be read is refused before any hook runs.
  reply.headers(apiHeaders).header('x-request-id', request.id)
  if (error.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfter)))
  reply.code(status)
  return error
}

/** What the framework itself refuses, in our words. Anything else that nobody foresaw is a bug. */
function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { code, statusCode, message } = (thrown ?? {}) as Partial<FastifyError>
  // Who was sending has hung up in the middle: nobody hears the answer, and nothing is wrong here.
  if (code === 'ECONNRESET' && message === 'aborted') return new AppError('bad_request', { cause: thrown })
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
    '`message` and the texts of `errors` are for people and may change; with `Accept-Language: sw` or `fr` they are in Kiswahili',
    'or French. This page is generated from `server/src/http/error-reply.ts` by `npm run docs`.',
    '',
    '| Code | Status | When |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
