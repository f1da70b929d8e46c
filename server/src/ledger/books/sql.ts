import type { Db, Queries, Tx } from '../../db/db.ts'

/** Every page is a few thousand look-ups by key; a plan that reads a whole table would read it again for each page. */
export const lookUpByKey = (tx: Tx) =>
  tx.rows(
    `select set_config(name, 'off', true) from unnest(array['enable_hashjoin', 'enable_mergejoin', 'enable_memoize', 'jit']) as name`,
  )

/** About how many entries there are, for somebody who waits: to count them would take as long as to check them. */
export const expectedEntries = (tx: Tx) =>
  tx.row<{ entries: number }>(
    `select greatest(reltuples, 0)::float8 as entries from pg_class where oid = 'ledger.entries'::regclass`,
  )

export interface Page<Key> {
  after: Key | undefined
  limit: number
}

export interface AccountRow {
  id: bigint
  mode: string
  kind: string
  owner: string
  currency: string
  stripe: number
  /** What its open holds add up to, as text. */
  open_holds: string
}

export const accountsAfter = (tx: Tx, { after, limit }: Page<bigint>) =>
  tx.rows<AccountRow>(
    `select a.id, a.mode, a.kind, a.owner, a.currency, a.stripe,
       coalesce((select sum(h.remaining) from ledger.holds h where h.account_id = a.id and h.remaining > 0), 0)::text
         as open_holds
     from ledger.accounts a where $1::bigint is null or a.id > $1 order by a.id limit $2`,
    [after ?? null, limit],
  )

export interface EntryKey {
  account_id: bigint
  seq: bigint
}

export interface EntryRow extends EntryKey {
  posting_id: bigint
  amount: bigint
  balance_after: bigint
  held_after: bigint
  /** In hex. */
  hash: string
  /** Null, like the rest of the posting, when there is no such posting. */
  kind: string | null
  details: string | null
  /** In microseconds, so that a change too small for the chain's milliseconds is seen too; null when it is no time. */
  created_us: bigint | null
  /** Does the posting name this entry? */
  named: boolean
}

export const entriesAfter = (tx: Tx, { after, limit }: Page<EntryKey>) =>
  tx.rows<EntryRow>(
    `select e.account_id, e.seq, e.posting_id, e.amount, e.balance_after, e.held_after, encode(e.hash, 'hex') as hash,
       p.kind, p.details::text as details,
       case when p.created_at between '0001-01-01' and '9999-12-31'
         then (date_part('epoch', p.created_at) * 1000000)::bigint end as created_us,
       coalesce(p.seqs[array_position(p.accounts, e.account_id)] = e.seq, false) as named
     from (
       select account_id, seq, posting_id, amount, balance_after, held_after, hash from ledger.entries
       where $1::bigint is null or (account_id, seq) > ($1, $2::bigint)
       order by account_id, seq limit $3
     ) e
     left join ledger.postings p on p.id = e.posting_id
     order by e.account_id, e.seq`,
    [after?.account_id ?? null, after?.seq ?? null, limit],
  )

export interface PostingsPage {
  /** Null: there are no more. */
  last: bigint | null
  postings: number
  /** How many entries they name. */
  named: bigint
  /** Those that name none. */
  empty: number
}

export const countPostingsAfter = (tx: Tx, { after, limit }: Page<bigint>) =>
  tx.row<PostingsPage>(
    `select max(id) as last, count(*)::int as postings, coalesce(sum(cardinality(accounts)), 0)::bigint as named,
       (count(*) filter (where cardinality(accounts) = 0))::int as empty
     from (
       select id, accounts from ledger.postings where $1::bigint is null or id > $1 order by id limit $2
     ) p`,
    [after ?? null, limit],
  )

export interface PostingRow {
  id: bigint
  kind: string
  named: number
  found: number
  sum: string
  /** Pairs of mode and currency. */
  sorts: number
}

/** Each posting with what is found under the keys that it names. */
export const postingsAfter = (tx: Tx, { after, limit }: Page<bigint>) =>
  tx.rows<PostingRow>(
    `select p.id, p.kind, greatest(cardinality(p.accounts), cardinality(p.seqs)) as named, f.found, f.sum, f.sorts
     from (
       select id, kind, accounts, seqs from ledger.postings where $1::bigint is null or id > $1 order by id limit $2
     ) p
     cross join lateral (
       select count(e.posting_id)::int as found, coalesce(sum(e.amount), 0)::text as sum,
         count(distinct (a.mode, a.currency))::int as sorts
       from unnest(p.accounts, p.seqs) as n (account_id, seq)
       join ledger.entries e on e.account_id = n.account_id and e.seq = n.seq and e.posting_id = p.id
       left join ledger.accounts a on a.id = e.account_id
     ) f
     order by p.id`,
    [after ?? null, limit],
  )

export interface HoldsPage {
  /** Null: there are no more. */
  last: bigint | null
  /** On accounts that do not exist. */
  lost: bigint[] | null
}

export const holdsAfter = (tx: Tx, { after, limit }: Page<bigint>) =>
  tx.row<HoldsPage>(
    `select max(h.id) as last, array_agg(h.id) filter (where a.id is null) as lost
     from (
       select id, account_id from ledger.holds where $1::bigint is null or id > $1 order by id limit $2
     ) h
     left join ledger.accounts a on a.id = h.account_id`,
    [after ?? null, limit],
  )

export const hasBooks = (db: Queries) =>
  db.row<{ there: boolean }>(`select to_regclass('ledger.checks') is not null as there`)

export const takesWrites = (db: Queries) =>
  db.row<{ yes: boolean }>(`select current_setting('transaction_read_only') = 'off' as yes`)

export interface NewCheck {
  startedAt: Date
  seconds: number
  ok: boolean
  accounts: number
  entries: number
  postings: number
  problems: string[]
  trial: readonly { balance: bigint }[]
}

export const keepCheck = (db: Db, check: NewCheck) =>
  db.rows(
    `insert into ledger.checks (started_at, seconds, ok, accounts, entries, postings, problems, balances)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      check.startedAt,
      check.seconds,
      check.ok,
      check.accounts,
      check.entries,
      check.postings,
      check.problems,
      JSON.stringify(check.trial.map((line) => ({ ...line, balance: line.balance.toString() }))),
    ],
  )

export interface KeptRow {
  started_at: Date
  seconds: number
  ok: boolean
  accounts: bigint
  entries: bigint
  postings: bigint
  problems: string[]
  /** Balances as text: a JSON number would lose some. */
  balances: { mode: string; currency: string; kind: string; accounts: number; balance: string }[]
}

export const latestKept = (db: Queries) =>
  db.row<KeptRow>(
    `select started_at, seconds, ok, accounts, entries, postings, problems, balances
     from ledger.checks order by started_at desc, id desc limit 1`,
  )

export const latestCheck = (db: Queries) =>
  db.row<{ started_at: Date; ok: boolean; problems: string[] }>(
    'select started_at, ok, problems from ledger.checks order by started_at desc, id desc limit 1',
  )

export interface RightCheck {
  started_at: Date
  entries: bigint
  postings: bigint
}

/**
 * Of those that found the books right, the one that counted most. What a wrong one counted says nothing: neither may
 * what it missed be forgotten, nor must something forged that it counted stay.
 */
export const fullestCheck = (db: Queries) =>
  db.row<RightCheck>(
    'select started_at, entries, postings from ledger.checks where ok order by entries desc, id desc limit 1',
  )
