import type { Db, Queries, Tx } from '../db/db.ts'
import type { AccountName, StripedName } from './chart.ts'

/** As PostgreSQL writes an array of numbers or plain words; the driver's own way quotes each of them. */
export const array = (values: readonly (bigint | number | string)[]): string => `{${values.join()}}`

const columns = (names: readonly StripedName[]) => [
  names.map((name) => name.owner),
  names.map((name) => name.kind),
  names.map((name) => name.currency),
  names.map((name) => name.mode),
  names.map((name) => name.stripe),
]

/** An account is what its latest entry says. */
const state = `coalesce(e.balance_after, 0) as balance, coalesce(e.held_after, 0) as held, coalesce(e.seq, 0) as seq,
  coalesce(encode(e.hash, 'hex'), repeat('0', 64)) as head`
const latest = (id: string) => `left join lateral (
  select seq, balance_after, held_after, hash from ledger.entries where account_id = ${id} order by seq desc limit 1
) e on true`

/**
 * Finds accounts and opens those that are missing, in one statement: a batch of first payments makes no more trips than
 * any other. One that somebody else opens in this very moment is not among the rows; it is there for the next
 * statement. In the order of the unique index, so that two openers of the same accounts can't deadlock.
 */
export const findOrOpenAccounts = (db: Queries, names: readonly StripedName[], mayOwe: readonly boolean[]) =>
  db.prepared<StateRow & StripedName>(
    `with known as materialized (
       select n.*, a.id from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::boolean[])
         as n (owner, kind, currency, mode, stripe, may_owe)
       left join ledger.accounts a using (owner, kind, currency, mode, stripe)
     ), opened as (
       insert into ledger.accounts (owner, kind, currency, mode, stripe, id)
       select owner, kind, currency, mode, stripe, nextval('ledger.account_ids') * case when may_owe then -1 else 1 end
       from known where id is null
       order by owner, kind, currency, mode, stripe
       on conflict do nothing
       returning owner, kind, currency, mode, stripe, id
     )
     select k.owner, k.kind, k.currency, k.mode, k.stripe, k.id, ${state}
     from known k ${latest('k.id')} where k.id is not null
     union all
     select owner, kind, currency, mode, stripe, id, 0, 0, 0, repeat('0', 64) from opened`,
    [...columns(names), mayOwe],
  )

export interface StateRow {
  id: bigint
  balance: bigint
  held: bigint
  seq: bigint
  head: string
}

/** In id order, so that two can't deadlock. What the accounts are then must be read afterwards, by another statement. */
export const lockAccounts = (tx: Tx, ids: readonly bigint[]) =>
  tx.prepared('select from ledger.accounts where id = any($1::bigint[]) order by id for no key update', [
    array(ids),
  ])

const readAccountsText = `select n.id, ${state} from unnest($1::bigint[]) as n (id) ${latest('n.id')}`

/** What a batch is decided on when nobody else is expected to change it; the write notices if somebody did. */
export const readAccounts = (db: Queries, ids: readonly bigint[]) =>
  db.prepared<StateRow>(readAccountsText, [array(ids)])

/**
 * Whoever writes the fast way shares the gate, and whoever lost a race against such a writer closes it for a moment, so
 * that nobody loses for ever. Only a matter of patience: that nothing is written twice rests on the entries' numbers.
 */
export const gate = `7021, 1`
export const closeGate = (tx: Tx) => tx.rows(`select pg_advisory_xact_lock(${gate})`)

