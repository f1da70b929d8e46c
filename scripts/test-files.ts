// Runs test files: the slow ones each in a process of its own, the others several in one. Not through run() of node:test, for reasons seen on Node 24.21:
// its time limit doesn't bound a file (one with an open timer hangs the run for ever), a file that calls
// process.exit(0) halfway counts as passed, and results are held back until all files before it have ended.
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runGroup } from './process-group.ts'
import { type FileResult, readCompany, readResult } from './test-results.ts'

const company = fileURLToPath(new URL('test-company.ts', import.meta.url))
const reporter = fileURLToPath(new URL('test-reporter.cjs', import.meta.url))
const context = fileURLToPath(new URL('test-context.cjs', import.meta.url))

/** Longest first, so that none of them starts when everything else is done; they may also take longer. */
const slowFiles = [
  { pattern: /(^|\/)start\.test\.ts$/, limitMs: 900_000 },
  // On a machine that has not run it before it compiles Go's standard library, which takes a minute of a core.
  { pattern: /(^|\/)sdk\/go\/go\.test\.ts$/, limitMs: 900_000 },
  { pattern: /\.browser\.test\.ts$/, limitMs: 600_000 },
  {
    pattern: /(^|\/)(embedded|processes|demo|guide-languages|ledger-kill|ledger-processes|storm)\.test\.ts$/,
    limitMs: 600_000,
  },
  {
    pattern: /(^|\/)(fuzz[a-z-]*|isolation|receivers|kill|authorisation|runner[a-z-]*)\.test\.ts$/,
    limitMs: 600_000,
  },
]
const limitMs = 300_000
const companyLimitMs = 600_000

/** Only in the thorough form, unless they are named: slow, and about what few changes touch. */
const longFiles = [
  /^server\/test\/(runner[a-z-]*|guide-languages|fuzz-bites|examples|login-flood)\.test\.ts$/,
  /^web\/test\/(business|campaign|docs|operator|people-history|phones|together-[a-z]+|verify)\.browser\.test\.ts$/,
  /^web\/test\/business-snippets\.test\.ts$/,
  /^(bench|simulator)\/.*\b(bench|browser)\.test\.ts$/,
  /^(integrations\/.*|sdk\/(go|php|python)\/.*|sdk\/js\/test\/package|proof\/check\/check)\.test\.ts$/,
]
export const isLongFile = (file: string): boolean => longFiles.some((pattern) => pattern.test(file))

export const isBrowserFile = (file: string): boolean => file.endsWith('.browser.test.ts')

/** Test files below the folders, as paths from the root, in the order they should start. */
export function findTestFiles(root: string, folders: readonly string[]): string[] {
  const inside = folders.map((folder) => join(folder, '**/*.test.ts'))
  const ignored = new Set(['node_modules', 'dist', '.data'])
  const files = globSync(inside, {
    cwd: root,
    exclude: (path) => path.split('/').some((part) => ignored.has(part)),
  })
  return files.sort((one, other) => startRank(one) - startRank(other) || (one < other ? -1 : 1))
}

function startRank(file: string): number {
  const index = slowFiles.findIndex(({ pattern }) => pattern.test(file))
  return index === -1 ? slowFiles.length : index
}

/** They mostly wait, for limits and for other processes: they have a lane of their own, beside the others. */
const patientFiles =
  /(^|\/)(background|broken-requests|database-hangs|embedded|isolation|receivers|sessions)\.test\.ts$/

/** So many files share a process; more would leave a long one for the end. */
const companies: { max: number; takes: (file: string) => boolean }[] = [
  // Those of the checkout share a service from their top on, which is closed with the first of them.
  { max: 4, takes: (file) => isBrowserFile(file) && !/\/checkout/.test(file) },
  { max: 4, takes: (file) => /^server\/test\/fuzz[a-z-]*\.test\.ts$/.test(file) },
  {
    max: 14,
    takes: (file) =>
      /^(server|simulator|proof|bench)\//.test(file) &&
      startRank(file) === slowFiles.length &&
      !patientFiles.test(file),
  },
]

/** In the order they should start, each alone or in company. */
export function companiesOf(files: readonly string[]): string[][] {
  const together = companies.flatMap(({ max, takes }) => {
    const those = files.filter(takes)
    const count = Math.ceil(those.length / max)
    // Neighbours are alike, and those that are slow are slow together: each company gets some of everything.
    return Array.from({ length: count }, (_, at) => those.filter((_file, place) => place % count === at))
  })
  const alone = files.filter((file) => !companies.some(({ takes }) => takes(file))).map((file) => [file])
  const rankOf = ([first = '']: readonly string[]) => startRank(first)
  return [...alone, ...together].sort((one, other) => rankOf(one) - rankOf(other))
}

export interface RunFilesOptions {
  root: string
  files: readonly string[]
  /** Where the files keep what they make; it is for the caller to remove. */
  folder: string
  concurrency: number
  env: NodeJS.ProcessEnv
  stop: AbortSignal
  /** Instead of the usual limit of a file. */
  limitMs?: number
  /** So many times the usual limit. */
  limitFactor?: number
  /** Also measure what processor time each file takes. */
  measure?: boolean
  /** Each file in a process of its own. */
  apart?: boolean
  onResult: (result: FileResult) => void
}

