// Rule 6: each payment is in one state, reached once; what is told of it is written down once for each change; never more
// goes back than was paid.
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import { writeReference } from './keys.ts'

interface PaymentRow {
  number: string
  source: string
  mode: string
  status: string
  amount: string
  fee: string
  refunded: string
  refunding: string
  late: boolean
  told: boolean
  events: number
  completed: boolean
  failed: boolean
  /** The kind of the posting that it names; null: there is none. */
  posting: string | null
  posting_id: string | null
  succeeded: number
  refunds_done: number
  done_sum: string
  open_sum: string
}

const paymentsText = `
  select p.number, p.source, p.mode, p.status, p.amount, p.fee, p.refunded, p.refunding, p.late, p.events,
    p.notify_url is not null or p.mode = 'test' as told, p.completed_at is not null as completed,
    p.failed_at is not null as failed, l.kind as posting, p.posting_id, coalesce(a.succeeded, 0)::int as succeeded,
    coalesce(r.done, 0)::int as refunds_done, coalesce(r.done_sum, 0) as done_sum, coalesce(r.open_sum, 0) as open_sum
  from payments.payments p
  left join ledger.postings l on l.id = p.posting_id
  left join (
    select number, count(*) filter (where status = 'succeeded') as succeeded from payments.attempts group by 1
  ) a on a.number = p.number
  left join (
    select number, count(*) filter (where status = 'completed') as done,
      sum(amount) filter (where status = 'completed') as done_sum,
      sum(amount) filter (where status = 'pending') as open_sum
    from payments.refunds group by 1
  ) r on r.number = p.number`

interface EventRow {
  id: string
  subject: string
  sequence: number
  event: string
  mode: string
}

const batchMost = 1_000

export async function checkPayments(
  db: Database,
  faults: Faults,
  { idem }: { idem: string },
): Promise<{ payments: number; notifications: number }> {
  let payments = 0
  let notifications = 0
  let batch: PaymentRow[] = []
  const flush = async () => {
    notifications += await checkTold(db, { batch, idem, faults })
    batch = []
  }
  for await (const row of db.stream<PaymentRow>(paymentsText)) {
    payments += 1
    for (const problem of stateProblems(row)) faults.add(`payment ${row.number} (${row.status}): ${problem}`)
    batch.push(row)
    if (batch.length >= batchMost) await flush()
  }
  await flush()
  // A shop may try its receiver with an example, which tells of no payment.
  const [all] = await db.rows<{ count: string }>(
    `select count(*) as count from notifications.events where not (mode = 'test' and subject like 'EXAMPLE-%')`,
  )
  const stray = Number(all?.count ?? 0) - notifications
  if (stray > 0) faults.add(`${stray} notifications are of no payment`)
  await checkPostingsOnce(db, faults)
  return { payments, notifications }
}

function stateProblems(row: PaymentRow): string[] {
  const problems: string[] = []
  const say = (broken: boolean, problem: string) => void (broken && problems.push(problem))
  const isPaid = row.status === 'completed' || row.status === 'refunded'
  const [amount, refunded, refunding] = [row.amount, row.refunded, row.refunding].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ]
  say(isPaid !== row.completed, isPaid ? 'it has no time of completion' : 'it was completed once')
  say((row.status === 'failed' || row.late) !== row.failed, row.failed ? 'it failed once' : 'it never failed')
  say(
    isPaid !== (row.posting_id !== null),
    isPaid ? 'no posting paid it' : `posting ${row.posting_id} paid it`,
  )
  const kind = row.source === 'campaign' ? 'campaign_contribution' : 'payment'
  say(
    row.posting_id !== null && row.posting !== kind,
    `posting ${row.posting_id} is ${row.posting ?? 'not there'}`,
  )
  say(row.succeeded !== (isPaid ? 1 : 0), `${row.succeeded} tries succeeded`)
  say(refunded + refunding > amount, `${refunded} went back and ${refunding} will, of ${amount}`)
  say((row.status === 'refunded') !== (refunded === amount), `${refunded} of ${amount} went back`)
  say(BigInt(row.done_sum) !== refunded, `its refunds add up to ${row.done_sum}, not to ${refunded}`)
  say(BigInt(row.open_sum) !== refunding, `its open refunds add up to ${row.open_sum}, not to ${refunding}`)
  say(BigInt(row.fee) < 0n || BigInt(row.fee) >= amount, `its fee is ${row.fee} of ${amount}`)
  return problems
}