/** What follows can be undone by itself. */
export const mayUndo = (tx: Tx) => tx.rows('savepoint posting')
export const keepDone = (tx: Tx) => tx.rows('release savepoint posting')
export const undo = (tx: Tx) => tx.rows('rollback to savepoint posting')

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
  db.prepared<{ id: bigint; account_id: bigint; kind: string }>(
    'select id, account_id, kind from ledger.holds where id = any($1::bigint[])',
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

export const changeGuard = (tx: Tx, owner: string) =>
  tx.row<{ version: bigint }>(
    `insert into ledger.guards (owner, version) values ($1, nextval('ledger.guard_versions'))
     on conflict (owner) do update set version = excluded.version returning version`,
    [owner],
  )

export const readGuards = (db: Queries, owners: readonly string[]) =>
  db.prepared<{ owner: string; version: bigint }>(
    'select owner, version from ledger.guards where owner = any($1::text[])',
    [owners],
  )

export interface MoveRow {
  account_id: bigint
  seq: bigint
  posting_id: bigint
  amount: bigint
  kind: string
  created_at: Date
}

/** The latest entries of each account, the newest first, from one number on downwards to another. */
export const latestMoves = (
  db: Queries,
  { ids, tops, bottoms, limit }: Record<'ids' | 'tops' | 'bottoms', readonly bigint[]> & { limit: number },
) =>
  db.prepared<MoveRow>(
    `select e.account_id, e.seq, e.posting_id, e.amount, p.kind, p.created_at
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as n (id, top, bottom)
     cross join lateral (
       select account_id, seq, amount, posting_id from ledger.entries
       where account_id = n.id and seq between n.bottom and n.top order by seq desc limit $4
     ) e
     join ledger.postings p on p.id = e.posting_id
     order by e.account_id, e.seq desc`,
    [array(ids), array(tops), array(bottoms), limit],
  )

/** What is set aside in each account, by the kind of the postings that did it. */
export const openHolds = (db: Queries, ids: readonly bigint[]) =>
  db.prepared<{ account_id: bigint; kind: string; amount: bigint }>(
    `select account_id, kind, sum(remaining)::bigint as amount from ledger.holds
     where account_id = any($1::bigint[]) and remaining > 0 group by account_id, kind`,
    [array(ids)],
  )

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

export const answerPages = (db: Db) =>
  db.row<{ pages: number }>(
    `select (pg_relation_size('ledger.answers') / current_setting('block_size')::int)::int as pages`,
  )

/** Those on some pages of the table: a bounded bite, so that sweeping never holds anybody up, and no page is read twice. */
export const sweepAnswers = (db: Db, { before, from, to }: { before: Date; from: number; to: number }) =>
  db.rows<{ key: string }>(
    'delete from ledger.answers where ctid >= $2::tid and ctid < $3::tid and created_at < $1 returning key',
    [before, `(${from},0)`, `(${to},0)`],
  )

export const postingIds = { sequence: 'ledger.posting_ids', size: 1_000n }

export const readBalances = (db: Queries, names: readonly AccountName[]) =>
  db.rows<{ at: bigint; balance: bigint; held: bigint }>(
    `select n.at, coalesce(sum(e.balance_after), 0)::bigint as balance, coalesce(sum(e.held_after), 0)::bigint as held
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as n (owner, kind, currency, mode, at)
     join ledger.accounts a using (owner, kind, currency, mode)
     ${latest('a.id')}
     group by n.at`,
    [
      names.map((name) => name.owner),
      names.map((name) => name.kind),
      names.map((name) => name.currency),
      names.map((name) => name.mode),
    ],
  )

export const readAccountsOf = (db: Queries, { owner, kind, mode }: Omit<AccountName, 'currency'>) =>
  db.prepared<{ currency: string; seq: bigint; balance: bigint; held: bigint; created_at: Date }>(
    `select a.currency, a.created_at, ${state} from ledger.accounts a ${latest('a.id')}
     where a.owner = $1 and a.kind = $2 and a.mode = $3 and a.stripe = 0 order by a.currency`,
    [owner, kind, mode],
  )

export interface PostingRow {
  id: bigint
  kind: string
  details: object
  created_at: Date
  account: { owner: string; kind: string; currency: string; mode: string }
  amount: bigint
  balance_after: bigint
}

/** One row an entry. */
export const readPosting = (db: Queries, id: bigint) =>
  db.prepared<PostingRow>(
    `select p.id, p.kind, p.details, p.created_at, e.amount, e.balance_after,
       json_build_object('owner', a.owner, 'kind', a.kind, 'currency', a.currency, 'mode', a.mode) as account
     from ledger.postings p
     cross join lateral unnest(p.accounts, p.seqs) with ordinality as n (account_id, seq, at)
     join ledger.entries e on e.account_id = n.account_id and e.seq = n.seq
     join ledger.accounts a on a.id = e.account_id
     where p.id = $1 order by n.at`,
    [id],
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
       and e.seq < coalesce($5::bigint, 9223372036854775807) and e.amount <> 0
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

export interface ChainRow extends Omit<StatementRow, 'details'> {
  account_id: bigint
  held_after: bigint
  hash: Buffer
  /** As it was hashed. */
  details: string
}

export const readChain = (db: Queries, read: { account: AccountName; from: bigint | null; limit: number }) =>
  db.rows<ChainRow>(
    `select e.account_id, e.seq, e.amount, e.balance_after, e.held_after, e.hash, e.posting_id, p.kind,
       p.details::text as details, p.created_at
     from ledger.entries e join ledger.postings p on p.id = e.posting_id
     where e.account_id = (select id from ledger.accounts
         where owner = $1 and kind = $2 and currency = $3 and mode = $4 and stripe = 0)
       and e.seq >= coalesce($5::bigint, 1)
     order by ${read.from === null ? 'e.seq desc' : 'e.seq'} limit $6`,
    [read.account.owner, read.account.kind, read.account.currency, read.account.mode, read.from, read.limit],
  )
