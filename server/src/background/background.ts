// Work that happens after the answer. A job is added in the caller's transaction, so it exists exactly when the
// change it belongs to does, and it runs at least once: a task must be safe to run again.
// A worker that dies keeps its jobs locked. So each one leaves a mark (a beat) every ten seconds, and what a
// silent one held is given back by `rescue`.
import { EventEmitter } from 'node:events'
import { Logger, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import type { Log } from '../base/log.ts'
import { type Db, openForeignPool, type Queries, type Tx } from '../db/db.ts'
import * as sql from './sql.ts'

export interface Job {
  task: string
  payload: object
  /** Jobs of one queue run one after another. */
  queue?: string
  runAt?: Date
  attemptsMax?: number
  /** A job of the same key that still waits is replaced. */
  key?: string
}

/** Runs with the payload the job was added with. `signal` fires when the process must stop soon. */
export type Task = (
  payload: unknown,
  context: { signal: AbortSignal | undefined; attempt: number },
) => Promise<void>

export interface WorkerOptions {
  db: Db
  url: string
  concurrency: number
  tasks: Record<string, Task>
  log: Log
  onJob?: (job: { task: string; ok: boolean; seconds: number }) => void
}

export interface Worker {
  /** Claims nothing new, lets running jobs finish for a while, and gives back what is left. */
  stop(): Promise<void>
}

const beatMs = 10_000
const silentSeconds = 30

export async function add(tx: Tx, job: Job): Promise<void> {
  await sql.addJob(tx, job)
}

export const state = (db: Queries) => sql.queueState(db)

/** The queue's own tables. */
export async function migrate(url: string): Promise<void> {
  const pool = openForeignPool({ url, connectionsMax: 2, name: 'mfuko migrate' })
  try {
    await runMigrations({ pgPool: pool, logger: quiet })
  } finally {
    await pool.end()
  }
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { db, log } = options
  const pool = openForeignPool({
    url: options.url,
    connectionsMax: options.concurrency + 2,
    name: 'mfuko worker',
    onIdleError: (error) => log.warn({ err: error }, 'an idle connection of the worker broke'),
  })
  const events: WorkerEvents = new EventEmitter()
  const living = trackWorkers(events)
  countJobs(events, options.onJob)
  const runner = await run({
    pgPool: pool,
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 1_000,
    events,
    logger: logTo(log),
    // Every process may schedule it: the queue itself sees to it that each minute's run exists once.
    crontab: '* * * * * rescue',
    taskList: { ...taskList(options.tasks), rescue: () => rescue(db, log) },
  })
  const stopBeating = keepBeating(db, { living, log })
  return {
    stop: async () => {
      await runner.stop()
      await stopBeating()
      await pool.end()
    },
  }
}

const taskList = (tasks: Record<string, Task>) =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload: unknown, helpers: { abortSignal?: AbortSignal; job: { attempts: number } }) =>
        task(payload, { signal: helpers.abortSignal, attempt: helpers.job.attempts }),
    ]),
  )

/** Gives back the jobs of workers whose process is gone. */
export async function rescue(db: Db, log: Log): Promise<void> {
  const silent = await db.inTransaction(async (tx) => {
    const workers = (await sql.silentWorkers(tx, silentSeconds)).map((row) => row.worker)
    if (workers.length > 0) await sql.giveBackJobs(tx, workers)
    await sql.forgetSilent(tx, 10 * silentSeconds)
    return workers
  })
  if (silent.length > 0) log.warn({ workers: silent.length }, 'gave back the jobs of workers that are gone')
}

function trackWorkers(events: WorkerEvents): Set<string> {
  const living = new Set<string>()
  events.on('worker:create', ({ worker }) => living.add(worker.workerId))
  events.on('worker:stop', ({ worker }) => living.delete(worker.workerId))
  return living
}

function countJobs(events: WorkerEvents, onJob: WorkerOptions['onJob']): void {
  const started = new Map<unknown, number>()
  events.on('job:start', ({ job }) => started.set(job.id, performance.now()))
  events.on('job:complete', ({ job, error }) => {
    const seconds = (performance.now() - (started.get(job.id) ?? performance.now())) / 1_000
    started.delete(job.id)
    onJob?.({ task: job.task_identifier, ok: error == null, seconds })
  })
}

function keepBeating(db: Db, { living, log }: { living: Set<string>; log: Log }) {
  const seen = new Set<string>()
  const beat = async () => {
    for (const worker of living) seen.add(worker)
    try {
      await sql.beat(db, [...living])
    } catch (error) {
      // The next beat comes in ten seconds; three missed ones are noticed by the others.
      log.warn({ err: error }, 'could not leave a beat')
    }
  }
  let latest = beat()
  const timer = setInterval(() => {
    latest = beat()
  }, beatMs)
  return async () => {
    clearInterval(timer)
    await latest
    await sql.forgetWorkers(db, [...seen]).catch(() => undefined)
  }
}

const quiet = new Logger(() => () => undefined)

/** The queue's own words go to our log; what it calls info is detail to us, and an error is told once, not twice. */
const logTo = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    const words = message.replace(/ with error [\s\S]*/, '')
    if (level === 'error') log.error({ err: meta?.error }, words)
    else if (level === 'warning') log.warn({ err: meta?.error }, words)
    else log.debug({}, words)
  })
