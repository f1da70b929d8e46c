// Threads for slow hashes. Not the pool that Node shares among files, names and zip: a flood of logins must not hold up
// a transfer, so hashes have few threads of their own, of low priority, and a short queue. Who comes when it is full is
// sent away before any work is done.
import type { Argon2Parameters } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '../base/errors.ts'

export interface HashThreads {
  argon2id(parameters: Argon2Parameters): Promise<Buffer>
  close(): Promise<void>
}

interface Task {
  parameters: Argon2Parameters
  resolve: (tag: Buffer) => void
  reject: (error: Error) => void
}

const queueMax = 64
/** More would only make each slower, and 19 MiB are in use for each. */
const threadsMax = 4

export function openHashThreads(threads = Math.min(availableParallelism(), threadsMax)): HashThreads {
  const queue: Task[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let closed = false

  const next = () => {
    const task = queue[0]
    const worker = task && (idle.pop() ?? (all.size < threads ? start() : undefined))
    if (task === undefined || worker === undefined) return
    queue.shift()
    runOn(worker, task.parameters)
      .then(
        (tag) => {
          idle.push(worker)
          task.resolve(tag)
        },
        (cause: unknown) => {
          forget(worker)
          worker.terminate().catch(() => undefined)
          task.reject(away(cause))
        },
      )
      .then(() => closed || next())
  }
  const start = () => {
    const worker = new Worker(new URL('./hash-thread.ts', import.meta.url), { execArgv: [] })
    worker.unref()
    all.add(worker)
    // One that ends by itself, even an idle one, is not used again.
    worker.on('error', () => forget(worker))
    worker.once('exit', () => forget(worker))
    return worker
  }
  const forget = (worker: Worker) => {
    all.delete(worker)
    const place = idle.indexOf(worker)
    if (place >= 0) idle.splice(place, 1)
  }
  return {
    argon2id: (parameters) => {
      if (closed) return Promise.reject(away())
      if (queue.length >= queueMax) return Promise.reject(new AppError('rate_limited', { retryAfter: 1 }))
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      queue.push({ parameters, resolve, reject })
      next()
      return promise
    },
    close: async () => {
      closed = true
      for (const { reject } of queue.splice(0)) reject(away())
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

const away = (cause?: unknown) => new AppError('unavailable', { retryAfter: 1, cause })

/** Rejects when the thread ends before it has answered. */
async function runOn(worker: Worker, parameters: Argon2Parameters): Promise<Buffer> {
  const ended = new AbortController()
  const { signal } = ended
  const failure = async (event: 'error' | 'exit') => {
    throw new Error('a thread for hashes has ended', { cause: (await once(worker, event, { signal }))[0] })
  }
  // While it works it keeps the process alive; an idle one does not.
  worker.ref()
  worker.postMessage(parameters)
  try {
    const [tag] = await Promise.race([once(worker, 'message', { signal }), failure('exit'), failure('error')])
    return Buffer.from(tag)
  } finally {
    ended.abort()
    worker.unref()
  }
}
