// What the kinds of damage share: their form, and the rows that several of them touch.
import { testSecrets } from '../../server/test/helpers.ts'
import type { CheckOptions } from '../check/check.ts'
import type { JournalEntry, ReceiverEntry } from '../check/journal.ts'
import { writeReference } from '../check/keys.ts'

export interface Damage {
  name: string
  sql?: string
  journal?: (entries: JournalEntry[]) => JournalEntry[]
  receivers?: (entries: ReceiverEntry[]) => ReceiverEntry[]
  options?: Partial<CheckOptions>
  finds: RegExp
}

export const rows = (sql: string, finds: RegExp, name: string): Damage => ({ name, sql, finds })

/** Amina's wallet in shillings; its second entry is followed by others. */
export const wallet = `(select a.id from ledger.accounts a join users.people u on u.id = a.owner
  where u.handle = 'amina' and a.kind = 'user' and a.currency = 'UGX')`
export const second = `account_id = ${wallet} and seq = 2`
export const latest = `account_id = ${wallet} and seq = (select max(seq) from ledger.entries where account_id = ${wallet})`
export const rent = `(select id from ledger.postings where details ->> 'note' = 'Rent')`

/** Of a transfer that never was. */
export const stranger = writeReference(testSecrets.idem.reveal().toString('base64'), {
  kind: 'TR',
  id: 999_999n,
})
