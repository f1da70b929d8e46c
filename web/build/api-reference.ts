import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import type { Plugin } from 'vite'

const page = 'reference.html'
const devPath = '/@api-reference.js'

/**
 * Brings Scalar's browser bundle into the build as one of our own hashed files, so that `/docs/reference/api` works
 * offline. The package hands it out only through its Fastify plugin; a throw-away instance asks for it.
 */
export const apiReference = (): Plugin => {
  let fileId: string | undefined
  return {
    name: 'mfuko-api-reference',
    async buildStart() {
      if (this.environment.mode !== 'build') return
      const source = await readBundle()
      fileId = this.emitFile({ type: 'asset', name: 'api-reference.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { filename, bundle }) {
        if (!filename.endsWith(page)) return
        const built = Object.values(bundle ?? {}).find((file) => file.fileName.includes('api-reference-'))
        const src = built ? `/${built.fileName}` : devPath
        if (fileId && !built) throw new Error('The API reference was emitted but is not in the bundle.')
        return [{ tag: 'script', attrs: { src, defer: true }, injectTo: 'body' }]
      },
    },
    configureServer: (server) => {
      server.middlewares.use(devPath, async (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(await readBundle())
      })
    },
  }
}

const readBundle = async () => {
  const app = fastify()
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const reply = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (reply.statusCode !== 200)
    throw new Error('@scalar/fastify-api-reference no longer serves js/scalar.js.')
  return reply.body
}
