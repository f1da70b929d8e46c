// Rule 9: the audit log is whole, by the form that docs/guides/audit.md tells; and each refused PIN and each failed login
// of the journal is in it.
import { createHash, createHmac } from 'node:crypto'
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import type { Told } from './journal.ts'
import { parseExactly, textAt } from './money.ts'

interface LinkRow {
  day: string
  position: string
  event_id: string
  prev: string
  hash: string
  id: string | null
  at_us: string
  actor_kind: string
  actor_id: string
  action: string
  object: string | null
  result: string
  address: string | null
  agent: string | null
  session: string | null
  request_id: string | null
  details: string
}

const linksText = `
  select to_char(c.day, 'YYYY-MM-DD') as day, c.position, c.event_id, encode(c.prev_hash, 'hex') as prev,
    encode(c.hash, 'hex') as hash, e.id, (extract(epoch from e.at) * 1000000)::bigint as at_us, e.actor_kind, e.actor_id,
    e.action, e.object, e.result, e.address, encode(e.user_agent_hash, 'hex') as agent, e.session, e.request_id,
    e.details::text as details
  from audit.chain c left join audit.events e on e.id = c.event_id order by c.day, c.position`

interface Signed {
  day: string
  events: string
  hash: string
  signature: string
}

interface Standing {
  day: string
  events: bigint
  hash: string
}

const signedColumns = `to_char(day, 'YYYY-MM-DD') as day, events, encode(hash, 'hex') as hash,
  encode(signature, 'hex') as signature`

