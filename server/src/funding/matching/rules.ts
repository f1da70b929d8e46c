// Three lists of the same day, compared: what we ordered, what our ledger says went through the provider's account, and what
// the provider itself says has moved. Pure. Each item of each list has one counterpart in the others, and the same amount.
import { type Amount, type Currency, toText } from '../../base/money.ts'
import type { Moved } from '../../ledger/ledger.ts'
import type { Operation } from '../../operations/operations.ts'
import type { ProviderRecord } from '../../providers/providers.ts'

export const differenceKinds = [
  // The provider moved it, and we know nothing of it, or took it for failed, or for another amount.
  'unknown_to_us',
  'moved_though_failed',
  'amount_differs',
  // We took it for moved, and the provider has not.
  'not_at_provider',
  // It ended and the ledger has nothing, or something else; or the ledger has what did not happen.
  'not_in_ledger',
  'ledger_differs',
  'posted_without_operation',
  // Not ended, and found in the provider's records, or surely not there: mended at once.
  'was_completed',
  'was_not_made',
  // Not ended, and nobody can say yet.
  'still_open',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export interface Difference {
  kind: DifferenceKind
  operation: Operation | undefined
  postingId: bigint | undefined
  providerReference: string | undefined
  amount: Amount | undefined
  detail: string
  repaired: boolean
}

export interface Window {
  from: Date
  /** Excluded. */
  to: Date
}

export const isWithin = (at: Date | null, { from, to }: Window): boolean =>
  at !== null && at >= from && at < to

export interface Index {
  of(record: ProviderRecord): Operation | undefined
  /** It may be about this one, though nobody can be sure. */
  mayBe(record: ProviderRecord, operation: Operation): boolean
}

/**
 * Which operation a record is about: by the provider's name for it, by its receipt, or by our own name for it. Some name a
 * refund after what it gives back, so a record that says the other way round is not about the operation it names.
 */
export function openIndex(operations: readonly Operation[]): Index {
  const byName = new Map<string, Operation>()
  // What came late has the names of what had failed, and is what counts.
  const sorted = [...operations].sort(
    (one, other) => Number(one.lateOf !== null) - Number(other.lateOf !== null),
  )
  for (const operation of sorted) for (const name of namesOf(operation)) byName.set(name, operation)
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const mayBe: Index['mayBe'] = (record, operation) => {
    const original = byId.get(operation.originalId ?? '')
    const given = [operation.originalId ?? '', ...(original === undefined ? [] : namesOf(original))]
    const givesBack = operation.originalId !== null && toldIn(record).some((name) => given.includes(name))
    return isLike(record, operation) && (givesBack || isReferredTo(record, operation))
  }
  return {
    of: (record) => {
      const named = toldIn(record).flatMap((name) => byName.get(name) ?? [])
      const own = named.find(({ kind }) => isIn(kind) === isIn(record.kind))
      if (own !== undefined) return own
      const all = operations.filter((operation) => mayBe(record, operation))
      const open = all.filter(({ endedAt }) => endedAt === null)
      // What failed was refused, or looked for before.
      const [only, ...others] = open.length === 0 ? all : open
      return others.length === 0 ? only : undefined
    },
    mayBe,
  }
}

const isIn = (kind: Operation['kind']): boolean => kind === 'collect'

const namesOf = ({ id, lateOf, providerReference, receipt }: Operation): string[] =>
  [id, lateOf, providerReference, receipt].filter((name): name is string => name !== null && name !== '')

/** In both forms, where it is an id of ours. */
const toldIn = ({ receipt, providerReference, reference }: ProviderRecord): string[] =>
  [receipt, providerReference, reference].flatMap((name) => [name ?? [], uuidOf(name) ?? []].flat())

/** One whose number at the provider was never told to us. */
const isLike = ({ kind, amount, phone }: ProviderRecord, operation: Operation): boolean =>
  operation.providerReference === null &&
  (phone === undefined || operation.phone === null || operation.phone === phone) &&
  operation.sentAt !== null &&
  operation.kind === kind &&
  operation.amount.minor === amount.minor &&
  operation.amount.currency === amount.currency

/** Some keep only the first letters of our reference. */
const isReferredTo = ({ reference }: ProviderRecord, operation: Operation): boolean =>
  reference !== undefined && shortened(operation.reference) === shortened(reference)

const kept = 12
const shortened = (reference: string): string => reference.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, kept)

