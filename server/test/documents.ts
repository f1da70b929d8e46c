// The documents that are made from the code. `npm run docs` writes them; a test fails when a copy is stale.
import { fileURLToPath } from 'node:url'
import { pricesPage } from '../src/base/prices.ts'
import { configurationPage } from '../src/config.ts'
import { errorsPage } from '../src/http/error-reply.ts'
import type { App } from '../src/http/instance.ts'

const inReference = (name: string) => fileURLToPath(new URL(`../../docs/reference/${name}`, import.meta.url))

export const generatedDocuments = (app: App): { path: string; text: string }[] => [
  { path: inReference('configuration.md'), text: configurationPage() },
  { path: inReference('errors.md'), text: errorsPage() },
  { path: inReference('openapi.json'), text: `${JSON.stringify(app.swagger(), null, 2)}\n` },
  { path: inReference('prices.md'), text: pricesPage() },
]
