// `npm run docs`: writes the documents that are made from the code. Needs no database: nothing is asked of it.
import { writeFileSync } from 'node:fs'
import pino from 'pino'
import { buildApp } from '../server/src/app.ts'
import { systemClock } from '../server/src/base/clock.ts'
import { readPrices } from '../server/src/base/prices.ts'
import { loadConfig } from '../server/src/config.ts'
import { openDb } from '../server/src/db/db.ts'
import { openHealth } from '../server/src/health/health.ts'
import { openLedger } from '../server/src/ledger/ledger.ts'
import { openMetrics } from '../server/src/metrics/metrics.ts'
import { generatedDocuments } from '../server/test/documents.ts'

const url = 'postgres://127.0.0.1:1/none'
const clock = systemClock
const db = openDb({ url, connectionsMax: 1, name: 'docs' })
const ledger = openLedger({ url, clock })
const health = openHealth({
  db,
  clock,
  version: '0',
  production: false,
  schemaFits: async () => true,
  booksReasons: async () => [],
  dataDir: undefined,
})
const config = loadConfig({})
const log = pino({ level: 'silent' })
const metrics = openMetrics({})
const prices = readPrices()
const app = await buildApp({
  config,
  baseUrl: 'http://localhost:8080',
  db,
  ledger,
  clock,
  log,
  prices,
  health,
  metrics,
})
for (const { path, text } of generatedDocuments(app)) {
  writeFileSync(path, text)
  process.stdout.write(`wrote ${path}\n`)
}
await app.close()
await ledger.close()
await db.close()
