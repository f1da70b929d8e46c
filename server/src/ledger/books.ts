// The check of the books: the whole ledger, read as of one moment while postings go on, in bounded memory. It trusts
// nothing that is stored: sums, balances, sequences, hash chains, floors and holds are all made again from the rows.
// It runs every night, by `npm run books`, and after each test that moved money.
import type { Clock } from '../base/clock.ts'
import { type Findings, openFindings } from '../base/findings.ts'
import type { Db, Queries, Tx } from '../db/db.ts'
import { checkPostings } from './books/postings.ts'
import * as sql from './books/sql.ts'
import { type BookSum, type TrialLine, walkAccounts } from './books/walk.ts'

export type { BookSum, TrialLine } from './books/walk.ts'

export interface BooksResult {
  ok: boolean
  accounts: number
  entries: number
  postings: number
  sums: BookSum[]
  /** What is in all accounts of a kind. */
  trial: TrialLine[]
  /** The first ones, each with the row it is about. */
  problems: string[]
  /** How many rows are wrong. */
  wrong: number
  seconds: number
}

export interface BooksOptions {
  /** Called after each page of some thousand entries. `of` is about how many there are. */
  onProgress?: (progress: { entries: number; of: number }) => void
  signal?: AbortSignal | undefined
}

export async function checkBooks(db: Db, { onProgress, signal }: BooksOptions = {}): Promise<BooksResult> {
  const startedAt = performance.now()
  const findings = openFindings()
  const counts = await db.inSnapshot(async (tx) => {
    await sql.lookUpByKey(tx)
    const earlier = await sql.fullestCheck(tx)
    const expected = await sql.expectedEntries(tx)
    const about = expected?.entries ?? 0
    const walk = await walkAccounts(tx, {
      findings,
      signal,
      onProgress: (entries) => onProgress?.({ entries, of: Math.max(about, entries) }),
    })
    checkSums(walk.sums, findings)
    const postings = await checkPostings(tx, { walk, findings, signal })
    await checkHolds(tx, { findings, signal })
    checkNothingGone(findings, { earlier, entries: walk.entries, postings })
    return { accounts: walk.accounts, entries: walk.entries, postings, sums: walk.sums, trial: walk.trial }
  })
  return {
    ok: findings.count() === 0,
    ...counts,
    problems: [...findings.problems],
    wrong: findings.count(),
    seconds: (performance.now() - startedAt) / 1_000,
  }
}

function checkSums(sums: readonly BookSum[], findings: Findings): void {
  for (const { mode, currency, sum } of sums) {
    if (sum !== 0n) findings.add(`${mode} ${currency}`, [`all entries sum to ${sum}, not to 0`])
  }
}

/** Whoever removes a posting with all its entries, the latest of their accounts, leaves no gap; but there were more. */
function checkNothingGone(
  findings: Findings,
  counted: { earlier: sql.RightCheck | undefined; entries: number; postings: number },
): void {
  const { earlier } = counted
  if (earlier === undefined) return
  for (const what of ['entries', 'postings'] as const) {
    if (BigInt(counted[what]) >= earlier[what]) continue
    findings.add(`the ${what}`, [
      `there are ${counted[what]}, but the check at ${earlier.started_at.toISOString()} counted ${earlier[what]}`,
    ])
  }
}

const holdsLimit = 20_000

/** Each is on an account that exists; that they add up to what the account holds was seen there. */
async function checkHolds(
  tx: Tx,
  { findings, signal }: { findings: Findings; signal: AbortSignal | undefined },
) {
  let after: bigint | undefined
  do {
    signal?.throwIfAborted()
    const page: sql.HoldsPage | undefined = await sql.holdsAfter(tx, { after, limit: holdsLimit })
    for (const id of page?.lost ?? []) findings.add(`hold ${id}`, ['its account does not exist'])
    after = page?.last ?? undefined
  } while (after !== undefined)
}

/** Is there a ledger in this database? */
export const hasBooks = async (db: Queries): Promise<boolean> => (await sql.hasBooks(db))?.there === true

/** Checks, and keeps what it found: the latest result decides whether the service is ready. */
export async function checkAndKeep(
  db: Db,
  { clock, ...options }: BooksOptions & { clock: Clock },
): Promise<BooksResult> {
  const startedAt = clock.now()
  const result = await checkBooks(db, options)
  // The books of a copy that can only be read may be checked too.
  if ((await sql.takesWrites(db))?.yes) await sql.keepCheck(db, { ...result, startedAt })
  return result
}

export interface KeptCheck {
  startedAt: Date
  seconds: number
  ok: boolean
  accounts: bigint
  entries: bigint
  postings: bigint
  problems: string[]
  trial: TrialLine[]
}

/** What the latest check found, with the trial balance as it was then. */
export async function latestCheck(db: Queries): Promise<KeptCheck | undefined> {
  const row = await sql.latestKept(db)
  if (row === undefined) return undefined
  const { started_at: startedAt, balances, ...kept } = row
  return { ...kept, startedAt, trial: balances.map((line) => ({ ...line, balance: BigInt(line.balance) })) }
}

/** Why money should not move: the latest check found the books wrong. Sentences for the private port. */
export async function booksReasons(db: Queries): Promise<string[]> {
  const latest = await sql.latestCheck(db)
  if (latest === undefined || latest.ok) return []
  const found = latest.problems[0] ?? 'something'
  return [
    `The check of the books at ${latest.started_at.toISOString()} found them wrong: ${found}. See all with \`npm run books\`.`,
  ]
}
