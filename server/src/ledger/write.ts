// From decisions to rows: everything a batch has accepted becomes one statement, however many postings there were.
import { check } from '../base/check.ts'
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

export function collectWrites(accepted: readonly Accepted[]): Writes {
  const at = accepted[0]?.order.createdAtMs ?? 0
  for (const { order } of accepted) check(order.createdAtMs === at, 'a batch has one time')
  return {
    at,
    postings: postingColumns(accepted),
    entries: entryRows(accepted),
    holds: holdRows(accepted),
    answers: answerColumns(accepted),
  }
}

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

function postingColumns(accepted: readonly Accepted[]): Writes['postings'] {
  const columns: Writes['postings'] = {
    ids: [],
    kinds: [],
    details: [],
    firsts: [],
    lasts: [],
    accounts: [],
    seqs: [],
  }
  for (const { order, entries } of accepted) {
    columns.ids.push(order.id)
    columns.kinds.push(order.kind)
    columns.details.push(order.details)
    columns.firsts.push(columns.accounts.length + 1)
    for (const { accountId, seq } of entries) {
      columns.accounts.push(accountId)
      columns.seqs.push(seq)
    }
    columns.lasts.push(columns.accounts.length)
  }
  return columns
}

const byAccount = (one: Writes['entries'][number], other: Writes['entries'][number]) =>
  one.made.accountId < other.made.accountId ? -1 : one.made.accountId > other.made.accountId ? 1 : 0

function entryRows(accepted: readonly Accepted[]): Writes['entries'] {
  const rows: Writes['entries'] = []
  for (const { order, entries } of accepted)
    for (const made of entries) rows.push({ made, posting: order.id })
  // In one order everywhere: two processes that write to the same accounts can't wait for each other. And neighbours in
  // the index are written together.
  return rows.sort(byAccount)
}

function holdRows(accepted: readonly Accepted[]): Writes['holds'] {
  const rows: Writes['holds'] = []
  for (const { order } of accepted) {
    const { id, kind, opens } = order
    if (opens !== undefined) rows.push({ id, account: opens.account.id, kind, amount: opens.amount })
  }
  return rows
}

function answerColumns(accepted: readonly Accepted[]): Writes['answers'] {
  const columns: Writes['answers'] = { keys: [], fingerprints: [], statuses: [], bodies: [] }
  // In one order everywhere: two processes that write the same keys can't wait for each other.
  const keyed = accepted.filter(({ key }) => key !== undefined)
  keyed.sort((one, other) => ((one.key?.id ?? '') < (other.key?.id ?? '') ? -1 : 1))
  for (const { key, answer } of keyed) {
    if (key === undefined || answer === undefined) continue
    columns.keys.push(key.id)
    columns.fingerprints.push(key.fingerprint)
    columns.statuses.push(answer.status)
    columns.bodies.push(answer.body)
  }
  return columns
}
