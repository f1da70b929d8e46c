// From decisions to rows: everything a batch has accepted becomes one statement, however many postings there were.
import type { AlsoRow, Answer } from './core.ts'
import type { AccountState, EntryMade, Order } from './decide.ts'
import type { RequestKey } from './keys.ts'
import { expectAll, type Looked, type Writes } from './write/sql.ts'

export interface Accepted {
  order: Order
  entries: readonly EntryMade[]
  key: RequestKey | undefined
  answer: Answer | undefined
  also: readonly AlsoRow[]
}

export interface Refused {
  order: Order
  key: RequestKey | undefined
}

export const collectWrites = (accepted: readonly Accepted[]): Writes => ({
  postings: postingColumns(accepted),
  entries: entryColumns(accepted),
  holds: holdColumns(accepted),
  answers: answerColumns(accepted),
})

/** The rows of other rooms, one statement each however many there are. */
export function collectAlso(accepted: readonly Accepted[]): { text: string; parameters: unknown[] }[] {
  const rows = new Map<AlsoRow['statement'], AlsoRow['values'][]>()
  for (const { also } of accepted) {
    for (const { statement, values } of also) rows.set(statement, [...(rows.get(statement) ?? []), values])
  }
  return [...rows].map(([{ text }, values]) => {
    const columns = (values[0] ?? []).map((_, column) => values.map((row) => row[column]))
    return { text: expectAll(text, columns.length), parameters: [...columns, values.length] }
  })
}

/** A refusal is only as true as the states it was decided on: those of accounts that can't owe. */
export function collectLooked(refused: readonly Refused[]): Looked {
  const looked = new Set<AccountState>()
  for (const { order } of refused) {
    for (const { account } of order.moves) if (account.id > 0n) looked.add(account)
    if (order.opens !== undefined) looked.add(order.opens.account)
  }
  const accounts = [...looked]
  return {
    ids: accounts.map(({ id }) => id),
    seqs: accounts.map(({ seq }) => seq),
    keys: refused.flatMap(({ key }) => key?.id ?? []),
  }
}

const bytesOf = (hashes: readonly string[]): Buffer => Buffer.from(hashes.join(''), 'hex')

const byId = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0)

function postingColumns(accepted: readonly Accepted[]): Writes['postings'] {
  const columns: Writes['postings'] = { ids: [], kinds: [], details: [], accounts: [], seqs: [], times: [] }
  for (const { order, entries } of accepted) {
    columns.ids.push(order.id)
    columns.kinds.push(order.kind)
    columns.details.push(order.details)
    columns.accounts.push(`{${entries.map((entry) => entry.accountId).join()}}`)
    columns.seqs.push(`{${entries.map((entry) => entry.seq).join()}}`)
    columns.times.push(order.createdAtMs)
  }
  return columns
}

function entryColumns(accepted: readonly Accepted[]): Writes['entries'] {
  const rows = accepted.flatMap(({ order, entries }) =>
    entries.map((entry) => ({ entry, posting: order.id })),
  )
  // In one order everywhere: two processes that write to the same accounts can't wait for each other. And neighbours in
  // the index are written together.
  rows.sort((one, other) => byId(one.entry.accountId, other.entry.accountId))
  return {
    accounts: rows.map(({ entry }) => entry.accountId),
    seqs: rows.map(({ entry }) => entry.seq),
    postings: rows.map(({ posting }) => posting),
    amounts: rows.map(({ entry }) => entry.amount),
    after: rows.map(({ entry }) => entry.balanceAfter),
    held: rows.map(({ entry }) => entry.heldAfter),
    hashes: bytesOf(rows.map(({ entry }) => entry.hash)),
  }
}

function holdColumns(accepted: readonly Accepted[]): Writes['holds'] {
  const columns: Writes['holds'] = { ids: [], accounts: [], kinds: [], amounts: [], times: [] }
  for (const { order } of accepted) {
    if (order.opens === undefined) continue
    columns.ids.push(order.id)
    columns.accounts.push(order.opens.account.id)
    columns.kinds.push(order.kind)
    columns.amounts.push(order.opens.amount)
    columns.times.push(order.createdAtMs)
  }
  return columns
}

function answerColumns(accepted: readonly Accepted[]): Writes['answers'] {
  const columns: Writes['answers'] = { keys: [], fingerprints: [], statuses: [], bodies: [], times: [] }
  // In one order everywhere: two processes that write the same keys can't wait for each other.
  const keyed = accepted.filter(({ key }) => key !== undefined)
  keyed.sort((one, other) => ((one.key?.id ?? '') < (other.key?.id ?? '') ? -1 : 1))
  for (const { order, key, answer } of keyed) {
    if (key === undefined || answer === undefined) continue
    columns.keys.push(key.id)
    columns.fingerprints.push(key.fingerprint)
    columns.statuses.push(answer.status)
    columns.bodies.push(answer.body)
    columns.times.push(order.createdAtMs)
  }
  return columns
}
