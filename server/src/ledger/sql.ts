import type { Db, Queries, Tx } from '../db/db.ts'
import type { AccountName, StripedName } from './chart.ts'

/** As PostgreSQL writes an array of numbers or plain words; the driver's own way quotes each of them. */
const array = (values: readonly (bigint | number | string)[]): string => `{${values.join()}}`

const columns = (names: readonly StripedName[]) => [
  names.map((name) => name.owner),
  names.map((name) => name.kind),
  names.map((name) => name.currency),
  names.map((name) => name.mode),
  names.map((name) => name.stripe),
]

/** `at` tells which of the names, counted from 1. */
export const findAccounts = (db: Queries, names: readonly StripedName[]) =>
  db.rows<StateRow & { at: bigint }>(
    `select n.at, a.id, a.version, a.balance, a.held, a.seq, encode(a.head, 'hex') as head
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
       as n (owner, kind, currency, mode, stripe, at)
     join ledger.accounts a using (owner, kind, currency, mode, stripe)`,
    columns(names),
  )

/** In the order of the unique index, so that two openers of the same accounts can't deadlock. */
export const openAccounts = (db: Queries, names: readonly StripedName[], floors: (bigint | null)[]) =>
  db.rows(
    `insert into ledger.accounts (owner, kind, currency, mode, stripe, floor)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[])
       as n (owner, kind, currency, mode, stripe, floor)
     order by owner, kind, currency, mode, stripe
     on conflict do nothing`,
    [...columns(names), floors],
  )

export interface StateRow {
  id: bigint
  version: bigint
  balance: bigint
  held: bigint
  seq: bigint
  head: string
}

/** Locks in id order, so two batches over the same accounts can't deadlock. */
export const lockAccounts = (tx: Tx, ids: readonly bigint[]) =>
  tx.prepared<StateRow>(
    `select id, version, balance, held, seq, encode(head, 'hex') as head from ledger.accounts
     where id = any($1::bigint[]) order by id for no key update`,
    [array(ids)],
  )

/** What a batch is decided on when nobody else is expected to change it; the write notices if somebody did. */
export const readAccounts = (db: Queries, ids: readonly bigint[]) =>
  db.rows<StateRow>(
    `select id, version, balance, held, seq, encode(head, 'hex') as head from ledger.accounts where id = any($1::bigint[])`,
    [array(ids)],
  )

export interface HoldRow {
  id: bigint
  account_id: bigint
  remaining: bigint
}

/** After the lock on its account nobody else can change a hold. */
export const readHolds = (tx: Tx, ids: readonly bigint[]) =>
  tx.prepared<HoldRow>('select id, account_id, remaining from ledger.holds where id = any($1::bigint[])', [
    array(ids),
  ])

export const holdAccounts = (db: Queries, ids: readonly bigint[]) =>
  db.rows<{ id: bigint; account_id: bigint; floor: bigint | null }>(
    `select h.id, h.account_id, a.floor from ledger.holds h join ledger.accounts a on a.id = h.account_id
     where h.id = any($1::bigint[])`,
    [array(ids)],
  )

export interface AnswerRow {
  key: string
  fingerprint: string
  status: number
  body: string
  created_at: Date
}

export const readAnswers = (tx: Tx, keys: readonly string[]) =>
  tx.prepared<AnswerRow>(
    'select key, fingerprint, status, body, created_at from ledger.answers where key = any($1::uuid[])',
    [keys],
  )

export interface Writes {
  postings: {
    ids: bigint[]
    kinds: string[]
    details: string[]
    accounts: string[]
    seqs: string[]
    times: number[]
  }
  entries: {
    accounts: bigint[]
    seqs: bigint[]
    postings: bigint[]
    amounts: bigint[]
    after: bigint[]
    hashes: Buffer
  }
  /** Accounts that were only looked at, and must still be so; keys that must not have been answered. */
  looked: { ids: bigint[]; versions: bigint[]; keys: string[] }
  /** `versions` are those that the batch was decided on; `to` is theirs afterwards, and nobody else's ever. */
  accounts: {
    ids: bigint[]
    versions: bigint[]
    to: bigint
    balances: bigint[]
    held: bigint[]
    seqs: bigint[]
    heads: Buffer
  }
  holds: { ids: bigint[]; accounts: bigint[]; kinds: string[]; amounts: bigint[]; times: number[] }
  answers: { keys: string[]; fingerprints: string[]; statuses: number[]; bodies: string[]; times: number[] }
}

/**
 * Everything a batch writes, in one statement: all of it or nothing. Texts travel as JSON arrays, since quoting them
 * one by one inside an SQL array costs more than parsing that.
 */
