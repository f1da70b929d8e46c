// Rules 3, 4 and 5: the books, made again from the entries alone. Postings balance; each account's entries are numbered
// without gaps, add up, follow from each other by their hashes, and never go below the floor.
import { createHash } from 'node:crypto'
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'

export interface LedgerFigures {
  accounts: number
  entries: number
  postings: number
}

export interface LedgerRules {
  balance: Faults
  chain: Faults
  floor: Faults
}

/** Only these may owe. */
const owing = new Set(['fees', 'clearing'])

export async function checkLedger(db: Database, rules: LedgerRules): Promise<LedgerFigures> {
  await checkPostings(db, rules.balance)
  const entries = await walkEntries(db, rules)
  await checkHolds(db, rules.floor)
  const [counted] = await db.rows<{ accounts: string; postings: string }>(
    `select (select count(*) from ledger.accounts) as accounts, (select count(*) from ledger.postings) as postings`,
  )
  return { accounts: Number(counted?.accounts ?? 0), entries, postings: Number(counted?.postings ?? 0) }
}

async function checkPostings(db: Database, faults: Faults): Promise<void> {
  const unbalanced = db.stream<{ id: string; mode: string; currency: string; sum: string }>(
    `select e.posting_id as id, a.mode, a.currency, sum(e.amount) as sum
     from ledger.entries e join ledger.accounts a on a.id = e.account_id
     group by 1, 2, 3 having sum(e.amount) <> 0`,
  )
  for await (const { id, mode, currency, sum } of unbalanced)
    faults.add(`posting ${id} sums to ${sum} minor ${currency} (${mode}), not to 0`)
  const mixed = db.stream<{ id: string; sorts: string }>(
    `select e.posting_id as id, string_agg(distinct a.mode || ' ' || a.currency, ', ') as sorts
     from ledger.entries e join ledger.accounts a on a.id = e.account_id
     group by 1 having count(distinct (a.mode, a.currency)) > 1`,
  )
  for await (const { id, sorts } of mixed) faults.add(`posting ${id} mixes ${sorts}`)
  const sums = await db.rows<{ mode: string; currency: string; sum: string }>(
    `select a.mode, a.currency, sum(e.amount) as sum
     from ledger.entries e join ledger.accounts a on a.id = e.account_id group by 1, 2 having sum(e.amount) <> 0`,
  )
  for (const { mode, currency, sum } of sums)
    faults.add(`all entries of ${mode} ${currency} sum to ${sum}, not to 0`)
  await checkNaming(db, faults)
}

/** A posting names its entries by their keys, and each entry its posting. */
async function checkNaming(db: Database, faults: Faults): Promise<void> {
  const apart = db.stream<{ named: string | null; posting: string | null; account: string; seq: string }>(
    `select p.id as named, e.posting_id as posting, coalesce(p.account, e.account_id) as account,
       coalesce(p.seq, e.seq) as seq
     from (select p.id, n.account, n.seq from ledger.postings p, unnest(p.accounts, p.seqs) as n (account, seq)) p
     full join ledger.entries e on e.account_id = p.account and e.seq = p.seq
     where p.id is distinct from e.posting_id`,
  )
  for await (const { named, posting, account, seq } of apart) {
    const entry = `entry ${seq} of account ${account}`
    if (posting === null) faults.add(`posting ${named} names ${entry}, which is not there`)
    else if (named === null)
      faults.add(`${entry} says that it is of posting ${posting}, which does not name it`)
    else faults.add(`${entry} says that it is of posting ${posting}, and posting ${named} names it`)
  }
  const bare = await db.rows<{ id: string; kind: string }>(
    `select id, kind from ledger.postings where coalesce(cardinality(accounts), 0) = 0 limit 25`,
  )
  for (const { id, kind } of bare) faults.add(`posting ${id} (${kind}) has no entries`)
}

interface EntryRow {
  account_id: string
  seq: string
  posting_id: string
  amount: string
  balance_after: string
  held_after: string
  hash: string
  kind: string | null
  details: string | null
  /** Microseconds; null when it is no time. */
  us: string | null
  account_kind: string | null
  /** Of the hold that this posting opened on this account. */
  opened: string | null
}

const entriesText = `
  select e.account_id, e.seq, e.posting_id, e.amount, e.balance_after, e.held_after, encode(e.hash, 'hex') as hash,
    p.kind, p.details::text as details,
    case when isfinite(p.created_at) then (extract(epoch from p.created_at) * 1000000)::bigint end as us,
    a.kind as account_kind, h.amount as opened
  from ledger.entries e
  left join ledger.postings p on p.id = e.posting_id
  left join ledger.accounts a on a.id = e.account_id
  left join ledger.holds h on h.id = e.posting_id and h.account_id = e.account_id
  order by e.account_id, e.seq`

interface Standing {
  account: string
  seq: bigint
  sum: bigint
  balance: bigint
  held: bigint
  hash: string
}

