// Types and lint, as two results among the tests'.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGroup } from './process-group.ts'
import type { FileResult } from './test-results.ts'

const limitMs = 300_000

export interface CheckOptions {
  root: string
  stop: AbortSignal
}

export const runChecks = (options: CheckOptions): Promise<FileResult[]> =>
  Promise.all([
    runCheck(options, { name: 'types', commands: typeCommands(options.root) }),
    runCheck(options, { name: 'lint', commands: [['@biomejs/biome/bin/biome', 'ci', '--colors=off', '.']] }),
  ])

/** The folders of the npm workspaces. */
export function workspaces(root: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (manifest === null || typeof manifest !== 'object' || !('workspaces' in manifest)) return []
  return Array.isArray(manifest.workspaces) ? manifest.workspaces.map(String) : []
}

interface Project {
  include?: string[]
  compilerOptions?: object
}

/** What the root's project includes with its own settings is checked there: so what many of them import is read once. */
function typeCommands(root: string): string[][] {
  const projectOf = (folder: string): Project | undefined => {
    const path = join(root, folder, 'tsconfig.json')
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Project) : undefined
  }
  const included = projectOf('.')?.include ?? []
  const isApart = (folder: string): boolean =>
    projectOf(folder)?.compilerOptions !== undefined || !included.includes(`${folder}/**/*.ts`)
  return ['.', ...workspaces(root).filter(isApart)]
    .filter((folder) => projectOf(folder) !== undefined)
    .map((folder) => ['typescript/bin/tsc', '-p', join(folder, 'tsconfig.json')])
}

interface Check {
  name: string
  /** A script of node_modules and its arguments. */
  commands: string[][]
}

async function runCheck({ root, stop }: CheckOptions, { name, commands }: Check): Promise<FileResult> {
  const result: FileResult = { file: name, passed: 0, failures: [], skipped: [], output: '', durationMs: 0 }
  const startedAt = performance.now()
  for (const [script = '', ...args] of commands) {
    const path = join(root, 'node_modules', script)
    const end = await runGroup({ command: process.execPath, args: [path, ...args], cwd: root, limitMs, stop })
    if (end.how === 'exited' && end.code === 0) continue
    const why = end.how === 'limit' ? `not finished after ${limitMs / 1000} s` : `exit code ${end.code}`
    result.failures.push({
      name: [script.split('/').at(-1), ...args].join(' '),
      text: `${end.output.trim()}\n(${why})`,
    })
  }
  result.durationMs = performance.now() - startedAt
  if (result.failures.length === 0) return { ...result, passed: 1 }
  // One check is one test, however many projects fail in it.
  const text = result.failures.map((failure) => `${failure.name}\n${failure.text}`).join('\n\n')
  return { ...result, failures: [{ name, text }] }
}
