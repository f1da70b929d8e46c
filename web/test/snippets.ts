// Runs the programs that the integration page shows, as they stand there.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { SnippetLanguage } from '../src/app/business/snippets.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** Where they run. */
export const folder = mkdtempSync(join(tmpdir(), 'mfuko-snippets-'))
after(() => rmSync(folder, { recursive: true, force: true }))
// What `npm install`, `composer require` and `pip install` would bring.
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
mkdirSync(join(folder, 'vendor'))
writeFileSync(
  join(folder, 'vendor/autoload.php'),
  `<?php require ${JSON.stringify(join(root, 'sdk/php/autoload.php'))};`,
)

interface Program {
  file: string
  command: string
  flags: readonly string[]
}

/** Go is compiled for longer than all the others run; its README is run by its own tests. */
const programs: Record<Exclude<SnippetLanguage, 'go'>, Program> = {
  curl: { file: 'snippet.sh', command: 'sh', flags: [] },
  php: { file: 'snippet.php', command: 'php', flags: [] },
  javascript: { file: 'snippet.mjs', command: process.execPath, flags: ['--conditions=mfuko-source'] },
  python: { file: 'snippet.py', command: 'python3', flags: [] },
}

export type Runnable = keyof typeof programs

/** What it prints. */
export async function runSnippet(language: Runnable, code: string): Promise<string> {
  const { child, said } = begin(language, code, {})
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  assert.equal(status, 0, said())
  return said()
}

export interface Running {
  url: string
  said(): string
  stop(): void
}

/** One that listens. */
export async function startSnippet(code: string): Promise<Running> {
  const port = await freePort()
  const { child, said } = begin('javascript', code, { PORT: String(port) })
  const stop = () => void child.kill()
  after(stop)
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    assert.equal(child.exitCode, null, said())
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return { url, said, stop }
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

function begin(language: Runnable, code: string, more: Record<string, string>) {
  const { file, command, flags } = programs[language]
  writeFileSync(join(folder, file), code)
  const env = { ...process.env, PYTHONPATH: join(root, 'sdk/python'), PYTHONDONTWRITEBYTECODE: '1', ...more }
  const child: ChildProcess = spawn(command, [...flags, file], { cwd: folder, env })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk
    })
  return { child, said: () => text }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
