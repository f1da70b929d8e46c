import type { Cron, Task } from '../background/background.ts'
import { check } from '../base/check.ts'
import { openSeal } from '../base/seal.ts'
import type { Secret } from '../base/secret.ts'
import type { Config } from '../config.ts'
import { type Delivery, deliver } from './deliver.ts'
import { sendTask, wipeCodes } from './mail.ts'
import { openSender } from './send.ts'

export interface JobsOptions extends Omit<Delivery, 'sender' | 'seal' | 'config'> {
  secrets: { readonly enc: Secret }
  config: Delivery['config'] & Pick<Config, 'SMTP_URL'>
}

export function mailJobs(options: JobsOptions): { tasks: Record<string, Task>; crons: Cron[] } {
  const { db, clock, log, config, baseUrl } = options
  const { SMTP_URL: url, production } = config
  const seal = openSeal(options.secrets.enc)
  const sender = url === undefined ? undefined : openSender({ url, production })
  return {
    tasks: {
      [sendTask]: (payload) => deliver({ db, clock, log, config, baseUrl, seal, sender }, idOf(payload)),
      wipe_mails: async () => {
        const wiped = await wipeCodes(db, { now: clock.now() })
        if (wiped > 0) log.debug({ wiped }, 'wiped mails whose codes have expired')
      },
    },
    crons: [{ task: 'wipe_mails', cron: '11 * * * *' }],
  }
}

function idOf(payload: unknown): string {
  const { id } = payload as { id?: unknown }
  check(typeof id === 'string', 'a job that sends a mail names it')
  return id
}
