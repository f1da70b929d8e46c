import type { Cron, Task } from '../background/background.ts'
import type { Log } from '../base/log.ts'
import { type GroupDependencies, remindDue, settleDue } from './groups.ts'

export interface JobsOptions extends GroupDependencies {
  log: Log
}

export function groupJobs(options: JobsOptions): { tasks: Record<string, Task>; crons: Cron[] } {
  const { log } = options
  return {
    tasks: {
      remind_groups: async () => {
        const reminded = await remindDue(options)
        if (reminded > 0) log.info({ reminded }, 'members were reminded of what is due')
      },
      settle_groups: async () => {
        const settled = await settleDue(options)
        if (settled.paid + settled.expired > 0)
          log.info(settled, 'proposals of groups were paid, or are over')
      },
    },
    crons: [
      { task: 'remind_groups', cron: '*/15 * * * *' },
      { task: 'settle_groups', cron: '* * * * *' },
    ],
  }
}
