// Rounds of a rotating group: announced when its order is drawn, started by the chair, closed cycle by cycle by those who
// pay, and what is done when somebody does not. What happens to the money is said by round.ts.
import * as audit from '../../audit/audit.ts'
import { check } from '../../base/check.ts'
import type { Tx } from '../../db/db.ts'
import * as ledgers from '../../ledger/ledger.ts'
import type { Person } from '../../users/users.ts'
import {
  activePerson,
  eventOf,
  type Group,
  type GroupDependencies,
  type Inside,
  known,
  lockAsMember,
  memberCalled,
  type People,
  partyOf,
  personOf,
  type Reading,
  refuse,
  requireRole,
  seen,
  withGroup,
  within,
  withPeople,
  wrong,
} from '../room.ts'
import * as groupSql from '../sql.ts'
import { applySteps, isLate, loadRound, type OpenRound } from './apply.ts'
import { nextDue } from './calendar.ts'
import { commitmentOf, drawnOrder, newSeed } from './draw.ts'
import { closeCycle, dissolve, leave, mayLeave, type Outcome, seatsLeast } from './round.ts'
import * as sql from './sql.ts'

interface Doing {
  groupId: string
  userId: string
}

/** Publishes what the order will be drawn with, before anybody knows who takes part. */
export async function announceDraw(deps: GroupDependencies, { groupId, userId }: Doing): Promise<void> {
  await activePerson(deps, userId)
  await withGroup(deps, groupId, async (tx) => {
    const inside = await lockAsMember(tx, { id: groupId, user: userId })
    const { group } = inside
    requireRotating(group)
    requireRole(inside, ['chair'])
    await requireNoRound(tx, group)
    const at = deps.clock.now()
    const seed = newSeed()
    const commitment = commitmentOf(seed)
    const row = await sql.insertRound(tx, { group: group.id, commitment, seed, at })
    const event = { type: 'draw_announced', actor_id: userId, note: commitment, created_at: at }
    await groupSql.insertEvents(tx, [eventOf(group, { ...event, number: row?.number ?? null })])
  })
}

function requireRotating({ kind }: Group): void {
  if (kind !== 'rotating') throw refuse('Only rotating groups have rounds.')
}

async function requireNoRound(tx: Tx, group: Group): Promise<void> {
  const [current] = await sql.readCurrent(tx, [group.id])
  if (current === undefined) return
  throw refuse(
    current.status === 'open'
      ? 'A round is open already.'
      : 'A draw is announced already: start the round with it.',
  )
}

/** Whoever adds a word makes sure that nobody could have known the order. */
export async function addWord(deps: GroupDependencies, { groupId, userId, word }: Doing & { word: string }) {
  await activePerson(deps, userId)
  await withGroup(deps, groupId, async (tx) => {
    const { group } = await lockAsMember(tx, { id: groupId, user: userId })
    const [current] = await sql.readCurrent(tx, [group.id])
    if (current?.status !== 'announced') throw refuse('No draw is announced in this group.')
    await sql.saveWord(tx, { group: group.id, number: current.number, user: userId, word })
    const event = { type: 'draw_word', actor_id: userId, note: word, created_at: deps.clock.now() }
    await groupSql.insertEvents(tx, [eventOf(group, { ...event, number: current.number })])
  })
}

export interface Starting extends Doing {
  order: 'join' | 'draw' | 'hand'
  /** By hand: the handles of all who take part, the first to receive first. */
  members?: readonly string[] | undefined
}

export async function start(
  deps: GroupDependencies,
  { groupId, userId, order, members }: Starting,
): Promise<void> {
  await activePerson(deps, userId)
  await withPeople(deps, { group: groupId, more: [userId] }, async (tx, people) => {
    const inside = await lockAsMember(tx, { id: groupId, user: userId })
    const { group } = inside
    requireRotating(group)
    requireRole(inside, ['chair'])
    const current = await currentFor(tx, { group, order })
    const entrants = await entrantsOf(tx, { group, people })
    const users = await ordered(tx, { group, order, members, entrants, current })
    const at = deps.clock.now()
    const row = current ?? (await sql.insertRound(tx, { group: group.id, commitment: null, seed: null, at }))
    check(row !== undefined, 'a row that was inserted is returned')
    await open(tx, { group, row, order, users, at, actor: userId })
  })
}

