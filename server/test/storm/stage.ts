// The processes of the storm: the network in a box (in this process, so that its books can be read) and the service, as
// `npm start` would run it, in a process of its own that can be killed and started again, also with a clock that is ahead.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../simulator/src/simulator.ts'
import { freePort } from '../../src/base/free-port.ts'

export interface Stage {
  simulator: Simulator
  /** Where the service is; the same over all its lives. */
  url: string
  /** How far all clocks are ahead, in milliseconds. */
  aheadMs(): number
  /** kill -9. */
  kill(): Promise<void>
  /** Begins a new life. */
  start(): Promise<void>
  /** All clocks are moved. */
  advance(aheadMs: number): void
  /** What the service has complained of, all its lives long. */
  complaints(): string[]
  close(): Promise<void>
}

export interface StageOptions {
  databaseUrl: string
  seed: number
  delays: NonNullable<SimulatorOptions['delays']>
}

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const clock = new URL('clock-ahead.ts', import.meta.url).href
const readyMs = 60_000
const complaint = /"level":"(?:error|fatal)"|^\s*Error|could not start/
/** A machine that has much else to do may be too slow for a connection. */
const slowness =
  /notify listener|the worker ended by itself|timeout exceeded when trying to connect|Query read timeout/

export async function openStage({ databaseUrl, seed, delays }: StageOptions): Promise<Stage> {
  let ahead = 0
  const simulator = await startSimulator({ delays, seed, now: () => Date.now() + ahead })
  const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-storm-'))
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: url,
    METRICS_PORT: '0',
    SIMULATOR_URL: simulator.url,
    CHECKOUT_MINUTES: '1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    DEMO: 'off',
  }
  const lines: string[] = []
  let child: ChildProcess | undefined
  const kill = async () => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill('SIGKILL')
    await ended
  }
  return {
    simulator,
    url,
    aheadMs: () => ahead,
    kill,
    advance: (aheadMs) => {
      ahead = aheadMs
      child?.send({ type: 'ahead', ms: aheadMs })
    },
    start: async () => {
      const execArgv = ['--import', `${clock}?ms=${ahead}`]
      child = fork(program, [], { execArgv, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
      for (const stream of [child.stdout, child.stderr]) keepLines(stream, lines)
      await ready(child, lines)
    },
    complaints: () => lines.filter((line) => complaint.test(line) && !slowness.test(line)),
    close: async () => {
      await kill()
      await simulator.close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function keepLines(stream: NodeJS.ReadableStream | null, lines: string[]): void {
  let rest = ''
  stream?.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
}

async function ready(child: ChildProcess, lines: readonly string[]): Promise<void> {
  const late = AbortSignal.timeout(readyMs)
  const isReady = new Promise<'ready'>((resolve) =>
    child.on('message', (message: { type?: string }) => {
      if (message.type === 'ready') resolve('ready')
    }),
  )
  const how = await Promise.race([
    isReady,
    once(child, 'exit').then(() => 'ended' as const),
    once(late, 'abort').then(() => 'too slow' as const),
  ])
  if (how !== 'ready') throw new Error(`the service did not start: ${how}\n${lines.slice(-20).join('\n')}`)
}
