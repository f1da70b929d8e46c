// The pages that `npm run build` made: first page, dashboard, documentation, and their files. Only names written here,
// the pages of the documentation that are there when the process starts, and hashed files of `assets` leave the folder.
// Compressed copies lie beside the files, so serving them costs no CPU.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import * as headers from '../http/headers.ts'
import type { App } from '../http/instance.ts'
import { looserPolicy, unkept } from './headers.ts'

/** The app can be installed. */
const sitePolicy = { ...headers.pagePolicy, 'manifest-src': "'self'" }
const pageHeaders = {
  ...headers.pageHeaders,
  'content-security-policy': headers.writePolicy(sitePolicy),
  ...unkept,
}
const referenceHeaders = {
  ...pageHeaders,
  'content-security-policy': headers.writePolicy({ ...sitePolicy, ...looserPolicy }),
}

const pages = [
  { path: '/', file: 'index.html' },
  { path: '/app', file: 'app.html' },
  { path: '/app/*', file: 'app.html' },
  { path: '/docs', file: 'docs/index.html' },
  { path: '/docs/reference/api', file: 'reference.html' },
]
const files = [
  'favicon.svg',
  'apple-touch-icon.png',
  'app-icon-192.png',
  'app-icon-512.png',
  'app.webmanifest',
  'robots.txt',
]
/** Small and without a hash in their names: asked for anew each time. */
const freshFiles = ['theme.js', 'app-worker.js']
/** What a worker may do is said by its own answer: it asks this service, and nobody else. */
const workerHeaders = {
  'content-security-policy': headers.writePolicy({
    'default-src': "'none'",
    'connect-src': "'self'",
    'frame-ancestors': "'none'",
  }),
  ...unkept,
}
const assetName = /^[\w-]+\.(js|css|svg|png|json)$/
const dayMs = 24 * 60 * 60 * 1000
const hidden = { schema: { hide: true } }
const hiddenFile = { ...hidden, config: { limit: 'files' } } as const

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
        reply.headers(/\/reference\.html(\.br|\.gz)?$/.test(path) ? referenceHeaders : pageHeaders)
      }
    },
  })
  for (const { path, file } of pages) {
    if (path === '/' && shopUrl !== undefined) continue
    app.get(path, hidden, (_request, reply) => reply.sendFile(file, { cacheControl: false }))
  }
  docsRoutes(app, webDir)
  for (const file of files) {
    app.get(`/${file}`, hiddenFile, (_request, reply) => reply.sendFile(file, { maxAge: dayMs }))
  }
  for (const file of freshFiles) {
    app.get(`/${file}`, hiddenFile, (_request, reply) =>
      reply.headers(workerHeaders).sendFile(file, { cacheControl: false }),
    )
  }
  app.get<{ Params: { file: string } }>('/assets/:file', hiddenFile, ({ params: { file } }, reply) =>
    assetName.test(file)
      ? reply.sendFile(`assets/${file}`, { maxAge: 365 * dayMs, immutable: true })
      : reply.callNotFound(),
  )
}

function docsRoutes(app: App, webDir: string): void {
  const known = docsPages(webDir)
  app.get('/docs/', hidden, (_request, reply) => reply.redirect('/docs', 308))
  app.get<{ Params: { '*': string } }>('/docs/*', hidden, ({ params: { '*': name } }, reply) =>
    known.has(name) ? reply.sendFile(`docs/${name}.html`, { cacheControl: false }) : reply.callNotFound(),
  )
}

/** `guides/errors` and so on. */
function docsPages(webDir: string): Set<string> {
  const folder = join(webDir, 'docs')
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const names = files.filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -'.html'.length))
  return new Set(names.filter((name) => name !== 'index'))
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
  for (const path of [...pages.map((page) => page.path), '/docs/*']) {
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
