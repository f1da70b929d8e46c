// The daily three-way match. What is sure is mended first: an operation that has not ended and that the provider's complete
// records have, is completed; one that they do not have, long after it was sent, was never made. Then the day is compared,
// and what differs is kept for operators.
import { newId } from '../../base/ids.ts'
import type { Moved } from '../../ledger/ledger.ts'
import type { Operation } from '../../operations/operations.ts'
import type { Mode, OperationKind, ProviderId, ProviderRecord } from '../../providers/providers.ts'
import type { FundingOptions } from '../room.ts'
import {
  type Difference,
  differencesOf,
  isWithin,
  openIndex,
  operationIn,
  type Totals,
  totalsOf,
  type Window,
} from './rules.ts'
import * as sql from './sql.ts'

export interface Matching {
  provider: ProviderId
  mode: Mode
  /** `2026-03-14`, UTC. */
  day: string
}

const dayMs = 86_400_000
const hourMs = 3_600_000
/** An operation is asked for so long; what it ended with may have happened when it began. */
const askedMs = 25 * hourMs
/** After that a prompt is closed for good; a payout that was taken may still be made for long. */
const madeWithinMs: Record<OperationKind, number> = { collect: 2 * hourMs, payout: dayMs, refund: dayMs }

/** Compares a day. The same day again takes the place of what was found before. Returns the id of the report. */
export async function match(options: FundingOptions, matching: Matching): Promise<string> {
  const from = new Date(`${matching.day}T00:00:00.000Z`)
  const window = { from, to: new Date(from.getTime() + dayMs) }
  const repaired = await repair(options, matching, window)
  const { operations, others, moves, records } = await gather(options, matching, window)
  const index = openIndex([...operations, ...others])
  const found = records?.flatMap((record) => {
    const operation = index.of(record)
    return isOurs(operation, { ...matching, record }) ? [{ record, operation }] : []
  })
  const compared = {
    window,
    operations: await withMentioned(options, { operations, moves }),
    moves,
    records: found,
  }
  const differences = [...repaired, ...differencesOf(compared)]
  const id = newId('mat')
  const row: sql.MatchRow = {
    id,
    ...matching,
    has_records: records !== undefined,
    operations: compared.operations.filter(({ endedAt }) => isWithin(endedAt, window)).length,
    postings: moves.filter(({ createdAt }) => isWithin(createdAt, window)).length,
    records: found?.filter(({ record }) => isWithin(record.at, window)).length ?? 0,
    repaired: repaired.length,
    differences: differences.length - repaired.length,
    totals: written(totalsOf(compared)),
    compared_at: options.clock.now(),
  }
  await options.db.inTransaction(async (tx) => {
    await sql.forgetMatch(tx, matching)
    await sql.insertMatch(tx, row)
    await sql.insertDifferences(tx, id, differences.map(rowOf))
  })
  return id
}

interface Gathered {
  operations: Operation[]
  /** Of the other mode: the simulator has one book for both. */
  others: Operation[]
  moves: Moved[]
  records: ProviderRecord[] | undefined
}

/** More than the day: what ended on it may have begun before, and clocks differ. */
async function gather(
  options: FundingOptions,
  { provider, mode }: Matching,
  { from, to }: Window,
): Promise<Gathered> {
  const wide = { from: new Date(from.getTime() - askedMs), to: new Date(to.getTime() + hourMs) }
  const other = mode === 'live' ? 'test' : 'live'
  const [operations, others, moves, records] = await Promise.all([
    operationsSince(options, { provider, mode, since: wide.from }),
    operationsSince(options, { provider, mode: other, since: wide.from }),
    options.ledger.moves(options.db, { owner: { kind: 'clearing', owner: provider, mode }, ...wide }),
    options.operations.records({ provider, mode, ...wide }),
  ])
  return { operations, others, moves, records }
}

const pageSize = 500
const pagesMax = 10_000

async function operationsSince(
  { operations }: FundingOptions,
  { provider, mode, since }: { provider: ProviderId; mode: Mode; since: Date },
): Promise<Operation[]> {
  const found: Operation[] = []
  let before: { createdAt: Date; id: string } | undefined
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await operations.list({ provider, mode, since, before, limit: pageSize })
    found.push(...page)
    before = page.at(-1)
    if (before === undefined || page.length < pageSize) break
  }
  return found
}

