// `npm test`: types, lint, and the test files, on a real PostgreSQL and a real browser. scripts/test.cjs starts it
// on the right Node when everything is installed.
//   npm test                     everything but the long files (scripts/test-files.ts)
//   npm test -- ledger money     only test files with one of these words in their path; shows what they print
//   npm test -- --checks         types and lint only
//   npm test -- --strict         a file that failed is not run again (below)
//   npm test -- --cpu            also tells the processor time of each file, largest first
//   npm run test:thorough        every combination and more rounds of chance (server/test/thorough.ts), in more time
// For its own tests: --root <folder> runs the test files of another folder, without a database, and --limit <s>
// is the time a file may take.
// A file that failed is run again at the end, alone and with the same seed. When it passes then, the run has passed, and
// the summary names the file and its test as unsteady. A file that tries promises about money must pass three times.
// What must stay true: the last line is `N passed, N failed`, the exit code is 1 when something failed, and no
// process or folder of the run outlives it.
import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from './browser.ts'
import { findGo } from './go.ts'
import { findPhp } from './php.ts'
import { findPython } from './python.ts'
import { ensureSystemPackage, type FindOptions, type Found } from './system-package.ts'
import { runChecks, workspaces } from './test-checks.ts'
import type { TestDatabase } from './test-database.ts'
import { filesToRunAgain, findTestFiles, isBrowserFile, isLongFile, runFiles } from './test-files.ts'
import { quickFolder } from './test-folder.ts'
import { openReport, type Report } from './test-report.ts'
import { type FileResult, fileItself } from './test-results.ts'

const projectRoot = resolve(import.meta.dirname, '..')
/** More than there are cores: files wait, for a browser, a limit of 15 seconds or another process. */
const concurrency = Math.min(6, availableParallelism() + 3)
/** How much longer a file may take in the thorough form. */
const thoroughFactor = 4
/** In other languages: no npm workspaces, but tested like them. */
const libraries = ['sdk/go', 'sdk/php', 'sdk/python', 'integrations']

interface Run {
  words: string[]
  checksOnly: boolean
  /** Another folder than the project. */
  root: string | undefined
  limitMs: number | undefined
  thorough: boolean
  strict: boolean
  /** Tell the processor time of each file. */
  cpu: boolean
  report: Report
  stop: AbortSignal
}

