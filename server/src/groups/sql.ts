import type { Queries, Tx } from '../db/db.ts'

export interface GroupRow {
  id: string
  name: string
  description: string | null
  currency: string
  kind: 'rotating' | 'goal'
  contribution_amount: bigint | null
  frequency: 'weekly' | 'monthly' | null
  goal_amount: bigint | null
  late_fine: bigint
  time_zone: string
  max_members: number
  visibility: 'private' | 'public'
  invite_code: string
  member_count: number
  rounds: number
  joined: number
  created_at: Date
  closed_at: Date | null
}

const columns = [
  ...['id', 'name', 'description', 'currency', 'kind', 'contribution_amount', 'frequency', 'goal_amount'],
  ...[
    'late_fine',
    'time_zone',
    'max_members',
    'visibility',
    'invite_code',
    'member_count',
    'rounds',
    'joined',
  ],
  ...['created_at', 'closed_at'],
]
const selected = columns.join(', ')
const ofGroup = columns.map((name) => `g.${name}`).join(', ')

export type NewGroup = Omit<GroupRow, 'member_count' | 'rounds' | 'joined' | 'closed_at'>

export const insertGroup = (tx: Tx, row: NewGroup) =>
  tx.row<GroupRow>(
    `insert into groups.groups (id, name, description, currency, kind, contribution_amount, frequency, goal_amount,
       late_fine, time_zone, max_members, visibility, invite_code, created_at, member_count)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 1) returning ${selected}`,
    [
      ...[row.id, row.name, row.description, row.currency, row.kind, row.contribution_amount, row.frequency],
      ...[row.goal_amount, row.late_fine, row.time_zone, row.max_members, row.visibility, row.invite_code],
      row.created_at,
    ],
  )

export const readGroup = (db: Queries, id: string) =>
  db.row<GroupRow>(`select ${selected} from groups.groups where id = $1`, [id])

export const readGroupByCode = (db: Queries, code: string) =>
  db.row<GroupRow>(`select ${selected} from groups.groups where invite_code = $1`, [code])

/** Whatever is decided about a group is decided by one at a time. */
export const lockGroup = (tx: Tx, id: string) =>
  tx.row<GroupRow>(`select ${selected} from groups.groups where id = $1 for update`, [id])

export type Changed = Pick<
  GroupRow,
  'id' | 'name' | 'description' | 'visibility' | 'max_members' | 'late_fine'
>

export const updateGroup = (tx: Tx, row: Changed) =>
  tx.row<GroupRow>(
    `update groups.groups set name = $2, description = $3, visibility = $4, max_members = $5, late_fine = $6
     where id = $1 returning ${selected}`,
    [row.id, row.name, row.description, row.visibility, row.max_members, row.late_fine],
  )

export const changeCode = (tx: Tx, { id, code }: { id: string; code: string }) =>
  tx.row<GroupRow>(`update groups.groups set invite_code = $2 where id = $1 returning ${selected}`, [
    id,
    code,
  ])

export interface GroupsPage {
  user: string
  currency: string | null
  kind: string | null
  before: { at: string; id: string } | undefined
  limit: number
}

/** Those a person belongs to, the latest joined first. */
export const groupsOf = (db: Queries, { user, before, limit, currency, kind }: GroupsPage) =>
  db.rows<GroupRow & { joined_at: Date }>(
    `select ${ofGroup}, m.joined_at from groups.members m join groups.groups g on g.id = m.group_id
     where m.user_id = $1 and m.left_at is null
       and ($5::text is null or g.currency = $5) and ($6::text is null or g.kind = $6)
       and ($2::timestamptz is null or (m.joined_at, m.group_id) < ($2, $3))
     order by m.joined_at desc, m.group_id desc limit $4`,
    [user, before?.at ?? null, before?.id ?? '', limit, currency, kind],
  )

/** Public ones that a person may join, the newest first. */
export const discoverGroups = (db: Queries, { user, before, limit, currency, kind }: GroupsPage) =>
  db.rows<GroupRow>(
    `select ${ofGroup} from groups.groups g
     where g.visibility = 'public' and g.closed_at is null and g.member_count < g.max_members
       and ($5::text is null or g.currency = $5) and ($6::text is null or g.kind = $6)
       and ($2::timestamptz is null or (g.created_at, g.id) < ($2, $3))
       and not exists (select 1 from groups.members m
         where m.group_id = g.id and m.user_id = $1 and m.left_at is null)
     order by g.created_at desc, g.id desc limit $4`,
    [user, before?.at ?? null, before?.id ?? '', limit, currency, kind],
  )

