import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { openDb } from '../../src/db/db.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { openStage } from './stage.ts'

const folder = mkdtempSync('/tmp/stormdev/')
chmodSync(folder, 0o711)
const database = await startEmbedded({ dataDir: `${folder}/database`, durable: false, say: () => undefined })
const stage = await openStage({ databaseUrl: database.url, seed: 1, delays: {} })
const db = openDb({ url: database.url, connectionsMax: 2, name: 'x' })
for (const ahead of [0, 180_000, 10_000_000]) {
  const t = performance.now()
  await stage.start(ahead)
  console.log('started', ahead, performance.now() - t)
  const t2 = performance.now()
  const a = await db.row<{ id: bigint }>(
    `select (graphile_worker.add_job('expire_payments', payload := '{}'::json)).id as id`,
  )
  for (let n = 0; n < 100; n++) {
    const left = await db.rows(`select * from graphile_worker.jobs where id = $1`, [a?.id])
    if (left.length === 0) {
      console.log('done', performance.now() - t2)
      break
    }
    if (n === 99) console.log(left, await db.rows('select now(), * from graphile_worker.jobs'))
    await new Promise((r) => setTimeout(r, 100))
  }
  await stage.stop()
}
console.log(stage.complaints())
await db.close()
await stage.close()
await database.stop()
rmSync(folder, { recursive: true, force: true })