async function main(): Promise<number> {
  const { values, positionals: words } = readArguments()
  const report = openReport({
    write: (text) => process.stdout.write(text),
    colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
    showOutput: words.length > 0,
  })
  const limitMs = values.limit === undefined ? undefined : Number(values.limit) * 1000
  const stopped = listenForStop(report.say)
  const { checks: checksOnly, root, thorough, strict, cpu } = values
  const run = { words, checksOnly, root, limitMs, thorough, strict, cpu, report, stop: stopped.signal }
  const ran = await runAll(run)
  if (stopped.exitCode !== undefined) return stopped.exitCode
  return ran && report.close() ? 0 : 1
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        checks: { type: 'boolean', default: false },
        thorough: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        cpu: { type: 'boolean', default: false },
        root: { type: 'string' },
        limit: { type: 'string' },
      },
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${reason}\nUse: npm test, npm test -- <words of paths>, or npm test -- --checks\n`)
    process.exit(1)
  }
}

/** False when there was nothing to run, which has been said. */
async function runAll(run: Run): Promise<boolean> {
  const files = run.checksOnly ? [] : selectFiles(run)
  if (files.length === 0 && !run.checksOnly) {
    run.report.say(`No test file has ${run.words.map((word) => `"${word}"`).join(' or ')} in its path.`)
    return false
  }
  const wantsChecks = run.checksOnly || (run.root === undefined && run.words.length === 0)
  // While the machine's packages are installed, which leaves a core to them.
  const checks = wantsChecks ? reportChecks(run) : Promise.resolve()
  if (files.length > 0) await runTestFiles(run, { files, checks })
  await checks
  return true
}

async function reportChecks({ report, stop }: Run): Promise<void> {
  for (const result of await runChecks({ root: projectRoot, stop })) if (!stop.aborted) report.add(result)
}

function selectFiles(run: Run): string[] {
  const root = run.root ?? projectRoot
  const folders = run.root === undefined ? [...workspaces(projectRoot), ...libraries] : ['.']
  const files = findTestFiles(root, folders)
  // A whole path works as well, as a terminal completes it or a message names it.
  const words = run.words.map((word) => (/^\.?\//.test(word) ? relative(root, resolve(root, word)) : word))
  if (words.length > 0) return files.filter((file) => words.some((word) => file.includes(word)))
  const chosen = run.thorough ? files : files.filter((file) => !isLongFile(file))
  const left = files.length - chosen.length
  if (left > 0)
    run.report.say(`${left} long ${left > 1 ? 'files are' : 'file is'} left to npm run test:thorough`)
  return chosen
}

async function runTestFiles(run: Run, { files, checks }: Wanted): Promise<void> {
  const folder = mkdtempSync(join(quickFolder(), 'mfuko-'))
  // Like the usual one for temporary files: as root the database runs as another user, who must get in.
  chmodSync(folder, 0o1777)
  try {
    if (run.root === undefined) await runInProject(run, { files, checks, folder })
    else await runFilesIn(run, { root: run.root, files, folder, env: {} })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface Wanted {
  files: readonly string[]
  /** They should be done before the files start, which keep all cores busy. */
  checks: Promise<void>
}

interface Selected {
  files: readonly string[]
  /** Everything the run makes is in it. */
  folder: string
}

async function runInProject(run: Run, { files, checks, folder }: Selected & Wanted): Promise<void> {
  const [{ runnable, found }] = await Promise.all([findPrograms(run, files), checks])
  if (run.stop.aborted) return
  const database = await openDatabase(run, folder)
  if (database === undefined) return
  try {
    const env = { ...found, ...database.env }
    if (!run.stop.aborted) await runFilesIn(run, { root: projectRoot, files: runnable, folder, env })
  } finally {
    await database.stop()
  }
}

interface Prepared extends Selected {
  root: string
  env: NodeJS.ProcessEnv
}

async function runFilesIn(run: Run, prepared: Prepared): Promise<void> {
  const { report, stop, limitMs, thorough, cpu: measure } = run
  const seed = process.env.SEED || String(randomInt(2 ** 32))
  report.say(`seed ${seed} (rerun with SEED=${seed} npm test)`)
  const form: NodeJS.ProcessEnv = thorough ? { THOROUGH: '1' } : {}
  const env = { ...cleanEnvironment(), ...prepared.env, SEED: seed, ...form }
  const limit = limitMs === undefined ? { limitFactor: thorough ? thoroughFactor : 1 } : { limitMs }
  // Who runs a few looks closely at what each of them prints.
  const apart = run.words.length > 0
  const options = { ...prepared, env, stop, measure, apart, ...limit }
  const failed: string[] = []
  const onResult = (result: FileResult) => {
    report.add(result)
    if (result.failures.length > 0) failed.push(result.file)
  }
  await runFiles({ ...options, concurrency, onResult })
  const again = run.strict ? [] : filesToRunAgain(failed)
  if (again.length === 0 || stop.aborted) return
  report.say('\nAgain, alone:')
  for (const { file, runs } of again) {
    let last: FileResult | undefined
    const keep = (result: FileResult) => {
      last = result
    }
    for (let run = 0; run < runs && (last?.failures.length ?? 0) === 0; run++)
      await runFiles({ ...options, files: [file], concurrency: 1, onResult: keep })
    if (last !== undefined) report.addAgain(last)
  }
}

/** Settings of the person who runs the tests: no test may reach their data, or behave as theirs does. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const theirs = new Set([
    'DATABASE_URL',
    'DATA_DIR',
    'REDIS_URL',
    'SMTP_URL',
    'SECRET_KEYS_FILE',
    'NODE_ENV',
    'PORT',
    'ROLE',
    // The form is for this program to say, which also gives more time for it.
    'THOROUGH',
    'TEST_COMPANY',
  ])
  // Node's own: we may run inside a test of this program; and colours belong to a terminal.
  const nodes = new Set(['NODE_TEST_CONTEXT', 'FORCE_COLOR'])
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !theirs.has(name) && !nodes.has(name)),
  )
}

/** Which setting tells the test files that need a program where it is. One after the other: two can't install at once. */
const programs: { setting: string; find: (how: FindOptions) => Promise<Found> }[] = [
  {
    setting: 'TEST_REDIS_SERVER',
    find: (how) => ensureSystemPackage({ ...how, command: 'redis-server', aptPackage: 'redis-server' }),
  },
  { setting: 'TEST_GO', find: findGo },
  { setting: 'TEST_PHP', find: findPhp },
  { setting: 'TEST_PYTHON', find: findPython },
]

/** What the files need of the machine. Without a browser its tests fail, without another program they are skipped. */
async function findPrograms({ report, stop, words }: Run, files: readonly string[]) {
  const found: NodeJS.ProcessEnv = {}
  let runnable = files
  if (files.some(isBrowserFile)) {
    const browser = await findBrowser({ say: report.say, stop, wanted: process.env.CHROMIUM_PATH })
    if ('path' in browser) found.TEST_BROWSER = browser.path
    else {
      for (const file of files.filter(isBrowserFile)) report.add(failedFile(file, browser.advice))
      runnable = files.filter((file) => !isBrowserFile(file))
    }
  }
  const needs = (setting: string): boolean =>
    words.length === 0 ||
    files.some((file) => readFileSync(join(projectRoot, file), 'utf8').includes(`process.env.${setting}`))
  for (const { setting, find } of programs) {
    if (!needs(setting)) continue
    const program = await find({ say: report.say, stop })
    if ('path' in program) found[setting] = program.path
    else report.say(`${program.advice} The tests that need it are skipped.`)
  }
  return { runnable, found }
}

const failedFile = (file: string, text: string): FileResult => ({
  file,
  passed: 0,
  failures: [{ name: fileItself, text }],
  skipped: [],
  output: '',
  durationMs: 0,
})

async function openDatabase({ report, stop }: Run, folder: string): Promise<TestDatabase | undefined> {
  try {
    // Loaded late: it brings the server's code, and types and lint must be told even when that is broken.
    const { startTestDatabase } = await import('./test-database.ts')
    return await startTestDatabase({ adminUrl: process.env.TEST_DATABASE_ADMIN_URL, folder })
  } catch (error) {
    if (stop.aborted) return undefined
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    report.add(failedFile('the test database', `${text}\nWithout it no test file was run.`))
    return undefined
  }
}

interface Stopped {
  signal: AbortSignal
  exitCode: number | undefined
}

/** Ctrl-C reaches the whole process group and is passed on by npm and the launcher too: all of that is one stop. */
function listenForStop(say: (line: string) => void): Stopped {
  const controller = new AbortController()
  const stopped: Stopped = { signal: controller.signal, exitCode: undefined }
  const stop = (exitCode: number) => {
    if (stopped.exitCode !== undefined) return
    stopped.exitCode = exitCode
    say('Stopping; the tests did not run to their end.')
    controller.abort()
  }
  process.on('SIGINT', () => stop(130))
  process.on('SIGTERM', () => stop(143))
  process.on('SIGHUP', () => stop(129))
  // The launcher was killed.
  process.on('disconnect', () => stop(143))
  // Nobody reads any more: `npm test | head`.
  process.stdout.on('error', () => stop(141))
  // A bug of this program must not leave the database behind.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack ?? error}\n`)
    stop(1)
  })
  return stopped
}

process.exit(await main())
