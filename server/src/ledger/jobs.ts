import type { Cron, Task } from '../background/background.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/db.ts'
import { checkAndKeep } from './books.ts'
import type { Ledger } from './ledger.ts'

export interface JobsOptions {
  db: Db
  ledger: Ledger
  clock: Clock
  log: Log
  /** To be told to who keeps such things. */
  onChecked: (checked: Checked) => Promise<void>
}

export interface Checked {
  ok: boolean
  accounts: number
  entries: number
  postings: number
  /** How many rows are wrong. */
  wrong: number
}

export function ledgerJobs({ db, ledger, clock, log, onChecked }: JobsOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      check_books: async (_payload, { signal }) => {
        const { problems, sums: _sums, trial: _trial, ...found } = await checkAndKeep(db, { clock, signal })
        // Trying again would find the same, so it is told, not thrown.
        if (found.ok) log.info(found, 'the books are right')
        else log.fatal({ ...found, problems }, 'the books are wrong')
        const { ok, accounts, entries, postings, wrong } = found
        await onChecked({ ok, accounts, entries, postings, wrong })
      },
      sweep_answers: async () => {
        const swept = await ledger.sweep()
        log.debug({ swept }, 'forgot the answers to old requests')
      },
    },
    crons: [
      { task: 'check_books', cron: '17 2 * * *', fillHours: 20 },
      { task: 'sweep_answers', cron: '41 4 * * *', fillHours: 20 },
    ],
  }
}
