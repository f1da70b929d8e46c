// The PostgreSQL that is measured on: one of its own, as durable as in production, in a new folder that is removed
// afterwards; or the one of BENCH_DATABASE_URL, where only the databases of this run are made and dropped.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../server/src/base/errors.ts'
import { startEmbedded } from '../server/src/db/embedded.ts'
import { migrateAll } from '../server/src/migrate.ts'
import { processTreeCpuMs } from './cpu-time.ts'

export interface BenchServer {
  version: string
  settings: string
  /** What a small write to its disk costs; unknown for a server elsewhere. */
  syncMs: number | undefined
  makeDatabase(name: string): Promise<string>
  /** A database with the ledger's tables. */
  makeLedgerDatabase(name: string): Promise<string>
  /** Nobody may be connected to the first. */
  copyDatabase(names: { from: string; to: string }): Promise<string>
  dropDatabase(name: string): Promise<void>
  /** So that every run starts with the same work ahead: after it, the first change of each page is written whole. */
  checkpoint(): Promise<void>
  /** The same, and what autovacuum would come for in the middle of a run is done before it. */
  settle(urls: readonly string[]): Promise<void>
  usage(): Promise<Usage>
  stop(): Promise<void>
}

/** Since the server started. */
export interface Usage {
  walBytes: number
  /** Of all its processes; unknown for a server elsewhere. */
  cpuMs: number | undefined
}

export interface ServerOptions {
  /** A superuser's address. */
  adminUrl: string | undefined
  say: (line: string) => void
}

interface Place {
  adminUrl: string
  syncMs: number | undefined
  cpuMs: () => number | undefined
  /** Does the data go with the server? */
  own: boolean
  stop(): Promise<void>
}

export async function openServer({ adminUrl, say }: ServerOptions): Promise<BenchServer> {
  const place = adminUrl === undefined ? await startOwn(say) : elsewhere(adminUrl)
  try {
    return await openAt(place)
  } catch (error) {
    await place.stop()
    throw error
  }
}

async function startOwn(say: (line: string) => void): Promise<Place> {
  const folder = mkdtempSync(join(diskFolder(), 'mfuko-bench-'))
  // As root the database runs as another user, who must get in.
  chmodSync(folder, 0o1777)
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const syncMs = measureSync(folder)
    const { adminUrl, dataDir, stop } = await startEmbedded({ dataDir: join(folder, 'data'), say })
    const cpuMs = () => processTreeCpuMs(join(dataDir, 'postgres/postmaster.pid'))
    return { adminUrl, syncMs, cpuMs, own: true, stop: () => stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

/** Time for processes that have just ended to be counted with the one that started them. */
const settleMs = 200
const memoryFileSystem = 0x01021994

/** Where temporary files are kept, unless that is in memory: a commit must reach a disk. */
function diskFolder(): string {
  const usual = tmpdir()
  return statfsSync(usual).type === memoryFileSystem ? '/var/tmp' : usual
}

const syncs = 101

function measureSync(folder: string): number {
  const fd = openSync(join(folder, 'sync'), 'w')
  const times = Array.from({ length: syncs }, (_, index) => {
    const startedAt = performance.now()
    writeSync(fd, Buffer.alloc(8_192, 1), 0, 8_192, index * 8_192)
    fdatasyncSync(fd)
    return performance.now() - startedAt
  })
  closeSync(fd)
  return times.sort((one, other) => one - other)[Math.floor(syncs / 2)] ?? 0
}

async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'mfuko bench' })
  await client.connect()
  try {
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}

const elsewhere = (adminUrl: string): Place => ({
  adminUrl,
  syncMs: undefined,
  cpuMs: () => undefined,
  own: false,
  stop: async () => undefined,
})

async function openAt(place: Place): Promise<BenchServer> {
  const admin = new pg.Client({ connectionString: place.adminUrl, application_name: 'mfuko bench' })
  // A connection that breaks shows at its next use.
  admin.on('error', () => undefined)
  await admin.connect().catch((cause: Error) => {
    throw new StartError(`The server of BENCH_DATABASE_URL can't be reached: ${cause.message}.`, { cause })
  })
  const asked = async (sql: string) => (await admin.query<Record<string, string>>(sql)).rows[0] ?? {}
  if ((await asked('select rolsuper::text from pg_roles where rolname = current_user')).rolsuper !== 'true') {
    await admin.end()
    throw new StartError('BENCH_DATABASE_URL must be the address of a superuser: checkpoints are ordered.')
  }
  const prefix = `mfuko_bench_${randomBytes(4).toString('hex')}`
  const made = new Set<string>()
  let migrated: Promise<unknown> | undefined
  const urlOf = (name: string) => {
    const url = new URL(place.adminUrl)
    url.pathname = `/${prefix}_${name}`
    return url.href
  }
  const make = async ({ name, template }: { name: string; template: string }) => {
    await admin.query(`create database ${prefix}_${name} template ${template}`)
    made.add(name)
    return urlOf(name)
  }
  const dropDatabase = async (name: string) => {
    await admin.query(`drop database ${prefix}_${name} with (force)`)
    made.delete(name)
  }
  return {
    version: (await asked('show server_version')).server_version?.split(' ')[0] ?? '',
    settings: await settingsOf(asked),
    syncMs: place.syncMs,
    makeDatabase: (name) => make({ name, template: 'template1' }),
    makeLedgerDatabase: async (name) => {
      migrated ??= make({ name: 'migrated', template: 'template1' }).then((url) =>
        migrateAll({ url, say: () => undefined }),
      )
      await migrated
      return make({ name, template: `${prefix}_migrated` })
    },
    copyDatabase: ({ from, to }) => make({ name: to, template: `${prefix}_${from}` }),
    dropDatabase,
    checkpoint: async () => {
      await admin.query('checkpoint')
    },
    settle: async (urls) => {
      for (const url of urls) await vacuum(url)
      await admin.query('checkpoint')
    },
    usage: async () => {
      await sleep(settleMs)
      const { bytes } = await asked(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`)
      return { walBytes: Number(bytes), cpuMs: place.cpuMs() }
    },
    stop: async () => {
      try {
        if (!place.own) for (const name of [...made]) await dropDatabase(name)
        await admin.end()
      } finally {
        await place.stop()
      }
    },
  }
}

/** What decides how durable and how fast it is. */
async function settingsOf(asked: (sql: string) => Promise<Record<string, string>>): Promise<string> {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_wal_size']
  const shown: string[] = []
  for (const name of names) shown.push(`${name} ${(await asked(`show ${name}`))[name]}`)
  return shown.join(', ')
}
