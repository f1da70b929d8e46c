import type { Cron, Task } from '../background/background.ts'
import type { Log } from '../base/log.ts'
import type { Operations } from './operations.ts'

export interface JobsOptions {
  operations: Pick<Operations, 'sweep'>
  log: Log
}

export function operationsJobs({ operations, log }: JobsOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      sweep_operations: async () => {
        const swept = await operations.sweep()
        if (swept > 0) log.info({ swept }, 'old exchanges with providers were forgotten')
      },
    },
    crons: [{ task: 'sweep_operations', cron: '41 3 * * *', fillHours: 20 }],
  }
}
