// The PostgreSQL of a test run: one server, one migrated template that every test file clones.
// An own server in the folder of the run; or the one of TEST_DATABASE_ADMIN_URL (a superuser's
// address, PostgreSQL 14 or later), where only the template of this run is removed.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Db, openDb } from '../server/src/db/db.ts'
import { startEmbedded } from '../server/src/db/embedded.ts'
import { migrateAll } from '../server/src/migrate.ts'

export interface TestDatabase {
  env: {
    /** As superuser. */
    TEST_DATABASE_ADMIN_URL: string
    /** As mfuko, the role the service has. */
    TEST_DATABASE_URL: string
    TEST_TEMPLATE: string
  }
  stop(): Promise<void>
}

export interface TestDatabaseOptions {
  /** A server to use instead of an own one. */
  adminUrl?: string | undefined
  /** For an own server. Everybody must be able to enter: as root the database runs as another user. */
  folder: string
}

export async function startTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const server = options.adminUrl ? await useServer(options.adminUrl) : await startServer(options)
  try {
    await withAdmin(server.adminUrl, async (db) => {
      await db.rows(`create database ${server.template} owner mfuko`)
      await migrateAll({ url: withDatabase(server.url, server.template), say: () => undefined })
      // A clone fails while somebody is connected to its template.
      await db.rows(`alter database ${server.template} allow_connections false`)
    })
  } catch (error) {
    await server.stop()
    throw error
  }
  const { adminUrl, url, template, stop } = server
  return { env: { TEST_DATABASE_ADMIN_URL: adminUrl, TEST_DATABASE_URL: url, TEST_TEMPLATE: template }, stop }
}

interface Server {
  url: string
  adminUrl: string
  template: string
  stop(): Promise<void>
}

async function startServer({ folder }: TestDatabaseOptions): Promise<Server> {
  const dataDir = join(folder, 'database')
  const { url, adminUrl, stop } = await startEmbedded({ dataDir, durable: false, say: () => undefined })
  return { url, adminUrl, template: 'mfuko_template', stop }
}

async function useServer(adminUrl: string): Promise<Server> {
  // Several runs may use the server at once.
  const template = `mfuko_template_${randomBytes(4).toString('hex')}`
  await withAdmin(adminUrl, async (db) => {
    const role = await db.row(`select 1 as there from pg_roles where rolname = 'mfuko'`)
    if (role === undefined) await db.rows('create role mfuko')
    // A server for tests, and the same words from every run: no run locks another one out.
    await db.rows(`alter role mfuko login createdb nosuperuser password 'mfuko'`)
  })
  const url = new URL(adminUrl)
  url.username = 'mfuko'
  url.password = 'mfuko'
  const stop = () =>
    withAdmin(adminUrl, async (db) => {
      await db.rows(`drop database if exists ${template} with (force)`)
    })
  return { url: url.href, adminUrl, template, stop }
}

async function withAdmin<T>(adminUrl: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb({ url: adminUrl, connectionsMax: 1, name: 'mfuko tests' })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