const opening = (account: string): Standing => ({
  account,
  seq: 0n,
  sum: 0n,
  balance: 0n,
  held: 0n,
  hash: '0'.repeat(64),
})

async function walkEntries(db: Database, rules: LedgerRules): Promise<number> {
  const open = await openHolds(db)
  let entries = 0
  let at: Standing | undefined
  const leave = (standing: Standing | undefined) => {
    if (standing === undefined) return
    const due = open.get(standing.account) ?? 0n
    open.delete(standing.account)
    if (standing.held !== due)
      rules.floor.add(
        `account ${standing.account} holds ${standing.held}, and its open holds add up to ${due}`,
      )
    if (standing.balance !== standing.sum)
      rules.chain.add(
        `account ${standing.account} has ${standing.balance}, and its entries add up to ${standing.sum}`,
      )
  }
  for await (const row of db.stream<EntryRow>(entriesText)) {
    entries += 1
    if (at?.account !== row.account_id) {
      leave(at)
      at = opening(row.account_id)
    }
    checkEntry(row, at, rules)
    // From what the row says, so that one wrong row is one fault and not as many as come after it.
    at.seq = BigInt(row.seq)
    at.sum += BigInt(row.amount)
    at.balance = BigInt(row.balance_after)
    at.held = BigInt(row.held_after)
    at.hash = row.hash
  }
  leave(at)
  for (const [account, due] of open)
    rules.floor.add(`account ${account} has no entries, and its open holds add up to ${due}`)
  return entries
}

async function openHolds(db: Database): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ account_id: string; sum: string }>(
    `select account_id, sum(remaining) as sum from ledger.holds where remaining <> 0 group by 1`,
  )
  return new Map(rows.map(({ account_id: account, sum }) => [account, BigInt(sum)]))
}

function checkEntry(row: EntryRow, before: Standing, { chain, floor }: LedgerRules): void {
  const name = `entry ${row.seq} of account ${row.account_id}`
  const amount = BigInt(row.amount)
  const after = BigInt(row.balance_after)
  const held = BigInt(row.held_after)
  if (row.account_kind === null) chain.add(`${name} has no account`)
  if (BigInt(row.seq) !== before.seq + 1n) chain.add(`${name} comes after entry ${before.seq}: a gap`)
  if (after !== before.balance + amount)
    chain.add(`${name} leaves ${after}, and ${before.balance} and ${amount} make ${before.balance + amount}`)
  checkHash(row, before, { name, chain })
  if (held < 0n) floor.add(`${name} leaves ${held} held`)
  if (row.account_kind !== null && !owing.has(row.account_kind) && after < held)
    floor.add(`${name} leaves ${after} in an account that can't owe, with ${held} of it held`)
  const more = held - before.held
  if (more > 0n && more !== BigInt(row.opened ?? 0))
    floor.add(`${name} holds ${more} more, and posting ${row.posting_id} opened a hold of ${row.opened ?? 0}`)
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * `<hash before> <digest of the posting> <account> <seq> <amount> <balance after> <held after>`, where the digest is of
 * `<id> <time in ms> <kind> <details>`.
 */
function checkHash(row: EntryRow, before: Standing, { name, chain }: { name: string; chain: Faults }): void {
  const { kind, details, us, posting_id: id } = row
  if (kind === null || details === null) {
    chain.add(`${name} belongs to posting ${id}, which is not there`)
    return
  }
  if (us === null || BigInt(us) % 1_000n !== 0n) {
    chain.add(`${name}: the time of posting ${id} is not in whole milliseconds`)
    return
  }
  const digest = sha256(`${id} ${BigInt(us) / 1_000n} ${kind} ${details}`)
  const { account_id: account, seq, amount, balance_after: after, held_after: held } = row
  if (sha256(`${before.hash} ${digest} ${account} ${seq} ${amount} ${after} ${held}`) !== row.hash)
    chain.add(`${name} (posting ${id}) does not follow by its hash`)
}

async function checkHolds(db: Database, faults: Faults): Promise<void> {
  const odd = db.stream<{
    id: string
    account_id: string
    amount: string
    remaining: string
    opened: boolean
  }>(
    `select h.id, h.account_id, h.amount, h.remaining, p.id is not null as opened from ledger.holds h
     left join ledger.postings p on p.id = h.id and h.account_id = any (p.accounts)
     where p.id is null or h.amount <= 0 or h.remaining not between 0 and h.amount`,
  )
  for await (const { id, account_id: account, amount, remaining, opened } of odd)
    faults.add(
      opened
        ? `hold ${id} of account ${account} has ${remaining} left of ${amount}`
        : `hold ${id} of account ${account} was opened by no posting`,
    )
  const signs = await db.rows<{ id: string; kind: string }>(
    `select id, kind from ledger.accounts where (id < 0) <> (kind in ('fees', 'clearing')) limit 25`,
  )
  for (const { id, kind } of signs)
    faults.add(`account ${id} is of kind ${kind}, which does not fit its number`)
}
