import type { FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'

/** The token of `Authorization: Bearer …`. */
export function bearerOf(request: FastifyRequest): string {
  const [, token] = /^Bearer ([!-~]{1,2048})$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) {
    throw new AppError('unauthenticated', {
      detail: 'Log in and send the token: Authorization: Bearer <token>.',
    })
  }
  return token
}
