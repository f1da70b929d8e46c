// The PostgreSQL that comes with the packages, for whoever has none: found, prepared once, started on a free port
// of this machine, and stopped. What must stay true: what was committed survives a kill at any moment, and no
// kill leaves anything that stops the next start. Words: the cluster is PostgreSQL's folder of data.
import { createHash } from 'node:crypto'
import { chmodSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartError } from '../base/errors.ts'
import { type Binaries, canUse, copyBinaries, findBinaries, makeOpenFolder } from './embedded-binaries.ts'
import {
  clearDrafts,
  clusterFolder,
  inspectCluster,
  keepPasswords,
  makeCluster,
  type Passwords,
  readPasswords,
  resetPassword,
} from './embedded-cluster.ts'
import { lockDataDir } from './embedded-lock.ts'
import { memoryOf, sharedBuffers } from './embedded-memory.ts'
import {
  findRunning,
  launch,
  type Running,
  type Server,
  takeOver,
  withClient,
} from './embedded-postmaster.ts'
import { choosePlace, giveFolder, hasCluster, isRoot, type Place } from './embedded-root.ts'
import { keepRunning } from './embedded-watch.ts'

export { lockDataDir } from './embedded-lock.ts'

export interface EmbeddedOptions {
  /** The wanted place. */
  dataDir: string
  /** Used when we are root and the user of the database can't reach dataDir. */
  fallbackDir?: string | undefined
  /** 0 or absent: any free one. */
  port?: number
  /** False, for tests: faster, and a power cut may lose everything. */
  durable?: boolean
  /** Progress for a person. */
  say: (line: string) => void
}

export interface Embedded {
  /** As the role `mfuko`, who owns the database `mfuko`, may create others, and is no superuser. */
  url: string
  /** The same server as the superuser `postgres`, database `postgres`. */
  adminUrl: string
  /** Where the data really are. */
  dataDir: string
  /** A server that a killed Mfuko had left running was taken over. */
  adopted: boolean
  /** Ends the sessions, writes everything down, waits; the hard way after 10 s. */
  stop(): Promise<void>
}

/** For what another user must be able to read. Only root needs it. */
const sharedHome = '/var/lib/mfuko'
const stopLimits = { cleanMs: 10_000, quickMs: 5_000 }

