// Rule 8: nothing is left half done: no lease that ran out long ago, no key without its result, no money held for nothing,
// no lock, no open or prepared transaction.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import { readReference } from './keys.ts'
import { parseExactly, textAt } from './money.ts'

export interface LeftoverOptions {
  idem: string
  /** By the clock of the service; absent: the database's. */
  now: Date | undefined
}

/** How long a worker may have something, in seconds, as the service promises. */
const leases = { notification: 45, operation: 60, job: 120 }

/** Each finds the rows that break it; `$1` is now. */
const promises: readonly { text: string; say: (row: Record<string, string>) => string }[] = [
  {
    text: `select number as id, leased_until as since from notifications.queue
      where leased_until < $1::timestamptz - interval '${leases.notification} seconds'`,
    say: ({ id, since }) =>
      `notification number ${id} is leased until ${since}, and nobody has taken it since`,
  },
  {
    text: `select q.number as id, e.status as since from notifications.queue q
      left join notifications.events e using (merchant, mode, number)
      where e.status is distinct from 'pending' and $1::timestamptz is not null`,
    say: ({ id, since }) => `notification number ${id} is in the queue, and it is ${since ?? 'not there'}`,
  },
  {
    text: `select e.id, e.at as since from notifications.events e
      left join notifications.queue q using (merchant, mode, number)
      where e.status = 'pending' and q.number is null and $1::timestamptz is not null`,
    say: ({ id, since }) => `notification ${id} of ${since} is pending, and not in the queue`,
  },
  {
    text: `select id, state || ' since ' || coalesce(sent_at, created_at) as since from operations.operations
      where ended_at is null and (
        due_at < $1::timestamptz - interval '${2 * leases.operation} seconds'
        or (due_at is null and (state in ('new', 'sending') or decided is not null)))`,
    say: ({ id, since }) => `operation ${id} is ${since}, and nobody looks after it`,
  },
  {
    text: `select id, at as since from operations.deliveries
      where due_at < $1::timestamptz - interval '${2 * leases.operation} seconds'`,
    say: ({ id, since }) => `callback ${id} of ${since} was not worked on`,
  },
  {
    text: `select number as id, kind || ' of ' || created_at as since from funding.orders
      where idem_key is not null and answer is null
        and created_at < $1::timestamptz - interval '${2 * leases.operation} seconds'`,
    say: ({ id, since }) => `order ${id} (${since}) has a key and no answer`,
  },
  {
    text: `select key as id, status::text as since from ledger.answers
      where status not between 200 and 299 and $1::timestamptz is not null`,
    say: ({ id, since }) => `the answer of key ${id} has the status ${since}`,
  },
  {
    text: `select h.id, h.remaining as since from ledger.holds h
      left join funding.orders o on o.hold_id = h.id and o.status = 'pending'
      left join payments.refunds r on r.hold_id = h.id and r.status = 'pending'
      where h.remaining > 0 and o.number is null and r.id is null and $1::timestamptz is not null`,
    say: ({ id, since }) => `hold ${id} has ${since} set aside for nothing that is open`,
  },
  {
    text: `select o.number as id, o.hold_id as since from funding.orders o
      left join ledger.holds h on h.id = o.hold_id and h.remaining = o.amount + o.fee
      where o.kind = 'withdrawal' and o.status = 'pending' and h.id is null and $1::timestamptz is not null`,
    say: ({ id, since }) => `withdrawal ${id} is pending, and hold ${since} does not hold its money`,
  },
]

export async function checkLeftovers(
  db: Database,
  faults: Faults,
  { idem, now }: LeftoverOptions,
): Promise<void> {
  const [clock] = await db.rows<{ now: Date }>('select clock_timestamp() as now')
  for (const { text, say } of promises)
    for (const row of await db.rows<Record<string, string>>(`${text} limit 25`, [now ?? clock?.now]))
      faults.add(say(shownRow(row)))
  await checkJobs(db, faults)
  await checkAnswers(db, { idem, faults })
  await checkSessions(db, faults)
}

const shownRow = (row: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]],
    ),
  )

/** Jobs are locked by the database's own clock. */
async function checkJobs(db: Database, faults: Faults): Promise<void> {
  const [there] = await db.rows<{ yes: boolean }>(
    `select to_regclass('graphile_worker._private_jobs') is not null as yes`,
  )
  if (there?.yes !== true) return
  const rows = await db.rows<{ id: string; locked_by: string }>(
    `select id, locked_by from graphile_worker._private_jobs
     where locked_at < clock_timestamp() - interval '${2 * leases.job} seconds' limit 25`,
  )
  for (const { id, locked_by: by } of rows) faults.add(`job ${id} is locked by ${by}, for too long`)
}

