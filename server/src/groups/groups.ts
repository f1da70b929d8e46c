// Savings groups, the common purse: rotating ones (chama, susu, merry-go-round), where the pot goes round, and ones with a
// goal, where members decide together. A group's money is an account of the ledger, and nobody, operators included, can
// move it but by the rules of this room: rounds/round.ts for pots that go round, rules.ts for payouts that are approved.
// What must stay true: what a group shows of its money is what the ledger has, or was written together with it.
import { check } from '../base/check.ts'
import { newId } from '../base/ids.ts'
import { toJson } from '../base/money.ts'
import type { Queries, Tx } from '../db/db.ts'
import * as ledgers from '../ledger/ledger.ts'
import type { Person } from '../users/users.ts'
import { feedPage } from './feed.ts'
import { inviteUrl, newInviteCode, shownCode } from './invites.ts'
import {
  accountOf,
  activePerson,
  eventOf,
  type Group,
  type GroupDependencies,
  groupOf,
  lockAsMember,
  partyOf,
  personOf,
  type Reading,
  refuse,
  requireMember,
  requireRole,
  seen,
  withGroup,
} from './room.ts'
import { usualZone } from './rounds/calendar.ts'
import { remainingOf } from './rounds/round.ts'
import { showRound } from './rounds/rounds.ts'
import * as roundSql from './rounds/sql.ts'
import { type Asked, membersUsually, minorOf } from './rules.ts'
import * as sql from './sql.ts'

export { contribute } from './contributions.ts'
export { feed, statement } from './feed.ts'
export * as membership from './membership.ts'
export * as payouts from './payouts/payouts.ts'
export { settleDue } from './payouts/settling.ts'
export { head, receipt } from './proof.ts'
export { remindDue } from './reminders.ts'
export type { GroupDependencies } from './room.ts'
export * as rounds from './rounds/rounds.ts'
export type { Asked } from './rules.ts'

export async function create(deps: GroupDependencies, userId: string, asked: Asked) {
  const founder = await activePerson(deps, userId)
  return deps.db.inTransaction((tx) => found(deps, tx, { founder, asked }))
}

export interface Founding {
  userId: string
  asked: Asked
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
  /** The answer to be kept: it is repeated byte for byte. */
  answerOf: (record: GroupRecord) => ledgers.Answer
}

/** One group, however often the request is repeated. */
export async function createOnce(deps: GroupDependencies, { userId, asked, key, answerOf }: Founding) {
  const founder = await activePerson(deps, userId)
  return deps.db.inTransaction((tx) =>
    ledgers.answerOnce(tx, {
      key,
      now: deps.clock.now(),
      work: async () => answerOf(await found(deps, tx, { founder, asked })),
    }),
  )
}

/** Who founds it is its chair. */
async function found(
  deps: GroupDependencies,
  tx: Tx,
  { founder, asked }: { founder: Person; asked: Asked },
): Promise<GroupRecord> {
  const { currency, kind } = asked
  const user = founder.id
  const at = deps.clock.now()
  const isRotating = kind === 'rotating'
  const made = await sql.insertGroup(tx, {
    ...{ id: newId('grp'), name: asked.name, description: asked.description || null, currency, kind },
    contribution_amount: minorOf(asked.contribution_amount, currency),
    frequency: isRotating ? (asked.frequency ?? null) : null,
    goal_amount: isRotating ? null : minorOf(asked.goal_amount, currency),
    late_fine: isRotating ? (minorOf(asked.late_fine, currency) ?? 0n) : 0n,
    time_zone: asked.time_zone ?? usualZone({ currency, country: founder.country }),
    max_members: asked.max_members ?? membersUsually,
    visibility: asked.visibility,
    invite_code: newInviteCode(),
    created_at: at,
  })
  check(made !== undefined, 'a row that was inserted is returned')
  await sql.addMember(tx, { group: made.id, user, role: 'chair', at })
  await sql.insertEvents(tx, [eventOf(made, { type: 'created', actor_id: user, created_at: at })])
  return recordOf({ ...deps, db: tx }, { group: groupOf(made), viewer: user })
}

type GroupRecord = Awaited<ReturnType<typeof recordOf>>

export interface Edit {
  groupId: string
  userId: string
  change: {
    name?: string | undefined
    description?: string | undefined
    visibility?: Group['visibility'] | undefined
    max_members?: number | undefined
    late_fine?: string | undefined
  }
}

/** By the chair. A fine that is changed counts from the next round on. */
export async function edit(deps: GroupDependencies, { groupId, userId, change }: Edit) {
  await activePerson(deps, userId)
  const row = await withGroup(deps, groupId, async (tx) => {
    const inside = await lockAsMember(tx, { id: groupId, user: userId })
    requireRole(inside, ['chair'])
    const { group } = inside
    const most = change.max_members ?? group.max_members
    if (most < group.member_count) throw refuse(`The group has ${group.member_count} members already.`)
    const fine =
      change.late_fine === undefined ? group.late_fine : (minorOf(change.late_fine, group.currency) ?? 0n)
    const changed = await sql.updateGroup(tx, {
      id: group.id,
      name: change.name ?? group.name,
      description: change.description === undefined ? group.description : change.description || null,
      visibility: change.visibility ?? group.visibility,
      max_members: most,
      late_fine: group.kind === 'rotating' ? fine : 0n,
    })
    check(changed !== undefined, 'a row that was updated is returned')
    const at = deps.clock.now()
    await sql.insertEvents(tx, [eventOf(group, { type: 'edited', actor_id: userId, created_at: at })])
    return changed
  })
  return recordOf(deps, { group: groupOf(row), viewer: userId })
}

