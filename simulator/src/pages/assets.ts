// The files that the pages need. Colours, the logo and the icon are those of the whole project; the addresses change with
// the text, so a browser may keep what it has.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Markup, trusted } from './html.ts'

export interface Asset {
  /** With its version. */
  address: string
  type: string
  bodies: { br: Buffer; gzip: Buffer; identity: Buffer }
}

export interface Assets {
  logo: Markup
  style: Asset
  script: Asset
  icon: Asset
}

const ours = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

export function readAssets(): Assets {
  const style = `${ours('../../../web/tokens.css')}\n${ours('./style.css')}`.replaceAll(
    /\/\*[\s\S]*?\*\//g,
    '',
  )
  return {
    logo: trusted(ours('../../../web/parts/logo.svg').trim()),
    style: asset({ name: 'style.css', type: 'text/css; charset=utf-8', text: style }),
    script: asset({ name: 'script.js', type: 'text/javascript; charset=utf-8', text: ours('./script.js') }),
    icon: asset({ name: 'icon.svg', type: 'image/svg+xml', text: ours('../../../web/public/favicon.svg') }),
  }
}

function asset({ name, type, text }: { name: string; type: string; text: string }): Asset {
  const identity = Buffer.from(text.replaceAll(/\n\s*/g, '\n'))
  const version = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  const bodies = { br: brotliCompressSync(identity), gzip: gzipSync(identity, { level: 9 }), identity }
  return { address: `/assets/${version}/${name}`, type, bodies }
}
