import type { Queries, Tx } from '../db/db.ts'
import type { Job } from './background.ts'

export const addJob = (tx: Tx, job: Job) =>
  tx.row<{ id: bigint }>(
    `select id from graphile_worker.add_job(
       $1::text, payload => $2::json, queue_name => $3::text, run_at => now() + $4::float8 * interval '1 millisecond',
       max_attempts => $5::int, job_key => $6::text, priority => $7::int)`,
    [
      job.task,
      JSON.stringify(job.payload),
      job.queue ?? null,
      job.afterMs ?? null,
      job.attemptsMax ?? null,
      job.key ?? null,
      job.patient ? 1 : 0,
    ],
  )

export const beat = (db: Queries, workers: string[]) =>
  db.rows(
    `insert into background.beats (worker, last_seen_at) select unnest($1::text[]), now()
     on conflict (worker) do update set last_seen_at = excluded.last_seen_at`,
    [workers],
  )

export const forgetWorkers = (db: Queries, workers: string[]) =>
  db.rows('delete from background.beats where worker = any($1::text[])', [workers])

/** Workers that hold jobs and have been silent for so long that their process must be gone. */
export const silentWorkers = (tx: Tx, silentSeconds: number) =>
  tx.rows<{ worker: string }>(
    `select distinct locked_by as worker from graphile_worker.jobs
     where locked_at < now() - make_interval(secs => $1)
       and locked_by not in (select worker from background.beats where last_seen_at > now() - make_interval(secs => $1))`,
    [silentSeconds],
  )

export const giveBackJobs = (tx: Tx, workers: string[]) =>
  tx.rows('select graphile_worker.force_unlock_workers($1::text[])', [workers])

/** In the name of these workers, for longer than that. */
export const lockedJobs = (tx: Tx, workers: string[], seconds: number) =>
  tx.rows<{ id: string; worker: string }>(
    `select id::text, locked_by as worker from graphile_worker.jobs
     where locked_by = any($1::text[]) and locked_at < now() - make_interval(secs => $2)`,
    [workers, seconds],
  )

/** The queue's own function gives back all that a worker has. What was never begun does not count as a try. */
export const giveBackJob = (tx: Tx, { id, worker }: { id: string; worker: string }) =>
  tx.rows(
    `with job as (
       update graphile_worker._private_jobs set locked_at = null, locked_by = null, attempts = greatest(attempts - 1, 0)
       where id = $1::bigint and locked_by = $2 returning job_queue_id
     )
     update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
     from job where q.id = job.job_queue_id and q.locked_by = $2`,
    [id, worker],
  )

/** When scheduled tasks were last added, where that has not come yet. */
export const forgetFuture = (tx: Tx) =>
  tx.rows(
    `update graphile_worker._private_known_crontabs set last_execution = now()
     where last_execution > now() + interval '1 minute'`,
  )

export const forgetSilent = (tx: Tx, silentSeconds: number) =>
  tx.rows('delete from background.beats where last_seen_at < now() - make_interval(secs => $1)', [
    silentSeconds,
  ])

/**
 * How the queue stands, for the metrics, once a scrape and not more often. Of so many jobs at the most: a queue that is
 * longer than that is long enough to be told, and must not seem to be away.
 */
export const queueState = (db: Queries) =>
  db.row<{ waiting: number; failed: number; oldestSeconds: number; workers: number }>(
    `select (count(*) filter (where attempts < max_attempts))::int as waiting,
            (count(*) filter (where attempts >= max_attempts))::int as failed,
            coalesce(extract(epoch from now() - min(run_at) filter
              (where attempts < max_attempts and locked_at is null and run_at < now())), 0)::float8 as "oldestSeconds",
            (select count(*) from background.beats where last_seen_at > now() - interval '1 minute')::int as workers
     from (select attempts, max_attempts, run_at, locked_at from graphile_worker.jobs limit 100000) j`,
  )
