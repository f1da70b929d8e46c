import type { Cron, Task } from '../background/background.ts'
import type { Log } from '../base/log.ts'
import type { Campaigns } from './campaigns.ts'

export interface JobsOptions {
  campaigns: Pick<Campaigns, 'endDue' | 'returnMoney' | 'returnDue' | 'sweep'>
  log: Log
}

export function campaignJobs({ campaigns, log }: JobsOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      end_campaigns: async () => {
        const ended = await campaigns.endDue()
        if (ended > 0) log.info({ ended }, 'campaigns have ended')
      },
      return_campaign: async (payload, { signal }) => {
        const { id } = payload as { id: string }
        const contributions = await campaigns.returnMoney({ id, signal })
        log.info({ campaign: id, contributions }, 'the money of a campaign goes back')
      },
      // What a provider has given back since, and what a process that died has left.
      return_campaigns: async (_payload, { signal }) => {
        await campaigns.returnDue(signal)
      },
      sweep_campaigns: async () => {
        await campaigns.sweep()
      },
    },
    crons: [
      { task: 'end_campaigns', cron: '* * * * *' },
      { task: 'return_campaigns', cron: '*/5 * * * *' },
      { task: 'sweep_campaigns', cron: '53 3 * * *', fillHours: 20 },
    ],
  }
}
