// The judge of every proof: given the database, what clients wrote down and what receivers wrote down, it says each promise
// that a row breaks, in a sentence that names the row. Own SQL and own arithmetic: it imports nothing of the service, so
// that a mistake there can't hide here. The ten rules are in the files beside this one.
import pg from 'pg'
import { checkAudit, openRefusals } from './audit.ts'
import { type Database, databaseOf } from './database.ts'
import { openRulebook } from './faults.ts'
import type { JournalEntry, ReceiverEntry } from './journal.ts'
import { checkLedger } from './ledger.ts'
import { checkLeftovers } from './leftovers.ts'
import { checkPayments } from './payments.ts'
import { type ClientSecret, checkReceivers } from './receivers.ts'
import { checkReplay } from './replay.ts'
import { checkRequests } from './requests.ts'

export interface CheckOptions {
  /** Those that the service runs with, in base64. */
  secrets: { idem: string; audit: string }
  /** A path, or the lines. Absent: rules 1 and 2 have nothing to say. */
  journal?: string | Iterable<JournalEntry> | AsyncIterable<JournalEntry>
  /** Things of before this moment were not journaled; by the service's clock. */
  since?: Date
  /** False: others act too, and what the journal does not tell of may be there. */
  wholeJournal?: boolean
  /** A path, or the lines. Absent: rule 7 has nothing to say. */
  receivers?: string | Iterable<ReceiverEntry> | AsyncIterable<ReceiverEntry>
  clientSecrets?: readonly ClientSecret[]
  /** False: a fault may have put first attempts out of order. */
  order?: boolean
  /** What a fault keeps from ending: notifications may still wait to be delivered. */
  mayWait?: 'notifications'
  headerPrefix?: string
  /** By the service's clock; absent: the database's. */
  now?: Date
}

export interface Checked {
  /** The first of each rule; empty when every promise was kept. */
  faults: string[]
  figures: Record<string, number>
}

export async function check(options: CheckOptions & { databaseUrl: string }): Promise<Checked> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'proof checker' })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const checked = await checkIn(client, options)
    await client.query('commit')
    return checked
  } finally {
    await client.end()
  }
}

/** Inside a transaction that the caller has opened. */
export async function checkIn(client: pg.Client, options: CheckOptions): Promise<Checked> {
  const startedAt = performance.now()
  const db = databaseOf(client)
  const book = openRulebook()
  const idem = canonical(options.secrets.idem)
  const refusals = openRefusals()
  const requests =
    options.journal === undefined
      ? {}
      : await checkRequests(
          db,
          { promised: book.rule(1), unknown: book.rule(2) },
          {
            journal: options.journal,
            idem,
            since: options.since,
            isWhole: options.wholeJournal ?? true,
            also: refusals.note,
          },
        )
  const ledger = await checkLedger(db, { balance: book.rule(3), chain: book.rule(4), floor: book.rule(5) })
  const payments = await checkPayments(db, book.rule(6), { idem })
  const receivers = await judgeReceivers(db, { options, faults: book.rule(7) })
  await checkLeftovers(db, book.rule(8), { idem, now: options.now })
  const audit = await checkAudit(db, book.rule(9), { secret: options.secrets.audit })
  await refusals.check(db, book.rule(9), options.since)
  const replay = await checkReplay(db, book.rule(10))
  const { faults, count } = book.findings()
  const seconds = Math.round((performance.now() - startedAt) / 10) / 100
  const auditEvents = audit.events
  const counted = { ...requests, ...ledger, ...payments, ...receivers, auditEvents, ...replay }
  return { faults, figures: { ...counted, faults: count, seconds } }
}

const canonical = (secret: string): string => Buffer.from(secret, 'base64').toString('base64')

async function judgeReceivers(
  db: Database,
  { options, faults }: { options: CheckOptions; faults: { add(sentence: string): void } },
): Promise<Record<string, number>> {
  if (options.receivers === undefined) return {}
  return checkReceivers(db, faults, {
    receivers: options.receivers,
    clientSecrets: options.clientSecrets ?? [],
    order: options.order ?? true,
    mayWait: options.mayWait === 'notifications',
    prefix: options.headerPrefix ?? 'svc',
  })
}
