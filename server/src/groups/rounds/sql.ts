import type { Queries, Tx } from '../../db/db.ts'

export interface RoundRow {
  group_id: string
  number: number
  status: 'announced' | 'open' | 'done' | 'dissolved'
  ordering: 'join' | 'draw' | 'hand' | null
  commitment: string | null
  seed: string | null
  amount: bigint | null
  fine: bigint | null
  cycle: number | null
  periods: number | null
  due_at: Date | null
  announced_at: Date | null
  started_at: Date | null
  ended_at: Date | null
}

const ofRound = [
  ...['group_id', 'number', 'status', 'ordering', 'commitment', 'seed', 'amount', 'fine', 'cycle', 'periods'],
  ...['due_at', 'announced_at', 'started_at', 'ended_at'],
].join(', ')

/** The announced or open one, if there is one. */
export const readCurrent = (db: Queries, groups: readonly string[]) =>
  db.rows<RoundRow>(
    `select ${ofRound} from groups.rounds where group_id = any($1::text[]) and status in ('announced', 'open')`,
    [groups],
  )

export const readRound = (db: Queries, { group, number }: { group: string; number: number }) =>
  db.row<RoundRow>(`select ${ofRound} from groups.rounds where group_id = $1 and number = $2`, [
    group,
    number,
  ])

export interface Announcement {
  group: string
  commitment: string | null
  seed: string | null
  at: Date
}

export const insertRound = (tx: Tx, { group, commitment, seed, at }: Announcement) =>
  tx.row<RoundRow>(
    `with place as (update groups.groups set rounds = rounds + 1 where id = $1 returning rounds)
     insert into groups.rounds (group_id, number, status, commitment, seed, announced_at)
     select $1, rounds, 'announced', $2, $3, $4 from place returning ${ofRound}`,
    [group, commitment, seed, at],
  )

export interface Starting {
  group: string
  number: number
  ordering: 'join' | 'draw' | 'hand'
  amount: bigint
  fine: bigint
  periods: number
  dueAt: Date
  at: Date
}

export const startRound = (tx: Tx, row: Starting) =>
  tx.row<RoundRow>(
    `update groups.rounds set status = 'open', ordering = $3, amount = $4, fine = $5, cycle = 1, periods = $6,
       due_at = $7, started_at = $8
     where group_id = $1 and number = $2 and status = 'announced' returning ${ofRound}`,
    [row.group, row.number, row.ordering, row.amount, row.fine, row.periods, row.dueAt, row.at],
  )

export const insertSeats = (
  tx: Tx,
  { group, number, users }: { group: string; number: number; users: string[] },
) =>
  tx.rows(
    `insert into groups.seats (group_id, number, turn, user_id)
     select $1, $2, n.turn::int, n.user_id from unnest($3::text[]) with ordinality as n (user_id, turn)`,
    [group, number, users],
  )

export interface Advance {
  group: string
  number: number
  cycle: number
  periods: number | null
  dueAt: Date | null
  status: 'open' | 'done' | 'dissolved'
  endedAt: Date | null
}

export const advanceRound = (tx: Tx, row: Advance) =>
  tx.rows(
    `update groups.rounds set cycle = $3, periods = coalesce($4, periods), due_at = $5, status = $6, ended_at = $7
     where group_id = $1 and number = $2 and status = 'open'`,
    [row.group, row.number, row.cycle, row.periods, row.dueAt, row.status, row.endedAt],
  )

export const saveWord = (tx: Tx, row: { group: string; number: number; user: string; word: string }) =>
  tx.rows(
    `insert into groups.words (group_id, number, user_id, word) values ($1, $2, $3, $4)
     on conflict (group_id, number, user_id) do update set word = excluded.word`,
    [row.group, row.number, row.user, row.word],
  )

export const readWords = (db: Queries, { group, number }: { group: string; number: number }) =>
  db.rows<{ user_id: string; word: string }>(
    'select user_id, word from groups.words where group_id = $1 and number = $2',
    [group, number],
  )

