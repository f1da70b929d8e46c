// Everything that a batch writes, as one statement.
import type { Tx, Writer } from '../../db/db.ts'
import type { EntryMade } from '../decide.ts'
import { array, gate } from '../sql.ts'
import { bigints, integers, itself, texts } from './wire.ts'

export interface Writes {
  /** Of all of them, in ms. */
  at: number
  postings: {
    ids: bigint[]
    kinds: string[]
    details: string[]
    /** Of each one, where its accounts and their numbers are below: the first and the last place, counted from 1. */
    firsts: number[]
    lasts: number[]
    accounts: bigint[]
    seqs: bigint[]
  }
  /** By account. */
  entries: { made: EntryMade; posting: bigint }[]
  holds: { id: bigint; account: bigint; kind: string; amount: bigint }[]
  answers: { keys: string[]; fingerprints: string[]; statuses: number[]; bodies: string[] }
}

const insertPostings = `
  insert into ledger.postings (id, kind, details, accounts, seqs, created_at)
  select n.id, n.kind, n.details::json, ($7::bigint[])[n.first:n.last], ($8::bigint[])[n.first:n.last],
    to_timestamp($1::float8 / 1000.0)
  from unnest($2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[]) as n (id, kind, details, first, last)`

const insertEntries = `
  insert into ledger.entries (account_id, seq, posting_id, amount, balance_after, held_after, hash)
  select n.account_id, n.seq, n.posting_id, n.amount, n.after, n.held,
    substring($15::bytea from ((n.at - 1) * 32 + 1)::int for 32)
  from unnest($9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[]) with ordinality
    as n (account_id, seq, posting_id, amount, after, held, at)`

const insertAnswers = `
  insert into ledger.answers (key, fingerprint, status, body, created_at)
  select n.key, n.fingerprint, n.status, n.body, to_timestamp($1::float8 / 1000.0)
  from unnest($16::uuid[], $17::uuid[], $18::int[], $19::text[]) as n (key, fingerprint, status, body)`

const insertHolds = `
  insert into ledger.holds (id, account_id, kind, amount, remaining, created_at)
  select n.id, n.account_id, n.kind, n.amount, n.amount, to_timestamp($1::float8 / 1000.0)
  from unnest($20::bigint[], $21::bigint[], $22::text[], $23::bigint[]) as n (id, account_id, kind, amount)`

/** All of it or nothing. Most batches hold nothing, and a part that does nothing still costs time. */
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
const onlyIf = (after: number, guards: string) => ` select case when pg_try_advisory_xact_lock_shared(${gate})
  and ($${after}::bigint is null or exists (select from ledger.postings where id = $${after}))
  and ${guards} then true else ledger.expect(false) end`
const guarded = (place: number) => onlyIf(place, guardsHold(place + 1, place + 2))
const writeGuarded = `${writeText(false)}${guarded(20)}`
const writeGuardedHolds = `${writeText(true)}${guarded(24)}`

/**
 * A posting alone, without arrays: an idle service makes batches of one, and putting arrays of one together and taking
 * them apart is a third of the work. First what every posting has, then its entries, then its answer.
 */
function textForOne({ entries, answered }: { entries: number; answered: boolean }): string {
  let place = 0
  const next = (count: number) => Array.from({ length: count }, () => `$${++place}`)
  const [after, owner, version, id, kind, details, accounts, seqs, ms] = next(9)
  const at = `to_timestamp(${ms}::float8 / 1000.0)`
  const rows = Array.from({ length: entries }, () => {
    const [account, seq, ...rest] = next(6)
    return `(${[account, seq, id, ...rest].join()})`
  })
  const inserts = [
    `p as (insert into ledger.postings (id, kind, details, accounts, seqs, created_at)
       values (${[id, kind, details, accounts, seqs, at].join()}))`,
    `e as (insert into ledger.entries (account_id, seq, posting_id, amount, balance_after, held_after, hash)
       values ${rows.join()})`,
  ]
  if (answered)
    inserts.push(`k as (insert into ledger.answers (key, fingerprint, status, body, created_at)
       values (${[...next(4), at].join()}))`)
  const holds = `(${owner}::text is null
    or coalesce((select version from ledger.guards where owner = ${owner}), 0) = ${version}::bigint)`
  return `with ${inserts.join()}${onlyIf(Number(after?.slice(1)), holds)}`
}

