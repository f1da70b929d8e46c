// What is kept of targets that fail.
import type { Queries, Tx } from '../../db/db.ts'
import type { Target } from '../sql.ts'

export interface TargetRow extends Target {
  failing_since: Date | null
  failures: number
  failed_days: number
  broken_at: Date | null
  suspended_at: Date | null
  suspension: 'gone' | 'failing' | null
  warned_at: Date | null
  told_at: Date | null
}

const columns = `t.merchant, t.mode, t.origin, t.failing_since, t.failures, t.failed_days, t.broken_at, t.suspended_at,
  t.suspension, t.warned_at, t.told_at`

const targetColumns = (targets: readonly Target[]) => [
  targets.map(({ merchant }) => merchant),
  targets.map(({ mode }) => mode),
  targets.map(({ origin }) => origin),
]
const targets = 'unnest($1::integer[], $2::text[], $3::text[]) as k (merchant, mode, origin)'
const isTarget = 't.merchant = k.merchant and t.mode = k.mode and t.origin = k.origin'

/** It works again. A suspension ends when the merchant asked for what arrived. */
export const clear = (tx: Tx, worked: readonly (Target & { resumes: boolean })[]) =>
  tx.prepared(
    `update notifications.targets t set failing_since = null, failures = 0, failed_on = null, failed_days = 0,
       broken_at = null, probe_at = null,
       suspended_at = case when k.resumes then null else t.suspended_at end,
       suspension = case when k.resumes then null else t.suspension end,
       told_at = case when k.resumes then null else t.told_at end
     from unnest($1::integer[], $2::text[], $3::text[], $4::boolean[]) as k (merchant, mode, origin, resumes)
     where ${isTarget} and (t.failing_since is not null or t.broken_at is not null or (k.resumes and t.suspended_at is not null))`,
    [...targetColumns(worked), worked.map(({ resumes }) => resumes)],
  )

export interface FailedTarget extends Target {
  failures: number
  firstAt: Date
}

/** In one order everywhere, so that two workers can't wait for each other. */
export const countFailures = (tx: Tx, failed: readonly FailedTarget[]) =>
  tx.prepared<TargetRow>(
    `insert into notifications.targets as t (merchant, mode, origin, failing_since, failures, failed_on, failed_days)
     select k.merchant, k.mode, k.origin, k.first_at, k.failures, (k.first_at at time zone 'UTC')::date, 1
     from unnest($1::integer[], $2::text[], $3::text[], $4::timestamptz[], $5::integer[])
       as k (merchant, mode, origin, first_at, failures)
     order by k.merchant, k.mode, k.origin
     on conflict (merchant, mode, origin) do update set
       failing_since = coalesce(t.failing_since, excluded.failing_since),
       failures = t.failures + excluded.failures,
       failed_days = t.failed_days + (case when t.failed_on is distinct from excluded.failed_on then 1 else 0 end),
       failed_on = excluded.failed_on
     returning ${columns}`,
    [...targetColumns(failed), failed.map(({ firstAt }) => firstAt), failed.map(({ failures }) => failures)],
  )

export const breakOff = (tx: Tx, broken: readonly Target[], { now, probeAt }: { now: Date; probeAt: Date }) =>
  tx.prepared<Target>(
    `update notifications.targets t set broken_at = $4, probe_at = $5 from ${targets}
     where ${isTarget} and t.broken_at is null returning t.merchant, t.mode, t.origin`,
    [...targetColumns(broken), now, probeAt],
  )

/** Returns it when it was not suspended before. */
export const suspend = (tx: Tx, target: Target, { now, why }: { now: Date; why: 'gone' | 'failing' }) =>
  tx.row<TargetRow>(
    `update notifications.targets t set suspended_at = $4, suspension = $5, told_at = $4
     where t.merchant = $1 and t.mode = $2 and t.origin = $3 and t.suspended_at is null returning ${columns}`,
    [target.merchant, target.mode, target.origin, now, why],
  )

/** Returns it when this is news: not told yet since it fails, and not for every time that it comes and goes. */
export const warn = (tx: Tx, target: Target, { now, notSince }: { now: Date; notSince: Date }) =>
  tx.row<TargetRow>(
    `update notifications.targets t set warned_at = $4
     where t.merchant = $1 and t.mode = $2 and t.origin = $3 and t.suspended_at is null
       and (t.warned_at is null or t.warned_at < least(t.failing_since, $5))
     returning ${columns}`,
    [target.merchant, target.mode, target.origin, now, notSince],
  )

export const targetsOf = (db: Queries, { merchant, mode }: { merchant: number; mode: string | undefined }) =>
  db.rows<TargetRow>(
    `select ${columns} from notifications.targets t
     where t.merchant = $1 and ($2::text is null or t.mode = $2)
       and (t.failing_since is not null or t.suspended_at is not null)
     order by t.mode, t.origin limit 100`,
    [merchant, mode ?? null],
  )

/** Of all merchants, the longest first. */
export const troubledTargets = (db: Queries) =>
  db.rows<TargetRow>(
    `select ${columns} from notifications.targets t
     where t.failing_since is not null or t.suspended_at is not null
     order by coalesce(t.failing_since, t.suspended_at), t.merchant, t.mode, t.origin limit 100`,
  )

export const resume = (tx: Tx, { merchant, mode, origin }: Target) =>
  tx.row<Target>(
    `update notifications.targets t set suspended_at = null, suspension = null, told_at = null, failing_since = null,
       failures = 0, failed_on = null, failed_days = 0, broken_at = null, probe_at = null
     where t.merchant = $1 and t.mode = $2 and t.origin = $3 and t.suspended_at is not null
     returning t.merchant, t.mode, t.origin`,
    [merchant, mode, origin],
  )

interface Reminding {
  before: Date
  heldSince: Date
  now: Date
  most: number
}

/**
 * Suspended ones whose merchant has heard nothing of that for a week, while there is still something to be sent there.
 * Reading them here counts as telling.
 */
export const remind = (tx: Tx, { before, heldSince, now, most }: Reminding) =>
  tx.rows<TargetRow>(
    `update notifications.targets t set told_at = $3
     where (t.merchant, t.mode, t.origin) in (
       select d.merchant, d.mode, d.origin from notifications.targets d
       where d.suspended_at is not null and d.told_at < $1 and exists (
         select 1 from notifications.events e
         where e.undelivered and e.merchant = d.merchant and e.mode = d.mode and e.origin = d.origin
           and e.status = 'held' and e.at > $2
       )
       order by d.told_at limit $4 for update skip locked
     )
     returning ${columns}`,
    [before, heldSince, now, most],
  )