export interface SeatRow {
  group_id: string
  number: number
  turn: number
  user_id: string
  status: 'waiting' | 'received' | 'left'
  received_in: number | null
  offered_to: string | null
}

/** Of the open rounds of some groups, in the order. */
export const readSeats = (db: Queries, { groups, number }: { groups: readonly string[]; number?: number }) =>
  db.rows<SeatRow>(
    `select s.group_id, s.number, s.turn, s.user_id, s.status, s.received_in, s.offered_to
     from groups.seats s join groups.rounds r on r.group_id = s.group_id and r.number = s.number
     where s.group_id = any($1::text[]) and (r.number = $2 or ($2 is null and r.status = 'open'))
     order by s.group_id, s.turn`,
    [groups, number ?? null],
  )

/** Who has left and waits for what is owed to them may still look. */
export const hasSeat = (db: Queries, { group, user }: { group: string; user: string }) =>
  db.row<{ turn: number }>(
    `select s.turn from groups.seats s
     where s.group_id = $1 and s.user_id = $2
       and exists (select 1 from groups.debts d where d.group_id = s.group_id and d.number = s.number
         and d.creditor = s.turn and d.paid < d.amount) limit 1`,
    [group, user],
  )

export const markReceived = (tx: Tx, row: { group: string; number: number; turn: number; cycle: number }) =>
  tx.rows(
    `update groups.seats set status = 'received', received_in = $4, offered_to = null
     where group_id = $1 and number = $2 and turn = $3 and status = 'waiting'`,
    [row.group, row.number, row.turn, row.cycle],
  )

export const markLeft = (tx: Tx, row: { group: string; number: number; turn: number }) =>
  tx.rows(
    `update groups.seats set status = 'left', offered_to = null
     where group_id = $1 and number = $2 and turn = $3 and status = 'waiting'`,
    [row.group, row.number, row.turn],
  )

export const offerSeat = (tx: Tx, row: { group: string; number: number; turn: number; to: string | null }) =>
  tx.rows('update groups.seats set offered_to = $4 where group_id = $1 and number = $2 and turn = $3', [
    row.group,
    row.number,
    row.turn,
    row.to,
  ])

export const moveSeat = (tx: Tx, row: { group: string; number: number; turn: number; to: string }) =>
  tx.rows(
    'update groups.seats set user_id = $4, offered_to = null where group_id = $1 and number = $2 and turn = $3',
    [row.group, row.number, row.turn, row.to],
  )

export interface ShareRow {
  group_id: string
  cycle: number
  turn: number
  payer_id: string
  amount: bigint
  fine: bigint
  late: boolean
  state: 'paid' | 'returned'
}

export const readShares = (db: Queries, { group, number }: { group: string; number: number }) =>
  db.rows<ShareRow>(
    `select group_id, cycle, turn, payer_id, amount, fine, late, state from groups.shares
     where group_id = $1 and number = $2 order by cycle, turn`,
    [group, number],
  )

/** Who has paid in the open cycles of some groups, the first to pay first. */
export const readPaidNow = (db: Queries, groups: readonly string[]) =>
  db.rows<{ group_id: string; turn: number }>(
    `select h.group_id, h.turn from groups.rounds r
     join groups.shares h on h.group_id = r.group_id and h.number = r.number and h.cycle = r.cycle
     where r.group_id = any($1::text[]) and r.status = 'open' and h.state = 'paid'
     order by h.at, h.turn`,
    [groups],
  )

export interface NewShare extends Omit<ShareRow, 'group_id'> {
  group: string
  number: number
  posting: bigint | null
  at: Date
}