/** Of two entries on: statements are prepared by their text, so each is made once. */
const entriesOfOne = [2, 3, 4]
const textsForOne = new Map(
  entriesOfOne.map((entries) => [
    entries,
    {
      answered: textForOne({ entries, answered: true }),
      plain: textForOne({ entries, answered: false }),
    },
  ]),
)

function parametersOf({ at, postings, entries, holds, answers }: Writes): unknown[] {
  const parameters = [
    at,
    bigints(postings.ids, itself),
    texts(postings.kinds),
    texts(postings.details),
    integers(postings.firsts),
    integers(postings.lasts),
    bigints(postings.accounts, itself),
    bigints(postings.seqs, itself),
    bigints(entries, ({ made }) => made.accountId),
    bigints(entries, ({ made }) => made.seq),
    bigints(entries, ({ posting }) => posting),
    bigints(entries, ({ made }) => made.amount),
    bigints(entries, ({ made }) => made.balanceAfter),
    bigints(entries, ({ made }) => made.heldAfter),
    hashesOf(entries),
    array(answers.keys),
    array(answers.fingerprints),
    integers(answers.statuses),
    texts(answers.bodies),
  ]
  if (holds.length > 0) {
    parameters.push(
      bigints(holds, ({ id }) => id),
      bigints(holds, ({ account }) => account),
      texts(holds.map(({ kind }) => kind)),
      bigints(holds, ({ amount }) => amount),
    )
  }
  return parameters
}

function hashesOf(entries: Writes['entries']): Buffer {
  let hex = ''
  for (const { made } of entries) hex += made.hash
  return Buffer.from(hex, 'hex')
}

export const writeBatch = (tx: Tx, writes: Writes) =>
  tx.prepared(writes.holds.length > 0 ? writeLockedHolds : writeLocked, parametersOf(writes))

/** The posting that a batch builds on, and the guards that its postings were allowed by. */
export interface Ground {
  after: bigint | undefined
  guards: { owners: string[]; versions: bigint[] }
}

const groundParameters = ({ after, guards }: Ground) => [
  after ?? null,
  texts(guards.owners),
  bigints(guards.versions, itself),
]

export interface FastWrite {
  ground: Ground
  /** Statements of other rooms, in the same transaction. */
  also: readonly { text: string; parameters: readonly unknown[] }[]
}

export function writeFast(writer: Writer, writes: Writes, { ground, also }: FastWrite): Promise<void> {
  const { text, parameters } = statementForOne(writes, ground) ?? {
    text: writes.holds.length > 0 ? writeGuardedHolds : writeGuarded,
    parameters: [...parametersOf(writes), ...groundParameters(ground)],
  }
  return also.length === 0 ? writer.write(text, parameters) : writer.writeAll([{ text, parameters }, ...also])
}

/** Undefined: it is more than one posting, or an unusual one. */
function statementForOne({ at, postings, entries, holds, answers }: Writes, { after, guards }: Ground) {
  const texts = textsForOne.get(entries.length)
  if (postings.ids.length !== 1 || holds.length > 0 || texts === undefined) return undefined
  // Of others too, which were refused beside it.
  if (guards.owners.length > 1) return undefined
  const parameters: unknown[] = [
    ...[after ?? null, guards.owners[0] ?? null, guards.versions[0] ?? null],
    ...[postings.ids[0], postings.kinds[0], postings.details[0]],
    ...[array(postings.accounts), array(postings.seqs), at],
  ]
  for (const { made } of entries) {
    const hash = Buffer.from(made.hash, 'hex')
    parameters.push(made.accountId, made.seq, made.amount, made.balanceAfter, made.heldAfter, hash)
  }
  if (answers.keys.length === 0) return { text: texts.plain, parameters }
  parameters.push(answers.keys[0], answers.fingerprints[0], answers.statuses[0], answers.bodies[0])
  return { text: texts.answered, parameters }
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
    [bigints(ids, itself), bigints(seqs, itself), array(keys), ...groundParameters(ground)],
  )

/** A statement of another room, which must write as many rows as there were. */
export const expectAll = (text: string, columns: number): string =>
  `with written as (${text}) select ledger.expect_also((select count(*) from written), $${columns + 1}::bigint)`
