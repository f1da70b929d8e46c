// Brings the schema up to date from server/migrations: plain SQL, forward only, in the order of the numbers.
// What must stay true: one process migrates at a time, a file and its row in db.migrations commit together (so
// a kill at any moment loses or keeps a whole file), and a file that was applied never changes afterwards.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StartError } from '../base/errors.ts'
import { isAway, type Queries } from './db.ts'

export interface Migration {
  name: string
  sql: string
  checksum: string
  /** The release before can't run on the new schema; `--! breaking` in the file. */
  breaking: boolean
}

export interface MigrateOptions {
  url: string
  say: (line: string) => void
  directory?: string
  /** More set-up under the same lock, after the files (the background worker's own schema). */
  afterwards?: () => Promise<void>
}

const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))
const lockKey = 7_305_881_402_511_067n
const lockTriesMax = 30
const versionMin = 140_000

/** Returns the names of the files it applied. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.directory ?? migrationsDirectory)
  const guard = await connect(options.url)
  const worker = await connect(options.url)
  try {
    await requireVersion(worker)
    await takeLock(guard, options.say)
    const applied = await applyPending({ client: worker, migrations, say: options.say })
    await options.afterwards?.()
    await guard.query('commit')
    return applied
  } finally {
    await Promise.allSettled([guard.end(), worker.end()])
  }
}

export function readMigrations(directory: string = migrationsDirectory): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    // A checkout on Windows may have other line ends; the migration is the same.
    const sql = readFileSync(`${directory}/${name}`, 'utf8').replaceAll('\r\n', '\n')
    const checksum = createHash('sha256').update(sql).digest('hex')
    return { name, sql, checksum, breaking: /^--! breaking/m.test(sql) }
  })
}

/**
 * Can this release work with the schema? It may be ahead (a newer release migrated it while this one still runs)
 * as long as nothing in between was breaking.
 */
export async function schemaFits(db: Queries, migrations: readonly Migration[]): Promise<boolean> {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  const applied = await db.rows<{ name: string; breaking: boolean }>(
    'select name, breaking from db.migrations',
  )
  const ahead = applied.filter((row) => !known.has(row.name))
  return applied.length - ahead.length === known.size && !ahead.some((row) => row.breaking)
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'mfuko migrate',
  })
  // A connection that breaks while idle shows at its next use; it must not end the process by itself.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(
      `The database can't be reached: ${reason}. Check that it runs, and check DATABASE_URL.`,
      { cause },
    )
  }
  return client
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; shown: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as shown`,
  )
  if ((rows[0]?.version ?? 0) < versionMin) {
    throw new StartError(
      `PostgreSQL 14 or later is needed; this server is ${rows[0]?.shown}. Upgrade it, or unset DATABASE_URL.`,
    )
  }
}

/** A lock of an open transaction: it goes with the connection, however that ends. */
async function takeLock(guard: pg.Client, say: (line: string) => void): Promise<void> {
  await guard.query('begin')
  await guard.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  const { rows } = await guard.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    lockKey,
  ])
  if (rows[0]?.taken) return
  say('Another process is updating the database; waiting for it…')
  await guard.query('select pg_advisory_xact_lock($1)', [lockKey])
}

interface Pending {
  client: pg.Client
  migrations: readonly Migration[]
  say: (line: string) => void
}

async function applyPending({ client, migrations, say }: Pending): Promise<string[]> {
  await client.query(`
    create schema if not exists db;
    create table if not exists db.migrations (
      name text primary key,
      checksum text not null,
      breaking boolean not null,
      applied_at timestamptz not null default now()
    )`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from db.migrations',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const { name, checksum } of migrations) {
    const before = applied.get(name)
    if (before !== undefined && before !== checksum) {
      throw new StartError(
        `The migration ${name} was changed after it had been applied. Restore the file (git checkout), and put the change in a new migration.`,
      )
    }
  }
  const pending = migrations.filter(({ name }) => !applied.has(name))
  for (const [index, migration] of pending.entries()) {
    say(`Updating the database (${index + 1} of ${pending.length}): ${migration.name}`)
    await applyOne(client, migration)
  }
  return pending.map(({ name }) => name)
}

/** Waits at most a second for a table that others use, then lets them go first and tries again. */
async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = '1s'`)
      await client.query(migration.sql)
      await client.query('insert into db.migrations (name, checksum, breaking) values ($1, $2, $3)', [
        migration.name,
        migration.checksum,
        migration.breaking,
      ])
      await client.query('commit')
      return
    } catch (cause) {
      await client.query('rollback').catch(() => undefined)
      const busy = cause instanceof pg.DatabaseError && ['55P03', '40P01', '40001'].includes(cause.code ?? '')
      if (busy && attempt < lockTriesMax) {
        await sleep(500)
        continue
      }
      if (isAway(cause))
        throw new StartError(`The database went away during ${migration.name}. Start again.`, { cause })
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new StartError(`The migration ${migration.name} failed: ${reason}. Nothing of it was kept.`, {
        cause,
      })
    }
  }
}