/** The announced draw, if the order is drawn; nothing else may be under way. */
async function currentFor(tx: Tx, { group, order }: { group: Group; order: string }) {
  const [current] = await sql.readCurrent(tx, [group.id])
  if (current?.status === 'open') throw refuse('A round is open already.')
  if (order === 'draw' && current === undefined)
    throw refuse('Announce the draw first, so that everybody knows that nobody chose the order.')
  // Who has seen nothing of the seed can't dislike it either: an announced draw is used.
  if (order !== 'draw' && current !== undefined) throw refuse('A draw is announced: start the round with it.')
  return current
}

/** All members take part but those who still owe something, in the order of joining. */
async function entrantsOf(tx: Tx, { group, people }: { group: Group; people: People }): Promise<Person[]> {
  const owing = new Set((await sql.readOpenDebts(tx, group.id)).map(({ debtor_id: id }) => id))
  const members = await groupSql.readMembers(tx, group.id)
  const entrants = members
    .filter(({ user_id: id }) => !owing.has(id))
    .map(({ user_id: id }) => known(people, id))
  if (entrants.length >= seatsLeast) return entrants
  const owe = owing.size === 0 ? '' : ' Who owes something from an earlier round takes no part.'
  throw refuse(`A round needs at least ${seatsLeast} members; there are ${entrants.length}.${owe}`)
}

interface Ordering {
  group: Group
  order: Starting['order']
  members: readonly string[] | undefined
  entrants: readonly Person[]
  current: sql.RoundRow | undefined
}

async function ordered(tx: Tx, { group, order, members, entrants, current }: Ordering): Promise<string[]> {
  switch (order) {
    case 'join':
      return entrants.map(({ id }) => id)
    case 'hand':
      return byHand(members, entrants)
    case 'draw': {
      check(current !== undefined && current.seed !== null, 'an announced draw has a seed')
      const words = await sql.readWords(tx, { group: group.id, number: current.number })
      const said = new Map(words.map(({ user_id: id, word }) => [id, word]))
      const drawn = drawnOrder(
        current.seed,
        entrants.map(({ id, handle }) => ({ handle, word: said.get(id) ?? '' })),
      )
      return drawn.map((handle) => entrants.find((person) => person.handle === handle)?.id ?? '')
    }
    default:
      return order satisfies never
  }
}

function byHand(members: readonly string[] | undefined, entrants: readonly Person[]): string[] {
  const handles = (members ?? []).map((handle) => handle.toLowerCase().replace(/^@/, ''))
  const found = handles.map((handle) => entrants.find((person) => person.handle === handle)?.id)
  const all = found.filter((id) => id !== undefined)
  if (
    all.length !== handles.length ||
    new Set(all).size !== entrants.length ||
    all.length !== entrants.length
  )
    throw wrong({ members: `Members must name each of the ${entrants.length} who take part, once` })
  return all
}

interface Opening {
  group: Group
  row: sql.RoundRow
  order: Starting['order']
  users: string[]
  at: Date
  actor: string
}

async function open(tx: Tx, { group, row, order, users, at, actor }: Opening): Promise<void> {
  const { frequency, contribution_amount: amount, late_fine: fine, time_zone: timeZone } = group
  check(frequency !== null && amount !== null, 'a rotating group has an amount and a rhythm')
  const { number } = row
  const { count: periods, dueAt } = nextDue({ startedAt: at, timeZone, frequency }, { after: 0, now: at })
  await sql.startRound(tx, { group: group.id, number, ordering: order, amount, fine, periods, dueAt, at })
  await sql.insertSeats(tx, { group: group.id, number, users })
  const event = { type: 'round_started', actor_id: actor, number, note: order, created_at: at }
  await groupSql.insertEvents(tx, [eventOf(group, event)])
}

