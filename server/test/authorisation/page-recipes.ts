// The pages of the site and their files: for everybody.
import type { Recipe } from './recipes.ts'

export const pageRecipes: Record<string, Recipe> = {
  'GET /receipt.css': {},
  'GET /checkout.css': {},
  'GET /checkout.js': {},
  'GET /': {},
  'GET /app': {},
  'GET /app/*': {},
  'GET /docs': {},
  'GET /docs/': {},
  'GET /docs/reference/api': {},
  'GET /docs/*': { object: () => ({ '*': 'guides/errors' }), missing: { '*': 'nothing' }, shared: true },
  'GET /favicon.svg': {},
  'GET /apple-touch-icon.png': {},
  'GET /app-icon-192.png': {},
  'GET /app-icon-512.png': {},
  'GET /app.webmanifest': {},
  'GET /theme.js': {},
  'GET /app-worker.js': {},
  'GET /robots.txt': {},
  'GET /assets/:file': { object: () => ({ file: 'a.js' }), missing: { file: 'b.js' }, shared: true },
}
