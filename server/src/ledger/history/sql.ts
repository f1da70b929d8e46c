import type { Queries } from '../../db/db.ts'
import type { StatementRow } from '../sql.ts'

/** A window is at most this long. */
export const windowMost = 500n

export interface WindowsAsked {
  owner: string
  kind: string
  mode: string
  currencies: readonly string[]
  before: readonly bigint[]
  from: readonly bigint[]
  /** 1: what came in, -1: what left, 0: both. */
  sign: number
  notKinds: readonly string[]
  mention: string | null
}

/**
 * `at` tells which of the windows, counted from 1. The most that a window holds is written out because a plan
 * with an unknown limit expects a tenth of the whole history, and reads the whole table of postings for it.
 */
export const readWindows = (db: Queries, asked: WindowsAsked) =>
  db.prepared<StatementRow & { at: bigint }>(
    `select n.at, e.seq, e.amount, e.balance_after, e.posting_id, p.kind, p.details, p.created_at
     from unnest($4::text[], $5::bigint[], $6::bigint[]) with ordinality as n (currency, before, first, at)
     join ledger.accounts a
       on a.owner = $1 and a.kind = $2 and a.mode = $3 and a.currency = n.currency and a.stripe = 0
     cross join lateral (
       select seq, amount, balance_after, posting_id from ledger.entries
       where account_id = a.id and seq >= n.first and seq < n.before
         and amount <> 0 and ($7::int = 0 or sign(amount) = $7)
       order by seq desc limit ${windowMost}
     ) e
     join ledger.postings p on p.id = e.posting_id
     where p.kind <> all ($8::text[])
       and ($9::text is null
         or strpos(lower(p.details::text collate "C"), $9) > 0
         or octet_length(p.details::text) <> length(p.details::text))
     order by n.at, e.seq desc`,
    [
      asked.owner,
      asked.kind,
      asked.mode,
      asked.currencies,
      asked.before,
      asked.from,
      asked.sign,
      asked.notKinds,
      asked.mention,
    ],
  )

export interface MomentsAsked {
  owner: string
  kind: string
  mode: string
  currencies: readonly string[]
  times: readonly Date[]
}

/**
 * For each currency and time (`at` counts them from 1) the number of the first entry at or after the time; one more
 * than there are entries when there is none. Halves the history in each step, so a million entries take twenty.
 */
export const readMoments = (db: Queries, asked: MomentsAsked) =>
  db.prepared<{ at: bigint; seq: bigint }>(
    `with recursive asked as (
       select n.at, n.time, a.id as account_id, latest.seq + 1 as top
       from unnest($4::text[], $5::timestamptz[]) with ordinality as n (currency, time, at)
       join ledger.accounts a
         on a.owner = $1 and a.kind = $2 and a.mode = $3 and a.currency = n.currency and a.stripe = 0
       cross join lateral (
         select seq from ledger.entries where account_id = a.id order by seq desc limit 1
       ) latest
     ), search (at, account_id, time, below, above) as (
       select at, account_id, time, 0::bigint, top from asked
       union all
       select s.at, s.account_id, s.time,
         case when p.created_at < s.time then m.middle else s.below end,
         case when p.created_at < s.time then s.above else m.middle end
       from search s
       cross join lateral (select (s.below + s.above) / 2 as middle) m
       join ledger.entries e on e.account_id = s.account_id and e.seq = m.middle
       join ledger.postings p on p.id = e.posting_id
       where s.above - s.below > 1
     )
     select at, min(above) as seq from search group by at order by at`,
    [asked.owner, asked.kind, asked.mode, asked.currencies, asked.times],
  )

export const readStripes = (
  db: Queries,
  { owner, kind, mode }: { owner: string; kind: string; mode: string },
) =>
  db.rows<{ id: bigint; currency: string }>(
    'select id, currency from ledger.accounts where owner = $1 and kind = $2 and mode = $3 order by id',
    [owner, kind, mode],
  )

export interface MovesAsked {
  ids: readonly bigint[]
  /** For each: entries below this number. */
  before: readonly bigint[]
  limit: number
}

/** The latest of each account, the newest first. */
export const readMoves = (db: Queries, { ids, before, limit }: MovesAsked) =>
  db.rows<Omit<StatementRow, 'balance_after'> & { account_id: bigint }>(
    `select e.account_id, e.seq, e.amount, e.posting_id, p.kind, p.details, p.created_at
     from unnest($1::bigint[], $2::bigint[]) as n (id, before)
     cross join lateral (
       select account_id, seq, amount, posting_id from ledger.entries
       where account_id = n.id and seq < n.before order by seq desc limit $3
     ) e
     join ledger.postings p on p.id = e.posting_id
     order by e.account_id, e.seq desc`,
    [ids, before, limit],
  )
