// The files that pages of the server load. Each has an address that changes with its text, and comes in the
// encodings that browsers take.
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export interface PageAsset {
  path: string
  /** With its version. */
  address: string
  type: string
  bodies: { readonly br: Buffer; readonly gzip: Buffer; readonly identity: Buffer }
}

export function pageAsset({ path, type, text }: { path: string; type: string; text: string }): PageAsset {
  const identity = Buffer.from(text)
  const version = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  return { path, address: `${path}?v=${version}`, type, bodies: encoded(identity) }
}

/** The best takes 0.4 s for a megabyte, in which nobody else is answered, and is a tenth smaller. */
const quickFrom = 100_000
const quickQuality = 5

/** Once, when somebody first takes it: to press all of them takes a while, and a process that starts has none. */
export function encoded(identity: Buffer): PageAsset['bodies'] {
  const kept: { br?: Buffer; gzip?: Buffer } = {}
  const quality = identity.length < quickFrom ? constants.BROTLI_MAX_QUALITY : quickQuality
  return {
    identity,
    get br() {
      kept.br ??= brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      return kept.br
    },
    get gzip() {
      kept.gzip ??= gzipSync(identity, { level: 9 })
      return kept.gzip
    },
  }
}

export const styleAsset = (path: string, { tokens, css }: { tokens: string; css: string }): PageAsset =>
  pageAsset({ path, type: 'text/css; charset=utf-8', text: withoutNotes(withPlainValues(tokens, css)) })

/** Notes are for who reads the source, and a reader of the page pays for every byte. */
const withoutNotes = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
    .replaceAll(/\n+/g, '\n')

/**
 * Browsers that don't know custom properties (Opera Mini) leave out what uses them, so each such line stands twice: with
 * the light value, and with the property. What can't be taken twice (a mere definition) is left as it is.
 */
export function withPlainValues(tokens: string, css: string): string {
  const [light = ''] = tokens.split('@media')
  const values = new Map(
    [...light.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  )
  const plain = (text: string) =>
    text.replaceAll(/var\((--[\w-]+)\)/g, (whole, name: string) => values.get(name) ?? whole)
  const doubled = css.replaceAll(/^\s*([a-z-]+:\s[^;{}]*var\(--[^;{}]*);$/gm, (line, declaration: string) =>
    declaration.startsWith('--') ? line : `${plain(declaration)};\n${line}`,
  )
  return `${tokens}\n${doubled}`
}
