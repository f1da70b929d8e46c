// The read side: balances, and an account's history by keyset on its primary key; a page costs the same however long
// the history is.
import { check } from '../base/check.ts'
import { type Currency, isCurrency } from '../base/money.ts'
import type { Queries } from '../db/db.ts'
import { postingDigest } from './chain.ts'
import { type AccountName, chart } from './chart.ts'
import * as sql from './sql.ts'

export interface Balance extends AccountName {
  balance: bigint
  held: bigint
}

/** One for each name, in their order; an account that was never opened is empty. Stripes are added up. */
export async function balancesOf(db: Queries, names: readonly AccountName[]): Promise<Balance[]> {
  const rows = await sql.readBalances(db, names)
  return names.map((name, index) => {
    const row = rows.find((candidate) => Number(candidate.at) === index + 1)
    return { ...name, balance: row?.balance ?? 0n, held: row?.held ?? 0n }
  })
}

export interface StatementPage {
  account: AccountName
  /** Entries before this sequence number; absent: from the newest on. */
  before?: bigint
  limit: number
}

export interface StatementLine {
  seq: bigint
  amount: bigint
  balanceAfter: bigint
  currency: Currency
  postingId: bigint
  kind: string
  details: object
  createdAt: Date
}

export async function statementOf(
  db: Queries,
  { account, before, limit }: StatementPage,
): Promise<StatementLine[]> {
  // A statement is of one chain; an account of many stripes has many.
  if (chart[account.kind].striped) return []
  const rows = await sql.readStatement(db, { account, before: before ?? null, limit })
  return rows.map((row) => ({
    seq: row.seq,
    amount: row.amount,
    balanceAfter: row.balance_after,
    currency: account.currency,
    postingId: row.posting_id,
    kind: row.kind,
    details: row.details,
    createdAt: row.created_at,
  }))
}

export type AccountOwner = Omit<AccountName, 'currency'>

export interface OwnedAccount {
  currency: Currency
  balance: bigint
  held: bigint
  /** How many entries it has. */
  seq: bigint
  createdAt: Date
}

export async function accountsOf(db: Queries, owner: AccountOwner): Promise<OwnedAccount[]> {
  const rows = await sql.readAccountsOf(db, owner)
  return rows.map(({ currency, balance, held, seq, created_at }) => {
    check(isCurrency(currency), 'an account has a currency of the table')
    return { currency, balance, held, seq, createdAt: created_at }
  })
}

/** A posting with all its sides. */
export interface PostedBefore {
  id: bigint
  kind: string
  details: object
  createdAt: Date
  entries: { account: AccountName; amount: bigint; balanceAfter: bigint }[]
}

export async function postingOf(db: Queries, id: bigint): Promise<PostedBefore | undefined> {
  const rows = await sql.readPosting(db, id)
  const [first] = rows
  if (first === undefined) return undefined
  const { kind, details, created_at: createdAt } = first
  const entries = rows.map(({ account, amount, balance_after }) => ({
    // As the database has it: what it holds was written by this room.
    account: account as AccountName,
    amount,
    balanceAfter: balance_after,
  }))
  return { id, kind, details, createdAt, entries }
}

/** One entry of an account's hash chain, with the posting it belongs to. */
export interface ChainLink {
  accountId: bigint
  seq: bigint
  amount: bigint
  balanceAfter: bigint
  heldAfter: bigint
  hash: string
  /** Of the posting. */
  digest: string
  /** The details are the exact text that was hashed. */
  posting: { id: bigint; kind: string; details: string; createdAt: Date }
}

export interface ChainRead {
  account: AccountName
  /** Entries from this number on, in their order; null: the latest one first. */
  from: bigint | null
  limit: number
}

/** So that an owner can show others, who trust nobody, what is in the account. */
export async function chainOf(db: Queries, read: ChainRead): Promise<ChainLink[]> {
  const rows = chart[read.account.kind].striped ? [] : await sql.readChain(db, read)
  return rows.map((row) => {
    const { posting_id: id, kind, details, created_at: createdAt } = row
    return {
      accountId: row.account_id,
      seq: row.seq,
      amount: row.amount,
      balanceAfter: row.balance_after,
      heldAfter: row.held_after,
      hash: row.hash.toString('hex'),
      digest: postingDigest({ id, kind, details, createdAtMs: createdAt.getTime() }),
      posting: { id, kind, details, createdAt },
    }
  })
}