/** For a change of the fine, whose rules depend on it. */
export async function termsOf(
  { db }: GroupDependencies,
  { groupId, userId }: { groupId: string; userId: string },
) {
  const { group } = await seen(db, { id: groupId, user: userId })
  const { currency, contribution_amount: minor, kind } = group
  return { currency, kind, contribution: minor }
}

export interface Listing {
  userId: string
  scope: 'mine' | 'discover'
  currency: string | undefined
  kind: string | undefined
  before: { at: string; id: string } | undefined
  limit: number
}

/** With the time that the list is sorted by; one more than the limit, if there is one. */
export async function list(deps: GroupDependencies, listing: Listing) {
  const { userId: user, scope, before, limit } = listing
  const { currency = null, kind = null } = listing
  const page = { user, before, limit: limit + 1, currency, kind }
  const rows =
    scope === 'mine'
      ? (await sql.groupsOf(deps.db, page)).map((row) => ({ row, at: row.joined_at }))
      : (await sql.discoverGroups(deps.db, page)).map((row) => ({ row, at: row.created_at }))
  const records = await recordsOf(deps, { groups: rows.map(({ row }) => groupOf(row)), viewer: user })
  return records.map((record, index) => ({ record, at: rows[index]?.at ?? new Date(0) }))
}

export interface Asking {
  groupId: string
  userId: string
}

const feedShown = 20

/** What members see; others see of a public group what it says of itself. */
export async function show(deps: Reading, { groupId, userId }: Asking) {
  const { group, member } = await seen(deps.db, { id: groupId, user: userId })
  const record = await recordOf(deps, { group, viewer: userId })
  const seat =
    member === undefined ? await roundSql.hasSeat(deps.db, { group: group.id, user: userId }) : undefined
  if (member === undefined && seat === undefined) return record
  const [current] = await roundSql.readCurrent(deps.db, [group.id])
  const number = current?.number ?? (group.rounds > 0 ? group.rounds : undefined)
  const [members, { items }, round, debts] = await Promise.all([
    membersOf(deps, group),
    feedPage(deps, { group, before: null, limit: feedShown }),
    number === undefined ? undefined : showRound(deps, { group, number }),
    debtsOf(deps, group),
  ])
  return { ...record, members, round: round ?? null, debts, feed: items }
}

/** Of all groups, the newest first; one more than the limit, if there is one. */
export async function listToOperator(
  deps: GroupDependencies,
  page: Omit<sql.AllPage, 'limit'> & { limit: number },
) {
  const rows = await sql.allGroups(deps.db, { ...page, limit: page.limit + 1 })
  const records = await recordsOf(deps, { groups: rows.map(groupOf), viewer: nobody })
  return records.map((record, index) => ({ ...record, closed_at: closedAt(rows[index]) }))
}

/** What members see of it, without the code that lets people in. */
export async function showToOperator(deps: GroupDependencies, id: string) {
  const row = await sql.readGroup(deps.db, id)
  if (row === undefined) return undefined
  const group = groupOf(row)
  const [record, members, { items }, debts] = await Promise.all([
    recordOf(deps, { group, viewer: nobody }),
    membersOf(deps, group),
    feedPage(deps, { group, before: null, limit: feedShown }),
    debtsOf(deps, group),
  ])
  return { ...record, closed_at: closedAt(row), members, debts, feed: items }
}

/** Whose eyes see no more than what everybody may. */
const nobody = ''

const closedAt = (row: sql.GroupRow | undefined): string | null => row?.closed_at?.toISOString() ?? null

export async function round(
  deps: GroupDependencies,
  { groupId, userId, number }: Asking & { number: number },
) {
  const { group } = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  return showRound(deps, { group, number })
}

async function recordOf(deps: Reading, { group, viewer }: { group: Group; viewer: string }) {
  const [record] = await recordsOf(deps, { groups: [group], viewer })
  check(record !== undefined, 'each group has its record')
  return record
}

