// The books, judged from outside: own SQL, own arithmetic and nothing of the server's code, so that a mistake there
// can't hide here. It reads one snapshot, and says every promise that a row breaks.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Each finds the rows that break it. */
const promises = {
  'the entries of a posting sum to zero': `
    select posting_id, sum(amount) from ledger.entries group by 1 having sum(amount) <> 0`,
  'all entries of a currency and mode sum to zero': `
    select a.currency, a.mode, sum(e.amount) from ledger.entries e join ledger.accounts a on a.id = e.account_id
    group by 1, 2 having sum(e.amount) <> 0`,
  'a posting stays in one currency and mode': `
    select e.posting_id from ledger.entries e join ledger.accounts a on a.id = e.account_id
    group by 1 having count(distinct (a.currency, a.mode)) > 1`,
  'a posting touches an account once': `
    select posting_id, account_id from ledger.entries group by 1, 2 having count(*) > 1`,
  'an entry has an account': `
    select e.account_id, e.seq from ledger.entries e left join ledger.accounts a on a.id = e.account_id
    where a.id is null`,
  'a posting names its entries, and each entry its posting': `
    select coalesce(p.id, e.posting_id) as posting, coalesce(p.account, e.account_id) as account,
      coalesce(p.seq, e.seq) as seq
    from (select p.id, n.account, n.seq from ledger.postings p, unnest(p.accounts, p.seqs) as n (account, seq)) p
    full join ledger.entries e on e.account_id = p.account and e.seq = p.seq
    where p.id is distinct from e.posting_id`,
  'the entries of an account are numbered from 1 on, without gaps': `
    select account_id, count(*), min(seq) as least, max(seq) as most from ledger.entries group by 1
    having count(*) <> max(seq) or min(seq) <> 1`,
  'the balance after an entry is the sum so far': `
    select account_id, seq from (
      select account_id, seq, balance_after, sum(amount) over (partition by account_id order by seq) as total
      from ledger.entries) e
    where balance_after <> total`,
  'what an account holds is what its open holds add up to': `
    select a.id, e.held_after, h.total from ledger.accounts a
    left join (select distinct on (account_id) account_id, held_after from ledger.entries
      order by account_id, seq desc) e on e.account_id = a.id
    left join (select account_id, sum(remaining) as total from ledger.holds group by 1) h on h.account_id = a.id
    where coalesce(e.held_after, 0) <> coalesce(h.total, 0)`,
  'more is held only by a hold of that posting, and an entry of nothing holds or releases': `
    select e.account_id, e.seq, e.more from (
      select account_id, seq, posting_id, amount,
        held_after - lag(held_after, 1, 0::bigint) over (partition by account_id order by seq) as more
      from ledger.entries) e
    left join ledger.holds h on h.id = e.posting_id and h.account_id = e.account_id
    where e.more > coalesce(h.amount, 0) or (e.amount = 0 and e.more = 0 and h.id is null)`,
  'a hold has an account, a posting that opened it there, and no more than it began with': `
    select h.id from ledger.holds h
    left join ledger.accounts a on a.id = h.account_id
    left join ledger.postings p on p.id = h.id and h.account_id = any (p.accounts)
    where a.id is null or p.id is null or h.remaining not between 0 and h.amount`,
  'accounts of the system have numbers below zero, all others above': `
    select id, kind from ledger.accounts
    where case when kind in ('fees', 'clearing') then id >= 0 else id <= 0 end`,
  'only accounts of the system have stripes': `
    select id, kind, stripe from ledger.accounts where stripe <> 0 and kind not in ('fees', 'clearing')`,
  'nobody owed anything, or held more than there was, at any time': `
    select e.account_id, e.seq, e.balance_after, e.held_after
    from ledger.entries e left join ledger.accounts a on a.id = e.account_id
    where e.held_after < 0 or (a.kind not in ('fees', 'clearing') and e.balance_after < e.held_after)`,
  'times are whole milliseconds': `
    select id, created_at from ledger.postings
    where not isfinite(created_at) or created_at <> date_trunc('milliseconds', created_at)`,
  'nothing is gone that was there when the books were found right': `
    select started_at, entries, postings from ledger.checks
    where ok and (entries > (select count(*) from ledger.entries) or postings > (select count(*) from ledger.postings))`,
} as const

/** To be called after every test that moved money. */
export async function checkLedger(url: string): Promise<void> {
  assert.deepEqual(await ledgerFaults(url), [])
}

export async function ledgerFaults(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'ledger checker' })
  await client.connect()
  try {
    const faults = await openTransactions(client)
    await client.query('begin isolation level repeatable read read only')
    for (const [promise, sql] of Object.entries(promises)) {
      const { rows } = await client.query(`${sql} limit 3`)
      for (const row of rows) faults.push(`${promise}: ${JSON.stringify(row)}`)
    }
    faults.push(...(await chainFaults(client)))
    await client.query('commit')
    return faults
  } finally {
    await client.end()
  }
}

/** Nobody is left inside a transaction. One that was killed a moment ago may take a moment to be noticed. */
async function openTransactions(client: pg.Client): Promise<string[]> {
  const sql = `select pid, state, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`
  let left: unknown[] = []
  for (let tries = 0; tries < 40; tries++) {
    left = (await client.query(sql)).rows
    if (left.length === 0) return []
    await sleep(50)
  }
  return left.map((session) => `no transaction is left open: ${JSON.stringify(session)}`)
}

interface ChainRow {
  account: string
  seq: string
  amount: string
  after: string
  held: string
  hash: string
  posting: string
  kind: string
  details: string
  ms: string | null
}

const pageRows = 20_000
const faultsMax = 3
const emptyHead = '0'.repeat(64)

async function chainFaults(client: pg.Client): Promise<string[]> {
  const faults: string[] = []
  const heads = new Map<string, string>()
  // Accounts of the system have negative numbers.
  let last = { account: '-9223372036854775808', seq: '0' }
  for (let rows: ChainRow[] = [], first = true; first || rows.length === pageRows; first = false) {
    rows = (await client.query<ChainRow>(chainPage, [last.account, last.seq, pageRows])).rows
    for (const row of rows) {
      const head = hashOf(heads.get(row.account) ?? emptyHead, row)
      if (head !== row.hash && faults.length < faultsMax)
        faults.push(`the chain is whole: account ${row.account}, entry ${row.seq}`)
      heads.set(row.account, row.hash)
    }
    last = rows.at(-1) ?? last
  }
  return faults
}

const chainPage = `
  select e.account_id as account, e.seq, e.amount, e.balance_after as after, e.held_after as held,
    encode(e.hash, 'hex') as hash, e.posting_id as posting, p.kind, p.details::text as details,
    case when isfinite(p.created_at) then (extract(epoch from p.created_at) * 1000)::bigint end as ms
  from ledger.entries e join ledger.postings p on p.id = e.posting_id
  where (e.account_id, e.seq) > ($1::bigint, $2::bigint) order by e.account_id, e.seq limit $3`

/** As it is written down for whoever verifies a chain. */
function hashOf(before: string, row: ChainRow): string {
  const posting = sha256(`${row.posting} ${row.ms} ${row.kind} ${row.details}`)
  return sha256(`${before} ${posting} ${row.account} ${row.seq} ${row.amount} ${row.after} ${row.held}`)
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
