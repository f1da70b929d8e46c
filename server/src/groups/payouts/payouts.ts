// Payouts of a goal group: proposed by a member, paid at once when more than half of the other members have approved, and
// more than half of those who had long been members (rules.ts). What must stay true: a proposal is paid once, by those who
// are members in that moment, and never more than there is.
import * as audit from '../../audit/audit.ts'
import { check } from '../../base/check.ts'
import { AppError, fieldsOf } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { parseAmount, toJson, toText } from '../../base/money.ts'
import type { Queries, Tx } from '../../db/db.ts'
import * as ledgers from '../../ledger/ledger.ts'
import * as mail from '../../mail/mail.ts'
import type { Person } from '../../users/users.ts'
import * as users from '../../users/users.ts'
import {
  activePerson,
  answeredBefore,
  eventOf,
  type Group,
  type GroupDependencies,
  known,
  lockAsMember,
  nobodyCalled,
  type People,
  partyOf,
  personOf,
  type Reading,
  type Repeatable,
  refuse,
  requireMember,
  seen,
  withGroup,
  within,
  withPeople,
  wrong,
} from '../room.ts'
import { groupEntry, payout, referenceOf, tell } from '../rounds/apply.ts'
import { countVotes } from '../rules.ts'
import * as groupSql from '../sql.ts'
import * as sql from './sql.ts'

const lifeMs = 14 * 86_400_000
/** Of one member: more is a nuisance. */
const openMax = 20
/** Of one member within a day, taken back or not. The others are seen in the app. */
const mailedMax = 10
const dayMs = 86_400_000

export interface Proposing extends Repeatable {
  userId: string
  to: string
  reason: string
}

/** One proposal, however often it is made with the same key. */
export async function propose(deps: GroupDependencies, proposing: Proposing): Promise<ledgers.Answered> {
  const proposer = await activePerson(deps, proposing.userId)
  return proposeOnce(deps, { ...proposing, proposer }).catch((problem: unknown) =>
    answeredBefore(deps, { ...proposing, problem }),
  )
}

async function proposeOnce(
  deps: GroupDependencies,
  { proposer, ...proposing }: Proposing & { proposer: Person },
): Promise<ledgers.Answered> {
  const { groupId, userId, to, reason } = proposing
  const { group } = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  requireGoal(group)
  const recipient = await deps.users.byHandle(to)
  const read = () => {
    const { minor } = parseAmount(proposing.amount, group.currency)
    return { amount: minor, key: proposing.keyOf(minor) }
  }
  const { amount, key } = await orWithRecipient(deps, { group, recipient, read })
  const more = [userId, ...(recipient === undefined ? [] : [recipient.id])]
  return withPeople(deps, { group: group.id, more }, (tx, people) => {
    const at = deps.clock.now()
    const work = async () => {
      await lockAsMember(tx, { id: groupId, user: userId })
      const given = await requireRecipient(tx, { group, recipient })
      const proposal = { group, people, proposer, recipient: given, amount, reason, at }
      const row = await writeProposal(tx, proposal)
      // Who is alone asks nobody.
      const made = await payIfAgreed(deps, tx, { group, people, row, at })
      const data = await recordOf(within(deps, tx, people), { group, row: made, viewer: userId })
      return { status: 200, body: JSON.stringify({ success: true, message: 'Payout proposed', data }) }
    }
    return ledgers.answerOnce(tx, { key, now: at, work })
  })
}

/** What else is wrong is told with a recipient who is none. */
async function orWithRecipient<T>(
  { db }: GroupDependencies,
  { group, recipient, read }: { group: Group; recipient: Person | undefined; read: () => T },
): Promise<T> {
  try {
    return read()
  } catch (error) {
    const to = await requireRecipient(db, { group, recipient }).then(() => ({}), fieldsOf)
    throw wrong({ ...fieldsOf(error), ...to })
  }
}

