// The documents that are made from the code. `npm run docs` writes them; a test fails when a copy is stale.
import { fileURLToPath } from 'node:url'
import { sdkGoOperations } from '../../scripts/sdk-go-operations.ts'
import { type OpenApi, sdkOperations } from '../../scripts/sdk-operations.ts'
import { pythonShapes } from '../../scripts/sdk-python-shapes.ts'
import { routeVectors, vectorFiles } from '../../scripts/sdk-vectors.ts'
import { pricesPage } from '../src/base/prices.ts'
import { configurationPage } from '../src/config.ts'
import { errorsPage } from '../src/http/error-reply.ts'
import type { App } from '../src/http/instance.ts'
import * as payments from '../src/payments/payments.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const inReference = (name: string) => at(`docs/reference/${name}`)

export const generatedDocuments = (app: App): { path: string; text: string }[] => [
  { path: inReference('configuration.md'), text: configurationPage() },
  { path: inReference('errors.md'), text: errorsPage() },
  { path: inReference('notifications.md'), text: payments.notificationsPage() },
  { path: inReference('openapi.json'), text: `${JSON.stringify(app.swagger(), null, 2)}\n` },
  { path: inReference('prices.md'), text: pricesPage() },
  { path: at('sdk/js/src/operations.ts'), text: sdkOperations(asWritten(app)) },
  { path: at('sdk/go/operations.go'), text: sdkGoOperations(asWritten(app)) },
  { path: at('sdk/python/mfuko/shapes.py'), text: pythonShapes(asWritten(app)) },
  ...[...vectorFiles(), { name: 'routes.json', content: routeVectors(asWritten(app)) }].map(
    ({ name, content }) => ({
      path: at(`sdk/vectors/${name}`),
      text: `${JSON.stringify(content, null, 2)}\n`,
    }),
  ),
]

/** As a reader of the file sees it. */
const asWritten = (app: App): OpenApi => JSON.parse(JSON.stringify(app.swagger()))
