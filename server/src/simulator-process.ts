// The simulator of the mobile-money networks, in a process of its own: it knows the service by the providers' protocols
// only, as they do. Never in production; there SIMULATOR_URL may name one that runs elsewhere.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { finishMs, within } from './closing.ts'

const program = fileURLToPath(new URL('../../simulator/src/main.ts', import.meta.url))
/** It takes a fraction of a second; a machine that is busy may need more. */
const startMs = 20_000

export interface SimulatorProcess {
  /** Absent: it could not be started, and everything else works without it. */
  url: string | undefined
  stop(): Promise<void>
}

export interface SimulatorProcessOptions {
  /** When it is taken, another one is. */
  port: number
  dataDir: string
  log: Logger
}

export async function startSimulatorProcess({
  port,
  dataDir,
  log,
}: SimulatorProcessOptions): Promise<SimulatorProcess> {
  const args = ['--port', String(port), '--attached', '--data', join(dataDir, 'simulator')]
  const child = fork(program, args, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: {} })
  let stopping = false
  // One that could not be started has no exit, only an error, which is told below.
  const ended = once(child, 'exit').then(
    ([code]) => {
      if (!stopping) log.warn({ code }, 'the simulator has ended')
    },
    () => undefined,
  )
  child.on('error', (error) => log.warn({ err: error }, 'the simulator could not be started'))
  const url = await new Promise<string | undefined>((resolve) => {
    const late = setTimeout(() => resolve(undefined), startMs)
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type === 'listening') resolve(message.url)
    })
    ended.then(() => resolve(undefined))
    late.unref()
  })
  return {
    url,
    stop: async () => {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await within(finishMs, ended)
    },
  }
}
