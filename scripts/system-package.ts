// Programs the tests need from the machine. Found where they usually are, or installed from the system's packages
// when we may do so (as root, with apt-get); else a sentence says what to install.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type GroupEnd, type GroupOptions, runGroup } from './process-group.ts'

export type Found = { path: string } | { advice: string }

export interface FindOptions {
  say: (line: string) => void
  stop?: AbortSignal
}

export interface SystemPackageOptions extends FindOptions {
  command: string
  /** Several with spaces between. */
  aptPackage: string
  /** Where to look; the folders of PATH and the usual ones, unless told. */
  folders?: readonly string[]
  /** May packages be installed? As root, unless told. */
  mayInstall?: boolean
  /** Is what was found there the real thing? */
  works?: (path: string) => boolean
}

const updateLimitMs = 180_000
const installLimitMs = 900_000
const progressEveryMs = 3_000

/** Lists are as new as this process. */
const refreshed = new Set<string>()

export async function ensureSystemPackage(options: SystemPackageOptions): Promise<Found> {
  const { command, aptPackage, say } = options
  const folders = options.folders ?? usualFolders()
  const find = () => findPrograms(command, folders).find(options.works ?? (() => true))
  const found = find()
  if (found !== undefined) return { path: found }
  const aptGet = findCommand('apt-get', folders)
  const mayInstall = options.mayInstall ?? process.getuid?.() === 0
  if (!mayInstall || aptGet === undefined) return { advice: adviceFor(options) }

  say(`Installing ${aptPackage} from the system's packages…`)
  // Lists that can't be refreshed may still be good enough, so only the second step decides.
  if (!refreshed.has(aptGet)) await runApt({ aptGet, args: ['update'], limitMs: updateLimitMs }, options)
  refreshed.add(aptGet)
  // What a crash of the machine leaves half installed is installed again; waiting for the disk takes most of the time.
  const quick = ['-o', 'Dpkg::Options::=--force-unsafe-io']
  const args = ['install', '-y', '--no-install-recommends', ...quick, ...aptPackage.split(' ')]
  const end = await runApt({ aptGet, args, limitMs: installLimitMs }, options)
  const path = find()
  if (path !== undefined) return { path }
  const lastWords = end.output.trim().split('\n').slice(-3).join('\n')
  return { advice: `${adviceFor(options)} apt-get could not install it:\n${lastWords}` }
}

export function usualFolders(): string[] {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [
    ...new Set([
      ...path,
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
      '/usr/sbin',
      '/opt/homebrew/bin',
      '/snap/bin',
    ]),
  ]
}

export const findCommand = (command: string, folders: readonly string[]): string | undefined =>
  findPrograms(command, folders)[0]

const findPrograms = (command: string, folders: readonly string[]): string[] =>
  folders.map((folder) => join(folder, command)).filter(isProgram)

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

interface AptRun {
  aptGet: string
  args: readonly string[]
  limitMs: number
}

function runApt({ aptGet, args, limitMs }: AptRun, { say, stop }: SystemPackageOptions): Promise<GroupEnd> {
  const options: GroupOptions = {
    command: aptGet,
    args: ['-q', ...args],
    // RUNLEVEL: a server that is installed for the tests must not start as a service of the machine.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    limitMs,
    onOutput: everyFewSeconds(say),
  }
  return runGroup(stop === undefined ? options : { ...options, stop })
}

/** Shows that something happens without the hundreds of lines of a large package. */
export function everyFewSeconds(say: (line: string) => void): (text: string) => void {
  let saidAt = Date.now()
  return (text) => {
    const line = text.trimEnd().split('\n').at(-1)?.trim() ?? ''
    if (line === '' || Date.now() - saidAt < progressEveryMs) return
    saidAt = Date.now()
    say(`  ${line}`)
  }
}

function adviceFor({ command, aptPackage }: SystemPackageOptions): string {
  const how = process.platform === 'darwin' ? `brew install ${command}` : `sudo apt-get install ${aptPackage}`
  return `${command} was not found on this machine. Install it, for example with \`${how}\`.`
}
