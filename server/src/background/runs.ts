// Runs of the queue's library, one after another. The library ends a run by itself when it can't tell the database
// that a job is done; then the next run takes over, while jobs that the old one began may finish. A run whose first look
// for jobs fails is ended by us: the library keeps that failure, and would never find a job. And so is one when somebody
// sets the clock of the machine back: its schedule would be silent until the time that it has seen comes again.
// Jobs are locked in the name of a run's pool, so pools are what leaves beats.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunnerOptions, WorkerEvents } from 'graphile-worker'
import { run } from 'graphile-worker'
import { systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

export interface Run {
  /** Settles when it claims nothing more, whoever wanted that: with why, if it was not by itself. */
  ended: Promise<string | undefined>
  /** Settles when its jobs have finished. */
  stop(): Promise<void>
}

const restartMs = 500
const restartMsMax = 10_000

export async function beginRun(
  options: RunnerOptions,
  { watch }: { watch: (events: WorkerEvents) => void },
): Promise<Run> {
  const events: WorkerEvents = new EventEmitter()
  watch(events)
  const happened = (name: 'pool:gracefulShutdown' | 'pool:release') =>
    new Promise<void>((resolve) => events.once(name, () => resolve()))
  let why: string | undefined
  const ended = happened('pool:gracefulShutdown').then(() => why)
  const released = happened('pool:release')
  const runner = await run({
    ...options,
    events,
    // Without batches the library doesn't look at what becomes of "this job is done", and a database that is away at
    // that moment would end the process. With them it ends the run.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
  // What went wrong is in the log already.
  runner.promise.catch(() => undefined)
  const end = () => void runner.stop().catch(() => undefined)
  onDeaf(events, end)
  const watching = onSetBack(() => {
    why = 'the clock of the machine was set back'
    end()
  })
  events.once('pool:gracefulShutdown', watching.stop)
  return {
    ended,
    stop: async () => {
      // One that has ended by itself refuses to be stopped. Its schedule may sleep for a minute before it ends, so it
      // is not waited for.
      runner.stop().catch(() => undefined)
      await released
    },
  }
}

/** It could not look for jobs, and never has been able to. What fails later is only tried again. */
function onDeaf(events: WorkerEvents, act: () => void): void {
  const heard = () => void events.off('worker:getJob:error', act)
  events.once('worker:getJob:error', act)
  events.once('worker:getJob:empty', heard)
  events.once('job:start', heard)
}

const watchMs = 1_000
/** Less is made up for in time. */
const backMs = 30_000

/** When the clock of the machine has gone back against the one that nobody can set. Once. */
function onSetBack(act: () => void): { stop(): void } {
  const ahead = () => systemClock.now().getTime() - performance.now()
  let most = ahead()
  const timer = setInterval(() => {
    most = Math.max(most, ahead())
    if (most - ahead() < backMs) return
    clearInterval(timer)
    act()
  }, watchMs)
  return { stop: () => clearInterval(timer) }
}

/** Begins a run, and another one whenever it ends by itself; with pauses, for as long as nobody stops it. */
export async function keepRunning(begin: () => Promise<Run>, log: Log): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  let current: Run | undefined = await begin()

  const beginAgain = async (): Promise<Run | undefined> => {
    for (let tries = 0; ; tries++) {
      const pauseMs = Math.min(restartMs * 2 ** tries, restartMsMax)
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
      try {
        return await begin()
      } catch (error) {
        log.warn({ err: error }, 'the worker could not start again; the next try comes soon')
      }
    }
  }
  const keep = async () => {
    while (current !== undefined) {
      const why = await Promise.race([current.ended, stopped])
      if (signal.aborted) return
      if (why === undefined) log.error({}, 'the worker ended by itself; starting it again')
      else log.warn({ why }, 'the worker starts again')
      void current.stop()
      current = await beginAgain()
    }
  }
  const keeping = keep()
  return async () => {
    stopping.abort()
    await keeping
    await current?.stop()
  }
}

export interface Pools {
  watch(events: WorkerEvents): void
  /** Those that claim jobs, or have some running. */
  living(): string[]
  /** Has this pool begun the job, and not ended it? */
  works(pool: string, job: string): boolean
  /** Those that do nothing any more, until they are forgotten. */
  gone(): string[]
  forget(pools: string[]): void
  /** Settles when no job is running. */
  idle(): Promise<void>
}

interface Pool {
  state: 'claiming' | 'finishing' | 'gone'
  jobs: Set<string>
}

export function trackPools(): Pools {
  const pools = new Map<string, Pool>()
  const jobDone = new EventEmitter()
  const isGone = ({ state, jobs }: Pool) => state === 'gone' || (state === 'finishing' && jobs.size === 0)
  const named = (wanted: (pool: Pool) => boolean) =>
    [...pools].filter(([, pool]) => wanted(pool)).map(([id]) => id)
  const become = (id: string, state: Pool['state']) => {
    const pool = pools.get(id)
    if (pool !== undefined) pool.state = state
  }
  return {
    watch: (events) => {
      events.on('pool:create', ({ workerPool }) =>
        pools.set(workerPool.id, { state: 'claiming', jobs: new Set() }),
      )
      events.on('pool:gracefulShutdown', ({ workerPool }) => become(workerPool.id, 'finishing'))
      events.on('pool:release', ({ workerPool }) => become(workerPool.id, 'gone'))
      events.on('job:start', ({ worker, job }) => pools.get(worker.workerPool.id)?.jobs.add(job.id))
      events.on('job:complete', ({ worker, job }) => {
        pools.get(worker.workerPool.id)?.jobs.delete(job.id)
        jobDone.emit('done')
      })
    },
    living: () => named((pool) => !isGone(pool)),
    works: (id, job) => pools.get(id)?.jobs.has(job) === true,
    gone: () => named(isGone),
    forget: (ids) => {
      for (const id of ids) pools.delete(id)
    },
    idle: async () => {
      while ([...pools.values()].some((pool) => !isGone(pool) && pool.jobs.size > 0)) {
        await new Promise((resolve) => jobDone.once('done', resolve))
      }
    },
  }
}
