// `npm run docs`: writes the documents that are made from the code. Needs no database: nothing is asked of it.
import { writeFileSync } from 'node:fs'
import pino from 'pino'
import { buildApp } from '../server/src/app.ts'
import { systemClock } from '../server/src/base/clock.ts'
import { loadConfig } from '../server/src/config.ts'
import { openDb } from '../server/src/db/db.ts'
import { openHealth } from '../server/src/health/health.ts'
import { openMetrics } from '../server/src/metrics/metrics.ts'
import { generatedDocuments } from '../server/test/documents.ts'

const db = openDb({ url: 'postgres://127.0.0.1:1/none', connectionsMax: 1, name: 'docs' })
const clock = systemClock
const health = openHealth({
  db,
  clock,
  version: '0',
  production: false,
  schemaFits: async () => true,
  dataDir: undefined,
})
const config = loadConfig({})
const log = pino({ level: 'silent' })
const metrics = openMetrics({})
const app = await buildApp({ config, baseUrl: 'http://localhost:8080', db, clock, log, health, metrics })
for (const { path, text } of generatedDocuments(app)) {
  writeFileSync(path, text)
  process.stdout.write(`wrote ${path}\n`)
}
await app.close()
await db.close()
