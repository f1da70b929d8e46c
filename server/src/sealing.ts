// All that is sealed in the database, and the nightly job that seals anew what a key has sealed that was replaced: one night
// after SECRET_ENC=new,old the old one is needed by nothing that is stored.
import type { Cron, Task } from './background/background.ts'
import type { Log } from './base/log.ts'
import { openSeal, type SealedColumn } from './base/seal.ts'
import type { Secret } from './base/secret.ts'
import { type Db, sealAnew } from './db/db.ts'
import * as mail from './mail/mail.ts'
import * as merchants from './merchants/merchants.ts'
import * as operators from './operators/operators.ts'

export const sealedColumns: readonly SealedColumn[] = [
  mail.codeContents,
  merchants.clientSecrets,
  merchants.shownAnswers,
  merchants.shownKeys,
  operators.factorSeeds,
]

const namedMost = 20
const cannotOpen =
  'some rows can not be opened with any value of SECRET_ENC: set the one they were sealed with beside the present one'

export interface SealingOptions {
  db: Db
  log: Log
  secrets: { readonly enc: Secret }
}

export function sealingJobs({ db, log, secrets }: SealingOptions): {
  tasks: Record<string, Task>
  crons: Cron[]
} {
  return {
    tasks: {
      seal_anew: async () => {
        const seal = openSeal(secrets.enc)
        for (const column of sealedColumns) {
          const { table } = column
          const { sealed, closed } = await sealAnew(db, column, seal)
          if (sealed > 0) log.info({ table, sealed }, 'sealed anew with the present key')
          if (closed.length > 0)
            log.error({ table, rows: closed.slice(0, namedMost), count: closed.length }, cannotOpen)
        }
      },
    },
    crons: [{ task: 'seal_anew', cron: '51 1 * * *', fillHours: 20 }],
  }
}
