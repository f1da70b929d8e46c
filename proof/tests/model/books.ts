// What must hold in the ledger after every step, whatever the model thinks: looked at in the database, by SQL of its own.
// Only what is new since the last look is read, so that it can be done often.
import type { Ground, Team } from './team.ts'

interface EntryRow {
  account: string
  seq: string
  amount: string
  balance_after: string
  held_after: string
  /** Of its whole posting. */
  total: string
}

/** Each a sentence about what does not hold. */
export async function bookProblems(ground: Ground, team: Team): Promise<string[]> {
  const problems: string[] = []
  const ids = await accountsOf(ground, team)
  for (const row of await newEntries(ground, team, ids)) {
    const before = team.marks.get(row.account) ?? { seq: 0n, balance: 0n, held: 0n }
    const now = { seq: BigInt(row.seq), balance: BigInt(row.balance_after), held: BigInt(row.held_after) }
    const place = `entry ${row.seq} of account ${row.account}`
    if (now.seq !== before.seq + 1n) problems.push(`${place}: the one before it is ${before.seq}`)
    if (now.balance !== before.balance + BigInt(row.amount))
      problems.push(`${place}: ${before.balance} and ${row.amount} are not ${now.balance}`)
    if (now.balance < now.held || now.held < 0n)
      problems.push(`${place}: ${now.balance} with ${now.held} held is below the floor`)
    if (row.total !== '0') problems.push(`${place}: its posting sums to ${row.total}`)
    team.marks.set(row.account, now)
  }
  const holds = await openHolds(ground, ids)
  for (const [account, { held }] of team.marks)
    if (held !== (holds.get(account) ?? 0n))
      problems.push(`account ${account} holds ${held}, and its open holds are ${holds.get(account) ?? 0n}`)
  return problems
}

async function accountsOf({ db }: Ground, team: Team): Promise<string[]> {
  const owners = [
    ...team.people.map(({ id }) => id),
    ...team.shops.map(({ id }) => String(id)),
    ...team.pots.map(({ id }) => id),
  ]
  const { rows } = await db.query<{ id: string }>(
    `select id from ledger.accounts where owner = any ($1) and kind in ('user', 'merchant', 'group', 'campaign')
       and mode = 'live'`,
    [owners],
  )
  return rows.map(({ id }) => id)
}

async function newEntries({ db }: Ground, team: Team, ids: readonly string[]): Promise<EntryRow[]> {
  const { rows } = await db.query<EntryRow>(
    `select e.account_id as account, e.seq, e.amount, e.balance_after, e.held_after, n.total::text as total
     from unnest($1::bigint[], $2::bigint[]) as known (account, seq)
     join ledger.entries e on e.account_id = known.account and e.seq > known.seq
     cross join lateral (
       select sum(o.amount) as total from ledger.postings p
       cross join unnest(p.accounts, p.seqs) as k (account, seq)
       join ledger.entries o on o.account_id = k.account and o.seq = k.seq and o.posting_id = p.id
       where p.id = e.posting_id
     ) n
     order by e.account_id, e.seq`,
    [ids, ids.map((id) => String(team.marks.get(id)?.seq ?? 0n))],
  )
  return rows
}

async function openHolds({ db }: Ground, ids: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await db.query<{ account: string; held: string }>(
    `select account_id as account, sum(remaining)::text as held from ledger.holds
     where account_id = any ($1::bigint[]) and remaining > 0 group by 1`,
    [ids],
  )
  return new Map(rows.map(({ account, held }) => [account, BigInt(held)]))
}

/** What is in the account that fees go to, by currency. */
export async function feesTaken({ db }: Ground): Promise<Map<string, bigint>> {
  const { rows } = await db.query<{ currency: string; fees: string }>(
    `select a.currency, sum(e.amount)::text as fees from ledger.accounts a join ledger.entries e on e.account_id = a.id
     where a.kind = 'fees' and a.mode = 'live' group by 1`,
  )
  return new Map(rows.map(({ currency, fees }) => [currency, BigInt(fees)]))
}

/** Of all entries there are: zero in each currency and mode. */
export async function unbalanced({ db }: Ground): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>(
    `select concat_ws(' ', a.currency, a.mode, sum(e.amount)) as what from ledger.entries e
     join ledger.accounts a on a.id = e.account_id group by a.currency, a.mode having sum(e.amount) <> 0`,
  )
  return rows.map(({ what }) => what)
}
