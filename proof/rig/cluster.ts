// A PostgreSQL of the run's own, with full durability, that can be killed, stopped and started again on the same port.
// As `npm start` would run it, but for one thing: nobody starts it again by itself. Use:
//
//   const cluster = await openCluster()
//   const url = await cluster.clone({ from: 'world', to: 't2' })
//   await cluster.kill()        // kill -9 of all its processes
//   await cluster.start()
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Embedded, startEmbedded } from '../../server/src/db/embedded.ts'

export interface Cluster {
  port: number
  /** As the role that the service has. */
  urlOf(database: string): string
  /** As superuser. */
  adminUrlOf(database: string): string
  /** A statement, as superuser. */
  query<Row extends pg.QueryResultRow>(database: string, sql: string, values?: unknown[]): Promise<Row[]>
  /** A new database that is empty; its address. */
  make(name: string): Promise<string>
  /** A copy. Nobody may be connected to the first. */
  clone(names: { from: string; to: string }): Promise<string>
  drop(name: string): Promise<void>
  /** kill -9 of the first process, and of all others before anything can end in order. How many there were. */
  kill(): Promise<number>
  /** Immediate: without writing anything down, as `pg_ctl stop -m immediate`. */
  stop(how: 'in order' | 'immediate'): Promise<void>
  /** Until it accepts connections. */
  start(): Promise<void>
  /** Of its first process. */
  pid(): number
  dataDir: string
  close(): Promise<void>
}

const memoryFileSystem = 0x01021994

/** A commit must reach a disk. */
const diskFolder = (): string => (statfsSync(tmpdir()).type === memoryFileSystem ? '/var/tmp' : tmpdir())

export async function openCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(diskFolder(), 'mfuko-proof-'))
  // As root the database runs as another user, who must get in.
  chmodSync(folder, 0o711)
  const begin = (port = 0): Promise<Embedded> =>
    startEmbedded({ dataDir: join(folder, 'database'), port, durable: true, say: () => undefined })
  let server: Embedded | undefined = await begin()
  const { url, adminUrl, dataDir } = server
  const port = Number(new URL(url).port)
  const pid = () => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const adminUrlOf = (database: string) => inDatabase(adminUrl, database)
  const query = async <Row extends pg.QueryResultRow>(database: string, sql: string, values?: unknown[]) => {
    const client = new pg.Client({ connectionString: adminUrlOf(database), application_name: 'proof' })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(sql, values)).rows
    } finally {
      await client.end()
    }
  }
  const urlOf = (database: string) => inDatabase(url, database)
  const end = async (signal: 'SIGKILL' | 'SIGQUIT' | undefined) => {
    let ended = 0
    // Whoever watches over it would start it again: that one is told first.
    if (server !== undefined && signal !== undefined) ended = signalAll(pid(), signal)
    await server?.stop()
    server = undefined
    return ended
  }
  return {
    port,
    dataDir,
    pid,
    urlOf,
    adminUrlOf,
    query,
    make: async (name) => {
      await query('postgres', `create database ${name} owner mfuko`)
      return urlOf(name)
    },
    clone: async ({ from, to }) => {
      await query('postgres', `create database ${to} template ${from} owner mfuko`)
      return urlOf(to)
    },
    drop: async (name) => {
      await query('postgres', `drop database if exists ${name} with (force)`)
    },
    kill: () => end('SIGKILL'),
    stop: async (how) => {
      await end(how === 'immediate' ? 'SIGQUIT' : undefined)
    },
    start: async () => {
      server ??= await begin(port)
    },
    close: async () => {
      await server?.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function inDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** SIGQUIT goes to the first process only: that is how it is told to end at once, and it tells the others. */
function signalAll(pid: number, signal: 'SIGKILL' | 'SIGQUIT'): number {
  const others = signal === 'SIGKILL' ? childrenOf(pid) : []
  for (const each of [pid, ...others]) {
    try {
      process.kill(each, signal)
    } catch (error) {
      // A connection that has just ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return 1 + others.length
}

function childrenOf(parent: number): number[] {
  if (!existsSync('/proc/self/stat'))
    throw new Error('the processes of PostgreSQL are found by /proc: run it on Linux')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === String(parent))
    .map(Number)
}

/** "pid (name) state parent …"; the name may hold spaces and brackets. */
function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]
  } catch {
    return undefined
  }
}
