// The pages that `npm run build` made: first page, dashboard, API reference, and their files. Only names written
// here, and hashed files of `assets`, leave the folder. Compressed copies lie beside the files, so serving them
// costs no CPU.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import * as headers from '../http/headers.ts'
import type { App } from '../http/instance.ts'
import { looserPolicy, unkept } from './headers.ts'

const pageHeaders = { ...headers.pageHeaders, ...unkept }
const referenceHeaders = {
  ...pageHeaders,
  'content-security-policy': headers.writePolicy({ ...headers.pagePolicy, ...looserPolicy }),
}

const pages = [
  { path: '/', file: 'index.html' },
  { path: '/app', file: 'app.html' },
  { path: '/app/*', file: 'app.html' },
  { path: '/docs', file: 'docs.html' },
]
const files = ['favicon.svg', 'apple-touch-icon.png', 'robots.txt']
const assetName = /^[\w-]+\.(js|css|svg|png)$/
const dayMs = 24 * 60 * 60 * 1000
const hidden = { schema: { hide: true } }

export interface SiteOptions {
  webDir: string
  /** Where the example shop is, if there is one. */
  shopUrl?: string | undefined
}

export async function siteRoutes(app: App, { webDir, shopUrl }: SiteOptions): Promise<void> {
  if (!existsSync(join(webDir, 'index.html'))) return notBuiltRoutes(app)
  if (shopUrl !== undefined) demoRoutes(app, { webDir, shopUrl })

  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    preCompressed: true,
    acceptRanges: false,
    setHeaders: (reply, path) => {
      if (/\.html(\.br|\.gz)?$/.test(path)) {
        reply.headers(path.includes('docs.html') ? referenceHeaders : pageHeaders)
      }
    },
  })
  for (const { path, file } of pages) {
    if (path === '/' && shopUrl !== undefined) continue
    app.get(path, hidden, (_request, reply) => reply.sendFile(file, { cacheControl: false }))
  }
  for (const file of files) {
    app.get(`/${file}`, hidden, (_request, reply) => reply.sendFile(file, { maxAge: dayMs }))
  }
  app.get<{ Params: { file: string } }>('/assets/:file', hidden, ({ params: { file } }, reply) =>
    assetName.test(file)
      ? reply.sendFile(`assets/${file}`, { maxAge: 365 * dayMs, immutable: true })
      : reply.callNotFound(),
  )
}

const demoLink = '<a class="button" href="/demo">Buy in the demo shop</a>'

/** With a shop to try, the first page leads there. */
function demoRoutes(app: App, { webDir, shopUrl }: Required<SiteOptions> & { shopUrl: string }): void {
  const html = readFileSync(join(webDir, 'index.html'), 'utf8').replace('<!-- demo -->', demoLink)
  app.get('/', hidden, (_request, reply) =>
    reply.headers(pageHeaders).type('text/html; charset=utf-8').send(html),
  )
  app.get('/demo', hidden, (_request, reply) => reply.redirect(shopUrl, 302))
}

/** The API needs no pages: the service starts without them and says how to get them. */
function notBuiltRoutes(app: App): void {
  for (const { path } of pages) {
    app.get(path, hidden, (_request, reply) =>
      reply
        .code(503)
        .headers({ ...pageHeaders, 'cache-control': 'no-store' })
        .type('text/html; charset=utf-8')
        .send(notBuilt),
    )
  }
}

const notBuilt = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mfuko</title>
<p>The pages are not built. Run <code>npm run build</code>, then start the service again.</p>
</html>
`
