import type { Queries, Tx } from '../../db/db.ts'

export interface ProposalRow {
  id: string
  group_id: string
  proposer_id: string
  recipient_id: string
  amount: bigint
  reason: string
  status: 'open' | 'paid' | 'cancelled' | 'expired'
  posting_id: bigint | null
  created_at: Date
  expires_at: Date
  decided_at: Date | null
}

const columns =
  'id, group_id, proposer_id, recipient_id, amount, reason, status, posting_id, created_at, expires_at, decided_at'

export const insertProposal = (tx: Tx, row: Omit<ProposalRow, 'status' | 'posting_id' | 'decided_at'>) =>
  tx.row<ProposalRow>(
    `insert into groups.proposals (id, group_id, proposer_id, recipient_id, amount, reason, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    [
      row.id,
      row.group_id,
      row.proposer_id,
      row.recipient_id,
      row.amount,
      row.reason,
      row.created_at,
      row.expires_at,
    ],
  )

export const readProposal = (db: Queries, { id, group }: { id: string; group: string }) =>
  db.row<ProposalRow>(`select ${columns} from groups.proposals where id = $1 and group_id = $2`, [id, group])

export const countOpen = (db: Queries, { group, proposer }: { group: string; proposer: string }) =>
  db.row<{ count: number }>(
    `select count(*)::int as count from groups.proposals where group_id = $1 and proposer_id = $2 and status = 'open'`,
    [group, proposer],
  )

/** Whatever became of them. */
export const countMade = (
  db: Queries,
  { group, proposer, since }: { group: string; proposer: string; since: Date },
) =>
  db.row<{ count: number }>(
    `select count(*)::int as count from groups.proposals
     where group_id = $1 and proposer_id = $2 and created_at > $3`,
    [group, proposer, since],
  )

export interface ProposalsPage {
  group: string
  status: string | null
  before: { at: string; id: string } | undefined
  limit: number
}

export const listProposals = (db: Queries, { group, status, before, limit }: ProposalsPage) =>
  db.rows<ProposalRow>(
    `select ${columns} from groups.proposals
     where group_id = $1 and ($2::text is null or status = $2)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc limit $5`,
    [group, status, before?.at ?? null, before?.id ?? '', limit],
  )

export const approve = (tx: Tx, { id, user, at }: { id: string; user: string; at: Date }) =>
  tx.row<{ user_id: string }>(
    `insert into groups.approvals (proposal_id, user_id, at) values ($1, $2, $3)
     on conflict do nothing returning user_id`,
    [id, user, at],
  )

export const readApprovals = (db: Queries, ids: readonly string[]) =>
  db.rows<{ proposal_id: string; user_id: string }>(
    'select proposal_id, user_id from groups.approvals where proposal_id = any($1::text[]) order by at, user_id',
    [ids],
  )

export interface Decision {
  id: string
  status: 'paid' | 'cancelled' | 'expired'
  posting: bigint | null
  at: Date
}

export const decide = (tx: Tx, { id, status, posting, at }: Decision) =>
  tx.row<ProposalRow>(
    `update groups.proposals set status = $2, posting_id = $3, decided_at = $4 where id = $1 returning ${columns}`,
    [id, status, posting, at],
  )

/** Those that are neither decided nor over. */
export const cancelTo = (tx: Tx, { group, recipient, at }: { group: string; recipient: string; at: Date }) =>
  tx.rows<ProposalRow>(
    `update groups.proposals set status = 'cancelled', decided_at = $3
     where group_id = $1 and recipient_id = $2 and status = 'open' and expires_at > $3 returning ${columns}`,
    [group, recipient, at],
  )

/** Those whose time is over. */
export const readExpired = (db: Queries, { now, limit }: { now: Date; limit: number }) =>
  db.rows<{ id: string; group_id: string }>(
    `select id, group_id from groups.proposals where status = 'open' and expires_at <= $1 order by expires_at limit $2`,
    [now, limit],
  )

export interface Look {
  now: Date
  /** The last one of the look before. */
  after: OpenRow | undefined
  limit: number
  longStandingMs: number
}

export interface OpenRow {
  id: string
  group_id: string
  expires_at: Date
  /** By enough of the present members; `countVotes` in rules.ts says the same. */
  agreed: boolean
}

/** In the order in which they end. Votes are counted for a bite of them: however many wait, one look is soon over. */
export const readOpen = (db: Queries, { now, after, limit, longStandingMs }: Look) =>
  db.rows<OpenRow>(
    `with p as materialized (
       select id, group_id, proposer_id, created_at, expires_at from groups.proposals
       where status = 'open' and expires_at > $1 and (expires_at, id) > ($3::timestamptz, $5)
       order by expires_at, id limit $2
     )
     select p.id, p.group_id, p.expires_at,
       (votes.others = 0 or 2 * votes.approvals > votes.others)
         and (votes.long_standing = 0 or 2 * votes.long_standing_approvals > votes.long_standing) as agreed
     from p cross join lateral (
       select count(*) as others, count(a.user_id) as approvals,
         count(*) filter (where long_standing) as long_standing,
         count(a.user_id) filter (where long_standing) as long_standing_approvals
       from groups.members m
       cross join lateral (select m.joined_at <= p.created_at - $4::float8 * interval '1 millisecond' as long_standing) l
       left join groups.approvals a on a.proposal_id = p.id and a.user_id = m.user_id
       where m.group_id = p.group_id and m.left_at is null and m.user_id <> p.proposer_id) votes
     order by p.expires_at, p.id`,
    [now, limit, after?.expires_at ?? now, longStandingMs, after?.id ?? ''],
  )