export interface AllPage {
  /** A part of the name, or the whole id. */
  q: string | null
  before: { at: string; id: string } | undefined
  limit: number
}

/** For operators: also the closed ones. */
export const allGroups = (db: Queries, { q, before, limit }: AllPage) =>
  db.rows<GroupRow>(
    `select ${ofGroup} from groups.groups g
     where ($1::text is null or g.name ilike $2 or g.id = $1)
       and ($3::timestamptz is null or (g.created_at, g.id) < ($3, $4))
     order by g.created_at desc, g.id desc limit $5`,
    [q, q === null ? null : `%${q.replace(/[\\%_]/g, '\\$&')}%`, before?.at ?? null, before?.id ?? '', limit],
  )

export type Role = 'chair' | 'treasurer' | 'member'

export interface MemberRow {
  group_id: string
  user_id: string
  role: Role
  number: number
  joined_at: Date
}

const ofMember = 'group_id, user_id, role, number, joined_at'

/** In the order of joining. */
export const readMembers = (db: Queries, group: string) =>
  db.rows<MemberRow>(
    `select ${ofMember} from groups.members where group_id = $1 and left_at is null order by number`,
    [group],
  )

export const readMember = (db: Queries, { group, user }: { group: string; user: string }) =>
  db.row<MemberRow>(
    `select ${ofMember} from groups.members where group_id = $1 and user_id = $2 and left_at is null`,
    [group, user],
  )

/** The person's roles, by group. */
export const rolesOf = (db: Queries, { user, groups }: { user: string; groups: readonly string[] }) =>
  db.rows<{ group_id: string; role: Role }>(
    `select group_id, role from groups.members
     where user_id = $1 and group_id = any($2::text[]) and left_at is null`,
    [user, groups],
  )

export interface Joining {
  group: string
  user: string
  role: Role
  at: Date
}

/** Who comes back takes a new place in the order. */
export const addMember = (tx: Tx, { group, user, role, at }: Joining) =>
  tx.row<MemberRow>(
    `with place as (update groups.groups set joined = joined + 1 where id = $1 returning joined)
     insert into groups.members (group_id, user_id, role, number, joined_at)
     select $1, $2, $3, joined, $4 from place
     on conflict (group_id, user_id) do update
       set role = excluded.role, number = excluded.number, joined_at = excluded.joined_at, left_at = null
     returning ${ofMember}`,
    [group, user, role, at],
  )

export const countMember = (tx: Tx, { group, by, at }: { group: string; by: 1 | -1; at: Date }) =>
  tx.row<{ member_count: number }>(
    `update groups.groups set member_count = member_count + $2,
       closed_at = case when member_count + $2 = 0 then $3::timestamptz end
     where id = $1 returning member_count`,
    [group, by, at],
  )

export const removeMember = (tx: Tx, { group, user, at }: { group: string; user: string; at: Date }) =>
  tx.rows(
    `update groups.members set left_at = $3, role = 'member'
     where group_id = $1 and user_id = $2 and left_at is null`,
    [group, user, at],
  )

export const changeRole = (tx: Tx, { group, user, role }: { group: string; user: string; role: Role }) =>
  tx.rows('update groups.members set role = $3 where group_id = $1 and user_id = $2 and left_at is null', [
    group,
    user,
    role,
  ])

export interface EventRow {
  id: bigint
  group_id: string
  type: string
  actor_id: string | null
  member_id: string | null
  amount: bigint | null
  fine: bigint
  number: number | null
  cycle: number | null
  note: string | null
  posting_id: bigint | null
  seq: bigint | null
  created_at: Date
}

const ofEvent =
  'id, group_id, type, actor_id, member_id, amount, fine, number, cycle, note, posting_id, seq, created_at'

export type NewEvent = Omit<EventRow, 'id'>

