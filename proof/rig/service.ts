// The service in processes of its own, as `npm start` would run them, that can be killed, stopped, continued and ended.
// Each has its own port; `front.ts` has the one that people know. All have the same secrets, so that a token of the world
// is good in each. Use:
//
//   const one = await startProcess(scene, { databaseUrl, baseUrl: front.url, simulatorUrl, env: { ROLE: 'api' } })
//   await one.kill()            // kill -9
//   one.pause(); one.resume()   // SIGSTOP, SIGCONT
//   const code = await one.end()
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { secretNames, secretVariable } from '../../server/src/config.ts'
import type { Scene } from '../scene.ts'

export interface ServiceProcess {
  /** Of its API; 0 for a worker. */
  port: number
  url: string
  metricsUrl: string
  /** As it was given. */
  databaseUrl: string
  pid: number
  /** From its start until it was ready. */
  readyMs: number
  /** Of that, what it spent ready to run on a machine that had no processor for it, because others had something to do. */
  crowdedMs: number
  /** What it has said, line by line; `lines.at(-1)` is the newest. */
  lines: string[]
  /** Lines of its log that say that something is broken. */
  complaints(): string[]
  isAlive(): boolean
  /** kill -9. */
  kill(): Promise<void>
  pause(): void
  resume(): void
  /** Its clock is ahead by so much from now on. Only if it was born with `aheadMs`. */
  advance(aheadMs: number): void
  /** The clock of its machine is wrong by so much, and that of the database is not. Only if it was born with `aheadMs`. */
  mislead(wrongMs: number): void
  /** SIGTERM; its exit code. */
  end(): Promise<number | null>
  /** When it has ended, however. */
  ended: Promise<number | null>
}

export interface ServiceOptions {
  databaseUrl: string
  /** Where people reach it: of the front. */
  baseUrl: string
  simulatorUrl: string
  env?: Record<string, string>
  /** Its clock is ahead by so much from its first moment on. Absent: it can't be told another time. */
  aheadMs?: number | undefined
  /** Default: 120 s, for a machine that has much else to do. */
  readyMs?: number
}

const clockModule = fileURLToPath(new URL('../../server/test/storm/clock-ahead.ts', import.meta.url))
const complaint = /"level":"(?:error|fatal)"|"level":(?:50|60)\b|^\s*Error|could not start/
const linesMax = 20_000
const wordsMost = 20

/** The same for all processes of a run, in base64. Nobody is harmed by who reads them here. */
export const secrets = (): Record<string, string> =>
  Object.fromEntries(
    secretNames.map((name) => [name, createHash('sha256').update(`proof ${name}`).digest('base64')]),
  )

const secretsInEnvironment = (): Record<string, string> => {
  const all = secrets()
  return Object.fromEntries(secretNames.map((name) => [secretVariable(name), all[name] ?? '']))
}

export function environmentOf({ databaseUrl, baseUrl, simulatorUrl, env = {} }: ServiceOptions) {
  return {
    ...process.env,
    ...secretsInEnvironment(),
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: baseUrl,
    METRICS_PORT: '0',
    SIMULATOR_URL: simulatorUrl,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    DEMO: 'off',
    ...env,
  }
}

export async function startProcess(
  scene: Pick<Scene, 'server' | 'defer'>,
  options: ServiceOptions,
): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-proof-service-'))
  const began = performance.now()
  const child = fork(join(scene.server, 'src/main.ts'), [], {
    execArgv:
      options.aheadMs === undefined ? [] : ['--import', `file://${clockModule}?ms=${options.aheadMs}`],
    env: { ...environmentOf(options), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) keepLines(stream, lines)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const isAlive = () => child.exitCode === null && child.signalCode === null
  /** By us; else it has died, and its last words tell why. */
  let isTold = false
  ended.then((code) => {
    if (!isTold)
      process.stdout.write(`a service ended by itself (${code}):\n${lines.slice(-wordsMost).join('\n')}\n`)
  })
  const kill = async () => {
    isTold = true
    if (!isAlive()) return
    child.kill('SIGKILL')
    await ended
  }
  scene.defer(async () => {
    await kill()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  })
  const urls = await ready(child, { lines, ended, readyMs: options.readyMs ?? 120_000 })
  const url = urls.site
  return {
    port: Number(new URL(url).port),
    url,
    metricsUrl: urls.metrics,
    databaseUrl: options.databaseUrl,
    pid: child.pid ?? 0,
    readyMs: performance.now() - began,
    crowdedMs: crowdedMsOf(child.pid ?? 0),
    lines,
    complaints: () => lines.filter((line) => complaint.test(line)),
    isAlive,
    kill,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    advance: (ms) => void child.send({ type: 'ahead', ms }),
    mislead: (ms) => void child.send({ type: 'wrong', ms }),
    end: async () => {
      isTold = true
      child.kill('SIGTERM')
      return ended
    },
    ended,
  }
}

/** Of its first thread, which does nearly everything. "time on a processor, time waiting for one, turns", in ns. */
const crowdedMsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6

interface Urls {
  site: string
  metrics: string
}

async function ready(
  child: ChildProcess,
  { lines, ended, readyMs }: { lines: string[]; ended: Promise<unknown>; readyMs: number },
): Promise<Urls> {
  const isReady = new Promise<Urls>((resolve) =>
    child.on('message', (message: { type?: string; urls?: Urls }) => {
      if (message.type === 'ready' && message.urls !== undefined) resolve(message.urls)
    }),
  )
  const failed = (why: string) => () => {
    throw new Error(`the service did not start: ${why}\n${lines.slice(-20).join('\n')}`)
  }
  const timer = AbortSignal.timeout(readyMs)
  return Promise.race([
    isReady,
    ended.then(failed('it ended')),
    once(timer, 'abort').then(failed(`not within ${readyMs} ms`)),
  ])
}

function keepLines(stream: NodeJS.ReadableStream | null, lines: string[]): void {
  let rest = ''
  stream?.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    if (lines.length > linesMax) lines.splice(0, lines.length - linesMax)
  })
}