export interface MovingMoney extends Doing {
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
  /** The answer to be kept: it is repeated byte for byte. */
  answerOf: (seen: Reading) => Promise<ledgers.Answer>
}

interface Changing extends MovingMoney {
  roles: readonly groupSql.Role[]
  action: string
  change: (open: OpenRound, inside: Inside, at: Date) => Outcome
}

/** Something that the rules of a round decide, and that moves money: once, however often it is asked for with one key. */
async function changeRound(deps: GroupDependencies, changing: Changing): Promise<ledgers.Answered> {
  const { groupId, userId, roles, action, change, key, answerOf } = changing
  await activePerson(deps, userId)
  return withPeople(deps, { group: groupId, more: [userId] }, (tx, people) => {
    const at = deps.clock.now()
    const work = async () => {
      const inside = await lockAsMember(tx, { id: groupId, user: userId })
      const { group } = inside
      requireRole(inside, roles)
      const opened = await loadRound(tx, group)
      if (opened === undefined) throw refuse('No round is open in this group.')
      const outcome = change(opened, inside, at)
      const applied = await applySteps(deps, tx, { group, open: opened, outcome, people, actor: userId, at })
      check(applied.ok, 'what nobody pays for is not refused')
      const actor = { kind: 'user', id: userId }
      const details = { round: opened.row.number, cycle: opened.row.cycle }
      await audit.record(tx, { actor, action, object: group.id, result: 'ok', details, at })
      return answerOf(within(deps, tx, people))
    }
    return ledgers.answerOnce(tx, { key, now: at, work })
  })
}

/** A late cycle need not wait for who does not pay: the pot goes out as it is, and the rest is owed. */
export const close = (deps: GroupDependencies, doing: MovingMoney): Promise<ledgers.Answered> =>
  changeRound(deps, {
    ...doing,
    roles: ['chair', 'treasurer'],
    action: 'group.cycle_closed',
    change: (opened, _inside, at) => {
      if (!isLate(opened, at)) throw refuse('This cycle is not late yet.')
      return closeCycle(opened.round)
    },
  })

export const dissolveRound = (deps: GroupDependencies, doing: MovingMoney): Promise<ledgers.Answered> =>
  changeRound(deps, {
    ...doing,
    roles: ['chair'],
    action: 'group.round_dissolved',
    change: ({ round }) => dissolve(round),
  })

/** For who leaves the group while a round is open: in the caller's transaction, with the group locked. */
export async function leaveRound(
  deps: GroupDependencies,
  tx: Tx,
  { group, people, user, at }: { group: Group; people: People; user: string; at: Date },
): Promise<void> {
  const debts = await sql.readOpenDebts(tx, group.id)
  const opened = await loadRound(tx, group)
  const seat = opened?.seats.find(({ user_id: id, status }) => id === user && status !== 'left')
  if (opened !== undefined && seat !== undefined) {
    if (seat.status === 'received')
      throw refuse(
        'You have received the pot of this round and still owe the others their turns. Pay to the end, or find a member who takes over your seat.',
      )
    const rule = opened.round.seats.find(({ turn }) => turn === seat.turn)
    check(rule !== undefined && mayLeave(rule), 'a seat that waits may leave')
    const outcome = leave(opened.round, seat.turn)
    const applied = await applySteps(deps, tx, { group, open: opened, outcome, people, actor: user, at })
    check(applied.ok, 'what nobody pays for is not refused')
  }
  // Those to others of the open round were forgiven with the seat.
  const number = seat === undefined ? undefined : opened?.row.number
  if (debts.some((debt) => debt.debtor_id === user && debt.number !== number))
    throw refuse('You still owe other members something. Pay it first, then leave.')
}

export interface Offering extends Doing {
  to: string
}

