// What happened to a person's money: the list with its filters, one with its steps, everything for a file. Read
// straight from the ledger, nothing is kept here; what has not reached the ledger yet, or never will, comes from the
// rooms that know it (`HistorySource`). What must stay true: a page costs the same however long the history is.
import { AppError } from '../base/errors.ts'
import { decodeReference, encodeReference } from '../base/reference.ts'
import type { Secret } from '../base/secret.ts'
import type { Config } from '../config.ts'
import type { Db, Queries } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openHistory } from './history.ts'
import {
  chooserOf,
  type Happening,
  happeningOf,
  type Selection,
  type TransactionStatus,
  typeRows,
} from './rules.ts'
import type { Placed, Places } from './walk.ts'

export type { Happening, Party, Selection, TransactionStatus, TransactionType } from './rules.ts'
export type { Placed, Places } from './walk.ts'

export interface TransactionDeps {
  db: Db
  ledger: Ledger
  config: Pick<Config, 'BRAND_NAME'>
  secrets: { readonly idem: Secret }
  /** Rooms with things that have not moved money, or not yet. */
  historySources?: readonly HistorySource[]
  /** How many lines one request may look at to find those that fit. */
  lookedMost?: number
}

/** Something that belongs into the history and is not in the ledger: what is pending, and what has failed. */
export interface HistorySource {
  /** Small letters: its key in cursors. */
  readonly name: string
  /**
   * The newest first, with numbers (above zero, higher is newer) below `before`. The selection is only a hint: what
   * does not fit is left out by the caller. Fewer than `limit` means that there are no more.
   */
  page(db: Queries, page: SourcePage): Promise<Placed[]>
  /** What the reference names, if it is this person's: a thing by itself, or the posting that came of it. */
  find(db: Queries, asked: { userId: string; reference: string }): Promise<SourceFound | undefined>
}

export interface SourcePage {
  userId: string
  selection: Selection
  before: bigint
  limit: number
}

export type SourceFound = { steps: Step[] } & ({ line: Happening } | { postingId: bigint })

export interface Step {
  status: TransactionStatus
  at: Date
}

export interface Transaction extends Happening {
  reference: string
}

export interface ListAsked {
  userId: string
  selection: Selection
}

const lookedMostUsually = 10_000

/** At most `limit` lines, fewer when it had to look at too many; `next` tells where to go on, if there is more. */
export async function list(
  deps: TransactionDeps,
  { userId, selection, limit, places }: ListAsked & { limit: number; places?: Places | undefined },
): Promise<{ items: Transaction[]; next: Places | undefined }> {
  const named = await findNamed(deps, { userId, selection })
  if (named !== undefined) return { items: named, next: undefined }
  const walk = await openHistory(deps, {
    userId,
    selection,
    places,
    budget: deps.lookedMost ?? lookedMostUsually,
    expected: limit + 1,
  })
  const items: Transaction[] = []
  let ahead = await walk.peek()
  while (typeof ahead === 'object' && items.length < limit) {
    items.push(withReference(deps, ahead))
    walk.take()
    ahead = await walk.peek()
  }
  return { items, next: ahead === 'end' ? undefined : walk.places() }
}

const batchSize = 250

/** The whole selection as it is now, in batches; never more than a few windows in memory. */
export async function* everything(deps: TransactionDeps, asked: ListAsked): AsyncGenerator<Transaction[]> {
  const named = await findNamed(deps, asked)
  if (named !== undefined) {
    yield named
    return
  }
  const walk = await openHistory(deps, asked)
  let batch: Transaction[] = []
  for (let ahead = await walk.peek(); typeof ahead === 'object'; ahead = await walk.peek()) {
    batch.push(withReference(deps, ahead))
    walk.take()
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export async function one(
  deps: TransactionDeps,
  asked: { userId: string; reference: string },
): Promise<{ transaction: Transaction; steps: Step[] }> {
  const found = await find(deps, asked)
  if (found === undefined)
    throw new AppError('not_found', { detail: 'You have no transaction with this reference.' })
  return found
}

async function find(deps: TransactionDeps, { userId, reference }: { userId: string; reference: string }) {
  const decoded = decodeReference(deps.secrets.idem, reference)
  const line = decoded && (await findPosted(deps, { userId, postingId: decoded.id }))
  // The same number with other letters in front is not its reference.
  if (line && decoded && line.reference === encodeReference(deps.secrets.idem, decoded)) {
    const steps: Step[] = [{ status: line.status, at: line.createdAt }]
    return { transaction: line, steps }
  }
  for (const source of deps.historySources ?? []) {
    const found = await source.find(deps.db, { userId, reference })
    if (found === undefined) continue
    const { steps } = found
    if ('line' in found) return { transaction: withReference(deps, found.line), steps }
    const transaction = await findPosted(deps, { userId, postingId: found.postingId })
    if (transaction !== undefined) return { transaction, steps }
  }
  return undefined
}

/** This person's side of a posting, if there is one. */
async function findPosted(
  deps: TransactionDeps,
  { userId, postingId }: { userId: string; postingId: bigint },
): Promise<Transaction | undefined> {
  const posting = await deps.ledger.posting(deps.db, postingId)
  const entry = posting?.entries.find(
    ({ account, amount }) =>
      account.kind === 'user' && account.owner === userId && account.mode === 'live' && amount !== 0n,
  )
  if (posting === undefined || entry === undefined) return undefined
  const { kind, details, createdAt } = posting
  const { amount, balanceAfter } = entry
  const side = { postingId, kind, details, createdAt, amount, balanceAfter, currency: entry.account.currency }
  return withReference(deps, happeningOf(side, deps.config.BRAND_NAME))
}

const referenceLeast = 12

/** Who searches for a whole reference wants that one line, and no search is needed. */
async function findNamed(
  deps: TransactionDeps,
  { userId, selection }: ListAsked,
): Promise<Transaction[] | undefined> {
  const reference = selection.q?.trim() ?? ''
  const found = reference.length < referenceLeast ? undefined : await find(deps, { userId, reference })
  return found && [found.transaction].filter(chooserOf({ ...selection, q: undefined }))
}

function withReference({ secrets }: TransactionDeps, line: Happening): Transaction {
  const { reference, postingId, type } = line
  return {
    ...line,
    reference: reference ?? encodeReference(secrets.idem, { kind: typeRows[type].code, id: postingId ?? 0n }),
  }
}
