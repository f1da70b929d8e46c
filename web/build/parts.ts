import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

const partMark = /<!-- part ([a-z-]+\.(?:html|svg)) -->/g
const depthMax = 3

/**
 * Puts `<!-- part header.html -->` into the pages, so that logo, header and footer are written once and
 * every page still is plain HTML. The link to the page itself gets `aria-current`.
 */
export const parts = (folder: string): Plugin => ({
  name: 'mfuko-parts',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { filename }) => markCurrent(expand(html, folder, 0), pagePath(filename)),
  },
  configureServer: (server) => {
    server.watcher.add(folder)
  },
})

const expand = (html: string, folder: string, depth: number): string => {
  if (depth > depthMax) throw new Error(`Parts in ${folder} include each other more than ${depthMax} deep.`)
  return html.replace(partMark, (_mark, name: string) =>
    expand(readFileSync(join(folder, name), 'utf8').trim(), folder, depth + 1),
  )
}

const pagePath = (filename: string) => `/${basename(filename, '.html').replace('index', '')}`

const markCurrent = (html: string, path: string) =>
  html
    .replaceAll(`data-page href="${path}"`, `href="${path}" aria-current="page"`)
    .replaceAll('data-page ', '')
