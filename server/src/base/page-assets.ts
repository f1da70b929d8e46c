// The files that pages of the server load. Each has an address that changes with its text, and comes in the
// encodings that browsers take.
import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'

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

/** Once, when somebody first takes it: to press all of them takes a while, and a process that starts has none. */
function encoded(identity: Buffer): PageAsset['bodies'] {
  const kept: { br?: Buffer; gzip?: Buffer } = {}
  return {
    identity,
    get br() {
      kept.br ??= brotliCompressSync(identity)
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
