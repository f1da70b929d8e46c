// What happens with time: old attempts go, old bodies leave a hash, and merchants are reminded of suspended endpoints.
import type { Cron, Task } from '../background/background.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/db.ts'
import * as sql from './log/sql.ts'
import type { OnTrouble } from './results.ts'
import { remindDays } from './rules.ts'
import * as targetSql from './targets/sql.ts'

export interface JobsOptions {
  db: Db
  clock: Clock
  log: Log
  onTrouble: OnTrouble
}

const dayMs = 86_400_000
const attemptDays = 30
const bodyDays = 90
/** What is held can be asked for: after this time nobody is reminded of it any more. */
const heldDays = 30
const bite = 1_000
/** Fewer: each of them has a mail. */
const remindBite = 100
const bitesMax = 2_000

export function notificationsJobs({ db, clock, log, onTrouble }: JobsOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      prune_notifications: async (_payload, { signal }) => {
        const pruned = await prune(db, { now: clock.now(), signal })
        log.info(pruned, 'pruned old notifications')
      },
      remind_of_endpoints: async (_payload, { signal }) => {
        const now = clock.now()
        const reminded = await inBites(() => remind(db, { now, onTrouble }), { most: remindBite, signal })
        if (reminded > 0) log.info({ reminded }, 'reminded merchants of suspended endpoints')
      },
    },
    crons: [
      { task: 'prune_notifications', cron: '37 3 * * *', fillHours: 20 },
      { task: 'remind_of_endpoints', cron: '7 8 * * *', fillHours: 20 },
    ],
  }
}

async function prune(db: Db, { now, signal }: { now: Date; signal: AbortSignal | undefined }) {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const before = ago(bodyDays)
  const bites = { most: bite, signal }
  const attempts = await inBites(() => sql.pruneAttempts(db, { before: ago(attemptDays), most: bite }), bites)
  const bodies = await inBites(() => sql.pruneBodies(db, { before, most: bite }), bites)
  return { attempts, bodies }
}

/** Until a bite comes back less than full. */
async function inBites(
  take: () => Promise<unknown[]>,
  { most, signal }: { most: number; signal: AbortSignal | undefined },
) {
  let count = 0
  for (let bites = 0; bites < bitesMax; bites++) {
    signal?.throwIfAborted()
    const { length } = await take()
    count += length
    if (length < most) return count
  }
  return count
}

const remind = (db: Db, { now, onTrouble }: { now: Date; onTrouble: OnTrouble }): Promise<unknown[]> =>
  db.inTransaction(async (tx) => {
    const before = new Date(now.getTime() - remindDays * dayMs)
    const heldSince = new Date(now.getTime() - heldDays * dayMs)
    const targets = await targetSql.remind(tx, { before, heldSince, now, most: remindBite })
    for (const { merchant, mode, origin, suspension, suspended_at: since } of targets) {
      const reason = suspension ?? 'failing'
      await onTrouble(tx, {
        kind: 'still_suspended',
        merchant,
        mode,
        origin,
        reason,
        since: since ?? now,
        at: now,
      })
    }
    return targets
  })