const batchMost = 5_000

type AnsweredTable = 'ledger.postings' | 'funding.orders' | 'payments.payments'

/** Where it is what a reference of that kind names; all others name postings. A refund tells of its payment. */
const answeredTables: Record<string, AnsweredTable> = {
  WD: 'funding.orders',
  DP: 'funding.orders',
  PY: 'payments.payments',
}

/** An answer that is kept tells of something; that must be there, or the key was committed without it. */
async function checkAnswers(db: Database, { idem, faults }: { idem: string; faults: Faults }): Promise<void> {
  let told = new Map<AnsweredTable, Map<string, string>>()
  let count = 0
  const missing = async (table: AnsweredTable, ids: Map<string, string>) => {
    const column = table === 'ledger.postings' ? 'id' : 'number'
    const rows = await db.rows<{ id: string }>(
      `select n.id from unnest($1::bigint[]) as n (id) left join ${table} t on t.${column} = n.id
       where t.${column} is null`,
      [[...ids.keys()]],
    )
    for (const { id } of rows)
      faults.add(`the answer of key ${ids.get(id)} tells of ${table} ${id}, which is not there`)
  }
  const flush = async () => {
    for (const [table, ids] of told) await missing(table, ids)
    told = new Map()
    count = 0
  }
  for await (const { key, body } of db.stream<{ key: string; body: string }>(
    `select key, body from ledger.answers where body <> ''`,
  )) {
    const reference = readReference(idem, textAt(parseExactly(body), 'data', 'reference'))
    if (reference === undefined) continue
    const table = answeredTables[reference.kind] ?? 'ledger.postings'
    told.set(table, (told.get(table) ?? new Map()).set(String(reference.id), key))
    count += 1
    if (count >= batchMost) await flush()
  }
  await flush()
}

const triesMax = 40
const pauseMs = 50

interface Left {
  /** The same for as long as it lasts. */
  transaction: string
  sentence: string
}

/**
 * A session that was killed a moment ago takes a moment to be noticed, and a service that is at work is always inside some
 * transaction: what counts is one that lasts over all the looks.
 */
async function checkSessions(db: Database, faults: Faults): Promise<void> {
  let left = await sessionsLeft(db)
  for (let tries = 1; tries < triesMax && left.length > 0; tries++) {
    await sleep(pauseMs)
    const seen = new Set((await sessionsLeft(db)).map(({ transaction }) => transaction))
    left = left.filter(({ transaction }) => seen.has(transaction))
  }
  for (const { sentence } of left) faults.add(sentence)
}

async function sessionsLeft(db: Database): Promise<Left[]> {
  await db.rows('select pg_stat_clear_snapshot()')
  const others = `datname = current_database() and pid <> pg_backend_pid()`
  const open = await db.rows<{ pid: number; since: string; query: string }>(
    `select pid, xact_start::text as since, left(query, 80) as query from pg_stat_activity
     where ${others} and (state like 'idle in transaction%')`,
  )
  const locks = await db.rows<{ pid: number; transaction: string; what: string }>(
    `select l.pid, l.virtualtransaction as transaction,
       l.locktype || ' ' || coalesce(l.relation::regclass::text, concat_ws(' ', l.classid, l.objid)) as what
     from pg_locks l join pg_stat_activity a using (pid)
     where ${others.replaceAll('datname', 'a.datname').replace('pid <>', 'l.pid <>')} and a.state = 'idle'`,
  )
  const prepared = await db.rows<{ gid: string }>(
    `select gid from pg_prepared_xacts where database = current_database()`,
  )
  return [
    ...open.map(({ pid, since, query }) => ({
      transaction: `${pid} since ${since}`,
      sentence: `session ${pid} is left inside a transaction: ${query}`,
    })),
    ...locks.map(({ pid, transaction, what }) => ({
      transaction: `${pid} ${transaction} ${what}`,
      sentence: `session ${pid} does nothing and has a lock: ${what}`,
    })),
    ...prepared.map(({ gid }) => ({
      transaction: gid,
      sentence: `transaction ${gid} is prepared and not ended`,
    })),
  ]
}
