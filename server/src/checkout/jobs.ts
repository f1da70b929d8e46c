import type { Cron, Task } from '../background/background.ts'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../db/db.ts'
import * as sql from './sql.ts'

const sweptMost = 1_000
const bitesMax = 1_000
/** A checkout lives for an hour at most, and shows what became of it for a day. */
const keptMs = 3 * 86_400_000

export function checkoutJobs({ db, clock }: { db: Db; clock: Clock }): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      sweep_checkout: async () => {
        const before = new Date(clock.now().getTime() - keptMs)
        for (let bites = 0; bites < bitesMax; bites++) {
          const { length } = await sql.sweepLogins(db, { before, most: sweptMost })
          if (length < sweptMost) return
        }
      },
    },
    crons: [{ task: 'sweep_checkout', cron: '41 3 * * *', fillHours: 20 }],
  }
}
