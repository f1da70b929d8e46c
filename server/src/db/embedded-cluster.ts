// The files of the embedded database: its passwords, its log, and the cluster itself (PostgreSQL's word for the
// folder of a server's data). What must stay true: a kill at any moment leaves either no cluster or a whole one,
// and never a cluster whose password is lost.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chown, copyFile, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '../base/errors.ts'
import { type Binaries, majorOf } from './embedded-binaries.ts'
import type { Place } from './embedded-root.ts'

export interface Passwords {
  postgres: string
  mfuko: string
}

const draftPrefix = 'postgres.new-'
const passwordDraftPrefix = 'postgres-password.new-'
const logBytesMax = 10 * 1024 * 1024
const superuser = 'postgres'
/** One piece of PostgreSQL's write-ahead log. */
const freeBytesMin = 16 * 1024 * 1024

export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres')

/** `none`: to be made. Throws when there is something that this version can't use. */
export function inspectCluster(dataDir: string, binaries: Binaries): 'none' | 'usable' {
  const folder = clusterFolder(dataDir)
  const entries = existsSync(folder) ? readdirSync(folder) : []
  if (entries.length === 0) return 'none'
  if (!entries.includes('PG_VERSION')) {
    throw new StartError(`${folder} is not a database. Move it away, or set DATA_DIR to another folder.`)
  }
  const major = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (major === majorOf(binaries)) return 'usable'
  throw new StartError(
    `The database in ${folder} was made by PostgreSQL ${major}, and this Mfuko brings PostgreSQL ${majorOf(binaries)}. Set DATA_DIR to another folder to start empty, or DATABASE_URL to a server you have moved the data to (pg_upgrade, or pg_dump and pg_restore).`,
  )
}

/** Reads the passwords, or makes them. `made` while there is a cluster: the old ones are lost, set the new ones. */
export function keepPasswords(dataDir: string): { passwords: Passwords; made: boolean } {
  const kept = readPasswords(dataDir)
  if (kept) return { passwords: kept, made: false }
  const made = { postgres: randomBytes(24).toString('hex'), mfuko: randomBytes(24).toString('hex') }
  const draft = join(dataDir, `${passwordDraftPrefix}${process.pid}`)
  writeSynced(draft, `${JSON.stringify(made, null, 2)}\n`)
  const { uid, gid } = statSync(dataDir)
  if (process.getuid?.() === 0) chownSync(draft, uid, gid)
  renameSync(draft, passwordPath(dataDir))
  syncFolder(dataDir)
  return { passwords: made, made: true }
}

/** Undefined: there are none, or they can't be understood. */
export function readPasswords(dataDir: string): Passwords | undefined {
  const path = passwordPath(dataDir)
  return existsSync(path) ? parsePasswords(readFileSync(path, 'utf8')) : undefined
}

const passwordPath = (dataDir: string): string => join(dataDir, 'postgres-password.json')

export interface MakeOptions {
  place: Place
  binaries: Binaries
  password: string
  durable: boolean
}