export async function startEmbedded(wanted: EmbeddedOptions): Promise<Embedded> {
  // The programs run in another folder, so a relative path would mislead them.
  const options = { ...wanted, dataDir: resolve(wanted.dataDir) }
  let place: Place = { dataDir: options.dataDir }
  try {
    const found = await findBinaries()
    if (isRoot()) place = choosePlace(options)
    const binaries = await reachableBinaries(found, { place, say: options.say })
    makeDataDir(place)
    const unlock = await lockDataDir(place.dataDir)
    try {
      return await startLocked(options, { place, binaries, unlock })
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw explained(error, place.dataDir)
  }
}

/**
 * The address of the database that a service in another process has started, for a program that works beside it.
 * `none`: there are no data yet.
 */
export function findEmbedded(
  options: Pick<EmbeddedOptions, 'dataDir' | 'fallbackDir'>,
): { url: string; dataDir: string } | 'stopped' | 'none' {
  const dataDir = [options.dataDir, options.fallbackDir].find(
    (folder) => folder !== undefined && hasCluster(folder),
  )
  if (dataDir === undefined) return 'none'
  try {
    const running = findRunning({ place: { dataDir }, name: serverName(dataDir) })
    const passwords = readPasswords(dataDir)
    if (running === undefined || passwords === undefined) return 'stopped'
    const url = addressOf({ role: 'mfuko', password: passwords.mfuko, running, database: 'mfuko' })
    return { url, dataDir }
  } catch (error) {
    throw explained(error, dataDir)
  }
}

interface Locked {
  place: Place
  binaries: Binaries
  unlock: () => void
}

async function startLocked(options: EmbeddedOptions, { place, binaries, unlock }: Locked): Promise<Embedded> {
  const { dataDir } = place
  const durable = options.durable ?? true
  await clearDrafts(dataDir)
  const isNew = inspectCluster(dataDir, binaries) === 'none'
  const { passwords, made } = keepPasswords(dataDir)
  if (isNew) {
    options.say('Preparing the database (first start)…')
    await makeCluster({ place, binaries, password: passwords.postgres, durable })
  }
  if (place.account) giveFolder(clusterFolder(dataDir), place.account)
  // PostgreSQL insists on it; a copy may have lost it.
  chmodSync(clusterFolder(dataDir), 0o700)

  const server = serverOf({ options, place, binaries, passwords })
  const orphan = await takeOver(server)
  if (!orphan && made && !isNew) await resetPassword({ place, binaries, password: passwords.postgres })
  const running = orphan ?? (await launch(server))
  const watch = keepRunning(server, running)
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= watch.stop(stopLimits).finally(unlock)
    return stopping
  }
  try {
    const url = addressOf({ role: 'mfuko', password: passwords.mfuko, running, database: 'mfuko' })
    await prepareDatabase({
      adminUrl: server.adminUrl(running.port),
      url,
      passwords,
      adopted: orphan !== undefined,
    })
    return { url, adminUrl: server.adminUrl(running.port), dataDir, adopted: orphan !== undefined, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function reachableBinaries(
  found: Binaries,
  { place, say }: { place: Place; say: EmbeddedOptions['say'] },
) {
  if (place.account === undefined || canUse(place.account, found)) return found
  const copy = await copyBinaries(found, sharedHome)
  say(`PostgreSQL runs from ${copy.folder}: the user ${place.account.name} can't enter the project.`)
  if (canUse(place.account, copy)) return copy
  throw new StartError(
    `The user ${place.account.name} can't run the PostgreSQL in ${copy.folder}. Open that folder for others, start Mfuko as an ordinary user, or set DATABASE_URL.`,
  )
}

/** Nobody else reads what is in it. As root, the user of the database passes through. */
function makeDataDir({ dataDir, account }: Place): void {
  makeOpenFolder(dataDir, account ? 0o711 : 0o700)
}

function serverOf(from: {
  options: EmbeddedOptions
  place: Place
  binaries: Binaries
  passwords: Passwords
}): Server {
  const { options, place, binaries, passwords } = from
  const settings = settingsOf(options.durable ?? true)
  return {
    place,
    binaries,
    name: serverName(place.dataDir),
    settings,
    signature: shortHash(JSON.stringify([binaries.version, settings])),
    port: options.port ?? 0,
    adminUrl: (port) =>
      addressOf({ role: 'postgres', password: passwords.postgres, running: { port }, database: 'postgres' }),
    say: options.say,
  }
}

const serverName = (dataDir: string): string => `mfuko-${shortHash(realpathSync(clusterFolder(dataDir)))}`

/** Given on the command line, where nothing in the cluster can change them. */
function settingsOf(durable: boolean): Record<string, string> {
  const onOff = durable ? 'on' : 'off'
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    // Tests have many servers at once, and little in each.
    shared_buffers: sharedBuffers(durable ? memoryOf(process.constrainedMemory()) : 0),
    // After each checkpoint every page is written to the log whole when it first changes, so under load fewer of them save
    // half of the log. It costs 2 GB of disk at the most, and up to a minute of recovery after a crash.
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Values are people's business, not the log's.
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    // They also connect thousands of times, and there is nothing to guess.
    ...(durable ? {} : { scram_iterations: '1' }),
  }
}

interface Prepare {
  adminUrl: string
  url: string
  passwords: Passwords
  adopted: boolean
}

/** At each start, because a kill may have come between any two of these steps. */
async function prepareDatabase({ adminUrl, url, passwords, adopted }: Prepare): Promise<void> {
  await withClient(adminUrl, async (client) => {
    // Sessions of the killed server may still hold locks, or be about to make what we look for.
    if (adopted) {
      await client.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
    }
    // A statement with a password in it must not be logged when it fails.
    await client.query('set log_min_error_statement = panic')
    const { rows: roles } = await client.query(`select 1 from pg_roles where rolname = 'mfuko'`)
    if (roles.length === 0)
      await client.query(`create role mfuko login createdb password '${passwords.mfuko}'`)
    const { rows: databases } = await client.query(`select 1 from pg_database where datname = 'mfuko'`)
    if (databases.length === 0) await client.query('create database mfuko owner mfuko')
    const accepted = await withClient(url, (own) => own.query('select 1')).catch(
      (error: { code?: string }) => {
        if (error.code !== '28P01') throw error
      },
    )
    if (!accepted) await client.query(`alter role mfuko login password '${passwords.mfuko}'`)
  })
}

const addressOf = (to: {
  role: string
  password: string
  running: Pick<Running, 'port'>
  database: string
}): string => `postgres://${to.role}:${to.password}@127.0.0.1:${to.running.port}/${to.database}`

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** What the system says about a file, as a sentence. */
function explained(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError || !(error instanceof Error) || !('code' in error)) return error
  const may =
    'the user who starts Mfuko may not write there. Change its owner, or set DATA_DIR to another folder'
  const file = 'a file is in its place. Move that away, or set DATA_DIR to another folder'
  const full = 'its disk is full. Free some space and start again'
  const reasons: Record<string, string> = {
    EACCES: may,
    EPERM: may,
    EROFS: 'its disk is read-only. Set DATA_DIR to another folder',
    ENOTDIR: file,
    EEXIST: file,
    ENOSPC: full,
    EDQUOT: full,
  }
  const reason = reasons[String(error.code)]
  if (reason === undefined) return error
  return new StartError(`The data folder ${dataDir} can't be used: ${reason}.`, { cause: error })
}
