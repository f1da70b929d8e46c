import type { FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'

const scheme = 'Bearer '
const tokenMax = 2_048

/** The token of `Authorization: Bearer …`. */
export function bearerOf(request: FastifyRequest): string {
  const { authorization = '' } = request.headers
  const token = authorization.slice(scheme.length)
  const begins = authorization.startsWith(scheme) || /^bearer /i.test(authorization)
  if (!begins || token === '' || token.length > tokenMax) {
    throw new AppError('unauthenticated', {
      detail: 'Log in and send the token: Authorization: Bearer <token>.',
    })
  }
  return token
}
