// Joining, leaving, roles and invitations.
import * as audit from '../audit/audit.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import * as ledgers from '../ledger/ledger.ts'
import { newInviteCode } from './invites.ts'
import * as payouts from './payouts/payouts.ts'
import {
  accountOf,
  activePerson,
  eventOf,
  type GroupDependencies,
  groupOf,
  lockAsMember,
  memberCalled,
  type People,
  refuse,
  requireMember,
  requireRole,
  seen,
  withGroup,
  withPeople,
  wrong,
} from './room.ts'
import { leaveRound } from './rounds/rounds.ts'
import { tidyCode } from './rules.ts'
import * as sql from './sql.ts'

export interface Joining {
  /** Absent: the code says which. */
  groupId: string | undefined
  userId: string
  code: string | undefined
}

/** The same answer for a group that is not there and for a wrong code. */
const noSuchInvitation = () =>
  new AppError('not_found', { detail: 'There is no group with this invitation. Ask a member for the code.' })

/** Who is a member already stays one. Returns the group's id. */
export async function join(deps: GroupDependencies, { groupId, userId, code }: Joining): Promise<string> {
  await activePerson(deps, userId)
  const given = code === undefined ? undefined : tidyCode(code)
  const found =
    groupId !== undefined
      ? await sql.readGroup(deps.db, groupId)
      : given === undefined
        ? undefined
        : await sql.readGroupByCode(deps.db, given)
  if (found === undefined) {
    if (groupId !== undefined) throw noSuchInvitation()
    throw wrong({ invite_code: 'Nobody gave out this code. Ask a member for it.' })
  }
  await withGroup(deps, found.id, async (tx) => {
    const row = await sql.lockGroup(tx, found.id)
    check(row !== undefined, 'groups are never deleted')
    if ((await sql.readMember(tx, { group: row.id, user: userId })) !== undefined) return
    if (given !== row.invite_code && (given !== undefined || row.visibility === 'private'))
      throw noSuchInvitation()
    if (row.closed_at !== null) throw refuse('This group is closed: its last member has left.')
    if (row.member_count >= row.max_members) throw refuse('This group is full.')
    const at = deps.clock.now()
    await sql.addMember(tx, { group: row.id, user: userId, role: 'member', at })
    await sql.countMember(tx, { group: row.id, by: 1, at })
    await sql.insertEvents(tx, [eventOf(row, { type: 'joined', actor_id: userId, created_at: at })])
  })
  return found.id
}

export interface Doing {
  groupId: string
  userId: string
}

export interface Leaving extends Doing {
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
}

/** With one key once, also when they have joined again since. */
export async function leave(
  deps: GroupDependencies,
  { groupId, userId, key }: Leaving,
): Promise<ledgers.Answered> {
  await activePerson(deps, userId)
  return withPeople(deps, { group: groupId, more: [userId] }, (tx, people) => {
    const work = async () => {
      await endMembership(deps, tx, { groupId, userId, actor: userId, people })
      const said = { success: true, message: 'You have left the group', data: null }
      return { status: 200, body: JSON.stringify(said) }
    }
    return ledgers.answerOnce(tx, { key, now: deps.clock.now(), work })
  })
}

export interface Ending extends Doing {
  actor: string
  people: People
}

async function endMembership(
  deps: GroupDependencies,
  tx: Tx,
  { groupId, userId, actor, people }: Ending,
): Promise<void> {
  const { group, member } = await lockAsMember(tx, { id: groupId, user: userId })
  // They may have handed the chair over since the request came.
  if (actor !== userId)
    requireRole(requireMember({ group, member: await sql.readMember(tx, { group: groupId, user: actor }) }), [
      'chair',
    ])
  const at = deps.clock.now()
  if (member.role === 'chair' && group.member_count > 1)
    throw refuse('Hand the chair over to another member first, then leave.')
  const [current] = actor === userId ? [] : await sql.openRoundOf(tx, group.id)
  if (current !== undefined) throw refuse('Nobody can be removed while a round is open.')
  if (group.kind === 'rotating') await leaveRound(deps, tx, { group, people, user: userId, at })
  else await payouts.cancelTo(tx, { group, member: userId, at })
  await sql.removeMember(tx, { group: group.id, user: userId, at })
  // After the row has changed: who gives to the group in this moment is a member until the money is there.
  if (group.member_count === 1) {
    const [account] = await deps.ledger.balances(tx, [accountOf(group)])
    if ((account?.balance ?? 0n) > 0n)
      throw refuse('There is still money in the group, and you are its last member. Propose a payout first.')
  }
  await sql.countMember(tx, { group: group.id, by: -1, at })
  const who = { actor_id: actor, member_id: userId, created_at: at }
  await sql.insertEvents(tx, [eventOf(group, { type: actor === userId ? 'left' : 'removed', ...who })])
  if (actor !== userId)
    await note(tx, {
      actor,
      action: 'group.member_removed',
      group: group.id,
      at,
      details: { member: userId },
    })
}

