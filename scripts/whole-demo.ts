// The whole service with its demo, in a folder of its own that is removed afterwards: for what is measured and photographed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from './browser.ts'

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

export interface WholeDemo {
  /** As people type it: the cookie of a session belongs to this name. */
  url: string
  stop(): Promise<void>
}

export async function startWholeDemo(): Promise<WholeDemo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-own-'))
  // As root the database runs as another user.
  chmodSync(dataDir, 0o755)
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'development', PORT: '0', METRICS_PORT: '0', SHOP_PORT: '0', SIMULATOR_PORT: '0' },
    ...{ DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'exit')
  const first = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  if (first === undefined) throw new Error(`The service did not start:\n${said}`)
  return {
    url: /Start page +(\S+)/.exec(said)?.[1] ?? '',
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function launchBrowser(): Promise<Browser> {
  const found = await findBrowser({ say: console.log, wanted: process.env.CHROMIUM_PATH })
  if ('advice' in found) throw new Error(found.advice)
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({ executablePath: found.path, args })
}

/** The demo's people all have the same. */
export const demoPassword = 'karibu-mfuko'
export const demoPin = '4827'