/** Looked at when it is new: a repeated one has its answer, also when they have left since. */
async function requireRecipient(
  tx: Queries,
  { group, recipient }: { group: Group; recipient: Person | undefined },
): Promise<Person> {
  const member = recipient && (await groupSql.readMember(tx, { group: group.id, user: recipient.id }))
  if (recipient === undefined || member === undefined) throw wrong({ to: nobodyCalled })
  return recipient
}

interface NewProposal {
  group: Group
  people: People
  proposer: Person
  recipient: Person
  amount: bigint
  reason: string
  at: Date
}

/** With the group locked. */
async function writeProposal(tx: Tx, proposal: NewProposal): Promise<sql.ProposalRow> {
  const { group, people, proposer, recipient, amount, reason, at } = proposal
  const open = await sql.countOpen(tx, { group: group.id, proposer: proposer.id })
  if ((open?.count ?? 0) >= openMax) throw refuse(`You have ${openMax} open proposals in this group already.`)
  const since = new Date(at.getTime() - dayMs)
  const made = await sql.countMade(tx, { group: group.id, proposer: proposer.id, since })
  const row = await sql.insertProposal(tx, {
    id: newId('pro'),
    group_id: group.id,
    proposer_id: proposer.id,
    recipient_id: recipient.id,
    amount,
    reason,
    created_at: at,
    expires_at: new Date(at.getTime() + lifeMs),
  })
  check(row !== undefined, 'a row that was inserted is returned')
  const event = { type: 'payout_proposed', actor_id: proposer.id, member_id: recipient.id, amount }
  await groupSql.insertEvents(tx, [eventOf(group, { ...event, note: reason, created_at: at })])
  if ((made?.count ?? 0) >= mailedMax) return row
  for (const person of await othersOf(tx, { group, people, proposer: proposer.id }))
    await tellProposal(tx, { person, proposer, recipient, group, row })
  return row
}

function requireGoal({ kind }: Group): void {
  if (kind !== 'goal') throw refuse('A rotating group pays out by itself, in the order of its round.')
}

async function othersOf(
  tx: Tx,
  { group, people, proposer }: { group: Group; people: People; proposer: string },
) {
  const members = await groupSql.readMembers(tx, group.id)
  return members.filter(({ user_id: id }) => id !== proposer).map(({ user_id: id }) => known(people, id))
}

interface Told {
  person: Person
  proposer: Person
  recipient: Person
  group: Group
  row: sql.ProposalRow
}

async function tellProposal(tx: Tx, { person, proposer, recipient, group, row }: Told): Promise<void> {
  if (!users.reachable(person)) return
  await mail.queue(tx, {
    to: users.mailboxOf(person),
    template: 'group_proposal',
    data: {
      groupName: group.name,
      from: `${proposer.name} (@${proposer.handle})`,
      to: `${recipient.name} (@${recipient.handle})`,
      amountText: toText({ minor: row.amount, currency: group.currency }, person.locale),
      reason: row.reason,
    },
    about: { kind: 'group', id: group.id },
  })
}

interface Settling {
  group: Group
  people: People
  row: sql.ProposalRow
  at: Date
}

