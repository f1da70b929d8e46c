// What happened in a group, for every member to see; and what one member has paid and received.
import { toJson } from '../base/money.ts'
import {
  type Group,
  type GroupDependencies,
  memberCalled,
  type Party,
  partyOf,
  personOf,
  type Reading,
  requireMember,
  seen,
} from './room.ts'
import { referenceOf } from './rounds/apply.ts'
import { remainingOf } from './rounds/round.ts'
import * as roundSql from './rounds/sql.ts'
import * as sql from './sql.ts'

export interface FeedAsked {
  groupId: string
  userId: string
  before: bigint | null
  limit: number
}

export async function feed(deps: GroupDependencies, { groupId, userId, before, limit }: FeedAsked) {
  const { group } = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  return feedPage(deps, { group, before, limit })
}

/** The newest first; `rest`: there is more. */
export async function feedPage(
  deps: Reading,
  { group, before, limit }: { group: Group; before: bigint | null; limit: number },
) {
  const rows = await sql.readEvents(deps.db, { group: group.id, before, limit: limit + 1 })
  return shown(deps, { group, rows, limit })
}

const incoming = ['contributed', 'repaid']

async function shown(
  deps: Reading,
  { group, rows, limit }: { group: Group; rows: sql.EventRow[]; limit: number },
) {
  const page = rows.slice(0, limit)
  const ids = new Set(page.flatMap(({ actor_id: actor, member_id: member }) => [actor, member]))
  const people = new Map<string, Party>()
  for (const id of ids) if (id !== null) people.set(id, partyOf(await personOf(deps, id)))
  const party = (id: string | null) => (id === null ? null : (people.get(id) ?? null))
  const money = (minor: bigint | null) =>
    minor === null ? null : toJson({ minor, currency: group.currency })
  const items = page.map((row) => ({
    type: row.type,
    by: party(row.actor_id),
    member: party(row.member_id),
    amount: money(row.amount),
    fine: row.fine === 0n ? null : money(row.fine),
    round: row.number,
    cycle: row.cycle,
    note: row.note,
    reference:
      row.posting_id === null
        ? null
        : referenceOf(deps, { kind: incoming.includes(row.type) ? 'GC' : 'GP', id: row.posting_id }),
    entry: row.seq === null ? null : Number(row.seq),
    created_at: row.created_at.toISOString(),
  }))
  return { items, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

export interface StatementAsked extends FeedAsked {
  /** The handle of a member; absent: one's own. */
  member: string | undefined
}

export async function statement(deps: GroupDependencies, asked: StatementAsked) {
  const { db } = deps
  const { group } = requireMember(await seen(db, { id: asked.groupId, user: asked.userId }))
  const person =
    asked.member === undefined
      ? await personOf(deps, asked.userId)
      : await memberCalled(deps, db, { group, handle: asked.member, field: 'member' })
  const place = { group: group.id, user: person.id }
  const [totals, rows, debts] = await Promise.all([
    sql.readTotals(db, place),
    sql.readMoves(db, { ...place, before: asked.before, limit: asked.limit + 1 }),
    roundSql.readOpenDebts(db, group.id),
  ])
  const { items, next } = await shown(deps, { group, rows, limit: asked.limit })
  const money = (minor: bigint) => toJson({ minor, currency: group.currency })
  const sum = (side: 'debtor_id' | 'creditor_id') =>
    debts.filter((debt) => debt[side] === person.id).reduce((total, debt) => total + remainingOf(debt), 0n)
  const statementData = {
    member: partyOf(person),
    currency: group.currency,
    paid: money(totals?.paid ?? 0n),
    fines: money(totals?.fines ?? 0n),
    paid_for_others: money(totals?.for_others ?? 0n),
    returned: money(totals?.returned ?? 0n),
    received: money(totals?.received ?? 0n),
    owes: money(sum('debtor_id')),
    is_owed: money(sum('creditor_id')),
    movements: items,
  }
  return { data: statementData, next }
}
