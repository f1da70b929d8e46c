// What is written together with money: rows for the ledger's `also`, and what is looked up for them. A row of a campaign
// is locked while its state is judged, so that a pause and a contribution come one after the other.
import type { Queries, Tx } from '../../db/db.ts'

/** From a wallet, while the campaign takes contributions. */
export const contributionStatement = {
  text: `insert into campaigns.contributions
      (id, campaign_id, user_id, contributor, name, message, anonymous, amount, posting_id, created_at)
    select n.id, n.campaign, n.person, n.person, n.name, n.message, n.anonymous, n.amount, n.posting, n.at
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::bigint[], $8::bigint[],
        $9::timestamptz[])
      as n (id, campaign, person, name, message, anonymous, amount, posting, at)
    join campaigns.campaigns c on c.id = n.campaign
    where c.ended_at is null and c.paused_at is null and (c.ends_at is null or c.ends_at > n.at)
    for no key update of c returning 1`,
} as const

/**
 * Through the checkout. What was asked for in time counts, even if the campaign has ended while the provider was silent;
 * not while it is paused or its money goes back. Everybody can read the name: it is the one that was typed with the
 * contribution, and none where it was left out, though the wallet that pays has one.
 */
export const checkoutStatement = {
  text: `insert into campaigns.contributions
      (id, campaign_id, user_id, payment, contributor, name, message, anonymous, amount, posting_id, created_at)
    select n.id, n.campaign, n.person, n.payment, coalesce(n.person, 'payment ' || n.payment), p.name,
      p.message, coalesce(p.anonymous, false), n.amount, n.posting, n.at
    from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::timestamptz[])
      as n (id, campaign, person, payment, amount, posting, at)
    join campaigns.campaigns c on c.id = n.campaign
    left join campaigns.pledges p on p.payment = n.payment
    where c.paused_at is null and c.return_begun_at is null
    for no key update of c returning 1`,
} as const

export const withdrawalStatement = {
  text: `insert into campaigns.withdrawals (id, campaign_id, amount, fee, posting_id, created_at)
    select n.id, n.campaign, n.amount, n.fee, n.posting, n.at
    from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[])
      as n (id, campaign, amount, fee, posting, at)
    join campaigns.campaigns c on c.id = n.campaign
    where c.paused_at is null and c.return_begun_at is null
    for no key update of c returning 1`,
} as const

/** A contribution has gone back, once. */
export const returnedStatement = {
  text: `update campaigns.returns r set state = 'done', problem = null, moved = n.moved, posting_id = n.posting, ended_at = n.at
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[]) as n (contribution, moved, posting, at)
    where r.contribution_id = n.contribution and r.state <> 'done' returning 1`,
} as const

/** The same, known by the payment that it came by. */
export const paymentReturnedStatement = {
  text: `update campaigns.returns r set state = 'done', problem = null, moved = n.moved, posting_id = n.posting, ended_at = n.at
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[]) as n (payment, moved, posting, at)
    join campaigns.contributions c on c.payment = n.payment
    where r.contribution_id = c.id and r.state <> 'done' returning 1`,
} as const

export const paymentNotReturnedStatement = {
  text: `update campaigns.returns r set state = 'failed', problem = n.problem
    from unnest($1::bigint[], $2::text[]) as n (payment, problem)
    join campaigns.contributions c on c.payment = n.payment
    where r.contribution_id = c.id and r.state <> 'done' returning 1`,
} as const

export const beginReturn = (tx: Tx, { id, reason, at }: { id: string; reason: string; at: Date }) =>
  tx.rows(
    `update campaigns.campaigns set return_begun_at = $2, return_reason = $3, ended_at = coalesce(ended_at, $2)
     where id = $1 and return_begun_at is null`,
    [id, at, reason],
  )

/**
 * To everybody the same part of what they gave, in whole minor units, and together exactly what is left: what rounding
 * would lose falls to the next in the order in which they gave.
 */
export const insertReturns = (tx: Tx, { id, left }: { id: string; left: bigint }) =>
  tx.rows<{ contribution_id: string }>(
    `with given as (
       select id, sum(amount) over (order by seq) as until, amount, sum(amount) over () as total
       from campaigns.contributions where campaign_id = $1
     ), shared as (
       select id, div(until * $2::bigint, total) - div((until - amount) * $2::bigint, total) as share from given
     )
     insert into campaigns.returns (contribution_id, campaign_id, amount)
     select id, $1, share from shared where share > 0 returning contribution_id`,
    [id, left],
  )

/** What a provider refused before is tried again. */
export const reopenFailed = (tx: Tx, id: string) =>
  tx.rows<{ contribution_id: string }>(
    `update campaigns.returns set state = 'open', problem = null, tries = tries + 1
     where campaign_id = $1 and state = 'failed' returning contribution_id`,
    [id],
  )

export interface ReturnRow {
  contribution_id: string
  amount: bigint
  tries: number
  user_id: string | null
  payment: bigint | null
}

export const openReturns = (db: Queries, { id, limit }: { id: string; limit: number }) =>
  db.rows<ReturnRow>(
    `select r.contribution_id, r.amount, r.tries, c.user_id, c.payment
     from campaigns.returns r join campaigns.contributions c on c.id = r.contribution_id
     where r.campaign_id = $1 and r.state = 'open' order by r.contribution_id limit $2`,
    [id, limit],
  )

/** Nothing, when it has gone back meanwhile. Nobody else gives it back until the transaction ends. */
export const lockReturn = (tx: Tx, id: string) =>
  tx.row<{ contribution_id: string }>(
    `select contribution_id from campaigns.returns where contribution_id = $1 and state = 'open' for no key update`,
    [id],
  )

/** Only if it still is as it was seen: a provider may have answered already. */
export const markSent = (db: Queries, { id, tries }: { id: string; tries: number }) =>
  db.rows(
    `update campaigns.returns set state = 'sent' where contribution_id = $1 and state = 'open' and tries = $2`,
    [id, tries],
  )

export const markFailed = (db: Queries, { id, problem }: { id: string; problem: string }) =>
  db.rows(
    `update campaigns.returns set state = 'failed', problem = $2 where contribution_id = $1 and state = 'open'`,
    [id, problem],
  )

export interface ReturnCount {
  state: 'open' | 'sent' | 'done' | 'failed'
  count: number
  amount: bigint
}

export const countReturns = (db: Queries, id: string) =>
  db.rows<ReturnCount>(
    `select state, count(*)::int as count, sum(amount)::bigint as amount
     from campaigns.returns where campaign_id = $1 group by state order by state`,
    [id],
  )

export const finishReturn = (tx: Tx, { id, at }: { id: string; at: Date }) =>
  tx.row<{ id: string }>(
    `update campaigns.campaigns set returned_at = $2 where id = $1 and returned_at is null and return_begun_at is not null
       and not exists (select from campaigns.returns where campaign_id = $1 and state <> 'done') returning id`,
    [id, at],
  )

/**
 * Those that have begun and can go on, for who does so after a crash: one that waits for a provider or for an operator is
 * none of them. All of them, since one that fails again and again must not take the place of another.
 */
export const returning = (db: Queries) =>
  db.rows<{ id: string }>(
    `select id from campaigns.campaigns c where return_begun_at is not null and returned_at is null
       and (exists (select from campaigns.returns r where r.campaign_id = c.id and r.state = 'open')
         or not exists (select from campaigns.returns r where r.campaign_id = c.id and r.state <> 'done'))
     order by return_begun_at`,
  )
