// One account after the other, each entry of it in order: numbers without gaps, balances that follow from the
// amounts, and the hash chain made again from nothing. Pure: rows go in, findings come out.
// After a wrong row the next one may go on from what the row says or from what it should say, so that one altered
// row is one finding, and not as many as there are entries after it.

import type { Findings } from '../../base/findings.ts'
import { emptyHead, entryHash, postingDigest } from '../chain.ts'
import { chart } from '../chart.ts'
import type { AccountRow, EntryRow } from './sql.ts'

export interface Chain {
  readonly account: AccountRow
  entry(row: EntryRow): void
  /** After its last entry: do its holds add up? */
  end(): void
}

/** Where a chain stands after an entry: as the entry says and, if that is wrong, as it should have been. */
interface Standing {
  seq: bigint
  balance: bigint
  balanceDue: bigint
  hash: string
  hashDue: string
  held: bigint
}

export function openChain(account: AccountRow, findings: Findings): Chain {
  let now: Standing = { seq: 0n, balance: 0n, balanceDue: 0n, hash: emptyHead, hashDue: emptyHead, held: 0n }
  return {
    account,
    entry: (row) => {
      const next = nextStanding(now, row)
      const problems = entryProblems(row, { before: now, after: next })
      if (problems.length > 0) findings.add(`entry ${row.seq} of ${nameOf(account)}`, problems)
      now = next
    },
    end: () => findings.add(nameOf(account), accountProblems(account, now)),
  }
}

/** `account 42 (user usr_x UGX live)` */
export const nameOf = ({ id, kind, owner, currency, mode, stripe }: AccountRow): string =>
  `account ${id} (${kind} ${owner} ${currency} ${mode}${stripe === 0 ? '' : `, stripe ${stripe}`})`

function nextStanding(before: Standing, row: EntryRow): Standing {
  const { seq, amount, balance_after: balance, hash } = row
  const balanceDue = before.balance + amount
  const otherBalance = before.balanceDue + amount
  const hashDue = hashOf(before.hash, row)
  return {
    seq,
    balance,
    balanceDue: balance === otherBalance ? otherBalance : balanceDue,
    hash,
    hashDue: hashDue === hash ? hashDue : hashOf(before.hashDue, row),
    held: row.held_after,
  }
}

function hashOf(before: string, row: EntryRow): string {
  if (row.kind === null || row.details === null || row.created_us === null) return emptyHead
  const digest = postingDigest({
    id: row.posting_id,
    kind: row.kind,
    details: row.details,
    createdAtMs: Number(row.created_us / 1_000n),
  })
  const { account_id: accountId, seq, amount, balance_after: balanceAfter, held_after: heldAfter } = row
  return entryHash(before, digest, { accountId, seq, amount, balanceAfter, heldAfter })
}

interface Step {
  before: Standing
  after: Standing
}

function entryProblems(row: EntryRow, { before, after }: Step): string[] {
  const problems: string[] = []
  const whole = row.seq === before.seq + 1n
  if (!whole) problems.push(gapBetween(before.seq, row.seq))
  if (row.kind === null) problems.push(`its posting ${row.posting_id} does not exist`)
  else if (!row.named) problems.push(`its posting ${row.posting_id} does not name it`)
  if (whole && after.balance !== after.balanceDue) {
    problems.push(
      `its balance after is ${after.balance}, but ${before.balance} and ${row.amount} make ${after.balanceDue}`,
    )
  }
  if (row.account_id > 0n && after.balance < after.held) {
    problems.push(`its balance after is ${after.balance}, less than the ${after.held} held`)
  }
  if (row.kind === null) return problems
  // The chain counts milliseconds, and nothing finer is ever written.
  if (row.created_us === null || row.created_us % 1_000n !== 0n) {
    problems.push(`the time of its posting ${row.posting_id} was altered`)
  } else if (whole && after.hash !== after.hashDue) {
    problems.push(`its hash does not fit: the entry, its hash or its posting ${row.posting_id} was altered`)
  }
  return problems
}

function gapBetween(before: bigint, seq: bigint): string {
  if (seq <= before) return 'its number is below 1'
  const [first, last] = [before + 1n, seq - 1n]
  return first === last
    ? `entry ${first} is missing before it`
    : `entries ${first} to ${last} are missing before it`
}

function accountProblems(account: AccountRow, now: Standing): string[] {
  const problems: string[] = []
  const { id, kind, open_holds } = account
  if (now.held !== BigInt(open_holds)) {
    problems.push(`it holds ${now.held}, but its open holds make ${open_holds}`)
  }
  const known = Object.entries(chart).find(([name]) => name === kind)?.[1]
  if (known !== undefined && id < 0n !== known.mayOwe) {
    problems.push(`its number is ${id}, but only accounts that may owe have negative ones`)
  }
  return problems
}
