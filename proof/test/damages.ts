import type { CheckOptions } from '../check/check.ts'
import type { JournalEntry, ReceiverEntry } from '../check/journal.ts'

export interface Damage {
  name: string
  sql?: string
  journal?: (entries: JournalEntry[]) => JournalEntry[]
  receivers?: (entries: ReceiverEntry[]) => ReceiverEntry[]
  options?: Partial<CheckOptions>
  finds: RegExp
}
export const damages: Damage[] = []