interface Noted {
  actor: string
  action: string
  group: string
  at: Date
  details?: object
}

const note = (tx: Tx, { actor, action, group, at, details }: Noted): Promise<void> =>
  audit.record(tx, { actor: { kind: 'user', id: actor }, action, object: group, result: 'ok', details, at })

export interface Naming extends Doing {
  /** Of the member. */
  handle: string
}

/**
 * By the chair, between rounds. Not in a goal group: who could remove the others would have the last word about its
 * money.
 */
export async function remove(deps: GroupDependencies, { groupId, userId, handle }: Naming): Promise<void> {
  await activePerson(deps, userId)
  const inside = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  requireRole(inside, ['chair'])
  const { group } = inside
  const person = await memberCalled(deps, deps.db, { group, handle })
  if (group.kind === 'goal')
    throw refuse('Nobody can be removed from a goal group: its members decide together.')
  if (person.id === userId) throw refuse('You are the chair. Hand the chair over and leave instead.')
  const ending = { groupId, userId: person.id, actor: userId }
  await withPeople(deps, { group: groupId, more: [userId, person.id] }, (tx, people) =>
    endMembership(deps, tx, { ...ending, people }),
  )
}

export interface RoleChange extends Naming {
  role: sql.Role
}

/** By the chair. Who makes another the chair is a member from then on: there is always one. */
export async function changeRole(
  deps: GroupDependencies,
  { groupId, userId, handle, role }: RoleChange,
): Promise<void> {
  await activePerson(deps, userId)
  const found = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  requireRole(found, ['chair'])
  const person = await memberCalled(deps, deps.db, { group: found.group, handle })
  await withGroup(deps, groupId, async (tx) => {
    const inside = await lockAsMember(tx, { id: groupId, user: userId })
    requireRole(inside, ['chair'])
    const member = await sql.readMember(tx, { group: groupId, user: person.id })
    if (member === undefined) throw refuse('This member has left.')
    if (member.role === role) return
    if (person.id === userId) throw refuse('A group always has a chair: make another member the chair.')
    const at = deps.clock.now()
    if (role === 'chair') await sql.changeRole(tx, { group: groupId, user: userId, role: 'member' })
    await sql.changeRole(tx, { group: groupId, user: person.id, role })
    const event = { type: 'role_changed', actor_id: userId, member_id: person.id, note: role, created_at: at }
    await sql.insertEvents(tx, [eventOf(inside.group, event)])
    await note(tx, {
      actor: userId,
      action: 'group.role_changed',
      group: groupId,
      at,
      details: { member: person.id, role },
    })
  })
}

/** From now on only the new one opens the group. */
export async function renewCode(deps: GroupDependencies, { groupId, userId }: Doing) {
  await activePerson(deps, userId)
  return withGroup(deps, groupId, async (tx) => {
    const inside = await lockAsMember(tx, { id: groupId, user: userId })
    requireRole(inside, ['chair', 'treasurer'])
    const row = await sql.changeCode(tx, { id: groupId, code: newInviteCode() })
    check(row !== undefined, 'a row that was updated is returned')
    const at = deps.clock.now()
    await sql.insertEvents(tx, [eventOf(row, { type: 'invite_renewed', actor_id: userId, created_at: at })])
    return groupOf(row)
  })
}