/** Where a promise about money is raced or proven, one good run says less: there it takes three. */
const aboutMoney = /ledger|books|storm|audit|proof\//
const againMax = 5

export interface Again {
  file: string
  /** All of them must pass. */
  runs: number
}

/** Of the files that failed, those that are run again, alone. */
export const filesToRunAgain = (failed: readonly string[]): Again[] =>
  failed.slice(0, againMax).map((file) => ({ file, runs: aboutMoney.test(file) ? 3 : 1 }))

/** Files that had not ended when `stop` came have no result. */
export async function runFiles(options: RunFilesOptions): Promise<void> {
  const all = options.apart ? options.files.map((file) => [file]) : companiesOf(options.files)
  const isPatient = ([first = '']: readonly string[]) => patientFiles.test(first)
  const patient = options.concurrency === 1 ? [] : all.filter(isPatient)
  const waiting = all.filter((files) => !patient.includes(files))
  const lane = async (next: () => string[] | undefined) => {
    for (let files = next(); files !== undefined; files = next()) {
      // Not the same name when files are run again: what an earlier process wrote is not what this one says.
      const eventsFile = join(options.folder, `events-${randomUUID()}.jsonl`)
      const [file = ''] = files
      const results =
        files.length === 1
          ? [await runFile({ ...options, file, eventsFile })]
          : await runCompany({ ...options, files, eventsFile })
      if (options.stop.aborted) return
      for (const result of results) options.onResult(result)
      // Whoever has no result was not to blame, or was: alone it shows.
      const left = files.filter((each) => !results.some((result) => result.file === each))
      waiting.unshift(...left.map((each) => [each]))
    }
  }
  const lanes = Array.from({ length: options.concurrency }, () =>
    lane(() => waiting.shift() ?? patient.shift()),
  )
  await Promise.all([...lanes, lane(() => patient.shift())])
}

interface RunFileOptions extends RunFilesOptions {
  file: string
  eventsFile: string
}

async function runFile(options: RunFileOptions): Promise<FileResult> {
  const { file, eventsFile, root, stop } = options
  const usualMs = slowFiles.find(({ pattern }) => pattern.test(file))?.limitMs ?? limitMs
  const fileLimitMs = options.limitMs ?? usualMs * (options.limitFactor ?? 1)
  const startedAt = performance.now()
  const timesFile = `${eventsFile}.times`
  const command = commandFor(eventsFile, [file])
  const [program = '', ...args] = options.measure ? measured(command, timesFile) : command
  const end = await runGroup({
    command: program,
    args,
    cwd: root,
    env: environmentOf(options),
    limitMs: fileLimitMs,
    stop,
  })
  const durationMs = performance.now() - startedAt
  const processorMs = readTimes(readIfThere(timesFile))
  const events = readIfThere(eventsFile)
  return readResult({ file, events, end, limitMs: fileLimitMs, durationMs, processorMs })
}

async function runCompany(options: Omit<RunFileOptions, 'file'>): Promise<FileResult[]> {
  const { files, eventsFile, root, stop, limitFactor = 1 } = options
  const [program = '', ...args] = commandFor(eventsFile, [company, ...files])
  const limit = options.limitMs ?? companyLimitMs * limitFactor
  const env = { ...environmentOf(options), TEST_COMPANY: '1' }
  const end = await runGroup({ command: program, args, cwd: root, env, limitMs: limit, stop })
  return readCompany({ files, events: readIfThere(eventsFile), end })
}

const commandFor = (eventsFile: string, program: readonly string[]): string[] => [
  process.execPath,
  '--require',
  context,
  '--test-reporter',
  reporter,
  '--test-reporter-destination',
  eventsFile,
  ...program,
]

const environmentOf = ({ folder, env }: Pick<RunFilesOptions, 'folder' | 'env'>): NodeJS.ProcessEnv => ({
  // Most of the start of a process is to read the same sources again: 0.9 s instead of 1.9 s for the server's.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  ...env,
  // A file that is killed can't tidy up after itself.
  TMPDIR: folder,
})

/** Node can't ask what its children took, and theirs; a shell can, for all that was waited for. */
const measured = (command: readonly string[], timesFile: string): string[] => [
  'sh',
  '-c',
  'into="$1"; shift; "$@"; code=$?; times >"$into"; exit $code',
  'sh',
  timesFile,
  ...command,
]

/** The second line of `times` is about the children: user and system, as `1m2.345s`. Not there when it was killed. */
function readTimes(text: string): number | undefined {
  const parts = [...(text.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  if (parts.length !== 2) return undefined
  return parts.reduce((total, [, minutes, rest]) => total + Number(minutes) * 60_000 + Number(rest) * 1000, 0)
}

/** A file without node:test never loads the reporter, so nothing was written. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
