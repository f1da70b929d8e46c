// Starts the embedded server, or takes over one that a killed Mfuko left running. What must stay true: there is
// never a second server in a cluster, a server that is recovering is waited for, and whatever a kill left behind
// (a process, its file `postmaster.pid`) is dealt with here. Postmaster: the first process of the server.
import type { ChildProcess } from 'node:child_process'
import { closeSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../base/errors.ts'
import { freePort, isFree } from '../base/free-port.ts'
import type { Binaries } from './embedded-binaries.ts'
import { clusterFolder, ended, failure, openLog, run } from './embedded-cluster.ts'
import {
  answersSignals,
  belongsTo,
  endLeftovers,
  type StopLimits,
  stopDatabase,
} from './embedded-processes.ts'
import type { Place } from './embedded-root.ts'

export interface Server {
  place: Place
  binaries: Binaries
  /** In the command line of all its processes; no other cluster has it. */
  name: string
  settings: Record<string, string>
  /** Stands for the settings and the version. A running server that has another one is started anew. */
  signature: string
  /** 0: any free one. */
  port: number
  adminUrl: (port: number) => string
  say: (line: string) => void
}

export interface Running {
  pid: number
  port: number
}

const host = '127.0.0.1'
const startMs = 30_000
/** Recovery after a hard stop reads the log that was written since the last checkpoint, 1 GB at most. */
const recoveryMs = 600_000
const portAttemptsMax = 5
const orphanLimits: StopLimits = { cleanMs: 5_000, quickMs: 5_000 }

/** The server that runs in the cluster, as it is: nothing is waited for, taken over or stopped. */
export function findRunning(server: Pick<Server, 'place' | 'name'>): Running | undefined {
  const file = readPidFile(server)
  return file !== undefined && belongsTo(file.pid, server.name)
    ? { pid: file.pid, port: file.port }
    : undefined
}

/** The server that is already running in the cluster, if it is one to go on with. Any other is stopped. */
export async function takeOver(server: Server): Promise<Running | undefined> {
  const file = readPidFile(server)
  if (file === undefined) return undefined
  if (belongsTo(file.pid, server.name)) {
    const fits = server.port === 0 || server.port === file.port
    if (fits && file.status !== 'stopping' && (await isGood(server, file)))
      return { pid: file.pid, port: file.port }
    await stopDatabase({ pid: file.pid, name: server.name }, orphanLimits)
  } else {
    await endLeftovers(server.name)
  }
  // The file of a server that is gone is PostgreSQL's to judge and remove. But it refuses one that was not written
  // whole, and takes any process that has got the number meanwhile for that server.
  const misleads = file.pid === 0 || (answersSignals(file.pid) && !belongsTo(file.pid, server.name))
  if (misleads) rmSync(pidFilePath(server), { force: true })
  return undefined
}

export async function launch(server: Server): Promise<Running> {
  const { port } = server
  const asked =
    port !== 0 && !(await isFree(host, port))
      ? undefined
      : await launchOn(server, port || (await freePort(host)))
  if (asked) return asked
  if (port !== 0) {
    throw new StartError(
      `Port ${port}, wanted for the database, is taken. Choose another one, or 0 for any free one.`,
    )
  }
  // Somebody took the free port in the moment before we did.
  for (let attempt = 2; attempt <= portAttemptsMax; attempt++) {
    const running = await launchOn(server, await freePort(host))
    if (running) return running
  }
  throw new StartError('No free port was found for the database. Start again.')
}

/** Undefined: somebody else has taken the port. */
async function launchOn(server: Server, port: number): Promise<Running | undefined> {
  const log = openLog(server.place.dataDir)
  const settings = {
    cluster_name: server.name,
    port: String(port),
    'mfuko.settings': server.signature,
    ...server.settings,
  }
  const child = run(server.place, {
    command: join(server.binaries.folder, 'bin/postgres'),
    args: [
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      '-D',
      clusterFolder(server.place.dataDir),
    ],
    log,
  })
  closeSync(log.fd)
  const state = await waitUntilReady(server, { child, port })
  if (state === 'ready' && child.pid !== undefined) {
    // It outlives us when we are killed, and it must not keep us alive when we want to end.
    child.unref()
    return { pid: child.pid, port }
  }
  if (child.pid !== undefined) await stopDatabase({ pid: child.pid, name: server.name }, orphanLimits)
  if (state === 'denied') {
    const path = join(server.place.dataDir, 'postgres-password.json')
    throw new StartError(
      `The database does not accept the password in ${path}. Remove that file and start again: a new password is then set.`,
    )
  }
  if (typeof state === 'object' && !(await isFree(host, port))) return undefined
  const problem = typeof state === 'object' ? state.problem : `no answer after ${startMs / 1000} s`
  throw failure('did not start', { log, problem })
}

type Readiness = 'ready' | 'denied' | 'silent' | { problem: string }

async function waitUntilReady(
  server: Server,
  { child, port }: { child: ChildProcess; port: number },
): Promise<Readiness> {
  const end = { problem: '' }
  ended(child).then(({ problem }) => {
    end.problem = problem
  })
  const state = await settle(server, { port, goesOn: () => end.problem === '' })
  return end.problem === '' ? state : end
}

/** Asks until the server answers, refuses for good, or the time is over. */
async function settle(
  server: Server,
  { port, goesOn }: { port: number; goesOn: () => boolean },
): Promise<'ready' | 'denied' | 'silent'> {
  const startedAt = performance.now()
  let told = false
  for (let limitMs = startMs; goesOn() && performance.now() - startedAt < limitMs; await sleep(30)) {
    const state = await probe(server.adminUrl(port))
    if (state === 'ready' || state === 'denied') return state
    if (state === 'starting') limitMs = recoveryMs
    if (state === 'starting' && !told && performance.now() - startedAt > 2_000) {
      server.say('The database recovers from a hard stop…')
      told = true
    }
  }
  return 'silent'
}

/** `starting` is also the answer while it recovers. */
async function probe(url: string): Promise<'ready' | 'starting' | 'denied' | 'silent'> {
  try {
    await withClient(url, (client) => client.query('select 1'))
    return 'ready'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '57P03') return 'starting'
    return code === '28P01' || code === '28000' ? 'denied' : 'silent'
  }
}

