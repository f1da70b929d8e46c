import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'
import { type Documentation, fillTemplate, pageHtml, readDocumentation } from './docs/pages.ts'
import { searchEntries } from './docs/search-index.ts'

const template = 'docs.html'
const devSearch = '/@docs-search.json'

/**
 * Makes the pages of the documentation from the Markdown of the tree: `docs.html` is the template, each page is a file
 * below `docs/` of the build, and the search index one more hashed asset.
 */
export const docs = (root: string): Plugin => ({
  name: 'mfuko-docs',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const built = bundle[template]
      if (built?.type !== 'asset') throw new Error(`${template} is not among the built pages.`)
      const images = new Map<string, string>()
      const imageAddress = (file: string) => {
        const known = images.get(file)
        if (known !== undefined) return known
        const source = readFileSync(join(root, file))
        const made = `/${this.getFileName(this.emitFile({ type: 'asset', name: basename(file), source }))}`
        images.set(file, made)
        return made
      }
      const documentation = readDocumentation({ root, imageAddress })
      const source = JSON.stringify(searchEntries(documentation, root))
      const index = this.emitFile({ type: 'asset', name: 'docs-search.json', source })
      const filled = fillTemplate(String(built.source), { search: `/${this.getFileName(index)}` })
      for (const { address, html } of written(documentation, filled))
        this.emitFile({ type: 'asset', fileName: fileOf(address), source: html })
      delete bundle[template]
    },
  },
  configureServer: (server) => {
    server.middlewares.use(async (request, response, next) => {
      const path = request.url?.replace(/[?#].*$/, '') ?? ''
      if (path !== devSearch && !/^\/docs(?:\/|$)/.test(path)) return next()
      const documentation = readDocumentation({ root, imageAddress: (file) => `/@fs${join(root, file)}` })
      if (path === devSearch) {
        response.setHeader('content-type', 'application/json')
        return void response.end(JSON.stringify(searchEntries(documentation, root)))
      }
      const raw = fillTemplate(readFileSync(join(server.config.root, template), 'utf8'), {
        search: devSearch,
      })
      const page = written(documentation, raw).find(({ address }) => address === path)
      if (page === undefined) return next()
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(await server.transformIndexHtml(`/${template}`, page.html))
    })
  },
})

const fileOf = (address: string) => (address === '/docs' ? 'docs/index.html' : `${address.slice(1)}.html`)

const written = (documentation: Documentation, filled: string) =>
  documentation.pages.map((page) => ({
    address: page.address,
    html: pageHtml(page, { template: filled, nav: documentation.nav }),
  }))
