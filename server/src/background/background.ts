// Work that happens after the answer. A job is added in the caller's transaction, so it exists exactly when the
// change it belongs to does, and it runs at least once: a task must be safe to run again.
// A worker that dies keeps its jobs locked. So each one leaves a mark (a beat) every few seconds, and what a
// silent one held is given back by the others: some fifteen seconds after its death they run again. A claim whose answer
// got lost is given back by the one in whose name it was made.
import { Logger, runMigrations, type WorkerEvents } from 'graphile-worker'
import type { Log } from '../base/log.ts'
import { type Db, openDb, openForeignPool, type Queries, type Tx } from '../db/db.ts'
import { beginRun, keepRunning, type Pools, trackPools } from './runs.ts'
import * as sql from './sql.ts'

export interface Job {
  task: string
  payload: object
  /** Jobs of one queue run one after another. */
  queue?: string
  /** Not before so many milliseconds have passed, by the clock of the database. */
  afterMs?: number
  attemptsMax?: number
  /** Comes after all that waits and is not patient: what a slow server elsewhere holds up must not hold up the rest. */
  patient?: boolean
  /** A job of the same key that still waits is replaced. */
  key?: string
}

/** Runs with the payload the job was added with. `signal` fires when the process must stop soon. */
export type Task = (
  payload: unknown,
  context: { signal: AbortSignal | undefined; attempt: number },
) => Promise<void>

/** A task to be run again and again, at the minutes of a crontab line: `17 2 * * *` is every night at 02:17 UTC. */
export interface Cron {
  task: string
  cron: string
  /** Made up for when no worker was there at its minute, up to so many hours later. */
  fillHours?: number
}

export interface WorkerOptions {
  url: string
  concurrency: number
  tasks: Record<string, Task>
  crons?: readonly Cron[]
  log: Log
  onJob?: (job: { task: string; ok: boolean; seconds: number }) => void
}

export interface Worker {
  /** Claims nothing new, lets running jobs finish for a while, and gives back what is left. */
  stop(): Promise<void>
}

const beatMs = 2_500
const silentSeconds = 10
/** Looking for the silent reads the whole queue, so not with every beat. */
const beatsToRescue = 2
/** Nobody waits for it: when everything starts at once on a busy machine, it is late, and nothing is wrong. */
const connectMs = 10_000

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
  const { log, url } = options
  const onIdleError = (error: Error) => log.warn({ err: error }, 'an idle connection of the worker broke')
  const name = 'mfuko worker'
  const opening = { url, name, connectMs, onIdleError }
  const pool = openForeignPool({ ...opening, connectionsMax: options.concurrency + 2 })
  // Beats wait neither for jobs nor for the API: who is busy must not seem dead.
  const db = openDb({ ...opening, connectionsMax: 2 })
  const pools = trackPools()
  const watch = (events: WorkerEvents) => {
    pools.watch(events)
    countJobs(events, options.onJob)
  }
  const begin = () =>
    beginRun(
      {
        pgPool: pool,
        concurrency: options.concurrency,
        noHandleSignals: true,
        pollInterval: 1_000,
        logger: logTo(log),
        // Every process may schedule them: the queue itself sees to it that each minute's run exists once.
        crontab: (options.crons ?? []).map(lineOf).join('\n'),
        taskList: taskList(options.tasks),
      },
      { watch },
    )
  const beats = keepBeating(db, { pools, log })
  const close = async () => {
    await beats.stop()
    await Promise.all([pool.end(), db.close()])
  }
  const stopRunning = await keepRunning(async () => {
    const begun = await begin()
    beats.now()
    return begun
  }, log).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    stop: async () => {
      await stopRunning()
      await pools.idle()
      await close()
    },
  }
}

const lineOf = ({ cron, task, fillHours }: Cron): string =>
  `${cron} ${task}${fillHours === undefined ? '' : ` ?fill=${fillHours}h`}`

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
    // By a process whose clock was ahead: until then nothing would be scheduled any more.
    await sql.forgetFuture(tx)
    return workers
  })
  if (silent.length > 0) log.warn({ workers: silent.length }, 'gave back the jobs of workers that are gone')
}

/**
 * Gives back jobs that are locked in the name of this process, which has not begun them: the answer to its claim got lost.
 * `before` are those that looked like this at the last time. Only they count, since a job that has just ended is told to
 * the database a moment later.
 */
async function giveBackLost(
  db: Db,
  { pools, before, log }: { pools: Pools; before: ReadonlySet<string>; log: Log },
): Promise<Set<string>> {
  return db.inTransaction(async (tx) => {
    const locked = await sql.lockedJobs(tx, pools.living(), silentSeconds)
    const unknown = locked.filter(({ id, worker }) => !pools.works(worker, id))
    const lost = unknown.filter(({ id }) => before.has(id))
    for (const job of lost) await sql.giveBackJob(tx, job)
    if (lost.length > 0) log.warn({ jobs: lost.length }, 'gave back jobs whose claim got lost')
    return new Set(unknown.map(({ id }) => id))
  })
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

function keepBeating(db: Db, { pools, log }: { pools: Pools; log: Log }) {
  let steadySince = performance.now()
  let count = 0
  let lost: ReadonlySet<string> = new Set()
  const beat = async () => {
    const begun = performance.now()
    try {
      await sql.beat(db, pools.living())
      await leave(db, pools)
      // While the database was away or slow nobody has beaten for a while, and all are still alive.
      const now = performance.now()
      if (now - begun > beatMs) steadySince = now
      const isSteady = now - steadySince > silentSeconds * 1_000
      if (!isSteady || ++count % beatsToRescue !== 0) return
      await rescue(db, log)
      lost = await giveBackLost(db, { pools, before: lost, log })
    } catch (error) {
      steadySince = performance.now()
      // The next beat comes in seconds; four missed ones are noticed by the others.
      log.warn({ err: error }, 'could not leave a beat')
    }
  }
  let latest: Promise<void> = Promise.resolve()
  const now = () => {
    latest = latest.then(beat)
  }
  const timer = setInterval(now, beatMs)
  return {
    now,
    stop: async () => {
      clearInterval(timer)
      await latest
      await leave(db, pools).catch(() => undefined)
    },
  }
}

/** What a pool could not finish before it ended is given back by itself, without waiting for the rescue. */
async function leave(db: Db, pools: Pools): Promise<void> {
  const gone = pools.gone()
  if (gone.length === 0) return
  await db.inTransaction(async (tx) => {
    await sql.giveBackJobs(tx, gone)
    await sql.forgetWorkers(tx, gone)
  })
  pools.forget(gone)
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