async function isGood(server: Server, file: PidFile): Promise<boolean> {
  const silentSince = { ms: performance.now() }
  const goesOn = () => {
    const status = readPidFile(server)?.status
    if (status === 'starting') silentSince.ms = performance.now()
    return (
      belongsTo(file.pid, server.name) && status !== 'stopping' && performance.now() - silentSince.ms < 5_000
    )
  }
  if ((await settle(server, { port: file.port, goesOn })) !== 'ready') return false
  return withClient(server.adminUrl(file.port), async (client) => {
    const { rows } = await client.query<{ signature: string | null }>(
      `select current_setting('mfuko.settings', true) as signature`,
    )
    return rows[0]?.signature === server.signature
  })
}

/** One connection for a few statements. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    ssl: false,
    connectionTimeoutMillis: 3_000,
    query_timeout: 30_000,
  })
  // A connection that breaks while nobody waits for it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface PidFile extends Running {
  /** `starting` while it recovers; `stopping`, `ready`; empty in its first moment. */
  status: string
}

/** PostgreSQL's own: number, folder, start, port, socket folder, address, memory key, status; one a line. */
function readPidFile(server: Pick<Server, 'place'>): PidFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(pidFilePath(server), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  // A server without network, which only sets a password, writes its number with a minus.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  // 0 stands for what can't be read: it was being written when the machine lost its power.
  return { pid: Number.isNaN(pid) ? 0 : pid, port: Number(lines[3]), status: lines[7]?.trim() ?? '' }
}

const pidFilePath = ({ place }: Pick<Server, 'place'>): string =>
  join(clusterFolder(place.dataDir), 'postmaster.pid')
