import type { Db, Queries, Tx, Writer } from '../db/db.ts'
import type { AccountName, StripedName } from './chart.ts'

/** As PostgreSQL writes an array of numbers or plain words; the driver's own way quotes each of them. */
const array = (values: readonly (bigint | number | string)[]): string => `{${values.join()}}`

/** The same of any texts: in quotes, and only if they hold nothing that must be escaped inside them. */
const textArray = (values: readonly string[]): string | readonly string[] => {
  if (values.length === 0) return '{}'
  const text = values.join('","')
  return /[\\"]/.test(values.join('')) ? values : `{"${text}"}`
}

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
const gate = `7021, 1`
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
    held: bigint[]
    hashes: Buffer
  }
  holds: { ids: bigint[]; accounts: bigint[]; kinds: string[]; amounts: bigint[]; times: number[] }
  answers: { keys: string[]; fingerprints: string[]; statuses: number[]; bodies: string[]; times: number[] }
}

const insertPostings = `
  insert into ledger.postings (id, kind, details, accounts, seqs, created_at)
  select n.id, n.kind, n.details::json, n.accounts::bigint[], n.seqs::bigint[], to_timestamp(n.ms / 1000.0)
  from rows from (
    unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::float8[]), json_array_elements_text($6::json)
  ) as n (id, kind, accounts, seqs, ms, details)`

const insertEntries = `
  insert into ledger.entries (account_id, seq, posting_id, amount, balance_after, held_after, hash)
  select n.account_id, n.seq, n.posting_id, n.amount, n.after, n.held,
    substring($13::bytea from ((n.at - 1) * 32 + 1)::int for 32)
  from unnest($7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[]) with ordinality
    as n (account_id, seq, posting_id, amount, after, held, at)`

const insertAnswers = `
  insert into ledger.answers (key, fingerprint, status, body, created_at)
  select n.key, n.fingerprint, n.status, n.body, to_timestamp(n.ms / 1000.0)
  from rows from (
    unnest($14::uuid[], $15::uuid[], $16::int[], $17::float8[]), json_array_elements_text($18::json)
  ) as n (key, fingerprint, status, ms, body)`

const insertHolds = `
  insert into ledger.holds (id, account_id, kind, amount, remaining, created_at)
  select n.id, n.account_id, n.kind, n.amount, n.amount, to_timestamp(n.ms / 1000.0)
  from unnest($19::bigint[], $20::bigint[], $21::text[], $22::bigint[], $23::float8[])
    as n (id, account_id, kind, amount, ms)`

/**
 * Everything a batch writes, in one statement: all of it or nothing. Texts travel as JSON arrays, since quoting them
 * one by one inside an SQL array costs more than parsing that. Most batches hold nothing, and a part that does
 * nothing still costs time.
 */
const writeText = (holds: boolean) =>
  `with p as (${insertPostings}), e as (${insertEntries}), k as (${insertAnswers})${holds ? `, h as (${insertHolds})` : ''}`

/** The careful way, behind the locks. */
const writeLocked = `${writeText(false)} select 1`
const writeLockedHolds = `${writeText(true)} select 1`

const guardsHold = (owners: number, versions: number) => `not exists (
    select from unnest($${owners}::text[], $${versions}::bigint[]) as n (owner, version)
    left join ledger.guards g using (owner) where coalesce(g.version, 0) <> n.version
  )`

/** The fast way: only if nobody has closed the gate, the batch that it builds on was written, and no guard has changed. */
const guarded = (place: number) => ` select ledger.expect(pg_try_advisory_xact_lock_shared(${gate})
  and ($${place}::bigint is null or exists (select from ledger.postings where id = $${place}))
  and ${guardsHold(place + 1, place + 2)})`
const writeGuarded = `${writeText(false)}${guarded(19)}`
const writeGuardedHolds = `${writeText(true)}${guarded(24)}`

const parametersOf = ({ postings, entries, holds, answers }: Writes): unknown[] => {
  const parameters = [
    array(postings.ids),
    array(postings.kinds),
    textArray(postings.accounts),
    textArray(postings.seqs),
    array(postings.times),
    JSON.stringify(postings.details),
    array(entries.accounts),
    array(entries.seqs),
    array(entries.postings),
    array(entries.amounts),
    array(entries.after),
    array(entries.held),
    entries.hashes,
    array(answers.keys),
    array(answers.fingerprints),
    array(answers.statuses),
    array(answers.times),
    JSON.stringify(answers.bodies),
  ]
  if (holds.ids.length > 0) {
    parameters.push(
      array(holds.ids),
      array(holds.accounts),
      array(holds.kinds),
      array(holds.amounts),
      array(holds.times),
    )
  }
  return parameters
}

export const writeBatch = (tx: Tx, writes: Writes) =>
  tx.prepared(writes.holds.ids.length > 0 ? writeLockedHolds : writeLocked, parametersOf(writes))

/** The posting that a batch builds on, and the guards that its postings were allowed by. */
export interface Ground {
  after: bigint | undefined
  guards: { owners: string[]; versions: bigint[] }
}

const groundParameters = ({ after, guards }: Ground) => [
  after ?? null,
  textArray(guards.owners),
  array(guards.versions),
]

export interface FastWrite {
  ground: Ground
  /** Statements of other rooms, in the same transaction. */
  also: readonly { text: string; parameters: readonly unknown[] }[]
}

export function writeFast(writer: Writer, writes: Writes, { ground, also }: FastWrite): Promise<void> {
  const text = writes.holds.ids.length > 0 ? writeGuardedHolds : writeGuarded
  const parameters = [...parametersOf(writes), ...groundParameters(ground)]
  return also.length === 0 ? writer.write(text, parameters) : writer.writeAll([{ text, parameters }, ...also])
}

export interface Looked {
  ids: bigint[]
  seqs: bigint[]
  keys: string[]
}

/** Are accounts that were only looked at still as they were remembered, keys still unanswered, and guards the same? */
export const stillSo = (writer: Writer, { ids, seqs, keys }: Looked, ground: Ground) =>
  writer.read<{ so: boolean }>(
    `select not exists (
         select from unnest($1::bigint[], $2::bigint[]) as n (id, seq)
         join ledger.entries e on e.account_id = n.id and e.seq = n.seq + 1
       ) and not exists (select from ledger.answers where key = any($3::uuid[]))
       and ($4::bigint is null or exists (select from ledger.postings where id = $4))
       and ${guardsHold(5, 6)} as so`,
    [array(ids), array(seqs), array(keys), ...groundParameters(ground)],
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

/** A statement of another room, which must write as many rows as there were. */
export const expectAll = (text: string, columns: number): string =>
  `with written as (${text}) select ledger.expect_also((select count(*) from written), $${columns + 1}::bigint)`

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