export const insertEvents = (tx: Tx, events: readonly NewEvent[]) =>
  tx.rows(
    `insert into groups.events (group_id, type, actor_id, member_id, amount, fine, number, cycle, note, posting_id, seq,
       created_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::int[],
       $8::int[], $9::text[], $10::bigint[], $11::bigint[], $12::timestamptz[])`,
    [
      ...[events.map((event) => event.group_id), events.map((event) => event.type)],
      ...[events.map((event) => event.actor_id), events.map((event) => event.member_id)],
      ...[events.map((event) => event.amount), events.map((event) => event.fine)],
      ...[events.map((event) => event.number), events.map((event) => event.cycle)],
      ...[events.map((event) => event.note), events.map((event) => event.posting_id)],
      ...[events.map((event) => event.seq), events.map((event) => event.created_at)],
    ],
  )

/** Of a contribution to a goal group: only while its giver is a member, who can't leave in this moment. */
export const givenStatement = {
  text: `insert into groups.events (group_id, type, actor_id, member_id, amount, note, posting_id, seq, created_at)
    select n.group_id, 'contributed', n.giver, n.giver, n.amount, n.note, n.posting, n.seq, n.at
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::timestamptz[])
      as n (group_id, giver, amount, note, posting, seq, at)
    join groups.members m on m.group_id = n.group_id and m.user_id = n.giver and m.left_at is null
    for share of m
    returning 1`,
}

export interface EventsPage {
  group: string
  before: bigint | null
  limit: number
}

export const readEvents = (db: Queries, { group, before, limit }: EventsPage) =>
  db.rows<EventRow>(
    `select ${ofEvent} from groups.events
     where group_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [group, before, limit],
  )

/** Movements of money by or for a member. */
export const readMoves = (db: Queries, { group, before, limit, user }: EventsPage & { user: string }) =>
  db.rows<EventRow>(
    `select ${ofEvent} from groups.events
     where group_id = $1 and posting_id is not null and (actor_id = $4 or member_id = $4)
       and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [group, before, limit, user],
  )

export interface TotalsRow {
  paid: bigint
  fines: bigint
  for_others: bigint
  returned: bigint
  received: bigint
}

/** What a member has paid and received, over all time. Who paid is the actor, whom it was for or went to the member. */
export const readTotals = (db: Queries, { group, user }: { group: string; user: string }) =>
  db.row<TotalsRow>(
    `select
       coalesce(sum(amount) filter (where type in ('contributed', 'repaid') and actor_id = $2), 0)::bigint as paid,
       coalesce(sum(fine) filter (where type = 'contributed' and actor_id = $2), 0)::bigint as fines,
       coalesce(sum(amount) filter (where type in ('contributed', 'repaid') and actor_id = $2 and member_id <> $2), 0)::bigint
         as for_others,
       coalesce(sum(amount) filter (where type = 'returned' and member_id = $2), 0)::bigint as returned,
       coalesce(sum(amount) filter (where type in ('pot', 'settled', 'payout') and member_id = $2), 0)::bigint as received
     from groups.events where group_id = $1 and posting_id is not null and (actor_id = $2 or member_id = $2)`,
    [group, user],
  )

/** What all have paid in less what went out: what the ledger says is in the group's account. */
export const readSum = (db: Queries, group: string) =>
  db.row<{ sum: bigint }>(
    `select coalesce(sum(case when type in ('contributed', 'repaid') then amount else -amount end), 0)::bigint as sum
     from groups.events where group_id = $1 and posting_id is not null`,
    [group],
  )

/** Everybody who may get or give something: members, and who has a seat in the open round or a debt. */
export const readPeople = (db: Queries, group: string) =>
  db.rows<{ user_id: string }>(
    `select user_id from groups.members where group_id = $1 and left_at is null
     union
     select s.user_id from groups.seats s join groups.rounds r on r.group_id = s.group_id and r.number = s.number
     where s.group_id = $1 and (r.status = 'open' or exists (select 1 from groups.debts d
       where d.group_id = s.group_id and d.number = s.number and d.paid < d.amount and s.turn in (d.debtor, d.creditor)))
     union
     select h.payer_id from groups.shares h join groups.rounds r on r.group_id = h.group_id and r.number = h.number
     where h.group_id = $1 and r.status = 'open' and h.cycle = r.cycle and h.state = 'paid'`,
    [group],
  )

export const openRoundOf = (db: Queries, group: string) =>
  db.rows<{ number: number }>(`select number from groups.rounds where group_id = $1 and status = 'open'`, [
    group,
  ])
