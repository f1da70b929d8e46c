// `npm run storm`: the whole storm, on a database of its own. CONTRIBUTING.md says what it prints.
import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/db/embedded.ts'
import { whole } from './forecasts.ts'
import { storm } from './storm.ts'

const began = performance.now()
const say = (line: string) => {
  const seconds = String(Math.round((performance.now() - began) / 1_000)).padStart(4)
  process.stdout.write(`${seconds} s  ${line}\n`)
}

async function main(): Promise<number> {
  const seed = Number(process.env.SEED || randomInt(2 ** 32))
  const operations = Number(process.env.OPERATIONS || whole.operations)
  say(`seed ${seed} (the same again: SEED=${seed} npm run storm)`)
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-storm-'))
  // As root the database runs as another user, who must get in.
  chmodSync(folder, 0o711)
  const database = await startEmbedded({
    dataDir: join(folder, 'database'),
    durable: true,
    say: () => undefined,
  })
  try {
    const passed = await storm({ ...whole, operations, databaseUrl: database.url, seed, say })
    process.stdout.write(`\n${passed.figures.join('\n')}\n\n`)
    for (const fault of passed.faults.slice(0, 50)) process.stdout.write(`FAULT  ${fault}\n`)
    say(
      passed.faults.length === 0
        ? 'both sides agree, nothing is lost'
        : `${passed.faults.length} faults (seed ${seed})`,
    )
    return passed.faults.length === 0 ? 0 : 1
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

process.exitCode = await main()
