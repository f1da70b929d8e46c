// Wrong fields, all at once: what the schema refuses, and what only the room knows (an amount too fine for its currency).

import type { FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { labelOf } from '../base/labels.ts'
import { cursorProblem } from './cursor.ts'
import { keyProblem } from './idempotency.ts'

/** For a route with `attachValidation: true`. `find` sees the body as it is: only look at fields that are there. */
export function refuseFields(
  request: FastifyRequest,
  find: (refused: Record<string, string>) => Record<string, string>,
) {
  const refused = refusedFields(request)
  requireNone({ ...find(refused), ...refused })
}

/** What the schema refuses: field → sentence. Throws when the body as a whole is no good. */
export function refusedFields(request: FastifyRequest): Record<string, string> {
  const thrown = request.validationError as unknown
  if (thrown !== undefined && !(thrown instanceof AppError && thrown.errors !== undefined)) throw thrown
  return (thrown as AppError | undefined)?.errors ?? {}
}

export interface WrongFields {
  errors: Record<string, string>
  /** Of the amount, if that is all that is wrong. */
  code: 'validation_failed' | 'limit_exceeded'
}

/**
 * For a route with `attachValidation: true` that moves or asks for money: what is wrong with the fields, and with the key.
 * `findAmount` sees the body as it is, and says what only the room knows of the field `amount`.
 */
export function wrongFields(
  request: FastifyRequest,
  findAmount: (refused: Record<string, string>) => { problem: string; code: WrongFields['code'] } | undefined,
): WrongFields | undefined {
  const refused = { ...keyProblem(request), ...refusedFields(request) }
  const found = findAmount(refused)
  const errors = found === undefined ? refused : { amount: found.problem, ...refused }
  return Object.keys(errors).length === 0 ? undefined : { errors, code: found?.code ?? 'validation_failed' }
}

export const refusalOf = ({ errors, code }: WrongFields): AppError =>
  new AppError(Object.keys(errors).length === 1 ? code : 'validation_failed', { errors })

export function requireNone(errors: Record<string, string>): void {
  if (Object.keys(errors).length > 0) throw new AppError('validation_failed', { errors })
}

/**
 * A refusal of fields names those too that are read after the others: the key that a request may be repeated with, and the
 * cursor of a list. So no route has to think of it, and a good request pays nothing for it.
 */
export function withLateFields(error: AppError, request: FastifyRequest): AppError {
  if (error.errors === undefined) return error
  const late = { ...cursorProblem(request), ...keyProblem(request) }
  if (Object.keys(late).every((field) => field in (error.errors ?? {}))) return error
  return new AppError('validation_failed', { errors: { ...late, ...error.errors }, cause: error })
}

type Judge = (text: string) => string | undefined

/**
 * For a route with `attachValidation: true`: what the schema refuses, and what the rules of the room say about texts that
 * it does not. A judge says the end of the sentence; in a list each text is judged, as `hosts.0`.
 */
export function refuseTexts(request: FastifyRequest, judges: Record<string, Judge>): void {
  refuseFields(request, (refused) => {
    const body = (request.body ?? {}) as Record<string, unknown>
    const errors: Record<string, string> = {}
    for (const [field, judge] of Object.entries(judges)) {
      // A list where a text belongs is refused as a whole.
      const value = refused[field] === undefined ? body[field] : undefined
      const texts = Array.isArray(value)
        ? value.map((item, at) => [`${field}.${at}`, item])
        : [[field, value]]
      for (const [name, text] of texts) {
        const problem = typeof text === 'string' && refused[name] === undefined ? judge(text) : undefined
        if (problem !== undefined) errors[name] = `${labelOf(field)} ${problem}`
      }
    }
    return errors
  })
}
