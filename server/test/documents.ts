// The documents that are made from the code. `npm run docs` writes them; a test fails when a copy is stale.
import { fileURLToPath } from 'node:url'
import { type OpenApi, sdkOperations } from '../../scripts/sdk-operations.ts'
import { vectorFiles } from '../../scripts/sdk-vectors.ts'
import { pricesPage } from '../src/base/prices.ts'
import { configurationPage } from '../src/config.ts'
import { errorsPage } from '../src/http/error-reply.ts'
import type { App } from '../src/http/instance.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const inReference = (name: string) => at(`docs/reference/${name}`)

export const generatedDocuments = (app: App): { path: string; text: string }[] => [
  { path: inReference('configuration.md'), text: configurationPage() },
  { path: inReference('errors.md'), text: errorsPage() },
  { path: inReference('openapi.json'), text: `${JSON.stringify(app.swagger(), null, 2)}\n` },
  { path: inReference('prices.md'), text: pricesPage() },
  { path: at('sdk/js/src/operations.ts'), text: sdkOperations(asWritten(app)) },
  ...vectorFiles().map(({ name, content }) => ({
    path: at(`sdk/vectors/${name}`),
    text: `${JSON.stringify(content, null, 2)}\n`,
  })),
]

/** As a reader of the file sees it. */
const asWritten = (app: App): OpenApi => JSON.parse(JSON.stringify(app.swagger()))