/** With the group locked. When there is too little in the pot it stays open, and is tried again later. */
export async function payIfAgreed(deps: GroupDependencies, tx: Tx, { group, people, row, at }: Settling) {
  if (row.status !== 'open' || row.expires_at <= at) return row
  const members = await groupSql.readMembers(tx, group.id)
  const approvers = (await sql.readApprovals(tx, [row.id])).map(({ user_id: id }) => id)
  if (!countVotes({ members, proposal: row, approvers }).agreed) return row
  const person = known(people, row.recipient_id)
  const facts = { proposal: row.id }
  const posting = payout({ group, person, amount: row.amount, note: row.reason, facts })
  const [outcome] = await deps.ledger.post(tx, [posting])
  check(outcome !== undefined, 'one posting has one outcome')
  if (!outcome.ok && outcome.refusal === 'insufficient_funds') return row
  check(outcome.ok && !outcome.replayed, 'a payout is made, or there is too little')
  const { posted } = outcome
  const paid = await sql.decide(tx, { id: row.id, status: 'paid', posting: posted.id, at: posted.createdAt })
  check(paid !== undefined, 'a row that was updated is returned')
  const money = { posting_id: posted.id, seq: groupEntry(posted, 'out').seq, amount: row.amount }
  const event = {
    type: 'payout',
    actor_id: row.proposer_id,
    member_id: row.recipient_id,
    note: row.reason,
    ...money,
  }
  await groupSql.insertEvents(tx, [eventOf(group, { ...event, created_at: at })])
  await audit.record(tx, {
    ...{
      actor: { kind: 'user', id: row.proposer_id },
      action: 'group.payout',
      object: group.id,
      result: 'ok',
      at,
    },
    details: { proposal: row.id, to: row.recipient_id, amount: row.amount, approvals: approvers.length },
  })
  await tell(deps, tx, { group, person, posting, posted })
  return paid
}

export interface Voting {
  groupId: string
  userId: string
  proposalId: string
}

export interface Approving extends Voting {
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
}

/** Said twice is said once; with its key it has its first answer, whatever has happened since. */
export async function approve(
  deps: GroupDependencies,
  { groupId, userId, proposalId, key }: Approving,
): Promise<ledgers.Answered> {
  await activePerson(deps, userId)
  const found = await sql.readProposal(deps.db, { id: proposalId, group: groupId })
  const more = [userId, ...(found === undefined ? [] : [found.recipient_id])]
  return withPeople(deps, { group: groupId, more }, (tx, people) => {
    const at = deps.clock.now()
    const work = async () => {
      const { group } = await lockAsMember(tx, { id: groupId, user: userId })
      const proposal = await findProposal(tx, { groupId, proposalId })
      const isNew = await writeApproval(tx, { group, proposal, voter: userId, at })
      const row = isNew ? await payIfAgreed(deps, tx, { group, people, row: proposal, at }) : proposal
      const data = await recordOf(within(deps, tx, people), { group, row, viewer: userId })
      return { status: 200, body: JSON.stringify({ success: true, message: 'Approved', data }) }
    }
    return ledgers.answerOnce(tx, { key, now: at, work })
  })
}

interface Approval {
  group: Group
  proposal: sql.ProposalRow
  voter: string
  at: Date
}

/** With the group locked. False when they had approved it before. */
async function writeApproval(tx: Tx, { group, proposal, voter, at }: Approval): Promise<boolean> {
  const { id, proposer_id, recipient_id, amount, reason } = proposal
  if (proposer_id === voter)
    throw refuse('You have proposed this payout yourself; the others decide about it.')
  if ((await sql.readApprovals(tx, [id])).some(({ user_id }) => user_id === voter)) return false
  refuseDecided(proposal, at)
  await sql.approve(tx, { id, user: voter, at })
  const event = { type: 'payout_approved', actor_id: voter, member_id: recipient_id, amount, note: reason }
  await groupSql.insertEvents(tx, [eventOf(group, { ...event, created_at: at })])
  return true
}

async function findProposal(db: Queries, { groupId, proposalId }: Omit<Voting, 'userId'>) {
  const row = await sql.readProposal(db, { id: proposalId, group: groupId })
  if (row === undefined)
    throw new AppError('not_found', { detail: 'There is no such proposal in this group.' })
  return row
}

const statusAt = ({ status, expires_at: end }: sql.ProposalRow, now: Date) =>
  status === 'open' && end <= now ? ('expired' as const) : status

function refuseDecided(row: sql.ProposalRow, now: Date): void {
  const status = statusAt(row, now)
  if (status !== 'open') throw refuse(`This proposal is ${status} already.`)
}

