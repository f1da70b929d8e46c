// Several API processes on one port. The first process forks them, starts one anew when it dies, collects their
// numbers for the metrics, and tells them to stop; it answers no requests itself.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import { StartError } from './base/errors.ts'
import { closeMs, finishMs } from './closing.ts'
import type { Samples } from './metrics/metrics.ts'

export type ToFork = { type: 'stop' } | { type: 'samples'; asked: number }
export type FromFork =
  | { type: 'listening' }
  | { type: 'failed'; sentence: string }
  | { type: 'samples'; asked: number; samples: Samples }

export interface Forks {
  samples(): Promise<Samples[]>
  stop(): Promise<void>
}

export interface ForksOptions {
  count: number
  settings: Record<string, string>
  log: Logger
  /** They die again and again: nothing that restarting could mend. */
  onHopeless: () => void
}

const deathsMax = 5
const deathsMs = 60_000
const samplesMs = 1_000

export async function startForks(options: ForksOptions): Promise<Forks> {
  // A debugger or test runner's own flags are for the first process only.
  cluster.setupPrimary({ execArgv: [] })
  let stopping = false
  const deaths: number[] = []
  const fork = () => cluster.fork(options.settings)
  const replace = (worker: Worker, code: number) => {
    if (stopping) return
    options.log.error({ pid: worker.process.pid, code }, 'an API process died; starting another')
    deaths.push(performance.now())
    if (deaths.filter((at) => performance.now() - at < deathsMs).length > deathsMax) options.onHopeless()
    else fork()
  }
  const stop = async () => {
    stopping = true
    await Promise.all(living().map(stopFork))
  }
  try {
    await Promise.all(Array.from({ length: options.count }, () => listens(fork())))
  } catch (error) {
    await stop()
    throw error
  }
  cluster.on('exit', replace)
  return { samples: askAll, stop }
}

const living = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

const send = (worker: Worker, message: ToFork) => {
  if (worker.isConnected()) worker.send(message)
}

async function stopFork(worker: Worker): Promise<void> {
  const gone = once(worker, 'exit')
  send(worker, { type: 'stop' })
  // The database is stopped after it, so it may not take as long as it likes.
  const cut = setTimeout(() => worker.process.kill('SIGKILL'), finishMs + 2 * closeMs)
  if (!worker.isDead()) await gone
  clearTimeout(cut)
}

function listens(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromFork) => {
      if (message.type === 'listening') resolve()
      if (message.type === 'failed') reject(new StartError(message.sentence))
    })
    worker.once('exit', () =>
      reject(new StartError('An API process ended while it was starting; the lines above say why.')),
    )
  })
}

let asked = 0

/** Those that don't answer within a second are left out: a scrape must not hang with them. */
async function askAll(): Promise<Samples[]> {
  asked += 1
  const answers = await Promise.all(living().map((worker) => ask(worker, asked)))
  return answers.filter((answer) => answer !== undefined)
}

function ask(worker: Worker, number: number): Promise<Samples | undefined> {
  return new Promise((resolve) => {
    const settle = (samples: Samples | undefined) => {
      clearTimeout(timer)
      worker.off('message', listen)
      resolve(samples)
    }
    const listen = (message: FromFork) => {
      if (message.type === 'samples' && message.asked === number) settle(message.samples)
    }
    const timer = setTimeout(() => settle(undefined), samplesMs)
    worker.on('message', listen)
    send(worker, { type: 'samples', asked: number })
  })
}
