// Everything that must be in the database before the service runs: our own schema and the background worker's.
// `npm run migrate` runs it alone, for installations that migrate before they start the new release.

import * as audit from './audit/audit.ts'
import * as background from './background/background.ts'
import { systemClock } from './base/clock.ts'
import { StartError } from './base/errors.ts'
import { loadConfig } from './config.ts'
import { openDb } from './db/db.ts'
import { migrate } from './db/migrate.ts'

export const migrateAll = (options: { url: string; say: (line: string) => void }): Promise<string[]> =>
  migrate({ ...options, afterwards: () => background.migrate(options.url) })

/** The same for a service: what was done is in the audit log. */
export async function updateDatabase(options: {
  url: string
  say: (line: string) => void
}): Promise<string[]> {
  const applied = await migrateAll(options)
  if (applied.length === 0) return applied
  const db = openDb({ url: options.url, connectionsMax: 1, name: 'mfuko migrate' })
  try {
    await db.inTransaction((tx) =>
      audit.record(tx, {
        actor: { kind: 'system', id: 'migrate' },
        action: 'database.migrated',
        object: applied.at(-1),
        result: 'ok',
        details: { first: applied[0], files: applied.length },
        at: systemClock.now(),
      }),
    )
  } finally {
    await db.close()
  }
  return applied
}

async function migrateFromCommandLine(): Promise<void> {
  const url = loadConfig().DATABASE_URL
  if (url === undefined)
    throw new StartError('Set DATABASE_URL; the embedded database is updated by `npm start`.')
  const applied = await updateDatabase({ url, say: (line) => process.stdout.write(`${line}\n`) })
  process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : 'Done.\n')
}

if (import.meta.main) {
  migrateFromCommandLine().catch((error: unknown) => {
    process.stderr.write(`${error instanceof StartError ? error.message : error}\n`)
    process.exitCode = 1
  })
}
