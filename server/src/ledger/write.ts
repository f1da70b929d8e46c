// From decisions to rows: everything a batch has accepted becomes one statement, however many postings there were.
import type { Answer } from './core.ts'
import type { AccountState, EntryMade, Order } from './decide.ts'
import type { RequestKey } from './keys.ts'
import type { Writes } from './sql.ts'

export interface Accepted {
  order: Order
  entries: readonly EntryMade[]
  key: RequestKey | undefined
  answer: Answer | undefined
}

export interface Refused {
  order: Order
  key: RequestKey | undefined
}

/**
 * A refusal is only as true as the states it was decided on, so the statement checks the versions of those accounts
 * too, and that the key was not answered before. Also moves the version of every changed account on, as the statement will:
 * to the id of the first posting. Counting up would not do: when another process is faster, its count is the very one that
 * a batch sent behind ours expects, and that batch would be written on states that never were.
 */
export function collectWrites(accepted: readonly Accepted[], refused: readonly Refused[]): Writes {
  const changed = new Set<AccountState>()
  for (const { order } of accepted) {
    for (const { account } of order.moves) changed.add(account)
    if (order.opens !== undefined) changed.add(order.opens.account)
    if (order.closes?.hold !== undefined) changed.add(order.closes.hold.account)
  }
  const looked = new Set<AccountState>()
  for (const {
    order: { moves, opens },
  } of refused) {
    for (const { account } of moves) if (account.floor !== null && !changed.has(account)) looked.add(account)
    if (opens !== undefined && !changed.has(opens.account)) looked.add(opens.account)
  }
  return {
    looked: {
      ids: [...looked].map(({ id }) => id),
      versions: [...looked].map(({ version }) => version),
      keys: refused.flatMap(({ key }) => key?.id ?? []),
    },
    accounts: accountColumns([...changed], accepted[0]?.order.id ?? 0n),
    postings: postingColumns(accepted),
    entries: entryColumns(accepted),
    holds: holdColumns(accepted),
    answers: answerColumns(accepted),
  }
}

const bytesOf = (hashes: readonly string[]): Buffer => Buffer.from(hashes.join(''), 'hex')

const byId = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0)

/** In id order, in which the rows are locked: two processes can't wait for each other. */
function accountColumns(states: AccountState[], to: bigint): Writes['accounts'] {
  states.sort((one, other) => byId(one.id, other.id))
  const versions = states.map((state) => {
    const from = state.version
    state.version = to
    return from
  })
  return {
    ids: states.map(({ id }) => id),
    versions,
    to,
    balances: states.map(({ balance }) => balance),
    held: states.map(({ held }) => held),
    seqs: states.map(({ seq }) => seq),
    heads: bytesOf(states.map(({ head }) => head)),
  }
}

function postingColumns(accepted: readonly Accepted[]): Writes['postings'] {
  const columns: Writes['postings'] = { ids: [], kinds: [], details: [], accounts: [], seqs: [], times: [] }
  for (const { order, entries } of accepted) {
    if (entries.length === 0) continue
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
  // Neighbours in the index are written together.
  rows.sort((one, other) => byId(one.entry.accountId, other.entry.accountId))
  return {
    accounts: rows.map(({ entry }) => entry.accountId),
    seqs: rows.map(({ entry }) => entry.seq),
    postings: rows.map(({ posting }) => posting),
    amounts: rows.map(({ entry }) => entry.amount),
    after: rows.map(({ entry }) => entry.balanceAfter),
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