/** Some take no hyphens. */
function uuidOf(name: string | undefined): string | undefined {
  const hex = name !== undefined && /^[0-9a-f]{32}$/i.test(name) ? name.toLowerCase() : undefined
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export interface Compared {
  window: Window
  /** By id; with those that postings and records of the window speak of. */
  operations: readonly Operation[]
  moves: readonly Moved[]
  /** Undefined: the provider does not tell. */
  records: readonly { record: ProviderRecord; operation: Operation | undefined }[] | undefined
}

export function differencesOf(compared: Compared): Difference[] {
  return [...recordDifferences(compared), ...operationDifferences(compared), ...postingDifferences(compared)]
}

const differs = (kind: DifferenceKind, rest: Partial<Difference> & { detail: string }): Difference => ({
  kind,
  operation: undefined,
  postingId: undefined,
  providerReference: undefined,
  amount: undefined,
  repaired: false,
  ...rest,
})

const movedBy = ({ confirmed, amount }: Operation): Amount => confirmed ?? amount

function recordDifferences({ window, records = [] }: Compared): Difference[] {
  const seen = new Set<string>()
  return records.flatMap(({ record, operation }) => {
    const isAgain = operation !== undefined && seen.has(operation.id)
    if (operation !== undefined) seen.add(operation.id)
    if (!isWithin(record.at, window)) return []
    const { amount, providerReference } = record
    const about = { operation, amount, providerReference }
    const says = `The provider says that ${toText(amount)} moved (${record.kind}).`
    if (operation === undefined)
      return [differs('unknown_to_us', { ...about, detail: `${says} We have ordered nothing like it.` })]
    if (isAgain)
      return [
        differs('amount_differs', { ...about, detail: `${says} It says so once more than we ordered.` }),
      ]
    if (operation.state === 'failed')
      return [differs('moved_though_failed', { ...about, detail: `${says} We took it for failed.` })]
    if (operation.state !== 'completed')
      return [differs('still_open', { ...about, detail: `${says} We have not heard so yet.` })]
    const ours = movedBy(operation)
    if (ours.minor === amount.minor && ours.currency === amount.currency) return []
    return [differs('amount_differs', { ...about, detail: `${says} We have ${toText(ours)}.` })]
  })
}

function operationDifferences({ window, operations, moves, records }: Compared): Difference[] {
  const known = new Set(records?.flatMap(({ operation }) => operation?.id ?? []))
  const posted = Map.groupBy(moves, operationIn)
  return operations.flatMap((operation) => {
    if (operation.state !== 'completed' || !isWithin(operation.endedAt, window)) return []
    const amount = movedBy(operation)
    const about = { operation, amount, providerReference: operation.providerReference ?? undefined }
    const found: Difference[] = []
    if (records !== undefined && !known.has(operation.id))
      found.push(
        differs('not_at_provider', {
          ...about,
          detail: `We took ${toText(amount)} for moved. The provider does not have it.`,
        }),
      )
    const sum = (posted.get(operation.id) ?? [])
      .filter((move) => move.currency === amount.currency && !hasComeBack(move))
      .reduce((total, move) => total + move.amount, 0n)
    const expected = operation.kind === 'collect' ? -amount.minor : amount.minor
    if (!posted.has(operation.id))
      found.push(
        differs('not_in_ledger', {
          ...about,
          detail: `${toText(amount)} moved, and the ledger has no posting for it.`,
        }),
      )
    else if (sum !== expected) {
      const says = toText({ minor: sum, currency: amount.currency })
      const detail = `${toText({ ...amount, minor: expected })} belongs into the provider's account, and the ledger has ${says}.`
      found.push(differs('ledger_differs', { ...about, detail }))
    }
    return found
  })
}

function postingDifferences({ window, operations, moves }: Compared): Difference[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  return moves.flatMap((move) => {
    const operation = byId.get(operationIn(move))
    if (!isWithin(move.createdAt, window) || operation?.state === 'completed') return []
    const amount = { minor: move.amount, currency: move.currency }
    const why = operation === undefined ? 'of no operation' : `of an operation that is ${operation.state}`
    const detail = `The ledger has a posting (${move.kind}) of ${toText(amount)} ${why}.`
    return [differs('posted_without_operation', { operation, postingId: move.postingId, amount, detail })]
  })
}

/** What a posting says that it is about; nothing we ordered, when it says nothing. */
export function operationIn({ details }: Pick<Moved, 'details'>): string {
  const { operation } = details as { operation?: unknown }
  return typeof operation === 'string' ? operation : ''
}

/** It ended as it did all the same. */
const hasComeBack = ({ details }: Pick<Moved, 'details'>): boolean =>
  (details as { why?: unknown }).why === 'came_back'

export type Totals = Partial<
  Record<Currency, Record<'operations' | 'ledger' | 'provider', { in: bigint; out: bigint }>>
>

export function totalsOf({ window, operations, moves, records = [] }: Compared): Totals {
  const totals: Totals = {}
  const add = (who: 'operations' | 'ledger' | 'provider', { minor, currency }: Amount, way: 'in' | 'out') => {
    const row = totals[currency] ?? {
      operations: { in: 0n, out: 0n },
      ledger: { in: 0n, out: 0n },
      provider: { in: 0n, out: 0n },
    }
    totals[currency] = row
    row[who][way] += minor
  }
  for (const operation of operations)
    if (operation.state === 'completed' && isWithin(operation.endedAt, window))
      add('operations', movedBy(operation), operation.kind === 'collect' ? 'in' : 'out')
  for (const { amount, currency, createdAt } of moves)
    if (isWithin(createdAt, window))
      add('ledger', { minor: amount < 0n ? -amount : amount, currency }, amount < 0n ? 'in' : 'out')
  for (const { record } of records)
    if (isWithin(record.at, window)) add('provider', record.amount, record.kind === 'collect' ? 'in' : 'out')
  return totals
}
