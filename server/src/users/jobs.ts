import type { Cron, Task } from '../background/background.ts'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/db.ts'
import { resetCodeTask } from './codes.ts'
import * as sql from './sessions/sql.ts'
import type { LoginName, Users } from './users.ts'

export interface JobsOptions {
  db: Db
  clock: Clock
  log: Log
  users: Pick<Users, 'mailResetCode'>
}

const sweptMost = 1_000
const bitesMax = 1_000

export function usersJobs({ db, clock, log, users }: JobsOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      [resetCodeTask]: (payload) => users.mailResetCode(nameIn(payload)),
      sweep_users: async () => {
        const swept = await sweep(db, clock.now())
        log.debug(swept, 'swept what is over: sessions, codes, counts of failures')
      },
    },
    crons: [{ task: 'sweep_users', cron: '23 * * * *' }],
  }
}

async function sweep(db: Db, now: Date): Promise<Record<string, number>> {
  const swept: Record<string, number> = {}
  for (const what of sql.swept) {
    swept[what] = 0
    for (let bites = 0; bites < bitesMax; bites++) {
      const { length } = await sql.sweep(db, { what, now, most: sweptMost })
      swept[what] += length
      if (length < sweptMost) break
    }
  }
  return swept
}

function nameIn(payload: unknown): LoginName {
  check(typeof payload === 'object' && payload !== null, 'a job that mails a code says to whom')
  return payload
}
