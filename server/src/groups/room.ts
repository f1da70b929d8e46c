// What the files of this room share: the group as the others see it, who may see and do what, and lines of the feed.
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { type Currency, isCurrency, readMinor } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Queries, Tx } from '../db/db.ts'
import type * as ledgers from '../ledger/ledger.ts'
import type { Person, Users } from '../users/users.ts'
import * as users from '../users/users.ts'
import * as roundSql from './rounds/sql.ts'
import * as sql from './sql.ts'
import { inTurn } from './turns.ts'

export interface GroupDependencies {
  db: Db
  ledger: ledgers.Ledger
  users: Users
  prices: Prices
  secrets: { readonly idem: Secret }
  clock: Clock
  baseUrl: string
}

/** What it takes to look: from outside, or as a transaction sees it. */
export type Reading = Omit<GroupDependencies, 'db' | 'users'> & { db: Queries; users: Pick<Users, 'person'> }

export interface Group extends Omit<sql.GroupRow, 'currency'> {
  currency: Currency
}

export function groupOf(row: sql.GroupRow): Group {
  const { currency } = row
  check(isCurrency(currency), 'a group has a currency of the table')
  return { ...row, currency }
}

export const accountOf = ({ id, currency }: Pick<Group, 'id' | 'currency'>): ledgers.AccountName => ({
  kind: 'group',
  owner: id,
  currency,
  mode: 'live',
})

export interface Seen {
  group: Group
  /** Absent: the group is public, or has something to pay to who looks. */
  member: sql.MemberRow | undefined
}

const hidden = () => new AppError('not_found', { detail: 'There is no such group.' })
const strangers = () => new AppError('forbidden', { detail: 'You are not a member of this group.' })

/** What is private does not exist for others. */
export async function seen(db: Queries, { id, user }: { id: string; user: string }): Promise<Seen> {
  const row = await sql.readGroup(db, id)
  if (row === undefined) throw hidden()
  const member = await sql.readMember(db, { group: id, user })
  if (member === undefined && row.visibility === 'private') {
    if ((await roundSql.hasSeat(db, { group: id, user })) === undefined) throw hidden()
  }
  return { group: groupOf(row), member }
}

export interface Inside extends Seen {
  member: sql.MemberRow
}

export function requireMember(found: Seen): Inside {
  const { member } = found
  if (member === undefined) throw found.group.visibility === 'private' ? hidden() : strangers()
  return { ...found, member }
}

/** Nobody else decides about the group until the transaction ends. */
export async function lockAsMember(tx: Tx, { id, user }: { id: string; user: string }): Promise<Inside> {
  const row = await sql.lockGroup(tx, id)
  if (row === undefined) throw hidden()
  const member = await sql.readMember(tx, { group: id, user })
  return requireMember({ group: groupOf(row), member })
}

export function requireRole({ member }: Inside, roles: readonly sql.Role[]): void {
  if (roles.includes(member.role)) return
  throw new AppError('forbidden', { detail: `Only the ${roles.join(' or the ')} of the group may do this.` })
}

export const refuse = (detail: string): AppError => new AppError('invalid_state', { detail })

export const wrong = (errors: Record<string, string>): AppError =>
  new AppError('validation_failed', { errors })

export async function personOf({ users }: Pick<Reading, 'users'>, id: string): Promise<Person> {
  const person = await users.person(id)
  check(person !== undefined, 'who belongs to a group exists')
  return person
}

/** Who is frozen decides nothing. */
export async function activePerson(deps: Pick<GroupDependencies, 'users'>, id: string): Promise<Person> {
  const person = await personOf(deps, id)
  if (person.frozen) throw new AppError('account_frozen')
  return person
}

export const partyOf = ({ handle, name }: Person) => ({ handle, name })

export type Party = ReturnType<typeof partyOf>

/** The member with a handle, or a wrong field; without a field it was in the address, and leads nowhere. */
export async function memberCalled(
  deps: Pick<GroupDependencies, 'users'>,
  db: Queries,
  { group, handle, field }: { group: Group; handle: string; field?: string },
): Promise<Person> {
  const person = await deps.users.byHandle(handle)
  const member = person && (await sql.readMember(db, { group: group.id, user: person.id }))
  if (person !== undefined && member !== undefined) return person
  throw field === undefined
    ? new AppError('not_found', { detail: nobodyCalled })
    : wrong({ [field]: nobodyCalled })
}

