import * as background from '../background/background.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Secret } from '../base/secret.ts'
import type { Db } from '../db/db.ts'
import { seal } from './seal.ts'

export interface JobsOptions {
  db: Db
  clock: Clock
  log: Log
  secrets: { audit: Secret }
}

const sealTask = 'seal_audit'
const pauseMs = 5_000

/**
 * Schedules count in minutes, and an event should not wait that long. So each run asks for the next one in a few
 * seconds, under a key: there is never more than one. The schedule begins it, and begins it again should one get lost.
 */
export function auditJobs({ db, clock, log, secrets }: JobsOptions): {
  tasks: Record<string, background.Task>
  crons: background.Cron[]
} {
  return {
    tasks: {
      [sealTask]: async () => {
        const { heads, sealed, refused } = await seal(db, { secret: secrets.audit, clock })
        // The second copy of each head, out of reach for who alters the database.
        for (const { day, signer, events, hash, signature } of heads) {
          log.info(
            { day, signer, events: Number(events), hash, signature },
            'a day of the audit log is closed',
          )
        }
        if (sealed > 0) log.debug({ sealed }, 'sealed events of the audit log')
        // Trying again would find the same, so it is told, and looked at again when the next minute begins.
        if (refused !== undefined) return log.fatal({}, refused)
        await db.inTransaction((tx) =>
          background.add(tx, { task: sealTask, payload: {}, key: sealTask, afterMs: pauseMs }),
        )
      },
    },
    crons: [{ task: sealTask, cron: '* * * * *' }],
  }
}
