// What pages that the server writes have in common: how they and their files are sent, and which forms are taken.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { PageAsset } from '../base/page-assets.ts'

const brotliQuality = 5
const year = 'public, max-age=31536000, immutable'

export function sendPage(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding, accept-language')
  const encoding = encodingFor(request)
  if (encoding === 'identity') return reply.send(text)
  const body =
    encoding === 'br'
      ? brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : gzipSync(text)
  return reply.header('content-encoding', encoding).send(body)
}

/** A file whose address changes with its text, so a browser may keep it. */
export const sendAsset = (request: FastifyRequest, reply: FastifyReply, asset: PageAsset): FastifyReply =>
  sendEncoded(request, reply.header('cache-control', year), asset)

export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bodies }: Pick<PageAsset, 'type' | 'bodies'>,
): FastifyReply {
  const encoding = encodingFor(request)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.header('vary', 'accept-encoding').type(type).send(bodies[encoding])
}

function encodingFor({
  headers: { 'accept-encoding': accepted = '' },
}: FastifyRequest): 'br' | 'gzip' | 'identity' {
  const taken = String(accepted)
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase())
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : 'identity'
}

/** A name that comes twice in an address is an array there, and none of ours. */
export function textIn(query: unknown, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Forms of other sites are refused before their fields are looked at. Browsers say where a form was; our own pages send
 * no referrer, so their `Origin` is `null`.
 */
export function refuseStrangers({ headers: { origin, host, 'sec-fetch-site': site } }: FastifyRequest): void {
  const foreign =
    site === undefined
      ? origin !== undefined && origin !== 'null' && URL.parse(origin)?.host !== host
      : site !== 'same-origin'
  if (foreign) throw new AppError('forbidden')
}