async function recordsOf(deps: Reading, { groups, viewer }: { groups: Group[]; viewer: string }) {
  const { db, ledger, baseUrl } = deps
  const ids = groups.map(({ id }) => id)
  if (ids.length === 0) return []
  const [balances, roles, cycles] = await Promise.all([
    ledger.balances(db, groups.map(accountOf)),
    sql.rolesOf(db, { user: viewer, groups: ids }),
    cyclesOf(deps, { ids, viewer }),
  ])
  const roleIn = new Map(roles.map(({ group_id: id, role }) => [id, role]))
  return groups.map((group, index) => {
    const { currency } = group
    const money = (minor: bigint | null) => (minor === null ? null : toJson({ minor, currency }))
    const role = roleIn.get(group.id) ?? null
    return {
      id: group.id,
      name: group.name,
      description: group.description,
      currency,
      kind: group.kind,
      contribution_amount: money(group.contribution_amount),
      frequency: group.frequency,
      goal_amount: money(group.goal_amount),
      late_fine: group.kind === 'rotating' ? money(group.late_fine) : null,
      time_zone: group.time_zone,
      balance: toJson({ minor: balances[index]?.balance ?? 0n, currency }),
      member_count: group.member_count,
      max_members: group.max_members,
      visibility: group.visibility,
      role,
      cycle: cycles.get(group.id)?.(currency) ?? null,
      ...(role === null
        ? {}
        : { invite_code: shownCode(group.invite_code), invite_url: inviteUrl(baseUrl, group) }),
      created_at: group.created_at.toISOString(),
    }
  })
}

/** The open cycle of each group that has one, as who looks at it sees it. */
async function cyclesOf(deps: Reading, { ids, viewer }: { ids: string[]; viewer: string }) {
  const { db, clock } = deps
  const open = (await roundSql.readCurrent(db, ids)).filter(({ status }) => status === 'open')
  if (open.length === 0) return new Map<string, never>()
  const groups = open.map(({ group_id: id }) => id)
  const [seats, paid] = await Promise.all([
    roundSql.readSeats(db, { groups }),
    roundSql.readPaidNow(db, groups),
  ])
  const now = clock.now()
  const cycles = await Promise.all(
    open.map(async (row) => {
      const own = seats.filter(({ group_id: id }) => id === row.group_id)
      const turns = paid.filter(({ group_id: id }) => id === row.group_id).map(({ turn }) => turn)
      const named = async (turn: number) => {
        const seat = own.find((one) => one.turn === turn)
        check(seat !== undefined, 'a turn belongs to a seat')
        return partyOf(await personOf(deps, seat.user_id))
      }
      const next = own.find(({ status }) => status === 'waiting')
      const late = row.due_at !== null && now > row.due_at
      const mine = own.find(({ user_id: id, status }) => id === viewer && status !== 'left')
      const due =
        mine === undefined || turns.includes(mine.turn)
          ? null
          : (row.amount ?? 0n) + (late ? (row.fine ?? 0n) : 0n)
      const shown = {
        number: row.cycle ?? 0,
        round: row.number,
        of: own.filter(({ status }) => status !== 'left').length,
        due_at: (row.due_at ?? now).toISOString(),
        late,
        paid_by: await Promise.all(turns.map(named)),
        next_payout_to: next === undefined ? null : await named(next.turn),
      }
      const withDue = (currency: Group['currency']) => ({
        ...shown,
        your_due: due === null ? null : toJson({ minor: due, currency }),
      })
      return [row.group_id, withDue] as const
    }),
  )
  return new Map(cycles)
}

async function membersOf(deps: Reading, group: Group) {
  const { db } = deps
  const [rows, seats, paid] = await Promise.all([
    sql.readMembers(db, group.id),
    roundSql.readSeats(db, { groups: [group.id] }),
    roundSql.readPaidNow(db, [group.id]),
  ])
  const [current] = await roundSql.readCurrent(db, [group.id])
  const late = current?.due_at != null && deps.clock.now() > current.due_at
  return Promise.all(
    rows.map(async ({ user_id: id, role, joined_at: at }) => {
      const seat = seats.find(({ user_id: user, status }) => user === id && status !== 'left')
      const hasPaid = seat === undefined ? null : paid.some(({ turn }) => turn === seat.turn)
      return {
        ...partyOf(await personOf(deps, id)),
        role,
        joined_at: at.toISOString(),
        turn: seat?.turn ?? null,
        has_received: seat === undefined ? null : seat.status === 'received',
        has_paid: hasPaid,
        late: late && hasPaid === false,
      }
    }),
  )
}

async function debtsOf(deps: Reading, group: Group) {
  const rows = await roundSql.readOpenDebts(deps.db, group.id)
  return Promise.all(
    rows.map(async (row) => ({
      from: partyOf(await personOf(deps, row.debtor_id)),
      to: partyOf(await personOf(deps, row.creditor_id)),
      amount: toJson({ minor: remainingOf(row), currency: group.currency }),
      why: row.why,
      round: row.number,
    })),
  )
}

/** In the ledger and by the rows that were written with it: the same, always. For tests and for who doubts it. */
export async function sums({ db, ledger }: Pick<GroupDependencies, 'db' | 'ledger'>, id: string) {
  const row = await sql.readGroup(db, id)
  check(row !== undefined, 'the group exists')
  return {
    ledger: await balanceOf({ db, ledger }, groupOf(row)),
    rows: (await sql.readSum(db, id))?.sum ?? 0n,
  }
}

async function balanceOf({ db, ledger }: { db: Queries; ledger: GroupDependencies['ledger'] }, group: Group) {
  const [account] = await ledger.balances(db, [accountOf(group)])
  return account?.balance ?? 0n
}
