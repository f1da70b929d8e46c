import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { startEmbedded } from '../../src/db/embedded.ts'
import * as forms from './forecasts.ts'
import { storm } from './storm.ts'

const began = performance.now()
const say = (line: string) =>
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} ${line}\n`)
const folder = mkdtempSync('/tmp/stormdev/')
chmodSync(folder, 0o711)
const database = await startEmbedded({ dataDir: `${folder}/database`, durable: false, say: () => undefined })
const { migrateAll } = await import('../../src/migrate.ts')
await migrateAll({ url: database.url, say: () => undefined })
say('db ready ' + database.url)
const form = forms[(process.env.FORM ?? 'short') as 'short' | 'whole']
try {
  const passed = await storm({ ...form, databaseUrl: database.url, seed: Number(process.env.SEED ?? 1), say })
  process.stdout.write(`\n${passed.figures.join('\n')}\n\n`)
  for (const fault of passed.faults) process.stdout.write(`FAULT  ${fault}\n`)
  say(`${passed.faults.length} faults`)
  if (process.env.STAY) {
    say('staying')
    await new Promise((r) => setTimeout(r, Number(process.env.STAY) * 1000))
  }
} catch (error) {
  say(String((error as Error).stack))
  if (process.env.STAY) await new Promise((r) => setTimeout(r, Number(process.env.STAY) * 1000))
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
