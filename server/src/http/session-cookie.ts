// The session of a page, in a cookie that its scripts can't read. It holds the token that only `refresh` takes from
// there: every other request shows its token in a header, which no page of another site can make a browser do.
// What must stay true: the cookie is looked at only for pages of this very site.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { cookieIn } from './cookies.ts'

export interface SessionCookie {
  /** The token in it, if there is one. */
  read(request: FastifyRequest): string | undefined
  /** Throws `forbidden` unless a page of this site is asking. */
  requireOwnPage(request: FastifyRequest): void
  write(reply: FastifyReply, token: string): void
  /** Takes it away, where there is one. */
  clear(request: FastifyRequest, reply: FastifyReply): void
}

const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/
const lengthMax = 2_048

export function openSessionCookie({
  baseUrl,
  seconds,
}: {
  baseUrl: string
  /** How long a browser keeps it. */
  seconds: number
}): SessionCookie {
  const isSecure = baseUrl.startsWith('https:')
  // `__Host-` binds it to this host and to https; a browser refuses that name where there is no https.
  const name = isSecure ? '__Host-session' : 'session'
  const text = (value: string, age: number) =>
    `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const own = new URL(baseUrl)
  return {
    read: (request) => {
      const value = cookieIn(request.headers.cookie, name)
      return value !== undefined && value.length <= lengthMax && tokenForm.test(value) ? value : undefined
    },
    requireOwnPage: (request) => {
      if (!isOwnPage(request, own))
        throw new AppError('forbidden', {
          detail: 'Only pages of this service may use the session cookie. Others send the token itself.',
        })
    },
    write: (reply, token) => {
      reply.header('set-cookie', text(token, seconds))
    },
    clear: (request, reply) => {
      if (cookieIn(request.headers.cookie, name) !== undefined) reply.header('set-cookie', text('', 0))
    },
  }
}

/**
 * Browsers say where a script was that makes a request; who says nothing is no page. Where both headers are there, both
 * must fit. A service that is reached by several names has the cookie for each of them alone, so the host that was asked
 * for is as good as the one that is configured.
 */
function isOwnPage({ headers }: FastifyRequest, own: URL): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined) return site === 'same-origin'
  const page = URL.parse(origin)
  return page?.protocol === own.protocol && (page.host === own.host || page.host === host)
}