/** By who proposed it. */
export async function cancel(deps: GroupDependencies, { groupId, userId, proposalId }: Voting) {
  await activePerson(deps, userId)
  requireMember(await seen(deps.db, { id: groupId, user: userId }))
  await findProposal(deps.db, { groupId, proposalId })
  const { group, row } = await withGroup(deps, groupId, async (tx) => {
    const inside = await lockAsMember(tx, { id: groupId, user: userId })
    const proposal = await sql.readProposal(tx, { id: proposalId, group: groupId })
    check(proposal !== undefined, 'proposals are never deleted')
    if (proposal.proposer_id !== userId)
      throw new AppError('forbidden', { detail: 'Only who proposed a payout can take it back.' })
    if (proposal.status === 'cancelled') return { group: inside.group, row: proposal }
    const at = deps.clock.now()
    refuseDecided(proposal, at)
    const decided = await sql.decide(tx, { id: proposalId, status: 'cancelled', posting: null, at })
    check(decided !== undefined, 'a row that was updated is returned')
    await groupSql.insertEvents(tx, [
      cancelledEvent({ group: inside.group, row: decided, actor: userId, at }),
    ])
    return { group: inside.group, row: decided }
  })
  return recordOf(deps, { group, row, viewer: userId })
}

interface Cancelled {
  group: Group
  row: sql.ProposalRow
  actor: string
  at: Date
}

const cancelledEvent = ({ group, row, actor, at }: Cancelled) =>
  eventOf(group, {
    type: 'payout_cancelled',
    actor_id: actor,
    member_id: row.recipient_id,
    amount: row.amount,
    note: row.reason,
    created_at: at,
  })

/**
 * With the group locked, when a member leaves: the others agreed to pay a member. What waits for money would else go to
 * somebody outside from what those who stayed give later, and nobody but who proposed it could stop that.
 */
export async function cancelTo(
  tx: Tx,
  { group, member, at }: { group: Group; member: string; at: Date },
): Promise<void> {
  const rows = await sql.cancelTo(tx, { group: group.id, recipient: member, at })
  await groupSql.insertEvents(
    tx,
    rows.map((row) => cancelledEvent({ group, row, actor: member, at })),
  )
}

export interface Listing {
  groupId: string
  userId: string
  status: string | undefined
  before: { at: string; id: string } | undefined
  limit: number
}

/** The newest first; one more than the limit, if there is one. */
export async function list(deps: GroupDependencies, { groupId, userId, status, before, limit }: Listing) {
  const { group } = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  const asked = { group: group.id, status: status ?? null, before, limit: limit + 1 }
  const rows = await sql.listProposals(deps.db, asked)
  return Promise.all(rows.map((row) => recordOf(deps, { group, row, viewer: userId })))
}

async function recordOf(
  deps: Reading,
  { group, row, viewer }: { group: Group; row: sql.ProposalRow; viewer: string },
) {
  const { db } = deps
  const named = async (id: string) => partyOf(await personOf(deps, id))
  const members = await groupSql.readMembers(db, group.id)
  const voters = (await sql.readApprovals(db, [row.id])).map(({ user_id: id }) => id)
  const counted = voters.filter((voter) => members.some(({ user_id: id }) => id === voter))
  const { approvals, needed, agreed } = countVotes({ members, proposal: row, approvers: voters })
  const status = statusAt(row, deps.clock.now())
  return {
    id: row.id,
    proposed_by: await named(row.proposer_id),
    to: await named(row.recipient_id),
    amount: toJson({ minor: row.amount, currency: group.currency }),
    currency: group.currency,
    reason: row.reason,
    status,
    approvals,
    approvals_needed: needed,
    approved_by: await Promise.all(counted.map(named)),
    approved_by_you: voters.includes(viewer),
    waiting_for: status !== 'open' ? null : agreed ? ('money' as const) : ('approvals' as const),
    reference: row.posting_id === null ? null : referenceOf(deps, { kind: 'GP', id: row.posting_id }),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}
