/**
 * The pages that Vite built into `web/dist`: first page, dashboard, API reference and their files.
 * Only names written here, and hashed files of `assets`, leave the folder. Compressed copies lie beside the
 * files, so serving costs no CPU.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileHeaders, pageHeaders, referenceHeaders } from './headers.ts'

export interface SiteOptions {
  /** The folder that `npm run build` fills. */
  webDir: string
}

const pages = [
  { path: '/', file: 'index.html' },
  { path: '/app', file: 'app.html' },
  { path: '/app/*', file: 'app.html' },
  { path: '/docs', file: 'docs.html' },
]
const files = ['favicon.svg', 'apple-touch-icon.png', 'robots.txt']
const dayMs = 24 * 60 * 60 * 1000
const hidden = { schema: { hide: true } }

export const siteRoutes = async (app: FastifyInstance, { webDir }: SiteOptions) => {
  if (!existsSync(join(webDir, 'index.html'))) return notBuiltRoutes(app)

  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    preCompressed: true,
    acceptRanges: false,
    setHeaders: (reply, path) => void reply.headers(headersFor(path)),
  })
  for (const { path, file } of pages) {
    app.get(path, hidden, (_request, reply) => sendPage(reply, file))
  }
  for (const file of files) {
    app.get(`/${file}`, hidden, (_request, reply) => reply.sendFile(file, { maxAge: dayMs }))
  }
  app.get<{ Params: { file: string } }>('/assets/:file', hidden, ({ params: { file } }, reply) =>
    /^[\w-]+\.(js|css|svg|png|woff2)$/.test(file)
      ? reply.sendFile(`assets/${file}`, { maxAge: 365 * dayMs, immutable: true })
      : reply.callNotFound(),
  )
  app.get('/*', hidden, (request, reply) =>
    isForPerson(request) ? sendPage(reply.code(404), '404.html') : reply.callNotFound(),
  )
}

/** HTML is asked for anew each time (a cheap 304), because it names the hashed files of one build. */
const sendPage = (reply: FastifyReply, file: string) => {
  // A 404 that answers If-None-Match would be an empty page.
  const conditional = reply.statusCode !== 404
  return reply.sendFile(file, { cacheControl: false, etag: conditional, lastModified: conditional })
}

const headersFor = (path: string) => {
  if (!/\.html(\.br|\.gz)?$/.test(path)) return fileHeaders
  const headers = path.includes('docs.html') ? referenceHeaders : pageHeaders
  return { ...headers, 'cache-control': 'no-cache' }
}

/** Programs get the API's JSON error, also for an address outside `/api`. */
const isForPerson = ({ url, headers }: FastifyRequest) =>
  !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')

const notBuiltRoutes = (app: FastifyInstance) => {
  for (const { path } of pages) {
    app.get(path, hidden, (_request, reply) =>
      reply
        .code(503)
        .headers({ ...pageHeaders, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
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