/** With older ones that a posting of these days is about. */
async function withMentioned(
  { operations: door }: FundingOptions,
  { operations, moves }: { operations: readonly Operation[]; moves: readonly Moved[] },
): Promise<Operation[]> {
  const known = new Set(operations.map(({ id }) => id))
  const all = [...operations]
  for (const id of new Set(moves.map(operationIn))) {
    if (id === '' || known.has(id)) continue
    const older = await door.find(id)
    if (older !== undefined) all.push(older)
  }
  return all
}

/** What nobody ordered is told once, with the live ones. */
const isOurs = (
  operation: Operation | undefined,
  { mode }: { mode: Mode; record: ProviderRecord },
): boolean => (operation === undefined ? mode === 'live' : operation.mode === mode)

async function repair(options: FundingOptions, matching: Matching, window: Window): Promise<Difference[]> {
  const now = options.clock.now()
  const recent = await operationsSince(options, {
    ...matching,
    since: new Date(window.from.getTime() - askedMs),
  })
  const open = recent.filter(({ endedAt, sentAt }) => endedAt === null && sentAt !== null)
  const failed = recent.filter(({ state, kind }) => state === 'failed' && kind === 'collect')
  if (open.length === 0 && failed.length === 0) return []
  const oldest = Math.min(...[...open, ...failed].map(({ createdAt }) => createdAt.getTime()))
  const { provider, mode } = matching
  const statement = {
    provider,
    mode,
    from: new Date(oldest - hourMs),
    to: new Date(now.getTime() + hourMs),
  }
  const records = await options.operations.records(statement)
  if (records === undefined) return []
  const index = openIndex(recent)
  const moved = new Map(
    records.flatMap((record) => {
      const operation = index.of(record)
      return operation === undefined ? [] : [[operation.id, record] as const]
    }),
  )
  const nobodys = records.filter((record) => index.of(record) === undefined)
  const repaired: Difference[] = []
  for (const operation of [...open, ...failed]) {
    const isDoubtful = nobodys.some((record) => index.mayBe(record, operation))
    const record = moved.get(operation.id)
    const done = isDoubtful ? undefined : await repairOne(options, { operation, record, now })
    if (done !== undefined) repaired.push(done)
  }
  return repaired
}

interface Repairing {
  operation: Operation
  record: ProviderRecord | undefined
  now: Date
}

async function repairOne(
  { operations }: FundingOptions,
  { operation, record, now }: Repairing,
): Promise<Difference | undefined> {
  const about = { operation, postingId: undefined, repaired: true }
  if (record !== undefined) {
    const { amount, receipt, providerReference } = record
    await operations.learn(operation.id, { state: 'completed', amount, receipt, providerReference })
    const detail = `It was ${operation.state}, and the provider's records have it: it is completed now.`
    return { ...about, kind: 'was_completed', providerReference, amount, detail }
  }
  const age = now.getTime() - (operation.sentAt ?? operation.createdAt).getTime()
  if (operation.endedAt !== null || age < madeWithinMs[operation.kind]) return undefined
  const after = await operations.learn(operation.id, {
    state: 'failed',
    code: 'provider_error',
    detail: "The provider's records do not have it.",
  })
  if (after.state !== 'failed') return undefined
  const detail = `It was ${operation.state}, and the provider's records do not have it: it has failed now.`
  const providerReference = operation.providerReference ?? undefined
  return { ...about, kind: 'was_not_made', providerReference, amount: operation.amount, detail }
}

const written = (totals: Totals): sql.MatchRow['totals'] =>
  Object.fromEntries(
    Object.entries(totals).map(([currency, row]) => {
      const text = ({ in: came, out }: { in: bigint; out: bigint }) => ({
        in: String(came),
        out: String(out),
      })
      return [
        currency,
        { operations: text(row.operations), ledger: text(row.ledger), provider: text(row.provider) },
      ]
    }),
  )

const rowOf = (difference: Difference, at: number): sql.DifferenceRow => ({
  number: at + 1,
  kind: difference.kind,
  operation_id: difference.operation?.id ?? null,
  posting_id: difference.postingId ?? null,
  provider_reference: difference.providerReference ?? null,
  amount: difference.amount?.minor ?? null,
  currency: difference.amount?.currency ?? null,
  detail: difference.detail,
  repaired: difference.repaired,
})