export const writeBatchText = `
  with a as (
    update ledger.accounts a set version = $33::bigint, balance = n.balance, held = n.held, seq = n.seq,
      head = substring($6::bytea from ((n.at - 1) * 32 + 1)::int for 32)
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) with ordinality
      as n (id, version, balance, held, seq, at)
    where a.id = n.id and a.version = n.version
    returning 1
  ), p as (
    insert into ledger.postings (id, kind, details, accounts, seqs, created_at)
    select n.id, n.kind, n.details::json, n.accounts::bigint[], n.seqs::bigint[], to_timestamp(n.ms / 1000.0)
    from rows from (
      unnest($7::bigint[], $8::text[], $9::text[], $10::text[], $11::float8[]), json_array_elements_text($12::json)
    ) as n (id, kind, accounts, seqs, ms, details)
  ), e as (
    insert into ledger.entries (account_id, seq, posting_id, amount, balance_after, hash)
    select n.account_id, n.seq, n.posting_id, n.amount, n.after,
      substring($18::bytea from ((n.at - 1) * 32 + 1)::int for 32)
    from unnest($13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[]) with ordinality
      as n (account_id, seq, posting_id, amount, after, at)
  ), h as (
    insert into ledger.holds (id, account_id, kind, amount, remaining, created_at)
    select n.id, n.account_id, n.kind, n.amount, n.amount, to_timestamp(n.ms / 1000.0)
    from unnest($19::bigint[], $20::bigint[], $21::text[], $22::bigint[], $23::float8[]) as n (id, account_id, kind, amount, ms)
  ), k as (
    insert into ledger.answers (key, fingerprint, status, body, created_at)
    select n.key, n.fingerprint, n.status, n.body, to_timestamp(n.ms / 1000.0)
    from rows from (
      unnest($24::uuid[], $25::uuid[], $26::int[], $27::float8[]), json_array_elements_text($28::json)
    ) as n (key, fingerprint, status, ms, body)
  )
  select ledger.expect_rows(
    (select count(*) from a) + (
      select count(*) from unnest($30::bigint[], $31::bigint[]) as n (id, version)
      join ledger.accounts l on l.id = n.id and l.version = n.version
    ) - (select count(*) from ledger.answers where key = any($32::uuid[])), $29)`

export const writeBatchParameters = ({
  looked,
  accounts,
  postings,
  entries,
  holds,
  answers,
}: Writes): unknown[] => [
  array(accounts.ids),
  array(accounts.versions),
  array(accounts.balances),
  array(accounts.held),
  array(accounts.seqs),
  accounts.heads,
  array(postings.ids),
  array(postings.kinds),
  postings.accounts,
  postings.seqs,
  array(postings.times),
  JSON.stringify(postings.details),
  array(entries.accounts),
  array(entries.seqs),
  array(entries.postings),
  array(entries.amounts),
  array(entries.after),
  entries.hashes,
  array(holds.ids),
  array(holds.accounts),
  array(holds.kinds),
  array(holds.amounts),
  array(holds.times),
  array(answers.keys),
  array(answers.fingerprints),
  array(answers.statuses),
  array(answers.times),
  JSON.stringify(answers.bodies),
  accounts.ids.length + looked.ids.length,
  array(looked.ids),
  array(looked.versions),
  array(looked.keys),
  accounts.to,
]

export const writeBatch = (tx: Tx, writes: Writes) =>
  tx.prepared(writeBatchText, writeBatchParameters(writes))

export const updateHolds = (tx: Tx, holds: readonly { id: bigint; remaining: bigint }[]) =>
  tx.prepared(
    `update ledger.holds h set remaining = n.remaining
     from unnest($1::bigint[], $2::bigint[]) as n (id, remaining) where h.id = n.id`,
    [array(holds.map(({ id }) => id)), array(holds.map(({ remaining }) => remaining))],
  )

/** Only those that are still the old ones: somebody else may have used a key anew since it was read. */
export const deleteAnswers = (tx: Tx, { keys, before }: { keys: readonly string[]; before: Date }) =>
  tx.prepared('delete from ledger.answers where key = any($1::uuid[]) and created_at <= $2', [
    array(keys),
    before,
  ])

/** A bounded bite, so that sweeping never holds anybody up. */
export const sweepAnswers = (db: Db, { before, most }: { before: Date; most: number }) =>
  db.rows<{ key: string }>(
    `delete from ledger.answers where key in
       (select key from ledger.answers where created_at < $1 limit $2)
     returning key`,
    [before, most],
  )

export const nextBlock = (db: Queries) =>
  db.row<{ start: bigint }>(`select nextval('ledger.posting_ids') as start`)

export const readBalances = (db: Queries, names: readonly AccountName[]) =>
  db.rows<{ at: bigint; balance: bigint; held: bigint }>(
    `select n.at, sum(a.balance)::bigint as balance, sum(a.held)::bigint as held
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as n (owner, kind, currency, mode, at)
     join ledger.accounts a using (owner, kind, currency, mode)
     group by n.at`,
    [
      names.map((name) => name.owner),
      names.map((name) => name.kind),
      names.map((name) => name.currency),
      names.map((name) => name.mode),
    ],
  )

export interface StatementRow {
  seq: bigint
  amount: bigint
  balance_after: bigint
  posting_id: bigint
  kind: string
  details: object
  created_at: Date
}

export const readStatement = (
  db: Queries,
  page: { account: AccountName; before: bigint | null; limit: number },
) =>
  db.rows<StatementRow>(
    `select e.seq, e.amount, e.balance_after, e.posting_id, p.kind, p.details, p.created_at
     from ledger.entries e join ledger.postings p on p.id = e.posting_id
     where e.account_id = (select id from ledger.accounts
         where owner = $1 and kind = $2 and currency = $3 and mode = $4 and stripe = 0)
       and e.seq < coalesce($5::bigint, 9223372036854775807)
     order by e.seq desc limit $6`,
    [
      page.account.owner,
      page.account.kind,
      page.account.currency,
      page.account.mode,
      page.before,
      page.limit,
    ],
  )
