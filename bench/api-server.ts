// The whole service in a process of its own, as `npm start` would run it, on a database of this run.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processUse } from './cpu-time.ts'

export interface ApiServer {
  url: string
  /** Where its secrets are. */
  dataDir: string
  cpuMs(): number
  rssBytes(): number
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
const readyMs = 60_000

export async function startApi({
  databaseUrl,
  stop,
  role = 'all',
}: {
  databaseUrl: string
  stop: AbortSignal
  role?: 'all' | 'api'
}): Promise<ApiServer> {
  stop.throwIfAborted()
  const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-bench-api-'))
  const child = fork(program, [], {
    // As `npm start` does.
    execArgv: ['--use-largepages=silent'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ROLE: role,
      PORT: '0',
      METRICS_PORT: '0',
      // Nobody is there: what is measured has nothing to do with providers.
      SIMULATOR_URL: 'http://127.0.0.1:9',
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      DEMO: 'off',
    },
  })
  const kill = () => child.kill('SIGKILL')
  stop.addEventListener('abort', kill, { once: true })
  const ended = once(child, 'exit')
  const ready = new Promise<string>((resolve) =>
    child.on('message', (message: { type?: string; urls?: { site: string } }) => {
      if (message.type === 'ready' && message.urls !== undefined) resolve(message.urls.site)
    }),
  )
  const late = AbortSignal.timeout(readyMs)
  const url = await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error('the service could not start'))),
    once(late, 'abort').then(() => Promise.reject(new Error('the service did not start in time'))),
  ])
  return {
    url,
    dataDir,
    cpuMs: () => processUse(child.pid ?? 0).cpuMs,
    rssBytes: () => processUse(child.pid ?? 0).rssBytes,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      stop.removeEventListener('abort', kill)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
