import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { pageHeaders } from '../http/headers.ts'
import { unkept } from './headers.ts'

/** What a browser sees where nothing is; nothing when the pages are not built. Small, so it is kept in memory. */
export function readNotFoundPage(webDir: string): ((reply: FastifyReply) => FastifyReply) | undefined {
  const file = join(webDir, '404.html')
  if (!existsSync(file)) return undefined
  const html = readFileSync(file, 'utf8')
  return (reply) =>
    reply
      .headers({ ...pageHeaders, ...unkept })
      .type('text/html; charset=utf-8')
      .send(html)
}