export const insertShare = (tx: Tx, row: NewShare) =>
  tx.rows(
    `insert into groups.shares (group_id, number, cycle, turn, payer_id, amount, fine, late, state, posting_id, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[
        row.group,
        row.number,
        row.cycle,
        row.turn,
        row.payer_id,
        row.amount,
        row.fine,
        row.late,
        row.state,
      ],
      ...[row.posting, row.at],
    ],
  )

export const returnShare = (tx: Tx, row: { group: string; number: number; cycle: number; turn: number }) =>
  tx.rows(
    `update groups.shares set state = 'returned'
     where group_id = $1 and number = $2 and cycle = $3 and turn = $4 and state = 'paid'`,
    [row.group, row.number, row.cycle, row.turn],
  )

export interface DebtRow {
  id: bigint
  number: number
  debtor: number
  creditor: number
  why: 'missed' | 'left'
  amount: bigint
  paid: bigint
}

export const readDebts = (db: Queries, { group, number }: { group: string; number: number }) =>
  db.rows<DebtRow>(
    `select id, number, debtor, creditor, why, amount, paid from groups.debts
     where group_id = $1 and number = $2 order by id`,
    [group, number],
  )

export interface OpenDebtRow extends DebtRow {
  debtor_id: string
  creditor_id: string
}

/** Of all rounds, the oldest first, with whose seats they are now. */
export const readOpenDebts = (db: Queries, group: string) =>
  db.rows<OpenDebtRow>(
    `select d.id, d.number, d.debtor, d.creditor, d.why, d.amount, d.paid, a.user_id as debtor_id, b.user_id as creditor_id
     from groups.debts d
     join groups.seats a on a.group_id = d.group_id and a.number = d.number and a.turn = d.debtor
     join groups.seats b on b.group_id = d.group_id and b.number = d.number and b.turn = d.creditor
     where d.group_id = $1 and d.paid < d.amount order by d.id`,
    [group],
  )

export interface Pair {
  group: string
  number: number
  debtor: number
  creditor: number
}

export const insertDebt = (tx: Tx, row: Pair & { amount: bigint; why: string; at: Date }) =>
  tx.rows(
    `insert into groups.debts (group_id, number, debtor, creditor, amount, why, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [row.group, row.number, row.debtor, row.creditor, row.amount, row.why, row.at],
  )

export const payDebt = (tx: Tx, row: Pair & { amount: bigint }) =>
  tx.rows(
    `update groups.debts set paid = paid + $5
     where group_id = $1 and number = $2 and debtor = $3 and creditor = $4`,
    [row.group, row.number, row.debtor, row.creditor, row.amount],
  )

export const forgiveDebt = (tx: Tx, row: Pair) =>
  tx.rows(
    `update groups.debts set amount = paid
     where group_id = $1 and number = $2 and debtor = $3 and creditor = $4`,
    [row.group, row.number, row.debtor, row.creditor],
  )

export interface DueRow {
  group_id: string
  group_name: string
  currency: string
  time_zone: string
  number: number
  cycle: number
  due_at: Date
  amount: bigint
  fine: bigint
}

/** Open cycles that are due before a time, and whose reminders of a kind were not all sent. */
export const readDue = (
  db: Queries,
  { before, after, limit }: { before: Date; after: string; limit: number },
) =>
  db.rows<DueRow>(
    `select r.group_id, g.name as group_name, g.currency, g.time_zone, r.number, r.cycle, r.due_at, r.amount, r.fine
     from groups.rounds r join groups.groups g on g.id = r.group_id
     where r.status = 'open' and r.due_at <= $1 and r.group_id > $2
       and not exists (select 1 from groups.reminders m where m.group_id = r.group_id and m.number = r.number
         and m.cycle = r.cycle and m.kind = 'late')
     order by r.group_id limit $3`,
    [before, after, limit],
  )

export const noteReminder = (
  tx: Tx,
  row: { group: string; number: number; cycle: number; kind: string; at: Date },
) =>
  tx.row<{ kind: string }>(
    `insert into groups.reminders (group_id, number, cycle, kind, sent_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning kind`,
    [row.group, row.number, row.cycle, row.kind, row.at],
  )