/** `secret` in base64. */
export async function checkAudit(
  db: Database,
  faults: Faults,
  { secret }: { secret: string },
): Promise<{ events: number }> {
  const sign = (what: 'head' | 'tip', { day, events, hash }: Signed) =>
    createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${what} ${day} ${events} ${hash}`)
      .digest('hex')
  const heads = new Map<string, Signed>()
  for (const head of await db.rows<Signed>(`select ${signedColumns} from audit.heads`)) {
    heads.set(head.day, head)
    if (sign('head', head) !== head.signature)
      faults.add(`the signature of the head of ${head.day} does not fit`)
  }
  const { events, at } = await walkLinks(db, { heads, faults })
  const [tip] = await db.rows<Signed>(`select ${signedColumns} from audit.tip`)
  if (tip === undefined) {
    if (events > 0) faults.add('the audit log has no tip')
  } else {
    if (sign('tip', tip) !== tip.signature)
      faults.add('the signature of the tip of the audit log does not fit')
    const isEmptyDay = at === undefined || at.day < tip.day
    const due = isEmptyDay ? { events: 0n, hash: at?.hash ?? '0'.repeat(64) } : at
    if (BigInt(tip.events) !== due.events || tip.hash !== due.hash)
      faults.add(`the tip says that ${tip.day} has ${tip.events} events, and ${due.events} are there`)
    if (at !== undefined && isEmptyDay) closeDay(at, { heads, faults })
  }
  await checkUnsealed(db, faults)
  return { events }
}

async function walkLinks(
  db: Database,
  { heads, faults }: { heads: Map<string, Signed>; faults: Faults },
): Promise<{ events: number; at: Standing | undefined }> {
  let at: Standing | undefined
  let events = 0
  for await (const row of db.stream<LinkRow>(linksText)) {
    events += 1
    const name = `audit event ${row.event_id} (${row.day}, position ${row.position})`
    if (at !== undefined && at.day !== row.day) {
      closeDay(at, { heads, faults })
      at = { day: row.day, events: 0n, hash: at.hash }
    }
    const before: Standing = at ?? { day: row.day, events: 0n, hash: '0'.repeat(64) }
    if (BigInt(row.position) !== before.events + 1n)
      faults.add(`${name} comes after position ${before.events}: a gap`)
    else if (row.prev !== before.hash) faults.add(`${name} does not follow from the one before it`)
    if (row.id === null) faults.add(`${name} is gone`)
    else if (hashOf(row) !== row.hash) faults.add(`${name} or its hash was altered`)
    at = { day: row.day, events: BigInt(row.position), hash: row.hash }
  }
  return { events, at }
}

function closeDay(at: Standing, { heads, faults }: { heads: Map<string, Signed>; faults: Faults }): void {
  const head = heads.get(at.day)
  if (head === undefined) faults.add(`${at.day} is over, and the audit log has no head of it`)
  else if (BigInt(head.events) !== at.events || head.hash !== at.hash)
    faults.add(`the head of ${at.day} says ${head.events} events, and ${at.events} are there`)
}

function hashOf(row: LinkRow): string {
  const event = [
    ...[row.id, row.at_us, row.actor_kind, row.actor_id, row.action, row.object, row.result, row.address],
    ...[row.agent, row.session, row.request_id, row.details],
  ]
  const text = `${row.prev} ${row.day} ${row.position} ${JSON.stringify(event)}`
  return createHash('sha256').update(text).digest('hex')
}

async function checkUnsealed(db: Database, faults: Faults): Promise<void> {
  const waiting = await db.rows<{ id: string; gone: boolean }>(
    `select w.event_id as id, e.id is null as gone from audit.waiting w left join audit.events e on e.id = w.event_id
     where e.id is null or w.since < clock_timestamp() - interval '2 minutes' limit 25`,
  )
  for (const { id, gone } of waiting)
    faults.add(
      gone ? `audit event ${id} waits to be sealed, and is gone` : `audit event ${id} waits to be sealed`,
    )
  const lost = await db.rows<{ id: string }>(
    `select e.id from audit.events e left join audit.chain c on c.event_id = e.id
     left join audit.waiting w on w.event_id = e.id where c.event_id is null and w.event_id is null limit 25`,
  )
  for (const { id } of lost) faults.add(`audit event ${id} has no place in the chain, and waits for none`)
}

/** Counts what the journal says must be in the log. */
export interface Refusals {
  note(told: Told): void
  check(db: Database, faults: Faults, since: Date | undefined): Promise<void>
}

export function openRefusals(): Refusals {
  const pins = new Map<string, number>()
  const logins = new Map<string, number>()
  const add = (counts: Map<string, number>, who: string) => counts.set(who, (counts.get(who) ?? 0) + 1)
  return {
    note: ({ sent, answer }) => {
      if (answer?.status === 401 && sent.act === 'login')
        add(logins, sent.who.replace(/^@/, '').toLowerCase())
      if (answer?.status === 403 && textAt(parseExactly(answer.body), 'code') === 'pin_incorrect')
        add(pins, sent.who)
    },
    check: async (db, faults, since) => {
      const people = await db.rows<{ id: string; name: string }>(
        `select id, n.name from users.people, unnest(array[handle, email, phone]) as n (name)
         where n.name = any ($1::text[])`,
        [[...logins.keys()]],
      )
      const ids = new Map(people.map(({ id, name }) => [name, id]))
      const due = new Map<string, number>()
      for (const [name, count] of logins) {
        // What a stranger typed is not kept, so strangers are counted together.
        const key = `login ${ids.get(name) ?? 'of nobody'}`
        due.set(key, (due.get(key) ?? 0) + count)
      }
      for (const [user, count] of pins) due.set(`pin ${user}`, count)
      const rows = await db.rows<{ what: string; count: string }>(
        `select split_part(action, '.', 1) || ' ' || case actor_kind when 'user' then actor_id else 'of nobody' end as what,
           count(*) as count
         from audit.events where result = 'refused' and action ~ '^(login|pin)\\.(failed|locked)$'
           and ($1::timestamptz is null or at >= $1) group by 1`,
        [since ?? null],
      )
      const found = new Map(rows.map(({ what, count }) => [what, Number(count)]))
      for (const [what, count] of due)
        if ((found.get(what) ?? 0) < count)
          faults.add(
            `${count} refusals (${what}) were answered, and the audit log has ${found.get(what) ?? 0}`,
          )
    },
  }
}