/** Made under another name, and renamed when it is whole. */
export async function makeCluster({ place, binaries, password, durable }: MakeOptions): Promise<void> {
  const draft = join(place.dataDir, `${draftPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  const passwordFile = join(place.dataDir, `${passwordDraftPrefix}${randomBytes(4).toString('hex')}`)
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (place.account) {
    for (const path of [draft, passwordFile]) chownSync(path, place.account.uid, place.account.gid)
  }
  const args = [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by code point and knows the letters of all languages, the same on every machine.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
  const log = openLog(place.dataDir)
  const child = run(place, { command: join(binaries.folder, 'bin/initdb'), args, log })
  const { code, problem } = await ended(child)
  closeSync(log.fd)
  rmSync(passwordFile, { force: true })
  if (code !== 0) throw failure('could not be prepared', { log, problem })
  renameSync(draft, clusterFolder(place.dataDir))
  syncFolder(place.dataDir)
}

/** Clears away what interrupted starts left. An initdb that is still at it fails by itself. */
export async function clearDrafts(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(draftPrefix) && !name.startsWith(passwordDraftPrefix)) continue
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** Sets a new password in a cluster whose old one is lost. Nothing may be running in it. */
export async function resetPassword({
  place,
  binaries,
  password,
}: Omit<MakeOptions, 'durable'>): Promise<void> {
  const log = openLog(place.dataDir)
  const args = ['--single', '-D', clusterFolder(place.dataDir), 'postgres']
  const child = run(place, { command: join(binaries.folder, 'bin/postgres'), args, log, stdin: 'pipe' })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(`alter role ${superuser} password '${password}'\n`)
  const { code, problem } = await ended(child)
  closeSync(log.fd)
  if (code !== 0) throw failure('could not be given a new password', { log, problem })
}

export interface Log {
  path: string
  fd: number
  /** Where the words of this start begin. */
  from: number
}

/** PostgreSQL gets it open: the folder itself stays closed to its user. */
export function openLog(dataDir: string): Log {
  const path = join(dataDir, 'postgres.log')
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > logBytesMax) renameSync(path, `${path}.1`)
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const fd = openSync(path, flags, 0o600)
  const { uid, gid } = statSync(dataDir)
  if (process.getuid?.() === 0) fchownSync(fd, uid, gid)
  return { path, fd, from: fstatSync(fd).size }
}

/**
 * While the server runs it has its log open, so that one that has grown too long is copied and then emptied. What is written
 * between the two is lost.
 */
export async function turnLogOver(dataDir: string): Promise<void> {
  const path = join(dataDir, 'postgres.log')
  if ((await stat(path)).size <= logBytesMax) return
  // First, since the disk may be nearly full.
  await rm(`${path}.1`, { force: true })
  await copyFile(path, `${path}.1`, constants.COPYFILE_EXCL)
  const { uid, gid } = await stat(dataDir)
  if (process.getuid?.() === 0) await chown(`${path}.1`, uid, gid)
  await truncate(path)
}

export interface Run {
  command: string
  args: string[]
  log: Log
  stdin?: 'ignore' | 'pipe'
}

/** In a session of its own, so that Ctrl-C at the terminal doesn't reach it; its words go to the log. */
export function run({ account }: Place, { command, args, log, stdin = 'ignore' }: Run): ChildProcess {
  const options: SpawnOptions = {
    cwd: '/',
    // Nothing of ours: PG… variables would change what it does.
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: [stdin, log.fd, log.fd],
    detached: true,
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  }
  return spawn(command, args, options)
}

/** Its code, or why it has none. */
export const ended = (child: ChildProcess): Promise<{ code: number | null; problem: string }> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, problem: error.message }))
    child.once('exit', (code, signal) =>
      resolve({ code, problem: signal ? `ended by ${signal}` : `exit code ${code}` }),
    )
  })

/** The sentence for a program of PostgreSQL that failed, with its last words. */
export function failure(what: string, { log, problem }: { log: Log; problem: string }): StartError {
  const words = readFileSync(log.path).subarray(log.from).toString('utf8')
  const lines = words.split('\n').filter((line) => line.trim() !== '')
  if (/No space left on device|Disk quota exceeded/.test(words) || isFull(log.path)) {
    return new StartError(`The disk of ${dirname(log.path)} is full. Free some space and start again.`)
  }
  const tail = lines.slice(-8).map((line) => `  ${line}`)
  return new StartError(
    [
      `The database ${what} (${problem}).${tail.length > 0 ? ' Its last words:' : ''}`,
      ...tail,
      `All of them are in ${log.path}. Mend what they say and start again, or set DATABASE_URL to a PostgreSQL of your own.`,
    ].join('\n'),
  )
}

/** On a full disk the log may be empty too. */
function isFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < freeBytesMin
}

function parsePasswords(text: string): Passwords | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('postgres' in value) || !('mfuko' in value))
      return undefined
    const passwords = { postgres: String(value.postgres), mfuko: String(value.mfuko) }
    // They stand in addresses and in SQL, so they are what we make: hexadecimal.
    return Object.values(passwords).every((password) => /^[0-9a-f]{32,}$/.test(password))
      ? passwords
      : undefined
  } catch {
    return undefined
  }
}

function writeSynced(path: string, text: string): void {
  const fd = openSync(path, 'w', 0o600)
  writeFileSync(fd, text)
  fsyncSync(fd)
  closeSync(fd)
  chmodSync(path, 0o600)
}

/** Makes a rename outlast a power cut. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
