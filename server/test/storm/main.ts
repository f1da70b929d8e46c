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
  say(`seed ${seed} (the same wishes again: SEED=${seed} npm run storm)`)
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-storm-'))
  // As root the database runs as another user, who must get in.
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'database')
  const database = await startEmbedded({ dataDir, durable: true, say: () => undefined })
  const close = async () => {
    await database.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  // The service ends with this process; the database has a life of its own.
  const leave = () => void close().then(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, leave)
  try {
    return report(await storm({ ...whole, databaseUrl: database.url, seed, say }), seed)
  } finally {
    await close()
  }
}

const shownMax = 50

function report({ faults, figures }: Awaited<ReturnType<typeof storm>>, seed: number): number {
  process.stdout.write(`\n${figures.join('\n')}\n\n`)
  for (const fault of faults.slice(0, shownMax)) process.stdout.write(`FAULT  ${fault}\n`)
  say(
    faults.length === 0 ? 'both sides agree, and nothing is lost' : `${faults.length} faults (seed ${seed})`,
  )
  return faults.length === 0 ? 0 : 1
}

process.exit(await main())
