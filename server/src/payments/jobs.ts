import type { Cron, Task } from '../background/background.ts'
import type { Log } from '../base/log.ts'
import type { Payments } from './payments.ts'

export interface JobsOptions {
  payments: Pick<Payments, 'expireDue' | 'sweepKeys'>
  log: Log
}

export function paymentJobs({ payments, log }: JobsOptions): { tasks: Record<string, Task>; crons: Cron[] } {
  return {
    tasks: {
      expire_payments: async () => {
        const expired = await payments.expireDue()
        if (expired > 0) log.info({ expired }, 'payments were not made in time')
      },
      sweep_payment_keys: async () => {
        await payments.sweepKeys()
      },
    },
    crons: [
      { task: 'expire_payments', cron: '* * * * *' },
      { task: 'sweep_payment_keys', cron: '47 * * * *' },
    ],
  }
}
