// The yardstick: pgbench's TPC-B, which comes with PostgreSQL and which everybody can run. It is not in the packages
// that bring our own PostgreSQL, so the machine must have it, or let us install it.
import { spawnSync } from 'node:child_process'
import { type GroupEnd, runGroup } from '../scripts/process-group.ts'
import { ensureSystemPackage, type Found, usualFolders } from '../scripts/system-package.ts'
import { StartError } from '../server/src/base/errors.ts'

export interface TpcbRun {
  clients: number
  threads: number
  runMs: number
}

export interface TpcbResult {
  transactions: number
  perSecond: number
  meanMs: number
}

export interface Tpcb {
  /** Makes its tables in the database of this address. */
  prepare(url: string): Promise<void>
  run(url: string, run: TpcbRun): Promise<TpcbResult>
}

const prepareLimitMs = 1_800_000
const graceMs = 60_000
const newestMajor = 30
const oldestMajor = 14

/** Debian keeps the programs of each version here. */
const versionFolders = Array.from(
  { length: newestMajor - oldestMajor + 1 },
  (_, index) => `/usr/lib/postgresql/${newestMajor - index}/bin`,
)

export const findPgbench = (options: {
  say: (line: string) => void
  stop: AbortSignal
  mayInstall?: boolean
}): Promise<Found> =>
  ensureSystemPackage({
    ...options,
    command: 'pgbench',
    aptPackage: 'postgresql-contrib',
    folders: [...versionFolders, ...usualFolders()],
    // What Debian's client package puts in /usr/bin only looks for the real one.
    works: (path) => spawnSync(path, ['--version']).status === 0,
  })

export function openTpcb({ path, scale, stop }: { path: string; scale: number; stop: AbortSignal }): Tpcb {
  const call = async (url: string, { args, limitMs }: { args: string[]; limitMs: number }) => {
    const end = await runGroup({ command: path, args, env: environmentFor(url), limitMs, stop })
    stop.throwIfAborted()
    if (end.how !== 'exited' || end.code !== 0) throw failure(end)
    return end.output
  }
  return {
    prepare: async (url) => {
      await call(url, { args: ['-i', '-q', '-s', String(scale)], limitMs: prepareLimitMs })
    },
    run: async (url, { clients, threads, runMs }) => {
      const seconds = Math.max(1, Math.round(runMs / 1_000))
      const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', String(threads)]
      const limitMs = seconds * 1_000 + graceMs
      return readTpcb(await call(url, { args: [...args, '-T', String(seconds)], limitMs }))
    },
  }
}

/** Its words changed a little over the versions; these parts did not since 14. */
export function readTpcb(output: string): TpcbResult {
  const numberAfter = (words: RegExp): number => {
    const found = words.exec(output)?.[1]
    if (found === undefined) throw new Error(`pgbench said something unexpected:\n${output}`)
    return Number(found)
  }
  return {
    transactions: numberAfter(/^number of transactions actually processed: (\d+)/m),
    perSecond: numberAfter(/^tps = ([\d.]+) \(without initial connection time\)/m),
    meanMs: numberAfter(/^latency average = ([\d.]+) ms/m),
  }
}

function environmentFor(address: string): NodeJS.ProcessEnv {
  const url = new URL(address)
  const sslMode = url.searchParams.get('sslmode')
  return {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    PGHOST: url.hostname,
    PGPORT: url.port || '5432',
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: url.pathname.slice(1),
    ...(sslMode === null ? {} : { PGSSLMODE: sslMode }),
  }
}

const failure = ({ how, code, output }: GroupEnd): StartError =>
  new StartError(
    `pgbench ${how === 'exited' ? `failed (exit code ${code})` : 'took too long'}. Its last words:\n${output.trim().split('\n').slice(-5).join('\n')}`,
  )
