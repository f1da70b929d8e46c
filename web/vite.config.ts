import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { apiReference } from './build/api-reference.ts'
import { compress } from './build/compress.ts'
import { docs } from './build/docs.ts'
import { parts } from './build/parts.ts'
import { themes } from './build/themes.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { version } = JSON.parse(readFileSync(here('../package.json'), 'utf8')) as { version: string }

/** The server gives pages short addresses; `vite dev` must know the same ones. */
const shortAddresses = (): Plugin => ({
  name: 'mfuko-short-addresses',
  configureServer: (server) => {
    server.middlewares.use((request, _response, next) => {
      request.url = request.url
        ?.replace(/^\/app(?:[/?].*)?$/, '/app.html')
        .replace(/^\/docs\/reference\/api$/, '/reference.html')
      next()
    })
  },
})

const service = 'http://127.0.0.1:8080'

export default defineConfig({
  root: here('.'),
  // The library's sources, as its own tests use them: there is no build of it to be stale.
  resolve: { conditions: ['mfuko-source', ...defaultClientConditions] },
  appType: 'mpa',
  plugins: [
    parts(here('parts')),
    themes(here('tokens.css')),
    tailwind(),
    react(),
    apiReference(),
    docs(here('..')),
    shortAddresses(),
    compress(),
  ],
  // `%VERSION%` in the pages.
  define: { 'import.meta.env.VERSION': JSON.stringify(version) },
  server: { proxy: { '/api': service, '/health': service, '/openapi.json': service } },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    // Only browsers that know it are served modules.
    modulePreload: { polyfill: false },
    // The compress plugin reports nothing; Vite's own report would compress everything once more.
    reportCompressedSize: false,
    // The API reference is 4 MB; only /docs/reference/api loads it.
    chunkSizeWarningLimit: 5000,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: ['index.html', 'app.html', 'docs.html', 'reference.html', '404.html'].map(here),
    },
  },
})