/** A seat with all that belongs to it, for a member who has none in this round. */
export async function offerSeat(deps: GroupDependencies, { groupId, userId, to }: Offering): Promise<void> {
  await activePerson(deps, userId)
  const { group: found } = await seen(deps.db, { id: groupId, user: userId })
  const taker = await memberCalled(deps, deps.db, { group: found, handle: to, field: 'to' })
  await withGroup(deps, groupId, async (tx) => {
    const { group } = await lockAsMember(tx, { id: groupId, user: userId })
    const opened = await loadRound(tx, group)
    const seat = opened?.seats.find(({ user_id: id, status }) => id === userId && status !== 'left')
    if (opened === undefined || seat === undefined)
      throw refuse('You have no seat in an open round of this group.')
    if (opened.seats.some(({ user_id: id }) => id === taker.id))
      throw wrong({ to: 'This member has or had a seat in this round.' })
    await sql.offerSeat(tx, { group: group.id, number: seat.number, turn: seat.turn, to: taker.id })
    const event = { type: 'seat_offered', actor_id: userId, member_id: taker.id, number: seat.number }
    await groupSql.insertEvents(tx, [eventOf(group, { ...event, created_at: deps.clock.now() })])
  })
}

/** Its turn, its debts and what is owed to it pass to who accepts. What the two pay each other is theirs to agree. */
export async function acceptSeat(deps: GroupDependencies, { groupId, userId }: Doing): Promise<void> {
  await activePerson(deps, userId)
  await withGroup(deps, groupId, async (tx) => {
    const { group } = await lockAsMember(tx, { id: groupId, user: userId })
    const opened = await loadRound(tx, group)
    const seat = opened?.seats.find(({ offered_to: to }) => to === userId)
    if (opened === undefined || seat === undefined) throw refuse('No seat is offered to you.')
    // Two may have offered theirs.
    if (opened.seats.some(({ user_id: id }) => id === userId))
      throw refuse('You have or had a seat in this round already.')
    const at = deps.clock.now()
    const { number, turn, user_id: from } = seat
    await sql.moveSeat(tx, { group: group.id, number, turn, to: userId })
    const event = { type: 'seat_taken', actor_id: userId, member_id: from, number, created_at: at }
    await groupSql.insertEvents(tx, [eventOf(group, event)])
    const details = { round: number, turn, from }
    const actor = { kind: 'user', id: userId }
    await audit.record(tx, { actor, action: 'group.seat_taken', object: group.id, result: 'ok', details, at })
  })
}

/** One round, with all that is needed to make its order again. The seed is a secret until it has started. */
export async function showRound(deps: Reading, { group, number }: { group: Group; number: number }) {
  const { db } = deps
  const row = await sql.readRound(db, { group: group.id, number })
  if (row === undefined) return undefined
  const seats = await sql.readSeats(db, { groups: [group.id], number })
  const words = await sql.readWords(db, { group: group.id, number })
  const named = async (id: string) => partyOf(await personOf(deps, id))
  const said = await Promise.all(
    words.map(async ({ user_id: id, word }) => ({ handle: (await named(id)).handle, word })),
  )
  const time = (date: Date | null) => date?.toISOString() ?? null
  return {
    number,
    status: row.status,
    order: row.ordering,
    cycle: row.status === 'open' ? row.cycle : null,
    due_at: time(row.due_at),
    seats: await Promise.all(
      seats.map(async (seat) => ({
        turn: seat.turn,
        member: await named(seat.user_id),
        status: seat.status,
        received_in_cycle: seat.received_in,
        offered_to: seat.offered_to === null ? null : await named(seat.offered_to),
      })),
    ),
    draw:
      row.commitment === null
        ? null
        : {
            commitment: row.commitment,
            seed: row.started_at === null ? null : row.seed,
            words: said.sort((one, other) => (one.handle < other.handle ? -1 : 1)),
          },
    announced_at: time(row.announced_at),
    started_at: time(row.started_at),
    ended_at: time(row.ended_at),
  }
}
