// `npm run docs`: writes the documents that are made from the code. Needs no database: nothing is asked of it.
import { writeFileSync } from 'node:fs'
import pino from 'pino'
import { buildApp } from '../server/src/app.ts'
import { systemClock } from '../server/src/base/clock.ts'
import { readPrices } from '../server/src/base/prices.ts'
import { Secret } from '../server/src/base/secret.ts'
import { loadConfig, secretNames } from '../server/src/config.ts'
import { openDb } from '../server/src/db/db.ts'
import { openLedger } from '../server/src/ledger/ledger.ts'
import { openMetrics } from '../server/src/metrics/metrics.ts'
import type { Secrets } from '../server/src/secrets.ts'
import { generatedDocuments } from '../server/test/documents.ts'

/** What would need a database is handed to the rooms, and never called: routes are described, not served. */
const absent = new Proxy({}, { get: () => () => undefined }) as never

const url = 'postgres://127.0.0.1:1/none'
const clock = systemClock
const db = openDb({ url, connectionsMax: 1, name: 'docs' })
const ledger = openLedger({ url, clock })
const config = loadConfig({})
const log = pino({ level: 'silent' })
const metrics = openMetrics({})
const prices = readPrices()
const secrets = Object.fromEntries(
  secretNames.map((name) => [name, new Secret(Buffer.alloc(32, name))]),
) as Secrets
const app = await buildApp({
  config,
  baseUrl: 'http://localhost:8080',
  db,
  ledger,
  clock,
  log,
  prices,
  secrets,
  users: absent,
  merchants: absent,
  registry: absent,
  operations: absent,
  funding: absent,
  campaigns: absent,
  payments: absent,
  health: absent,
  metrics,
})
for (const { path, text } of generatedDocuments(app)) {
  writeFileSync(path, text)
  process.stdout.write(`wrote ${path}\n`)
}
await app.close()
await ledger.close()
await db.close()
