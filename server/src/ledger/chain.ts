// The hash chain of an account: each entry's hash covers the one before it, the entry itself and the posting it
// belongs to. Whoever holds a head can tell whether anything before it was altered. What is hashed is plain text with
// single spaces, so that anybody can verify it with a few lines in any language.
import { hash } from 'node:crypto'

export interface PostingFacts {
  id: bigint
  kind: string
  /** The exact text that is stored. */
  details: string
  createdAtMs: number
}

export interface EntryFacts {
  accountId: bigint
  seq: bigint
  amount: bigint
  balanceAfter: bigint
  heldAfter: bigint
}

const hashBytes = 32
/** The hash before the first entry. Hashes are lower-case hex. */
export const emptyHead = '0'.repeat(2 * hashBytes)

/** SHA-256 of `<id> <time in ms> <kind> <details>`. */
export const postingDigest = ({ id, kind, details, createdAtMs }: PostingFacts): string =>
  hash('sha256', `${id} ${createdAtMs} ${kind} ${details}`, 'hex')

/** SHA-256 of `<hash before> <posting digest> <account> <seq> <amount> <balance after> <held after>`. */
export const entryHash = (before: string, digest: string, entry: EntryFacts): string =>
  hash(
    'sha256',
    `${before} ${digest} ${entry.accountId} ${entry.seq} ${entry.amount} ${entry.balanceAfter} ${entry.heldAfter}`,
    'hex',
  )
