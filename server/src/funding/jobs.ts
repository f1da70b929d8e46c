import type { Cron, Task } from '../background/background.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Funding } from './funding.ts'

export interface JobsOptions {
  funding: Pick<Funding, 'returnDue' | 'matchAll'>
  clock: Clock
  log: Log
}

const dayMs = 86_400_000

export function fundingJobs({ funding, clock, log }: JobsOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      return_unmatched: async () => {
        const begun = await funding.returnDue()
        if (begun > 0) log.info({ begun }, 'unmatched money goes back to who paid')
      },
      /** Of the day before its minute, however late it runs, unless an operator asked for another day. */
      match_providers: async (payload) => {
        const { day, _cron } = payload as { day?: unknown; _cron?: { ts: string } }
        const due = _cron === undefined ? clock.now() : new Date(_cron.ts)
        const yesterday = new Date(due.getTime() - dayMs).toISOString().slice(0, 10)
        const reports = await funding.matchAll(typeof day === 'string' ? day : yesterday)
        log.info({ reports: reports.length }, 'compared our books with those of the providers')
      },
    },
    crons: [
      { task: 'return_unmatched', cron: '*/5 * * * *' },
      { task: 'match_providers', cron: '20 3 * * *', fillHours: 20 },
    ],
  }
}
