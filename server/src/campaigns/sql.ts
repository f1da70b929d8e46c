import type { Db, Queries, Tx } from '../db/db.ts'
import type { Sort } from './rules.ts'

export interface CampaignRow {
  id: string
  owner_id: string
  title: string
  story: string
  category: string
  cover_url: string | null
  currency: string
  goal: bigint
  raised: bigint
  withdrawn: bigint
  contributors: number
  percent: bigint
  ends_at: Date | null
  ended_at: Date | null
  paused_at: Date | null
  pause_reason: string | null
  return_begun_at: Date | null
  return_reason: string | null
  returned_at: Date | null
  created_at: Date
}

const columns = `c.id, c.owner_id, c.title, c.story, c.category, c.cover_url, c.currency, c.goal, t.raised, t.withdrawn,
  t.contributors, c.percent, c.ends_at, c.ended_at, c.paused_at, c.pause_reason, c.return_begun_at,
  c.return_reason, c.returned_at, c.created_at`
const joined = 'campaigns.campaigns c join campaigns.totals t on t.campaign_id = c.id'

export interface NewCampaign {
  id: string
  ownerId: string
  title: string
  story: string
  category: string
  coverUrl: string | null
  currency: string
  goal: bigint
  endsAt: Date | null
  at: Date
}

/** Nothing, when this person has as many as there may be. */
export const insertCampaign = (tx: Tx, campaign: NewCampaign, most: number) =>
  tx.row<{ id: string }>(
    `insert into campaigns.campaigns
       (id, owner_id, category, cover_url, currency, goal, ends_at, created_at, title, story)
     select $1, $2, $3, $4, $5, $6, $7, $8, $10, $11
     where (select count(*) from campaigns.campaigns where owner_id = $2 and ended_at is null) < $9 returning id`,
    [
      campaign.id,
      campaign.ownerId,
      campaign.category,
      campaign.coverUrl,
      campaign.currency,
      campaign.goal,
      campaign.endsAt,
      campaign.at,
      most,
      campaign.title,
      campaign.story,
    ],
  )

