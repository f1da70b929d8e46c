// All accounts and all entries, side by side in the order of their keys, in bounded memory.
import { hash, randomBytes } from 'node:crypto'
import { check } from '../../base/check.ts'
import type { Findings } from '../../base/findings.ts'
import { pagesOf } from '../../base/pages.ts'
import type { Tx } from '../../db/db.ts'
import { type Chain, openChain } from './chains.ts'
import * as sql from './sql.ts'

/** What there is of a currency and mode. The sum of all entries is zero. */
export interface BookSum {
  mode: string
  currency: string
  accounts: number
  entries: number
  sum: bigint
}

/** What is in all accounts of a kind: a line of the trial balance. */
export interface TrialLine {
  mode: string
  currency: string
  kind: string
  accounts: number
  balance: bigint
}

export interface Walk {
  accounts: number
  entries: number
  sums: BookSum[]
  trial: TrialLine[]
  /** Zero when every posting balances by itself, in each currency and mode. */
  imbalance: bigint
}

export interface WalkOptions {
  findings: Findings
  signal: AbortSignal | undefined
  onProgress: (entries: number) => void
}

/** The event loop gets a turn between pages: other work of the process waits some milliseconds at most. */
const entriesLimit = 2_000
const accountsLimit = 1_000

export async function walkAccounts(tx: Tx, { findings, signal, onProgress }: WalkOptions): Promise<Walk> {
  const tally = openTally()
  const chains = openChains(tx, { findings, signal, tally })
  const pages = pagesOf({
    read: (after: sql.EntryKey | undefined) => sql.entriesAfter(tx, { after, limit: entriesLimit }),
    keyOf: (row) => row,
    limit: entriesLimit,
    signal,
  })
  for await (const page of pages) {
    for (const row of page) {
      if (chains.at()?.account.id !== row.account_id) await chains.goTo(row.account_id)
      const chain = chains.at()
      if (chain?.account.id === row.account_id) {
        chain.entry(row)
        tally.entry(row)
      } else {
        findings.add(`entry ${row.seq} of account ${row.account_id}`, ['there is no such account'])
        tally.strayEntry()
      }
    }
    onProgress(tally.result.entries)
  }
  await chains.goTo(undefined)
  return tally.result
}

interface Chains {
  /** The first account that is not behind the place we are at. */
  at(): Chain | undefined
  /** Ends the chains of all accounts before this one; all of them, when it is undefined. */
  goTo(id: bigint | undefined): Promise<void>
}

function openChains(
  tx: Tx,
  { findings, signal, tally }: Omit<WalkOptions, 'onProgress'> & { tally: Tally },
): Chains {
  const pages = pagesOf({
    read: (after: bigint | undefined) => sql.accountsAfter(tx, { after, limit: accountsLimit }),
    keyOf: (row) => row.id,
    limit: accountsLimit,
    signal,
  })
  let page: sql.AccountRow[] = []
  let place = 0
  let chain: Chain | undefined
  const advance = async () => {
    chain?.end()
    if (place === page.length) {
      page = (await pages.next()).value ?? []
      place = 0
    }
    const account = page[place]
    place += 1
    chain = account && openChain(account, findings)
    if (account !== undefined) tally.account(account)
  }
  let begun = false
  return {
    at: () => chain,
    goTo: async (id) => {
      if (!begun) await advance()
      begun = true
      while (chain !== undefined && (id === undefined || chain.account.id < id)) await advance()
    },
  }
}

interface Tally {
  readonly result: Walk
  /** The entries that follow are of this account. */
  account(account: sql.AccountRow): void
  entry(row: sql.EntryRow): void
  /** Of no account: it counts, and adds up with nothing. */
  strayEntry(): void
}

/**
 * That each posting balances can't be seen while walking by account, and remembering every posting would need memory
 * without bound. So each amount is multiplied by a random number that belongs to its posting, currency and mode, and
 * everything is added up: zero, if each posting sums to zero; if one doesn't, zero with a chance of 1 in 2^64.
 */
function openTally(): Tally {
  const result: Walk = { accounts: 0, entries: 0, sums: [], trial: [], imbalance: 0n }
  const sums = new Map<string, BookSum>()
  const lines = new Map<string, TrialLine>()
  let current: BookSum | undefined
  let line: TrialLine | undefined
  // A fresh key each time, so that nobody can make postings that only seem to balance.
  const key = randomBytes(32).toString('hex')
  let seed = key
  const sumOf = ({ mode, currency }: sql.AccountRow): BookSum => {
    const known = sums.get(`${mode} ${currency}`)
    if (known !== undefined) return known
    const fresh = { mode, currency, accounts: 0, entries: 0, sum: 0n }
    sums.set(`${mode} ${currency}`, fresh)
    result.sums.push(fresh)
    return fresh
  }
  const lineOf = ({ mode, currency, kind }: sql.AccountRow): TrialLine => {
    const known = lines.get(`${mode} ${currency} ${kind}`)
    if (known !== undefined) return known
    const fresh = { mode, currency, kind, accounts: 0, balance: 0n }
    lines.set(`${mode} ${currency} ${kind}`, fresh)
    result.trial.push(fresh)
    return fresh
  }
  return {
    result,
    account: (account) => {
      line = lineOf(account)
      line.accounts += 1
      current = sumOf(account)
      current.accounts += 1
      result.accounts += 1
      seed = `${key} ${account.mode} ${account.currency}`
    },
    entry: ({ posting_id, amount }) => {
      result.entries += 1
      const weight = hash('sha256', `${seed} ${posting_id}`, 'hex').slice(0, 16)
      result.imbalance += amount * BigInt(`0x${weight}`)
      check(current !== undefined && line !== undefined, 'an entry that is added up belongs to an account')
      current.entries += 1
      current.sum += amount
      line.balance += amount
    },
    strayEntry: () => {
      result.entries += 1
    },
  }
}