export const nobodyCalled = 'Nobody with this handle is a member of the group.'

/** A line of the feed; what is not said is not so. */
export function eventOf(
  group: Pick<Group, 'id'>,
  event: Partial<sql.NewEvent> & Pick<sql.NewEvent, 'type' | 'created_at'>,
): sql.NewEvent {
  return {
    group_id: group.id,
    actor_id: null,
    member_id: null,
    amount: null,
    fine: 0n,
    number: null,
    cycle: null,
    note: null,
    posting_id: null,
    seq: null,
    ...event,
  }
}

const undone = new Error('what was written in this transaction is undone')

/** For work that finds out late that nothing of it may stay: `throw undo(result)`. */
export async function undoable<T>(
  db: Db,
  work: (tx: Tx, undo: (result: T) => Error) => Promise<T>,
): Promise<T> {
  let kept: { result: T } | undefined
  try {
    return await db.inTransaction((tx) =>
      work(tx, (result) => {
        kept = { result }
        return undone
      }),
    )
  } catch (error) {
    if (error === undone && kept !== undefined) return kept.result
    throw error
  }
}

/** A request about an amount of a group's money. */
export interface Repeatable {
  groupId: string
  /** As it was sent. */
  amount: string
  /** Present when the request may be repeated; the amount counts by its value. */
  keyOf: (minor: bigint) => ledgers.RequestKey | undefined
}

/**
 * Of a request that can't be done now: who repeats it hears what came of it, whatever the group is by now, and also when
 * they have left it since. Else throws why not.
 */
export async function answeredBefore(
  { db, ledger }: GroupDependencies,
  { groupId, amount, keyOf, problem }: Repeatable & { problem: unknown },
): Promise<ledgers.Answered> {
  if (!(problem instanceof AppError)) throw problem
  const row = await sql.readGroup(db, groupId)
  const reading = row && readMinor(amount, groupOf(row).currency)
  const key = reading !== undefined && 'minor' in reading ? keyBeside(problem, reading.minor) : undefined
  return ledger.answeredOr(db, { key, problem })

  /** Nothing was kept with a key that is none, and it is told with the other fields. */
  function keyBeside(problem: AppError, minor: bigint) {
    try {
      return keyOf(minor)
    } catch (error) {
      throw problem.errors === undefined ? error : problem
    }
  }
}

export type People = ReadonlyMap<string, Person>

const lookAgainMax = 5

/**
 * A transaction that knows the people it may need, one at a time for a group. They are read before it begins: in it,
 * nothing but its own connection is waited for, so that many who wait can't use up the pool and wait for each other.
 */
export function withPeople<T>(
  deps: GroupDependencies,
  { group, more = [] }: { group: string; more?: readonly string[] },
  work: (tx: Tx, people: People, undo: (result: T) => Error) => Promise<T>,
): Promise<T> {
  return inTurn(group, async () => {
    for (let looks = 0; ; looks++) {
      const ids = new Set((await sql.readPeople(deps.db, group)).map(({ user_id }) => user_id))
      for (const id of more) ids.add(id)
      const people = new Map<string, Person>()
      await Promise.all([...ids].map(async (id) => people.set(id, await personOf(deps, id))))
      try {
        return await undoable<T>(deps.db, async (tx, undo) => work(tx, people, undo))
      } catch (error) {
        // Another process let somebody join between the two looks.
        if (error !== stranger || looks >= lookAgainMax) throw error
      }
    }
  })
}

/** As the transaction sees it: no other connection is waited for. */
export const within = (deps: GroupDependencies, tx: Tx, people: People): Reading => ({
  ...deps,
  db: tx,
  users: { person: async (id) => people.get(id) ?? users.personIn(tx, id) },
})

const stranger = new Error('somebody of the group was not looked up')

/** The same without them. */
export const withGroup = <T>(
  { db }: Pick<GroupDependencies, 'db'>,
  group: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => inTurn(group, () => db.inTransaction(work))

export function known(people: People, id: string): Person {
  const person = people.get(id)
  if (person === undefined) throw stranger
  return person
}