/** Two of one person that come at once are counted one after the other. */
export const lockOwner = (tx: Tx, ownerId: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('campaigns of ' || $1, 0))`, [ownerId])

export const readCampaign = (db: Queries, id: string) =>
  db.row<CampaignRow>(`select ${columns} from ${joined} where c.id = $1`, [id])

/**
 * Nobody contributes to it or takes anything out of it until the transaction ends. What it is by then is read afterwards:
 * totals that were read while waiting for the lock would be those of before.
 */
export const lockCampaign = (tx: Tx, id: string) =>
  tx.row<{ id: string }>('select id from campaigns.campaigns where id = $1 for no key update', [id])

export interface CampaignChange {
  id: string
  title: string
  story: string
  category: string
  coverUrl: string | null
  goal: bigint
  endsAt: Date | null
}

export const updateCampaign = (tx: Tx, change: CampaignChange) =>
  tx.rows(
    `update campaigns.campaigns c set title = $2, story = $3, category = $4, cover_url = $5, goal = $6, ends_at = $7,
       percent = campaigns.percent_of(t.raised, $6)
     from campaigns.totals t where c.id = $1 and t.campaign_id = c.id`,
    [change.id, change.title, change.story, change.category, change.coverUrl, change.goal, change.endsAt],
  )

export const endCampaign = (tx: Tx, { id, at }: { id: string; at: Date }) =>
  tx.rows('update campaigns.campaigns set ended_at = $2 where id = $1 and ended_at is null', [id, at])

/** Those whose time is over, as ended when it was over. Those that somebody is changing now are left for the next time. */
export const endDue = (tx: Tx, { now, limit }: { now: Date; limit: number }) =>
  tx.rows<{ id: string }>(
    `update campaigns.campaigns set ended_at = ends_at where id in (
       select id from campaigns.campaigns where ended_at is null and ends_at <= $1
       order by ends_at limit $2 for no key update skip locked
     ) returning id`,
    [now, limit],
  )

export interface Browsing {
  /** A question to the full text. */
  search: string | undefined
  category: string | undefined
  currency: string | undefined
  sort: Sort
  /** Where the page before ended: the value it is sorted by, and the id. */
  after: { value: string; id: string } | undefined
  now: Date
  limit: number
}

const orders: Record<Sort, { value: string; type: string; forward: boolean }> = {
  newest: { value: 'c.created_at', type: 'timestamptz', forward: false },
  ending: { value: `coalesce(c.ends_at, 'infinity'::timestamptz)`, type: 'timestamptz', forward: true },
  most_funded: { value: 'c.percent', type: 'bigint', forward: false },
}

/**
 * Each kind of question has a text of its own and is planned with its values: for a rare word the full text is looked up,
 * for a frequent one it is cheaper to walk along the order. Totals are looked up for those that are shown only.
 */
export function browse(db: Queries, { search, category, currency, sort, after, now, limit }: Browsing) {
  const values: unknown[] = [now, limit]
  const put = (value: unknown): string => `$${values.push(value)}`
  const { value, type, forward } = orders[sort]
  const conditions = [
    'c.ended_at is null and c.paused_at is null and (c.ends_at is null or c.ends_at > $1)',
    ...(search === undefined ? [] : [`c.search @@ ${put(search)}::tsquery`]),
    ...(category === undefined ? [] : [`c.category = ${put(category)}`]),
    ...(currency === undefined ? [] : [`c.currency = ${put(currency)}`]),
    ...(after === undefined
      ? []
      : [`(${value}, c.id) ${forward ? '>' : '<'} (${put(after.value)}::${type}, ${put(after.id)})`]),
  ]
  const way = forward ? 'asc' : 'desc'
  const order = `order by ${value} ${way}, c.id ${way}`
  return db.rows<CampaignRow>(
    `select ${columns} from (
       select * from campaigns.campaigns c where ${conditions.join(' and ')} ${order} limit $2
     ) c join campaigns.totals t on t.campaign_id = c.id ${order}`,
    values,
  )
}

interface AgePage {
  before: { createdAt: string; id: string } | undefined
  limit: number
}

export const listOf = (db: Queries, { owner, before, limit }: AgePage & { owner: string }) =>
  db.rows<CampaignRow>(
    `select ${columns} from ${joined}
     where c.owner_id = $1 and ($2::timestamptz is null or (c.created_at, c.id) < ($2, $3))
     order by c.created_at desc, c.id desc limit $4`,
    [owner, before?.createdAt ?? null, before?.id ?? '', limit],
  )

export type Seen = 'active' | 'ended' | 'paused' | 'returning' | 'returned'

/** For operators: all there are. */
export const listAll = (
  db: Queries,
  { search, state, now, before, limit }: AgePage & { search: string | null; state: Seen | null; now: Date },
) =>
  db.rows<CampaignRow>(
    `select ${columns} from ${joined}
     where ($1::text is null or c.search @@ $1::tsquery)
       and ($2::text is null or $2 = case
         when c.returned_at is not null then 'returned' when c.return_begun_at is not null then 'returning'
         when c.paused_at is not null then 'paused'
         when c.ended_at is not null or c.ends_at <= $3 then 'ended' else 'active' end)
       and ($4::timestamptz is null or (c.created_at, c.id) < ($4, $5))
     order by c.created_at desc, c.id desc limit $6`,
    [search, state, now, before?.createdAt ?? null, before?.id ?? '', limit],
  )

export interface UpdateRow {
  id: string
  seq: bigint
  text: string
  created_at: Date
}

/** Nothing, when there are as many as there may be. */
export const insertUpdate = (
  tx: Tx,
  { id, campaign, text, at, most }: { id: string; campaign: string; text: string; at: Date; most: number },
) =>
  tx.row<UpdateRow>(
    `insert into campaigns.updates (id, campaign_id, text, created_at)
     select $1, $2, $3, $4 where (select count(*) from campaigns.updates where campaign_id = $2) < $5
     returning id, seq, text, created_at`,
    [id, campaign, text, at, most],
  )

interface SeqPage {
  campaign: string
  before: bigint | undefined
  limit: number
}

export const listUpdates = (db: Queries, { campaign, before, limit }: SeqPage) =>
  db.rows<UpdateRow>(
    `select id, seq, text, created_at from campaigns.updates
     where campaign_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3`,
    [campaign, before ?? null, limit],
  )

export interface ContributionRow {
  id: string
  seq: bigint
  user_id: string | null
  payment: bigint | null
  name: string | null
  message: string | null
  anonymous: boolean
  amount: bigint
  returned: bigint
  posting_id: bigint
  created_at: Date
}

export const listContributions = (db: Queries, { campaign, before, limit }: SeqPage) =>
  db.rows<ContributionRow>(
    `select id, seq, user_id, payment, name, message, anonymous, amount, returned, posting_id, created_at
     from campaigns.contributions where campaign_id = $1 and ($2::bigint is null or seq < $2)
     order by seq desc limit $3`,
    [campaign, before ?? null, limit],
  )

export const setPaused = (
  tx: Tx,
  { id, at, reason }: { id: string; at: Date | null; reason: string | null },
) =>
  tx.rows('update campaigns.campaigns set paused_at = $2, pause_reason = $3 where id = $1', [id, at, reason])

export interface NewPledge {
  payment: bigint
  campaign: string
  name: string | null
  message: string | null
  anonymous: boolean
  at: Date
}

export const insertPledge = (db: Db, { payment, campaign, name, message, anonymous, at }: NewPledge) =>
  db.rows(
    `insert into campaigns.pledges (payment, campaign_id, name, message, anonymous, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [payment, campaign, name, message, anonymous, at],
  )

/** A bounded bite. */
export const sweepPledges = (db: Db, { before, most }: { before: Date; most: number }) =>
  db.rows<{ payment: bigint }>(
    `delete from campaigns.pledges where payment in
       (select payment from campaigns.pledges where created_at < $1 limit $2) returning payment`,
    [before, most],
  )