/** Which changes are told, and of which there must be exactly one row each. */
function dueEvents({ source, told, completed, failed, refunds_done: refunds }: PaymentRow): string[] {
  if (!told || source === 'campaign') return []
  const ends = [...(failed ? ['payment.failed'] : []), ...(completed ? ['payment.completed'] : [])]
  // Gateway notifications know completed and failed only.
  if (source === 'gateway') return ends
  return ['payment.pending', ...ends, ...Array.from({ length: refunds }, () => 'payment.refunded')]
}

async function checkTold(
  db: Database,
  { batch, idem, faults }: { batch: readonly PaymentRow[]; idem: string; faults: Faults },
): Promise<number> {
  if (batch.length === 0) return 0
  const subjects = new Map(
    batch.map((row) => [writeReference(idem, { kind: 'PY', id: BigInt(row.number) }), row]),
  )
  const found = new Map<string, EventRow[]>()
  const rows = await db.rows<EventRow>(
    `select id, subject, sequence, event, mode from notifications.events where subject = any ($1::text[])
     order by subject, sequence`,
    [[...subjects.keys()]],
  )
  for (const row of rows) found.set(row.subject, [...(found.get(row.subject) ?? []), row])
  for (const [subject, payment] of subjects) {
    const events = found.get(subject) ?? []
    const name = `payment ${payment.number} (${subject})`
    const due = dueEvents(payment).join(', ')
    const there = events.map(({ event }) => event).join(', ')
    if (due !== there) faults.add(`${name} should have told "${due}", and told "${there}"`)
    const last = events.at(-1)
    if (last !== undefined && last.sequence > payment.events)
      faults.add(
        `${name} has ${payment.events} events, and notification ${last.id} has the number ${last.sequence}`,
      )
    for (const { id, mode } of events)
      if (mode !== payment.mode)
        faults.add(`notification ${id} is in ${mode} mode, and ${name} in ${payment.mode}`)
  }
  return rows.length
}

/** What one posting did belongs to one row. */
async function checkPostingsOnce(db: Database, faults: Faults): Promise<void> {
  const twice = await db.rows<{ id: string; rows: string }>(
    `select id, string_agg(row, ', ' order by row) as rows from (
       select posting_id as id, 'payment ' || number as row from payments.payments
       union all select posting_id, 'refund ' || id from payments.refunds
       union all select posting_id, 'order ' || number from funding.orders
       union all select posting_id, 'contribution ' || id from campaigns.contributions where payment is null
       union all select posting_id, 'withdrawal ' || id from campaigns.withdrawals
     ) r where id is not null group by 1 having count(*) > 1 limit 25`,
  )
  for (const { id, rows } of twice) faults.add(`posting ${id} is named by ${rows}`)
  const gone = await db.rows<{ row: string; id: string }>(
    `select row, r.id from (
       select posting_id as id, 'refund ' || id as row from payments.refunds where status = 'completed'
       union all select posting_id, 'order ' || number from funding.orders where status = 'completed'
       union all select posting_id, 'contribution ' || id from campaigns.contributions
       union all select posting_id, 'withdrawal ' || id from campaigns.withdrawals
       union all select posting_id, 'request ' || id from transfers.requests where status = 'paid'
     ) r left join ledger.postings p on p.id = r.id where p.id is null limit 25`,
  )
  for (const { row, id } of gone) faults.add(`${row} names posting ${id}, which is not there`)
}
