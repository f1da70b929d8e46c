// Everything that a batch writes, as one statement.
import type { Tx, Writer } from '../../db/db.ts'
import { hashBytes } from '../chain.ts'
import { array, gate, textArray } from '../sql.ts'

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
const onlyIf = (after: number, guards: string) => ` select case when pg_try_advisory_xact_lock_shared(${gate})
  and ($${after}::bigint is null or exists (select from ledger.postings where id = $${after}))
  and ${guards} then true else ledger.expect(false) end`
const guarded = (place: number) => onlyIf(place, guardsHold(place + 1, place + 2))
const writeGuarded = `${writeText(false)}${guarded(19)}`
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
  const { text, parameters } = statementForOne(writes, ground) ?? {
    text: writes.holds.ids.length > 0 ? writeGuardedHolds : writeGuarded,
    parameters: [...parametersOf(writes), ...groundParameters(ground)],
  }
  return also.length === 0 ? writer.write(text, parameters) : writer.writeAll([{ text, parameters }, ...also])
}

/** Undefined: it is more than one posting, or an unusual one. */
function statementForOne({ postings, entries, holds, answers }: Writes, { after, guards }: Ground) {
  const texts = textsForOne.get(entries.accounts.length)
  if (postings.ids.length !== 1 || holds.ids.length > 0 || texts === undefined) return undefined
  // Of others too, which were refused beside it.
  if (guards.owners.length > 1) return undefined
  const parameters: unknown[] = [
    ...[after ?? null, guards.owners[0] ?? null, guards.versions[0] ?? null],
    ...[postings.ids[0], postings.kinds[0], postings.details[0]],
    ...[postings.accounts[0], postings.seqs[0], postings.times[0]],
  ]
  for (const [at, account] of entries.accounts.entries()) {
    const hash = entries.hashes.subarray(at * hashBytes, (at + 1) * hashBytes)
    parameters.push(account, entries.seqs[at], entries.amounts[at], entries.after[at], entries.held[at], hash)
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
    [array(ids), array(seqs), array(keys), ...groundParameters(ground)],
  )

/** A statement of another room, which must write as many rows as there were. */
export const expectAll = (text: string, columns: number): string =>
  `with written as (${text}) select ledger.expect_also((select count(*) from written), $${columns + 1}::bigint)`
