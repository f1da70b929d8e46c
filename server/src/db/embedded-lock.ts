// One Mfuko at a time in a data folder. The lock is the file `server.lock`, which names its holder; one that a
// killed holder left behind is taken over. What must stay true: of any number of starts at the same moment, one
// gets it. Hence a start first announces itself with a file of its own, and takes a stale lock away only while
// nobody else is announced: of two that meet, at least one sees the other, steps back and tries again.
import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../base/errors.ts'
import { startOf } from './embedded-processes.ts'

const lockName = 'server.lock'
const announcementPrefix = `${lockName}.`
const attemptsMax = 100
const announcementMs = 2_000

interface Holder {
  pid: number
  start: string
}

/** Takes the lock for the life of this process; the function it gives back lets it go. */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const lock = join(dataDir, lockName)
  const us: Holder = { pid: process.pid, start: startOf(process.pid) ?? '' }
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const own = `${announcementPrefix}${us.pid}-${randomBytes(6).toString('hex')}`
    try {
      announce(join(dataDir, own), us)
      if (isAlone(dataDir, own)) removeStale(lock, dataDir)
      if (tryLink(join(dataDir, own), lock)) return () => release(lock, us)
      refuseIfHeld(lock, dataDir)
    } finally {
      rmSync(join(dataDir, own), { force: true })
    }
    await sleep(randomInt(5, 60))
  }
  throw new StartError(
    `Mfuko is just starting with the data folder ${dataDir}. Wait a moment, then start again.`,
  )
}

/** Readable for everybody: a start as another user must see who holds the lock, whatever the umask. */
function announce(path: string, us: Holder): void {
  writeFileSync(path, `${JSON.stringify(us)}\n`, { flag: 'wx' })
  chmodSync(path, 0o644)
}

/** Is no other start under way? Announcements of starts that were killed are cleared away. */
function isAlone(dataDir: string, own: string): boolean {
  const nowMs = statSync(join(dataDir, own)).mtimeMs
  const others = readdirSync(dataDir).filter((name) => name.startsWith(announcementPrefix) && name !== own)
  const live = others.filter((name) => {
    const path = join(dataDir, name)
    const holder = readHolder(path)
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
    // One without content is just being written, unless it is old: then its maker was killed at that moment.
    if (holder === undefined ? nowMs - writtenMs < announcementMs : isLive(holder)) return true
    rmSync(path, { force: true })
    return false
  })
  return live.length === 0
}

function removeStale(lock: string, dataDir: string): void {
  refuseIfHeld(lock, dataDir)
  rmSync(lock, { force: true })
}

function refuseIfHeld(lock: string, dataDir: string): void {
  const holder = readHolder(lock)
  if (holder === undefined || !isLive(holder)) return
  throw new StartError(
    `Mfuko is already running (process ${holder.pid}) with the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
  )
}

/** A link either appears whole or not at all, and never replaces another. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function release(lock: string, us: Holder): void {
  const holder = readHolder(lock)
  if (holder?.pid === us.pid && holder.start === us.start) rmSync(lock, { force: true })
}

const isLive = (holder: Holder): boolean => startOf(holder.pid) === holder.start

/** Undefined: there is no such file, or it was never written whole. */
function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('start' in value))
      return undefined
    return { pid: Number(value.pid), start: String(value.start) }
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
