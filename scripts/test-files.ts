// Runs test files, each in a process of its own. Not through run() of node:test, for reasons seen on Node 24.21:
// its time limit doesn't bound a file (one with an open timer hangs the run for ever), a file that calls
// process.exit(0) halfway counts as passed, and results are held back until all files before it have ended.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runGroup } from './process-group.ts'
import { type FileResult, readResult } from './test-results.ts'

const reporter = fileURLToPath(new URL('test-reporter.cjs', import.meta.url))

/** Longest first, so that none of them starts when everything else is done; they may also take longer. */
const slowFiles = [
  { pattern: /(^|\/)start\.test\.ts$/, limitMs: 400_000 },
  // On a machine that has not run it before it compiles Go's standard library, which takes a minute of a core.
  { pattern: /(^|\/)sdk\/go\/go\.test\.ts$/, limitMs: 400_000 },
  { pattern: /\.browser\.test\.ts$/, limitMs: 240_000 },
  {
    pattern: /(^|\/)(embedded|processes|demo|guide-languages|ledger-kill|ledger-processes|storm)\.test\.ts$/,
    limitMs: 240_000,
  },
  {
    pattern: /(^|\/)(fuzz[a-z-]*|isolation|receivers|kill|authorisation|runner)\.test\.ts$/,
    limitMs: 240_000,
  },
]
const limitMs = 120_000

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
  onResult: (result: FileResult) => void
}

/** Files that had not ended when `stop` came have no result. */
export async function runFiles(options: RunFilesOptions): Promise<void> {
  const waiting = [...options.files.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, file] = next
      const eventsFile = join(options.folder, `events-${index}.jsonl`)
      const result = await runFile({ ...options, file, eventsFile })
      if (options.stop.aborted) return
      options.onResult(result)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, lane))
}

interface RunFileOptions extends RunFilesOptions {
  file: string
  eventsFile: string
}

async function runFile(options: RunFileOptions): Promise<FileResult> {
  const { file, eventsFile, root, env, stop } = options
  const usualMs = slowFiles.find(({ pattern }) => pattern.test(file))?.limitMs ?? limitMs
  const fileLimitMs = options.limitMs ?? usualMs * (options.limitFactor ?? 1)
  const startedAt = performance.now()
  const end = await runGroup({
    command: process.execPath,
    args: ['--test-reporter', reporter, '--test-reporter-destination', eventsFile, file],
    cwd: root,
    env: {
      // Most of the start of a process is to read the same sources again: 0.9 s instead of 1.9 s for the server's, and
      // a run starts hundreds.
      NODE_COMPILE_CACHE: join(options.folder, 'compiled'),
      ...env,
      // A file that is killed can't tidy up after itself.
      TMPDIR: options.folder,
    },
    limitMs: fileLimitMs,
    stop,
  })
  const durationMs = performance.now() - startedAt
  return readResult({ file, events: readIfThere(eventsFile), end, limitMs: fileLimitMs, durationMs })
}

/** A file without node:test never loads the reporter, so nothing was written. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
