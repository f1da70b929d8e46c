import type { Queries } from '../db/db.ts'

export interface DatabaseState {
  standby: boolean
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  superuser: boolean
}

export const databaseState = (db: Queries) =>
  db.row<DatabaseState>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as standby,
            current_setting('fsync') as fsync,
            current_setting('full_page_writes') as full_page_writes,
            current_setting('synchronous_commit') as synchronous_commit,
            current_setting('is_superuser') = 'on' as superuser`,
  )
