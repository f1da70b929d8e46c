import type { Cron, Task } from '../background/background.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/db.ts'
import * as sql from './jobs/sql.ts'

export interface JobsOptions {
  db: Db
  clock: Clock
  log: Log
}

const sweptMost = 1_000
const bitesMax = 1_000

export function merchantJobs({ db, clock, log }: JobsOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  const sweepAll = async (whats: readonly sql.Swept[]) => {
    const now = clock.now()
    const swept: Record<string, number> = {}
    for (const what of whats) swept[what] = await sweep(db, { what, now })
    log.debug(swept, 'swept what is over: shown answers, old keys')
  }
  return {
    tasks: {
      sweep_merchants: () => sweepAll(sql.swept),
      // What showed a secret is wiped soon after it can't be asked for any more.
      wipe_shown_secrets: () => sweepAll(['answersShown', 'keysShown']),
    },
    crons: [
      { task: 'sweep_merchants', cron: '37 * * * *' },
      { task: 'wipe_shown_secrets', cron: '*/5 * * * *' },
    ],
  }
}

async function sweep(db: Db, { what, now }: { what: sql.Swept; now: Date }): Promise<number> {
  let swept = 0
  for (let bites = 0; bites < bitesMax; bites++) {
    const { length } = await sql.sweep(db, { what, now, most: sweptMost })
    swept += length
    if (length < sweptMost) break
  }
  return swept
}
