// The two files that the pages need: a style and a script.
import { readFileSync } from 'node:fs'
import { type PageAsset, pageAsset, styleAsset } from '../base/page-assets.ts'

const ours = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

export function readAssets(): { style: PageAsset; script: PageAsset } {
  return {
    style: styleAsset('/checkout.css', { tokens: ours('../../../web/tokens.css'), css: ours('./style.css') }),
    script: pageAsset({
      path: '/checkout.js',
      type: 'text/javascript; charset=utf-8',
      text: ours('./script.js').replaceAll(/^\s*\/\/.*\n/gm, ''),
    }),
  }
}
