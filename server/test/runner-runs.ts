// Runs of `npm test` over small test files in a folder of their own, seen from outside.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

export const projectRoot = resolve(import.meta.dirname, '../..')
const base = mkdtempSync(join(tmpdir(), 'mfuko-runner-'))
after(() => rmSync(base, { recursive: true, force: true }))

export type Files = Record<string, string>

let folders = 0
export function makeFolder(files: Files): string {
  const folder = join(base, String(folders++))
  mkdirSync(folder)
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), source)
  }
  return folder
}

export function startRunner(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(process.execPath, [join(projectRoot, 'scripts/run-tests.ts'), '--root', folder, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

export async function listen(child: ChildProcess): Promise<{ output: string; code: number | null }> {
  assert(child.stdout && child.stderr)
  // Not 'close', which never comes when we were the one to close the channel.
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { output: output + errors, code }
}

interface Expected {
  closing: string | RegExp
  code: number
  says?: readonly RegExp[]
  args?: readonly string[]
  /** Seconds a file may take. */
  limit?: number
  env?: NodeJS.ProcessEnv
}

export async function check(
  files: Files,
  { closing, code, says = [], args = [], env = {}, limit = 20 }: Expected,
): Promise<void> {
  const ended = await listen(startRunner(makeFolder(files), ['--limit', String(limit), ...args], env))
  const lastLine = ended.output.trimEnd().split('\n').at(-1) ?? ''
  if (typeof closing === 'string') assert.equal(lastLine, closing, ended.output)
  else assert.match(lastLine, closing, ended.output)
  assert.equal(ended.code, code, ended.output)
  for (const pattern of says) assert.match(ended.output, pattern)
}

export const imports = `import { test, describe, it, before } from 'node:test'\nimport assert from 'node:assert/strict'\n`
export const passing = `${imports}
  test('alone', () => {})
  describe('suite', () => { it('inside', () => {}) })
  test('parent', async (t) => { await t.test('child', () => {}) })`
export const failing = `${imports}
  console.log('words on the way')
  describe('outer', () => { it('bad', () => assert.deepEqual({ a: 1 }, { a: 2 })); it('good', () => {}) })`
export const neverEnding = `${imports}
  test('good', () => {})
  test('waits', () => new Promise((done) => setTimeout(done, 60_000)))`
