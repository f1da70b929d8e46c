// Rule 7: receivers heard of everything, the same bytes for the same id, with signatures that fit, and of each payment in
// order.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import { type ReceiverEntry, readReceivers } from './journal.ts'

/** A Client Secret, as the shop knows it. While it is replaced there are two. */
export interface ClientSecret {
  merchant: number
  mode: 'live' | 'test'
  secret: string
}

export interface ReceiverOptions {
  receivers: string | Iterable<ReceiverEntry> | AsyncIterable<ReceiverEntry>
  clientSecrets: readonly ClientSecret[]
  /** Were first attempts free to leave in order? */
  order: boolean
  /** What is not delivered yet may still be. */
  mayWait: boolean
  /** Of the headers: `svc`. */
  prefix: string
}

interface Heard {
  hash: string
  /** The number of its first arrival among all. */
  first: number
  taken: boolean
}

interface EventRow {
  id: string
  merchant: number
  mode: string
  subject: string
  sequence: number
  url: string | null
  body: string | null
  status: string
}

const batchMost = 1_000

export async function checkReceivers(
  db: Database,
  faults: Faults,
  options: ReceiverOptions,
): Promise<{ deliveries: number; verified: number }> {
  const heard = new Map<string, Heard>()
  let deliveries = 0
  let verified = 0
  let batch: ReceiverEntry[] = []
  const flush = async () => {
    verified += await verifyBatch(db, { batch, options, faults })
    batch = []
  }
  for await (const entry of readReceivers(options.receivers)) {
    deliveries += 1
    note(heard, { entry, at: deliveries, options, faults })
    batch.push(entry)
    if (batch.length >= batchMost) await flush()
  }
  await flush()
  await compareEvents(db, { heard, options, faults })
  return { deliveries, verified }
}

const header = ({ headers }: ReceiverEntry, name: string): string => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : (value ?? '')
}

const idOf = (entry: ReceiverEntry): string => header(entry, 'webhook-id')

function note(
  heard: Map<string, Heard>,
  {
    entry,
    at,
    options,
    faults,
  }: { entry: ReceiverEntry; at: number; options: ReceiverOptions; faults: Faults },
): void {
  const id = idOf(entry)
  const own = header(entry, `${options.prefix}-webhook-id`)
  if (id === '' || own !== id) faults.add(`a delivery to ${entry.url} has the ids "${id}" and "${own}"`)
  const hash = createHash('sha256').update(Buffer.from(entry.body, 'base64')).digest('base64')
  const known = heard.get(id) ?? { hash, first: at, taken: false }
  heard.set(id, known)
  if (known.hash !== hash) faults.add(`notification ${id} came with other bytes than before`)
  if (entry.status >= 200 && entry.status < 300) known.taken = true
}

async function verifyBatch(
  db: Database,
  { batch, options, faults }: { batch: readonly ReceiverEntry[]; options: ReceiverOptions; faults: Faults },
): Promise<number> {
  if (batch.length === 0) return 0
  const rows = await db.rows<EventRow>(
    `select id, merchant, mode, subject, sequence, url, body, status from notifications.events
     where id = any ($1::text[])`,
    [batch.map(idOf)],
  )
  const events = new Map(rows.map((row) => [row.id, row]))
  let verified = 0
  for (const entry of batch) {
    const id = idOf(entry)
    const event = events.get(id)
    if (event === undefined) {
      faults.add(`notification ${id} came to ${entry.url}, and was never written down`)
      continue
    }
    const body = Buffer.from(entry.body, 'base64')
    if (event.body !== null && !body.equals(Buffer.from(event.body)))
      faults.add(`notification ${id} came with other bytes than were written down`)
    const secrets = options.clientSecrets
      .filter(({ merchant, mode }) => merchant === event.merchant && mode === event.mode)
      .map(({ secret }) => secret)
    if (secrets.length === 0) continue
    verified += 1
    for (const problem of signatureProblems(entry, { body, secrets, prefix: options.prefix }))
      faults.add(`notification ${id}: ${problem}`)
  }
  return verified
}

/** Any of the secrets may have signed: the receiver takes what fits. */
function signatureProblems(
  entry: ReceiverEntry,
  { body, secrets, prefix }: { body: Buffer; secrets: readonly string[]; prefix: string },
): string[] {
  const problems: string[] = []
  const own = header(entry, `${prefix}-signature`)
  const isOwn = secrets.some((secret) => same(own, createHmac('sha256', secret).update(body).digest('hex')))
  if (!isOwn) problems.push(`its ${prefix}-signature does not fit`)
  const signed = Buffer.concat([Buffer.from(`${idOf(entry)}.${header(entry, 'webhook-timestamp')}.`), body])
  const isStandard = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const due = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    return header(entry, 'webhook-signature')
      .split(' ')
      .some((one) => same(one, due))
  })
  if (!isStandard) problems.push('its webhook-signature does not fit')
  return problems
}

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

async function compareEvents(
  db: Database,
  { heard, options, faults }: { heard: ReadonlyMap<string, Heard>; options: ReceiverOptions; faults: Faults },
): Promise<void> {
  const rows = db.stream<EventRow>(
    `select id, merchant, mode, subject, sequence, url, null as body, status from notifications.events
     where url is not null order by subject, sequence`,
  )
  let before: { subject: string; id: string; first: number } | undefined
  for await (const { id, subject, sequence, status } of rows) {
    const known = heard.get(id)
    const name = `notification ${id} (${subject}, ${sequence})`
    if (status === 'delivered' && known?.taken !== true)
      faults.add(`${name} counts as delivered, and no receiver took it`)
    else if (!options.mayWait && status !== 'delivered')
      faults.add(`${name} is ${status}${known?.taken === true ? ', though a receiver took it' : ''}`)
    if (known === undefined) continue
    if (options.order && before?.subject === subject && before.first > known.first)
      faults.add(`${name} came before notification ${before.id}`)
    before = { subject, id, first: known.first }
  }
}
